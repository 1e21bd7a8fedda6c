package main

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/dataset/labels"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/model"
)

var fitVerb = verb{
	name: "fit", does: "fit a model that predicts the label of a row", usage: "FILE … -o MODEL [flags]",
	example: "tensorsketch fit digits.csv --label digit -o model.json",
	prepare: func(f *flags) func([]string) error {
		v := fit{columns: columnUse{unitNorm: true}, folds: -1}
		f.heading("Output")
		f.words(&v.out, "o", "`FILE` the model")
		f.words(&v.moments, "moments", "`FILE` the sums of the rows, for merge and --from")
		f.heading("What is learned")
		labelsFlag(f, &v.labels)
		f.choice(&v.spec.Task, "task", "`TASK` classify or regress; guessed from the labels",
			[]string{learn.TaskClassify, learn.TaskRegress})
		f.choice(&v.loss, "loss", "`LOSS` squared (default), squared-hinge or logistic",
			[]string{learn.LossSquared, learn.LossSquaredHinge, learn.LossLogistic})
		f.value("alpha", "`X` the weight of the penalty for loss squared; default auto", func(text string) (err error) {
			if text != "auto" {
				if v.alpha, err = parseNumber(text); err != nil || v.alpha <= 0 {
					return fmt.Errorf("must be auto or a number > 0, got %q", text)
				}
			}
			return nil
		})
		f.value("alpha-range", "`LOW,HIGH` what alpha is chosen from, times the squared lengths of all rows of features; "+
			"default 1e-11,100", func(text string) (err error) {
			v.path.Low, v.path.High, err = twoNumbers(text)
			if err == nil && v.path.Low <= 0 {
				err = fmt.Errorf("must be two numbers > 0, the lower first, got %q", text)
			}
			return err
		})
		f.positive(&v.c, "C", "`X` the weight of errors for the other losses; default 1")
		f.value("folds", "`N` parts held out: 0, 1 or 5; default 1, and 5 for regress", func(text string) error {
			if !slices.Contains([]string{"0", "1", "5"}, text) {
				return fmt.Errorf("must be 0, 1 or 5, got %q", text)
			}
			v.folds, _ = strconv.Atoi(text)
			return nil
		})
		f.heading("Parts that can be merged")
		f.list(&v.from, "from", "`FILE` sums of --moments or merge, instead of files of rows")
		f.boolean(&v.noRows, "no-rows", "--moments has no rows yet, only what --like takes of it, as for Beam")
		f.words(&v.like, "like", "`FILE` sums of another part, whose map, columns and ranges are taken")
		f.value("classes", "`LABELS` all labels that may occur, separated by commas; default those of the rows",
			func(text string) error { v.classes = strings.Split(text, ","); return nil })
		f.positive(&v.spec.Radius, "radius", "`X` the largest length of a row, with --unit-norm=false")
		f.value("target-range", "`LOW,HIGH` of the numbers for regress; else a first pass finds it", v.setRange)
		mapFlags(f, &v.params)
		columnFlags(f, &v.columns)
		f.Lookup("unit-norm").Usage = "divide each row by its length; default true"
		f.Lookup("degree").Usage = "`P` default 3, and 2 up to 512 components of 30 columns or more"
		f.Lookup("components").Usage = "`D` features of a row; default 1024"
		f.Lookup("coef0").Usage = "`X` default 1"
		readingFlags(f, &v.reading)
		f.common()
		return func(files []string) error { return v.run(f, files) }
	},
}

// A fit is the work of the verb.
type fit struct {
	out, moments string
	labels       string
	spec         learn.Spec
	classes      []string
	loss         string
	alpha, c     float64
	path         learn.RidgeOptions // the range that alpha is chosen from
	folds        int                // −1: the default of the task
	from         []string
	like         string
	noRows       bool // the first pass alone
	params       sketch.Params
	columns      columnUse
	reading      columns.Reading
	read         *labels.Reader
}

func (v *fit) setRange(text string) (err error) {
	v.spec.TargetRange[0], v.spec.TargetRange[1], err = twoNumbers(text)
	return err
}

