package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tensorsketch.example/sketch"
	"tensorsketch.example/tools/internal/plot"
)

var (
	tsStyle    = plot.Style{Name: "Tensor Sketch", Class: "ts", Mark: plot.Circle}
	kkStyle    = plot.Style{Name: "RM, all orders", Class: "rm", Mark: plot.Square}
	rmStyle    = plot.Style{Name: "RM", Class: "other", Mark: plot.Diamond}
	exactStyle = plot.Style{Name: "exact kernel", Class: "rm", Mark: plot.Square}
	setStyles  = []plot.Style{{Name: "MNIST", Class: "ts", Mark: plot.Circle},
		{Name: "Adult", Class: "rm", Mark: plot.Square}, {Name: "covtype20k", Class: "other", Mark: plot.Diamond}}
	kddStyles   = map[string]*plot.Style{"ts": &tsStyle, "kk": &kkStyle, "rm": &rmStyle}
	drawnStyles = map[string]*plot.Style{
		sketch.MethodTensorSketch:    &tsStyle,
		sketch.MethodRandomMaclaurin: {Name: "Random Maclaurin", Class: "rm", Mark: plot.Square},
		sketch.MethodNystroem:        {Name: "Nyström", Class: "other", Mark: plot.Diamond},
		sketch.MethodKSpace:          {Name: "k-Space", Class: "fourth", Mark: plot.Up},
		sketch.MethodRandomFourier:   {Name: "random Fourier", Class: "fifth", Mark: plot.Down},
	}
)

// curve draws a value of cells, with its standard deviation.
func (b *book) curve(style *plot.Style, xs []float64, id func(x float64) string, name string) plot.Curve {
	c := plot.Curve{Style: style}
	for _, x := range xs {
		if m := b.over(id(x), name); m.n > 0 {
			v, d := m.value, m.deviation
			c.Xs = append(c.Xs, x)
			c.Spreads = append(c.Spreads, plot.Spread{Middle: v, Low: max(v-d, v/2), High: v + d})
		}
	}
	return c
}

// panel returns a panel with axes around its curves, without those that have no points; and whether any has.
func panel(title, xName string, linear bool, curves ...plot.Curve) (plot.Panel, bool) {
	curves = slices.DeleteFunc(curves, func(c plot.Curve) bool { return len(c.Xs) < 2 })
	a := &plot.Axes{XLow: math.Inf(1), YLow: math.Inf(1), Linear: linear}
	for _, c := range curves {
		a.XLow, a.XHigh = min(a.XLow, c.Xs[0]), max(a.XHigh, c.Xs[len(c.Xs)-1])
		for _, s := range c.Spreads {
			a.YLow, a.YHigh = min(a.YLow, s.Low), max(a.YHigh, s.High)
		}
		if len(c.Xs) > len(a.XTicks) {
			a.XTicks = c.Xs
		}
	}
	for len(a.XTicks) > 4 { // every second, with the last
		var few []float64
		for i := (len(a.XTicks) - 1) % 2; i < len(a.XTicks); i += 2 {
			few = append(few, a.XTicks[i])
		}
		a.XTicks = few
	}
	if linear {
		step := 1.0
		for _, wide := range []float64{2, 5, 10, 20} {
			if (a.YHigh-a.YLow)/step > 6 {
				step = wide
			}
		}
		a.YLow, a.YHigh = step*math.Floor(a.YLow/step), step*math.Ceil(a.YHigh/step)
		for y := a.YLow; y <= a.YHigh; y += step {
			a.YTicks = append(a.YTicks, y)
		}
	} else {
		a.YLow, a.YHigh = a.YLow/1.3, a.YHigh*1.3
		for y := math.Pow(10, math.Ceil(math.Log10(a.YLow))); y <= a.YHigh; y *= 10 {
			a.YTicks = append(a.YTicks, y)
		}
	}
	return plot.Panel{Title: title, XName: xName, Curves: curves, Axes: a}, len(curves) > 0
}

