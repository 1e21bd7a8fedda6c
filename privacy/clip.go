package privacy

import (
	"cmp"
	"math"

	"tensorsketch.example/internal/ball"
	"tensorsketch.example/sketch"
)

// FeatureBound returns C = (γR² + c)^(p/2), the norm to which features are clipped if rows have
// norm at most R. Under kernel normalisation no features are longer. Otherwise the root mean square
// of their norms over seeds is at most C. All arguments are public: R must not come from the data.
// The errors are a radius or gamma outside [1e-30, 1e30], a coef0 outside [0, 1e30], a degree
// outside [1, sketch.MaxDegree], and a result outside [1e-30, 1e30].
func FeatureBound(radius, gamma, coef0 float64, degree int) (float64, error) {
	if err := cmp.Or(checkRadius(radius), checkRange("gamma", gamma, 1e-30, 1e30),
		checkRange("coef0", coef0, 0, 1e30), checkInteger("degree", degree, 1, sketch.MaxDegree)); err != nil {
		return 0, err
	}
	root, bound := math.Sqrt(float64(gamma*float64(radius*radius))+coef0), 1.0
	for range degree {
		bound *= root
	}
	return bound, checkBound(bound)
}

// MapBound returns C for the features of a map whose rows have norm at most R: κ(x,x)^½ at ‖x‖ = R.
// For polynomial kernels it equals FeatureBound. If κ(x,x) is 1 for every row, it returns 1 and
// ignores the radius: for Fourier and spherical features and the Gaussian Taylor sketch. For features
// with signs it returns the root of their mean squared norm. A map for products of unlike vectors
// needs an R that holds for each of them.
//
// The errors are the methods "nystroem" and "k-space", whose features depend on rows of the data, a
// radius or result outside [1e-30, 1e30], and invalid parameters.
func MapBound(params sketch.Params, radius float64) (float64, error) {
	formulas, err := sketch.NewFormulas(params)
	if err != nil {
		return 0, err
	}
	params = formulas.Params()
	switch {
	case params.Method == sketch.MethodNystroem:
		return 0, sketch.ErrParam.New("method", "\""+params.Method+"\"",
			"be another one for a private release: the landmarks of this one are rows of the data, "+
				"and each of its features depends on them")
	case params.Method == sketch.MethodKSpace:
		return 0, sketch.ErrParam.New("method", "\""+params.Method+"\"",
			"be another one for a private release: this one is fitted to rows of the data, and each of its features "+
				"depends on them")
	case formulas.UnitNorm():
		return math.Sqrt(formulas.NormKernel(1)), nil
	}
	if radius != radius {
		return 0, sketch.ErrParam.New("radius", "none",
			"be the norm of rows that is typed or public, because the features of this map are the longer the longer its row")
	}
	if err := checkRadius(radius); err != nil {
		return 0, err
	}
	bound := math.Sqrt(formulas.NormKernel(float64(radius * radius)))
	return bound, checkBound(bound)
}

func checkRadius(radius float64) error { return checkRange("radius", radius, 1e-30, 1e30) }

// checkBound keeps released numbers, including noise, well inside the range of float32.
func checkBound(bound float64) error { return checkRange("bound", bound, 1e-30, 1e30) }

// ClipRows writes into dst the rows of X, n × nFeatures and row-major, and returns dst. Rows longer
// than radius are scaled down to it. A nil dst is allocated; it may be X. Privacy does not depend
// on this but on the clipping of features, see Mechanism. The errors are a radius outside [1e-30,
// 1e30], an X that is not whole rows or not finite, and a dst of another length.
func ClipRows(dst, X []float32, nFeatures int, radius float64) ([]float32, error) {
	if err := checkRadius(radius); err != nil {
		return nil, err
	}
	if err := checkRows("X", X, nFeatures); err != nil {
		return nil, err
	}
	dst, err := destination(dst, len(X))
	if err != nil {
		return nil, err
	}
	for at := 0; at < len(X); at += nFeatures {
		row := X[at : at+nFeatures]
		scale := min(1, radius/norm(row))
		for i, v := range row {
			dst[at+i] = float32(scale * float64(v))
		}
	}
	return dst, nil
}

func norm(x []float32) float64 { return math.Sqrt(sketch.Dot(x, x)) }

// quantize writes into v the integers nearest to z/step, after scaling z down to norm limit·step if
// it is longer, with ‖v‖ ≤ limit ≤ 2^31 (ball.Round).
func quantize(v []int64, z []float32, step float64, limit int64) {
	scale := 1 / step
	if length := norm(z) * scale; length > float64(limit) {
		scale *= float64(limit) / length
	}
	ball.Round(v, z, scale, limit)
}
