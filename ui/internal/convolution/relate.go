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
	look                                lesson.Item // the item pointed at, if it is in the picture
	focus                               lesson.Item // zero: all are strong
	coordinates, first, second, buckets []level
}

// focus returns the item pointed at, or else what a step in progress computes. For a pair it is the cell that holds it.
func (c *Picture) focus(look lesson.Item) lesson.Item {
	switch {
	case c.has(look) && look.Kind == lesson.Pair:
		m, n := c.cellOf(look.I, look.J)
		return lesson.Item{Kind: lesson.Cell, I: m, J: n}
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
	m, n, k := -1, -1, -1
	switch focus.Kind {
	case "":
		return strong
	case lesson.Bucket:
		k = focus.I
	case lesson.First:
		m = focus.I
	case lesson.Second:
		n = focus.I
	case lesson.Coordinate:
		m, n = c.home(focus.I)
	case lesson.Cell:
		if i == focus.I && j == focus.J {
			return strong
		}
		if c.matrix.bucket(i, j) == c.matrix.bucket(focus.I, focus.J) {
			return near
		}
	}
	if i == m || j == n || c.matrix.bucket(i, j) == k {
		return strong
	}
	return faint
}

// focused returns the index of the item of a kind that belongs to the focus, or −1.
func (c *Picture) focused(focus lesson.Item, kind lesson.Kind) int {
	m, n, k := -1, -1, -1
	switch focus.Kind {
	case kind:
		return focus.I
	case lesson.Cell:
		m, n, k = focus.I, focus.J, c.matrix.bucket(focus.I, focus.J)
	case lesson.Coordinate:
		m, n = c.home(focus.I)
	}
	switch kind {
	case lesson.First:
		return m
	case lesson.Second:
		return n
	case lesson.Bucket:
		return k
	}
	return -1
}

// relate computes the levels of all items for a focus. Related are the cells that belong to the focus, and the edge
// entries and buckets of those cells that are not zero.
func (c *Picture) relate(look lesson.Item) *relations {
	r := &relations{
		focus:       c.focus(look),
		coordinates: make([]level, len(c.p.X)), first: make([]level, c.matrix.size), second: make([]level, c.matrix.size),
		buckets: make([]level, c.p.buckets()),
	}
	if c.has(look) {
		r.look = look
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
	for kind, levels := range map[lesson.Kind][]level{lesson.First: r.first, lesson.Second: r.second,
		lesson.Bucket: r.buckets} {
		if k := c.focused(r.focus, kind); k >= 0 { // even if it is zero, or alone
			if r.focus.Kind == lesson.Coordinate {
				clear(levels)
			}
			levels[k] = strong
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
