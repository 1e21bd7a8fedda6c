package matrix

import (
	"math"
	"math/rand"
	"testing"

	"tensorsketch.example/test/slow"
)

// sizes are those around the widths of tiles, vectors and panels.
var sizes = []int{1, 2, 3, 4, 5, 7, 8, 9, 16, 31, 32, 33, 63, 70, 100}

func random(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// gram returns A·Aᵀ of n × rank numbers, symmetric to the last bit.
func gram(rng *rand.Rand, n, rank int) []float64 {
	a := random(rng, n*rank)
	g := make([]float64, n*n)
	for i := range n {
		for j := range i + 1 {
			sum := 0.0
			for k := range rank {
				sum += float64(a[i*rank+k] * a[j*rank+k])
			}
			g[i*n+j], g[j*n+i] = sum, sum
		}
	}
	return g
}

func same(a, b []float64) bool {
	for i := range a {
		if math.Float64bits(a[i]) != math.Float64bits(b[i]) {
			return false
		}
	}
	return len(a) == len(b)
}

func largest(a []float64) float64 {
	size := 0.0
	for _, x := range a {
		size = max(size, math.Abs(x))
	}
	return size
}

func distance(a, b []float64) float64 {
	size := 0.0
	for i := range a {
		size = max(size, math.Abs(a[i]-b[i]))
	}
	return size
}

// Products have the bits of three plain loops.
func TestProducts(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for _, m := range sizes {
		for _, n := range []int{1, 5, 8, 19} {
			for _, depth := range []int{0, 1, 2, 63, 64, 65, 130} {
				a, b, c := random(rng, m*depth), random(rng, depth*n), random(rng, m*n)
				want := append([]float64(nil), c...)
				for i := range m {
					for j := range n {
						for k := range depth {
							want[i*n+j] += float64(-2 * a[i*depth+k] * b[k*n+j])
						}
					}
				}
				got := append([]float64(nil), c...)
				if AddProduct(got, a, b, m, depth, n, -2); !same(got, want) {
					t.Errorf("AddProduct of %d × %d × %d differs from plain loops by %g", m, depth, n, distance(got, want))
				}
				copy(got, c)
				if AddTransposedProduct(got, Transpose(a, m, depth), b, depth, m, n, -2); !same(got, want) {
					t.Errorf("AddTransposedProduct of %d × %d × %d differs by %g", m, depth, n, distance(got, want))
				}
			}
		}
	}
}

// The factor has the bits of plain loops, and solves equations.
func TestCholesky(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	for _, n := range append(sizes, 200) {
		a := gram(rng, n, n+3)
		want := append([]float64(nil), a...)
		for k := range n {
			root := math.Sqrt(want[k*n+k])
			want[k*n+k] = root
			for j := k + 1; j < n; j++ {
				want[k*n+j] /= root
			}
			for i := k + 1; i < n; i++ {
				for j := i; j < n; j++ {
					want[i*n+j] -= float64(want[k*n+i] * want[k*n+j])
				}
			}
		}
		c := NewCholesky(append([]float64(nil), a...), n)
		if at := c.Finish(); at >= 0 {
			t.Fatalf("n %d: pivot %d is too small", n, at)
		}
		for i := range n {
			if !same(c.Factor()[i*n+i:][:n-i], want[i*n+i:][:n-i]) {
				t.Fatalf("n %d: row %d of the factor differs from plain loops", n, i)
			}
		}
		for _, k := range []int{1, 2, 9} {
			x := random(rng, n*k)
			b := make([]float64, n*k)
			AddProduct(b, a, x, n, n, k, 1)
			c.Solve(b, k)
			if d := distance(b, x); d > 1e-7 {
				t.Errorf("n %d: the solution of %d equations differs by %g", n, k, d)
			}
		}
		trace, unit := 0.0, make([]float64, n)
		for i := range n {
			clear(unit)
			unit[i] = 1
			c.Solve(unit, 1)
			trace += unit[i]
		}
		inverse := c.InverseTrace()
		for !inverse.Step() {
		}
		if got := inverse.Trace(); math.Abs(got/trace-1) > 1e-9 {
			t.Errorf("n %d: tr A⁻¹ is %g, want %g", n, got, trace)
		}
	}
}

// A matrix that is not positive definite is refused at the right pivot; no NaN comes of it.
func TestCholeskyFails(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	for _, n := range []int{1, 5, 40, 100} {
		for _, rank := range []int{0, 1, n / 2, n - 1} {
			if rank >= n {
				continue
			}
			c := NewCholesky(gram(rng, n, rank), n)
			if got := c.Finish(); got != rank {
				t.Errorf("n %d, rank %d: pivot %d is too small, want %d", n, rank, got, rank)
			}
		}
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1), -1} {
		if got := NewCholesky([]float64{1, 0, 0, bad}, 2).Finish(); got < 0 {
			t.Errorf("with %g on the diagonal, no pivot is too small", bad)
		}
	}
}

func finishTridiagonal(a []float64, n int) *Tridiagonal {
	t := NewTridiagonal(append([]float64(nil), a...), n)
	for !t.Step() {
	}
	return t
}

// Q·T·Qᵀ is A, and Q is orthogonal.
func TestTridiagonal(t *testing.T) {
	slow.Emulated(t)
	rng := rand.New(rand.NewSource(4))
	for _, n := range append(sizes, 200) {
		for _, rank := range []int{0, 1, n/2 + 1, n + 2} {
			for _, scale := range []float64{1, 0x1p-300, 1e200} {
				a := gram(rng, n, rank)
				for i := range a {
					a[i] *= scale
				}
				form := finishTridiagonal(a, n)
				d, e := form.Diagonals()
				back, q := make([]float64, n*n), make([]float64, n*n)
				for i := range n {
					q[i*n+i] = 1
					back[i*n+i] = d[i]
					if i > 0 {
						back[i*n+i-1], back[(i-1)*n+i] = e[i-1], e[i-1]
					}
				}
				form.Apply(back, n)
				back = Transpose(back, n, n)
				form.Apply(back, n)
				tolerance := 1e-14 * float64(n) * (largest(a) + 0x1p-1000)
				if d := distance(back, a); !(d <= tolerance) {
					t.Errorf("n %d, rank %d, scale %g: Q·T·Qᵀ differs from A by %g", n, rank, scale, d)
				}
				form.Apply(q, n)
				form.ApplyTransposed(q, n)
				for i := range n {
					q[i*n+i]--
				}
				if d := largest(q); !(d <= 1e-14*float64(n)) {
					t.Errorf("n %d, rank %d, scale %g: QᵀQ differs from I by %g", n, rank, scale, d)
				}
			}
		}
	}
}

// A column is multiplied by Q with the same bits alone and among others.
func TestApplyColumns(t *testing.T) {
	rng := rand.New(rand.NewSource(9))
	const n = 37
	form := finishTridiagonal(gram(rng, n, n), n)
	for _, apply := range []func(x []float64, k int){form.Apply, form.ApplyTransposed} {
		for _, k := range []int{2, 5, 16} {
			x := random(rng, n*k)
			columns := Transpose(x, n, k)
			apply(x, k)
			for c := range k {
				apply(columns[c*n:][:n], 1)
			}
			if !same(Transpose(x, n, k), columns) {
				t.Errorf("%d columns: other bits than alone", k)
			}
		}
	}
}
