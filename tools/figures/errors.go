package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tensorsketch.example/sketch"

	"tensorsketch.example/tools/internal/lab"
	"tensorsketch.example/tools/internal/plot"
)

const (
	errorRows  = 200 // of a9a; all pairs of them
	errorSeeds = 5
)

// A sample is all pairs of some rows, with the exact kernel of each.
type sample struct {
	kernel sketch.Params
	rows   [][]float32
	wide   [][]float64 // the same
	exact  []float64   // κ of the pairs (0,1), (0,2), …, (1,2), …
	sum    float64     // of exact
}

func newSample(rows [][]float32, degree int, coef0 float64) (*sample, error) {
	s := &sample{kernel: sketch.Params{NFeatures: len(rows[0]), Degree: degree, Coef0: coef0}, rows: rows}
	formulas, err := sketch.NewFormulas(s.kernel)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		x := make([]float64, len(row))
		for i, v := range row {
			x[i] = float64(v)
		}
		s.wide = append(s.wide, x)
	}
	for i, x := range s.wide {
		for _, y := range s.wide[i+1:] {
			k := formulas.Kernel(x, y)
			s.exact = append(s.exact, k)
			s.sum += k
		}
	}
	return s, nil
}

// relativeError returns the mean over seeds from 1 on of Σ|e|/Σκ over the pairs, and
// its range.
func (s *sample) relativeError(of *method, D, seeds int) (plot.Spread, error) {
	params := of.params(s.kernel)
	params.NComponents = D
	sum, low, high := 0.0, math.Inf(1), 0.0
	for seed := range seeds {
		params.Seed = sketch.IntSeed(uint64(seed + 1))
		m, err := sketch.NewFeatureMap(params)
		if err != nil {
			return plot.Spread{}, err
		}
		z, err := m.TransformBatch(nil, slices.Concat(s.rows...))
		if err != nil {
			return plot.Spread{}, err
		}
		e := s.errorOf(z, D)
		sum, low, high = sum+e, min(low, e), max(high, e)
	}
	return plot.Spread{Middle: sum / float64(seeds), Low: low, High: high}, nil
}

// errorOf returns Σ|e|/Σκ of features.
func (s *sample) errorOf(z []float32, D int) float64 {
	sum, pair := 0.0, 0
	for i := range s.rows {
		for j := i + 1; j < len(s.rows); j++ {
			sum += math.Abs(sketch.Dot(z[i*D:(i+1)*D], z[j*D:(j+1)*D]) - s.exact[pair])
			pair++
		}
	}
	return sum / s.sum
}

// normalError returns the mean of relativeError if errors were normal with their
// exact σ: √(2/π)·Σσ/Σκ.
func (s *sample) normalError(of *method, D int) (float64, error) {
	params := of.params(s.kernel)
	params.NComponents = D
	formulas, err := sketch.NewFormulas(params)
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for i, x := range s.wide {
		for _, y := range s.wide[i+1:] {
			sigma, _ := formulas.StdError(x, y)
			sum += sigma
		}
	}
	return math.Sqrt(2/math.Pi) * sum / s.sum, nil
}

// curve measures a method at every D that it can have.
func (s *sample) curve(of *method, Ds []int) (plot.Curve, error) {
	c := plot.Curve{Style: &of.Style}
	for _, D := range Ds {
		if of == maclaurinH01 && D < s.kernel.NFeatures+2 {
			continue
		}
		e, err := s.relativeError(of, D, errorSeeds)
		if err != nil {
			return c, err
		}
		normal, err := s.normalError(of, D)
		if err != nil {
			return c, err
		}
		c.Xs, c.Spreads, c.Normal = append(c.Xs, float64(D)), append(c.Spreads, e), append(c.Normal, normal)
	}
	return c, nil
}

// An errorPanel is a panel of Figure 1.
type errorPanel struct {
	rows   string // what they are of, in words
	degree int
	coef0  float64
	curves []plot.Curve
}

func (p *errorPanel) kernel() string {
	exponent := [...]string{2: "²", 3: "³", 4: "⁴"}[p.degree]
	if p.coef0 == 0 {
		return "⟨x,y⟩" + exponent
	}
	return fmt.Sprintf("(⟨x,y⟩ + %g)%s", p.coef0, exponent)
}

const rawRows, unitRows = "0 and 1", "length 1"

