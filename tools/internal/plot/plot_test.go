package plot

import (
	"math"
	"regexp"
	"strings"
	"testing"
)

func TestApart(t *testing.T) {
	for _, c := range []struct{ in, want []float64 }{
		{[]float64{1, 50}, []float64{1, 50}},
		{[]float64{10, 12}, []float64{6, 16}},
		{[]float64{10, 10, 10}, []float64{0, 10, 20}},
		{[]float64{0, 19, 21}, []float64{0, 15, 25}},
		{[]float64{0, 12, 14}, []float64{-4.0 / 3, 26.0 / 3, 56.0 / 3}},
	} {
		got := apart(c.in, 10)
		for i := range c.want {
			if math.Abs(got[i]-c.want[i]) > 1e-9 {
				t.Errorf("apart(%v, 10) = %v, want %v", c.in, got, c.want)
				break
			}
		}
	}
}

func TestCorners(t *testing.T) {
	for _, linear := range []bool{false, true} {
		p := &Plot{Axes: Axes{XLow: 1, XHigh: 100, YLow: 2, YHigh: 50, Linear: linear}, PanelWidth: 30, PanelHeight: 40}
		f := frame{Plot: p, axes: &p.Axes, left: 10, top: 20}
		if f.x(1) != 10 || f.x(100) != 40 || f.y(50) != 20 || f.y(2) != 60 {
			t.Errorf("linear %v: the corners are at %v, %v and %v, %v", linear, f.x(1), f.y(2), f.x(100), f.y(50))
		}
		if middle := f.y(26); linear != (middle == 40) {
			t.Errorf("linear %v: the middle is at %v", linear, middle)
		}
	}
}

// TestClasses: each class of an element has a rule, in the same letters.
func TestClasses(t *testing.T) {
	style := &Style{Name: "a", Class: "ts"}
	curve := Curve{Style: style, Xs: []float64{1, 10}, Spreads: []Spread{{2, 2, 3}, {4, 3, 5}}, Normal: []float64{2, 4}}
	p := &Plot{Axes: Axes{XLow: 1, XHigh: 10, YLow: 1, YHigh: 10, XTicks: []float64{1, 10}, YTicks: []float64{1, 10}},
		PanelWidth: 100, PanelHeight: 100, StrongTick: 1, StrongNote: "b",
		Rows: []Row{{"c", []Panel{{Title: "d", XName: "e", Curves: []Curve{curve}}}}}}
	svg := p.SVG()
	classes := regexp.MustCompile(`class="([^"]*)"`).FindAllStringSubmatch(svg, -1)
	if len(classes) < 10 {
		t.Fatalf("%d elements have a class", len(classes))
	}
	for _, of := range classes {
		for _, class := range strings.Fields(of[1]) {
			if !regexp.MustCompile(`\.` + class + `\b`).MatchString(stylesheet) {
				t.Errorf("no rule is for the class %s", class)
			}
		}
	}
}
