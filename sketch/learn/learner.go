package learn

import (
	"slices"
	"strconv"

	"tensorsketch.example/internal/portable"
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/internal/sums"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn/prepare"
)

// A Learner adds up the moments of rows with labels or targets, and fits models to them. Learners with
// one Spec merge, in any order and from any machine: the same rows give the same bits. It is not safe
// for concurrent use.
type Learner struct {
	spec    Spec
	fixed   bool    // the classes were given
	classes []Label // in their order; if not fixed, each has rows
	moments *Moments

	// linear has the moments of the rows themselves, under identity; nil if missing says why.
	linear      *Moments
	identity    *sketch.FeatureMap
	preparation *prepare.Preparation // of the rows of the linear model, or nil
	missing     string

	cut int64 // cells that the preparation cut

	goroutines int
}

// NewLearner returns a Learner of no rows. The error is a *sketch.Error with code ErrParam.
func NewLearner(spec Spec) (*Learner, error) {
	if err := spec.checkMap(); err != nil {
		return nil, err
	}
	l := &Learner{fixed: spec.Classes != nil}
	switch spec.Task {
	case TaskClassify:
		l.classes = SortClasses(spec.Classes)
		if err := checkClasses(l.classes); err != nil {
			return nil, err
		}
		if l.fixed && len(l.classes) < 2 {
			return nil, sketch.ErrParam.New("classes", strconv.Itoa(len(l.classes)), "be at least two")
		}
		if spec.Targets != 0 || spec.TargetRange != [2]float64{} {
			return nil, sketch.ErrParam.New("targetRange", "", `be left out for task "classify"`)
		}
	case TaskRegress:
		if spec.Classes != nil {
			return nil, sketch.ErrParam.New("classes", "", `be left out for task "regress"`)
		}
		spec.Targets = max(1, spec.Targets)
	default:
		return nil, sketch.ErrParam.New("task", quote(spec.Task), `be "classify" or "regress"`)
	}
	if l.fixed {
		spec.Classes = l.classes
	}
	if spec.Radius < 0 || spec.Radius-spec.Radius != 0 {
		return nil, sketch.ErrParam.New("radius", portable.FormatNumber(spec.Radius), "be a finite number > 0")
	}
	if spec.Step == 0 {
		if spec.Radius == 0 {
			return nil, sketch.ErrParam.New("radius", "0", "be the largest length that rows have: state it, or take it "+
				"from rows with prepare")
		}
		if err := spec.gridOfRadius(); err != nil {
			return nil, err
		}
	}
	if err := spec.checkPrivate(); err != nil {
		return nil, err
	}
	l.spec = spec
	var err error
	if l.moments, err = l.newMoments(spec.Map.NComponents(), Grid{Step: spec.Step, Bound: spec.bound(),
		Limit: spec.Limit, Finer: spec.Finer}); err != nil {
		return nil, err
	}
	if err := l.moments.Keep(spec.Keep); err != nil {
		return nil, err
	}
	return l, l.beginLinear()
}

// shape returns the shape of moments with so many components. Moments without a class have one for
// none.
func (l *Learner) shape(nComponents int) Shape {
	s := Shape{NComponents: nComponents, Targets: l.spec.Targets}
	if l.spec.Task == TaskClassify {
		s.Classes = max(1, len(l.classes))
	}
	return s
}

func (l *Learner) newMoments(nComponents int, grid Grid) (*Moments, error) {
	grid.Low, grid.High = l.spec.TargetRange[0], l.spec.TargetRange[1]
	return NewMoments(l.shape(nComponents), grid, l.spec.Folds)
}

// beginLinear makes the moments of the rows themselves, or says why there are none.
func (l *Learner) beginLinear() error {
	d, radius := l.spec.Map.NFeatures(), l.spec.Radius
	if p := l.spec.Preparation; p != nil {
		l.preparation = p.Linear()
		d = l.preparation.NOutputs()
		if r := l.preparation.Radius(); r > 0 {
			radius = r
		}
	}
	switch {
	case l.spec.WithoutLinear:
		l.missing = "left out by choice"
		return nil
	case l.spec.Private:
		l.missing = "not fitted beside private moments: a release of it would cost as much again"
		return nil
	case d > solve.MaxComponents:
		l.missing = strconv.Itoa(d) + " columns are more than moments take, " + strconv.Itoa(solve.MaxComponents) +
			": fit it in passes over the rows"
		return nil
	case radius == 0 && l.spec.LinearGrid.Step == 0:
		l.missing = "the radius of the rows was not stated"
		return nil
	}
	grid, err := l.spec.linearGrid(radius)
	if err != nil {
		return err
	}
	l.spec.LinearGrid = grid
	if l.identity, err = identityMap(d); err == nil {
		l.linear, err = l.newMoments(d, grid)
	}
	return err
}

