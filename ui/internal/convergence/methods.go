package convergence

import (
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/ui/internal/format"
)

// A Method is a feature map that Tensor Sketch can be compared with.
type Method struct {
	Name   string // in the JavaScript API
	Label  string
	short  string // where there is little room
	kernel string // that it estimates, if another than (⟨x,y⟩ + c)^p
	slow   bool   // its maps take long to make
	biased bool   // its error to expect is not σ alone
}

// methods are Tensor Sketch and what it can be compared with. Count sketch is
// Tensor Sketch at degree 1, and Nyström's method needs rows of data.
var methods = [...]Method{
	{"tensor-sketch", "Tensor Sketch", "TS", "", false, false},
	{"complex-tensor-sketch", "Complex Tensor Sketch", "complex TS", "", false, false},
	{"random-maclaurin", "Random Maclaurin", "Maclaurin", "", true, false},
	{"tensorized-random-projection", "Random projections", "projections", "", true, false},
	{"complex-tensorized-random-projection", "Complex projections", "complex RP", "", true, false},
	{"tensor-srht", "TensorSRHT", "SRHT", "", false, false},
	{"complex-tensor-srht", "Complex TensorSRHT", "complex SRHT", "", false, false},
	{"craft", "CRAFT", "CRAFT", "", false, false},
	{"tree-tensor-sketch", "Tree of sketches", "tree", "", false, false},
	{"spherical", "Spherical", "spherical", "((1 + ⟨x,y⟩)/2)ᵖ", true, true},
	{"random-fourier", "Random Fourier", "Fourier", "exp(−‖x−y‖²)", true, false},
	{"taylor-sketch", "Taylor", "Taylor", "exp(−‖x−y‖²)", false, true},
}

// MostCompared is how many methods can stand beside Tensor Sketch.
const MostCompared = 4

// Comparable returns what Tensor Sketch can be compared with.
func Comparable() []Method { return methods[1:] }

// methodOf returns the index of a method's name, or −1.
func methodOf(name string) int {
	for m := range methods {
		if methods[m].Name == name {
			return m
		}
	}
	return -1
}

// A refusal is an error in a visitor's words.
type refusal string

func (r refusal) Error() string { return string(r) }

// ParseCompare reads names of methods, separated by commas, and writes them in
// their own order, each once. The error is for the visitor.
func ParseCompare(list string) (string, error) {
	names := strings.FieldsFunc(list, func(r rune) bool { return r == ',' })
	var known []string
	for _, method := range Comparable() {
		if slices.Contains(names, method.Name) {
			known = append(known, method.Name)
		}
	}
	for _, name := range names {
		if methodOf(name) < 1 {
			return "", paramError("compare", strconv.Quote(format.Cut(name)), "be methods that are offered here, such as random-maclaurin,tensor-srht")
		}
	}
	if len(known) > MostCompared {
		return "", refusal("Four at most: take one away first")
	}
	return strings.Join(known, ","), nil
}

// compared returns the indexes of Tensor Sketch and what it is compared with; nil
// where there is no comparison.
func (p Params) compared() []int {
	if p.Compare == "" {
		return nil
	}
	all := []int{0}
	for _, name := range strings.Split(p.Compare, ",") {
		all = append(all, methodOf(name))
	}
	return all
}
