// Package learn fits one model to the rows of a pipeline of Apache Beam. Sum adds up exact moments, which are integers,
// so neither the order of the rows, nor bundles, nor the tree in which sums are merged has an influence on any bit: the
// model file is the one that a single machine writes.
package learn

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"runtime"

	"tensorsketch.example/beam/internal/storage"
	"tensorsketch.example/beam/rows"
	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/labels"
	"tensorsketch.example/sketch"
	base "tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/model"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/window"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

func init() {
	beam.RegisterType(reflect.TypeOf((*Sums)(nil)))
	beam.RegisterCoder(reflect.TypeOf((*Sums)(nil)), encode, decode)
	register.Combiner1[*Sums](&mergeFn{})
	register.Combiner2[*Sums, rows.Row](&sumFn{})
	register.DoFn2x1[rows.Row, func(*Sums), error](&partFn{})
	register.DoFn3x1[[]byte, func(**Sums) bool, func([]byte), error](&fitFn{})
	register.DoFn1x2[*Sums, []byte, error](&fileFn{})
	register.Iter1[*Sums]()
	register.Emitter1[*Sums]()
	register.Emitter1[[]byte]()
}

// Sums are exact moments of rows. Between the steps of a pipeline they have the binary form of a learner's file.
type Sums struct {
	learner *base.Learner
	waiting []rows.Row // not yet added: many at a time cost less
}

// waitingRows is how many rows are added at a time.
const waitingRows = 512

// Learner returns the learner with all rows. The error is a *dataset.Problem that names the file and the row.
func (s *Sums) Learner() (*base.Learner, error) {
	waiting := s.waiting
	if len(waiting) == 0 {
		return s.learner, nil
	}
	spec := s.learner.Spec()
	X, err := rows.Join(waiting, spec.NFeatures())
	if err != nil {
		return nil, err
	}
	if spec.Task == base.TaskClassify {
		labels := make([]base.Label, len(waiting))
		for i := range waiting {
			labels[i] = waiting[i].Label
		}
		err = s.learner.Add(X, labels, nil)
	} else {
		var targets []float64
		for i := range waiting {
			targets = append(targets, waiting[i].Targets...)
		}
		err = s.learner.AddTargets(X, targets, nil)
	}
	if e, ok := errors.AsType[*sketch.Error](err); ok && e.Row >= 0 && e.Row < len(waiting) {
		return nil, waiting[e.Row].Fault(err)
	}
	clear(waiting)
	s.waiting = waiting[:0]
	return s.learner, err
}

func encode(s *Sums) ([]byte, error) {
	l, err := s.Learner()
	if err != nil {
		return nil, err
	}
	return model.MarshalLearnerBinary(l)
}

func decode(file []byte) (*Sums, error) {
	l, err := model.UnmarshalLearner(file, nil)
	return &Sums{learner: l}, err
}

// FilesOf returns how files become rows for Sum, for rows.Read. The first file says whether labels are numbers.
func FilesOf(ctx context.Context, start []byte, first string) (rows.Files, error) {
	l, err := model.UnmarshalLearner(start, nil)
	if err != nil {
		return rows.Files{}, err
	}
	spec, p := l.Spec(), new(dataset.Preprocessing)
	if err := p.UnmarshalJSON([]byte(spec.Preprocessing)); err != nil {
		return rows.Files{}, err
	}
	t, err := storage.Open(ctx, first, p)
	if err != nil {
		return rows.Files{}, err
	}
	defer t.Close()
	files := rows.Files{Preprocessing: spec.Preprocessing, Task: spec.Task}
	if i := t.Layout.Label(); i >= 0 {
		files.IsNumeric = labels.NumbersInHead(&t.Layout.Columns[i])
	}
	if spec.Classes == nil {
		return files, nil
	}
	var classes []any
	for _, class := range spec.Classes {
		classes = append(classes, class.Value())
	}
	files.Classes, err = json.Marshal(classes)
	return files, err
}

// Sum returns a PCollection<*Sums> with the sums of a PCollection<rows.Row>: one for each window that has rows. start
// is the file of a learner, as `tensorsketch fit --moments` or model.MarshalLearner writes it. Map, preprocessing, task
// and ranges are taken from it, and its rows are not.
//
// The error says why start cannot be read. A row that cannot be added ends the pipeline with an error that names its
// file and place: a label that is not among given classes, a target out of range, or a number that is not finite.
func Sum(s beam.Scope, start []byte, col beam.PCollection) (beam.PCollection, error) {
	l, err := model.UnmarshalLearner(start, nil)
	if err == nil {
		l, err = base.NewLearner(l.Spec())
	}
	var empty []byte
	if err == nil {
		empty, err = model.MarshalLearnerBinary(l)
	}
	if err != nil {
		return beam.PCollection{}, err
	}
	s = s.Scope("learn.Sum")
	of := sumFn{Start: storage.Pack(empty)}
	if col.WindowingStrategy().Fn.Kind != window.GlobalWindows {
		return beam.Combine(s, &of, col), nil
	}
	return beam.Combine(s, &mergeFn{}, beam.ParDo(s, &partFn{Of: of}, col)), nil
}

