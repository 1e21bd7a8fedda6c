//go:build !js

package page

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// chosen are the methods whose chips are chosen.
func (v *visit) chosen() string {
	v.Helper()
	return eval[string](v,
		`[...document.querySelectorAll('input[name="compare"][type="checkbox"]:checked')].map((e) => e.value).join()`)
}

// TestComparison: the lines are exact formulas, the marks are what seeds
// give, within their noise, and table and file hold both.
func TestComparison(t *testing.T) {
	t.Parallel()
	const d, p = 16, 3
	v := heard(t, "#/convergence?seeds=100&nFeatures=16&degree=3&compare=tensorized-random-projection,"+
		"complex-tensorized-random-projection,random-maclaurin,complex-tensor-sketch")
	v.streamed()
	rows := eval[[]float64](v, `work[0].rows`)
	x, y := rows[:d], rows[d:]
	T, N, s := moments(x, y)
	pow := func(b float64) float64 { return math.Pow(b, p) }
	plain := pow(N+2*T-2*s) - pow(T)
	complexOnes := pow(N+T-s) + pow(2*T-s) - 2*pow(T)
	data := v.table()
	for method, variance := range map[string]float64{"tensorized-random-projection": plain, "random-maclaurin": plain,
		"complex-tensorized-random-projection": complexOnes, "complex-tensor-sketch": complexOnes} {
		var want []float64
		for _, D := range data.column("D") {
			want = append(want, math.Sqrt(variance/D))
		}
		if method != "random-maclaurin" { // whose orders are drawn
			v.near(method+" relative sigma", data.column(method+" relative sigma"), want, 1e-6)
		}
		seeds, sigma := data.column(method+" seeds"), data.column(method+" relative sigma")
		for row, D := range data.column("D") {
			if D < 256 || seeds[row] < 12 { // below, a few seeds with large errors make up σ
				continue
			}
			cell := data.rows[row][slices.Index(data.head, method+" relative error")] // empty where there are no seeds
			if error, _ := strconv.ParseFloat(cell,
				64); math.Abs(error*error/(sigma[row]*sigma[row])-1) > 4*math.Sqrt(4/seeds[row]) {
				t.Errorf("%s, D = %v: %v seeds have the error %q, σ is %v", method, D, seeds[row], cell, sigma[row])
			}
		}
		for row, micros := range data.column(method + " µs per row") {
			if !(micros > 0) {
				t.Errorf("%s: row %d takes %v µs", method, row, micros)
			}
		}
	}
	if got := data.column("tensor-sketch relative sigma"); fmt.Sprint(got) != fmt.Sprint(data.column("exact sigma")) {
		t.Errorf("σ of Tensor Sketch is %v", got)
	}
	if _, csv := v.download("#save-picture-data"); !strings.Contains(string(csv), "random-maclaurin kind of sigma") ||
		strings.Count(string(csv), "exact,") < 12*5 {
		t.Errorf("the CSV is\n%s", csv)
	}
	if _, svg := v.download("#save-picture"); !strings.Contains(string(svg), "Random Maclaurin") ||
		!strings.Contains(string(svg), `class="rival"`) {
		t.Errorf("the SVG has no comparison")
	}
	for _, want := range []string{"At D = 128 the relative σ is: ",
		"that Tensor Sketch takes for a row, timed in this tab: "} {
		v.says("#summary", "…"+want+"…")
	}
	v.speaksWell()
}

// TestComparisonByTime: the axis of time ascends, and a card says which map is
// better at the time of now.
func TestComparisonByTime(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/convergence?seeds=20&nFeatures=16&compare=craft")
	v.streamed()
	drawn := func() string { return eval[string](v, `document.querySelector(".drawing").textContent`) }
	if strings.Contains(drawn(), "µs per row") {
		t.Error("there is time on the axis of D")
	}
	v.pick("axis", "time")
	v.until(".drawing", "…µs per row…")
	if got := v.link(); got.Get("axis") != "time" || got.Get("compare") != "craft" {
		t.Errorf("the link is %v", got)
	}
	ticks := eval[[][2]float64](v, `(() => {
		const texts = [...document.querySelectorAll(".drawing text")], of = (e) => e.getBoundingClientRect();
		const unit = texts.find((e) => e.textContent === "µs per row");
		return texts.filter((e) => e !== unit && Math.abs(of(e).top - of(unit).top) < 1)
			.map((e) => [of(e).left, Number(e.textContent.replaceAll(",", ""))]);
	})()`)
	if len(ticks) < 2 || !slices.IsSortedFunc(ticks, func(a, b [2]float64) int {
		if a[0] < b[0] && a[1] < b[1] {
			return -1
		}
		return 1
	}) {
		t.Errorf("the axis is %v", ticks)
	}
	if _, unit, note := v.card("equal-time"); unit == "" || !strings.Contains(note, "timed in this tab") {
		t.Errorf("the card says %q, %q", unit, note)
	}
	v.says("#sum", "At …CRAFT…")
	sum := v.text("#sum")
	v.click("#step-forward")
	v.settled()
	if v.text("#sum") == sum || v.link().Get("nComponents") != "256" {
		t.Errorf("a step leaves %q", sum)
	}
	v.speaksWell()
}

// TestComparisonLink: chips work by keyboard, a link restores them, coming from
// another place too, and nothing that came in is computed again.
func TestComparisonLink(t *testing.T) {
	t.Parallel()
	v := heard(t, "#/convergence?seeds=20&nFeatures=16")
	v.streamed()
	alone := eval[int](v, `work.length`)
	press := func(method string) {
		t.Helper()
		v.do(chromedp.Focus(chromedp.CSS(fmt.Sprintf(`input[name="compare"][value=%q]`, method))))
		v.press(" ")
		v.settled()
	}
	press("tensor-srht")
	press("complex-tensor-sketch")
	if got := v.chosen(); got != "complex-tensor-sketch,tensor-srht" || v.link().Get("compare") != got ||
		v.text("#play") != "Play" {
		t.Errorf("chosen are %q, the link %v", got, v.link())
	}
	v.streamed()
	for _, chunk := range eval[[][]any](v, fmt.Sprintf(`work.slice(%d).flatMap((piece) => piece.chunks)`, alone)) {
		if len(chunk) != 4 {
			t.Errorf("Tensor Sketch is computed again: %v", chunk)
		}
	}
	known := func() (texts []string) { // what is no time
		data := v.table()
		for _, row := range data.rows {
			for k, cell := range row {
				if !strings.Contains(data.head[k], "µs") {
					texts = append(texts, cell)
				}
			}
		}
		return texts
	}
	want, address := known(), v.address()
	v.follow("#/buckets")
	v.follow(address)
	v.streamed()
	if got := v.chosen(); got != "complex-tensor-sketch,tensor-srht" || !slices.Equal(known(), want) {
		t.Errorf("back from Buckets chosen are %q, and the table is other", got)
	}
	v.do(chromedp.Reload())
	v.pictured()
	v.streamed()
	if got := v.chosen(); got != "complex-tensor-sketch,tensor-srht" || !slices.Equal(known(), want) {
		t.Errorf("opened anew chosen are %q, and the table is other", got)
	}
	for _, method := range []string{"craft", "spherical", "taylor-sketch"} {
		press(method)
	}
	if got := v.chosen(); got != "complex-tensor-sketch,tensor-srht,craft,spherical" ||
		!strings.Contains(v.text(".field.compare .error"), "Four at most: take one away first") {
		t.Errorf("of five chosen are %q, and %q is said", got, v.text(".field.compare .error"))
	}
}
