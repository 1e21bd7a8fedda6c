// Package vector makes the vectors that the teaching places show: presets, vectors of the visitor, and second
// vectors at a chosen angle.
//
// Vectors shown bar by bar have values of two decimals between −1 and 1. The arithmetic written on the page is
// therefore exactly the arithmetic computed.
package vector

import (
	"math"
	"math/cmplx"
	"strconv"
	"strings"

	"tensorsketch.example/ui/internal/sample"
	"tensorsketch.example/ui/internal/splitmix"
)

// The presets, by their names in links. Own is a vector of the visitor.
const (
	Random = "random"
	Sparse = "sparse"
	Zipf   = "zipf"
	Smooth = "smooth"
	OneHot = "one-hot"
	Digit  = "digit"
	Own    = "own"
)

// Most is the maximum length of a vector shown bar by bar.
const Most = 64

// Preset returns vector number draw of a preset with d numbers, each of two decimals from −1 to 1. A place opens
// with draw 0. Digits have 64 numbers; a shorter vector contains the first d of them. An unknown preset name means
// Random.
func Preset(name string, d, draw int) []float64 {
	x := raw(name, d, draw)
	for i := range x {
		x[i] = Round(x[i])
	}
	return x
}

// Round returns the nearest number with two decimals from −1 to 1.
func Round(x float64) float64 { return math.Round(100*min(max(x, -1), 1)) / 100 }

func raw(name string, d, draw int) []float64 {
	x := make([]float64, d)
	random := splitmix.Source(2013 + 1_000_003*uint64(draw))
	switch name {
	case OneHot:
		x[(d/3+draw)%d] = 1
	case Sparse: // a fifth of the coordinates
		filled := max(d/5, min(d, 2))
		for k := range filled {
			i := (k*d/filled + random.Below(max(d/max(d/5, 1)-1, 1))) % d
			x[i] = sign(&random) * random.Between(.4, 1)
		}
	case Zipf: // 1, ½, ⅓, …: the counts of words
		for i := range x {
			x[i] = 1 / float64(i+1)
		}
		if draw > 0 {
			splitmix.Shuffle(&random, x)
		}
	case Smooth: // a wave and a half
		shift := random.Between(0, .2)
		for i := range x {
			x[i] = .9 * math.Sin(3*math.Pi*(float64(i)+.5)/float64(d)+.6+shift*float64(min(draw, 1))*5)
		}
	case Digit:
		rows, _ := sample.Digits(draw + 4)
		for i, shade := range rows[(draw+3)*sample.Features:] {
			if i < d {
				x[i] = float64(shade) / sample.Most
			}
		}
	default:
		for i := range x {
			x[i] = sign(&random) * random.Between(.05, 1)
		}
	}
	return x
}

func sign(random *splitmix.Source) float64 {
	if random.Below(2) == 0 {
		return -1
	}
	return 1
}

// Parse reads the numbers of a link, separated by commas: at most 64, each from −1 to 1. It rounds them to two
// decimals.
func Parse(text string) ([]float64, bool) {
	parts := strings.SplitN(text, ",", Most+1)
	if text == "" || len(parts) > Most {
		return nil, false
	}
	x := make([]float64, len(parts))
	for i, part := range parts {
		value, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || !(value >= -1 && value <= 1) {
			return nil, false
		}
		x[i] = Round(value) + 0
	}
	return x, true
}

// Format writes x in the form that Parse reads.
func Format(x []float64) string {
	var b strings.Builder
	for i, value := range x {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.FormatFloat(value+0, 'f', -1, 64))
	}
	return b.String()
}

// Resize returns x with d numbers: truncated, or padded with zeros.
func Resize(x []float64, d int) []float64 {
	resized := make([]float64, d)
	copy(resized, x)
	return resized
}

// At returns a vector as long as x at an angle to x, in degrees from 0 to 180: cos θ·x + sin θ·z, where z is a fixed
// vector orthogonal to x with the same norm. The result is 0 if x is 0, and ±x if there is no second direction.
func At(x []float64, degrees float64, draw int) []float64 {
	sin, cos := Turn(degrees)
	z := orthogonal(x, draw)
	y := make([]float64, len(x))
	for i := range y {
		y[i] = cos*x[i] + sin*z[i]
	}
	return y
}

// Turn returns the sine and cosine of an angle in degrees. They are exact for 0, 90 and 180.
func Turn(degrees float64) (sin, cos float64) {
	switch degrees {
	case 0:
		return 0, 1
	case 90:
		return 1, 0
	case 180:
		return 0, -1
	}
	return math.Sincos(degrees * math.Pi / 180)
}

// orthogonal returns a vector orthogonal to x with the same norm. If x has two or more nonzero coordinates, the
// result is zero elsewhere.
func orthogonal(x []float64, draw int) []float64 {
	z := make([]float64, len(x))
	support := 0
	norm := 0.0
	for _, value := range x {
		if value != 0 {
			support++
		}
		norm += value * value
	}
	if norm == 0 {
		return z
	}
	random := splitmix.Source(1202 + 1_000_003*uint64(draw))
	last := 0
	for i := range z {
		value := sign(&random) * random.Between(.2, 1)
		if x[i] != 0 {
			last = i
		}
		if x[i] != 0 || support < 2 {
			z[i] = value
		}
	}
	if support == 1 { // needs one more coordinate
		clear(z)
		z[(last+1)%len(z)] = 1
	}
	for range 2 { // twice, to remove what rounding leaves
		along := Dot(x, z) / norm
		for i := range z {
			z[i] -= along * x[i]
		}
	}
	length := Dot(z, z)
	if !(length > 1e-20) {
		clear(z)
		return z
	}
	scale := math.Sqrt(norm / length)
	for i := range z {
		z[i] *= scale
	}
	return z
}

// Dot returns ⟨x, y⟩.
func Dot(x, y []float64) float64 {
	sum := 0.0
	for i := range x {
		sum += x[i] * y[i]
	}
	return sum
}

// Longest returns the largest absolute value.
func Longest(z []complex128) float64 {
	longest := 0.0
	for _, value := range z {
		longest = max(longest, cmplx.Abs(value))
	}
	return longest
}

// Spectrum returns Z[f] = Σ_j z[j]·e^(−2πi·fj/n) for f = 0 … n−1, from the core's spectrum of n real numbers z. The
// core returns [Z₀, Z_{n/2} if n is even, √2·Re Z₁, √2·Im Z₁, …]/√n. Z[n−f] is the conjugate of Z[f].
func Spectrum(packed []float32) []complex128 {
	n := len(packed)
	z, root := make([]complex128, n), math.Sqrt(float64(n))
	z[0] = complex(root*float64(packed[0]), 0)
	rest := packed[1:]
	if n%2 == 0 {
		z[n/2] = complex(root*float64(packed[1]), 0)
		rest = packed[2:]
	}
	root = math.Sqrt(float64(n) / 2)
	for f := 1; len(rest) > 0; f, rest = f+1, rest[2:] {
		re, im := root*float64(rest[0]), root*float64(rest[1])
		z[f], z[n-f] = complex(re, im), complex(re, -im)
	}
	return z
}

// Float64 converts what the core returns to float64.
func Float64(x []float32) []float64 { return converted[float64](x) }

// Float32 converts x to float32, as the core takes it.
func Float32(x []float64) []float32 { return converted[float32](x) }

func converted[T, U float32 | float64](x []U) []T {
	all := make([]T, len(x))
	for i, value := range x {
		all[i] = T(value)
	}
	return all
}
