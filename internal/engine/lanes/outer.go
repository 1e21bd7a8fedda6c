package lanes

import "unsafe"

// Products of integer features, Σ q_i q_j over rows. A block of rows is kept in panels of OuterWidth
// columns; a panel has a word for each rowsPerWord rows and each column. Four columns of a panel times
// a panel are sums in registers while all rows of the block are read.

const (
	// OuterWidth is the number of columns of a panel. Rows of integers are padded with zeros to a
	// multiple of it.
	OuterWidth = 2 * lanes
	// OuterRows is the maximum number of rows of a block. The sum of the squares of each column must be below 2^31
	// (AddSquares), so that by Cauchy and Schwarz each sum of products is.
	OuterRows = 256

	panelStep  = 4 * OuterWidth                          // bytes of the words of a panel for the same rows
	panelBytes = (OuterRows/rowsPerWord + 1) * panelStep // not a power of two, so that panels differ in their cache lines
	tileRows   = 4
)

// OuterWords returns the number of words of a block of rows of n integers, n a multiple of OuterWidth.
func OuterWords(n int) int { return n / OuterWidth * (panelBytes / 4) }

// Largest returns the largest bits of z without their signs: the bits of the largest |z|, or more than
// the bits of any number if z holds NaN or an infinity.
func Largest(z []float32) uint32 {
	n, largest := len(z)&^(lanes-1), uint32(0)
	if n > 0 {
		from, size, all := unsafe.Pointer(&z[0]), splatBits(signBit-1), splatBits(0)
		for at, end := uintptr(0), uintptr(n)*4; at < end; at += vecBytes {
			all = all.Max(getWord(from, at).And(size))
		}
		var each [lanes]uint32
		putWord(unsafe.Pointer(&each), 0, all)
		for _, bits := range &each {
			largest = max(largest, bits)
		}
	}
	for i := n; i < len(z); i++ {
		largest = max(largest, *(*uint32)(unsafe.Pointer(&z[i]))&(signBit-1))
	}
	return largest
}

// Adding shift to a number below 2^22 rounds it to an integer, of halves to the even one, which the
// bits then hold.
const (
	shift     = 3 << 22
	shiftBits = 0x4b400000
)

// Quantise sets q to the integers nearest to factor times z, of one length. These must be below
// 2^22, and the products exact.
func Quantise(q []int32, z []float32, factor float32) {
	n := uintptr(len(z)) * 4
	if n < vecBytes {
		quantiseFew(q[:len(z)], z, factor)
		return
	}
	to, from := unsafe.Pointer(&q[:len(z)][0]), unsafe.Pointer(&z[0])
	f, up, down := splat(factor), splat(shift), splatBits(1<<32-shiftBits)
	for at := uintptr(0); at < n; at += vecBytes {
		at := min(at, n-vecBytes) // the last numbers, some of them again
		putWord(to, at, get(from, at).Mul(f).Add(up).ToBits().Add(down))
	}
}

// quantiseFew is Quantise for less than a vec. In a function of its own, no instruction for one number stands between
// those for vecs.
//
//go:noinline
func quantiseFew(q []int32, z []float32, factor float32) {
	for i := range z {
		v := float32(z[i]*factor) + shift
		q[i] = int32(*(*uint32)(unsafe.Pointer(&v)) - shiftBits)
	}
}

// PutRow puts a row of integers of 16 bits into a block. Rows come in their order: 0, 1 …
func PutRow(block []uint32, q []int32, row int) {
	from, n := unsafe.Pointer(&q[0]), uintptr(len(q))*4
	to := unsafe.Add(unsafe.Pointer(&block[:OuterWords(len(q))][0]), uintptr(row/rowsPerWord)*panelStep)
	panel := uintptr(0) // where the words of the next panel go
	switch {
	case rowsPerWord == 1:
		for at := uintptr(0); at < n; at += panelStep {
			putWord(to, panel, getWord(from, at))
			putWord(to, panel+vecBytes, getWord(from, at+vecBytes))
			panel += panelBytes
		}
	case row%2 == 0:
		low := splatBits(1<<16 - 1)
		for at := uintptr(0); at < n; at += panelStep {
			putWord(to, panel, getWord(from, at).And(low))
			putWord(to, panel+vecBytes, getWord(from, at+vecBytes).And(low))
			panel += panelBytes
		}
	default:
		high := splatBits(1 << 16)
		for at := uintptr(0); at < n; at += panelStep {
			putWord(to, panel, getWord(from, at).Mul(high).Xor(getWord(to, panel)))
			putWord(to, panel+vecBytes, getWord(from, at+vecBytes).Mul(high).Xor(getWord(to, panel+vecBytes)))
			panel += panelBytes
		}
	}
}