// Spec returns the spec with everything filled in: give it to the learners of the other parts.
func (l *Learner) Spec() Spec { return l.spec }

// Classes returns the labels in their order: the Spec's, or all that the rows so far have.
func (l *Learner) Classes() []Label { return slices.Clone(l.classes) }

// Rows returns the number of rows added less those taken away.
func (l *Learner) Rows() int64 { return l.moments.Rows() }

// Moments returns the moments of the features, not a copy. Class k is Classes()[k].
func (l *Learner) Moments() *Moments { return l.moments }

// LinearMoments returns the moments of the rows themselves, not a copy, or nil and why there are none.
func (l *Learner) LinearMoments() (m *Moments, missing string) { return l.linear, l.missing }

// SetGoroutines lets Add use n goroutines. With n below 2, the default, only the caller's works. No
// bit depends on n.
func (l *Learner) SetGoroutines(n int) {
	l.goroutines = n
	l.spec.Map.SetGoroutines(n)
	l.moments.SetGoroutines(n)
	if l.linear != nil {
		l.linear.SetGoroutines(n)
	}
}

// Add adds the rows of X, Dense or CSR, with their labels. Rows with weight 0 are left out; nil weights
// are all 1. Each call with many rows takes the memory of other moments for a while.
//
// The error is a *sketch.Error of the map's TransformRows, or it names the argument "labels" or
// "weights" and the row. After an error the learner is unchanged.
func (l *Learner) Add(X sketch.Rows, labels []Label, weights []uint8) error {
	return l.add(TaskClassify, X, nil, labels, nil, weights)
}

// AddTargets is Add for targets, n × Targets and row-major.
func (l *Learner) AddTargets(X sketch.Rows, y []float64, weights []uint8) error {
	return l.add(TaskRegress, X, nil, nil, y, weights)
}

// AddFeatures is Add for rows that the map has already transformed, n × NComponents and row-major. The
// rows themselves are then unknown, so there is no linear model on them from here on.
func (l *Learner) AddFeatures(Z []float32, labels []Label, weights []uint8) error {
	return l.add(TaskClassify, nil, Z, labels, nil, weights)
}

// AddTargetFeatures is AddFeatures for targets.
func (l *Learner) AddTargetFeatures(Z []float32, y []float64, weights []uint8) error {
	return l.add(TaskRegress, nil, Z, nil, y, weights)
}

// add adds rows or, if X is nil, features.
func (l *Learner) add(task string, X sketch.Rows, Z []float32, labels []Label, y []float64, weights []uint8) error {
	if l.spec.Task != task {
		return sketch.ErrParam.New("task", quote(l.spec.Task), "be "+quote(task)+" for this call")
	}
	D, n, part, ok := l.moments.Shape().NComponents, 0, (func(from, to int) sketch.Rows)(nil), true
	if X != nil {
		if n, part, ok = sums.Parts(X, l.spec.NFeatures()); !ok {
			return l.spec.malformed(X)
		}
	} else if n = len(Z) / D; len(Z)%D != 0 {
		return sketch.ErrShape.New("Z", strconv.Itoa(len(Z)), "hold a multiple of nComponents = "+strconv.Itoa(D)+" values")
	}
	if weights != nil && len(weights) != n {
		return sketch.ErrShape.New("weights", strconv.Itoa(len(weights)), "hold one number per row, "+strconv.Itoa(n))
	}
	if task == TaskRegress && len(y) != n*l.spec.Targets || task == TaskClassify && len(labels) != n {
		argument, got, each := "labels", len(labels), 1
		if task == TaskRegress {
			argument, got, each = "y", len(y), l.spec.Targets
		}
		return sketch.ErrShape.New(argument, strconv.Itoa(got), "hold "+strconv.Itoa(each)+" for each of "+
			strconv.Itoa(n)+" rows")
	}
	classes, indices, err := l.classesOf(labels, weights)
	if err != nil {
		return err
	}
	moments, linear := withClasses(l.moments, l.classes, classes), l.linear
	if linear != nil {
		linear = withClasses(linear, l.classes, classes)
	}
	to, toLinear := moments, linear
	block, cut := max(64, 4*solve.BlockBytes/4/D), int64(0)
	if n > block { // so that nothing is added before an error
		to = moments.Empty()
		if linear != nil {
			toLinear = linear.Empty()
		}
	}
	for from := 0; from < n; from += block {
		r := addition{from: from, to: min(from+block, n)}
		if indices != nil {
			r.classes = indices[r.from:r.to]
		}
		if y != nil {
			r.y = y[r.from*l.spec.Targets : r.to*l.spec.Targets]
		}
		if weights != nil {
			r.weights = weights[r.from:r.to]
		}
		if X == nil {
			err = to.AddFeatures(Z[r.from*D:r.to*D], r.classes, r.y, r.weights)
		} else {
			err = l.addBlock(to, toLinear, part(r.from, r.to), &r)
		}
		if err != nil {
			return sums.AtRow(err, from)
		}
		cut += r.cut
	}
	if n > block {
		if err := moments.Merge(to); err != nil {
			return err
		}
		if linear != nil {
			if err := linear.Merge(toLinear); err != nil {
				return err
			}
		}
	}
	l.moments, l.linear, l.classes, l.cut = moments, linear, classes, l.cut+cut
	if X == nil && n > 0 && l.linear != nil {
		l.linear, l.missing = nil, "features were added without their rows"
	}
	return nil
}

