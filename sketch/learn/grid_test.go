package learn_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/test/need"
)

// unlikeColumns returns n rows of D features: sizes differ by powers of two, and column 3 holds only zeros.
func unlikeColumns(r *rand.Rand, n, D int) []float32 {
	Z := make([]float32, n*D)
	for i := range Z {
		if j := i % D; j != 3 {
			Z[i] = float32(math.Ldexp(r.NormFloat64(), -j%9))
		}
	}
	return Z
}

// The step of a feature is the least power of two that GridScan.Grid says.
func TestGridFor(t *testing.T) {
	const n, D = 500, 20
	Z := unlikeColumns(rand.New(rand.NewPCG(1, 2)), n, D)
	g := solve.GridFor(Z, D)
	least := func(j int, margin float64) float64 {
		square, largest := 0.0, 0.0
		for i := range n {
			v := float64(Z[i*D+j])
			square += float64(v * v)
			largest = max(largest, math.Abs(v))
		}
		return math.Exp2(math.Ceil(math.Log2(max(math.Sqrt(square/n)/2048, margin*largest/32767))))
	}
	step := 0.0
	for j := range D {
		step = max(step, least(j, 1.5))
	}
	if g.Step != step || g.Limit != solve.Limit16 || len(g.Finer) != D {
		t.Fatalf("grid %+v, want step %v", g, step)
	}
	for j := range D {
		want := min(step, least(j, 4))
		if j == 3 {
			want = step
		}
		if g.StepOf(j) != want {
			t.Errorf("feature %d has step %v, want %v", j, g.StepOf(j), want)
		}
	}
	if even := solve.GridFor(slices.Repeat([]float32{1, -0.75}, 50), 2); even.Finer != "" || even.Step != 0x1p-11 {
		t.Errorf("features of one size: %+v", even)
	}
	if zeros := solve.GridFor(make([]float32, 40), 2); zeros != (learn.Grid{Step: 0x1p-15, Limit: solve.Limit16}) {
		t.Errorf("zeros: %+v", zeros)
	}
}

// On a grid of 16 bits sums have the bits of sums of integers of 64 bits, also where blocks overflow 32; files keep
// them, and rows are taken away exactly.
func TestMoments16(t *testing.T) {
	const n, D = 700, 37
	r := rand.New(rand.NewPCG(3, 4))
	Z := unlikeColumns(r, n, D)
	grids := map[string]learn.Grid{"of the rows": solve.GridFor(Z, D), "too fine": {Step: 0x1p-13, Limit: solve.Limit16}}
	for name, g := range grids {
		m := need.Value(learn.NewMoments(learn.Shape{NComponents: D}, g, 0))(t)
		need.OK(t, m.AddFeatures(Z, nil, nil, nil))
		want, clipped := make([]int64, D*(D+1)/2), int64(0)
		q := make([]int64, D)
		for i := range n {
			for j := range q {
				v := math.RoundToEven(float64(Z[i*D+j]) / g.StepOf(j))
				if math.Abs(v) > 1<<15 {
					clipped++
				}
				q[j] = int64(max(-solve.Limit16, min(solve.Limit16, v)))
			}
			at := 0
			for a := range D {
				for b := range a + 1 {
					want[at] += q[a] * q[b]
					at++
				}
			}
		}
		words := m.Words()
		if !slices.Equal(words[2:2+len(want)], want) || words[1] != clipped {
			t.Errorf("%s: the sums are others, or %d cuts are not %d", name, words[1], clipped)
		}
		if name == "too fine" && (m.Halved() == 0 || clipped == 0) {
			t.Errorf("%d blocks were halved, and %d features cut", m.Halved(), clipped)
		}
		file := need.Value(m.AppendBinary(nil))(t)
		back := need.Value(solve.ParseMoments(file))(t)
		if again := need.Value(back.AppendBinary(nil))(t); !bytes.Equal(again, file) || back.Grid() != g {
			t.Errorf("%s: the file comes back as %+v", name, back.Grid())
		}
		more := need.Value(learn.NewMoments(m.Shape(), g, 0))(t)
		need.OK(t, more.AddFeatures(Z[:100*D], nil, nil, nil))
		need.OK(t, m.Merge(more))
		need.OK(t, m.Subtract(more))
		if !slices.Equal(m.Words(), words) {
			t.Errorf("%s: rows that were added and taken away leave something", name)
		}
	}
	other := need.Value(learn.NewMoments(learn.Shape{NComponents: D}, learn.Grid{Step: 0x1p-13}, 0))(t)
	m := need.Value(learn.NewMoments(learn.Shape{NComponents: D}, grids["too fine"], 0))(t)
	if err := m.Merge(other); err == nil || err.(*sketch.Error).Argument != "limit" {
		t.Errorf("merging with a grid of 2^12: %v", err)
	}
}
