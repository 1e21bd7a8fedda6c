package learn

import (
	"math"
	"slices"

	"tensorsketch.example/internal/engine/matrix"
	"tensorsketch.example/internal/portable"
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
)

// A Calibration turns the scores s of a row into probabilities of the classes:
//
//	p_c ∝ exp(Offset[c] + Σ_k Matrix[c·K + k]·s_k).
//
// calibrate says how it is found. A nil Matrix stands for the identity and a nil Offset for zeros:
// then the probabilities are the softmax of the scores, as logistic regression has them.
//
// A Clip ε above 0 goes with a nil Matrix: the scores are logarithms of odds up to a constant, found from rows that
// were held out, and the probabilities are (p + ε/K)/(1 + ε), so that none is below ε/(K·(1 + ε)).
type Calibration struct {
	K      int
	Offset []float64 // K
	Matrix []float64 // K × K
	Clip   float64
}

// absentOffset is the offset of a class without rows: its probability is 0.
const absentOffset = -1e300

// LogProbabilities writes the natural logarithms of the probabilities of the classes for the scores of
// one row to dst, both of K numbers, and returns it. dst must not be scores.
func (c *Calibration) LogProbabilities(dst, scores []float64) []float64 {
	if dst == nil {
		dst = make([]float64, c.K)
	}
	for k := range c.K {
		v := scores[k]
		if c.Matrix != nil {
			v = c.Offset[k]
			for j, s := range scores {
				v += float64(c.Matrix[k*c.K+j] * s)
			}
		}
		dst[k] = v
	}
	logSoftmax(dst)
	if c.Clip > 0 {
		for k, v := range dst {
			dst[k] = portable.Log((portable.Exp(v) + c.Clip/float64(c.K)) / (1 + c.Clip))
		}
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

// scoreSums are sums of the scores of rows that took no part in the fit, for calibrate.
type scoreSums struct {
	K        int
	Counts   []float64 // K: rows of each class
	Sums     []float64 // K × K: Σ s over the rows of each class
	Products []float64 // K × K: Σ s sᵀ over all rows

	// Buckets counts rows by a hash of theirs, so that equal rows share a bucket: without rows, how many are equal is
	// not known.
	Buckets [solve.Buckets]float64
}

// newScoreSums returns the sums of no rows for K classes.
func newScoreSums(K int) *scoreSums {
	return &scoreSums{K: K, Counts: make([]float64, K), Sums: make([]float64, K*K), Products: make([]float64, K*K)}
}

// isFew reports whether there are fewer than fewDistinct distinct rows: so many buckets have rows.
func (s *scoreSums) isFew() bool {
	filled, rows, counted := 0, 0.0, 0.0
	for _, count := range s.Counts {
		rows += count
	}
	for _, count := range s.Buckets {
		counted += count
		if count > 0 {
			filled++
		}
	}
	return rows < fewDistinct || counted == rows && filled < fewDistinct
}

// distinctShare returns which share of the rows counts, if equal rows count once: of n rows in q groups of equal rows,
// q/n. The counts b of m buckets have Σ(b − n/m)²·m/(m − 1) = n if all rows differ, and n²/q in such groups.
func (s *scoreSums) distinctShare() float64 {
	rows, spread := 0.0, 0.0
	for _, count := range s.Buckets {
		rows += count
	}
	for _, count := range s.Buckets {
		apart := count - rows/solve.Buckets
		spread += float64(apart*apart) * solve.Buckets / (solve.Buckets - 1)
	}
	if spread <= rows {
		return 1
	}
	return rows / spread
}

// AddRows adds the scores of rows, n × K, with their classes.
func (s *scoreSums) AddRows(scores []float64, classes []int32) {
	K := s.K
	for i, c := range classes {
		row := scores[i*K : (i+1)*K]
		s.Counts[c]++
		s.Buckets[bucketOf(row)]++
		solve.Axpy(s.Sums[int(c)*K:(int(c)+1)*K], 1, row)
		for k, v := range row {
			solve.Axpy(s.Products[k*K:(k+1)*K], v, row)
		}
	}
}

// add adds other sums, after it has added moved to each of their scores.
func (s *scoreSums) add(o *scoreSums, moved []float64) {
	K, rows, all := s.K, 0.0, make([]float64, s.K)
	for c, count := range o.Counts {
		own := o.Sums[c*K : (c+1)*K]
		solve.Axpy(all, 1, own)
		solve.Axpy(s.Sums[c*K:(c+1)*K], 1, own)
		solve.Axpy(s.Sums[c*K:(c+1)*K], count, moved)
		s.Counts[c] += count
		rows += count
	}
	for b, count := range o.Buckets {
		s.Buckets[b] += count
	}
	for k, v := range moved {
		row := s.Products[k*K : (k+1)*K]
		solve.Axpy(row, 1, o.Products[k*K:(k+1)*K])
		solve.Axpy(row, v, all)
		solve.Axpy(row, all[k]+float64(rows*v), moved)
	}
}

// bucketOf returns the bucket of a row with these scores.
func bucketOf(scores []float64) int {
	h := uint64(0)
	for _, v := range scores {
		h = solve.Mixed(h ^ math.Float64bits(v+0))
	}
	return int(h % solve.Buckets)
}

// AddSystem adds the scores that a model gives the rows of a System of classes, from their moments
// alone:
//
//	Σ s = W Σz + n·b,   Σ s sᵀ = W G Wᵀ + (W Σz) bᵀ + b (W Σz)ᵀ + n·b bᵀ.
func (s *scoreSums) AddSystem(system *System, l *Linear) {
	p := newScoreProducts(s.Products, system, l, l.Intercept)
	for !p.step() {
	}
	s.addClasses(system, l)
}

// addClasses adds the counts and sums of AddSystem, and no products.
func (s *scoreSums) addClasses(system *System, l *Linear) {
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
		own[k] = solve.Dot(p.l.Weights[k*D:(k+1)*D], p.system.Z)
	}
	for k, b := range p.intercept {
		for j, c := range p.intercept {
			p.to[k*K+j] += float64(own[k]*c) + float64(b*(own[j]+float64(p.system.Rows*c)))
		}
	}
	return true
}

// Constants of calibrate, chosen on the sets of TestCalibrationOfTables.
const (
	fewDistinct = 8   // fewer distinct rows held out say nothing
	leastRound  = 0.1 // of the covariance that is made equal in all directions
	priorRows   = 2   // rows at the mean that is expected of a class before any of its rows is seen
	gaussianTo  = 6   // squared distance of two classes up to which their scores count as Gaussian
)

// calibrate returns the calibration for scores whose sums over held-out rows are given. rest has the counts of the rows
// that took part in the fit, or is nil: they count for the shares of the classes.
//
// The scores of the rows of class c, less their mean over the classes, are taken as Gaussian with mean m_c and one
// covariance Σ. With the shares π_c = (n_c + 1)/(n + K) of the classes Bayes' rule gives, for τ = 1,
//
//	p_c ∝ π_c·exp(−½τ(s − m_c)ᵀ Σ⁻¹ (s − m_c)) ∝ exp(τ·m_cᵀΣ⁻¹s − ½τ·m_cᵀΣ⁻¹m_c + ln π_c).
//
// τ is what is left of it (temper): nothing where the held-out rows are too few, or tell the classes no better than
// chance does. Then the probabilities are the shares.
//
// A class with h held-out rows has a mean in which priorRows parts in h + priorRows are expected: the scores of rows of
// other classes, and its own score raised by as much as the scores of all classes are in their rows. The less held-out
// rows a class has on average, the more of that is expected, and the more of the mean of all.
//
// The scatter around these means has n − Σ h/(h + priorRows) degrees of freedom. A part max(leastRound, K/(n + K)) of
// it is spread evenly over all directions, so that Σ can be inverted.
//
// The error is a *sketch.Error with code ErrParam for scores whose covariance float64 cannot invert.
func calibrate(held, rest *scoreSums) (*Calibration, error) {
	c := newScatter(held, rest)
	if held.isFew() || !(c.variance > 0) || !(c.raised > 0) {
		return c.shares(), nil
	}
	return c.calibration()
}

// A scatter has the means of classes and the scatter around them, of scores less their mean over the classes.
type scatter struct {
	K        int
	prior    []float64 // of rows of each class, held out or not
	rows     float64   // Σ prior
	counts   []float64 // held out
	means    []float64 // K × K
	within   []float64 // K × K
	degrees  float64   // of within
	variance float64   // of a direction
	raised   float64   // how much higher a row's own class scores than others
	distinct float64   // share of distinct rows in those held out
}

func newScatter(held, rest *scoreSums) *scatter {
	K := held.K
	c := &scatter{K: K, prior: slices.Clone(held.Counts), counts: held.Counts, means: make([]float64, K*K),
		within: slices.Clone(held.Products), distinct: held.distinctShare()}
	if rest != nil {
		solve.Axpy(c.prior, 1, rest.Counts)
	}
	rows, sums, all := 0.0, slices.Clone(held.Sums), make([]float64, K)
	for k := range K {
		centreRow(sums[k*K : (k+1)*K])
		solve.Axpy(all, 1, sums[k*K:(k+1)*K])
		centreRow(c.within[k*K : (k+1)*K])
		c.rows += c.prior[k]
		rows += held.Counts[k]
	}
	if rows == 0 {
		return c
	}
	c.within = matrix.Transpose(c.within, K, K)
	for k := range K {
		centreRow(c.within[k*K : (k+1)*K])
	}
	others := c.others(sums, all, rows)
	c.degrees = rows
	expected := 1 / (1 + rows/float64(8*K))
	for k, count := range c.counts {
		mean, own := c.means[k*K:(k+1)*K], sums[k*K:(k+1)*K]
		for j := range mean {
			before := others[j]
			if j == k {
				before += c.raised
			}
			before = float64(expected*before) + float64((1-expected)*all[j])/rows
			mean[j] = (own[j] + float64(priorRows*before)) / (count + priorRows)
		}
		c.degrees -= count / (count + priorRows)
	}
	for k, count := range c.counts {
		mean, own := c.means[k*K:(k+1)*K], sums[k*K:(k+1)*K]
		for i, m := range mean {
			row := c.within[i*K : (i+1)*K]
			solve.Axpy(row, float64(count*m)-own[i], mean)
			solve.Axpy(row, -m, own)
		}
	}
	c.variance = c.spread()
	return c
}

// others returns the means of each score over the rows of other classes, and finds by how much it is higher in the rows
// of its own.
func (c *scatter) others(sums, all []float64, rows float64) []float64 {
	others := make([]float64, c.K)
	for k, count := range c.counts {
		own := sums[k*c.K+k]
		if rows > count {
			others[k] = (all[k] - own) / (rows - count)
		}
		c.raised += (own - float64(count*others[k])) / rows
	}
	return others
}

// spread returns the variance of a direction. The least variance counts where the scores tell the classes without
// error, and where they are constant.
func (c *scatter) spread() float64 {
	trace, least := 0.0, 0.0
	for k := range c.K {
		trace += c.within[k*c.K+k]
		for _, m := range c.means[k*c.K : (k+1)*c.K] {
			least = max(least, 1e-12*float64(m*m))
		}
	}
	return max(trace/(float64(c.K-1)*c.degrees), least)
}

// share returns the logarithm of the share of a class.
func (c *scatter) share(k int) float64 {
	if c.prior[k] == 0 {
		return absentOffset
	}
	return portable.Log((c.prior[k] + 1) / (c.rows + float64(c.K)))
}

// shares returns the calibration by which the probabilities are the shares of the classes.
func (c *scatter) shares() *Calibration {
	made := &Calibration{K: c.K, Offset: make([]float64, c.K), Matrix: make([]float64, c.K*c.K)}
	for k := range c.K {
		made.Offset[k] = c.share(k)
	}
	return made
}

// calibration returns the calibration of calibrate where the scores say something.
func (c *scatter) calibration() (*Calibration, error) {
	K, rows := c.K, 0.0
	for _, count := range c.counts {
		rows += count
	}
	even := max(leastRound, float64(K)/(rows+float64(K)))
	for i := range c.within {
		c.within[i] *= (1 - even) / c.degrees
	}
	for k := range K {
		c.within[k*K+k] += float64(even*c.variance) + float64(c.variance*0x1p-40)
	}
	factor := matrix.NewCholesky(c.within, K)
	if factor.Finish() >= 0 {
		return nil, sketch.ErrParam.New("scores", "", "have a covariance that float64 can invert: scale the features")
	}
	columns := matrix.Transpose(c.means, K, K)
	factor.Solve(columns, K)
	made := &Calibration{K: K, Offset: make([]float64, K), Matrix: matrix.Transpose(columns, K, K)}
	tau := c.temper(made.Matrix)
	for k := range K {
		row := made.Matrix[k*K : (k+1)*K]
		made.Offset[k] = c.share(k)
		if c.prior[k] == 0 {
			clear(row)
			continue
		}
		for j := range row {
			row[j] *= tau
		}
		made.Offset[k] -= solve.Dot(row, c.means[k*K:(k+1)*K]) / 2
		centreRow(row)
	}
	return made, nil
}

// temper returns τ of calibrate. z² is the squared distance of the means of the class c of a row and another class j,
// (m_c − m_j)ᵀΣ⁻¹(m_c − m_j), on average over rows and over j by their shares. weights are m_cᵀΣ⁻¹.
//
//   - Means of h rows differ by chance, in each of q = K − 1 directions by e² = h_c/(h_c + r)² + h_j/(h_j + r)² on
//     average, with r = priorRows: q·e² in all, with a standard deviation of √2q·e². The mean and twice the deviation
//     are taken off, more where Σ has few degrees of freedom f: τ = 1 − e²(q + √8q)(1 + 8/f)/z², or 0. Rows that are
//     equal count once.
//   - Rows between two classes have scores far from the means, farther than Gaussian ones would be. Beyond
//     gaussianTo = a, the squared distance counts as a·(1 + ln(z²/a)), as if tails fell like powers.
func (c *scatter) temper(weights []float64) float64 {
	K, square, noise := c.K, 0.0, 0.0
	error := make([]float64, K)
	own := make([]float64, K) // m_cᵀΣ⁻¹m_c
	for k, count := range c.counts {
		own[k] = solve.Dot(weights[k*K:(k+1)*K], c.means[k*K:(k+1)*K])
		count *= c.distinct
		error[k] = count / (float64((count + priorRows) * (count + priorRows)))
	}
	for k, p := range c.prior {
		for j, q := range c.prior {
			if j == k || p == 0 || q == 0 {
				continue
			}
			share := p / c.rows * q / (c.rows - p)
			both := 2 * solve.Dot(weights[k*K:(k+1)*K], c.means[j*K:(j+1)*K])
			square += float64(share * (own[k] + own[j] - both))
			noise += float64(share * (error[k] + error[j]))
		}
	}
	if !(square > 0) {
		return 0
	}
	directions := float64(K - 1)
	noise *= (directions + math.Sqrt(8*directions)) * (1 + 8/c.degrees)
	tau := max(0, 1-noise/square)
	if square > gaussianTo {
		tau *= gaussianTo * (1 + portable.Log(square/gaussianTo)) / square
	}
	return tau
}

// centreRow takes their mean off numbers.
func centreRow(row []float64) {
	mean := 0.0
	for _, v := range row {
		mean += v
	}
	mean /= float64(len(row))
	for i := range row {
		row[i] -= mean
	}
}
