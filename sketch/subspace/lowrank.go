package subspace

import (
	"math"
	"strconv"

	"tensorsketch.example/internal/engine/matrix"
	"tensorsketch.example/internal/portable"
	"tensorsketch.example/sketch"
)

// A LowRank approximates features φ of rows by the features of a few of them, φ ≈ V·U·φ(R).
type LowRank struct {
	Rows []int     // R: the rows that were drawn, s of them, in the order of the draws
	U    []float64 // k × s
}

// NewLowRank draws s rows of an orthonormal basis V, n × k, such as k-Space makes for rows (Theorem 7
// of Avron, Nguyen & Woodruff 2014). Row i is drawn with probability p_i = ‖V_i‖²/k, again at each
// draw. With Ω, which takes n rows to those drawn with weights 1/√(s·p_i),
//
//	U = (Ω·V)⁺·Ω.
//
// For the probabilities the sum of all ‖V_i‖² stands for k.
//
// The error is a *sketch.Error: with code ErrShape for a length that is no multiple of k, ErrNonFinite
// for a number that is not finite, and ErrParam for an s below k or rows that are all 0.
func NewLowRank(V []float32, k, s int, seed sketch.Seed) (*LowRank, error) {
	if k < 1 || len(V)%k != 0 || len(V) == 0 {
		return nil, sketch.ErrShape.New("V", strconv.Itoa(len(V)),
			"hold a positive multiple of k = "+strconv.Itoa(k)+" numbers")
	}
	if s < k {
		return nil, sketch.ErrParam.New("s", strconv.Itoa(s), "be at least k = "+strconv.Itoa(k)+"; 4·k is usual")
	}
	n := len(V) / k
	sums := make([]float64, n) // of ‖V_i‖² up to each row
	total := 0.0
	for i := range n {
		for j, v := range V[i*k:][:k] {
			if v-v != 0 {
				e := sketch.ErrNonFinite.New("V", portable.FormatNumber(float64(v)), "be finite")
				e.Row, e.Column = i, j
				return nil, e
			}
			total += float64(float64(v) * float64(v))
		}
		sums[i] = total
	}
	if total == 0 {
		return nil, sketch.ErrParam.New("V", "0", "have a row that is not 0")
	}
	low := &LowRank{Rows: make([]int, s)}
	drawn, weights := make([]float64, k*s), make([]float64, s) // (Ω·V)ᵀ
	random := seed.ForRows()
	for d := range s {
		target := random() * total
		low.Rows[d] = search(sums, target)
		row, square := V[low.Rows[d]*k:][:k], 0.0
		for _, v := range row {
			square += float64(float64(v) * float64(v))
		}
		weights[d] = math.Sqrt(total / float64(square*float64(s)))
		for j, v := range row {
			drawn[j*s+d] = float64(v) * weights[d]
		}
	}
	// Ω·V = Σ σ·right·leftᵀ, so (Ω·V)⁺ = Σ left·rightᵀ/σ.
	values, left, right := matrix.Singular(drawn, k, s)
	low.U = make([]float64, k*s)
	for i, value := range values {
		if !(value > values[0]*1e-10) {
			break
		}
		for j := range s {
			right[i*s+j] = right[i*s+j] * weights[j] / value
		}
		matrix.AddTransposedProduct(low.U, left[i*k:][:k], right[i*s:][:s], 1, k, s, 1)
	}
	return low, nil
}

// search returns the first row whose sum is above target.
func search(sums []float64, target float64) int {
	low, high := 0, len(sums)-1
	for low < high {
		middle := (low + high) / 2
		if sums[middle] > target {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return low
}
