package plane

import (
	"math"

	"tensorsketch.example/sketch"
)

// errors says how far the sketch's estimates of the kernel are off, over pairs of points learned from, in root mean
// square and relative to √(κ(x,x)κ(y,y)).
type errors struct {
	seed  float64 // of this seed
	sigma float64 // over all seeds, by theory
	pairs int
}

// sampled is the number of points whose pairs are compared.
const sampled = 16

// measured returns the errors of the estimates.
func (c *Picture) measured() errors {
	if c.errors == nil {
		c.errors = &errors{sigma: c.sigma(c.p.NComponents), seed: c.errorOf(c.B[sketched])}
		c.eachPair(func(Point, Point, float64) { c.errors.pairs++ })
	}
	return *c.errors
}

// errorOf returns the error of a sketch's kernel with the matrix B.
func (c *Picture) errorOf(B square) float64 {
	sum, pairs := 0.0, 0
	u, v := make([]float64, c.basis.size()), make([]float64, c.basis.size())
	c.eachPair(func(x, y Point, length float64) {
		c.basis.at(u, x.X, x.Y)
		c.basis.at(v, y.X, y.Y)
		off := 0.0
		for i, a := range u {
			row, exact := B.row(i), c.B[exact].row(i)
			for j, b := range v {
				off += a * b * (row[j] - exact[j])
			}
		}
		sum += (off / length) * (off / length)
		pairs++
	})
	return math.Sqrt(sum / float64(max(pairs, 1)))
}

// sigma returns σ of the estimates with D components.
func (c *Picture) sigma(components int) float64 {
	params := c.maps
	params.NComponents = components
	theory, err := sketch.NewTensorFormulas(params)
	if err != nil {
		return 0 // cannot happen with the parameters of a picture
	}
	sum, pairs := 0.0, 0
	c.eachPair(func(x, y Point, length float64) {
		sigma, _ := theory.StdError([]float64{x.X, x.Y}, []float64{y.X, y.Y})
		sum += (sigma / length) * (sigma / length)
		pairs++
	})
	return math.Sqrt(sum / float64(max(pairs, 1)))
}

// eachPair calls f for pairs of points learned from, with √(κ(x,x)κ(y,y)).
func (c *Picture) eachPair(f func(x, y Point, length float64)) {
	var points []Point
	for _, p := range c.points {
		if !p.HeldOut && len(points) < sampled && c.squared(p) > 0 {
			points = append(points, p)
		}
	}
	for i, x := range points {
		for _, y := range points[:i] {
			f(x, y, math.Sqrt(c.squared(x)*c.squared(y)))
		}
	}
}

// squared returns κ(x, x).
func (c *Picture) squared(p Point) float64 {
	base, power := p.X*p.X+p.Y*p.Y+c.p.Coef0, 1.0
	for range c.p.Degree {
		power *= base
	}
	return power
}
