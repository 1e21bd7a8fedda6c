//go:build !js

package page

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"tensorsketch.example/sketch"
)

// streamed waits until all seeds have come in, at every D: then there are none to
// stop.
func (v *visit) streamed() {
	v.Helper()
	v.wait(`document.querySelector("#halt-seeds").disabled`)
	v.settled()
}

// heard opens Convergence by a link, and keeps the work that the page gives to its workers.
func heard(t *testing.T, link string) *visit {
	t.Helper()
	v := visitPlace(t, "#/about")
	eval[any](v, `{
		globalThis.work = [];
		const { postMessage } = Worker.prototype;
		Worker.prototype.postMessage = function (message, ...rest) {
			if (message.rows) work.push({ rows: [...message.rows], seed: String(message.seed), chunks: message.chunks });
			postMessage.call(this, message, ...rest);
		};
	}`)
	v.follow(link)
	return v
}

// TestConvergence: at its default the place shows what its theory says, and what
// seeds give natively.
func TestConvergence(t *testing.T) {
	t.Parallel()
	const d, D, p, seeds = 64, 128, 2, 500
	v := heard(t, "#/convergence")
	v.streamed()
	if link := v.link(); link.Get("degree") != "2" || link.Get("nComponents") != "128" ||
		link.Get("seeds") != "500" || link.Get("nFeatures") != "64" {
		t.Fatalf("the default is %v", link)
	}
	data := v.table()
	at := 4 // the row of D = 128
	if data.column("D")[at] != D {
		t.Fatalf("row %d is of D = %v", at, data.column("D")[at])
	}

	// The vectors are of length 1 and at the angle of the link.
	rows := eval[[]float64](v, `work[0].rows`)
	x, y := rows[:d], rows[d:]
	cos := math.Cos(40 * math.Pi / 180)
	v.near("‖x‖², ‖y‖² and ⟨x,y⟩", []float64{dot(x, x), dot(y, y), dot(x, y)}, []float64{1, 1, cos}, 1e-6)
	value, _, _ := v.card("kernel")
	v.showsFirst("the kernel", value, cos*cos)

	// What theory says of them.
	T, N, s := moments(x, y)
	pow := func(b float64) float64 { return math.Pow(b, p) }
	sigmaOf := func(D float64) float64 {
		return math.Sqrt((pow(T+N-s)+pow(2*T-s)-2*pow(T))/D + 2*(pow(2*T+N-2*s)-pow(T+N-s)-pow(2*T-s)+pow(T))/(D*D))
	}
	var sigma, theorem9, lemma6 []float64
	for _, D := range data.column("D") {
		sigma = append(sigma, sigmaOf(D))
		theorem9 = append(theorem9, math.Sqrt((pow(3)-1)/D))
		lemma6 = append(lemma6, math.Sqrt((pow(T)+pow(N))/D))
	}
	v.near("exact sigma", data.column("exact sigma"), sigma, 1e-6)
	v.near("sqrt of Theorem 9", data.column("sqrt of Theorem 9"), theorem9, 1e-6)
	v.near("sqrt of Lemma 6", data.column("sqrt of Lemma 6"), lemma6, 1e-6)

	// What the seeds give natively.
	for row, D := range map[int]int{0: 8, at: D, 7: 1024} {
		mean, square := 0.0, 0.0
		for seed := range uint64(seeds) {
			m, err := sketch.New(sketch.Params{NFeatures: d, NComponents: D, Degree: p, Seed: sketch.IntSeed(seed)})
			if err != nil {
				t.Fatal(err)
			}
			estimate := sketch.Dot(m.Transform(nil, float32s(x)), m.Transform(nil, float32s(y)))
			mean += estimate / seeds
			square += (estimate - T) * (estimate - T) / seeds
		}
		v.near(fmt.Sprintf("mean and spread at D = %d", D),
			[]float64{data.column("mean")[row], data.column("spread")[row]}, []float64{mean, math.Sqrt(square)}, 2e-6)
	}

	// What the place promises at its default.
	spread := data.column("spread")
	if low, high := data.column("low")[at],
		data.column("high")[at]; !(low < sigma[at] && sigma[at] < high && low < spread[at] && spread[at] < high) {
		t.Errorf("σ is %v, outside the interval from %v to %v of the spread %v", sigma[at], low, high, spread[at])
	}
	if _, _, note := v.card("sigma"); note != "inside the interval" {
		t.Errorf("the card of σ says %q", note)
	}
	for row := range spread {
		if !(lemma6[row] < spread[row]) {
			t.Errorf("at D = %v Lemma 6 is %v, not below the spread %v", data.column("D")[row], lemma6[row], spread[row])
		}
	}
	want := slopeOf(data.column("D"), spread)
	if want < -.55 || want > -.45 {
		t.Errorf("the slope of the spreads is %v, want one between −0.55 and −0.45", want)
	}
	v.showsFirst("the slope", eval[string](v, `[...document.querySelectorAll(".drawing text")]
		.find((e) => e.textContent.includes("slope"))?.textContent ?? ""`), want)
	for id, want := range map[string]float64{"mean": data.column("mean")[at], "spread": spread[at], "sigma": sigma[at]} {
		value, _, _ := v.card(id)
		v.showsFirst("the card "+id, value, want)
	}
	v.speaksWell()
}

