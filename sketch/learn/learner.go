package learn

import (
	"math"
	"slices"
	"strconv"

	"tensorsketch.example/internal/portable"
	"tensorsketch.example/internal/sums"
	"tensorsketch.example/sketch"
)

// A Spec says what the parts of a fit must share, so that they can be merged. Prepare and
// PrepareTargets take from rows what is left out here.
type Spec struct {
	// Map makes the features. It must not be used otherwise while a Learner uses it.
	Map *sketch.FeatureMap

	// Preprocessing says how the rows of the map are made. It is up to the caller and compared byte
	// by byte: the JSON of a dataset.Preprocessing, or "" for rows as they come.
	Preprocessing string

	// Preparation makes the rows of the map from the rows that are added, or is nil: they are the rows of
	// the map. Radius is then about rows that it has prepared.
	Preparation *Preparation

	Task    string  // TaskClassify or TaskRegress
	Classes []Label // of all parts, in any order; nil takes the labels that the rows have
	Targets int     // numbers per row for TaskRegress; 0 stands for 1

	// Radius is the largest length that a row has. The grids follow from it where they are not stated or taken from rows:
	// 16 bits, with a step of 2^-15 times the length of the features. Rows of length 1 have radius 1.
	Radius float64
	// Step, Limit and Finer are the grid of the features (Grid), where it shall not follow from Radius. A Step without a
	// Limit is of a grid of 2^12, and so is every private one.
	Step  float64
	Limit int
	Finer string
	// LinearGrid has the Step, Limit and Finer of the rows themselves.
	LinearGrid Grid
	// TargetRange has all targets, for TaskRegress. A target outside is an error.
	TargetRange [2]float64

	// Folds is how many parts of the rows are held out in turn: 0, 1 or 5. It takes their number of
	// times the memory, 1 twice. With 1, a fifth is held out once. With 0 a model has no probabilities,
	// and alpha comes from cross-validation for TaskRegress too.
	Folds int

	// Keep is the share of the rows, 0 … 1, that the learner keeps beside the sums, from which a fit finds the
	// probabilities of classes. Which rows these are, their hash says, so that they merge and are taken away as the sums
	// are. With 0 the probabilities are estimated from the sums.
	Keep float64

	// Private keeps moments that package privacy can release: rows of features are clipped to the norm
	// that Radius allows, and targets are cut to TargetRange. Nothing may come from the rows, so Radius
	// and Classes or TargetRange must be stated. There is no linear model on the rows themselves, and
	// Prepare leaves Folds at 0, since a release adds them up.
	Private bool

	// WithoutLinear leaves out the linear model on the rows themselves, which takes d² numbers.
	WithoutLinear bool
}

// Prepare returns the spec with what is left out taken from rows and their labels: the classes, the
// radius, and folds 1. With folds 5 it takes a Keep of about KeptRows of these rows. Call it once, for
// all rows or for a sample that has every class and the longest row, and share the result between the
// parts.
//
// The radius is the largest length of a row, rounded to 12 binary digits. The error is a
// *sketch.Error.
func Prepare(spec Spec, X sketch.Rows, labels []Label) (Spec, error) {
	spec.Task = TaskClassify
	if err := spec.prepareRows(X, len(labels), 1, "labels"); err != nil {
		return Spec{}, err
	}
	if err := checkLabels("labels", labels); err != nil {
		return Spec{}, err
	}
	if spec.Classes == nil {
		spec.Classes = SortClasses(labels)
	}
	if spec.Folds == 0 && !spec.Private {
		spec.Folds = 1
	}
	spec.keepOf(len(labels))
	return spec, nil
}

