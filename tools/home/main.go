// Command home changes the path of this module everywhere it stands:
//
//	go run ./tools/home PATH
//
// It runs in the root of the repository, replaces the path in go.mod and in every text file that git knows or would
// take, formats the Go files it changed, and prints how many files it changed. Nothing else in the tree states the
// path. A path that stands in a file already is refused: it could not be changed back.
package main

import (
	"bytes"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

func main() {
	if len(os.Args) != 2 {
		fail(fmt.Errorf("give the new path of the module, for instance: go run ./tools/home example.org/tensorsketch"))
	}
	changed, err := move(".", os.Args[1])
	if err != nil {
		fail(err)
	}
	fmt.Printf("the module is %s now; %d files changed\n", os.Args[1], changed)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "home:", err)
	os.Exit(1)
}

// move gives the module in a folder the path to, and returns the number of files it changed.
func move(folder, to string) (changed int, err error) {
	if err := module.CheckPath(to); err != nil {
		return 0, fmt.Errorf("%w; give a path such as example.org/tensorsketch", err)
	}
	if err := os.Chdir(folder); err != nil {
		return 0, err
	}
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		return 0, fmt.Errorf("run it in the root of the repository: %w", err)
	}
	from := modfile.ModulePath(mod)
	list, err := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		return 0, fmt.Errorf("the list of files needs git, and the repository as a clone: %w", err)
	}
	names := strings.Split(strings.TrimSuffix(string(list), "\x00"), "\x00")
	if err := checkUnused(names, from, to); err != nil {
		return 0, err
	}
	for _, name := range names {
		old, err := os.ReadFile(name)
		if os.IsNotExist(err) { // removed, and git was not told yet
			continue
		}
		if err != nil {
			return changed, err
		}
		text := bytes.ReplaceAll(old, []byte(from), []byte(to))
		if bytes.Equal(text, old) || bytes.IndexByte(old, 0) >= 0 {
			continue
		}
		if strings.HasSuffix(name, ".go") { // imports are sorted by path
			if text, err = format.Source(text); err != nil {
				return changed, fmt.Errorf("%s: %w", name, err)
			}
		}
		if err := os.WriteFile(name, text, 0o644); err != nil { // keeps the mode of a file that exists
			return changed, err
		}
		changed++
	}
	return changed, nil
}

// checkUnused returns an error if a path that is not the module's stands in a file already. It could not be told from
// the module's own path, and so not be changed back.
func checkUnused(names []string, from, to string) error {
	if from == to {
		return nil
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return err
		}
		if bytes.Contains(bytes.ReplaceAll(text, []byte(from), nil), []byte(to)) {
			return fmt.Errorf("%s stands in %s already, as something else; give another path", to, name)
		}
	}
	return nil
}
