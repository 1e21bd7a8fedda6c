package jobs

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/dataset/labels"
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
)

// A PredictRequest asks for what a model predicts for rows.
type PredictRequest struct {
	Rows
	Model         Named  `json:"model"`
	To            Target `json:"to"`
	Scores        bool   `json:"scores,omitempty"`        // write the score of each class, too
	Probabilities bool   `json:"probabilities,omitempty"` // write the probability of each class, too

	Interval    float64 `json:"interval,omitempty"`    // level of an interval or a set that is written, too, such as 0.9
	ClassWeight string  `json:"classWeight,omitempty"` // "balanced" finds rare classes more often

	// Threshold says CLASS=P: a row is of the class if its probability is at least P, else of the likeliest other one.
	Threshold string `json:"threshold,omitempty"`
	// Novelty is a file of sums. How unlike a row is to theirs is written, too, and which share of known rows is less so.
	Novelty *Named `json:"-"`
}

// A PredictReply says what was written. Rows that cannot be used hold their places. Score compares the predictions with
// the labels, if the files have them: the accuracy or R², with its 95 % interval.
type PredictReply struct {
	Told
	Task     string   `json:"task"`
	Labelled int64    `json:"labelled"` // rows with a label to compare with
	Score    Interval `json:"score"`
	Stopped  bool     `json:"stopped,omitempty"` // the rows so far were written
}

// Predict writes what a model predicts for the rows of files. A row that cannot be used has no answer but its place,
// and why.
func Predict(c *Control, mapper Mapper, q *PredictRequest) (*PredictReply, error) {
	rows := q.Rows
	rows.Columns.NoLabel = len(q.Columns.Roles[columns.AsLabel.String()]) == 0
	t, m, err := rows.openModel(c, mapper, &q.Model)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	t.holds = true
	p := &predicting{PredictRequest: q, t: t, m: m, about: m.About(), mapper: mapper}
	if err := p.check(); err != nil {
		return nil, err
	}
	if p.t.parts[0].layout.Label() >= 0 && p.answers() == 1 { // a file has one label
		p.scoring = newScoring(p.about, t.labelReader(nil, p.about.Classes))
	}
	w, err := p.create()
	if err == nil {
		err = p.write(w)
	}
	reply := &PredictReply{Task: p.about.Task, Stopped: errors.Is(err, ErrStopped)}
	if err == nil || reply.Stopped {
		err = w.commit()
	}
	if err != nil {
		return nil, err
	}
	if reply.Score = (Interval{}); p.scoring != nil {
		p.scoring.note(t)
		reply.Labelled, reply.Score = p.scoring.rows, intervalOf(p.scoring.score())
	}
	t.say()
	reply.Told = told(p.rows, t)
	return reply, nil
}

// A predicting is the work of Predict.
type predicting struct {
	*PredictRequest
	t       *table
	m       Model
	mapper  Mapper
	about   *learn.Model
	scoring *scoring // nil without labels
	rows    int64    // with an answer
	radius  float64  // of intervals
	least   float64  // probability in sets

	thresholdClass int
	thresholdLog   float64 // ln P; 0 without one
	novelty        Novelty // or nil
}

// A Novelty says how unlike rows are to known ones, and which share of the known rows is less so: *learn.Novelty. As an
// interface it links no feature map.
type Novelty interface {
	Of(X sketch.Rows) (novelty, share []float64, err error)
}

func (v *predicting) check() error {
	f := columns.FormatOf(v.To.Format)
	switch {
	case f == nil:
		return noFormat(v.To.Format)
	case v.about.Task != learn.TaskClassify && (v.Scores || v.Probabilities):
		return fail("scores", "%s predicts numbers, which have no scores and no probabilities; leave them out", v.Model.Name)
	case v.Probabilities && v.about.Calibration == nil:
		return fail("probabilities", "%s has no probabilities, since no rows were held out; fit it with {folds} 1 or 5",
			v.Model.Name)
	case f.Lines && !f.Predicts():
		return fail("format", "%s has no place for predictions; take csv or another format", v.To.Format)
	case v.ClassWeight != "" && !v.inCells():
		return fail("classWeight", "%s has no place for the class that {classWeight} chooses; take csv or another format",
			v.To.Format)
	case v.Threshold != "" && !v.inCells():
		return fail("threshold", "%s has no place for the class that {threshold} chooses; take csv or another format",
			v.To.Format)
	case v.ClassWeight != "" && v.ClassWeight != "balanced":
		return fail("classWeight", "{classWeight} must be balanced, got %s", v.ClassWeight)
	case v.ClassWeight != "" && (v.about.Calibration == nil || v.about.Report.Counts == nil):
		return fail("classWeight", "%s has no probabilities of classes; leave out {classWeight}", v.Model.Name)
	case v.Interval != 0 && !v.inCells():
		return fail("interval", "%s has no place for intervals; take csv or another format", v.To.Format)
	case v.Interval != 0 && v.answers() > 1:
		return fail("interval", "%s predicts several numbers; leave out {interval}", v.Model.Name)
	case v.Interval != 0:
		if err := v.checkInterval(); err != nil {
			return err
		}
	}
	if err := v.checkThreshold(); err != nil || v.Novelty == nil {
		return err
	}
	return v.openNovelty()
}

