package learn

import (
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn/metrics"
	"tensorsketch.example/sketch/learn/prepare"
	"tensorsketch.example/test/slow"
)

// numbers returns kinds of d numbers.
func numbers(d int) []prepare.Kind { return make([]prepare.Kind, d) }

// normalRows returns n × d standard normal numbers.
func normalRows(rng *rand.Rand, n, d int) []float32 {
	rows := make([]float32, n*d)
	for i := range rows {
		rows[i] = float32(rng.NormFloat64())
	}
	return rows
}

// labelsWhere labels rows "a" where is holds, else "b".
func labelsWhere(rows []float32, d int, is func(x []float32) bool) Targets {
	var t Targets
	for from := 0; from < len(rows); from += d {
		label := "b"
		if is(rows[from:][:d]) {
			label = "a"
		}
		t.Labels = append(t.Labels, TextLabel(label))
	}
	return t
}

// targetsOfRows has y(x) for each row.
func targetsOfRows(rows []float32, d int, y func(x []float32) float64) Targets {
	t := Targets{Each: 1}
	for from := 0; from < len(rows); from += d {
		t.Y = append(t.Y, y(rows[from:][:d]))
	}
	return t
}

func mustSearch(t *testing.T, rows sketch.Rows, kinds []prepare.Kind, targets Targets, c Choices) (Spec, *Candidates) {
	t.Helper()
	spec, report, err := Search(rows, kinds, targets, c)
	if err != nil {
		t.Fatal(err)
	}
	return spec, report
}

// describe returns all that a Search decided, as text.
func describe(spec Spec, report *Candidates) string {
	p := spec.Map.Params()
	p.IndexHash, p.BitHash = nil, nil
	held := *report.HeldOut
	without := *report
	without.HeldOut = nil
	return fmt.Sprintf("%+v %v %v %v %v %v %x %+v", held, p, spec.Preparation.Form, spec.Preparation.Unit, spec.Classes,
		spec.TargetRange, append([]float64{spec.Radius, spec.Step}, spec.Preparation.Weights...), without)
}

func TestSearchSameBits(t *testing.T) {
	slow.Elsewhere(t)
	rng := rand.New(rand.NewSource(1))
	const d = 5
	rows := normalRows(rng, 400, d)
	for i := range rows {
		if i%d == 3 {
			rows[i] = float32(rng.Intn(2))
		}
		if i%d == 1 && rng.Intn(9) == 0 {
			rows[i] = float32(math.NaN())
		}
	}
	kinds := numbers(d)
	kinds[3] = prepare.Indicator
	for name, targets := range map[string]Targets{
		"classes": labelsWhere(rows, d, func(x []float32) bool { return x[0]*x[0]+x[2] > x[3] }),
		"numbers": targetsOfRows(rows, d, func(x []float32) float64 { return math.Sin(float64(3*x[0])) + float64(x[3]) }),
	} {
		want := ""
		for _, goroutines := range []int{1, 7} {
			c := Choices{Params: sketch.Params{NComponents: 256}, Goroutines: goroutines}
			got := describe(mustSearch(t, sketch.Dense(rows), kinds, targets, c))
			if want == "" {
				want = got
			}
			if got != want {
				t.Errorf("%s with %d goroutines:\n%s\nwant\n%s", name, goroutines, got, want)
			}
		}
	}
}

func TestSearchChooses(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	for _, c := range []struct {
		name   string
		n, d   int
		y      func(x []float32) float64
		chosen string // a part of the name, or names with | between them
		linear bool
		most   float64 // of the error
	}{
		{"a plane", 400, 4, func(x []float32) float64 { return float64(x[0]+x[1]) + rng.NormFloat64() }, "", true, 0.4},
		{"a ring", 800, 2, func(x []float32) float64 { return float64(x[0]*x[0] + x[1]*x[1] - 1.4) }, "", false, 0.01},
		{"two columns of thirty", 600, 30, func(x []float32) float64 {
			return math.Sin(float64(3*x[3])) + float64(x[17]*x[17])
		}, "weights", false, 0.3},
	} {
		rows := normalRows(rng, c.n, c.d)
		_, report := mustSearch(t, sketch.Dense(rows), numbers(c.d), targetsOfRows(rows, c.d, c.y), Choices{})
		var chosen Candidate
		for _, one := range report.All {
			if one.Name == report.Chosen {
				chosen = one
			}
			if one.Skipped == "" && one.Error < 0 {
				t.Errorf("%s: %+v", c.name, one)
			}
		}
		if !strings.Contains(report.Chosen, c.chosen) || report.Linear != c.linear || chosen.Error > c.most {
			t.Errorf("%s: chose %+v, linear as good %v; want %q, %v, an error of at most %v", c.name, chosen, report.Linear,
				c.chosen, c.linear, c.most)
		}
	}
}

