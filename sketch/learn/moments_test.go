package learn_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/test/golden"
	"tensorsketch.example/test/need"
	"tensorsketch.example/test/slow"
)

func features(r *rand.Rand, n, D int, size float64) []float32 {
	Z := make([]float32, n*D)
	for i := range Z {
		Z[i] = float32(r.NormFloat64() * size)
	}
	return Z
}

// momentsCase is a shape with rows for it.
type momentsCase struct {
	shape   learn.Shape
	grid    learn.Grid
	folds   int
	Z       []float32
	classes []int32
	targets []float64
	weights []uint8
}

func (c *momentsCase) rows() int { return len(c.Z) / c.shape.NComponents }

func (c *momentsCase) empty(t testing.TB) *learn.Moments {
	t.Helper()
	return need.Value(learn.NewMoments(c.shape, c.grid, c.folds))(t)
}

// add adds the rows with these indices.
func (c *momentsCase) add(t testing.TB, m *learn.Moments, rows ...int) {
	t.Helper()
	D, K := c.shape.NComponents, c.shape.Targets
	var Z []float32
	var classes []int32
	var targets []float64
	var weights []uint8
	for _, row := range rows {
		Z = append(Z, c.Z[row*D:(row+1)*D]...)
		if c.classes != nil {
			classes = append(classes, c.classes[row])
		}
		targets = append(targets, c.targets[min(row*K, len(c.targets)):min((row+1)*K, len(c.targets))]...)
		if c.weights != nil {
			weights = append(weights, c.weights[row])
		}
	}
	need.OK(t, m.AddFeatures(Z, classes, targets, weights))
}

func (c *momentsCase) all(t testing.TB) *learn.Moments {
	t.Helper()
	m := c.empty(t)
	need.OK(t, m.AddFeatures(c.Z, c.classes, c.targets, c.weights))
	return m
}

// drawCase draws n rows. Some of their features are beyond the grid, and some rows are equal.
func drawCase(r *rand.Rand, shape learn.Shape, folds, n int, size float64, weighted bool) *momentsCase {
	c := &momentsCase{shape: shape, grid: learn.Grid{Step: 0x1p-12}, folds: folds}
	D := shape.NComponents
	c.Z = features(r, n, D, size)
	for row := range n {
		if row > 0 && r.IntN(4) == 0 {
			copy(c.Z[row*D:(row+1)*D], c.Z[r.IntN(row)*D:])
		}
		if shape.Classes > 0 {
			c.classes = append(c.classes, int32(r.IntN((shape.Classes+1)/2))) // some classes have no rows
		}
		if weighted {
			c.weights = append(c.weights, uint8(r.IntN(2)))
		}
	}
	if shape.Targets > 0 {
		c.grid.Low, c.grid.High = -3, 7.5
		for range n * shape.Targets {
			c.targets = append(c.targets, min(7.5, max(-3, r.NormFloat64()*5)))
		}
	}
	return c
}

// wordsOf are the words of the rows by plain loops, from sketch/model/spec.go.
func (c *momentsCase) wordsOf() []int64 {
	D, K := c.shape.NComponents, c.shape.Classes+c.shape.Targets
	parts := map[int]int{0: 1, 1: 2, 5: 5}[c.folds]
	all := make([][]int64, parts)
	size := 0
	for p := range all {
		all[p] = []int64{0, 0}
		size = D*(D+1)/2 + K + K*D
		if c.shape.Classes == 0 {
			size += D
		}
		if c.shape.Targets > 0 {
			size += K * (K + 1) / 2
		}
		all[p] = append(all[p], make([]int64, size)...)
	}
	for row := range c.rows() {
		if c.weights != nil && c.weights[row] == 0 {
			continue
		}
		q, clipped := make([]int64, D), int64(0)
		for j := range q {
			v := math.RoundToEven(float64(c.Z[row*D+j]) / c.grid.Step)
			if math.Abs(v) > 4096 {
				v = math.Copysign(4096, v)
				clipped++
			}
			q[j] = int64(v)
		}
		p := 0
		if parts > 1 {
			p = min(int(specHash(q)%5), parts-1)
		}
		words := all[p]
		words[0]++
		words[1] += clipped
		at := 2
		for i := range D {
			for j := range i + 1 {
				words[at] += q[i] * q[j]
				at++
			}
		}
		if c.shape.Classes > 0 {
			words[at+int(c.classes[row])]++
			for j := range D {
				words[at+K+int(c.classes[row])*D+j] += q[j]
			}
			continue
		}
		for j := range D {
			words[at+j] += q[j]
		}
		at += D
		t := make([]int64, K)
		for k := range t {
			middle := c.grid.Low/2 + c.grid.High/2
			t[k] = int64(math.RoundToEven((c.targets[row*K+k] - middle) / ((c.grid.High - c.grid.Low) / (1 << 20))))
			words[at+k] += t[k]
		}
		at += K
		for a := range K {
			for b := range a + 1 {
				words[at] += t[a] * t[b]
				at++
			}
		}
		for a := range K {
			for j := range D {
				words[at] += t[a] * q[j]
				at++
			}
		}
	}
	return slices.Concat(all...)
}

