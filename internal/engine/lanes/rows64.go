package lanes

import "unsafe"

// The two products of solvers that pass over rows: numbers of 32 bits, computed with in 64.

// dotParts is the number of partial sums of an inner product: sum p adds up the products p, p + dotParts, …
const dotParts = 4

// DotScratch is the length of the scratch memory of Dots, for any number of lanes.
const DotScratch = 8 * dotParts

// Here the registers hold the partial sums of lanes rows: a row's are in one doubles, or in two.
const (
	narrowBytes = 4 * dotParts
	wideBytes   = 8 * dotParts
	secondHalf  = wideBytes - vecBytes // 0 where one doubles holds all of a row's partial sums
)

// Dots sets sums[i] to the inner product of v and row list[i] of the matrix, whose rows are as long as v. The
// partial sums p are added as (p₀ + p₁) + (p₂ + p₃). Scratch has DotScratch numbers: TinyGo would take memory of its
// own from the heap at each call.
func Dots(sums, v []float64, matrix []float32, list []int32, scratch []float64) {
	if len(v) == 0 || len(list) == 0 {
		clear(sums[:len(list)])
		return
	}
	parts := scratch[:dotParts*lanes]
	from, factors, whole := unsafe.Pointer(&matrix[0]), unsafe.Pointer(&v[0]), len(v)&^(dotParts-1)
	for len(list) > 0 {
		count := min(lanes, len(list))
		dotTile(unsafe.Pointer(&parts[0]), from, 4*uintptr(len(v)), list[:count], factors, 4*uintptr(whole))
		clearUppers()
		for r, row := range list[:count] {
			own := parts[dotParts*r:][:dotParts]
			for i, x := range v[whole:] {
				own[i] += float64(x * float64(matrix[int(row)*len(v)+whole+i]))
			}
			sums[r] = (own[0] + own[1]) + (own[2] + own[3])
		}
		sums, list = sums[count:], list[count:]
	}
}

// dotTile writes the partial sums of the inner products of v and the first end bytes of the listed rows to a place.
// The rows begin step bytes apart.
func dotTile(to, rows unsafe.Pointer, step uintptr, list []int32, v unsafe.Pointer, end uintptr) {
	var (
		p0, p1     = sumsOf(0, rows, step, list), sumsOf(1, rows, step, list)
		p2, p3     = sumsOf(2, rows, step, list), sumsOf(3, rows, step, list)
		p4, p5     = sumsOf(4, rows, step, list), sumsOf(5, rows, step, list)
		p6, p7     = sumsOf(6, rows, step, list), sumsOf(7, rows, step, list)
		zero       = broadcast(0)
		a, b, c, d = zero, zero, zero, zero
		e, f, g, h = zero, zero, zero, zero
	)
	for at := uintptr(0); at < end; at += narrowBytes {
		x, y := getDoubles(v, 2*at), getDoubles(v, 2*at+secondHalf)
		a, b = a.Add(getWide(p0, at).Mul(x)), b.Add(getWide(p1, at).Mul(y))
		c, d = c.Add(getWide(p2, at).Mul(x)), d.Add(getWide(p3, at).Mul(y))
		e, f = e.Add(getWide(p4, at).Mul(x)), f.Add(getWide(p5, at).Mul(y))
		g, h = g.Add(getWide(p6, at).Mul(x)), h.Add(getWide(p7, at).Mul(y))
	}
	putDoubles(to, 0, a)
	putDoubles(to, vecBytes, b)
	putDoubles(to, 2*vecBytes, c)
	putDoubles(to, 3*vecBytes, d)
	putDoubles(to, 4*vecBytes, e)
	putDoubles(to, 5*vecBytes, f)
	putDoubles(to, 6*vecBytes, g)
	putDoubles(to, 7*vecBytes, h)
}

// sumsOf returns where the numbers begin that belong to register i of a tile: at a row, or in its second half of
// dotParts numbers. Registers of rows that are not there repeat the last row.
func sumsOf(i int, rows unsafe.Pointer, step uintptr, list []int32) unsafe.Pointer {
	row := uintptr(list[min(i*lanes/8, len(list)-1)])
	return unsafe.Add(rows, row*step+uintptr(2*(i*lanes%8)))
}

// AddRows adds factors[i] times row list[i] of the matrix to sum, one i after another. Rows are as long as sum.
func AddRows(sum []float64, matrix []float32, list []int32, factors []float64) {
	if len(sum) == 0 || len(list) == 0 {
		return
	}
	factors = factors[:len(list)]
	whole := len(sum) &^ (dotParts - 1)
	for i, row := range list {
		for j := whole; j < len(sum); j++ {
			sum[j] += float64(factors[i] * float64(matrix[int(row)*len(sum)+j]))
		}
	}
	to, from, step, end := unsafe.Pointer(&sum[0]), unsafe.Pointer(&matrix[0]), 4*uintptr(len(sum)), 4*uintptr(whole)
	for ; len(list) >= 4; list, factors = list[4:], factors[4:] {
		p, q := unsafe.Add(from, uintptr(list[0])*step), unsafe.Add(from, uintptr(list[1])*step)
		r, s := unsafe.Add(from, uintptr(list[2])*step), unsafe.Add(from, uintptr(list[3])*step)
		a, b, c, d := broadcast(factors[0]), broadcast(factors[1]), broadcast(factors[2]), broadcast(factors[3])
		for at := uintptr(0); at < end; at += vecBytes / 2 {
			x := getDoubles(to, 2*at).Add(getWide(p, at).Mul(a)).Add(getWide(q, at).Mul(b))
			putDoubles(to, 2*at, x.Add(getWide(r, at).Mul(c)).Add(getWide(s, at).Mul(d)))
		}
	}
	for i, row := range list {
		p, a := unsafe.Add(from, uintptr(row)*step), broadcast(factors[i])
		for at := uintptr(0); at < end; at += vecBytes / 2 {
			putDoubles(to, 2*at, getDoubles(to, 2*at).Add(getWide(p, at).Mul(a)))
		}
	}
}
