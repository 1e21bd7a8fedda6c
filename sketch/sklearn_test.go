package sketch

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"tensorsketch.example/test/need"
	"tensorsketch.example/test/slow"
)

// sklearnKernels is testdata/sklearn-kernels.json, made by sklearn_kernels.py
// beside it.
type sklearnKernels struct {
	Source                   string
	NSeeds, NRows, NFeatures int
	Pairs                    [][2]int
	Cases                    []sklearnKernel
}

// sklearnKernel holds for each pair of rows the exact kernel, and mean and mean
// square of scikit-learn's errors over seeds with their standard errors.
type sklearnKernel struct {
	Method, Kernel      string
	Degree, NComponents int
	Gamma, Coef0        float64
	Exact               []float64
	Mean, MeanError     []float64
	Square, SquareError []float64
	OfFirstRows         []float64 // estimates of a Nystroem whose landmarks are the first rows
}

func readSklearnKernels(t *testing.T) (file sklearnKernels, rows []float32) {
	t.Helper()
	data := need.Value(os.ReadFile("testdata/sklearn-kernels.json"))(t)
	if err := json.Unmarshal(data, &file); err != nil || len(file.Cases) == 0 {
		t.Fatalf("testdata/sklearn-kernels.json holds %d cases: %v", len(file.Cases), err)
	}
	state := uint32(1)
	for range file.NRows * file.NFeatures {
		state = 1664525*state + 1013904223
		rows = append(rows, float32(int(state>>24)%17-8)/8)
	}
	return file, rows
}

func (c *sklearnKernel) params(d int) Params {
	return Params{Method: c.Method, NFeatures: d, NComponents: c.NComponents, Degree: c.Degree, Gamma: c.Gamma,
		Coef0:        c.Coef0,
		MethodParams: MethodParams{Kernel: c.Kernel}}
}

// RBFSampler and Nystroem give the same kernels in distribution: over as many seeds,
// means and mean squares of the errors differ by no more than 4 standard errors of
// the difference.
func TestScikitLearnDistributions(t *testing.T) {
	slow.Elsewhere(t)
	file, rows := readSklearnKernels(t)
	for _, c := range file.Cases {
		t.Run(c.Method+" "+c.Kernel, func(t *testing.T) {
			params := c.params(file.NFeatures)
			errors := make([]moments, len(file.Pairs))
			for seed := range file.NSeeds {
				params.Seed = IntSeed(uint64(seed))
				m := mustMap(t, params)
				if c.Method == MethodNystroem {
					need.OK(t, m.Fit(Dense(rows)))
				}
				for k, estimate := range estimatesOf(t, m, rows, file.Pairs) {
					errors[k].add(estimate - c.Exact[k])
				}
			}
			for k := range errors {
				checkSameErrors(t, &file, &c, k, &errors[k])
			}
		})
	}
}

// estimatesOf returns ⟨f(a), f(b)⟩ for pairs of the rows of X.
func estimatesOf(t *testing.T, m *FeatureMap, X []float32, pairs [][2]int) []float64 {
	t.Helper()
	z := need.Value(m.TransformBatch(nil, X))(t)
	D := m.NComponents()
	var values []float64
	for _, pair := range pairs {
		values = append(values, Dot(z[pair[0]*D:(pair[0]+1)*D], z[pair[1]*D:(pair[1]+1)*D]))
	}
	return values
}

// checkSameErrors compares mean and mean square of n errors with scikit-learn's.
func checkSameErrors(t *testing.T, file *sklearnKernels, c *sklearnKernel, pair int, ours *moments) {
	t.Helper()
	mean, square, fourth := ours.sum/ours.n, ours.sum2/ours.n, ours.sum4/ours.n
	for _, figure := range []struct {
		name            string
		got, gotError   float64
		want, wantError float64
	}{
		{"mean error", mean, math.Sqrt((square - mean*mean) / ours.n), c.Mean[pair], c.MeanError[pair]},
		{"mean square error", square, math.Sqrt((fourth - square*square) / ours.n), c.Square[pair], c.SquareError[pair]},
	} {
		if most := 4 * math.Hypot(figure.gotError, figure.wantError); !(math.Abs(figure.got-figure.want) <= most) {
			t.Errorf("pair %v: %s %.5g, %s %.5g: they differ by more than %.2g",
				file.Pairs[pair], figure.name, figure.got, file.Source, figure.want, most)
		}
	}
}

// With the same landmarks Nystroem gives the same kernels, to 1e-6 of κ(x,x) of a row.
func TestScikitLearnLandmarks(t *testing.T) {
	file, rows := readSklearnKernels(t)
	compared := 0
	for _, c := range file.Cases {
		if c.OfFirstRows == nil {
			continue
		}
		m := mustMap(t, c.params(file.NFeatures))
		need.OK(t, m.SetLandmarks(rows[:c.NComponents*file.NFeatures]))
		for k, got := range estimatesOf(t, m, rows, file.Pairs) {
			if want := c.OfFirstRows[k]; math.Abs(got-want) > 1e-6*c.Exact[0] {
				t.Errorf("%s %s, D %d, pair %v: %.9g, want %.9g as %s", c.Method, c.Kernel, c.NComponents, file.Pairs[k], got, want,
					file.Source)
			}
			compared++
		}
	}
	if compared == 0 {
		t.Error("testdata/sklearn-kernels.json holds no estimates of given landmarks")
	}
}
