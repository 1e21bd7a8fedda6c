//go:build !js

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/test/cases"
	"tensorsketch.example/test/need"
)

// TestOneOutlier: a row that is much longer than the others makes a grid on which these are rounded to nothing. That is
// refused with a remedy, and the remedy works.
func TestOneOutlier(t *testing.T) {
	file, folder := filepath.Join(cases.Folder(t, "learn"), "one-outlier.csv"), t.TempDir()
	args := []string{"fit", file, "-o", "m.json", "--scaling", "standard", "--unit-norm=false", "--components", "256",
		"--search", "off"}
	r := call(t, folder, nil, args...)
	if r.status == 0 || !strings.Contains(r.stderr, "--radius must be smaller") ||
		!strings.Contains(r.stderr, "1965 of 2000 rows") {
		t.Errorf("status %d: %s", r.status, r.stderr)
	}
	mustCall(t, folder, nil, append(args, "--radius", "4")...)
	test := strings.Replace(file, ".csv", "-test.csv", 1)
	said := object(t, mustCall(t, folder, nil, "evaluate", test, "--model", "m.json", "--json").stdout)
	if accuracy := said["accuracy"].(map[string]any)["value"].(float64); accuracy < 0.85 {
		t.Errorf("accuracy %v with a radius of ordinary rows", accuracy)
	}
}

// TestFitByEachMethod: no error is about a flag that was not typed.
func TestFitByEachMethod(t *testing.T) {
	folder := t.TempDir()
	text := "a,b,label\n"
	for i := range 60 {
		text += fmt.Sprintf("%d,%d,%s\n", i*i%17, (i+3)%7, []string{"x", "y"}[i*i%17/9])
	}
	need.OK(t, os.WriteFile(filepath.Join(folder, "few.csv"), []byte(text), 0o600))
	for _, m := range sketch.Methods() {
		for _, more := range []string{"", "--unit-norm=false", "--param kernel=gaussian", "--param kernel=exponential",
			"--degree 2", "--gamma 0.5", "--coef0 0.5", "--param coefficients=1,1,0.5"} {
			if strings.Contains(more, "coefficients") && !slices.Contains(m.Takes, "coefficients") {
				continue
			}
			args := append([]string{"fit", "few.csv", "-o", "m.json", "--method", m.Name}, strings.Fields(more)...)
			if !m.Fitted {
				args = append(args, "--components", "16")
			}
			r := call(t, folder, nil, args...)
			if r.status == 0 {
				continue
			}
			typed, _, _ := strings.Cut(strings.TrimSuffix(more, "=false"), " ")
			if !strings.Contains(r.stderr, typed) && !strings.Contains(r.stderr, `"`+m.Name+`"`) || more == "" {
				t.Errorf("%s: %s", strings.Join(args, " "), r.stderr)
			}
			for _, flag := range []string{"--degree", "--coef0", "nComponents", "call fit"} {
				if flag != typed && strings.Contains(r.stderr, flag) {
					t.Errorf("%s blames %s: %s", strings.Join(args, " "), flag, r.stderr)
				}
			}
		}
	}
}

// TestScoresAndProbabilities: both can be written.
func TestScoresAndProbabilities(t *testing.T) {
	file, folder := filepath.Join(cases.Folder(t, "learn"), "yesno.csv"), t.TempDir()
	mustCall(t, folder, nil, with("fit", append(oneCandidate, file, "-o", "m.json")...)...)
	for _, format := range []string{"csv", "parquet"} {
		mustCall(t, folder, nil, "predict", file, "--model", "m.json", "--scores", "--probabilities", "-o", "p."+format)
	}
	header, _, _ := strings.Cut(string(need.Value(os.ReadFile(filepath.Join(folder, "p.csv")))(t)), "\n")
	if want := "prediction,score ill,score ok,probability ill,probability ok"; !strings.Contains(header, want) {
		t.Errorf("the header is %q, want %q in it", header, want)
	}
	const note = `npy has no place for labels: the scores of the classes are written, beginning with "ill"`
	for flag, says := range map[string]bool{"--row-numbers=false": true, "--scores": false, "--probabilities": false} {
		r := mustCall(t, folder, nil, "predict", file, "--model", "m.json", flag, "-o", "p.npy")
		if strings.Contains(r.stderr, note) != says {
			t.Errorf("predict %s says %q", flag, r.stderr)
		}
	}
	for _, flag := range []string{"--class-weight=balanced", "--threshold=ill=0.3"} {
		r := call(t, folder, nil, "predict", file, "--model", "m.json", flag, "-o", "p.npy")
		if r.status != wrongUsage || !strings.Contains(r.stderr, "npy has no place for the class that "+flag[:8]) {
			t.Errorf("predict %s: %d, %q", flag, r.status, r.stderr)
		}
	}
}

