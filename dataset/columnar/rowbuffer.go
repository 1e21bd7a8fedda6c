package columnar

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strconv"
)

// A rowBuffer collects the rows of a block. It also stores the facts about earlier blocks that a footer needs.
type rowBuffer struct {
	names       []string // of the cells, and of the features if there are any
	numbers     [2]int   // the cells from and to these are float64
	nComponents int

	cells    []texts // the bytes of numbers and texts
	features []float32
	rows     int

	state   []byte // for each block, as varints: rows, then bytes of each column of cells
	nBlocks int
	total   int64 // rows of all blocks
}

// newRowBuffer returns a buffer that continues after the blocks of a state.
func newRowBuffer(names []string, numbers [2]int, nComponents int, state []byte) (*rowBuffer, error) {
	b := &rowBuffer{names: names, numbers: numbers, nComponents: nComponents, state: slices.Clone(state)}
	b.cells = make([]texts, len(names)-b.lists())
	ok := b.blocks(func(rows int, _ []int) {
		b.total += int64(rows)
		b.nBlocks++
	})
	if !ok {
		return nil, errors.New("dataset: the state is not one of a writer of these columns; begin anew")
	}
	return b, nil
}

// lists returns how many columns of lists there are: 1, or 0 without features.
func (b *rowBuffer) lists() int { return min(b.nComponents, 1) }

func (b *rowBuffer) isNumber(k int) bool { return k >= b.numbers[0] && k < b.numbers[1] }

func (b *rowBuffer) AddRow(cells [][]byte, features []float32) {
	for k, cell := range cells {
		if b.isNumber(k) {
			x, err := strconv.ParseFloat(string(cell), 64)
			if err != nil && !math.IsInf(x, 0) {
				x = math.NaN()
			}
			cell = binary.LittleEndian.AppendUint64(nil, math.Float64bits(x))
		}
		b.cells[k].add(cell)
	}
	b.features = append(b.features, features...)
	b.rows++
}

func (b *rowBuffer) endBlock() {
	b.state = binary.AppendUvarint(b.state, uint64(b.rows))
	for k := range b.cells {
		b.state = binary.AppendUvarint(b.state, uint64(len(b.cells[k].bytes)))
		b.cells[k].clear()
	}
	b.total += int64(b.rows)
	b.nBlocks++
	b.features, b.rows = b.features[:0], 0
}

func (b *rowBuffer) State() []byte { return b.state }

// blocks calls block for each block of the state, and reports whether the state is valid.
func (b *rowBuffer) blocks(block func(rows int, texts []int)) bool {
	sizes := make([]int, len(b.cells)+1)
	for rest := b.state; len(rest) > 0; {
		for k := range sizes {
			n, length := binary.Uvarint(rest)
			if length <= 0 || n > math.MaxInt32 { // what a page can hold
				return false
			}
			sizes[k], rest = int(n), rest[length:]
		}
		block(sizes[0], sizes[1:])
	}
	return true
}
