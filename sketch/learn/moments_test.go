package learn_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
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
		if got := need.Value(learn.StepFor(length))(t); got != want {
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
			if copied := need.Value(learn.ParseMoments(binaryOf(t, parts[0])))(t); copied.Rows() != parts[0].Rows() {
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
	for name, err := range map[string]error{
		"X row 899, column 2 must be finite: remove or replace NaN and infinite values, got NaN": m.Accumulate(f,
			sketch.Dense(late), nil, c.targets, c.weights),
		"y row 899, column 1 must be within targetRange, -3 to 7.5: state a wider one, got 8": m.Accumulate(f,
			sketch.Dense(X), nil, targets, c.weights),
		"X must hold a multiple of nFeatures = 6 values, got 5399": m.Accumulate(f, sketch.Dense(X[1:]), nil, targets, nil),
		"y must hold 2 numbers per row, 1800, got 1":               m.Accumulate(f, sketch.Dense(X), nil, targets[:1], nil),
		"nComponents must be 1000 as in the moments, got 10": m.Accumulate(polynomial(t, d, 10, 2, 5), sketch.Dense(X),
			nil, targets, nil),
	} {
		if err == nil || err.Error() != name {
			t.Errorf("got %v, want %s", err, name)
		}
	}
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

// A refused call names the place and changes nothing.
func TestMomentsErrorsChangeNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	c := drawCase(r, learn.Shape{NComponents: 9, Classes: 4}, 5, 40, 0.2, false)
	y := drawCase(r, learn.Shape{NComponents: 9, Targets: 2}, 1, 40, 0.2, false)
	m, regression := c.all(t), y.all(t)
	want, wantY := m.Words(), regression.Words()
	changed := func(at int, v float32) []float32 {
		Z := slices.Clone(c.Z)
		Z[at] = v
		return Z
	}
	class := func(row int, k int32) []int32 {
		classes := slices.Clone(c.classes)
		classes[row] = k
		return classes
	}
	target := func(at int, v float64) []float64 {
		targets := slices.Clone(y.targets)
		targets[at] = v
		return targets
	}
	weights := slices.Repeat([]uint8{1}, 40)
	weights[39] = 2
	another := func(shape learn.Shape, grid learn.Grid, folds int) *learn.Moments {
		return need.Value(learn.NewMoments(shape, grid, folds))(t)
	}
	more := c.empty(t)
	need.OK(t, more.AddFeatures(features(r, 41, 9, 0.1), make([]int32, 41), nil, nil))
	fewer := c.empty(t) // as many rows, but others
	need.OK(t, fewer.AddFeatures(slices.Repeat([]float32{1}, 9*40), c.classes, nil, nil))
	for _, e := range []struct {
		want string
		err  error
	}{
		{"Z row 39, column 8 must be finite: remove or replace NaN and infinite values, got NaN",
			m.AddFeatures(changed(359, float32(math.NaN())), c.classes, nil, nil)},
		{"Z row 0, column 3 must be finite: remove or replace NaN and infinite values, got -Infinity",
			m.AddFeatures(changed(3, float32(math.Inf(-1))), c.classes, nil, slices.Repeat([]uint8{1}, 40))},
		{"Z must hold a multiple of nComponents = 9 values, got 359", m.AddFeatures(c.Z[1:], c.classes, nil, nil)},
		{"classes must hold one class per row, 40, got 39", m.AddFeatures(c.Z, c.classes[1:], nil, nil)},
		{"classes row 7 must be from 0 to 3, got 4", m.AddFeatures(c.Z, class(7, 4), nil, nil)},
		{"classes row 39 must be from 0 to 3, got -1", m.AddFeatures(c.Z, class(39, -1), nil, nil)},
		{"weights must hold one number per row, 40, got 0", m.AddFeatures(c.Z, c.classes, nil, []uint8{})},
		{"weights row 39 must be 0 or 1, got 2", m.AddFeatures(c.Z, c.classes, nil, weights)},
		{"y must be left out: these moments have no targets, got 80", m.AddFeatures(c.Z, c.classes, y.targets, nil)},
		{"y row 20, column 1 must be within targetRange, -3 to 7.5: state a wider one, got 7.6",
			regression.AddFeatures(y.Z, nil, target(41, 7.6), nil)},
		{"y row 0, column 0 must be finite: remove or replace NaN and infinite values, got NaN",
			regression.AddFeatures(y.Z, nil, target(0, math.NaN()), nil)},
		{"y must hold 2 numbers per row, 80, got 79", regression.AddFeatures(y.Z, nil, y.targets[1:], nil)},
		{"classes must be left out: these moments have no classes, got 40",
			regression.AddFeatures(y.Z, c.classes, y.targets, nil)},

		{"nComponents must be the same in all parts, 9: share what prepare returns, or state it, got 8",
			m.Merge(another(learn.Shape{NComponents: 8, Classes: 4}, c.grid, 5))},
		{"classes must be the same in all parts, 4: share what prepare returns, or state it, got 3",
			m.Merge(another(learn.Shape{NComponents: 9, Classes: 3}, c.grid, 5))},
		{"folds must be the same in all parts, 5: share what prepare returns, or state it, got 1",
			m.Merge(another(c.shape, c.grid, 1))},
		{"step must be the same in all parts, 0.000244140625: share what prepare returns, or state it, got 0.5",
			m.Subtract(another(c.shape, learn.Grid{Step: 0.5}, 5))},
		{"targetRange[1] must be the same in all parts, 7.5: share what prepare returns, or state it, got 8",
			regression.Merge(another(y.shape, learn.Grid{Step: y.grid.Step, Low: -3, High: 8}, 1))},
		{"rows must have been added before they are taken away, got 41 from 40", m.Subtract(more)},
		{"rows must have been added before they are taken away, got 40 from 40", m.Subtract(fewer)},
	} {
		if e.err == nil || e.err.Error() != e.want {
			t.Errorf("got %v,\nwant %s", e.err, e.want)
		}
		if coded := (*sketch.Error)(nil); !errors.As(e.err, &coded) {
			t.Errorf("%v is no *sketch.Error", e.err)
		}
	}
	if !slices.Equal(m.Words(), want) || !slices.Equal(regression.Words(), wantY) || m.Rows() != 40 ||
		regression.Rows() != 40 {
		t.Error("a refused call changed the moments")
	}
	weights[39] = 0 // rows with weight 0 are not read
	need.OK(t, m.AddFeatures(changed(359, float32(math.NaN())), class(39, -5), nil, weights))
	if m.Rows() != 79 {
		t.Errorf("%d rows, want 79", m.Rows())
	}
}

// What NewMoments refuses, and says.
func TestNewMomentsErrors(t *testing.T) {
	good := learn.Grid{Step: 0x1p-12}
	y := learn.Shape{NComponents: 4, Targets: 1}
	for _, c := range []struct {
		shape learn.Shape
		grid  learn.Grid
		folds int
		want  string
	}{
		{learn.Shape{}, good, 0, "nComponents must be from 1 to 4096 for moments"},
		{learn.Shape{NComponents: 4097}, good, 0, "nComponents must be from 1 to 4096 for moments: lower it, or fit by " +
			"passes over the rows, got 4097"},
		{learn.Shape{NComponents: 4, Classes: 10000}, good, 0, "classes must be at most 1000: each keeps a sum of its " +
			"features, so merge rare ones, got 10000"},
		{learn.Shape{NComponents: 4, Classes: -1}, good, 0, "classes must be"},
		{learn.Shape{NComponents: 4, Targets: 1001}, good, 0, "targets must be at most 1000, got 1001"},
		{learn.Shape{NComponents: 4, Classes: 2, Targets: 1}, good, 0, "targets must be 0 where there are classes, got 1"},
		{learn.Shape{NComponents: 4}, good, 2, "folds must be 0, 1 or 5, got 2"},
		{learn.Shape{NComponents: 4}, learn.Grid{}, 0, "step must be a power of two from 2^-100 to 2^100, got 0"},
		{learn.Shape{NComponents: 4}, learn.Grid{Step: 0.3}, 0, "step must be a power of two from 2^-100 to 2^100, got 0.3"},
		{learn.Shape{NComponents: 4}, learn.Grid{Step: -0.5}, 0, "step must"},
		{learn.Shape{NComponents: 4}, learn.Grid{Step: math.Inf(1)}, 0, "step must"},
		{learn.Shape{NComponents: 4}, learn.Grid{Step: math.NaN()}, 0, "step must"},
		{learn.Shape{NComponents: 4}, learn.Grid{Step: 0x1p101}, 0, "step must"},
		{learn.Shape{NComponents: 4}, learn.Grid{Step: 1, High: 1}, 0, "targetRange must be left out"},
		{y, good, 0, "targetRange must be two finite numbers, the lower first, got 0 to 0"},
		{y, learn.Grid{Step: 1, Low: 2, High: 1}, 0, "targetRange must be two finite numbers"},
		{y, learn.Grid{Step: 1, Low: math.NaN(), High: 1}, 0, "targetRange must be two finite numbers"},
		{y, learn.Grid{Step: 1, Low: 0, High: math.Inf(1)}, 0, "targetRange must be two finite numbers"},
		{y, learn.Grid{Step: 1, Low: -math.MaxFloat64, High: math.MaxFloat64}, 0, "targetRange must be two finite"},
		{y, learn.Grid{Step: 1, Low: 1, High: math.Nextafter(1, 2)}, 0, "targetRange must be wider"},
		{y, learn.Grid{Step: 1, Low: 0, High: 1e-300}, 0, "targetRange must be from 2^-400 to 2^400 wide"},
		{y, learn.Grid{Step: 1, Low: 0, High: 1e200}, 0, "targetRange must be from 2^-400 to 2^400 wide: change the unit " +
			"of the targets, got 0 to 1e+200"},
	} {
		if _, err := learn.NewMoments(c.shape, c.grid, c.folds); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%+v, %+v, folds %d: got %v, want %s", c.shape, c.grid, c.folds, err, c.want)
		}
	}
	for _, length := range []float64{0, -1, math.NaN(), math.Inf(1), 1e300, 1e-300} {
		if _, err := learn.StepFor(length); err == nil {
			t.Errorf("a step for length %v", length)
		}
	}
}

