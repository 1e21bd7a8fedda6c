package convergence

import (
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"tensorsketch.example/ui/internal/chart"
	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/lesson"
)

var _ lesson.Picture = (*Picture)(nil)

// The sizes of a column of the page from a phone to a projector.
func sizes(p *Picture) []lesson.Size {
	return []lesson.Size{
		p.Fit(288, 640, 12), p.Fit(320, 800, 13), p.Fit(420, 900, 13), p.Fit(wideEms*13-1, 900, 13),
		p.Fit(wideEms*13+1, 900, 13), p.Fit(700, 400, 13),
		{Width: 1100, Height: 560, Em: 13}, p.Fit(1100, 900, 13), p.Fit(1500, 2000, 13), p.Fit(3000, 2000, 26),
		p.Fit(3000, 900, 13),
	}
}

// TestDrag: dragged up and down the marker stays in its column, and beyond the end it is at the end.
func TestDrag(t *testing.T) {
	p := newPicture(t, opening(), nil)
	for _, size := range sizes(p) {
		for c := range Columns {
			item := lesson.Item{Kind: lesson.Column, I: c}
			bounds := lesson.Bounds(p.Areas(size), item)
			for _, y := range []float64{-50, bounds.Y, size.Height + 50} {
				if change, ok := p.Drag(size, item, bounds.X+bounds.Width/2, y); !ok || change != p.StepTo(c) {
					t.Errorf("%v: dragged to %v gives %v", size, item, change)
				}
			}
		}
		if got, _ := p.Drag(size, lesson.Item{Kind: lesson.Column}, 1e9, 0); got != p.StepTo(Columns-1) {
			t.Errorf("%v: dragged beyond the end gives %v", size, got)
		}
	}
}

// TestFit: the height has its bounds, and the layout does not depend on estimates.
func TestFit(t *testing.T) {
	p := newPicture(t, opening(), nil)
	for _, width := range []float64{300, 500, 600, 1100, 3000} {
		for _, window := range []float64{300, 700, 1200} {
			size := p.Fit(width, window, 13)
			if size.Width != width || size.Height < lowest*13 || size.Height > max(window-19*13, 42*13) {
				t.Errorf("%v × %v: got %v", width, window, size)
			}
		}
	}
	full := newPicture(t, opening(), someSamples(t, opening(), 400))
	for _, size := range sizes(p) {
		a, b := p.layout(size), full.layout(size)
		isSame := func(a, b *chart.Chart) bool {
			return a.Frame == b.Frame && a.Y.At(.1) == b.Y.At(.1) && a.Y.At(2) == b.Y.At(2)
		}
		if !isSame(a.cloud, b.cloud) || !isSame(a.errors, b.errors) {
			t.Errorf("%v: the layout changes as estimates come in", size)
		}
	}
}

// someSamples returns invented estimates of some seeds.
func someSamples(t *testing.T, p Params, seeds int) *Samples {
	s := begun(t, p)
	for c, estimates := range synthetic(p.Pairs, seeds, rand.New(rand.NewPCG(11, 12))) {
		s.Add(c, 0, estimates)
	}
	return s
}

// TestMarker: the marker is as wide as its column, and its tab as its label; what
// lies beyond the axis is explained.
func TestMarker(t *testing.T) {
	p := newPicture(t, with(func(p *Params) { p.NComponents = 16384 }), nil)
	size := p.Fit(350, 800, 13)
	l := p.layout(size)
	path := regexp.MustCompile(`class="mark" d="M([0-9.]+) [0-9.]+H([0-9.]+)V[0-9.]+H[0-9.]+v[0-9.]+h-([0-9.]+)V`).
		FindStringSubmatch(p.SVG(size, lesson.Item{}, false))
	if path == nil {
		t.Fatal("no marker")
	}
	for k, want := range []float64{l.x(11) - l.step()/2, l.x(11) + l.step()/2, draw.TextWidth("16,384", size.Em) + .9*13} {
		if got, _ := strconv.ParseFloat(path[k+1], 64); math.Abs(got-want) > .06 {
			t.Errorf("number %d of the marker is %v, want %v", k, got, want)
		}
	}
	for _, test := range []struct {
		estimate float64
		want     bool
	}{{p.kernel, false}, {100, true}} {
		samples := begun(t, p.params)
		samples.Add(0, 0, []float64{test.estimate})
		if got := strings.Contains(newPicture(t, p.params, samples).SVG(size, lesson.Item{}, false), "beyond"); got !=
			test.want {
			t.Errorf("an estimate of %v: triangles are explained: %v", test.estimate, got)
		}
	}
}