// specHash is the hash of a row of integers, from sketch/model/spec.go.
func specHash(q []int64) uint64 {
	mix := func(x uint64) uint64 {
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		return x ^ x>>31
	}
	if len(q)%2 == 1 {
		q = append(slices.Clone(q), 0)
	}
	var h [4]uint64
	for i := 0; 2*i < len(q); i++ {
		w := uint64(q[2*i])%(1<<32) + uint64(q[2*i+1])<<32
		h[i%4] = (h[i%4] ^ w) * 0x9e3779b97f4a7c15
	}
	return mix(mix(mix(mix(h[0])^h[1])^h[2]) ^ h[3])
}

var momentsShapes = []learn.Shape{
	{NComponents: 1}, {NComponents: 2, Classes: 1}, {NComponents: 3, Targets: 2}, {NComponents: 7, Classes: 5},
	{NComponents: 8}, {NComponents: 15, Targets: 1}, {NComponents: 16, Classes: 3}, {NComponents: 17, Targets: 3},
	{NComponents: 33, Classes: 2}, {NComponents: 66}, {NComponents: 130, Classes: 9},
}

// The words equal plain loops': for every width of panels, with one row and none, with features cut, weights,
// folds, and classes without rows.
func TestMomentsAgainstPlainLoops(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, shape := range momentsShapes {
		for _, n := range []int{0, 1, 2, 3, 60} {
			for _, folds := range []int{0, 1, 5} {
				for _, size := range []float64{0.02, 0.7} { // the second is cut often
					c := drawCase(r, shape, folds, n, size, r.IntN(2) == 0)
					m, want := c.all(t), c.wordsOf()
					if got := m.Words(); !slices.Equal(got, want) {
						t.Fatalf("%+v, %d rows, folds %d, size %v:\n got %v,\nwant %v", shape, n, folds, size, got, want)
					}
					clipped, rows := int64(0), int64(0)
					for p := range m.Parts() {
						rows += want[p*m.WordsPerPart()]
						clipped += want[p*m.WordsPerPart()+1]
					}
					if m.Rows() != rows || m.Clipped() != clipped || size > 0.5 && n == 60 && shape.NComponents > 9 && clipped == 0 {
						t.Fatalf("%+v: %d rows, %d clipped, want %d, %d", shape, m.Rows(), m.Clipped(), rows, clipped)
					}
				}
			}
		}
	}
}

// Sums of 32 bits would overflow here, if blocks of rows did not end early: every product is 2^24.
func TestMomentsOfLargestRows(t *testing.T) {
	const n, D = 1000, 20
	m := need.Value(learn.NewMoments(learn.Shape{NComponents: D}, learn.Grid{Step: 1}, 0))(t)
	row := make([]float32, D)
	for j := range row {
		row[j] = float32(1 - 2*(j%2)) // 1, −1, 1 …
	}
	need.OK(t, m.AddFeatures(slices.Repeat(row, 300), nil, nil, nil)) // blocks that are not full of large rows
	for j := range row {
		row[j] *= 1e30
	}
	need.OK(t, m.AddFeatures(slices.Repeat(row, n), nil, nil, nil))
	words := m.Words()
	at := 2
	for i := range D {
		for j := range i + 1 {
			if want := int64(1-2*((i+j)%2)) * (n<<24 + 300); words[at] != want {
				t.Fatalf("products of %d and %d: %d, want %d", i, j, words[at], want)
			}
			at++
		}
	}
	if m.Clipped() != n*D {
		t.Errorf("%d clipped, want %d", m.Clipped(), n*D)
	}
}

