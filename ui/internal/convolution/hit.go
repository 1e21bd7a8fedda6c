package convolution

import "tensorsketch.example/ui/internal/lesson"

// An area is the part of the picture that contains all items of a kind, in rows and columns of equal size.
type area struct {
	kind          lesson.Kind
	rect          lesson.Rect
	rows, columns int
}

// areas returns the areas of the picture. They do not overlap.
func (c *Picture) areas(l *layout) []area {
	em, n := l.em, c.matrix.size
	bars := lesson.Rect{X: l.plot.Left, Y: l.plot.Top - .6*em, Width: l.slot * float64(c.p.buckets()),
		Height: l.plot.Height() + 2*em}
	areas := []area{
		{lesson.Coordinate, lesson.Rect{X: l.strip.Left, Y: l.strip.Top, Width: l.column * float64(len(c.p.X)),
			Height: l.strip.Height() + 1.4*em}, 1, len(c.p.X)},
		{lesson.Bucket, bars, 1, c.p.buckets()},
	}
	if c.p.Show == Frequencies {
		waves := lesson.Rect{X: l.region.Left, Y: l.region.Top, Width: l.wave * float64(c.distinct()),
			Height: l.region.Height() + 1.4*em}
		return append(areas, area{lesson.Frequency, waves, 1, c.distinct()})
	}
	return append(areas,
		area{lesson.First, lesson.Rect{X: l.square.X, Y: l.first.Top, Width: l.square.Width,
			Height: l.square.Y - l.first.Top}, 1, n},
		area{lesson.Second, lesson.Rect{X: l.second.Left, Y: l.square.Y, Width: l.square.X - l.second.Left,
			Height: l.square.Height}, n, 1},
		area{lesson.Cell, l.square, n, n})
}

// Hit implements lesson.Picture.
func (c *Picture) Hit(size lesson.Size, x, y float64) lesson.Item {
	for _, area := range c.areas(c.layout(size)) {
		if !area.rect.Contains(x, y) {
			continue
		}
		row := min(int((y-area.rect.Y)/area.rect.Height*float64(area.rows)), area.rows-1)
		column := min(int((x-area.rect.X)/area.rect.Width*float64(area.columns)), area.columns-1)
		switch area.kind {
		case lesson.Cell:
			return lesson.Item{Kind: area.kind, I: column, J: row}
		case lesson.Second:
			return lesson.Item{Kind: area.kind, I: row}
		}
		return lesson.Item{Kind: area.kind, I: column}
	}
	return lesson.Item{}
}

// Bounds implements lesson.Picture.
func (c *Picture) Bounds(size lesson.Size, item lesson.Item) lesson.Rect {
	return c.bounds(c.layout(size), item)
}

func (c *Picture) bounds(l *layout, item lesson.Item) lesson.Rect {
	if !c.has(item) {
		return lesson.Rect{}
	}
	for _, area := range c.areas(l) {
		if area.kind != item.Kind {
			continue
		}
		row, column := 0, item.I
		switch item.Kind {
		case lesson.Cell:
			row, column = item.J, item.I
		case lesson.Second:
			row, column = item.I, 0
		}
		width, height := area.rect.Width/float64(area.columns), area.rect.Height/float64(area.rows)
		return lesson.Rect{X: area.rect.X + float64(column)*width, Y: area.rect.Y + float64(row)*height, Width: width,
			Height: height}
	}
	return lesson.Rect{}
}

// Groups implements lesson.Picture.
func (c *Picture) Groups() []lesson.Group {
	coordinates := lesson.Group{Kind: lesson.Coordinate, Label: "Coordinates of x", Rows: 1, Columns: len(c.p.X),
		CanNudge: true}
	buckets := lesson.Group{Kind: lesson.Bucket, Label: "Buckets of " + c.resultName(), Rows: 1, Columns: c.p.buckets()}
	n := c.matrix.size
	switch c.p.Show {
	case Frequencies:
		return []lesson.Group{coordinates, {Kind: lesson.Frequency, Label: "Frequencies", Rows: 1, Columns: c.distinct()},
			buckets}
	case Coordinates:
		return []lesson.Group{coordinates,
			{Kind: lesson.First, Label: "Columns of x ⊗ x, by coordinate i", Rows: 1, Columns: n},
			{Kind: lesson.Second, Label: "Rows of x ⊗ x, by coordinate j", Rows: 1, Columns: n},
			{Kind: lesson.Cell, Label: "Products of coordinates, by column i and row j", Rows: n, Columns: n},
			buckets}
	}
	return []lesson.Group{coordinates,
		{Kind: lesson.First, Label: "Buckets m of " + c.firstName() + ", the columns", Rows: 1, Columns: n},
		{Kind: lesson.Second, Label: "Buckets n of " + c.secondName() + ", the rows", Rows: 1, Columns: n},
		{Kind: lesson.Cell, Label: "Products, by column m and row n", Rows: n, Columns: n},
		buckets}
}
