package report

import (
	"errors"
	"math"
	"slices"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/test/slow"
	"tensorsketch.example/ui/internal/splitmix"
)

// rows returns n rows of d numbers without a pattern, each scaled to length 1.
func rows(n, d int) [][]float32 {
	random := splitmix.Source(7)
	all := make([][]float32, n)
	for i := range all {
		all[i] = make([]float32, d)
		norm := 0.0
		for j := range all[i] {
			all[i][j] = float32(random.Below(1000)) / 1000
			norm += float64(all[i][j]) * float64(all[i][j])
		}
		for j := range all[i] {
			all[i][j] /= float32(math.Sqrt(norm))
		}
	}
	return all
}

// formulasOf asks a map itself, as the page asks the JavaScript API.
func formulasOf(m *sketch.FeatureMap) Formulas {
	return func(rows []float32) (all []float64, err error) {
		d := m.NFeatures()
		for ; len(rows) > 0; rows = rows[2*d:] {
			x, y := make([]float64, d), make([]float64, d)
			for i := range x {
				x[i], y[i] = float64(rows[i]), float64(rows[d+i])
			}
			bias := 0.0
			sigma, kind := m.StdError(x, y)
			if kind != sketch.Unknown {
				bias = m.Bias(x, y)
			}
			all = append(all, m.Kernel(x, y), bias, sigma, float64(kind))
		}
		return all, nil
	}
}

// vectorOf returns what writes x.
func vectorOf(x []float32) func([]float32) { return func(dst []float32) { copy(dst, x) } }

// compare embeds the rows under one seed and returns the report.
func compare(t *testing.T, X [][]float32, params sketch.Params) *Report {
	t.Helper()
	m, err := sketch.NewFeatureMap(params)
	if err != nil {
		t.Fatal(err)
	}
	if params.Method == sketch.MethodNystroem {
		if err := m.Fit(sketch.Dense(slices.Concat(X...))); err != nil {
			t.Fatal(err)
		}
	}
	reservoir := NewReservoir(m.NFeatures(), m.NComponents())
	for _, x := range X {
		reservoir.Add(m.Transform(nil, x), vectorOf(x))
	}
	comparison := reservoir.Compare(formulasOf(m))
	for more := true; more; {
		if more, err = comparison.Step(); err != nil {
			t.Fatal(err)
		}
	}
	return comparison.Report()
}

// TestFormulas: every figure against its definition, on three rows.
func TestFormulas(t *testing.T) {
	X := rows(3, 5)
	params := sketch.Params{NFeatures: 5, NComponents: 16, Degree: 2, Coef0: 1, Seed: sketch.IntSeed(3)}
	got := compare(t, X, params)
	m, err := sketch.New(params)
	if err != nil {
		t.Fatal(err)
	}
	squares, variances, k := 0.0, 0.0, 0
	for j := range X {
		for i := range j {
			exact, estimate, x, y := 1.0, 0.0, make([]float64, 5), make([]float64, 5)
			zi, zj := m.Transform(nil, X[i]), m.Transform(nil, X[j])
			for c := range x {
				x[c], y[c] = float64(X[i][c]), float64(X[j][c])
				exact += x[c] * y[c]
			}
			for c := range zi {
				estimate += float64(zi[c]) * float64(zj[c])
			}
			pair := got.Pairs[k]
			if math.Abs(pair.Exact-exact*exact) > 1e-12 || math.Abs(pair.Estimate-estimate) > 1e-12 {
				t.Errorf("pair %d: got %+v, want exact %v, estimate %v", k, pair, exact*exact, estimate)
			}
			squares += (estimate - exact*exact) * (estimate - exact*exact)
			variances += m.Variance(x, y, 16)
			k++
		}
	}
	if len(got.Pairs) != k || math.Abs(got.RMSE-math.Sqrt(squares/3)) > 1e-12 ||
		math.Abs(got.Sigma-math.Sqrt(variances/3)) > 1e-12 || got.Kind != sketch.Exact {
		t.Errorf("got %d pairs, RMSE %v, σ %v, %v; want 3, %v, %v, exact", len(got.Pairs), got.RMSE, got.Sigma, got.Kind,
			math.Sqrt(squares/3), math.Sqrt(variances/3))
	}
}

