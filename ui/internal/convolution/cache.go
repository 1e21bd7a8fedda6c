package convolution

import (
	"math"
	"slices"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/bars"
	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/vector"
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
	sign   [][]bars.Turn
}

// A part is the convolution of count sketches first to first+count−1, or its spectrum.
type part struct {
	first, count int
	output       string
}

// prepare makes the map for the parameters, unless the cache already has it.
func (c *Cache) prepare(p *Params) error {
	wanted := key{p.Method, len(p.X), p.NComponents, p.Degree, p.Seed}
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
		bucket, sign := make([]int, len(p.X)), make([]bars.Turn, len(p.X))
		for i := range p.X {
			bucket[i], sign[i] = bars.Hash(whole, k, i, p.parts())
		}
		c.tables.bucket, c.tables.sign = append(c.tables.bucket, bucket), append(c.tables.sign, sign)
	}
	for k := range p.buckets() {
		c.identity, c.hues = append(c.identity, k), append(c.hues, draw.Hue(k, p.buckets()))
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
	parts := bars.Parts(c.key.method)
	wide := make([]complex128, len(z)/parts)
	for k := range wide {
		imaginary := float32(0)
		if parts == 2 {
			imaginary = z[2*k+1]
		}
		wide[k] = complex(float64(z[parts*k]), float64(imaginary))
	}
	return wide
}

// transform returns the convolution of count sketches of x as the core computes it.
func (c *Cache) transform(first, count int, x []float32) []complex128 {
	return c.complexes(c.of(part{first, count, sketch.OutputReal}).Transform(nil, x))
}

// spectrum returns Z[f] = Σ_k z[k]·e^(−2πi·fk/n) of the convolution z of n buckets, for the frequencies f that do
// not mirror others. For complex z the core returns [Re Z₀, Im Z₀, Re Z₁, …]/√n.
func (c *Cache) spectrum(first, count int, x []float32) []complex128 {
	packed := c.of(part{first, count, sketch.OutputSpectrum}).Transform(nil, x)
	if bars.Parts(c.key.method) == 1 {
		return vector.Spectrum(packed)[:len(packed)/2+1]
	}
	z := c.complexes(packed)
	root := complex(math.Sqrt(float64(len(z))), 0)
	for f := range z {
		z[f] *= root
	}
	return z
}

// set reports for each bucket of a part whether it is not exactly zero. The coordinates have two decimals, so
// integers in units of 10^(−2·count) are exact: they are below 2^53. The core's float32 leaves rounding noise after
// the last decimal.
func (c *Cache) set(first, count int, x []float64) []bool {
	n := len(c.identity)
	sum := make([]complex128, n)
	sum[0] = 1
	for k := first; k < first+count; k++ {
		next := make([]complex128, n)
		for i, value := range x {
			bucket, factor := c.tables.bucket[k][i], c.tables.sign[k][i].Of(math.Round(100*value))
			for m, before := range sum {
				next[(m+bucket)%n] += multiply(before, factor)
			}
		}
		sum = next
	}
	set := make([]bool, n)
	for k, value := range sum {
		set[k] = value != 0
	}
	return set
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
