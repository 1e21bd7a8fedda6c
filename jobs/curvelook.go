package jobs

import (
	"time"

	"tensorsketch.example/dataset/labels"
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch/learn"
)

// A BandRequest asks for the points of the curve again under other seeds of the map.
type BandRequest struct {
	Seeds int                              `json:"seeds"`
	Point func(D, seed int, score float64) `json:"-"` // of seed number 1, 2 …
}

// Band fits the sizes of the curve again under other seeds.
func (s *Session) Band(c *Control, q *BandRequest) (*CurveReply, error) {
	v, started := s.curve, time.Now()
	if v == nil {
		return nil, errNoCurve
	}
	for seed := 1; seed <= q.Seeds && !c.Stopped(); seed++ {
		params := v.Map
		params.Seed = params.Seed.after(seed)
		err := v.fit(c, params, v.Sizes, nil, func(p *point) {
			if p.Score != nil {
				q.Point(p.D, seed, *p.Score)
			}
		})
		if err != nil && err != ErrStopped {
			return nil, err
		}
	}
	return &CurveReply{Stopped: c.Stopped(), MS: float64(time.Since(started).Microseconds()) / 1000}, nil
}

var errNoCurve = failure("there are no models: learn from the rows first")

// An ExactReply is how well the exact kernel predicts, fitted to some of the rows.
type ExactReply struct {
	Interval
	Rows  int     `json:"rows"` // that it was fitted to, of the Of rows to learn from
	Of    int64   `json:"of"`
	Alpha float64 `json:"alpha"`
	MS    float64 `json:"ms"`
}

// Exact fits ridge regression with the exact kernel to the sampled rows of the curve.
func (s *Session) Exact(c *Control) (*ExactReply, error) {
	v := s.curve
	best := v.best()
	if best == nil {
		return nil, errNoCurve
	}
	started := time.Now()
	n, about := len(v.train.rows), best.model.About()
	q := v.Map
	q.NComponents = 16
	params, err := q.params()
	if err != nil {
		return nil, err
	}
	params.NFeatures = v.head.NFeatures
	e := &Exact{Params: params, X: v.train.dense(0, n)}
	e.Alpha = best.Alpha * float64(n) / float64(best.Rows) // a weight beside a sum over rows: fewer rows take less of it
	own, targets := v.train.labels()
	if e.Targets = targets; about.Task == learn.TaskClassify {
		e.Targets, e.K = nil, len(about.Classes)
		for _, label := range own {
			e.Classes = append(e.Classes, best.scoring.index[label])
		}
	}
	c.Begin("exact")
	scores, err := v.mapper.FitExact(c, e, v.held.dense(0, len(v.held.rows)))
	if err != nil {
		return nil, err
	}
	scoring := newScoring(&learn.Model{Task: about.Task, Classes: about.Classes, Linear: about.Linear}, nil)
	held, numbers := v.held.labels()
	if err := scoring.addAll(c, scores, held, numbers); err != nil {
		return nil, err
	}
	return &ExactReply{Interval: intervalOf(scoring.score()), Rows: n, Of: v.head.Train, Alpha: e.Alpha,
		MS: float64(time.Since(started).Microseconds()) / 1000}, nil
}

// best returns the point with the most components, or nil.
func (v *curve) best() (best *point) {
	if v == nil {
		return nil
	}
	for _, p := range v.points {
		if p.model != nil && (best == nil || p.D > best.D) {
			best = p
		}
	}
	return best
}

// point returns the point of a model, or nil.
func (s *Session) point(D int) *point {
	if s.curve == nil || s.curve.points[D] == nil || s.curve.points[D].model == nil {
		return nil
	}
	return s.curve.points[D]
}

// A DetailReply is what a model of the curve predicts for the rows held out: of classes the confusion matrix, of
// numbers at most 2,000 rows with both numbers.
type DetailReply struct {
	*ClassScores
	*TargetScores
	Rows      []int     `json:"rows,omitempty"` // indices among the rows held out
	Truth     []float64 `json:"truth,omitempty"`
	Predicted []float64 `json:"predicted,omitempty"`
}

// shownPoints is how many points of a scatter plot there are at most.
const shownPoints = 2000

// Detail returns what the model of D components predicts, or nil without it.
func (s *Session) Detail(D int) *DetailReply {
	p := s.point(D)
	if p == nil {
		return nil
	}
	r := new(DetailReply)
	r.ClassScores, r.TargetScores = p.scoring.scores()
	if r.TargetScores == nil {
		return r
	}
	_, truth := s.curve.held.labels()
	step := max(1, (len(truth)+shownPoints-1)/shownPoints)
	for i := 0; i < len(truth); i += step {
		r.Rows, r.Truth, r.Predicted = append(r.Rows, i), append(r.Truth, truth[i]), append(r.Predicted, p.predicted[i])
	}
	return r
}

// A BehindRequest asks for the rows held out behind a cell of the confusion matrix, or for one row.
type BehindRequest struct {
	D         int  `json:"D"`
	Truth     int  `json:"truth"` // indices of classes
	Predicted int  `json:"predicted"`
	From      int  `json:"from"`
	Most      int  `json:"most"`
	Row       *int `json:"row,omitempty"` // instead of a cell: its index among the rows held out
}

