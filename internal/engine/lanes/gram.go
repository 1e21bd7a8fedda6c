package lanes

import (
	"unsafe"

	"tensorsketch.example/internal/engine/block"
)

// AddProducts adds n products to each of a few sums of count rows, in order: for i from 0 on, factor j of factors[i]
// times number r of z[i] is added to number r of sum j. There are block.Sums factors to an i, and block.Rows numbers to
// an i and to a sum. Numbers of further rows may change.
func AddProducts(sums, z, factors []float64, n, count int) {
	if n == 0 {
		return
	}
	to := unsafe.Pointer(&sums[:block.Sums*block.Rows][0])
	numbers, factor := unsafe.Pointer(&z[:n*block.Rows][0]), unsafe.Pointer(&factors[:n*block.Sums][0])
	for row := uintptr(0); row < 8*uintptr(count); row += 2 * vecBytes {
		s := unsafe.Add(to, row)
		a, b := getDoubles(s, 0), getDoubles(s, vecBytes)
		c, d := getDoubles(s, rowsBytes), getDoubles(s, rowsBytes+vecBytes)
		e, f := getDoubles(s, 2*rowsBytes), getDoubles(s, 2*rowsBytes+vecBytes)
		g, h := getDoubles(s, 3*rowsBytes), getDoubles(s, 3*rowsBytes+vecBytes)
		z, w := unsafe.Add(numbers, row), factor
		for range n {
			x, y := getDoubles(z, 0), getDoubles(z, vecBytes)
			v := splatDouble(w, 0)
			a, b = a.Add(x.Mul(v)), b.Add(y.Mul(v))
			v = splatDouble(w, 8)
			c, d = c.Add(x.Mul(v)), d.Add(y.Mul(v))
			v = splatDouble(w, 16)
			e, f = e.Add(x.Mul(v)), f.Add(y.Mul(v))
			v = splatDouble(w, 24)
			g, h = g.Add(x.Mul(v)), h.Add(y.Mul(v))
			z, w = unsafe.Add(z, rowsBytes), unsafe.Add(w, 8*block.Sums)
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