// checkThreshold reads the threshold of a class.
func (v *predicting) checkThreshold() error {
	if v.Threshold == "" {
		return nil
	}
	at := strings.LastIndexByte(v.Threshold, '=')
	p, err := strconv.ParseFloat(v.Threshold[at+1:], 64)
	switch {
	case v.about.Calibration == nil:
		return fail("threshold", "%s has no probabilities of classes; leave out {threshold}", v.Model.Name)
	case v.ClassWeight != "":
		return fail("threshold", "{threshold} and {classWeight} are two ways to decide; leave one out")
	case at < 0 || err != nil || !(p > 0 && p < 1):
		return fail("threshold", "{threshold} must be a class and a probability between 0 and 1, such as %s=0.2, got %q",
			labels.Text(v.about.Classes[0]), v.Threshold)
	}
	v.thresholdClass = slices.IndexFunc(v.about.Classes, func(class learn.Label) bool {
		return labels.Text(class) == v.Threshold[:at]
	})
	if v.thresholdClass < 0 {
		return fail("threshold", "{threshold} has the class %q, which %s does not know; it has %s, and others",
			v.Threshold[:at], v.Model.Name, labels.Text(v.about.Classes[0]))
	}
	v.thresholdLog = math.Log(p)
	return nil
}

// openNovelty opens the sums that know how unlike rows are.
func (v *predicting) openNovelty() error {
	if !v.inCells() {
		return fail("novelty", "%s has no place for {novelty}; take csv or another format", v.To.Format)
	}
	l, err := readLearner(v.mapper, v.Novelty)
	if err != nil {
		return err
	}
	defer l.Close()
	own, ok := l.(interface {
		Novelty() (Novelty, error)
	})
	if !ok {
		return fail("novelty", "{novelty} is for sums of fit in the command line; leave it out")
	}
	if l.Spec().Preprocessing != v.about.Preprocessing {
		return failure("%s prepares its columns differently than %s; make both with one fit", v.Novelty.Name, v.Model.Name)
	}
	v.novelty, err = own.Novelty()
	return named(v.Novelty.Name, err)
}

// checkInterval finds how wide intervals are, or which classes sets have.
func (v *predicting) checkInterval() (err error) {
	if v.about.Task == learn.TaskClassify {
		v.least, err = v.about.LeastOf(v.Interval)
		return mistake(err)
	}
	radii, err := v.about.Radii(v.Interval)
	if err == nil {
		v.radius = radii[0]
	}
	return mistake(err)
}

// more returns the cells of an interval or a set. Of a row without an answer they are empty.
func (v *predicting) more(scores []float64, isEmpty bool) []string {
	switch isClassifier := v.about.Task == learn.TaskClassify; {
	case v.Interval == 0:
		return nil
	case isEmpty && isClassifier:
		return []string{""}
	case isEmpty:
		return []string{"", ""}
	case isClassifier:
		p, set := v.about.Calibration.Probabilities(nil, scores), []string{}
		for k, in := range solve.SetsOf(p, len(p), v.least) {
			if in {
				set = append(set, labels.Text(v.about.Classes[k]))
			}
		}
		return []string{strings.Join(set, " | ")}
	}
	return []string{numberText(scores[0] - v.radius), numberText(scores[0] + v.radius)}
}

// chosen returns the scores by which classes are chosen.
func (v *predicting) chosen(scores []float64) []float64 {
	if v.Threshold != "" {
		return v.byThreshold(scores)
	}
	if v.ClassWeight != "" {
		if balanced, err := v.about.BalancedScores(scores); err == nil {
			return balanced
		}
	}
	return scores
}

// farScore is above the scores of models.
const farScore = 1e300

