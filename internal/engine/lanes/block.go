package lanes

import (
	"math"
	"unsafe"

	"tensorsketch.example/internal/engine/block"
)

// A Block sketches up to lanes rows, laid out as [coordinate][lane], so that every
// step is a plain operation on vecs and each row's arithmetic is the same as of the row
// alone. It implements block.Block.
type Block struct {
	plan    *Plan
	input   []vec     // a stretch of coordinates of the rows
	loaded  int       // how many there are now
	signed  [2]vec    // the weight of a degree, and its opposite
	sketch  []vec     // count sketches of one or two degrees, then their transform
	product []vec     // product of the spectra so far
	scratch []vec     // of the transform
	row     []float32 // loaded numbers of a row alone
	single  bool      // whether there is one row, computed by plan.single
	check   vec       // 0, or NaN in the lane of a checked row that is not finite
}

// NewBlock implements block.Plan.
func (p *Plan) NewBlock() block.Block {
	size := blockSizes(p.config)
	return &Block{
		plan:    p,
		input:   make([]vec, size.input),
		sketch:  make([]vec, size.sketch),
		product: make([]vec, size.product),
		scratch: make([]vec, size.scratch),
	}
}

// Begin implements block.Block.
func (b *Block) Begin(count int) {
	b.check = splat(0)
	b.single = count == 1 && b.plan.single != nil
}

// Clear implements block.Block.
func (b *Block) Clear() {
	if b.single {
		clear(b.sketch[:len(b.sketch)/4])
		return
	}
	clear(b.sketch)
}

// Load implements block.Block.
func (b *Block) Load(X []float32, stride, n, count int, check bool) {
	b.loaded = n
	if b.single {
		b.row = X[:n]
		if check && !Finite(b.row) {
			b.check = splat(float32(math.NaN()))
		}
		return
	}
	transposeIn(b.input[:n], X, stride, count)
	if check && n > 0 {
		b.check = b.check.Add(nonFinite(unsafe.Pointer(&b.input[0]), n, 1))
	}
}

// place returns the first vec of degree k's sketch, and the vecs from one bucket
// to the next.
func (b *Block) place(k int) (offset, stride int) {
	p := b.plan
	if p.odd && p.fft != nil {
		stride = 2
		if p.Shares(k &^ 1) {
			offset = k & 1
		}
		return offset, stride
	}
	return 0, 1
}

// AddLoaded implements block.Block.
func (b *Block) AddLoaded(k int, entries []block.Entry) {
	if b.loaded == 0 {
		return
	}
	if b.single {
		b.AddSparse(k, 0, entries[:b.loaded], b.row)
		return
	}
	offset, stride := b.place(k)
	w := b.plan.weights[k].feature
	b.signed = [2]vec{splat(w), splat(-w)}
	scatter(unsafe.Pointer(&b.sketch[offset]), uintptr(stride)*vecBytes, unsafe.Pointer(&b.input[0]), entries[:b.loaded],
		&b.signed)
}

// scatter adds each vec of input, times the weight of its sign, to its bucket.
func scatter(z unsafe.Pointer, stride uintptr, input unsafe.Pointer, entries []block.Entry, signed *[2]vec) {
	at, n := unsafe.Pointer(unsafe.SliceData(entries)), uintptr(len(entries))
	i := uintptr(0)
	for ; i+4 <= n; i += 4 {
		addSigned(z, stride, input, at, i, signed)
		addSigned(z, stride, input, at, i+1, signed)
		addSigned(z, stride, input, at, i+2, signed)
		addSigned(z, stride, input, at, i+3, signed)
	}
	for ; i < n; i++ {
		addSigned(z, stride, input, at, i, signed)
	}
}

func addSigned(z unsafe.Pointer, stride uintptr, input, entries unsafe.Pointer, i uintptr, signed *[2]vec) {
	e := *(*block.Entry)(unsafe.Add(entries, 4*i))
	bucket := (*vec)(unsafe.Add(z, uintptr(e&block.BucketMask)*stride))
	*bucket = bucket.Add(get(input, i*vecBytes).Mul(get(unsafe.Pointer(signed), uintptr(e>>31)*vecBytes)))
}

