//go:build !js

package main

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/test/need"
)

// harmfulRows are rows of JSON whose labels, key and broken cell would move a cursor, rename a window and turn text
// around. CSV may not have the first of these characters.
func harmfulRows() string {
	var text strings.Builder
	e := json.NewEncoder(&text)
	for i := range 61 {
		row := map[string]any{"x": i % 7, "\x1b[2Jy\u202e": i % 5,
			"k": []string{"a\x1b[31mRED\x1b]0;pwn\a", "b\u202etxt\u2028", "c\u009bK"}[i%3]}
		if i == 60 {
			row["x"] = "oops\x1b[1A"
		}
		e.Encode(row)
	}
	return text.String()
}

// TestTerminal: whatever people read of a file has escapes where a terminal would obey.
func TestTerminal(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, "e.jsonl", harmfulRows())
	fit := []string{"fit", "e.jsonl", "--label", "k", "--components", "16", "-o", "m.json"}
	for _, args := range [][]string{
		fit, append(slices.Clone(fit), "--json"), {"evaluate", "e.jsonl", "--model", "m.json"},
		{"evaluate", "e.jsonl", "--model", "m.json", "--json"},
		{"fit", "e.jsonl", "--label", "\x1b[2Jy\u202e", "--task", "classify", "--components", "16", "-o",
			"n.json"},
		{"fit", "e.jsonl", "--label", "nobody\x1b[2J", "-o", "n.json"}, {"fit", "\x1b[2J.csv", "-o", "n.json"},
	} {
		r := call(t, folder, nil, args...)
		if all := r.stdout + r.stderr; strings.ContainsFunc(all, isHarmful) {
			t.Errorf("%q prints %q", args, all)
		}
	}
	report := mustCall(t, folder, nil, append(slices.Clone(fit), "--json")...).stdout
	var r struct{ Classes []string }
	need.OK(t, json.Unmarshal([]byte(report), &r))
	if want := "a\x1b[31mRED\x1b]0;pwn\a"; len(r.Classes) != 3 || r.Classes[0] != want {
		t.Errorf("JSON has the classes %q, want the first to be %q", r.Classes, want)
	}
	// What programs read is the file's own text.
	mustCall(t, folder, nil, "predict", "e.jsonl", "--model", "m.json", "-o", "p.csv")
	if got := string(need.Value(os.ReadFile(folder + "/p.csv"))(t)); !strings.Contains(got, "a\x1b[31mRED\x1b]0;pwn\a") {
		t.Errorf("the predictions have other labels:\n%q", got[:min(300, len(got))])
	}
}
