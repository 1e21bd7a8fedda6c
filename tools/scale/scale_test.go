package main

import (
	"flag"
	"os"
	"strings"
	"testing"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/test/need"
)

var long = flag.Bool("long", false, "simulate 10,000 parts")

// TestFigures: docs/scale.md has the tables that this program computes, and their bytes are those of Moments.
func TestFigures(t *testing.T) {
	page := string(need.Value(os.ReadFile("../../docs/scale.md"))(t))
	for _, table := range []string{bytesTable(), limitsTable()} {
		if !strings.Contains(page, strings.TrimSpace(table)) {
			t.Errorf("docs/scale.md lacks the table\n%s", table)
		}
	}
	for _, s := range []solve.Shape{{NComponents: 33, Classes: 4}, {NComponents: 33, Targets: 3}} {
		g := solve.Grid{Step: 1, High: float64(s.Targets)}
		m := need.Value(solve.NewMoments(s, g, 0))(t)
		if got, want := words(s.NComponents, s.Classes, s.Targets), m.WordsPerPart(); got != want {
			t.Errorf("%+v: %d words, want %d", s, got, want)
		}
	}
}

// TestSimulation: sums of parts, merged in a tree, have the bytes of one pass.
func TestSimulation(t *testing.T) {
	parts := 100
	if *long {
		parts = 10_000
	}
	t.Log(need.Value(simulate(parts))(t))
}
