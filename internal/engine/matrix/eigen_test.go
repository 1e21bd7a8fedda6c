package matrix

import (
	"math"
	"math/rand"
	"strconv"
	"testing"

	"tensorsketch.example/test/slow"
)

// checkVectors checks that rows of vectors are orthonormal, with the largest entry positive.
func checkVectors(t *testing.T, name string, vectors []float64, k, n int, tolerance float64) {
	t.Helper()
	for i := range k {
		for j := range i + 1 {
			want := 0.0
			if i == j {
				want = 1
			}
			if d := math.Abs(Dot(vectors[i*n:][:n], vectors[j*n:][:n]) - want); !(d <= tolerance) {
				t.Fatalf("%s: the product of vectors %d and %d differs by %g from %g", name, i, j, d, want)
			}
		}
		if PositiveLargest(append([]float64(nil), vectors[i*n:][:n]...)) {
			t.Errorf("%s: the largest entry of vector %d is negative", name, i)
		}
	}
}

// Eigenvectors are orthonormal, A·v is λ·v, and the values are in order and add up to the trace, for many vectors (by
// QL steps) and few (by inverse iteration), also where eigenvalues are equal.
func TestEigen(t *testing.T) {
	slow.Emulated(t)
	rng := rand.New(rand.NewSource(6))
	for _, n := range []int{1, 2, 3, 5, 8, 17, 40, 100} {
		matrices := map[string][]float64{"random": gram(rng, n, n+1), "of low rank": gram(rng, n, n/5+1),
			"of zeros": make([]float64, n*n), "identity": identity(n), "two equal blocks": twice(rng, n),
			"graded": graded(rng, n)}
		for name, a := range matrices {
			trace := 0.0
			for i := range n {
				trace += a[i*n+i]
			}
			for _, k := range []int{n, n/4 + 1, n / 8, 1} {
				name := strconv.Itoa(k) + " of " + strconv.Itoa(n) + ", " + name
				g := NewEigen(append([]float64(nil), a...), n, k).Finish()
				checkVectors(t, name, g.Vectors(), k, n, 1e-14*float64(n+10))
				size := largest(a)
				for i := range k {
					if i > 0 && g.Values()[i] > g.Values()[i-1] {
						t.Errorf("%s: value %d is %g after %g", name, i, g.Values()[i], g.Values()[i-1])
					}
					v := g.Vectors()[i*n:][:n]
					image := make([]float64, n)
					AddProduct(image, a, v, n, n, 1, 1)
					for j := range image {
						if d := math.Abs(image[j] - g.Values()[i]*v[j]); !(d <= 1e-14*float64(n+10)*size) {
							t.Fatalf("%s: A·v − λ·v is %g for value %d, %g", name, d, i, g.Values()[i])
						}
					}
				}
				if bare := NewEigenvalues(append([]float64(nil), a...), n).Finish(); !same(bare.Values()[:k], g.Values()) ||
					bare.Vectors() != nil {
					t.Errorf("%s: without vectors the values are %v, want %v", name, bare.Values()[:k], g.Values())
				}
				if rest := trace; k == n {
					for _, v := range g.Values() {
						rest -= v
					}
					if math.Abs(rest) > 1e-13*size*float64(n) {
						t.Errorf("%s: the values differ from the trace by %g", name, rest)
					}
				}
			}
		}
	}
}

func identity(n int) []float64 {
	a := make([]float64, n*n)
	for i := range n {
		a[i*n+i] = 3
	}
	return a
}

// twice returns a matrix of two equal blocks: each eigenvalue is there twice.
func twice(rng *rand.Rand, n int) []float64 {
	a, half := make([]float64, n*n), n/2
	block := gram(rng, half, half)
	for i := range half {
		for j := range half {
			a[i*n+j], a[(i+half)*n+j+half] = block[i*half+j], block[i*half+j]
		}
	}
	return a
}

// graded returns a matrix whose eigenvalues fall by a factor each.
func graded(rng *rand.Rand, n int) []float64 {
	a := gram(rng, n, n)
	for i := range n {
		for j := range n {
			a[i*n+j] *= math.Pow(0.6, float64(i+j))
		}
	}
	return a
}