// A BehindReply has the rows behind a cell, and how many there are in all.
type BehindReply struct {
	Total int         `json:"total"`
	Rows  []BehindRow `json:"rows"`
	Width int         `json:"width"` // of a row; at most 1,024 of its values are sent
}

// A BehindRow is a row held out.
type BehindRow struct {
	Place     int64     `json:"place"`
	Label     string    `json:"label"`
	Predicted string    `json:"predicted"`
	Scores    []float64 `json:"scores"`
	Values    []float32 `json:"values"`
}

// shownValues is how many numbers of a row are sent.
const shownValues = 1024

// Behind returns rows behind a cell of the confusion matrix of a model, or nil without the model.
func (s *Session) Behind(q *BehindRequest) *BehindReply {
	p := s.point(q.D)
	if p == nil {
		return nil
	}
	held, about := s.curve.held, p.model.About()
	K := len(p.predicted) / max(1, len(held.rows))
	of := func(i int) []float64 { return p.predicted[i*K : (i+1)*K] }
	var found []int
	for i := range held.rows {
		if q.Row != nil && *q.Row == i || q.Row == nil && p.scoring.index[held.rows[i].label] == int32(q.Truth) &&
			solve.Largest(of(i)) == q.Predicted {
			found = append(found, i)
		}
	}
	r := &BehindReply{Total: len(found), Rows: []BehindRow{}, Width: held.width}
	for _, i := range found[min(q.From, len(found)):min(q.From+q.Most, len(found))] {
		row := BehindRow{Place: held.rows[i].place, Scores: of(i), Label: numberText(held.rows[i].target),
			Predicted: numberText(of(i)[0])}
		if about.Task == learn.TaskClassify {
			row.Label, row.Predicted = labels.Text(held.rows[i].label), labels.Text(about.Classes[solve.Largest(of(i))])
		}
		values := held.dense(i, i+1)
		row.Values = values[:min(len(values), shownValues)]
		r.Rows = append(r.Rows, row)
	}
	return r
}

// File returns the model file of a model of the curve, or nil without it. If the rows are kept, Fit fits it to all of
// them, and the file has the bytes of fit --search off --folds 5. The linear model, and models of larger files, know
// the rows to learn from alone.
func (s *Session) File(c *Control, D int) ([]byte, error) {
	p, v := s.point(D), s.curve
	if p == nil {
		return nil, nil
	}
	if D == 0 || !v.isWhole {
		return v.ownFile(c, p)
	}
	q := &FitRequest{Rows: v.Rows, Task: v.head.Task, Map: v.Map, Search: SearchOff}
	q.Map.NComponents = D
	if D <= foldedTo {
		q.Folds = new(5)
	}
	reply, err := Fit(c, v.mapper, q)
	if err != nil {
		return nil, err
	}
	defer reply.Close()
	return reply.Model.File()
}

// Search fits a model to all rows of the curve by what held-out rows choose, as Fit does where nothing is typed: its
// file has the bytes of fit for the same label and columns.
func (s *Session) Search(c *Control) (*FitReply, error) {
	v := s.curve
	if v == nil {
		return nil, errNoCurve
	}
	rows := v.Rows
	if p := rows.Plan; p != nil {
		l, err := rows.Files[0].Sniff(nil, rows.Reading)
		if err != nil {
			return nil, err
		}
		rows.Plan, rows.Columns.Roles = nil, p.typed(l)
	}
	return Fit(c, v.mapper, &FitRequest{Rows: rows, Task: v.head.Task})
}

// ownFile returns the file of a model of the rows to learn from. If they are kept, the model is fitted again with some
// rows held out for probabilities.
func (v *curve) ownFile(c *Control, p *point) ([]byte, error) {
	if !v.isWhole || v.head.Task != learn.TaskClassify {
		return p.model.File()
	}
	m, err := v.withProbabilities(c, p)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	return m.File()
}

// foldedTo is the maximum D of models whose rows are held out in turn for probabilities. Larger ones hold a fifth out,
// since the sums of five parts would take much memory.
const foldedTo = 2048

// withProbabilities fits the model of a point again, with rows held out and kept for probabilities, as Fit does.
func (v *curve) withProbabilities(c *Control, p *point) (Model, error) {
	spec := Spec{Spec: v.spec, Loss: learn.LossSquared, Features: p.model.Map()}
	if spec.Folds, spec.Keep = 1, solve.KeepOf(float64(v.head.Train)); p.D <= foldedTo {
		if spec.Folds = 5; v.head.Train <= solve.MostKept {
			spec.Keep = 1 // which spreads rows that recur often over all folds, as in the file that Fit writes
		}
	}
	l, err := v.mapper.NewLearner(spec)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	fresh := &learning{D: p.D, learner: l}
	if err := v.add(c, fresh, &v.batch, func(float64) error { return c.Check() }); err != nil || fresh.problem != nil {
		return nil, firstError(err, fresh.problem)
	}
	o := FitOptions{}
	o.Alpha = p.Alpha
	return l.Fit(c, o)
}

func firstError(a, b error) error {
	if a != nil {
		return a
	}
	return b
}
