package learn

import (
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn/prepare"
	"tensorsketch.example/test/need"
)

// Twice as many features are taken where there are many rows, and 1,024 are better than 512 by a standard error: for
// waves in four columns, and not for noise or where the sums would take too long.
func TestMoreFeatures(t *testing.T) {
	waves := func(x []float32, _ *rand.Rand) float64 { return math.Sin(3 * float64(x[0]*x[1]+x[2]*x[3])) }
	for name, c := range map[string]struct {
		rows, want int
		y          func(x []float32, rng *rand.Rand) float64
	}{
		"waves":     {8192, 2048, waves},
		"too many":  {40000, 1024, waves},
		"fewer":     {8191, 1024, waves},
		"all noise": {8192, 1024, func(_ []float32, rng *rand.Rand) float64 { return rng.NormFloat64() }},
	} {
		rng := rand.New(rand.NewSource(4))
		const n, d = 1200, 4
		rows, y := normalRows(rng, n, d), make([]float64, n)
		for i := range y {
			y[i] = c.y(rows[i*d:(i+1)*d], rng)
		}
		s, err := NewSearcher(sketch.Dense(rows), numbers(d), Targets{Y: y}, Choices{Candidates: []string{"gaussian"}})
		if err != nil {
			t.Fatal(err)
		}
		for finished := false; !finished && err == nil; {
			_, finished, err = s.Step()
		}
		s.inside = make([]int, c.rows)
		if got, err := s.components(s.lead); err != nil || got != c.want {
			t.Errorf("%s: %d features, %v; want %d", name, got, err, c.want)
		}
	}
}

// Rows of which a search sees a sample have a model of 1,024 features, and scales from some of them: 60,000 images of
// 784 numbers took 134 s, as 21,400 of them might have had 2,048 features.
func TestSampleOfManyNumbers(t *testing.T) {
	const n, d = searchRows + 1, 1100
	s := &Searcher{kinds: make([]prepare.Kind, d), all: sketch.Dense{}, inside: make([]int, solve.SampleNumbers/d)}
	if got, err := s.components(nil); err != nil || got != 2*searchComponents {
		t.Errorf("%d features, %v; want %d", got, err, 2*searchComponents)
	}
	rows := make([]float32, n*d)
	for j := range d {
		rows[j] = float32(j + 1)
	}
	rows[(n-1)*d] = float32(math.Inf(1)) // of a row after those that say the scales
	s.part = func(from, to int) sketch.Rows { return sketch.Dense(rows[from*d : to*d]) }
	s.inside = pick(n, n, sketch.IntSeed(0))
	at := slices.Index(s.inside, n-1)
	s.inside[at], s.inside[n-1] = s.inside[n-1], s.inside[at]
	if _, err := s.prepare(prepare.Std); err != nil {
		t.Errorf("%v; want scales of the first %d rows", err, searchRows)
	}
}

// With many rows the model has twice the γ that 4,000 rows chose: R² of pol with 11,250 rows to learn from was 0.961,
// and is 0.972. A typed γ and polynomials stay.
func TestGammaOfManyRows(t *testing.T) {
	const n, d = 120, 3
	rng := rand.New(rand.NewSource(5))
	rows, y := normalRows(rng, n, d), make([]float64, n)
	for i := range y {
		y[i] = math.Sin(float64(rows[i*d]))
	}
	for _, c := range []struct {
		name  string
		typed float64
		want  float64
	}{{"gaussian", 0, 2}, {"laplacian", 0, 2}, {"gaussian", 0.3, 1}, {"polynomial-2", 0, 1}, {"linear", 0, 1}} {
		s, err := NewSearcher(sketch.Dense(rows), numbers(d), Targets{Y: y}, Choices{Candidates: []string{c.name},
			Params: sketch.Params{NComponents: 64, Gamma: c.typed}})
		if err != nil {
			t.Fatal(err)
		}
		for finished := false; !finished && err == nil; {
			_, finished, err = s.Step()
		}
		var gammas []float64
		for _, inside := range []int{rowsOfMany - 1, rowsOfMany} {
			s.inside = make([]int, inside)
			if err := s.finish(); err != nil {
				t.Fatal(err)
			}
			gammas = append(gammas, s.spec.Map.Params().Gamma)
		}
		if got := gammas[1] / gammas[0]; got != c.want {
			t.Errorf("%s, γ %v typed: %v times the γ, want %v", c.name, c.typed, got, c.want)
		}
	}
}

// Rounds of column weights go on after the fourth while each lowers the error by 2 %, up to the twelfth: with 94
// columns of noise among 100 the fourth round is far from the best.
func TestRoundsOfColumnWeights(t *testing.T) {
	for _, c := range []struct{ gain, want float64 }{{0.9, 12}, {0.985, 5}, {1.01, 2}} {
		s := &Searcher{}
		s.held[0] = surelyRows // not few
		w := &weighing{}
		s.weighing = w
		mean := 1.0
		for w.round = 1; ; w.round++ {
			w.next, w.gammas = &trial{mean: mean, rows: surelyRows}, []float64{1}
			s.afterRound(w.next)
			if mean *= c.gain; w.ended {
				break
			}
		}
		if w.round != int(c.want) {
			t.Errorf("errors that shrink to %v of the one before: %d rounds, want %v", c.gain, w.round, c.want)
		}
	}
}