// PrepareTargets is Prepare for rows and their targets, n × Targets and row-major. It takes the range of
// the targets, the radius, and folds 5. If all targets y are equal, the range is y ± max(1, |y|).
func PrepareTargets(spec Spec, X sketch.Rows, y []float64) (Spec, error) {
	spec.Task = TaskRegress
	spec.Targets = max(1, spec.Targets)
	if err := spec.prepareRows(X, len(y), spec.Targets, "y"); err != nil {
		return Spec{}, err
	}
	if err := checkTargets(y, spec.Targets); err != nil {
		return Spec{}, err
	}
	if spec.TargetRange == [2]float64{} {
		spec.TargetRange = TargetRangeOf(y)
	}
	if spec.Folds == 0 && !spec.Private {
		spec.Folds = foldCount
	}
	spec.keepOf(len(y) / spec.Targets)
	return spec, nil
}

// keepOf takes Keep from the number of rows, where each of them is held out once.
func (spec *Spec) keepOf(rows int) {
	if spec.Keep == 0 && spec.Folds == foldCount && rows > 0 {
		spec.Keep = KeepOf(float64(rows))
	}
}

// KeepOf returns the share of so many rows that Prepare keeps.
func KeepOf(rows float64) float64 { return min(1, KeptRows/rows) }

// prepareRows takes the radius from rows, for which there are count labels, or targets of each per row.
func (spec *Spec) prepareRows(X sketch.Rows, count, each int, argument string) error {
	if err := spec.checkMap(); err != nil {
		return err
	}
	if err := spec.checkPrivate(); err != nil {
		return err
	}
	n, _, ok := sums.Parts(X, spec.NFeatures())
	if !ok {
		return spec.malformed(X)
	}
	if n == 0 {
		return sketch.ErrShape.New("X", "0", "have rows")
	}
	if err := checkLength(argument, X, spec.NFeatures(), count, each); err != nil {
		return err
	}
	if spec.Radius != 0 || spec.Step != 0 {
		return nil
	}
	largest, row, err := spec.largestPrepared(X, n)
	if err != nil {
		return err
	}
	if largest-largest != 0 {
		e := sketch.ErrNonFinite.New("X", "", "be finite: remove or replace NaN and infinite values")
		e.Row = row
		return e
	}
	spec.Radius = RadiusOf(largest)
	return spec.PrepareGrid(X)
}

// largestSquare returns the largest ‖x‖² of n rows, or the first one that is not finite, and its row.
func largestSquare(X sketch.Rows, n, d int) (largest float64, row int) {
	for r := range n {
		var values []float32
		switch X := X.(type) {
		case sketch.Dense:
			values = X[r*d : (r+1)*d]
		case sketch.CSR:
			values = X.Data[X.Indptr[r]:X.Indptr[r+1]]
		}
		square := 0.0
		for _, v := range values {
			square += float64(float64(v) * float64(v))
		}
		if square-square != 0 {
			return square, r
		}
		largest = max(largest, square)
	}
	return largest, 0
}

// roundTo12 rounds a number > 0 to 12 binary digits.
func roundTo12(x float64) float64 {
	fraction, exponent := math.Frexp(x)
	return math.Ldexp(math.RoundToEven(math.Ldexp(fraction, 12)), exponent-12)
}

// checkPrivate returns an error if a private Spec would take something from the rows.
func (spec *Spec) checkPrivate() error {
	state := func(argument, what string) error {
		return sketch.ErrParam.New(argument, "", "be stated for private moments: "+what+
			" must be known or public, since taken from the rows it would show something of them")
	}
	switch {
	case !spec.Private:
	case spec.Preparation != nil:
		return sketch.ErrParam.New("preparation", "", "be left out for private moments: its means, ends and weights "+
			"would show something of the rows they were taken from. State ranges of the columns instead, and scale "+
			"rows by them")
	case spec.Radius == 0:
		return state("radius", "the largest length of a row")
	case spec.Task == TaskClassify && spec.Classes == nil:
		return state("classes", "the labels")
	case spec.Task == TaskRegress && spec.TargetRange == [2]float64{}:
		return state("targetRange", "the range of the targets")
	case spec.Map.Params().Method == sketch.MethodNystroem, spec.Map.Params().Method == sketch.MethodKSpace:
		return sketch.ErrParam.New("method", quote(spec.Map.Params().Method),
			"be another one for private moments: each feature of this one depends on rows that it was fitted to")
	}
	return nil
}

