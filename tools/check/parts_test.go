//go:build !js

package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// allParts are both tables, as they are for each level of amd64.
func allParts(t *testing.T) (tests, soak []part) {
	t.Helper()
	t.Chdir("../..") // where the parts run
	fuzzed, err := fuzzTargets()
	if err != nil {
		t.Fatal(err)
	}
	return testParts(), soakParts(fuzzed, time.Minute)
}

// Each part has a name of its own, needs what there is, and comes after parts that stand before it.
func TestTables(t *testing.T) {
	tests, soak := allParts(t)
	for _, parts := range [][]part{tests, soak} {
		var before []string
		for _, p := range parts {
			if slices.Contains(before, p.name) {
				t.Errorf("two parts are %q", p.name)
			}
			for _, name := range slices.Concat(p.needs, p.wants) {
				if _, ok := needs[name]; !ok {
					t.Errorf("part %q needs %q, which is not in the table of needs", p.name, name)
				}
			}
			for _, name := range p.after {
				if !slices.Contains(before, name) {
					t.Errorf("part %q comes after %q, which does not stand before it", p.name, name)
				}
			}
			for name := range strings.FieldsFuncSeq(p.command, func(r rune) bool { return strings.ContainsRune(" '\"", r) }) {
				if _, err := os.Stat(strings.TrimSuffix(name, "/...")); strings.HasPrefix(name, "./") && err != nil {
					t.Errorf("part %q: %v", p.name, err)
				}
			}
			before = append(before, p.name)
		}
	}
}

// The fuzz targets are those that the tests declare.
func TestFuzzTargets(t *testing.T) {
	t.Chdir("../..")
	targets, err := fuzzTargets()
	if err != nil {
		t.Fatal(err)
	}
	declared := 0
	for name, text := range sources(t, "*_test.go") {
		if !strings.HasPrefix(name, "beam/") { // another module
			declared += strings.Count(text, "\nfunc Fuzz")
		}
	}
	if len(targets) != declared || declared == 0 {
		t.Errorf("%d targets, want the %d that are declared: %v", len(targets), declared, targets)
	}
}

func TestChoose(t *testing.T) {
	parts := []part{{name: "dist"}, {name: "API", after: []string{"dist"}}, {name: "API, tiny"}, {name: "vet"},
		{name: "vet, js/wasm"}}
	for _, c := range []struct{ names, want string }{
		{"", "dist|API|API, tiny|vet|vet, js/wasm"},
		{"vet", "vet"},
		{"vet*", "vet|vet, js/wasm"},
		{"*js/wasm", "vet, js/wasm"},
		{"API", "dist|API"},
		{"API*", "dist|API|API, tiny"},
		{"vet|API, tiny", "API, tiny|vet"},
		{"vet|absent", ""},
		{"[", ""},
	} {
		var names []string
		if c.names != "" {
			names = strings.Split(c.names, "|")
		}
		chosen, err := choose(parts, names)
		var got []string
		for _, p := range chosen {
			got = append(got, p.name)
		}
		if strings.Join(got, "|") != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%q: got %q, %v, want %q", c.names, got, err, c.want)
		}
	}
}

// Parts begin as soon as a lane is free and what they wait for has ended, the first in the table first.
func TestSchedule(t *testing.T) {
	parts := []part{
		{name: "make", wants: []string{"tool"}}, {name: "use", after: []string{"make"}, needs: []string{"engine"}},
		{name: "a"}, {name: "b"}, {name: "c", needs: []string{"absent", "tool"}},
	}
	// A need is settled after 20 ms, and a part takes 30.
	for lanes, want := range map[int]string{
		1: "a 0, make 30, use 60, b 90, c 120",
		2: "a 0, b 0, make 30, c 30, use 60",
		3: "a 0, b 0, make 20, c 30, use 50",
		9: "a 0, b 0, make 20, c 20, use 50",
	} {
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			var begun []string
			lacks, settled := map[string]string{}, map[string]int{}
			began := time.Now()
			schedule(parts, lanes, func(need string) string {
				mu.Lock()
				settled[need]++
				mu.Unlock()
				if time.Sleep(20 * time.Millisecond); need == "absent" {
					return "install it"
				}
				return ""
			}, func(p part, missing string) {
				mu.Lock()
				begun = append(begun, fmt.Sprintf("%s %d", p.name, time.Since(began).Milliseconds()))
				lacks[p.name] = missing
				mu.Unlock()
				time.Sleep(30 * time.Millisecond)
			})
			order := strings.Split(want, ", ")
			slices.Sort(order)
			slices.Sort(begun)
			if !slices.Equal(begun, order) {
				t.Errorf("%d lanes: parts began at %v, want %v", lanes, begun, order)
			}
			if fmt.Sprint(settled) != "map[absent:1 engine:1 tool:1]" {
				t.Errorf("%d lanes: needs settled: %v", lanes, settled)
			}
			if fmt.Sprint(lacks) != "map[a: b: c:install it make: use:]" {
				t.Errorf("%d lanes: what is missing: %v", lanes, lacks)
			}
		})
	}
}

