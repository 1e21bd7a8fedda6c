package plane

import (
	"math"

	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
)

// A layout holds the positions of the parts: three squares, side by side or below each other, each with its name above,
// and the legend at the end.
type layout struct {
	em     float64
	panels [panels]lesson.Rect
	maps   []lesson.Rect // of features, in the first square
	strips []lesson.Rect // of the numbers of one point, below the squares
	radius float64       // of a point
	isLow  bool
	// isBeside reports whether the strips are beside the squares, as on a screen in lecture mode.
	isBeside bool
	legend   [][]sample
	legends  float64 // the height of the first row of the legend
}

// A sample is an entry of the legend: the shape of a point, or only words.
type sample struct {
	point       *Point
	text        string
	width, left float64
}

const (
	wideEms   = 44  // from this width on, in em, the squares are side by side
	margin    = .9  // around the picture, in em
	between   = 1.4 // two squares
	head      = 2.1 // the name above a square
	lowHead   = 3.4 // the name in two rows
	lowWindow = 40  // in a lower window, in em, even narrow squares are side by side
	legendGap = 1.7 // from the last square to the first row of the legend
	legendRow = 1.6
	strip     = 2.4 // the height of the numbers of a point
	stripHead = 1.5 // the name above a strip
	strips    = 3
	mapHead   = 1.15 // the name above a map
	mapGap    = .4
	mapsWide  = 3 // the number of maps side by side
)

// Fit implements lesson.Picture.
func (c *Picture) Fit(width, window, em float64) lesson.Size {
	if width < wideEms*em && window < lowWindow*em {
		return lesson.Size{Width: width, Height: lowSide(width, em) + (lowHead+margin)*em, Em: em}
	}
	side, wide := c.side(width, window, em)
	height := head*em + side
	if !wide {
		height *= panels
	}
	height += c.below() * em
	height += (legendGap + legendRow*float64(len(c.samples(width, em))-1) + margin) * em
	return lesson.Size{Width: width, Height: height, Em: em}
}

// Lengths of a screen's picture, in em.
const (
	screenStrips = 10.0 // the width of the strips beside the squares
	lowestScreen = 16.0
	leastSide    = 11.0 // of a square above strips
)

// FitScreen implements lesson.Screened: with maps of features, the numbers of a point are beside the squares.
func (c *Picture) FitScreen(width, height, em float64) (lesson.Size, bool) {
	return lesson.Size{Width: width, Height: height, Em: em},
		c.parts != nil && width >= wideEms*em && height >= lowestScreen*em
}

// below returns the height of the strips, in em.
func (c *Picture) below() float64 {
	if c.parts == nil {
		return 0
	}
	return strips * (strip + stripHead)
}

// side returns the side of a square, and whether the squares are side by side.
func (c *Picture) side(width, window, em float64) (side float64, wide bool) {
	if width < wideEms*em {
		return min(width-2*margin*em, 26*em), false
	}
	return min((width-(2*margin+2*between)*em)/panels, max(window-(30+c.below())*em, 20*em)), true
}

// isLow reports whether the picture is narrow and low: three squares side by side, and no legend.
func isLow(size lesson.Size) bool {
	return size.Width < wideEms*size.Em && size.Height < 1.5*size.Width
}

// lowSide returns the side of a square of a low picture.
func lowSide(width, em float64) float64 { return (width - (2*margin+2*between)*em) / panels }

func (c *Picture) layout(size lesson.Size) *layout {
	em := size.Em
	l := &layout{em: em, legend: c.samples(size.Width, em)}
	l.legends = size.Height - (margin+legendRow*float64(len(l.legend)-1))*em
	heights := l.legends - legendGap*em - c.below()*em
	if isLow(size) {
		side := lowSide(size.Width, em)
		l.legend, l.isLow = nil, true
		for k := range l.panels {
			l.panels[k] = lesson.Rect{X: (margin+float64(k)*between)*em + float64(k)*side, Y: lowHead * em, Width: side,
				Height: side}
		}
	} else if size.Width < wideEms*em {
		side := heights/panels - head*em
		for k := range l.panels {
			top := float64(k)*(heights/panels) + head*em
			l.panels[k] = lesson.Rect{X: (size.Width - side) / 2, Y: top, Width: side, Height: side}
		}
	} else if side := heights - head*em; c.parts != nil && side < leastSide*em {
		row := size.Width - (2*margin+2*between+between+screenStrips)*em
		side = min(row/panels, side+c.below()*em)
		for k := range l.panels {
			l.panels[k] = lesson.Rect{X: margin*em + float64(k)*(side+between*em), Y: head * em, Width: side, Height: side}
		}
		l.isBeside = true
	} else {
		left := (size.Width - panels*side - 2*between*em) / 2
		for k := range l.panels {
			l.panels[k] = lesson.Rect{X: left + float64(k)*(side+between*em), Y: head * em, Width: side, Height: side}
		}
	}
	if c.parts != nil {
		c.placeParts(l, size)
	}
	l.radius = min(max(l.panels[0].Width/85, .2*em), .45*em)
	return l
}