// TestSearchHonest: weights of columns that are noise must not seem to help, as they do where they are learned from
// the rows that are held out too (0.2 to 0.5 on these rows).
func TestSearchHonest(t *testing.T) {
	sum, seeds := 0.0, 6
	for seed := range seeds {
		rng := rand.New(rand.NewSource(int64(seed)))
		rows := normalRows(rng, 200, 60)
		targets := targetsOfRows(rows, 60, func([]float32) float64 { return rng.NormFloat64() })
		_, report := mustSearch(t, sketch.Dense(rows), numbers(60), targets, Choices{})
		for _, c := range report.All {
			if c.Name == "gaussian-weights" {
				sum += c.Error
			}
		}
	}
	if mean := sum / float64(seeds); mean < 0.96 || mean > 1.1 {
		t.Errorf("column weights on noise: held-out error %v of the variance, want about 1", mean)
	}
}

func TestSearchDeals(t *testing.T) {
	s := searchSample{n: 40}
	hashes := make([]uint64, s.n)
	for i := range hashes {
		hashes[i] = uint64(max(i, 9)) // ten equal rows
	}
	s.deal(hashes)
	for i := range 10 {
		if s.fold[i] != s.fold[0] {
			t.Fatalf("equal rows in folds %v", s.fold[:10])
		}
	}
	for f, held := range s.held[:solve.FoldCount] {
		if held < 7 || held > 10 {
			t.Errorf("fold %d has %d of 40 rows", f, held)
		}
	}
}

func TestSearchNarrowed(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	rows := normalRows(rng, 300, 3)
	targets := labelsWhere(rows, 3, func(x []float32) bool { return x[0]*x[1] > x[2] })
	yes := true
	for _, c := range []struct {
		name    string
		choices Choices
		want    string // of the map
		form    string
		tried   int
	}{
		{"degree", Choices{Params: sketch.Params{Degree: 3}}, "tensor-sketch 3 1024", prepare.MM, 1},
		{"method", Choices{Params: sketch.Params{Method: sketch.MethodTensorSketch, NComponents: 256}},
			"tensor-sketch * 256", prepare.MM, 2},
		{"kernel", Choices{Params: sketch.Params{MethodParams: sketch.MethodParams{Kernel: sketch.KernelLaplacian}}},
			"random-fourier 1 1024", prepare.Std, 2},
		{"form", Choices{Form: prepare.QN}, "random-fourier 1 1024", prepare.QN, 1},
		{"unit", Choices{Unit: &yes, Params: sketch.Params{Degree: 3}}, "tensor-sketch 3 1024", prepare.MM, 1},
		{"names", Choices{Candidates: []string{"linear", "gaussian"}}, "random-fourier 1 1024", prepare.Std, 2},
		{"seed", Choices{Params: sketch.Params{Seed: sketch.IntSeed(7), Degree: 2}, Seeded: true},
			"tensor-sketch 2 1024", prepare.MM, 1},
	} {
		spec, report := mustSearch(t, sketch.Dense(rows), numbers(3), targets, c.choices)
		p := spec.Map.Params()
		got := fmt.Sprintf("%s %d %d", p.Method, p.Degree, p.NComponents)
		if want := strings.Replace(c.want, "*", fmt.Sprint(p.Degree), 1); got != want || spec.Preparation.Form != c.form {
			t.Errorf("%s: %s on %s, want %s on %s", c.name, got, spec.Preparation.Form, want, c.form)
		}
		if tried := len(report.All); tried != c.tried {
			t.Errorf("%s: tried %d, want %d: %+v", c.name, tried, c.tried, report.All)
		}
		if c.choices.Seeded && p.Seed != c.choices.Params.Seed {
			t.Errorf("%s: seed %v", c.name, p.Seed)
		}
	}
	_, _, err := Search(sketch.Dense(rows), numbers(3), targets, Choices{Params: sketch.Params{Degree: 9}})
	if err == nil || !strings.Contains(err.Error(), "search") {
		t.Errorf("degree 9: %v, want an error that names search", err)
	}
}