// A part that lacks something is skipped, which fails where CI may not skip it; what parts print is never mixed.
func TestReport(t *testing.T) {
	const lacks = "    all: skipped, and CI may not skip it: install it\n"
	for _, c := range []struct {
		allowed map[string]bool
		ok      bool
		want    string
	}{
		{nil, true, "1 passed, 0 failed\n"},
		{map[string]bool{"without: all": true, "later: all": true}, true, "1 passed, 0 failed\n"},
		{map[string]bool{}, false, "1 failed in part without\n" + lacks + "1 failed in part later\n" + lacks +
			"1 passed, 2 failed\n"},
	} {
		var out strings.Builder
		r := &report{out: &out, allowed: c.allowed}
		parts := []part{{name: "works", command: "echo one; sleep 0.1; echo two"}, {name: "without", needs: []string{"it"}},
			{name: "later", after: []string{"without"}, command: "exit 1"}}
		schedule(parts, 2, func(string) string { return "install it" }, func(p part, missing string) {
			r.run(t.Context(), p, missing)
		})
		if ok := r.total(); ok != c.ok || !strings.HasSuffix(out.String(), "\n\n"+c.want) {
			t.Errorf("%v, want %v and %q:\n%s", ok, c.ok, c.want, out.String())
		}
		times := regexp.MustCompile(`\d+\.\d s`).ReplaceAllString(out.String(), "T")
		for _, block := range []string{
			"== works\none\ntwo\n-- works: 1 passed, 0 failed, 0 skipped, T, of processors T\n\n",
			"without: skipped, and CI may not skip it: install it\n" +
				"-- without: 0 passed, 1 failed, 0 skipped, T, of processors T\n\n",
		} {
			if c.ok && strings.Contains(block, "without") {
				block = "== without\nSKIP all: install it\n-- without: 0 passed, 0 failed, 1 skipped, T, of processors T\n\n"
			}
			block = strings.Replace(block, "without: skipped", "== without\nFAIL all: skipped", 1)
			if !strings.Contains(times, block) {
				t.Errorf("%q is not printed:\n%s", block, times)
			}
		}
	}
	r := &report{out: io.Discard}
	r.run(t.Context(), part{name: "nothing"}, "install it")
	if r.total() {
		t.Error("nothing ran, and that passes")
	}
}

// sources returns the files of the repository that match a pattern, by name.
func sources(t *testing.T, pattern string) map[string]string {
	t.Helper()
	list := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", pattern)
	names, err := list.Output()
	if err != nil {
		t.Fatalf("git ls-files: %v", err)
	}
	files := map[string]string{}
	for name := range strings.SplitSeq(strings.Trim(string(names), "\x00"), "\x00") {
		if text, err := os.ReadFile(name); err == nil { // else it is deleted, and not yet committed
			files[name] = string(text)
		}
	}
	return files
}

// Every skip that CI may see is one of a test that there is, in a part of the tables.
func TestSkipsNameTests(t *testing.T) {
	levels := strings.NewReplacer("GOAMD64=v1", "GOAMD64", "GOAMD64=v3", "GOAMD64") // a machine has one of the two
	parts := map[string]bool{}
	tests, soak := allParts(t)
	for _, p := range slices.Concat(tests, soak) {
		parts[levels.Replace(p.name)] = true
	}
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	known := map[string]bool{"all": true} // by package and name
	for name, text := range sources(t, "*_test.go") {
		for _, match := range declared.FindAllStringSubmatch(text, -1) {
			known[filepath.Base(filepath.Dir(name))+"."+match[1]] = true
		}
	}
	numbers, titles := regexp.MustCompile(`\$\{\w+\}|\d+`), "" // some titles are templates
	for _, text := range sources(t, "test/api/*.mjs") {
		titles += strings.ReplaceAll(numbers.ReplaceAllString(text, "N"), "`", `"`)
	}
	allowed, err := readSkips("test/skips.txt")
	if err != nil || len(allowed) == 0 {
		t.Fatalf("%d skips, %v", len(allowed), err)
	}
	for skip := range allowed {
		part, test, _ := strings.Cut(skip, ": ")
		if !parts[levels.Replace(part)] {
			t.Errorf("test/skips.txt: %q: there is no part %s", skip, part)
		}
		top, _, _ := strings.Cut(test, "/")
		title := `"` + numbers.ReplaceAllString(test, "N") + `"`
		if !known[top] && !(strings.HasPrefix(part, "API") && strings.Contains(titles, title)) {
			t.Errorf("test/skips.txt: %q: there is no such test", skip)
		}
	}
}

// TestIdle: idle time and the wait for a disk count against all of a processor's time; guests count once.
func TestIdle(t *testing.T) {
	const before, after = "cpu  100 10 50 800 20 0 10 10 90 5", "cpu  160 20 70 830 30 0 10 20 140 9"
	if got, want := idle(before, after), ", the processors idle for 29 % of it"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := idle("", after); got != "" {
		t.Errorf("without a beginning: %q", got)
	}
}
