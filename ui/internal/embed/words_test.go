package embed

import (
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/sketch"
	"tensorsketch.example/test/need"
	"tensorsketch.example/ui/internal/sample"
	"tensorsketch.example/ui/internal/table"
	"tensorsketch.example/ui/internal/vector"
)

func plain(text string) string { return strings.ReplaceAll(text, "\u00a0", " ") }

// TestCells: the notes of the CSV files say what a line has before its features.
func TestCells(t *testing.T) {
	for roles, want := range map[string]string{
		"number number":          "",
		"number label":           "label",
		"number keep":            "kept column",
		"number keep label":      "label and kept column",
		"number keep label keep": "label and kept columns",
	} {
		l := &table.Layout{}
		for name := range strings.FieldsSeq(roles) {
			role, _ := columns.ParseRole(name)
			l.Columns = append(l.Columns, table.Column{Column: columns.NewColumn("", role)})
		}
		if got := cellsBefore(l); got != want {
			t.Errorf("%s: got %q, want %q", roles, got, want)
		}
	}
}

// TestTypeOf: a column's type is named with the number of cells that are not of it.
func TestTypeOf(t *testing.T) {
	for want, c := range map[string]table.Column{
		"integer; 1\u00a0cell is empty or no number":   {Type: columns.Integer, Odd: 1},
		"number; 2\u00a0cells are empty or no numbers": {Type: columns.Number, Odd: 2},
		"text; 1\u00a0cell empty":                      {Type: columns.Text, Odd: 1},
		"date; 3\u00a0cells are empty or no dates":     {Type: columns.Date, Odd: 3},
		"empty": {Type: columns.Empty, Odd: 3},
	} {
		if got := typeOf(&c); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestPortion(t *testing.T) {
	for _, test := range []struct {
		n, all int
		want   string
	}{{2000, 2000, "all"}, {1999, 2000, "all but one of the"}, {1998, 2000, "99.9 % of the"}, {1, 2, "50.0 % of the"},
		{0, 3, "0.0 % of the"}} {
		if got := plain(portion(test.n, test.all)); got != test.want {
			t.Errorf("%d of %d: %q, want %q", test.n, test.all, got, test.want)
		}
	}
}

// ratios returns the errors of some seeds with a map of d columns, in σ, over pairs of rows of length 1.
func ratios(t *testing.T, s Settings, d, seeds int) (all []float64) {
	t.Helper()
	random := rand.New(rand.NewPCG(uint64(d), 2))
	rows := make([][]float64, 12)
	for i := range rows {
		for range d {
			rows[i] = append(rows[i], random.Float64())
		}
		norm := math.Sqrt(vector.Dot(rows[i], rows[i]))
		for j := range rows[i] {
			rows[i][j] /= norm
		}
	}
	law := need.Value(sketch.NewFormulas(s.Params(d)))(t)
	for seed := range seeds {
		s.Seed = sketch.IntSeed(uint64(seed))
		m := need.Value(sketch.NewFeatureMap(s.Params(d)))(t)
		var pairs []Pair
		var features [][]float32
		for i, x := range rows {
			features = append(features, m.Transform(nil, vector.Float32(x)))
			for j, y := range rows[:i] {
				sigma, _ := law.StdError(x, y)
				pairs = append(pairs, Pair{Exact: law.Kernel(x, y), Estimate: sketch.Dot(features[i], features[j]),
					Sigma: sigma})
			}
		}
		r := NewReport(pairs, sketch.Exact)
		all = append(all, r.RMSE/r.Sigma)
	}
	return all
}

// TestOneSeed: where the page says that one seed commonly gives 0.4 to 2.5 σ, most seeds do. With three columns
// nearly all give hardly any error, and it says that it hangs on collisions.
func TestOneSeed(t *testing.T) {
	const seeds = 40
	for _, method := range []string{sketch.MethodTensorSketch, sketch.MethodComplexTensorSketch,
		sketch.MethodTreeTensorSketch, sketch.MethodTaylorSketch, sketch.MethodRandomMaclaurin, sketch.MethodTensorSRHT,
		sketch.MethodCRAFT, sketch.MethodRandomFourier} {
		for _, D := range []int{64, 1024} {
			for _, d := range []int{3, 8, 16, 32, 64} {
				s := DefaultSettings()
				s.Method, s.NComponents = method, D
				inside := 0
				for _, ratio := range ratios(t, s, d, seeds) {
					if ratio >= .4 && ratio <= 2.5 {
						inside++
					}
				}
				r := &Result{Embed: s, NFeatures: d, Report: NewReport([]Pair{{Exact: 1, Estimate: 2, Sigma: 1}},
					sketch.Exact)}
				claims := strings.Contains(oneSeed(r), "commonly gives 0.4 to 2.5")
				if claims == r.hangsOnCollisions() || claims && inside < seeds*6/10 {
					t.Errorf("%s, d = %d, D = %d: %d of %d seeds have 0.4 to 2.5 σ, and the page says %q", method, d, D, inside,
						seeds, oneSeed(r))
				}
			}
		}
	}
	s := DefaultSettings()
	r := &Result{Embed: s, NFeatures: 3, Report: NewReport([]Pair{{Exact: 1, Estimate: 1 + 2e-6, Sigma: 1}},
		sketch.Exact)}
	if got, want := plain(oneSeed(r)), "With so few columns one seed can give far less, and another far more: it depends "+
		"on a few collisions, and the errors of all pairs move together."; !strings.HasSuffix(got, want) {
		t.Errorf("%q, want %q at its end", got, want)
	}
}

// TestWalk: with the seed that the place opens with, the sample's error is ordinary.
func TestWalk(t *testing.T) {
	s := DefaultSettings()
	rows, _ := sample.Digits(40)
	m := need.Value(sketch.NewFeatureMap(s.Params(sample.Features)))(t)
	law := need.Value(sketch.NewFormulas(s.Params(sample.Features)))(t)
	var pairs []Pair
	for i := range 40 {
		x := vector.Float64(rows[i*sample.Features:][:sample.Features])
		norm := math.Sqrt(vector.Dot(x, x))
		for k := range x {
			x[k] /= norm
		}
		copy(rows[i*sample.Features:], vector.Float32(x))
		for j := range i {
			y := rows[j*sample.Features:][:sample.Features]
			exact := law.Kernel(x, vector.Float64(y))
			sigma, _ := law.StdError(x, vector.Float64(y))
			pairs = append(pairs, Pair{Exact: exact, Sigma: sigma,
				Estimate: sketch.Dot(m.Transform(nil, vector.Float32(x)), m.Transform(nil, y))})
		}
	}
	r := NewReport(pairs, sketch.Exact)
	if ratio := r.RMSE / r.Sigma; ratio < .5 || ratio > 1.5 {
		t.Errorf("with the opening seed the error of the sample is %.2f σ", ratio)
	}
}

// TestValues: the ends of a histogram keep their size. They were cut as texts are: 2.808692720123e-12 to 2.808692720….
func TestValues(t *testing.T) {
	for values, want := range map[string]string{
		"#13\t-2.701\t2.809":                           "-2.701 2.809",
		"#13\t-2,701\t2,809":                           "-2,701 2,809",
		"#13\t-451702266312345\t2.808692720123456e-12": "−4.517×10¹⁴ 2.809×10⁻¹²",
		"#13\t-2,42593087123\t1234567890123,5":         "−2.426 1.235×10¹²",
		"#13\t2024-05-06T07:08\t2025-05-06T07:08":      "2024-05-06T… 2025-05-06T…",
		"#1\t-451702266312345\t-451702266312345":       "always −4.517×10¹⁴",
		"x y z x y z x y z\t3\tb\t2\t1":                "x y z x y z… 3, b 2, 1 more",
	} {
		html := valuesHTML(&table.Column{Values: values})
		got := strings.Join(strings.Fields(regexp.MustCompile(`<svg.*</svg>|<.*?>`).ReplaceAllStringFunc(html,
			func(tag string) string { return map[bool]string{true: " "}[strings.HasPrefix(tag, "<svg")] })), " ")
		if got != want {
			t.Errorf("%q is shown as %q, want %q", values, got, want)
		}
	}
}

// TestOneRow: it said “Types are of the first 1 row”.
func TestOneRow(t *testing.T) {
	for rows, want := range map[int]string{1: "Types are of the first row.", 2: "Types are of the first 2 rows."} {
		if got := strings.ReplaceAll(TypesText(&table.Layout{Rows: rows}), "\u00a0", " "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestNoColumns: a file that could not be read has no list of columns. It said “Types are of the first 0 rows”, above
// settings for all of no column.
func TestNoColumns(t *testing.T) {
	for columns, want := range map[int]bool{0: true, 2: false} {
		room := &Room{Data: Data{Bytes: 9, Layout: &table.Layout{Name: "a.csv", Columns: make([]table.Column, columns)}}}
		if got := room.ColumnsView().Hidden; got != want {
			t.Errorf("%d columns: hidden %v, want %v", columns, got, want)
		}
	}
}
