package learn_test

import (
	"math"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/test/need"
)

// TestPivotedLandmarks: of 1,000 landmarks, those that FitPivoted draws lose at most half of the trace that uniform
// ones lose, with the Gaussian kernel of standardised columns, γ 1/d. Without -long there are 200 landmarks of a fifth
// of the rows, and γ is 1/(4d).
func TestPivotedLandmarks(t *testing.T) {
	for name, read := range map[string]func(*testing.T) *sample{"covtype20k": readCovtype, "cpu_act": readCPU} {
		s := read(t)
		landmarks, gamma := 1000, 1/float64(s.d)
		if !*long {
			landmarks, gamma, s.X = 200, gamma/4, everyFifth(s.X, s.d)
		}
		X := standard(s.X, s.d)
		m := need.Value(sketch.NewFeatureMap(sketch.Params{Method: sketch.MethodNystroem, NFeatures: s.d,
			NComponents: landmarks, Gamma: gamma, MethodParams: sketch.MethodParams{Kernel: sketch.KernelGaussian}}))(t)
		need.OK(t, m.Fit(sketch.Dense(X)))
		uniform := lostTrace(t, m, X)
		need.OK(t, m.FitPivoted(sketch.Dense(X)))
		pivoted := lostTrace(t, m, X)
		t.Logf("%s: %d landmarks of %d rows lose %.4f of the trace, uniform ones %.4f", name, landmarks, len(X)/s.d,
			pivoted, uniform)
		if pivoted > uniform/2 {
			t.Errorf("%s: landmarks that are drawn by what is left lose %.4f of the trace, and uniform ones %.4f: want "+
				"at most half", name, pivoted, uniform)
		}
	}
}

// lostTrace returns the part of Σ κ(x, x) that the features leave over, of a kernel with κ(x, x) = 1.
func lostTrace(t *testing.T, m *sketch.FeatureMap, X []float32) float64 {
	t.Helper()
	kept, d := 0.0, m.NFeatures()
	for at := 0; at < len(X); at += 256 * d {
		z := need.Value(m.TransformBatch(nil, X[at:min(at+256*d, len(X))]))(t)
		kept += sketch.Dot(z, z)
	}
	return 1 - kept/float64(len(X)/d)
}

func everyFifth(X []float32, d int) (some []float32) {
	for at := 0; at < len(X); at += 5 * d {
		some = append(some, X[at:at+d]...)
	}
	return some
}

// standard returns rows whose columns have mean 0 and standard deviation 1, or are 0.
func standard(X []float32, d int) []float32 {
	out, n := make([]float32, len(X)), float64(len(X)/d)
	for j := range d {
		sum, squares := 0.0, 0.0
		for i := j; i < len(X); i += d {
			sum += float64(X[i])
		}
		for i := j; i < len(X); i += d {
			squares += (float64(X[i]) - sum/n) * (float64(X[i]) - sum/n)
		}
		for i := j; i < len(X) && squares > 0; i += d {
			out[i] = float32((float64(X[i]) - sum/n) / math.Sqrt(squares/n))
		}
	}
	return out
}
