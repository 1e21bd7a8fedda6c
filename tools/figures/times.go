package main

import (
	"fmt"
	"math"
	"math/rand"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"tensorsketch.example/sketch"
	"tensorsketch.example/tools/internal/lab"
	"tensorsketch.example/tools/internal/plot"
)

const (
	timeRows   = 32 // in a call
	timeRounds = 15
	timeDegree = 4
)

// A timedPoint is a map, its rows, and what rounds took, in µs per row.
type timedPoint struct {
	m     *sketch.FeatureMap
	X     []float32
	z     []float32
	times []float64
}

func newTimedPoint(of *method, rows [][]float32, D int) (*timedPoint, error) {
	m, err := sketch.NewFeatureMap(
		of.params(sketch.Params{NFeatures: len(rows[0]), NComponents: D, Degree: timeDegree, Coef0: 1}))
	if err != nil {
		return nil, err
	}
	p := &timedPoint{m: m, X: slices.Concat(rows...)}
	p.z, err = m.TransformBatch(nil, p.X)
	return p, err
}

// measure times calls of at least a millisecond together.
func (p *timedPoint) measure() error {
	calls, start := 0, time.Now()
	for calls == 0 || time.Since(start) < time.Millisecond {
		if _, err := p.m.TransformBatch(p.z, p.X); err != nil {
			return err
		}
		calls++
	}
	p.times = append(p.times, time.Since(start).Seconds()*1e6/float64(calls*timeRows))
	return nil
}

// spread returns the median of the times, and their quartiles.
func (p *timedPoint) spread() plot.Spread {
	slices.Sort(p.times)
	n := len(p.times)
	return plot.Spread{Middle: p.times[n/2], Low: p.times[n/4], High: p.times[3*n/4]}
}

var timedMethods = []*method{tensorSketch, maclaurin, homogeneousMaclaurin}

// measureTimes returns a curve for each method: the time per row of rows(D) at each
// D. Every round measures everything once, so that a machine that slows down slows
// all.
func measureTimes(name string, Ds []int, rows func(D int) [][]float32) ([]plot.Curve, error) {
	points := make([][]*timedPoint, len(timedMethods))
	for i, of := range timedMethods {
		for _, D := range Ds {
			p, err := newTimedPoint(of, rows(D), D)
			if err != nil {
				return nil, err
			}
			points[i] = append(points[i], p)
		}
	}
	for round := range timeRounds {
		fmt.Fprintf(os.Stderr, "%s: round %d of %d\n", name, round+1, timeRounds)
		for _, p := range slices.Concat(points...) {
			if err := p.measure(); err != nil {
				return nil, err
			}
		}
	}
	var curves []plot.Curve
	for i, of := range timedMethods {
		c := plot.Curve{Style: &of.Style}
		for k, D := range Ds {
			c.Xs, c.Spreads = append(c.Xs, float64(D)), append(c.Spreads, points[i][k].spread())
		}
		curves = append(curves, c)
	}
	return curves, nil
}

func timeFigure() (picture, text string, err error) {
	images, err := lab.MNIST(timeRows)
	if err != nil {
		return "", "", err
	}
	Ds := []int{64, 128, 256, 512, 1024, 2048, 4096, 8192}
	fixed, err := measureTimes("d = 780", Ds, func(int) [][]float32 { return images })
	if err != nil {
		return "", "", err
	}
	growing, err := measureTimes("d = D", Ds, denseRows)
	if err != nil {
		return "", "", err
	}
	return timePlot(fixed, growing).SVG(), timeText(fixed, growing), nil
}

// denseRows returns rows of d numbers between 0 and 1/√d, none of them 0.
func denseRows(d int) [][]float32 {
	rng := rand.New(rand.NewSource(1))
	rows := make([][]float32, timeRows)
	for r := range rows {
		rows[r] = make([]float32, d)
		for i := range rows[r] {
			rows[r][i] = float32((1 - rng.Float64()) / math.Sqrt(float64(d)))
		}
	}
	return rows
}

func timePlot(fixed, growing []plot.Curve) *plot.Plot {
	low, high := math.Inf(1), 0.0
	for _, c := range slices.Concat(fixed, growing) {
		for _, s := range c.Spreads {
			low, high = min(low, s.Low), max(high, s.High)
		}
	}
	p := &plot.Plot{
		Description: "Time per row of Tensor Sketch and Random Maclaurin against the number of features D, " +
			"for MNIST and for rows as long as D: " +
			"in the second the time of Random Maclaurin grows with the square of D, and the time of Tensor Sketch " +
			"little faster than D.",
		YName: "µs per row",
		Axes: plot.Axes{XLow: 64, XHigh: 8192, XTicks: []float64{64, 256, 1024, 4096},
			YLow: low / 1.3, YHigh: high * 1.3},
		PanelWidth: 330, PanelHeight: 300,
		Rows: []plot.Row{{Panels: []plot.Panel{
			{Title: "MNIST, d = 780", XName: "features D", Curves: fixed},
			{Title: "dense rows, d = D", XName: "features D = coordinates d", Curves: growing},
		}}},
		Explanations: []string{
			fmt.Sprintf("(⟨x,y⟩ + c)⁴, c = 1 unless said; native Go, one thread. Line: median of %d rounds; "+
				"shaded: their quartiles.", timeRounds),
		},
	}
	for tick := math.Pow(10, math.Ceil(math.Log10(p.YLow))); tick <= p.YHigh; tick *= 10 {
		p.YTicks = append(p.YTicks, tick)
	}
	return p
}

// timeText tells in numbers what the figure shows, at every second D.
func timeText(fixed, growing []plot.Curve) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s, %d rows side by side, one thread; medians of %d rounds, %s.\n", lab.Machine(),
		runtime.Version(), sketch.Lanes(), timeRounds, time.Now().Format("2006-01-02"))
	last := len(fixed[0].Xs) - 1
	for _, table := range []struct {
		name   string
		curves []plot.Curve
	}{{"MNIST, d = 780", fixed}, {"dense rows, d = D", growing}} {
		fmt.Fprintf(&b, "\n| %s: µs per row at D = |", table.name)
		for i := last % 2; i <= last; i += 2 {
			fmt.Fprintf(&b, " %s |", lab.Grouped(table.curves[0].Xs[i]))
		}
		fmt.Fprintf(&b, " grows as |\n|%s\n", strings.Repeat("---|", last/2+3))
		for _, c := range table.curves {
			if c.Style == &homogeneousMaclaurin.Style {
				continue // the picture has it
			}
			fmt.Fprintf(&b, "| %s |", c.Style.Name)
			for i := last % 2; i <= last; i += 2 {
				fmt.Fprintf(&b, " %s |", lab.Digits(c.Spreads[i].Middle))
			}
			fmt.Fprintf(&b, " D^%.2f |\n", exponent(&c, 1024))
		}
	}
	b.WriteString("\nThe exponents are fitted to D = 1,024 and above.\n")
	return b.String()
}

// exponent returns b of the least-squares fit y = a·x^b to the points from x on.
func exponent(c *plot.Curve, from float64) float64 {
	var xs, ys []float64
	for i, x := range c.Xs {
		if x >= from {
			xs, ys = append(xs, x), append(ys, c.Spreads[i].Middle)
		}
	}
	return lab.Exponent(xs, ys)
}
