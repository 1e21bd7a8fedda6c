package learn_test

import (
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/learn/prepare"
	"tensorsketch.example/test/golden"
	"tensorsketch.example/test/need"
)

var nan = float32(math.NaN())

// prepared returns rows as a preparation makes them, and how many cells it cut.
func prepared(t testing.TB, p *prepare.Preparation, rows []float32) (sketch.Dense, int64) {
	t.Helper()
	X, cut, err := p.Rows(sketch.Dense(rows), nil)
	need.OK(t, err)
	return X.(sketch.Dense), cut
}

// kindsOf returns the kinds of d columns of numbers.
func kindsOf(d int) []prepare.Kind { return make([]prepare.Kind, d) }

// rowsOf returns columns of n numbers as rows.
func rowsOf(columns ...[]float32) (rows []float32) {
	for i := range columns[0] {
		for _, column := range columns {
			rows = append(rows, column[i])
		}
	}
	return rows
}

// drawn returns n numbers of a seed.
func drawn(n int, seed int64, next func(*rand.Rand) float64) []float32 {
	rng, column := rand.New(rand.NewSource(seed)), make([]float32, n)
	for i := range column {
		column[i] = float32(next(rng))
	}
	return column
}

func TestPreparation(t *testing.T) {
	normal := drawn(2000, 1, (*rand.Rand).NormFloat64)
	holes, constant, flag := slices.Clone(normal), make([]float32, 2000), make([]float32, 2000)
	for i := range holes {
		if i%10 == 0 {
			holes[i] = nan
		}
		constant[i] = 7
		flag[i] = float32(i % 2)
	}
	rows := rowsOf(normal, holes, constant, flag)
	kinds := []prepare.Kind{prepare.Number, prepare.Number, prepare.Number, prepare.Indicator}
	for _, form := range []string{prepare.Std, prepare.MM, prepare.QN} {
		p := need.Value(prepare.New(form, rows, kinds))(t)
		if p.NFeatures() != 4 || p.NOutputs() != 4 || !p.Columns[1].Missing || !p.Columns[2].Unused {
			t.Fatalf("%s: %d coordinates become %d: %+v", form, p.NFeatures(), p.NOutputs(), p.Columns)
		}
		X, _ := prepared(t, p, rows)
		for r := range 2000 {
			if X[4*r+3] != flag[r] || X[4*r+2] != 1 && r%10 == 0 || X[4*r+2] != 0 && r%10 != 0 {
				t.Fatalf("%s: row %d is %v", form, r, X[4*r:4*r+4])
			}
		}
		least, largest := float32(-4), float32(4)
		if form == prepare.MM {
			least, largest = 0, 1
		}
		for j := range 2 {
			sum, column := 0.0, make([]float32, 2000)
			for r := range column {
				column[r] = X[4*r+j]
				sum += float64(column[r])
			}
			if slices.Min(column) < least || slices.Max(column) > largest {
				t.Errorf("%s: column %d goes from %v to %v", form, j, slices.Min(column), slices.Max(column))
			}
			if form != prepare.MM && math.Abs(sum/2000) > 0.01 {
				t.Errorf("%s: column %d has mean %v", form, j, sum/2000)
			}
		}
		shuffled := slices.Clone(rows)
		rand.New(rand.NewSource(2)).Shuffle(2000, func(a, b int) {
			for j := range 4 {
				shuffled[4*a+j], shuffled[4*b+j] = shuffled[4*b+j], shuffled[4*a+j]
			}
		})
		if again := need.Value(prepare.New(form, shuffled, kinds))(t); !again.Equal(p) {
			t.Errorf("%s: the rows in another order give another preparation", form)
		}
		dst := make([]float32, 4)
		for _, far := range []float32{1e30, -1e30} {
			if cut := need.Value(p.Apply(dst, []float32{far, nan, 8, 0}))(t); cut != 1 {
				t.Errorf("%s: %d cells of a row are cut, want 1: %v", form, cut, dst)
			}
		}
		if cut := need.Value(p.Apply(dst, []float32{nan, nan, nan, 0}))(t); cut != 1 {
			t.Errorf("%s: %d cells are counted, want 1: the first has no coordinate for a missing number", form, cut)
		}
	}
}

