package convolution

import (
	"slices"
	"strconv"

	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/vector"
)

// Drag implements lesson.Picture: the coordinates of x can be dragged.
func (c *Picture) Drag(size lesson.Size, item lesson.Item, x, y float64) (lesson.Change, bool) {
	if item.Kind != lesson.Coordinate || !c.has(item) {
		return lesson.Change{}, false
	}
	return c.changed(item.I, c.layout(size).value().Of(y)), true
}

// value returns the scale of the coordinates, from −1 to 1.
func (l *layout) value() draw.Scale {
	return draw.Scale{Low: -1, High: 1, From: l.strip.Bottom, To: l.strip.Top}
}

// Nudge implements lesson.Picture: a key press changes a coordinate by 0.05.
func (c *Picture) Nudge(item lesson.Item, by int) (lesson.Change, bool) {
	if item.Kind != lesson.Coordinate || !c.has(item) {
		return lesson.Change{}, false
	}
	return c.changed(item.I, c.p.X[item.I]+.05*float64(by)), true
}

func (c *Picture) changed(i int, value float64) lesson.Change {
	x := slices.Clone(c.p.X)
	x[i] = vector.Round(value)
	return lesson.Change{Name: "x", Text: vector.Format(x)}
}

// StepTo implements lesson.Picture. There may be fewer distinct frequencies than buckets. The last step of either is
// stored as the number of buckets, so that a finished picture stays finished when the view changes.
func (c *Picture) StepTo(step int) lesson.Change {
	if step >= c.steps() {
		step = c.p.buckets()
	}
	return lesson.Change{Name: "step", Text: strconv.Itoa(max(step, 0))}
}
