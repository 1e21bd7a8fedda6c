package dataset

import (
	"slices"

	"tensorsketch.example/sketch"
)

// A Batch is a block of rows ready for a feature map: dense or sparse vectors, and
// the cells of label and kept columns.
type Batch struct {
	Places []int64      // as in Block
	Dense  sketch.Dense // row-major, unless the rows are sparse
	Sparse sketch.CSR   // if they are

	cells Block // as texts: the label, if there is one, then the kept cells
}

// Rows returns the number of rows.
func (b *Batch) Rows() int { return len(b.Places) }

// Cell returns cell k of a row as text: the label first, if there is one, then the
// kept columns in the order of the preprocessing. It is valid until the next call
// of Next.
func (b *Batch) Cell(row, k int) []byte { return b.cells.Text(row, k) }

// Problem returns why a row cannot be used and only holds its place, see Unused.HoldPlaces, or nil.
func (b *Batch) Problem(row int) *Problem { return b.cells.problems[row] }

// IsUnusable reports whether a row cannot be used and is zeros, see Unused.Keep.
func (b *Batch) IsUnusable(row int) bool { return b.Places[row] == unusable }

func (b *Batch) reset(texts *Schema, isSparse bool) {
	b.Places, b.Dense = b.Places[:0], b.Dense[:0]
	b.Sparse.Indptr, b.Sparse.Indices, b.Sparse.Data = b.Sparse.Indptr[:0], b.Sparse.Indices[:0], b.Sparse.Data[:0]
	if isSparse {
		b.Sparse.Indptr = append(b.Sparse.Indptr, 0)
	}
	b.cells.Reset(texts)
}

func (b *Batch) full() bool {
	return 4*len(b.Dense)+8*len(b.Sparse.Indices) >= blockBytes
}

func (b *Batch) addDense(entries []entry, width int) {
	n := len(b.Dense)
	b.Dense = slices.Grow(b.Dense, width)[:n+width]
	row := b.Dense[n:]
	clear(row)
	for _, e := range entries {
		row[e.index] = float32(e.value)
	}
}

func (b *Batch) addSparse(entries []entry) {
	for _, e := range entries {
		if e.value != 0 {
			b.Sparse.Indices = append(b.Sparse.Indices, e.index)
			b.Sparse.Data = append(b.Sparse.Data, float32(e.value))
		}
	}
	b.Sparse.Indptr = append(b.Sparse.Indptr, int32(len(b.Sparse.Indices)))
}

// addCell adds a cell of a row of another block as a text; an absent one is empty.
func (b *Block) addCell(from *Block, row int, at slot) {
	switch {
	case at.index < 0:
		b.AddText(nil)
	case at.kind == Textual:
		b.AddText(from.Text(row, at.index))
	default:
		var digits [32]byte
		b.AddText(AppendNumber(digits[:0], from.Numbers[row*from.numbersPerRow+at.index]))
	}
}