// TestSearchSeeds: with two columns and few components some seeds are far off; they are passed over, or kept with a
// warning where they were typed.
func TestSearchSeeds(t *testing.T) {
	rng := rand.New(rand.NewSource(4))
	rows := normalRows(rng, 200, 2)
	targets := labelsWhere(rows, 2, func(x []float32) bool { return x[0]*x[1] > 0 })
	passed, warned := 0, 0
	for seed := range uint64(60) {
		c := Choices{Params: sketch.Params{Degree: 2, NComponents: 8, Seed: sketch.IntSeed(seed)}}
		spec, report := mustSearch(t, sketch.Dense(rows), numbers(2), targets, c)
		if report.Seeds > 1 {
			passed++
			want := sketch.IntSeed(seed + uint64(report.Seeds) - 1)
			if spec.Map.Params().Seed != want || report.Unlucky || len(report.Notes) == 0 {
				t.Errorf("seed %d: %v, %+v", seed, spec.Map.Params().Seed, report)
			}
			c.Seeded = true
			spec, report = mustSearch(t, sketch.Dense(rows), numbers(2), targets, c)
			if spec.Map.Params().Seed != c.Params.Seed || !report.Unlucky || len(report.Notes) == 0 {
				t.Errorf("typed seed %d: %v, %+v", seed, spec.Map.Params().Seed, report)
			}
			warned++
		}
	}
	if passed == 0 || passed > 30 {
		t.Errorf("%d of 60 seeds were passed over", passed)
	}
}

