package learn

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn/prepare"
)

// Search does all steps of a Searcher.
func Search(rows sketch.Rows, kinds []prepare.Kind, targets Targets, c Choices) (Spec, *Candidates, error) {
	s, err := NewSearcher(rows, kinds, targets, c)
	if err != nil {
		return Spec{}, nil, err
	}
	for {
		if _, finished, err := s.Step(); err != nil {
			return Spec{}, nil, err
		} else if finished {
			spec, report := s.Result()
			return spec, report, nil
		}
	}
}

// Step does a part of the work: for one candidate or round of column weights, it holds one fold out, or as many as
// there are Goroutines. It returns how much of all is done, from 0 to 1, and true after the last step.
// Further calls return what the last one did.
func (s *Searcher) Step() (done float64, finished bool, err error) {
	if s.ended {
		return 1, s.failure == nil, s.failure
	}
	done, finished, err = s.step()
	s.ended, s.failure = finished || err != nil, err
	return done, finished, err
}

func (s *Searcher) step() (done float64, finished bool, err error) {
	switch {
	case s.holding != nil:
		err = s.holdSome()
	case s.next < len(s.list):
		err = s.tryNext()
	case s.weighing == nil && s.begun < len(weighted):
		s.beginWeights(weighted[s.begun])
		s.begun++
	case s.weighing != nil:
		s.stepWeights()
	case s.judging != nil:
		err = s.judging()
		return 1, err == nil, err
	case s.spec.Map == nil:
		if err = s.choose(); err == nil {
			err = s.finish()
		}
		return 0.92, false, err
	case len(s.outside) > 0:
		return 0.95, false, s.beginJudge()
	default:
		return 1, true, nil
	}
	const rounds = 6 // of both kernels, about
	part := float64(s.units)
	if s.holding != nil {
		part += 1 - float64(1+len(s.others(s.holding.t)))/float64(solve.FoldCount+1)
	}
	return min(0.9, part/float64(len(s.list)+rounds)), false, err
}

// Result returns the Spec for a Learner and the report of the candidates, after the last step.
func (s *Searcher) Result() (Spec, *Candidates) { return s.spec, s.report }

// weighted are the kernels whose best candidate gets column weights.
var weighted = []string{sketch.KernelGaussian, sketch.KernelLaplacian}

// tryNext tries the next candidate of the list.
func (s *Searcher) tryNext() error {
	one := s.list[s.next]
	s.next++
	if one.form == prepare.Codes && !s.hasCodes() {
		if s.choices.Candidates != nil {
			s.barredOnes = append(s.barredOnes, skipped(one.name, "no whole numbers of a column recur, or rows are few"))
		}
		return nil
	}
	form := s.form(one.form)
	if one.form == prepare.Uncut && s.choices.wanted("linear") &&
		form.preparation.Radius() == s.form(prepare.Std).preparation.Radius() {
		return nil // nothing is cut: it is the candidate before it
	}
	if why := s.barred(&one, form); why != "" {
		s.barredOnes = append(s.barredOnes, skipped(one.name, why))
		return nil
	}
	return s.try(one, func(t *trial) {
		s.keep(t)
		for k, kernel := range weighted {
			isBase := t != nil && t.kernel == kernel && t.weighted() != ""
			if b := s.bases[k]; isBase && (b == nil || s.beats(t, b)) {
				s.bases[k], t = t, b
			}
		}
		if t != nil { // fits are wanted where column weights follow
			t.fits = [solve.FoldCount]*heldFit{}
		}
	})
}

// hasCodes reports whether there are codes, and rows enough to judge them.
func (s *Searcher) hasCodes() bool {
	if s.n < weightFewRows {
		return false
	}
	form := s.form(prepare.Codes)
	if form.err != nil {
		return false
	}
	count, _ := form.preparation.Codes()
	return count > 0
}

// beginWeights begins the rounds of column weights for a kernel, where it has a candidate.
func (s *Searcher) beginWeights(kernel string) {
	base := s.bases[0]
	if kernel != weighted[0] {
		base = s.bases[1]
	}
	if base == nil {
		return
	}
	name, width := base.weighted(), s.forms[base.form].width
	if !s.choices.wanted(name) || width > weightColumns || width < 2 {
		return
	}
	if s.n < weightLeastRows || s.n*weightColumnsOfRow < width {
		s.barredOnes = append(s.barredOnes, skipped(name, "rows are too few to weigh so many columns"))
		return
	}
	s.weighing = &weighing{name: name, base: base}
}

func skipped(name, why string) Candidate {
	return Candidate{Name: name, Accuracy: math.NaN(), Skipped: why}
}

// weighted returns the name of the candidate that weighs columns for this one, or none.
func (c *candidate) weighted() string {
	switch {
	case !slices.Contains(weighted, c.kernel):
		return ""
	case c.form == prepare.Std:
		return c.kernel + "-weights"
	case c.form == prepare.Codes:
		return "codes-" + c.kernel + "-weights"
	}
	return ""
}