// The largest shapes that are allowed work, and sums at the limit of rows stay within 64 bits: more are refused.
func TestMomentsLimits(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	if !testing.Short() {
		slow.Elsewhere(t)
		m := need.Value(learn.NewMoments(learn.Shape{NComponents: learn.MaxComponents}, learn.Grid{Step: 0x1p-12}, 0))(t)
		Z := features(r, 2, learn.MaxComponents, 0.01)
		need.OK(t, m.AddFeatures(Z, nil, nil, nil))
		q := func(row, j int) int64 { return int64(math.RoundToEven(float64(Z[row*learn.MaxComponents+j]) * 4096)) }
		words, last := m.Words(), learn.MaxComponents-1
		if got, want := words[1+(last+1)*(last+2)/2], q(0, last)*q(0, last)+q(1, last)*q(1, last); got != want {
			t.Errorf("the last square is %d, want %d", got, want)
		}
	}
	many := need.Value(learn.NewMoments(learn.Shape{NComponents: 2, Classes: learn.MaxClasses}, learn.Grid{Step: 1}, 0))(t)
	need.OK(t, many.AddFeatures([]float32{3, 4}, []int32{learn.MaxClasses - 1}, nil, nil))

	for _, c := range []struct {
		shape learn.Shape
		rows  int64
	}{{learn.Shape{NComponents: 1}, learn.MaxRows}, {learn.Shape{NComponents: 1, Targets: 1}, learn.MaxRowsOfTargets}} {
		grid := learn.Grid{Step: 1}
		words := []int64{c.rows, 0, c.rows << 24, -c.rows << 12}
		var y []float64
		if c.shape.Targets > 0 {
			grid.High = 1
			words = append(words, c.rows<<19, c.rows<<38, -c.rows<<31)
			y = []float64{1}
		}
		full := need.Value(learn.NewMoments(c.shape, grid, 0))(t)
		need.OK(t, full.SetWords(words))
		one := need.Value(learn.NewMoments(c.shape, grid, 0))(t)
		need.OK(t, one.AddFeatures([]float32{-4096}, nil, y, nil))
		want := fmt.Sprintf("rows must be at most %d together, so that no sum exceeds 64 bits, got %d and 1", c.rows, c.rows)
		for _, err := range []error{full.Merge(one), full.AddFeatures([]float32{1}, nil, y, nil)} {
			if err == nil || err.Error() != want {
				t.Errorf("got %v, want %s", err, want)
			}
		}
		if s := full.System(); s.G[0] != float64(c.rows<<24) || s.Z[0] != float64(-c.rows<<12) {
			t.Errorf("%+v", s)
		}
		need.OK(t, full.Subtract(one)) // a row of −4096 with the largest target is among them
		need.OK(t, full.Merge(one))
		if !slices.Equal(full.Words(), words) {
			t.Errorf("words %v, want %v", full.Words(), words)
		}
		folded := need.Value(learn.NewMoments(c.shape, grid, 1))(t)
		if err := folded.SetWords(slices.Concat(words, words)); err == nil {
			t.Error("two parts of the largest number of rows are taken")
		}
	}
}

