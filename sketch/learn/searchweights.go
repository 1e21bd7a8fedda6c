package learn

import (
	"math"

	"tensorsketch.example/internal/engine/matrix"
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
	weightRounds  = 4
	weightRows    = 1500
	weightColumns = 1500
	weightFloor   = 0.02
	weightGain    = 0.98 // of the squared error, or the rounds end
	weightFewRows = 160  // below it weights must win by one standard error

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
	m, err := NewMoments(Shape{NComponents: D}, GridFor(sines, D), 0)
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

// frequencies returns the frequencies of a map, width × D, those of a Laplacian kernel cut.
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
		next[j] = math.Sqrt(max(0, dot(product[j*D:][:D], W[j*D:][:D])))
		if scale != nil {
			next[j] *= scale[j]
		}
		largest = max(largest, next[j])
	}
	for j, v := range next {
		if largest > 0 {
			v /= largest
		}
		next[j] = max(v, weightFloor)
	}
	return next
}

// A weighing tries rounds of column weights after a candidate.
//
// The weights of a fold come from the rows outside it alone: else the error on its rows would be too small.
type weighing struct {
	name       string
	base, best *trial // the round before, and the best round
	next       *trial // the best γ of this round
	gammas     []float64
	round      int
}

// stepWeights tries one γ of a round. After the last round the best of them is a candidate.
func (s *Searcher) stepWeights() error {
	w := s.weighing
	if w.next == nil {
		w.round++
		w.gammas = s.roundGammas(w.base)
	}
	c := w.base.candidate
	c.name, c.gamma, c.rounds = w.name, w.gammas[0], w.round
	t, err := s.tryWeights(c, w.base, w.next)
	if err != nil {
		return err
	}
	if w.next == nil || t.rows >= w.next.rows && t.mean < w.next.mean {
		w.next = t
	}
	if w.gammas = w.gammas[1:]; len(w.gammas) > 0 {
		return nil
	}
	next := w.next
	w.base.fits = [foldCount]*heldFit{}
	isLast := !s.complete(next) || w.round == weightRounds
	if w.best == nil || s.complete(next) && next.mean <= weightGain*w.best.mean {
		w.best = next
	} else {
		isLast = true
	}
	if w.base, w.next = next, nil; isLast {
		next.fits = [foldCount]*heldFit{}
		s.keep(w.best)
		s.weighing = nil
	}
	return nil
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

// tryWeights fits a candidate to rows with the weights that follow from the round before. rival has the same weights
// and another γ, or is nil.
func (s *Searcher) tryWeights(c candidate, before, rival *trial) (*trial, error) {
	t := s.newTrial(c)
	t.before = before
	hold := func(f int) error {
		h, Z, err := s.weightedFit(t, rival, f)
		if err != nil {
			return err
		}
		t.fits[f] = h
		s.hold(t, h, Z)
		return nil
	}
	if err := hold(s.largest); err != nil {
		return nil, err
	}
	t.done[s.largest] = true
	s.settle(t)
	if s.hopeless(t) || s.held[s.largest] >= raceRows && rival != nil && s.worse(t, rival) {
		return t, nil
	}
	return t, s.otherFolds(t, hold)
}

// worse reports whether t has the larger error on the folds that are done for both.
func (s *Searcher) worse(t, rival *trial) bool {
	mean, _ := s.behind(t, rival)
	return mean >= 0
}

// weightedFit fits the rows outside a fold.
func (s *Searcher) weightedFit(t, rival *trial, f int) (*heldFit, []float32, error) {
	form := s.forms[t.form]
	var err error
	switch {
	case f < foldCount && rival != nil && rival.scales[f] != nil:
		t.scales[f] = rival.scales[f]
	case f < foldCount:
		if t.scales[f], err = s.scaleAfter(t.before, f, form); err != nil {
			return nil, nil, err
		}
	}
	return s.fitScaled(t, t.scales[f], f)
}

// scaleAfter returns the weights that follow from the fit of a trial outside a fold. Where it is not there it is made.
func (s *Searcher) scaleAfter(t *trial, f int, form *formRows) ([]float64, error) {
	if t.fits[f] == nil {
		scale := []float64(nil)
		if t.before != nil {
			scale = t.scales[f]
		}
		h, _, err := s.fitScaled(t, scale, f)
		if err != nil {
			return nil, err
		}
		t.fits[f] = h
	}
	return s.columnWeights(t, t.fits[f], form)
}

// fitScaled fits the rows outside a fold, times weights; fold 5 has no rows.
func (s *Searcher) fitScaled(t *trial, scale []float64, f int) (*heldFit, []float32, error) {
	form := s.forms[t.form]
	rows := form.scaled(scale)
	gamma := s.gammaOf(&t.candidate, t.gamma, rows, form.width, f)
	Z, m, err := s.features(&t.candidate, gamma, rows, form.width)
	if err != nil {
		return nil, nil, err
	}
	D := len(Z) / s.n
	var all, held *System
	if s.n-s.held[f] >= D {
		if all, err = s.add(Z, D, GridFor(Z, D), func(fold uint8) bool { return int(fold) != f }); err != nil {
			return nil, nil, err
		}
		held = noRows(D, s.K)
	}
	h := s.fit(Z, D, f, func(int) (*System, *System) { return all, held })
	h.m, h.scale = m, scale
	return h, Z, nil
}

// finalWeights returns the column weights of a chosen trial, from all rows of the sample: the same rounds again.
func (s *Searcher) finalWeights(t *trial) ([]float64, error) {
	if t.before == nil {
		return nil, nil
	}
	scale, err := s.finalWeights(t.before)
	if err != nil {
		return nil, err
	}
	h, _, err := s.fitScaled(t.before, scale, foldCount)
	if err != nil {
		return nil, err
	}
	return s.columnWeights(t.before, h, s.forms[t.form])
}
