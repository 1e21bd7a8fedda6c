package sketch

import (
	"math"
	"strconv"
)

// AMS is the tug-of-war sketch of Alon, Matias & Szegedy (1996): D sums z_j = Σ_i s_j(i)·x_i/√D
// with 4-wise independent signs. ⟨z(x), z(y)⟩ estimates ⟨x,y⟩. It takes O(D·d) time per row; a
// count sketch takes O(d).
type AMS struct {
	nFeatures int
	signs     []signHash // one per component
}

// NewAMS returns the sketch of D = nComponents numbers for vectors of length
// d = nFeatures. The error is an *Error with code ErrParam.
func NewAMS(nFeatures, nComponents int, seed Seed) (*AMS, error) {
	if err := checkInt("nFeatures", nFeatures, MaxFeatures); err != nil {
		return nil, err
	}
	if err := checkInt("nComponents", nComponents, MaxComponents); err != nil {
		return nil, err
	}
	a := &AMS{nFeatures: nFeatures, signs: make([]signHash, nComponents)}
	draw := seed.randomness(0)
	for j := range a.signs {
		a.signs[j] = newSignHash(draw, domainAMS, uint32(j))
	}
	return a, nil
}

// Transform writes the sketch of x into dst and returns it.
// If dst is nil, a new slice is allocated; dst must not overlap x.
// It panics if len(x) is not d or len(dst) is not D.
func (a *AMS) Transform(dst, x []float32) []float32 {
	if dst == nil {
		dst = make([]float32, len(a.signs))
	}
	if len(x) != a.nFeatures || len(dst) != len(a.signs) {
		panic("sketch: AMS from " + strconv.Itoa(len(x)) + " to " + strconv.Itoa(len(dst)) + " numbers, want " +
			strconv.Itoa(a.nFeatures) + " to " + strconv.Itoa(len(a.signs)))
	}
	scale := 1 / math.Sqrt(float64(len(a.signs)))
	for j := range dst {
		sum := 0.0
		for i, v := range x {
			sum += float64(a.signs[j].at(uint64(i)).Sign() * v)
		}
		dst[j] = float32(sum * scale)
	}
	return dst
}

// Variance returns the exact variance over seeds of the estimate of ⟨x,y⟩,
// (N + T − 2s)/D with T = ⟨x,y⟩², N = ‖x‖²‖y‖² and s = Σ x_i² y_i².
func (a *AMS) Variance(x, y []float64) float64 {
	var xx, yy, xy, s float64
	for i, v := range x {
		xx += float64(v * v)
		yy += float64(y[i] * y[i])
		product := float64(v * y[i])
		xy += product
		s += float64(product * product)
	}
	return (float64(xx*yy) + float64(xy*xy) - 2*s) / float64(len(a.signs))
}
