package sketch

import "math"

// solve returns M, m × k and row-major, from the moments:
//
//	G = YᵀY = RᵀR by pivoted Cholesky decomposition, B = R⁻ᵀ·YᵀZ = QᵀZ,
//	W: the first k eigenvectors of B·Bᵀ, with the largest entry of each positive,
//	M = R⁻¹·W, made orthonormal once more: M·L⁻ᵀ with L·Lᵀ = Mᵀ·G·M.
//
// The decomposition ends where the rest of the diagonal is at most 10^−12 of its largest entry, or
// at most one square of the step for each row: what is left then is rounding to the grid.
func (s *kspaceSums) solve() []float64 {
	G, C := s.matrices()
	pivots, R := pivotedCholesky(G, s.m, float64(s.rows))
	n, k := len(pivots), min(s.k, len(pivots))
	B := make([][]float64, n)
	for j, pivot := range pivots {
		B[j] = C[pivot*s.r:][:s.r]
		for l := range j {
			subtract(B[j], R[l][pivot], B[l])
		}
		divide(B[j], R[j][pivot])
	}
	W := leadingVectors(ownProducts(B), k) // rows: the vectors
	for _, w := range W {
		largest := 0
		for i, v := range w {
			if math.Abs(v) > math.Abs(w[largest]) {
				largest = i
			}
		}
		if w[largest] < 0 {
			divide(w, -1)
		}
	}
	X := make([][]float64, n) // R⁻¹·W, row by row of R
	for j := n - 1; j >= 0; j-- {
		X[j] = make([]float64, k)
		for i, w := range W {
			X[j][i] = w[j]
		}
		for l := j + 1; l < n; l++ {
			subtract(X[j], R[j][pivots[l]], X[l])
		}
		divide(X[j], R[j][pivots[j]])
	}
	s.orthonormalise(X, G, pivots)
	M := make([]float64, s.m*s.k)
	for j, pivot := range pivots {
		for i, v := range X[j] {
			M[pivot*s.k+i] = v / s.step
		}
	}
	return M
}

// orthonormalise replaces X by X·L⁻ᵀ with L·Lᵀ = Xᵀ·G·X, where row j of X belongs to row pivots[j]
// of G.
func (s *kspaceSums) orthonormalise(X [][]float64, G []float64, pivots []int) {
	if len(X) == 0 {
		return
	}
	k := len(X[0])
	products := make([][]float64, k) // Xᵀ·G·X
	for i := range products {
		products[i] = make([]float64, k)
	}
	row := make([]float64, k)
	for j, pivot := range pivots {
		clear(row) // of G·X
		for l, other := range pivots {
			subtract(row, -G[pivot*s.m+other], X[l])
		}
		for i, v := range X[j] {
			subtract(products[i], -v, row)
		}
	}
	for i := range k { // L, in the lower triangle
		for j := range i + 1 {
			sum := products[i][j]
			for l := range j {
				sum -= float64(products[i][l] * products[j][l])
			}
			if i == j {
				products[i][i] = math.Sqrt(sum)
			} else {
				products[i][j] = sum / products[j][j]
			}
		}
	}
	for _, x := range X { // L·x' = x
		for i := range x {
			for l := range i {
				x[i] -= float64(products[i][l] * x[l])
			}
			x[i] /= products[i][i]
		}
	}
}

// pivotedCholesky returns the pivots and the rows of R, in the order of the columns of G, of the
// decomposition of G, n × n. It ends where the rest of the diagonal is at most floor, or at most
// 10^−12 of its largest entry.
func pivotedCholesky(G []float64, n int, floor float64) (pivots []int, R [][]float64) {
	rest := make([]float64, n) // −1 at pivots
	for i := range rest {
		rest[i] = G[i*n+i]
		floor = max(floor, 1e-12*rest[i])
	}
	for len(pivots) < n {
		pivot := 0
		for i, v := range rest {
			if v > rest[pivot] {
				pivot = i
			}
		}
		if !(rest[pivot] > floor) {
			break
		}
		row := append([]float64(nil), G[pivot*n:(pivot+1)*n]...)
		for _, before := range R {
			subtract(row, before[pivot], before)
		}
		root := math.Sqrt(rest[pivot])
		divide(row, root)
		for i, v := range row {
			if rest[i] >= 0 {
				rest[i] = max(0, rest[i]-float64(v*v))
			}
		}
		row[pivot], rest[pivot] = root, -1
		pivots, R = append(pivots, pivot), append(R, row)
	}
	return pivots, R
}

