package sketch

import "slices"

// This file holds the estimators of a map with t repeats: a feature vector is t
// sketches of D components one after another, each divided by √t.

// EstimateMean returns the mean of the estimates of κ(x,y) that the t = repeats
// independent sketches in two feature vectors give. It is Dot of the vectors.
func EstimateMean(zx, zy []float32) float64 { return Dot(zx, zy) }

// EstimateMedian returns the median of the estimates of κ(x,y) that the t = repeats
// independent sketches in two feature vectors give: of the two in the middle their
// mean, where t is even. It withstands single sketches that are far off, for which
// it pays with a small bias where the estimates are skewed. It panics where the
// lengths differ or are no multiple of repeats.
func EstimateMedian(zx, zy []float32, repeats int) float64 {
	if len(zx) != len(zy) || repeats < 1 || len(zx)%repeats != 0 {
		panic("sketch: EstimateMedian of slices that are not repeats sketches of one length")
	}
	estimates, D := make([]float64, repeats), len(zx)/repeats
	for r := range estimates {
		estimates[r] = float64(repeats) * Dot(zx[r*D:(r+1)*D], zy[r*D:(r+1)*D])
	}
	slices.Sort(estimates)
	middle := repeats / 2
	if repeats%2 == 1 {
		return estimates[middle]
	}
	return (estimates[middle-1] + estimates[middle]) / 2
}