// An addition is rows [from, to) with their labels and weights.
type addition struct {
	from, to int
	classes  []int32
	y        []float64
	weights  []uint8
	cut      int64 // cells, by addBlock
}

// addBlock adds a block of rows. What AddFeatures checks holds for both moments or for none, except that
// features are finite, which the map has checked.
func (l *Learner) addBlock(moments, linear *Moments, X sketch.Rows, r *addition) error {
	prepared, cut, err := l.spec.Preparation.Rows(X, r.weights)
	if err != nil {
		return err
	}
	Z, err := l.spec.Map.TransformRows(nil, prepared)
	if err != nil {
		return err
	}
	r.cut = cut
	var rows []float32
	if linear != nil {
		if X, _, err = l.preparation.Rows(X, nil); err != nil {
			return err
		}
		if dense, ok := X.(sketch.Dense); ok {
			rows = dense
		} else if rows, err = l.identity.TransformRows(nil, X); err != nil {
			return err
		}
	}
	if err := moments.AddFeatures(Z, r.classes, r.y, r.weights); err != nil || linear == nil {
		return err
	}
	return linear.AddFeatures(rows, r.classes, r.y, r.weights)
}

// classesOf returns the classes with the new labels among them, and the class of each row. Labels of
// rows with weight 0 do not count.
func (l *Learner) classesOf(labels []Label, weights []uint8) (classes []Label, indices []int32, err error) {
	if l.spec.Task == TaskRegress {
		return nil, nil, nil
	}
	if err := checkLabels("labels", labels); err != nil {
		return nil, nil, err
	}
	index := make(map[Label]int32, len(l.classes))
	for k, label := range l.classes {
		index[label] = int32(k)
	}
	var added []Label
	for row, label := range labels {
		if weights != nil && weights[row] == 0 {
			continue
		}
		if _, ok := index[label]; ok {
			continue
		}
		if l.fixed {
			e := sketch.ErrParam.New("labels", label.String(), "be one of the classes that were given: add it to classes")
			e.Row = row
			return nil, nil, e
		}
		index[label] = 0
		added = append(added, label)
	}
	classes = l.classes
	if len(added) > 0 {
		if n := len(classes) + len(added); n > solve.MaxClasses {
			return nil, nil, tooManyClasses(n)
		}
		classes = SortClasses(slices.Concat(classes, added))
		for k, label := range classes {
			index[label] = int32(k)
		}
	}
	indices = make([]int32, len(labels))
	for row, label := range labels {
		indices[row] = index[label]
	}
	return classes, indices, nil
}

func tooManyClasses(n int) error {
	return sketch.ErrParam.New("labels", strconv.Itoa(n)+" different ones", "name at most "+strconv.Itoa(solve.MaxClasses)+
		" classes: merge rare ones, or take numbers as targets of a regression")
}

// withClasses returns the moments for other classes, among them each that has rows: m itself if
// they are the same.
func withClasses(m *Moments, from, to []Label) *Moments {
	if m.Shape().Classes == 0 || slices.Equal(from, to) {
		return m
	}
	index := make([]int32, len(from))
	for k, label := range from {
		index[k] = int32(classIndex(to, label))
	}
	return m.WithClasses(index, max(1, len(to)))
}

// withRows returns the classes that have rows in the moments.
func withRows(m *Moments, classes []Label) (kept []Label) {
	if m.Shape().Classes == 0 || len(classes) == 0 {
		return classes
	}
	counts := m.ClassCounts()
	for k, label := range classes {
		if counts[k] > 0 {
			kept = append(kept, label)
		}
	}
	return kept
}

