package algorithm

import (
	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/lesson"
)

// Sizes in em.
const (
	narrow  = 44.0 // below this width, names are under their rows instead of beside them
	widest  = 64.0 // above this width, the sides stay empty
	margin  = 1.0
	badges  = 2.2 // the column of step numbers
	names   = 5.4 // the column of names, in each lane
	between = 0.9 // the gap between the lanes

	barHeight   = 3.2
	ringRadius  = 2.0
	line        = 1.35
	wireHeight  = 4.0
	arrowHeight = 2.2
)

// A strip is a row of cells of equal width, one per number.
type strip struct {
	left, cell float64
	count      int
	top        float64
}

func (s strip) center(i int) float64 { return s.left + s.cell*(float64(i)+.5) }
func (s strip) middle() float64      { return s.left + s.cell*float64(s.count)/2 }

// A layout holds the positions of all parts.
type layout struct {
	em          float64
	narrow      bool
	left, right float64 // the badges are on the left
	vector      strip
	sketches    [2]strip
	spectra     [2]strip
	product     strip
	features    strip
	compared    text
	spread      text
	bottom      float64
}

// A text is a paragraph: its lines and the position of the first.
type text struct {
	lines []string
	top   float64
}

// Fit returns the size of the picture in a column of the given width.
func (p *Picture) Fit(width, em float64) lesson.Size {
	return lesson.Size{Width: width, Height: p.layout(width, em).bottom, Em: em}
}

func (p *Picture) layout(width, em float64) layout {
	l := layout{em: em, narrow: width < narrow*em}
	if l.narrow {
		l.left = margin / 2 * em
	} else {
		l.left = max(margin*em, (width-widest*em)/2)
	}
	l.right = width - l.left
	l.across(len(p.x), len(p.features))
	l.down(p)
	return l
}

// across places the strips horizontally. The lanes are side by side, and the other strips are centred between them.
func (l *layout) across(nFeatures, nComponents int) {
	before, name := badges*l.em, names*l.em
	if l.narrow {
		before, name = 0, 0
	}
	lane := (l.right - l.left - before - between*l.em) / 2
	cell := (lane - name) / float64(nComponents)
	for k := range l.sketches {
		l.sketches[k] = strip{left: l.left + before + name + float64(k)*(lane+between*l.em), cell: cell, count: nComponents}
	}
	middle := (l.sketches[0].middle() + l.sketches[1].middle()) / 2
	room := l.right - l.left - badges*l.em
	centered := func(middle float64, count int, cell float64) strip {
		cell = min(cell, room/float64(count))
		return strip{left: middle - cell*float64(count)/2, cell: cell, count: count}
	}
	l.product = centered(middle, nComponents, max(cell, 4.4*l.em))
	l.features, l.spectra = l.product, l.sketches
	if l.narrow {
		middle = l.right - room/2
	}
	l.vector = centered(middle, nFeatures, max(cell, 6*l.em))
}

// down places the strips vertically.
func (l *layout) down(p *Picture) {
	y := margin
	next := func(height float64) float64 {
		top := y * l.em
		y += height
		return top
	}
	name := 0.0
	if l.narrow {
		name = line
	}
	l.vector.top = next(barHeight + 2*line + wireHeight + line) // numbers, signs, wires, buckets
	sketch := next(barHeight + 2*line + arrowHeight)            // numbers, sums or a name
	spectrum := next(2*ringRadius + 2*line + name + arrowHeight + .9)
	for k := range l.sketches {
		l.sketches[k].top, l.spectra[k].top = sketch, spectrum
	}
	l.product.top = next(2*ringRadius + 2*line + name + arrowHeight)
	l.features.top = next(barHeight + 2*line + name + 1.2)
	for _, paragraph := range []struct {
		text     *text
		sentence string
	}{{&l.compared, p.compared()}, {&l.spread, p.spread()}} {
		paragraph.text.lines = draw.Wrap(paragraph.sentence, l.right-l.left-badges*l.em, l.em)
		paragraph.text.top = next(line*float64(len(paragraph.text.lines)) + .7)
	}
	l.bottom = next(0)
}
