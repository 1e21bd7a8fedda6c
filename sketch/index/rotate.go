package index

import "math"

const (
	widthStep = 32 // numbers of a rotated row come in steps of it
	rowStep   = 4  // rows that the scan looks at together
)

// A rotation spreads a row evenly over its coordinates: signs and Walsh–Hadamard transforms H, which keep all inner
// products. It is H·S₂·H·S₁ where the width is a power of two. For other widths H has the length n, the largest power
// of two below the width: it takes the first n coordinates, then the last n, each twice. They overlap, so that all
// coordinates mix, and no row is padded to a power of two.
type rotation struct {
	length int         // of H
	passes [][]float32 // ±1/√length, for each pass
}

func newRotation(width int, seed uint32) *rotation {
	r := &rotation{length: widthStep}
	for 2*r.length <= width {
		r.length *= 2
	}
	r.passes = make([][]float32, 4)
	if r.length == width {
		r.passes = r.passes[:2]
	}
	scale := float32(1 / math.Sqrt(float64(r.length)))
	state := uint64(seed)
	for p := range r.passes {
		r.passes[p] = make([]float32, r.length)
		for i := range r.passes[p] {
			r.passes[p][i] = scale
			if splitmix(&state)>>63 != 0 {
				r.passes[p][i] = -scale
			}
		}
	}
	return r
}

// splitmix returns the next 64 bits of a stream (SplitMix64; Steele, Lea & Flood 2014).
func splitmix(state *uint64) uint64 {
	*state += 0x9e3779b97f4a7c15
	z := *state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// apply rotates a row of the rotation's width.
func (r *rotation) apply(row []float32) {
	for p, signs := range r.passes {
		part := row[:r.length]
		if p%2 == 1 {
			part = row[len(row)-r.length:]
		}
		for i, s := range signs {
			part[i] *= s
		}
		hadamard(part)
	}
}

// hadamard computes the Walsh–Hadamard transform of 2^k ≥ 4 numbers in place, without scaling.
func hadamard(z []float32) {
	for half := len(z) / 2; half >= 4; half /= 2 {
		for from := 0; from < len(z); from += 2 * half {
			butterflies(z[from:from+half], z[from+half:from+2*half])
		}
	}
	for i := 0; i+4 <= len(z); i += 4 {
		a, b, c, d := z[i]+z[i+2], z[i+1]+z[i+3], z[i]-z[i+2], z[i+1]-z[i+3]
		z[i], z[i+1], z[i+2], z[i+3] = a+b, a-b, c+d, c-d
	}
}
