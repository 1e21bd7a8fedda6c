//go:build tinycore && host

package main

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"unsafe"

	"tensorsketch.example/internal/udf"
	"tensorsketch.example/privacy"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/model"
)

// What hosts call that learn, as python/ does. A text is in a buffer of clickhouse_create_buffer, and numbers are in
// buffers of ts_alloc. Rows are dense if indptr is 0, where a preparation takes NaN for a missing number, and CSR
// otherwise. Labels are an int32 for each row, the place of its label in the list classes of the options, or the
// float64 targets of each row. A function that returns a handle returns 0 if it fails.

// An object is a *learner, a *fitOfHost or a *learn.Model. Its handle is its place in this list, and 0 is none.
var objects = []any{nil}

func keepObject(o any) uint32 {
	for handle := 1; handle < len(objects); handle++ {
		if objects[handle] == nil {
			objects[handle] = o
			return uint32(handle)
		}
	}
	objects = append(objects, o)
	return uint32(len(objects) - 1)
}

// object returns the object of a handle, or an error.
func object[T any](handle uint32) (o T, err error) {
	ok := uint64(handle) < uint64(len(objects))
	if ok {
		o, ok = objects[handle].(T)
	}
	if !ok {
		err = sketch.ErrParam.New("handle", formatBytes(int64(handle)), "be of an object that is alive, and of this kind")
	}
	return o, err
}

// made keeps what a call made and returns its handle, or 0.
func made[T any](o T, err error) uint32 {
	if failWith(err) != statusOK {
		return 0
	}
	return keepObject(o)
}

// written returns a buffer with the bytes that a call made, or 0.
func written(text []byte, err error) uint32 {
	if failWith(err) != statusOK {
		return 0
	}
	return adopt(append(make([]byte, handleBytes, handleBytes+len(text)), text...))
}

// freeObject frees an object.
//
//go:wasmexport tensorsketch_free
func freeObject(handle uint32) {
	var s status
	if recovers {
		defer recovered(&s)
	}
	if handle > 0 && uint64(handle) < uint64(len(objects)) {
		objects[handle] = nil
	}
}

// A learner is a learn.Learner with the report of the search that chose its map, or nil.
type learner struct {
	*learn.Learner
	candidates *learn.Candidates
}

// learnOptions are the options of calls, as JSON. What is left out is taken from the rows.
type learnOptions struct {
	Task          string     `json:"task"`
	Classes       []any      `json:"classes"`      // of the labels: true, false, numbers and texts
	Given         bool       `json:"classesGiven"` // these are all classes there are
	Targets       int        `json:"targets"`      // of each row
	Radius        float64    `json:"radius"`
	TargetRange   [2]float64 `json:"targetRange"`
	Folds         *int       `json:"folds"`
	Keep          float64    `json:"keep"`
	Private       bool       `json:"private"`
	WithoutLinear bool       `json:"withoutLinear"`
	Preprocessing string     `json:"preprocessing"`

	Alpha       float64    `json:"alpha"` // of ridge regression; 0 chooses it
	AlphaRange  [2]float64 `json:"alphaRange"`
	NoIntercept bool       `json:"noIntercept"`
	Tell        bool       `json:"tell"` // what the search found, in the report

	Loss      string  `json:"loss"` // of a fit in passes over the rows
	C         float64 `json:"C"`    // of the other losses than the squared one; 0 chooses it
	Tolerance float64 `json:"tolerance"`
	MaxPasses int     `json:"maxPasses"`

	Candidates []string `json:"candidates"` // of a search; none are all
	Indicators []int    `json:"indicators"` // columns of zeros and ones
	Components int      `json:"components"` // 0 stands for the search's
	Seed       *uint64  `json:"seed"`
	Rows       float64  `json:"rows"` // of all parts, where the search has a sample
}

func readOptions(handle uint32) (o *learnOptions, err error) {
	o = new(learnOptions)
	text, ok := content(handle)
	if !ok {
		return nil, sketch.ErrParam.New("options", "", "be in a buffer of clickhouse_create_buffer")
	}
	return o, udf.OptionError(json.Unmarshal(text, o))
}

