package sketch_test

import (
	"bytes"
	"errors"
	"flag"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/model"
	"tensorsketch.example/test/need"
)

// Properties of every method, over random parameters and rows. They are exact: what
// holds of the definition and of its arithmetic holds of the bits, but where a
// tolerance is given. The same cases are drawn every time; `./build.sh soak` draws
// others, and more of them (-rapid.seed, -rapid.checks).

func init() {
	flag.Set("rapid.seed", "1")          // the command line may say otherwise
	flag.Set("rapid.nofailfile", "true") // the log has the seed
}

// homogeneous are the methods with f(2x) = 2^p·f(x) where c = 0.
var homogeneous = []string{sketch.MethodTensorSketch, sketch.MethodCountSketch, sketch.MethodComplexTensorSketch,
	sketch.MethodRandomMaclaurin,
	sketch.MethodTensorizedProjection, sketch.MethodComplexProjection, sketch.MethodTensorSRHT,
	sketch.MethodComplexTensorSRHT, sketch.MethodCRAFT,
	sketch.MethodTreeTensorSketch}

// linearMethods are those that have f(x + y) = f(x) + f(y) at degree 1.
var linearMethods = []string{sketch.MethodTensorSketch, sketch.MethodCountSketch, sketch.MethodComplexTensorSketch,
	sketch.MethodTensorizedProjection,
	sketch.MethodComplexProjection, sketch.MethodTensorSRHT, sketch.MethodComplexTensorSRHT, sketch.MethodCRAFT,
	sketch.MethodTreeTensorSketch}

// drawMap draws a map of one of the methods, fitted if it needs that. What an option
// contradicts is left out, so that every draw gives a map.
func drawMap(t *rapid.T, methods []string, change func(*sketch.Params)) *sketch.FeatureMap {
	p := sketch.Params{
		Method:      rapid.SampledFrom(methods).Draw(t, "method"),
		NFeatures:   rapid.IntRange(1, 20).Draw(t, "d"),
		NComponents: 2 * rapid.IntRange(1, 40).Draw(t, "half D"),
		Repeats:     rapid.IntRange(1, 3).Draw(t, "repeats"),
		Seed:        sketch.IntSeed(rapid.Uint64().Draw(t, "seed")),
	}
	options := []func(){
		func() { p.Degree = rapid.IntRange(1, 5).Draw(t, "degree") },
		func() { p.Gamma = rapid.SampledFrom([]float64{0.25, 0.3, 1, 2}).Draw(t, "gamma") },
		func() { p.Coef0 = rapid.SampledFrom([]float64{0, 0.5, 1}).Draw(t, "coef0") },
		func() { p.Normalize = rapid.SampledFrom([]string{"", sketch.NormalizeKernel}).Draw(t, "normalize") },
		func() { p.Output = rapid.SampledFrom([]string{"", sketch.OutputSpectrum}).Draw(t, "output") },
		func() {
			p.MethodParams.Distribution = rapid.SampledFrom([]string{"", sketch.DistributionGaussian}).Draw(t, "distribution")
		},
		func() { p.NComponents-- }, // an odd D
	}
	try := func() (*sketch.FeatureMap, error) {
		changed := p
		if change != nil {
			change(&changed)
		}
		return sketch.NewFeatureMap(changed)
	}
	m, err := try()
	if err != nil {
		p.NComponents, p.NFeatures = 64, 20
		if m, err = try(); err != nil {
			t.Fatalf("%+v: %v", p, err)
		}
	}
	for _, option := range options {
		before := p
		option()
		with, err := try()
		if err == nil {
			m = with
			continue
		}
		var e *sketch.Error
		if !errors.As(err, &e) || e.Code != sketch.ErrParam {
			t.Fatalf("%+v: %v", p, err)
		}
		p = before
	}
	if sketch.NeedsFit(p.Method) {
		need.OK(t, m.Fit(sketch.Dense(drawRows(t, m, 100))))
	}
	return m
}

// drawRows draws rows that the map takes: numbers of many sizes and zeros; of norm 1
// for spherical, and for taylor-sketch, whose features grow as e^‖x‖².
func drawRows(t *rapid.T, m *sketch.FeatureMap, n int) []float32 {
	numbers := rapid.SampledFrom([]float32{0, 0, 1, -1, 0.5, -0.75, 1.0 / 3, 2.5, -1.0 / 1024, 3e-4, 7})
	d := m.NFeatures()
	X := rapid.SliceOfN(numbers, n*d, n*d).Draw(t, "rows")
	if method := m.Params().Method; method != sketch.MethodSpherical && method != sketch.MethodTaylorSketch {
		return X
	}
	for row := range slices.Chunk(X, d) {
		if sketch.Dot(row, row) == 0 {
			row[0] = 1
		}
		scale := 1 / math.Sqrt(sketch.Dot(row, row))
		for i := range row {
			row[i] = float32(float64(row[i]) * scale)
		}
	}
	return X
}

