package plane

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"tensorsketch.example/sketch"
)

// ridge solves kernel ridge regression with a free constant from the kernel's values alone,
//
//	(K + λI)α + b = t,  Σα = 0,
//
// by Gaussian elimination, and returns the score of a place.
func ridge(points []Point, lambda float64, kernel func(a, b Point) float64) func(Point) float64 {
	var learned []Point
	for _, p := range points {
		if !p.HeldOut {
			learned = append(learned, p)
		}
	}
	n := len(learned)
	rows := make([][]float64, n+1)
	for i := range rows {
		rows[i] = make([]float64, n+2)
		for j := range n + 1 {
			switch {
			case i < n && j < n:
				rows[i][j] = kernel(learned[i], learned[j])
			case i != j:
				rows[i][j] = 1
			}
		}
		if i < n {
			rows[i][i] += lambda
			rows[i][n+1] = learned[i].target()
		}
	}
	for k := range rows {
		best := k
		for i := k; i <= n; i++ {
			if math.Abs(rows[i][k]) > math.Abs(rows[best][k]) {
				best = i
			}
		}
		rows[k], rows[best] = rows[best], rows[k]
		for i := range rows {
			if factor := rows[i][k] / rows[k][k]; i != k && factor != 0 {
				for j := k; j < n+2; j++ {
					rows[i][j] -= factor * rows[k][j]
				}
			}
		}
	}
	return func(p Point) float64 {
		score := rows[n][n+1] / rows[n][n]
		for i, other := range learned {
			score += rows[i][n+1] / rows[i][i] * kernel(p, other)
		}
		return score
	}
}

// grid has places all over the plane.
var grid = func() (all []Point) {
	for x := -edge; x <= edge; x += edge / 4 {
		for y := -edge; y <= edge; y += edge / 4 {
			all = append(all, Point{X: x, Y: y})
		}
	}
	return all
}()

// paramsOf returns the parameters that the place opens with, changed by f.
func paramsOf(f func(p *Params)) Params {
	p := DefaultState().Params()
	f(&p)
	return p
}

func pictureOf(t testing.TB, f func(p *Params)) *Picture {
	t.Helper()
	c, err := New(paramsOf(f))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestModels: the three models are kernel ridge regressions, of the inner product, of the inner product of the core's
// features, and of the exact kernel, with the same λ.
func TestModels(t *testing.T) {
	for _, preset := range []string{Circles, XOR, Spirals, Moons} {
		for _, of := range []struct {
			degree, D     int
			coef0, lambda float64
		}{{1, 4, 1, .1}, {2, 8, 0, 1}, {2, 64, 1, .01}, {3, 4, .5, .3}, {4, 32, 1, .1}, {5, 16, 4, 100}, {6, 256, 1, 1},
			{8, 512, 1, .1}} {
			c := pictureOf(t, func(p *Params) {
				p.Preset, p.NSamples, p.Degree, p.NComponents, p.Coef0, p.Alpha = preset, 60, of.degree, of.D, of.coef0, of.lambda
			})
			m, err := sketch.New(c.maps)
			if err != nil {
				t.Fatal(err)
			}
			features := func(p Point) []float32 { return m.Transform(nil, []float32{float32(p.X), float32(p.Y)}) }
			inner := func(a, b Point) float64 { return a.X*b.X + a.Y*b.Y }
			power := func(a, b Point) float64 { return math.Pow(inner(a, b)+of.coef0, float64(of.degree)) }
			for k, kernel := range [panels]func(a, b Point) float64{inner,
				func(a, b Point) float64 { return sketch.Dot(features(a), features(b)) }, power} {
				score := ridge(c.points, of.lambda, kernel)
				for _, place := range grid {
					got, want := c.models[k].score(place.X, place.Y), score(place)
					tolerance := 1e-6 * (1 + math.Abs(want))
					if k == sketched {
						tolerance = 2e-3 * (1 + math.Abs(want)) // the core's features are float32, and λ is small
					}
					if !(math.Abs(got-want) <= tolerance) {
						t.Errorf("%s, %+v: the score of model %d at %v is %v, want %v", preset, of, k, place, got, want)
						break
					}
				}
			}
		}
	}
}

// TestKernels: the matrices give the kernel, and the inner products of the core's features.
func TestKernels(t *testing.T) {
	for degree := 1; degree <= MostDegree; degree++ {
		for _, coef0 := range []float64{0, .3, 1, 4} {
			for _, D := range []int{4, 16, 128, 4096} {
				c := pictureOf(t, func(p *Params) { p.Degree, p.NComponents, p.Coef0, p.NSamples = degree, D, coef0, 20 })
				m, err := sketch.New(c.maps)
				if err != nil {
					t.Fatal(err)
				}
				for i, a := range c.points {
					b := c.points[(7*i+1)%len(c.points)]
					u, v := make([]float64, c.basis.size()), make([]float64, c.basis.size())
					c.basis.at(u, a.X, a.Y)
					c.basis.at(v, b.X, b.Y)
					fa, fb := m.Transform(nil, []float32{float32(a.X), float32(a.Y)}),
						m.Transform(nil, []float32{float32(b.X), float32(b.Y)})
					length := math.Sqrt(c.squared(a) * c.squared(b) * float64(max(1, 1<<degree/D)))
					want := [...]float64{sketched: sketch.Dot(fa, fb),
						exact: math.Pow(a.X*b.X+a.Y*b.Y+coef0, float64(degree))}
					for _, k := range []int{sketched, exact} {
						if got := c.models[k].kernel(u, v); !(math.Abs(got-want[k]) <= 2e-5*length+1e-5*math.Abs(want[k])) {
							t.Fatalf("p = %d, c = %v, D = %d: kernel %d of %v and %v is %v, want %v", degree, coef0, D, k, a, b, got,
								want[k])
						}
					}
				}
			}
		}
	}
}

// TestTendsToExact: with more components the sketch's model becomes the exact kernel's.
func TestTendsToExact(t *testing.T) {
	for _, preset := range []string{Circles, XOR, Moons} {
		c := pictureOf(t, func(p *Params) { p.Preset = preset })
		before := 1.0
		for _, D := range []int{8, 64, 512, 4096} {
			mean := 0.0
			for seed := range 20 {
				mean += c.differing(sketch.IntSeed(uint64(seed)), D) / 20
			}
			if mean >= before {
				t.Errorf("%s: with D = %d the sketch differs on %v of the plane, with less on %v", preset, D, mean, before)
			}
			before = mean
		}
		if before > .005 {
			t.Errorf("%s: with D = 4096 the sketch differs on %v of the plane", preset, before)
		}
	}
}

// TestWithout: a point's score without it comes from a model that never saw it.
func TestWithout(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{2, 3, 7, 20} {
		var points []Point
		for i := range n {
			points = append(points, Point{X: 2*random.Float64() - 1, Y: 2*random.Float64() - 1, Minus: i%2 == 1})
		}
		c := pictureOf(t, func(p *Params) { p.Preset, p.Points = Own, FormatPoints(points) })
		for i, p := range c.points {
			rest := append(append([]Point{}, c.points[:i]...), c.points[i+1:]...)
			for k, m := range c.models {
				B := c.B[exact]
				switch k {
				case straight:
					B = m.basis.exact()
				case sketched:
					var err error
					if B, err = c.basis.sketched(c.maps); err != nil {
						t.Fatal(err)
					}
				}
				got, want := m.without(p), momentsOf(m.basis, rest).fit(B, c.p.Alpha).score(p.X, p.Y)
				if !(math.Abs(got-want) <= 1e-6*(1+math.Abs(want))) {
					t.Errorf("%d points: without point %d model %d gives it %v, want %v", n, i, k, got, want)
				}
			}
		}
	}
	c := pictureOf(t, func(p *Params) { p.Preset, p.Points = Own, "p0,0" })
	if c.right != [panels]int{} || c.asked != 1 {
		t.Errorf("a single point: %v of %d right", c.right, c.asked)
	}
}

// TestLines: along a line a model has its scores.
func TestLines(t *testing.T) {
	c := pictureOf(t, func(p *Params) { p.Degree = 7 })
	for _, m := range c.models {
		for _, p := range grid {
			line := m.along(p.Y)
			if got, want := line.at(p.X), m.score(p.X, p.Y); math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
				t.Errorf("at %v: %v, want %v", p, got, want)
			}
		}
	}
}

