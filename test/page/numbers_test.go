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

// agrees checks that a number shown is another to the digits shown, except for the
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

// hashes returns the buckets and signs of every degree and coordinate. Complex features have half as many buckets, each
// with a real and an imaginary number.
func hashes(t *testing.T, p sketch.Params) (h [][]int, s [][]complex128) {
	t.Helper()
	m := must(sketch.New(p))(t)
	for k := range m.Params().Degree {
		h, s = append(h, make([]int, p.NFeatures)), append(s, make([]complex128, p.NFeatures))
		for i := range h[k] {
			slot, sign := m.Hash(k, i)
			h[k][i], s[k][i] = slot, complex(float64(sign), 0)
			if p.Method == sketch.MethodComplexTensorSketch {
				h[k][i], s[k][i] = slot/2, s[k][i]*[]complex128{1, 1i}[slot%2]
			}
		}
	}
	return h, s
}

// directSketch adds up all products of len(h) coordinates in n buckets, one by one:
//
//	f[(h₁(i) + h₂(j) + …) mod n] += s₁(i)s₂(j)… · x_i·x_j·…
func directSketch(x []float64, h [][]int, s [][]complex128, n int) []complex128 {
	f := make([]complex128, n)
	var add func(k, bucket int, product complex128)
	add = func(k, bucket int, product complex128) {
		if k == len(h) {
			f[bucket%n] += product
			return
		}
		for i, value := range x {
			add(k+1, bucket+h[k][i], product*s[k][i]*complex(value, 0))
		}
	}
	add(0, 0, 1)
	return f
}

// parts are the real and the imaginary ones of some numbers.
func parts(z []complex128) (all [2][]float64) {
	for _, value := range z {
		all[0], all[1] = append(all[0], real(value)), append(all[1], imag(value))
	}
	return all
}

// nearParts compares a column of real numbers, or two of the parts of complex ones.
func (v *visit) nearParts(data table, name string, want []complex128, tolerance float64, suffixes ...string) {
	v.Helper()
	for k, suffix := range suffixes {
		v.near(name+suffix, data.column(name+suffix), parts(want)[k], tolerance)
	}
}

// suffixesOf are the suffixes of the columns of a method.
func suffixesOf(method string) []string {
	if method == sketch.MethodComplexTensorSketch {
		return []string{", Re", ", Im"}
	}
	return []string{""}
}

// complexResult returns the last value of a sum that is written out.
func complexResult(v *visit, sum string) complex128 {
	v.Helper()
	at := max(strings.LastIndex(sum, "= "), strings.LastIndex(sum, "≈ "))
	value := complex128(0)
	if at < 0 {
		v.Fatalf("the sum is %q", sum)
	}
	sum, _, _ = strings.Cut(sum[at:], ":")
	for _, part := range strings.Split(strings.NewReplacer(" − ", "|−", " + ", "|").Replace(sum), "|") {
		found := numbers(part)
		if len(found) == 0 {
			v.Fatalf("the sum ends with %q", sum)
		}
		if strings.HasSuffix(strings.TrimSpace(part), "i") {
			value += complex(0, found[0].value)
		} else {
			value += complex(found[0].value, 0)
		}
	}
	return value
}

// parseVector reads the numbers of a link.
func (v *visit) parseVector(text string) (x []float64) {
	v.Helper()
	for part := range strings.SplitSeq(text, ",") {
		value := must(strconv.ParseFloat(part, 64))(v)
		x = append(x, value)
	}
	return x
}

// moments are ⟨x,y⟩², ‖x‖²‖y‖² and Σ x_i² y_i², from which variances are made.
func moments(x, y []float64) (T, N, s float64) {
	for i := range x {
		s += x[i] * x[i] * y[i] * y[i]
	}
	return dot(x, y) * dot(x, y), dot(x, x) * dot(y, y), s
}

func dot(x, y []float64) (sum float64) {
	for i := range x {
		sum += x[i] * y[i]
	}
	return sum
}