// Merge adds the rows of another learner. A label that one of them has not seen is no difference,
// unless the classes were given. Everything else in their Specs must be the same, except
// WithoutLinear.
//
// The error is a *sketch.Error with code ErrParam. It names the first thing that differs, or the
// number of rows. After an error the learner is unchanged.
func (l *Learner) Merge(o *Learner) error { return l.merge(o, (*Moments).Merge, o.cut) }

// Subtract takes away the rows of another learner, exactly: l.Merge(o) and then l.Subtract(o) restore
// every bit. A class whose last row is taken away is gone, unless the classes were given. The errors
// are Merge's, and rows that were not added, as far as the sums show it.
func (l *Learner) Subtract(o *Learner) error { return l.merge(o, (*Moments).Subtract, -o.cut) }

func (l *Learner) merge(o *Learner, do func(m, o *Moments) error, cut int64) error {
	if err := l.checkSame(o); err != nil {
		return err
	}
	if l.cut+cut < 0 {
		return sketch.ErrParam.New("rows", "rows with "+strconv.FormatInt(-cut, 10)+" cells cut",
			"have been added: these hold "+strconv.FormatInt(l.cut, 10))
	}
	classes := SortClasses(slices.Concat(l.classes, o.classes))
	if len(classes) > solve.MaxClasses {
		return tooManyClasses(len(classes))
	}
	merged := func(mine, other *Moments) (*Moments, error) {
		if mine == nil || other == nil {
			return nil, nil
		}
		m := withClasses(mine, l.classes, classes)
		if m == mine { // the linear moments may refuse what these take
			m = mine.Empty()
			if err := m.Merge(mine); err != nil {
				return nil, err
			}
		}
		return m, do(m, withClasses(other, o.classes, classes))
	}
	moments, err := merged(l.moments, o.moments)
	if err != nil {
		return err
	}
	linear, err := merged(l.linear, o.linear)
	if err != nil {
		return err
	}
	if !l.fixed {
		kept := withRows(moments, classes)
		moments = withClasses(moments, classes, kept)
		if linear != nil {
			linear = withClasses(linear, classes, kept)
		}
		classes = kept
	}
	if linear == nil && l.linear != nil {
		l.missing = "a part has none: " + o.missing
	}
	l.moments, l.linear, l.classes, l.cut = moments, linear, classes, l.cut+cut
	return nil
}

// checkSame returns an error that names the first thing in which another learner differs.
func (l *Learner) checkSame(o *Learner) error {
	if err := sums.CheckSame(l.spec.Map, o.spec.Map); err != nil {
		e := *err.(*sketch.Error)
		e.Want += ": give all parts the same map"
		return &e
	}
	if name := l.spec.Preparation.Differs(o.spec.Preparation); name != "" {
		return sketch.ErrParam.New(name, "another", "be the same in all parts: prepare once, and give every part "+
			"this preparation")
	}
	a, b, number := l.spec, o.spec, portable.FormatNumber
	for _, c := range []struct{ name, mine, other string }{
		{"preprocessing", a.Preprocessing, b.Preprocessing},
		{"task", quote(a.Task), quote(b.Task)},
		{"classes", l.givenClasses(), o.givenClasses()},
		{"targets", strconv.Itoa(a.Targets), strconv.Itoa(b.Targets)},
		{"radius", number(a.Radius), number(b.Radius)},
		{"step", number(a.Step), number(b.Step)},
		{"limit", strconv.Itoa(a.Limit), strconv.Itoa(b.Limit)},
		{"private", number(a.bound()), number(b.bound())},
		{"targetRange[0]", number(a.TargetRange[0]), number(b.TargetRange[0])},
		{"targetRange[1]", number(a.TargetRange[1]), number(b.TargetRange[1])},
		{"folds", strconv.Itoa(a.Folds), strconv.Itoa(b.Folds)},
		{"keep", number(a.Keep), number(b.Keep)},
	} {
		if c.mine != c.other {
			return sketch.ErrParam.New(c.name, c.other, "be the same in all parts, "+c.mine+
				": share what prepare returns, or state it")
		}
	}
	return nil
}

// givenClasses describes the classes that were given, as text.
func (l *Learner) givenClasses() string {
	if l.spec.Task == TaskClassify && !l.fixed {
		return "found in the rows"
	}
	text := ""
	for k, label := range l.spec.Classes {
		if k > 0 {
			text += ", "
		}
		text += label.String()
	}
	return text
}