// Halves round to the even integer, and 4096.5 is not cut.
func TestMomentsRounding(t *testing.T) {
	m := need.Value(learn.NewMoments(learn.Shape{NComponents: 10}, learn.Grid{Step: 2}, 0))(t)
	below := float32(math.Nextafter32(0.5, 0))
	need.OK(t, m.AddFeatures([]float32{1, 3, -1, -5, 2 * 4096.5, -2 * 4096.5, 2 * below, 2 * 4097, 1e-45, -3e38},
		nil, nil, nil))
	want := []int64{0, 2, 0, -2, 4096, -4096, 0, 4096, 0, -4096}
	if got := m.Words()[2+55:]; !slices.Equal(got, want) || m.Clipped() != 2 {
		t.Errorf("got %v with %d clipped, want %v with 2", got, m.Clipped(), want)
	}
	for length, want := range map[float64]float64{1: 0x1p-12, 1.5: 0x1p-11, 2: 0x1p-11, 4096: 1, 4097: 2} {
		if got := need.Value(solve.StepFor(length))(t); got != want {
			t.Errorf("step for length %v: %v, want %v", length, got, want)
		}
	}
}

// Any order, grouping, number of goroutines and merge tree gives the same words, and so do parts that were added and
// taken away again.
func TestMomentsOrderAndGrouping(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const n = 700
	for _, shape := range []learn.Shape{{NComponents: 40, Classes: 4}, {NComponents: 21, Targets: 2}, {NComponents: 9}} {
		for _, folds := range []int{0, 1, 5} {
			c := drawCase(r, shape, folds, n, 0.1, true)
			want := c.all(t).Words()
			check := func(name string, m *learn.Moments) {
				t.Helper()
				if !slices.Equal(m.Words(), want) {
					t.Errorf("%+v, folds %d: %s gives other words", shape, folds, name)
				}
			}
			for _, goroutines := range []int{2, 5} {
				m := c.empty(t)
				m.SetGoroutines(goroutines)
				need.OK(t, m.AddFeatures(c.Z, c.classes, c.targets, c.weights))
				check(fmt.Sprint(goroutines, " goroutines"), m)
			}
			order := r.Perm(n)
			var parts []*learn.Moments
			for from := 0; from < n; {
				to := min(n, from+1+r.IntN(200))
				m := c.empty(t)
				for from < to { // in calls of their own
					middle := from + 1 + r.IntN(to-from)
					c.add(t, m, order[from:middle]...)
					if from = middle; r.IntN(3) == 0 {
						m.Words() // completes the sums in between
					}
				}
				parts = append(parts, m)
			}
			extra := c.empty(t)
			c.add(t, extra, order[:r.IntN(n)]...)
			need.OK(t, parts[0].Merge(extra))
			for len(parts) > 1 {
				i := r.IntN(len(parts) - 1)
				need.OK(t, parts[i].Merge(parts[i+1]))
				parts = slices.Delete(parts, i+1, i+2)
			}
			need.OK(t, parts[0].Subtract(extra))
			check("merging", parts[0])
			if copied := need.Value(solve.ParseMoments(binaryOf(t, parts[0])))(t); copied.Rows() != parts[0].Rows() {
				t.Errorf("the binary form has %d rows, want %d", copied.Rows(), parts[0].Rows())
			} else {
				check("the binary form", copied)
			}
			other := c.empty(t)
			need.OK(t, other.SetWords(want))
			check("SetWords", other)
			need.OK(t, other.Subtract(other))
			if other.Rows() != 0 || slices.ContainsFunc(other.Words(), func(w int64) bool { return w != 0 }) {
				t.Errorf("moments less themselves have %d rows", other.Rows())
			}
		}
	}
}

func binaryOf(t testing.TB, m *learn.Moments) []byte {
	t.Helper()
	return need.Value(m.AppendBinary(nil))(t)
}

