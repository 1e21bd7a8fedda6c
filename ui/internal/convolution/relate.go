package convolution

import "tensorsketch.example/ui/internal/lesson"

// A level says how closely an item belongs to the one in focus.
type level uint8

const (
	faint  level = iota // not at all
	near                // it meets an item that belongs to it
	strong              // it is the item in focus, or enters its sum
)

// class returns the CSS classes of a shape at a level.
func (l level) class(name string) string {
	if l == faint {
		return name + " faint"
	}
	return name
}

// relations holds the levels of all items for a focus.
type relations struct {
	focus                               lesson.Item // zero: all are strong
	coordinates, first, second, buckets []level
}

// focus returns the item pointed at, or else what a step in progress computes.
func (c *Picture) focus(look lesson.Item) lesson.Item {
	switch {
	case c.has(look):
		return look
	case c.isDone():
		return lesson.Item{}
	}
	return c.current()
}

// current returns what the last step computed: a bucket or a frequency, or the zero Item.
func (c *Picture) current() lesson.Item {
	if c.p.Step == 0 {
		return lesson.Item{}
	}
	if c.p.Show == Frequencies {
		return lesson.Item{Kind: lesson.Frequency, I: c.p.Step - 1}
	}
	return lesson.Item{Kind: lesson.Bucket, I: c.p.Step - 1}
}

// home returns the entries of the first and the second edge that coordinate i falls into. −1 stands for all entries
// of the first edge, which holds products in later stages.
func (c *Picture) home(i int) (m, n int) {
	if c.p.Show == Coordinates {
		return i, i
	}
	bucket := c.cache.tables.bucket
	if c.p.Stage > 1 {
		return -1, bucket[c.p.Stage][i]
	}
	return bucket[0][i], bucket[1][i]
}

// cell returns the level of a cell.
func (c *Picture) cell(focus lesson.Item, i, j int) level {
	yes := false
	switch focus.Kind {
	case "":
		yes = true
	case lesson.Bucket:
		yes = c.matrix.bucket(i, j) == focus.I
	case lesson.First:
		yes = i == focus.I
	case lesson.Second:
		yes = j == focus.I
	case lesson.Cell:
		if i == focus.I && j == focus.J {
			return strong
		}
		if c.matrix.bucket(i, j) == c.matrix.bucket(focus.I, focus.J) {
			return near
		}
	case lesson.Coordinate:
		m, n := c.home(focus.I)
		yes = i == m || j == n
	}
	if yes {
		return strong
	}
	return faint
}

// relate computes the levels of all items for a focus. Related are the cells that belong to the focus, and the edge
// entries and buckets of those cells that are not zero.
func (c *Picture) relate(look lesson.Item) *relations {
	r := &relations{
		focus:       c.focus(look),
		coordinates: make([]level, len(c.p.X)), first: make([]level, c.matrix.size), second: make([]level, c.matrix.size),
		buckets: make([]level, c.p.buckets()),
	}
	if r.focus.Kind != "" && r.focus.Kind != lesson.Frequency {
		c.relateCells(r)
		c.relateCoordinates(r)
		return r
	}
	for _, levels := range [][]level{r.coordinates, r.first, r.second, r.buckets} {
		for i := range levels {
			levels[i] = strong
		}
	}
	return r
}

// frequency returns the level of a frequency.
func (r *relations) frequency(f int) level {
	if r.focus.Kind == lesson.Frequency && r.focus.I != f {
		return faint
	}
	return strong
}

func (c *Picture) relateCells(r *relations) {
	for i := range c.matrix.size {
		for j := range c.matrix.size {
			if c.matrix.set(i, j) && c.cell(r.focus, i, j) == strong {
				r.first[i], r.second[j], r.buckets[c.matrix.bucket(i, j)] = strong, strong, strong
			}
		}
	}
	switch f := r.focus; f.Kind { // even if they are zero, or alone
	case lesson.Bucket:
		r.buckets[f.I] = strong
	case lesson.First:
		r.first[f.I] = strong
	case lesson.Second:
		r.second[f.I] = strong
	case lesson.Cell:
		r.first[f.I], r.second[f.J], r.buckets[c.matrix.bucket(f.I, f.J)] = strong, strong, strong
	case lesson.Coordinate:
		m, n := c.home(f.I)
		clear(r.second)
		r.second[n] = strong
		if m >= 0 {
			clear(r.first)
			r.first[m] = strong
		}
	}
}

// relateCoordinates marks the coordinates that fall into a strong entry of an edge.
func (c *Picture) relateCoordinates(r *relations) {
	if r.focus.Kind == lesson.Coordinate {
		r.coordinates[r.focus.I] = strong
		return
	}
	for i, value := range c.p.X {
		m, n := c.home(i)
		first := r.focus.Kind != lesson.Second && (m < 0 || r.first[m] == strong)
		second := r.focus.Kind != lesson.First && r.second[n] == strong
		if value != 0 && (first || second) {
			r.coordinates[i] = strong
		}
	}
}
