//go:build !js

package sketch_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"sort"
	"testing"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/learn/prepare"
	"tensorsketch.example/sketch/model"
	"tensorsketch.example/sketch/product"
	"tensorsketch.example/test/need"
	"tensorsketch.example/test/slow"
)

// randomCases returns n maps of parameters taken at random, as many as are no error.
func randomCases(n int) []sketch.MapCase {
	rng := rand.New(rand.NewSource(99))
	one := func(in int, set func()) {
		if rng.Intn(in) == 0 {
			set()
		}
	}
	methods := methodNames()
	kernels := []string{
		sketch.KernelPolynomial, sketch.KernelExponential, sketch.KernelGaussian, sketch.KernelLaplacian, sketch.KernelCauchy,
		sketch.KernelArcCosine,
	}
	var cases []sketch.MapCase
	for len(cases) < n {
		p := sketch.Params{
			Method: methods[rng.Intn(len(methods))], NFeatures: 1 + rng.Intn(40), NComponents: 1 + rng.Intn(80),
			Seed: sketch.IntSeed(rng.Uint64()),
		}
		m := &p.MethodParams
		one(2, func() { p.Degree = 1 + rng.Intn(6) })
		one(2, func() { p.Gamma = 0.05 + rng.Float64() })
		one(2, func() { p.Coef0 = 2 * rng.Float64() })
		one(2, func() { p.Normalize = sketch.NormalizeKernel })
		one(4, func() { p.Output = sketch.OutputSpectrum })
		one(4, func() { p.Repeats = 2 + rng.Intn(2) })
		one(8, func() { p.Seed, p.RandomState = sketch.Seed{}, sketch.RandomState(rng.Uint32()) })
		one(4, func() { m.H01 = true })
		one(4, func() { m.AllOrders = true })
		one(4, func() { m.Order = 1.2 + 3*rng.Float64() })
		one(4, func() { m.Distribution = sketch.DistributionGaussian })
		one(4, func() { m.Base = methods[rng.Intn(len(methods))] })
		one(4, func() { m.UpComponents = p.NComponents + rng.Intn(50) })
		one(4, func() { m.A = 2 + 3*rng.Float64() })
		one(4, func() { m.Kernel = kernels[rng.Intn(len(kernels))] })
		one(4, func() {
			m.Coefficients = []float64{float64(rng.Intn(2)), rng.Float64(), float64(rng.Intn(2)), rng.Float64()}
		})
		one(4, func() { m.Paired = true })
		one(4, func() { m.Signed = true })
		one(4, func() { m.Projection = []string{sketch.ProjectionOrthogonal, sketch.ProjectionStructured}[rng.Intn(2)] })
		one(4, func() { m.Terms = 2 + rng.Intn(20) })
		if _, err := sketch.NewFeatureMap(p); err == nil {
			cases = append(cases, sketch.MapCase{Name: fmt.Sprintf("%+v", p), Params: p})
		}
	}
	return cases
}

var randomModels = flag.Int("models", 20, "how many models at random the second implementation is asked for")

// second asks test/spec/tensorsketch.py, all cases in one run.
func second(t *testing.T, cases []any) []json.RawMessage {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("the second implementation needs python3: install it")
	}
	var in bytes.Buffer
	for _, c := range cases {
		need.OK(t, json.NewEncoder(&in).Encode(c))
	}
	command := exec.Command(python, "../test/spec/tensorsketch.py")
	command.Stdin, command.Stderr = &in, os.Stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("python3 test/spec/tensorsketch.py: %v", err)
	}
	var answers []json.RawMessage
	for _, line := range bytes.Split(bytes.TrimSpace(out), []byte("\n")) {
		answers = append(answers, line)
	}
	if len(answers) != len(cases) {
		t.Fatalf("python3 gave %d answers to %d cases", len(answers), len(cases))
	}
	return answers
}

// asJSON returns a value as JSON reads it.
func asJSON(t *testing.T, v any) (generic any) {
	t.Helper()
	text, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(text, &generic)
	}
	if err != nil {
		t.Fatal(err)
	}
	return generic
}