// labels returns the classes of the options.
func (o *learnOptions) labels() ([]learn.Label, error) { return udf.Labels(o.Classes) }

// hostRows are rows with what is beside them.
type hostRows struct {
	X       sketch.Rows
	labels  []learn.Label
	targets []float64
}

// rowsOf reads rows of d numbers with their labels, whose address may be 0.
func (o *learnOptions) rowsOf(data, indices, indptr, rows, nnz, labels uint32, d int) (r hostRows, err error) {
	X, ok := rowsAt(data, indices, indptr, rows, nnz, d)
	if !ok {
		return r, sketch.ErrShape.New("X", "", "be rows of "+formatBytes(int64(d))+" numbers")
	}
	r.X = X
	switch {
	case labels == 0:
	case o.Task == learn.TaskRegress:
		r.targets, ok = view[float64](labels, uint64(rows)*uint64(max(1, o.Targets)))
	default:
		names, err := o.labels()
		if err != nil {
			return r, err
		}
		var places []int32
		places, ok = view[int32](labels, uint64(rows))
		r.labels = make([]learn.Label, len(places))
		for i, at := range places {
			if at < 0 || int(at) >= len(names) {
				return r, sketch.ErrParam.New("labels", "", "be places in classes")
			}
			r.labels[i] = names[at]
		}
	}
	if !ok {
		return r, sketch.ErrShape.New("labels", "", "be one for each row")
	}
	return r, nil
}

// spec returns the Spec of the options for a map.
func (o *learnOptions) spec(m *sketch.FeatureMap) (s learn.Spec, err error) {
	s = learn.Spec{Map: m, Preprocessing: o.Preprocessing, Task: o.Task, Radius: o.Radius, Keep: o.Keep,
		Private: o.Private, WithoutLinear: o.WithoutLinear}
	if o.Folds != nil {
		s.Folds = *o.Folds
	}
	if o.Task == learn.TaskRegress {
		s.Targets, s.TargetRange = o.Targets, o.TargetRange
	} else if o.Given {
		s.Classes, err = o.labels()
	}
	return s, err
}

// newLearnerOf returns the handle of a learner of no rows under a map. Rows complete its Spec (learn.Prepare); without
// any the options have the radius. If these have no classes given, the learner takes those of the rows that are added.
//
//go:wasmexport tensorsketch_learner_new
func newLearnerOf(handle, options, data, indices, indptr, rows, nnz, labels uint32) (learnerHandle uint32) {
	var s status
	if recovers {
		defer recovered(&s)
	}
	m, s := lookup(handle)
	if s != statusOK {
		return 0
	}
	o, err := readOptions(options)
	if err != nil {
		failWith(err)
		return 0
	}
	return made(o.newLearner(m, data, indices, indptr, rows, nnz, labels))
}

func (o *learnOptions) newLearner(m *sketch.FeatureMap, data, indices, indptr, rows, nnz, labels uint32) (*learner,
	error) {
	spec, err := o.spec(m.Clone())
	if err != nil {
		return nil, err
	}
	if rows > 0 {
		r, err := o.rowsOf(data, indices, indptr, rows, nnz, labels, m.NFeatures())
		if err != nil {
			return nil, err
		}
		if o.Task == learn.TaskRegress {
			spec, err = learn.PrepareTargets(spec, r.X, r.targets)
		} else {
			spec, err = learn.Prepare(spec, r.X, r.labels)
		}
		if err != nil {
			return nil, err
		}
		if !o.Given { // merged parts may have others
			spec.Classes = nil
		}
		if o.Folds != nil && *o.Folds == 0 {
			spec.Folds, spec.Keep = 0, 0
		}
	}
	l, err := learn.NewLearner(spec)
	return &learner{Learner: l}, err
}

