package exact

import (
	"math"
	"math/bits"
)

// blockRows rows are added in floating point before their sums go to the integers.
const (
	blockBits = 8
	blockRows = 1 << blockBits
)

// A Block is the scratch memory for adding rows of a fixed width.
type Block struct {
	parts [3][]float64
}

// NewBlock returns a Block for rows of width numbers.
func NewBlock(width int) *Block {
	var b Block
	for i := range b.parts {
		b.parts[i] = make([]float64, width)
	}
	return &b
}

// Add adds rows to the sums, one sum for each number of a row. Each row is multiplied by its
// weight, unless weights is nil. All numbers must be finite and have these spreads.
//
// Let all products v = w·z be at most 2^top in size. Take u = 2^(top + blockBits − 52),
// M = 1.5·2^52·u and h = (v + M) − M. Then h is v rounded to a multiple of u, v − h is exact and at
// most u/2, and a sum of blockRows such h is exact in float64 (Rump, Ogita & Oishi, Accurate
// floating-point summation, SIAM J. Sci. Comput. 31, 2008). v − h is split once more, with
// u' = 2^(blockBits − 53)·u. The sum of the remainders is exact if all v are multiples of
// 2^(blockBits − 54)·u' = 2^(top + 3·blockBits − 159). If they may not be, every product goes to
// the integers by itself.
func (b *Block) Add(sums []uint64, rows []float32, spread Spread, weights []float32, weightSpread Spread) {
	width := len(b.parts[0])
	bottom, top := spread.exponents()
	if weights != nil {
		bottomW, topW := weightSpread.exponents()
		bottom, top = bottom+bottomW, top+topW
	}
	shift, shift2 := 1.5*powerOf2(top+blockBits), 1.5*powerOf2(top+2*blockBits-53)
	for row := 0; row*width < len(rows); row += 4 {
		var four [4][]float32
		var factors [4]float64
		for i := range four {
			at := row // after the last row, use this one times 0
			if (row+i)*width < len(rows) {
				at += i
				factors[i] = 1
				if weights != nil {
					factors[i] = float64(weights[at])
				}
			}
			four[i] = rows[at*width : (at+1)*width]
		}
		if bottom < top+3*blockBits-159 {
			addEach(sums, &four, &factors)
			continue
		}
		b.addFour(&four, &factors, shift, shift2)
		if (row+4)%blockRows == 0 {
			b.flush(sums)
		}
	}
	b.flush(sums)
}

// flush moves the sums of the block to the integers.
func (b *Block) flush(sums []uint64) {
	for _, part := range b.parts {
		for j, sum := range part {
			AddFloat(sums[j*Words:], sum)
		}
		clear(part)
	}
}

// addFour adds four rows to the sums of the three parts of their products.
func (b *Block) addFour(rows *[4][]float32, factors *[4]float64, shift, shift2 float64) {
	high := b.parts[0]
	width := len(high)
	middle, low := b.parts[1][:width], b.parts[2][:width]
	z0, z1, z2, z3 := rows[0][:width], rows[1][:width], rows[2][:width], rows[3][:width]
	w0, w1, w2, w3 := factors[0], factors[1], factors[2], factors[3]
	for j := wideAddFour(b, rows, factors, shift, shift2); j < width; j++ {
		v0, v1, v2, v3 := float64(w0*float64(z0[j])), float64(w1*float64(z1[j])), float64(w2*float64(z2[j])),
			float64(w3*float64(z3[j]))
		h0, h1, h2, h3 := (v0+shift)-shift, (v1+shift)-shift, (v2+shift)-shift, (v3+shift)-shift
		high[j] += (h0 + h1) + (h2 + h3)
		v0, v1, v2, v3 = v0-h0, v1-h1, v2-h2, v3-h3
		h0, h1, h2, h3 = (v0+shift2)-shift2, (v1+shift2)-shift2, (v2+shift2)-shift2, (v3+shift2)-shift2
		middle[j] += (h0 + h1) + (h2 + h3)
		low[j] += ((v0 - h0) + (v1 - h1)) + ((v2 - h2) + (v3 - h3))
	}
}

// addEach adds the products of four rows one by one.
func addEach(sums []uint64, rows *[4][]float32, factors *[4]float64) {
	for i, row := range rows {
		for j, z := range row {
			AddFloat(sums[j*Words:], float64(factors[i]*float64(z)))
		}
	}
}

// A Spread describes roughly how large numbers are. Bit e, 0 … 31, is set for a nonzero number
// whose bits without the sign are s with ⌊(s − 1)/2^26⌋ = e, a range of eight binary exponents. Bit
// 63 is set if a number is 0. Bits between the lowest and the highest set bit below 63 may be
// missing.
type Spread uint64

// SpreadOf returns the Spread of the values.
func SpreadOf(values []float32) Spread {
	a, values := wideSpread(values)
	b := Spread(0)
	for ; len(values) >= 4; values = values[4:] {
		a |= spreadOf(values[0]) | spreadOf(values[1])
		b |= spreadOf(values[2]) | spreadOf(values[3])
	}
	for _, v := range values {
		a |= spreadOf(v)
	}
	return a | b
}

func spreadOf(v float32) Spread {
	return 1 << ((math.Float32bits(v)&^(1<<31) - 1) >> 26)
}

// MayBeInfinite is the bit of NaN and infinities: without it all numbers are finite.
const MayBeInfinite Spread = 1 << 31

// exponents returns exponents of 2: all numbers are multiples of 2^bottom and at most 2^top in
// size.
func (s Spread) exponents() (bottom, top int) {
	sizes := uint32(s)
	if sizes == 0 {
		return 0, 0
	}
	return 8*bits.TrailingZeros32(sizes) - 127 - 23, 8*bits.Len32(sizes) - 127
}

func powerOf2(exponent int) float64 { return math.Float64frombits(uint64(exponent+1023) << 52) }
