package learn

import (
	"math"

	"tensorsketch.example/internal/portable"
	"tensorsketch.example/internal/solve"
)

// Penalties of scoreFit.
const (
	slopePenalty  = 0.25 // of (t − slopeStart)²
	slopeStart    = -1
	offsetPenalty = 0.5 // of (b − 1)² and ‖c‖²
	matrixPenalty = 2.5 // of ‖M‖²
	matrixClasses = 64  // up to which there is a matrix M
	matrixRows    = 25  // and from which on
	scoreSteps    = 200
	chanceGain    = 2 // a choice among ten candidates often gains as much on rows that say nothing
	sureGain      = 5 // and hardly ever as much as this
	leastCertain  = 0.5
	mostCertain   = 0.6 // and as much more as the rows are of leastKept
	evenClasses   = 2   // of χ²/K up to which classes count as equally frequent

	// Between these alpha is chosen for fewEven classes, over the sum of squares: five folds of 15 rows say little of it.
	fewLow  = 0.03
	fewHigh = 0.3
)

// A scoreFit finds probabilities from the scores s of rows, each by a model of other rows. With s̃, the scores of a row
// less their mean over the classes, over their standard deviation over all rows and classes, or over the one that
// perfect scores have if that is less, the logarithms of the odds are
//
//	l = (eᵗ·I + M)ᵀ·s̃ + b·ln π + c,   p ∝ exp l,
//
// π_k = (n_k + 1)/(n + K) being the shares of the classes, and t, b, c and the K × K matrix M what makes
//
//	Σ −ln p_y + ¼(t + 1)² + ½(b − 1)² + ½‖c‖² + 2½·‖M‖²
//
// least. M is 0 for more than 64 classes, or fewer than 25 rows. With few rows, or scores that say nothing, l comes
// close to ln π. The matrix mends what one class against all others cannot say: that a class lies between two others.
//
// Fewer than leastKept rows have chosen the kernel and λ too, so l gains on them without telling anything. There it is
// a·l + (1 − a)·ln π. The gain is by how much less the sum is than Σ −ln π_y, and a would rise with it from 0 at
// chanceGain to 1 at sureGain. It is at least leastCertain, since l is small already where it gains little, and at most
// mostCertain + n/leastKept, since of few rows l with the most gain was lucky too. Of classes that are as frequent as
// chance would have it, ln π is left out there, so that they stay in the order of their scores: with
// χ² = Σ (n_k − n/K)²/(n/K) of at most 2·K. Of fewer than 25 rows of such classes s is first less its mean over the
// rows: else, where λ is large, every row is of the class that has one row more. On draws of 12 to 20 rows of the
// half of the tables that did not choose this, 1.6 ± 0.4 more of 100 rows are predicted right so.
//
// Of fewer than 25 rows of two such classes whose λ is not typed, λ is between fewLow and fewHigh, s is less half of
// its mean, and b and c are 0: so few rows say which class is likelier only by luck. On draws that did not choose this,
// 2.1 ± 0.4 more of 100 rows are right after 15 rows of one direction, 0.9 ± 0.2 after 20.
type scoreFit struct {
	K        int
	x        []float64 // s̃, n × K
	classes  []int32
	unit     float64   // the standard deviation
	middle   []float64 // K: what is subtracted from the scores of a row
	shares   []float64 // ln π
	isEven   bool      // the classes are about equally frequent
	isSlope  bool      // t alone is found
	withM    bool
	logits   []float64
	minimise *minimiser
}

// evenness returns how many rows there are, and whether the classes are about equally frequent.
func evenness(counts []float64) (rows float64, isEven bool) {
	K, square := float64(len(counts)), 0.0
	for _, n := range counts {
		rows += n
		square += float64(n * n)
	}
	return rows, square*K <= rows*(rows+evenClasses*K) // Σ n²·K/n − n is χ²
}

// fewEven reports whether there are fewer than 25 rows of two classes that are about equally frequent.
func fewEven(counts []float64) bool {
	rows, isEven := evenness(counts)
	return len(counts) == 2 && rows < matrixRows && isEven
}

// newScoreFit begins with the scores of rows, n × K, which it changes. counts has the rows of each class in all.
// isSlope is for fewEven rows.
func newScoreFit(scores []float64, classes []int32, counts []float64, isSlope bool) *scoreFit {
	K := len(counts)
	isFew := len(classes) < matrixRows
	f := &scoreFit{K: K, x: scores, classes: classes, shares: logShares(counts), withM: K <= matrixClasses && !isFew,
		logits: make([]float64, K), middle: make([]float64, K), isSlope: isSlope}
	rows, square, start := 0.0, 0.0, []float64{slopeStart, 1}
	if rows, f.isEven = evenness(counts); isFew && f.isEven {
		share := 2.0
		if isSlope {
			share, start[1] = 1, 0
		}
		for k, n := range counts {
			f.middle[k] = share * n / rows
		}
		centreRow(f.middle)
	}
	for i := range classes {
		row := scores[i*K : (i+1)*K]
		centreRow(row)
		solve.Axpy(row, -1, f.middle)
		square += solve.Dot(row, row)
	}
	perfect := 4 * (1 - 1/float64(K)) / float64(K) // of scores that are 1 for the class of a row, and −1 for the others
	if f.unit = math.Sqrt(min(perfect, square/float64(len(scores)))); !(f.unit > 0) {
		f.unit = 1
	}
	for i := range scores {
		scores[i] /= f.unit
	}
	size := K
	if f.withM {
		size += K * K
	}
	f.minimise = newMinimiser(append(start, make([]float64, size)...), scoreSteps, f.loss)
	return f
}

