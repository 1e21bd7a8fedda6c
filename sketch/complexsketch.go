package sketch

// complexSketchMethod is the tensor sketch with complex features (after the
// complex-to-real idea of Wacker, Ohana & Filippone 2022): signs from {1, i, −1, −i},
// D/2 buckets, and the convolution of length D/2 of complex numbers, whose real
// and imaginary parts alternate in a row. The inner product of rows is the real
// part of the complex one.
func complexSketchMethod() *method {
	return &method{
		law:   func(p *Params) law { return &complexSketchLaw{complexLaw{polynomialLaw{p}}} },
		core:  newTensorPart,
		bytes: tensorPartBytes,
	}
}

// complexSketchLaw: with z(a,b) the complex estimate of ⟨a,b⟩^p, in E z(a,b) z̄(c,d)
// the indices pair up in each degree as in P or as in Q, and as in P or R in
// E z(a,b) z(c,d); buckets meet with certainty where all degrees are as in P, else
// with probability 1/(D/2). The covariance of the real parts is half the sum, less
// P^p:
//
//	Cov(⟨fa,fb⟩, ⟨fc,fd⟩) = [(P + Q − s)^p + (P + R − s)^p − 2P^p] / D
//
// That is the first term of the tensor sketch's own covariance; what the complex
// one saves is the second, of order 1/D². It is also that of independent complex
// projections.
type complexSketchLaw struct{ complexLaw }