// addToLearner adds rows. After an error the learner is unchanged.
//
//go:wasmexport tensorsketch_learner_add
func addToLearner(handle, options, data, indices, indptr, rows, nnz, labels uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	l, err := object[*learner](handle)
	if err != nil {
		return failWith(err)
	}
	o, err := readOptions(options)
	if err != nil {
		return failWith(err)
	}
	spec := l.Spec()
	o.Task, o.Targets = spec.Task, spec.Targets
	r, err := o.rowsOf(data, indices, indptr, rows, nnz, labels, spec.NFeatures())
	if err != nil {
		return failWith(err)
	}
	if spec.Task == learn.TaskRegress {
		return failWith(l.AddTargets(r.X, r.targets, nil))
	}
	return failWith(l.Add(r.X, r.labels, nil))
}

// mergeLearner adds the rows of another learner, or takes them away.
//
//go:wasmexport tensorsketch_learner_merge
func mergeLearner(handle, other, subtract uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	l, err := object[*learner](handle)
	if err != nil {
		return failWith(err)
	}
	o, err := object[*learner](other)
	if err != nil {
		return failWith(err)
	}
	if subtract != 0 {
		return failWith(l.Subtract(o.Learner))
	}
	return failWith(l.Merge(o.Learner))
}

// writeLearner returns a buffer with the file of a learner in its binary form, or 0.
//
//go:wasmexport tensorsketch_learner_write
func writeLearner(handle uint32) (buffer uint32) {
	var s status
	if recovers {
		defer recovered(&s)
	}
	l, err := object[*learner](handle)
	if err != nil {
		failWith(err)
		return 0
	}
	return written(model.MarshalLearnerBinary(l.Learner))
}

// readLearner returns the handle of the learner of a file. If empty is not 0, it takes the Spec alone.
//
//go:wasmexport tensorsketch_learner_read
func readLearner(text, empty uint32) (handle uint32) {
	var s status
	if recovers {
		defer recovered(&s)
	}
	file, ok := content(text)
	if !ok {
		failPointer("the file")
		return 0
	}
	l, err := model.UnmarshalLearner(file, nil)
	if err == nil && empty != 0 {
		l, err = learn.NewLearner(l.Spec())
	}
	return made(&learner{Learner: l}, err)
}

// aboutLearner returns a buffer with JSON about a learner: its task, rows, classes, targets, the length of its rows,
// and what the search says.
//
//go:wasmexport tensorsketch_learner_about
func aboutLearner(handle uint32) (buffer uint32) {
	var s status
	if recovers {
		defer recovered(&s)
	}
	l, err := object[*learner](handle)
	if err != nil {
		failWith(err)
		return 0
	}
	spec := l.Spec()
	about := map[string]any{"task": spec.Task, "rows": l.Rows(), "nFeatures": spec.NFeatures(),
		"nComponents": spec.Map.NComponents(), "targets": spec.Targets, "folds": spec.Folds, "private": spec.Private,
		"prepared": spec.Preparation != nil}
	classes := make([]any, 0, len(l.Classes()))
	for _, label := range l.Classes() {
		classes = append(classes, label.Value())
	}
	about["classes"] = classes
	if c := l.candidates; c != nil {
		about["chosen"], about["notes"] = c.Chosen, append([]string{}, c.Notes...)
	}
	return written(json.Marshal(about))
}

// A fitOfHost is a fit to a learner, or to what it released.
type fitOfHost struct {
	learner  *learner
	fitting  *learn.Fitting
	released *releasedFit
	tell     bool
}

// newFitOf returns the handle of a fit, for tensorsketch_fit_step. The learner must stay as it is until it has ended.
//
//go:wasmexport tensorsketch_fit_new
func newFitOf(handle, options uint32) (fit uint32) {
	var s status
	if recovers {
		defer recovered(&s)
	}
	l, err := object[*learner](handle)
	if err != nil {
		failWith(err)
		return 0
	}
	o, err := readOptions(options)
	if err != nil {
		failWith(err)
		return 0
	}
	ridge := learn.RidgeOptions{Alpha: o.Alpha, Low: o.AlphaRange[0], High: o.AlphaRange[1], NoIntercept: o.NoIntercept}
	f := &fitOfHost{learner: l, tell: o.Tell}
	f.fitting, err = l.Begin(ridge)
	return made(f, err)
}

