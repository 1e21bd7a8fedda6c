package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tensorsketch.example/test/need"
)

// A run that was stopped goes on: finished cells are kept, and a line that was cut off is not.
func TestStore(t *testing.T) {
	file := filepath.Join(t.TempDir(), "results.jsonl")
	s := need.Value(openStore(file))(t)
	need.OK(t, s.keep(record{"a/1", values{"accuracy": 80}, 1}))
	need.OK(t, s.keep(record{"a/2", values{"accuracy": 84}, 1}))
	text := need.Value(os.ReadFile(file))(t)
	need.OK(t, os.WriteFile(file, append(text, `{"id":"a/3","val`...), 0o644))
	s = need.Value(openStore(file))(t)
	if !s.has("a/2") || s.has("a/3") {
		t.Errorf("has a/2: %v, a/3: %v", s.has("a/2"), s.has("a/3"))
	}
	need.OK(t, s.keep(record{"a/3", values{"accuracy": 82}, 1}))
	s = need.Value(openStore(file))(t)
	if m := s.over("a", "accuracy"); m.n != 3 || m.text(1) != "82.0 ± 2.0" {
		t.Errorf("three seeds give %s (%d)", m.text(1), m.n)
	}
}

// A figure that differs from the paper's is marked, with the letter of the reason whose experiment is nearer to the
// paper, if any.
func TestReasons(t *testing.T) {
	b := &book{store: need.Value(openStore(filepath.Join(t.TempDir(), "results.jsonl")))(t)}
	keep := func(id string, accuracy float64) {
		need.OK(t, b.keep(record{id, values{"accuracy": accuracy}, 1}))
	}
	keep("why/adult/p4c0/no-bias/kk/1", 59)
	keep("why/adult/p2c0/no-bias/kk/1", 79.5)
	paper := mean{58, 2, 5}
	for id, want := range map[string]string{
		"kdd-table1/adult/p4c0/kk": " ≠ c",
		"kdd-table1/adult/p2c0/kk": " ≠",
		"nips/usps/k-space/wrong":  " ≠",
	} {
		if text := b.beside(mean{77, 1, 5}, paper, id); !strings.HasSuffix(text, want) {
			t.Errorf("%s is marked %q, want %q at the end", id, text, want)
		}
	}
	if text := reasonList(); !strings.Contains(text, "c: no bias, which is LIBLINEAR's default;") {
		t.Errorf("no letter stands for a change of the bias in %q", text)
	}
	if text := b.beside(mean{8.5, 0, 1}, mean{8.3, 0, 1}, "nips/usps/original/svm"); strings.HasSuffix(text, "≠") {
		t.Errorf("0.2 points of 2,007 rows, and marked: %q", text)
	}
	text := b.beside(mean{59, 1, 5}, paper, "kdd-table1/adult/p4c0/kk")
	if strings.Contains(text, "≠") {
		t.Errorf("within a standard deviation, and marked: %q", text)
	}
}
