package learn

import (
	"math"
	"slices"
	"strconv"

	"tensorsketch.example/internal/portable"
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/internal/sums"
	"tensorsketch.example/sketch"
)

// Search does all steps of a Searcher.
func Search(rows sketch.Rows, kinds []Kind, targets Targets, c Choices) (Spec, *Candidates, error) {
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

// NewSearcher begins a search for rows of len(kinds) coordinates and their targets. Rows are Dense, in which NaN is a
// missing number, or CSR, for which only the length of kinds counts. It keeps the arguments, which must not change
// meanwhile.
//
// The error is a *sketch.Error: of NewPreparation, or it names the rows, the labels, the targets or what was typed.
func NewSearcher(rows sketch.Rows, kinds []Kind, targets Targets, c Choices) (*Searcher, error) {
	var spec Spec
	n, _, ok := sums.Parts(rows, max(1, len(kinds)))
	if !ok || len(kinds) == 0 {
		return NewSearcherOf(rows, kinds, solve.RowLabels{}, 1, c) // which says what is wrong
	}
	if err := spec.see(&targets, n); err != nil {
		return nil, err
	}
	y, outputs := solve.RowLabels{Targets: targets.Y}, max(1, targets.Each)
	if targets.Labels != nil {
		y, outputs = solve.RowLabels{Classes: indicesOf(targets.Labels, spec.Classes)}, len(spec.Classes)
	}
	s, err := NewSearcherOf(rows, kinds, y, outputs, c)
	if err == nil {
		s.spec.Classes = spec.Classes
	}
	return s, err
}

// indicesOf returns the index of each label among classes.
func indicesOf(labels, classes []Label) []int32 {
	index, indices := make(map[Label]int32, len(classes)), make([]int32, len(labels))
	for k, label := range classes {
		index[label] = int32(k)
	}
	for i, label := range labels {
		indices[i] = index[label]
	}
	return indices
}

// NewSearcherOf is NewSearcher for the class of each row, 0 … outputs − 1, or outputs targets of each. They must be
// valid. The Spec then has no Classes.
func NewSearcherOf(rows sketch.Rows, kinds []Kind, y solve.RowLabels, outputs int, c Choices) (*Searcher, error) {
	d := len(kinds)
	n, part, ok := sums.Parts(rows, max(1, d))
	if !ok || d == 0 {
		return nil, sketch.ErrShape.New("X", "", "hold rows of "+strconv.Itoa(d)+" numbers, one for each of kinds")
	}
	s := &Searcher{choices: c, all: rows, part: part, kinds: kinds, y: y, outputs: outputs,
		forms: map[string]*formRows{}, spec: Spec{Preprocessing: c.Preprocessing, Folds: solve.FoldCount}}
	s.threads = max(1, c.Goroutines)
	if s.spec.Task = TaskClassify; y.Classes == nil {
		s.spec.Task, s.spec.Targets, s.spec.TargetRange = TaskRegress, outputs, solve.TargetRangeOf(y.Targets)
	}
	X, isSparse := rows.(sketch.CSR)
	if isSparse {
		if err := solve.CheckSparse(X, d); err != nil {
			return nil, err
		}
	}
	s.holdOut(n)
	s.picked = s.inside[:min(len(s.inside), sampleSize(d))]
	s.n = len(s.picked)
	hashes := make([]uint64, s.n)
	for i, row := range s.picked {
		hashes[i] = hashRow(s.row(row))
	}
	s.deal(hashes)
	s.take(&y, outputs)
	s.list = portfolio
	if isSparse {
		s.list = sparsePortfolio
	} else if err := s.form(FormStd).err; err != nil {
		return nil, err // other forms would say the same
	}
	if s.list = c.typed(s.list); len(s.list) == 0 {
		return nil, sketch.ErrParam.New("search", "none of the candidates", "fit what was typed of the map: leave it out, "+
			"or type less")
	}
	s.report = &Candidates{Rows: s.n, Components: searchComponents}
	for _, held := range s.held[:solve.FoldCount] {
		if held > 0 {
			s.report.Folds++
		}
	}
	return s, nil
}

// oneClass names the only class, or none.
func oneClass(classes []Label) string {
	if len(classes) == 0 {
		return "none"
	}
	return classes[0].String() + " only"
}

// see takes the task of the targets of n rows.
func (spec *Spec) see(t *Targets, n int) error {
	argument, got := "labels", len(t.Labels)
	if t.Labels != nil {
		spec.Task, spec.Classes = TaskClassify, SortClasses(t.Labels)
		if err := checkLabels("labels", t.Labels); err != nil {
			return err
		}
		if len(spec.Classes) < 2 {
			return sketch.ErrParam.New("classes", "rows of "+oneClass(spec.Classes),
				"have rows of at least two: there is nothing to tell apart")
		}
		if len(spec.Classes) > solve.MaxClasses {
			return tooManyClasses(len(spec.Classes))
		}
	} else {
		spec.Task, spec.Targets = TaskRegress, max(1, t.Each)
		argument, got = "y", len(t.Y)/spec.Targets
		if err := checkTargets(t.Y, spec.Targets); err != nil {
			return err
		}
		spec.TargetRange = solve.TargetRangeOf(t.Y)
	}
	if got != n || n == 0 {
		return sketch.ErrShape.New(argument, strconv.Itoa(got), "have one for each of "+strconv.Itoa(n)+" rows")
	}
	return nil
}

// holdOut sets a fifth of n rows aside by their hash, and puts the others in an order that the seed says. With few
// rows, or rows of one class without those, all stay.
func (s *Searcher) holdOut(n int) {
	const few = 25
	var classes []int32 // the first of those inside, and another
	for _, row := range pick(n, n, s.choices.Params.Seed) {
		if hashRow(s.row(row))%solve.FoldCount == 0 {
			s.outside = append(s.outside, row)
			continue
		}
		s.inside = append(s.inside, row)
		if y := s.y.Classes; y != nil && len(classes) < 2 && (classes == nil || classes[0] != y[row]) {
			classes = append(classes, y[row])
		}
	}
	if n < few || s.y.Classes != nil && len(classes) < 2 {
		s.inside, s.outside = append(s.inside, s.outside...), nil
	}
}

// row returns a row of all as dense numbers.
func (s *Searcher) row(i int) []float32 {
	switch one := s.part(i, i+1).(type) {
	case sketch.CSR:
		row := make([]float32, len(s.kinds))
		for at := one.Indptr[0]; at < one.Indptr[1]; at++ {
			row[one.Indices[at]] += one.Data[at]
		}
		return row
	case sketch.Dense:
		return one
	}
	return nil
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
	if one.form == formCodes && !s.hasCodes() {
		if s.choices.Candidates != nil {
			s.barredOnes = append(s.barredOnes, skipped(one.name, "no whole numbers of a column recur, or rows are few"))
		}
		return nil
	}
	form := s.form(one.form)
	if why := s.barred(&one, form); why != "" {
		s.barredOnes = append(s.barredOnes, skipped(one.name, why))
		return nil
	}
	return s.try(one, func(t *trial) {
		s.keep(t)
		for k, kernel := range weighted {
			isBase := t != nil && t.kernel == kernel && (t.form == FormStd || t.form == formCodes)
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
	form := s.form(formCodes)
	if form.err != nil {
		return false
	}
	count, _ := form.preparation.codes()
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
	name := kernel + "-weights"
	if base.form == formCodes {
		name = "codes-" + name
	}
	width := s.forms[base.form].width
	if !s.choices.wanted(name) || width > weightColumns || width < 2 {
		return
	}
	if s.n*weightColumnsOfRow < width {
		s.barredOnes = append(s.barredOnes, skipped(name, "rows are too few to weigh so many columns"))
		return
	}
	s.weighing = &weighing{name: name, base: base}
}

func skipped(name, why string) Candidate {
	return Candidate{Name: name, Accuracy: math.NaN(), Skipped: why}
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

// prepare returns the preparation of a form for the rows that are not held out.
func (s *Searcher) prepare(form string) (*Preparation, error) {
	if _, dense := s.all.(sketch.Dense); dense {
		rows := make([]float32, 0, len(s.inside)*len(s.kinds))
		for _, row := range s.inside {
			rows = append(rows, s.row(row)...)
		}
		if form == formCodes {
			return newPreparation(FormStd, rows, s.kinds, true)
		}
		return NewPreparation(form, rows, s.kinds)
	}
	p := &Preparation{Form: form, Width: len(s.kinds)}
	return p, p.Validate()
}

// barred says why a candidate does not apply to these rows, or "".
func (s *Searcher) barred(c *candidate, form *formRows) string {
	_, isSparse := s.all.(sketch.CSR)
	numbers := 0
	for _, kind := range s.kinds {
		if kind == Number {
			numbers++
		}
	}
	isLate := c.form == formCodes && s.choices.wanted(firstOfCodes) && c.name != firstOfCodes
	switch {
	case isLate && s.lead != nil && s.lead.form != formCodes:
		return "a coordinate for each whole number that recurs is no gain to " + firstOfCodes
	case c.form == FormRaw && !isSparse && (form.err != nil || numbers < 30 || numbers < len(s.kinds)):
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
			if !s.complete(t) || (t.form == formCodes) != coded {
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
	if count, columns := s.forms[chosen.form].preparation.codes(); count > 0 {
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
func (s *Searcher) steadier(chosen *trial) *trial {
	var wide *trial
	for _, t := range s.tried {
		isWide := t.name == "gaussian-wide" || t.name == firstOfCodes
		if isWide && s.complete(t) && (wide == nil || t.mean < wide.mean) {
			wide = t
		}
	}
	if wide == nil || chosen.kernel == "" {
		return chosen
	}
	if mean, se := s.behind(wide, chosen); mean > se {
		return chosen
	}
	return wide
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
	isCoded := t.form == formCodes && best.form != formCodes
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

// finish makes the Spec of the chosen candidate.
func (s *Searcher) finish() error {
	t := s.lead
	weights, err := finalWeights(t), error(nil)
	form := s.forms[t.form]
	p := form.preparation
	p.Weights, p.Unit = weights, t.unit
	sample := unitRows(form.scaled(weights), form.width, t.unit)
	gamma := s.gammaOf(&t.candidate, t.gamma, sample, form.width, -1)
	for i := range s.report.All {
		if s.report.All[i].Name == t.name {
			s.report.All[i].Gamma = gamma
		}
	}
	s.spec.Preparation = p
	s.spec.WithoutLinear = t.kernel == "" || form.width > searchWide // a candidate says it, in less time
	if t.kernel == "" {
		s.spec.Map, err = identityMap(form.width)
	} else {
		s.spec.Map, err = s.luckyMap(t, gamma, sample, form.width)
	}
	if err != nil {
		return err
	}
	n, _, _ := sums.Parts(s.all, len(s.kinds))
	s.spec.Keep = KeepOf(float64(n))
	largest, _ := solve.LargestSquareOf(sketch.Dense(sample), s.n, form.width)
	s.spec.Radius = solve.RadiusOf(largest)
	return s.spec.gridOfFeatures(s.n, func(from, to int) (sketch.Rows, error) {
		return sketch.Dense(sample[from*form.width : to*form.width]), nil
	})
}

// A model has 1,024 features, or twice as many where there are rowsOfMany rows to choose by, the sums take at most
// mostProducts products, and 1,024 predict held-out rows better than 512 by a standard error.
const (
	rowsOfMany   = 8192
	mostProducts = 1 << 37 // twice as many as those of 60,000 rows with 1,024 features
)

// components returns the number of features of the model.
func (s *Searcher) components(t *trial) (int, error) {
	const D = 2 * searchComponents
	n := len(s.inside) + len(s.outside)
	if len(s.inside) < rowsOfMany || float64(n)*4*D*D > mostProducts {
		return D, nil
	}
	more, f := s.newTrial(t.candidate), s.largest
	more.components, more.before, more.scales, more.seen = D, t.before, t.scales, []int{t.best}
	h, Z, err := s.fitScaled(more, f)
	if err != nil {
		return 0, err
	}
	s.hold(more, h, Z, more.seen)
	more.done[f] = true
	s.settle(more)
	if mean, se := s.behind(more, t); mean >= -se {
		return D, nil
	}
	s.report.Notes = append(s.report.Notes, strconv.Itoa(2*D)+" features: twice as many predict held-out rows better")
	return 2 * D, nil
}

// seedsTried is the maximum number of seeds that are compared with their error bars.
const seedsTried = 16

// luckyMap returns the map of the model: of the first seed from the given one on whose kernel estimates on 200 pairs of
// rows have a root mean square error of at most 1.5 σ. Where σ is below a thousandth of the kernel, an error of five
// thousandths counts as 1.5 σ. A typed seed is kept.
func (s *Searcher) luckyMap(t *trial, gamma float64, rows []float32, width int) (*sketch.FeatureMap, error) {
	c, report := &s.choices, s.report
	D, err := c.Params.NComponents, error(nil)
	if D == 0 {
		if D, err = s.components(t); err != nil {
			return nil, err
		}
	}
	params := s.params(&t.candidate, gamma, width, D)
	var best *sketch.FeatureMap
	least := math.Inf(1)
	first, counted := params.Seed.Int()
	for report.Seeds < seedsTried {
		if counted {
			params.Seed = sketch.IntSeed(first + uint64(report.Seeds))
		}
		m, err := sketch.NewFeatureMap(params)
		if err != nil {
			return nil, err
		}
		report.Seeds++
		bad, err := s.badLuck(m, rows, width)
		if err != nil {
			return nil, err
		}
		if bad < least {
			best, least = m, bad
		}
		if bad <= 1 || c.Seeded || !counted {
			break
		}
	}
	if report.Unlucky = !(least <= 1); report.Unlucky {
		text := "kernel estimates on these rows are " + portable.FormatNumber(math.Round(150*least)/100) +
			" times as far off as expected at this D: take a larger D"
		if c.Seeded {
			text = "with the seed that was given, " + text + ", or another seed"
		}
		report.Notes = append(report.Notes, text)
	} else if report.Seeds > 1 {
		report.Notes = append(report.Notes, "seed "+best.Params().Seed.String()+", after "+strconv.Itoa(report.Seeds-1)+
			" whose kernel estimates on these rows were over 1.5 σ off; σ holds for a seed that was not chosen")
	}
	return best, nil
}

// badLuck returns the root mean square error of kernel estimates on pairs of rows over its limit.
func (s *Searcher) badLuck(m *sketch.FeatureMap, rows []float32, width int) (float64, error) {
	const pairs = 200
	next := s.choices.Params.Seed.ForBootstrap()
	x, y, sum := make([]float64, width), make([]float64, width), 0.0
	for range pairs {
		a, b := rows[next(s.n)*width:][:width], rows[next(s.n)*width:][:width]
		for j := range width {
			x[j], y[j] = float64(a[j]), float64(b[j])
		}
		za, err := m.TransformRows(nil, sketch.Dense(a))
		if err != nil {
			return 0, err
		}
		zb, err := m.TransformRows(nil, sketch.Dense(b))
		if err != nil {
			return 0, err
		}
		kernel := m.Kernel(x, y)
		sigma, _ := m.StdError(x, y)
		limit := 1.5 * sigma
		if sigma < math.Abs(kernel)/1000 {
			limit = math.Abs(kernel) / 200
		}
		if e := sketch.Dot(za, zb) - kernel; e != 0 {
			e /= max(limit, 0x1p-500)
			sum += float64(e * e)
		}
	}
	return math.Sqrt(sum / pairs), nil
}

// unitRows divides rows by their length where unit is set.
func unitRows(rows []float32, width int, unit bool) []float32 {
	if !unit {
		return rows
	}
	divided := make([]float32, len(rows))
	for from := 0; from < len(rows); from += width {
		square := 0.0
		for _, v := range rows[from:][:width] {
			square += float64(float64(v) * float64(v))
		}
		length := math.Sqrt(square)
		for j, v := range rows[from:][:width] {
			if length > 0 {
				divided[from+j] = float32(float64(v) / length)
			}
		}
	}
	return divided
}