// bound returns the norm to which rows of features are clipped, or 0.
func (spec *Spec) bound() float64 {
	if !spec.Private {
		return 0
	}
	return math.Sqrt(spec.Map.NormKernel(float64(spec.Radius * spec.Radius)))
}

// Model returns the model of a head that was fitted to moments of this Spec.
func (spec *Spec) Model(h *Head) *Model {
	return &Model{Map: spec.Map.Clone(), Preprocessing: spec.Preprocessing, Preparation: spec.Preparation,
		Task: spec.Task, Loss: LossSquared,
		Classes: slices.Clone(spec.Classes), Alpha: h.Alpha, Linear: h.Linear, Calibration: h.Calibration,
		Conformal: h.Conformal, Report: h.Report}
}

func (spec *Spec) checkMap() error {
	if spec.Map == nil {
		return sketch.ErrParam.New("map", "", "be given")
	}
	if spec.Map.Params().NFeaturesEach != nil {
		return sketch.ErrParam.New("nFeatures", "an array", "be one number: a learner takes single rows")
	}
	if err := spec.Preparation.ValidateFor(spec.Map); err != nil {
		return err
	}
	_, err := spec.Map.TransformRows(nil, sketch.Dense{}) // whether it is fitted
	return err
}

// NFeatures returns the length of the rows that are added.
func (spec *Spec) NFeatures() int {
	if spec.Preparation != nil {
		return spec.Preparation.NFeatures()
	}
	return spec.Map.NFeatures()
}

