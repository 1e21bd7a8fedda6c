//go:build !js

package page

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/model"
)

// methods are links to all methods, with their kernels.
var methods = []struct {
	link   string
	params sketch.Params // what the page makes of it, beside d, D, and rows of length 1
}{
	{"", sketch.Params{Degree: 2, Coef0: 1}},
	{"method=count-sketch&gamma=2", sketch.Params{Method: sketch.MethodCountSketch, Gamma: 2, Coef0: 1}},
	{"method=complex-tensor-sketch&degree=3",
		sketch.Params{Method: sketch.MethodComplexTensorSketch, Degree: 3, Coef0: 1}},
	{"method=complex-tensor-sketch&output=spectrum",
		sketch.Params{Method: sketch.MethodComplexTensorSketch, Coef0: 1, Output: sketch.OutputSpectrum}},
	{"method=random-maclaurin", sketch.Params{Method: sketch.MethodRandomMaclaurin, Coef0: 1,
		MethodParams: sketch.MethodParams{Kernel: sketch.KernelPolynomial}}},
	{"method=random-maclaurin&kernel=exponential", sketch.Params{Method: sketch.MethodRandomMaclaurin,
		MethodParams: sketch.MethodParams{Kernel: sketch.KernelExponential}}},
	{"method=tensorized-random-projection&coef0=0", sketch.Params{Method: sketch.MethodTensorizedProjection}},
	{"method=complex-tensorized-random-projection", sketch.Params{Method: sketch.MethodComplexProjection, Coef0: 1}},
	{"method=tensor-srht&normalize=kernel",
		sketch.Params{Method: sketch.MethodTensorSRHT, Coef0: 1, Normalize: sketch.NormalizeKernel}},
	{"method=complex-tensor-srht", sketch.Params{Method: sketch.MethodComplexTensorSRHT, Coef0: 1}},
	{"method=craft", sketch.Params{Method: sketch.MethodCRAFT, Coef0: 1}},
	{"method=tree-tensor-sketch&degree=5", sketch.Params{Method: sketch.MethodTreeTensorSketch, Degree: 5, Coef0: 1}},
	{"method=spherical&degree=6&a=2.5",
		sketch.Params{Method: sketch.MethodSpherical, Degree: 6, MethodParams: sketch.MethodParams{A: 2.5}}},
	{"method=random-fourier", sketch.Params{Method: sketch.MethodRandomFourier,
		MethodParams: sketch.MethodParams{Kernel: sketch.KernelGaussian}}},
	{"method=random-fourier&kernel=laplacian&gamma=0.5&seed=tea",
		sketch.Params{Method: sketch.MethodRandomFourier, Gamma: .5, Seed: sketch.StringSeed("tea"),
			MethodParams: sketch.MethodParams{Kernel: sketch.KernelLaplacian}}},
	{"method=taylor-sketch", sketch.Params{Method: sketch.MethodTaylorSketch,
		MethodParams: sketch.MethodParams{Kernel: sketch.KernelGaussian}}},
	{"method=taylor-sketch&kernel=exponential", sketch.Params{Method: sketch.MethodTaylorSketch,
		MethodParams: sketch.MethodParams{Kernel: sketch.KernelExponential}}},
	{"method=taylor-sketch&kernel=arc-cosine", sketch.Params{Method: sketch.MethodTaylorSketch,
		MethodParams: sketch.MethodParams{Kernel: sketch.KernelArcCosine}}},
	{"method=nystroem", sketch.Params{Method: sketch.MethodNystroem, Coef0: 1,
		MethodParams: sketch.MethodParams{Kernel: sketch.KernelPolynomial}}},
	{"method=nystroem&kernel=gaussian&seed=7", sketch.Params{Method: sketch.MethodNystroem, Seed: sketch.IntSeed(7),
		MethodParams: sketch.MethodParams{Kernel: sketch.KernelGaussian}}},
	{"method=nystroem&kernel=exponential", sketch.Params{Method: sketch.MethodNystroem,
		MethodParams: sketch.MethodParams{Kernel: sketch.KernelExponential}}},
}

// shades returns a file of n rows of d whole numbers from 0 to 16, as digits have
// them, and the rows scaled to length 1.
func shades(n, d int) (file string, X [][]float32) {
	var b strings.Builder
	for i := range d {
		b.WriteString("x" + strconv.Itoa(i) + ",")
	}
	b.WriteString("name\n")
	for row := range n {
		x := make([]float32, d)
		for i := range x {
			shade := max((row*37+i*i*11+row*i*5)%23-6, 0)
			x[i] = float32(shade)
			b.WriteString(strconv.Itoa(shade) + ",")
		}
		b.WriteString("r" + strconv.Itoa(row) + "\n")
		unit(x)
		X = append(X, x)
	}
	return b.String(), X
}

