package learn_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/learn/prepare"
	"tensorsketch.example/test/need"
)

// A population has few distinct rows of three numbers: each with its share of all rows, and how often it is of class
// "a". The rest are rows of their own and coins.
type population struct {
	shares, a []float64
	rows      []float32
}

func populationOf(r *rand.Rand, shares, a []float64) population {
	p := population{shares: shares, a: a}
	for j := range shares {
		p.rows = append(p.rows, float32(j), float32(r.IntN(4)), float32(r.IntN(4)))
	}
	return p
}

func (p population) draw(r *rand.Rand, n int) table {
	t := table{d: 3}
	for range n {
		at, left, a := 0, r.Float64(), 0.5
		for ; at < len(p.shares) && left >= p.shares[at]; at++ {
			left -= p.shares[at]
		}
		if at < len(p.shares) {
			t.X, a = append(t.X, p.rows[at*3:at*3+3]...), p.a[at]
		} else {
			t.X = append(t.X, float32(r.NormFloat64()), float32(r.NormFloat64()), float32(r.NormFloat64()))
		}
		t.labels = append(t.labels, learn.TextLabel(map[bool]string{true: "a", false: "b"}[r.Float64() < a]))
	}
	return t
}

// accuracy returns how often the likelier class of each row is right.
func (p population) accuracy(probabilities []float64) float64 {
	right, rest := 0.0, 1.0
	for j, share := range p.shares {
		a := p.a[j]
		if probabilities[2*j] < 0.5 {
			a = 1 - a
		}
		right, rest = right+share*a, rest-share
	}
	return right + rest/2
}

// searchedLearner returns a learner of what a search chooses, with all rows.
func searchedLearner(t *testing.T, data table) (*learn.Learner, *learn.Candidates) {
	t.Helper()
	spec, report, err := learn.Search(data.X, make([]prepare.Kind, data.d), learn.Targets{Labels: data.labels, Y: data.y},
		learn.Choices{Candidates: []string{"gaussian-wide", "laplacian", "linear"},
			Params: sketch.Params{NComponents: 256}})
	need.OK(t, err)
	l := need.Value(learn.NewLearner(spec))(t)
	if data.labels != nil {
		need.OK(t, l.Add(data.X, data.labels, nil))
	} else {
		need.OK(t, l.AddTargets(data.X, data.y, nil))
	}
	return l, report
}

// Where few rows recur often, probabilities are how often the copies of each row are of a class, and the accuracy of
// the rows held out is the one of further rows. Held out all at once, as equal rows are, the copies of one row were
// predicted by models of the others: a fold with one or two of them decided everything.
func TestClumps(t *testing.T) {
	quarter := []float64{.25, .25, .25, .25}
	for _, c := range []struct {
		name      string
		n         int
		shares, a []float64
	}{
		{"three coins", 600, []float64{.34, .33, .33}, []float64{.5, .5, .5}},
		{"four coins", 600, quarter, []float64{.5, .5, .5, .5}},
		{"four rows that differ", 600, quarter, []float64{.9, .2, .7, .4}},
		{"of more rows than are kept without a search", 2400, quarter, []float64{.9, .2, .7, .4}},
		{"one large clump", 600, []float64{.6}, []float64{.9}},
		{"one large coin", 600, []float64{.6}, []float64{.5}},
		{"one of many", 600, []float64{.6, .2, .1, .05, .05}, []float64{.5, .9, .5, .9, .1}},
	} {
		for seed := range uint64(2) {
			r := rand.New(rand.NewPCG(seed, 5))
			p := populationOf(r, c.shares, c.a)
			l, report := searchedLearner(t, p.draw(r, c.n))
			m := need.Value(l.Fit(learn.RidgeOptions{}))(t)
			report.Tell(&m.Report)
			probabilities := need.Value(m.Probabilities(sketch.Dense(p.rows)))(t)
			for j, want := range c.a {
				got, rows := probabilities[2*j], c.shares[j]*float64(c.n)
				if e := 3.5*math.Sqrt(want*(1-want)/rows) + 0.02; math.Abs(got-want) > e {
					t.Errorf("%s, seed %d: row %d has p %.3f, want %.2f ± %.3f", c.name, seed, j, got, want, e)
				}
			}
			held, want := m.Report.HeldOut, p.accuracy(probabilities)
			if e := 3.5 / 2 / math.Sqrt(float64(held.Rows)); !(math.Abs(held.Accuracy-want) < e) {
				t.Errorf("%s, seed %d: %.3f of %d rows held out are right, of further rows %.3f", c.name, seed,
					held.Accuracy, held.Rows, want)
			}
			notes := strings.Join(m.Report.Warnings, "\n")
			if strings.Count(notes, "are copies of rows that recur often") != 1 || strings.Contains(notes, "are equal and") {
				t.Errorf("%s, seed %d: it says %q", c.name, seed, notes)
			}
		}
	}
}

// Intervals of numbers hold what further rows of a clump are.
func TestClumpsOfTargets(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 6))
	p := populationOf(r, []float64{.25, .25, .25, .25}, make([]float64, 4))
	data := p.draw(r, 600)
	data.labels = nil
	for i := range 600 {
		data.y = append(data.y, 10*float64(data.X[3*i])*float64(data.X[3*i]-2)+r.NormFloat64())
	}
	l, report := searchedLearner(t, data)
	m := need.Value(l.Fit(learn.RidgeOptions{}))(t)
	own := *m.Report.HeldOut
	report.Tell(&m.Report)
	radius := need.Value(m.Radii(0.9))(t)[0]
	if own.R2 < 0.98 || m.Report.HeldOut.R2 < 0.98 || radius < 1.4 || radius > 1.9 {
		t.Errorf("R² %.3f and %.3f, an interval of ±%.2f: want 0.99 and 1.64", own.R2, m.Report.HeldOut.R2, radius)
	}
}

// A clump is spread by the rows that are there, so merging and taking away keep their bits.
func TestClumpsMerge(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 7))
	p := populationOf(r, []float64{.3, .3}, []float64{.9, .2})
	data := p.draw(r, 500)
	whole := added(t, 1, data)
	want := need.Value(whole.Fit(learn.RidgeOptions{}))(t)
	parts := added(t, 1, reversed(data.part(200, 500)))
	need.OK(t, parts.Merge(added(t, 1, data.part(0, 200))))
	more := added(t, 1, p.draw(r, 90))
	need.OK(t, parts.Merge(more))
	need.OK(t, parts.Subtract(more))
	got := need.Value(parts.Fit(learn.RidgeOptions{}))(t)
	if !slices.Equal(got.Linear.Weights, want.Linear.Weights) || got.Alpha != want.Alpha ||
		!slices.Equal(parts.Moments().Words(), whole.Moments().Words()) {
		t.Error("other bits after merging and taking away")
	}
}

// Clumps that are not kept stay in one fold, and the report says it.
func TestClumpsThatStay(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 8))
	data := populationOf(r, []float64{.4}, []float64{.5}).draw(r, 300)
	for _, keep := range []float64{0, 1} {
		m := need.Value(added(t, keep, data).Fit(learn.RidgeOptions{}))(t)
		text := strings.Join(m.Report.Warnings, "\n")
		if says := strings.Contains(text, "% of the rows are equal"); says != (keep == 0) {
			t.Errorf("keep %v: %q", keep, text)
		}
	}
}