// placeParts places the maps of features in the first square, and the strips below the squares.
func (c *Picture) placeParts(l *layout, size lesson.Size) {
	first, last, em := l.panels[0], l.panels[panels-1], l.em
	head, gap := mapHead*em, mapGap*em
	if l.isLow {
		head, gap = .25*em, .25*em
	}
	side := (first.Height-gap)/mapsWide - head
	step := (first.Width - side) / (mapsWide - 1)
	for n := range c.parts.maps {
		l.maps = append(l.maps, lesson.Rect{X: first.X + float64(n%mapsWide)*step,
			Y: first.Y + float64(n/mapsWide)*(head+side) + head, Width: side, Height: side})
	}
	if l.isLow {
		return
	}
	left := min(first.X, margin*em)
	if l.isBeside {
		left = last.X + last.Width + between*em
		each := min((l.legends-legendGap*em-last.Y)/strips, 6*em)
		for k := range strips {
			l.strips = append(l.strips, lesson.Rect{X: left, Y: last.Y + float64(k)*each + stripHead*em - head/2,
				Width: size.Width - margin*em - left, Height: each - stripHead*em})
		}
		return
	}
	for k := range strips {
		y := last.Y + last.Height + (float64(k)*(strip+stripHead)+stripHead)*em
		l.strips = append(l.strips, lesson.Rect{X: left, Y: y, Width: size.Width - 2*left, Height: strip * em})
	}
}

// mostBars is the number of bars that a strip has room for.
func mostBars(width, em float64) int { return int(width / (.25 * em)) }

// at returns the pixel of a place of the plane in a panel.
func (l *layout) at(panel int, x, y float64) (px, py float64) {
	return pixel(l.panels[panel], x, y)
}

// pixel returns the pixel of a place of the plane in a square.
func pixel(r lesson.Rect, x, y float64) (px, py float64) {
	return r.X + (x/edge+1)/2*r.Width, r.Y + (1-y/edge)/2*r.Height
}

// samples returns the entries of the legend, in rows.
func (c *Picture) samples(width, em float64) (rows [][]sample) {
	entries := []sample{{point: &Point{}, text: "+ learned from"}, {point: &Point{Minus: true}, text: "−"}}
	if !c.inTurn() {
		entries = append(entries, sample{point: &Point{HeldOut: true}, text: "+ held out"},
			sample{point: &Point{HeldOut: true, Minus: true}, text: "−"})
	}
	entries = append(entries, sample{text: "plain: answer +, striped: −"})
	if c.parts != nil {
		entries = append(entries, sample{text: "a map: w·f(x) less its mean"}, sample{text: "thin: the border of all"})
		if max(c.p.NComponents, len(c.parts.learned)) > mostBars(width-2*margin*em, em) {
			entries = append(entries, sample{text: "a bar: the largest of several"})
		}
	} else {
		entries = append(entries, sample{text: "%: right, of those held out"})
	}
	used := math.Inf(1)
	for _, s := range entries {
		s.width = draw.TextWidth(s.text, em)
		if s.point != nil {
			s.width += 1.1 * em
		}
		if used+s.width > width-2*margin*em {
			rows, used = append(rows, nil), 0
		}
		s.left = margin*em + used
		used += s.width + 1.4*em
		rows[len(rows)-1] = append(rows[len(rows)-1], s)
	}
	return rows
}

// names returns the name of each model.
func (c *Picture) names() [panels]string {
	return [panels]string{"Straight line", "Sketch, D = " + format.Count(c.p.NComponents), "Exact kernel"}
}

// headings returns the name above each square. The short form leaves out D.
func (c *Picture) headings(short bool) [panels]string {
	names := c.names()
	if short {
		names[sketched], names[exact] = "Sketch", "Exact"
	}
	if c.parts != nil {
		names[0], names[sketched] = "Features × weights", "Sum of maps"
		if c.shown(sketched) == c.models[sketched] {
			names[sketched] = "Sum of all = sketch"
		}
		if short {
			names[0], names[sketched] = "Features", "Sum"
		}
	}
	return names
}

// Areas implements lesson.Picture. The places of all three squares are the same items. Points are only for the
// keyboard, because a press adds a point wherever it is.
func (c *Picture) Areas(size lesson.Size) []lesson.Area {
	l := c.layout(size)
	var areas []lesson.Area
	for n, r := range l.maps {
		areas = append(areas, lesson.Area{Kind: lesson.Bucket, Rect: r, Rows: 1, Columns: 1, First: n})
	}
	for k, panel := range l.panels {
		if k == 0 && c.parts != nil {
			continue
		}
		areas = append(areas, lesson.Area{Kind: lesson.Cell, Rect: panel, Rows: places, Columns: places})
	}
	for i, p := range c.points {
		x, y := l.at(panels-1, p.X, p.Y)
		r := lesson.Rect{X: x - 1.6*l.radius, Y: y - 1.6*l.radius, Width: 3.2 * l.radius, Height: 3.2 * l.radius}
		areas = append(areas, lesson.Area{Kind: lesson.Coordinate, Rect: r, Rows: 1, Columns: 1, First: i, Unpressed: true})
	}
	return areas
}
