// Package draw has what all pictures of the page share: an SVG writer, scales, ticks, and the classes that give
// shapes their meaning.
//
// The exact value is a dark line, theory a grey band, samples are dots. Plus is blue and solid, minus orange and
// hatched.
package draw

import (
	"math"
	"strconv"
	"strings"
)

// A Builder writes SVG. Coordinates have one decimal.
type Builder struct{ strings.Builder }

// Text writes strings unchanged and numbers with at most one decimal.
func (b *Builder) Text(parts ...any) {
	for _, part := range parts {
		switch part := part.(type) {
		case string:
			b.WriteString(part)
		case float64:
			b.Number(part)
		case int:
			b.WriteString(strconv.Itoa(part))
		}
	}
}

// Number writes x with at most one decimal. A picture has thousands of numbers, so it avoids strconv's search for
// the shortest digits.
func (b *Builder) Number(x float64) {
	tenths := int(math.Round(x * 10))
	if tenths < 0 {
		b.WriteByte('-')
		tenths = -tenths
	}
	b.WriteString(strconv.Itoa(tenths / 10))
	if tenths %= 10; tenths != 0 {
		b.WriteByte('.')
		b.WriteByte(byte('0' + tenths))
	}
}

// Open begins a picture; description is its content in words. A standalone picture includes its colours and its
// background. Close ends it.
func (b *Builder) Open(width, height, em float64, description string, standalone bool) {
	b.Text(`<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 `, width, " ", height, `" width="`, width,
		`" height="`, height,
		`" font-size="`, em, `" aria-label="`, Escape(description), `">`)
	if standalone {
		b.Text("<style>", Style, `</style><rect class="ground" width="100%" height="100%"/>`)
	}
}

// Close ends the picture.
func (b *Builder) Close() { b.WriteString("</svg>") }

// Point writes one dot into a path of class "dots".
func (b *Builder) Point(x, y float64) {
	b.WriteByte('M')
	b.Number(x)
	b.WriteByte(' ')
	b.Number(y)
	b.WriteString("h0")
}

// Circle writes a circle into a path. The radius has one decimal, so that two of it are the width: with 3.8 and 7.5 the
// arcs would make an oval.
func (b *Builder) Circle(x, y, radius float64) {
	radius = math.Round(radius*10) / 10
	b.Text("M", x-radius, " ", y, "a", radius, " ", radius, " 0 1 0 ", 2*radius, " 0a", radius, " ", radius, " 0 1 0 ",
		-2*radius, " 0")
}

// Path draws a path, unless it is empty.
func (b *Builder) Path(class, path string) {
	if path != "" {
		b.Text(`<path class="`, class, `" d="`, path, `"/>`)
	}
}

// Paths collects shapes by their class. All shapes of a class become one path.
type Paths map[string]*Builder

// Of returns the path of a class.
func (p Paths) Of(class string) *Builder {
	if p[class] == nil {
		p[class] = new(Builder)
	}
	return p[class]
}

// Filled draws the paths of the given classes in this order. It hatches minus; the picture must contain Hatch.
func (b *Builder) Filled(paths Paths, classes ...string) {
	for _, class := range classes {
		path := paths.Of(class).String()
		if b.Path(class, path); path != "" && strings.HasPrefix(class, "minus") {
			b.Text(`<path fill="url(#hatch)" d="`, path, `"/>`)
		}
	}
}

// Line draws a straight line.
func (b *Builder) Line(class string, x0, y0, x1, y1 float64) {
	b.Text(`<path class="`, class, `" d="M`, x0, " ", y0, "L", x1, " ", y1, `"/>`)
}

// Rect draws a rectangle. If the height is negative, y is its lower edge.
func (b *Builder) Rect(class string, x, y, width, height float64) {
	if height < 0 {
		y, height = y+height, -height
	}
	b.Text(`<rect class="`, class, `" x="`, x, `" y="`, y, `" width="`, width, `" height="`, height, `"/>`)
}

// Label writes a text. anchor is "start", "middle" or "end".
func (b *Builder) Label(x, y float64, anchor, text string) {
	b.LabelOf("", x, y, anchor, text)
}

// LabelOf writes a text with a class.
func (b *Builder) LabelOf(class string, x, y float64, anchor, text string) {
	b.WriteString("<text")
	if class != "" {
		b.Text(` class="`, class, `"`)
	}
	b.Text(` x="`, x, `" y="`, y, `" text-anchor="`, anchor, `">`, Escape(text), "</text>")
}

// MoveOrLine writes the next point of a path. k is 0 for the first point.
func (b *Builder) MoveOrLine(k int, x, y float64) {
	command := "L"
	if k == 0 {
		command = "M"
	}
	b.Text(command, x, " ", y)
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// Escape escapes a text for use between tags and in quotes.
func Escape(text string) string { return escaper.Replace(text) }

// TextWidth estimates the width of a text. Letters of system fonts are about half an em wide.
func TextWidth(text string, em float64) float64 {
	return .54 * em * float64(len([]rune(text)))
}

// Shortened cuts a text to a width, and ends it with an ellipsis then.
func Shortened(text string, width, em float64) string {
	letters := []rune(text)
	for len(letters) > 1 && TextWidth(text, em) > width {
		letters = letters[:len(letters)-1]
		text = string(letters) + "…"
	}
	return text
}

// Wrap divides a text into lines of at most the given width. It breaks only at plain spaces.
func Wrap(text string, width, em float64) []string {
	var lines []string
	for word := range strings.SplitSeq(text, " ") {
		if last := len(lines) - 1; last >= 0 && TextWidth(lines[last]+" "+word, em) <= width {
			lines[last] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}