func bits(X []float32) []uint32 {
	b := make([]uint32, len(X))
	for i, v := range X {
		b[i] = math.Float32bits(v)
	}
	return b
}

func checkBits(t *rapid.T, what string, got, want []float32) {
	t.Helper()
	if !slices.Equal(bits(got), bits(want)) {
		t.Fatalf("%s: %v, want %v", what, got, want)
	}
}

// drawCSR returns the rows as CSR, the columns of each in any order and with some
// zeros written out.
func drawCSR(t *rapid.T, X []float32, d int) sketch.CSR {
	csr := sketch.CSR{Indptr: []int32{0}}
	columns := make([]int32, d)
	for i := range columns {
		columns[i] = int32(i)
	}
	explicit := rapid.Bool().Draw(t, "zeros written out")
	for row := range slices.Chunk(X, d) {
		for _, column := range rapid.Permutation(columns).Draw(t, "columns") {
			if v := row[column]; v != 0 || explicit {
				csr.Indices, csr.Data = append(csr.Indices, column), append(csr.Data, v)
			}
		}
		csr.Indptr = append(csr.Indptr, int32(len(csr.Data)))
	}
	return csr
}

func TestPropertyRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawMap(t, methodNames(), nil)
		n, d, D := rapid.IntRange(1, 12).Draw(t, "n"), m.NFeatures(), m.NComponents()
		X := drawRows(t, m, n)
		Z := need.Value(m.TransformBatch(nil, X))(t)
		var single []float32
		for row := range slices.Chunk(X, d) {
			single = append(single, m.Transform(nil, row)...)
		}
		checkBits(t, "rows one by one", single, Z)

		sparse := need.Value(m.TransformCSR(nil, drawCSR(t, X, d)))(t)
		checkBits(t, "sparse rows", sparse, Z)

		order := make([]int, n)
		for i := range order {
			order[i] = i
		}
		var X2, Z2 []float32
		for _, row := range rapid.Permutation(order).Draw(t, "order") {
			X2, Z2 = append(X2, X[row*d:(row+1)*d]...), append(Z2, Z[row*D:(row+1)*D]...)
		}
		m.SetGoroutines(rapid.IntRange(1, 3).Draw(t, "goroutines"))
		got := need.Value(m.TransformBatch(nil, X2))(t)
		checkBits(t, "rows in another order", got, Z2)
	})
}

func TestPropertyModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawMap(t, methodNames(), nil)
		X := drawRows(t, m, 3)
		text := need.Value(model.Marshal(m))(t)
		again, err := model.Unmarshal(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		want := need.Value(m.TransformBatch(nil, X))(t)
		got := need.Value(again.TransformBatch(nil, X))(t)
		checkBits(t, "the map of its model", got, want)
		if text2, err := model.Marshal(again); err != nil || !bytes.Equal(text, text2) {
			t.Fatalf("the model of its map: %s, %v; want %s", text2, err, text)
		}
	})
}

// A power of two passes through every product and sum as it is.
func TestPropertyScaling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawMap(t, homogeneous, func(p *sketch.Params) { p.Coef0, p.Normalize = 0, "" })
		x := drawRows(t, m, 1)
		power := rapid.IntRange(-3, 3).Draw(t, "power")
		scaled := make([]float32, len(x))
		for i, v := range x {
			scaled[i] = float32(math.Ldexp(float64(v), power))
		}
		want := m.Transform(nil, x)
		for i, v := range want {
			want[i] = float32(math.Ldexp(float64(v), power*m.Params().Degree))
		}
		checkBits(t, "2^k·x", m.Transform(nil, scaled), want)
	})
}

// At degree 1, f(ax + by) = a·f(x) + b·f(y), to 1e-5 of the norms of features and rows:
// what cancels in a bucket was rounded before.
func TestPropertyLinearity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawMap(t, linearMethods, func(p *sketch.Params) { p.Degree, p.Coef0, p.Normalize = 1, 0, "" })
		d := m.NFeatures()
		X := drawRows(t, m, 2)
		weights := rapid.Map(rapid.IntRange(-4000, 4000), func(n int) float32 { return float32(n) / 1000 })
		a, b := weights.Draw(t, "a"), weights.Draw(t, "b")
		sum := make([]float32, d)
		for i := range sum {
			sum[i] = float32(float64(a)*float64(X[i]) + float64(b)*float64(X[d+i]))
		}
		fx, fy, got := m.Transform(nil, X[:d]), m.Transform(nil, X[d:]), m.Transform(nil, sum)
		norm := math.Sqrt(m.Params().Gamma) * (math.Abs(float64(a))*norm(X[:d]) + math.Abs(float64(b))*norm(X[d:]))
		checkSum(t, got, [][]float32{fx, fy}, []float32{a, b}, norm)
	})
}

