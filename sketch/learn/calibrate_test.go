package learn_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/test/need"
	"tensorsketch.example/test/slow"
)

// A world draws classes and their scores, and knows the true probabilities.
type world struct {
	K     int
	prior []float64
	draw  func(r *rand.Rand, class int, scores []float64)
}

func (w world) rows(r *rand.Rand, n int) (scores []float64, classes []int32) {
	for range n {
		u, class := r.Float64(), 0
		for u > w.prior[class] && class < w.K-1 {
			u -= w.prior[class]
			class++
		}
		s := make([]float64, w.K)
		w.draw(r, class, s)
		scores, classes = append(scores, s...), append(classes, int32(class))
	}
	return scores, classes
}

// logLoss returns the mean of −ln p of the true class.
func logLoss(c *learn.Calibration, scores []float64, classes []int32) float64 {
	loss := 0.0
	for i, class := range classes {
		loss -= c.LogProbabilities(nil, scores[i*c.K:(i+1)*c.K])[class]
	}
	return loss / float64(len(classes))
}

// reliability returns the largest difference of the share of class 0 from its probability, over ten
// bins of the probability, in standard deviations of the share.
func reliability(c *learn.Calibration, scores []float64, classes []int32) float64 {
	var n, p, variance, right [10]float64
	for i, class := range classes {
		q := c.Probabilities(nil, scores[i*c.K:(i+1)*c.K])[0]
		bin := min(9, int(10*q))
		n[bin]++
		p[bin] += q
		variance[bin] += q * (1 - q)
		if class == 0 {
			right[bin]++
		}
	}
	worst := 0.0
	for bin := range n {
		if n[bin] > 20 {
			worst = max(worst, math.Abs(right[bin]-p[bin])/math.Sqrt(variance[bin]))
		}
	}
	return worst
}

// Of two classes with Gaussian scores of one variance, what one or the other came true is what the
// probabilities said, within the sampling error of 20,000 rows: 3.9 standard deviations are exceeded
// in one of ten bins once in 1,000 draws. The log loss is the least that is possible, to 0.1 %.
func TestReliability(t *testing.T) {
	slow.Emulated(t)
	w := world{2, []float64{0.7, 0.3}, func(r *rand.Rand, class int, s []float64) {
		s[1] = 0.5*r.NormFloat64() + 0.6*float64(2*class-1)
		s[0] = -s[1]
	}}
	r := rand.New(rand.NewPCG(1, 2))
	sums := learn.NewScoreSums(2)
	sums.AddRows(w.rows(r, 200000))
	c := need.Value(learn.Calibrate(sums, nil))(t)
	scores, classes := w.rows(r, 20000)
	if worst := reliability(c, scores, classes); worst > 3.9 {
		t.Errorf("a share is off by %.1f standard deviations", worst)
	}
	// ln p_1/p_0 = 2·0.6·s/0.25 + ln(0.3/0.7)
	true2 := &learn.Calibration{K: 2, Offset: []float64{math.Log(0.7), math.Log(0.3)}, Matrix: []float64{0, -2.4, 0, 2.4}}
	if got, least := logLoss(c, scores, classes), logLoss(true2, scores, classes); got > 1.001*least {
		t.Errorf("log loss %.5f, and %.5f with the true probabilities", got, least)
	}
}

// Scores of ten classes against all others, which spread most where a row is confused: the score of its
// own class falls and another one rises. The probabilities lose little against the best multiple of
// themselves, where Bayes' rule with the pooled covariance loses more than half.
func TestTemper(t *testing.T) {
	slow.Emulated(t)
	const K = 10
	prior := make([]float64, K)
	for k := range prior {
		prior[k] = 1.0 / K
	}
	w := world{K, prior, func(r *rand.Rand, class int, s []float64) {
		for k := range s {
			s[k] = -1 + 0.1*r.NormFloat64()
		}
		confused := math.Abs(0.5 * r.NormFloat64())
		s[class] += 2 - confused
		s[(class+1+r.IntN(K-1))%K] += confused
	}}
	r := rand.New(rand.NewPCG(3, 4))
	sums := learn.NewScoreSums(K)
	sums.AddRows(w.rows(r, 20000))
	c := need.Value(learn.Calibrate(sums, nil))(t)
	scores, classes := w.rows(r, 5000)
	best := math.Inf(1)
	for factor := 0.25; factor < 8; factor *= 1.1 {
		best = min(best, logLoss(times(c, factor), scores, classes))
	}
	got, bayes := logLoss(c, scores, classes), logLoss(times(c, bayesFactor(c)), scores, classes)
	t.Logf("log loss %.4f, the best multiple %.4f, τ = 1 %.4f", got, best, bayes)
	if got > 1.5*best || bayes < 1.5*got {
		t.Errorf("log loss %.4f, the best multiple %.4f, τ = 1 %.4f", got, best, bayes)
	}
}

// times returns a calibration whose logarithms of odds are multiplied, for classes of nearly equal size.
func times(c *learn.Calibration, factor float64) *learn.Calibration {
	scaled := &learn.Calibration{K: c.K}
	for _, v := range c.Offset {
		scaled.Offset = append(scaled.Offset, v*factor)
	}
	for _, v := range c.Matrix {
		scaled.Matrix = append(scaled.Matrix, v*factor)
	}
	return scaled
}

