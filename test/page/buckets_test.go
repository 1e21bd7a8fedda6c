//go:build !js

package page

import (
	"fmt"
	"math"
	"math/cmplx"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"tensorsketch.example/sketch"
)

// TestBuckets: every number that Buckets shows is the core's, from the parameters
// of the link.
func TestBuckets(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/buckets")
	if got, want := v.text("h1"), "Sixteen numbers fall into eight buckets"; got != want {
		t.Errorf("the default is called %q, want %q", got, want)
	}
	checkBuckets(v)
	for _, link := range []string{
		"#/buckets?vector=smooth&nFeatures=24&nComponents=16&seed=7&angle=90",
		"#/buckets?x=1,-0.5,0.25,-0.05&nComponents=3&seed=1&step=2&angle=120",
		"#/buckets?x=0,0,0&nComponents=2&seed=3",
		"#/buckets?vector=zipf&nFeatures=20&nComponents=5&seed=caf%C3%A9&y=hidden",
		"#/buckets?vector=random&nFeatures=10&nComponents=6&seed=12&hash=random-state",
		"#/buckets?vector=one-hot&nFeatures=16&nComponents=8&y=hidden",
		"#/buckets?vector=digit&nComponents=32&seed=5&angle=10",
		"#/buckets?vector=sparse&nFeatures=64&nComponents=128&seed=99&angle=60",
		"#/buckets?x=0.5&nComponents=1&angle=180",
		"#/buckets?method=complex-tensor-sketch&vector=smooth&nFeatures=24&nComponents=16&seed=7&angle=90&step=11",
		"#/buckets?method=complex-tensor-sketch&x=0.5&nComponents=2&y=hidden",
		"#/buckets?method=complex-tensor-sketch&vector=sparse&nFeatures=64&nComponents=128&seed=99&angle=60",
	} {
		v.Run(link, func(t *testing.T) {
			v.follow(link)
			checkBuckets(v)
			v.speaksWell()
		})
	}
	v.Run("draws", func(t *testing.T) {
		v.follow("#/buckets?vector=zipf&signs=off")
		began := time.Now()
		v.pressByMouse("#draw-seeds")
		v.until("#summary", "…The mean of… seeds is…")
		v.pressByMouse("#step-back") // the page answers while it draws
		v.until("#step", "step 15 of 16")
		v.grown()
		t.Logf("1,000 seeds after %v", time.Since(began))
		v.pressByMouse("#step-forward")
		v.until("#draw-seeds", "Clear seeds")
		checkBuckets(v)
	})
}