// A column of 0 and 1 with 3 ones in 2,000 rows decides the label. Cut at its quantiles it would be gone.
func TestRareColumnSurvives(t *testing.T) {
	flag, counts := make([]float32, 2000), make([]float32, 2000)
	for i := range 3 {
		flag[600*i+5], counts[600*i+5] = 1, 20+float32(i)
	}
	for i := range 15 { // more than ten different numbers
		counts[100+i] = float32(i) + 1
	}
	for at, column := range [][]float32{flag, counts} {
		rows := rowsOf(column, drawn(2000, 3, (*rand.Rand).NormFloat64), drawn(2000, 4, (*rand.Rand).NormFloat64))
		p := need.Value(prepare.New(prepare.Std, rows, kindsOf(3)))(t)
		X, _ := prepared(t, p, rows)
		for i := range 3 {
			if z, scale := X[3*(600*i+5)], 1/p.Columns[0].Scale; float64(z) < 0.9*scale*float64(column[600*i+5]) {
				t.Errorf("a rare %v becomes %v, with a scale of %v", column[600*i+5], z, p.Columns[0].Scale)
			}
		}
		labels := make([]learn.Label, 2000)
		for i := range labels {
			labels[i] = learn.BoolLabel(flag[i] == 1)
		}
		m := need.Value(sketch.NewFeatureMap(sketch.Params{Method: sketch.MethodRandomFourier, NFeatures: 3, NComponents: 512,
			Gamma: 0.1, Seed: sketch.IntSeed(1)}))(t)
		model := need.Value(learn.FitModel(learn.Spec{Map: m, Preparation: p}, sketch.Dense(rows), labels,
			learn.RowsOptions{Alpha: 1e-3}))(t)
		for _, model := range []*learn.Model{model, model.Beside}[:2-at] { // no line divides counts well
			predicted := need.Value(model.Predict(sketch.Dense(rows)))(t)
			for i := range labels {
				if predicted[i] != labels[i] && labels[i] == learn.BoolLabel(true) {
					t.Errorf("row %d is predicted %v, by a model of %d features", i, predicted[i], model.Linear.D)
				}
			}
		}
	}
}

// One cell among 2,000 rows, however large, changes the others by little, in measurements and in codes.
func TestOneWildCell(t *testing.T) {
	columns := map[string][]float32{
		"measurements": drawn(2000, 5, (*rand.Rand).NormFloat64),
		"codes":        drawn(2000, 6, func(rng *rand.Rand) float64 { return float64(rng.Intn(3)) }),
		"true, false":  drawn(2000, 7, func(rng *rand.Rand) float64 { return float64(rng.Intn(2)) }),
	}
	for name, column := range columns {
		for _, form := range []string{prepare.Std, prepare.MM, prepare.QN} {
			calm := need.Value(prepare.New(form, column, kindsOf(1)))(t)
			before, _ := prepared(t, calm, column)
			for _, wild := range []float32{100, 1e4, 1e8, -1e8} {
				changed := slices.Clone(column)
				changed[77] = wild
				p := need.Value(prepare.New(form, changed, kindsOf(1)))(t)
				after, cut := prepared(t, p, changed)
				if form == prepare.Std && cut == 0 {
					t.Errorf("%s, %s: %v is not cut", name, form, wild)
				}
				spread := float64(slices.Max(before) - slices.Min(before))
				if form == prepare.MM && name != "measurements" { // the cell itself may lie ten deviations beyond
					continue
				}
				for i := range before {
					if d := math.Abs(float64(after[i] - before[i])); i != 77 && d > 0.05*spread {
						t.Errorf("%s, %s: with a cell of %v, row %d becomes %v, before %v", name, form, wild, i, after[i], before[i])
						break
					}
				}
			}
		}
	}
}

