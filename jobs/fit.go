package jobs

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/dataset/labels"
	"tensorsketch.example/internal/portable"
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
)

// A FitRequest asks for a model of rows with labels.
type FitRequest struct {
	Rows
	Task  string    `json:"task,omitempty"` // classify or regress; else the labels say it
	Loss  string    `json:"loss,omitempty"` // squared (default), squared-hinge or logistic
	Map   MapParams `json:"map"`
	Alpha float64   `json:"alpha,omitempty"` // the weight of the penalty for loss squared; 0: chosen
	// AlphaRange is what alpha is chosen from, times the squared lengths of all rows of features.
	AlphaRange  [2]float64 `json:"alphaRange,omitzero"`
	C           float64    `json:"C,omitempty"`           // the weight of errors for the other losses; 0: chosen
	Folds       *int       `json:"folds,omitempty"`       // 0, 1 or 5 parts held out; default 5, 1 (classify, no search)
	Classes     []string   `json:"classes,omitempty"`     // all labels that may occur; default all that the rows have
	Radius      float64    `json:"radius,omitempty"`      // the largest length of a row; else a first pass finds it
	TargetRange [2]float64 `json:"targetRange,omitzero"`  // of the numbers for regress; else a first pass finds it
	From        []Named    `json:"from,omitempty"`        // sums, instead of files of rows
	Like        *Named     `json:"like,omitempty"`        // sums of another part, whose spec is taken
	WithoutRows bool       `json:"withoutRows,omitempty"` // the first pass alone, for the spec in the sums
	WithoutFit  bool       `json:"withoutFit,omitempty"`  // only the sums are wanted
	// Search is auto (default), off, or names of candidates with commas between them. Off takes the map that was usual
	// before there was a search: polynomials of degree 3 on rows of length 1.
	Search string `json:"search,omitempty"`
	// Mergeable keeps a search from linear models of many columns that are fitted in passes over the rows, whose parts do
	// not merge.
	Mergeable bool `json:"mergeable,omitempty"`
}

// A FitReply is a model, and how it was fitted.
type FitReply struct {
	Told
	*Report                // nil without a fit
	Candidates *Candidates `json:"candidates,omitempty"` // of a search
	Model      Model       `json:"-"`                    // nil without a fit
	Learner    Learner     `json:"-"`                    // what the rows were added to
}

// Close frees the model and what the rows were added to.
func (r *FitReply) Close() {
	if r.Model != nil {
		r.Model.Close()
	}
	r.Learner.Close()
	if m := r.Learner.Spec().Features; m != nil {
		m.Close()
	}
}

// Fit fits a model to the rows of files.
func Fit(c *Control, mapper Mapper, q *FitRequest) (*FitReply, error) {
	f := &fitting{FitRequest: q, c: c, mapper: mapper}
	if err := f.check(); err != nil {
		return nil, err
	}
	l, t, err := f.learner()
	if err != nil {
		return nil, err
	}
	reply := &FitReply{Learner: l, Told: told(l.Rows(), t)}
	if q.WithoutFit {
		return reply, nil
	}
	if l.Rows() == 0 && t != nil && !q.WithoutRows {
		return nil, t.noneUsed()
	}
	o := FitOptions{C: q.C}
	o.Alpha, o.Low, o.High = q.Alpha, q.AlphaRange[0], q.AlphaRange[1]
	c.Begin("fitting")
	if reply.Model, err = l.Fit(c, o); err != nil {
		return nil, fitError(err)
	}
	reply.tell(f.candidates)
	reply.Report = ReportOf(reply.Model)
	return reply, nil
}

// A fitting is the work of Fit.
type fitting struct {
	*FitRequest
	c      *Control
	mapper Mapper
	spec   Spec
	read   *labels.Reader
	labels map[learn.Label]bool // of a fit in passes

	candidates *learn.Candidates // of a search
}

func (f *fitting) isRidge() bool { return f.Loss == "" || f.Loss == learn.LossSquared }