// checkBuckets computes anew what the place shows: the count sketches of x and y
// by the core's hashes, term by term, and the exact variance at p = 1,
//
//	Var⟨Cx, Cy⟩ = (⟨x,y⟩² + ‖x‖²‖y‖² − 2 Σ x_i² y_i²) / D
func checkBuckets(v *visit) {
	v.Helper()
	link, data := v.link(), v.table()
	x, D, step := data.column("x"), v.whole(link, "nComponents"), v.whole(link, "step")
	if given := link.Get("x"); given != "" {
		v.near("x of the link", x, v.parseVector(given), 0)
	}
	d := len(x)
	y := x
	if link.Get("y") == "shown" {
		y = data.column("y")
		angle, _ := strconv.ParseFloat(link.Get("angle"), 64)
		v.near("⟨x,y⟩ and ‖y‖²", []float64{dot(x, y), dot(y, y)},
			[]float64{dot(x, x) * math.Cos(angle*math.Pi/180), dot(x, x)}, 1e-6)
	}
	method, n, suffixes := sketch.MethodCountSketch, D, suffixesOf(link.Get("method"))
	isTwin := len(suffixes) == 2
	if isTwin {
		method, n = sketch.MethodComplexTensorSketch, D/2
	}
	params := sketch.Params{Method: method, NFeatures: d, NComponents: D, Degree: 1}
	if link.Get("hash") == sketch.HashRandomState {
		state := uint32(v.whole(link, "seed"))
		params.RandomState = &state
	} else {
		params.Seed = seedOf(link.Get("seed"))
	}
	h, s := hashes(v.T, params)
	isSignless := link.Get("signs") == "off"
	for i := range s[0] {
		if isSignless {
			s[0][i] = 1
		}
	}

	cx, cy, meet, pairs := make([]complex128, n), make([]complex128, n), make([]int, n), 0
	fallenX, fallenY := make([]float64, d), make([]float64, d)
	signed, hx, nets := make([]complex128, d), make([]float64, d), make([]complex128, d)
	for i, k := range h[0] {
		signed[i], hx[i] = s[0][i]*complex(x[i], 0), float64(k)
		if i < step {
			fallenX[i], fallenY[i] = x[i], y[i]
			cx[k] += signed[i]
			cy[k] += s[0][i] * complex(y[i], 0)
			if x[i] != 0 {
				meet[k]++
			}
		}
		for j := range min(i, step) {
			if i < step && h[0][j] == k {
				pairs++
			}
		}
	}
	estimate := 0.0
	for k := range cx {
		estimate += real(cx[k] * cmplx.Conj(cy[k]))
	}
	for i, k := range h[0] {
		nets[i] = cx[k]
	}
	v.near("h(i)", data.column("h(i)"), hx, 0)
	v.nearParts(data, "s(i)", s[0], 0, suffixes...)
	v.nearParts(data, "s(i)x", signed, 1e-9, suffixes...)
	v.nearParts(data, "Cx of h(i)", nets, 1e-6, suffixes...)

	T, N, both := moments(fallenX, fallenY)
	sigma := math.Sqrt(max(0, (T+N-2*both)/float64(D)))
	value, _, _ := v.card("exact")
	v.showsFirst("the exact product", value, dot(fallenX, fallenY))
	value, unit, note := v.card("estimate")
	v.showsFirst("the estimate", value, estimate)
	if isSignless {
		sigma *= math.Sqrt(1 - 1/float64(D))
		_, around, _ := strings.Cut(unit, "around ")
		exact := dot(fallenX, fallenY)
		v.showsFirst("the mean", around, exact+(total(fallenX)*total(fallenY)-exact)/float64(D))
	}
	v.showsFirst("its σ", strings.TrimPrefix(unit, "±"), sigma) // with complex signs as with real ones
	if isTwin {
		_, after, _ := strings.Cut(note, "the count sketch’s σ is ")
		v.showsFirst("the count sketch's σ", after, sigma)
	}
	value, unit, expected := v.card("collisions")
	v.showsFirst("the collisions", value, float64(pairs))
	v.showsFirst("the pairs", unit, float64(step*(step-1)/2))
	v.showsFirst("the expected collisions", expected, float64(step*(step-1)/2)/float64(n))

	k, err := strconv.Atoi(strings.TrimPrefix(v.text("#bucket h2"), "Bucket "))
	if err != nil || k >= n {
		v.Fatalf("the card of a bucket is called %q", v.text("#bucket h2"))
	}
	if isTwin {
		return
	}
	value, unit, _ = v.card("bucket")
	v.showsFirst("the bucket", value, real(cx[k]))
	if strings.HasPrefix(unit, "net of ") {
		v.showsFirst("what the bucket holds", unit, float64(meet[k]))
	}
	sum := v.text("#sum") // below the picture
	match := regexp.MustCompile(`^bucket (\d+)`).FindStringSubmatch(sum)
	if match == nil {
		v.says("#sum", "no coordinate has fallen yet")
		return
	}
	k, _ = strconv.Atoi(match[1])
	if got, ok := result(strings.SplitN(sum, ":", 2)[0]); k < n && ok {
		v.agrees("the sum "+sum, got, real(cx[k]))
	} else {
		v.Errorf("the sum is %q", sum)
	}
}

// TestTwinBuckets: with complex signs D is even, and the picture has another title.
func TestTwinBuckets(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/buckets")
	v.pick("method", sketch.MethodComplexTensorSketch)
	v.holds("method", sketch.MethodComplexTensorSketch)
	if got, want := v.text("h1"), "Sixteen numbers fall into four complex buckets"; got != want {
		t.Errorf("the picture is called %q, want %q", got, want)
	}
	checkBuckets(v)
	v.speaksWell()
	v.set("nComponents", "128")
	v.set("nComponents", "9")
	v.holds("nComponents", "10")
	v.press(kb.ArrowLeft)
	checkBuckets(v)
}