// Learners that prepare the same way merge and unlearn to the bit, and the model says how many cells were cut.
func TestPreparationMerges(t *testing.T) {
	n := 600
	rows := rowsOf(drawn(n, 8, (*rand.Rand).NormFloat64), drawn(n, 9, (*rand.Rand).ExpFloat64))
	rows[31], rows[500] = nan, 1e9
	y := make([]float64, n)
	for i := range y {
		y[i] = float64(i%7) - 3
	}
	p := need.Value(prepare.New(prepare.Std, rows, kindsOf(2)))(t)
	p.Weights, p.Unit = []float64{1, 0.5, 1}, true
	m := need.Value(sketch.New(sketch.Params{NFeatures: 3, NComponents: 64, Seed: sketch.IntSeed(1)}))(t)
	spec := need.Value(learn.PrepareTargets(learn.Spec{Map: m, Preparation: p}, sketch.Dense(rows), y))(t)
	if spec.Radius != 1 {
		t.Errorf("the radius is %v, want 1: of prepared rows", spec.Radius)
	}
	learner := func(from, to int) *learn.Learner {
		l := need.Value(learn.NewLearner(spec))(t)
		need.OK(t, l.AddTargets(sketch.Dense(rows[2*from:2*to]), y[from:to], nil))
		return l
	}
	all, first, last := learner(0, n), learner(0, 250), learner(250, n)
	_, cut := prepared(t, p, rows)
	if cut == 0 || all.State().Cut != cut {
		t.Errorf("%d cells are cut, want %d", all.State().Cut, cut)
	}
	same := func(a, b *learn.Learner) bool {
		s, o := a.State(), b.State()
		return s.Cut == o.Cut && slices.Equal(s.Moments, o.Moments) && slices.Equal(s.Linear, o.Linear)
	}
	need.OK(t, first.Merge(last))
	if !same(first, all) {
		t.Error("two parts merged have other sums than all rows")
	}
	need.OK(t, all.Subtract(last))
	if !same(all, learner(0, 250)) {
		t.Error("less the second part, the sums are not the first part's")
	}
	report := need.Value(first.Fit(learn.RidgeOptions{}))(t)
	if report.Report.Cut != cut || report.Beside.Preparation.Unit || report.Beside.Preparation.Weights != nil {
		t.Errorf("the report has %d cut cells, the linear model is prepared by %+v", report.Report.Cut,
			report.Beside.Preparation)
	}
	others := map[string]func(*prepare.Preparation){
		"preparation.form":       func(p *prepare.Preparation) { p.Form = prepare.MM },
		"preparation.unit":       func(p *prepare.Preparation) { p.Unit = false },
		"preparation.weights":    func(p *prepare.Preparation) { p.Weights = []float64{1, 0.5, math.Nextafter(1, 0)} },
		"preparation.columns[1]": func(p *prepare.Preparation) { p.Columns[1].Low = math.Nextafter(p.Columns[1].Low, -1) },
	}
	for name, change := range others {
		other := *p
		other.Columns = slices.Clone(p.Columns)
		change(&other)
		o := spec
		o.Preparation = &other
		err := first.Merge(need.Value(learn.NewLearner(o))(t))
		if err == nil || !strings.HasPrefix(err.Error(), name+" must be the same in all parts: prepare once") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPreparationErrors(t *testing.T) {
	m := need.Value(sketch.New(sketch.Params{NFeatures: 2, NComponents: 64, Seed: sketch.IntSeed(1)}))(t)
	rows := []float32{1, 2, 3, 5, 8, 9}
	p := need.Value(prepare.New(prepare.Std, rows, kindsOf(2)))(t)
	inf := float32(math.Inf(1))
	three := need.Value(sketch.New(sketch.Params{NFeatures: 3, NComponents: 64, Seed: sketch.IntSeed(1)}))(t)
	spec := learn.Spec{Map: m, Preparation: p, Task: learn.TaskRegress, Radius: 1, TargetRange: [2]float64{0, 1}}
	other, private := spec, spec
	other.Map, private.Private = three, true
	fit := func(form string, rows []float32, d int) error {
		_, err := prepare.New(form, rows, kindsOf(d))
		return err
	}
	apply := func(X sketch.Rows) error {
		_, _, err := p.Rows(X, nil)
		return err
	}
	begin := func(spec learn.Spec) error {
		_, err := learn.NewLearner(spec)
		return err
	}
	golden.Errors(t, map[string]error{
		"a constant column":  fit(prepare.Std, []float32{1, 2, 1, 2}, 2),
		"infinite":           fit(prepare.QN, []float32{1, inf}, 2),
		"NaN":                fit(prepare.Raw, []float32{1, nan}, 1),
		"an unknown form":    fit("rank", rows, 2),
		"no rows":            fit(prepare.Std, rows, 4),
		"an infinite cell":   apply(sketch.Dense{1, 2, 3, inf}),
		"sparse rows":        apply(sketch.CSR{Indptr: []int32{0}}),
		"a map of 3 columns": begin(other),
		"private moments":    begin(private),
	})
}

// Sparse and dense rows of the form raw give the same bits, in any order of a row's numbers.
func TestRawPreparationOfSparseRows(t *testing.T) {
	p := need.Value(prepare.New(prepare.Raw, make([]float32, 5), kindsOf(5)))(t)
	p.Unit, p.Weights = true, []float64{1, 0.3, 0.7, 0, 2}
	dense, _ := prepared(t, p, []float32{0, 0.1, 0.2, 5, 0.3, 0, 0, 0, 0, 0})
	sparse, _, err := p.Rows(sketch.CSR{Indptr: []int32{0, 4, 4}, Indices: []int32{4, 1, 3, 2},
		Data: []float32{0.3, 0.1, 5, 0.2}}, nil)
	need.OK(t, err)
	if got, want := sparse.(sketch.CSR).Data, []float32{dense[4], dense[1], dense[3], dense[2]}; !slices.Equal(got, want) {
		t.Errorf("sparse rows become %v, dense ones %v", got, want)
	}
}
