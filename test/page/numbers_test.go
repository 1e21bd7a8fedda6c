//go:build !js

package page

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tensorsketch.example/sketch"
)

// A table is the data that the page shows of a picture, with ASCII minus signs.
type table struct {
	v    *visit
	head []string
	rows [][]string
}

// table opens the data table where it is closed, and reads it.
func (v *visit) table() table {
	v.Helper()
	v.settled()
	if eval[string](v, `document.querySelector("#table-toggle").getAttribute("aria-expanded")`) != "true" {
		v.click("#table-toggle")
		v.wait(`document.querySelector("#table table")`)
	}
	cells := eval[[][]string](v, `[...document.querySelectorAll("#table tr")]
		.map((row) => [...row.cells].map((cell) => cell.textContent.replace("−", "-")))`)
	if len(cells) < 2 {
		v.Fatalf("the data table has %d rows", len(cells))
	}
	return table{v, cells[0], cells[1:]}
}

// column returns the numbers of a column.
func (t table) column(name string) []float64 {
	t.v.Helper()
	at := slices.Index(t.head, name)
	if at < 0 {
		t.v.Fatalf("the data table has no column %q but %q", name, t.head)
	}
	var column []float64
	for _, row := range t.rows {
		x, err := strconv.ParseFloat(row[at], 64)
		if err != nil {
			t.v.Fatalf("column %q: %v", name, err)
		}
		column = append(column, x)
	}
	return column
}

// A shown is a number as the page writes it, and what its last digit counts.
type shown struct{ value, unit float64 }

var shownNumber = regexp.MustCompile(`([−-]?)([\d,]*\.?\d+)(?:×10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?`)

// numbers finds those in a text.
func numbers(text string) (found []shown) {
	powers := strings.NewReplacer("⁻", "-", "⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6", "⁷",
		"7", "⁸", "8", "⁹", "9")
	for _, match := range shownNumber.FindAllStringSubmatch(text, -1) {
		digits := strings.ReplaceAll(match[2], ",", "")
		value, _ := strconv.ParseFloat(digits, 64)
		unit := 1.0
		if _, decimals, ok := strings.Cut(digits, "."); ok {
			unit = math.Pow10(-len(decimals))
		}
		if match[1] != "" {
			value = -value
		}
		if match[3] != "" {
			power, _ := strconv.Atoi(powers.Replace(match[3]))
			value, unit = value*math.Pow10(power), unit*math.Pow10(power)
		}
		found = append(found, shown{value, unit})
	}
	return found
}

// result is the last number of a sum, behind its last sign of equality.
func result(sum string) (shown, bool) {
	at := max(strings.LastIndex(sum, "= "), strings.LastIndex(sum, "≈ "))
	found := numbers(sum[max(at, 0):])
	if at < 0 || len(found) == 0 {
		return shown{}, false
	}
	return found[0], true
}

// agrees checks that a number shown is another to the digits shown, but for the
// rounding of float32.
func (v *visit) agrees(what string, got shown, want float64) {
	v.Helper()
	if math.Abs(got.value-want) > .5*got.unit*(1+1e-9)+1e-6*max(1, math.Abs(want)) {
		v.Errorf("%s shows %v to ±%v, want %v", what, got.value, got.unit, want)
	}
}

// showsFirst checks the first number of a text.
func (v *visit) showsFirst(what, text string, want float64) {
	v.Helper()
	found := numbers(text)
	if len(found) == 0 {
		v.Errorf("%s shows %q, want %v", what, text, want)
		return
	}
	v.agrees(what, found[0], want)
}

// near checks numbers that are not rounded.
func (v *visit) near(what string, got, want []float64, tolerance float64) {
	v.Helper()
	if len(got) != len(want) {
		v.Errorf("%s has %d numbers, want %d", what, len(got), len(want))
		return
	}
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= tolerance*max(1, math.Abs(want[i]))) {
			v.Errorf("%s: number %d is %v, want %v", what, i, got[i], want[i])
			return
		}
	}
}

// seedOf returns the seed that a link holds: digits are an integer, all else is
// text, without the quotes around it.
func seedOf(text string) sketch.Seed {
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		return sketch.IntSeed(n)
	}
	return sketch.StringSeed(strings.Trim(text, `"`))
}

// hashes returns the buckets and signs of every degree and coordinate.
func hashes(t *testing.T, p sketch.Params) (h, s [][]int) {
	t.Helper()
	m, err := sketch.New(p)
	if err != nil {
		t.Fatal(err)
	}
	for k := range m.Params().Degree {
		buckets, signs := make([]int, p.NFeatures), make([]int, p.NFeatures)
		for i := range buckets {
			buckets[i], signs[i] = m.Hash(k, i)
		}
		h, s = append(h, buckets), append(s, signs)
	}
	return h, s
}

// directSketch adds up all products of len(h) coordinates, one by one:
//
//	f[(h₁(i) + h₂(j) + …) mod D] += s₁(i)s₂(j)… · x_i·x_j·…
func directSketch(x []float64, h, s [][]int, D int) []float64 {
	f := make([]float64, D)
	var add func(k, bucket int, product float64)
	add = func(k, bucket int, product float64) {
		if k == len(h) {
			f[bucket%D] += product
			return
		}
		for i, value := range x {
			add(k+1, bucket+h[k][i], product*float64(s[k][i])*value)
		}
	}
	add(0, 0, 1)
	return f
}

// parseVector reads the numbers of a link.
func (v *visit) parseVector(text string) (x []float64) {
	v.Helper()
	for part := range strings.SplitSeq(text, ",") {
		value, err := strconv.ParseFloat(part, 64)
		if err != nil {
			v.Fatal(err)
		}
		x = append(x, value)
	}
	return x
}

func dot(x, y []float64) (sum float64) {
	for i := range x {
		sum += x[i] * y[i]
	}
	return sum
}
