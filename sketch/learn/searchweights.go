package learn

import (
	"math"

	"tensorsketch.example/internal/engine/matrix"
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
)

// Column weights: the diagonal of the average outer product of gradients (Radhakrishnan et al., Mechanism for feature
// learning in neural networks and backpropagation-free machine learning models, Science 383, 2024). With f = w·z the
// mean over rows of Σ_k (∂f_k/∂x_j)² is, up to a factor that all columns share,
//
//	m_j = s_j²·[W (A ∘ wwᵀ) Wᵀ]_jj with A = Σ_rows sin·sinᵀ,
//
// for frequencies W on columns that are scaled by s. The next scale of a column is s_j·√m_j, over the largest.
const (
	weightRounds    = 4
	moreRounds      = 12 // where each round after weightRounds has weightGain, as with few rows
	weightRows      = 1500
	weightColumns   = 1500
	weightFloor     = 0.02
	weightGain      = 0.98 // of the squared error, or the rounds end
	weightGainOfOne = 0.99 // where one fold decides; then the rounds end when the error rises
	weightFewRows   = 160  // below it weights must win by one standard error
	weightTwiceRows = 40   // below it by two
	weightLeastRows = 20   // below it there are none

	// weightColumnsOfRow is how many columns a row may weigh. With 20 rows and 384 columns the weights fit the rows that
	// judge them, too: two of twelve tables had a log loss of 0.6 and more, where the linear model had 0.15.
	weightColumnsOfRow = 8

	// cauchyCut is the quantile 95 % of the frequencies of the Laplacian kernel, in turns: tan(0.475π)/2π. Larger ones
	// are cut to it in the gradient, whose mean they would rule.
	cauchyCut = 2.0222
)

// columnWeights returns the weights that follow from a fit, at the λ with this index.
func (s *Searcher) columnWeights(t *trial, h *heldFit, form *formRows) ([]float64, error) {
	D, width, K := h.D, form.width, s.K
	var rows []float32
	count := 0
	for i := 0; i < s.n && count < weightRows; i++ {
		if int(s.fold[i]) != h.fold {
			rows = append(rows, form.rows[i*width:][:width]...)
			count++
		}
	}
	part := formRows{rows: rows, width: width}
	sines, err := h.m.Sines().TransformRows(nil, sketch.Dense(part.scaled(h.scale)))
	if err != nil {
		return nil, err
	}
	m, err := NewMoments(Shape{NComponents: D}, solve.GridFor(sines, D), 0)
	if err != nil {
		return nil, err
	}
	if err := m.AddFeatures(sines, nil, nil, nil); err != nil {
		return nil, err
	}
	inner, outer := m.System().G, make([]float64, D*D)
	w := h.weights([]int{t.best})
	matrix.AddProduct(outer, w, matrix.Transpose(w, D, K), D, K, D, 1)
	for i := range outer {
		outer[i] = float64(outer[i] * inner[i])
	}
	return nextWeights(outer, frequencies(h.m), h.scale, D, width), nil
}

// frequencies returns the frequencies of a map, width × D. Those that a Laplacian kernel drew are cut.
func frequencies(m *sketch.FeatureMap) []float64 {
	turns := m.Frequencies()
	W, cut := make([]float64, len(turns)), math.Inf(1)
	if m.Params().MethodParams.Kernel == sketch.KernelLaplacian {
		cut = cauchyCut
	}
	for i, v := range turns {
		W[i] = max(-cut, min(cut, float64(v)))
	}
	return W
}

// nextWeights returns s_j·√m_j over the largest, for the product A ∘ wwᵀ, D × D, and frequencies W, width × D.
func nextWeights(outer, W, scale []float64, D, width int) []float64 {
	product := make([]float64, width*D)
	matrix.AddProduct(product, W, outer, width, D, D, 1)
	next, largest := make([]float64, width), 0.0
	for j := range next {
		next[j] = math.Sqrt(max(0, solve.Dot(product[j*D:][:D], W[j*D:][:D])))
		if scale != nil {
			next[j] *= scale[j]
		}
		largest = max(largest, next[j])
	}
	for j, v := range next {
		if v /= largest; !(v > weightFloor) { // also where rows that are all equal give 0/0 or NaN
			v = weightFloor
		}
		next[j] = v
	}
	return next
}

// A weighing tries rounds of column weights after a candidate.
//
// The weights of a fold come from the rows outside it alone: else the error on its rows would be too small. With many
// rows, rounds are judged by the first fold, and the others follow the best of them.
type weighing struct {
	name       string
	base, best *trial // the round before, and the best round
	next       *trial // the best γ of this round
	gammas     []float64
	round      int
	ended      bool
}

