//go:build goexperiment.simd && go1.27 && !tinygo

package exact

import "simd/archsimd"

// hasAVX2 is false on machines without AVX2; tests set it.
var hasAVX2 = archsimd.X86.AVX2()

// wideAddFour is addFour for the columns that fill whole vectors. It returns their number.
func wideAddFour(b *Block, rows *[4][]float32, factors *[4]float64, shift, shift2 float64) int {
	if !hasAVX2 {
		return 0
	}
	high := b.parts[0]
	columns := len(high) &^ 3
	middle, low := b.parts[1][:columns], b.parts[2][:columns]
	z0, z1, z2, z3 := rows[0][:columns], rows[1][:columns], rows[2][:columns], rows[3][:columns]
	w0, w1 := archsimd.BroadcastFloat64x4(factors[0]), archsimd.BroadcastFloat64x4(factors[1])
	w2, w3 := archsimd.BroadcastFloat64x4(factors[2]), archsimd.BroadcastFloat64x4(factors[3])
	s, s2 := archsimd.BroadcastFloat64x4(shift), archsimd.BroadcastFloat64x4(shift2)
	for j := 0; j < columns; j += 4 {
		v0, v1 := wideProduct(w0, z0[j:]), wideProduct(w1, z1[j:])
		v2, v3 := wideProduct(w2, z2[j:]), wideProduct(w3, z3[j:])
		h0, h1, h2, h3 := v0.Add(s).Sub(s), v1.Add(s).Sub(s), v2.Add(s).Sub(s), v3.Add(s).Sub(s)
		archsimd.LoadFloat64x4(high[j:]).Add(h0.Add(h1).Add(h2.Add(h3))).Store(high[j:])
		v0, v1, v2, v3 = v0.Sub(h0), v1.Sub(h1), v2.Sub(h2), v3.Sub(h3)
		h0, h1, h2, h3 = v0.Add(s2).Sub(s2), v1.Add(s2).Sub(s2), v2.Add(s2).Sub(s2), v3.Add(s2).Sub(s2)
		archsimd.LoadFloat64x4(middle[j:]).Add(h0.Add(h1).Add(h2.Add(h3))).Store(middle[j:])
		v0, v1, v2, v3 = v0.Sub(h0), v1.Sub(h1), v2.Sub(h2), v3.Sub(h3)
		archsimd.LoadFloat64x4(low[j:]).Add(v0.Add(v1).Add(v2.Add(v3))).Store(low[j:])
	}
	archsimd.ClearAVXUpperBits() // as in dispatch.Rest of sketch
	return columns
}

func wideProduct(w archsimd.Float64x4, z []float32) archsimd.Float64x4 {
	return w.Mul(archsimd.LoadFloat32x4(z).ConvertToFloat64())
}

// wideSpread is SpreadOf for the values that fill whole vectors. It sets only the bits of the
// smallest and the largest value of each lane, and returns the remaining values.
func wideSpread(values []float32) (Spread, []float32) {
	n := len(values) &^ 15
	if !hasAVX2 || n == 0 {
		return 0, values
	}
	sign, one := archsimd.BroadcastUint32x8(1<<31), archsimd.BroadcastUint32x8(1)
	most0, most1 := archsimd.BroadcastUint32x8(0), archsimd.BroadcastUint32x8(0)
	least0, least1 := archsimd.BroadcastUint32x8(1<<32-1), archsimd.BroadcastUint32x8(1<<32-1)
	for j := 0; j < n; j += 16 {
		a := archsimd.LoadFloat32x8(values[j:]).ToBits().AndNot(sign)
		b := archsimd.LoadFloat32x8(values[j+8:]).ToBits().AndNot(sign)
		most0, most1 = most0.Max(a), most1.Max(b)
		least0, least1 = least0.Min(a.Sub(one)), least1.Min(b.Sub(one)) // for 0 this is the largest integer
	}
	var most, least [8]uint32
	most0.Max(most1).StoreArray(&most)
	least0.Min(least1).StoreArray(&least)
	archsimd.ClearAVXUpperBits()
	var spread Spread
	for i := range most {
		spread |= 1<<((most[i]-1)>>26) | 1<<(least[i]>>26)
	}
	return spread, values[n:]
}