// partFn makes the sums of each bundle, whose rows are in the global window. Else Flink's runner would send the rows
// themselves to the one worker that combines.
type partFn struct {
	Of   sumFn
	part *Sums // nil without rows
}

func (f *partFn) Setup() error { return f.Of.Setup() }

func (f *partFn) StartBundle(func(*Sums)) { f.part = nil }

func (f *partFn) ProcessElement(r rows.Row, _ func(*Sums)) (err error) {
	if f.part == nil {
		f.part, err = f.Of.CreateAccumulator()
	}
	if err == nil {
		f.part, err = f.Of.AddInput(f.part, r)
	}
	return err
}

func (f *partFn) FinishBundle(emit func(*Sums)) error {
	if f.part == nil {
		return nil
	}
	_, err := f.part.Learner()
	if err == nil {
		emit(f.part)
	}
	f.part = nil
	return err
}

// mergeFn is a CombineFn that merges Sums.
type mergeFn struct{}

func (*mergeFn) MergeAccumulators(a, b *Sums) (*Sums, error) { return a, merge(a, b) }

// sumFn is a CombineFn whose accumulators are Sums.
type sumFn struct {
	Start []byte // the packed file of a learner of no rows
	spec  base.Spec
}

func (f *sumFn) Setup() error {
	file, err := storage.Unpack(f.Start)
	if err != nil {
		return err
	}
	l, err := model.UnmarshalLearner(file, nil)
	if err == nil {
		f.spec = l.Spec()
	}
	return err
}

func (f *sumFn) CreateAccumulator() (*Sums, error) {
	l, err := base.NewLearner(f.spec)
	if err == nil {
		l.SetGoroutines(runtime.GOMAXPROCS(0))
	}
	return &Sums{learner: l}, err
}

func (f *sumFn) AddInput(s *Sums, r rows.Row) (*Sums, error) {
	isOther := len(s.waiting) > 0 && (s.waiting[0].Indices == nil) != (r.Indices == nil)
	if isOther || len(s.waiting) == waitingRows {
		if _, err := s.Learner(); err != nil {
			return nil, err
		}
	}
	s.waiting = append(s.waiting, r)
	return s, nil
}

func (f *sumFn) MergeAccumulators(a, b *Sums) (*Sums, error) { return a, merge(a, b) }

// merge adds the rows of b to a.
func merge(a, b *Sums) error {
	l, err := a.Learner()
	if err != nil {
		return err
	}
	o, err := b.Learner()
	if err != nil {
		return err
	}
	return l.Merge(o)
}

// Files returns a PCollection<[]byte> with the file of a learner for each of the sums, for `tensorsketch merge` and
// `fit --from`.
func Files(s beam.Scope, sums beam.PCollection) beam.PCollection {
	return beam.ParDo(s.Scope("learn.Files"), &fileFn{}, sums)
}

type fileFn struct{}

func (*fileFn) ProcessElement(s *Sums) ([]byte, error) { return encode(s) }

// Fit returns a PCollection<[]byte> with one model file, which is fitted to all sums of a PCollection<*Sums> in the
// global window, by ridge regression. With alpha 0, the weight of the penalty is chosen.
//
// The pipeline ends with an error if there are no sums, no rows, or rows of one class only.
func Fit(s beam.Scope, sums beam.PCollection, alpha float64) beam.PCollection {
	s = s.Scope("learn.Fit")
	return beam.ParDo(s, &fitFn{Alpha: alpha}, beam.Impulse(s), beam.SideInput{Input: sums})
}

type fitFn struct{ Alpha float64 }

func (f *fitFn) ProcessElement(_ []byte, sums func(**Sums) bool, emit func([]byte)) error {
	var all, next *Sums
	for sums(&next) {
		if all == nil {
			all = next
		} else if err := merge(all, next); err != nil {
			return err
		}
	}
	if all == nil {
		return errors.New("there are no rows with a label to learn from")
	}
	l, err := all.Learner()
	if err != nil {
		return err
	}
	l.SetGoroutines(runtime.GOMAXPROCS(0))
	m, err := l.Fit(base.RidgeOptions{Alpha: f.Alpha})
	if err != nil {
		return err
	}
	file, err := model.MarshalModel(m, model.Options{})
	if err == nil {
		emit(file)
	}
	return err
}
