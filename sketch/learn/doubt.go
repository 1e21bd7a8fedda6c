package learn

import (
	"math"
	"slices"

	"tensorsketch.example/internal/portable"
	"tensorsketch.example/internal/solve"
)

// CalibrationBins is the number of bins of a calibration curve: of equal width, by the largest probability of a row.
const CalibrationBins = 15

// A CalibrationBin has rows whose largest probability is about the same. Where the probabilities are right, Right/Rows
// is about Sure/Rows.
type CalibrationBin struct {
	Rows  int64
	Sure  float64 // sum of the largest probabilities
	Right int64   // rows of the most probable class
}

// ProbabilityMetrics say how well probabilities of classes fit the true ones. They are NaN where no rows say them.
type ProbabilityMetrics struct {
	Rows    int64
	LogLoss float64 // mean of −ln p of the true class
	Brier   float64 // mean of Σ_k (p_k − y_k)², y being 1 for the true class and 0 for the others; from 0 to 2

	// ECE is the expected calibration error, Σ |Right − Sure| / Rows over the bins (Guo et al., On calibration of modern
	// neural networks, ICML 2017). ByChance is about what perfect probabilities would have of it, with so many rows.
	ECE, ByChance float64
	Bins          [CalibrationBins]CalibrationBin

	// AUC has for each class how often one of its rows has a larger probability of the class than one of another class.
	AUC []float64
}

// Bins of probabilities for AUC are 1/aucScale of the logarithm of the odds wide.
const (
	aucBins  = 512
	aucScale = 16
)

// A ProbabilityEvaluation counts probabilities block by block, in memory that does not grow with the rows: 8 KB for
// each class.
type ProbabilityEvaluation struct {
	K            int
	metrics      ProbabilityMetrics
	loss, brier  float64
	variance     [CalibrationBins]float64
	mine, others []int64 // K × aucBins
}

// NewProbabilityEvaluation returns the evaluation of no rows for K classes.
func NewProbabilityEvaluation(K int) *ProbabilityEvaluation {
	return &ProbabilityEvaluation{K: K, mine: make([]int64, K*aucBins), others: make([]int64, K*aucBins)}
}

// Add counts a row by the logarithms of its probabilities and its class, 0 … K − 1.
func (e *ProbabilityEvaluation) Add(logs []float64, class int32) {
	best, brier := solve.Largest(logs), 0.0
	for k, l := range logs {
		p, to := portable.Exp(l), e.others
		miss := p
		if k == int(class) {
			to, miss = e.mine, p-1
		}
		brier += float64(miss * miss)
		odds := max(-aucBins/2, min(aucBins/2-1, aucScale*(l-portable.Log(max(1-p, 1e-15)))))
		to[k*aucBins+int(odds+aucBins/2)]++
	}
	p := min(1, portable.Exp(logs[best]))
	at := min(CalibrationBins-1, int(CalibrationBins*p))
	bin := &e.metrics.Bins[at]
	bin.Rows++
	bin.Sure += p
	if best == int(class) {
		bin.Right++
	}
	e.variance[at] += float64(p * (1 - p))
	e.metrics.Rows++
	e.loss -= logs[class]
	e.brier += brier
}

// Metrics returns the metrics of all rows so far.
func (e *ProbabilityEvaluation) Metrics() *ProbabilityMetrics {
	m, n := e.metrics, float64(e.metrics.Rows)
	m.LogLoss, m.Brier = e.loss/n, e.brier/n
	for i, bin := range m.Bins {
		m.ECE += math.Abs(float64(bin.Right)-bin.Sure) / n
		m.ByChance += math.Sqrt(2/math.Pi*e.variance[i]) / n
	}
	if n == 0 {
		m.ECE, m.ByChance = math.NaN(), math.NaN()
	}
	for k := range e.K {
		m.AUC = append(m.AUC, areaUnder(e.mine[k*aucBins:][:aucBins], e.others[k*aucBins:][:aucBins]))
	}
	return &m
}

