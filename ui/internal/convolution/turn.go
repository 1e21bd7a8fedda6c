package convolution

// A turn is a sign as a number of quarter turns from 1: 0 is 1, 1 is i, 2 is −1 and 3 is −i. Signs of the tensor
// sketch are 0 or 2.
type turn int

// turnOf returns the sign s, or s·i for the imaginary part of a bucket.
func turnOf(part, s int) turn {
	if s < 0 {
		return turn(part + 2)
	}
	return turn(part)
}

// times returns the product of two signs.
func (t turn) times(u turn) turn { return (t + u) % 4 }

func (t turn) minus() bool  { return t >= 2 }
func (t turn) isReal() bool { return t%2 == 0 }

// of returns the sign times x.
func (t turn) of(x float64) complex128 {
	if t.minus() {
		x = -x
	}
	if t.isReal() {
		return complex(x, 0)
	}
	return complex(0, x)
}

// String writes real signs as + or −, and imaginary ones as i and −i.
func (t turn) String() string { return [...]string{"+", "i", "−", "−i"}[t] }

// multiply returns a·b with the same rounding on every platform. The conversions prevent fused multiply-add.
func multiply(a, b complex128) complex128 {
	return complex(float64(real(a)*real(b))-float64(imag(a)*imag(b)), float64(real(a)*imag(b))+float64(imag(a)*real(b)))
}

// partOf returns the real part of a value (part 0) or the imaginary part (part 1).
func partOf(z complex128, part int) float64 {
	if part == 0 {
		return real(z)
	}
	return imag(z)
}
