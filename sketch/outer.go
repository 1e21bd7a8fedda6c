package sketch

import (
	"strings"

	"tensorsketch.example/internal/engine/block"
)

// OuterSketches are independent tensor sketches of degree 2 of outer products u·vᵀ, with hash functions of their own:
// what package product makes compressed matrix products of. They keep scratch memory, so they are not safe for
// concurrent use.
type OuterSketches struct {
	m      *FeatureMap
	tables []*hashTables // per repeat; degree 0 hashes u, side 0, and degree 1 v
}

// NewOuterSketches returns sketches of m × n outer products, each nComponents numbers, as many as repeats says. All
// must be in the ranges of Params.
func NewOuterSketches(m, n, nComponents, repeats int, seed Seed) *OuterSketches {
	tables := make([]*hashTables, repeats)
	for r := range tables {
		tables[r] = outerTables(m, n, nComponents, seed.randomness(r), outerIsCached(m, n, repeats))
	}
	o := &OuterSketches{new(FeatureMap), tables}
	outerParams(m, n, nComponents).copyTo(&o.m.params)
	o.m.useTensorCore(newTensorCore(&o.m.params))
	return o
}

func outerParams(m, n, nComponents int) *Params {
	p := &Params{NFeaturesEach: []int{m, n}, NComponents: nComponents}
	p.setDefaults(tensorMethods)
	return p
}

// outerIsCached reports whether the tables of all repeats are kept.
func outerIsCached(m, n, repeats int) bool {
	return cachedEntries([]int{m, n}) > 0 && m+n <= maxCached/repeats
}

// outerTables returns the hash functions of a repeat.
func outerTables(m, n, nComponents int, draw randomness, cached bool) *hashTables {
	h := &hashTables{nComponents: nComponents, poly: make([]polyHash, 2)}
	for side := range h.poly {
		index := draw.stream(domainProductIndex, uint32(side))
		for i := range h.poly[side].index {
			h.poly[side].index[i] = index.residue()
		}
		h.poly[side].sign = newSignHash(draw, domainProductSign, uint32(side))
	}
	if cached {
		tables := [][]entry{make([]entry, m), make([]entry, n)}
		for side := range tables {
			h.fill(tables[side], side, 0)
		}
		h.tables = tables
	}
	return h
}

// OuterSketchesBytes estimates the maximum number of bytes that NewOuterSketches allocates.
func OuterSketchesBytes(m, n, nComponents, repeats int) int64 {
	total := outerParams(m, n, nComponents).MemoryBytes() - 4*int64(cachedEntries([]int{m, n}))
	if outerIsCached(m, n, repeats) {
		total += 4 * int64(repeats) * (int64(m) + int64(n))
	}
	return total
}

// SetGoroutines lets Transform spread its work, as FeatureMap.SetGoroutines does.
func (o *OuterSketches) SetGoroutines(n int) { o.m.SetGoroutines(n) }

// Count returns the number of rows of a side: 0 for u and 1 for v. Errors are as of TransformProduct, and name U
// or V.
func (o *OuterSketches) Count(X Rows, side int) (int, error) {
	n, err := X.count(o.m.params.NFeaturesEach[side])
	if err != nil {
		return 0, renamed(err.(*Error), "X", outerNames[side])
	}
	return n, nil
}

// Transform writes the sketches of a repeat of the outer products of rows of U and V to dst, in order. Errors are those
// of TransformProduct, and name U or V.
func (o *OuterSketches) Transform(dst []float32, repeat int, U, V Rows) ([]float32, error) {
	o.m.tensorCore().hash = o.tables[repeat]
	for _, helper := range o.m.helpers {
		helper.tensorCore().hash = o.tables[repeat]
	}
	z, err := o.m.TransformProduct(dst, U, V)
	if err != nil {
		return z, renamed(renamed(err.(*Error), "Xs[0]", "U"), "Xs[1]", "V")
	}
	return z, nil
}

// Hash returns the bucket and the sign of coordinate i of a side in a repeat.
func (o *OuterSketches) Hash(repeat, side, i int) block.Entry { return o.tables[repeat].at(side, i) }

// Hashes returns the buckets and signs of the coordinates from … from+n−1. They may be in buffer, of at least n
// entries, or shared.
func (o *OuterSketches) Hashes(buffer []block.Entry, repeat, side, from, n int) []block.Entry {
	return o.tables[repeat].entries(buffer, side, from, n)
}

var outerNames = [...]string{"U", "V"}

// renamed replaces the beginning of an error's argument.
func renamed(e *Error, from, to string) *Error {
	if rest, found := strings.CutPrefix(e.Argument, from); found {
		e.Argument = to + rest
	}
	return e
}
