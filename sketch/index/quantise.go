package index

import "math"

// Steps of the codes. A rotated row is nearly normal, with the deviation σ = ‖x‖/√width of its coordinates.
const (
	// step4 is the step of 16 even levels that has the least squared error for a normal variable, in units of σ (Max
	// 1960).
	step4   = 0.3352
	middle4 = 7.5 // codes of 4 bits are 0 … 15 and mean −7.5 … 7.5
	most8   = 127 // codes of 8 bits are −127 … 127

	// Queries are integers, too. Their products with codes stay within 32 bits for 16,384 coordinates.
	mostQuery4 = 127
	mostQuery8 = 4095

	tiny = 1e-30 // a row without a larger coordinate is taken for the centre
)

// round writes the codes of the row in x.row, which is scaled and not yet centred, to place i of a chunk.
//
// With the codes c and the rotated row r, the factor is ‖r‖²/⟨c, r⟩. The estimate factor·⟨q, c⟩ of ⟨q, r⟩ is exact for
// the part of q along r. So its mean over rotations is ⟨q, r⟩ (as in RaBitQ; Gao & Long 2024).
func (x *Index) round(c *chunk, i int) {
	r := x.row
	x.subtractCentre(r)
	term := x.alongCentre(r)
	x.rotate(r)
	norm := squares(r)
	if x.options.Metric == Euclidean {
		term = norm
	}
	c.terms[i] = float32(term)
	codes := x.codesOf(c, i)
	largest := largestOf(r)
	if largest < tiny {
		clear(codes)
		c.factors[i] = 0
		return
	}
	var product float64
	if x.options.Bits == 4 {
		step := min(largest/middle4, float32(step4*math.Sqrt(norm/float64(x.width))))
		product = encode4(codes, r, 1/step)
	} else {
		product = encode8(codes, r, most8/largest)
	}
	c.factors[i] = float32(norm / product)
}

func (x *Index) subtractCentre(r []float32) {
	for j, m := range x.centre {
		r[j] -= m
	}
}

// alongCentre returns the inner product of a row with the centre.
func (x *Index) alongCentre(r []float32) (sum float64) {
	for j, m := range x.centre {
		sum += float64(float64(r[j]) * float64(m))
	}
	return sum
}

// rotate pads a row with zeros and rotates it.
func (x *Index) rotate(r []float32) {
	clear(r[len(x.centre):])
	x.rotation.apply(r)
}

func largestOf(r []float32) float32 {
	largest := float32(0)
	for _, v := range r {
		largest = max(largest, v, -v)
	}
	return largest
}

// encode4 writes codes of 4 bits and returns the inner product of what they mean with the row. Four codes are in 16
// bits: bits 4p … 4p+3 of word j of a group of 32 coordinates have coordinate 8p + j.
func encode4(codes []byte, r []float32, scale float32) float64 {
	product := 0.0
	for g := 0; g+widthStep <= len(r); g += widthStep {
		group := codes[g/2 : g/2+16]
		clear(group)
		for k, v := range r[g : g+widthStep] {
			level := min(max(int(float32(v*scale)+8), 0), 15)
			product += float64((float64(level) - middle4) * float64(v))
			p, j := k/8, k%8
			group[2*j+p/2] |= byte(level << (p % 2 * 4))
		}
	}
	return product
}

// encode8 writes codes of 8 bits and returns the inner product of them with the row.
func encode8(codes []byte, r []float32, scale float32) float64 {
	product := 0.0
	for k, v := range r {
		level := nearest(v * scale)
		product += float64(float64(level) * float64(v))
		codes[k] = byte(level)
	}
	return product
}

// nearest returns the integer nearest to v, the larger one of two.
func nearest(v float32) int { return int(math.Floor(float64(v) + 0.5)) }

// roundQuery rounds the rotated query in x.row to integers in x.query. It returns the step, and Σ of the integers. For
// 4 bits the integers of a group of 32 are shifted by 8, 4, 0 and 8 bits, against the places of the codes in their
// words: all products are 2⁸ times as large.
func (x *Index) roundQuery() (step float64, sum int64) {
	largest, most := largestOf(x.row), float32(mostQuery8)
	if x.options.Bits == 4 {
		most = mostQuery4
	}
	if largest < tiny {
		clear(x.query)
		return 0, 0
	}
	for k, v := range x.row {
		level := nearest(v / largest * most)
		sum += int64(level)
		if x.options.Bits == 4 {
			level <<= [...]uint{8, 4, 0, 8}[k/8%4]
		}
		x.query[k] = int16(level)
	}
	return float64(largest) / float64(most), sum
}

// RelativeError returns the standard deviation of an estimated inner product over rotations, in units of ‖q‖·‖x‖, for
// a query at right angles to a row of a number of coordinates. For other queries it is multiplied by the sine of the
// angle between q and x. The query and the row are what is left of them once the centre is subtracted.
//
// Its square is tan²/(width − 1), where tan is of the angle between the row and its codes, and what rounding the query
// adds. For 4 bits tan² = δ/(1 − δ), where δ = 0.01154 is the squared error of 16 even levels for a normal variable
// (Max 1960). For 8 bits and for queries δ is step²/12, with the step from the largest of width normal variables: the
// median of its square is 2 ln 2w − ln(4π ln 2w) + 0.73 (Gumbel's law).
func RelativeError(width, bits int) float64 {
	w := float64(width)
	log := math.Log(2 * w)
	largest := 2*log - math.Log(4*math.Pi*log) + 0.73
	rounded := func(levels float64) float64 { return largest / (levels * levels) / 12 }
	row, query := 0.01154, rounded(mostQuery4)
	if bits == 8 {
		row, query = rounded(most8), rounded(mostQuery8)
	}
	return math.Sqrt(row/(1-row)/(w-1) + query/w)
}
