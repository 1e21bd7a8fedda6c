package lanes

import (
	"unsafe"

	"tensorsketch.example/internal/engine/block"
)

// SubtractProducts subtracts products from a few sums of count rows: for every i of
// indices, in their order, factor j of matrix[i] times number r of z[i] from number r
// of sum j, where there are block.Sums factors to an i, and block.Rows numbers to an i
// and to a sum. Numbers of further rows may change.
func SubtractProducts(sums, z, matrix []float64, indices []int32, count int) {
	if len(indices) == 0 {
		return
	}
	to, index, end := unsafe.Pointer(&sums[:block.Sums*block.Rows][0]), unsafe.Pointer(&indices[0]),
		uintptr(len(indices))*4
	numbers, factors := unsafe.Pointer(&z[0]), unsafe.Pointer(&matrix[0])
	for row := uintptr(0); row < 8*uintptr(count); row += 2 * vecBytes {
		s, z := unsafe.Add(to, row), unsafe.Add(numbers, row)
		a, b := getDoubles(s, 0), getDoubles(s, vecBytes)
		c, d := getDoubles(s, rowsBytes), getDoubles(s, rowsBytes+vecBytes)
		e, f := getDoubles(s, 2*rowsBytes), getDoubles(s, 2*rowsBytes+vecBytes)
		g, h := getDoubles(s, 3*rowsBytes), getDoubles(s, 3*rowsBytes+vecBytes)
		for at := uintptr(0); at < end; at += 4 {
			i := uintptr(*(*uint32)(unsafe.Add(index, at)))
			from, w := unsafe.Add(z, i*rowsBytes), unsafe.Add(factors, i*(8*block.Sums))
			x, y := getDoubles(from, 0), getDoubles(from, vecBytes)
			factor := splatDouble(w, 0)
			a, b = a.Sub(x.Mul(factor)), b.Sub(y.Mul(factor))
			factor = splatDouble(w, 8)
			c, d = c.Sub(x.Mul(factor)), d.Sub(y.Mul(factor))
			factor = splatDouble(w, 16)
			e, f = e.Sub(x.Mul(factor)), f.Sub(y.Mul(factor))
			factor = splatDouble(w, 24)
			g, h = g.Sub(x.Mul(factor)), h.Sub(y.Mul(factor))
		}
		putDoubles(s, 0, a)
		putDoubles(s, vecBytes, b)
		putDoubles(s, rowsBytes, c)
		putDoubles(s, rowsBytes+vecBytes, d)
		putDoubles(s, 2*rowsBytes, e)
		putDoubles(s, 2*rowsBytes+vecBytes, f)
		putDoubles(s, 3*rowsBytes, g)
		putDoubles(s, 3*rowsBytes+vecBytes, h)
	}
}

const rowsBytes = 8 * block.Rows

func splatDouble(p unsafe.Pointer, offset uintptr) doubles {
	return broadcast(*(*float64)(unsafe.Add(p, offset)))
}
