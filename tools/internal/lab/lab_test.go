package lab

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestParseLIBSVM(t *testing.T) {
	columns, values, err := ParseLIBSVM("-1 2:1 5:0.5 ", 5)
	if err != nil || !slices.Equal(columns, []int32{1, 4}) || !slices.Equal(values, []float32{1, .5}) {
		t.Errorf("got %v, %v, %v", columns, values, err)
	}
	for _, line := range []string{"1 0:1", "1 6:1", "1 x:1", "1 2:x", "1 2"} {
		if _, values, err := ParseLIBSVM(line, 5); err == nil {
			t.Errorf("%q gives %v and no error", line, values)
		}
	}
}

func TestExponent(t *testing.T) {
	xs, ys := []float64{1, 2, 4, 8}, []float64{3, 6, 12, 24}
	if b := Exponent(xs, ys); math.Abs(b-1) > 1e-12 {
		t.Errorf("exponent of 3x is %g", b)
	}
	for i := range ys {
		ys[i] = 5 / math.Sqrt(xs[i])
	}
	if b := Exponent(xs, ys); math.Abs(b+0.5) > 1e-12 {
		t.Errorf("exponent of 5/√x is %g", b)
	}
}

func TestGrouped(t *testing.T) {
	for x, want := range map[float64]string{.01: "0.01", 300: "300", 1000: "1,000", 12034: "12,034",
		1234567: "1,234,567", math.NaN(): "NaN", math.Inf(1): "+Inf"} {
		if got := Grouped(x); got != want {
			t.Errorf("%v is %q, want %q", x, got, want)
		}
	}
}

func TestReplaceSection(t *testing.T) {
	file := filepath.Join(t.TempDir(), "figures.md")
	if err := os.WriteFile(file, []byte("a\n<!-- time:begin -->\nold\n<!-- time:end -->\nz\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := ReplaceSection(file, "time", "new\n"); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(file); string(got) != "a\n<!-- time:begin -->\nnew\n<!-- time:end -->\nz\n" {
		t.Errorf("the file becomes %q", got)
	}
	if err := ReplaceSection(file, "error", "new\n"); err == nil {
		t.Error("a file without the marks is replaced")
	}
}

func TestDigits(t *testing.T) {
	for x, want := range map[float64]string{.0721: "0.0721", .5: "0.500", 2.549: "2.55", 33.31: "33.3", 29870: "29870"} {
		if got := Digits(x); got != want {
			t.Errorf("digits(%v) = %q, want %q", x, got, want)
		}
	}
}