// TestDragBar: a visitor takes hold of bars, with a mouse and with a finger, and
// finds every number changed as the core says.
func TestDragBar(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/buckets")
	before := v.table().column("x")
	strip := v.box(".strip")
	column := func(i int) float64 { return strip.Left + (float64(i)+.5)*strip.Width/float64(len(before)) }
	for _, drag := range []struct {
		i        int
		from, to float64 // heights as parts of the strip, from its top
		up       bool
	}{{4, .5, .02, true}, {12, .3, .6, false}, {0, .4, 3, false}} {
		v.drag(column(drag.i), strip.Top+drag.from*strip.Height, column(drag.i), strip.Top+drag.to*strip.Height)
		x := v.parseVector(v.link().Get("x"))
		if drag.up == (x[drag.i] < before[drag.i]) || x[drag.i] == before[drag.i] {
			t.Errorf("coordinate %d was %v; dragged, it is %v", drag.i, before[drag.i], x[drag.i])
		}
		before[drag.i] = x[drag.i]
		v.near("the numbers not dragged", x, before, 0)
		checkBuckets(v)
		if got := v.text("#sum"); !strings.Contains(got, "x"+subscripts.Replace(strconv.Itoa(drag.i))) &&
			!strings.Contains(got, "terms") {
			t.Errorf("while the mouse is on x%d the sum is %q", drag.i, got)
		}
	}
	if before[0] != -1 {
		t.Errorf("dragged below the picture, coordinate 0 is %v, want −1", before[0])
	}

	v.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateTouch))
	v.settled()
	strip = v.box(".strip")
	finger := func(part float64) *input.TouchPoint {
		return &input.TouchPoint{X: column(8), Y: strip.Top + part*strip.Height}
	}
	up := func() {
		v.touch(input.DispatchTouchEventTypeTouchStart, finger(.5))
		for _, part := range []float64{.4, .2, .05} {
			v.touch(input.DispatchTouchEventTypeTouchMove, finger(part))
		}
		v.touch(input.DispatchTouchEventTypeTouchEnd)
		v.settled()
		v.unscrolled() // else it takes the next tap for a wish to stop
	}
	scrolled := eval[float64](v, "scrollY")
	up() // scrolls, and changes nothing
	if x := v.parseVector(v.link().Get("x")); x[8] != before[8] || eval[float64](v, "scrollY") <= scrolled {
		t.Errorf("coordinate 8 was %v; a finger that scrolls leaves %v, at %v, was %v", before[8], x[8],
			eval[float64](v, "scrollY"), scrolled)
	}
	strip = v.box(".strip")
	v.touch(input.DispatchTouchEventTypeTouchStart, finger(.5))
	v.touch(input.DispatchTouchEventTypeTouchEnd)
	v.wait(`location.hash.includes("at=x8")`)
	// A busy Chromium still scrolls for a finger on a grip that was drawn a moment ago, and tells the page so.
	eval[any](v, `addEventListener("pointercancel", () => (globalThis.isScroll = true), true)`)
	for try := 1; ; try++ {
		v.settled()
		strip = v.box(".strip")
		v.wait(fmt.Sprintf(`document.elementFromPoint(%v, %v)?.className === "grip"`, finger(.5).X, finger(.5).Y))
		v.settled()
		eval[any](v, `globalThis.isScroll = false`)
		up()
		x := v.parseVector(v.link().Get("x"))
		if x[8] > before[8] {
			break
		} else if try == 5 || !eval[bool](v, `isScroll`) {
			t.Errorf("coordinate 8 was %v; dragged up by a finger %d times, it is %v", before[8], try, x[8])
			break
		}
		t.Logf("Chromium scrolls for a finger on the grip; dragged again")
	}
	checkBuckets(v)
}

var subscripts = strings.NewReplacer("0", "₀", "1", "₁", "2", "₂", "3", "₃", "4", "₄", "5", "₅", "6", "₆", "7", "₇",
	"8", "₈", "9", "₉")