// A tensor sketch is linear in each of the vectors whose product it sketches.
func TestPropertyMultilinearity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var each []int
		for range rapid.IntRange(1, 4).Draw(t, "degree") {
			each = append(each, rapid.IntRange(1, 8).Draw(t, "d"))
		}
		m := need.Value(sketch.New(sketch.Params{NFeaturesEach: each, NComponents: rapid.IntRange(1, 70).Draw(t, "D"),
			Seed: sketch.IntSeed(rapid.Uint64().Draw(t, "seed"))}))(t)
		numbers := rapid.SampledFrom([]float32{0, 1, -1, 0.5, 1.0 / 3, 2.5})
		slot := rapid.IntRange(0, len(each)-1).Draw(t, "slot")
		var x, y, sum []sketch.Rows
		normX, normY := 1.0, 1.0 // of the tensor products
		for k, d := range each {
			u := rapid.SliceOfN(numbers, d, d).Draw(t, "u")
			v, w := u, u
			if k == slot {
				v, w = rapid.SliceOfN(numbers, d, d).Draw(t, "v"), slices.Clone(u)
				for i := range w {
					w[i] += v[i]
				}
			}
			normX, normY = normX*norm(u), normY*norm(v)
			x, y, sum = append(x, sketch.Dense(u)), append(y, sketch.Dense(v)), append(sum, sketch.Dense(w))
		}
		transform := func(rows []sketch.Rows) []float32 {
			z := need.Value(m.TransformProduct(nil, rows...))(t)
			return z
		}
		checkSum(t, transform(sum), [][]float32{transform(x), transform(y)}, []float32{1, 1}, normX+normY)
	})
}

func norm(x []float32) float64 { return math.Sqrt(sketch.Dot(x, x)) }

// checkSum asserts that got is the sum of rows with weights, to 1e-5 of their norms and
// of that of what they are features of.
func checkSum(t *rapid.T, got []float32, rows [][]float32, weights []float32, norms float64) {
	t.Helper()
	difference := 0.0
	for k, row := range rows {
		norms += math.Abs(float64(weights[k])) * norm(row)
	}
	for i, v := range got {
		want := 0.0
		for k, row := range rows {
			want += float64(weights[k]) * float64(row[i])
		}
		difference += (float64(v) - want) * (float64(v) - want)
	}
	if math.Sqrt(difference) > 1e-5*norms {
		t.Fatalf("f of the sum is %v, off by %g of norms %g: of %v with weights %v", got, math.Sqrt(difference), norms, rows,
			weights)
	}
}

// Coordinates in another order, and the tables with them, give the same sketch: to
// 1e-6 of the norm of the tensor product, because sums round; at degree 1, where
// integers are summed as they are, to the bit.
func TestPropertyCoordinates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, D := rapid.IntRange(1, 15).Draw(t, "d"), rapid.IntRange(1, 60).Draw(t, "D")
		degree, coef0 := rapid.IntRange(1, 4).Draw(t, "degree"), rapid.IntRange(0, 1).Draw(t, "coef0")
		order := make([]int, d)
		for i := range order {
			order[i] = i
		}
		order = rapid.Permutation(order).Draw(t, "order")
		p := sketch.Params{NFeatures: d, NComponents: D, Degree: degree, Coef0: float64(coef0)}
		permuted := p
		for range degree {
			index := rapid.SliceOfN(rapid.Int32Range(0, int32(D-1)), d+coef0, d+coef0).Draw(t, "index")
			sign := rapid.SliceOfN(rapid.SampledFrom([]int8{-1, 1}), d+coef0, d+coef0).Draw(t, "sign")
			index2, sign2 := slices.Clone(index), slices.Clone(sign) // the constant stays last
			for to, from := range order {
				index2[to], sign2[to] = index[from], sign[from]
			}
			p.IndexHash, p.BitHash = append(p.IndexHash, index), append(p.BitHash, sign)
			permuted.IndexHash, permuted.BitHash = append(permuted.IndexHash, index2), append(permuted.BitHash, sign2)
		}
		x, x2 := make([]float32, d), make([]float32, d)
		for to, from := range order {
			x[from] = float32(rapid.IntRange(-9, 9).Draw(t, "x"))
			x2[to] = x[from]
		}
		m := need.Value(sketch.New(p))(t)
		m2 := need.Value(sketch.New(permuted))(t)
		want, got := m.Transform(nil, x), m2.Transform(nil, x2)
		if degree == 1 {
			checkBits(t, "coordinates in another order", got, want)
		}
		norm := math.Pow(sketch.Dot(x, x)+float64(coef0), float64(degree)/2)
		for i, v := range want {
			if math.Abs(float64(v)-float64(got[i])) > 1e-6*norm {
				t.Fatalf("coordinates in another order: %v, want %v", got, want)
			}
		}
	})
}

// methodNames returns the names of all methods.
func methodNames() (names []string) {
	for _, method := range sketch.Methods() {
		names = append(names, method.Name)
	}
	return names
}