// What test/spec/tensorsketch.py makes of docs/SPEC.md, for every method, of the
// vectors in testdata, of larger maps and of some at random: the same random numbers, every one of them,
// and features to 1e-5 of the row's norm.
func TestSecondImplementation(t *testing.T) {
	slow.Elsewhere(t)
	type question struct {
		vectors
		Tables bool `json:"tables"`
	}
	var names []string
	var maps []*sketch.FeatureMap
	var asked []vectors
	var cases []any
	ask := func(method string, m *sketch.FeatureMap, v vectors) {
		names, maps, asked = append(names, method+", "+v.Name), append(maps, m), append(asked, v)
		cases = append(cases, question{v, true})
	}
	wide := sketch.WideCases()
	for _, method := range methodNames() {
		for _, v := range keptVectors(t, method) {
			ask(method, v.featureMap(t), v)
		}
		for _, c := range wide[method] {
			m, v := newVectors(t, c, method, 3)
			ask(method, m, v)
		}
	}
	for _, c := range randomCases(*randomModels) {
		m, v := newVectors(t, c, c.Params.Method, 2)
		ask(c.Params.Method, m, v)
	}
	worst, count := map[string]float64{}, map[string]int{}
	for i, answer := range second(t, cases) {
		var got struct {
			Features [][]float64
			Tables   any
		}
		if err := json.Unmarshal(answer, &got); err != nil || len(got.Features) != len(asked[i].Rows) {
			t.Fatalf("%s: %v: %.200s", names[i], err, answer)
		}
		if want := asJSON(t, sketch.Drawn(maps[i])); !reflect.DeepEqual(got.Tables, want) {
			t.Errorf("%s: the random numbers differ\n%s", names[i], firstDifference("", got.Tables, want))
		}
		for r, want := range asked[i].Features {
			if len(want) != len(got.Features[r]) {
				t.Fatalf("%s, row %d: %d features, want %d", names[i], r, len(want), len(got.Features[r]))
			}
			e := sketch.RelativeError(want, got.Features[r])
			if most := max(1e-5, phaseError(maps[i], asked[i].Rows[r])); !(e <= most) {
				t.Errorf("%s, row %d: features differ by %.3g of their norm, want %.3g at most", names[i], r, e, most)
			}
			method := maps[i].Params().Method
			worst[method] = max(worst[method], e)
		}
		count[maps[i].Params().Method]++
	}
	for _, method := range methodNames() {
		t.Logf("%-38s %d cases, features within %.1e", method, count[method], worst[method])
	}
}

// phaseError is what the float32 phases of random-fourier may change by docs/SPEC.md:
// 10⁻⁶ for each 10 of the largest Σ_i |τ_ij x_i|, which is large where a frequency of the
// Laplacian kernel comes from the tail. 0 for other methods.
func phaseError(m *sketch.FeatureMap, row []float32) float64 {
	p := m.Params()
	if p.Method != sketch.MethodRandomFourier {
		return 0
	}
	factor := math.Sqrt(p.Gamma)
	if p.MethodParams.Kernel == sketch.KernelLaplacian {
		factor = p.Gamma
	}
	largest := 0.0
	for repeat := range p.Repeats {
		f, err := p.Frequencies(repeat)
		if err != nil {
			panic(err)
		}
		for j := range f.Turns[0] {
			turns := 0.0
			for i, v := range row {
				turns += math.Abs(float64(f.Turns[i][j]) * factor * float64(v))
			}
			largest = max(largest, turns)
		}
	}
	return 1e-7 * largest
}

