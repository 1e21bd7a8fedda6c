package learn_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/test/golden"
	"tensorsketch.example/test/need"
	"tensorsketch.example/test/slow"
)

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
	ones, weights := slices.Repeat([]uint8{1}, 40), slices.Repeat([]uint8{1}, 40)
	weights[39] = 2
	another := func(shape learn.Shape, grid learn.Grid, folds int) *learn.Moments {
		return need.Value(learn.NewMoments(shape, grid, folds))(t)
	}
	more := c.empty(t)
	need.OK(t, more.AddFeatures(features(r, 41, 9, 0.1), make([]int32, 41), nil, nil))
	fewer := c.empty(t) // as many rows, but others
	need.OK(t, fewer.AddFeatures(slices.Repeat([]float32{1}, 9*40), c.classes, nil, nil))
	refused := map[string]error{
		"NaN":                   m.AddFeatures(changed(359, float32(math.NaN())), c.classes, nil, nil),
		"-Inf, weighted":        m.AddFeatures(changed(3, float32(math.Inf(-1))), c.classes, nil, ones),
		"half a row":            m.AddFeatures(c.Z[1:], c.classes, nil, nil),
		"a class is missing":    m.AddFeatures(c.Z, c.classes[1:], nil, nil),
		"class 4":               m.AddFeatures(c.Z, class(7, 4), nil, nil),
		"class -1":              m.AddFeatures(c.Z, class(39, -1), nil, nil),
		"no weights":            m.AddFeatures(c.Z, c.classes, nil, []uint8{}),
		"a weight of 2":         m.AddFeatures(c.Z, c.classes, nil, weights),
		"targets":               m.AddFeatures(c.Z, c.classes, y.targets, nil),
		"a target out of range": regression.AddFeatures(y.Z, nil, target(41, 7.6), nil),
		"a NaN target":          regression.AddFeatures(y.Z, nil, target(0, math.NaN()), nil),
		"a target is missing":   regression.AddFeatures(y.Z, nil, y.targets[1:], nil),
		"classes":               regression.AddFeatures(y.Z, c.classes, y.targets, nil),

		"merged, 8 components":   m.Merge(another(learn.Shape{NComponents: 8, Classes: 4}, c.grid, 5)),
		"merged, 3 classes":      m.Merge(another(learn.Shape{NComponents: 9, Classes: 3}, c.grid, 5)),
		"merged, 1 fold":         m.Merge(another(c.shape, c.grid, 1)),
		"taken away, step 0.5":   m.Subtract(another(c.shape, learn.Grid{Step: 0.5}, 5)),
		"merged, a wider range":  regression.Merge(another(y.shape, learn.Grid{Step: y.grid.Step, Low: -3, High: 8}, 1)),
		"taken away, 41 of 40":   m.Subtract(more),
		"taken away, other rows": m.Subtract(fewer),
	}
	golden.Errors(t, refused)
	for name, err := range refused {
		if coded := (*sketch.Error)(nil); !errors.As(err, &coded) {
			t.Errorf("%s: %v is no *sketch.Error", name, err)
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
	begin := func(shape learn.Shape, grid learn.Grid, folds int) error {
		_, err := learn.NewMoments(shape, grid, folds)
		return err
	}
	of := func(shape learn.Shape) error { return begin(shape, learn.Grid{Step: 0x1p-12}, 0) }
	step := func(step float64) error { return begin(learn.Shape{NComponents: 4}, learn.Grid{Step: step}, 0) }
	within := func(low, high float64) error {
		return begin(learn.Shape{NComponents: 4, Targets: 1}, learn.Grid{Step: 1, Low: low, High: high}, 0)
	}
	on := func(grid learn.Grid) error { return begin(learn.Shape{NComponents: 4}, grid, 0) }
	lengthOf := func(length float64) error { _, err := solve.StepFor16(length); return err }
	some := need.Value(learn.NewMoments(learn.Shape{NComponents: 4}, learn.Grid{Step: 1}, 0))(t)
	golden.Errors(t, map[string]error{
		"no components":        of(learn.Shape{}),
		"4097 components":      of(learn.Shape{NComponents: 4097}),
		"10000 classes":        of(learn.Shape{NComponents: 4, Classes: 10000}),
		"-1 classes":           of(learn.Shape{NComponents: 4, Classes: -1}),
		"1001 targets":         of(learn.Shape{NComponents: 4, Targets: 1001}),
		"classes and targets":  of(learn.Shape{NComponents: 4, Classes: 2, Targets: 1}),
		"2 folds":              begin(learn.Shape{NComponents: 4}, learn.Grid{Step: 0x1p-12}, 2),
		"no step":              step(0),
		"step 0.3":             step(0.3),
		"step -0.5":            step(-0.5),
		"an infinite step":     step(math.Inf(1)),
		"a NaN step":           step(math.NaN()),
		"step 2^101":           step(0x1p101),
		"a range, no targets":  begin(learn.Shape{NComponents: 4}, learn.Grid{Step: 1, High: 1}, 0),
		"no range":             within(0, 0),
		"2 to 1":               within(2, 1),
		"NaN to 1":             within(math.NaN(), 1),
		"0 to infinity":        within(0, math.Inf(1)),
		"of twice the largest": within(-math.MaxFloat64, math.MaxFloat64),
		"of one bit":           within(1, math.Nextafter(1, 2)),
		"0 to 1e-300":          within(0, 1e-300),
		"0 to 1e200":           within(0, 1e200),
		"a bound below a step": on(learn.Grid{Step: 1, Bound: 0.5}),
		"limit 4096":           on(learn.Grid{Step: 1, Limit: 4096}),
		"a limit and a bound":  on(learn.Grid{Step: 1, Bound: 2, Limit: solve.Limit16}),
		"finer, no limit":      on(learn.Grid{Step: 1, Finer: "abcd"}),
		"3 finer of 4":         on(learn.Grid{Step: 1, Limit: solve.Limit16, Finer: "abc"}),
		"finer 101":            on(learn.Grid{Step: 1, Limit: solve.Limit16, Finer: "\x00\x00\x00\x65"}),
		"a step below 2^-100":  on(learn.Grid{Step: 0x1p-90, Limit: solve.Limit16, Finer: "\x00\x00\x00\x0b"}),
		"length 2^-86":         lengthOf(0x1p-86),
		"3 of its words":       some.SetCounted(make([]int64, 3)),
	})
	for _, shape := range []learn.Shape{{NComponents: 1}, {NComponents: 4, Classes: solve.MaxClasses},
		{NComponents: 4, Targets: solve.MaxTargets}} {
		if shape.Validate() != nil {
			t.Errorf("%+v: %v", shape, shape.Validate())
		}
	}
	need.OK(t, on(learn.Grid{Step: 1, Limit: solve.Limit16, Finer: "\x00\x00\x00\x64"}))
	need.OK(t, on(learn.Grid{Step: 1, Bound: 1}))
	need.OK(t, on(learn.Grid{Step: 1, Bound: 4096}))
	need.OK(t, lengthOf(0x1p-85))
	for _, length := range []float64{0, -1, math.NaN(), math.Inf(1), 1e300, 1e-300} {
		if _, err := solve.StepFor(length); err == nil {
			t.Errorf("a step for length %v", length)
		}
	}
}

// The largest shapes that are allowed work, and sums at the limit of rows stay within 64 bits: more are refused.
func TestMomentsLimits(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	if !testing.Short() {
		slow.Elsewhere(t)
		m := need.Value(learn.NewMoments(learn.Shape{NComponents: solve.MaxComponents}, learn.Grid{Step: 0x1p-12}, 0))(t)
		Z := features(r, 2, solve.MaxComponents, 0.01)
		need.OK(t, m.AddFeatures(Z, nil, nil, nil))
		q := func(row, j int) int64 { return int64(math.RoundToEven(float64(Z[row*solve.MaxComponents+j]) * 4096)) }
		words, last := m.Words(), solve.MaxComponents-1
		if got, want := words[1+(last+1)*(last+2)/2], q(0, last)*q(0, last)+q(1, last)*q(1, last); got != want {
			t.Errorf("the last square is %d, want %d", got, want)
		}
	}
	many := need.Value(learn.NewMoments(learn.Shape{NComponents: 2, Classes: solve.MaxClasses}, learn.Grid{Step: 1}, 0))(t)
	need.OK(t, many.AddFeatures([]float32{3, 4}, []int32{solve.MaxClasses - 1}, nil, nil))

	for _, c := range []struct {
		shape learn.Shape
		rows  int64
	}{{learn.Shape{NComponents: 1}, solve.MaxRows}, {learn.Shape{NComponents: 1, Targets: 1}, solve.MaxRowsOfTargets}} {
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
		if _, err := solve.ParseMoments(data[:n]); err == nil {
			t.Fatalf("the first %d of %d bytes are taken", n, len(data))
		}
		for bit := range 8 {
			damaged := slices.Clone(data)
			damaged[n] ^= 1 << bit
			if _, err := solve.ParseMoments(damaged); err == nil {
				t.Fatalf("bit %d of byte %d is changed, and taken", bit, n)
			}
		}
	}
	if _, err := solve.ParseMoments(append(slices.Clone(data), 0)); err == nil {
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
	errors := map[string]error{}
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
		_, errors[name] = solve.ParseMoments(withCheck(hostile))
	}
	golden.Errors(t, errors)
	if _, err := solve.ParseMoments(withCheck(slices.Clone(data[:len(data)-8]))); err != nil {
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
		m, err := solve.ParseMoments(data)
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
