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

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"tensorsketch.example/sketch"
)

const convolutionX = "0.41,-0.74,-0.48,-0.15,0.68,0.53,0.74,0,-0.1,0.17"

// TestSteps: at each step of a convolution, to its end, the sum written out is the
// bucket of the direct sketch of all products.
func TestSteps(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/convolution")
	for _, c := range []struct{ degree, D int }{{2, 12}, {3, 7}, {4, 6}} {
		v.Run(fmt.Sprintf("degree %d", c.degree), func(t *testing.T) {
			v.follow(fmt.Sprintf("#/convolution?x=%s&nComponents=%d&degree=%d&round=%d&seed=5&step=0",
				convolutionX, c.D, c.degree, c.degree-1))
			x := v.parseVector(convolutionX)
			h, s := hashes(t, sketch.Params{NFeatures: len(x), NComponents: c.D, Degree: c.degree, Seed: sketch.IntSeed(5)})
			want := parts(directSketch(x, h, s, c.D))[0]
			v.says("#sum", "nothing is computed yet")
			for k := range c.D {
				v.press(kb.ArrowRight)
				at, label := k, fmt.Sprintf("k = %d, step %d of %d", k, k+1, c.D)
				if k == c.D-1 { // all is done, and the largest is shown
					at, label = largest(want), fmt.Sprintf("step %d of %d", c.D, c.D)
				}
				v.says("#step", label)
				sum := v.text("#sum")
				got, ok := result(sum)
				if !ok || !strings.HasPrefix(sum, fmt.Sprintf("bucket %d = ", at)) {
					t.Fatalf("in step %d the sum is %q, want bucket %d's", k+1, sum, at)
				}
				v.agrees("the sum "+sum, got, want[at])
				value, _, _ := v.card("entry")
				v.showsFirst("the card of the value", value, want[at])
				if bucket, _, _ := v.card("bucket"); bucket != strconv.Itoa(at) {
					t.Errorf("the card is of bucket %s, want %d", bucket, at)
				}
			}
			v.press(kb.ArrowRight)
			v.holds("step", strconv.Itoa(c.D))
			checkConvolution(v)
		})
	}
}

// TestConvolution: every number of the place is the core's, in all its views.
func TestConvolution(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/convolution")
	if got, want := v.text("h1"), "Two sketches convolve into the sketch of all products"; got != want {
		t.Errorf("the default is called %q, want %q", got, want)
	}
	v.pick("vector", "own")
	v.wait(stateNow + `.includes("x=")`) // its numbers, from which the sums are computed here
	checkConvolution(v)
	for _, view := range []string{"coordinates", "frequencies"} {
		v.pick("view", view)
		v.holds("view", view)
		checkConvolution(v)
		v.speaksWell()
	}
	for _, link := range []string{
		"#/convolution?x=0.5&nComponents=1",
		"#/convolution?x=1,-0.5,0.25&nComponents=2&seed=tea&step=1",
		"#/convolution?x=" + convolutionX + "&nComponents=9&degree=3&round=1",
		"#/convolution?x=" + convolutionX + "&nComponents=9&degree=4&round=2&seed=8",
		"#/convolution?x=" + convolutionX + "&nComponents=16&view=coordinates&seed=9",
		"#/convolution?x=" + convolutionX + "&nComponents=9&degree=3&view=coordinates&slice=2",
		"#/convolution?x=" + convolutionX + "&nComponents=9&degree=4&view=coordinates&slice=4&slice2=5",
		"#/convolution?x=" + convolutionX + "&nComponents=16&view=frequencies&step=3",
		"#/convolution?x=" + convolutionX + "&nComponents=15&view=frequencies&degree=3&round=2",
		"#/convolution?x=0,0&nComponents=4",
		twin + "&nComponents=16&view=frequencies",
		twin + "&nComponents=10&degree=3&view=frequencies&round=2",
		twin + "&nComponents=10&degree=4&round=2&seed=8",
		twin + "&nComponents=14&view=coordinates&seed=9",
		twin + "&nComponents=12&degree=4&view=coordinates&slice=4&slice2=5",
		"#/convolution?method=complex-tensor-sketch&x=0.5,-0.25&nComponents=2",
	} {
		v.Run(link, func(t *testing.T) {
			v.follow(link)
			checkConvolution(v)
			v.speaksWell()
		})
	}
	v.follow(twin + "&nComponents=8&seed=5&step=0")
	x := v.parseVector(convolutionX)
	h, s := hashes(t, sketch.Params{Method: sketch.MethodComplexTensorSketch, NFeatures: len(x), NComponents: 8, Degree: 2,
		Seed: sketch.IntSeed(5)})
	want := directSketch(x, h, s, 4)
	eval[any](v, `document.activeElement.blur()`)
	for k := range 3 {
		v.press(kb.ArrowRight)
		if sum := v.text("#sum"); cmplx.Abs(complexResult(v, sum)-want[k]) > 1e-4 {
			t.Errorf("in step %d the sum is %q, want %v", k+1, sum, want[k])
		}
	}
	v.follow("#/convolution?x=" + convolutionX + "&seed=5")
	v.pick("method", sketch.MethodComplexTensorSketch)
	checkConvolution(v)
}

