package matrix

import "math"

// Singular returns the singular value decomposition of a, m × n with m ≤ n, by Jacobi's rotations of pairs of rows
// until all are orthogonal (Hestenes; Golub & Van Loan, section 8.6.3):
//
//	a = Σ_i values[i]·left_i·right_iᵀ
//
// with values in descending order, left m × m and right m × n, vectors as rows, and the largest entry of each left
// vector positive. Each value is right to about m·2^-52·σ_1. It takes some 6 to 10 times 3·m²·n operations. The right
// vector of a value 0 is 0.
func Singular(a []float64, m, n int) (values, left, right []float64) {
	rows, turns := append([]float64(nil), a[:m*n]...), make([]float64, m*m)
	for i := range m {
		turns[i*m+i] = 1
	}
	limit := 0.0 // rows shorter than this are rounding errors
	for i := range m {
		limit += Dot(rows[i*n:][:n], rows[i*n:][:n])
	}
	limit *= epsilon * epsilon
	for sweep, turned := 0, true; turned && sweep < maxTries; sweep++ {
		turned = false
		for i := range m {
			for j := i + 1; j < m; j++ {
				x, y := rows[i*n:][:n], rows[j*n:][:n]
				alpha, beta, gamma := Dot(x, x), Dot(y, y), Dot(x, y)
				if alpha < beta { // the longer first: values come out almost in order
					alpha, beta = beta, alpha
					swapRows(x, y)
					swapRows(turns[i*m:][:m], turns[j*m:][:m])
					turned = turned || alpha > beta*(1+8*epsilon*float64(m))
				}
				if beta <= limit || math.Abs(gamma) <= float64(m)*epsilon*math.Sqrt(alpha)*math.Sqrt(beta) {
					continue
				}
				turned = true
				zeta := (beta - alpha) / (2 * gamma)
				t := 1 / (math.Abs(zeta) + hypotenuse(1, zeta))
				if zeta < 0 {
					t = -t
				}
				c := 1 / math.Sqrt(1+float64(t*t))
				s := float64(c * t)
				// x ← c·x − s·y, y ← s·x + c·y
				rotate(y, x, c, s)
				rotate(turns[j*m:][:m], turns[i*m:][:m], c, s)
			}
		}
	}
	lengths := make([]float64, m)
	for i := range m {
		row := rows[i*n:][:n]
		if Dot(row, row) <= limit {
			clear(row)
		}
		lengths[i] = normalise(row)
	}
	values, left, right = make([]float64, m), make([]float64, m*m), make([]float64, m*n)
	for i, from := range Descending(lengths) {
		values[i] = lengths[from]
		copy(left[i*m:][:m], turns[from*m:])
		copy(right[i*n:][:n], rows[from*n:])
		if PositiveLargest(left[i*m:][:m]) {
			for j := range n {
				right[i*n+j] = -right[i*n+j]
			}
		}
	}
	return values, left, right
}

func swapRows(x, y []float64) {
	for i := range x {
		x[i], y[i] = y[i], x[i]
	}
}