// Sums that no rows have are refused, at every place, and nothing changes.
func TestHostileWords(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for _, shape := range []learn.Shape{{NComponents: 3, Classes: 3}, {NComponents: 3, Targets: 2}, {NComponents: 3}} {
		c := drawCase(r, shape, 1, 30, 0.2, false)
		m := c.all(t)
		want := m.Words()
		refused := func(name string, words []int64) {
			t.Helper()
			if err := m.SetWords(words); err == nil {
				t.Errorf("%+v: %s is taken", shape, name)
			} else if !slices.Equal(m.Words(), want) || m.Rows() != 30 {
				t.Errorf("%+v: %s changed the moments", shape, name)
			}
		}
		for at := range want {
			for _, v := range []int64{math.MaxInt64, math.MinInt64, 1 << 50, -1 << 50} {
				words := slices.Clone(want)
				words[at] = v
				refused(fmt.Sprintf("word %d = %d", at, v), words)
			}
		}
		size := m.WordsPerPart()
		for _, at := range []int{0, 1, 2, 4, 7} { // rows, clipped and squares are not negative
			words := slices.Clone(want)
			words[size+at] = -1
			refused(fmt.Sprintf("word %d = −1", at), words)
		}
		for name, words := range map[string][]int64{"one word less": want[1:], "one more": append(slices.Clone(want), 0),
			"none": nil} {
			refused(name, words)
		}
		if shape.Classes > 0 { // counts that are not the rows
			words := slices.Clone(want)
			words[2+6]++
			refused("a count too many", words)
		}
		need.OK(t, m.SetWords(want))
	}
}