// TestMethods: a link to each method embeds a file with the bits that the core has
// natively, the files saved hold these and the model, and the model makes them again,
// in Go and in Chromium. The rail has fields for what the API takes, and no others.
func TestMethods(t *testing.T) {
	t.Parallel()
	const d, D = 12, 32
	file, X := shades(40, d)
	var cells [][]string
	for row := range X {
		cells = append(cells, []string{"r" + strconv.Itoa(row)})
	}
	v := visitEmbed(t, "")
	v.readyAfter(func() { v.choose(v.write("shades.csv", file)) })
	v.asTheyAre()
	menu := eval[[]string](v, `[...document.querySelectorAll("#method option")].map((o) => o.value)`)
	estimating := slices.DeleteFunc(sketch.Methods(), func(m sketch.Method) bool { return m.Basis })
	if !slices.EqualFunc(menu, estimating, func(name string, m sketch.Method) bool { return name == m.Name }) {
		t.Errorf("the menu has %q", menu)
	}
	for _, m := range methods {
		v.Run(m.link, func(t *testing.T) {
			v.embeds("#/embed?nComponents=32&" + m.link)
			if note, status := v.text(".notes"), v.text("#status"); note != "" ||
				!strings.HasPrefix(status, "Embedded 40 rows") {
				t.Fatalf("the page says %q, %q", status, note)
			}
			p := m.params
			p.NFeatures, p.NComponents = d, D
			saved := checkDownloads(v, "shades", p, X, []string{"name"}, cells)
			again(v, string(saved), X, embed(t, p, X))
			v.reported(newMap(t, p, X), X)
			if wrong := eval[[]string](v, takenWrongly); len(wrong) > 0 {
				t.Errorf("%q", wrong)
			}
		})
	}
}

// takenWrongly lists parameters that the rail has a field of and the API does not take, or the reverse.
const takenWrongly = `(async () => {
	const ts = await page.tensorsketch();
	const rail = document.querySelector(".rail");
	const method = rail.querySelector("#method").value;
	const takes = (more, methodParams = {}) => {
		const kernel = rail.querySelector("input[name=kernel]:checked")?.value;
		try {
			ts.featureMap({ method, nFeatures: 3, nComponents: 64, ...more,
				methodParams: { kernel, ...methodParams } }).dispose();
			return true;
		} catch (error) {
			if (error.code !== "ERR_PARAM") throw error;
			return false;
		}
	};
	const tries = {
		"#degree": takes({ degree: 3 }), "#gamma": takes({ gamma: 2 }), "#coef0": takes({ coef0: 1 }),
		"#a": takes({}, { a: 3 }),
		"input[name=output]": takes({ output: "spectrum" }), "#nComponents": takes({}),
	};
	for (const kernel of ["polynomial", "gaussian", "laplacian", "exponential", "arc-cosine"]) {
		tries['input[name=kernel][value="' + kernel + '"]'] = takes({}, { kernel });
	}
	return Object.entries(tries).filter(([field, taken]) => Boolean(rail.querySelector(field)) !== taken)
		.map(([field, taken]) => field + " taken " + taken);
})()`

// again makes the features anew from a model, in Go and in Chromium.
func again(v *visit, saved string, X [][]float32, want []float32) {
	v.Helper()
	rows := slices.Concat(X...)
	if got := must(must(model.Unmarshal([]byte(saved)))(v).TransformBatch(nil, rows))(v); !slices.Equal(got, want) {
		v.Error("the model makes other features in Go")
	}
	bytes := must(base64.StdEncoding.DecodeString(eval[string](v, fmt.Sprintf(`(async () => {
		const map = (await page.tensorsketch()).fromJSON(%q);
		const Z = map.transform(Float32Array.of(...%s));
		map.dispose();
		return btoa(String.fromCharCode(...new Uint8Array(Z.buffer)));
	})()`, saved, quoted(rows)))))(v)
	checkBits(v, bytes, want)
}

// reported checks the card of σ against what the core says of the pairs of rows: a
// bias counts from 1 % of σ.
func (v *visit) reported(m *sketch.FeatureMap, X [][]float32) {
	v.Helper()
	kind, variance, bias := sketch.Exact, 0.0, 0.0
	for j := range X {
		for i := range j {
			x, y := make([]float64, m.NFeatures()), make([]float64, m.NFeatures())
			for k := range x {
				x[k], y[k] = float64(X[i][k]), float64(X[j][k])
			}
			sigma, pairKind := m.StdError(x, y)
			kind = max(kind, pairKind)
			variance += sigma * sigma
			if pairKind != sketch.Unknown {
				bias += m.Bias(x, y) * m.Bias(x, y)
			}
		}
	}
	biased := bias > 0 && bias >= 1e-4*variance
	card := v.text("#sigma")
	if !strings.Contains(card, kind.String()) || strings.Contains(card, "–") != (kind == sketch.Unknown) ||
		strings.Contains(card, "bias") != biased {
		v.Errorf("σ is %v, biased %v; the card says %q", kind, biased, card)
	}
	band := eval[bool](v, `Boolean(document.querySelector("#picture .band"))`)
	if band != (kind != sketch.Unknown) {
		v.Errorf("σ is %v, there is a band: %v", kind, band)
	}
	if got := v.text("#rmse strong"); !strings.ContainsAny(got, "0123456789") {
		v.Errorf("the error is %q", got)
	}
}

