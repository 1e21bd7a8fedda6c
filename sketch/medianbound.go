package sketch

// medianProbability bounds the probability that the median of t independent estimates is off by ε
// or more. single bounds this probability for one estimate, for instance by chebyshevProbability.
// The median can only be off if at least half of the estimates are:
//
//	Σ_{s ≥ t/2} C(t, s)·single^s·(1 − single)^(t−s).
//
// For odd t it is at most 2^(t−1)·single^((t+1)/2). It panics unless t ≥ 1
// and 0 ≤ single ≤ 1.
func medianProbability(t int, single float64) float64 {
	if t < 1 || !(single >= 0 && single <= 1) {
		panic("sketch: medianProbability needs t ≥ 1 and a probability")
	}
	// Terms are summed from the largest s down, each computed from the previous one by a ratio. For
	// single > ½ the complement is as exact and cannot underflow.
	if single > 0.5 {
		return 1 - binomialTail(t, t/2+1, 1-single)
	}
	return min(1, binomialTail(t, (t+1)/2, single))
}

// binomialTail returns the probability of at least k ≥ 1 successes in t trials of probability
// p ≤ ½. It builds the term of k successes factor by factor, so that it neither overflows nor
// underflows early. It multiplies that by 1 plus the ratios of the further terms.
func binomialTail(t, k int, p float64) float64 {
	if k > t {
		return 0
	}
	term := 1.0 // C(t, k)·p^k·(1−p)^(t−k)
	for i := 1; i <= k; i++ {
		term *= float64(t-k+i) / float64(i) * p
		if i <= t-k {
			term *= 1 - p
		}
	}
	for range t - 2*k { // factors (1−p) not yet included by the loop
		term *= 1 - p
	}
	sum, next := 1.0, 1.0
	for s := k; s < t; s++ {
		next = float64(next * (float64(t-s) / float64(s+1) * (p / (1 - p))))
		sum += next
	}
	return term * sum
}
