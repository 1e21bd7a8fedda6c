package convolution

import (
	"math"
	"slices"

	"github.com/tensorsketch/tensorsketch/sketch"
	"github.com/tensorsketch/tensorsketch/ui/internal/draw"
)

// A Cache keeps what does not depend on x: the maps, their hash tables, and the
// colours, for the last d, D, p and seed; and the comparison for the last x. Its
// zero value is ready.
type Cache struct {
	key      key
	tables   tables
	maps     map[part]*sketch.TensorSketch
	spectral map[part]*sketch.TensorSketch
	identity []int // 0 … D−1
	hues     []draw.RGB
	colours  []string // the hues as in CSS
	direct   *direct
}

type key struct {
	features, components, degree int
	seed                         sketch.Seed
}

// tables are h_k(i) and s_k(i), by degree and coordinate.
type tables struct{ bucket, sign [][]int }

// A part is the convolution of count sketches first … first+count−1.
type part struct{ first, count int }

// prepare makes the map, unless it is the last one.
func (c *Cache) prepare(features, components, degree int, seed sketch.Seed) error {
	wanted := key{features, components, degree, seed}
	if c.maps != nil && c.key == wanted {
		return nil
	}
	whole, err := sketch.New(sketch.Params{Method: sketch.MethodTensorSketch, NFeatures: features, NComponents: components, Degree: degree, Seed: seed})
	if err != nil {
		return err
	}
	*c = Cache{key: wanted, maps: map[part]*sketch.TensorSketch{{0, degree}: whole}, spectral: map[part]*sketch.TensorSketch{}}
	for k := range degree {
		bucket, sign := make([]int, features), make([]int, features)
		for i := range features {
			bucket[i], sign[i] = whole.Hash(k, i)
		}
		c.tables.bucket, c.tables.sign = append(c.tables.bucket, bucket), append(c.tables.sign, sign)
	}
	for k := range components {
		hue := draw.Hue(k, components)
		c.identity, c.hues, c.colours = append(c.identity, k), append(c.hues, hue), append(c.colours, hue.String())
	}
	return nil
}

// build makes the map of a part from the tables.
func (c *Cache) build(part part, output string) (*sketch.TensorSketch, error) {
	params := sketch.Params{Method: sketch.MethodTensorSketch, NFeatures: c.key.features, NComponents: c.key.components, Degree: part.count, Output: output}
	if part.count == 1 {
		params.Method = sketch.MethodCountSketch
	}
	for k := part.first; k < part.first+part.count; k++ {
		bucket, sign := make([]int32, c.key.features), make([]int8, c.key.features)
		for i := range c.key.features {
			bucket[i], sign[i] = int32(c.tables.bucket[k][i]), int8(c.tables.sign[k][i])
		}
		params.IndexHash, params.BitHash = append(params.IndexHash, bucket), append(params.BitHash, sign)
	}
	return sketch.New(params)
}

// transform returns the core's convolution of count sketches of x.
func (c *Cache) transform(first, count int, x []float32) ([]float32, error) {
	part := part{first, count}
	if c.maps[part] == nil {
		built, err := c.build(part, sketch.OutputReal)
		if err != nil {
			return nil, err
		}
		c.maps[part] = built
	}
	return c.maps[part].Transform(nil, x), nil
}

// product returns the core's sketch of the product of unlike vectors.
func (c *Cache) product(rows []sketch.Rows) ([]float32, error) {
	return c.maps[part{0, c.key.degree}].TransformProduct(nil, rows...)
}

// spectrum returns Z[0] … Z[⌊D/2⌋] of a part: Z[f] = Σ_k z[k]·e^(−2πi·fk/D). The
// core gives [Z₀, Z_{D/2} if D is even, √2·Re Z₁, √2·Im Z₁, …]/√D.
func (c *Cache) spectrum(part part, x []float32) ([]complex128, error) {
	if c.spectral[part] == nil {
		built, err := c.build(part, sketch.OutputSpectrum)
		if err != nil {
			return nil, err
		}
		c.spectral[part] = built
	}
	packed := widened(c.spectral[part].Transform(nil, x))
	d := c.key.components
	z := make([]complex128, d/2+1)
	z[0] = complex(packed[0]*math.Sqrt(float64(d)), 0)
	rest := packed[1:]
	if d%2 == 0 {
		z[d/2] = complex(packed[1]*math.Sqrt(float64(d)), 0)
		rest = packed[2:]
	}
	scale := math.Sqrt(float64(d) / 2)
	for f := 1; len(rest) > 0; f, rest = f+1, rest[2:] {
		z[f] = complex(rest[0]*scale, rest[1]*scale)
	}
	return z, nil
}

// set tells which buckets of a part are not exactly zero. The coordinates have
// two decimals, so that integers, in units of 10^(−2·count), are exact, where the
// core's float32 leaves noise behind the last decimal.
func (c *Cache) set(first, count int, x []float64) []bool {
	sum := c.integers(first, x)
	for k := first + 1; k < first+count; k++ {
		sum = convolve(sum, c.integers(k, x))
	}
	set := make([]bool, len(sum))
	for k, value := range sum {
		set[k] = value != 0
	}
	return set
}

func (c *Cache) integers(k int, x []float64) []int64 {
	sum := make([]int64, c.key.components)
	for i, value := range x {
		sum[c.tables.bucket[k][i]] += int64(math.Round(100*value)) * int64(c.tables.sign[k][i])
	}
	return sum
}

func convolve(a, b []int64) []int64 {
	sum := make([]int64, len(a))
	for m, value := range a {
		if value == 0 {
			continue
		}
		for n, other := range b {
			sum[(m+n)%len(a)] += value * other
		}
	}
	return sum
}

// compare returns the comparison for x, which goes on where it is the last one.
func (c *Cache) compare(x []float32, order int, transformed []float32) *direct {
	if c.direct == nil || c.direct.order != order || !slices.Equal(c.direct.x, x) {
		c.direct = newDirect(x, order, &c.tables, transformed)
		if c.direct.products <= atOnce {
			c.direct.work(atOnce)
		}
	}
	return c.direct
}
