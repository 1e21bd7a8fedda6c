//go:build !js

package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestExponent(t *testing.T) {
	xs, ys := []float64{1, 2, 4, 8}, []float64{3, 6, 12, 24}
	if b := exponent(xs, ys); math.Abs(b-1) > 1e-12 {
		t.Errorf("exponent of 3x is %g", b)
	}
	for i := range ys {
		ys[i] = 5 / math.Sqrt(xs[i])
	}
	if b := exponent(xs, ys); math.Abs(b+0.5) > 1e-12 {
		t.Errorf("exponent of 5/√x is %g", b)
	}
}

func TestMedian(t *testing.T) {
	r := &run{Rounds: []round{{}, {}, {}}}
	values := []float64{3, 1, 2}
	i := -1
	next := func(*round) float64 { i++; return values[i] }
	if got := r.median(next); got != 2 {
		t.Errorf("median of %v is %g", values, got)
	}
	if got := r.median(func(*round) float64 { return 0 }); !math.IsNaN(got) {
		t.Errorf("median of nothing is %g", got)
	}
}

func TestNumbers(t *testing.T) {
	for x, want := range map[float64]string{333.4: "333", 42.55: "42.5", 6.123: "6.12", math.NaN(): "–"} {
		if got := number(x); got != want {
			t.Errorf("number(%g) = %q, want %q", x, got, want)
		}
	}
	if got := grouped(60000); got != "60,000" {
		t.Errorf("grouped(60000) = %q", got)
	}
}

// Tables of a run where nothing could be measured are still tables.
func TestReplaceTables(t *testing.T) {
	file := filepath.Join(t.TempDir(), "README.md")
	if err := os.WriteFile(file, []byte("before\n<!-- bench:begin -->\nold\n<!-- bench:end -->\nafter\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	text := (&run{Rounds: []round{{}}}).markdown()
	if err := replaceTables(file, "bench", text); err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(file)
	if got := string(data); strings.Contains(got, "old") || !strings.HasPrefix(got, "before\n") || !strings.HasSuffix(got, "\nafter\n") || !strings.Contains(got, "| scikit-learn | – | – | – | – |") {
		t.Errorf("README becomes %q", got)
	}
	if err := os.WriteFile(file, []byte("no marks"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := replaceTables(file, "bench", text); err == nil {
		t.Error("a README without marks is replaced")
	}
}

func TestMapsMarkdown(t *testing.T) {
	maps := map[string]map[string]mapFigures{"B": {"tensor-sketch": {USPerRow: 4.8, Error: 0.0311}}}
	r := &run{Rounds: []round{{Node: map[string]figures{"simd": {Maps: maps}}}}}
	text := r.mapsMarkdown()
	for _, want := range []string{"| At equal D: µs per row · error | B |\n|---|---|\n| `tensor-sketch` | 4.80 · 0.031 |\n", "| `nystroem` | – |"} {
		if !strings.Contains(text, want) {
			t.Errorf("the table lacks %q:\n%s", want, text)
		}
	}
}