// BenchmarkPicture is what a moving slider costs besides the browser's part.
func BenchmarkPicture(b *testing.B) {
	for _, of := range []struct{ D, degree, points int }{{512, 4, 400}, {512, 8, 400}, {4096, 8, 1000}} {
		b.Run(fmt.Sprintf("D=%d,p=%d,n=%d", of.D, of.degree, of.points), func(b *testing.B) {
			var pixels []byte
			for i := range b.N {
				c := pictureOf(b, func(p *Params) {
					p.NComponents, p.Degree, p.NSamples, p.Seed = of.D, of.degree, of.points, sketch.IntSeed(uint64(i))
				})
				size := c.Fit(1100, 900, 13)
				_, _, _, pixels = c.Paint(size, none, 1, false, pixels)
				_, _ = c.SVG(size, none, false), c.View(none)
			}
		})
	}
}

// BenchmarkAnswer is what the answer costs that needs most models.
func BenchmarkAnswer(b *testing.B) {
	for _, degree := range []int{4, 8} {
		b.Run(fmt.Sprintf("p=%d", degree), func(b *testing.B) {
			for range b.N {
				pictureOf(b, func(p *Params) { p.NComponents, p.Degree = 512, degree }).otherSeeds()
			}
		})
	}
}

// kernel returns the kernel of two u(x), by the decomposition that a model was fitted with.
func (m *model) kernel(u, v []float64) (sum float64) {
	for k := range m.system.n {
		a, b := 0.0, 0.0
		for i, l := range m.root {
			a, b = a+u[i]*l[k], b+v[i]*l[k]
		}
		sum += a * b
	}
	return sum
}

// A row of pixels has the scores of its places.
func TestFill(t *testing.T) {
	c, err := NewEntrance(DefaultEntrance(), nil)
	if err != nil {
		t.Fatal(err)
	}
	along, scores := c.models[sketched].along(.3), make([]float64, 50)
	along.fill(scores, 2*edge/50)
	for i, got := range scores {
		if want := along.at(-edge + (float64(i)+.5)*2*edge/50); math.Abs(got-want) > 1e-12 {
			t.Errorf("pixel %d has %v, want %v", i, got, want)
		}
	}
}
