package sketch

import "math"

// Under kernel normalisation the estimate of κ = κ(x,y) is A·√(κx·κy/(B·C)) with A = ⟨fx,fy⟩, B = ‖fx‖², C = ‖fy‖²,
// κx = κ(x,x) and κy = κ(y,y). With a, b, c the means of A, B, C it tends to L = r·a, r = √(κx·κy/(b·c)), as D grows. To
// second order in the deviations from the means
//
//	Var  = r²·[Var A + a²/4·(Var B/b² + Var C/c² + 2 Cov(B,C)/(b·c)) − a·(Cov(A,B)/b + Cov(A,C)/c)]
//	bias = L − κ + r·{a·[⅜(Var B/b² + Var C/c²) + Cov(B,C)/(4·b·c)] − ½(Cov(A,B)/b + Cov(A,C)/c)}
//
// Repeats divide the variance, since each sketch is normalised by itself, and leave the bias as it is.

// An expansion says how variance and bias of a normalised estimate follow from six covariances.
type expansion struct {
	variance, bias [6]float64 // factors, in the order of its pairings
	limit          float64    // L − κ
}

// expansionPairings returns the vectors of the six covariances: Var A, Var B, Var C, Cov(B,C), Cov(A,B), Cov(A,C).
func expansionPairings(x, y []float64) [6][4][]float64 {
	return [6][4][]float64{{x, y, x, y}, {x, x, x, x}, {y, y, y, y}, {x, x, y, y}, {x, y, x, x}, {x, y, y, y}}
}

// expand returns the expansion for kernels of (x,y), (x,x) and (y,y) and the means of their estimates. Where
// one feature vector is zero whatever the seed, so is the estimate.
func expand(kernel, mean [3]float64) expansion {
	a, b, c := mean[0], mean[1], mean[2]
	if kernel[1] == 0 || kernel[2] == 0 || b == 0 || c == 0 {
		return expansion{limit: 0 - kernel[0]}
	}
	r2 := float64((kernel[1] / b) * (kernel[2] / c)) // 1 where the method is unbiased
	r, quarter := math.Sqrt(r2), a*a/4
	return expansion{
		variance: [6]float64{r2, r2 * (quarter / (b * b)), r2 * (quarter / (c * c)), r2 * (2 * quarter / (b * c)), r2 * (-a / b), r2 * (-a / c)},
		bias:     [6]float64{0, r * (0.375 * a / (b * b)), r * (0.375 * a / (c * c)), r * (0.25 * a / (b * c)), r * (-0.5 / b), r * (-0.5 / c)},
		limit:    float64(r*a) - kernel[0],
	}
}
