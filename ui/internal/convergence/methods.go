package convergence

import (
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/control"
	"tensorsketch.example/ui/internal/family"
	"tensorsketch.example/ui/internal/format"
)

// methods are Tensor Sketch and the methods that it can be compared with. Count sketch is left out because it is
// Tensor Sketch at degree 1, and fitted methods because they need rows of data.
var methods = slices.DeleteFunc(slices.Clone(family.Methods), func(m *family.Method) bool {
	return m.Name == sketch.MethodCountSketch || m.Fitted
})

// MostCompared is the maximum number of methods beside Tensor Sketch.
const MostCompared = 4

// Comparable returns the methods that Tensor Sketch can be compared with.
func Comparable() []*family.Method { return methods[1:] }

// methodOf returns the index of the method with a name, or −1.
func methodOf(name string) int {
	return slices.IndexFunc(methods, func(m *family.Method) bool { return m.Name == name })
}

// A refusal is an error with a message for the visitor.
type refusal string

func (r refusal) Error() string { return string(r) }

// ParseCompare reads method names, separated by commas. It returns each known name once, in the order of Comparable.
// The error is a message for the visitor.
func ParseCompare(list string) (string, error) {
	var names []string
	for _, method := range Comparable() {
		names = append(names, method.Name)
	}
	known, unknown := control.Sort(list, names)
	if unknown != nil {
		return "", sketch.ErrParam.New("compare", strconv.Quote(format.Cut(unknown[0])),
			"be methods that are offered here, such as random-maclaurin,tensor-srht")
	}
	if len(known) > MostCompared {
		return "", refusal("Four at most: take one away first")
	}
	return strings.Join(known, ","), nil
}

// compared returns the indices of Tensor Sketch and of the methods it is compared with, or nil without a comparison.
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
