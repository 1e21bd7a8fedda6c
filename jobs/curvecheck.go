package jobs

import (
	"time"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/learn/metrics"
)

// A CheckReply says how far a model of the curve can be trusted, by the rows held out: of classes with probabilities as
// a model file of these rows has them, and what each column is worth.
type CheckReply struct {
	D int `json:"D"`
	*ClassScores
	*TargetScores
	Importance     []ColumnImportance `json:"importance,omitempty"` // the most important column first
	ImportanceRows int                `json:"importanceRows,omitempty"`
	// NoProbabilities and NoImportance say why there are none.
	NoProbabilities string  `json:"noProbabilities,omitempty"`
	NoImportance    string  `json:"noImportance,omitempty"`
	MS              float64 `json:"ms"`
}

// The importance of more columns is not asked for, and of many by fewer rows.
const (
	checkedColumns = 256
	checkedScores  = 500_000 // over all columns
)

// Check tries the model of D components on the rows held out. It returns nil without the model.
func (s *Session) Check(c *Control, D int) (*CheckReply, error) {
	p, v := s.point(D), s.curve
	if p == nil {
		return nil, nil
	}
	started, r := time.Now(), &CheckReply{D: D}
	c.Begin("checking")
	if err := r.score(c, v, p); err != nil {
		return nil, err
	}
	if err := r.columns(c, v, p); err != nil {
		return nil, err
	}
	r.MS = float64(time.Since(started).Microseconds()) / 1000
	return r, nil
}

// score tries the model on the rows held out, with probabilities if the rows to learn from are kept.
func (r *CheckReply) score(c *Control, v *curve, p *point) error {
	scoring := p.scoring
	if v.head.Task == learn.TaskClassify && v.isWhole {
		m, err := v.withProbabilities(c, p)
		if err != nil {
			return err
		}
		defer m.Close()
		scores, err := v.scores(c, m, v.held)
		if err != nil {
			return err
		}
		scoring = newScoring(m.About(), nil)
		own, targets := v.held.labels()
		if err := scoring.addAll(c, scores, own, targets); err != nil {
			return err
		}
	}
	r.ClassScores, r.TargetScores = scoring.scores()
	switch {
	case r.ClassScores == nil || r.Probabilities != nil:
	case v.isWhole:
		r.NoProbabilities = "The rows are too few for probabilities."
	default:
		r.NoProbabilities = "The file is too large for its rows to be kept here, and probabilities need them: " +
			"evaluate the model in a shell."
	}
	return nil
}

// columns finds what each column is worth.
func (r *CheckReply) columns(c *Control, v *curve, p *point) error {
	own, err := preprocessingOf(Spec{Spec: v.spec})
	if err != nil {
		return err
	}
	columns := 0
	for i := range own.Columns {
		if own.Columns[i].NFeatures() > 0 {
			columns++
		}
	}
	switch n := len(v.held.rows); {
	case own.IsSparse() || columns > checkedColumns:
		r.NoImportance = "The columns are too many to be asked one by one."
	case own.Divides():
		r.NoImportance = "What each column is worth can be asked where rows are “as they are”: length 1 makes each " +
			"number depend on all columns."
	case n < 2:
		r.NoImportance = "The rows held out are too few to ask what each column is worth."
	default:
		n = min(n, importanceRows, max(100, checkedScores/(metrics.Repeats*columns)))
		r.ImportanceRows = n
		labels, targets := v.held.labels()
		sample := &sampled{d: v.head.NFeatures, labels: labels[:n], targets: targets[:n]}
		if v.head.Task == learn.TaskRegress {
			sample.labels = nil
		} else {
			sample.targets = nil
		}
		for i := range n {
			sample.each = append(sample.each, sketch.Dense(v.held.dense(i, i+1)))
		}
		r.Importance, err = importances(c, p.model, own, sample)
	}
	return err
}
