package sketch

import "tensorsketch.example/internal/engine/block"

// rowsAtATime returns the number of rows per call for a core that keeps n numbers of each row. It
// is below maxLanes if the memory for more rows would cost more than the time that it saves.
func rowsAtATime(n int) int { return max(1, min(maxLanes, 1<<20/max(1, n))) }

// rowLists holds dense rows as sparse ones, for cores that skip zeros in any row. Skipping zeros
// does not change a sum that begins with 0.
type rowLists []sparseRow

func newRowLists(width int) rowLists {
	l := make(rowLists, rowsAtATime(width))
	if width <= maxDenseWidth {
		for r := range l {
			l.allocate(r, width)
		}
	}
	return l
}

func (l rowLists) allocate(r, width int) {
	l[r] = sparseRow{make([]int32, 0, width), make([]float32, 0, width)}
}

func rowListsBytes(width int) int64 {
	return int64(rowsAtATime(width)) * (48 + 8*int64(min(width, maxDenseWidth)))
}

// of returns the lists for count dense rows, row-major.
func (l rowLists) of(x []float32, count int) []sparseRow {
	width := len(x) / count
	for r := range count {
		if cap(l[r].indices) < width {
			l.allocate(r, width)
		}
		indices, data := l[r].indices[:width], l[r].data[:width]
		n := 0
		for i, v := range x[r*width : (r+1)*width] {
			if v != 0 {
				indices[n], data[n] = int32(i), v
				n++
			}
		}
		l[r] = sparseRow{indices[:n], data[:n]}
	}
	return l[:count]
}

// A reader reads tiles of a matrix of random entries sequentially before rows access coordinates
// here and there. Outside the caches, only sequential access is fast.
type reader struct {
	skip bool
	sink float32 // keeps the compiler from removing the reads
}

// begin decides whether reading ahead pays. It does not for a matrix that fits the caches, nor for
// rows that need little of the matrix.
func (r *reader) begin(matrix []float32, width int, rows []sparseRow) {
	needed := 0
	for _, row := range rows {
		needed += len(row.indices)
	}
	r.skip = len(matrix) < 1<<18 || needed < width/2
}

func (r *reader) read(tile []float32) {
	if r.skip {
		return
	}
	for ; len(tile) >= block.Tile; tile = tile[block.Tile:] {
		r.sink = (tile[0] + tile[16]) + (tile[32] + tile[48]) // one number of every 64 bytes
	}
}
