package learn

import (
	"math"
	"strconv"

	"tensorsketch.example/internal/portable"
	"tensorsketch.example/sketch"
)

// A Calibration turns the scores s of a row into probabilities of the classes:
//
//	p_c ∝ exp(Offset[c] + Σ_k Matrix[c·K + k]·s_k).
//
// Calibrate says how it is found. A nil Matrix stands for the identity and a nil Offset for zeros:
// then the probabilities are the softmax of the scores, as logistic regression has them.
type Calibration struct {
	K      int
	Offset []float64 // K
	Matrix []float64 // K × K
}

// absentOffset is the offset of a class without rows: its probability is 0.
const absentOffset = -1e300

// LogProbabilities writes the natural logarithms of the probabilities of the classes for the scores of
// one row to dst, both of K numbers, and returns it. dst must not be scores.
func (c *Calibration) LogProbabilities(dst, scores []float64) []float64 {
	if dst == nil {
		dst = make([]float64, c.K)
	}
	largest := math.Inf(-1)
	for k := range c.K {
		v := scores[k]
		if c.Matrix != nil {
			v = c.Offset[k]
			for j, s := range scores {
				v += float64(c.Matrix[k*c.K+j] * s)
			}
		}
		dst[k] = v
		largest = max(largest, v)
	}
	sum := 0.0
	for _, v := range dst {
		sum += portable.Exp(v - largest)
	}
	logarithm := largest + portable.Log(sum)
	for k := range dst {
		dst[k] -= logarithm
	}
	return dst
}

// Probabilities writes the probabilities of the classes for the scores of one row to dst, both of K
// numbers, and returns it. dst must not be scores.
func (c *Calibration) Probabilities(dst, scores []float64) []float64 {
	dst = c.LogProbabilities(dst, scores)
	for k, v := range dst {
		dst[k] = portable.Exp(v)
	}
	return dst
}

// ScoreSums are sums of the scores of rows that took no part in the fit, for Calibrate.
type ScoreSums struct {
	K        int
	Counts   []float64 // K: rows of each class
	Sums     []float64 // K × K: Σ s over the rows of each class
	Products []float64 // K × K: Σ s sᵀ over all rows
}

// NewScoreSums returns the sums of no rows for K classes.
func NewScoreSums(K int) *ScoreSums {
	return &ScoreSums{K, make([]float64, K), make([]float64, K*K), make([]float64, K*K)}
}

// AddRows adds the scores of rows, n × K, with their classes.
func (s *ScoreSums) AddRows(scores []float64, classes []int32) {
	K := s.K
	for i, c := range classes {
		row := scores[i*K : (i+1)*K]
		s.Counts[c]++
		axpy(s.Sums[int(c)*K:(int(c)+1)*K], 1, row)
		for k, v := range row {
			axpy(s.Products[k*K:(k+1)*K], v, row)
		}
	}
}

// AddSystem adds the scores that a model gives the rows of a System of classes, from their moments
// alone:
//
//	Σ s = W Σz + n·b,   Σ s sᵀ = W G Wᵀ + (W Σz) bᵀ + b (W Σz)ᵀ + n·b bᵀ.
func (s *ScoreSums) AddSystem(system *System, l *Linear) {
	s.AddMeans(system, l)
	for k := range s.K {
		s.addProducts(system, l, k)
	}
}

// AddMeans adds the counts and sums of AddSystem, and no products.
func (s *ScoreSums) AddMeans(system *System, l *Linear) {
	K, D := s.K, system.D
	for c, count := range system.Counts {
		s.Counts[c] += count
		b := system.B[c*D : (c+1)*D] // 2·Σ z of the class − Σ z of all
		for k := range K {
			w, sum := l.Weights[k*D:(k+1)*D], 0.0
			for j, v := range b {
				sum += float64(w[j] * ((v + system.Z[j]) / 2))
			}
			s.Sums[c*K+k] += sum + float64(count*l.Intercept[k])
		}
	}
}

// addProducts adds row k of the products of AddSystem.
func (s *ScoreSums) addProducts(system *System, l *Linear, k int) {
	K, D := s.K, system.D
	w, gw := l.Weights[k*D:(k+1)*D], make([]float64, D)
	for i, v := range w {
		axpy(gw, v, system.G[i*D:(i+1)*D])
	}
	own := float64(dot(w, system.Z)) // Σ of the score without its intercept
	for j := range K {
		other := l.Weights[j*D : (j+1)*D]
		s.Products[k*K+j] += dot(other, gw) + float64(own*l.Intercept[j]) +
			float64(l.Intercept[k]*(dot(other, system.Z)+float64(system.Rows*l.Intercept[j])))
	}
}