// TestSubtractStrangers: rows that cannot have been added are refused, and of others nothing is claimed.
func TestSubtractStrangers(t *testing.T) {
	folder := t.TempDir()
	rows := func(name string, n int, shift float64) {
		text := "a,b,label\n"
		for i := range n {
			text += fmt.Sprintf("%v,%v,%s\n", float64(i%9)/10+shift, float64(i*i%7)/10, []string{"x", "y"}[i%2])
		}
		need.OK(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	rows("all.csv", 60, 0)
	rows("some.csv", 20, 0)
	rows("others.csv", 50, 3)
	fit := func(name string, more ...string) {
		mustCall(t, folder, nil, append([]string{"fit", name + ".csv", "--moments", name + ".tsm"}, more...)...)
	}
	fit("all", "--components", "32", "--unit-norm=false", "--scaling", "none")
	fit("some", "--like", "all.tsm")
	fit("others", "--like", "all.tsm")
	r := mustCall(t, folder, nil, "merge", "all.tsm", "--subtract", "some.tsm", "-o", "less.tsm")
	if !strings.Contains(r.stderr, "taken on trust") {
		t.Errorf("nothing is said of trust: %s", r.stderr)
	}
	r = call(t, folder, nil, "merge", "all.tsm", "--subtract", "others.tsm", "-o", "less.tsm")
	if r.status == 0 || !strings.Contains(r.stderr, "have been added before they are taken away") {
		t.Errorf("status %d: %s", r.status, r.stderr)
	}
}

// TestHelpSaysWordsOnce: the word for a flag's value stands once in its line.
func TestHelpSaysWordsOnce(t *testing.T) {
	twice := regexp.MustCompile(`(?m)^  --?[a-z0-9-]+ (\S+) +(\S+)`)
	for _, v := range []string{"fit", "predict", "evaluate", "merge", "transform", "plan", "export", "compare"} {
		help := mustCall(t, ".", nil, v, "--help").stdout
		for _, line := range twice.FindAllStringSubmatch(help, -1) {
			if line[1] == line[2] {
				t.Errorf("%s: %s", v, line[0])
			}
		}
	}
}

// TestAlphaRange: what alpha is chosen from can be typed, and a warning names the flag.
func TestAlphaRange(t *testing.T) {
	file, folder := filepath.Join(cases.Folder(t, "learn"), "yesno.csv"), t.TempDir()
	warned := func(more ...string) string {
		return fmt.Sprint(fitted(t, filepath.Join(folder, "m.json"), file, append(oneCandidate, more...)...)["warnings"])
	}
	if got := warned(); strings.Contains(got, "of the values of alpha") {
		t.Errorf("by default: %s", got)
	}
	if got := warned("--alpha-range", "10,100"); !strings.Contains(got, "--alpha-range") {
		t.Errorf("with a range that is too high: %s", got)
	}
}

// TestFitHashes: categories that are named can be hashed for learning, and an empty cell of one drops no row.
func TestFitHashes(t *testing.T) {
	folder := t.TempDir()
	text := "a,city,label\n"
	for i := range 300 {
		city := fmt.Sprintf("c%d", i*i%37)
		if i%50 == 0 {
			city = ""
		}
		text += fmt.Sprintf("%d,%s,%s\n", i*i%17, city, []string{"x", "y"}[i*i%37/19])
	}
	need.OK(t, os.WriteFile(filepath.Join(folder, "h.csv"), []byte(text), 0o600))
	args := []string{"fit", "h.csv", "-o", "m.json", "--hashed", "8", "--components", "64", "--json"}
	said := object(t, mustCall(t, folder, nil, append(args, "--category", "city")...).stdout)
	if rows := said["rows"]; rows != 300.0 {
		t.Errorf("of 300 rows it learns from %v", rows)
	}
	if model := read(t, filepath.Join(folder, "m.json")); !strings.Contains(model, `"encoding":"hashed","width":8`) ||
		strings.Contains(model, "c36") {
		t.Errorf("the model is %s", model)
	}
	r := call(t, folder, nil, args...)
	if r.status != wrongUsage || !strings.Contains(r.stdout+r.stderr, "--hashed is for columns that --category names") {
		t.Errorf("without --category: status %d, %s%s", r.status, r.stdout, r.stderr)
	}
}