// check returns an error for a request that contradicts itself.
func (f *fitting) check() error {
	hasRange, isUnit := f.AlphaRange != [2]float64{}, f.Columns.UnitNorm == nil || *f.Columns.UnitNorm
	switch {
	case f.isRidge() && f.C != 0:
		return fail("C", "{C} is for {loss} squared-hinge and logistic; give {alpha}")
	case !f.isRidge() && f.Alpha != 0:
		return fail("alpha", "{alpha} is for {loss} squared; give {C}")
	case !f.isRidge() && hasRange:
		return fail("alphaRange", "{alphaRange} is for {loss} squared; give {C}")
	case f.Alpha > 0 && hasRange:
		return fail("alphaRange", "{alphaRange} is for {alpha} auto; leave one out")
	case !f.isRidge() && (f.Like != nil || f.From != nil || f.WithoutFit):
		return fail("loss", "{moments}, {like} and {from} are for {loss} squared; the others need the rows")
	case f.From == nil && f.Like == nil && isUnit && f.Radius != 0:
		return fail("radius", "{radius} is for {unitNorm}=false: rows have length 1; leave one out")
	case f.From != nil && len(f.Files) > 0:
		return fail("from", "{from} takes the place of files of rows; leave one out")
	case f.From != nil && f.Like != nil:
		return fail("from", "{from} and {like} are two ways to begin; leave one out")
	case !f.isRidge() && f.Task == learn.TaskRegress:
		return fail("loss", "{loss} %s is for {task} classify; leave it out for numbers", f.Loss)
	case f.From == nil && len(f.Files) == 0:
		return fail("files", "name a file, or - for standard input")
	}
	return nil
}

// learner returns a learner of all rows, and the table that they came from, or nil.
func (f *fitting) learner() (Learner, *table, error) {
	if f.From != nil {
		l, err := readAll(f.mapper, f.From)
		return l, nil, err
	}
	t, err := f.open()
	if err != nil {
		return nil, nil, err
	}
	l, err := f.mapper.NewLearner(f.spec)
	if err == nil && !f.WithoutRows {
		err = f.addRows(l, t)
	}
	if err != nil {
		return nil, nil, mistake(err)
	}
	t.say()
	return l, t, nil
}

// open opens the files and completes the spec.
func (f *fitting) open() (*table, error) {
	if f.Like != nil {
		return f.openLike()
	}
	rows := f.Rows
	rows.Columns.learning = f.searches()
	if rows.Columns.texts = !rows.Columns.learning; rows.Columns.learning {
		rows.Columns.UnitNorm, rows.Columns.Scaling = nil, ""
	} else if rows.Columns.UnitNorm == nil {
		rows.Columns.UnitNorm = new(true)
	}
	t, err := rows.open(f.c, nil)
	if err != nil {
		return nil, err
	}
	if err := t.needLabels(f.Labels); err != nil {
		return nil, err
	}
	t.say()
	err = f.prepare(t)
	if err != nil { // rows that are left out may be why
		t.counts, t.unused = t.learned.counts, t.learned.unused
		t.say()
	}
	return t, err
}

// openLike opens the files for the spec of another part.
func (f *fitting) openLike() (*table, error) {
	l, err := readLearner(f.mapper, f.Like)
	if err != nil {
		return nil, err
	}
	f.spec = l.Spec()
	p, err := preprocessingOf(f.spec)
	if err != nil {
		return nil, named(f.Like.Name, err)
	}
	if err := f.Rows.refuse(p, f.Like.Name); err != nil {
		return nil, err
	}
	t, err := f.Rows.openFor(f.c, width(f.spec.Features, f.spec.Preparation), f.spec.Preparation != nil, p)
	if err != nil {
		return nil, err
	}
	if err := t.needLabels(f.Labels); err != nil {
		return nil, err
	}
	f.read = t.labelReader(nil, f.spec.Classes)
	return t, nil
}