// Targets that follow the largest numbers of a column are lost where it is cut. A linear model of the column as it is
// is tried as well, where numbers are cut at all, and one wild number does not stretch the grid. Delays of flights, of
// which a few are a hundred times the others, had R² 0.85 in place of 0.91.
func TestUncut(t *testing.T) {
	const n, d = 2000, 3
	rng := rand.New(rand.NewSource(5))
	made := func(tail func() float64) ([]float32, []float64) {
		rows, y := normalRows(rng, n, d), make([]float64, n)
		for i := range y {
			x := float32(tail())
			rows[i*d] = x
			y[i] = float64(x) + float64(rows[i*d+1]) + 0.5*rng.NormFloat64()
		}
		return rows, y
	}
	rows, y := made(func() float64 { return math.Exp(1.5 * rng.NormFloat64()) })
	_, report := mustSearch(t, sketch.Dense(rows), numbers(d), Targets{Y: y}, Choices{})
	if report.Chosen != "linear-uncut" {
		t.Errorf("of heavy tails %s is chosen", report.Chosen)
	}
	rows, y = made(rng.Float64)
	for i := range rows {
		rows[i] = float32(math.Mod(float64(rows[i]), 1))
	}
	_, report = mustSearch(t, sketch.Dense(rows), numbers(d), Targets{Y: y}, Choices{})
	for _, c := range report.All {
		if c.Name == "linear-uncut" {
			t.Errorf("nothing is cut, and it is tried: %+v", c)
		}
	}
	rows[0] = 1e8
	p, err := prepare.New(prepare.Uncut, rows, numbers(d))
	if c := p.Columns[0]; err != nil || p.Form != prepare.Std || c.High != c.Mean+50*c.Scale {
		t.Errorf("%v: %+v", err, c)
	}
	if isWider := p.Widen([]float32{2e8, 0, -9}); !isWider || p.Columns[0].High != 2e8 || p.Columns[2].Low != -9 {
		t.Errorf("%v: %+v", isWider, p.Columns)
	}
	if p.Widen([]float32{0, float32(math.NaN()), 0}) {
		t.Error("a row within the ends moves them")
	}
}

// A row far beyond all others, such as the largest town of a country, is fitted where its numbers are, also where the
// search held it out. Where they were cut and its target was not, it bent the model for typical towns. A number that is
// wrong stays cut.
func TestUncutEndsOfAllRows(t *testing.T) {
	const n, d = 200, 3
	cut := 0
	for seed := int64(1); seed <= 12; seed++ {
		for _, isWrong := range []bool{false, true} {
			rng := rand.New(rand.NewSource(seed))
			rows, y := make([]float32, n*d), make([]float64, n)
			for i := range n {
				y[i] = math.Exp(1.2 * rng.NormFloat64())
				if i == 0 {
					y[i] = 100
				}
				for j := range d {
					rows[i*d+j] = float32(y[i] * (1 + 0.02*rng.NormFloat64()))
				}
			}
			if isWrong {
				y[0] = 1
			}
			X := sketch.Dense(rows)
			spec, report := mustSearch(t, X, numbers(d), Targets{Y: y}, Choices{Candidates: []string{"linear-uncut"}})
			l := need.Value(NewLearner(spec))(t)
			need.OK(t, l.AddTargets(X, y, nil))
			m := need.Value(l.Fit(RidgeOptions{}))(t)
			got := need.Value(m.EvaluateTargets(X[d:], y[1:]))(t)[0].RMSE.Value
			if report.Chosen != "linear-uncut" || !isWrong && !(got < 0.1) {
				t.Errorf("seed %d: RMSE %v of the other rows of the fit", seed, got)
			}
			if isWrong && spec.Preparation.Columns[0].High < 20 {
				cut++
			}
		}
	}
	if cut == 0 {
		t.Error("every wrong number moved the ends, also where it was held out")
	}
}

// From 64 columns on a Gaussian kernel has structured frequencies; other kernels have none.
func TestStructuredOfManyColumns(t *testing.T) {
	for _, c := range []struct {
		d          int
		name, want string
	}{
		{63, "gaussian", ""}, {64, "gaussian", "structured"}, {64, "gaussian-weights", "structured"}, {64, "laplacian", ""},
	} {
		rng := rand.New(rand.NewSource(6))
		const n = 600
		rows, y := normalRows(rng, n, c.d), make([]float64, n)
		for i := range y {
			y[i] = math.Sin(2 * float64(rows[i*c.d]))
		}
		s, err := NewSearcher(sketch.Dense(rows), numbers(c.d), Targets{Y: y}, Choices{
			Candidates: []string{strings.TrimSuffix(c.name, "-weights"), c.name}})
		if err != nil {
			t.Fatal(err)
		}
		for finished := false; !finished && err == nil; {
			_, finished, err = s.Step()
		}
		spec, report := s.Result()
		if err != nil || spec.Map == nil {
			t.Fatal(err)
		}
		if got := spec.Map.Params().MethodParams.Projection; got != c.want || report.Chosen != c.name {
			t.Errorf("%d columns, %s: projection %q, want %q", c.d, report.Chosen, got, c.want)
		}
	}
}
