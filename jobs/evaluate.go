package jobs

import (
	"math"
	"slices"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/labels"
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/learn/metrics"
)

// An EvaluateRequest asks how well a model predicts the labels of rows.
type EvaluateRequest struct {
	Rows
	Model Named `json:"model"`

	Importance bool `json:"importance,omitempty"` // what each column is worth, too
}

// An EvaluateReply has the metrics of classes or of numbers.
type EvaluateReply struct {
	Told
	Task string `json:"task"`
	*ClassScores
	*TargetScores
	Importance []ColumnImportance `json:"importance,omitempty"` // the most important column first
}

// ClassScores are how well classes are predicted.
type ClassScores struct {
	Unknown   int64      `json:"unknown"` // rows whose label the model does not know
	Accuracy  Interval   `json:"accuracy"`
	LogLoss   *float64   `json:"logLoss"`   // null without probabilities
	Commonest *float64   `json:"commonest"` // share of the rows of the commonest class
	Classes   []any      `json:"classes"`   // texts, numbers, true or false
	Confusion [][]int64  `json:"confusion"` // true classes as rows
	Recall    []*float64 `json:"recall"`
	Precision []*float64 `json:"precision"`
	*Probabilities
}

// TargetScores are how well numbers are predicted.
type TargetScores struct {
	R2   Interval `json:"r2"`
	RMSE Interval `json:"rmse"`
	MAE  Interval `json:"mae"`

	Residuals []Quantile `json:"residuals"` // of targets less predictions
}

// Evaluate compares what a model predicts with the labels of rows.
func Evaluate(c *Control, mapper Mapper, q *EvaluateRequest) (*EvaluateReply, error) {
	rows := q.Rows
	rows.Columns.NoLabel = q.Labels != nil
	t, m, err := rows.openModel(c, mapper, &q.Model)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	about := m.About()
	if K := about.NOutputs(); K != 1 && about.Task == learn.TaskRegress {
		return nil, failure("%s: the model predicts %d numbers for a row, and a file has one label", q.Model.Name, K)
	}
	if err := t.needLabels(q.Labels); err != nil {
		return nil, err
	}
	e := newScoring(about, t.labelReader(nil, about.Classes))
	e.read.Units = &t.unused
	var sample *sampled
	if q.Importance {
		sample = &sampled{d: t.p.NFeatures(), next: sketch.IntSeed(0).ForBootstrap(), most: importanceRows}
	}
	for b, err := range t.labelled("evaluating", rowsToScore(m), e.read, about.Task == learn.TaskRegress) {
		if err != nil {
			return nil, err
		}
		X := b.rows(t.p.NFeatures())
		t.cuts.Add(about.Preparation, X)
		scores, err := m.Scores(c, X)
		if err != nil {
			return nil, b.rowError(err)
		}
		e.add(scores, b.labels, b.targets)
		if sample != nil {
			sample.add(b)
		}
	}
	if e.rows == 0 {
		return nil, t.noneUsed()
	}
	e.note(t)
	t.say()
	reply := &EvaluateReply{Told: told(e.rows, t), Task: about.Task}
	reply.ClassScores, reply.TargetScores = e.scores()
	if sample != nil {
		reply.Importance, err = importances(c, m, t.p, sample)
	}
	return reply, err
}

// openModel opens files, and the model that predicts for them.
func (q *Rows) openModel(c *Control, mapper Mapper, file *Named) (*table, Model, error) {
	m, p, err := open(file, mapper.OpenModel)
	if err != nil {
		return nil, nil, err
	}
	var t *table
	if err = q.refuse(p, file.Name); err == nil {
		prepared := m.About().Preparation
		t, err = q.openFor(c, width(m.Map(), prepared), prepared != nil, p)
	}
	if err != nil {
		m.Close()
	}
	return t, m, err
}

// refuse returns an error if columns are given beside the columns of a model.
func (q *Rows) refuse(p *dataset.Preprocessing, model string) error {
	own := q.Columns
	own.NoLabel = false
	if given := own.given(); p != nil && given != "" {
		return fail(given, "{"+given+"} contradicts %s, which has its own columns; leave one out", model)
	}
	return nil
}

// rowsToScore returns how many rows are scored at a time: few enough to be written as text in some 20 ms.
func rowsToScore(m Model) int {
	return max(1, min(1<<11, blockFeatures/(4*m.Map().NComponents()), 4*blockScores/m.About().NOutputs()))
}

// blockScores bounds the scores that are counted between two looks at the control.
const blockScores = 1 << 14

// A scoring compares scores with labels, in memory that does not grow with the rows.
type scoring struct {
	about   *learn.Model
	read    *labels.Reader
	index   map[learn.Label]int32
	classes *metrics.ClassEvaluation
	targets *metrics.TargetEvaluation
	sure    *metrics.ProbabilityEvaluation // nil without probabilities
	missed  metrics.Residuals
	rows    int64
	unknown []string // some labels that the model does not know
}