// twoNumbers reads a range.
func twoNumbers(text string) (low, high float64, err error) {
	first, second, _ := strings.Cut(text, ",")
	if low, err = parseNumber(first); err == nil {
		high, err = parseNumber(second)
	}
	if err != nil || low >= high {
		err = fmt.Errorf("must be two numbers, the lower first, got %q", text)
	}
	return low, high, err
}

func (v *fit) run(f *flags, files []string) error {
	isRidge := v.loss == "" || v.loss == learn.LossSquared
	switch {
	case v.out == "" && v.moments == "":
		return usage("give the model's file with -o, or --moments, or both")
	case isRidge && f.given("C"):
		return usage("--C is for --loss squared-hinge and logistic; give --alpha")
	case !isRidge && f.given("alpha"):
		return usage("--alpha is for --loss squared; give --C")
	case !isRidge && f.given("alpha-range"):
		return usage("--alpha-range is for --loss squared; give --C")
	case v.alpha > 0 && f.given("alpha-range"):
		return usage("--alpha-range is for --alpha auto; leave one out")
	case !isRidge && v.moments+v.like+strings.Join(v.from, "") != "":
		return usage("--moments, --like and --from are for --loss squared; the others need the rows")
	case v.columns.unitNorm && f.given("radius"):
		return usage("--radius is for --unit-norm=false: rows have length 1; leave one out")
	case v.from != nil && len(files) > 0:
		return usage("--from takes the place of files of rows; leave one out")
	case v.noRows && (v.moments == "" || v.out != "" || v.from != nil):
		return usage("--no-rows is for --moments and files of rows, without -o")
	case v.from == nil && len(files) == 0:
		return needFiles(files)
	}
	if !isRidge {
		return v.runRows(f, files)
	}
	l, t, err := v.learner(f, files)
	if err != nil {
		return err
	}
	if t != nil {
		t.say(f)
		t.close()
	}
	if v.moments != "" {
		if err := writeMoments(v.moments, l); err != nil {
			return err
		}
	}
	if v.out == "" {
		if f.json {
			unused, notes := noted(t)
			printJSON(stdout, map[string]any{"rows": l.Rows(), "unused": unused, "notes": notes, "moments": v.moments})
		}
		return nil
	}
	m, err := fitLearner(l, v.ridge())
	if err != nil {
		return v.fitError(err)
	}
	return v.finish(f, m, t)
}

// finish writes the model and says how it was fitted.
func (v *fit) finish(f *flags, m *learn.Model, t *table) error {
	text, err := model.MarshalModel(m, model.Options{})
	if err == nil {
		err = writeWhole(v.out, text)
	}
	if err != nil {
		return err
	}
	to := stdout
	if v.out == "-" {
		to = stderr
	}
	printReport(f, to, m, t)
	return nil
}

// ridge returns how alpha is chosen.
func (v *fit) ridge() learn.RidgeOptions {
	o := v.path
	o.Alpha = v.alpha
	return o
}

// fitError returns an error of a fit in the words of the flags.
func (v *fit) fitError(err error) error {
	e, ok := errors.AsType[*sketch.Error](err)
	if !ok {
		return err
	}
	renamed := *e
	switch e.Argument {
	case "alpha", "radius":
		renamed.Argument = "--" + e.Argument
	case "alphaRange[0]", "alphaRange[1]":
		renamed.Argument = "--alpha-range"
	case "classes", "rows":
		renamed.Argument = "the " + e.Argument
	}
	return &renamed
}

// learner returns a learner of all rows, and the table that they came from unless there are --from.
func (v *fit) learner(f *flags, files []string) (*learn.Learner, *table, error) {
	fixed := append(flagsOf(func(f *flags) { mapFlags(f, new(sketch.Params)) }),
		append(flagsOf(func(f *flags) { columnFlags(f, new(columnUse)) }), "task", "folds", "classes", "radius",
			"target-range")...)
	if v.from != nil {
		if v.like != "" {
			return nil, nil, usage("--from and --like are two ways to begin; leave one out")
		}
		if err := f.refuse("--from, which has all of that", append(fixed, "labels")); err != nil {
			return nil, nil, err
		}
		l, err := readAll(v.from)
		return l, nil, err
	}
	if v.like != "" {
		if err := f.refuse("--like, which has all of that", fixed); err != nil {
			return nil, nil, err
		}
	}
	t, err := v.open(f, files)
	if err != nil {
		return nil, nil, err
	}
	l, err := learn.NewLearner(v.spec)
	if err == nil && !v.noRows {
		err = v.addRows(l, t)
	}
	if err != nil {
		t.close()
		return nil, nil, specError(err)
	}
	return l, t, nil
}

