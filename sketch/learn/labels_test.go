package learn_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/test/golden"
)

// Labels come back as they went in, and no two kinds share a class.
func TestLabelsComeBack(t *testing.T) {
	for _, value := range []any{true, false, 0.0, 1.0, -2.5, 1e300, 5e-324, "", "1", "true", "naïve ☃", "2026-06-01"} {
		var l learn.Label
		switch v := value.(type) {
		case bool:
			l = learn.BoolLabel(v)
		case float64:
			l = learn.NumberLabel(v)
		case string:
			l = learn.TextLabel(v)
		}
		if got := l.Value(); got != value {
			t.Errorf("%#v comes back as %#v", value, got)
		}
	}
	if learn.NumberLabel(math.Copysign(0, -1)) != learn.NumberLabel(0) {
		t.Error("−0 and 0 are two classes")
	}
	all := []learn.Label{learn.BoolLabel(true), learn.NumberLabel(1), learn.TextLabel("1"), learn.TextLabel("true")}
	if got := learn.SortClasses(all); !slices.Equal(got, all) {
		t.Errorf("SortClasses(%v) = %v", all, got)
	}
	if got, want := learn.Labels([]int{3, -1}), []learn.Label{learn.NumberLabel(3), learn.NumberLabel(-1)}; !slices.Equal(
		got, want) {
		t.Errorf("Labels = %v, want %v", got, want)
	}
}

// False, true, numbers, then texts by their bytes: U+10000 comes after U+FFFF, as UTF-16 has it not.
func TestOrderOfClasses(t *testing.T) {
	text, number := learn.TextLabel, learn.NumberLabel
	want := []learn.Label{learn.BoolLabel(false), learn.BoolLabel(true), number(-1e300), number(-2), number(0),
		number(0.5), number(10), text(""), text("10"), text("9"), text("A"), text("a"), text("\uffff"), text("\U00010000")}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		shuffled := append(slices.Clone(want), want[rng.IntN(len(want))])
		rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if got := learn.SortClasses(shuffled); !slices.Equal(got, want) {
			t.Fatalf("%v becomes %v, want %v", shuffled, got, want)
		}
	}
	if err := learn.CheckClasses(want); err != nil {
		t.Error(err)
	}
}

func TestCheckClasses(t *testing.T) {
	a, b, nan := learn.TextLabel("a"), learn.TextLabel("b"), learn.NumberLabel(math.NaN())
	golden.Errors(t, map[string]error{
		"descending":          learn.CheckClasses([]learn.Label{b, a}),
		"twice":               learn.CheckClasses([]learn.Label{a, a}),
		"a number after text": learn.CheckClasses([]learn.Label{a, learn.NumberLabel(3)}),
		"NaN":                 learn.CheckClasses([]learn.Label{nan}),
		"no UTF-8":            learn.CheckClasses([]learn.Label{a, learn.TextLabel("\xff")}),
	})
}