// malformed returns the error of rows that are not whole.
func (spec *Spec) malformed(X sketch.Rows) error {
	if spec.Preparation != nil {
		_, _, err := spec.Preparation.Rows(X, nil)
		return err
	}
	_, err := spec.Map.TransformRows(nil, X)
	return err
}

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
	preparation *Preparation // of the rows of the linear model, or nil
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
		if err := CheckClasses(l.classes); err != nil {
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

// gridOfRadius takes the grid of the features from the radius.
func (spec *Spec) gridOfRadius() (err error) {
	if spec.Private {
		spec.Step, err = GridStep(spec.Map, spec.Radius)
	} else {
		spec.Limit = Limit16
		spec.Step, err = GridStep16(spec.Map, spec.Radius)
	}
	if err != nil {
		return sketch.ErrParam.New("radius", portable.FormatNumber(spec.Radius),
			"give features a length from 2^-85 to 2^112: scale the rows, or change gamma and coef0")
	}
	return nil
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
	case d > MaxComponents:
		l.missing = strconv.Itoa(d) + " columns are more than moments take, " + strconv.Itoa(MaxComponents) +
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
	if l.identity, err = IdentityMap(d); err == nil {
		l.linear, err = l.newMoments(d, grid)
	}
	return err
}

// linearGrid returns the grid of the rows themselves: the one stated, or what follows from their radius.
func (spec *Spec) linearGrid(radius float64) (g Grid, err error) {
	switch {
	case spec.LinearGrid.Step != 0:
		g = Grid{Step: spec.LinearGrid.Step, Limit: spec.LinearGrid.Limit, Finer: spec.LinearGrid.Finer}
	case spec.Limit == 0:
		g.Step, err = StepFor(radius)
	default:
		g.Limit = Limit16
		g.Step, err = StepFor16(radius)
	}
	return g, err
}

// Spec returns the spec with everything filled in: give it to the learners of the other parts.
func (l *Learner) Spec() Spec { return l.spec }

// Classes returns the labels in their order: those of the Spec, or those of the rows so far.
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
	D, n, part, ok := l.moments.shape.NComponents, 0, (func(from, to int) sketch.Rows)(nil), true
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
	moments, linear := l.moments.withClasses(l.classes, classes), l.linear
	if linear != nil {
		linear = linear.withClasses(l.classes, classes)
	}
	to, toLinear := moments, linear
	block, cut := max(64, 4*blockBytes/4/D), int64(0)
	if n > block { // so that nothing is added before an error
		to = moments.empty()
		if linear != nil {
			toLinear = linear.empty()
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

// An addition is a block of rows to add: of which row to which, and what belongs to them.
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
		if n := len(classes) + len(added); n > MaxClasses {
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
	return sketch.ErrParam.New("labels", strconv.Itoa(n)+" different ones", "name at most "+strconv.Itoa(MaxClasses)+
		" classes: merge rare ones, or take numbers as targets of a regression")
}

// empty returns moments without rows of the same kind.
func (m *Moments) empty() *Moments {
	e, err := NewMoments(m.shape, m.grid, m.folds)
	if err != nil {
		panic("learn: " + err.Error()) // they were made the same way
	}
	e.SetGoroutines(m.goroutines)
	e.kept.share, e.kept.width, e.kept.each = m.kept.share, m.kept.width, m.kept.each
	return e
}

// withClasses returns the moments for other classes, of which each that has rows is one: m itself if
// they are the same.
func (m *Moments) withClasses(from, to []Label) *Moments {
	if m.shape.Classes == 0 || slices.Equal(from, to) {
		return m
	}
	changed := *m
	changed.shape.Classes = max(1, len(to))
	other := changed.empty()
	m.flushAll()
	result := make([]int64, 0, len(other.words))
	D, head := m.shape.NComponents, m.shape.tail()
	for p := range m.Parts() {
		part := m.part(p)
		result = append(result, part[:head]...)
		counts, classSums := part[head:head+m.shape.Classes], part[head+m.shape.Classes:]
		newCounts, newSums := make([]int64, other.shape.Classes), make([]int64, other.shape.Classes*D)
		for k, label := range from {
			if at := classIndex(to, label); at >= 0 {
				newCounts[at] = counts[k]
				copy(newSums[at*D:], classSums[k*D:(k+1)*D])
			}
		}
		result = append(append(result, newCounts...), newSums...)
	}
	if err := other.SetCounted(result); err != nil {
		panic("learn: " + err.Error()) // the sums of the same rows
	}
	other.kept = m.kept
	index := make([]int32, len(from))
	for k, label := range from {
		index[k] = int32(classIndex(to, label))
	}
	other.kept.withClasses(index)
	return other
}

// withRows returns the classes that have rows.
func (m *Moments) withRows(classes []Label) (kept []Label) {
	if m.shape.Classes == 0 || len(classes) == 0 {
		return classes
	}
	counts := make([]int64, len(classes))
	for p := range m.Parts() {
		for k, count := range m.part(p)[m.shape.tail():][:len(classes)] {
			counts[k] += count
		}
	}
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
// are those of Merge, and rows that were not added, as far as the sums show it.
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
	if len(classes) > MaxClasses {
		return tooManyClasses(len(classes))
	}
	merged := func(mine, other *Moments) (*Moments, error) {
		if mine == nil || other == nil {
			return nil, nil
		}
		m := mine.withClasses(l.classes, classes)
		if m == mine { // the linear moments may refuse what these take
			m = mine.empty()
			if err := m.Merge(mine); err != nil {
				return nil, err
			}
		}
		return m, do(m, other.withClasses(o.classes, classes))
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
		kept := moments.withRows(classes)
		moments = moments.withClasses(classes, kept)
		if linear != nil {
			linear = linear.withClasses(classes, kept)
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
	if name := l.spec.Preparation.differs(o.spec.Preparation); name != "" {
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

// A State is what a Learner holds beside its Spec, for files.
type State struct {
	Classes []Label // in their order; nil for regression
	Moments []int64 // Moments.Words of the features, for one class where there is none
	Linear  []int64 // of the rows themselves, or nil
	Missing string  // why Linear is nil
	Cut     int64   // cells that the preparation cut
	Tally   []int64 // Moments.Tally of both, one after another; nil if nothing is known of how rows were rounded
	Kept    []byte  // Moments.KeptBytes of the features; nil if nothing is kept, or it is not known
}

// State returns a copy of what the learner holds.
func (l *Learner) State() *State {
	s := &State{Classes: l.Classes(), Moments: l.moments.Words(), Missing: l.missing, Cut: l.cut,
		Kept: l.moments.KeptBytes()}
	if l.linear != nil {
		s.Linear = l.linear.Words()
	}
	if !l.spec.Private {
		s.Tally = l.moments.Tally()
		if l.linear != nil {
			s.Tally = append(s.Tally, l.linear.Tally()...)
		}
	}
	return s
}

// SetState replaces all that the learner holds by what State of a learner with the same Spec returned.
//
// The error is a *sketch.Error: of Moments.SetWords, or it names the classes. After an error the
// learner is unchanged.
func (l *Learner) SetState(s *State) error {
	if l.spec.Task == TaskClassify {
		if err := CheckClasses(s.Classes); err != nil {
			return err
		}
		if len(s.Classes) > MaxClasses {
			return tooManyClasses(len(s.Classes))
		}
	}
	if l.fixed && !slices.Equal(s.Classes, l.classes) || l.spec.Task == TaskRegress && len(s.Classes) > 0 {
		return sketch.ErrParam.New("classes", "others", "be the classes of the spec")
	}
	if s.Cut < 0 || s.Cut > 0 && l.spec.Preparation == nil {
		return sketch.ErrParam.New("cut", strconv.FormatInt(s.Cut, 10), "be cells that a preparation cut")
	}
	next := *l
	next.classes = slices.Clone(s.Classes)
	next.linear, next.missing, next.cut = nil, s.Missing, s.Cut
	fill := func(like *Moments, words []int64) (*Moments, error) {
		kind := *like
		if l.spec.Task == TaskClassify {
			kind.shape.Classes = max(1, len(next.classes))
		}
		filled := kind.empty()
		return filled, filled.SetWords(words)
	}
	var err error
	if next.moments, err = fill(l.moments, s.Moments); err != nil {
		return err
	}
	if s.Linear != nil {
		if l.linear == nil {
			return sketch.ErrParam.New("linear", "moments", "be left out: "+l.missing)
		}
		if next.linear, err = fill(l.linear, s.Linear); err != nil {
			return err
		}
		if next.linear.Rows() != next.moments.Rows() {
			return sketch.ErrParam.New("linear", strconv.FormatInt(next.linear.Rows(), 10)+" rows",
				"have as many rows as the moments of the features")
		}
	} else if s.Missing == "" {
		return sketch.ErrParam.New("missing", "", "say why there is no linear model")
	}
	if err := next.setTally(s.Tally); err != nil {
		return err
	}
	if err := next.moments.SetKept(s.Kept); err != nil {
		return err
	}
	if kept := next.moments.withRows(next.classes); !l.fixed && len(kept) < len(next.classes) {
		return sketch.ErrParam.New("classes", "one without rows", "have rows each, unless the classes were given")
	}
	*l = next
	return nil
}

// setTally takes the tallies of a State.
func (l *Learner) setTally(tally []int64) error {
	own := l.moments.Parts() * TallyWords
	if tally == nil {
		return nil
	}
	if l.spec.Private || len(tally) < own {
		return sketch.ErrParam.New("tally", strconv.Itoa(len(tally))+" words", "be of these moments")
	}
	if l.linear == nil {
		return l.moments.SetTally(tally)
	}
	if err := l.moments.SetTally(tally[:own]); err != nil {
		return err
	}
	return l.linear.SetTally(tally[own:])
}

// StateWords returns the length of Moments of a State with so many classes, which counts 1 for
// regression.
func (l *Learner) StateWords(classes int) int {
	shape := l.moments.shape
	if shape.Classes > 0 {
		shape.Classes = classes
	}
	return l.moments.Parts() * (shape.words() - TallyWords)
}