// BestF1 returns from which probability on a row is best said to be of class k: where F1, the harmonic mean of
// precision and recall, is largest over the rows so far. It returns 0 and NaN without rows of the class.
func (e *ProbabilityEvaluation) BestF1(k int) (threshold, f1 float64) {
	mine, others := e.mine[k*aucBins:][:aucBins], e.others[k*aucBins:][:aucBins]
	all, found, said := int64(0), int64(0), int64(0)
	for _, n := range mine {
		all += n
	}
	if all == 0 {
		return 0, math.NaN()
	}
	for i := aucBins - 1; i >= 0; i-- {
		found += mine[i]
		said += mine[i] + others[i]
		if f := 2 * float64(found) / float64(said+all); f > f1 {
			odds := portable.Exp(float64(i-aucBins/2) / aucScale)
			threshold, f1 = odds/(1+odds), f
		}
	}
	return threshold, f1
}

// areaUnder returns how often one that mine counts is in a higher bin than one that others counts; equal bins are half.
func areaUnder(mine, others []int64) float64 {
	sum, below, all := 0.0, 0.0, 0.0
	for i, n := range mine {
		sum += float64(n) * (below + float64(others[i])/2)
		below += float64(others[i])
		all += float64(n)
	}
	return sum / (all * below)
}

// A Quantile is the least number that a share of numbers is not above.
type Quantile struct{ Share, Value float64 }

// residualShares are the quantiles of Residuals.
var residualShares = []float64{0.025, 0.05, 0.25, 0.5, 0.75, 0.95, 0.975}

// Residuals count by how much targets are above what was predicted: in bins a 32nd wide of their size, so that their
// memory does not grow with the rows. The zero value has none.
type Residuals struct {
	rows  int64
	count map[int]int64 // by the bin of the size, negative for residuals below 0
}

// Add counts a residual: a target less the prediction.
func (r *Residuals) Add(residual float64) {
	if r.count == nil {
		r.count = map[int]int64{}
	}
	r.rows++
	r.count[residualBin(residual)]++
}

// residualBin returns 0 for 0, and else the number of the bin with the sign of the residual.
func residualBin(residual float64) int {
	fraction, exponent := math.Frexp(math.Abs(residual)) // fraction is from ½ to 1
	if fraction == 0 || residual != residual {
		return 0
	}
	bin := octaveBins*(exponent+1100) + int(octaveBins*(2*fraction-1)) + 1
	if residual < 0 {
		return -bin
	}
	return bin
}

// middleOf returns the middle of a bin.
func middleOf(bin int) float64 {
	if bin == 0 {
		return 0
	}
	size := max(bin, -bin) - 1
	middle := math.Ldexp(0.5+(float64(size%octaveBins)+0.5)/(2*octaveBins), size/octaveBins-1100)
	return math.Copysign(middle, float64(bin))
}

// Quantiles returns quantiles of the residuals, each within a 64th of its size, or nil if there are none.
func (r *Residuals) Quantiles() (all []Quantile) {
	bins := []int{}
	for bin := range r.count {
		bins = append(bins, bin)
	}
	slices.Sort(bins)
	for _, share := range residualShares {
		sum := int64(0)
		for _, bin := range bins {
			if sum += r.count[bin]; float64(sum) >= share*float64(r.rows) {
				all = append(all, Quantile{share, middleOf(bin)})
				break
			}
		}
	}
	return all
}

// LargestWeight returns the largest weight of the coordinates that those from up to, not including, to become. It is
// nil where they become none, or where there are no weights.
func (p *Preparation) LargestWeight(from, to int) *float64 {
	if p.Weights == nil || p.Columns == nil {
		return nil
	}
	at := 0
	for i := range from {
		at += p.Columns[i].width()
	}
	var largest *float64
	for i := from; i < to; i++ {
		for range p.Columns[i].width() {
			if w := p.Weights[at]; largest == nil || w > *largest {
				largest = &w
			}
			at++
		}
	}
	return largest
}