func newScoring(about *learn.Model, read *labels.Reader) *scoring {
	e := &scoring{about: about, read: read, index: map[learn.Label]int32{}}
	for k, class := range about.Classes {
		e.index[class] = int32(k)
	}
	if about.Task == learn.TaskClassify {
		e.classes = metrics.NewClassEvaluation(len(about.Classes))
		if about.Calibration != nil {
			e.sure = metrics.NewProbabilityEvaluation(len(about.Classes))
		}
	} else {
		e.targets = metrics.NewTargetEvaluation(1)
	}
	return e
}

// add counts rows by their scores and their labels or targets.
func (e *scoring) add(scores []float64, own []learn.Label, targets []float64) {
	if e.targets != nil {
		_ = e.targets.Add(targets, scores) // labels.Reader gives finite numbers alone
		for i, y := range targets {
			e.missed.Add(y - scores[i])
		}
		e.rows += int64(len(targets))
		return
	}
	K := len(e.about.Classes)
	truth, predicted, losses, logs := make([]int32, len(own)), make([]int32, len(own)), []float64(nil), make([]float64, K)
	if e.about.Calibration != nil {
		losses = make([]float64, len(own))
	}
	for i, label := range own {
		row := scores[i*K : (i+1)*K]
		class, isKnown := e.index[label]
		if truth[i], predicted[i] = class, int32(solve.Largest(row)); !isKnown {
			truth[i] = -1
			e.meet(labels.Text(label))
		} else if losses != nil {
			losses[i] = -e.about.Calibration.LogProbabilities(logs, row)[class]
			e.sure.Add(logs, class)
		}
	}
	e.classes.Add(truth, predicted, losses)
	e.rows += int64(len(own))
}

// addAll is add for many rows, and asks the control between them.
func (e *scoring) addAll(c *Control, scores []float64, own []learn.Label, targets []float64) error {
	K := e.about.NOutputs()
	each := max(1, blockScores/K)
	for from := 0; from < len(targets); from += each {
		to := min(from+each, len(targets))
		e.add(scores[from*K:to*K], own[from:to], targets[from:to])
		if err := c.Check(); err != nil {
			return err
		}
	}
	return nil
}

// addCrossFitted counts kept rows by what models of other rows say of them.
func (e *scoring) addCrossFitted(rows *learn.CrossFitted) {
	if rows.Classes == nil {
		e.add(rows.Scores, nil, rows.Targets)
		return
	}
	logs := make([]float64, rows.K)
	for i, class := range rows.Classes {
		for k, p := range rows.Scores[i*rows.K:][:rows.K] {
			logs[k] = math.Log(p)
		}
		e.sure.Add(logs, class)
		e.classes.Add([]int32{class}, []int32{int32(solve.Largest(logs))}, []float64{-logs[class]})
	}
	e.rows += int64(len(rows.Classes))
}

// meet keeps the first labels that the model does not know.
func (e *scoring) meet(text string) {
	if len(e.unknown) < 3 && !slices.Contains(e.unknown, text) {
		e.unknown = append(e.unknown, text)
	}
}

// note notes labels that the model does not know.
func (e *scoring) note(t *table) {
	if e.classes != nil && e.classes.Metrics().Unknown > 0 {
		t.add(dataset.UnknownLabels(e.classes.Metrics().Unknown, e.unknown))
	}
}

// score returns the accuracy or R² of the rows so far.
func (e *scoring) score() metrics.Interval {
	switch {
	case e.rows == 0:
		return metrics.Interval{Value: math.NaN(), Low: math.NaN(), High: math.NaN()}
	case e.classes != nil:
		return e.classes.Metrics().Accuracy
	}
	return e.targets.Metrics()[0].R2
}

// scores returns the metrics of all rows.
func (e *scoring) scores() (*ClassScores, *TargetScores) {
	if e.targets != nil {
		m := &e.targets.Metrics()[0]
		return nil, &TargetScores{intervalOf(m.R2), intervalOf(m.RMSE), intervalOf(m.MAE), quantilesOf(&e.missed)}
	}
	m, K := e.classes.Metrics(), len(e.about.Classes)
	s := &ClassScores{Unknown: m.Unknown, Accuracy: intervalOf(m.Accuracy), LogLoss: known(m.LogLoss),
		Classes: values(e.about.Classes)}
	most := int64(0)
	for k := range K {
		ofClass := int64(0)
		for _, n := range m.Confusion[k*K : (k+1)*K] {
			ofClass += n
		}
		most = max(most, ofClass)
		s.Confusion = append(s.Confusion, m.Confusion[k*K:(k+1)*K])
		s.Recall, s.Precision = append(s.Recall, known(m.Recall[k])), append(s.Precision, known(m.Precision[k]))
	}
	s.Commonest = known(float64(most) / float64(m.Rows))
	if e.sure != nil {
		s.Probabilities = probabilitiesOf(e.sure)
	}
	return s, nil
}
