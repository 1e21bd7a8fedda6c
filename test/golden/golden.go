// Package golden pins the sentences that a person reads. What the tests of a folder meet is in testdata/sentences.txt
// beside them: after a change of a sentence, `go test ./FOLDER -update` writes that file anew, and its difference shows
// every sentence before and after.
package golden

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

const file = "testdata/sentences.txt"

var (
	update = flag.Bool("update", false, "write "+file+" anew")

	mutex sync.Mutex
	known map[string]map[string]string // sentences by test and name, once they are read
	fresh = map[string]bool{}          // tests that said something in this run
)

// Say fails unless a sentence is the pinned one of this test under a name.
func Say(t *testing.T, name, sentence string) {
	t.Helper()
	mutex.Lock()
	defer mutex.Unlock()
	if known == nil {
		known = read(t)
	}
	test, sentence := t.Name(), strings.ToValidUTF8(strings.ReplaceAll(sentence, "\n", `\n`), "\uFFFD")
	if *update {
		if !fresh[test] {
			fresh[test], known[test] = true, map[string]string{}
		}
		known[test][name] = sentence
		write(t)
		return
	}
	want, ok := known[test][name]
	if !ok {
		t.Errorf("%s: %s\nis not in %s: run go test -update", name, sentence, file)
	} else if sentence != want {
		t.Errorf("%s: %s\nwant %s\nor run go test -update", name, sentence, want)
	}
}

// Errors is Say for errors by their names. Each must be one.
func Errors(t *testing.T, errors map[string]error) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(errors)) {
		if err := errors[name]; err == nil {
			t.Errorf("%s: no error", name)
		} else {
			Say(t, name, err.Error())
		}
	}
}

// read returns the sentences of the file. A line without a tab is the name of a test; one with two tabs has the name
// and the sentence.
func read(t *testing.T) map[string]map[string]string {
	all, test := map[string]map[string]string{}, ""
	text, err := os.ReadFile(file)
	if err != nil && !*update {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		entry, isEntry := strings.CutPrefix(line, "\t")
		name, sentence, _ := strings.Cut(entry, "\t")
		if !isEntry {
			test = line
			all[test] = map[string]string{}
		} else {
			all[test][name] = sentence
		}
	}
	return all
}

// write writes the file, without tests that are gone.
func write(t *testing.T) {
	var b strings.Builder
	there := tests(t)
	for _, test := range slices.Sorted(maps.Keys(known)) {
		first, _, _ := strings.Cut(test, "/")
		if !there[first] {
			continue
		}
		fmt.Fprintln(&b, test)
		for _, name := range slices.Sorted(maps.Keys(known[test])) {
			fmt.Fprintf(&b, "\t%s\t%s\n", name, known[test][name])
		}
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

var declared = regexp.MustCompile(`(?m)^func (Test\w+)\(`)

// tests returns the names of the tests of the room.
func tests(t *testing.T) map[string]bool {
	names, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range declared.FindAllSubmatch(text, -1) {
			there[string(match[1])] = true
		}
	}
	return there
}
