package solve

import "strconv"

// A Linear model gives a row of features z the scores
//
//	score_k(z) = Intercept[k] + Σ_j Weights[k·D + j]·z_j,   j ascending, in float64.
type Linear struct {
	D, K      int       // features, and classes or targets
	Weights   []float64 // K × D
	Intercept []float64 // K
}

// Scores writes the scores of the rows of Z, n × D, to dst, n × K and row-major, and returns it; nil
// allocates. It panics if a length does not fit.
func (l *Linear) Scores(dst []float64, Z []float32) []float64 {
	n := len(Z) / l.D
	if dst == nil {
		dst = make([]float64, n*l.K)
	}
	if len(Z) != n*l.D || len(dst) != n*l.K {
		panic("learn: len(Z) is " + strconv.Itoa(len(Z)) + " and len(dst) " + strconv.Itoa(len(dst)) +
			", want n × " + strconv.Itoa(l.D) + " and n × " + strconv.Itoa(l.K))
	}
	for i := range n {
		z, scores := Z[i*l.D:(i+1)*l.D], dst[i*l.K:(i+1)*l.K]
		k := 0
		for ; k+4 <= l.K; k += 4 {
			l.four(scores[k:k+4], z, k)
		}
		for ; k < l.K; k++ {
			s := l.Intercept[k]
			for j, w := range l.Weights[k*l.D : (k+1)*l.D] {
				s += float64(w * float64(z[j]))
			}
			scores[k] = s
		}
	}
	return dst
}

// four writes the scores k … k + 3 of a row. Their sums are independent, so a processor computes them
// side by side.
func (l *Linear) four(scores []float64, z []float32, k int) {
	D := l.D
	w0, w1 := l.Weights[k*D:][:len(z)], l.Weights[(k+1)*D:][:len(z)]
	w2, w3 := l.Weights[(k+2)*D:][:len(z)], l.Weights[(k+3)*D:][:len(z)]
	s0, s1, s2, s3 := l.Intercept[k], l.Intercept[k+1], l.Intercept[k+2], l.Intercept[k+3]
	for j, v := range z {
		x := float64(v)
		s0 += float64(w0[j] * x)
		s1 += float64(w1[j] * x)
		s2 += float64(w2[j] * x)
		s3 += float64(w3[j] * x)
	}
	scores[0], scores[1], scores[2], scores[3] = s0, s1, s2, s3
}

// Largest returns the index of the largest score, the first of equals.
func Largest(scores []float64) int {
	best := 0
	for k, s := range scores {
		if s > scores[best] {
			best = k
		}
	}
	return best
}
