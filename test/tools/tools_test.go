//go:build !js

// Package tools tests the npm package as its users get it: packed, installed into a fresh folder outside of the
// repository, and used there by Node, bundlers, TypeScript and browsers (apps/, build.mjs).
//
// It tests what ./build.sh dist has made.
package tools

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"tensorsketch.example/test/need"
)

const npm = "../../dist/npm"

// run runs a program in a folder and returns what it prints.
func run(t *testing.T, folder, name string, args ...string) string {
	t.Helper()
	command := exec.Command(name, args...)
	command.Dir = folder
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, out, &stderr)
	}
	return string(out)
}

// fresh returns a folder with these files, the modules of the package-lock.json in `modules`, if there is one, and the
// package. Files of `modules` are at its top, others where they are from here.
func fresh(t *testing.T, modules string, files ...string) string {
	t.Helper()
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("install Node.js 20 or later")
	}
	if _, err := os.Stat(filepath.Join(npm, "package.json")); err != nil {
		t.Fatalf("run ./build.sh dist first: %v", err)
	}
	folder := t.TempDir()
	files = append(files, filepath.Join(modules, "package.json"))
	if lock := filepath.Join(modules, "package-lock.json"); isThere(lock) {
		files = append(files, lock, filepath.Join(modules, ".npmrc"))
	}
	for _, name := range files {
		content, err := os.ReadFile(name)
		if in, err := filepath.Rel(modules, name); err == nil && filepath.IsLocal(in) && !strings.Contains(in, "/") {
			name = in
		}
		to := filepath.Join(folder, name)
		if err := errors.Join(err, os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, content, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	// ci would refuse a lock file that lacks other platforms' packages, as one made from a small mirror does.
	run(t, folder, "npm", "install", "--no-save", packed(t), "--no-audit", "--no-fund", "--ignore-scripts",
		"--prefer-offline")
	return folder
}

var packs struct { // what npm pack made, for all tests
	sync.Once
	folder string
}

func TestMain(m *testing.M) {
	code := m.Run()
	os.RemoveAll(packs.folder)
	os.Exit(code)
}

// packed returns the package as npm packs it.
func packed(t *testing.T) (file string) {
	t.Helper()
	packs.Do(func() {
		packs.folder = need.Value(os.MkdirTemp("", ""))(t)
		run(t, npm, "npm", "pack", "--pack-destination", packs.folder)
	})
	files, err := filepath.Glob(filepath.Join(packs.folder, "tensorsketch-*.tgz"))
	if err != nil || len(files) != 1 {
		t.Fatalf("npm pack made %v (%v)", files, err)
	}
	return files[0]
}

// core is what apps/core.js returns, and results what apps/app.js does: a core of each build, and the columns that each
// dataset.wasm finds.
type core struct {
	Features           string
	Dimension, Threads int
	NoThreadsBecause   string
}

type results struct {
	SIMD, Scalar      core
	Dataset, Columnar string
}

func parse[T any](t *testing.T, text string) T {
	t.Helper()
	var value T
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&value); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return value
}