// twin is a link to complex features.
const twin = "#/convolution?method=complex-tensor-sketch&x=" + convolutionX

// checkConvolution computes anew what the place shows: sketches, products and
// spectra, by the core's hashes and term by term.
func checkConvolution(v *visit) {
	v.Helper()
	v.wait(`/\d/.test(document.querySelector("#difference strong").textContent)`)
	link := v.link()
	x, view, suffixes := v.parseVector(link.Get("x")), link.Get("view"), suffixesOf(link.Get("method"))
	D, degree := v.whole(link, "nComponents"), v.whole(link, "degree")
	n, order := D/len(suffixes), degree
	if view != "coordinates" {
		order = v.whole(link, "round") + 1
	}
	h, s := hashes(v.T, sketch.Params{Method: link.Get("method"), NFeatures: len(x), NComponents: D, Degree: degree,
		Seed: seedOf(link.Get("seed"))})
	whole := directSketch(x, h[:order], s[:order], n)

	value, _, note := v.card("difference")
	if found := numbers(value); len(found) == 0 || !(found[0].value <= 1e-6) {
		v.Errorf("the largest difference is %q, want a number of at most 10⁻⁶", value)
	}
	if len(x) > 1 {
		v.showsFirst("the products one by one", note, math.Pow(float64(len(x)), float64(order)))
	}
	if len(suffixes) == 2 {
		value, _, note := v.card("sigma")
		for method, text := range map[string]string{sketch.MethodComplexTensorSketch: value,
			sketch.MethodTensorSketch: strings.TrimPrefix(note, "tensor sketch: ")} {
			theory := must(sketch.NewTensorFormulas(sketch.Params{Method: method, NFeatures: len(x), NComponents: D,
				Degree: order}))(v)
			sigma, _ := theory.StdError(x, x)
			v.showsFirst("σ of "+method, text, sigma)
		}
	}

	data := v.table()
	if view == "frequencies" {
		checkSpectra(v, data, x, h, s, order, whole)
		return
	}
	shown := whole
	if view == "coordinates" && degree > 2 { // only products with these coordinates
		factor, shift := complex128(1), 0
		for k, l := range []int{v.whole(link, "slice"), v.whole(link, "slice2")}[:degree-2] {
			factor *= s[k+2][l] * complex(x[l], 0)
			shift += h[k+2][l]
		}
		shown = make([]complex128, n)
		for k, value := range directSketch(x, h[:2], s[:2], n) {
			shown[(k+shift)%n] = factor * value
		}
	}
	v.nearParts(data, "sum of pairs", shown, 1e-6, suffixes...)
	v.nearParts(data, "FFT (float32)", shown, 1e-6, suffixes...)
	v.nearParts(data, "products one by one", whole, 1e-6, suffixes...)

	if step := v.whole(link, "step"); step > 0 && len(suffixes) == 1 {
		sum := v.text("#sum")
		got, ok := result(sum)
		match := regexp.MustCompile(`^bucket (\d+)`).FindStringSubmatch(sum)
		if match == nil {
			v.Fatalf("the sum is %q", sum)
		}
		if k, _ := strconv.Atoi(match[1]); ok {
			v.agrees("the sum "+sum, got, real(shown[k]))
		} else if !strings.Contains(sum, " = 0: ") {
			v.Errorf("the sum is %q", sum)
		}
	}
}

// checkSpectra compares Z[f] = Σ_k z[k]·e^(−2πi·fk/n) of both factors and of the result. Of real numbers half of them
// tell the others.
func checkSpectra(v *visit, data table, x []float64, h [][]int, s [][]complex128, order int, whole []complex128) {
	v.Helper()
	n, last := len(whole), order-1
	for _, z := range []struct {
		name   string
		sketch []complex128
	}{
		{"first", directSketch(x, h[:last], s[:last], n)}, {"second", directSketch(x, h[last:order], s[last:order], n)},
		{"product", whole}, {"result", whole},
	} {
		want := make([]complex128, n)
		for f := range want {
			for k, value := range z.sketch {
				want[f] += value * cmplx.Rect(1, -2*math.Pi*float64(f*k%n)/float64(n))
			}
		}
		if len(suffixesOf(v.link().Get("method"))) == 1 {
			want = want[:n/2+1]
		}
		v.nearParts(data, z.name, want, 3e-6, " real", " imaginary")
	}
}