// byThreshold makes the score of a class the largest or the least, as its probability says.
func (v *predicting) byThreshold(scores []float64) []float64 {
	K := len(v.about.Classes)
	chosen, logs := slices.Clone(scores), make([]float64, K)
	for from := 0; from < len(scores); from += K {
		at := &chosen[from+v.thresholdClass]
		if v.about.Calibration.LogProbabilities(logs, scores[from:from+K])[v.thresholdClass] >= v.thresholdLog {
			*at = farScore
		} else if *at == *at {
			*at = -farScore
		}
	}
	return chosen
}

// create begins the output.
func (v *predicting) create() (*rowWriter, error) {
	names, nComponents := slices.Clone(v.t.p.CellNames()), 0
	var o dataset.EncoderOptions
	if v.about.Task == learn.TaskClassify || v.inCells() {
		if answers := v.answers(); answers == 1 {
			names = append(names, "prediction")
		} else {
			for k := range answers {
				names = append(names, "prediction "+strconv.Itoa(k+1))
			}
		}
		if v.about.Task == learn.TaskRegress || labels.AllNumbers(v.about.Classes) {
			o.Numbers = v.answers()
		}
	}
	if !v.inCells() {
		nComponents = v.width()
		if v.about.Task == learn.TaskClassify && len(v.nouns()) == 0 {
			v.t.add(columns.Note{Code: columns.NoteScores, What: v.To.Format + " has no place for labels: the scores of the " +
				"classes are written, beginning with " + columns.Quoted(labels.Text(v.about.Classes[0])),
				Remedy: "take csv or another format for labels"})
		}
	} else {
		o.CellsAlone = true
		for _, noun := range v.nouns() {
			for _, class := range v.about.Classes {
				names = append(names, noun+" "+labels.Text(class))
				o.Numbers++
			}
		}
	}
	if v.novelty != nil {
		names, o.Numbers = append(names, "novelty", "novelty share"), o.Numbers+2
	}
	if v.Interval != 0 && v.about.Task == learn.TaskRegress {
		names, o.Numbers = append(names, "low", "high"), o.Numbers+2
	} else if v.Interval != 0 {
		names, o.Texts = append(names, "set"), 1
	}
	if v.hasReasons() {
		names, o.Texts = append(names, "why"), o.Texts+1
	}
	return v.To.create(names, nComponents, o, nil)
}

// answers returns how many predictions a row has: a number for each target, or a class.
func (v *predicting) answers() int {
	if v.about.Task == learn.TaskRegress {
		return v.about.NOutputs()
	}
	return 1
}

// inCells reports whether the format has all predictions as cells. The others have numbers of 32 bits.
func (v *predicting) inCells() bool {
	f := columns.FormatOf(v.To.Format)
	return f.Lines || f.Columnar
}

// hasReasons reports whether the format has room for why a row has no answer.
func (v *predicting) hasReasons() bool { return columns.FormatOf(v.To.Format).Cells }

// nouns returns of what a row has a number for each class.
func (v *predicting) nouns() (nouns []string) {
	if v.Scores {
		nouns = append(nouns, "score")
	}
	if v.Probabilities {
		nouns = append(nouns, "probability")
	}
	return nouns
}

// width returns how many numbers a row has: for each of the nouns, and the scores where there is none.
func (v *predicting) width() int { return v.about.NOutputs() * max(1, len(v.nouns())) }

// numbers returns the numbers of rows with these scores.
func (v *predicting) numbers(scores []float64) (numbers []float64) {
	if !v.Probabilities {
		return scores
	}
	K := v.about.NOutputs()
	p := make([]float64, K)
	for own := range slices.Chunk(scores, K) {
		if v.Scores {
			numbers = append(numbers, own...)
		}
		numbers = append(numbers, v.about.Calibration.Probabilities(p, own)...)
	}
	return numbers
}

// write writes the predictions for all rows.
func (v *predicting) write(w *rowWriter) error {
	K, width := v.about.NOutputs(), v.width()
	var Z []float32
	for b, err := range v.t.blocks("predicting", rowsToScore(v.m)) {
		if err != nil {
			return err
		}
		scores, err := v.scoresOf(b)
		if err != nil {
			return err
		}
		novelty, err := v.noveltyOf(b)
		if err != nil {
			return err
		}
		chosen := v.chosen(scores)
		v.compare(b, chosen)
		numbers := v.numbers(scores)
		Z = Z[:0]
		if !v.inCells() {
			for _, x := range numbers {
				Z = append(Z, float32(x))
			}
		}
		err = w.add(b, Z, func(row int) []string {
			more := numbers[row*width : (row+1)*width : (row+1)*width]
			if novelty != nil {
				more = append(more, novelty[2*row:2*row+2]...)
			}
			return v.cells(scores[row*K:(row+1)*K], chosen[row*K:(row+1)*K], more, b.Problem(b.from+row))
		})
		if err = cmp.Or(err, v.count(b)); err != nil {
			return err
		}
	}
	return nil
}