// TestTools: in Node, and as each tool builds or serves it, in a page, in its worker and on a server, the package finds
// its files, starts its workers and computes the same features.
func TestTools(t *testing.T) {
	apps, err := filepath.Glob("apps/*")
	if err != nil {
		t.Fatal(err)
	}
	folder := fresh(t, ".", append(apps, "build.mjs", "hosting.mjs", "hosts.mjs", "trace.mjs", "arrow.test.mjs",
		"react.test.mjs")...)
	run(t, ".", "diff", "-r", npm, filepath.Join(folder, "node_modules", "tensorsketch")) // npm packs all of the package
	node := func(t *testing.T, args ...string) results {
		t.Helper()
		return parse[results](t, run(t, folder, "node", args...))
	}
	want := node(t, "apps/node.mjs")
	if want.SIMD.Threads != 2 || want.SIMD != want.Scalar || want.Dataset != "a,b" || want.Columnar != "a,b" {
		t.Fatalf("in Node the app returns %+v", want)
	}

	built := start(t, folder, "build.mjs")
	t.Run("types", func(t *testing.T) { checkTypes(t, folder) })
	t.Run("conditions", func(t *testing.T) { checkConditions(t, folder) })
	t.Run("traced", func(t *testing.T) {
		const core = "index.toscalar.wasm,index.wasm,tensorsketch.toscalar.wasm,tensorsketch.wasm"
		needs := parse[struct{ Tensorsketch, Dataset string }](t, run(t, folder, "node", "trace.mjs"))
		if all := "dataset-columnar.wasm,dataset.wasm"; needs.Tensorsketch != core || needs.Dataset != all {
			t.Errorf("the tracer finds %+v, want %s and %s", needs, core, all)
		}
		deployed := filepath.Join(t.TempDir(), "deployed") // no node_modules above it
		if err := os.Rename(filepath.Join(folder, "out", "deployed"), deployed); err != nil {
			t.Fatal(err)
		}
		if got := parse[results](t, run(t, deployed, "node", "apps/server.js")); got != want {
			t.Errorf("from the traced files alone got %+v, want %+v", got, want)
		}
	})
	t.Run("Arrow", func(t *testing.T) { run(t, folder, "node", "--test", "arrow.test.mjs") })
	t.Run("React", func(t *testing.T) { run(t, folder, "node", "--test", "react.test.mjs") })
	t.Run("CommonJS", func(t *testing.T) {
		if got := node(t, "apps/node.cjs"); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	})
	developing := built()
	t.Run("hosts", func(t *testing.T) { checkHosts(t, folder, want.SIMD, "hosts.mjs", "fast") })
	for _, bundle := range []string{"out/vite-server/server.js", "out/webpack-server/server.cjs"} {
		t.Run(bundle, func(t *testing.T) {
			if got := node(t, bundle); got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}

	unbundled(t, folder, filepath.Join(folder, "out", "some", "path"))
	page := []byte("<!doctype html><meta charset=utf-8><title>App</title><script type=module src=page.js></script>")
	for _, name := range []string{"webpack", "esbuild", "some/path"} {
		if err := os.WriteFile(filepath.Join(folder, "out", name, "index.html"), page, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	pages := map[string]string{"plain": "some/path/", "vite": "vite/", "webpack": "webpack/", "esbuild": "esbuild/",
		"vite-dev": developing}
	for _, browser := range browsers {
		t.Run(browser.name, func(t *testing.T) {
			pages := maps.Clone(pages)
			if browser.name == "Firefox" && !*long { // it compiles 30 MB for each; one with a tool, and one without
				maps.DeleteFunc(pages, func(name, _ string) bool { return name != "plain" && name != "vite" })
			}
			for name, text := range browser.visit(t, map[string]fs.FS{"/": os.DirFS(filepath.Join(folder, "out"))},
				pages) {
				got := parse[struct {
					Page, Worker results
					Error        string
				}](t, text)
				if got.Error != "" || got.Page != want || got.Worker != want {
					t.Errorf("%s: got %+v, want %+v twice", name, got, want)
				}
			}
		})
	}
}

// start runs a program of Node until the end of the test. What it returns waits for the next line of output.
func start(t *testing.T, folder string, args ...string) (line func() string) {
	t.Helper()
	command := exec.Command("node", args...)
	command.Dir = folder
	var stderr bytes.Buffer
	command.Stderr = &stderr
	stdin, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stdin.Close()
		command.Wait()
	})
	lines := bufio.NewReader(stdout)
	return func() string {
		t.Helper()
		text, err := lines.ReadString('\n')
		if err != nil {
			command.Wait()
			t.Fatalf("%s: %v\n%s", args[0], err, &stderr)
		}
		return strings.TrimSpace(text)
	}
}

// checkConditions: each name is the same file, for every host.
func checkConditions(t *testing.T, folder string) {
	const resolve = `console.log(["", "/dataset", "/worker.js", "/tensorsketch.wasm", "/dataset-columnar.wasm",
		"/package.json"].map((name) => import.meta.resolve("tensorsketch" + name)).join("\n"))`
	want := run(t, folder, "node", "--input-type=module", "--eval", resolve)
	for _, conditions := range [][]string{{"browser"}, {"worker", "browser"}, {"worker"}, {"deno"}, {"bun"},
		{"development"}, {"production"}} {
		args := []string{"--input-type=module", "--eval", resolve}
		for _, condition := range conditions {
			args = append(args, "--conditions="+condition)
		}
		if got := run(t, folder, "node", args...); got != want {
			t.Errorf("under the conditions %v the package's files are %s, want %s", conditions, got, want)
		}
	}
}

// unbundled makes a folder of the app and the package as a static server without any tool would have them: names of
// packages become addresses.
func unbundled(t *testing.T, folder, to string) {
	t.Helper()
	if err := os.CopyFS(filepath.Join(to, "lib"),
		os.DirFS(filepath.Join(folder, "node_modules", "tensorsketch"))); err != nil {
		t.Fatal(err)
	}
	addresses := strings.NewReplacer(`"tensorsketch"`, `"./lib/tensorsketch.js"`, `"tensorsketch/dataset"`,
		`"./lib/dataset.js"`)
	for _, name := range []string{"app.js", "core.js", "page.js", "inworker.js"} {
		text, err := os.ReadFile(filepath.Join(folder, "apps", name))
		if err == nil {
			err = os.WriteFile(filepath.Join(to, name), []byte(addresses.Replace(string(text))), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// checkTypes compiles apps/types.ts as strictly as TypeScript can, with each way to find a package and with and without
// the types of the DOM.
func checkTypes(t *testing.T, folder string) {
	for _, options := range []string{
		`"module": "NodeNext", "lib": ["ES2022"]`,
		`"module": "ESNext", "moduleResolution": "Bundler", "lib": ["ES2022", "DOM"]`,
	} {
		config := fmt.Sprintf(`{ "compilerOptions": { "strict": true, "exactOptionalPropertyTypes": true,
			"noUncheckedIndexedAccess": true, "skipDefaultLibCheck": true,
			"noEmit": true, "target": "ES2022", "types": [], %s }, "files": ["apps/types.ts"] }`, options)
		if err := os.WriteFile(filepath.Join(folder, "tsconfig.json"), []byte(config), 0o644); err != nil {
			t.Fatal(err)
		}
		run(t, folder, "node", "node_modules/typescript/bin/tsc", "--project", ".")
	}
}
