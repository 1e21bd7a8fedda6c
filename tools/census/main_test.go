package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/test/need"
)

// house is a small tree, with each kind of file.
var house = tree{
	"server.go": "package main\n\nfunc main() {\n\tprintln()\n}\n",
	"sketch/a.go": "package sketch\n\n// Craft is no place here: \"craft\".\nconst MethodCRAFT = \"craft\"\n\n" +
		"type T struct{}\n\nfunc (T) Exported() {}\n\n" +
		"func F(x int) int {\n\tvar y = 1\n\tif x > 0 {\n\t\treturn y\n\t}\n\treturn 0\n}\n",
	"sketch/a_gen.go":      "package sketch\n\nvar Generated = \"craft\"\n",
	"sketch/a_test.go":     "package sketch\n\nvar Tested = \"craft\"\n",
	"sketch/testdata/x.go": "package x\n",
	"tools/t.go":           "package main\n",
	"test/api/a.test.mjs":  "1;\n2;\n",
	"public/a.js": "/* craft */\n\n\n\n\nconst m = [\"craft\"]; // craft\n" +
		"\n\n\n\nlet y = { craft: 1 };\nlet z = \"spacecraft\";\n",
	"docs/a.md":               "three words here\n",
	"README.md":               "two words\n",
	"public/complex.d.ts":     "type M = \"complex-tensor-srht\";\n",
	"public/tensor.d.ts":      "type M = \"tensor-srht\";\n",
	"ui/method.go":            "package ui\n\nvar label = tensorSRHTMethod\n",
	"packaging/index.test.js": "\n",
}

func TestCount(t *testing.T) {
	c, err := count(house)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []struct {
		section, row string
		n            int
	}{
		{"product Go, lines", total, 5 + 16 + 3},
		{"product Go, lines", ".", 5},
		{"product Go, lines", "sketch", 16},
		{"product Go, statements", ".", 2},      // main and its call
		{"product Go, statements", "sketch", 8}, // the constant, T, two functions, y, if, two returns
		{"product Go", "files", 3},
		{"product Go", "longest function, lines", 7},
		{"exported names", "sketch", 3}, // without the method
		{"exported names", ".", 0},
		{"product JavaScript, lines", "public", 12},
		{"tests, lines", "go", 3},
		{"tests, lines", "mjs", 2},
		{"words", "docs/, all", 3},
		{"words", "README.md", 2},
		{"places of a method", "craft", 3},
		{"places of a method", "tensor-srht", 2},
	} {
		if got := c[want.section][want.row]; got != want.n {
			t.Errorf("%s, %s: %d, want %d", want.section, want.row, got, want.n)
		}
	}
}

func TestPlaces(t *testing.T) {
	want := []string{"public/a.js:6", "public/a.js:11", "sketch/a.go:4"}
	if got := places(house, "craft"); !slices.Equal(got, want) {
		t.Errorf("craft is named at %v, want %v", got, want)
	}
	files := tree{"dataset/npy.go": "package dataset\n\n\n\n\nvar _ = NPY\n", "dataset/npywrite.go": "package dataset\n",
		"dataset/a.go": "package dataset\n\n// npy\nvar _ = \"save it as npy\" + npyOf\n\n\n\n\nvar _ = NPY\n",
		"ui/a.vugu":    "<p>an npy is <b>npy</b></p>\n\n\n\n\n<a href=\".npy\">\n"}
	want = []string{"dataset/a.go:9", "dataset/npy*.go", "ui/a.vugu:6"}
	if got := formatPlaces(files, "npy"); !slices.Equal(got, want) {
		t.Errorf("npy is named at %v, want %v", got, want)
	}
	near := tree{"a.go": "package a\n" + strings.Repeat("var _ = \"npy\"\n\n\n", 3)}
	if got := places(near, "npy"); len(got) != 1 {
		t.Errorf("lines three apart are the places %v, want one", got)
	}
}

// The repository as it is can be counted, and so can what it was. That takes seconds: -short has a small one.
func TestRun(t *testing.T) {
	folder := "../.."
	if testing.Short() {
		folder = houseInGit(t)
	}
	t.Chdir(folder)
	first, err := git("rev-list", "--max-parents=0", "HEAD") // a small tree
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := run(&out, strings.Fields(string(first))[0], ""); err != nil {
		t.Fatal(err)
	}
	for _, section := range sections {
		if !strings.Contains(out.String(), section+" ") {
			t.Errorf("no section %s:\n%s", section, out.String())
		}
	}
	if err := run(&out, "no-such-commit", ""); err == nil {
		t.Error("a commit that is not there: no error")
	}
}

// houseInGit returns a repository of the small tree.
func houseInGit(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	for name, text := range house {
		path := filepath.Join(folder, name)
		need.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
		need.OK(t, os.WriteFile(path, []byte(text), 0o644))
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."},
		{"-c", "user.name=nobody", "-c", "user.email=nobody@example.org", "commit", "-q", "-m", "a house"}} {
		need.Value(git(append([]string{"-C", folder}, args...)...))(t)
	}
	return folder
}
