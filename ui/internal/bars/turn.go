package bars

import "tensorsketch.example/sketch"

// A Turn is a sign as a number of quarter turns from 1: 0 is 1, 1 is i, 2 is −1 and 3 is −i. Signs of the tensor
// sketch are 0 or 2.
type Turn int

// Hash returns bucket h_k(i) and sign s_k(i) of a map whose buckets hold the given number of parts.
func Hash(m *sketch.FeatureMap, k, i, parts int) (bucket int, sign Turn) {
	at, s := m.Hash(k, i)
	return at / parts, Turn(at%parts + 1 - s)
}

// Times returns the product of two signs.
func (t Turn) Times(u Turn) Turn { return (t + u) % 4 }

// IsMinus reports whether the sign is −1 or −i, and IsReal whether it is 1 or −1. Part returns 0 for real signs and 1
// for imaginary ones.
func (t Turn) IsMinus() bool { return t >= 2 }
func (t Turn) IsReal() bool  { return t.Part() == 0 }
func (t Turn) Part() int     { return int(t % 2) }

// Of returns the sign times x.
func (t Turn) Of(x float64) complex128 {
	if t.IsMinus() {
		x = -x
	}
	if t.IsReal() {
		return complex(x, 0)
	}
	return complex(0, x)
}

// Text writes the sign: + or −, or for a method with complex signs 1, i, −1 or −i.
func (t Turn) Text(method string) string {
	return [...]string{Either(method, "+", "1"), "i", Either(method, "−", "−1"), "−i"}[t]
}

// Part returns the real part of a value (part 0) or the imaginary part (part 1).
func Part(z complex128, part int) float64 {
	if part == 0 {
		return real(z)
	}
	return imag(z)
}
