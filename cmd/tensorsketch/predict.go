package main

import (
	"math"
	"slices"
	"strings"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/dataset/labels"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/model"
)

var predictVerb = verb{
	name: "predict", does: "write the labels or numbers that a model predicts for the rows of files",
	usage:   "FILE … --model MODEL [-o OUT] [flags]",
	example: "tensorsketch predict new.csv --model model.json --probabilities -o predicted.csv",
	prepare: func(f *flags) func([]string) error {
		var p predict
		f.heading("The model, as fit writes it")
		modelFlags(f, &p.model)
		f.heading("Output")
		outputFlags(f, &p.out)
		f.boolean(&p.rowNumbers, "row-numbers", "write the line or number of each row first")
		f.boolean(&p.scores, "scores", "write the score of each class, too")
		f.boolean(&p.probabilities, "probabilities", "write the probability of each class, too")
		modelColumnFlags(f, &p.columns)
		readingFlags(f, &p.reading)
		f.common()
		return func(files []string) error { return p.run(f, files) }
	},
}

// A predict is the work of the verb.
type predict struct {
	model                 modelFlag
	out                   rowOutput
	rowNumbers            bool
	scores, probabilities bool
	columns               columnUse
	reading               columns.Reading
}

// modelColumnFlags defines the flags for the columns of rows that the model says nothing about.
func modelColumnFlags(f *flags, c *columnUse) {
	f.heading("Which columns are the numbers of a row, if the model does not say it; names are separated by commas")
	f.list(&c.use, "use", "`COLUMNS` only these")
	f.list(&c.roles[columns.AsLabel], columns.AsLabel.String(), "`COLUMN` the label or target")
	f.list(&c.roles[columns.AsKept], columns.AsKept.String(), "`COLUMNS` written unchanged")
	f.list(&c.roles[columns.AsIgnored], columns.AsIgnored.String(), "`COLUMNS` not read")
}

// openLearned opens files and reads the model that predicts for them.
func openLearned(f *flags, from *modelFlag, files []string, r columns.Reading, c *columnUse) (*table, *learn.Model,
	error) {
	if err := needFiles(files); err != nil {
		return nil, nil, err
	}
	if from.name == "" {
		return nil, nil, usage("give the model with --model FILE")
	}
	m, p, err := readModel(from, model.UnmarshalModel, model.UnmarshalModelKeyed)
	if err == nil && p != nil {
		err = f.refuse(from.name+", which has its own columns",
			flagsOf(func(f *flags) { modelColumnFlags(f, new(columnUse)) }))
	}
	if err != nil {
		return nil, nil, err
	}
	t, err := openFor(m.Map, p, files, r, c)
	return t, m, err
}

func (v *predict) run(f *flags, files []string) error {
	if err := v.out.resolve(); err != nil {
		return err
	}
	v.columns.noLabel = !f.given("label")
	t, m, err := openLearned(f, &v.model, files, v.reading, &v.columns)
	if err != nil {
		return err
	}
	defer t.close()
	t.holds = true
	isClassifier := m.Task == learn.TaskClassify
	switch {
	case !isClassifier && (v.scores || v.probabilities):
		return usage("%s predicts numbers, which have no scores and no probabilities; leave them out", v.model.name)
	case v.probabilities && m.Calibration == nil:
		return usage("%s has no probabilities, since no rows were held out; fit it with --folds 1 or 5", v.model.name)
	case columns.FormatOf(v.out.format).Lines && !columns.FormatOf(v.out.format).Cells:
		return usage("%s has no place for predictions; take csv or another format", v.out.format)
	}
	w, err := v.create(t, m)
	if err != nil {
		return err
	}
	if err := v.write(t, m, w); err != nil {
		return err
	}
	t.say(f)
	if f.json {
		unused, notes := noted(t)
		printJSON(v.out.results(), map[string]any{"rows": t.counts.Rows, "unused": unused, "notes": notes, "task": m.Task,
			"output": v.out.path, "format": v.out.format})
	}
	return nil
}

// inCells reports whether the format has all predictions as cells. The others have numbers of 32 bits.
func (v *predict) inCells() bool { return columns.FormatOf(v.out.format).Lines }