// TestSeedsAverageToSigma: over seeds, the mean square error is the mean
// variance. 60 seeds with the kurtosis of these errors leave 25 % to chance.
func TestSeedsAverageToSigma(t *testing.T) {
	slow.Elsewhere(t)
	X := rows(60, 20)
	for _, normalize := range []string{sketch.NormalizeNone, sketch.NormalizeKernel} {
		squares, variances := 0.0, 0.0
		for seed := range uint64(60) {
			r := compare(t, X, sketch.Params{NFeatures: 20, NComponents: 256, Degree: 2, Coef0: 1, Seed: sketch.IntSeed(seed),
				Normalize: normalize})
			squares += r.RMSE * r.RMSE
			variances += r.Sigma * r.Sigma
			if want := map[string]sketch.Kind{sketch.NormalizeNone: sketch.Exact,
				sketch.NormalizeKernel: sketch.FirstOrder}[normalize]; r.Kind != want {
				t.Fatalf("normalize %s: σ is %v, want %v", normalize, r.Kind, want)
			}
		}
		if ratio := squares / variances; ratio < .75 || ratio > 1.25 {
			t.Errorf("normalize %s: mean square error is %.3f of the mean variance over 60 seeds", normalize, ratio)
		}
	}
}

func TestReservoir(t *testing.T) {
	const n = 10_000
	r := NewReservoir(1, 1)
	var counts [10]int
	for i := range n {
		r.Add([]float32{float32(-i)}, vectorOf([]float32{float32(i)}))
	}
	for _, row := range r.rows {
		if row.X[0] != float32(row.Index) || row.Z[0] != float32(-row.Index) {
			t.Fatalf("row %d holds %v and %v", row.Index, row.X, row.Z)
		}
		counts[row.Index*10/n]++
	}
	for tenth, count := range counts {
		if count < 20 || count > 60 {
			t.Errorf("%d of 400 rows are from tenth %d of the stream", count, tenth)
		}
	}
	again := NewReservoir(1, 1)
	for i := range n {
		again.Add([]float32{float32(-i)}, vectorOf([]float32{float32(i)}))
	}
	for i := range r.rows {
		if r.rows[i].Index != again.rows[i].Index {
			t.Fatal("a second run over the same rows samples others")
		}
	}
}

func TestReservoirIsBounded(t *testing.T) {
	for _, test := range []struct{ d, D, want int }{{64, 1024, 400}, {1, 1 << 20, 15}, {1, 1 << 24, 2}} {
		if got := NewReservoir(test.d, test.D).capacity; got != test.want {
			t.Errorf("d %d, D %d: %d rows, want %d", test.d, test.D, got, test.want)
		}
	}
}

func TestSamplePairs(t *testing.T) {
	for n, want := range map[int]int{0: 0, 1: 0, 2: 1, 63: 1953, 64: 2000, 400: 2000} {
		pairs := samplePairs(n)
		seen := map[[2]int]bool{}
		for _, pair := range pairs {
			if seen[pair] || pair[0] >= pair[1] || pair[1] >= n {
				t.Fatalf("n %d: pair %v", n, pair)
			}
			seen[pair] = true
		}
		if len(pairs) != want {
			t.Errorf("n %d: %d pairs, want %d", n, len(pairs), want)
		}
	}
}

func TestNothingToCompare(t *testing.T) {
	r := compare(t, rows(1, 3), sketch.Params{NFeatures: 3, NComponents: 8})
	if len(r.Pairs) != 0 || r.RMSE != 0 || r.Sigma != 0 {
		t.Errorf("one row: %+v", r)
	}
}

func TestWithin(t *testing.T) {
	r := Report{Pairs: []Pair{{1, 1.5, .5, 0}, {1, 0, .4, 0}, {1, 1, 0, 0}}}
	for factor, want := range map[float64]int{1: 2, 2: 2, 3: 3} {
		if got := r.Within(factor); got != want {
			t.Errorf("within %v σ: %d, want %d", factor, got, want)
		}
	}
}

