package learn

import (
	"math"
	"slices"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/internal/sums"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn/prepare"
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
	Preparation *prepare.Preparation

	Task    string  // TaskClassify or TaskRegress
	Classes []Label // of all parts, in any order; nil takes the labels that the rows have
	Targets int     // numbers per row for TaskRegress; 0 stands for 1

	// Radius is the largest length that a row has. The grids follow from it where they are not stated or taken from rows:
	// 16 bits, with a step of 2^-15 times the length of the features. Rows of length 1 have radius 1.
	Radius float64
	// Step, Limit and Finer are the grid of the features (Grid), if it is not to follow from Radius. A Step without a
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
	if err := solve.CheckTargets(y, spec.Targets); err != nil {
		return Spec{}, err
	}
	if spec.TargetRange == [2]float64{} {
		spec.TargetRange = solve.TargetRangeOf(y)
	}
	if spec.Folds == 0 && !spec.Private {
		spec.Folds = solve.FoldCount
	}
	spec.keepOf(len(y) / spec.Targets)
	return spec, nil
}

// keepOf takes Keep from the number of rows, where each of them is held out once.
func (spec *Spec) keepOf(rows int) {
	if spec.Keep == 0 && spec.Folds == solve.FoldCount && rows > 0 {
		spec.Keep = solve.KeepOf(float64(rows))
	}
}

// prepareRows sets the radius. count is the number of labels, or of targets at each per row.
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
		return solve.NotFiniteRow(X, row, spec.NFeatures())
	}
	spec.Radius = solve.RadiusOf(largest)
	return spec.PrepareGrid(X)
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
	if err := spec.Preparation.ValidateFor(spec.Map.NFeatures()); err != nil {
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

// gridOfRadius takes the grid of the features from the radius.
func (spec *Spec) gridOfRadius() (err error) {
	if spec.Private {
		spec.Step, err = solve.GridStep(spec.Map, spec.Radius)
	} else {
		spec.Limit = solve.Limit16
		spec.Step, err = solve.GridStep16(spec.Map, spec.Radius)
	}
	return err
}

// linearGrid returns the grid of the rows themselves: the one stated, or what follows from their radius.
func (spec *Spec) linearGrid(radius float64) (g Grid, err error) {
	switch {
	case spec.LinearGrid.Step != 0:
		g = Grid{Step: spec.LinearGrid.Step, Limit: spec.LinearGrid.Limit, Finer: spec.LinearGrid.Finer}
	case spec.Limit == 0:
		g.Step, err = solve.StepFor(radius)
	default:
		g.Limit = solve.Limit16
		g.Step, err = solve.StepFor16(radius)
	}
	return g, err
}

// largestPrepared is largestSquare of n rows, prepared.
func (spec *Spec) largestPrepared(X sketch.Rows, n int) (largest float64, row int, err error) {
	if spec.Preparation == nil {
		largest, row = solve.LargestSquareOf(X, n, spec.Map.NFeatures())
		return largest, row, nil
	}
	_, part, _ := sums.Parts(X, spec.NFeatures())
	for from := 0; from < n; from += solve.BlockRows {
		rows, _, err := spec.Preparation.Rows(part(from, min(from+solve.BlockRows, n)), nil)
		if err != nil {
			return 0, 0, sums.AtRow(err, from)
		}
		square, at := solve.LargestSquareOf(rows, min(solve.BlockRows, n-from), spec.Map.NFeatures())
		if square-square != 0 {
			return square, from + at, nil
		}
		largest = max(largest, square)
	}
	return largest, 0, nil
}
