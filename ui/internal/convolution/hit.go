package convolution

import (
	"strconv"

	"tensorsketch.example/ui/internal/lesson"
)

// Areas implements lesson.Picture.
func (c *Picture) Areas(size lesson.Size) []lesson.Area { return c.areas(c.layout(size)) }

func (c *Picture) areas(l *layout) []lesson.Area {
	em, n, d := l.em, c.matrix.size, len(c.p.X)
	areas := []lesson.Area{
		{Kind: lesson.Coordinate, Rows: 1, Columns: d, Rect: lesson.Rect{X: l.strip.Left, Y: l.strip.Top,
			Width: l.column * float64(d), Height: l.strip.Height() + 1.4*em}},
		{Kind: lesson.Bucket, Rows: 1, Columns: c.p.buckets(), Rect: lesson.Rect{X: l.plot.Left, Y: l.plot.Top - .6*em,
			Width: l.slot * float64(c.p.buckets()), Height: l.plot.Height() + 2*em}},
	}
	if c.p.Show == Frequencies {
		return append(areas, lesson.Area{Kind: lesson.Frequency, Rows: 1, Columns: c.distinct(),
			Rect: lesson.Rect{X: l.region.Left, Y: l.region.Top, Width: l.wave * float64(c.distinct()),
				Height: l.region.Height() + 1.4*em}})
	}
	if l.pairArea.Width > 0 {
		areas = append(areas, lesson.Area{Kind: lesson.Pair, Rows: d, Columns: d, Rect: l.pairArea})
	}
	return append(areas,
		lesson.Area{Kind: lesson.First, Rows: 1, Columns: n, Rect: lesson.Rect{X: l.square.X, Y: l.first.Top,
			Width: l.square.Width, Height: l.square.Y - l.first.Top}},
		lesson.Area{Kind: lesson.Second, Rows: n, Columns: 1, Rect: lesson.Rect{X: l.second.Left, Y: l.square.Y,
			Width: l.square.X - l.second.Left, Height: l.square.Height}},
		lesson.Area{Kind: lesson.Cell, Rows: n, Columns: n, Rect: l.square})
}

// Groups implements lesson.Picture.
func (c *Picture) Groups() []lesson.Group {
	n := c.matrix.size
	buckets := lesson.Group{Kind: lesson.Bucket, Label: "Buckets of " + c.resultName(), Rows: 1, Columns: c.p.buckets()}
	columns, rows := "Buckets m of "+c.firstName()+", the columns", "Buckets n of "+c.secondName()+", the rows"
	cells := "Products, by column m and row n"
	switch c.p.Show {
	case Frequencies:
		return []lesson.Group{c.Group(), {Kind: lesson.Frequency, Label: "Frequencies", Rows: 1, Columns: c.distinct()},
			buckets}
	case Coordinates:
		columns, rows = "Columns of x ⊗ x, by coordinate i", "Rows of x ⊗ x, by coordinate j"
		cells = "Products of coordinates, by column i and row j"
	}
	groups := []lesson.Group{c.Group(),
		{Kind: lesson.First, Label: columns, Rows: 1, Columns: n},
		{Kind: lesson.Second, Label: rows, Rows: 1, Columns: n},
		{Kind: lesson.Cell, Label: cells, Rows: n, Columns: n}}
	if c.pairs.size > 0 {
		groups = append(groups, lesson.Group{Kind: lesson.Pair,
			Label: "Products of coordinates in x ⊗ x, by column i and row j", Rows: c.pairs.size, Columns: c.pairs.size})
	}
	return append(groups, buckets)
}

// has reports whether the picture has an item.
func (c *Picture) has(item lesson.Item) bool { return lesson.Has(c.Groups(), item) }

// Drag implements lesson.Picture: the coordinates of x can be dragged.
func (c *Picture) Drag(size lesson.Size, item lesson.Item, _, y float64) (lesson.Change, bool) {
	return c.Set(item, c.layout(size).strip.Up(-1, 1).Of(y))
}

// StepTo implements lesson.Picture. There may be fewer distinct frequencies than buckets. The last step of either is
// stored as the number of buckets, so that a finished picture stays finished when the view changes.
func (c *Picture) StepTo(step int) lesson.Change {
	if step >= c.steps() {
		step = c.p.buckets()
	}
	return lesson.Change{Name: "step", Text: strconv.Itoa(max(step, 0))}
}
