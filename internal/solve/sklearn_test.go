package solve

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

// A goldenCase is what scikit-learn and NumPy fit to the same rows.
type goldenCase struct {
	N, D, K int
	X, Y    []float64
	Classes []int
	Fits    []struct {
		Alpha                     float64
		FitIntercept              bool
		Coef, Intercept           []float64
		ClassCoef, ClassIntercept []float64
	}
	GCV []struct{ Alpha, DF, Score float64 }
}

func goldenCases(t *testing.T) []goldenCase {
	t.Helper()
	text, err := os.ReadFile("testdata/sklearn-linear.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden struct{ Cases []goldenCase }
	if err := json.Unmarshal(text, &golden); err != nil {
		t.Fatal(err)
	}
	if len(golden.Cases) == 0 {
		t.Fatal("no cases")
	}
	return golden.Cases
}

func compare(t *testing.T, name string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, want %d", name, len(got), len(want))
	}
	size := 1e-300
	for _, v := range want {
		size = max(size, math.Abs(v))
	}
	for i := range want {
		if d := math.Abs(got[i] - want[i]); !(d <= tolerance*size) {
			t.Errorf("%s: number %d is %.17g, want %.17g", name, i, got[i], want[i])
			return
		}
	}
}

// Ridge, RLSC and the scores of the path equal scikit-learn's and NumPy's.
func TestScikitLearn(t *testing.T) {
	for _, c := range goldenCases(t) {
		s := systemOf(c.X, c.Y, c.N, c.D, c.K, nil)
		signs, counts := make([]float64, c.N*3), make([]float64, 3)
		for r, class := range c.Classes {
			for k := range 3 {
				signs[r*3+k] = -1
			}
			signs[r*3+class] = 1
			counts[class]++
		}
		classes := systemOf(c.X, signs, c.N, c.D, 3, counts)
		for _, fit := range c.Fits {
			o := RidgeOptions{Alpha: fit.Alpha, NoIntercept: !fit.FitIntercept}
			l, _, err := FitRidge(s, o)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, "coef", l.Weights, fit.Coef, 1e-10)
			compare(t, "intercept", l.Intercept, fit.Intercept, 1e-10)
			if l, _, err = FitRidge(classes, o); err != nil {
				t.Fatal(err)
			}
			compare(t, "coef of classes", l.Weights, fit.ClassCoef, 1e-10)
			compare(t, "intercept of classes", l.Intercept, fit.ClassIntercept, 1e-10)
		}
		trace := 0.0
		for i := range c.D {
			trace += s.G[i*c.D+i]
		}
		for _, point := range c.GCV {
			at := point.Alpha / trace // a path of one value
			_, report, err := FitRidge(s, RidgeOptions{Low: at, High: at, Count: 1})
			if err != nil {
				t.Fatal(err)
			}
			got := report.Path[0]
			compare(t, "GCV", []float64{got.Alpha, got.DF, got.Score}, []float64{point.Alpha, point.DF, point.Score}, 1e-9)
		}
	}
}