// Calibrate returns the calibration for scores whose sums over held-out rows are given. rest has the
// counts and sums of the rows that took part in the fit, or is nil: they count for the shares of the
// classes, and for the means of classes without held-out rows.
//
// The scores of the rows of class c are taken as Gaussian with mean m_c and one covariance Σ for all
// classes. With the shares π_c of the classes Bayes' rule gives
//
//	p_c ∝ π_c·exp(−½(s − m_c)ᵀ Σ⁻¹ (s − m_c)) ∝ exp(m_cᵀΣ⁻¹s − ½m_cᵀΣ⁻¹m_c + ln π_c).
//
// The scatter within classes of n held-out rows has n − C degrees of freedom for C classes. K rows of
// equal variance in all directions are added to it, so that Σ can always be inverted. The error is a
// *sketch.Error with code ErrParam if there are no more held-out rows than classes among them.
func Calibrate(held, rest *ScoreSums) (*Calibration, error) {
	K := held.K
	prior, means, centre := make([]float64, K), make([]float64, K*K), make([]float64, K)
	scatter := append([]float64(nil), held.Products...)
	rows, heldRows, present := 0.0, 0.0, 0.0
	for c := range K {
		count, sums := held.Counts[c], held.Sums[c*K:(c+1)*K]
		heldRows += count
		prior[c] = count
		if rest != nil {
			prior[c] += rest.Counts[c]
		}
		rows += prior[c]
		if prior[c] == 0 {
			continue
		}
		if count > 0 {
			present++
		} else {
			count, sums = rest.Counts[c], rest.Sums[c*K:(c+1)*K]
		}
		mean := means[c*K : (c+1)*K]
		axpy(mean, 1/count, sums)
		axpy(centre, prior[c], mean)
		if held.Counts[c] > 0 {
			for k, m := range mean {
				axpy(scatter[k*K:(k+1)*K], -m, sums)
			}
		}
	}
	degrees := heldRows - present
	if degrees < 1 {
		return nil, sketch.ErrParam.New("held-out rows", strconv.Itoa(int(heldRows)),
			"be more than the classes among them, "+strconv.Itoa(int(present))+", for probabilities: add rows")
	}
	for k := range centre {
		centre[k] /= rows
	}
	trace, between := 0.0, 0.0
	for c := range K {
		trace += scatter[c*K+c]
		if prior[c] == 0 {
			continue
		}
		for k := range K {
			means[c*K+k] -= centre[k]
			between = max(between, float64(means[c*K+k]*means[c*K+k]))
		}
	}
	// The mean variance of a score, or next to nothing where the scores tell the classes without error.
	variance := max(trace/float64(float64(K)*degrees), 1e-12*between)
	calibration := &Calibration{K, make([]float64, K), make([]float64, K*K)}
	if variance > 0 {
		for i := range scatter {
			scatter[i] /= degrees + float64(K)
		}
		for k := range K {
			scatter[k*K+k] += float64(K) * variance / (degrees + float64(K))
		}
		if !factorise(scatter, K) {
			return nil, sketch.ErrParam.New("scores", "", "have a covariance that float64 can invert: scale the features")
		}
	}
	for c := range K {
		if prior[c] == 0 {
			calibration.Offset[c] = absentOffset
			continue
		}
		row, mean := calibration.Matrix[c*K:(c+1)*K], means[c*K:(c+1)*K]
		if variance > 0 {
			copy(row, mean)
			solve(scatter, row, K)
		}
		calibration.Offset[c] = portable.Log(prior[c]/rows) - dot(row, mean)/2 - dot(row, centre)
	}
	return calibration, nil
}

// factorise replaces the lower triangle of a symmetric matrix by its Cholesky factor, and reports
// whether it is positive definite.
func factorise(a []float64, n int) bool {
	for i := range n {
		for j := range i + 1 {
			sum := a[i*n+j] - dot(a[i*n:i*n+j], a[j*n:j*n+j])
			switch {
			case j < i:
				a[i*n+j] = sum / a[j*n+j]
			case !(sum > 0):
				return false
			default:
				a[i*n+i] = math.Sqrt(sum)
			}
		}
	}
	return true
}

// solve replaces x by the solution of L Lᵀ y = x.
func solve(l, x []float64, n int) {
	for i := range n {
		x[i] = (x[i] - dot(l[i*n:i*n+i], x[:i])) / l[i*n+i]
	}
	for i := n - 1; i >= 0; i-- {
		x[i] /= l[i*n+i]
		axpy(x[:i], -x[i], l[i*n:i*n+i])
	}
}

// axpy adds a·x to y.
func axpy(y []float64, a float64, x []float64) {
	x = x[:len(y)]
	for i, v := range x {
		y[i] += float64(a * v)
	}
}

// dot returns Σ x_i y_i, i ascending.
func dot(x, y []float64) float64 {
	y, sum := y[:len(x)], 0.0
	for i, v := range x {
		sum += float64(v * y[i])
	}
	return sum
}
