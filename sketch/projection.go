package sketch

import "math"

// A projection is a random matrix with independent entries of mean 0 and variance
// 1, rows × width: signs, or normal numbers. The entries of coordinate i come from
// stream (domainProjection, i) in the order of the rows: signs are the bits of its
// words from the lowest on, set for −1; a normal number takes a word w and is the
// normal quantile of (⌊w/2^11⌋ + ½)/2^53, rounded to float32.
//
// They are kept where that takes no more than maxProjectionBytes, and else drawn
// again for every row.
type projection struct {
	draw    randomness
	rows    int
	stride  int // rows, rounded up to whole vectors
	normal  bool
	signs   []uint32  // bit 31 − i mod 32 of signs[i/32·stride + r] is that of coordinate i in row r
	normals []float32 // normals[i·stride + r]

	// For entries that are not kept.
	stream stream
	column []uint32 // the signs of one coordinate in bit 31, or the bits of its normal numbers
}

const maxProjectionBytes = 1 << 25

func newProjection(draw randomness, rows, width int, normal bool) *projection {
	p := &projection{draw: draw, rows: rows, stride: projectionStride(rows), normal: normal}
	if !keepsProjection(rows, width, normal) {
		p.column = make([]uint32, p.stride)
		return p
	}
	column := make([]uint32, p.stride)
	if normal {
		p.normals = make([]float32, width*p.stride)
	} else {
		p.signs = make([]uint32, (width+31)/32*p.stride)
	}
	for i := range width {
		p.drawColumn(column, i)
		if normal {
			for r, bits := range column {
				p.normals[i*p.stride+r] = math.Float32frombits(bits)
			}
			continue
		}
		signs := p.signs[i/32*p.stride : (i/32+1)*p.stride]
		for r, bit := range column {
			signs[r] |= bit >> (i % 32)
		}
	}
	return p
}

// projectionStride rounds the number of projections up to whole vectors.
func projectionStride(rows int) int { return (rows + maxLanes - 1) &^ (maxLanes - 1) }

// keepsProjection tells whether the entries of a matrix are kept.
func keepsProjection(rows, width int, normal bool) bool {
	return keptProjectionBytes(rows, width, normal) <= maxProjectionBytes
}

// keptProjectionBytes is what a matrix takes if it is kept.
func keptProjectionBytes(rows, width int, normal bool) int64 {
	if !normal {
		width = (width + 31) / 32
	}
	return 4 * int64(width) * int64(projectionStride(rows))
}

// projectionBytes is what newProjection allocates.
func projectionBytes(rows, width int, normal bool) int64 {
	total := 4 * int64(projectionStride(rows))
	if keepsProjection(rows, width, normal) {
		total += keptProjectionBytes(rows, width, normal)
	}
	return total
}

// clone returns a projection with scratch memory of its own.
func (p *projection) clone() *projection {
	clone := *p
	if p.column != nil {
		clone.column = make([]uint32, p.stride)
	}
	return &clone
}

// drawColumn draws the entries of coordinate i.
func (p *projection) drawColumn(column []uint32, i int) {
	p.stream.start(p.draw, domainProjection, uint32(i))
	column = column[:p.rows]
	if p.normal {
		for r := range column {
			uniform := (float64(p.stream.uint64()>>11) + 0.5) / (1 << 53)
			column[r] = math.Float32bits(float32(normalQuantile(uniform)))
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

// project writes the projections of a dense row to y, of length stride.
func (p *projection) project(y, x []float32) {
	clear(y)
	if p.signs == nil {
		for i, v := range x {
			p.add(y, i, v)
		}
		return
	}
	for from := 0; from < len(x); from += 32 { // where most of 32 are 0, one by one is faster
		group, zeros := x[from:min(from+32, len(x))], 0
		for _, v := range group {
			if v == 0 {
				zeros++
			}
		}
		if 2*zeros < len(group) {
			addSigns(y, p.signs[from/32*p.stride:][:p.stride], 0, group)
			continue
		}
		for i, v := range group {
			p.add(y, from+i, v)
		}
	}
}

// projectSparse writes the projections of a sparse row to y.
func (p *projection) projectSparse(y []float32, indices []int32, values []float32) {
	clear(y)
	for at, i := range indices {
		p.add(y, int(i), values[at])
	}
}

// add adds coordinate i with value v to the projections y.
func (p *projection) add(y []float32, i int, v float32) {
	one := [1]float32{v}
	switch {
	case v == 0:
	case p.normals != nil:
		addScaled(y, p.normals[i*p.stride:][:p.stride], v)
	case p.signs != nil:
		addSigns(y, p.signs[i/32*p.stride:][:p.stride], i%32, one[:])
	case p.normal:
		p.drawColumn(p.column, i)
		for r, bits := range p.column {
			y[r] += float32(v * math.Float32frombits(bits))
		}
	default:
		p.drawColumn(p.column, i)
		addSigns(y, p.column, 0, one[:])
	}
}
