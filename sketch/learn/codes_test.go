package learn

import (
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn/prepare"
)

// Codes are whole numbers: 3 to 600 recur, each in 5 rows, together in nine of ten rows.
func TestCodesOf(t *testing.T) {
	repeated := func(times int, values ...float64) (sorted []float64) {
		for _, v := range values {
			sorted = append(sorted, slices.Repeat([]float64{v}, times)...)
		}
		return sorted
	}
	var many []float64
	for i := range 601 {
		many = append(many, float64(i))
	}
	for _, c := range []struct {
		name         string
		sorted, want []float64
	}{
		{"hours", repeated(5, 0, 1, 2, 23), []float64{0, 1, 2, 23}},
		{"a rare one among others", append(repeated(20, -1, 0, 7), 9), []float64{-1, 0, 7}},
		{"two", repeated(50, 0, 1), nil},
		{"four rows each", repeated(4, 1, 2, 3, 4), nil},
		{"an eighth is rare", append(repeated(7, 1, 2, 3), 4, 5, 6), nil},
		{"halves", repeated(9, 0, 0.5, 1), nil},
		{"a mistyped one", append(repeated(20, -1, 0, 7), 7.5), []float64{-1, 0, 7}},
		{"halves that recur", append(repeated(40, 0, 1, 2), repeated(5, 2.5)...), []float64{0, 1, 2}},
		{"600", repeated(5, many[:600]...), many[:600]},
		{"601", repeated(5, many...), nil},
		{"none", []float64{math.NaN()}, nil},
	} {
		var rows []float32
		for _, v := range c.sorted {
			rows = append(rows, float32(v), 0)
		}
		p, err := prepare.New(prepare.Codes, rows, []prepare.Kind{prepare.Number, prepare.Indicator})
		if err != nil || p.Form != prepare.Std || !slices.Equal(p.Columns[0].Codes, c.want) {
			t.Errorf("%s: %+v, %v, want %v", c.name, p, err, c.want)
		}
	}
}