// Every damaged or shortened binary form is refused, and so is a hostile one with a right check.
func TestParseMomentsRefuses(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	c := drawCase(r, learn.Shape{NComponents: 4, Classes: 3}, 1, 20, 0.2, false)
	data := binaryOf(t, c.all(t))
	for n := range data {
		if _, err := learn.ParseMoments(data[:n]); err == nil {
			t.Fatalf("the first %d of %d bytes are taken", n, len(data))
		}
		for bit := range 8 {
			damaged := slices.Clone(data)
			damaged[n] ^= 1 << bit
			if _, err := learn.ParseMoments(damaged); err == nil {
				t.Fatalf("bit %d of byte %d is changed, and taken", bit, n)
			}
		}
	}
	if _, err := learn.ParseMoments(append(slices.Clone(data), 0)); err == nil {
		t.Error("a byte more is taken")
	}
	const headerBytes = 60
	header := func(change func(h []byte)) []byte {
		h := slices.Clone(data[:headerBytes])
		change(h)
		return h
	}
	words := data[headerBytes : len(data)-8]
	long := append(slices.Clone(words[:len(words)-1]), words[len(words)-1]|0x80, 0)
	for name, hostile := range map[string][]byte{
		"a huge shape": header(func(h []byte) {
			binary.LittleEndian.PutUint32(h[12:], 4096)
			binary.LittleEndian.PutUint32(h[16:], 1000)
		}),
		"a larger shape": slices.Concat(header(func(h []byte) { h[12]++ }), words),
		"no words":       header(func(h []byte) {}),
		"folds 3":        slices.Concat(header(func(h []byte) { h[24] = 3 }), words),
		"step 3": slices.Concat(header(func(h []byte) {
			binary.LittleEndian.PutUint64(h[28:], math.Float64bits(3))
		}), words),
		"a long number": slices.Concat(data[:headerBytes], long),
		"more words":    slices.Concat(data[:headerBytes], words, []byte{0}),
		"largest words": slices.Concat(data[:headerBytes], slices.Repeat([]byte{255}, len(words))),
		"rows":          slices.Concat(data[:headerBytes], []byte{words[0] + 2}, words[1:]),
	} {
		if _, err := learn.ParseMoments(withCheck(hostile)); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	if _, err := learn.ParseMoments(withCheck(slices.Clone(data[:len(data)-8]))); err != nil {
		t.Errorf("the test computes another check: %v", err)
	}
}

// withCheck appends FNV-1a.
func withCheck(data []byte) []byte {
	h := uint64(14695981039346656037)
	for _, b := range data {
		h = (h ^ uint64(b)) * 1099511628211
	}
	return binary.LittleEndian.AppendUint64(data, h)
}

// FuzzParseMoments: whatever is taken is written back as it was, and has sums that merge.
func FuzzParseMoments(f *testing.F) {
	r := rand.New(rand.NewPCG(19, 20))
	for _, shape := range []learn.Shape{{NComponents: 2, Classes: 2}, {NComponents: 1, Targets: 1}, {NComponents: 3}} {
		c := drawCase(r, shape, 1, 5, 0.3, false)
		data := binaryOf(f, c.all(f))
		f.Add(data[:len(data)-8])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		data = withCheck(slices.Clone(data))
		m, err := learn.ParseMoments(data)
		if err != nil {
			return
		}
		if got := binaryOf(t, m); !slices.Equal(got, data) {
			t.Fatalf("%x is read, and written as %x", data, got)
		}
		if rows := m.Rows(); m.Merge(m) == nil && m.Rows() != 2*rows {
			t.Fatalf("%d rows, twice are %d", rows, m.Rows())
		}
		s := m.System()
		for _, v := range slices.Concat(s.G, s.Z, s.B, s.T, s.TT) {
			if v-v != 0 {
				t.Fatalf("the system has %v", v)
			}
		}
	})
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
			grid = learn.GridFor(Z, c.NComponents)
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
