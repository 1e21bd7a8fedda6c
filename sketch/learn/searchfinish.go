package learn

import (
	"math"
	"slices"
	"strconv"

	"tensorsketch.example/internal/portable"
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn/prepare"
)

// finish makes the Spec of the chosen candidate.
func (s *Searcher) finish() error {
	t := s.lead
	weights, err := finalWeights(t), error(nil)
	form := s.forms[t.form]
	p := form.preparation
	p.Weights, p.Unit = weights, t.unit
	sample := unitRows(form.scaled(weights), form.width, t.unit)
	gamma := t.gamma
	if len(s.inside) >= rowsOfMany && t.degree == 0 {
		gamma *= gammaOfMany
	}
	gamma = s.gammaOf(&t.candidate, gamma, sample, form.width, -1)
	for i := range s.report.All {
		if s.report.All[i].Name == t.name {
			s.report.All[i].Gamma = gamma
		}
	}
	s.spec.Preparation = p
	s.spec.WithoutLinear = t.kernel == "" || form.width > searchComponents // a candidate says it, in less time
	if t.kernel == "" {
		s.spec.Map, err = identityMap(form.width)
	} else {
		s.spec.Map, err = s.luckyMap(t, gamma, sample, form.width)
	}
	if err != nil {
		return err
	}
	return s.measure(sample)
}

// measure takes the radius and the grid of the Spec from prepared rows.
func (s *Searcher) measure(rows []float32) error {
	d := s.spec.Map.NFeatures()
	n := len(rows) / d
	largest, _ := solve.LargestSquareOf(sketch.Dense(rows), n, d)
	s.spec.Radius = solve.RadiusOf(largest)
	return s.spec.gridOfFeatures(n, func(from, to int) (sketch.Rows, error) {
		return sketch.Dense(rows[from*d : to*d]), nil
	})
}

// widen moves the ends of numbers that are not cut, so that no row lies beyond them, if a model of the other rows then
// predicts the rows that were held out better. These rows are fitted, too: a row whose numbers were cut, and whose
// target was not, would bend the model for all others. errors adds up the errors of the rows that were held out.
func (s *Searcher) widen(errors func() (float64, error)) error {
	if s.lead.form != prepare.Uncut {
		return nil
	}
	p := s.spec.Preparation
	cut, err := errors()
	if err != nil {
		return err
	}
	before, picked := slices.Clone(p.Columns), slices.Clone(s.picked)
	for _, row := range s.outside {
		if p.Widen(s.row(row)) {
			picked = append(picked, row)
		}
	}
	if wide, err := errors(); err != nil || !(wide < cut) {
		p.Columns = before
		return err
	}
	rows, err := s.prepared(picked)
	if err != nil {
		return err
	}
	return s.measure(rows)
}

// A model has 1,024 features, or twice as many where there are rowsOfMany rows to choose by, the sums take at most
// mostProducts products, and 1,024 predict held-out rows better than 512 by a standard error. Rows of SampleNumbers are
// perhaps a sample of more, whose sums would take longer.
const (
	rowsOfMany   = 8192
	gammaOfMany  = 2       // times the γ that at most searchRows rows chose: more rows tell finer shapes apart
	mostProducts = 1 << 37 // twice what 60,000 rows with 1,024 features take
)

// components returns the number of features of the model.
func (s *Searcher) components(t *trial) (int, error) {
	const D = 2 * searchComponents
	n := len(s.inside) + len(s.outside)
	if len(s.inside) < rowsOfMany || n > mostProducts/(4*D*D) || n >= solve.SampleNumbers/len(s.kinds) {
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
	s.report.Notes = append(s.report.Notes, "2048 features: twice as many predict held-out rows better")
	return 2 * D, nil
}

// structuredFrom is the number of columns from which on the frequencies of a Gaussian kernel are structured. They
// predict as well as independent ones, in less time.
const structuredFrom = 64

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
	if width >= structuredFrom && t.kernel == sketch.KernelGaussian {
		params.MethodParams.Projection = sketch.ProjectionStructured
	}
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
