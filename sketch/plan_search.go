package sketch

import "math"

// A candidate is a method that Plan considers.
type candidate struct {
	*planner
	method string
	kind   *method
	law    law
	most   int // maximum number of components

	nystroem *nystroemRows // only for method nystroem
}

func (pl *planner) candidate(method string) *candidate {
	c := &candidate{planner: pl, method: method, most: MaxComponents}
	p := pl.params(method, planComponents)
	c.kind = methodOf(method)
	c.law = c.kind.law(p)
	switch method {
	case MethodCRAFT:
		c.most /= craftRatio
	case MethodNystroem:
		c.most = max(1, min(len(pl.rows)/2, planLandmarks, planMatrix/pl.NFeatures))
		c.nystroem = c.nystroemRows()
	}
	return c
}

// quick rounds a number of components down or up to one that is quick to compute with: an even
// product of 2, 3 and 5 for an FFT, an even number for complex features.
func (c *candidate) quick(D int, up bool) int {
	round, half := smooth, max(1, D/2)
	if up {
		round, half = smoothFrom, (D+1)/2
	}
	switch c.kind.quick {
	case toEvenFFT:
		return 2 * int(round(float64(half)))
	case toSmooth:
		return int(round(float64(D)))
	case toEven:
		return 2 * half
	}
	return D
}

// sigma returns the root mean square error over pairs and seeds, and its kind.
func (c *candidate) sigma(D int) (float64, Kind) {
	square, kind := c.meanSquare(float64(D))
	if kind == Unknown || !finite(square) {
		return math.NaN(), Unknown
	}
	return math.Sqrt(max(0, square)), kind
}

func (c *candidate) meanSquare(D float64) (square float64, kind Kind) {
	if c.method == MethodNystroem {
		return c.measure(int(D)), Measured
	}
	for _, pair := range c.pairs {
		v, k := varianceOf(c.law, pair[0], pair[1], D)
		if b, ok := c.law.(biased); ok {
			bias := b.bias(pair[0], pair[1])
			v += float64(bias * bias)
		}
		square, kind = square+v, max(kind, k)
	}
	return square / float64(len(c.pairs)), kind
}

// nystroemRows are the rows on which Nyström features are measured: rows to choose landmarks from,
// and other rows with pairs of them and the kernels of these pairs.
type nystroemRows struct {
	landmarks, measured CSR
	pairs               [][2]int
	kernels             []float64
}

// nystroemRows takes half of the kept rows for landmarks, and some of the other half for measuring.
func (c *candidate) nystroemRows() *nystroemRows {
	half := len(c.rows) / 2
	landmarks, measured := c.rows[:half], c.rows[half:half+min(half, planMeasured)]
	rows := &nystroemRows{landmarks: sparseRowsOf(landmarks), measured: sparseRowsOf(measured),
		pairs: pairsOf(len(measured), 4*planPairs)}
	for _, pair := range rows.pairs {
		rows.kernels = append(rows.kernels, c.law.kernel(union(measured[pair[0]], measured[pair[1]])))
	}
	return rows
}

// measure returns the mean squared error of Nyström features over pairs and, for few landmarks,
// over several seeds. It returns NaN if features are not finite.
func (c *candidate) measure(D int) float64 {
	p, seeds := c.params(c.method, D), 1+min(planSeeds, planMatrix/c.NFeatures)/D
	p.Repeats = seeds
	m, err := newMap(p)
	if err == nil {
		err = m.Fit(c.nystroem.landmarks)
	}
	var z []float32
	if err == nil {
		z, err = m.TransformRows(nil, c.nystroem.measured)
	}
	if err != nil {
		return math.NaN()
	}
	sum := 0.0
	for i, pair := range c.nystroem.pairs {
		x, y := z[pair[0]*seeds*D:], z[pair[1]*seeds*D:]
		for at := 0; at < seeds*D; at += D { // each repeat's features are divided by √seeds
			e := float64(float64(seeds)*Dot(x[at:at+D], y[at:at+D])) - c.nystroem.kernels[i]
			sum += float64(e * e)
		}
	}
	return sum / float64(seeds*len(c.nystroem.pairs))
}

func sparseRowsOf(rows []sparseRow) CSR {
	X := CSR{Indptr: []int32{0}}
	for _, row := range rows {
		X.Indices, X.Data = append(X.Indices, row.indices...), append(X.Data, row.data...)
		X.Indptr = append(X.Indptr, int32(len(X.Data)))
	}
	return X
}

func (c *candidate) cost(D int) float64 { return c.params(c.method, D).cost(c.NNZPerRow) }

// leastFor returns the least D, to 1 part in 256, with an error of at most sigma, or the maximum D.
// A variance is nearly proportional to 1/D, so the search begins at the D that this predicts. For
// Nyström this does not hold, each step takes long, and the measured error is noisy.
func (c *candidate) leastFor(sigma float64) int {
	square := func(D int) float64 { v, _ := c.meanSquare(float64(D)); return v }
	wanted := sigma * sigma
	low, high, parts := c.quick(1, true)-1, c.most, 16
	if !(square(high) <= wanted) {
		return high
	}
	if c.method != MethodNystroem {
		parts = 256
		guess := planComponents
		for range 2 {
			guess = max(low+1, int(min(float64(high), math.Ceil(float64(guess)*square(guess)/wanted))))
		}
		if above := guess + guess/128; above < high && square(above) <= wanted {
			high = above
		}
		if below := guess - guess/128 - 1; below > low && !(square(below) <= wanted) {
			low = below
		}
	}
	for high-low > 1+low/parts {
		if middle := (low + high) / 2; square(middle) <= wanted {
			high = middle
		} else {
			low = middle
		}
	}
	D := min(c.quick(high, true), c.most)
	for D < c.most && !(square(D) <= wanted) { // after rounding, the error may be slightly too large
		D = min(c.quick(D+1, true), c.most)
	}
	return D
}

// mostFor returns the largest D whose row takes at most this time, or the least D.
func (c *candidate) mostFor(microseconds float64) int {
	low, high := c.quick(1, true), c.most+1
	for high-low > 1 {
		if middle := (low + high) / 2; c.cost(c.quick(middle, false)) <= microseconds {
			low = middle
		} else {
			high = middle
		}
	}
	return c.quick(low, false)
}
