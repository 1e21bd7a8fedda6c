package solve

// Axpy adds a·x to y.
func Axpy(y []float64, a float64, x []float64) {
	x = x[:len(y)]
	for i, v := range x {
		y[i] += float64(a * v)
	}
}

// Dot returns Σ x_i y_i, i ascending.
func Dot(x, y []float64) float64 {
	y, sum := y[:len(x)], 0.0
	for i, v := range x {
		sum += float64(v * y[i])
	}
	return sum
}

// Difference returns a − b.
func Difference(a, b []float64) []float64 {
	d := make([]float64, len(a))
	for i := range d {
		d[i] = a[i] - b[i]
	}
	return d
}

// Mixed is SplitMix64's function of a word.
func Mixed(h uint64) uint64 {
	h += 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}
