package main

import (
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/format"
)

// A method is a feature map as Embed offers it. Names are those of the core; tests
// compare kernels, takes and even with what the core accepts.
type method struct {
	name, label string
	kernels     string // where it has several: their names, the default first
	takes       string // the parameters it takes beside those that all methods take
	even        bool   // D is
	says        string // what it is for
}

const (
	powers   = "degree gamma coef0"
	spectrum = powers + " output"
)

// methods are in the order of the menu: ten of the polynomial kernel, three of
// others, and one that needs rows first.
var methods = []method{
	{sketch.MethodTensorSketch, "Tensor Sketch", "", spectrum, false,
		"Polynomial kernel, in time p(d + D log D) per row: the one to begin with."},
	{sketch.MethodCountSketch, "Count Sketch", "", "gamma coef0 output", false,
		"Linear kernel, in time d per row whatever D is: where products of coordinates are not wanted."},
	{sketch.MethodComplexTensorSketch, "Complex Tensor Sketch", "", spectrum, true,
		"Polynomial kernel, with complex signs: for a high degree at a small D. At degree 2 it is hardly better than Tensor Sketch."},
	{sketch.MethodRandomMaclaurin, "Random Maclaurin", "polynomial exponential", powers, false,
		"Kernels that are power series of ⟨x, y⟩: each feature draws a power. Most of the error is in few features, so one seed mostly shows less than σ. Time grows with d·D."},
	{sketch.MethodTensorizedProjection, "Random projections", "", powers, false,
		"Polynomial kernel: each feature is a product of p random projections, independent of the others. To compare with, for its time is p·d·D per row."},
	{sketch.MethodComplexProjection, "Complex random projections", "", powers, true,
		"Polynomial kernel: products of random projections with complex signs, for a smaller error between similar rows. Time p·d·D per row."},
	{sketch.MethodTensorSRHT, "TensorSRHT", "", powers, false,
		"Polynomial kernel: products of Walsh–Hadamard transforms, about as good as random projections and much faster."},
	{sketch.MethodComplexTensorSRHT, "Complex TensorSRHT", "", powers, true,
		"Polynomial kernel: TensorSRHT with complex signs, for a smaller error between similar rows."},
	{sketch.MethodCRAFT, "CRAFT", "", powers, false,
		"Polynomial kernel: a Tensor Sketch of 8·D components, mixed down to D. Eight times the work, for a smaller error in as many features."},
	{sketch.MethodTreeTensorSketch, "Tree of Tensor Sketches", "", powers, false,
		"Polynomial kernel of a high degree: the variance grows like p, where that of others grows like 2ᵖ or 3ᵖ. At degree 2 Tensor Sketch is better."},
	{sketch.MethodSpherical, "Spherical features", "", "degree a", false,
		"A polynomial kernel of rows of length 1, for high degrees: the features are biased, less so the higher the degree."},
	{sketch.MethodRandomFourier, "Random Fourier features", "gaussian laplacian", "gamma", false,
		"Kernels of the difference x − y, without bias. With gaussian it is scikit-learn's RBFSampler."},
	{sketch.MethodTaylorSketch, "Taylor sketch", "gaussian exponential arc-cosine", "gamma", false,
		"Kernels by the first eight terms of their power series, a tensor sketch each: for γ‖x‖² up to about 1. Biased by the terms left out."},
	{sketch.MethodNystroem, "Nyström", "polynomial gaussian exponential", powers, false,
		"Features from D of the rows themselves, the landmarks: good where rows resemble each other. Time d·D + D² per row."},
}

// methodHTML writes the menu.
func methodHTML() string {
	var b strings.Builder
	b.WriteString(`<select id="method" aria-label="Method"><optgroup label="Polynomial kernel">`)
	for i := range methods {
		switch i {
		case 10:
			b.WriteString(`</optgroup><optgroup label="Other kernels">`)
		case 13:
			b.WriteString(`</optgroup><optgroup label="From your rows">`)
		}
		b.WriteString(`<option value="` + methods[i].name + `">` + methods[i].label + `</option>`)
	}
	b.WriteString(`</optgroup></select>`)
	return b.String()
}

// The most components of Nyström's method, and those it begins with: the page
// stands still while it is fitted, for a time that grows with D³.
const mostLandmarks, fewLandmarks = 512, 256

// taylorTerms are the terms that a Taylor sketch keeps, each of which takes a component.
const taylorTerms = 8

// method returns that of the state.
func (e *EmbedState) method() *method {
	for i := range methods {
		if methods[i].name == e.Method {
			return &methods[i]
		}
	}
	return nil
}

// IsFitted tells whether the method chooses landmarks among the rows.
func (e *EmbedState) IsFitted() bool { return e.Method == sketch.MethodNystroem }

// bounds returns the least and the most components of the method.
func (e *EmbedState) bounds() (least, most int) {
	switch e.Method {
	case sketch.MethodTaylorSketch:
		return taylorTerms, sketch.MaxComponents
	case sketch.MethodNystroem:
		return 1, mostLandmarks
	}
	return 1, sketch.MaxComponents
}

// takes tells whether the method with its kernel takes a parameter.
func (e *EmbedState) takes(name string) bool {
	m := e.method()
	switch name {
	case "kernel":
		return m.kernels != ""
	case "degree", "coef0":
		if m.kernels != "" && e.Kernel != sketch.KernelPolynomial {
			return false
		}
	}
	return hasWord(m.takes, name)
}

