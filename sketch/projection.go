package sketch

import (
	"math"

	"tensorsketch.example/internal/engine/block"
	"tensorsketch.example/internal/portable"
)

// A projection is a random matrix, rows × width, with independent entries of mean 0 and variance 1:
// signs, or normal numbers. The entries of coordinate i come from stream (domainProjection, i) in
// the order of the rows. Signs are the bits of its words from the lowest on, set for −1. A normal
// number uses a word w and is the normal quantile of (⌊w/2^11⌋ + ½)/2^53, rounded to float32.
//
// The entries are kept if they take at most maxProjectionBytes. Otherwise they are drawn again for
// every block of rows.
type projection struct {
	draw    randomness
	rows    int
	stride  int // rows, rounded up to whole tiles
	width   int // coordinates whose entries are kept; 1 for only the one drawn last
	normal  bool
	kept    bool
	signs   []uint32  // tile by tile, one word of every row for 32 coordinates each
	normals []float32 // tile by tile, one number of every row for each coordinate
	stream  stream
	reader  reader
	column  []uint32 // the signs of one coordinate in bit 31, or the bits of its normal numbers
}

const maxProjectionBytes = 1 << 28

func newProjection(draw randomness, rows, width int, normal bool) *projection {
	p := &projection{draw: draw, rows: rows, stride: projectionStride(rows), width: 1, normal: normal}
	if p.kept = keepsProjection(rows, width, normal); p.kept {
		p.width = width
	}
	p.allocate()
	if p.kept {
		for i := range width {
			p.drawColumn(i)
			p.keepColumn(i)
		}
	}
	return p
}

func (p *projection) allocate() {
	p.column = make([]uint32, p.stride)
	if p.normal {
		p.normals = make([]float32, p.width*p.stride)
	} else {
		p.signs = make([]uint32, signWords(p.width)*p.stride)
	}
}

// signWords returns the number of words that hold a sign for each of width coordinates.
func signWords(width int) int { return (width + 31) / 32 }

// projectionStride rounds the number of projections up to whole tiles.
func projectionStride(rows int) int { return (rows + block.Tile - 1) / block.Tile * block.Tile }

// keepsProjection reports whether the entries of a matrix are kept.
func keepsProjection(rows, width int, normal bool) bool {
	return keptProjectionBytes(rows, width, normal) <= maxProjectionBytes
}

// keptProjectionBytes returns the memory of a matrix that is kept.
func keptProjectionBytes(rows, width int, normal bool) int64 {
	if !normal {
		width = signWords(width)
	}
	return 4 * int64(width) * int64(projectionStride(rows))
}

// projectionBytes returns the bytes that newProjection allocates.
func projectionBytes(rows, width int, normal bool) int64 {
	if !keepsProjection(rows, width, normal) {
		width = 1
	}
	return 4*int64(projectionStride(rows)) + keptProjectionBytes(rows, width, normal)
}

// clone returns a projection with its own scratch memory.
func (p *projection) clone() *projection {
	clone := *p
	if !p.kept {
		clone.allocate()
	}
	return &clone
}

// drawColumn draws the entries of coordinate i.
func (p *projection) drawColumn(i int) {
	p.stream.start(p.draw, domainProjection, uint32(i))
	column := p.column[:p.rows]
	if p.normal {
		for r := range column {
			uniform := (float64(p.stream.uint64()>>11) + 0.5) / (1 << 53)
			column[r] = math.Float32bits(float32(portable.NormalQuantile(uniform)))
		}
		return
	}
	for len(column) > 0 {
		bits, n := p.stream.uint64(), min(64, len(column))
		for r := range column[:n] {
			column[r] = uint32(bits) << 31
			bits >>= 1
		}
		column = column[n:]
	}
}

// keepColumn stores the entries drawn last as the entries of coordinate i.
func (p *projection) keepColumn(i int) {
	for tile := 0; tile < p.stride; tile += block.Tile {
		column := p.column[tile:][:block.Tile]
		if p.normal {
			for r, bits := range column {
				p.normalsOf(tile)[i*block.Tile+r] = math.Float32frombits(bits)
			}
			continue
		}
		signs := p.signsOf(tile)[i/32*block.Tile:]
		for r, bit := range column {
			signs[r] = signs[r]&^(signBit>>(i%32)) | bit>>(i%32)
		}
	}
}

const signBit = 1 << 31

func (p *projection) normalsOf(tile int) []float32 {
	return p.normals[tile*p.width:][:block.Tile*p.width]
}

func (p *projection) signsOf(tile int) []uint32 {
	words := signWords(p.width)
	return p.signs[tile*words:][:block.Tile*words]
}

// project writes the projections of rows to y, stride numbers per row.
func (p *projection) project(y []float32, rows []sparseRow) {
	clear(y[:len(rows)*p.stride])
	if p.kept {
		p.add(y, rows)
		return
	}
	var left, next [maxLanes]sparseRow
	copy(left[:], rows)
	for {
		i := int32(math.MaxInt32)
		for _, row := range left[:len(rows)] {
			if len(row.indices) > 0 {
				i = min(i, row.indices[0])
			}
		}
		if i == math.MaxInt32 {
			return
		}
		p.drawColumn(int(i))
		p.keepColumn(0)
		for r, row := range left[:len(rows)] {
			next[r] = sparseRow{}
			if len(row.indices) > 0 && row.indices[0] == i {
				next[r] = sparseRow{firstColumn[:], row.data[:1]}
				left[r] = sparseRow{row.indices[1:], row.data[1:]}
			}
		}
		p.add(y, next[:len(rows)])
	}
}

var firstColumn = [1]int32{0}

// add adds the coordinates of rows, whose entries are kept, to the projections y.
func (p *projection) add(y []float32, rows []sparseRow) {
	p.reader.begin(p.normals, p.width, rows)
	for tile := 0; tile < p.stride; tile += block.Tile {
		if p.normal {
			p.reader.read(p.normalsOf(tile))
		}
		for r, row := range rows {
			y := y[r*p.stride+tile:][:block.Tile]
			if p.normal {
				addTile(y, p.normalsOf(tile), row.indices, row.data)
			} else {
				addSigns(y, p.signsOf(tile), row.indices, row.data)
			}
		}
	}
}
