//go:build !js

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tensorsketch.example/test/need"
)

// TestWhereItRuns: each row of README.md's table "Where it runs" names its tests, and they exist.
func TestWhereItRuns(t *testing.T) {
	_, table, _ := strings.Cut(string(need.Value(os.ReadFile("README.md"))(t)), "## Where it runs")
	table, _, _ = strings.Cut(table, "\n## ")
	rows := 0
	for line := range strings.Lines(table) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| where |") {
			continue
		}
		rows++
		cells := strings.Split(strings.TrimSpace(line), " | ")
		for _, of := range strings.Split(strings.TrimSuffix(cells[len(cells)-1], " |"), "; ") {
			folder, tests, _ := strings.Cut(of, " ")
			sources := sourcesOfTests(t, folder)
			for _, name := range regexp.MustCompile(`\w+`).FindAllString(tests, -1) {
				if !strings.Contains(sources, "func "+name+"(") {
					t.Errorf("README.md names %s of %s, which is not there", name, folder)
				}
			}
		}
	}
	if rows != 11 {
		t.Errorf("the table has %d rows, want 11", rows)
	}
}

// sourcesOfTests returns the tests of a folder.
func sourcesOfTests(t *testing.T, folder string) string {
	t.Helper()
	all := new(strings.Builder)
	for _, pattern := range []string{"*_test.go", "*.test.mjs"} {
		for _, file := range need.Value(filepath.Glob(filepath.Join(folder, pattern)))(t) {
			all.Write(need.Value(os.ReadFile(file))(t))
		}
	}
	if all.Len() == 0 {
		t.Errorf("README.md names %q, where no tests are", folder)
	}
	return all.String()
}