// AddSparse implements block.Block.
func (b *Block) AddSparse(k, lane int, entries []block.Entry, values []float32) {
	w := b.plan.weights[k].feature
	if b.single {
		addRow(unsafe.Pointer(&b.sketch[0]), entries, values, w)
		return
	}
	offset, stride := b.place(k)
	z, step := unsafe.Add(unsafe.Pointer(&b.sketch[offset]), 4*lane), uintptr(stride)*vecBytes
	signed := [2]float32{w, -w}
	from, at := unsafe.Pointer(unsafe.SliceData(values[:len(entries)])), unsafe.Pointer(unsafe.SliceData(entries))
	i, n := uintptr(0), uintptr(len(entries))*4
	for ; i+16 <= n; i += 16 {
		addNumber(z, step, from, at, i, &signed)
		addNumber(z, step, from, at, i+4, &signed)
		addNumber(z, step, from, at, i+8, &signed)
		addNumber(z, step, from, at, i+12, &signed)
	}
	for ; i < n; i += 4 {
		addNumber(z, step, from, at, i, &signed)
	}
}

// addNumber adds a number, times the weight of its sign, to its bucket.
func addNumber(z unsafe.Pointer, step uintptr, values, entries unsafe.Pointer, i uintptr, signed *[2]float32) {
	e := *(*block.Entry)(unsafe.Add(entries, i))
	bucket := (*float32)(unsafe.Add(z, uintptr(e&block.BucketMask)*step))
	*bucket += float32(*(*float32)(unsafe.Add(values, i)) * signed[e>>31])
}

// AddConstant implements block.Block.
func (b *Block) AddConstant(k int, e block.Entry) {
	if b.single {
		floats(b.sketch)[e.Bucket()] += float32(b.plan.weights[k].constant * e.Sign())
		return
	}
	offset, stride := b.place(k)
	z := &b.sketch[e.Bucket()*stride+offset]
	*z = z.Add(splat(b.plan.weights[k].constant * e.Sign()))
}

// Multiply implements block.Block. For even D the last degree's pass merges too.
func (b *Block) Multiply(k int) {
	p := b.plan
	if p.fft == nil {
		return
	}
	last := k == p.config.Degree-1 && !p.config.Spectrum
	if b.single {
		z := b.sketch[len(b.sketch)/4:]
		if k == 0 && p.config.Degree == 2 {
			p.single.forward(b.product, b.sketch)
			return
		}
		p.single.forward(z, b.sketch)
		p.single.multiply(b.product, z, k == 0, last)
		return
	}
	p.fft.forward(b.sketch, b.scratch)
	switch {
	case p.config.Complex && k == 0:
		b.sketch, b.product = b.product, b.sketch
	case p.config.Complex && last:
		multiplyComplex(b.sketch, b.product, b.sketch)
	case p.config.Complex:
		multiplyComplex(b.product, b.product, b.sketch)
	case p.odd && p.Shares(k):
		p.multiplyTwo(b.product, b.sketch, k == 0)
	case p.odd:
		p.multiplyOne(b.product, b.sketch, k == 0)
	case k == 0 && p.config.Degree == 2 && !p.config.Spectrum:
		b.sketch, b.product = b.product, b.sketch // kept as it is for mergeTwo
	case k == 0:
		p.splitHalf(b.product, b.sketch)
	case last && k == 1:
		p.mergeTwo(b.sketch, b.product)
	case last:
		p.mergeLast(b.sketch, b.product)
	default:
		p.multiplyHalf(b.product, b.sketch)
	}
}

// NotFinite implements block.Block.
func (b *Block) NotFinite() bool { return lanesOf(b.check) != [lanes]float32{} }

// Finish implements block.Block.
func (b *Block) Finish() {
	p := b.plan
	switch {
	case p.fft == nil || b.single: // Store has the last step
	case p.config.Spectrum && p.config.Complex:
		p.storeComplexSpectrum(b.sketch, b.product)
	case p.config.Spectrum:
		p.storeSpectrum(b.sketch, b.product)
	case p.odd:
		p.mergeOdd(b.sketch, b.product)
		fallthrough
	default:
		p.fft.backward(b.sketch, b.scratch)
	}
}

// Store implements block.Block.
func (b *Block) Store(out []float32, count int) (bad uint32) {
	if b.single {
		b.row = nil
		b.plan.single.backward(out, b.sketch[len(b.sketch)/4:])
		if !Finite(out[:b.plan.config.NComponents]) {
			bad = 1
		}
		return bad
	}
	stride := b.plan.stride
	if b.plan.config.Spectrum {
		stride = 1
	}
	finite := store(out, b.sketch, b.plan.config.NComponents, count, stride)
	for lane, v := range finite[:count] {
		if v != 0 {
			bad |= 1 << lane
		}
	}
	return bad
}

// floats returns the numbers of a slice of vecs, coordinate by coordinate.
func floats(z []vec) []float32 {
	if len(z) == 0 {
		return nil
	}
	return unsafe.Slice((*float32)(unsafe.Pointer(&z[0])), len(z)*lanes)
}

