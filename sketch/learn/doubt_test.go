package learn_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tensorsketch.example/sketch/learn/metrics"
)

// What a ProbabilityEvaluation counts in bins is what the definitions give row by row.
func TestProbabilityEvaluation(t *testing.T) {
	const n, K = 600, 3
	r := rand.New(rand.NewPCG(1, 17))
	e := metrics.NewProbabilityEvaluation(K)
	var p, classOf [K][]float64 // of class k, and 1 where that is the class
	brier, loss := 0.0, 0.0
	for range n {
		odds := [K]float64{2 * r.NormFloat64(), 2 * r.NormFloat64(), r.NormFloat64() - 3}
		sum := math.Exp(odds[0]) + math.Exp(odds[1]) + math.Exp(odds[2])
		logs, class, left := make([]float64, K), 0, r.Float64()*sum
		for k := range logs {
			logs[k] = odds[k] - math.Log(sum)
			if left -= math.Exp(odds[k]); left > 0 && k < K-1 {
				class = k + 1
			}
		}
		e.Add(logs, int32(class))
		loss -= logs[class] / n
		for k, l := range logs {
			is := 0.0
			if k == class {
				is = 1
			}
			p[k], classOf[k] = append(p[k], math.Exp(l)), append(classOf[k], is)
			brier += (math.Exp(l) - is) * (math.Exp(l) - is) / n
		}
	}
	m := e.Metrics()
	if m.Rows != n || math.Abs(m.Brier-brier) > 1e-9 || math.Abs(m.LogLoss-loss) > 1e-9 {
		t.Errorf("%d rows, Brier %v, log loss %v; want %v, %v", m.Rows, m.Brier, m.LogLoss, brier, loss)
	}
	if m.ECE > 3*m.ByChance || m.ByChance > 0.1 { // the probabilities are right
		t.Errorf("calibration error %v, by chance %v", m.ECE, m.ByChance)
	}
	rows := int64(0)
	for _, bin := range m.Bins {
		rows += bin.Rows
	}
	if rows != n {
		t.Errorf("the bins have %d rows", rows)
	}
	for k := range K {
		var mine, others []float64
		for i, is := range classOf[k] {
			if is == 1 {
				mine = append(mine, p[k][i])
			} else {
				others = append(others, p[k][i])
			}
		}
		if want := auroc(others, mine); math.Abs(m.AUC[k]-want) > 0.005 {
			t.Errorf("class %d: AUC %v, want %v", k, m.AUC[k], want)
		}
		best := 0.0
		f1 := func(threshold float64) float64 {
			found, said := 0.0, 0.0
			for i, q := range p[k] {
				if q >= threshold {
					said++
					found += classOf[k][i]
				}
			}
			return 2 * found / (said + float64(len(mine)))
		}
		for _, q := range p[k] {
			best = max(best, f1(q))
		}
		if threshold, got := e.BestF1(k); got < best-0.02 || math.Abs(f1(threshold)-got) > 0.02 {
			t.Errorf("class %d: F1 %v from %v on, which has %v; the best is %v", k, got, threshold, f1(threshold), best)
		}
	}
	none := metrics.NewProbabilityEvaluation(2).Metrics()
	if none.ECE == none.ECE || none.Brier == none.Brier || none.AUC[0] == none.AUC[0] {
		t.Errorf("no rows give %+v", none)
	}
}

// Quantiles of residuals are within a 64th of their size, whatever the size.
func TestResiduals(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 18))
	for _, unit := range []float64{1, 1e-300, 1e300} {
		var residuals metrics.Residuals
		all := make([]float64, 1001)
		for i := range all {
			all[i] = unit * (r.NormFloat64() + 0.3)
			residuals.Add(all[i])
		}
		slices.Sort(all)
		for _, q := range residuals.Quantiles() {
			want := all[int(math.Ceil(q.Share*1001))-1]
			if math.Abs(q.Value-want) > math.Abs(want)/64 {
				t.Errorf("quantile %v is %v, want %v", q.Share, q.Value, want)
			}
		}
	}
	var none, zero metrics.Residuals
	zero.Add(0)
	if none.Quantiles() != nil || zero.Quantiles()[0].Value != 0 {
		t.Errorf("%v, %v", none.Quantiles(), zero.Quantiles())
	}
}
