package convolution

import (
	"math"

	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/lesson"
)

// Lengths of the layout, in units of the font size.
const (
	wideFrom   = 40.0 // below this width, the picture is stacked
	lowest     = 32.0 // of a wide picture
	highest    = 62.0
	above      = 12.6 // the strip of x and the upper edge of the matrix
	shortFrom  = 25.0 // below this height, x is beside that edge
	shortAbove = 6.2  // the upper edge of the matrix alone
	below      = 3.6  // two lines of caption
	tickRoom   = 4.6
	widestPlot = 48.0 // of the result
	widestX    = 3.0  // of a column of x
	widestCell = 5.0
	widestBar  = 6.0 // with the gap beside it
	line       = 1.35
	lowWork    = 6.2  // the work below the matrix of a low picture
	shortWork  = 14.2 // the width of the work beside the result of a short one
)

// A layout holds the positions of all parts.
type layout struct {
	em    float64
	wide  bool
	terse bool // there is no room for captions and notes
	// shortWork reports whether the work has two lines of words, and no title.
	shortWork bool
	wired     bool        // there is room for lines from x to its sketches
	left      float64     // the left edge of names and captions
	strip     draw.Frame  // the bars of x
	first     draw.Frame  // the bars on the upper edge of the matrix
	second    draw.Frame  // the bars on its left edge
	square    lesson.Rect // the matrix; its sides are whole CSS pixels, for the canvas
	plot      draw.Frame  // the bars of the result
	// The widths of a coordinate of x, a cell of the matrix, a bucket of the result and a frequency.
	column, pitch, slot, wave float64
	region                    draw.Frame // the room for the matrix or the spectra
	// Baselines of the first line of the caption under the region and of the note under the result, and the width of
	// the caption.
	caption, note, captionWidth float64
	magnitude, phase            [3]draw.Frame // of the spectra
	name                        float64       // how far above a spectrum's bars its name stands
	pairArea, work              lesson.Rect   // of x ⊗ x, and of the work; empty without room
}

// Fit implements lesson.Picture.
func (c *Picture) Fit(width, window, em float64) lesson.Size {
	if width < wideFrom*em {
		return lesson.Size{Width: width, Height: c.narrowHeight(width, em), Em: em}
	}
	height := min(window-26*em, c.sideOf(width, em)+(above+c.wiresRoom()+below)*em, highest*em)
	return lesson.Size{Width: width, Height: math.Floor(max(height, lowest*em)), Em: em}
}

// narrowHeight returns the height of a picture that is stacked.
func (c *Picture) narrowHeight(width, em float64) float64 {
	return math.Ceil(c.narrow(width, em).note + (2*line+.6+c.narrowAside())*em)
}

// sideOf returns the side of the matrix for which a wide picture has room.
func (c *Picture) sideOf(width, em float64) float64 {
	return width - (1.2+6.2+3+tickRoom+1.2)*em - max(12.5*em, .3*width)
}

func (c *Picture) layout(size lesson.Size) *layout {
	if size.Width >= wideFrom*size.Em {
		return c.wide(size)
	}
	whole := c.narrowHeight(size.Width, size.Em)
	if size.Height < whole-c.narrowAside()*size.Em {
		return c.low(size)
	}
	l := c.narrow(size.Width, size.Em)
	if size.Height < whole {
		l.work = lesson.Rect{}
		l.placeCorner(c, l.strip.Right, 1)
		l.arrange(c)
	}
	return l
}

// IsElastic implements lesson.Elastic.
func (c *Picture) IsElastic() {}

// IsTall implements lesson.Tall: three spectra need room.
func (c *Picture) IsTall() bool { return c.p.Show == Frequencies }

