//go:build !js

package page

import (
	"math"
	"math/cmplx"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"tensorsketch.example/sketch"
)

// complexHashes returns the buckets of complex features, D/2 of them, and the signs, from
// the core's hashes.
func complexHashes(t *testing.T, d, D, degree int, seed sketch.Seed) (h [][]int, s [][]complex128) {
	t.Helper()
	slots, signs := hashes(t, sketch.Params{Method: sketch.MethodComplexTensorSketch, NFeatures: d, NComponents: D,
		Degree: degree, Seed: seed})
	for k := range slots {
		h, s = append(h, make([]int, d)), append(s, make([]complex128, d))
		for i, slot := range slots[k] {
			h[k][i], s[k][i] = slot/2, complex(float64(signs[k][i]), 0)
			if slot%2 == 1 {
				s[k][i] *= 1i
			}
		}
	}
	return h, s
}

// complexDirect adds up all products of len(h) coordinates with complex signs, one by
// one, into n buckets.
func complexDirect(x []float64, h [][]int, s [][]complex128, n int) []complex128 {
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

// nearComplex compares the columns of both parts of some values.
func (v *visit) nearComplex(data table, name, re, im string, want []complex128, tolerance float64) {
	v.Helper()
	a, b := make([]float64, len(want)), make([]float64, len(want))
	for k, z := range want {
		a[k], b[k] = real(z), imag(z)
	}
	v.near(name+re, data.column(name+re), a, tolerance)
	v.near(name+im, data.column(name+im), b, tolerance)
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

// TestTwinBuckets: with complex signs every number of Buckets is the core's, and σ is
// that of the count sketch.
func TestTwinBuckets(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/buckets")
	v.pick("method", sketch.MethodComplexTensorSketch)
	if got := v.link().Get("method"); got != sketch.MethodComplexTensorSketch {
		t.Errorf("the link has method %q", got)
	}
	if got, want := v.text("h1"), "Sixteen numbers fall into four complex buckets"; got != want {
		t.Errorf("the picture is called %q, want %q", got, want)
	}
	checkTwinBuckets(v)
	v.speaksWell()
	for _, link := range []string{
		"#/buckets?method=complex-tensor-sketch&vector=smooth&nFeatures=24&nComponents=16&seed=7&angle=90&step=11",
		"#/buckets?method=complex-tensor-sketch&x=0.5&nComponents=2&y=hidden",
		"#/buckets?method=complex-tensor-sketch&vector=sparse&nFeatures=64&nComponents=128&seed=99&angle=60",
	} {
		v.follow(link)
		checkTwinBuckets(v)
		v.speaksWell()
	}
	v.set("nComponents", "9")
	if got := v.link().Get("nComponents"); got != "10" {
		t.Errorf("D = 9 coming from 128 becomes %s, want 10", got)
	}
	v.press(kb.ArrowLeft)
	checkTwinBuckets(v)
}

func checkTwinBuckets(v *visit) {
	v.Helper()
	link, data := v.link(), v.table()
	x, D, step := data.column("x"), v.whole(link, "nComponents"), v.whole(link, "step")
	y := x
	if link.Get("y") == "shown" {
		y = data.column("y")
	}
	h, s := complexHashes(v.T, len(x), D, 1, seedOf(link.Get("seed")))
	cx, cy, nets := make([]complex128, D/2), make([]complex128, D/2), make([]complex128, len(x))
	fallenX, fallenY := make([]float64, len(x)), make([]float64, len(x))
	for i := range step {
		fallenX[i], fallenY[i] = x[i], y[i]
		cx[h[0][i]] += s[0][i] * complex(x[i], 0)
		cy[h[0][i]] += s[0][i] * complex(y[i], 0)
	}
	for i, k := range h[0] {
		nets[i] = cx[k]
	}
	v.nearComplex(data, "s(i)", ", Re", ", Im", s[0], 0)
	v.nearComplex(data, "Cx of h(i)", ", Re", ", Im", nets, 1e-6)
	estimate := 0.0
	for k := range cx {
		estimate += real(cx[k] * cmplx.Conj(cy[k]))
	}
	T, both := dot(fallenX, fallenY)*dot(fallenX, fallenY), 0.0
	for i := range fallenX {
		both += fallenX[i] * fallenX[i] * fallenY[i] * fallenY[i]
	}
	sigma := math.Sqrt(max(0, (T+dot(fallenX, fallenX)*dot(fallenY, fallenY)-2*both)/float64(D))) // as of real signs
	value, unit, note := v.card("estimate")
	v.showsFirst("the estimate", value, estimate)
	v.showsFirst("its σ", strings.TrimPrefix(unit, "±"), sigma)
	if _, after, ok := strings.Cut(note, "the count sketch’s σ is "); !ok {
		v.Errorf("the estimate says %q", note)
	} else {
		v.showsFirst("the count sketch's σ", after, sigma)
	}
}

// TestTwinConvolution: with complex signs every number of Convolution is the core's,
// in all its views, and the sum of each step is the bucket of the direct sketch.
func TestTwinConvolution(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/convolution?x="+convolutionX+"&seed=5")
	v.pick("method", sketch.MethodComplexTensorSketch)
	checkTwinConvolution(v)
	for _, link := range []string{
		"#/convolution?method=complex-tensor-sketch&x=" + convolutionX + "&nComponents=16&view=frequencies",
		"#/convolution?method=complex-tensor-sketch&x=" + convolutionX + "&nComponents=10&degree=3&view=frequencies&round=2",
		"#/convolution?method=complex-tensor-sketch&x=" + convolutionX + "&nComponents=10&degree=4&round=2&seed=8",
		"#/convolution?method=complex-tensor-sketch&x=" + convolutionX + "&nComponents=14&view=coordinates&seed=9",
		"#/convolution?method=complex-tensor-sketch&x=" + convolutionX +
			"&nComponents=12&degree=4&view=coordinates&slice=4&slice2=5",
		"#/convolution?method=complex-tensor-sketch&x=0.5,-0.25&nComponents=2",
	} {
		v.follow(link)
		checkTwinConvolution(v)
		v.speaksWell()
	}
	v.follow("#/convolution?method=complex-tensor-sketch&x=" + convolutionX + "&nComponents=8&seed=5&step=0")
	x := v.parseVector(convolutionX)
	h, s := complexHashes(t, len(x), 8, 2, sketch.IntSeed(5))
	want := complexDirect(x, h, s, 4)
	for k := range 3 {
		v.press(kb.ArrowRight)
		if sum := v.text("#sum"); cmplx.Abs(complexResult(v, sum)-want[k]) > 1e-4 {
			t.Errorf("in step %d the sum is %q, want %v", k+1, sum, want[k])
		}
	}
}

func checkTwinConvolution(v *visit) {
	v.Helper()
	v.wait(`/\d/.test(document.querySelector("#difference strong").textContent)`)
	link := v.link()
	x, view := v.parseVector(link.Get("x")), link.Get("view")
	D, degree := v.whole(link, "nComponents"), v.whole(link, "degree")
	n, order := D/2, degree
	if view != "coordinates" {
		order = v.whole(link, "round") + 1
	}
	h, s := complexHashes(v.T, len(x), D, degree, seedOf(link.Get("seed")))
	whole := complexDirect(x, h[:order], s[:order], n)
	value, _, _ := v.card("difference")
	if found := numbers(value); len(found) == 0 || !(found[0].value <= 1e-6) {
		v.Errorf("the largest difference is %q, want a number of at most 10⁻⁶", value)
	}
	for i, method := range []string{sketch.MethodComplexTensorSketch, sketch.MethodTensorSketch} {
		theory, err := sketch.NewTensorFormulas(sketch.Params{Method: method, NFeatures: len(x),
			NComponents: D, Degree: order})
		if err != nil {
			v.Fatal(err)
		}
		sigma, _ := theory.StdError(x, x)
		value, _, note := v.card("sigma")
		v.showsFirst("σ of "+method, []string{value, strings.TrimPrefix(note, "tensor sketch: ")}[i], sigma)
	}
	data := v.table()
	if view == "frequencies" {
		checkTwinSpectra(v, data, x, h, s, order, whole)
		return
	}
	shown := whole
	if view == "coordinates" && degree > 2 {
		factor, shift := complex128(1), 0
		for k, l := range []int{v.whole(link, "slice"), v.whole(link, "slice2")}[:degree-2] {
			factor *= s[k+2][l] * complex(x[l], 0)
			shift += h[k+2][l]
		}
		shown = make([]complex128, n)
		for k, value := range complexDirect(x, h[:2], s[:2], n) {
			shown[(k+shift)%n] += factor * value
		}
	}
	v.nearComplex(data, "sum of pairs", ", Re", ", Im", shown, 1e-6)
	v.nearComplex(data, "FFT (float32)", ", Re", ", Im", shown, 1e-6)
	v.nearComplex(data, "products one by one", ", Re", ", Im", whole, 1e-6)
}

// checkTwinSpectra compares Z[f] = Σ_k z[k]·e^(−2πi·fk/n), for all f.
func checkTwinSpectra(v *visit, data table, x []float64, h [][]int, s [][]complex128, order int, whole []complex128) {
	v.Helper()
	n, last := len(whole), order-1
	for _, z := range []struct {
		name   string
		sketch []complex128
	}{
		{"first", complexDirect(x, h[:last], s[:last], n)}, {"second", complexDirect(x, h[last:order], s[last:order], n)},
		{"product", whole}, {"result", whole},
	} {
		want := make([]complex128, n)
		for f := range want {
			for k, value := range z.sketch {
				want[f] += value * cmplx.Rect(1, -2*math.Pi*float64(f*k%n)/float64(n))
			}
		}
		v.nearComplex(data, z.name, " real", " imaginary", want, 3e-6)
	}
}
