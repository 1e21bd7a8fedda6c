package gopkg

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// treeOf returns the texts of all files of a folder by name.
func treeOf(t *testing.T, folder string) map[string]string {
	t.Helper()
	tree := map[string]string{}
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, entry fs.DirEntry, err error) error {
		if entry != nil && entry.Name() == ".git" {
			return fs.SkipDir
		}
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(folder, name))
		tree[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func sameTree(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s: %s differs", what, name)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: %d files, want %d", what, len(got), len(want))
	}
}

// tools/home gives a copy of the repository another path, under which all imports are found on both platforms, and some
// packages pass their tests; with -long all of it compiles. Again it changes nothing; back again it is what it was,
// byte for byte; and bad paths are refused by name.
func TestHome(t *testing.T) {
	folder := t.TempDir()
	cloneInto(t, folder)
	run(t, folder, nil, "git", "init", "-q")
	// By -trimpath what was compiled once is taken from the cache in another folder too.
	environment := []string{"GOFLAGS=-trimpath", "GOWORK=off"}
	home := func(to string) (string, error) {
		command := exec.Command("go", "run", "./tools/home", to)
		command.Dir, command.Env = folder, append(os.Environ(), environment...)
		out, err := command.CombinedOutput()
		return string(out), err
	}
	before := treeOf(t, folder)

	for _, bad := range []string{"no spaces.org/x", "nodot/x", "example.org/../x", "example.org/stranger",
		"github.com/vugu"} {
		if out, err := home(bad); err == nil || !strings.Contains(out, bad) {
			t.Errorf("home %q: %v, %q; want an error that names it", bad, err, out)
		}
	}
	sameTree(t, "after bad paths", treeOf(t, folder), before)

	const elsewhere = "git.else" + ".where/us/sketches" // in two parts: home refuses a path that a file holds
	out, err := home(elsewhere)
	if err != nil || !strings.Contains(out, "the module is "+elsewhere+" now") {
		t.Fatalf("home: %v, %q", err, out)
	}
	moved := treeOf(t, folder)
	for name, text := range moved {
		if strings.Contains(text, path) {
			t.Errorf("the old path still stands in %s", name)
		}
	}
	if out, err := home(elsewhere); err != nil || !strings.Contains(out, "0 files changed") {
		t.Errorf("home once more: %v, %q", err, out)
	}
	sameTree(t, "once more", treeOf(t, folder), moved)

	js := append(slices.Clone(environment), "GOOS=js", "GOARCH=wasm")
	if *long {
		run(t, folder, environment, "go", "build", "-o", os.DevNull, "./...")
		run(t, folder, js, "go", "build", "-o", os.DevNull, "./ui/...", "./wasm/...")
	} else { // an import that leads nowhere, or into the module of before, ends this with an error
		run(t, folder, environment, "go", "list", "-deps", "-test", "./...")
		run(t, folder, js, "go", "list", "-deps", "-test", "./ui/...", "./wasm/...")
	}
	run(t, folder, environment, "go", "test", "-short", "./sketch/subspace", "./sketch/model", "./privacy", "-run",
		"Example|Round|Ledger")
	run(t, folder, environment, "go", "test", ".", "-run", "RoomsImportLittle")

	if out, err := home(path); err != nil {
		t.Fatalf("home back: %v, %q", err, out)
	}
	sameTree(t, "back again", treeOf(t, folder), before)
}
