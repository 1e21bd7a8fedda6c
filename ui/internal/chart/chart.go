// Package chart draws plots of two numbers: axes, the marks between them and their legend. All plots of the page with
// axes of numbers stand on it. A number that an axis cannot show, such as NaN or 0 on a logarithmic one, has no mark.
package chart

import (
	"cmp"
	"strings"

	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/format"
)

// An Axis is described before it has its place.
type Axis struct {
	Range
	Title string // without room, what follows a semicolon is left out
	IsLog bool
	Ticks []float64                            // nil stands for round numbers, an empty list for none
	Label func([]float64) func(float64) string // for all ticks alike; nil stands for numbers
	Space float64                              // ems from one tick to the next, or 0
}

// A Chart is a plot whose axes have their places.
type Chart struct {
	draw.Frame
	X, Y   draw.Axis
	Em     float64
	Start  float64 // the pixel at which the vertical axis's title begins, and everything else after it
	titles [2]string
}

// The ems above a frame that a title needs, alone or with a legend below it, and those below a frame with two lines.
const (
	Above       = 2.2
	AboveLegend = 3.6
	Below       = 3.4
)

// New returns a chart in a frame. Its left edge moves right if the labels need more room.
func New(f draw.Frame, em float64, x, y Axis) *Chart {
	c := &Chart{Frame: f, Em: em, Start: .8 * em, titles: [2]string{x.Title, y.Title}}
	c.Y = y.place(f.Bottom, f.Top, em, 3, 2.2)
	c.Left = c.Y.Room(f.Left)
	c.X = x.place(c.Left, f.Right, em, 6, 5)
	return c
}

// place returns the axis from one pixel to another, with ticks so many ems apart.
func (a Axis) place(from, to, em, linear, logarithmic float64) draw.Axis {
	made, space := draw.Axis{Ticks: a.Ticks, Label: format.Short, Em: em}, linear
	scale := draw.Scale{Low: a.Low, High: a.High, From: from, To: to}
	if made.At = scale.At; a.IsLog {
		made.At, space = scale.Log(), logarithmic
	}
	n := int(max(to-from, from-to) / (cmp.Or(a.Space, space) * em))
	switch {
	case a.Ticks != nil:
	case a.IsLog:
		made.Ticks = draw.LogTicks(a.Low, a.High, max(2, n))
	default:
		made.Ticks, made.Label = draw.Ticks(a.Low, a.High, max(1, n)), nil
	}
	if a.Label != nil {
		made.Label = a.Label(made.Ticks)
	} else if made.Label == nil {
		made.Label = format.Axis(made.Ticks)
	}
	return made
}

// Axes draws the grid, the ticks' labels, the titles, and above the frame a legend of what will be drawn.
func (c *Chart) Axes(b *draw.Builder, legend ...Key) {
	b.Grid(c.Frame, c.Y)
	b.Across(c.Bottom+1.5*c.Em, c.Right+c.Em, .5*c.Em, c.X)
	if c.titles[0] != "" {
		b.Label(c.Right, c.Bottom+2.9*c.Em, "end", c.titles[0])
	}
	y := c.Top - .9*c.Em
	if c.legend(b, y, legend); legend != nil {
		y -= AboveLegend*c.Em - Above*c.Em
	}
	if title := c.titles[1]; title != "" {
		if draw.TextWidth(title, c.Em) > c.Right-c.Start {
			title, _, _ = strings.Cut(title, ";")
		}
		b.Label(c.Start, y, "start", title)
	}
}

// A Point has its numbers on both axes.
type Point struct{ X, Y float64 }

// At returns the pixels of a point, and whether both axes can show it.
func (c *Chart) At(p Point) (x, y float64, ok bool) {
	x, y = c.X.At(p.X), c.Y.At(p.Y)
	return x, y, x-x == 0 && y-y == 0
}

// A Range holds the ends of an axis.
type Range struct{ Low, High float64 }
