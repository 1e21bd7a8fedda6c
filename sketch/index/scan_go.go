//go:build !tinycore

package index

// What a scan does for each row. TinyGo has the same functions by LLVM (scan.ll), with the same results: sums of
// integers are exact, and floats are added in the same order.

// scan4 adds to sums[i] the product of the query with the codes of row i, whose bytes begin at i·stride.
func scan4(sums []int64, codes []byte, query []int16, stride int) {
	for i := range sums {
		row := codes[i*stride : i*stride+len(query)/2]
		var sum int64
		for g := 0; g < len(query); g += widthStep {
			q, group := query[g:g+widthStep], row[g/2:g/2+16]
			var part int32
			for j := range 8 {
				w := uint32(group[2*j]) | uint32(group[2*j+1])<<8
				part += int32(w&0x000f)*int32(q[j]) + int32(w&0x00f0)*int32(q[8+j]) +
					int32(w&0x0f00)*int32(q[16+j]) + int32(w>>12)*int32(q[24+j])
			}
			sum += int64(part)
		}
		sums[i] += sum
	}
}

// scan8 is scan4 for codes of 8 bits.
func scan8(sums []int64, codes []byte, query []int16, stride int) {
	for i := range sums {
		var sum int64
		for j, c := range codes[i*stride : i*stride+len(query)] {
			sum += int64(int32(int8(c)) * int32(query[j]))
		}
		sums[i] += sum
	}
}

// dots sets out[i] to the inner product of q with row i of rows. Eight sums, of the numbers whose places are equal
// modulo 8, are added in pairs 4, 2 and 1 apart. The numbers after the last eight are added one by one.
func dots(out, rows, q []float32) {
	sums(out, rows, q, false)
}

// distances sets out[i] to the squared distance of q from row i of rows, by sums as of dots.
func distances(out, rows, q []float32) {
	sums(out, rows, q, true)
}

func sums(out, rows, q []float32, isApart bool) {
	for i := range out {
		row := rows[i*len(q) : (i+1)*len(q)]
		var s [8]float32
		at := 0
		for ; at+8 <= len(q); at += 8 {
			for l := range s {
				s[l] += term(row[at+l], q[at+l], isApart)
			}
		}
		for half := 4; half > 0; half /= 2 {
			for l := range half {
				s[l] += s[l+half]
			}
		}
		for ; at < len(q); at++ {
			s[0] += term(row[at], q[at], isApart)
		}
		out[i] = s[0]
	}
}

func term(x, y float32, isApart bool) float32 {
	if isApart {
		x -= y
		y = x
	}
	return float32(x * y)
}

// butterflies sets a and b to a + b and a − b.
func butterflies(a, b []float32) {
	for i, v := range a {
		a[i], b[i] = v+b[i], v-b[i]
	}
}

// Release gives memory back that nothing points to: the collector does.
func Release[T any]([]T) {}