// bayesFactor returns by what the logarithms of odds have to be multiplied for Bayes' rule, τ = 1. Two classes that lie
// z apart have the squared distance a·(1 + ln(z²/a)) instead, a = 6, so it solves that for z²/that.
func bayesFactor(c *learn.Calibration) float64 {
	square := 0.0 // between the means of classes, as far as the offsets show it: o = ln π − ½·τ·m'Σ⁻¹m
	for _, offset := range c.Offset {
		square += 4 * (-offset - math.Log(float64(c.K))) / float64(c.K)
	}
	return math.Exp(square/6-1) * 6 / square
}

// From moments and from the rows themselves come the same sums of scores.
func TestScoreSumsOfMoments(t *testing.T) {
	const D, K, n = 9, 3, 200
	r := rand.New(rand.NewPCG(5, 6))
	m := need.Value(learn.NewMoments(learn.Shape{NComponents: D, Classes: K}, learn.Grid{Step: 0x1p-10}, 0))(t)
	Z, classes := make([]float32, n*D), make([]int32, n)
	for i := range Z {
		Z[i] = float32(r.IntN(2001)-1000) / 1024
	}
	for i := range classes {
		classes[i] = int32(r.IntN(K))
	}
	need.OK(t, m.AddFeatures(Z, classes, nil, nil))
	l := &learn.Linear{D: D, K: K, Weights: make([]float64, K*D), Intercept: []float64{0.5, -1, 2}}
	for i := range l.Weights {
		l.Weights[i] = r.NormFloat64()
	}
	got, want := learn.NewScoreSums(K), learn.NewScoreSums(K)
	got.AddSystem(m.System(), l)
	want.AddRows(l.Scores(nil, Z), classes)
	for name, pair := range map[string][2][]float64{"Counts": {got.Counts, want.Counts}, "Sums": {got.Sums, want.Sums},
		"Products": {got.Products, want.Products}} {
		for i, v := range pair[1] {
			if math.Abs(pair[0][i]-v) > 1e-9*n {
				t.Errorf("%s[%d] is %v, want %v", name, i, pair[0][i], v)
			}
		}
	}
}

// Classes without rows, without held-out rows, and constant scores.
func TestCalibrateUnusual(t *testing.T) {
	held, rest := learn.NewScoreSums(4), learn.NewScoreSums(4)
	for i := range 5 {
		more := 0.01 * float64(i)
		held.AddRows([]float64{1 - more, -1, -1, 0, 0.5 + more, -1, -1, 0, -1, 1 - more, -1, 0, -1, 0.5 + more, -1, 0},
			[]int32{0, 0, 1, 1})
	}
	rest.AddRows([]float64{-1, -1, 1, 0, -1, -1, 0.9, 0}, []int32{2, 2})
	c := need.Value(learn.Calibrate(held, rest))(t)
	p := c.Probabilities(nil, []float64{-1, -1, 0.95, 0})
	if solve.Largest(p) != 2 || p[3] != 0 {
		t.Errorf("probabilities %v: want the third class, and 0 for the one without rows", p)
	}
	if _, err := learn.Calibrate(rest, nil); err != nil {
		t.Errorf("two rows of one class: %v", err)
	}
	few := learn.NewScoreSums(4)
	few.AddRows([]float64{1, 0, 0, 0, 0, 1, 0, 0}, []int32{0, 1})
	c = need.Value(learn.Calibrate(few, nil))(t)
	if p := c.Probabilities(nil, []float64{1, 0, 0, 0}); p[0] != p[1] || p[0] != 0.5 {
		t.Errorf("a row for each class gives %v, want the shares of the classes", p)
	}
	constant := learn.NewScoreSums(2)
	for range 10 {
		constant.AddRows([]float64{0.1, -0.1, 0.1, -0.1, 0.1, -0.1, 0.1, -0.1}, []int32{0, 0, 0, 1})
	}
	c = need.Value(learn.Calibrate(constant, nil))(t)
	if p := c.Probabilities(nil, []float64{0.1, -0.1}); math.Abs(p[0]-31.0/42) > 1e-12 {
		t.Errorf("constant scores give %v, want the shares of the classes", p)
	}
}

// On digits the probabilities are worth more than equal ones, than the softmax of the scores, and than
// Bayes' rule with the pooled covariance.
func TestProbabilitiesOfDigits(t *testing.T) {
	slow.Emulated(t)
	train, test := digits(t)
	m := need.Value(learnerOf(t, polynomial(t, train.d, 256, 2, 5), train).Fit(learn.RidgeOptions{}))(t)
	e := need.Value(m.Evaluate(test.X, test.labels))(t)
	scores := need.Value(m.Scores(test.X))(t)
	classes := make([]int32, test.rows())
	for i, l := range test.labels {
		classes[i] = int32(l.Value().(float64))
	}
	c := *m.Calibration
	if got := logLoss(&c, scores, classes); math.Abs(got-e.LogLoss) > 1e-12 {
		t.Errorf("Evaluate says log loss %v, want %v", e.LogLoss, got)
	}
	softmax := logLoss(&learn.Calibration{K: c.K}, scores, classes)
	bayes := logLoss(times(&c, bayesFactor(&c)), scores, classes)
	t.Logf("log loss %.3f, softmax %.3f, τ = 1 %.3f, accuracy %.4f", e.LogLoss, softmax, bayes, e.Accuracy.Value)
	if e.LogLoss > 0.2 || e.LogLoss > softmax/2 || e.LogLoss > bayes/2 {
		t.Errorf("log loss %.3f, softmax %.3f, τ = 1 %.3f", e.LogLoss, softmax, bayes)
	}
}