// check refuses names of no candidate, and weights of columns without a candidate whose columns they are.
func (c *Choices) check() error {
	var known []string
	bases := map[string][]string{}
	for _, one := range portfolio {
		known = append(known, one.name)
		if name := one.weighted(); name != "" {
			if bases[name] == nil {
				known = append(known, name)
			}
			bases[name] = append(bases[name], one.name)
		}
	}
	for _, name := range c.Candidates {
		switch of := bases[name]; {
		case !slices.Contains(known, name):
			return sketch.ErrParam.New("search", name, "name candidates: "+strings.Join(known, ", "))
		case of != nil && !slices.ContainsFunc(of, c.wanted):
			return sketch.ErrParam.New("search", name, "also name "+strings.Join(of, " or ")+", whose columns it weighs")
		}
	}
	return nil
}

// wanted reports whether a name is among those that were asked for.
func (c *Choices) wanted(name string) bool {
	return c.Candidates == nil || slices.Contains(c.Candidates, name)
}

// Fit reports whether a candidate for dense rows fits what was typed.
func (c Choices) Fit() bool { return len(c.typed(portfolio)) > 0 }

// typed returns the candidates that fit what was typed, with the degree that was typed.
func (c *Choices) typed(list []candidate) (fit []candidate) {
	p := &c.Params
	for _, one := range list {
		method := sketch.MethodRandomFourier
		if one.kernel == sketch.KernelPolynomial {
			method = sketch.MethodTensorSketch
		}
		switch {
		case p.Method != "" && (one.kernel == "" || p.Method != method),
			p.MethodParams.Kernel != "" && p.MethodParams.Kernel != one.kernel,
			(p.Degree != 0 || p.Coef0 != 0) && one.kernel != sketch.KernelPolynomial,
			p.Degree != 0 && p.Degree != one.degree,
			p.Gamma != 0 && one.kernel == "",
			c.Form != "" && c.Form != one.form, c.Unit != nil && *c.Unit != one.unit, !c.wanted(one.name):
			continue
		}
		fit = append(fit, one)
	}
	return fit
}

// form returns the rows of the sample in a form.
func (s *Searcher) form(name string) *formRows {
	if f := s.forms[name]; f != nil {
		return f
	}
	f := &formRows{}
	s.forms[name] = f
	if f.preparation, f.err = s.prepare(name); f.err != nil {
		return f
	}
	f.width = f.preparation.NOutputs()
	f.rows = make([]float32, s.n*f.width)
	for i, row := range s.picked {
		if _, err := f.preparation.Apply(f.rows[i*f.width:][:f.width], s.row(row)); err != nil {
			f.err = err
			return f
		}
	}
	return f
}

// prepare returns the preparation of a form for rows that are not held out: all, or of many numbers some.
func (s *Searcher) prepare(form string) (*prepare.Preparation, error) {
	if _, dense := s.all.(sketch.Dense); dense {
		var rows []float32
		for _, row := range s.inside[:min(len(s.inside), max(searchRows, preparedNumbers/len(s.kinds)))] {
			rows = append(rows, s.row(row)...)
		}
		return prepare.New(form, rows, s.kinds)
	}
	p := &prepare.Preparation{Form: form, Width: len(s.kinds)}
	return p, p.Validate()
}

// barred says why a candidate does not apply to these rows, or "".
func (s *Searcher) barred(c *candidate, form *formRows) string {
	_, isSparse := s.all.(sketch.CSR)
	numbers := 0
	for _, kind := range s.kinds {
		if kind == prepare.Number {
			numbers++
		}
	}
	isLate := c.form == prepare.Codes && s.choices.wanted(firstOfCodes) && c.name != firstOfCodes
	switch {
	case isLate && s.lead != nil && s.lead.form != prepare.Codes:
		return "a coordinate for each whole number that recurs is no gain to " + firstOfCodes
	case c.form == prepare.Raw && !isSparse && (form.err != nil || numbers < 30 || numbers < len(s.kinds)):
		return "it needs at least 30 columns, all of them numbers without gaps"
	case form.err != nil:
		return form.err.Error()
	case c.kernel == "" && form.width > solve.MaxComponents && s.choices.Mergeable:
		return strconv.Itoa(form.width) + " columns are more than moments take, " + strconv.Itoa(solve.MaxComponents)
	}
	return ""
}

