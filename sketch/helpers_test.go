package sketch

import (
	"math"
	"math/rand"
	"testing"
)

func must(t testing.TB, params Params) *FeatureMap {
	t.Helper()
	m, err := New(params)
	if err != nil {
		t.Fatalf("New(%+v): %v", params, err)
	}
	return m
}

// randomRows returns n·d numbers from −1 to 1, about a third of them 0.
func randomRows(rng *rand.Rand, n, d int) []float32 {
	X := make([]float32, n*d)
	for i := range X {
		if rng.Intn(3) > 0 {
			X[i] = 2*rng.Float32() - 1
		}
	}
	return X
}

// sparseRows returns the CSR form of n dense rows, the columns of each in random
// order and with some explicit zeros; long rows as they are.
func sparseRows(rng *rand.Rand, X []float32, d int) CSR {
	csr := CSR{Indptr: []int32{0}}
	for ; len(X) > 0; X = X[d:] {
		for i, v := range X[:d] {
			if v != 0 || d <= 1000 && rng.Intn(4) == 0 {
				csr.Indices = append(csr.Indices, int32(i))
				csr.Data = append(csr.Data, v)
			}
		}
		row := csr.Indptr[len(csr.Indptr)-1]
		rng.Shuffle(len(csr.Data)-int(row), func(i, j int) {
			a, b := int(row)+i, int(row)+j
			csr.Indices[a], csr.Indices[b] = csr.Indices[b], csr.Indices[a]
			csr.Data[a], csr.Data[b] = csr.Data[b], csr.Data[a]
		})
		csr.Indptr = append(csr.Indptr, int32(len(csr.Indices)))
	}
	return csr
}

func sameBits(a, b []float32) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if math.Float32bits(a[i]) != math.Float32bits(b[i]) {
			return false
		}
	}
	return true
}

func toFloat64(x []float32) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = float64(v)
	}
	return y
}

// relativeError returns ‖got − want‖/‖want‖, or ‖got‖ where want is zero.
func relativeError(got []float32, want []float64) float64 {
	difference, norm := 0.0, 0.0
	for i, v := range want {
		difference += (float64(got[i]) - v) * (float64(got[i]) - v)
		norm += v * v
	}
	if norm == 0 {
		norm = 1
	}
	return math.Sqrt(difference / norm)
}
