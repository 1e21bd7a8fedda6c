package metrics

import (
	"math"

	"tensorsketch.example/internal/portable"
	"tensorsketch.example/internal/solve"
)

// Bins is the number of bins of a calibration curve: of equal width, by the largest probability of a row.
const Bins = 15

// A Bin has rows whose largest probability is about the same. Where the probabilities are right, Right/Rows
// is about Sure/Rows.
type Bin struct {
	Rows  int64
	Sure  float64 // sum of the largest probabilities
	Right int64   // rows of the most probable class
}

// Probabilities say how well probabilities of classes fit the true ones. They are NaN where no rows say them.
type Probabilities struct {
	Rows    int64
	LogLoss float64 // mean of −ln p of the true class
	Brier   float64 // mean of Σ_k (p_k − y_k)², y being 1 for the true class and 0 for the others; from 0 to 2

	// ECE is the expected calibration error, Σ |Right − Sure| / Rows over the bins (Guo et al., On calibration of modern
	// neural networks, ICML 2017). ByChance is about what perfect probabilities would have of it, with so many rows.
	ECE, ByChance float64
	Bins          [Bins]Bin

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
	metrics      Probabilities
	loss, brier  float64
	variance     [Bins]float64
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
	at := min(Bins-1, int(Bins*p))
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
func (e *ProbabilityEvaluation) Metrics() *Probabilities {
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