// picture draws panels side by side into a file beside the document, and returns what shows it: nothing, if any panel
// is empty.
func (b *book) picture(name, alt, yName string, width float64, panels func(add func(plot.Panel, bool)),
	note string) string {
	p := &plot.Plot{Description: alt, YName: yName, PanelWidth: width, PanelHeight: 200, Gap: 52,
		Explanations: []string{note}}
	row, complete := plot.Row{}, true
	panels(func(of plot.Panel, ok bool) { row.Panels, complete = append(row.Panels, of), complete && ok })
	if !complete {
		return ""
	}
	p.Rows = []plot.Row{row}
	file := "experiments-" + name + ".svg"
	if err := os.WriteFile(filepath.Join(b.folder, file), []byte(p.SVG()), 0o644); err != nil {
		return err.Error()
	}
	return fmt.Sprintf("![%s](%s)\n\n", alt, file)
}

func floats(of []int) (xs []float64) {
	for _, x := range of {
		xs = append(xs, float64(x))
	}
	return xs
}

// curvesPictures are Figures 2 to 4.
func (b *book) curvesPictures() string {
	text := ""
	for _, of := range []struct {
		name, alt, y, value string
		k                   polynomial
		linear              bool
	}{
		{"accuracy-c0", "Figure 3: accuracy against D, ⟨x,y⟩²", "accuracy in %", "accuracy", polynomial{2, 0}, true},
		{"accuracy-c1", "Figure 3: accuracy against D, (1 + ⟨x,y⟩)²", "accuracy in %", "accuracy", polynomial{2, 1}, true},
		{"mapping", "Figure 2: time for mapping the training rows against D", "seconds", "map", polynomial{2, 1}, false},
		{"training", "Figure 4: time for training against D", "seconds", "train", polynomial{2, 1}, false},
	} {
		text += b.picture(of.name, of.alt, of.y, 190, func(add func(plot.Panel, bool)) {
			for _, s := range kddSets {
				var curves []plot.Curve
				for _, m := range []string{"ts", "kk", "rm"} {
					curves = append(curves, b.curve(kddStyles[m], floats(curveDs[s.name]), func(x float64) string {
						return fmt.Sprintf("kdd-curves/%s/%s/%s/%g", s.name, of.k.id(), m, x)
					}, of.value))
				}
				add(panel(strings.Split(s.title, ",")[0], "features D", of.linear, curves...))
			}
		}, of.k.String()+". Line: mean of the seeds; shaded: ± standard deviation.")
	}
	return text
}

func (b *book) mapsPicture() string {
	return b.picture("maps", "Accuracy against D for five maps on three data sets", "accuracy in %", 230,
		func(add func(plot.Panel, bool)) {
			for _, name := range mapSets {
				var curves []plot.Curve
				for _, m := range sketch.Methods() {
					if style := drawnStyles[m.Name]; style != nil {
						curves = append(curves, b.curve(style, floats(mapDs), func(x float64) string {
							return fmt.Sprintf("maps/%s/%s/%g", name, m.Name, x)
						}, "accuracy"))
					}
				}
				add(panel(b.title(name), "features D", true, curves...))
			}
		}, "Line: mean of the seeds; shaded: ± standard deviation.")
}

func (b *book) privatePicture() string {
	return b.picture("private", "Accuracy of private models against ε", "accuracy in %", 420,
		func(add func(plot.Panel, bool)) {
			var curves []plot.Curve
			for i, of := range privateSets {
				c := plot.Curve{Style: &setStyles[i]}
				for _, epsilon := range epsilons {
					one := b.curve(c.Style, []float64{epsilon}, func(float64) string { return "private/" + of.name },
						fmt.Sprint(epsilon))
					c.Xs, c.Spreads = append(c.Xs, one.Xs...), append(c.Spreads, one.Spreads...)
				}
				curves = append(curves, c)
			}
			add(panel("δ 1e-5", "ε", true, curves...))
		}, "Line: mean of the seeds; shaded: ± standard deviation.")
}

func (b *book) exactPicture() string {
	return b.picture("exact", "Time for training against the number of rows, exact kernel and sketch", "seconds", 420,
		func(add func(plot.Panel, bool)) {
			add(panel("MNIST, (1 + ⟨x,y⟩)²", "rows", false,
				b.curve(&exactStyle, floats(exactRows), func(x float64) string {
					if x == 60000 {
						return "kdd-table1/mnist/p2c1/exact"
					}
					return fmt.Sprintf("exact/%g/exact", x)
				}, "train"),
				b.curve(&tsStyle, floats(exactRows), func(x float64) string { return fmt.Sprintf("exact/%g/ts", x) }, "train")))
		}, "One thread. Tensor Sketch: D = 1,000.")
}
