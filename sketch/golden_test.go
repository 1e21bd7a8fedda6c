package sketch

import (
	"encoding/json"
	"os"
	"testing"

	"tensorsketch.example/test/need"
)

// goldenCase is one of testdata/sklearn-1.2.1.json, made by scikit-learn's
// PolynomialCountSketch, version 1.2.1.
type goldenCase struct {
	NFeatures   int     `json:"n_features"`
	NComponents int     `json:"n_components"`
	Degree      int     `json:"degree"`
	Gamma       float64 `json:"gamma"`
	Coef0       float64 `json:"coef0"`
	RandomState uint32  `json:"random_state"`
	IndexHash   [][]int32
	BitHash     [][]int8
	X, Z        [][]float64
}

func goldenCases(t *testing.T) []goldenCase {
	t.Helper()
	data := need.Value(os.ReadFile("testdata/sklearn-1.2.1.json"))(t)
	var file struct{ Cases []goldenCase }
	if err := json.Unmarshal(data, &file); err != nil || len(file.Cases) == 0 {
		t.Fatalf("testdata/sklearn-1.2.1.json holds %d cases: %v", len(file.Cases), err)
	}
	return file.Cases
}

// The tables of random_state equal scikit-learn's bit for bit, and features under
// its tables are within 1e-6 of the row's norm, dense and sparse.
func TestScikitLearn(t *testing.T) {
	for _, c := range goldenCases(t) {
		base := Params{NFeatures: c.NFeatures, NComponents: c.NComponents, Degree: c.Degree, Gamma: c.Gamma, Coef0: c.Coef0}
		derived, given := base, base
		derived.RandomState = &c.RandomState
		given.IndexHash, given.BitHash = c.IndexHash, c.BitHash
		a, b := must(t, derived), must(t, given)
		for k := range c.IndexHash {
			for i := range c.IndexHash[k] {
				bucket, sign := a.Hash(k, i)
				if bucket != int(c.IndexHash[k][i]) || sign != int(c.BitHash[k][i]) {
					t.Fatalf("random_state %d, degree %d, coordinate %d: bucket %d, sign %d, want %d, %d",
						c.RandomState, k, i, bucket, sign, c.IndexHash[k][i], c.BitHash[k][i])
				}
			}
		}
		for r, row := range c.X {
			x := make([]float32, len(row))
			for i, v := range row {
				x[i] = float32(v)
			}
			z := a.Transform(nil, x)
			if e := relativeError(z, c.Z[r]); e > 1e-6 {
				t.Errorf("random_state %d, D %d, row %d: relative error %g", c.RandomState, c.NComponents, r, e)
			}
			if other := b.Transform(nil, x); !sameBits(z, other) {
				t.Errorf("random_state %d, row %d: given and derived tables differ", c.RandomState, r)
			}
			if sparse, err := b.TransformCSR(nil, csrOf(x, len(x))); err != nil || !sameBits(z, sparse) {
				t.Errorf("random_state %d, row %d: dense and CSR differ (%v)", c.RandomState, r, err)
			}
		}
	}
}