// Rows through a map, dense or sparse, in blocks of any size and with goroutines, give the words of their features. A
// refused call changes nothing, however late the bad row comes.
func TestAccumulate(t *testing.T) {
	slow.Emulated(t)
	r := rand.New(rand.NewPCG(5, 6))
	const n, d, D = 900, 6, 1000 // some blocks of features
	f := polynomial(t, d, D, 2, 5)
	X := make([]float32, n*d)
	for i := range X {
		X[i] = float32(max(0, r.NormFloat64()) / 3)
	}
	csr := sketch.CSR{Indptr: []int32{0}}
	for i, v := range X {
		if v != 0 {
			csr.Indices, csr.Data = append(csr.Indices, int32(i%d)), append(csr.Data, v)
		}
		if i%d == d-1 {
			csr.Indptr = append(csr.Indptr, int32(len(csr.Data)))
		}
	}
	c := drawCase(r, learn.Shape{NComponents: D, Targets: 2}, 1, n, 1, true)
	c.Z = need.Value(f.TransformBatch(nil, X))(t)
	want := c.all(t).Words()
	check := func(name string, m *learn.Moments, err error) {
		t.Helper()
		if need.OK(t, err); !slices.Equal(m.Words(), want) {
			t.Errorf("%s gives other words", name)
		}
	}
	m := c.empty(t)
	check("dense", m, m.Accumulate(f, sketch.Dense(X), nil, c.targets, c.weights))
	m = c.empty(t)
	check("CSR", m, m.Accumulate(f, csr, nil, c.targets, c.weights))
	m = c.empty(t)
	m.SetGoroutines(3)
	f.SetGoroutines(3)
	check("goroutines", m, m.Accumulate(f, sketch.Dense(X), nil, c.targets, c.weights))

	late := slices.Clone(X)
	late[(n-1)*d+2] = float32(math.NaN())
	targets := slices.Clone(c.targets)
	targets[2*(n-1)+1] = 8
	c.weights[n-1] = 1
	golden.Errors(t, map[string]error{
		"NaN":                   m.Accumulate(f, sketch.Dense(late), nil, c.targets, c.weights),
		"a target out of range": m.Accumulate(f, sketch.Dense(X), nil, targets, c.weights),
		"half a row":            m.Accumulate(f, sketch.Dense(X[1:]), nil, targets, nil),
		"targets are missing":   m.Accumulate(f, sketch.Dense(X), nil, targets[:1], nil),
		"another map":           m.Accumulate(polynomial(t, d, 10, 2, 5), sketch.Dense(X), nil, targets, nil),
	})
	if !slices.Equal(m.Words(), want) {
		t.Error("a refused call changed the moments")
	}
}

// Folds: equal rows share one, whatever their targets, and each has about a fifth of the rows.
func TestMomentsFolds(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	const n = 5000
	c := drawCase(r, learn.Shape{NComponents: 3, Classes: 2}, 5, n, 0.1, false)
	c.Z = features(r, n, 3, 0.1)
	m := c.all(t)
	size := m.WordsPerPart()
	for p := range 5 {
		if rows := m.Words()[p*size]; math.Abs(float64(rows)-n/5) > 4*math.Sqrt(n*0.16) {
			t.Errorf("fold %d has %d of %d rows", p, rows, n)
		}
	}
	held := need.Value(learn.NewMoments(c.shape, c.grid, 1))(t)
	need.OK(t, held.AddFeatures(c.Z, c.classes, nil, nil))
	if !slices.Equal(held.Words()[:size], m.Words()[:size]) {
		t.Error("what folds 1 holds out is not the first of five folds")
	}
	rest := slices.Clone(held.Words()[size:])
	for p := 1; p < 5; p++ {
		for i, w := range m.Words()[p*size : (p+1)*size] {
			rest[i] -= w
		}
	}
	if slices.ContainsFunc(rest, func(w int64) bool { return w != 0 }) {
		t.Error("the rest of folds 1 is not the other four folds")
	}
	whole := need.Value(learn.NewMoments(c.shape, c.grid, 0))(t)
	need.OK(t, whole.AddFeatures(c.Z, c.classes, nil, nil))
	a, b := whole.System(), m.System()
	if a.Rows != b.Rows || !slices.Equal(a.G, b.G) || !slices.Equal(a.B, b.B) || !slices.Equal(a.Z, b.Z) {
		t.Error("the system of all folds is not the system of the rows")
	}
}

