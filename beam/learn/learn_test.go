package learn

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tensorsketch.example/beam/internal/storage"
	"tensorsketch.example/beam/rows"
	"tensorsketch.example/sketch"
	base "tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/model"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/mtime"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/window"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"
)

func TestMain(m *testing.M) {
	log.LogLevel = "error"
	beam.Init()
	os.Exit(m.Run())
}

const d = 6

// A task is rows to learn from, and what their parts share.
type task struct {
	name  string
	spec  base.Spec
	rows  []rows.Row
	start []byte // the file of a learner of no rows
	file  []byte // the model file of one machine
}

// tasks returns three tables: rows with labels, sparse rows with some rare labels, and rows with numbers.
func tasks(t *testing.T) (all []*task) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{"classes", "sparse", "numbers"} {
		m, err := sketch.New(sketch.Params{NFeatures: d, NComponents: 32, Degree: 2, Coef0: 1, Seed: sketch.IntSeed(7)})
		need(t, err)
		c := &task{name: name, spec: base.Spec{Map: m, Task: base.TaskClassify, Radius: 3, Folds: 1}}
		if name == "numbers" {
			c.spec.Task, c.spec.TargetRange, c.spec.Folds = base.TaskRegress, [2]float64{-20, 20}, 5
		}
		for i := range 701 {
			r := rows.Row{File: "part.csv", Place: int64(i + 2), IsLine: true}
			product := float32(1)
			for k := range int32(d) {
				x := random.Float32()*2 - 1
				product *= x
				if name != "sparse" || k%2 == int32(i%2) {
					r.Values = append(r.Values, x)
					r.Indices = append(r.Indices, k)
				}
			}
			if name != "sparse" {
				r.Indices = nil
			}
			switch label := random.IntN(100); {
			case name == "numbers":
				r.Targets = []float64{float64(product) * 20}
			case label == 0:
				r.Label = base.NumberLabel(1)
			default:
				r.Label = base.TextLabel(map[bool]string{true: "plus", false: "minus"}[product > 0])
			}
			c.rows = append(c.rows, r)
		}
		l, err := base.NewLearner(c.spec)
		need(t, err)
		c.start, err = model.MarshalLearnerBinary(l)
		need(t, err)
		c.file = c.oneMachine(t)
		all = append(all, c)
	}
	return all
}

// oneMachine returns the model file that package sketch/learn makes of the rows, without anything of this package.
func (c *task) oneMachine(t *testing.T) []byte {
	l, err := base.NewLearner(c.spec)
	need(t, err)
	for _, r := range c.rows {
		var X sketch.Rows = sketch.Dense(r.Values)
		if r.Indices != nil {
			X = sketch.CSR{Indptr: []int32{0, int32(len(r.Indices))}, Indices: r.Indices, Data: r.Values}
		}
		if c.spec.Task == base.TaskClassify {
			need(t, l.Add(X, []base.Label{r.Label}, nil))
		} else {
			need(t, l.AddTargets(X, r.Targets, nil))
		}
	}
	m, err := l.Fit(base.RidgeOptions{})
	need(t, err)
	file, err := model.MarshalModel(m, model.Options{})
	need(t, err)
	return file
}

