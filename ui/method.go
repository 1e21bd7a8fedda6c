package main

import (
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/family"
	"tensorsketch.example/ui/internal/format"
)

// methodHTML writes the menu.
func methodHTML() string {
	var b strings.Builder
	b.WriteString(`<select id="method" aria-label="Method">`)
	group := ""
	for _, m := range family.Methods {
		if m.Group != group {
			if group != "" {
				b.WriteString(`</optgroup>`)
			}
			group = m.Group
			b.WriteString(`<optgroup label="` + group + `">`)
		}
		b.WriteString(`<option value="` + m.Name + `">` + m.Label + `</option>`)
	}
	b.WriteString(`</optgroup></select>`)
	return b.String()
}

// The most components of Nyström's method, and those it begins with: fitting it takes a time that grows with D³.
const mostLandmarks, fewLandmarks = 512, 256

// method returns that of the state.
func (e *EmbedState) method() *family.Method { return family.Of(e.Method) }

// IsFitted tells whether the method chooses landmarks among the rows.
func (e *EmbedState) IsFitted() bool { return e.method().Fitted }

// bounds returns the least and the most components of the method.
func (e *EmbedState) bounds() (least, most int) {
	m := e.method()
	if m.Fitted {
		return m.Least, mostLandmarks
	}
	return m.Least, sketch.MaxComponents
}

// takes tells whether the method with its kernel takes a parameter.
func (e *EmbedState) takes(name string) bool {
	m := e.method()
	switch name {
	case "kernel":
		return m.Kernels != nil
	case "degree", "coef0":
		if m.Kernels != nil && e.Kernel != sketch.KernelPolynomial {
			return false
		}
	}
	return slices.Contains(m.Takes, name)
}

// formula writes the kernel.
func (e *EmbedState) formula() string {
	if m := e.method(); m.Formula != "" {
		return m.Formula
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
	return family.Powers
}

// settle brings into range what a change of the method bounds, and refuses what
// the method chosen does not have.
func (e *EmbedState) settle(before *EmbedState) error {
	m := e.method()
	least, most := e.bounds()
	if e.Method != before.Method {
		e.Kernel = ""
		if slices.Contains(m.Kernels, before.Kernel) {
			e.Kernel = before.Kernel
		} else if m.Kernels != nil {
			e.Kernel = m.Kernels[0]
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
	case e.Kernel != before.Kernel && !slices.Contains(m.Kernels, e.Kernel):
		name, got, want = "kernel", strconv.Quote(e.Kernel), "one of "+strings.Join(m.Kernels, " ")
	case m.Even && e.NComponents%2 != 0:
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
	if e.method().Even {
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
			if slices.Contains(s.Embed.method().Takes, p.name) {
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
	for _, m := range family.Methods {
		options = append(options, Option{m.Name, m.Label})
	}
	p := choice("method", "Method", options, func(s *State) *string { return &s.Embed.Method })
	p.unless = func(s *State) bool { return s.Embed.Method == sketch.MethodTensorSketch }
	return p
}

var kernelOptions = []Option{
	{sketch.KernelPolynomial, sketch.KernelPolynomial}, {sketch.KernelGaussian, sketch.KernelGaussian},
	{sketch.KernelExponential, sketch.KernelExponential},
	{sketch.KernelLaplacian, sketch.KernelLaplacian}, {sketch.KernelArcCosine, sketch.KernelArcCosine},
}

func kernelParameter() parameter {
	p := taken(choice("kernel", "Kernel", kernelOptions, func(s *State) *string { return &s.Embed.Kernel }))
	p.offers = func(s *State, value string) bool { return slices.Contains(s.Embed.method().Kernels, value) }
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
