package sketch

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"sort"
	"strconv"
	"testing"
	"time"
)

func digitsRows(t *testing.T) []float32 {
	f, err := os.Open("../../shared/data/digits.csv")
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var X []float32
	for _, row := range all[1:] {
		x := make([]float32, 64)
		for i := range x {
			v, _ := strconv.ParseFloat(row[i], 32)
			x[i] = float32(v)
		}
		unitRow(x)
		X = append(X, x...)
	}
	return X
}

// tail returns ‖φ−VVᵀφ‖² for V n×k float64 orthonormal(ish): tr K − tr VᵀKV
func kernelRow(X []float32, d, i, n int, out []float64) {
	for j := range n {
		s := 0.0
		for c := range d {
			s += float64(X[i*d+c]) * float64(X[j*d+c])
		}
		s++
		out[j] = s * s * s
	}
}

func TestKSpaceTry(t *testing.T) {
	X := digitsRows(t)
	d, n := 64, 5620
	if testing.Short() {
		n = 1500
		X = X[:n*d]
	}
	K := make([][]float64, n)
	trace := 0.0
	for i := range K {
		K[i] = make([]float64, n)
		kernelRow(X, d, i, n, K[i])
		trace += K[i][i]
	}
	// best rank: eigenvalues of K via tridiagonal... by subspace iteration with 260 vectors
	best := bestRanks(K, trace, []int{10, 50, 200})
	fmt.Println("best", best)
	for _, k := range []int{10, 50, 200} {
		var ratios, mapped, ints []float64
		for seed := range 5 {
			start := time.Now()
			m := mustMap(t, Params{Method: MethodKSpace, NFeatures: d, NComponents: k, Degree: 3, Coef0: 1, Seed: IntSeed(uint64(seed))})
			fit, _ := m.NewFitter(1)
			if err := fit.Add(Dense(X)); err != nil {
				t.Fatal(err)
			}
			added := time.Since(start)
			if err := fit.Finish(); err != nil {
				t.Fatal(err)
			}
			finished := time.Since(start)
			z, err := m.TransformBatch(nil, X)
			if err != nil {
				t.Fatal(err)
			}
			V := toFloat64(z)
			mapped = append(mapped, gramError(V, n, k))
			s := fit.repeats[0]
			G, _ := s.matrices()
			M := m.Projection()
			for i := range M {
				M[i] *= s.step
			}
			GM := make([]float64, s.m*k)
			for i := range s.m {
				for l := range s.m {
					subtract(GM[i*k:(i+1)*k], -G[i*s.m+l], M[l*k:(l+1)*k])
				}
			}
			worst := 0.0
			for i := range k {
				for j := range k {
					sum := 0.0
					for l := range s.m {
						sum += M[l*k+i] * GM[l*k+j]
					}
					if i == j {
						sum--
					}
					worst = max(worst, math.Abs(sum))
				}
			}
			ints = append(ints, worst)
			// tr VᵀKV
			total := 0.0
			KV := make([]float64, k)
			for i := range n {
				clear(KV)
				for j := range n {
					subtract(KV, -K[i][j], V[j*k:(j+1)*k])
				}
				for c := range k {
					total += V[i*k+c] * KV[c]
				}
			}
			ratios = append(ratios, math.Sqrt((trace-total)/best[k]))
			fmt.Println(k, seed, ratios[seed], mapped[seed], ints[seed], "add", added, "all", finished, "clipped", fit.Clipped())
		}
		sort.Float64s(ratios)
		sort.Float64s(mapped)
		sort.Float64s(ints)
		fmt.Println("median", k, ratios[2], mapped[2], ints[2])
	}
}

func gramError(V []float64, n, k int) float64 {
	C := make([]float64, k*k)
	for i := range n {
		v := V[i*k : (i+1)*k]
		for a, x := range v {
			subtract(C[a*k:(a+1)*k], -x, v)
		}
	}
	worst := 0.0
	for a := range k {
		C[a*k+a]--
	}
	for _, x := range C {
		worst = max(worst, math.Abs(x))
	}
	return worst
}

func bestRanks(K [][]float64, trace float64, ks []int) map[int]float64 {
	n := len(K)
	A := make([][]float64, n)
	for i := range A {
		A[i] = append([]float64(nil), K[i]...)
	}
	values := symmetricValues(A)
	sort.Sort(sort.Reverse(sort.Float64Slice(values)))
	best := map[int]float64{}
	for _, k := range ks {
		s := 0.0
		for _, v := range values[k:] {
			s += v
		}
		best[k] = s
	}
	return best
}

func symmetricValues(A [][]float64) []float64 {
	n := len(A)
	d, e := make([]float64, n), make([]float64, n)
	for i := n - 1; i > 0; i-- {
		v := append([]float64(nil), A[i][:i]...)
		d[i] = A[i][i]
		rest := 0.0
		for _, x := range v[:i-1] {
			rest += x * x
		}
		if rest == 0 {
			e[i] = v[i-1]
			continue
		}
		norm := math.Sqrt(rest + v[i-1]*v[i-1])
		if v[i-1] > 0 {
			norm = -norm
		}
		e[i] = norm
		beta := 1 / (norm * (norm - v[i-1]))
		v[i-1] -= norm
		p := make([]float64, i)
		for j := range i {
			s, row := 0.0, A[j][:i]
			for l, x := range v {
				s += row[l] * x
			}
			p[j] = s * beta
		}
		half := 0.0
		for j, x := range v {
			half += p[j] * x
		}
		subtract(p, beta*half/2, v)
		for j := range i {
			row, a, b := A[j][:i], v[j], p[j]
			for l := range row {
				row[l] -= a*p[l] + b*v[l]
			}
		}
	}
	d[0] = A[0][0]
	copy(e, e[1:])
	e[n-1] = 0
	for l := range n {
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
			r := math.Sqrt(g*g + 1)
			g = d[m] - d[l] + e[l]/(g+math.Copysign(r, g))
			s, c, p := 1.0, 1.0, 0.0
			i := m - 1
			for ; i >= l; i-- {
				f, b := s*e[i], c*e[i]
				r = math.Sqrt(f*f + g*g)
				e[i+1] = r
				if r == 0 {
					d[i+1] -= p
					e[m] = 0
					break
				}
				s, c = f/r, g/r
				g = d[i+1] - p
				r = (d[i]-g)*s + 2*c*b
				p = s * r
				d[i+1] = g + p
				g = c*r - b
			}
			if r == 0 && i >= l {
				continue
			}
			d[l] -= p
			e[l] = g
			e[m] = 0
		}
	}
	return d
}
