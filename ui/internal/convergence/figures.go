package convergence

import (
	"math"
	"sort"
)

// rounding is an upper bound of the errors caused by float32. Components and their sums are rounded to about 10⁻⁷ of
// the kernel's largest value, 1.
const rounding = 2e-6

// quantiles are the quantiles of the estimates that the picture draws.
var quantiles = [...]float64{.05, .25, .5, .75, .95}

// figures are what the seeds show at one D.
//
// The errors of different pairs under one seed are correlated. So a seed counts as one observation: the mean over
// its pairs.
type figures struct {
	Seeds     int     // number of seeds received
	Mean      float64 // of the estimates; this and all that follows is NaN where no seeds determine it
	MeanError float64 // standard error of Mean, of at least two seeds
	Spread    float64 // root mean squared error against the exact kernel; the estimate is unbiased
	Low, High float64 // 95 % interval of Spread
	Quantiles [len(quantiles)]float64
	Missed    int // number of seeds whose error is more than rounding
	Worst     int // the seed with the largest error, counted from the first
}

// fewMisses is the number of seeds that must miss before their spread says much.
const fewMisses = 20

// few reports whether most seeds have no error, and those that miss are too few to measure the spread. So it is where
// an error needs two of a few coordinates in one component, as with One-hot.
func (f figures) few() bool { return f.Missed < fewMisses && 2*f.Missed < f.Seeds }

// measure returns the figures of the first seeds, except the quantiles. kernel is the mean kernel of the pairs. Let
// u be the mean squared error of a seed, v its variance over the seeds, and s² its mean. The interval of s is
//
//	s·√(1 ± 1.96·√(v/(n·s⁴)))
//
// where v/s⁴ is, for one pair, the measured kurtosis − 1.
func (c *series) measure(seeds int, kernel float64) figures {
	unknown := math.NaN()
	f := figures{Mean: unknown, MeanError: unknown, Spread: unknown, Low: unknown, High: unknown}
	shift, square := 0.0, 0.0
	known := c.have[:min(seeds, len(c.have))]
	for seed, have := range known {
		if !have {
			continue
		}
		f.Seeds++
		shift += c.shift[seed]
		square += c.square[seed]
		if c.misses(seed) {
			f.Missed++
		}
		if f.Seeds == 1 || c.square[seed] > c.square[f.Worst] {
			f.Worst = seed
		}
	}
	if f.Seeds == 0 {
		return f
	}
	n := float64(f.Seeds)
	shift, square = shift/n, square/n
	f.Mean, f.Spread = kernel+shift, math.Sqrt(square)
	shiftVariance, squareVariance := 0.0, 0.0
	for seed, have := range known {
		if have {
			ds, dq := c.shift[seed]-shift, c.square[seed]-square
			shiftVariance += float64(ds * ds)
			squareVariance += float64(dq * dq)
		}
	}
	if f.Seeds >= 2 {
		f.MeanError = math.Sqrt(shiftVariance / (n - 1) / n)
		if f.Spread > rounding {
			half := 1.96 * math.Sqrt(squareVariance) / (n * square)
			f.Low, f.High = f.Spread*math.Sqrt(max(0, 1-half)), f.Spread*math.Sqrt(1+half)
		}
	}
	return f
}

// misses reports whether a seed has come in and has an error other than rounding.
func (c *series) misses(seed int) bool {
	return seed < len(c.have) && c.have[seed] && c.square[seed] > rounding*rounding
}

// quantile returns the q-quantile, interpolated linearly between the two nearest estimates, or NaN without estimates.
func quantile(sorted []estimate, q float64) float64 {
	at := q * float64(len(sorted)-1)
	k := min(int(at), len(sorted)-2)
	switch len(sorted) {
	case 0:
		return math.NaN()
	case 1:
		return sorted[0].value
	}
	part := at - float64(k)
	return float64((1-part)*sorted[k].value) + float64(part*sorted[k+1].value)
}

// slope returns the least-squares slope of log spread against log D over the columns with at least two seeds. It is
// NaN with fewer than three such columns, or if in one of them too few seeds miss.
func slope(columns []column) float64 {
	n, meanX, meanY := 0.0, 0.0, 0.0
	each := func(f func(x, y float64)) {
		for _, c := range columns {
			if c.Seeds >= 2 {
				f(math.Log2(float64(c.NComponents)), math.Log2(c.Spread))
			}
		}
	}
	for _, c := range columns {
		if c.Seeds >= 2 && c.few() {
			return math.NaN()
		}
	}
	each(func(x, y float64) { n, meanX, meanY = n+1, meanX+x, meanY+y })
	if n < 3 {
		return math.NaN()
	}
	meanX, meanY = meanX/n, meanY/n
	xy, xx := 0.0, 0.0
	each(func(x, y float64) {
		xy += float64((x - meanX) * (y - meanY))
		xx += float64((x - meanX) * (x - meanX))
	})
	return xy / xx
}

// A bin of a histogram is σ/binsPerSigma wide. A histogram has reach bins on either side.
const (
	binsPerSigma = 16
	reach        = 128
)

// A histogram counts estimates in bins of σ/16 around the kernel. A bar of the picture combines several bins.
type histogram struct {
	counts       [2 * reach]int
	below, above int // number of estimates beyond the axis of the cloud
}

// histogramOf counts sorted estimates. low and high are the ends of the axis.
func histogramOf(sorted []estimate, kernel, sigma, low, high float64) histogram {
	var h histogram
	upTo := func(value float64) int {
		return sort.Search(len(sorted), func(i int) bool { return sorted[i].value >= value })
	}
	from := upTo(kernel - reach*sigma/binsPerSigma)
	for k := range h.counts {
		to := upTo(kernel + float64(k+1-reach)*sigma/binsPerSigma)
		h.counts[k], from = to-from, to
	}
	h.below, h.above = upTo(low), len(sorted)-upTo(high)
	return h
}