// wide places the strip of x at the top, the matrix on the left and the result on the right. With little height the
// matrix begins at the top, and x is above the result alone.
func (c *Picture) wide(size lesson.Size) *layout {
	em := size.Em
	above := above
	if size.Height >= wiresFrom*em {
		above += c.wiresRoom()
	}
	isShort := size.Height < shortFrom*em
	if isShort {
		above = shortAbove
	}
	side := min(c.sideOf(size.Width, em), size.Height-(above+below)*em)
	used := min(size.Width, side+(1.2+6.2+3+tickRoom+widestPlot+1.2)*em)
	l := &layout{em: em, wide: true, left: (size.Width-used)/2 + 1.2*em}
	right := l.left + used - 2.4*em
	edge := math.Round(l.left + 6.2*em)
	top := math.Round(above * em)
	l.strip = draw.Frame{Left: edge, Top: .9 * em, Right: right, Bottom: 4.7 * em}
	l.region = draw.Frame{Left: edge, Top: top, Right: edge + side, Bottom: top + side}
	l.second = draw.Frame{Left: l.left, Top: top, Right: l.left + 3.5*em}
	l.first = draw.Frame{Left: edge, Top: (above - 5.3) * em, Bottom: (above - 1.5) * em}
	l.wired = size.Height >= wiresFrom*em
	bottom := size.Height - below*em
	resultLeft := l.region.Right + 3*em
	if c.p.Show == Frequencies {
		l.region = draw.Frame{Left: edge, Top: 6.9 * em, Right: max(l.region.Right, edge+.5*(right-edge)),
			Bottom: bottom - 1.4*em}
		resultLeft = l.region.Right + 2*em
		if isShort {
			l.region.Top = .2 * em
		}
	}
	if isShort {
		l.strip.Left = resultLeft + tickRoom*em
	}
	l.plot = draw.Frame{Left: resultLeft + tickRoom*em, Top: 9 * em, Right: right, Bottom: bottom - 1.6*em}
	if room := l.plot.Height() - (asideHeight+1.2)*em; room >= 9*em && right-resultLeft >= (pairsSide+2+3*workWidth)*em {
		l.placeAside(c, resultLeft, l.plot.Top-.8*em, right)
		l.plot.Top += (asideHeight + 1.2) * em
	} else {
		l.placeCorner(c, right, 4)
		if isShort && c.p.Show != Frequencies && l.plot.Width() >= (shortWork+9)*em && l.plot.Height() >= 4*em {
			l.plot.Right -= (shortWork + 1.5) * em
			top := max(l.pairArea.Y+l.pairArea.Height, l.strip.Bottom) + 1.2*em
			l.work = lesson.Rect{X: right - shortWork*em, Y: top, Width: shortWork * em,
				Height: bottom - top - (1.5+line)*em}
			l.shortWork = true
		}
		if l.wired { // the lines from the last coordinates end above its title
			l.plot.Top += c.wiresRoom() * em
		}
	}
	l.note = bottom + 1.4*em
	l.captionWidth = l.region.Right - l.left + em
	l.arrange(c)
	l.caption = max(min(l.caption, l.note), l.square.Y+l.square.Height+1.4*em)
	return l
}

// narrow stacks the strip of x, the matrix or the spectra, and the result, from top to bottom.
func (c *Picture) narrow(width, em float64) *layout {
	l := &layout{em: em, left: .8 * em}
	edge, right := math.Round(6*em), width-.8*em
	above := above + c.wiresRoom()
	top := math.Round((above + .8) * em)
	l.strip = draw.Frame{Left: edge, Top: .9 * em, Right: right, Bottom: 5.7 * em}
	l.second = draw.Frame{Left: l.left, Top: top, Right: l.left + 2.6*em}
	l.first = draw.Frame{Left: edge, Top: (above - 3.7) * em, Bottom: (above - .7) * em}
	l.wired = true
	l.region = draw.Frame{Left: edge, Top: top, Right: right, Bottom: top + right - edge}
	if c.p.Show == Frequencies {
		l.region = draw.Frame{Left: edge, Top: 7.8 * em, Right: right, Bottom: 7.8*em + max(24*em, right-edge)}
	}
	l.captionWidth = right - l.left
	end := l.region.Bottom + 1.4*em + 3*line*em // f labels, and three lines of caption
	if c.p.Show != Frequencies {
		end = l.region.Bottom + 3*line*em
	}
	l.plot = draw.Frame{Left: l.left + tickRoom*em, Top: end + 3.6*em, Right: right, Bottom: end + 15*em}
	l.note = l.plot.Bottom + 3.2*em
	l.placeAside(c, l.left, l.note+2*line*em, right)
	l.arrange(c)
	return l
}