func divide(x []float64, by float64) {
	for i := range x {
		x[i] /= by
	}
}

// ownProducts returns B·Bᵀ.
func ownProducts(B [][]float64) [][]float64 {
	A := make([][]float64, len(B))
	for i, x := range B {
		A[i] = make([]float64, len(B))
		for j := range i + 1 {
			sum := 0.0
			for l, v := range B[j] {
				sum += float64(v * x[l])
			}
			A[i][j], A[j][i] = sum, sum
		}
	}
	return A
}

// leadingVectors returns the eigenvectors of the k largest eigenvalues of a symmetric matrix, which
// it destroys.
func leadingVectors(A [][]float64, k int) [][]float64 {
	n := len(A)
	d, e := make([]float64, n), make([]float64, n)
	V := make([][]float64, n)
	for i := range V {
		V[i] = make([]float64, n)
		V[i][i] = 1
	}
	vs, betas := make([][]float64, n), make([]float64, n)
	for i := n - 1; i > 0; i-- { // Householder
		v := append([]float64(nil), A[i][:i]...)
		d[i] = A[i][i]
		rest := 0.0
		for _, x := range v[:i-1] {
			rest += float64(x * x)
		}
		if rest == 0 {
			e[i] = v[i-1]
			continue
		}
		norm := math.Sqrt(rest + float64(v[i-1]*v[i-1]))
		if v[i-1] > 0 {
			norm = -norm
		}
		e[i] = norm
		beta := 1 / float64(norm*(norm-v[i-1]))
		v[i-1] -= norm
		p := make([]float64, i)
		for j, x := range v {
			subtract(p, -float64(beta*x), A[j][:i])
		}
		half := 0.0
		for j, x := range v {
			half += float64(p[j] * x)
		}
		subtract(p, beta*half/2, v)
		for j := range i {
			subtract(A[j][:i], v[j], p)
			subtract(A[j][:i], p[j], v)
		}
		vs[i], betas[i] = v, beta
	}
	d[0] = A[0][0]
	copy(e, e[1:])
	if n > 0 {
		e[n-1] = 0
	}
	for l := range n { // QL with implicit shifts; row j of V is vector j
		for {
			m := l
			for ; m < n-1; m++ {
				dd := math.Abs(d[m]) + math.Abs(d[m+1])
				if math.Abs(e[m])+dd == dd {
					break
				}
			}
			if m == l {
				break
			}
			g := (d[l+1] - d[l]) / (2 * e[l])
			r := math.Sqrt(float64(g*g) + 1)
			g = d[m] - d[l] + e[l]/(g+math.Copysign(r, g))
			s, c, p := 1.0, 1.0, 0.0
			for i := m - 1; i >= l; i-- {
				f, b := float64(s*e[i]), float64(c*e[i])
				r = math.Sqrt(float64(f*f) + float64(g*g))
				e[i+1] = r
				if r == 0 {
					d[i+1] -= p
					e[m] = 0
					break
				}
				s, c = f/r, g/r
				g = d[i+1] - p
				r = float64((d[i]-g)*s) + float64(2*c*b)
				p = float64(s * r)
				d[i+1] = g + p
				g = float64(c*r) - b
				x, y := V[i], V[i+1]
				for k := range x {
					f := y[k]
					y[k] = float64(s*x[k]) + float64(c*f)
					x[k] = float64(c*x[k]) - float64(s*f)
				}
			}
			if r == 0 && m-1 >= l {
				continue
			}
			d[l] -= p
			e[l] = g
			e[m] = 0
		}
	}
	var vectors [][]float64
	used := make([]bool, n)
	for range k {
		best := -1
		for i := range n {
			if !used[i] && (best < 0 || d[i] > d[best]) {
				best = i
			}
		}
		used[best] = true
		w := V[best]
		for i := 1; i < n; i++ {
			if v := vs[i]; v != nil {
				dot := 0.0
				for j, x := range v {
					dot += float64(x * w[j])
				}
				subtract(w[:i], float64(betas[i]*dot), v)
			}
		}
		vectors = append(vectors, w)
	}
	return vectors
}