// The rank is found, rows and columns are in the stated order, and the factor reproduces them.
func TestPivoted(t *testing.T) {
	slow.Emulated(t)
	rng := rand.New(rand.NewSource(7))
	for _, n := range append(sizes, 200) {
		for _, rank := range []int{0, 1, n / 3, n} {
			a := graded(rng, n)
			if rank < n {
				a = gram(rng, n, rank)
			} else if n > 20 {
				continue // its grades fall below the limit
			}
			size := largest(a)
			p := NewPivoted(append([]float64(nil), a...), n)
			for !p.Step() {
			}
			if p.Rank() != rank {
				t.Fatalf("n %d: rank %d, want %d", n, p.Rank(), rank)
			}
			seen := make([]bool, n)
			for _, i := range p.Order() {
				seen[i] = true
			}
			for i := range seen {
				if !seen[i] {
					t.Fatalf("n %d, rank %d: row %d is not in the order", n, rank, i)
				}
			}
			for i := range n {
				for j := i; j < n; j++ {
					sum := 0.0
					for k := range min(i+1, rank) {
						sum += p.r[k*n+i] * p.r[k*n+j]
					}
					if d := math.Abs(sum - a[p.order[i]*n+p.order[j]]); d > 1e-13*float64(n)*size {
						t.Fatalf("n %d, rank %d: RᵀR differs by %g at %d, %d", n, rank, d, i, j)
					}
				}
			}
			for i := 1; i < rank; i++ {
				if p.r[i*n+i] > p.r[(i-1)*n+i-1]*(1+1e-9) {
					t.Fatalf("n %d, rank %d: pivot %d grows", n, rank, i)
				}
			}
			// Factor solves with the square part.
			if rank > 0 {
				x := random(rng, rank*2)
				b := make([]float64, rank*2)
				for i := range rank {
					for j := range rank {
						for k := range 2 {
							b[i*2+k] += a[p.order[i]*n+p.order[j]] * x[j*2+k]
						}
					}
				}
				p.Factor().Solve(b, 2)
				residual := 0.0
				for i := range rank {
					for k := range 2 {
						sum := 0.0
						for j := range rank {
							sum += a[p.order[i]*n+p.order[j]] * (b[j*2+k] - x[j*2+k])
						}
						residual = max(residual, math.Abs(sum))
					}
				}
				if residual > 1e-12*float64(n)*size*(1+largest(b)) {
					t.Errorf("n %d, rank %d: the solution leaves %g", n, rank, residual)
				}
			}
		}
	}
}

// The decomposition gives the matrix back, and its values descend.
func TestSingular(t *testing.T) {
	rng := rand.New(rand.NewSource(8))
	for _, c := range [][3]int{{1, 1, 1}, {1, 6, 1}, {4, 4, 2}, {5, 9, 5}, {30, 30, 30}, {40, 70, 12}, {3, 5, 0}} {
		m, n, rank := c[0], c[1], c[2]
		name := strconv.Itoa(m) + " × " + strconv.Itoa(n) + " of rank " + strconv.Itoa(rank)
		a := make([]float64, m*n)
		AddProduct(a, random(rng, m*rank), random(rng, rank*n), m, rank, n, 1)
		values, left, right := Singular(a, m, n)
		checkVectors(t, name, left, m, m, 1e-13)
		back := make([]float64, m*n)
		for k, s := range values {
			if k > 0 && s > values[k-1] {
				t.Errorf("%s: value %d grows", name, k)
			}
			if k >= rank && s > 1e-13*(1+values[0]) {
				t.Errorf("%s: value %d is %g", name, k, s)
			}
			for i := range m {
				for j := range n {
					back[i*n+j] += s * left[k*m+i] * right[k*n+j]
				}
			}
		}
		if d := distance(back, a); d > 1e-13*float64(m+5)*(1+values[0]) {
			t.Errorf("%s: the product differs by %g", name, d)
		}
	}
	// A diagonal matrix keeps small values in full.
	values, _, _ := Singular([]float64{1e-9, 0, 0, 0, 5, 0, 0, 0, 1e-3}, 3, 3)
	if values[0] != 5 || values[1] != 1e-3 || values[2] != 1e-9 {
		t.Errorf("values %v, want 5, 1e-3 and 1e-9", values)
	}
}
