package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestPrecompress(t *testing.T) {
	dir, again := t.TempDir(), t.TempDir()
	big := bytes.Repeat([]byte("tensor sketch "), 1000)
	put(t, dir, "a.js", big)
	put(t, dir, "sub/b.wasm", big)
	put(t, dir, "small.js", big[:smallest-1])
	put(t, dir, "small.js.br", big) // from when it was larger
	put(t, dir, "picture.png", big)
	put(t, dir, "gone.css.br", big)
	put(t, again, "a.js", big)

	run(t, dir)
	run(t, again)
	for _, c := range codings {
		if !bytes.Equal(get(t, dir, "a.js"+c.suffix), get(t, again, "a.js"+c.suffix)) {
			t.Errorf("two runs differ in a.js%s", c.suffix)
		}
	}
	for _, name := range []string{"a.js", "sub/b.wasm"} {
		for _, c := range codings {
			target := filepath.Join(dir, name+c.suffix)
			if !holds(target, big, c) {
				t.Errorf("%s does not hold its source", name+c.suffix)
			}
			if got, want := modified(t, target), modified(t, filepath.Join(dir, name)); !got.Equal(want) {
				t.Errorf("%s has the time %v, want its source's %v", name+c.suffix, got, want)
			}
		}
	}
	for _, name := range []string{"small.js.br", "picture.png.gz", "gone.css.br", "a.js.br.br", "a.js.br.gz"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s is there", name)
		}
	}
}

// TestTwoBuilds: `./build.sh serve` and `./build.sh test` of one clone compress at the same time.
func TestTwoBuilds(t *testing.T) {
	for range 20 {
		dir := t.TempDir()
		for _, name := range strings.Fields("a.js b.js c.css d.html") {
			put(t, dir, name, []byte(strings.Repeat("count sketch "+name, 500)))
		}
		put(t, dir, "gone.css.br", nil)
		failed := make(chan error)
		for range 6 {
			go func() { failed <- precompress(dir, 1) }()
		}
		for range 6 {
			if err := <-failed; err != nil {
				t.Fatal(err)
			}
		}
		names, err := os.ReadDir(dir)
		if err != nil || len(names) != 12 {
			t.Fatalf("there are %v, %v, want four sources and two files of each", names, err)
		}
	}
}

// A compressed file is written again exactly when its source has other bytes.
func TestOnlyChangedSources(t *testing.T) {
	dir := t.TempDir()
	text := []byte(strings.Repeat("count sketch ", 500))
	put(t, dir, "a.js", text)
	if err := precompress(dir, 1); err != nil {
		t.Fatal(err)
	}
	before := get(t, dir, "a.js.br")

	put(t, dir, "a.js", text) // a new time, the same bytes
	run(t, dir)
	if !bytes.Equal(get(t, dir, "a.js.br"), before) {
		t.Error("unchanged source: a.js.br was written again, in the new quality")
	}
	put(t, dir, "a.js", append(text, "more"...))
	run(t, dir)
	if bytes.Equal(get(t, dir, "a.js.br"), before) {
		t.Error("changed source: a.js.br is the old one")
	}
	put(t, dir, "a.js.br", before[:len(before)/2])
	run(t, dir)
	if !holds(filepath.Join(dir, "a.js.br"), append(text, "more"...), codings[0]) {
		t.Error("a damaged a.js.br was left as it is")
	}
}

func run(t *testing.T, dir string) {
	t.Helper()
	if err := precompress(dir, 6); err != nil {
		t.Fatal(err)
	}
}

func put(t *testing.T, dir, name string, text []byte) {
	t.Helper()
	name = filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, dir, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func modified(t *testing.T, name string) time.Time {
	t.Helper()
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	return info.ModTime()
}