func TestSearchErrors(t *testing.T) {
	rows := sketch.Dense{1, 2, 3, 4}
	labels := func(texts ...string) (t Targets) {
		t.Labels = Labels(texts)
		return t
	}
	inf := float32(math.Inf(1))
	for _, c := range []struct {
		rows    sketch.Rows
		d       int
		targets Targets
		want    string
	}{
		{rows, 3, labels("a", "b"), "X must"},
		{rows, 2, labels("a", "a"), "classes must have rows of at least two"},
		{rows, 2, labels("a", "b", "a"), "labels must have one for each of 2 rows"},
		{rows, 2, Targets{Y: []float64{1}}, "y must have one for each of 2 rows"},
		{sketch.Dense{1, 2, inf, 4}, 2, labels("a", "b"), "row 1"},
		{sketch.Dense{1, 2, 1, 2}, 2, labels("a", "b"), "constant"},
		{sketch.CSR{Indptr: []int32{0, 1, 2}, Indices: []int32{0, 5}, Data: []float32{1, 1}}, 2, labels("a", "b"),
			"columns from 0 to 1"},
	} {
		_, _, err := Search(c.rows, numbers(c.d), c.targets, Choices{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.rows, err, c.want)
		}
	}
	many := normalRows(rand.New(rand.NewSource(5)), 60, 2)
	targets := labelsWhere(many, 2, func(x []float32) bool { return x[0] > 0 })
	for row := range 60 { // inside and outside of what is held out, in another order
		wrong := slices.Clone(many)
		wrong[2*row+1] = inf
		_, _, err := Search(sketch.Dense(wrong), numbers(2), targets, Choices{})
		want := fmt.Sprintf("X row %d, column 1 must be finite: remove or replace NaN and infinite values, got Infinity",
			row)
		if err == nil || err.Error() != want {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestSearchFewRows: nothing breaks with a handful of rows, and with equal ones.
func TestSearchFewRows(t *testing.T) {
	rng := rand.New(rand.NewSource(5))
	for _, n := range []int{2, 3, 6, 12} {
		rows := normalRows(rng, n, 2)
		labels := labelsWhere(rows, 2, func(x []float32) bool { return x[0] > 0 })
		labels.Labels[0], labels.Labels[1] = TextLabel("a"), TextLabel("b")
		mustSearch(t, sketch.Dense(rows), numbers(2), labels, Choices{})
		constant := targetsOfRows(rows, 2, func([]float32) float64 { return 3 })
		mustSearch(t, sketch.Dense(rows), numbers(2), constant, Choices{})
	}
	equal := sketch.Dense{0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 1, 0}
	mustSearch(t, equal, numbers(2), labelsWhere(equal, 2, func(x []float32) bool { return x[0] > 0 }), Choices{})
}

func TestSearchSparse(t *testing.T) {
	rng := rand.New(rand.NewSource(6))
	X, targets, d := sketch.CSR{Indptr: []int32{0}}, Targets{}, 6000
	for range 400 {
		label, from := "a", 0
		if rng.Intn(2) == 0 {
			label, from = "b", 40
		}
		for _, column := range rng.Perm(100)[:12] {
			X.Indices = append(X.Indices, int32((from+column)*d/200))
			X.Data = append(X.Data, 1)
		}
		X.Indptr = append(X.Indptr, int32(len(X.Data)))
		targets.Labels = append(targets.Labels, TextLabel(label))
	}
	spec, report := mustSearch(t, X, numbers(d), targets, Choices{})
	if spec.Preparation.Form != prepare.Raw || !spec.Preparation.Unit || report.All[0].Error > 0.4 {
		t.Errorf("%+v %+v", spec.Preparation, report)
	}
	_, report = mustSearch(t, X, numbers(d), targets, Choices{Mergeable: true})
	if report.Chosen == "linear-unit" || report.All[len(report.All)-1].Skipped == "" {
		t.Errorf("mergeable: %+v", report)
	}
}

// TestSearchLearns: the Spec of a search makes a learner, and its model is right on other rows.
func TestSearchLearns(t *testing.T) {
	rng := rand.New(rand.NewSource(7))
	ring := func(x []float32) bool { return x[0]*x[0]+x[1]*x[1] > 1.4 }
	rows, other := normalRows(rng, 500, 3), normalRows(rng, 500, 3)
	rows[4] = float32(math.NaN())
	spec, report := mustSearch(t, sketch.Dense(rows), numbers(3), labelsWhere(rows, 3, ring), Choices{})
	l, err := NewLearner(spec)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Add(sketch.Dense(rows), labelsWhere(rows, 3, ring).Labels, nil); err != nil {
		t.Fatal(err)
	}
	head, err := FitMoments(l.Moments(), RidgeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	spec.Classes = l.Classes()
	metrics, err := spec.Model(head).Evaluate(sketch.Dense(other), labelsWhere(other, 3, ring).Labels)
	if err != nil || metrics.Accuracy.Value < 0.93 {
		t.Errorf("%+v %v", metrics, err)
	}
	if h := report.HeldOut; h == nil || h.Rows < 70 || h.Rows > 130 || math.Abs(h.Accuracy-metrics.Accuracy.Value) > 0.08 {
		t.Errorf("held out: %+v; on other rows %+v", h, metrics.Accuracy)
	}
}

// TestSearchNoise: on labels that are noise, the interval of the accuracy that the report has covers chance. With
// -short, there are 5 seeds in place of 100.
func TestSearchNoise(t *testing.T) {
	const d = 50
	seeds, least := 100, 90
	if testing.Short() {
		seeds, least = 5, 4
	}
	for _, n := range []int{100, 300} {
		covered := 0
		for seed := range seeds {
			rng := rand.New(rand.NewSource(int64(seed)))
			rows := normalRows(rng, n, d)
			targets := labelsWhere(rows, d, func([]float32) bool { return rng.Intn(2) == 0 })
			_, report := mustSearch(t, sketch.Dense(rows), numbers(d), targets, Choices{})
			h := report.HeldOut
			if a := metrics.Wilson(int64(math.Round(h.Accuracy*float64(h.Rows))), h.Rows); a.Low <= 0.5 && a.High >= 0.5 {
				covered++
			}
		}
		t.Logf("%d rows: the interval covers chance in %d of %d seeds", n, covered, seeds)
		if covered < least {
			t.Errorf("%d rows: the interval covers chance in %d of %d seeds, want at least %d", n, covered, seeds, least)
		}
	}
}

// TestUnsolvedCandidate: a candidate without a finite error is one that was not tried, so that reports are JSON.
func TestUnsolvedCandidate(t *testing.T) {
	lead := &trial{candidate: candidate{name: "linear"}}
	s := &Searcher{searchSample: searchSample{spread: 1}, lead: lead}
	c := s.figures(&trial{candidate: candidate{name: "polynomial-2"}, mean: math.Inf(1)})
	if c.Skipped == "" || c.Error != 0 || c.Alpha != 0 || c.Behind != 0 || c.BehindSE != 0 {
		t.Errorf("%+v", c)
	}
}

// TestSearchProgress: steps tell of ever more work.
func TestSearchProgress(t *testing.T) {
	rng := rand.New(rand.NewSource(9))
	rows := normalRows(rng, 300, 3)
	s, err := NewSearcher(sketch.Dense(rows), numbers(3), targetsOfRows(rows, 3, func(x []float32) float64 {
		return float64(x[0] * x[1])
	}), Choices{})
	if err != nil {
		t.Fatal(err)
	}
	for before, steps := 0.0, 0; ; steps++ {
		done, finished, err := s.Step()
		if err != nil {
			t.Fatal(err)
		}
		if done < before || done > 1 || steps > 200 {
			t.Fatalf("step %d: %v is done, after %v", steps, done, before)
		}
		if before = done; finished {
			break
		}
	}
}