// The landmarks that Fit chooses, what a file of sums says, and the estimates of compressed products.
func TestSecondImplementationBeside(t *testing.T) {
	slow.Elsewhere(t)
	fourier, err := sketch.NewFeatureMap(sketch.Params{Method: sketch.MethodRandomFourier, NFeatures: 3, NComponents: 5,
		Gamma: 0.1, Seed: sketch.StringSeed("sums")})
	if err != nil {
		t.Fatal(err)
	}
	Z := features(t, fourier, inputRows(7, 3, false))
	weights := []float32{1, -0.5, 3e-38, 1e10, 0.1, 0, 2}
	ofSums := map[string]any{"preprocessing": "as they come", "features": Z, "weights": weights}

	nystroem := need.Value(sketch.NewFeatureMap(sketch.Params{Method: sketch.MethodNystroem, NFeatures: 3, NComponents: 9,
		Repeats: 2, Seed: sketch.IntSeed(5)}))(t)
	rows := need.Value(nystroem.LandmarkRows(1000))(t)

	const m, n, k = 4, 6, 5
	c := need.Value(product.New(product.Params{M: m, N: n, NComponents: 30, Repeats: 4,
		Seed: sketch.IntSeed(5)}))(t)
	A, B := inputRows(m, k, false), inputRows(k, n, false)
	need.OK(t, c.Add(slices.Concat(A...), slices.Concat(B...)))

	answers := second(t, []any{
		map[string]any{"model": modelOf(t, fourier), "sums": ofSums},
		map[string]any{"model": map[string]any{"seed": "5", "nComponents": 9, "repeats": 2}, "rowsToFit": 1000},
		map[string]any{"product": map[string]any{"m": m, "n": n, "D": 30, "t": 4, "seed": "5", "A": A, "B": B}},
	})
	same := func(name string, got, want any) {
		t.Helper()
		if want = asJSON(t, want); !reflect.DeepEqual(got, want) {
			t.Error(firstDifference(name, got, want))
		}
	}
	read := func(answer json.RawMessage) (object map[string]any) {
		t.Helper()
		if err := json.Unmarshal(answer, &object); err != nil {
			t.Fatalf("%v: %s", err, answer)
		}
		return object
	}
	ofPython := read(answers[0])
	sums := need.Value(model.UnmarshalSums(need.Value(json.Marshal(ofPython["file"]))(t), fourier))(t)
	same("the sums", ofPython["sum"], sums.Sums)
	same("the means", ofPython["mean"], sums.Means)
	same("the rows chosen", read(answers[1])["rows"], rows)
	var estimates struct {
		Entries     [][]float64
		SquaredNorm float64
	}
	need.OK(t, json.Unmarshal(answers[2], &estimates))
	if got, want := c.SquaredNorm(), estimates.SquaredNorm; math.Abs(got-want) > 1e-5*want {
		t.Errorf("‖A·B‖² is estimated as %v, want %v", got, want)
	}
	for i, row := range estimates.Entries {
		for j, want := range row {
			if got := c.Entry(i, j); math.Abs(got-want) > 1e-5*math.Sqrt(estimates.SquaredNorm) {
				t.Errorf("entry (%d, %d) is estimated as %v, want %v", i, j, got, want)
			}
		}
	}
}

// What a model file predicts: scores of the same features with the same bits, the same labels, and
// probabilities to 1e-12. From rows, whose features differ by rounding, the scores differ as little.
func TestSecondImplementationOfHeads(t *testing.T) {
	slow.Elsewhere(t)
	rng := rand.New(rand.NewSource(17))
	const n, d = 120, 5
	X, labels, y := make(sketch.Dense, 0, n*d), make([]learn.Label, n), make([]float64, n)
	names := []learn.Label{learn.BoolLabel(false), learn.NumberLabel(-0.5), learn.TextLabel("ä"), learn.TextLabel("Z")}
	for i := range n {
		labels[i] = names[i%len(names)]
		for j := range d {
			X = append(X, float32(0.5*rng.NormFloat64()))
			if j == i%len(names) {
				X[len(X)-1] += 1
			}
		}
		y[i] = float64(X[i*d]) * float64(X[i*d+1])
	}
	newMap := func(method string) *sketch.FeatureMap {
		p := sketch.Params{Method: method, NFeatures: d, NComponents: 24, Coef0: 1, Seed: sketch.StringSeed("heads")}
		if method == sketch.MethodRandomFourier {
			p.Coef0 = 0
		}
		return need.Value(sketch.NewFeatureMap(p))(t)
	}
	var models []*learn.Model
	for _, method := range []string{sketch.MethodTensorSketch, sketch.MethodRandomFourier} {
		spec := need.Value(learn.Prepare(learn.Spec{Map: newMap(method)}, X, labels))(t)
		l := need.Value(learn.NewLearner(spec))(t)
		need.OK(t, l.Add(X, labels, nil))
		m := need.Value(l.Fit(learn.RidgeOptions{}))(t)
		logistic := *m
		logistic.Loss, logistic.Calibration = learn.LossLogistic, &learn.Calibration{K: len(names)}
		models = append(models, m, m.Beside, &logistic)
	}
	spec := need.Value(learn.PrepareTargets(learn.Spec{Map: newMap(sketch.MethodTensorSketch)}, X, y))(t)
	l := need.Value(learn.NewLearner(spec))(t)
	need.OK(t, l.AddTargets(X, y, nil))
	models = append(models, need.Value(l.Fit(learn.RidgeOptions{}))(t))

	rows := make([][]float32, 10)
	for i := range rows {
		rows[i] = X[i*d : (i+1)*d]
	}
	var cases []any
	for _, m := range models {
		file := json.RawMessage(need.Value(model.MarshalModel(m, model.Options{}))(t))
		cases = append(cases, map[string]any{"model": file, "rows": rows, "features": features(t, m.Map, rows)},
			map[string]any{"model": file, "rows": rows})
	}
	for i, answer := range second(t, cases) {
		m := models[i/2]
		var got struct {
			Scores, Probabilities [][]float64
			Labels                []any
		}
		need.OK(t, json.Unmarshal(answer, &got))
		K, exact := m.NOutputs(), i%2 == 0
		scores := need.Value(m.Scores(X[:len(rows)*d]))(t)
		for r := range rows {
			want := scores[r*K : (r+1)*K]
			for k, s := range want {
				if e := math.Abs(got.Scores[r][k] - s); exact && e > 0 || e > 1e-4 {
					t.Errorf("model %d, row %d: score %v, want %v", i, r, got.Scores[r][k], s)
				}
			}
			if m.Task == learn.TaskRegress {
				continue
			}
			if label := m.Classes[solve.Largest(want)].Value(); got.Labels[r] != label {
				t.Errorf("model %d, row %d: label %v, want %v", i, r, got.Labels[r], label)
			}
			for k, p := range m.Calibration.Probabilities(nil, want) {
				if e := math.Abs(got.Probabilities[r][k] - p); exact && e > 1e-12 || e > 1e-3 {
					t.Errorf("model %d, row %d: probability %v, want %v", i, r, got.Probabilities[r][k], p)
				}
			}
		}
	}
}