// TestMethodMenu: a method chosen in the menu is embedded at once, is in the link, and
// is there again after reloading.
func TestMethodMenu(t *testing.T) {
	t.Parallel()
	v := visitEmbed(t, "")
	v.readyAfter(func() { choose(v, "#method", "random-fourier") })
	v.readyAfter(func() { v.click(`input[name="kernel"][value="laplacian"] + span`) })
	v.says(".lede", "…exp(−γ‖x − y‖₁)…")
	if got := v.address(); !strings.Contains(got, "method=random-fourier&kernel=laplacian&gamma=1&") ||
		strings.Contains(got, "degree") {
		t.Errorf("the address is %s", got)
	}
	preview := v.text("#preview")
	v.do(chromedp.Reload())
	v.ready()
	if got := eval[string](v, `document.querySelector("#method").value`); got != "random-fourier" ||
		v.text("#preview") != preview {
		t.Errorf("reloaded, the menu says %s, the features are %.200q, were %.200q", got, v.text("#preview"), preview)
	}
	v.readyAfter(func() { choose(v, "#method", "complex-tensor-sketch") })
	v.set("nComponents", "33")
	v.until("#nComponents-error", "…must be even…")
	v.readyAfter(func() { v.set("nComponents", "34") })
	v.readyAfter(func() { eval[any](v, `history.back()`) })
	v.readyAfter(func() { eval[any](v, `history.back()`) })
	if got := eval[string](v, `document.querySelector("#method").value`); got != "random-fourier" {
		t.Errorf("going back, the menu says %s", got)
	}
}

// TestSphericalRows: rows that are not of length 1 are refused with what to do, and
// that helps.
func TestSphericalRows(t *testing.T) {
	t.Parallel()
	v := visitEmbed(t, "")
	v.readyAfter(func() { v.click(`input[name="rows"][value="none"] + span`) })
	choose(v, "#method", "spherical")
	v.until("#status",
		"The sample, row 1: the row is not of length 1, which spherical features need; choose Rows: length 1.…")
	v.readyAfter(func() { v.click(`input[name="rows"][value="unit"] + span`) })
	v.says("#status", "Embedded 1,000 rows…")
	v.choose(v.write("zero.csv", "a,b\n1,2\n0,0\n3,4\n"))
	v.until("#status", "zero.csv, line 3: the row is all zeros, which no scaling brings to length 1; remove it.…")
}

// TestMethodQuestions: what the page says below holds for the method, and asks for no
// control that is hidden; features of no use come with a warning.
func TestMethodQuestions(t *testing.T) {
	t.Parallel()
	v := visitEmbed(t, "")
	for _, test := range []struct {
		link      string
		questions string
		band      bool
		warning   bool
	}{
		{"", "Multiply Components by four. Press New seed ten times. Switch kernel normalisation on.", true, false},
		{"?method=nystroem&hide=normalize", "Halve Components. Press New seed ten times.", false, false},
		{"?method=random-fourier&rows=none&hide=nComponents,seed", "Switch kernel normalisation on.", true, true},
	} {
		if test.link != "" {
			v.embeds("#/embed" + test.link)
		}
		questions := eval[string](v, `[...document.querySelectorAll(".tries > div")]
			.filter((e) => e.checkVisibility()).map((e) => e.querySelector("strong").textContent).join(" ")`)
		if questions != test.questions {
			t.Errorf("%s: the page asks %q", test.link, questions)
		}
		if got := v.shows("footer .of-embed"); got != test.band {
			t.Errorf("%s: the footer explains the band: %v", test.link, got)
		}
		if got := v.shows("#warning"); got != test.warning {
			t.Errorf("%s: there is a warning: %v, %q", test.link, got, v.text("#warning"))
		}
	}
}

// TestLandmarks: the page tells which rows the landmarks are of, and that they are
// saved.
func TestLandmarks(t *testing.T) {
	t.Parallel()
	v := visitEmbed(t, "")
	v.says(".saves p", "…it holds no row of yours…")
	v.readyAfter(func() { choose(v, "#method", "nystroem") })
	v.says("#summary", "…Landmarks: 256 of all 1,000 rows.…")
	if note, advice := v.text("#save-model small"),
		v.text(".saves p"); note != "parameters, seed and columns, and 256 rows of the data" ||
		!strings.Contains(advice, "it holds 256 rows of the data: anyone who gets the file can read them.") {
		t.Errorf("of the model the page says %q, %q", note, advice)
	}
	v.choose(v.write("few.csv", "a,b\n1,2\n3,4\n"))
	v.until("#status", "few.csv: it has 2 rows, too few for 256 landmarks; lower the components D to 2 or less.…")
	v.readyAfter(func() { v.set("nComponents", "2") })
	v.says("#summary", "…Landmarks: 2 of all 2 rows.…")
	v.readyAfter(func() { v.choose(v.write("wide.csv", strings.Repeat(strings.Repeat("1,", 999)+"2\n", 9000))) })
	v.says("#summary", "…Landmarks: 2 of the first 8,316 rows.…")
	v.says("#size", "…9,000 × 2…")
}