// prepare completes the spec, with a first pass over the rows where it needs one.
func (f *fitting) prepare(t *table) (err error) {
	s := &f.spec
	s.Task, s.Loss, s.Radius, s.TargetRange = f.Task, learn.LossSquared, f.Radius, f.TargetRange
	if !f.isRidge() {
		s.Task, s.Loss = learn.TaskClassify, f.Loss
	}
	if f.Plan == nil {
		t.p.KeepFew = f.Columns.UnitNorm == nil && f.Map.Method != sketch.MethodSpherical
	}
	var seen *labels.Stats
	if t.p.NeedsFit() || s.Task == "" || s.Task == learn.TaskRegress && s.TargetRange == [2]float64{} {
		seen = labels.NewStats(t.labelLayout())
	}
	if err := t.firstPass(seen); err != nil {
		return err
	}
	f.setTask(t, seen)
	text, err := t.p.MarshalJSON()
	if err != nil {
		return err
	}
	s.Preprocessing = string(text)
	if isWide, err := f.tooWide(t); err != nil {
		return err
	} else if !isWide && f.searches() {
		if err := f.setClasses(t, seen); err != nil {
			return err
		}
		return f.search(t)
	}
	if err := f.setMap(t); err != nil {
		return err
	}
	s.Folds = Learning.Folds[s.Task]
	if f.Folds != nil {
		s.Folds = *f.Folds
	}
	if s.Folds == 5 && !s.Private {
		s.Keep = 1 // as long as they are not too many
	}
	if err := f.setClasses(t, seen); err != nil {
		return err
	}
	switch {
	case t.p.Divides():
		s.Radius = 1
	case s.Radius == 0:
		s.Radius, err = t.longestRow()
	}
	return err
}

// setTask decides what the labels are.
func (f *fitting) setTask(t *table, seen *labels.Stats) {
	s := &f.spec
	if s.Task == "" {
		s.Task = seen.Task()
		if note := f.guessedTask(t, seen); note.What != "" {
			t.add(note)
		}
	}
	if s.Task == learn.TaskRegress && s.TargetRange == [2]float64{} && seen != nil {
		s.TargetRange = seen.TargetRange()
		t.noteWild(seen)
	}
	if seen != nil {
		t.added = append(t.added, seen.UnitNotes(s.Task)...)
	}
}

// guessedTask notes what the labels are taken as: numbers to be predicted, or classes that may be none.
func (f *fitting) guessedTask(t *table, seen *labels.Stats) columns.Note {
	const few = 20
	_, column := t.labelLayout()
	of := "column " + strconv.Quote(column.Name)
	note := columns.Note{Code: columns.NoteGuessedTask, Column: column.Name}
	rows, different := seen.Rows-seen.Unlabelled(), seen.Different()
	switch {
	case f.spec.Task == learn.TaskRegress:
		note.What = "the numbers of " + of + " are to be predicted"
		note.Remedy = "if they are names of classes, set the {task} to classify"
	case len(f.Classes) > 0:
	case seen.Numbers() && different > 10:
		note.What = "the " + strconv.Itoa(different) + " whole numbers of " + of + " are classes"
		note.Remedy = "if they are amounts, set the {task} to regress"
	case rows >= few && 2*int64(different) > rows:
		note.What = strconv.FormatInt(rows, 10) + " rows have " + strconv.Itoa(different) + " different labels in " + of +
			", and each is a class"
		note.Remedy = "choose another label, or write amounts as numbers"
	}
	return note
}

// noteWild notes a number to be predicted that outweighs all others.
func (t *table) noteWild(seen *labels.Stats) {
	const few = 20
	if number, share := seen.Wild(); share > 0.5 && seen.Rows >= few {
		_, column := t.labelLayout()
		t.add(columns.Note{Code: columns.NoteWildTarget, Column: column.Name, Count: 1,
			What: "the number " + portable.FormatNumber(number) + " of column " + strconv.Quote(column.Name) + " makes up " +
				strconv.Itoa(int(100*share)) + " % of the variance that is to be predicted", Remedy: labels.Remedy})
	}
}

// setMap makes the map, with the defaults for learning.
func (f *fitting) setMap(t *table) error {
	params, err := f.Map.params()
	if err == nil {
		params, err = f.Map.forLearning(params, t)
	}
	if err != nil {
		return err
	}
	f.spec.Features, err = t.newMap(f.mapper, params)
	return err
}

// setClasses decides which label a cell is.
func (f *fitting) setClasses(t *table, seen *labels.Stats) error {
	f.read = t.labelReader(seen, nil)
	typed, err := readClasses(f.read, f.Classes)
	if typed != nil {
		f.spec.Classes, f.read = typed, t.labelReader(nil, typed)
	}
	return err
}

// readClasses returns labels that were typed. They are read as cells are, but NA is a class.
func readClasses(r *labels.Reader, texts []string) (classes []learn.Label, err error) {
	for _, text := range texts {
		class, what := r.Class([]byte(text))
		if what != "" {
			return nil, fail("classes", "{classes} has %q, and %s", text, what)
		}
		classes = append(classes, class)
	}
	return classes, nil
}