// specError returns an error about a Spec as one about its flag.
func specError(err error) error {
	e, ok := errors.AsType[*sketch.Error](err)
	if !ok || e.Code != sketch.ErrParam || e.Row >= 0 {
		return err
	}
	renamed := *e
	if name, ok := map[string]string{"nComponents": "--components", "classes": "--classes", "radius": "--radius",
		"targetRange": "--target-range", "folds": "--folds"}[e.Argument]; ok {
		renamed.Argument = name
	}
	return usageError{&renamed}
}

// open opens the files and completes the spec.
func (v *fit) open(f *flags, files []string) (*table, error) {
	if v.like != "" {
		return v.openLike(files)
	}
	t, err := openTable(files, v.reading, &v.columns, nil)
	if err != nil {
		return nil, err
	}
	if err = t.needLabels(v.labels); err == nil {
		t.say(f)
		err = v.prepare(f, t)
	}
	if err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

// openLike opens the files for the spec of another part.
func (v *fit) openLike(files []string) (*table, error) {
	l, err := readMoments(v.like)
	if err != nil {
		return nil, err
	}
	v.spec = l.Spec()
	p, err := preprocessingOf(v.spec)
	if err != nil {
		return nil, named(v.like, err)
	}
	t, err := openFor(v.spec.Map, p, files, v.reading, nil)
	if err != nil {
		return nil, err
	}
	if err := t.needLabels(v.labels); err != nil {
		t.close()
		return nil, err
	}
	v.read = t.labelReader(nil, v.spec.Classes)
	return t, nil
}

// prepare completes the spec, with a first pass over the rows where it needs one.
func (v *fit) prepare(f *flags, t *table) error {
	var seen *labels.Stats
	if t.p.NeedsFit() || v.spec.Task == "" || v.spec.Task == learn.TaskRegress && v.spec.TargetRange == [2]float64{} {
		seen = t.newLabelStats()
	}
	if err := t.firstPass(seen); err != nil {
		return err
	}
	v.setTask(f, t, seen)
	if err := v.setMap(f, t); err != nil {
		return err
	}
	text, err := t.p.MarshalJSON()
	if err != nil {
		return err
	}
	v.spec.Preprocessing = string(text)
	if t.p.UnitNorm && t.p.NFeatures() < 4 && !f.given("unit-norm") {
		f.note("rows of %s are divided by their length; --unit-norm=false keeps it", count(int64(t.p.NFeatures()), "number"))
	}
	if v.spec.Folds = v.folds; v.folds < 0 {
		v.spec.Folds = map[string]int{learn.TaskClassify: 1, learn.TaskRegress: 5}[v.spec.Task]
	}
	v.read = t.labelReader(seen, nil)
	for _, text := range v.classes {
		class, what := v.read.Read([]byte(text))
		if what != "" {
			return usage("--classes has %q, and %s", text, what)
		}
		v.spec.Classes = append(v.spec.Classes, class)
	}
	if v.spec.Classes != nil {
		v.read = t.labelReader(nil, v.spec.Classes)
	}
	return v.setRadius(t)
}

// setTask decides what the labels are.
func (v *fit) setTask(f *flags, t *table, seen *labels.Stats) {
	if v.spec.Task == "" {
		v.spec.Task = seen.Task()
		if v.spec.Task == learn.TaskRegress {
			_, column := t.labelLayout()
			t.add(columns.Note{Code: columns.NoteGuessedTask, Column: column.Name,
				What:   "the numbers of column " + strconv.Quote(column.Name) + " are to be predicted",
				Remedy: "if they are names of classes, set the task to classify"})
		}
	}
	if v.spec.Task == learn.TaskRegress && v.spec.TargetRange == [2]float64{} && seen != nil {
		v.spec.TargetRange = seen.TargetRange()
	}
}

// setMap makes the map, with the defaults of docs/learn.md.
func (v *fit) setMap(f *flags, t *table) (err error) {
	p := &v.params
	facts := factsOf(p.WithDefaults().Method)
	if p.NComponents == 0 {
		p.NComponents = 1024
		if facts.Fitted {
			if p.NComponents, err = t.rowsUpTo(p.NComponents); err != nil {
				return err
			}
		}
	}
	takes := facts.Takes
	if kernel := p.MethodParams.Kernel; kernel != "" && kernel != sketch.KernelPolynomial {
		takes = nil // no other kernel has a degree and coef0
	}
	if p.Degree == 0 && slices.Contains(takes, "degree") {
		if p.Degree = 3; p.NComponents <= 512 && t.p.NFeatures() >= 30 {
			p.Degree = 2
		}
	}
	if !f.given("coef0") && slices.Contains(takes, "coef0") {
		p.Coef0 = 1
	}
	v.spec.Map, err = newMap(*p, t)
	return err
}

// rowsUpTo returns the number of rows, or most if there are more: a method that is fitted to rows has no more
// components than there are.
func (t *table) rowsUpTo(most int) (rows int, err error) {
	if err := t.spool(); err != nil {
		return 0, err
	}
	defer t.forget()
	for b, err := range t.blocks("Counting rows", most) {
		if err != nil {
			return 0, err
		}
		if rows += b.to - b.from; rows >= most {
			return most, nil
		}
	}
	return max(1, rows), nil
}

// setRadius finds the length of the longest row, unless it is given or all have length 1.
func (v *fit) setRadius(t *table) error {
	switch {
	case t.p.UnitNorm:
		v.spec.Radius = 1
	case v.spec.Radius == 0:
		longest, err := t.longestRow(v.spec.Map)
		v.spec.Radius = longest
		return err
	}
	return nil
}

// longestRow returns the length of the longest row, after a pass over all.
func (t *table) longestRow(m *sketch.FeatureMap) (longest float64, err error) {
	if err := t.spool(); err != nil {
		return 0, err
	}
	for b, err := range t.blocks("Finding the longest row", 1<<16) {
		if err != nil {
			return 0, err
		}
		spec, err := learn.PrepareTargets(learn.Spec{Map: m}, b.rows(t.p.NFeatures()), make([]float64, b.to-b.from))
		if err != nil {
			return 0, b.rowError(err)
		}
		longest = max(longest, spec.Radius)
	}
	t.forget()
	return longest, nil
}

// addRows adds all rows to the learner.
func (v *fit) addRows(l *learn.Learner, t *table) error {
	l.SetGoroutines(runtime.GOMAXPROCS(0))
	spec := l.Spec()
	isClassifier := spec.Task == learn.TaskClassify
	D := spec.Map.NComponents()
	for b, err := range t.labelled("Learning", max(64, blockFeatures/(4*D)), v.read, !isClassifier) {
		if err != nil {
			return err
		}
		X := b.rows(t.p.NFeatures())
		if isClassifier {
			err = l.Add(X, b.labels, nil)
		} else {
			err = l.AddTargets(X, b.targets, nil)
		}
		if err != nil {
			return b.labelledError(err)
		}
	}
	return nil
}

// labelledError returns an error of a learner about a row as a problem with the row's file.
func (b *block) labelledError(err error) error {
	e, ok := errors.AsType[*sketch.Error](err)
	if !ok || e.Row < 0 {
		return err
	}
	if e.Argument == "labels" {
		return b.problem(e.Row, "the label "+e.Value+" is not among those of --classes", "add it there, or leave the row out")
	}
	if strings.HasPrefix(e.Argument, "target") || e.Argument == "y" {
		return b.problem(e.Row, "the label "+e.Value+" is outside --target-range", "give a wider one, or leave the row out")
	}
	return b.rowError(err)
}

// fitLearner fits a model to the sums of a learner.
func fitLearner(l *learn.Learner, o learn.RidgeOptions) (*learn.Model, error) {
	fitting, err := l.Begin(o)
	if err != nil {
		return nil, err
	}
	const parts = 1 << 20
	progress.begin("Fitting", parts)
	defer progress.clear()
	for {
		done, finished, err := fitting.Step()
		if err != nil {
			return nil, err
		}
		if finished {
			return fitting.Model(), nil
		}
		progress.show(int64(done*parts), "")
	}
}
