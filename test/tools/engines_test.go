//go:build !js

package tools

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

var long = flag.Bool("long", false, "run the tests that take minutes, too")

// reasons are why API tests may be skipped, and how many at most.
var reasons = map[string]int{
	"it starts Node": 10,
	"only Node tells when a worker is ended from outside":  2,
	"times are taken in Node":                              2,
	"it puts Node's clock forward":                         1,
	"a page has no folders":                                6,
	"a page has no server":                                 4,
	"a page is no worker":                                  1,
	"a page reads no paths":                                1,
	"a page that is not isolated has no SharedArrayBuffer": 1,
	"Bun imports no data: address":                         1,
	"Bun does not import a module again for another query": 1,
}

// outcome is what became of one API test.
type outcome struct{ File, Name, Skip, Failure string }

// TestEngines runs the API tests of test/api in browsers, Deno and Bun, and the app in Deno and Bun. It takes
// minutes, so only ./build.sh soak runs it.
func TestEngines(t *testing.T) {
	if !*long {
		return
	}
	files, err := filepath.Glob("engines/*")
	if err != nil {
		t.Fatal(err)
	}
	var sources []string
	for _, name := range files {
		if filepath.Base(name) != "node_modules" {
			sources = append(sources, name)
		}
	}
	folder := fresh(t, ".", append(sources, "engines/.npmrc", "apps/app.js", "apps/bun.js", "apps/core.js",
		"apps/node.mjs", "apps/small.js")...)
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	run(t, folder, "node", "engines/bundle.mjs", repo, "out")

	page := []byte("<!doctype html><meta charset=utf-8><title>API tests</title><script type=module src=page.js></script>")
	if err := os.WriteFile(filepath.Join(folder, "out", "index.html"), page, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, browser := range browsers {
		t.Run(browser.name, func(t *testing.T) {
			told := browser.visit(t, map[string]fs.FS{"/": os.DirFS(filepath.Join(folder, "out")),
				"/repo/": os.DirFS(repo), "/shared/": os.DirFS(filepath.Join(repo, "..", "shared"))},
				map[string]string{"api": "index.html"})
			checkOutcomes(t, told["api"])
		})
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("Deno and Bun are installed for Linux on amd64 only")
	}
	run(t, filepath.Join(folder, "engines"), "npm", "ci", "--no-audit", "--no-fund", "--prefer-offline")
	modules := filepath.Join(folder, "engines", "node_modules")
	for name, args := range map[string][]string{
		"Deno": {filepath.Join(modules, "@deno/linux-x64-glibc/deno"), "run", "--allow-all"},
		"Bun":  {filepath.Join(modules, "@oven/bun-linux-x64-baseline/bin/bun"), "run"},
	} {
		t.Run(name, func(t *testing.T) {
			inNode, here := run(t, folder, "node", "apps/node.mjs"),
				run(t, folder, args[0], append(args[1:], "apps/node.mjs")...)
			if here != inNode {
				t.Errorf("the app returns %s, want %s", here, inNode)
			}
			if name == "Bun" {
				run(t, folder, args[0], "build", "--compile", "apps/bun.js", "--outfile", "out/alone")
				here, inNode := run(t, folder, filepath.Join(folder, "out", "alone")), run(t, folder, "node", "apps/small.js")
				if here != inNode {
					t.Errorf("the compiled app returns %s, want %s", here, inNode)
				}
			}
			checkOutcomes(t, run(t, folder, args[0], append(args[1:], "out/program/program.js")...))
		})
	}
}

// checkOutcomes: nothing failed, and what was skipped was skipped for a reason that is listed here.
func checkOutcomes(t *testing.T, told string) {
	t.Helper()
	var passed int
	skipped := map[string]int{}
	for _, o := range parse[[]outcome](t, told) {
		switch {
		case o.Failure != "":
			t.Errorf("%s: %s: %s", o.File, o.Name, o.Failure)
		case o.Skip != "":
			skipped[o.Skip]++
		default:
			passed++
		}
	}
	t.Logf("%d passed, skipped %v", passed, skipped)
	for reason, n := range skipped {
		if most, known := reasons[reason]; !known || n > most {
			t.Errorf("%d tests were skipped: %s", n, reason)
		}
	}
	if passed < 180 {
		t.Errorf("only %d tests passed", passed)
	}
}