// slopeOf is the least-squares slope of log y on log x.
func slopeOf(x, y []float64) float64 {
	n, sx, sy, sxx, sxy := float64(len(x)), 0.0, 0.0, 0.0, 0.0
	for i := range x {
		a, b := math.Log(x[i]), math.Log(y[i])
		sx, sy, sxx, sxy = sx+a, sy+b, sxx+a*a, sxy+a*b
	}
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}

func float32s(x []float64) (y []float32) {
	for _, value := range x {
		y = append(y, float32(value))
	}
	return y
}

// TestMarker: moving D, by slider, mouse and keys, moves the marker and the
// histogram at once; nothing is computed again.
func TestMarker(t *testing.T) {
	t.Parallel()
	v := heard(t, "#/convergence?seeds=30&nFeatures=16")
	v.streamed()
	work := eval[int](v, `work.length`)
	data := v.table()
	seen := map[string]bool{}
	// column is where D = 8·2^c is: the handle is on one of the columns, and as wide.
	column := func(c float64) (x, y float64) {
		box := v.box(`.handle[data-item^="d"]`)
		at := eval[float64](v, `Number(document.querySelector('.handle[data-item^="d"]').dataset.item.slice(1))`)
		return box.Left + (c-at+.5)*box.Width, box.Top + box.Height/3
	}
	for _, move := range []struct {
		name string
		do   func()
		D    string
	}{
		{"none", func() {}, "128"},
		{"slider", func() { v.slide("nComponents", 8) }, "256"},
		{"field", func() { v.set("nComponents", "64") }, "64"},
		{"step forward", func() { v.click("#step-forward") }, "128"},
		{"arrow key", func() { v.press(kb.ArrowRight + kb.ArrowRight) }, "512"},
		{"handle", func() {
			v.do(chromedp.Focus(chromedp.CSS(`.handle[data-item^="d"]`)))
			v.press(kb.ArrowLeft)
		}, "256"},
		{"End", func() { v.press(kb.End) }, "16384"},
		{"Home", func() { v.press(kb.Home) }, "8"},
		{"click in the picture", func() {
			x, y := column(3)
			v.do(chromedp.MouseClickXY(x, y))
		}, "64"},
		{"drag in the picture", func() {
			x, y := column(3)
			to, _ := column(5.3)
			v.drag(x, y, to, y+100)
		}, "256"},
	} {
		v.Run(move.name, func(t *testing.T) {
			move.do()
			v.away()
			v.holds("nComponents", move.D)
			histogram := eval[string](v,
				`[...document.querySelectorAll(".drawing .bars")].map((e) => e.getAttribute("d")).join()`)
			marker := eval[string](v, `document.querySelector(".drawing .mark").outerHTML`)
			if seen[histogram] != seen[move.D] || seen[marker] != seen[move.D] {
				t.Errorf("D = %s was there: %v, its histogram: %v, its marker: %v", move.D, seen[move.D],
					seen[histogram], seen[marker])
			}
			seen[histogram], seen[marker], seen[move.D] = true, true, true
			for row, D := range data.column("D") {
				if fmt.Sprint(D) == move.D {
					value, _, _ := v.card("spread")
					v.showsFirst("the spread", value, data.column("spread")[row])
					value, _, _ = v.card("sigma")
					v.showsFirst("σ", value, data.column("exact sigma")[row])
				}
			}
			if got, ok := result(v.text("#sum")); !ok || fmt.Sprint(got.value) != move.D {
				t.Errorf("the sum is %q", v.text("#sum"))
			}
		})
	}
	if got := eval[int](v, `work.length`); got != work {
		t.Errorf("moving D gave the workers %d more pieces of work", got-work)
	}
	for row, seeds := range v.table().column("seeds") {
		if seeds != 30 {
			t.Errorf("row %d has %v seeds", row, seeds)
		}
	}
}