// logShares returns ln π of scoreFit.
func logShares(counts []float64) []float64 {
	rows, shares := 0.0, make([]float64, len(counts))
	for _, n := range counts {
		rows += n
	}
	for k, n := range counts {
		shares[k] = portable.Log((n + 1) / (rows + float64(len(counts))))
	}
	return shares
}

// loss returns what is made least, at v = t, b, c, M, and its gradient.
func (f *scoreFit) loss(v, g []float64) float64 {
	K, slope := f.K, portable.Exp(v[0])
	c, M := v[2:2+K], v[2+K:]
	clear(g)
	gc, gM := g[2:2+K], g[2+K:]
	total := 0.0
	for i, class := range f.classes {
		x, l := f.x[i*K:(i+1)*K], f.logits
		for k, s := range x {
			l[k] = float64(slope*s) + float64(v[1]*f.shares[k]) + c[k]
		}
		if f.withM {
			for j, s := range x {
				solve.Axpy(l, s, M[j*K:(j+1)*K])
			}
		}
		total -= logSoftmax(l)[class]
		for k, q := range l {
			l[k] = portable.Exp(q)
		}
		l[class]--
		g[0] += float64(slope * solve.Dot(l, x))
		g[1] += solve.Dot(l, f.shares)
		solve.Axpy(gc, 1, l)
		if f.withM {
			for j, s := range x {
				solve.Axpy(gM[j*K:(j+1)*K], s, l)
			}
		}
	}
	steeper := v[0] - slopeStart
	g[0] += 2 * slopePenalty * steeper
	if f.isSlope {
		clear(g[1:])
		return total + slopePenalty*float64(steeper*steeper)
	}
	total += slopePenalty*float64(steeper*steeper) + offsetPenalty*float64((v[1]-1)*(v[1]-1)+solve.Dot(c, c)) +
		matrixPenalty*solve.Dot(M, M)
	g[1] += 2 * offsetPenalty * (v[1] - 1)
	solve.Axpy(gc, 2*offsetPenalty, c)
	solve.Axpy(gM, 2*matrixPenalty, M)
	return total
}

// logSoftmax replaces l by the logarithms of its softmax, and returns it.
func logSoftmax(l []float64) []float64 {
	largest, sum := math.Inf(-1), 0.0
	for _, v := range l {
		largest = max(largest, v)
	}
	for _, v := range l {
		sum += portable.Exp(v - largest)
	}
	logarithm := largest + portable.Log(sum)
	for k := range l {
		l[k] -= logarithm
	}
	return l
}

// step does one step, and returns true after the last.
func (f *scoreFit) step() bool { return f.minimise.step() }

// probabilities returns p of the rows, n × K.
func (f *scoreFit) probabilities(c *Calibration) []float64 {
	identity := &Linear{D: f.K, K: f.K, Weights: make([]float64, f.K*f.K), Intercept: f.middle}
	for k := range f.K {
		identity.Weights[k*f.K+k] = f.unit
	}
	l := f.apply(identity)
	p, scores := make([]float64, len(f.x)), make([]float64, f.K)
	for i := 0; i < len(p); i += f.K {
		for k := range scores {
			scores[k] = l.Intercept[k] + solve.Dot(l.Weights[k*f.K:(k+1)*f.K], f.x[i:i+f.K])
		}
		c.Probabilities(p[i:i+f.K], scores)
	}
	return p
}

// apply makes the scores of a model the logarithms of the odds, less their mean over the classes.
func (f *scoreFit) apply(l *Linear) *Linear {
	K, v, sure := f.K, f.minimise.x, f.certainty()
	matrix := make([]float64, K*K) // of the scores
	for k := range K {
		row := matrix[k*K : (k+1)*K]
		if f.withM {
			for j := range row {
				row[j] = v[2+K+j*K+k] / f.unit
			}
		}
		row[k] += portable.Exp(v[0]) / f.unit
		centreRow(row)
		for j := range row {
			row[j] *= sure
		}
	}
	offset := make([]float64, K)
	for k, share := range f.shares {
		offset[k] = float64(sure*(float64(v[1]*share)+v[2+k])) - solve.Dot(matrix[k*K:(k+1)*K], f.middle)
		if !f.isEven {
			offset[k] += float64((1 - sure) * share)
		}
	}
	return times(l, matrix, offset)
}

// certainty returns a of scoreFit.
func (f *scoreFit) certainty() float64 {
	if len(f.classes) >= leastKept {
		return 1
	}
	gain := -f.minimise.f
	for _, class := range f.classes {
		gain -= f.shares[class]
	}
	most := min(1, mostCertain+float64(len(f.classes))/leastKept)
	return max(leastCertain, min(most, (gain-chanceGain)/(sureGain-chanceGain)))
}

// times returns the model whose scores are A·s + offset, less their mean, for the scores s of l. A is K × K.
func times(l *Linear, A, offset []float64) *Linear {
	K, D := l.K, l.D
	mean := make([]float64, K)
	for k := range K {
		solve.Axpy(mean, 1/float64(K), A[k*K:(k+1)*K])
	}
	made := &Linear{D: D, K: K, Weights: make([]float64, K*D), Intercept: append([]float64(nil), offset...)}
	centreRow(made.Intercept)
	for k := range K {
		for j, a := range A[k*K : (k+1)*K] {
			a -= mean[j]
			solve.Axpy(made.Weights[k*D:(k+1)*D], a, l.Weights[j*D:(j+1)*D])
			made.Intercept[k] += float64(a * l.Intercept[j])
		}
	}
	return made
}

// clipOf returns the Clip of probabilities from n rows of K classes.
func clipOf(rows float64, K int) float64 { return 1 / (rows + float64(K)) }
