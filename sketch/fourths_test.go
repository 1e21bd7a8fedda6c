package sketch

import (
	"fmt"
	"math"
	"testing"

	"tensorsketch.example/test/need"
)

// E Σ_j f_j(a) f_j(b) f_j(c) f_j(d) is what the laws say, for unlike vectors and
// for alike ones.
func TestFourths(t *testing.T) {
	if testing.Short() {
		t.Skip("draws many seeds")
	}
	gaussian := MethodParams{Distribution: DistributionGaussian}
	for _, p := range []Params{
		{Method: MethodTensorSketch, NComponents: 3, Degree: 1},
		{Method: MethodTensorSketch, NComponents: 2},
		{Method: MethodTensorSketch, NComponents: 3, Degree: 3},
		{Method: MethodTensorSketch, NComponents: 4, Degree: 3, Gamma: 0.5, Coef0: 1},
		{Method: MethodTensorizedProjection, NComponents: 2},
		{Method: MethodTensorizedProjection, NComponents: 4, Gamma: 0.5, Coef0: 1, MethodParams: gaussian},
		{Method: MethodComplexProjection, NComponents: 4, Degree: 1},
		{Method: MethodComplexProjection, NComponents: 4},
		{Method: MethodComplexProjection, NComponents: 8, Gamma: 0.5, Coef0: 1, MethodParams: gaussian},
		{Method: MethodTensorSRHT, NComponents: 6},
		{Method: MethodComplexTensorSRHT, NComponents: 4, Degree: 1},
		{Method: MethodComplexTensorSRHT, NComponents: 6, Gamma: 0.5, Coef0: 1},
		{Method: MethodComplexTensorSketch, NComponents: 4, Degree: 1},
		{Method: MethodComplexTensorSketch, NComponents: 6},
		{Method: MethodComplexTensorSketch, NComponents: 8, Gamma: 0.5, Coef0: 1},
		{Method: MethodRandomMaclaurin, NComponents: 6, Gamma: 0.5, Coef0: 1},
		{Method: MethodRandomMaclaurin, NComponents: 12, Gamma: 0.5, Coef0: 1, MethodParams: MethodParams{H01: true}},
		{Method: MethodRandomMaclaurin, NComponents: 14, Gamma: 0.5, Coef0: 1,
			MethodParams: MethodParams{AllOrders: true, H01: true}},
	} {
		if methodOf(p.Method) == nil {
			continue
		}
		p.NFeatures = 5
		t.Run(fmt.Sprintf("%s D=%d p=%d c=%g", p.Method, p.NComponents, p.Degree, p.Coef0), func(t *testing.T) {
			formulas := need.Value(NewFormulas(p))(t)
			known, ok := formulas.law.(fourthLaw)
			if !ok {
				t.Fatalf("the law does not know")
			}
			X, D := statisticsRows(5), p.NComponents
			var rows [4][]float64
			for r := range rows {
				rows[r] = toFloat64(X[5*r : 5*r+5])
			}
			sets := [][4]int{{0, 1, 2, 3}, {0, 0, 1, 1}, {1, 1, 1, 1}}
			seeds, z, sums := 12000, make([]float32, 4*D), make([]moments, len(sets))
			for seed := range seeds {
				p.Seed = IntSeed(uint64(seed))
				need.Value(mustMap(t, p).TransformBatch(z, X))(t)
				for i, set := range sets {
					sum := 0.0
					for j := range D {
						product := 1.0
						for _, r := range set {
							product *= float64(z[r*D+j])
						}
						sum += product
					}
					sums[i].add(sum)
				}
			}
			for i, set := range sets {
				want := known.fourths(rows[set[0]], rows[set[1]], rows[set[2]], rows[set[3]], float64(D))
				mean := sums[i].sum / sums[i].n
				deviation := math.Sqrt(max(0, sums[i].variance()-mean*mean)/sums[i].n) + 1e-6
				if math.Abs(mean-want) > 4*deviation {
					t.Errorf("rows %v: %g ± %g, want %g", set, mean, deviation, want)
				}
				if set[0] == set[1] && deviation > 0.1*want {
					t.Errorf("rows %v: known only to %g of %g", set, deviation, want)
				}
			}
		})
	}
}