// AddSquares adds the squares of a row of integers of 16 bits to as many sums, a multiple of OuterWidth, each below
// 2^31 before. It reports whether one of them is 2^31 or more.
func AddSquares(sums []uint32, q []int32) (isFull bool) {
	to, from := unsafe.Pointer(&sums[:len(q)][0]), unsafe.Pointer(&q[0])
	largest := splatBits(0)
	for at, end := uintptr(0), uintptr(len(q))*4; at < end; at += vecBytes {
		v := getWord(from, at)
		sum := v.Mul(v).Add(getWord(to, at))
		putWord(to, at, sum)
		largest = largest.Max(sum)
	}
	var each [lanes]uint32
	putWord(unsafe.Pointer(&each), 0, largest)
	for _, sum := range &each {
		isFull = isFull || sum >= signBit
	}
	return isFull
}

// AddRow adds a row of integers to as many sums.
func AddRow(sums []int64, q []int32) {
	n := len(q) &^ (lanes - 1)
	if n > 0 {
		to, from := unsafe.Pointer(&sums[:len(q)][0]), unsafe.Pointer(&q[0])
		for at, end := uintptr(0), uintptr(n)*4; at < end; at += vecBytes {
			carry(to, 2*at, getInts(from, at))
		}
	}
	for i := n; i < len(q); i++ {
		sums[i] += int64(q[i])
	}
}

// AddOuter adds the products of a block of rows of D numbers to the rows of a panel in the lower
// triangle of their sums, which is kept by rows.
func AddOuter(sums []int64, block []uint32, rows, D, panel int) {
	words := (rows + rowsPerWord - 1) / rowsPerWord
	first := panel * OuterWidth
	last := min(first+OuterWidth, D)
	_ = sums[last*(last+1)/2-1]
	to, from := unsafe.Pointer(&sums[0]), unsafe.Pointer(&block[0])
	a := unsafe.Add(from, uintptr(panel)*panelBytes)
	for other := range panel {
		b := unsafe.Add(from, uintptr(other)*panelBytes)
		for row := first; row < last; row += tileRows {
			var beyond [OuterWidth]int64
			var at [tileRows]unsafe.Pointer
			for k := range at {
				at[k] = unsafe.Pointer(&beyond)
				if i := row + k; i < last {
					at[k] = unsafe.Add(to, uintptr(i*(i+1)/2+other*OuterWidth)*8)
				}
			}
			addTile(&at, unsafe.Add(a, uintptr(row-first)*4), b, words)
		}
	}
	// The panel times itself: numbers up to the diagonal.
	for row := first; row < last; row += tileRows {
		var tile [tileRows][OuterWidth]int64
		at := [tileRows]unsafe.Pointer{unsafe.Pointer(&tile[0]), unsafe.Pointer(&tile[1]), unsafe.Pointer(&tile[2]),
			unsafe.Pointer(&tile[3])}
		addTile(&at, unsafe.Add(a, uintptr(row-first)*4), a, words)
		for i := row; i < min(row+tileRows, last); i++ {
			own := sums[i*(i+1)/2+first : i*(i+1)/2+i+1]
			for j := range own {
				own[j] += tile[i-row][j]
			}
		}
	}
}

// addTile adds four columns of a panel, from a on, times the panel b to the numbers at to: a row of
// OuterWidth sums for each of the four.
func addTile(to *[tileRows]unsafe.Pointer, a, b unsafe.Pointer, words int) {
	s0, s1, s2, s3 := splatInts(0), splatInts(0), splatInts(0), splatInts(0)
	t0, t1, t2, t3 := splatInts(0), splatInts(0), splatInts(0), splatInts(0)
	never := words
	for range words {
		x, y := getPacked(b, 0), getPacked(b, vecBytes)
		v := splatPacked(*(*int32)(a))
		s0, t0 = s0.Add(products(v, x)), t0.Add(products(v, y))
		v = splatPacked(*(*int32)(unsafe.Add(a, 4)))
		s1, t1 = s1.Add(products(v, x)), t1.Add(products(v, y))
		// Go's compiler computes all products of a block of code before it adds them, and would keep sums in memory
		// for it. With two blocks of code it is twice as fast.
		if never--; never < 0 {
			break
		}
		v = splatPacked(*(*int32)(unsafe.Add(a, 8)))
		s2, t2 = s2.Add(products(v, x)), t2.Add(products(v, y))
		v = splatPacked(*(*int32)(unsafe.Add(a, 12)))
		s3, t3 = s3.Add(products(v, x)), t3.Add(products(v, y))
		a, b = unsafe.Add(a, panelStep), unsafe.Add(b, panelStep)
	}
	carry(to[0], 0, s0)
	carry(to[0], 2*vecBytes, t0)
	carry(to[1], 0, s1)
	carry(to[1], 2*vecBytes, t1)
	carry(to[2], 0, s2)
	carry(to[2], 2*vecBytes, t2)
	carry(to[3], 0, s3)
	carry(to[3], 2*vecBytes, t3)
}
