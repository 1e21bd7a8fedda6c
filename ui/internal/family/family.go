// Package family describes each feature map for the page. What a map accepts is defined in package sketch.
package family

import (
	"strings"

	"tensorsketch.example/sketch"
)

// A Method is a feature map with the texts that describe it.
type Method struct {
	sketch.Method
	Label   string // its name in menus and sentences
	Short   string // a shorter name for narrow places
	Group   string // of the menu
	Formula string // formula of its kernel; "" if Kernel names it
	Kernel  string // what it estimates in Convergence, if not (⟨x,y⟩ + c)^p
	Least   int    // minimum number of components
	Says    string // one sentence on its purpose
}

// The groups of the menu, in order.
const (
	polynomial = "Polynomial kernel"
	other      = "Other kernels"
	fitted     = "From your rows"
)

// Powers is the formula of the polynomial kernel.
const Powers = "(γ⟨x, y⟩ + c)ᵖ"

// Methods lists all methods, in the order of the menu.
var Methods = described([]*Method{
	{Method: sketch.Method{Name: sketch.MethodTensorSketch},
		Label: "Tensor Sketch", Short: "TS", Group: polynomial, Formula: Powers,
		Says: "Polynomial kernel, in time p(d + D log D) per row: the one to begin with."},
	{Method: sketch.Method{Name: sketch.MethodCountSketch},
		Label: "Count Sketch", Group: polynomial, Formula: "γ⟨x, y⟩ + c",
		Says: "Linear kernel, in time d per row whatever D is. It has no products of coordinates."},
	{Method: sketch.Method{Name: sketch.MethodComplexTensorSketch},
		Label: "Complex Tensor Sketch", Short: "complex TS", Group: polynomial,
		Formula: Powers, Says: "Polynomial kernel, with complex signs: for a high degree at a small D. " +
			"At degree 2 it is hardly better than Tensor Sketch."},
	{Method: sketch.Method{Name: sketch.MethodRandomMaclaurin},
		Label: "Random Maclaurin", Short: "Maclaurin", Group: polynomial,
		Says: "Kernels that are power series of ⟨x, y⟩: each feature draws a power. Few features have most of the " +
			"error, so one seed mostly shows less than σ. Time grows with d·D."},
	{Method: sketch.Method{Name: sketch.MethodTensorizedProjection},
		Label: "Random projections", Short: "projections", Group: polynomial,
		Formula: Powers, Says: "Polynomial kernel: each feature is a product of p random projections, independent of " +
			"the others. It is for comparison: its time is p·d·D per row."},
	{Method: sketch.Method{Name: sketch.MethodComplexProjection},
		Label: "Complex projections", Short: "complex RP", Group: polynomial,
		Formula: Powers, Says: "Polynomial kernel: products of random projections with complex signs, for a smaller " +
			"error between similar rows. Time p·d·D per row."},
	{Method: sketch.Method{Name: sketch.MethodTensorSRHT},
		Label: "TensorSRHT", Short: "SRHT", Group: polynomial, Formula: Powers,
		Says: "Polynomial kernel: products of Walsh–Hadamard transforms, about as good as random projections and " +
			"much faster."},
	{Method: sketch.Method{Name: sketch.MethodComplexTensorSRHT},
		Label: "Complex TensorSRHT", Short: "complex SRHT", Group: polynomial,
		Formula: Powers, Says: "Polynomial kernel: TensorSRHT with complex signs, for a smaller error between similar " +
			"rows."},
	{Method: sketch.Method{Name: sketch.MethodCRAFT},
		Label: "CRAFT", Short: "CRAFT", Group: polynomial, Formula: Powers,
		Says: "Polynomial kernel: a Tensor Sketch of 8·D components, mixed down to D. Eight times the work, for a " +
			"smaller error in as many features."},
	{Method: sketch.Method{Name: sketch.MethodTreeTensorSketch},
		Label: "Tree of sketches", Short: "tree", Group: polynomial, Formula: Powers,
		Says: "Polynomial kernel of a high degree: the variance grows like p. With other methods it grows like 2ᵖ or " +
			"3ᵖ. At degree 2 Tensor Sketch is better."},
	{Method: sketch.Method{Name: sketch.MethodSpherical},
		Label: "Spherical", Short: "spherical", Group: other,
		Formula: "(1 − 2/a² + 2⟨x, y⟩/a²)ᵖ", Kernel: "((1 + ⟨x,y⟩)/2)ᵖ",
		Says: "A polynomial kernel of rows of length 1, for high degrees. The features are biased; the bias falls with " +
			"the degree."},
	{Method: sketch.Method{Name: sketch.MethodRandomFourier},
		Label: "Random Fourier", Short: "Fourier", Group: other,
		Kernel: "exp(−‖x−y‖²)",
		Says:   "Kernels of the difference x − y, without bias. With gaussian it is scikit-learn's RBFSampler."},
	{Method: sketch.Method{Name: sketch.MethodTaylorSketch},
		Label: "Taylor", Short: "Taylor", Group: other, Kernel: "exp(−‖x−y‖²)", Least: 8,
		Says: "Kernels by the first eight terms of their power series, a tensor sketch each: for γ‖x‖² up to about 1. " +
			"The terms left out are its bias."},
	{Method: sketch.Method{Name: sketch.MethodNystroem},
		Label: "Nyström", Group: fitted,
		Says: "Features from D of the rows themselves, the landmarks: good where rows resemble each other. Time " +
			"d·D + D² per row."},
	{Method: sketch.Method{Name: sketch.MethodKSpace},
		Label: "k-Space", Group: fitted, Formula: Powers,
		Says: "Polynomial kernel: coordinates in nearly the best subspace of k dimensions for your rows. They are for " +
			"linear models; their inner products do not estimate the kernel."},
})

// described adds the facts from package sketch to the methods.
func described(all []*Method) []*Method {
	for _, facts := range sketch.Methods() {
		for _, m := range all {
			if m.Name == facts.Name {
				m.Method, m.Least = facts, max(1, m.Least)
			}
		}
	}
	return all
}

// WithoutONNX says why maps of the method cannot be saved as ONNX, or returns "" if they can.
func (m *Method) WithoutONNX() string {
	if m.Hashed || m.Drawn {
		return ""
	}
	var others []string
	for _, other := range Methods {
		if other.Hashed || other.Drawn {
			others = append(others, other.Label)
		}
	}
	last := len(others) - 1
	return m.Label + " cannot be saved as ONNX: for that, choose " + strings.Join(others[:last], ", ") + " or " +
		others[last] + "."
}

// Of returns the method with a name, or nil.
func Of(name string) *Method {
	for _, m := range Methods {
		if m.Name == name {
			return m
		}
	}
	return nil
}
