// Package pairs has the inner products of many pairs of rows at once: of features, the estimates of the kernel. Gram
// writes all products of two sets of rows, and Nearest finds the rows with the largest. Every product has the bits of
// sketch.Dot. Rows of one side are first multiplied by FeatureMap.Signs, if a map has them.
package pairs

import (
	"tensorsketch.example/internal/engine/block"
	"tensorsketch.example/internal/portable"
	"tensorsketch.example/sketch"
)

// panelLength is the number of coordinates of each row that are laid out at a time.
const panelLength = 64

// gramTile is the number of rows of A, and of B, whose products are computed together: a multiple of block.Rows.
const gramTile = 128

// GramBytes returns the bytes that Gram allocates for m × n products beside them.
func GramBytes(m, n int) int64 {
	quads, panels := gramShape(m, n)
	return 8 * (panelLength*(block.Sums*int64(quads)+block.Rows*int64(panels)) +
		block.Sums*block.Rows*int64(quads)*int64(panels))
}

// gramShape returns the groups of block.Sums rows of A and of block.Rows rows of B that one tile has at most.
func gramShape(m, n int) (quads, panels int) {
	m, n = min(m, gramTile), min(n, gramTile)
	return (m + block.Sums - 1) / block.Sums, (n + block.Rows - 1) / block.Rows
}

// Gram writes the inner products of the m rows of A with the n rows of B, D numbers each, into dst, m × n, and returns
// it. If dst is nil, a new slice is allocated. For features they are the estimates of the kernel, with the bits of
// sketch.Dot.
// Rows must be finite: an error names A or B, the row and the column, and dst is then left as it was.
// It panics if the length of A or B is not a multiple of D, or dst has another length than m·n. It may be called
// concurrently, for instance for parts of A.
func Gram(dst []float64, A, B []float32, D int) ([]float64, error) {
	if D < 1 || len(A)%D != 0 || len(B)%D != 0 {
		panic("pairs: Gram of slices that are not rows of D numbers")
	}
	m, n := len(A)/D, len(B)/D
	if dst == nil {
		dst = make([]float64, m*n)
	}
	if len(dst) != m*n {
		panic("pairs: Gram with a dst that does not have m × n numbers")
	}
	if err := finiteRows("A", A, D); err != nil {
		return dst, err
	}
	if err := finiteRows("B", B, D); err != nil {
		return dst, err
	}
	if m < block.Sums || n < block.Sums { // laying rows out would take longer
		for i := range m {
			for j := range n {
				dst[i*n+j] = sketch.Dot(A[i*D:(i+1)*D], B[j*D:(j+1)*D])
			}
		}
		return dst, nil
	}
	t := newGramSums(m, n)
	for i := 0; i < m; i += gramTile {
		rows := min(gramTile, m-i)
		for j := 0; j < n; j += gramTile {
			columns := min(gramTile, n-j)
			t.multiply(A[i*D:(i+rows)*D], B[j*D:(j+columns)*D], D)
			t.store(dst[i*n+j:], n, rows, columns)
		}
	}
	return dst, nil
}

// finiteRows returns the error of the first number that is not finite.
func finiteRows(argument string, Z []float32, D int) error {
	for row := range len(Z) / D {
		z := Z[row*D : (row+1)*D]
		if finite(z) {
			continue
		}
		for column, v := range z {
			if v-v != 0 {
				err := sketch.ErrNonFinite.New(argument, portable.FormatNumber(float64(v)),
					"be finite: remove or replace NaN and infinite values")
				err.Row, err.Column = row, column
				return err
			}
		}
	}
	return nil
}

// gramSums holds the products of a tile, block.Sums rows of A with block.Rows rows of B after one another, and
// panelLength numbers of each row laid out for them.
type gramSums struct {
	sums, a, b []float64
}

func newGramSums(m, n int) *gramSums {
	quads, panels := gramShape(m, n)
	return &gramSums{
		sums: make([]float64, quads*panels*block.Sums*block.Rows),
		a:    make([]float64, quads*panelLength*block.Sums),
		b:    make([]float64, panels*panelLength*block.Rows),
	}
}

// multiply sets the sums to the products of all rows of a tile. Every sum takes its products in the order of columns.
func (t *gramSums) multiply(A, B []float32, D int) {
	const sums = block.Sums * block.Rows
	rows, columns := len(A)/D, len(B)/D
	clear(t.sums)
	for from := 0; from < D; from += panelLength {
		length := min(panelLength, D-from)
		layOut(t.a, A, D, from, length, block.Sums)
		layOut(t.b, B, D, from, length, block.Rows)
		at := 0
		for i := 0; i < rows; i += block.Sums {
			factors := t.a[i*panelLength:]
			for j := 0; j < columns; j += block.Rows {
				addProducts(t.sums[at:at+sums], t.b[j*panelLength:], factors, length, min(block.Rows, columns-j))
				at += sums
			}
		}
	}
}

// layOut writes columns from … from+length−1 of the rows of Z, group after group of width rows: the numbers of a
// group's rows side by side, for one column after the other. Rows that the last group lacks keep what was there.
func layOut(to []float64, Z []float32, D, from, length, width int) {
	for row := range len(Z) / D {
		at := row / width * width * panelLength
		to, z := to[at+row%width:], Z[row*D+from:][:length]
		for j, v := range z {
			to[j*width] = float64(v)
		}
	}
}

// store writes the sums of a tile to dst, whose rows begin n numbers apart.
func (t *gramSums) store(dst []float64, n, rows, columns int) {
	const sums = block.Sums * block.Rows
	at := 0
	for i := 0; i < rows; i += block.Sums {
		for j := 0; j < columns; j += block.Rows {
			for r := range min(block.Sums, rows-i) {
				copy(dst[(i+r)*n+j:][:min(block.Rows, columns-j)], t.sums[at+r*block.Rows:])
			}
			at += sums
		}
	}
}