// measureErrors returns the panels in the order of the figure: for either kind of
// rows and c = 0 and 1, p = 2, 3, 4.
func measureErrors(Ds []int) ([]errorPanel, error) {
	raw, err := readA9A(errorRows)
	if err != nil {
		return nil, err
	}
	var panels []errorPanel
	for _, words := range []string{rawRows, unitRows} {
		rows := raw
		if words == unitRows {
			rows = unit(raw)
		}
		for _, coef0 := range []float64{0, 1} {
			for _, degree := range []int{2, 3, 4} {
				p := errorPanel{rows: words, degree: degree, coef0: coef0}
				if err := p.measure(rows, Ds); err != nil {
					return nil, err
				}
				panels = append(panels, p)
			}
		}
	}
	return panels, nil
}

func (p *errorPanel) measure(rows [][]float32, Ds []int) error {
	s, err := newSample(rows, p.degree, p.coef0)
	if err != nil {
		return err
	}
	methods := []*method{tensorSketch, maclaurin}
	if p.coef0 > 0 {
		methods = append(methods, maclaurinH01)
	}
	for _, of := range methods {
		c, err := s.curve(of, Ds)
		if err != nil {
			return err
		}
		p.curves = append(p.curves, c)
	}
	return nil
}

func errorFigure() (picture, text string, err error) {
	panels, err := measureErrors([]int{100, 200, 300, 500, 1000, 2000, 3000, 5000})
	if err != nil {
		return "", "", err
	}
	return errorPlot(panels).SVG(), errorText(panels), nil
}

func errorPlot(panels []errorPanel) *plot.Plot {
	p := &plot.Plot{
		Description: "Relative error of the kernel estimate on Adult against the number of features D, " +
			"for Tensor Sketch and Random Maclaurin: " +
			"with rows of 0 and 1 and c = 1 the curves of Tensor Sketch lie far below; " +
			"with rows of length 1, or c = 0, they lie close together.",
		YName: "Σ|error| / Σκ",
		Axes: plot.Axes{XLow: 100, XHigh: 5000, XTicks: []float64{100, 300, 1000, 3000},
			YLow: .006, YHigh: 10, YTicks: []float64{.01, .1, 1, 10}},
		PanelWidth: 220, PanelHeight: 175,
		StrongTick: 1, StrongNote: "as large as the kernel",
		Explanations: []string{
			fmt.Sprintf("Adult (a9a), all pairs of %d rows. Line: mean of %d seeds; shaded: their range.",
				errorRows, errorSeeds),
			"Dotted: √(2/π)·Σσ / Σκ with the exact σ, the mean over all seeds if errors were normal.",
		},
	}
	for i := 0; i < len(panels); i += 3 {
		var row plot.Row
		if i == 0 || panels[i].rows != panels[i-1].rows {
			row.Heading = "Rows of " + panels[i].rows
		}
		for k := range panels[i : i+3] {
			row.Panels = append(row.Panels, plot.Panel{Title: panels[i+k].kernel(), XName: "features D",
				Curves: panels[i+k].curves})
		}
		p.Rows = append(p.Rows, row)
	}
	return p
}

// An errorPoint is a point of a curve.
type errorPoint struct {
	plot.Spread
	normal float64
}

// at returns what a method has at D.
func (p *errorPanel) at(of *method, D float64) errorPoint {
	c := p.curves[slices.IndexFunc(p.curves, func(c plot.Curve) bool { return c.Style == &of.Style })]
	i := slices.Index(c.Xs, D)
	return errorPoint{c.Spreads[i], c.Normal[i]}
}

// exactRatio returns how many times the error of Tensor Sketch a method has at D, by the exact σ.
func (p *errorPanel) exactRatio(of *method, D float64) float64 {
	return p.at(of, D).normal / p.at(tensorSketch, D).normal
}

// errorText tells in numbers what the figure shows for c = 1. With c = 0, TS and RM hardly differ.
func errorText(panels []errorPanel) string {
	var b strings.Builder
	const D = 3000
	fmt.Fprintf(&b, "Σ|e|/Σκ at D = %s over all %s pairs of %d rows of a9a: mean of the seeds 1 to %d and their range, "+
		"and the exact σ divided by the exact σ of TS.\n\n",
		lab.Grouped(D), lab.Grouped(errorRows*(errorRows-1)/2), errorRows, errorSeeds)
	b.WriteString("| rows of | kernel | TS | RM | RM with H0/1 | σ of RM | σ with H0/1 |\n" +
		"|---|---|---|---|---|---|---|\n")
	for _, p := range panels {
		if p.coef0 == 0 {
			continue
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %.2f | %.2f |\n", p.rows, p.kernel(), p.at(tensorSketch, D).Spread,
			p.at(maclaurin, D).Spread, p.at(maclaurinH01, D).Spread, p.exactRatio(maclaurin, D), p.exactRatio(maclaurinH01, D))
	}
	return b.String()
}
