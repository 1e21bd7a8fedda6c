package sketch

import "tensorsketch.example/sketch/internal/block"

// rowsAtATime returns how many rows a core may take at a time that keeps n numbers of
// each: fewer than maxLanes where those would take more memory than they save time.
func rowsAtATime(n int) int { return max(1, min(maxLanes, 1<<20/max(1, n))) }

// rowLists holds dense rows as sparse ones, for cores that take any row without its
// zeros: skipped or not, they change no sum that begins with 0.
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

// of returns the lists of count rows, row-major.
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

// A reader reads tiles of a matrix of random entries from end to end before rows pick
// coordinates here and there: beyond the caches, memory comes fast in its order only.
type reader struct {
	skip bool
	sink float32 // so that the compiler leaves the reading in
}

// begin decides whether that pays: not for a matrix that stays in the caches, nor for
// rows that need little of it.
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
		r.sink = (tile[0] + tile[16]) + (tile[32] + tile[48]) // one of 64 bytes
	}
}
