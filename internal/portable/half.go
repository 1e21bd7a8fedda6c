package portable

import "math"

// HalfFloat returns the value of an IEEE 754 binary16 number.
func HalfFloat(h uint16) float64 {
	sign, exponent, fraction := uint64(h>>15)<<63, uint64(h>>10&31), uint64(h&1023)
	var size uint64
	switch exponent {
	case 0:
		size = math.Float64bits(float64(fraction) / (1 << 24))
	case 31:
		size = 0x7ff<<52 | fraction<<42
	default:
		size = (exponent+1023-15)<<52 | fraction<<42
	}
	return math.Float64frombits(sign | size)
}
