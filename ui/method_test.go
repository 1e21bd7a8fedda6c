package main

import (
	"math"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/embed"
	"tensorsketch.example/ui/internal/family"
	"tensorsketch.example/ui/internal/learn"
)

// kernels are all that the core has, except the series, whose coefficients the page
// does not ask for.
var kernels = []string{sketch.KernelPolynomial, sketch.KernelGaussian, sketch.KernelExponential, sketch.KernelLaplacian,
	sketch.KernelArcCosine}

// embedStates are all methods with all their kernels.
func embedStates(t *testing.T) []State {
	t.Helper()
	var all []State
	for _, m := range family.Methods {
		s, err := embedState().With("method", m.Name)
		if m.Basis { // its features have no place in the pictures
			if err == nil || strings.Contains(embed.MethodHTML(), m.Label) {
				t.Errorf("%s is offered, and its inner products do not estimate the kernel", m.Name)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if m.Kernels == nil {
			all = append(all, s)
		}
		for _, kernel := range m.Kernels {
			next, err := s.With("kernel", kernel)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, next)
		}
	}
	return all
}

// accepts reports whether the core takes parameters.
func accepts(p sketch.Params) bool {
	p = p.WithDefaults()
	return p.Validate() == nil
}

// TestMethodsAreThoseOfTheCore: the page's table against the core, which the
// JavaScript API asks: all methods, their kernels, the parameters they take, and the
// components they can have.
func TestMethodsAreThoseOfTheCore(t *testing.T) {
	for _, m := range sketch.Methods() {
		if family.Of(m.Name) == nil {
			t.Errorf("the page has no words for %s: add it to ui/internal/family", m.Name)
		}
	}
	for _, m := range family.Methods {
		least := sketch.Params{Method: m.Name, NFeatures: 3, NComponents: 64}
		for _, kernel := range kernels {
			p := least
			p.MethodParams.Kernel = kernel
			if got, want := slices.Contains(m.Kernels, kernel), accepts(p); got != want {
				t.Errorf("%s: the page has kernel %s: %v, the core: %v", m.Name, kernel, got, want)
			}
		}
		if got := least.WithDefaults().MethodParams.Kernel; m.Kernels != nil && got != m.Kernels[0] {
			t.Errorf("%s: the page begins with kernel %q, the core with %q", m.Name, m.Kernels[0], got)
		}
		least.NComponents = 65
		if m.Even == accepts(least) {
			t.Errorf("%s: the page wants an even D: %v, the core accepts 65: %v", m.Name, m.Even, !m.Even)
		}
	}
	for _, s := range embedStates(t) {
		e := s.Embed
		if p := e.Params(3); !accepts(p) {
			t.Errorf("%s, %s: the core refuses what the page begins with: %v", e.Method, e.Kernel, p.Validate())
		}
		for name, set := range map[string]func(p *sketch.Params){
			"degree": func(p *sketch.Params) { p.Degree = 3 },
			"gamma":  func(p *sketch.Params) { p.Gamma = 2 },
			"coef0":  func(p *sketch.Params) { p.Coef0 = 1 },
			"output": func(p *sketch.Params) { p.Output = sketch.OutputSpectrum },
			"a":      func(p *sketch.Params) { p.MethodParams.A = 3 },
		} {
			p := sketch.Params{Method: e.Method, NFeatures: 3, NComponents: 64}
			p.MethodParams.Kernel = e.Kernel
			set(&p)
			if got, want := e.Takes(name), accepts(p); got != want {
				t.Errorf("%s, %s: the page shows %s: %v, the core takes it: %v", e.Method, e.Kernel, name, got, want)
			}
		}
		if least, _ := e.Bounds(); least > 1 && e.Kernel != sketch.KernelArcCosine { // of whose eight terms three are zero
			p := e.Params(3)
			if p.NComponents = least; !accepts(p) {
				t.Errorf("%s, %s: the core refuses %d components", e.Method, e.Kernel, least)
			}
			if p.NComponents--; accepts(p) {
				t.Errorf("%s, %s: the core takes %d components", e.Method, e.Kernel, least-1)
			}
		}
	}
}

// TestMethodFields: what the method takes is in the rail, in the link and in what is
// asked of the core, and nothing else.
func TestMethodFields(t *testing.T) {
	app, browser := newTestApp()
	for _, s := range embedStates(t) {
		app.State = s
		var shown []string
		for _, group := range app.RailView().Groups {
			for _, field := range group.Fields {
				shown = append(shown, field.Name)
			}
		}
		hash := s.Hash()
		for _, name := range []string{"kernel", "degree", "gamma", "coef0", "a", "output"} {
			if got := s.Embed.Takes(name); got != slices.Contains(shown, name) ||
				got != (strings.Contains(hash, "?"+name+"=") || strings.Contains(hash, "&"+name+"=")) {
				t.Errorf("%s takes %s: %v; shown are %q, in the link %s", s.Embed.Method, name, got, shown, hash)
			}
		}
		if got, notes := ParseHash(hash); got != s || len(notes) > 0 {
			t.Errorf("%s gives %+v, notes %q", hash, got, notes)
		}
		if m := s.Embed.Of(); m.Says == "" || s.Embed.KernelFormula() == "" ||
			!strings.Contains(embed.MethodHTML(), `value="`+m.Name+`">`+m.Label+"<") {
			t.Errorf("%s: nothing is said of it, or it is not in the menu", m.Name)
		}
	}
	if hash := embedState().Hash(); strings.Contains(hash, "method=") || strings.Contains(hash, "kernel=") {
		t.Errorf("the default method is in the link %s", hash)
	}
	app.State = embedState()
	app.Change("method", sketch.MethodRandomFourier)
	if browser.embeds != 1 || len(app.Field("kernel").Options) != 3 ||
		!strings.Contains(app.OpeningView().Lede, "exp(−γ‖x − y‖²)") {
		t.Errorf("%d embeddings, kernels %v, %q", browser.embeds, app.Field("kernel").Options, app.OpeningView().Lede)
	}
}

// TestMethodSettles: another method keeps what it can, and brings the rest into range.
func TestMethodSettles(t *testing.T) {
	for _, test := range []struct{ changes, kernel, components string }{
		{"nComponents=301 method=complex-tensor-srht", "", "302"},
		{"nComponents=301 method=craft", "", "301"},
		{"nComponents=4096 method=nystroem", "polynomial", "256"},
		{"nComponents=100 method=nystroem kernel=gaussian", "gaussian", "100"},
		{"method=nystroem kernel=gaussian method=random-fourier", "gaussian", "256"},
		{"method=random-fourier kernel=laplacian method=taylor-sketch", "gaussian", "1024"},
		{"method=random-fourier method=tensor-sketch", "", "1024"},
		{"nComponents=3 method=taylor-sketch", "gaussian", "8"},
	} {
		s := embedState()
		for change := range strings.FieldsSeq(test.changes) {
			name, text, _ := strings.Cut(change, "=")
			next, err := s.With(name, text)
			if err != nil {
				t.Fatal(test.changes, err)
			}
			s = next
		}
		if s.Embed.Kernel != test.kernel || s.Get("nComponents") != test.components {
			t.Errorf("%s: kernel %q and D = %s, want %q and %s", test.changes, s.Embed.Kernel, s.Get("nComponents"), test.kernel,
				test.components)
		}
	}
	for link, want := range map[string]string{
		"method=random-fourier&degree=3": `degree must be left out for method "random-fourier", got "3".`,
		"method=spherical&coef0=1":       `coef0 must be left out for method "spherical", got "1".`,
		"method=nystroem&kernel=gaussian&degree=3": `degree must be left out for method "nystroem" with ` +
			`kernel "gaussian", got "3".`,
		"kernel=gaussian": `kernel must be left out for method ` +
			`"tensor-sketch", got "gaussian".`,
		"method=random-fourier&kernel=exponential": `kernel must be one of gaussian laplacian cauchy for method ` +
			`"random-fourier", got "exponential".`,
		"method=complex-tensor-sketch&nComponents=33": `nComponents must be even for method ` +
			`"complex-tensor-sketch", got 33.`,
		"method=nystroem&nComponents=513": `nComponents must be an integer from 1 to 512, on this page, ` +
			`for method "nystroem", got 513.`,
		"method=taylor-sketch&nComponents=7": `nComponents must be an integer from 8 to 16777216, on this ` +
			`page, for method "taylor-sketch", got 7.`,
		"method=spherical&a=1.9": `a must be a number from 2 to 100, got "1.9".`,
		"method=fourier":         `method must be one of "tensor-sketch", `,
		"method=tensor-srht&nComponents=64&output=spectrum": `output must be left out for method ` +
			`"tensor-srht", got "spectrum".`,
	} {
		if _, notes := ParseHash("#/embed?" + link); len(notes) != 1 || !strings.Contains(notes[0], want) {
			t.Errorf("%s: notes %q, want %q", link, notes, want)
		}
	}
}

// TestErrorReportOfMethods: what the page says of errors that are biased, or that no
// formula tells.
func TestErrorReportOfMethods(t *testing.T) {
	app, _ := newTestApp()
	app.State.Embed.Method = sketch.MethodSpherical
	r := aResult(app)
	for _, bias := range []float64{5e-94, .0049} {
		r.Report.Bias = bias
		app.Result = r
		if got := app.Cards()[1].Note + app.PictureView().Summary + app.PictureView().OneSeed; strings.Contains(got, "bias") {
			t.Errorf("a bias of %v beside a σ of 0.5 is told: %q", bias, got)
		}
	}
	sigma := func() string { return app.Cards()[1].Value + " " + app.Cards()[1].Unit + ", " + app.Cards()[1].Note }
	summary := func() string { return app.PictureView().Summary }
	oneSeed := func() string { return app.PictureView().OneSeed }
	data := func() string { return tableCSV(r.Pairs()) }
	model := func() string { return app.SavesView().Files[len(app.SavesView().Files)-1].Note }
	advice := func() string { return app.SavesView().Advice }
	keep := func() {}
	bias := func(of float64) func() { return func() { r.Report.Bias = of } }
	for _, test := range []struct {
		set  func()
		got  func() string
		want string // with ^ where the text begins and $ where it ends
	}{
		{bias(1.6), oneSeed, "^With this seed the error is 0.87 times what σ and bias predict. Nearly all of it is bias, " +
			"which no seed changes.$"},
		{bias(.3), sigma, "^0.500 exact, over all seeds; bias 0.300$"},
		{keep, summary, "50.0 % of the estimates lie within ±2σ of it plus the bias.$"},
		{keep, oneSeed, "^With this seed the error is 2.5 times what σ and bias predict."},
		{func() { r.Embed.Method, r.Report.Bias = sketch.MethodCountSketch, 0 }, oneSeed,
			"At p = 1 one seed often gives far less"},
		{func() { r.Embed.Method, r.Report.Bias = sketch.MethodSpherical, .3 }, data,
			"^exact,estimate,sigma,bias\n1,1.5,0.5,0\n"},
		{func() {
			r.Report = &embed.Report{Pairs: []embed.Pair{{Exact: 1, Estimate: 1 + 2e-8, Sigma: 1e-9}}, RMSE: 2e-8,
				Sigma: 1e-9}
		}, summary, "exact kernel is 1.00. By the formulas the only error is rounding.$"},
		{keep, oneSeed, "^$"},
		{func() {
			r.Report = &embed.Report{Pairs: r.Report.Pairs, RMSE: 1, Sigma: math.NaN(), Kind: sketch.Unknown}
			r.Embed.Normalize = sketch.NormalizeKernel
		}, sigma, "^– unknown, there is no formula for it with kernel normalisation$"},
		{func() { r.Embed.Method, r.Fitted = sketch.MethodNystroem, "100 of the first 10,000 rows" }, sigma,
			"^– unknown, there is no formula: it depends on the rows$"},
		{keep, summary, "exact kernel is 1.00. Landmarks: 100 of the first 10,000 rows.$"},
		{func() { r.Embed.Normalize = sketch.NormalizeNone }, summary, "exact kernel is 1.00. Landmarks: 100 of the first " +
			"10,000 rows. A pair with one of them has no error, so expect more of it with new rows.$"},
		{keep, oneSeed, "^This is the error of the current seed. No formula predicts it for other seeds.$"},
		{keep, data, "^exact,estimate\n1,1.00000002\n$"},
		{func() { app.State.Embed.Method = sketch.MethodNystroem }, model,
			"^parameters, seed and columns, and 1,024 rows of the data$"},
		{keep, advice, "it holds 1,024 rows of the data: anyone who gets the file can read them."},
	} {
		test.set()
		if got := "^" + plain(test.got()) + "$"; !strings.Contains(got, test.want) ||
			strings.Contains(got, "no row of yours") {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

// TestWarning: features that are of no use come with a remedy.
func TestWarning(t *testing.T) {
	app, _ := newTestApp()
	r := aResult(app)
	app.Result = r
	gaussian := embed.Settings{Method: sketch.MethodRandomFourier, Kernel: sketch.KernelGaussian, Rows: embed.RowsNone}
	apart := &embed.Report{Pairs: r.Report.Pairs, Self: 1, Apart: 8.6e-60, Unlike: 2}
	for _, test := range []struct {
		embed    embed.Settings
		report   *embed.Report
		zeroRows int
		want     string
	}{
		{gaussian, r.Report, 500, ""},
		{gaussian, r.Report, 501, "Most rows have only zero features, which tell nothing of them. Choose a smaller " +
			"gamma, or Rows: length 1."},
		{gaussian, apart, 0, "The kernel of rows that differ is practically 0 (at most 8.6×10⁻⁶⁰, of a row with itself " +
			"1.0): these features do not tell which rows are alike. Choose a smaller gamma, or Rows: length 1."},
		{embed.Settings{Method: sketch.MethodTaylorSketch, Kernel: sketch.KernelGaussian, Rows: embed.RowsUnit}, r.Report,
			501,
			"Most rows have only zero features, which tell nothing of them. Choose a smaller gamma."},
		{app.State.Embed, r.Report, 501, "Most rows have only zero features, which tell nothing of them. Choose a larger " +
			"coef0 or a lower degree."},
		{embed.Settings{Method: sketch.MethodTaylorSketch, Kernel: sketch.KernelArcCosine}, r.Report, 501,
			"Most rows have only zero features, which tell nothing of them."},
	} {
		r.Embed, r.Report, r.ZeroRows = test.embed, test.report, test.zeroRows
		if got := plain(app.PictureView().Warning); got != test.want {
			t.Errorf("%+v, %d rows of zeros: got %q\nwant %q", test.embed, test.zeroRows, got, test.want)
		}
	}
}

// TestPassingNystroem: its few components do not stay when another method is chosen,
// unless the visitor chose them.
func TestPassingNystroem(t *testing.T) {
	for _, test := range []struct{ changes, want string }{
		{"method=nystroem method=random-fourier", "1024"},
		{"nComponents=301 method=nystroem method=complex-tensor-srht", "302"},
		{"nComponents=100 method=nystroem method=craft", "100"},
		{"method=nystroem nComponents=64 method=craft", "64"},
		{"method=nystroem kernel=gaussian method=craft nComponents=256 method=spherical", "256"},
	} {
		app, _ := newTestApp()
		for change := range strings.FieldsSeq(test.changes) {
			name, text, _ := strings.Cut(change, "=")
			app.Change(name, text)
		}
		if got := app.State.Get("nComponents"); got != test.want {
			t.Errorf("%s: D = %s, want %s", test.changes, got, test.want)
		}
	}
}

// TestNothingYet: before the first embedding sizes are estimates.
func TestNothingYet(t *testing.T) {
	app, _ := newTestApp()
	app.Result, app.Run = nil, embed.Run{Phase: embed.Running}
	if note := app.SavesView().Files[0].Note; plain(note) != "about 4.1 MB" {
		t.Errorf("the file to save has %q", note)
	}
	for _, card := range app.Cards() {
		if card.Value != "–" || card.Note != "computing …" {
			t.Errorf("card %+v", card)
		}
	}
}

// TestRootClass: what the page's fixed texts are shown by.
func TestRootClass(t *testing.T) {
	app, _ := newTestApp()
	app.Result = aResult(app)
	root := Root{App: app}
	if got := root.class(); got != "page at-embed" {
		t.Errorf("got %q", got)
	}
	app.State.Hide, app.Result.Report = "seed,normalize", &embed.Report{Kind: sketch.Unknown}
	if got := root.class(); got != "page at-embed no-band no-seed no-normalize" {
		t.Errorf("got %q", got)
	}
}

// TestTooFew: a method with landmarks needs as many rows.
func TestTooFew(t *testing.T) {
	file := fileData(1000)
	few := embed.Settings{Method: sketch.MethodNystroem, NComponents: 256}
	if err := file.TooFew(3, few); err.Error() !=
		"my data.csv: it has 3\u00a0rows, too few for 256\u00a0landmarks; lower the components D to 3 or less." {
		t.Error(err)
	}
}

// TestONNX: a map is offered as ONNX if its method can be written, and else a sentence says which can. The linear model
// of Learn can, whatever the method.
func TestONNX(t *testing.T) {
	app, _ := newTestApp()
	app.Result = aResult(app)
	const instead = " cannot be saved as ONNX: for that, choose Tensor Sketch, Count Sketch, Complex Tensor Sketch " +
		"or Random Fourier."
	for method, missing := range map[string]string{sketch.MethodTensorSketch: "", sketch.MethodCountSketch: "",
		sketch.MethodComplexTensorSketch: "", sketch.MethodCRAFT: "CRAFT" + instead,
		sketch.MethodTensorSRHT: "TensorSRHT" + instead} {
		app.State, _ = ParseHash("#/embed?method=" + method)
		v := app.SavesView()
		last := v.Files[len(v.Files)-1]
		if isONNX := string(last.Action) == "save-onnx"; isONNX != (missing == "") ||
			isONNX && last.Name != "sample-digits-model.onnx" || !strings.Contains(v.Advice, missing) {
			t.Errorf("%s: the last file is %+v, and the page says %q", method, last, v.Advice)
		}
		app.State, _ = ParseHash("#/learn?half=file&method=" + method)
		for _, d := range []int{0, 64} {
			app.Learned = learn.Session{Phase: learn.Done}
			app.Learned.TakePoint(learn.Point{D: d})
			want := missing
			if d == 0 {
				want = ""
			}
			if v := app.UseView(); v.NoONNX != want || v.HasONNX() != (v.Ready && want == "") {
				t.Errorf("%s, D %d: the page says %q and has it %v (%v)", method, d, v.NoONNX, v.HasONNX(), v.Ready)
			}
		}
	}
}
