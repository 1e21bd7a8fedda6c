package learn_test

import (
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"testing"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/test/need"
)

// specification returns the text that specifies moments, with the lines of an example joined.
func specification(t *testing.T) string {
	return strings.ReplaceAll(string(need.Value(os.ReadFile("../model/spec.go"))(t)), "\n//\t", "")
}

// The example of sketch/model/spec.go.
func TestMomentsSpecExample(t *testing.T) {
	m := need.Value(learn.NewMoments(learn.Shape{NComponents: 3, Classes: 2}, learn.Grid{Step: 0.5}, 5))(t)
	need.OK(t, m.AddFeatures([]float32{0.5, -1, 1.25, 3000, 0, 0.25}, []int32{0, 1}, nil, nil))
	text := specification(t)
	var folds []int
	size := m.WordsPerPart()
	for _, rows := range [][]float32{{0.5, -1, 1.25}, {3000, 0, 0.25}} {
		one := need.Value(learn.NewMoments(learn.Shape{NComponents: 3}, learn.Grid{Step: 0.5}, 5))(t)
		need.OK(t, one.AddFeatures(rows, nil, nil, nil))
		for p := range 5 {
			if one.Words()[p*one.WordsPerPart()] == 1 {
				folds = append(folds, p)
			}
		}
	}
	words := func(p int) string { return strings.Trim(fmt.Sprint(m.Words()[p*size:(p+1)*size]), "[]") }
	for _, want := range []string{
		fmt.Sprintf("folds %d and %d", folds[0], folds[1]), words(folds[0]), words(folds[1]),
		hex.EncodeToString(binaryOf(t, m)),
	} {
		if !strings.Contains(text, want) {
			t.Errorf("sketch/model/spec.go has no %q", want)
		}
	}
}

// The example of a grid of 16 bits in sketch/model/spec.go.
func TestGridSpecExample(t *testing.T) {
	rows := []float32{0.5, -1, 0.0125, 3, 0, 0.25}
	grid := solve.GridFor(rows, 3)
	m := need.Value(learn.NewMoments(learn.Shape{NComponents: 3}, grid, 0))(t)
	need.OK(t, m.AddFeatures(rows, nil, nil, nil))
	text := specification(t)
	for _, want := range []string{fmt.Sprintf("step %v and f = %v", grid.Step, []byte(grid.Finer)),
		strings.Trim(fmt.Sprint(m.Words()), "[]"), hex.EncodeToString(binaryOf(t, m))} {
		if !strings.Contains(text, want) {
			t.Errorf("sketch/model/spec.go has no %q", want)
		}
	}
}
