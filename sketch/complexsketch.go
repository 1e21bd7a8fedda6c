package sketch

// complexSketchMethod is the tensor sketch with complex features (after the complex-to-real idea of
// Wacker, Ohana & Filippone 2022): signs from {1, i, −1, −i}, D/2 buckets, and a convolution of D/2
// complex numbers. Their real and imaginary parts alternate in a row. The inner product of rows is
// the real part of the complex inner product.
func complexSketchMethod() *method {
	return &method{
		law:   func(p *Params) law { return &complexSketchLaw{complexLaw{polynomialLaw{p}}} },
		core:  newTensorPart,
		bytes: tensorPartBytes,
	}
}

// complexSketchLaw is the law of the complex tensor sketch. Let z(a,b) be the complex estimate of
// ⟨a,b⟩^p. In E z(a,b) z̄(c,d) the indices pair up in each degree as in P or Q; in E z(a,b) z(c,d),
// as in P or R. Buckets meet with certainty if all degrees are as in P, and otherwise with
// probability 1/(D/2). The covariance of the real parts is half the sum, minus P^p:
//
//	Cov(⟨fa,fb⟩, ⟨fc,fd⟩) = [(P + Q − s)^p + (P + R − s)^p − 2P^p] / D
//
// This is the first term of the tensor sketch's own covariance. The complex sketch saves the second
// term, of order 1/D². It is also the covariance of independent complex projections.
type complexSketchLaw struct{ complexLaw }
