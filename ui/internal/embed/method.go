package embed

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/control"
	"tensorsketch.example/ui/internal/family"
)

// offered are the methods of the menu: those whose inner products estimate the kernel, since the pictures compare the
// two.
var offered = slices.DeleteFunc(slices.Clone(family.Methods), func(m *family.Method) bool { return m.Basis })

// MethodHTML writes the menu of methods.
func MethodHTML() string {
	var b strings.Builder
	b.WriteString(`<select id="method" aria-label="Method">`)
	for i, m := range offered {
		if i == 0 || m.Group != offered[i-1].Group {
			if i > 0 {
				b.WriteString(`</optgroup>`)
			}
			b.WriteString(`<optgroup label="` + m.Group + `">`)
		}
		b.WriteString(option(m.Name, m.Label, false))
	}
	b.WriteString(`</optgroup></select>`)
	return b.String()
}

// The maximum number of components of Nyström's method, and the number it begins with. The page stands still while
// the method is fitted, for a time that grows with D³.
const mostLandmarks, fewLandmarks = 512, 256

// Of returns the description of the method.
func (s *Settings) Of() *family.Method { return family.Of(s.Method) }

// IsFitted reports whether the method chooses landmarks from the rows.
func (s *Settings) IsFitted() bool { return s.Of().Fitted }

// Bounds returns the minimum and maximum number of components of the method.
func (s *Settings) Bounds() (least, most int) {
	if s.IsFitted() {
		return s.Of().Least, mostLandmarks
	}
	return s.Of().Least, sketch.MaxComponents
}

// Takes reports whether the method, with its current kernel, has a parameter.
func (s *Settings) Takes(name string) bool {
	m := s.Of()
	switch name {
	case "kernel":
		return m.Kernels != nil
	case "degree", "coef0":
		if m.Kernels != nil && s.Kernel != sketch.KernelPolynomial {
			return false
		}
	}
	return slices.Contains(m.Takes, name)
}

// KernelFormula returns the formula of the kernel.
func (s *Settings) KernelFormula() string {
	return cmp.Or(s.Of().Formula, formulas[s.Kernel], family.Powers)
}

// formulas are the formulas of kernels that methods can choose, other than the polynomial kernel.
var formulas = map[string]string{
	sketch.KernelGaussian:    "exp(−γ‖x − y‖²)",
	sketch.KernelLaplacian:   "exp(−γ‖x − y‖₁)",
	sketch.KernelCauchy:      "∏ 1/(1 + γ(xᵢ − yᵢ)²)",
	sketch.KernelExponential: "exp(γ⟨x, y⟩)",
	sketch.KernelArcCosine:   "γ‖x‖‖y‖(sin θ + (π − θ) cos θ)/π",
}

// Settle adjusts settings whose range depends on the method. It refuses values that the method does not have.
func (s *Settings) Settle(before *Settings) error {
	m := s.Of()
	least, most := s.Bounds()
	if s.Method != before.Method {
		s.Kernel = ""
		if slices.Contains(m.Kernels, before.Kernel) {
			s.Kernel = before.Kernel
		} else if m.Kernels != nil {
			s.Kernel = m.Kernels[0]
		}
		s.even()
		if s.IsFitted() {
			s.NComponents = min(s.NComponents, fewLandmarks)
		}
		s.NComponents = max(s.NComponents, least)
		return nil
	}
	name, got, want := "nComponents", strconv.Itoa(s.NComponents), ""
	switch {
	case s.Kernel != before.Kernel && !slices.Contains(m.Kernels, s.Kernel):
		name, got, want = "kernel", strconv.Quote(s.Kernel), "one of "+strings.Join(m.Kernels, " ")
	case m.Even && s.NComponents%2 != 0:
		want = "even"
	case s.NComponents < least || s.NComponents > most:
		want = "an integer from " + strconv.Itoa(least) + " to " + strconv.Itoa(most) + ", on this page,"
	default:
		return nil
	}
	return sketch.ErrParam.New(name, got, "be "+want+" for method "+strconv.Quote(s.Method))
}

// KeepMany restores in the next settings the component count from before Nyström's method was chosen, unless the
// visitor changed it meanwhile.
func (e *Room) KeepMany(next *Settings) {
	before, many := e.Settings, e.many
	if next.IsFitted() == before.IsFitted() {
		return
	}
	e.many = 0
	switch {
	case next.IsFitted() && before.NComponents > fewLandmarks:
		e.many = before.NComponents
	case before.IsFitted() && before.NComponents == fewLandmarks && many > 0:
		next.NComponents = many
		next.even()
	}
}

// even makes D even if the method requires it.
func (s *Settings) even() {
	if s.Of().Even {
		s.NComponents += s.NComponents % 2
	}
}

func methodOptions() []control.Option {
	var options []control.Option
	for _, m := range offered {
		options = append(options, control.Option{Value: m.Name, Label: m.Label})
	}
	return options
}

var kernelOptions = control.Options(sketch.KernelPolynomial, sketch.KernelPolynomial,
	sketch.KernelGaussian, sketch.KernelGaussian, sketch.KernelExponential, sketch.KernelExponential,
	sketch.KernelLaplacian, sketch.KernelLaplacian, sketch.KernelCauchy, sketch.KernelCauchy,
	sketch.KernelArcCosine, sketch.KernelArcCosine)

// RemedyForOverflow returns advice on which parameters make the features smaller.
func (s *Settings) RemedyForOverflow() string {
	switch {
	case s.Takes("degree"):
		return "lower gamma, coef0 or the degree"
	case s.Takes("coef0"):
		return "lower gamma or coef0"
	}
	return "lower gamma"
}

// RemedyForFlatKernel returns advice on which parameters bring the kernel of unlike rows away from 0, or "" if none
// does.
func (s *Settings) RemedyForFlatKernel() string {
	switch {
	case s.Kernel == sketch.KernelArcCosine:
		return ""
	case s.Takes("degree") && s.Takes("coef0"):
		return "a larger coef0 or a lower degree"
	case s.Takes("degree"):
		return "a lower degree"
	case s.Takes("coef0"):
		return "a larger coef0"
	case s.Rows == RowsNone:
		return "a smaller gamma, or Rows: length 1"
	}
	return "a smaller gamma"
}
