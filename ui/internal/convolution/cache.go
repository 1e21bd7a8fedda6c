package convolution

import (
	"math"
	"slices"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/draw"
)

// A Cache keeps what does not depend on x: the maps, their hash tables and the colours, for the last method, d, D, p
// and seed. It also keeps the comparison for the last x. Its zero value is ready to use.
type Cache struct {
	key      key
	tables   tables
	whole    *sketch.FeatureMap
	maps     map[part]*sketch.FeatureMap
	identity []int // 0 … n−1, n the number of buckets
	hues     []draw.RGB
	colours  []string // the hues in CSS form
	direct   *direct
}

type key struct {
	method                       string
	features, components, degree int
	seed                         sketch.Seed
}

// tables hold h_k(i) and s_k(i), by degree and coordinate.
type tables struct {
	bucket [][]int
	sign   [][]turn
}

// A part is the convolution of count sketches first to first+count−1, or its spectrum.
type part struct {
	first, count int
	output       string
}

// prepare makes the map for the parameters, unless the cache already has it.
func (c *Cache) prepare(p *Params) error {
	wanted := key{p.method(), len(p.X), p.NComponents, p.Degree, p.Seed}
	if c.maps != nil && c.key == wanted {
		return nil
	}
	whole, err := sketch.New(sketch.Params{Method: wanted.method, NFeatures: wanted.features, NComponents: p.NComponents,
		Degree: p.Degree, Seed: p.Seed})
	if err != nil {
		return err
	}
	*c = Cache{key: wanted, whole: whole, maps: map[part]*sketch.FeatureMap{{0, p.Degree, sketch.OutputReal}: whole}}
	for k := range p.Degree {
		bucket, sign := make([]int, len(p.X)), make([]turn, len(p.X))
		for i := range p.X {
			at, s := whole.Hash(k, i)
			bucket[i], sign[i] = at/p.parts(), turnOf(at%p.parts(), s)
		}
		c.tables.bucket, c.tables.sign = append(c.tables.bucket, bucket), append(c.tables.sign, sign)
	}
	for k := range p.buckets() {
		hue := draw.Hue(k, p.buckets())
		c.identity, c.hues, c.colours = append(c.identity, k), append(c.hues, hue), append(c.colours, hue.String())
	}
	return nil
}

// of returns the map that computes a part.
func (c *Cache) of(part part) *sketch.FeatureMap {
	if c.maps[part] == nil {
		c.maps[part] = c.whole.Part(part.first, part.count, part.output)
	}
	return c.maps[part]
}

// complexes returns features as complex numbers. For the tensor sketch the imaginary parts are 0.
func (c *Cache) complexes(z []float32) []complex128 {
	if c.key.method == sketch.MethodTensorSketch {
		wide := make([]complex128, len(z))
		for k, value := range z {
			wide[k] = complex(float64(value), 0)
		}
		return wide
	}
	wide := make([]complex128, len(z)/2)
	for k := range wide {
		wide[k] = complex(float64(z[2*k]), float64(z[2*k+1]))
	}
	return wide
}

// transform returns the convolution of count sketches of x as the core computes it.
func (c *Cache) transform(first, count int, x []float32) []complex128 {
	return c.complexes(c.of(part{first, count, sketch.OutputReal}).Transform(nil, x))
}

// product returns the core's sketch of the product of different vectors.
func (c *Cache) product(rows []sketch.Rows) ([]complex128, error) {
	z, err := c.whole.TransformProduct(nil, rows...)
	return c.complexes(z), err
}

// spectrum returns Z[f] = Σ_k z[k]·e^(−2πi·fk/n) of the convolution z of n buckets, for the frequencies f that do
// not mirror others. For real z the core returns [Z₀, Z_{n/2} if n is even, √2·Re Z₁, √2·Im Z₁, …]/√n. For complex z
// it returns [Re Z₀, Im Z₀, Re Z₁, …]/√n.
func (c *Cache) spectrum(first, count int, x []float32) []complex128 {
	packed := c.of(part{first, count, sketch.OutputSpectrum}).Transform(nil, x)
	if c.key.method != sketch.MethodTensorSketch {
		z := c.complexes(packed)
		root := complex(math.Sqrt(float64(len(z))), 0)
		for f := range z {
			z[f] *= root
		}
		return z
	}
	d := c.key.components
	z, root := make([]complex128, d/2+1), math.Sqrt(float64(d))
	z[0] = complex(float64(packed[0])*root, 0)
	rest := packed[1:]
	if d%2 == 0 {
		z[d/2] = complex(float64(packed[1])*root, 0)
		rest = packed[2:]
	}
	root = math.Sqrt(float64(d) / 2)
	for f := 1; len(rest) > 0; f, rest = f+1, rest[2:] {
		z[f] = complex(float64(rest[0])*root, float64(rest[1])*root)
	}
	return z
}

// set reports for each bucket of a part whether it is not exactly zero. The coordinates have two decimals, so
// integers in units of 10^(−2·count) are exact. The core's float32 leaves rounding noise after the last decimal.
func (c *Cache) set(first, count int, x []float64) []bool {
	sum := c.integers(first, x)
	for k := first + 1; k < first+count; k++ {
		sum = convolve(sum, c.integers(k, x))
	}
	set := make([]bool, len(sum))
	for k, value := range sum {
		set[k] = value != gauss{}
	}
	return set
}

// A gauss is a complex number with integer parts.
type gauss struct{ re, im int64 }

func (c *Cache) integers(k int, x []float64) []gauss {
	sum := make([]gauss, len(c.identity))
	for i, value := range x {
		n, to := int64(math.Round(100*value)), &sum[c.tables.bucket[k][i]]
		switch c.tables.sign[k][i] {
		case 0:
			to.re += n
		case 1:
			to.im += n
		case 2:
			to.re -= n
		case 3:
			to.im -= n
		}
	}
	return sum
}

func convolve(a, b []gauss) []gauss {
	sum := make([]gauss, len(a))
	for m, v := range a {
		if v == (gauss{}) {
			continue
		}
		for n, w := range b {
			to := &sum[(m+n)%len(a)]
			to.re += v.re*w.re - v.im*w.im
			to.im += v.re*w.im + v.im*w.re
		}
	}
	return sum
}

// compare returns the comparison for x. If it is the last one, it is continued.
func (c *Cache) compare(x []float32, order int, transformed []complex128) *direct {
	if c.direct == nil || c.direct.order != order || !slices.Equal(c.direct.x, x) {
		c.direct = newDirect(x, order, &c.tables, transformed)
		if c.direct.products <= atOnce {
			c.direct.work(atOnce)
		}
	}
	return c.direct
}