// TestCells: a cell under the mouse is written out with its bucket; the cells it
// meets there stay, and all others fade on the canvas.
func TestCells(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/convolution?x="+convolutionX+"&nComponents=8&seed=5")
	x := v.parseVector(convolutionX)
	h, s := hashes(t, sketch.Params{NFeatures: len(x), NComponents: 8, Degree: 2, Seed: sketch.IntSeed(5)})
	sketches := [][]float64{parts(directSketch(x, h[:1], s[:1], 8))[0], parts(directSketch(x, h[1:], s[1:], 8))[0]}
	// The handle of the cells is on the first of them, and as large; m goes to the right.
	cell := v.box(`.handle[data-item="c0.0"]`)
	at := func(m, n int) (float64, float64) {
		return cell.Left + (float64(m)+.5)*cell.Width, cell.Top + (float64(n)+.5)*cell.Height
	}
	m, n := largest(sketches[0]), largest(sketches[1])
	opacities := func() map[[2]int]float64 {
		sums := eval[[][]float64](v, `(() => {
			const cells = document.querySelector("canvas.cells"), size = cells.width / 8;
			const canvas = new OffscreenCanvas(cells.width, cells.height).getContext("2d", { willReadFrequently: true });
			canvas.drawImage(cells, 0, 0);
			return Array.from({ length: 8 }, (_, m) => Array.from({ length: 8 }, (_, n) => {
				const pixels = canvas.getImageData(m * size, n * size, size, size).data;
				let most = 0;
				for (let i = 3; i < pixels.length; i += 4) most = Math.max(most, pixels[i]);
				return most;
			}));
		})()`)
		opacity := map[[2]int]float64{}
		for m, row := range sums {
			for n, most := range row {
				opacity[[2]int{m, n}] = most
			}
		}
		return opacity
	}
	before := opacities()
	v.point(at(m, n))
	sum := v.text("#sum")
	got, ok := result(strings.SplitN(sum, " →", 2)[0])
	if want := fmt.Sprintf("C₁x[%d]·C₂x[%d] = ", m, n); !ok || !strings.HasPrefix(sum, want) ||
		!strings.Contains(sum, fmt.Sprintf("bucket (%d + %d) mod 8 = %d. It holds ", m, n, (m+n)%8)) {
		t.Fatalf("with the mouse on cell (%d, %d) the sum is %q", m, n, sum)
	}
	v.agrees("the sum "+sum, got, sketches[0][m]*sketches[1][n])
	if item, describes := eval[string](v, `document.querySelector('.handle[data-item^="c"]').dataset.item`),
		eval[string](v, `document.querySelector('.handle[data-item^="c"]').getAttribute("aria-valuetext")`); item !=
		fmt.Sprintf("c%d.%d", m, n) || !strings.Contains(describes, sum) {
		t.Errorf("the cell is %s, described as %q, want the sum %q", item, describes, sum)
	}
	after := opacities()
	for at := range after {
		related, is := (at[0]+at[1])%8 == (m+n)%8, at == [2]int{m, n}
		switch set := math.Abs(sketches[0][at[0]]*sketches[1][at[1]]) > 1e-9; {
		case !set:
		case is && after[at] < before[at]:
			t.Errorf("the cell itself fades from %v to %v", before[at], after[at])
		case !is && related && after[at] <= .3*before[at]:
			t.Errorf("cell %v, of the same bucket, fades from %v to %v", at, before[at], after[at])
		case !related && after[at] > .3*before[at]:
			t.Errorf("cell %v, of another bucket, has the opacity %v, was %v", at, after[at], before[at])
		}
	}

	// A click holds the cell; the keyboard walks on from it.
	x0, y0 := at(m, n)
	v.do(chromedp.MouseClickXY(x0, y0))
	v.away()
	v.holds("at", fmt.Sprintf("c%d.%d", m, n))
	v.do(chromedp.Focus(chromedp.CSS(`.handle[data-item^="c"]`)))
	key, next := kb.ArrowDown, n+1
	if n == 7 {
		key, next = kb.ArrowUp, n-1
	}
	v.press(key)
	v.says("#sum", "C₁x[…→ bucket (…")
	v.holds("at", fmt.Sprintf("c%d.%d", m, next))
}

// largest is the index of the largest magnitude.
func largest(x []float64) int {
	top := 0
	for i, value := range x {
		if math.Abs(value) > math.Abs(x[top]) {
			top = i
		}
	}
	return top
}

// TestConvolutionDrag: a bar of x is dragged, and every number follows.
func TestConvolutionDrag(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/convolution?x="+convolutionX+"&nComponents=12&seed=5&degree=3&round=2")
	before := v.parseVector(convolutionX)
	strip := v.box(".strip")
	x := strip.Left + 7.5*strip.Width/float64(len(before))
	v.drag(x, strip.Top+strip.Height/2, x, strip.Top+.1*strip.Height)
	after := v.parseVector(v.link().Get("x"))
	if after[7] < .5 {
		t.Errorf("coordinate 7, dragged up, is %v", after[7])
	}
	checkConvolution(v)
	v.away()
	v.do(chromedp.Focus(chromedp.CSS(`.handle[data-item="x0"]`)))
	v.press(kb.ArrowUp)
	if got := v.parseVector(v.link().Get("x")); math.Abs(got[0]-after[0]-.05) > 1e-9 {
		t.Errorf("an arrow key makes %v of %v", got[0], after[0])
	}
	v.press(kb.End)
	v.holds("at", fmt.Sprintf("x%d", len(after)-1))
}
