package solve

import (
	"math"

	"tensorsketch.example/internal/engine/matrix"
)

// HoldOut makes the folds of m choose alpha: it fills in Folds and Fold of o. With folds 1, part 0 is
// held out; with 5, each part once; with 0, none.
func (m *Moments) HoldOut(o *RidgeOptions) {
	o.Folds, o.Fold = m.folds, func(i int) *System { return m.System(i) }
}

// Folds returns what comes of the folds, one after another, and their number: the rows held out, which are 0 until the
// fold is done, and for each λ of the path df times these rows, or NaN where it is too small to be solved for, and the
// error of each target. The fit leaves a fold out that it finds done: write there what another Ridge of the same System
// and options has.
func (r *Ridge) Folds() (numbers []float64, folds int) { return r.folds, r.options.Folds }

// ofFold returns what comes of the fold that is held out now.
func (r *Ridge) ofFold() []float64 {
	size := len(r.folds) / r.options.Folds
	return r.folds[r.fold*size:][:size]
}

// stepFold brings the rows outside a fold into tridiagonal form, or adds what came of it. A fold without rows is left
// out, and so is one that has all of them.
func (r *Ridge) stepFold() (part float64, err error) {
	o := r.options
	if r.fold == o.Folds {
		return 0, r.chosenByFolds()
	}
	if of := r.ofFold(); of[0] > 0 {
		r.foldRows += of[0]
		of = of[1:]
		for i := range r.report.Path {
			point := &r.report.Path[i]
			point.DF += of[0]
			for _, e := range of[1 : 1+r.system.K] {
				point.Score += e
			}
			of = of[1+r.system.K:]
		}
		r.nextFold()
		return 0, nil
	}
	if r.path == nil {
		r.held = o.Fold(r.fold)
		if r.held.Rows == 0 || r.held.Rows == r.system.Rows {
			r.nextFold()
			return 0, nil
		}
		r.training = without(r.system, r.held)
		if r.a == nil {
			r.a = make([]float64, r.system.D*r.system.D)
		}
		r.path = NewPath(Centre(r.training, r.intercept, r.a))
	}
	if !r.path.Step() {
		return r.formWork() * r.path.done(), nil
	}
	r.stage, r.point = stageHeld, 0
	return r.formWork(), nil
}

func (r *Ridge) nextFold() {
	r.fold++
	r.done += r.formWork()
	r.path, r.training, r.held = nil, nil, nil
}

// without returns the sums of the rows of s that are not in part. Only what ridge needs is there.
func without(s, part *System) *System {
	rest := *s
	rest.Rows = s.Rows - part.Rows
	rest.G, rest.Z = Difference(s.G, part.G), Difference(s.Z, part.Z)
	rest.B, rest.T, rest.TT = Difference(s.B, part.B), Difference(s.T, part.T), Difference(s.TT, part.TT)
	if s.Counts != nil {
		rest.Counts = Difference(s.Counts, part.Counts)
	}
	return &rest
}

// stepHeld adds the errors on the rows held out, for a few λ:
//
//	Σ (t − b − w·z)² = Σt² − 2·w·Σtz − 2b·Σt + wᵀG·w + 2b·w·Σz + n·b².
func (r *Ridge) stepHeld() (part float64) {
	D, K, h := r.system.D, r.system.K, r.held
	points := r.report.Path[r.point:]
	points = points[:min(len(points), max(1, atOnce(D)/K))]
	count := len(points) * K
	of := r.ofFold()
	fold := of[1+r.point*(1+K):]
	w := make([]float64, D*count)
	for i := range points {
		df, ok := r.path.Factor(points[i].Alpha)
		if !ok {
			fold[i*(1+K)] = math.NaN()
			continue
		}
		fold[i*(1+K)] = float64((df + r.own()) * h.Rows)
		r.path.Weights(w, i*K, count)
	}
	r.path.Form.Apply(w, count)
	products := make([]float64, D*count)
	matrix.AddProduct(products, h.G, w, D, D, count, 1)
	target := targetsOf(h, r.intercept)
	for i := range points {
		for k := range K {
			quadratic, mean, inner, training := 0.0, 0.0, 0.0, 0.0
			for j := range D {
				v := w[j*count+i*K+k]
				quadratic += float64(v * products[j*count+i*K+k])
				mean += float64(v * h.Z[j])
				inner += float64(v * target.b[k*D+j])
				training += float64(v * r.training.Z[j])
			}
			own := 0.0
			if r.intercept {
				own = (r.training.T[k] - training) / r.training.Rows
			}
			errors := target.tt[k] - 2*inner - float64(2*own*target.t[k]) + quadratic + float64(2*own*mean) +
				float64(float64(own*own)*h.Rows)
			fold[i*(1+K)+1+k] = max(0, errors)
		}
	}
	r.point += len(points)
	if r.point == len(r.report.Path) {
		of[0], r.stage = h.Rows, stageFold
	}
	return r.formWork()
}

// chosenByFolds takes the λ with the smallest error, or turns to cross-validation if no fold was of use.
func (r *Ridge) chosenByFolds() error {
	if r.foldRows == 0 {
		r.report.Rule, r.stage = RuleCrossValidation, stagePath
		r.report.Path = r.options.path(r.trace, r.system.Rows)
		r.total += r.formWork()
		return nil
	}
	for i := range r.report.Path {
		point := &r.report.Path[i]
		if point.Allowed = point.DF == point.DF; !point.Allowed {
			point.DF, point.Score = 0, 0
			continue
		}
		point.Score /= r.foldRows
		point.DF /= r.foldRows
	}
	return r.chosen(0)
}
