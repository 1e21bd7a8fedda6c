package learn

import (
	"math"

	"tensorsketch.example/internal/solve"
)

// calibrate makes the calibration from the rows held out. They have their scores from a model of the other rows, which
// has another intercept than the model that is saved. So these scores are moved by the difference of the mean scores
// that both models give all rows.
func (f *rowsFit) calibrate(rest []uint8) error {
	s, K := f.scores, f.p.Classes
	moved, all := make([]float64, K), 0.0
	final, err := f.score(f.head.Linear, rest)
	if err != nil {
		return err
	}
	for c := range K {
		all += s.held.Counts[c] + s.rest.Counts[c]
		for k := range K {
			at := c*K + k
			moved[k] += final.held.Sums[at] + final.rest.Sums[at] - s.held.Sums[at] - s.rest.Sums[at]
		}
	}
	for k := range moved {
		moved[k] /= all
	}
	if s.held.isFew() {
		f.head.Report.warn(fewWarning)
	}
	if f.p.Loss == LossLogistic {
		return f.slope(rest, moved)
	}
	held := newScoreSums(K)
	held.add(s.held, moved)
	f.head.Calibration, err = calibrate(held, s.rest)
	return err
}

// useShares makes the calibration where no rows can be held out.
func (f *rowsFit) useShares() {
	all := newScoreSums(f.p.Classes)
	for c, count := range f.head.Report.Counts {
		all.Counts[c] = float64(count)
	}
	f.head.Calibration = newScatter(newScoreSums(f.p.Classes), all).shares()
	f.head.Report.warn(fewWarning)
}

// slopes are the slopes that slope tries, beside 0: from 2^-7 to 2^(1/2).
const slopes = 31

// slope makes the calibration of logistic regression. Its scores s are logarithms of odds, but too large where it was
// fitted to few rows. With the shares π of the classes, and moved scores,
//
//	p = softmax(a·s + (1 − a)·ln π), where a makes Σ −ln p_y + ½(a·σ)² least over the rows held out,
//
// σ² being the mean of the variances of the differences of the scores of two classes. With a = 0 the probabilities are
// the shares: where no a is better than that by 1, the difference may be chance.
func (f *rowsFit) slope(rest []uint8, moved []float64) error {
	s, K := f.scores, f.p.Classes
	c := newScatter(s.held, s.rest)
	best := c.shares()
	f.head.Calibration = best
	if s.held.isFew() {
		return nil
	}
	tried, losses := []*Calibration{best}, make([]float64, slopes+1)
	for i := range slopes {
		a := math.Ldexp([]float64{1, 0x1.306fe0a31b715p+0, 0x1.6a09e667f3bcdp+0, 0x1.ae89f995ad3adp+0}[i%4], i/4-7)
		one := &Calibration{K: K, Offset: make([]float64, K), Matrix: make([]float64, K*K)}
		for k := range K {
			one.Offset[k] = (1 - a) * c.share(k)
			one.Matrix[k*K+k] = a
		}
		tried = append(tried, one)
		losses[i+1] = a * a / 2 * f.scores.variance()
	}
	logs := make([]float64, K)
	err := f.eachScore(s.linear, func(row int, scores []float64) {
		if rest[row] == 1 {
			return
		}
		solve.Axpy(scores, 1, moved)
		for i, one := range tried {
			losses[i] -= one.LogProbabilities(logs, scores)[f.data.Labels.Classes[row]]
		}
	})
	least := losses[0] - 1
	for i, loss := range losses {
		if loss < least {
			least, f.head.Calibration = loss, tried[i]
		}
	}
	return err
}

// variance returns the mean of the variances, over the rows held out, of the differences of two scores.
func (s *heldScores) variance() float64 {
	K, total, rows := s.held.K, 0.0, float64(s.rows)
	all := make([]float64, K)
	for c := range K {
		solve.Axpy(all, 1, s.held.Sums[c*K:(c+1)*K])
	}
	centreRow(all)
	products := append([]float64(nil), s.held.Products...)
	for k := range K {
		centreRow(products[k*K : (k+1)*K])
		total += products[k*K+k] - float64(all[k]*all[k])/rows
	}
	return max(0, 2*total/(rows*float64(K-1)))
}

// eachScore calls use for each row that counts, with its scores.
func (f *rowsFit) eachScore(l *Linear, use func(row int, scores []float64)) error {
	K, source := l.K, f.data.Source
	var all []float64
	for from := 0; from < source.Rows(); from += solve.BlockRows {
		to := min(from+solve.BlockRows, source.Rows())
		X, err := source.Read(from, to)
		if err != nil {
			return err
		}
		all = scoresOf(l, all[:0], X, to-from)
		for row := from; row < to; row++ {
			if f.counts(row) {
				use(row, all[(row-from)*K:(row-from+1)*K])
			}
		}
	}
	return nil
}
