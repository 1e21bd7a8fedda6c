package learn_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/test/need"
)

func features(r *rand.Rand, n, D int, size float64) []float32 {
	Z := make([]float32, n*D)
	for i := range Z {
		Z[i] = float32(r.NormFloat64() * size)
	}
	return Z
}

// A part that is taken away again leaves every word as it was.
func TestSubtractUndoes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	shape := learn.Shape{NComponents: 7, Classes: 3}
	a := need.Value(learn.NewMoments(shape, learn.Grid{Step: 0x1p-12}, 5))(t)
	b := need.Value(learn.NewMoments(shape, learn.Grid{Step: 0x1p-12}, 5))(t)
	need.OK(t, a.AddFeatures(features(r, 50, 7, 0.1), make([]int32, 50), nil, nil))
	need.OK(t, b.AddFeatures(features(r, 30, 7, 0.1), slices.Repeat([]int32{2}, 30), nil, nil))
	want := a.Words()
	need.OK(t, a.Merge(b))
	if a.Rows() != 80 || slices.Equal(a.Words(), want) {
		t.Fatalf("merged: %d rows", a.Rows())
	}
	need.OK(t, a.Subtract(b))
	if a.Rows() != 50 || !slices.Equal(a.Words(), want) {
		t.Fatalf("after merge and subtract: %d rows, words differ", a.Rows())
	}
}
