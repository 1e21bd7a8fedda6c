package sketch

import (
	"math"
	"math/rand"
	"testing"

	"tensorsketch.example/test/need"
)

// explicit returns the count sketch of the tensor product of the scaled vectors,
// one per degree, under H = Σh_k mod D and S = Πs_k: the definition of a tensor
// sketch, in float64 and D·Πd_k time.
func explicit(m *FeatureMap, xs [][]float32) []float64 {
	p := m.Params()
	sketch := make([]float64, p.NComponents)
	var walk func(k, bucket int, value float64)
	walk = func(k, bucket int, value float64) {
		if k == p.Degree {
			sketch[bucket%p.NComponents] += value
			return
		}
		for i := range xs[k] {
			h, s := m.Hash(k, i)
			walk(k+1, bucket+h, value*float64(s)*math.Sqrt(p.Gamma)*float64(xs[k][i]))
		}
		if p.Coef0 > 0 {
			h, s := m.Hash(k, len(xs[k]))
			walk(k+1, bucket+h, value*float64(s)*math.Sqrt(p.Coef0))
		}
	}
	walk(0, 0, 1)
	return sketch
}

// sketchError returns ‖got − want‖ over the norm of the tensor product, which is
// that of want but for collisions: a sketch that happens to cancel is no more
// exact than its terms.
func sketchError(m *FeatureMap, xs [][]float32, got []float32, want []float64) float64 {
	norm := 1.0
	for _, x := range xs {
		norm *= m.Params().Gamma*Dot(x, x) + m.Params().Coef0
	}
	difference := 0.0
	for i, v := range want {
		difference += (float64(got[i]) - v) * (float64(got[i]) - v)
	}
	return math.Sqrt(difference / norm)
}

// spectrum returns the real spectrum of z in the layout of OutputSpectrum.
func spectrum(z []float64) []float64 {
	D := len(z)
	scale := 1 / math.Sqrt(float64(D))
	var out []float64
	term := func(k int) (re, im float64) {
		for j, v := range z {
			angle := 2 * math.Pi * float64(j*k%D) / float64(D)
			re += v * math.Cos(angle) * scale
			im -= v * math.Sin(angle) * scale
		}
		return re, im
	}
	re, _ := term(0)
	out = append(out, re)
	if D%2 == 0 {
		re, _ = term(D / 2)
		out = append(out, re)
	}
	for k := 1; 2*k < D; k++ {
		re, im := term(k)
		out = append(out, math.Sqrt2*re, math.Sqrt2*im)
	}
	return out
}

// A tensor sketch equals the explicit sketch of the tensor product: for every
// small D, all degrees, both outputs, with and without the constant coordinate.
func TestIdentity(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	lengths := []int{77, 97, 100, 128, 154, 194}
	for D := 1; D <= 33; D++ {
		lengths = append(lengths, D)
	}
	for _, D := range lengths {
		for degree := 1; degree <= 5; degree++ {
			for _, coef0 := range []float64{0, 0.7} {
				for _, output := range []string{OutputReal, OutputSpectrum} {
					p := Params{NFeatures: 3, NComponents: D, Degree: degree, Gamma: 1.3, Coef0: coef0, Output: output,
						Seed: IntSeed(uint64(D))}
					m := must(t, p)
					x := randomRows(rng, 1, 3)
					xs := make([][]float32, degree)
					for k := range xs {
						xs[k] = x
					}
					want := explicit(m, xs)
					if output == OutputSpectrum {
						want = spectrum(want)
					}
					if e := sketchError(m, xs, m.Transform(nil, x), want); e > 1e-6 {
						t.Errorf("D %d, degree %d, coef0 %g, %s: error %g of the sketch of %v", D, degree, coef0, output, e, x)
					}
				}
			}
		}
	}
}

// The sketch of x⊗y⊗… of unlike vectors is the explicit one, also where one
// vector is a million times longer than the other.
func TestIdentityOfProducts(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	for _, D := range []int{1, 2, 7, 12, 25, 64, 97} {
		for _, each := range [][]int{{4}, {3, 5}, {5, 1, 2}, {2, 3, 2, 4}} {
			m := must(t, Params{NFeaturesEach: each, NComponents: D, Coef0: 0.5, Seed: StringSeed("product")})
			xs, rows := make([][]float32, len(each)), make([]Rows, len(each))
			for k, d := range each {
				xs[k] = randomRows(rng, 1, d)
				for i := range xs[k] {
					xs[k][i] *= float32(math.Pow(1000, float64(k)))
				}
				if rows[k] = Dense(xs[k]); k%2 == 1 {
					rows[k] = sparseRows(rng, xs[k], d)
				}
			}
			got := need.Value(m.TransformProduct(nil, rows...))(t)
			if e := sketchError(m, xs, got, explicit(m, xs)); e > 1e-6 {
				t.Errorf("D %d, lengths %v: error %g", D, each, e)
			}
		}
	}
}

// Degree 1 is the count sketch, and its bits are method count-sketch's.
func TestCountSketch(t *testing.T) {
	x := []float32{1, -2, 0.5, 4, 0}
	a := must(t, Params{NFeatures: 5, NComponents: 3, Degree: 1, Gamma: 2, Coef0: 1}).Transform(nil, x)
	m := must(t, Params{Method: MethodCountSketch, NFeatures: 5, NComponents: 3, Gamma: 2, Coef0: 1})
	if b := m.Transform(nil, x); !sameBits(a, b) || m.Params().Degree != 1 {
		t.Errorf("count-sketch gives %v, degree 1 gives %v", b, a)
	}
}

func TestParseval(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	for _, D := range []int{1, 2, 5, 8, 60, 97, 101, 1024} {
		p := Params{NFeatures: 20, NComponents: D, Degree: 3, Coef0: 1, Seed: IntSeed(9)}
		X := randomRows(rng, 2, 20)
		real := need.Value(must(t, p).TransformBatch(nil, X))(t)
		p.Output = OutputSpectrum
		spec := need.Value(must(t, p).TransformBatch(nil, X))(t)
		a, b := Dot(real[:D], real[D:]), Dot(spec[:D], spec[D:])
		scale := math.Sqrt(Dot(real[:D], real[:D]) * Dot(real[D:], real[D:]))
		if math.Abs(a-b) > 1e-6*scale {
			t.Errorf("D %d: inner product %g, of the spectra %g", D, a, b)
		}
	}
}