// hasWord tells whether a word is one of a list.
func hasWord(list, word string) bool { return slices.Contains(strings.Fields(list), word) }

// formula writes the kernel.
func (e *EmbedState) formula() string {
	switch {
	case e.Method == sketch.MethodSpherical:
		return "(1 − 2/a² + 2⟨x, y⟩/a²)ᵖ"
	case e.Method == sketch.MethodCountSketch:
		return "γ⟨x, y⟩ + c"
	case !e.takes("kernel"):
		return "(γ⟨x, y⟩ + c)ᵖ"
	}
	switch e.Kernel {
	case sketch.KernelGaussian:
		return "exp(−γ‖x − y‖²)"
	case sketch.KernelLaplacian:
		return "exp(−γ‖x − y‖₁)"
	case sketch.KernelExponential:
		return "exp(γ⟨x, y⟩)"
	case sketch.KernelArcCosine:
		return "γ‖x‖‖y‖(sin θ + (π − θ) cos θ)/π"
	}
	return "(γ⟨x, y⟩ + c)ᵖ"
}

// settle brings into range what a change of the method bounds, and refuses what
// the method chosen does not have.
func (e *EmbedState) settle(before *EmbedState) error {
	m := e.method()
	least, most := e.bounds()
	if e.Method != before.Method {
		if e.Kernel, _, _ = strings.Cut(m.kernels, " "); hasWord(m.kernels, before.Kernel) {
			e.Kernel = before.Kernel
		}
		e.even()
		if e.IsFitted() {
			e.NComponents = min(e.NComponents, fewLandmarks)
		}
		e.NComponents = max(e.NComponents, least)
		return nil
	}
	name, got, want := "nComponents", strconv.Itoa(e.NComponents), ""
	switch {
	case e.Kernel != before.Kernel && !hasWord(m.kernels, e.Kernel):
		name, got, want = "kernel", strconv.Quote(e.Kernel), "one of "+m.kernels
	case m.even && e.NComponents%2 != 0:
		want = "even"
	case e.NComponents < least || e.NComponents > most:
		want = "an integer from " + strconv.Itoa(least) + " to " + strconv.Itoa(most) + ", on this page,"
	default:
		return nil
	}
	return refuse(name, got, "be "+want+" for method "+strconv.Quote(e.Method))
}

// keepMany brings back, when Nyström's method is left with the components that it began
// with, those from before. It returns these to remember when it is chosen, or 0.
func (e *EmbedState) keepMany(before *EmbedState, many int) int {
	switch {
	case e.IsFitted() == before.IsFitted():
		return many
	case e.IsFitted() && before.NComponents > fewLandmarks:
		return before.NComponents
	case before.IsFitted() && before.NComponents == fewLandmarks && many > 0:
		e.NComponents = many
		e.even()
	}
	return 0
}

// even makes D even where the method wants that.
func (e *EmbedState) even() {
	if e.method().even {
		e.NComponents += e.NComponents % 2
	}
}

// taken makes a parameter one that only some methods take.
func taken(p parameter) parameter {
	set := p.set
	p.shown = func(s *State) bool { return s.Embed.takes(p.name) }
	p.unless = func(s *State) bool { return !s.Embed.takes(p.name) }
	p.set = func(s *State, text string) error {
		if !s.Embed.takes(p.name) {
			of := "method " + strconv.Quote(s.Embed.Method)
			if hasWord(s.Embed.method().takes, p.name) {
				of += " with kernel " + strconv.Quote(s.Embed.Kernel)
			}
			return refuse(p.name, strconv.Quote(format.Cut(text)), "be left out for "+of)
		}
		return set(s, text)
	}
	return p
}

func methodParameter() parameter {
	var options []Option
	for i := range methods {
		options = append(options, Option{methods[i].name, methods[i].label})
	}
	p := choice("method", "Method", options, func(s *State) *string { return &s.Embed.Method })
	p.unless = func(s *State) bool { return s.Embed.Method == sketch.MethodTensorSketch }
	return p
}

var kernelOptions = []Option{
	{sketch.KernelPolynomial, sketch.KernelPolynomial}, {sketch.KernelGaussian, sketch.KernelGaussian}, {sketch.KernelExponential, sketch.KernelExponential},
	{sketch.KernelLaplacian, sketch.KernelLaplacian}, {sketch.KernelArcCosine, sketch.KernelArcCosine},
}

func kernelParameter() parameter {
	p := taken(choice("kernel", "Kernel", kernelOptions, func(s *State) *string { return &s.Embed.Kernel }))
	p.offers = func(s *State, value string) bool { return hasWord(s.Embed.method().kernels, value) }
	return p
}

// lower says which parameters make the features smaller.
func (e *EmbedState) lower() string {
	switch {
	case e.takes("degree"):
		return "lower gamma, coef0 or the degree"
	case e.takes("coef0"):
		return "lower gamma or coef0"
	}
	return "lower gamma"
}

// closer says which parameters bring the kernel of unlike rows away from 0; empty
// where none does.
func (e *EmbedState) closer() string {
	switch {
	case e.Kernel == sketch.KernelArcCosine:
		return ""
	case e.takes("degree") && e.takes("coef0"):
		return "a larger coef0 or a lower degree"
	case e.takes("degree"):
		return "a lower degree"
	case e.takes("coef0"):
		return "a larger coef0"
	case e.Rows != RowsUnit:
		return "a smaller gamma, or Rows: length 1"
	}
	return "a smaller gamma"
}