// TestBias: over seeds, the mean square error of a biased map is variance and squared
// bias, and deviations are from the mean. 60 seeds with the kurtosis of these errors
// leave 25 % to chance.
func TestBias(t *testing.T) {
	slow.Elsewhere(t)
	X := rows(60, 20)
	squares, predicted, deviations, variances := 0.0, 0.0, 0.0, 0.0
	for seed := range uint64(60) {
		r := compare(t, X, sketch.Params{Method: sketch.MethodSpherical, NFeatures: 20, NComponents: 2048, Degree: 2,
			Seed: sketch.IntSeed(seed)})
		if r.Kind != sketch.Exact || r.Bias < r.Sigma {
			t.Fatalf("σ is %v, %v, the bias %v: too small to tell", r.Sigma, r.Kind, r.Bias)
		}
		squares += r.RMSE * r.RMSE
		predicted += r.Predicted() * r.Predicted()
		for _, pair := range r.Pairs {
			deviations += pair.Deviation() * pair.Deviation() / float64(len(r.Pairs))
		}
		variances += r.Sigma * r.Sigma
	}
	for _, ratio := range []float64{squares / predicted, deviations / variances} {
		if ratio < .75 || ratio > 1.25 {
			t.Errorf("measured is %.3f of what is predicted over 60 seeds", ratio)
		}
	}
}

// TestSeenBias: a bias far below σ, or below rounding, is none.
func TestSeenBias(t *testing.T) {
	pairs := []Pair{{Exact: -4}}
	for _, test := range []struct {
		bias, sigma float64
		want        bool
	}{{0, 0, false}, {5.44e-94, 1e-3, false}, {3e-6, .074, false}, {7.5e-4, .074, true}, {.0111, 2e-11, true},
		{3.9e-7, 0, false}, {4.1e-7, 0, true}} {
		if got := (&Report{Pairs: pairs, Bias: test.bias, Sigma: test.sigma}).IsBiased(); got != test.want {
			t.Errorf("bias %v beside σ %v: %v", test.bias, test.sigma, got)
		}
	}
	if (&Report{Pairs: []Pair{{Exact: 1e-77}}, Self: 1, Bias: 3e-79}).IsBiased() {
		t.Error("a bias far below the kernel of a row with itself is seen")
	}
}

// TestDegenerateKernel: a gaussian of rows far apart tells nothing, also where some
// rows are the same; rows that are all the same are no such case.
func TestDegenerateKernel(t *testing.T) {
	X := rows(20, 5)
	params := sketch.Params{Method: sketch.MethodRandomFourier, NFeatures: 5, NComponents: 16}
	if r := compare(t, X, params); r.IsDegenerate() || r.Self != 1 || r.Unlike != 190 || !(r.Apart < 1) {
		t.Errorf("near each other: %v, self %v, apart %v, %d pairs", r.IsDegenerate(), r.Self, r.Apart, r.Unlike)
	}
	params.Gamma = 1e6
	if r := compare(t, append(X, X[0]), params); !r.IsDegenerate() || r.Unlike != 209 {
		t.Errorf("far apart: self %v, apart %v, %d pairs", r.Self, r.Apart, r.Unlike)
	}
	if r := compare(t, [][]float32{X[0], X[0], X[0]}, params); r.IsDegenerate() {
		t.Error("rows that are the same are taken for unlike ones")
	}
}

// TestUnknown: where no formula tells σ, the measured error is there all the same.
func TestUnknown(t *testing.T) {
	r := compare(t, rows(40, 20), sketch.Params{Method: sketch.MethodNystroem, NFeatures: 20, NComponents: 10})
	if r.IsPredicted() || r.Kind != sketch.Unknown || len(r.Pairs) != 40*39/2 || !(r.RMSE > 0) || r.Bias != 0 ||
		!math.IsNaN(r.Predicted()) {
		t.Errorf("%d pairs, RMSE %v, bias %v, %v", len(r.Pairs), r.RMSE, r.Bias, r.Kind)
	}
}

// TestFormulasFail: an error of the formulas is that of the comparison.
func TestFormulasFail(t *testing.T) {
	reservoir := NewReservoir(1, 1)
	reservoir.Add([]float32{1}, vectorOf([]float32{1}))
	reservoir.Add([]float32{2}, vectorOf([]float32{2}))
	want := errors.New("no memory")
	if more, err := reservoir.Compare(func([]float32) ([]float64, error) {
		return nil, want
	}).Step(); more || err != want {
		t.Errorf("got %v, %v", more, err)
	}
}
