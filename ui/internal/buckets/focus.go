package buckets

import "tensorsketch.example/ui/internal/lesson"

// A focus is what is pointed at and what belongs to it: a bucket, and the
// coordinates below upTo that fall into it.
type focus struct {
	item   lesson.Item
	bucket int // −1: there is no focus
	upTo   int
}

// focusOn returns the focus on an item. The zero Item stands for the coordinate
// that has just fallen, until all have.
func (p *Picture) focusOn(look lesson.Item) focus {
	switch {
	case !p.has(look):
		if p.p.Step == 0 || p.done() {
			return focus{bucket: -1}
		}
		i := p.p.Step - 1
		return focus{lesson.Item{Kind: lesson.Coordinate, I: i}, p.h[i], p.p.Step}
	case look.Kind == lesson.Coordinate:
		return focus{look, p.h[look.I], p.d()}
	}
	return focus{look, look.I, p.d()}
}

// A level is how much a shape stands out.
type level int

const (
	plain level = iota
	faint
	strong
	levels
)

// class returns the classes of a shape at a level.
func (l level) class(name string) string {
	return name + [levels]string{"", " faint", " strong"}[l]
}

// related tells whether a coordinate belongs to what is pointed at.
func (p *Picture) related(f focus, i int) bool { return p.h[i] == f.bucket && i < f.upTo }

// bar returns the level of the bar of a coordinate: one that waits to fall is
// plain while others do.
func (p *Picture) bar(f focus, i int) level {
	switch {
	case f.bucket < 0:
		return plain
	case p.related(f, i):
		return strong
	case f.upTo < p.d() && i >= p.p.Step:
		return plain
	}
	return faint
}

// wire returns the level of the wire of a coordinate, and whether it is drawn: when
// the coordinate has fallen, or is pointed at. That of a zero is faint, for nothing
// comes through.
func (p *Picture) wire(f focus, i int) (level, bool) {
	switch {
	case p.related(f, i):
		return strong, true
	case f.bucket >= 0 || p.p.X[i] == 0:
		return faint, i < p.p.Step
	}
	return plain, i < p.p.Step
}

// content returns the level of what is in a bucket.
func (f focus) content(k int) level {
	if f.bucket < 0 || f.bucket == k {
		return plain
	}
	return faint
}