// compare counts the rows of a block that have a label and an answer.
func (v *predicting) compare(b *block, scores []float64) {
	if v.scoring == nil {
		return
	}
	K, run := v.about.NOutputs(), &block{}
	var own []float64
	for row := range b.to - b.from {
		if b.Problem(b.from+row) != nil {
			continue
		}
		if what := run.take(v.scoring.read, b.Cell(b.from+row, 0), v.about.Task == learn.TaskRegress); what == "" {
			own = append(own, scores[row*K:(row+1)*K]...)
		}
	}
	v.scoring.add(own, run.labels, run.targets)
}

// scoresOf returns the scores of the rows of a block: NaN for those that cannot be used.
func (v *predicting) scoresOf(b *block) ([]float64, error) {
	return eachRun(b, v.about.NOutputs(), func(run *block) ([]float64, error) {
		return v.m.Scores(v.t.c, run.rows(v.t.p.NFeatures()))
	})
}

// count counts the rows of a block that were written with an answer, and their cells that the model cuts.
func (v *predicting) count(b *block) error {
	_, err := eachRun(b, 0, func(run *block) ([]float64, error) {
		v.rows += int64(run.to - run.from)
		v.t.cuts.Add(v.about.Preparation, run.rows(v.t.p.NFeatures()))
		return nil, nil
	})
	return err
}

// noveltyOf returns two numbers for each row of a block, or nil: how unlike it is to known rows, and which share of
// these is less so. They are NaN for rows that cannot be used, and the share is where no rows are known.
func (v *predicting) noveltyOf(b *block) ([]float64, error) {
	if v.novelty == nil {
		return nil, nil
	}
	return eachRun(b, 2, func(run *block) (pairs []float64, err error) {
		novelty, share, err := v.novelty.Of(run.rows(v.t.p.NFeatures()))
		for i, h := range novelty {
			pairs = append(pairs, h, math.NaN())
			if share != nil {
				pairs[2*i+1] = share[i]
			}
		}
		return pairs, err
	})
}

// eachRun returns what of says of the rows of a block, each numbers of each, and NaN for rows that cannot be used.
func eachRun(b *block, each int, of func(run *block) ([]float64, error)) ([]float64, error) {
	all := make([]float64, 0, (b.to-b.from)*each)
	run := *b
	for run.from < b.to {
		if b.Problem(run.from) != nil {
			all = append(all, slices.Repeat([]float64{math.NaN()}, each)...)
			run.from++
			continue
		}
		for run.to = run.from; run.to < b.to && b.Problem(run.to) == nil; run.to++ {
		}
		own, err := of(&run)
		if err != nil {
			return nil, run.rowError(err)
		}
		all = append(all, own...)
		run.from = run.to
	}
	return all, nil
}

// cells returns the cells that follow the table's in a row: the predictions, the numbers of the classes, and why there
// is none of these.
func (v *predicting) cells(scores, chosen, numbers []float64, problem *dataset.Problem) (cells []string) {
	isClassifier := v.about.Task == learn.TaskClassify
	if isClassifier || v.inCells() {
		for k := range v.answers() {
			cell := numberText(scores[k])
			if isClassifier {
				cell = labels.Text(v.about.Classes[solve.Largest(chosen)])
			}
			if problem != nil {
				cell = ""
			}
			cells = append(cells, cell)
		}
	}
	if v.inCells() {
		if len(v.nouns()) == 0 {
			numbers = numbers[v.width():] // the numbers of novelty, if any
		}
		for _, x := range numbers {
			cells = append(cells, numberText(x)) // nothing for NaN
		}
	}
	cells = append(cells, v.more(scores, problem != nil)...)
	if !v.hasReasons() {
		return cells
	}
	why := ""
	if problem != nil {
		why = strings.TrimPrefix(problem.Place+": "+problem.What, ": ")
	}
	return append(cells, why)
}

func numberText(x float64) string { return string(dataset.AppendNumber(nil, x)) }
