// Package sample draws small digits. They are the page's own data, shown before a visitor opens a file.
//
// The digits have the form of the UCI optical digits: a stroke drawn on 32 × 32 dots and counted in blocks of 4 × 4
// gives 8 × 8 integers from 0 to 16. The generator does not use package math, so every platform draws the same
// digits.
package sample

import "tensorsketch.example/ui/internal/splitmix"

// Side is the width and height of a digit. Features is the number of values in a digit.
const (
	Side     = 8
	Features = Side * Side
	Most     = 16 // the largest value
)

const (
	block = 4
	dots  = Side * block
	steps = 24 // points along each curve
)

// Digits draws n digits, 0 to 9 in turn. Each is one row of Features numbers.
func Digits(n int) (rows []float32, labels []uint8) {
	rows = make([]float32, n*Features)
	labels = make([]uint8, n)
	random := splitmix.Source(1)
	for i := range n {
		labels[i] = uint8(i % len(shapes))
		draw(rows[i*Features:(i+1)*Features], shapes[labels[i]], &random)
	}
	return rows, labels
}

// Mixed draws the rows of the sample: the digits of Digits, a quarter of them with ink and paper swapped. No sum of
// pixels knows which is which, so a linear model fails on them; products of pixels do not.
func Mixed(n int) (rows []float32, labels []uint8) {
	rows, labels = Digits(n)
	random := splitmix.Source(2)
	for i := range n {
		if random.Below(4) > 0 {
			continue
		}
		row := rows[i*Features : (i+1)*Features]
		for k, x := range row {
			row[k] = Most - x
		}
	}
	return rows, labels
}

type point struct{ x, y float64 }

// A curve is a cubic Bézier curve. The inner points of a straight line are on the chord.
type curve [4]point

// shapes are the strokes of the ten digits in the unit square, y downwards.
var shapes = [10][]curve{
	{{{.5, .1}, {.14, .1}, {.14, .9}, {.5, .9}}, {{.5, .9}, {.86, .9}, {.86, .1}, {.5, .1}}},
	{line(.36, .28, .55, .1), line(.55, .1, .55, .9)},
	{{{.25, .3}, {.25, .03}, {.75, .03}, {.75, .32}}, {{.75, .32}, {.75, .5}, {.35, .7}, {.25, .9}},
		line(.25, .9, .78, .9)},
	{{{.27, .2}, {.4, .02}, {.75, .08}, {.72, .3}}, {{.72, .3}, {.7, .45}, {.55, .48}, {.45, .48}},
		{{.45, .48}, {.62, .48}, {.78, .55}, {.76, .72}}, {{.76, .72}, {.73, .95}, {.38, .97}, {.24, .8}}},
	{line(.58, .1, .22, .62), line(.22, .62, .8, .62), line(.62, .38, .62, .92)},
	{line(.72, .12, .34, .12), line(.34, .12, .3, .46), {{.3, .46}, {.45, .36}, {.78, .42}, {.76, .68}},
		{{.76, .68}, {.74, .95}, {.38, .96}, {.25, .8}}},
	{{{.66, .1}, {.4, .2}, {.27, .45}, {.27, .68}}, {{.27, .68}, {.27, .97}, {.75, .97}, {.75, .68}},
		{{.75, .68}, {.75, .43}, {.35, .42}, {.28, .66}}},
	{line(.24, .13, .76, .13), {{.76, .13}, {.6, .4}, {.48, .6}, {.44, .9}}},
	{{{.5, .48}, {.22, .4}, {.26, .1}, {.5, .1}}, {{.5, .1}, {.76, .1}, {.76, .4}, {.5, .48}},
		{{.5, .48}, {.2, .58}, {.2, .9}, {.5, .9}}, {{.5, .9}, {.8, .9}, {.8, .58}, {.5, .48}}},
	{{{.72, .32}, {.68, .57}, {.27, .57}, {.27, .3}}, {{.27, .3}, {.27, .04}, {.73, .04}, {.73, .32}},
		{{.73, .32}, {.73, .6}, {.62, .8}, {.52, .92}}},
}

func line(x0, y0, x1, y1 float64) curve {
	return curve{{x0, y0}, {float64(2*x0+x1) / 3, float64(2*y0+y1) / 3}, {float64(x0+2*x1) / 3, float64(y0+2*y1) / 3},
		{x1, y1}}
}

// draw writes one digit with random handwriting: slant, size, position, pen width and unsteadiness.
func draw(row []float32, shape []curve, random *splitmix.Source) {
	slant := random.Between(-.25, .2)
	width, height := random.Between(.72, 1.02), random.Between(.8, 1)
	dx, dy := random.Between(-.06, .06), random.Between(-.05, .05)
	pen := random.Between(1.7, 2.9)
	var ink [dots][dots]bool
	for _, c := range shape {
		for k := range c {
			x := c[k].x + random.Between(-.035, .035) - .5
			y := c[k].y + random.Between(-.035, .035) - .5
			c[k].x = (float64(x*width) - float64(y*slant) + .5 + dx) * dots
			c[k].y = (float64(y*height) + .5 + dy) * dots
		}
		for k := range steps + 1 {
			stamp(&ink, c.at(float64(k)/steps), pen)
		}
	}
	for i := range dots {
		for j := range dots {
			if ink[i][j] {
				row[i/block*Side+j/block]++
			}
		}
	}
}

// at returns the point of the curve at t, computed by de Casteljau's algorithm.
func (c curve) at(t float64) point {
	for n := len(c) - 1; n > 0; n-- {
		for k := range n {
			c[k].x += float64(t * (c[k+1].x - c[k].x))
			c[k].y += float64(t * (c[k+1].y - c[k].y))
		}
	}
	return c[0]
}

// stamp inks the dots within the radius of p.
func stamp(ink *[dots][dots]bool, p point, radius float64) {
	for i := max(int(p.y-radius), 0); i <= min(int(p.y+radius), dots-1); i++ {
		for j := max(int(p.x-radius), 0); j <= min(int(p.x+radius), dots-1); j++ {
			dy, dx := float64(i)+.5-p.y, float64(j)+.5-p.x
			if float64(dx*dx)+float64(dy*dy) <= float64(radius*radius) {
				ink[i][j] = true
			}
		}
	}
}