// blockFeatures bounds the bytes of features that are made at a time. A row group of Parquet has as many; lines of text
// take longer to write, so shortBlock is for them.
const (
	blockFeatures = 4 << 20
	shortBlock    = blockFeatures / 8
)

// blockProducts bounds the products of features of rows that are added at a time: they take some 20 ms.
const blockProducts = 2e8

// rowsElsewhere is how many rows are added at a time to sums elsewhere. Each call there costs as much as 1,300 rows
// more, because its sums are read and then added to the others.
const rowsElsewhere = 4096

// rowsToAdd returns how many rows are added at a time.
func rowsToAdd(m Map) int {
	if ahead(m) > 0 {
		return max(64, min(rowsElsewhere, blockFeatures/m.NFeatures()))
	}
	D := m.NComponents()
	wide := max(D, min(m.NFeatures(), solve.MaxComponents))
	return max(64, min(blockFeatures/(4*D), blockProducts/(wide*wide)))
}

// addRows adds all rows to the learner.
func (f *fitting) addRows(l Learner, t *table) error {
	phase, isNumber := "learning", l.Spec().Task == learn.TaskRegress
	if !f.isRidge() {
		phase = "reading"
	}
	m := l.Spec().Features
	for b, err := range t.labelled(phase, rowsToAdd(m), f.read, isNumber) {
		if err != nil {
			return err
		}
		X := b.rows(t.p.NFeatures())
		t.cuts.Add(f.spec.Preparation, X)
		if err = l.Add(f.c, X, b.labels, b.targets); err != nil {
			return f.labelledError(b, err)
		}
		if err := f.meet(b); err != nil {
			return err
		}
	}
	if !f.isRidge() && len(f.labels) < 2 {
		return failure("%s: there are rows of %s only; two classes at least are needed", t.parts[0].Name(),
			Count(int64(len(f.labels)), "label"))
	}
	return nil
}

// meet counts the labels of a fit in passes. One from sums counts them itself.
func (f *fitting) meet(b *block) error {
	if f.isRidge() {
		return nil
	}
	if f.labels == nil {
		f.labels = map[learn.Label]bool{}
		for _, class := range f.spec.Classes {
			f.labels[class] = true
		}
	}
	for i, label := range b.labels {
		if f.labels[label] = true; len(f.labels) > solve.MaxClasses {
			return withRemedy(b.problem(i, fmt.Sprintf("there are more than %d labels", solve.MaxClasses), ""), "",
				"merge rare ones, or name another column with {label}")
		}
	}
	return nil
}

// labelledError returns an error of a learner about a row of a block as a problem with the row's file.
func (f *fitting) labelledError(b *block, err error) error {
	e, ok := errors.AsType[*sketch.Error](err)
	if !ok || e.Row < 0 {
		return err
	}
	p := b.problem(e.Row, "the label "+e.Value, "")
	if e.Argument == "labels" {
		return withRemedy(p, " is not in {classes}", "add it there, or leave the row out")
	}
	if strings.HasPrefix(e.Argument, "target") || e.Argument == "y" {
		if f.Like != nil {
			return withRemedy(p, " is outside {targetRange}", "make the sums of {like} with a wider one, or leave the row out")
		}
		return withRemedy(p, " is outside {targetRange}", "give a wider one, or leave the row out")
	}
	return b.rowError(err)
}

// fitError returns an error of a fit in the words of a request.
func fitError(err error) error {
	e, ok := errors.AsType[*sketch.Error](err)
	if !ok {
		return err
	}
	renamed := *e
	switch e.Argument {
	case "alphaRange[0]", "alphaRange[1]":
		renamed.Argument = "alphaRange"
	case "classes", "rows":
		renamed.Argument = "the " + e.Argument
	}
	return &Error{Argument: renamed.Argument, OfData: true, err: &renamed}
}

// preprocessingOf returns the preprocessing of a spec, or nil if it has none.
func preprocessingOf(s Spec) (*dataset.Preprocessing, error) {
	if s.Preprocessing == "" {
		return nil, nil
	}
	p := new(dataset.Preprocessing)
	return p, p.UnmarshalJSON([]byte(s.Preprocessing))
}
