package buckets

import "tensorsketch.example/ui/internal/lesson"

// A focus is the item pointed at together with what belongs to it: a bucket, and the coordinates below upTo that
// fall into it.
type focus struct {
	item   lesson.Item
	bucket int // −1 if there is no focus
	upTo   int
}

// focusOn returns the focus on an item. For the zero Item it is the coordinate that has just fallen, or none after
// the last step.
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

// A level says how prominently a shape is drawn.
type level int

const (
	plain level = iota
	faint
	strong
)

// class returns the CSS classes of a shape at a level.
func (l level) class(name string) string {
	return name + [...]string{"", " faint", " strong"}[l]
}

// related reports whether coordinate i belongs to the focus.
func (p *Picture) related(f focus, i int) bool { return p.h[i] == f.bucket && i < f.upTo }

// bar returns the level of a coordinate's bar. While others fall, the bar of a waiting coordinate is plain.
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

// wire returns the level of a coordinate's wire, and whether the wire is drawn. It is drawn if the coordinate has
// fallen or is pointed at. The wire of a zero is faint, because it carries nothing.
func (p *Picture) wire(f focus, i int) (level, bool) {
	switch {
	case p.related(f, i):
		return strong, true
	case f.bucket >= 0 || p.p.X[i] == 0:
		return faint, i < p.p.Step
	}
	return plain, i < p.p.Step
}

// content returns the level of the content of bucket k.
func (f focus) content(k int) level {
	if f.bucket < 0 || f.bucket == k {
		return plain
	}
	return faint
}
