//go:build !js && !race

package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var realTinyGo = flag.Bool("realtinygo", false, "TestBuildSequence compiles by TinyGo itself, which takes minutes")

// tinyTools are what TinyGo's core is made with. Stand-ins write what they are given to write: the test is about which
// compiler is asked.
var tinyTools = map[string]string{
	"tinygo": `[[ $1 != version ]] || { echo 'tinygo version 0.0.1'; exit; }
while [[ $1 != -o ]]; do shift; done; echo bitcode >"$2"; echo >>"$TENSORSKETCH_CORES/compiled"`,
	"llvm-dis-19":  `cat "$1" >"$3"`,
	"llvm-link-19": `cat "$2"`,
	"opt-19":       `cat`,
	"llvm-as-19":   `cat >"${@: -1}"`,
	"wasm-ld-19":   `while [[ $1 != -o ]]; do shift; done; echo linked >"$2"`,
	"wasm-opt":     `while [[ $1 != -o ]]; do shift; done; printf '\0asm\1\0\0\0' >"$2"`, // no sections
}

// A builder runs verbs of build.sh in a copy of the sources.
type builder struct {
	t               *testing.T
	folder, kept    string // of the sources, and of cores for other clones
	without, with   string // PATH without TinyGo, and with it
	simd, stampFile string
}

// clone has the builder work in a new folder, with the files that git tracks or does not ignore.
func (b *builder) clone() {
	b.t.Helper()
	b.folder = b.t.TempDir()
	b.simd, b.stampFile = b.folder+"/public/api/tensorsketch.wasm", b.folder+"/public/api/core.stamp"
	copied := exec.Command("bash", "-c", `git ls-files -co --exclude-standard -z | xargs -0 cp --parents -t "$0"`,
		b.folder)
	if out, err := copied.CombinedOutput(); err != nil {
		b.t.Skipf("no copy of the sources: %v\n%s", err, out)
	}
}

func newBuilder(t *testing.T) *builder {
	t.Helper()
	b := &builder{t: t, kept: t.TempDir()}
	b.clone()
	bare, tools := t.TempDir(), t.TempDir()
	for _, folder := range filepath.SplitList(os.Getenv("PATH")) {
		entries, _ := os.ReadDir(folder) // a folder of PATH may not exist
		for _, e := range entries {
			if _, isTool := tinyTools[e.Name()]; !isTool {
				os.Symlink(filepath.Join(folder, e.Name()), filepath.Join(bare, e.Name())) // the first one counts
			}
		}
	}
	for name, script := range tinyTools {
		if err := os.WriteFile(filepath.Join(tools, name), []byte("#!/bin/bash\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	b.without, b.with = bare, tools+":"+bare
	if *realTinyGo {
		b.with = os.Getenv("PATH")
	}
	return b
}

// core makes the core with a PATH, and returns its stamp's compiler.
func (b *builder) core(path string) string {
	b.t.Helper()
	build := exec.Command("./build.sh", "core", "public/api")
	build.Dir, build.Env = b.folder, append(os.Environ(), "PATH="+path, "TENSORSKETCH_CORES="+b.kept)
	if out, err := build.CombinedOutput(); err != nil {
		b.t.Fatalf("build.sh core: %v\n%s", err, out)
	}
	stamp, err := os.ReadFile(b.stampFile)
	if err != nil {
		b.t.Fatal(err)
	}
	compiler, rest, _ := strings.Cut(string(stamp), "\n")
	if files := strings.Count(rest, ".wasm\n"); !strings.HasPrefix(rest, "sources ") || files != 2 {
		b.t.Errorf("the stamp is\n%swant a compiler, the sources and two files", stamp)
	}
	return strings.Fields(compiler)[0]
}

// isByGo reports whether the core is the one of Go's compiler, by what Go programs import.
func (b *builder) isByGo() bool {
	b.t.Helper()
	file, err := os.ReadFile(b.simd)
	if err != nil {
		b.t.Fatal(err)
	}
	return strings.Contains(string(file), "gojs")
}

// TestBuildSequence: a clone in which a core was built without TinyGo gets TinyGo's as soon as it is installed, keeps
// it afterwards, and builds again when a source or the built file changes. Another clone of the same sources copies it.
// `serve`, `test` and `dist` all make the core by this verb.
func TestBuildSequence(t *testing.T) {
	b := newBuilder(t)
	want := func(step, path, compiler string) {
		t.Helper()
		if got := b.core(path); got != compiler || b.isByGo() != (compiler == "go") {
			t.Errorf("%s: the stamp says %s and the core is Go's: %v; want %s", step, got, b.isByGo(), compiler)
		}
	}
	want("on a fresh machine", b.without, "go")
	want("after TinyGo was installed", b.with, "tinygo")
	compiled := b.compiled()
	b.clone()
	want("in another clone", b.with, "tinygo")
	if b.compiled() != compiled {
		t.Error("another clone compiles what the first one has compiled")
	}
	spoilt, _ := filepath.Glob(filepath.Join(b.kept, "*", "tensorsketch.wasm"))
	for _, file := range spoilt {
		if err := os.WriteFile(file, []byte("gojs"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b.clone()
	want("where what is kept was changed", b.with, "tinygo")
	built := modified(t, b.simd)
	want("again", b.with, "tinygo")
	want("without TinyGo, from the same sources", b.without, "tinygo")
	if !slices.Equal(built, modified(t, b.simd)) {
		t.Error("a core that was built from these sources is built again")
	}
	if err := os.WriteFile(b.simd, []byte("of somebody else"), 0o644); err != nil {
		t.Fatal(err)
	}
	want("after the file was replaced", b.with, "tinygo")
	file, err := os.OpenFile(b.folder+"/wasm/frequent.txt", os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	file.WriteString("# changed\n")
	file.Close()
	want("without TinyGo, from other sources", b.without, "go")
	want("with TinyGo, from other sources", b.with, "tinygo")
}

// compiled returns a text that is longer after each call of the stand-in for TinyGo.
func (b *builder) compiled() string {
	calls, _ := os.ReadFile(filepath.Join(b.kept, "compiled")) // is not there where TinyGo itself compiles
	return string(calls)
}

// modified returns the content of a file and when it was written.
func modified(t *testing.T, file string) []byte {
	t.Helper()
	about, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return append(content, about.ModTime().String()...)
}