// The files of models with a preparation: the second implementation prepares rows to the same bits.
func TestSecondImplementationOfPreparations(t *testing.T) {
	files := need.Value(filepath.Glob("model/testdata/learned/prepared-*.json"))(t)
	var models []*learn.Model
	var cases []any
	X := [][]any{{0.1, -0.2, nil, 0.3, 1, 0.5, 0.6, 1}, {1e9, 0, 0.25, -1e-9, 3, 0, -1, 0}, {0, 0, 0, 0, 0, 0, 0, 0},
		{-0.5, 0.25, 0.125, 0.7, 1, -0.1, 0.2, 1}}
	rows := func(m *learn.Model) [][]any {
		if m.Preparation.Form == prepare.Raw { // which has no missing numbers
			return X[1:]
		}
		return X
	}
	for _, file := range files {
		m, err := model.UnmarshalModel(need.Value(os.ReadFile(file))(t))
		if err != nil { // a learner, or scores
			continue
		}
		models = append(models, m)
		cases = append(cases, map[string]any{"rows": rows(m), "model": json.RawMessage(
			need.Value(model.MarshalModel(m, model.Options{}))(t))})
	}
	if len(models) != 10 {
		t.Fatalf("%d models, want 10", len(models))
	}
	for i, answer := range second(t, cases) {
		var got struct{ Prepared, Scores [][]float64 }
		need.OK(t, json.Unmarshal(answer, &got))
		m := models[i]
		for r, row := range rows(m) {
			var numbers sketch.Dense
			for _, v := range row {
				switch v := v.(type) {
				case nil:
					numbers = append(numbers, float32(math.NaN()))
				case float64:
					numbers = append(numbers, float32(v))
				case int:
					numbers = append(numbers, float32(v))
				}
			}
			want, _, err := m.Preparation.Rows(numbers, nil)
			need.OK(t, err)
			for j, v := range want.(sketch.Dense) {
				if got.Prepared[r][j] != float64(v) {
					t.Errorf("%s, row %d, coordinate %d: %v, want %v", m.Preparation.Form, r, j, got.Prepared[r][j], v)
				}
			}
			for k, v := range need.Value(m.Scores(numbers))(t) {
				if math.Abs(got.Scores[r][k]-v) > 1e-4*max(1, math.Abs(v)) {
					t.Errorf("%s, row %d: score %v, want %v", m.Preparation.Form, r, got.Scores[r][k], v)
				}
			}
		}
	}
}

func modelOf(t *testing.T, m *sketch.FeatureMap) json.RawMessage {
	t.Helper()
	text := need.Value(model.Marshal(m))(t)
	return text
}

// firstDifference tells where two JSON values differ.
func firstDifference(path string, got, want any) string {
	switch want := want.(type) {
	case map[string]any:
		got, _ := got.(map[string]any)
		var names []string
		for name := range want {
			names = append(names, name)
		}
		sort.Strings(names)
		for _, name := range names {
			if !reflect.DeepEqual(got[name], want[name]) {
				return firstDifference(path+"."+name, got[name], want[name])
			}
		}
	case []any:
		got, _ := got.([]any)
		if len(got) != len(want) {
			return fmt.Sprintf("%s has %d entries, want %d", path, len(got), len(want))
		}
		for i := range want {
			if !reflect.DeepEqual(got[i], want[i]) {
				return firstDifference(fmt.Sprintf("%s[%d]", path, i), got[i], want[i])
			}
		}
	}
	return fmt.Sprintf("%s is %v, want %v", path, got, want)
}