// TestStream: seeds come in bit by bit, stop when told, and go on where they were.
func TestStream(t *testing.T) {
	t.Parallel()
	v := heard(t, "#/convergence?seeds=2000&nFeatures=256&degree=4")
	v.table()
	const least = `Math.min(...[...document.querySelectorAll("#table tbody tr")]
		.map((row) => Number(row.cells[1].textContent)))`
	v.wait(least + ` > 10`)
	v.click("#halt-seeds")
	v.wait(`document.querySelector("#halt-seeds").textContent !== "Stop"`)
	work := eval[int](v, `work.length`)
	halted := v.table()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); { // what is under way comes in
		before := fmt.Sprint(halted.rows)
		eval[any](v, `new Promise((resolve) => setTimeout(resolve, 400))`)
		v.settled()
		if halted = v.table(); fmt.Sprint(halted.rows) == before {
			break
		}
	}
	if slices.Min(halted.column("seeds")) == 2000 || eval[int](v, `work.length`) != work {
		t.Errorf("after Stop, seeds still come in: %v", halted.column("seeds"))
	}
	v.speaksWell()
	v.click("#halt-seeds")
	v.wait(fmt.Sprintf(`%s > %v`, least, slices.Min(halted.column("seeds"))))
	for _, chunks := range eval[[][][]int](v, fmt.Sprintf(`work.slice(%d).map((piece) => piece.chunks)`, work)) {
		for _, chunk := range chunks {
			if chunk[0] < 2 {
				t.Errorf("the seeds from %d are computed again", chunk[0])
			}
		}
	}
	v.set("seeds", "20")
	v.streamed()
	for row, seeds := range v.table().column("seeds") {
		if seeds != 20 {
			t.Errorf("row %d has %v seeds, want 20", row, seeds)
		}
	}
	again := v.figures()
	v.do(chromedp.Reload())
	v.pictured()
	v.streamed()
	if got := v.figures(); got != again {
		t.Errorf("without a stop the figures are\n%s\nwith it\n%s", got, again)
	}
}

// TestPlanner: the planner says which D keeps an error.
func TestPlanner(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/convergence?seeds=10&nFeatures=16")
	sentence := func() string { return v.text("#planner .small") }
	first := sentence()
	if found := numbers(first); !strings.Contains(first, "guaranteed") || !strings.Contains(first, "is enough if") ||
		len(found) < 4 || !(found[2].value > found[3].value) {
		t.Errorf("the planner says %q", first)
	}
	v.set("epsilon", "0.5")
	v.settled()
	if got := sentence(); got == first || numbers(got)[2].value >= numbers(first)[2].value {
		t.Errorf("for ten times the error the planner says %q, for one %q", got, first)
	}
	v.set("delta", "2")
	v.settled()
	v.says("#delta-error", `Missed with δ must be a number from 0.001 to 0.5, got "2"`)
}

// TestCloud: what makes the pair and the kernel changes the cloud; where there is
// no error, the place says so.
func TestCloud(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/convergence?seeds=20&nFeatures=16")
	v.streamed()
	seen := map[string]bool{v.text(".cards"): true}
	for _, change := range []struct{ name, text string }{{"angle", "100"}, {"nonZero", "20"}, {"degree", "3"},
		{"seed", "77"}, {"nFeatures", "40"}} {
		before := v.text(".cards")
		v.set(change.name, change.text)
		v.wait(fmt.Sprintf(`document.querySelector(".cards").textContent.trim().replaceAll("\u00a0", " ") !== %q`, before))
		v.streamed()
		if cards := v.text(".cards"); seen[cards] {
			t.Errorf("%s = %s changes nothing: %q", change.name, change.text, cards)
		} else {
			seen[cards] = true
		}
		v.speaksWell()
	}
	v.pick("pairs", "20")
	v.streamed()
	v.says("#summary", "…20 pairs…")
	for _, link := range []string{"angle=0&degree=1&vector=one-hot", "angle=90", "angle=180&degree=3",
		"nonZero=1&vector=digit&nFeatures=2", "degree=8&angle=45"} {
		v.follow("#/convergence?seeds=10&" + link)
		v.streamed()
		v.speaksWell()
	}
}