// choose finds the least error, and fills in the report.
func (s *Searcher) choose() error {
	report := s.report
	if s.lead == nil && len(s.barredOnes) > 0 {
		b := &s.barredOnes[0]
		return sketch.ErrParam.New("search", b.Name, "have a candidate that applies to these rows: "+b.Skipped)
	}
	if s.lead == nil {
		return sketch.ErrParam.New("rows", strconv.Itoa(s.n), "be more: no candidate could be fitted")
	}
	chosen, linear := (*trial)(nil), (*trial)(nil)
	for _, coded := range []bool{false, true} {
		for _, t := range s.tried {
			if !s.complete(t) || (t.form == prepare.Codes) != coded {
				continue
			}
			if t.kernel == "" && (linear == nil || t.mean < linear.mean) {
				linear = t
			}
			if chosen == nil || s.beats(t, chosen) {
				chosen = t
			}
		}
	}
	chosen = s.steadier(chosen)
	s.lead = chosen
	for _, t := range s.tried {
		report.All = append(report.All, s.figures(t))
	}
	report.All = append(report.All, s.barredOnes...)
	report.Chosen = chosen.name
	width := s.forms[chosen.form].width
	report.Passes = chosen.kernel == "" && width > searchWide && !s.choices.Mergeable
	if report.Passes {
		report.Notes = append(report.Notes, "a linear model of "+strconv.Itoa(width)+" columns is fitted in passes over the "+
			"rows: no rows can be merged with it or taken away; with mergeable, the choice would be "+s.mergeable())
	}
	if count, columns := s.forms[chosen.form].preparation.Codes(); count > 0 {
		plural := " columns"
		if columns == 1 {
			plural = " column"
		}
		report.Notes = append(report.Notes, strconv.Itoa(count)+" whole numbers that recur in "+strconv.Itoa(columns)+
			plural+" are also coordinates of 0 and 1: held-out rows are predicted better so")
	}
	if linear != nil {
		mean, se := s.behind(linear, chosen)
		report.Linear = mean <= se
	}
	if report.Linear && chosen.kernel != "" {
		report.Notes = append(report.Notes, "a linear model is as good here: its error on held-out rows is within one "+
			"standard error of "+chosen.name)
	}
	return nil
}

// steadier returns the chosen candidate, or the wide Gaussian, with codes where these are better, if that is behind by
// at most one standard error and the chosen one is not linear (the rule of Breiman et al., Classification and
// Regression Trees, 1984). With few rows the best of many candidates was lucky, and a smooth kernel errs little.
//
// In the same way the best of the others comes before polynomial-3: where each column is near its least value, a row
// has no direction, and its prediction can be any number.
func (s *Searcher) steadier(chosen *trial) *trial {
	var wide *trial
	for _, t := range s.tried {
		isWide := t.name == "gaussian-wide" || t.name == firstOfCodes
		if isWide && s.complete(t) && (wide == nil || t.mean < wide.mean) {
			wide = t
		}
	}
	if chosen.kernel == "" {
		return chosen
	}
	if wide != nil && s.near(wide, chosen) {
		return wide
	}
	if chosen.form != prepare.MM || !chosen.unit {
		return chosen
	}
	var steady *trial
	for _, t := range s.tried {
		if !t.unit && s.complete(t) && s.near(t, chosen) && (steady == nil || s.beats(t, steady)) {
			steady = t
		}
	}
	return cmp.Or(steady, chosen)
}

// near reports whether t is behind the chosen candidate by at most one standard error. It is not where its equations
// cannot be solved.
func (s *Searcher) near(t, chosen *trial) bool {
	mean, se := s.behind(t, chosen)
	return mean <= se
}

// mergeable returns the name of the best candidate that moments take.
func (s *Searcher) mergeable() string {
	var best *trial
	for _, t := range s.tried {
		isLarge := t.kernel == "" && s.forms[t.form].width > solve.MaxComponents
		if s.complete(t) && !isLarge && (best == nil || s.beats(t, best)) {
			best = t
		}
	}
	if best == nil {
		return "none"
	}
	return best.name
}

// beats reports whether t is better than the best so far. Codes, and with few rows column weights, must show it by a
// standard error; by two with fewer rows than columns or weightTwiceRows, where luck looks like a lead.
func (s *Searcher) beats(t, best *trial) bool {
	isCoded := t.form == prepare.Codes && best.form != prepare.Codes
	if isCoded || s.n < weightFewRows && t.rounds > 0 && best.rounds == 0 {
		mean, se := s.behind(t, best)
		if !isCoded && s.n < max(weightTwiceRows, s.forms[t.form].width) {
			se *= 2
		}
		return mean < -se
	}
	return t.mean < best.mean
}

// figures returns what the report says of a trial.
func (s *Searcher) figures(t *trial) Candidate {
	if math.IsInf(t.mean, 1) {
		return skipped(t.name, "its equations cannot be solved at the λ that the first part chose")
	}
	spread := max(s.spread, 0x1p-900)
	c := Candidate{Name: t.name, Error: t.mean / spread, Accuracy: math.NaN(), Alpha: lambdaShare(t.best),
		Gamma: t.gammas[solve.FoldCount], Rounds: t.rounds}
	square, right := 0.0, 0
	for i := range s.n {
		if t.done[s.fold[i]] {
			d := t.loss[i] - t.mean
			square += float64(d * d)
			right += int(t.right[i*shareCount+t.best])
		}
	}
	n := float64(t.rows)
	c.StdError = math.Sqrt(square/float64(n*max(1, n-1))) / spread
	if s.classes != nil {
		c.Accuracy = float64(right) / n
	}
	if t != s.lead {
		c.Behind, c.BehindSE = s.behind(t, s.lead)
		c.Behind, c.BehindSE = c.Behind/spread, c.BehindSE/spread
	}
	if !s.complete(t) {
		c.Skipped = "given up after one part: more than three standard errors behind"
	}
	return c
}
