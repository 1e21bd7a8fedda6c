package convolution

import (
	"strconv"
	"strings"

	"tensorsketch.example/ui/internal/format"
)

var counts = [...]string{2: "Two", 3: "Three", 4: "Four"}

// sketchName names the convolution of count sketches first to first+count−1, counted from 0: C₁x ∗ C₂x.
func sketchName(first, count int) string {
	names := make([]string, count)
	for k := range names {
		names[k] = "C" + format.Subscript(first+k+1) + "x"
	}
	return strings.Join(names, " ∗ ")
}

func (c *Picture) firstName() string  { return sketchName(0, c.p.Stage) }
func (c *Picture) secondName() string { return sketchName(c.p.Stage, 1) }
func (c *Picture) resultName() string { return sketchName(0, c.order()) }

// tensorName returns x ⊗ x, with order factors.
func tensorName(order int) string { return strings.Repeat("x ⊗ ", order-1) + "x" }

// productName returns xᵢxⱼ, xᵢxⱼxₗ or xᵢxⱼxₗxₘ.
func productName(order int) string {
	return strings.Join([]string{"xᵢ", "xⱼ", "xₗ", "xₘ"}[:order], "")
}

// hashName returns the formula for the bucket of a cell in the coordinates view.
func (c *Picture) hashName() string {
	name := "h₁(i) + h₂(j)"
	for k, l := range c.slices() {
		name += " + h" + format.Subscript(k+3) + "(" + strconv.Itoa(l) + ")"
	}
	return "(" + name + ") mod\u00a0" + strconv.Itoa(c.p.buckets())
}

// The numbers of decimals of factors and of their sums. The coordinates have two decimals. So two decimals of C₁x and
// four of C₁x[m]·C₂x[n] are exact.
const (
	factorDecimals = 2
	sumDecimals    = 4
)

// isLater reports whether the first factors are products themselves, which have the decimals of sums.
func (c *Picture) isLater() bool { return c.p.Show != Coordinates && c.p.Stage > 1 }

// firstText writes a first factor of a product.
func (c *Picture) firstText(i int) string {
	if c.isLater() {
		return format.Complex(c.matrix.first[i], sumDecimals)
	}
	return format.Complex(c.matrix.first[i], factorDecimals)
}

// secondText writes a second factor of a product.
func (c *Picture) secondText(j int) string { return format.Complex(c.matrix.second[j], factorDecimals) }

// sumText writes a sum of products.
func sumText(z complex128) string { return format.Complex(z, sumDecimals) }

// equals returns = if the decimals shown are the exact value, else ≈.
func (c *Picture) equals() string {
	if c.sliced() || c.isLater() {
		return " ≈ "
	}
	return " = "
}

// A term is a term of a written sum.
type term struct {
	minus bool
	text  string
}

// written writes a sum with at most room letters. A longer sum loses its middle, but keeps its last term: a + b + …
// 7 more … + z.
func written(terms []term, room int) string {
	parts := make([]string, len(terms))
	length := 0
	for k, t := range terms {
		parts[k] = format.Term(t.minus, t.text, k == 0)
		length += len([]rune(parts[k]))
	}
	if length <= room || len(parts) < 3 {
		return strings.Join(parts, "")
	}
	last := parts[len(parts)-1]
	room -= len([]rune(last)) + len(" + … 99 more …")
	head := 0
	for _, part := range parts[:len(parts)-2] {
		if room -= len([]rune(part)); room < 0 && head > 0 {
			break
		}
		head++
	}
	left := len(parts) - 1 - head
	return strings.Join(parts[:head], "") + " + … " + format.Count(left) + " more …" + last
}
