package learn

import (
	"math"

	"tensorsketch.example/internal/solve"
)

// memory is the number of steps that minimiser remembers.
const memory = 8

// A minimiser finds the least value of a smooth function by L-BFGS (Nocedal, Updating quasi-Newton matrices with
// limited storage, Math. Comp. 35, 1980), one step at a time. The steps are halved until the value falls.
type minimiser struct {
	value    func(x, gradient []float64) float64 // writes the gradient too
	x, g     []float64
	f        float64
	moves    [][]float64 // of the last steps, the newest last
	changes  [][]float64 // of the gradient in them
	left     int         // steps
	next, gn []float64
}

func newMinimiser(x []float64, steps int, value func(x, gradient []float64) float64) *minimiser {
	m := &minimiser{value: value, x: x, g: make([]float64, len(x)), left: steps, next: make([]float64, len(x)),
		gn: make([]float64, len(x))}
	m.f = value(x, m.g)
	return m
}

// step does one step. It returns true where there is nothing left to gain.
func (m *minimiser) step() bool {
	d := m.direction()
	slope := solve.Dot(d, m.g)
	if m.left--; m.left < 0 || !(slope < -1e-10*(1+math.Abs(m.f))) {
		return true
	}
	size := 1.0
	if len(m.moves) == 0 {
		size = min(1, 1/math.Sqrt(solve.Dot(m.g, m.g)))
	}
	for range 30 {
		copy(m.next, m.x)
		solve.Axpy(m.next, size, d)
		if f := m.value(m.next, m.gn); f <= m.f+float64(1e-4*float64(size*slope)) {
			m.take(f)
			return false
		}
		size /= 2
	}
	return true
}

// direction returns minus the gradient, multiplied by what is known of the inverse of the Hessian.
func (m *minimiser) direction() []float64 {
	d := make([]float64, len(m.g))
	solve.Axpy(d, -1, m.g)
	n := len(m.moves)
	along := make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		along[i] = solve.Dot(m.moves[i], d) / solve.Dot(m.moves[i], m.changes[i])
		solve.Axpy(d, -along[i], m.changes[i])
	}
	if n > 0 {
		s, y := m.moves[n-1], m.changes[n-1]
		unit := solve.Dot(s, y) / solve.Dot(y, y)
		for i := range d {
			d[i] *= unit
		}
	}
	for i := range n {
		back := solve.Dot(m.changes[i], d) / solve.Dot(m.moves[i], m.changes[i])
		solve.Axpy(d, along[i]-back, m.moves[i])
	}
	return d
}

// take goes to the next point.
func (m *minimiser) take(f float64) {
	move, change := solve.Difference(m.next, m.x), solve.Difference(m.gn, m.g)
	if solve.Dot(move, change) > 1e-12*solve.Dot(change, change) {
		m.moves, m.changes = append(m.moves, move), append(m.changes, change)
		if len(m.moves) > memory {
			m.moves, m.changes = m.moves[1:], m.changes[1:]
		}
	}
	m.f = f
	copy(m.x, m.next)
	copy(m.g, m.gn)
}