// create begins the output. The columns of the table come first, then the prediction, numbers for each class, and
// why there is none.
func (v *predict) create(t *table, m *learn.Model) (*rowWriter, error) {
	names, nComponents := t.p.CellNames(), 0
	o := dataset.EncoderOptions{RowNumbers: v.rowNumbers}
	if m.Task == learn.TaskClassify || v.inCells() {
		names = append(names, "prediction")
		if m.Task == learn.TaskRegress || labels.AllNumbers(m.Classes) {
			o.Numbers = 1
		}
	}
	if !v.inCells() {
		nComponents = v.width(m)
	} else {
		o.CellsAlone = true
		for _, noun := range v.nouns() {
			for _, class := range m.Classes {
				names = append(names, noun+" "+labels.Text(class))
				o.Numbers++
			}
		}
	}
	if v.hasReasons() {
		names, o.Texts = append(names, "why"), 1
	}
	return v.out.create(names, nComponents, o)
}

// nouns returns of what a row has a number for each class.
func (v *predict) nouns() (nouns []string) {
	if v.scores {
		nouns = append(nouns, "score")
	}
	if v.probabilities {
		nouns = append(nouns, "probability")
	}
	return nouns
}

// width returns how many numbers a row has: for each of the nouns, and the scores where there is none.
func (v *predict) width(m *learn.Model) int { return m.NOutputs() * max(1, len(v.nouns())) }

// numbers returns the numbers of rows with these scores.
func (v *predict) numbers(m *learn.Model, scores []float64) (numbers []float64) {
	if !v.probabilities {
		return scores
	}
	K := m.NOutputs()
	p := make([]float64, K)
	for own := range slices.Chunk(scores, K) {
		if v.scores {
			numbers = append(numbers, own...)
		}
		numbers = append(numbers, m.Calibration.Probabilities(p, own)...)
	}
	return numbers
}

// write writes the predictions for all rows. A row that cannot be used has no answer but its place, and the column why.
func (v *predict) write(t *table, m *learn.Model, w *rowWriter) error {
	K, width := m.NOutputs(), v.width(m)
	var Z []float32
	for b, err := range t.blocks("Predicting", max(1, blockFeatures/(4*m.Map.NComponents()))) {
		if err != nil {
			return err
		}
		scores, err := scoresOf(m, b)
		if err != nil {
			return err
		}
		numbers := v.numbers(m, scores)
		Z = Z[:0]
		if !v.inCells() {
			for _, x := range numbers {
				Z = append(Z, float32(x))
			}
		}
		err = w.add(b, Z, func(row int) []string {
			return v.cells(m, scores[row*K:(row+1)*K], numbers[row*width:(row+1)*width], b.Problem(b.from+row))
		})
		if err != nil {
			return err
		}
	}
	return w.commit()
}

// scoresOf returns the scores of the rows of a block: NaN for those that cannot be used.
func scoresOf(m *learn.Model, b *block) ([]float64, error) {
	scores := make([]float64, 0, (b.to-b.from)*m.NOutputs())
	run := *b
	for run.from < b.to {
		if b.Problem(run.from) != nil {
			for range m.NOutputs() {
				scores = append(scores, math.NaN())
			}
			run.from++
			continue
		}
		for run.to = run.from; run.to < b.to && b.Problem(run.to) == nil; run.to++ {
		}
		own, err := m.Scores(run.rows(m.Map.NFeatures()))
		if err != nil {
			return nil, run.rowError(err)
		}
		scores = append(scores, own...)
		run.from = run.to
	}
	return scores, nil
}

// cells returns the cells of a row behind those of the table: the prediction, the numbers of the classes, and why there
// is none of these.
func (v *predict) cells(m *learn.Model, scores, numbers []float64, problem *dataset.Problem) (cells []string) {
	if m.Task == learn.TaskClassify || v.inCells() {
		cell := numberText(scores[0])
		if m.Task == learn.TaskClassify {
			cell = labels.Text(m.Classes[learn.Largest(scores)])
		}
		if problem != nil {
			cell = ""
		}
		cells = append(cells, cell)
	}
	if v.inCells() && len(v.nouns()) > 0 {
		for _, x := range numbers {
			cells = append(cells, numberText(x)) // nothing for NaN
		}
	}
	if !v.hasReasons() {
		return cells
	}
	why := ""
	if problem != nil {
		why = strings.TrimPrefix(problem.Place+": "+problem.What, ": ")
	}
	return append(cells, why)
}

// hasReasons reports whether the format has room for why a row has no answer.
func (v *predict) hasReasons() bool { return columns.FormatOf(v.out.format).Cells }

func numberText(x float64) string { return string(dataset.AppendNumber(nil, x)) }

// An interval is a learn.Interval as JSON. Numbers that are not known are null.
type interval struct {
	Value *float64 `json:"value"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
}

func intervalOf(i learn.Interval) interval {
	return interval{known(i.Value), known(i.Low), known(i.High)}
}

// known returns a pointer to a number, or nil for NaN.
func known(x float64) *float64 {
	if math.IsNaN(x) {
		return nil
	}
	return &x
}