// A code is found in the number before it is cut, after the coordinate of a missing one, with its own weight.
func TestPrepareCodes(t *testing.T) {
	nan := float32(math.NaN())
	p := &prepare.Preparation{Form: prepare.MM, Columns: []prepare.Column{
		{Mean: 2, Scale: 1, High: 4, Fill: 2, Missing: true, Codes: []float64{2, 9}}, {Kind: prepare.Indicator}},
		Weights: []float64{1, 1, 0.5, 3, 1}}
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	got, cut, err := p.Rows(sketch.Dense{2, 0, 9, 1, nan, 0, 3, 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := sketch.Dense{0.5, 0, 0.5, 0, 0, 1, 0, 0, 3, 1, 0.5, 1, 0, 0, 0, 0.75, 0, 0, 0, 1}
	if !slices.Equal(got.(sketch.Dense), want) || cut != 1 || p.Radius() != math.Sqrt(1+1+9+1) {
		t.Errorf("%v, %d cut, radius %v; want %v, 1 and %v", got, cut, p.Radius(), want, math.Sqrt(12))
	}
}

// Where none of the candidates that were asked for applies, the error says why, and not that rows are few.
func TestSearchOfNoCodes(t *testing.T) {
	rng := rand.New(rand.NewSource(5))
	rows, labels := normalRows(rng, 300, 2), make([]Label, 300)
	for i := range labels {
		labels[i] = BoolLabel(i%2 == 0)
	}
	only := Choices{Candidates: []string{"codes-linear"}}
	_, _, err := Search(sketch.Dense(rows), numbers(2), Targets{Labels: labels}, only)
	const want = "no whole numbers of a column recur"
	if err == nil || !strings.Contains(err.Error(), "codes-linear") || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want codes-linear and %q", err, want)
	}
}

// A name that no candidate has is an error, and so are weights of columns without a candidate to build on. Such names
// were passed over in silence.
func TestSearchOfNames(t *testing.T) {
	rng := rand.New(rand.NewSource(5))
	rows := normalRows(rng, 60, 2)
	targets := labelsWhere(rows, 2, func(x []float32) bool { return x[0] > 0 })
	for _, c := range []struct{ names, want string }{
		{"gaussian,foo", "search must name candidates: gaussian, gaussian-weights, gaussian-wide, laplacian, " +
			"laplacian-weights, gaussian-ranks, polynomial-2, polynomial-3, linear, linear-uncut, linear-unit, " +
			"codes-gaussian-wide, codes-gaussian-weights, codes-laplacian, codes-laplacian-weights, codes-linear, got foo"},
		{"laplacian-weights", "search must also name laplacian, whose columns it weighs, got laplacian-weights"},
		{"gaussian,laplacian-weights", "search must also name laplacian, whose columns it weighs, got laplacian-weights"},
		{"linear,gaussian-weights",
			"search must also name gaussian or gaussian-wide, whose columns it weighs, got gaussian-weights"},
		{"codes-linear,codes-gaussian-weights",
			"search must also name codes-gaussian-wide, whose columns it weighs, got codes-gaussian-weights"},
		{"linear,gaussian-wide,gaussian-weights", ""},
	} {
		_, _, err := Search(sketch.Dense(rows), numbers(2), targets, Choices{Candidates: strings.Split(c.names, ",")})
		if got := fmt.Sprint(err); got != c.want && (err != nil || c.want != "") {
			t.Errorf("%s: %s, want %s", c.names, got, c.want)
		}
	}
}

// A column of more than 150 codes, such as persons, has them where all columns have at most 700. The model then
// predicts what the rows of a person have in common.
func TestCodesOfPersons(t *testing.T) {
	const n, d = 5000, 3
	rng := rand.New(rand.NewSource(1))
	effects, y := normalRows(rng, 1, 500), make([]float64, n)
	for _, c := range []struct{ second, third, want int }{{100, 101, 201}, {100, 100, 700}, {100, 1, 600}} {
		rows := make([]float32, n*d)
		for i := range n {
			copy(rows[i*d:], []float32{float32(i % 500), float32(i % c.second), float32(i % c.third)})
			if c.third == 1 {
				rows[i*d+2] = float32(rng.NormFloat64())
			}
			y[i] = float64(effects[i%500])
		}
		p, err := prepare.New(prepare.Codes, rows, numbers(d))
		if err != nil {
			t.Fatal(err)
		}
		if count, _ := p.Codes(); count != c.want {
			t.Errorf("500 persons beside %d and %d codes: %d are codes, want %d", c.second, c.third, count, c.want)
		}
		if c.want != 600 {
			continue
		}
		_, report := mustSearch(t, sketch.Dense(rows), numbers(d), Targets{Y: y},
			Choices{Candidates: []string{"gaussian-wide", "laplacian", "codes-gaussian-wide", "codes-linear"}})
		if !(report.HeldOut.R2 > 0.9) {
			t.Errorf("%s has R² %v of what persons decide", report.Chosen, report.HeldOut.R2)
		}
	}
}

// A table of many columns of codes is an image or a list of questions: it gets none.
func TestManyCodes(t *testing.T) {
	const d = 60
	rows := make([]float32, 200*d)
	for i := range rows {
		rows[i] = float32(i / d % 10)
	}
	for _, columns := range []int{51, 52} {
		var some []float32
		for from := 0; from < len(rows); from += d {
			some = append(some, rows[from:][:columns]...)
		}
		p, err := prepare.New(prepare.Codes, some, numbers(columns))
		if err != nil {
			t.Fatal(err)
		}
		if count, _ := p.Codes(); count > 0 != (columns == 51) {
			t.Errorf("%d columns of 10 codes have %d in all", columns, count)
		}
	}
}

// An hour is no measurement: what happens in it jumps to the next. Where the number is one, codes are not chosen.
func TestSearchTakesCodes(t *testing.T) {
	rng := rand.New(rand.NewSource(5))
	const n, d = 600, 3
	effects, rows := normalRows(rng, 1, 24), normalRows(rng, n, d)
	for from := 0; from < len(rows); from += d {
		rows[from] = float32(rng.Intn(24))
	}
	search := func(y func(x []float32) float64) (Spec, *Candidates) {
		return mustSearch(t, sketch.Dense(rows), numbers(d), targetsOfRows(rows, d, y), Choices{Candidates: []string{
			"gaussian-wide", "linear", firstOfCodes, "codes-linear"}})
	}
	spec, report := search(func(x []float32) float64 { return 2*float64(effects[int(x[0])]) + float64(x[1]) })
	if !strings.HasPrefix(report.Chosen, "codes-") || len(spec.Preparation.Columns[0].Codes) != 24 {
		t.Errorf("%s of %+v is chosen for hours", report.Chosen, report.All)
	}
	if !slices.ContainsFunc(report.Notes, func(note string) bool { return strings.Contains(note, "24 whole numbers") }) {
		t.Errorf("no note says that hours are codes: %q", report.Notes)
	}
	spec, report = search(func(x []float32) float64 { return float64(x[0]/8) + float64(x[1]) })
	if count, _ := spec.Preparation.Codes(); strings.HasPrefix(report.Chosen, "codes-") || count > 0 {
		t.Errorf("%s of %+v is chosen for a measurement", report.Chosen, report.All)
	}
}

// A candidate of codes that is typed alone is tried, or the report says why not.
func TestTypedCodes(t *testing.T) {
	rng := rand.New(rand.NewSource(6))
	rows := normalRows(rng, 400, 2)
	targets := targetsOfRows(rows, 2, func(x []float32) float64 { return math.Abs(math.Round(float64(x[0]))) })
	c := Choices{Candidates: []string{"linear", "codes-linear"}}
	_, report := mustSearch(t, sketch.Dense(rows), numbers(2), targets, c)
	if last := report.All[len(report.All)-1]; last.Name != "codes-linear" || !strings.Contains(last.Skipped, "recur") {
		t.Errorf("without codes the last candidate is %+v", last)
	}
	for i := range rows {
		rows[i] = float32(math.Round(float64(rows[i])))
	}
	if _, report = mustSearch(t, sketch.Dense(rows), numbers(2), targets, c); report.Chosen != "codes-linear" {
		t.Errorf("with codes %s is chosen of %+v", report.Chosen, report.All)
	}
}

// The wide Gaussian is taken where it is behind by chance alone: not where it is far behind, and not for a linear one.
// So is the best of the others in place of polynomial-3.
func TestSteadier(t *testing.T) {
	const n = 100
	s := &Searcher{searchSample: searchSample{n: n, fold: make([]uint8, n)}}
	made := func(name, kernel string, more float64) *trial { // with an error that is larger by more
		one := &trial{candidate: candidate{name: name, kernel: kernel}, rows: n, mean: 1 + more}
		one.done[0] = true
		for i := range n {
			one.loss = append(one.loss, 1+more+float64(i%2*2-1)*(1+10*max(0, more)))
		}
		return one
	}
	wide, near := made("gaussian-wide", "gaussian", 0.005), made("laplacian", "laplacian", 0)
	far, linear := made("laplacian", "laplacian", -0.5), made("linear", "", 0)
	coded := made(firstOfCodes, "gaussian", 0.004)
	cubic, better := made("polynomial-3", "polynomial", 0), made("polynomial-3", "polynomial", -0.5)
	for _, t := range []*trial{cubic, better} {
		t.form, t.unit = prepare.MM, true
	}
	second, third := made("laplacian", "laplacian", 0.004), made("polynomial-2", "polynomial", 0.006)
	for _, c := range []struct {
		tried        []*trial
		chosen, want *trial
	}{{[]*trial{wide, near}, near, wide}, {[]*trial{wide, far}, far, far}, {[]*trial{wide, linear}, linear, linear},
		{[]*trial{near}, near, near}, {[]*trial{wide, coded, near}, near, coded},
		{[]*trial{cubic, third, second}, cubic, second}, {[]*trial{better, third, second}, better, better},
		{[]*trial{cubic, wide, second}, cubic, wide}, {[]*trial{cubic}, cubic, cubic}} {
		s.tried = c.tried
		if got := s.steadier(c.chosen); got != c.want {
			t.Errorf("%s of %d is taken, want %s", got.name, len(c.tried), c.want.name)
		}
	}
}