// entropy is what the host gave for the noise of releases, and how many blocks of random bytes were made of it.
var (
	entropy [40]byte
	blocks  uint64
)

// newRelease releases the sums of a learner with noise, and returns the handle of a fit to them. secret has 32 bytes
// that nobody can guess, new for each call: SHA-256 of them and of a counter has the random bytes of the noise.
//
//go:wasmexport tensorsketch_release
func newRelease(handle, secret uint32, epsilon, delta float64) (fit uint32) {
	var s status
	if recovers {
		defer recovered(&s)
	}
	l, err := object[*learner](handle)
	if err != nil {
		failWith(err)
		return 0
	}
	bytes, ok := content(secret)
	if !ok || len(bytes) != 32 {
		failPointer("the secret")
		return 0
	}
	copy(entropy[:], bytes)
	clear(bytes)
	blocks = 1
	mechanism, err := momentsMechanism(l.Moments(), epsilon, delta, float64(l.Rows()))
	var released *privacy.ReleasedMoments
	if err == nil {
		released, err = mechanism.Release(l.Moments(), privacy.NewNoise(hostBytes{}))
	}
	clear(entropy[:])
	blocks = 0
	f := &fitOfHost{learner: l, released: &releasedFit{mechanism: mechanism}}
	if err == nil {
		f.released.ridge, err = released.NewFit()
	}
	return made(f, err)
}

// fillFromEntropy writes n random bytes, if the host gave any.
func fillFromEntropy(at unsafe.Pointer, n uint32) int32 {
	if blocks == 0 {
		return 0
	}
	for dst := unsafe.Slice((*byte)(at), n); len(dst) > 0; blocks++ {
		binary.LittleEndian.PutUint64(entropy[32:], blocks)
		block := sha256.Sum256(entropy[:])
		dst = dst[copy(dst, block[:]):]
	}
	return 1
}

// stepFitOf does some milliseconds of a fit, and writes how much of it is done, from 0 to 1. After the last step that
// is 2, and the handle is of the model.
//
//go:wasmexport tensorsketch_fit_step
func stepFitOf(handle, out uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	f, err := object[*fitOfHost](handle)
	if err != nil {
		return failWith(err)
	}
	var done float64
	var finished bool
	if f.fitting != nil {
		done, finished, err = f.fitting.Step()
	} else {
		done, finished, err = f.released.step()
	}
	if err == nil && finished {
		done = 2
		objects[handle] = f.model()
	}
	return answer(out, err, done)
}

// model returns the model of a finished fit.
func (f *fitOfHost) model() *learn.Model {
	if f.fitting == nil {
		spec := f.learner.Spec()
		return spec.Model(f.released.head)
	}
	m := f.fitting.Model()
	if c := f.learner.candidates; c != nil && f.tell {
		c.Tell(&m.Report)
	}
	return m
}

// fitRowsInPasses returns the handle of a model of any loss, fitted in passes over rows (learn.FitModel).
//
//go:wasmexport tensorsketch_rows_model
func fitRowsInPasses(handle, options, data, indices, indptr, rows, nnz, labels uint32) (fitted uint32) {
	var s status
	if recovers {
		defer recovered(&s)
	}
	m, s := lookup(handle)
	if s != statusOK {
		return 0
	}
	o, err := readOptions(options)
	if err != nil {
		failWith(err)
		return 0
	}
	r, err := o.rowsOf(data, indices, indptr, rows, nnz, labels, m.NFeatures())
	if err != nil {
		failWith(err)
		return 0
	}
	spec, err := o.spec(m.Clone())
	if err != nil {
		failWith(err)
		return 0
	}
	how := learn.RowsOptions{Loss: o.Loss, Alpha: o.Alpha, C: o.C, Tolerance: o.Tolerance, MaxPasses: o.MaxPasses}
	if o.Task == learn.TaskRegress {
		return made(learn.FitTargetsModel(spec, r.X, r.targets, how))
	}
	return made(learn.FitModel(spec, r.X, r.labels, how))
}