// A System has the sums of the rows that the grid holds, in their units.
func TestSystem(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	const n, D, K = 50, 5, 3
	near := func(name string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
	for _, shape := range []learn.Shape{{NComponents: D, Classes: K}, {NComponents: D, Targets: K}, {NComponents: D}} {
		c := drawCase(r, shape, 1, n, 0.2, false)
		for i, v := range c.Z { // on the grid
			c.Z[i] = float32(math.RoundToEven(float64(v)*4096) / 4096)
		}
		s := c.all(t).System()
		count := shape.Classes + shape.Targets
		if s.Rows != n || s.D != D || s.K != count || len(s.Counts) != shape.Classes || s.Step != 0x1p-12 {
			t.Fatalf("%+v: %+v", shape, s)
		}
		target := func(row, k int) float64 {
			switch {
			case shape.Targets > 0:
				step := 10.5 / (1 << 20)
				return math.RoundToEven((c.targets[row*K+k]-2.25)/step) * step
			case int(c.classes[row]) == k:
				return 1
			}
			return -1
		}
		if shape.Targets > 0 && (s.Middle != 2.25 || s.TargetStep != 10.5/(1<<20)) {
			t.Errorf("middle %v, step %v", s.Middle, s.TargetStep)
		}
		for i := range D {
			sum := 0.0
			for row := range n {
				sum += float64(c.Z[row*D+i])
			}
			near("Z", s.Z[i], sum)
			for j := range D {
				sum := 0.0
				for row := range n {
					sum += float64(c.Z[row*D+i]) * float64(c.Z[row*D+j])
				}
				near("G", s.G[i*D+j], sum)
			}
		}
		for k := range count {
			sum, squares, ones := 0.0, 0.0, 0.0
			for row := range n {
				sum += target(row, k)
				squares += target(row, k) * target(row, k)
				if target(row, k) == 1 {
					ones++
				}
			}
			near("T", s.T[k], sum)
			near("TT", s.TT[k], squares)
			if shape.Classes > 0 {
				near("Counts", s.Counts[k], ones)
			}
			for j := range D {
				sum := 0.0
				for row := range n {
					sum += target(row, k) * float64(c.Z[row*D+j])
				}
				near("B", s.B[k*D+j], sum)
			}
		}
	}
}

// The bits of moments are the same on every platform: CI runs this test natively under GOAMD64=v1 and v3, with SIMD and
// without, for arm64 and in WebAssembly. test/api/moments.test.mjs compares the same table with what the core gives.
func TestMomentsDigests(t *testing.T) {
	digestOf := func(m *learn.Moments) string {
		var data []byte
		for _, w := range m.Words() {
			data = binary.LittleEndian.AppendUint64(data, uint64(w))
		}
		hash := sha256.Sum256(data)
		return hex.EncodeToString(hash[:8])
	}
	// Features from a linear congruential generator: some are cut.
	state := uint32(12345)
	number := func() float64 {
		state = state*1664525 + 1013904223
		return float64(int32(state)>>8) / (1 << 23)
	}
	var table []struct {
		NComponents, Classes, Targets, Folds int
		Is16                                 bool // a grid of 16 bits, as of the rows
		Digest                               string
	}
	need.OK(t, json.Unmarshal(need.Value(os.ReadFile("testdata/moments.json"))(t), &table))
	if len(table) == 0 {
		t.Fatal("no digests")
	}
	for _, c := range table {
		const n = 600
		grid := learn.Grid{Step: 0x1p-12}
		Z := make([]float32, n*c.NComponents)
		for i := range Z {
			v := number()
			Z[i] = float32(v * v * v * 1.2)
		}
		if c.Is16 {
			for i := range Z {
				Z[i] = float32(math.Ldexp(float64(Z[i]), -(i % c.NComponents % 7)))
			}
			grid = solve.GridFor(Z, c.NComponents)
		}
		var classes []int32
		var y []float64
		if c.Targets > 0 {
			grid.Low, grid.High = -1, 1.5
		}
		for range n {
			if c.Classes > 0 {
				classes = append(classes, int32((number()+1)*3))
			}
			for range c.Targets {
				y = append(y, number())
			}
		}
		m := need.Value(learn.NewMoments(learn.Shape{NComponents: c.NComponents, Classes: c.Classes, Targets: c.Targets},
			grid, c.Folds))(t)
		need.OK(t, m.AddFeatures(Z, classes, y, nil))
		if got := digestOf(m); got != c.Digest {
			t.Errorf("%+v: digest %s", c, got)
		}
	}
	t.Run("digits", func(t *testing.T) {
		train, _ := digits(t)
		classes := make([]int32, train.rows())
		for i, label := range train.labels {
			classes[i] = int32(label.String()[0] - '0')
		}
		m := need.Value(learn.NewMoments(learn.Shape{NComponents: 256, Classes: 10}, learn.Grid{Step: 0x1p-10}, 5))(t)
		need.OK(t, m.Accumulate(polynomial(t, train.d, 256, 2, 5), train.X, classes, nil, nil))
		if got, want := digestOf(m), "de2ef3fa942dfa11"; got != want {
			t.Errorf("digest %s, want %s", got, want)
		}
	})
}

// TestMomentsClear: after Clear, moments have no rows, and take rows again.
func TestMomentsClear(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	c := drawCase(r, learn.Shape{NComponents: 9, Classes: 3}, 1, 40, 1, true)
	m := c.all(t)
	want := m.Words()
	m.Clear()
	if got := m.Words(); m.Rows() != 0 || !slices.Equal(got, c.empty(t).Words()) {
		t.Errorf("%d rows are left", m.Rows())
	}
	for row := range c.rows() {
		c.add(t, m, row)
	}
	if !slices.Equal(m.Words(), want) {
		t.Error("the sums differ after Clear")
	}
}
