package learn

import (
	"math"
	"math/rand"
	"slices"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn/prepare"
)

// As many training rows as columns, in some of the folds but not in the largest: sums for those, products of rows for
// the others.
func TestSearchOfFewRows(t *testing.T) {
	const d = 10
	for n := 11; n <= 14; n++ {
		rows := normalRows(rand.New(rand.NewSource(int64(n))), n, d)
		rows[0], rows[d] = 1, -1
		targets := labelsWhere(rows, d, func(x []float32) bool { return x[0] > 0 })
		_, report := mustSearch(t, sketch.Dense(rows), numbers(d), targets, Choices{Goroutines: 1 + n%2*2})
		if report.Chosen == "" {
			t.Errorf("%d rows: none is chosen", n)
		}
	}
}

// Fewer than 20 rows, and rows that are far fewer than the columns, weigh none of them, and the report says so. Of coin
// flips of 12 rows of 10 numbers, one in twenty led by more than two standard errors, with a log loss of 1.6.
func TestNoWeightsOfFewRows(t *testing.T) {
	const few = "rows are too few to weigh so many columns"
	for _, c := range []struct {
		n, d int
		want string
	}{{19, 10, few}, {30, 10, ""}, {30, 321, few}, {60, 321, ""}} {
		n, d, want := c.n, c.d, c.want
		rows := normalRows(rand.New(rand.NewSource(1)), n, d)
		targets := labelsWhere(rows, d, func(x []float32) bool { return x[0] > 0 })
		choices := Choices{Candidates: []string{"gaussian", "gaussian-weights"}}
		_, report := mustSearch(t, sketch.Dense(rows), numbers(d), targets, choices)
		if last := report.All[len(report.All)-1]; last.Name != "gaussian-weights" || last.Skipped != want {
			t.Errorf("%d rows: %+v", n, last)
		}
	}
}

// Column weights must lead by two standard errors with fewer than 40 rows or fewer than columns, by one up to 160, and
// by nothing above. Of coin flips of 12 rows, three in ten led by one.
func TestLeadOfColumnWeights(t *testing.T) {
	for _, c := range []struct {
		rows, width int
		lead        float64 // in standard errors
	}{{20, 10, 2}, {39, 10, 2}, {40, 10, 1}, {80, 200, 2}, {159, 100, 1}, {160, 200, 0}} {
		s := &Searcher{forms: map[string]*formRows{prepare.Std: {width: c.width}}}
		s.n, s.fold, s.threads = c.rows, make([]uint8, c.rows), 1
		of := func(lead float64, rounds int) *trial {
			one := &trial{candidate: candidate{form: prepare.Std, rounds: rounds}, rows: c.rows}
			one.done[0] = true
			for i := range c.rows { // the differences have the standard deviation 1, about
				noise := float64(2*(i%2)-1) * float64(rounds)
				one.loss = append(one.loss, 10-lead/math.Sqrt(float64(c.rows))+noise)
			}
			for _, v := range one.loss {
				one.mean += v / float64(c.rows)
			}
			return one
		}
		plain := of(0, 0)
		for _, more := range []float64{-.25, .25} {
			if got, want := s.beats(of(c.lead+more, 1), plain), more > 0; got != want {
				t.Errorf("%d rows of %d columns, a lead of %v: it beats %v", c.rows, c.width, c.lead+more, got)
			}
		}
	}
}

// One row that is not like the others, which are equal: where it is held out, the rows that weigh the columns are all
// one row, and say nothing. The search ended with an error about NaN in rows that have none, and of 40 rows it chose a
// candidate whose equations cannot be solved.
func TestSearchOfOneOddRow(t *testing.T) {
	for _, n := range []int{24, 40} {
		rows := make([]float32, 2*n)
		rows[0], rows[1] = 1, 1
		labels := make([]Label, n)
		for i := range labels {
			labels[i] = NumberLabel(float64(i % 2))
		}
		spec, report := mustSearch(t, sketch.Dense(rows), numbers(2), Targets{Labels: labels}, Choices{})
		for _, w := range spec.Preparation.Weights {
			if !(w > 0 && w <= 1) {
				t.Errorf("%d rows: column weights %v", n, spec.Preparation.Weights)
			}
		}
		for _, c := range report.All {
			if c.Name == report.Chosen && c.Skipped != "" {
				t.Errorf("%d rows: %s is chosen, though %s", n, c.Name, c.Skipped)
			}
		}
	}
}

