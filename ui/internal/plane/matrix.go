package plane

import "math"

func sqrt(x float64) float64 { return math.Sqrt(x) }

// A square is a square matrix, row by row.
type square struct {
	n      int
	values []float64
}

func newSquare(n int) square { return square{n, make([]float64, n*n)} }

func (s square) at(i, j int) *float64 { return &s.values[i*s.n+j] }

func (s square) row(i int) []float64 { return s.values[i*s.n : (i+1)*s.n] }

func dot(a, b []float64) (sum float64) {
	b = b[:len(a)]
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

// root returns rows l_1 … l_n of length r with ⟨l_i, l_j⟩ = s_ij, where r is the rank of the positive semidefinite s: a
// Cholesky decomposition that takes the largest pivot first.
func (s square) root() [][]float64 {
	rest, rows, done := make([]float64, s.n), make([][]float64, s.n), make([]bool, s.n)
	largest := 0.0
	for i := range rest {
		rest[i] = *s.at(i, i)
		largest = max(largest, rest[i])
	}
	for range s.n {
		pivot := 0
		for i, x := range rest {
			if x > rest[pivot] {
				pivot = i
			}
		}
		if rest[pivot] <= 1e-12*largest {
			break
		}
		length, of := sqrt(rest[pivot]), rows[pivot]
		for i := range rows {
			x := 0.0
			switch {
			case i == pivot:
				x = length
			case !done[i]:
				x = (*s.at(i, pivot) - dot(of, rows[i])) / length
			}
			rows[i] = append(rows[i], x)
			rest[i] = max(rest[i]-x*x, 0)
		}
		done[pivot], rest[pivot] = true, 0
	}
	return rows
}

// factor replaces the positive definite s by the lower triangle L of its Cholesky decomposition, s = L Lᵀ.
func (s square) factor() {
	for i := range s.n {
		row := s.row(i)
		for j := range i + 1 {
			other := s.row(j)
			x := row[j] - dot(row[:j], other[:j])
			if j < i {
				row[j] = x / other[j]
			} else {
				row[i] = sqrt(x)
			}
		}
	}
}

// forward replaces x by L⁻¹x, and backward by L⁻ᵀx. s is L.
func (s square) forward(x []float64) {
	for i := range x {
		x[i] = (x[i] - dot(s.row(i)[:i], x[:i])) / *s.at(i, i)
	}
}

func (s square) backward(x []float64) {
	for i := len(x) - 1; i >= 0; i-- {
		x[i] /= *s.at(i, i)
		for j := range i {
			x[j] -= *s.at(i, j) * x[i]
		}
	}
}
