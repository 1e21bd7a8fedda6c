package lanes

import "unsafe"

// fft is a complex Fourier transform of length n of each lane's row, in place.
// Element j is the pair of vecs z[2j] (real) and z[2j+1] (imaginary). Lengths
// 2^a·3^b·5^c take mixed radix 5, 4, 3, 2 (Cooley & Tukey 1965; Gentleman &
// Sande 1966): decimation in frequency forward, in time backward, so that the
// spectrum stays in digit-reversed order and no permutation pass is needed.
// Other lengths take Bluestein's algorithm (1970) over such a length.
type fft struct {
	n      int
	stages []stage    // forward order
	chirp  *bluestein // instead of stages
}

// A stage splits every block of length radix·part into radix parts.
type stage struct {
	radix, part int
	// twiddles holds for j = 0 … part−1 and q = 1 … radix−1 the pair cos, sin of
	// 2πjq/(radix·part).
	twiddles []float32
}

func newFFT(n int) *fft {
	f := &fft{n: n}
	radices, rest := factor(n)
	if rest != 1 {
		f.chirp = newBluestein(n)
		return f
	}
	length := n
	for _, radix := range radices {
		part := length / radix
		s := stage{radix: radix, part: part, twiddles: make([]float32, 0, 2*(radix-1)*part)}
		for j := range part {
			for q := 1; q < radix; q++ {
				cos, sin := cosSinTurn(j*q, length)
				s.twiddles = append(s.twiddles, float32(cos), float32(sin))
			}
		}
		f.stages = append(f.stages, s)
		length = part
	}
	return f
}

// factor splits n into the radices of the stages and what is left: 5s, 3s and 4s,
// and for a power of two left over a last stage of radix 8 or 2.
func factor(n int) (radices []int, rest int) {
	for _, radix := range [...]int{5, 3} {
		for n%radix == 0 {
			radices = append(radices, radix)
			n /= radix
		}
	}
	for n%4 == 0 && n != 8 {
		radices = append(radices, 4)
		n /= 4
	}
	for _, radix := range [...]int{8, 2} {
		if n == radix {
			radices = append(radices, radix)
			n = 1
		}
	}
	return radices, n
}

// positions returns where frequency k = 0 … n−1 stands in a forward transform.
func (f *fft) positions() []int32 {
	positions := make([]int32, f.n)
	for k := range positions {
		rest, size, at := k, f.n, 0
		for _, s := range f.stages {
			size /= s.radix
			at += rest % s.radix * size
			rest /= s.radix
		}
		if f.chirp != nil {
			at = k
		}
		positions[k] = int32(at)
	}
	return positions
}

// cacheCells is the number of complex numbers, of all lanes, up to which a part
// of the transform is taken through all its stages before the next part, so that
// it stays in the first-level cache.
const cacheCells = 16 << 10 / int(cellBytes)

// forward transforms z with the kernel exp(−2πi·jk/n).
func (f *fft) forward(z, scratch []vec) {
	if f.chirp != nil {
		f.chirp.transform(z, scratch, 1)
		return
	}
	forwardStages(f.stages, unsafe.Pointer(&z[:2*f.n][0]), f.n)
}

func forwardStages(stages []stage, z unsafe.Pointer, n int) {
	for i := range stages {
		s := &stages[i]
		s.forward(z, n/(s.radix*s.part))
		if i == 0 && n > cacheCells && s.part > 1 {
			for q := range s.radix {
				forwardStages(stages[1:], unsafe.Add(z, uintptr(q*s.part)*cellBytes), s.part)
			}
			return
		}
	}
}

// backward is the inverse of forward times n: the kernel exp(2πi·jk/n), no scaling.
func (f *fft) backward(z, scratch []vec) {
	if f.chirp != nil {
		f.chirp.transform(z, scratch, -1)
		return
	}
	backwardStages(f.stages, unsafe.Pointer(&z[:2*f.n][0]), f.n)
}

func backwardStages(stages []stage, z unsafe.Pointer, n int) {
	if len(stages) == 0 {
		return
	}
	s := &stages[0]
	if n > cacheCells && s.part > 1 {
		for q := range s.radix {
			backwardStages(stages[1:], unsafe.Add(z, uintptr(q*s.part)*cellBytes), s.part)
		}
		s.backward(z, 1)
		return
	}
	for i := len(stages) - 1; i >= 0; i-- {
		stages[i].backward(z, n/(stages[i].radix*stages[i].part))
	}
}

// bluestein computes a transform of any length n as a convolution with the chirp
// exp(πi·j²/n), by transforms of a length m ≥ 2n − 1.
type bluestein struct {
	n     int
	inner *fft
	chirp []float32 // cos, sin of πj²/n for j = 0 … n−1
	// filter is the transform of the chirp, laid out as the inner transform
	// leaves its spectra, divided by m.
	filter []float32
}

// smoothLength returns the least 2^a·3^b·5^c that is at least n.
func smoothLength(n int) int {
	for ; ; n++ {
		if _, rest := factor(n); rest == 1 {
			return n
		}
	}
}

func newBluestein(n int) *bluestein {
	m := smoothLength(2*n - 1)
	b := &bluestein{n: n, inner: newFFT(m), chirp: make([]float32, 2*n), filter: make([]float32, 2*m)}
	z := make([]vec, 2*m)
	square := 0 // j² mod 2n
	for j := range n {
		cos, sin := cosSinTurn(square, 2*n)
		b.chirp[2*j], b.chirp[2*j+1] = float32(cos), float32(sin)
		re, im := splat(float32(cos)), splat(float32(sin))
		z[2*j], z[2*j+1] = re, im
		if j > 0 {
			z[2*(m-j)], z[2*(m-j)+1] = re, im
		}
		clearUppers()
		square = (square + 2*j + 1) % (2 * n)
	}
	b.inner.forward(z, nil)
	clearUppers()
	scale := splat(1 / float32(m))
	flat := floats(z)
	for i := range z {
		z[i] = z[i].Mul(scale)
		b.filter[i] = flat[i*lanes]
	}
	return b
}

// transform computes the forward transform for direction 1. The backward one is
// the same between two conjugations, which direction −1 folds into the chirp steps.
func (b *bluestein) transform(z, scratch []vec, direction float32) {
	a := scratch[:2*b.inner.n]
	clear(a)
	sign := splat(direction)
	for j := range b.n {
		cos, sin := splat(b.chirp[2*j]), splat(b.chirp[2*j+1])
		re, im := z[2*j], z[2*j+1].Mul(sign)
		a[2*j] = re.Mul(cos).Add(im.Mul(sin)) // times exp(−πi·j²/n)
		a[2*j+1] = im.Mul(cos).Sub(re.Mul(sin))
	}
	b.inner.forward(a, nil)
	for i := 0; i < len(a); i += 2 {
		re, im := splat(b.filter[i]), splat(b.filter[i+1])
		a[i], a[i+1] = a[i].Mul(re).Sub(a[i+1].Mul(im)), a[i].Mul(im).Add(a[i+1].Mul(re))
	}
	b.inner.backward(a, nil)
	for j := range b.n {
		cos, sin := splat(b.chirp[2*j]), splat(b.chirp[2*j+1])
		re, im := a[2*j], a[2*j+1]
		z[2*j] = re.Mul(cos).Add(im.Mul(sin))
		z[2*j+1] = im.Mul(cos).Sub(re.Mul(sin)).Mul(sign)
	}
}