// 15 rows of two classes that differ in one direction: the model is right as often as the nearer mean of a class. While
// λ and the threshold came from five folds of so few rows, it was right on 0.9 of 100 rows less than that.
func TestFewRowsOfTwoClasses(t *testing.T) {
	const n, fresh, d, draws = 15, 400, 10, 120
	rng := rand.New(rand.NewSource(7))
	right, nearer := 0, 0
	for range draws {
		rows := normalRows(rng, n+fresh, d)
		targets := labelsWhere(rows, d, func(x []float32) bool { return float64(x[0])+rng.NormFloat64()/2 > 0 })
		X, labels := sketch.Dense(rows[:n*d]), targets.Labels[:n]
		spec, _ := mustSearch(t, X, numbers(d), Targets{Labels: labels}, Choices{Candidates: []string{"linear"}})
		l, err := NewLearner(spec)
		if err == nil {
			err = l.Add(X, labels, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		m, err := l.Fit(RidgeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if counts := m.Report.Counts; !slices.Contains(m.Report.Warnings, fewEvenWarning) &&
			fewEven([]float64{float64(counts[0]), float64(counts[1])}) {
			t.Fatalf("%d rows: the report does not say how alpha was chosen: %q", counts, m.Report.Warnings)
		}
		typed, err := l.Fit(RidgeOptions{Low: 1e-3, High: 10})
		if err != nil || slices.Contains(typed.Report.Warnings, fewEvenWarning) {
			t.Fatalf("alpha of a typed range: %v, %q", err, typed.Report.Warnings)
		}
		said, err := m.Predict(sketch.Dense(rows[n*d:]))
		if err != nil {
			t.Fatal(err)
		}
		means, counts := map[Label][]float64{}, map[Label]float64{}
		for i, label := range labels {
			if counts[label]++; means[label] == nil {
				means[label] = make([]float64, d)
			}
			for j, v := range rows[i*d:][:d] {
				means[label][j] += float64(v)
			}
		}
		for i, label := range targets.Labels[n:] {
			if said[i] == label {
				right++
			}
			near, least := Label{}, math.Inf(1)
			for one, mean := range means {
				far := 0.0
				for j, v := range rows[(n+i)*d:][:d] {
					far += math.Pow(float64(v)-mean[j]/counts[one], 2)
				}
				if far < least {
					near, least = one, far
				}
			}
			if near == label {
				nearer++
			}
		}
	}
	got, want := 100*float64(right)/(draws*fresh), 100*float64(nearer)/(draws*fresh)
	if got < want {
		t.Errorf("%.2f %% are right, of the nearer mean %.2f", got, want)
	}
}

// TestSearchOfEqualIndicators: rows of one indicator that is 1 everywhere may have a model that cannot be solved for.
// It predicts no row held out, so that the file of a model has finite numbers.
func TestSearchOfEqualIndicators(t *testing.T) {
	for _, n := range []int{40, 240, 400} {
		rows, labels := make([]float32, n), make([]Label, n)
		for i := range labels {
			rows[i], labels[i] = 1, NumberLabel(float64(i*i%7%2))
		}
		_, report := mustSearch(t, sketch.Dense(rows), []prepare.Kind{prepare.Indicator}, Targets{Labels: labels},
			Choices{})
		if h := report.HeldOut; h != nil && math.IsInf(h.R2, 0) {
			t.Errorf("%d rows: R² %v of %d rows held out", n, h.R2, h.Rows)
		}
	}
}