// low has less height than narrow: the result is beside the matrix or the spectra, and nothing is said.
func (c *Picture) low(size lesson.Size) *layout {
	em := size.Em
	l := &layout{em: em, terse: true, left: .8 * em}
	edge, right, bottom := math.Round(6*em), size.Width-.8*em, size.Height-1.2*em
	const toPlot = .8 + tickRoom // from the matrix to the result
	side := .57 * (right - edge - toPlot*em)
	l.strip = draw.Frame{Left: edge, Top: .9 * em, Right: right, Bottom: 3.7 * em}
	if c.p.Show == Frequencies {
		l.region = draw.Frame{Left: edge, Top: l.strip.Bottom + 1.6*em, Right: edge + side, Bottom: bottom - .4*em}
	} else {
		const above = 10.3 // with bars of the least height
		side = min(side, bottom-above*em)
		more := bottom - above*em - side // for the work, and for higher bars
		hasWork := more >= lowWork*em
		if hasWork {
			more -= lowWork * em
		}
		more = min(more, 6*em)
		l.strip.Bottom += .4 * more
		l.first = draw.Frame{Left: edge, Top: l.strip.Bottom + 2.4*em, Bottom: l.strip.Bottom + 5.1*em + .6*more}
		top := math.Round(l.first.Bottom + 1.5*em)
		l.second = draw.Frame{Left: l.left, Top: top, Right: l.left + 2.6*em}
		l.region = draw.Frame{Left: edge, Top: top, Right: edge + side, Bottom: top + side}
		if hasWork {
			l.work = lesson.Rect{X: l.left, Y: l.region.Bottom + .8*em, Width: edge + side - l.left,
				Height: bottom - l.region.Bottom - (.8+2.6)*em}
		}
	}
	l.plot = draw.Frame{Left: l.region.Right + toPlot*em, Top: l.strip.Bottom + 4.4*em, Right: right,
		Bottom: bottom - .6*em}
	l.placeCorner(c, right, 1)
	l.arrange(c)
	return l
}

// arrange places the parts inside the region.
func (l *layout) arrange(c *Picture) {
	em := l.em
	l.slot = min(l.plot.Width()/float64(c.p.buckets()), widestBar*em)
	l.column = min(l.strip.Width()/float64(len(c.p.X)), widestX*em)
	if c.p.Show == Frequencies {
		l.wave = min(l.region.Width()/float64(c.distinct()), widestBar*em)
		row := l.region.Height() / 3
		words, phase, gap := min(1.9*em, max(1.4*em, .3*row)), min(2.1*em, .3*row), min(.45*em, .05*row)
		l.name = min(.8*em, words-.9*em)
		for k := range 3 {
			top := l.region.Top + float64(k)*row
			end := top + row - gap
			l.magnitude[k] = draw.Frame{Left: l.region.Left, Top: top + words, Right: l.region.Right, Bottom: end - phase - gap}
			l.phase[k] = draw.Frame{Left: l.region.Left, Top: end - phase, Right: l.region.Right, Bottom: end}
		}
		l.caption = l.region.Bottom + 2.6*em
		return
	}
	side := math.Floor(min(l.region.Width(), float64(c.matrix.size)*widestCell*em))
	l.pitch = side / float64(c.matrix.size)
	l.square = lesson.Rect{X: l.region.Left, Y: l.region.Top, Width: side, Height: side}
	l.second.Bottom = l.second.Top + side
	l.first.Right = l.first.Left + side
	l.caption = l.region.Top + side + 1.4*em
}