// TestBucketsControls: every control changes what it says, and all numbers with it.
func TestBucketsControls(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/buckets")
	for _, change := range []struct {
		name string
		do   func()
		want map[string]string
	}{
		{"slide D", func() { v.slide("nComponents", 20) }, map[string]string{"nComponents": "20"}},
		{"type d", func() { v.set("nFeatures", "9") }, map[string]string{"nFeatures": "9", "step": "9"}},
		{"preset", func() { v.pick("vector", "zipf") }, map[string]string{"vector": "zipf"}},
		{"angle", func() { v.slide("angle", 100) }, map[string]string{"angle": "100"}},
		{"coordinate up", func() { v.click("#coordinate-up") }, map[string]string{"at": "x1"}},
		{"value down", func() { v.click("#value-down") },
			map[string]string{"vector": "own", "x": "1,0.45,0.33,0.25,0.2,0.17,0.14,0.13,0.11"}},
		{"value typed", func() { v.set("value", "-0.7") },
			map[string]string{"x": "1,-0.7,0.33,0.25,0.2,0.17,0.14,0.13,0.11"}},
		{"hide y", func() { v.pick("y", "hidden") }, map[string]string{"y": "hidden"}},
		{"seed", func() { v.set("seed", "11") }, map[string]string{"seed": "11"}},
		{"tables of scikit-learn", func() { v.pick("hash", "random-state") }, map[string]string{"hash": "random-state"}},
		{"step back", func() { v.click("#step-back") }, map[string]string{"step": "8"}},
		{"speed", func() { choose(v, "#speed", "8") }, map[string]string{"speed": "8"}},
	} {
		v.Run(change.name, func(t *testing.T) {
			change.do()
			for name, want := range change.want {
				v.holds(name, want)
			}
			checkBuckets(v)
		})
	}
	v.click("#new-seed")
	v.settled()
	if got := v.link().Get("seed"); got == "11" {
		t.Error("a new seed is the old one")
	}
	checkBuckets(v)
	v.click("#reset")
	if got := v.address(); got !=
		"#/buckets?vector=random&nFeatures=16&nComponents=8&seed=415&step=16&hash=seed&y=shown&angle=35&speed=2" {
		t.Errorf("after Reset the address is %s", got)
	}
	for _, refused := range []struct{ name, text, want string }{
		{"nComponents", "0", "Components D must be an integer from 1 to 128, got 0"},
		{"nFeatures", "65", "Coordinates d must be an integer from 1 to 64, got 65"},
		{"value", "2", "Its value xᵢ must be a number from -1 to 1, got \"2\""},
		{"angle", "steep", "Angle to x (°) must be an integer from 0 to 180, got \"steep\""},
	} {
		before := v.text(".cards")
		v.set(refused.name, refused.text)
		v.settled()
		got := strings.ReplaceAll(v.text("#"+refused.name+"-error"), "−", "-")
		if got != refused.want || v.text(".cards") != before {
			t.Errorf("%s = %s is refused with %q, want %q; the cards changed: %v", refused.name, refused.text, got,
				refused.want, v.text(".cards") != before)
		}
		// The slider stays where it is, and says so: it said what was refused.
		if says := eval[string](v, fmt.Sprintf(`((s) => !s || s.value === s.ariaValueText ? "" : s.value + ": " +
			s.ariaValueText)(document.querySelector(".%s input[type=range]"))`, refused.name)); says != "" {
			t.Errorf("%s: the slider is at %s", refused.name, says)
		}
	}
}

// TestRelatives: what the mouse is on, and what a click holds, lights up with all
// that belongs to it.
func TestRelatives(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/buckets")
	params := sketch.Params{Method: sketch.MethodCountSketch, NFeatures: 16, NComponents: 8, Degree: 1,
		Seed: sketch.IntSeed(415)}
	h, _ := hashes(t, params)
	strip := v.box(".strip")
	x, y := strip.Left+10.5*strip.Width/16, strip.Top+strip.Height/2
	faint := func() bool { return eval[bool](v, `Boolean(document.querySelector(".drawing .faint"))`) }
	sum := v.text("#sum")
	if faint() {
		t.Error("before anything is pointed at, something is faint")
	}
	v.point(x, y)
	want := fmt.Sprintf("bucket %d = ", h[0][10])
	if got := v.text("#sum"); !strings.HasPrefix(got, want) || !strings.Contains(got, "x₁₀") || !faint() {
		t.Errorf("with the mouse on coordinate 10 the sum is %q, want %s…; something is faint: %v", got, want, faint())
	}
	if got, want := v.text("#bucket h2"), fmt.Sprintf("Bucket %d", h[0][10]); got != want {
		t.Errorf("the card is of %q, want %q", got, want)
	}
	v.away()
	if v.text("#sum") != sum || faint() {
		t.Errorf("after the mouse has left the sum is %q, was %q", v.text("#sum"), sum)
	}

	v.do(chromedp.MouseClickXY(x, y))
	v.away()
	if got := v.link().Get("at"); got != "x10" || !faint() || !strings.HasPrefix(v.text("#sum"), want) {
		t.Errorf("a click holds %q, want x10; the sum is %q", got, v.text("#sum"))
	}
	describes := eval[string](v, `document.querySelector('.handle[data-item="x10"]').getAttribute("aria-valuetext")`)
	if want := fmt.Sprintf("falls into bucket %d", h[0][10]); !strings.Contains(describes, want) {
		t.Errorf("coordinate 10 is described as %q, want %s", describes, want)
	}
	v.do(chromedp.MouseClickXY(x, y))
	v.away()
	if got := v.link().Get("at"); got != "" || faint() {
		t.Errorf("a second click holds %q", got)
	}
}

func total(x []float64) (sum float64) {
	for _, value := range x {
		sum += value
	}
	return sum
}

// grown waits until all seeds wanted are in the histogram.
func (v *visit) grown() {
	v.Helper()
	v.until("#summary", "…The mean of 1,000 seeds is…")
}
