package chart

import (
	"strings"

	"tensorsketch.example/ui/internal/draw"
)

// A Key is an entry of a legend: the class of a mark, and its name.
type Key struct{ Class, Name string }

// legend names marks on a line of text at y, right-aligned.
func (c *Chart) legend(b *draw.Builder, y float64, keys []Key) {
	right := c.Right
	for i := len(keys) - 1; i >= 0; i-- {
		k := keys[i]
		b.Label(right, y, "end", k.Name)
		right -= draw.TextWidth(k.Name, c.Em) + .5*c.Em
		right -= specimen(b, k.Class, right, y-.32*c.Em, c.Em) + 1.1*c.Em
	}
}

// specimen draws a mark that ends at a pixel and has its middle at a height. It returns its width.
func specimen(b *draw.Builder, class string, right, middle, em float64) (width float64) {
	width = 1.4 * em
	switch kind, _, _ := strings.Cut(class, " "); kind {
	case "dots":
		width = .8 * em
		b.Text(`<path class="`, class, `" d="M`, right-.4*em, " ", middle, `h0"/>`)
	case "band", "wash", "bars":
		b.Rect(class, right-width, middle-.5*em, width, em)
	default:
		b.Line(class, right-width, middle, right, middle)
	}
	return width
}