// shuffled returns the rows in another order.
func (c *task) shuffled(random *rand.Rand) []rows.Row {
	all := append([]rows.Row{}, c.rows...)
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// parts cuts rows into parts of very different lengths.
func parts(all []rows.Row, random *rand.Rand) (parts [][]rows.Row) {
	for len(all) > 0 {
		n := min(len(all), 1+random.IntN([]int{1, 10, 100, 600}[random.IntN(4)]))
		parts, all = append(parts, all[:n]), all[n:]
	}
	return parts
}

func need(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func init() {
	register.DoFn1x2[rows.Row, rows.Row, error](&failOnce{})
	register.DoFn1x1[[]byte, error](&save{})
	register.DoFn2x0[rows.Row, func(rows.Row)](&dropAll{})
	register.DoFn2x0[rows.Row, func(beam.EventTime, rows.Row)](&stamp{})
}

// save keeps the file that a pipeline makes, which runs in this process.
type save struct{ To string }

func (f *save) ProcessElement(file []byte) error { return os.WriteFile(f.To, file, 0o600) }

// fitted returns the model file of a pipeline on Prism, or its error.
func fitted(t *testing.T, build func(s beam.Scope) beam.PCollection) ([]byte, error) {
	t.Helper()
	to := filepath.Join(t.TempDir(), "model.json")
	p, s := beam.NewPipelineWithRoot()
	beam.ParDo0(s, &save{To: to}, Fit(s, build(s), 0))
	if _, err := beam.Run(context.Background(), "prism", p); err != nil {
		if _, missing := os.Stat(to); missing == nil {
			t.Error("the pipeline failed, and has written a model")
		}
		return nil, err
	}
	return os.ReadFile(to)
}

func sum(t *testing.T, s beam.Scope, c *task, col beam.PCollection) beam.PCollection {
	sums, err := Sum(s, c.start, col)
	need(t, err)
	return sums
}

// TestFitIsThatOfOneMachine: on Prism, neither the order of the rows, nor bundles, nor the way in which sums are merged
// changes a byte of the model file. Prism puts what a Sum gets into few bundles, so accumulators are merged in
// TestTreesAndRetries.
func TestFitIsThatOfOneMachine(t *testing.T) {
	for _, c := range tasks(t) {
		random := rand.New(rand.NewPCG(3, 4))
		pipelines := map[string]func(s beam.Scope) beam.PCollection{
			"in one bundle": func(s beam.Scope) beam.PCollection { return sum(t, s, c, beam.CreateList(s, c.rows)) },
			"shuffled": func(s beam.Scope) beam.PCollection {
				return sum(t, s, c, beam.Reshuffle(s, beam.CreateList(s, c.shuffled(random))))
			},
			"bundles into one sum": func(s beam.Scope) beam.PCollection {
				var all []beam.PCollection
				for _, part := range parts(c.shuffled(random), random) {
					all = append(all, beam.CreateList(s, part))
				}
				return sum(t, s, c, beam.Flatten(s, all...))
			},
			"a sum of each bundle": func(s beam.Scope) beam.PCollection {
				var all []beam.PCollection
				for _, part := range parts(c.shuffled(random), random) {
					all = append(all, sum(t, s, c, beam.CreateList(s, part)))
				}
				return beam.Reshuffle(s, beam.Flatten(s, all...))
			},
		}
		for name, build := range pipelines {
			if got, err := fitted(t, build); err != nil || !bytes.Equal(got, c.file) {
				t.Errorf("%s, %s: got %d bytes (%v), want the %d of one machine", c.name, name, len(got), err, len(c.file))
			}
		}
	}
}

// stamp gives rows the time of their place, in milliseconds.
type stamp struct{}

func (*stamp) ProcessElement(r rows.Row, emit func(beam.EventTime, rows.Row)) {
	emit(mtime.FromMilliseconds(r.Place), r)
}

// TestWindows: each window with rows has sums of its own, and all together have all rows.
func TestWindows(t *testing.T) {
	c := tasks(t)[0] // whose places are 2 to 702
	got, err := fitted(t, func(s beam.Scope) beam.PCollection {
		stamped := beam.ParDo(s, &stamp{}, beam.CreateList(s, c.rows))
		sums := sum(t, s, c, beam.WindowInto(s, window.NewFixedWindows(300*time.Millisecond), stamped))
		sums = beam.WindowInto(s, window.NewGlobalWindows(), sums)
		passert.Count(s, sums, "windows", 3)
		return sums
	})
	if err != nil || !bytes.Equal(got, c.file) {
		t.Errorf("got %d bytes (%v), want the %d of one machine", len(got), err, len(c.file))
	}
}

// TestTreesAndRetries: accumulators are merged in trees drawn at random, and go through their coder now and then. Each
// bundle is begun once in vain by the same CombineFn, as a runner does that tries it again.
func TestTreesAndRetries(t *testing.T) {
	for _, c := range tasks(t) {
		f := &sumFn{Start: storage.Pack(c.start)}
		need(t, f.Setup())
		bundle := func(part []rows.Row) *Sums {
			a, err := f.CreateAccumulator()
			for i := 0; i < len(part) && err == nil; i++ {
				a, err = f.AddInput(a, part[i])
			}
			need(t, err)
			return a
		}
		again := func(a *Sums) *Sums {
			file, err := encode(a)
			need(t, err)
			a, err = decode(file)
			need(t, err)
			return a
		}
		for seed := range uint64(5) {
			random := rand.New(rand.NewPCG(5, seed))
			var waiting []*Sums
			for _, part := range parts(c.shuffled(random), random) {
				again(bundle(part[:random.IntN(len(part)+1)])) // a failed attempt
				waiting = append(waiting, bundle(part))
			}
			for len(waiting) > 1 {
				random.Shuffle(len(waiting), func(i, j int) { waiting[i], waiting[j] = waiting[j], waiting[i] })
				if i := random.IntN(4); i < 2 {
					waiting[i] = again(waiting[i])
				}
				merged, err := f.MergeAccumulators(waiting[0], waiting[1])
				need(t, err)
				waiting = append(waiting[2:], merged)
			}
			all := func(next **Sums) bool {
				if len(waiting) == 0 {
					return false
				}
				*next, waiting = waiting[0], nil
				return true
			}
			var got []byte
			need(t, (&fitFn{}).ProcessElement(nil, all, func(file []byte) { got = file }))
			if !bytes.Equal(got, c.file) {
				t.Errorf("%s, seed %d: one machine makes another model", c.name, seed)
			}
		}
	}
}

// failOnce fails at a row, once in this process.
type failOnce struct{ Place int64 }

var failures atomic.Int64

func (f *failOnce) ProcessElement(r rows.Row) (rows.Row, error) {
	if r.Place == f.Place && failures.Add(1) == 1 {
		return r, errors.New("this worker is lost")
	}
	return r, nil
}

// TestPipelineTriedAgain: a pipeline that has failed in the middle leaves nothing behind. Prism does not try bundles
// again, so the whole is.
func TestPipelineTriedAgain(t *testing.T) {
	c := tasks(t)[0]
	failures.Store(0)
	build := func(s beam.Scope) beam.PCollection {
		return sum(t, s, c, beam.ParDo(s, &failOnce{Place: 500}, beam.CreateList(s, c.rows)))
	}
	if _, err := fitted(t, build); err == nil || !strings.Contains(err.Error(), "this worker is lost") {
		t.Fatalf("the first attempt: %v, want the error of the worker", err)
	}
	if got, err := fitted(t, build); err != nil || !bytes.Equal(got, c.file) {
		t.Errorf("the second attempt gives another model than one machine (%v)", err)
	}
}

// dropAll drops all rows.
type dropAll struct{}

func (*dropAll) ProcessElement(rows.Row, func(rows.Row)) {}

// TestFaults: a row that cannot be added ends the pipeline, with an error that names its file and line.
func TestFaults(t *testing.T) {
	all := tasks(t)
	for _, c := range []struct {
		name   string
		task   *task
		change func(r *rows.Row)
		want   string
	}{
		{"not finite", all[0], func(r *rows.Row) { r.Values[1] = float32(math.NaN()) },
			"part.csv, line 302: the row must be finite"},
		{"short", all[0], func(r *rows.Row) { r.Values = r.Values[1:] },
			"part.csv, line 302: the row must have 6 numbers"},
		{"out of range", all[2], func(r *rows.Row) { r.Targets[0] = 21 },
			"part.csv, line 302: the target of the row must"},
		{"no target", all[2], func(r *rows.Row) { r.Targets = nil }, "y must hold 1 for each of"},
		{"an index", all[1], func(r *rows.Row) { r.Indices[0] = 99 }, "part.csv, line 302: the row must"},
	} {
		changed := append([]rows.Row{}, c.task.rows...)
		r := &changed[300]
		r.Values, r.Indices = slices.Clone(r.Values), slices.Clone(r.Indices)
		r.Targets = slices.Clone(r.Targets)
		c.change(r)
		_, err := fitted(t, func(s beam.Scope) beam.PCollection { return sum(t, s, c.task, beam.CreateList(s, changed)) })
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	given := *all[0]
	given.spec.Classes = base.Labels([]string{"minus", "plus"})
	l, err := base.NewLearner(given.spec)
	need(t, err)
	given.start, err = model.MarshalLearner(l)
	need(t, err)
	_, err = fitted(t, func(s beam.Scope) beam.PCollection { return sum(t, s, &given, beam.CreateList(s, given.rows)) })
	if err == nil || !strings.Contains(err.Error(), "part.csv, line ") ||
		!strings.Contains(err.Error(), "the label of the row must") {
		t.Errorf("a label that is not given: %v", err)
	}
	_, err = fitted(t, func(s beam.Scope) beam.PCollection {
		none := beam.ParDo(s, &dropAll{}, beam.CreateList(s, all[0].rows))
		return sum(t, s, all[0], none)
	})
	if err == nil || !strings.Contains(err.Error(), "there are no rows") {
		t.Errorf("no rows: %v", err)
	}
}
