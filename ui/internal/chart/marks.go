package chart

import (
	"math"

	"tensorsketch.example/ui/internal/draw"
)

// Around returns the range of those values that keep says; nil keeps all finite ones. Without any, Low is +Inf and High
// is −Inf.
func Around(keep func(float64) bool, values ...float64) Range {
	r := Range{math.Inf(1), math.Inf(-1)}
	for _, x := range values {
		if x-x == 0 && (keep == nil || keep(x)) {
			r.Low, r.High = min(r.Low, x), max(r.High, x)
		}
	}
	return r
}

// Padded returns the range with a margin.
func (r Range) Padded() Range {
	low, high := draw.Padded(r.Low, r.High)
	return Range{low, high}
}

// Wider returns the range with a margin for a logarithmic axis.
func (r Range) Wider(factor float64) Range { return Range{r.Low / factor, r.High * factor} }

// Positive reports whether a logarithmic axis can show a number.
func Positive(x float64) bool { return x > 0 && x-x == 0 }

// Path draws lines from each point to the next one that can be shown.
func (c *Chart) Path(b *draw.Builder, class string, points ...Point) {
	b.Path(class, c.path(points))
}

func (c *Chart) path(points []Point) string {
	path, n := &draw.Builder{}, 0
	for _, p := range points {
		if x, y, ok := c.At(p); ok {
			path.MoveOrLine(n, x, y)
			n++
		}
	}
	return path.String()
}

// Area fills what is between two lines with points from left to right.
func (c *Chart) Area(b *draw.Builder, class string, upper, lower []Point) {
	points := append([]Point(nil), upper...)
	for i := len(lower) - 1; i >= 0; i-- {
		points = append(points, lower[i])
	}
	if path := c.path(points); path != "" {
		b.Path(class, path+"Z")
	}
}

// Level draws a line at y through the whole frame, and Upright one at x.
func (c *Chart) Level(b *draw.Builder, class string, y float64) {
	b.Line(class, c.Left, c.Y.At(y), c.Right, c.Y.At(y))
}

func (c *Chart) Upright(b *draw.Builder, class string, x float64) {
	b.Line(class, c.X.At(x), c.Top, c.X.At(x), c.Bottom)
}

// Dots draws a dot for each point.
func (c *Chart) Dots(b *draw.Builder, class string, points ...Point) {
	path := &draw.Builder{}
	for _, p := range points {
		if x, y, ok := c.At(p); ok {
			path.Point(x, y)
		}
	}
	b.Path(class, path.String())
}

// An Interval is a vertical one at X.
type Interval struct{ X, Low, High float64 }

// Intervals draws each interval with a bar at both ends.
func (c *Chart) Intervals(b *draw.Builder, class string, intervals ...Interval) {
	path, half := &draw.Builder{}, .3*c.Em
	for _, i := range intervals {
		x, bottom, ok := c.At(Point{i.X, i.Low})
		_, top, is := c.At(Point{i.X, i.High})
		if ok && is {
			path.Text("M", x, " ", bottom, "V", top, "M", x-half, " ", top, "h", 2*half, "M", x-half, " ", bottom, "h", 2*half)
		}
	}
	b.Path(class, path.String())
}

// A Bar stands on the horizontal axis from Low to High.
type Bar struct{ Low, High, Y float64 }

// Bars draws bars that are higher than 0, with a line of the background between neighbours.
func (c *Chart) Bars(b *draw.Builder, class string, bars ...Bar) {
	path := &draw.Builder{}
	for _, bar := range bars {
		if left, right, top := c.X.At(bar.Low)+.5, c.X.At(bar.High)-.5, c.Y.At(bar.Y); top < c.Bottom {
			path.Text("M", left, " ", c.Bottom, "V", top, "H", right, "V", c.Bottom, "Z")
		}
	}
	b.Path(class, path.String())
}
