package lanes

// cosSinTurn returns the cosine and sine of 2π·k/n for 0 ≤ k < n, correct to
// about an ulp of float64. Package math would do, but its Sin and Cos give other
// bits on other platforms, and twiddle factors reach the output.
func cosSinTurn(k, n int) (cos, sin float64) {
	// Reduce to the first octant in integers: k/n = octant/8 + rest/(8n).
	octant, rest := 8*k/n, 8*k%n
	if octant%2 == 1 { // reflect odd octants, so that the angle runs from an axis
		rest = n - rest
	}
	c, s := cosSinSmall(float64(rest) / float64(n) * (3.14159265358979323846 / 4))
	switch octant {
	case 0:
		return c, s
	case 1:
		return s, c
	case 2:
		return -s, c
	case 3:
		return -c, s
	case 4:
		return -c, -s
	case 5:
		return -s, -c
	case 6:
		return s, -c
	}
	return c, -s
}

// cosSinSmall sums the Taylor series of cosine and sine for 0 ≤ x ≤ π/4. Each
// product is rounded by itself, so that no platform fuses it with the sum.
func cosSinSmall(x float64) (cos, sin float64) {
	square := float64(x * x)
	cos, sin = 1, 1
	for i := 20; i >= 2; i -= 2 { // Horner, from the 20th power down
		cos = 1 - float64(float64(square/float64(i*(i-1)))*cos)
		sin = 1 - float64(float64(square/float64(i*(i+1)))*sin)
	}
	return cos, float64(x * sin)
}