// stepWeights begins one γ of a round. After the last round the best of them is a candidate.
func (s *Searcher) stepWeights() {
	w := s.weighing
	if w.ended {
		s.endWeights()
		return
	}
	if w.next == nil {
		w.round++
		w.gammas = s.roundGammas(w.base)
	}
	t := s.newTrial(w.base.candidate)
	t.name, t.gamma, t.rounds, t.before = w.name, w.gammas[0], w.round, w.base
	rival := w.next // the same weights and another γ
	s.begin(t, func(f int) error { return s.holdWeights(t, rival, f) }, func() bool {
		return s.few() && !s.hopeless(t) && (s.held[s.largest] < raceRows || rival == nil || !s.worse(t, rival))
	}, func() { s.afterRound(t) })
}

// afterRound takes a γ of a round that was tried.
func (s *Searcher) afterRound(t *trial) {
	w := s.weighing
	if w.next == nil || t.rows >= w.next.rows && t.mean < w.next.mean {
		w.next = t
	}
	if w.gammas = w.gammas[1:]; len(w.gammas) > 0 {
		return
	}
	next, gain, late := w.next, weightGainOfOne, s.few() || w.round > weightRounds
	if late {
		gain = weightGain
	}
	w.ended = w.round == moreRounds || s.hopeless(next)
	if w.best == nil || next.rows >= w.best.rows && next.mean <= gain*w.best.mean {
		w.best = next
	} else if late || next.mean > w.best.mean {
		w.ended = true
	}
	w.base, w.next = next, nil
}

// endWeights takes the best round as a candidate, after the folds that it has not held out.
func (s *Searcher) endWeights() {
	t := s.weighing.best
	s.weighing = nil
	then := func() {
		for before := t; before != nil; before = before.before {
			before.fits = [solve.FoldCount]*heldFit{}
		}
		s.keep(t)
	}
	if s.complete(t) || s.hopeless(t) {
		then()
		return
	}
	s.holding = &holding{t: t, hold: func(f int) error { return s.holdWeights(t, nil, f) }, next: s.others(t), then: then}
}

// roundGammas returns the values of γ to try in a round.
func (s *Searcher) roundGammas(base *trial) []float64 {
	other := 4.0
	if base.kernel == sketch.KernelLaplacian {
		other = 1
	}
	if s.choices.Params.Gamma != 0 || base.gamma == other {
		return []float64{base.gamma}
	}
	return []float64{min(base.gamma, other), max(base.gamma, other)}
}

// worse reports whether t has the larger error on the folds that are done for both.
func (s *Searcher) worse(t, rival *trial) bool {
	mean, _ := s.behind(t, rival)
	return mean >= 0
}

// holdWeights fits the rows outside a fold and adds the errors on it.
func (s *Searcher) holdWeights(t, rival *trial, f int) error {
	if rival != nil {
		t.scales[f] = rival.scales[f]
	}
	h, Z, err := s.fitScaled(t, f)
	if err != nil {
		return err
	}
	t.fits[f] = h
	s.holdAll(t, h, Z)
	return nil
}

// scaleOf returns the column weights of a trial for the rows outside a fold, nil before the first round. They follow
// from the fit of the round before, which is made where it is not there.
func (s *Searcher) scaleOf(t *trial, f int) (scale []float64, err error) {
	before := t.before
	if before == nil || t.scales[f] != nil {
		return t.scales[f], nil
	}
	if before.fits[f] == nil {
		if before.fits[f], _, err = s.fitScaled(before, f); err != nil {
			return nil, err
		}
	}
	t.scales[f], err = s.columnWeights(before, before.fits[f], s.forms[t.form])
	return t.scales[f], err
}

// fitScaled fits the rows outside a fold, times the column weights of a trial, and divided by their length if it says
// so.
func (s *Searcher) fitScaled(t *trial, f int) (*heldFit, []float32, error) {
	scale, err := s.scaleOf(t, f)
	if err != nil {
		return nil, nil, err
	}
	form := s.forms[t.form]
	rows := unitRows(form.scaled(scale), form.width, t.unit)
	gamma := s.gammaOf(&t.candidate, t.gamma, rows, form.width, f)
	Z, m, err := s.features(&t.candidate, gamma, rows, form.width)
	if err != nil {
		return nil, nil, err
	}
	D := len(Z) / s.n
	h, err := s.fit(Z, D, f, len(s.shares(t)), nil, func() (*System, error) { return s.sumsOutside(Z, D, f) })
	if err != nil {
		return nil, nil, err
	}
	h.m, h.scale = m, scale
	return h, Z, nil
}

// finalWeights returns the column weights of a chosen trial: the mean over its folds, divided by the largest.
func finalWeights(t *trial) (weights []float64) {
	if t.before == nil {
		return nil
	}
	largest := 0.0
	for f, scale := range t.scales {
		if !t.done[f] {
			continue
		}
		if weights == nil {
			weights = make([]float64, len(scale))
		}
		for j, v := range scale {
			weights[j] += v
			largest = max(largest, weights[j])
		}
	}
	for j := range weights {
		weights[j] /= largest
	}
	return weights
}