// tile is the number of coordinates transposed row by row before the next ones,
// so that they stay in the first-level cache.
const tile = 256

// transposeIn lays the first len(input) numbers of count rows, d apart, side by
// side. Lanes without a row are 0.
func transposeIn(input []vec, rows []float32, d, count int) {
	if count < lanes {
		clear(input)
	}
	for from := 0; from < len(input); from += tile {
		n := min(tile, len(input)-from)
		src := part(rows, d, from, n, count)
		transpose(unsafe.Pointer(&input[from]), 4, vecBytes, src, 4*uintptr(d), 4, uintptr(n), count)
	}
}

// store writes the first D of every stride-th vec of z to count rows of out. It
// returns 0, or NaN in the lane of a row that is not finite.
func store(out []float32, z []vec, D, count, stride int) [lanes]float32 {
	check := splat(0)
	for from := 0; from < D; from += tile {
		n := min(tile, D-from)
		src := unsafe.Pointer(&z[from*stride])
		to := part(out, D, from, n, count)
		transpose(to, 4*uintptr(D), 4, src, 4, uintptr(stride)*vecBytes, uintptr(n), count)
		check = check.Add(nonFinite(src, n, stride))
	}
	return lanesOf(check)
}

// nonFinite returns 0, or NaN in the lanes where one of n vecs is not finite.
func nonFinite(z unsafe.Pointer, n, stride int) vec {
	step, end := uintptr(stride)*vecBytes, uintptr(n*stride)*vecBytes
	a, b := splat(0), splat(0)
	at := uintptr(0)
	for ; at+3*step < end; at += 4 * step {
		v, w, x, y := get(z, at), get(z, at+step), get(z, at+2*step), get(z, at+3*step)
		a, b = a.Add(v.Sub(v)), b.Add(w.Sub(w))
		a, b = a.Add(x.Sub(x)), b.Add(y.Sub(y))
	}
	for ; at < end; at += step {
		v := get(z, at)
		a = a.Add(v.Sub(v))
	}
	return a.Add(b)
}

// lanesOf returns the numbers of a vec.
func lanesOf(v vec) [lanes]float32 { return *(*[lanes]float32)(unsafe.Pointer(&v)) }

// part returns the address of number `from` of the first of count rows, `stride` apart, which have n more.
func part(rows []float32, stride, from, n, count int) unsafe.Pointer {
	if count == 0 || n == 0 {
		return nil
	}
	_ = rows[(count-1)*stride+from:][:n]
	return unsafe.Pointer(&rows[from])
}

// transpose copies n numbers of each of count rows. A row is fromRow bytes after the one before, and its next number
// fromNext bytes; they come to lie toRow and toNext bytes apart. One of toRow and toNext is 4, and so is one of fromRow
// and fromNext, but the other one.
func transpose(to unsafe.Pointer, toRow, toNext uintptr, from unsafe.Pointer, fromRow, fromNext, n uintptr, count int) {
	done := uintptr(0)
	if lanes == 4 && count == lanes {
		for ; done+4 <= n; done += 4 {
			transpose4(unsafe.Add(to, done*toNext), max(toRow, toNext), unsafe.Add(from, done*fromNext), max(fromRow, fromNext))
		}
	}
	for lane := range uintptr(count) {
		gather(unsafe.Add(to, lane*toRow+done*toNext), toNext, unsafe.Add(from, lane*fromRow+done*fromNext), fromNext, n-done)
	}
}

// gather copies n numbers from every step-th byte of src to every stride-th of dst.
func gather(dst unsafe.Pointer, stride uintptr, src unsafe.Pointer, step, n uintptr) {
	to, from := uintptr(0), uintptr(0)
	for ; n >= 4; n -= 4 {
		a, b := *(*float32)(unsafe.Add(src, from)), *(*float32)(unsafe.Add(src, from+step))
		c, d := *(*float32)(unsafe.Add(src, from+2*step)), *(*float32)(unsafe.Add(src, from+3*step))
		*(*float32)(unsafe.Add(dst, to)) = a
		*(*float32)(unsafe.Add(dst, to+stride)) = b
		*(*float32)(unsafe.Add(dst, to+2*stride)) = c
		*(*float32)(unsafe.Add(dst, to+3*stride)) = d
		to, from = to+4*stride, from+4*step
	}
	for ; n > 0; n-- {
		*(*float32)(unsafe.Add(dst, to)) = *(*float32)(unsafe.Add(src, from))
		to, from = to+stride, from+step
	}
}
