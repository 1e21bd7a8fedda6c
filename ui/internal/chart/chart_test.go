package chart

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"tensorsketch.example/ui/internal/draw"
)

// TestAxes: numbers lie where their axes say, linear or logarithmic, and labels have their room on the left.
func TestAxes(t *testing.T) {
	f := draw.Frame{Left: 10, Top: 20, Right: 410, Bottom: 220}
	c := New(f, 10, Axis{Range: Range{1, 100}, IsLog: true}, Axis{Range: Range{0, 1e6}})
	if c.Left <= f.Left || c.Right != f.Right {
		t.Errorf("the frame is %v", c.Frame)
	}
	for p, want := range map[Point][2]float64{{1, 0}: {c.Left, 220}, {100, 1e6}: {410, 20},
		{10, 5e5}: {(c.Left + 410) / 2, 120}} {
		if x, y, ok := c.At(p); !ok || math.Abs(x-want[0]) > 1e-9 || math.Abs(y-want[1]) > 1e-9 {
			t.Errorf("%v is at (%v, %v), want %v", p, x, y, want)
		}
	}
	for _, p := range []Point{{0, 1}, {-1, 1}, {math.NaN(), 1}, {1, math.Inf(1)}} {
		if _, _, ok := c.At(p); ok {
			t.Errorf("%v can be shown", p)
		}
	}
	if fmt.Sprint(c.X.Ticks) != "[1 3 10 30 100]" || len(c.Y.Ticks) < 3 {
		t.Errorf("the ticks are %v and %v", c.X.Ticks, c.Y.Ticks)
	}
	if none := New(f, 10, Axis{Range: Range{0, 1}, Ticks: []float64{}}, Axis{Range: Range{0, 1}}); len(none.X.Ticks) > 0 {
		t.Errorf("ticks although there should be none: %v", none.X.Ticks)
	}
}

// TestMarks: what an axis cannot show has no mark, and its neighbours are joined.
func TestMarks(t *testing.T) {
	c := New(draw.Frame{Left: 0, Top: 0, Right: 100, Bottom: 100}, 1, Axis{Range: Range{0, 10}, Ticks: []float64{}},
		Axis{Range: Range{0, 10}, Ticks: []float64{}})
	nan := math.NaN()
	for want, draws := range map[string]func(b *draw.Builder){
		`<path class="a" d="M0 100L100 0"/>`: func(b *draw.Builder) {
			c.Path(b, "a", Point{0, 0}, Point{5, nan}, Point{10, 10})
		},
		`<path class="a" d="M50 50h0"/>`: func(b *draw.Builder) { c.Dots(b, "a", Point{nan, 1}, Point{5, 5}) },
		`<path class="a" d="M0 0L100 0L100 100L0 100Z"/>`: func(b *draw.Builder) {
			c.Area(b, "a", []Point{{0, 10}, {10, 10}}, []Point{{0, 0}, {10, 0}})
		},
		`<path class="a" d="M10.5 100V50H19.5V100Z"/>`: func(b *draw.Builder) { c.Bars(b, "a", Bar{1, 2, 5}, Bar{2, 3, 0}) },
		`<path class="a" d="M50 80V20M49.7 20h0.6M49.7 80h0.6"/>`: func(b *draw.Builder) {
			c.Intervals(b, "a", Interval{5, 2, 8}, Interval{6, nan, 1})
		},
		"": func(b *draw.Builder) { c.Path(b, "a"); c.Area(b, "a", nil, nil) },
	} {
		b := &draw.Builder{}
		if draws(b); b.String() != want {
			t.Errorf("got %s, want %s", b, want)
		}
	}
	if r := Around(Positive, nan, -1, 0, 2, 8, math.Inf(1)); r != (Range{2, 8}) || r.Wider(2) != (Range{1, 16}) {
		t.Errorf("the range is %v", r)
	}
}

// TestList: entries without room are left out, and the bars of an axis with negative numbers begin at 0.
func TestList(t *testing.T) {
	b := &draw.Builder{}
	var entries []Entry
	for i := range 9 {
		entries = append(entries, Entry{Name: strings.Repeat("long name ", i+1), Text: "text", Class: "right",
			Value: float64(i - 4), Interval: Interval{Low: math.NaN(), High: math.NaN()}})
	}
	if n := List(b, draw.Frame{Right: 300, Bottom: 100}, 10, Axis{Range: Range{-4, 4}}, entries); n != 5 {
		t.Errorf("%d entries in the room of 5", n)
	}
	if got := strings.Count(b.String(), ">text<"); got != 5 || strings.Contains(b.String(), "NaN") {
		t.Errorf("%d texts in %s", got, b)
	}
}
