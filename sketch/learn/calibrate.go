package learn

import (
	"math"
	"strconv"

	"tensorsketch.example/internal/portable"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/internal/matrix"
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
	p := newScoreProducts(s.Products, system, l, l.Intercept)
	for !p.step() {
	}
	s.addClasses(system, l)
}

// addClasses adds the counts and sums of AddSystem, and no products.
func (s *ScoreSums) addClasses(system *System, l *Linear) {
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

// scoreProducts adds Σ s sᵀ of the scores that a model gives the rows of a System to a K × K matrix,
// some milliseconds of work at a time.
type scoreProducts struct {
	to        []float64
	system    *System
	l         *Linear
	intercept []float64
	w         []float64 // D × K
	row       int       // of G
}

func newScoreProducts(to []float64, system *System, l *Linear, intercept []float64) *scoreProducts {
	return &scoreProducts{to: to, system: system, l: l, intercept: intercept, w: matrix.Transpose(l.Weights, l.K, l.D)}
}

// step returns true after the last step.
func (p *scoreProducts) step() bool {
	D, K := p.l.D, p.l.K
	if count := min(64, D-p.row); count > 0 {
		gw := make([]float64, count*K)
		matrix.AddProduct(gw, p.system.G[p.row*D:(p.row+count)*D], p.w, count, D, K, 1)
		matrix.AddTransposedProduct(p.to, p.w[p.row*K:(p.row+count)*K], gw, count, K, K, 1)
		p.row += count
		return false
	}
	own := make([]float64, K) // Σ of the scores without their intercepts
	for k := range own {
		own[k] = dot(p.l.Weights[k*D:(k+1)*D], p.system.Z)
	}
	for k, b := range p.intercept {
		for j, c := range p.intercept {
			p.to[k*K+j] += float64(own[k]*c) + float64(b*(own[j]+float64(p.system.Rows*c)))
		}
	}
	return true
}

// Calibrate returns the calibration for scores whose sums over held-out rows are given. rest has the
// counts and sums of the rows that took part in the fit, or is nil: they count for the shares of the
// classes, and for the means of classes without held-out rows.
//
// The scores of the rows of class c are taken as Gaussian with mean m_c and one covariance Σ for all
// classes. With the shares π_c of the classes Bayes' rule would give, for τ = 1,
//
//	p_c ∝ π_c·exp(−½τ(s − m_c)ᵀ Σ⁻¹ (s − m_c)) ∝ exp(τ·m_cᵀΣ⁻¹s − ½τ·m_cᵀΣ⁻¹m_c + ln π_c).
//
// But scores of one class against all others spread where a row is confused: the difference between
// the scores of c and j varies in the rows of c and of j, a part π_c + π_j of all, and hardly in
// others. The pooled variance is that much too small. So τ is the mean of π_c + π_j over the class c
// of a row and another class j:
//
//	τ = Σ_c π_c Σ_{j≠c} π_j/(1 − π_c)·(π_c + π_j),
//
// which is 1 for two classes and 2/K for K classes of equal size. docs/theory.md shows what it does.
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
	// The least variance counts where the scores tell the classes without error, and where they are constant.
	trace, least := 0.0, 0.0
	for c := range K {
		trace += scatter[c*K+c]
		if prior[c] == 0 {
			continue
		}
		for k := range K {
			least = max(least, 1e-24*float64(means[c*K+k]*means[c*K+k]))
			means[c*K+k] -= centre[k]
			least = max(least, 1e-12*float64(means[c*K+k]*means[c*K+k]))
		}
	}
	variance := max(trace/float64(float64(K)*degrees), least)
	calibration := &Calibration{K, make([]float64, K), make([]float64, K*K)}
	if variance > 0 {
		for i := range scatter {
			scatter[i] /= degrees + float64(K)
		}
		for k := range K {
			scatter[k*K+k] += max(float64(K)*variance/(degrees+float64(K)), least)
		}
		factor := matrix.NewCholesky(scatter, K)
		if factor.Finish() >= 0 {
			return nil, sketch.ErrParam.New("scores", "", "have a covariance that float64 can invert: scale the features")
		}
		columns := matrix.Transpose(means, K, K)
		factor.Solve(columns, K)
		calibration.Matrix = matrix.Transpose(columns, K, K)
	}
	tau := temper(prior, rows)
	for c := range K {
		row, mean := calibration.Matrix[c*K:(c+1)*K], means[c*K:(c+1)*K]
		if prior[c] == 0 {
			calibration.Offset[c] = absentOffset
			continue
		}
		for k := range row {
			row[k] *= tau
		}
		calibration.Offset[c] = portable.Log(prior[c]/rows) - dot(row, mean)/2 - dot(row, centre)
	}
	return calibration, nil
}

// temper returns τ of Calibrate from the rows of each class and of all.
func temper(counts []float64, rows float64) float64 {
	tau := 0.0
	for c, own := range counts {
		if own == 0 || own == rows {
			continue
		}
		sum := 0.0
		for j, other := range counts {
			if j != c {
				sum += float64(other * (own + other))
			}
		}
		tau += own / rows * sum / (float64(rows * (rows - own)))
	}
	return tau
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
