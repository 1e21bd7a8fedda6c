//go:build !js

package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tensorsketch.example/tools/internal/lab"
)

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
}

// Tables of a run where little or nothing could be measured are still tables.
func TestMarkdown(t *testing.T) {
	maps := map[string]map[string]mapFigures{"B": {"tensor-sketch": {USPerRow: 4.8, Error: 0.0311}}}
	r := &run{Rounds: []round{{Node: map[string]figures{"simd": {Maps: maps}}}}}
	text := (&run{Rounds: []round{{}}}).markdown() + r.mapsMarkdown() +
		r.learnMarkdown()
	for _, want := range []string{
		"| scikit-learn | – | – | – | – | – |",
		"| µs per row (error; at equal time) | B | MB, A |\n|---|---|---|\n| `tensor-sketch` | 4.80 (0.031; –) | 0.",
		"| `random-fourier`, structured | – (–; –) |", "| `nystroem` | – (–; –) |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the tables lack %q:\n%s", want, text)
		}
	}
}

// The pages have the marks between which a run of the bench writes.
func TestPagesHaveMarks(t *testing.T) {
	const details = "docs/performance.md"
	for name, page := range map[string]string{"speed": "README.md", "bench": details, "pffft": details,
		"maps": details, "learn": details} {
		text, err := os.ReadFile("../../" + page)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "page.md")
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := lab.ReplaceSection(file, name, "new\n"); err != nil {
			t.Errorf("%s: %v", page, err)
		}
	}
}
