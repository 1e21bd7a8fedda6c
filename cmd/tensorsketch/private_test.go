//go:build !js

package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tensorsketch.example/test/golden"
	"tensorsketch.example/test/need"
	"tensorsketch.example/test/noise"
)

// typed are flags that leave nothing of how a CSV is read to be guessed.
const typed = ` --format csv --header true --compression none --encoding utf-8 --delimiter , --quote none --decimal .` +
	` --thousands none --dates iso`

// TestPrivateBytes: with the same source of noise, releases and a private model have the bytes that package jobs and
// the page's program write (jobs/native/testdata/releases.json).
func TestPrivateBytes(t *testing.T) {
	var want map[string]string
	need.OK(t, json.Unmarshal([]byte(read(t, "../../jobs/native/testdata/releases.json")), &want))
	defer func(before io.Reader, said io.Writer) { random, stdout = before, said }(random, stdout)
	random = noise.Fixed{}
	folder := t.TempDir()
	write(t, folder, "rows.csv", noise.Table(300))
	write(t, folder, "points.csv", noise.Points(400))
	path := func(name string) string { return filepath.Join(folder, name) }
	for name, hash := range want {
		kind, format, isRelease := strings.Cut(name, " as ")
		args := []string{"fit-private", path("points.csv"), "-o", path(name), "--number", "x,y", "--label", "kind",
			"--range", "x=-1,1", "--range", "y=-1,1", "--classes", "outside,inside"}
		if isRelease {
			args = []string{"release", path("rows.csv"), "-o", path(name), "--kind", kind, "--to", format, "--number", "a,b",
				"--number", "c", "--number", "d", "--radius", "1"}
			if kind == "mean" {
				args = append(args, "--rows", "302")
			}
		}
		var said bytes.Buffer
		stdout = &said
		if status := run(append(append(args, "--ledger", path(name+".ledger")), strings.Fields("--components 64 --coef0 1"+
			" --normalize kernel --seed 5 --epsilon 4 --delta 1e-5 --budget 5,1e-5"+
			strings.Replace(typed, "--quote none", `--quote "`, 1))...)); status != done {
			t.Fatalf("%s ends with %d", name, status)
		}
		sum := sha256.Sum256([]byte(read(t, path(name))))
		if got := hex.EncodeToString(sum[:]); got != hash {
			t.Errorf("%s has the hash %s, want %s", name, got, hash)
		}
		const counts = "3 longer than the radius, 0 that the map cannot take, 2 that do not"
		if isRelease && !strings.Contains(said.String(), counts) {
			t.Errorf("%s: it says\n%s", name, &said)
		}
	}
}

// TestPrivateCalls: calls one after another, which share ledgers, their exit status and all that they say.
func TestPrivateCalls(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, "a.csv", noise.Table(300))
	write(t, folder, "renamed.csv", noise.Table(300))
	write(t, folder, "b.csv", noise.Table(20))
	write(t, folder, "points.csv", noise.Points(400))
	write(t, folder, "locked-ledger.json.lock", "")
	const columns = " --number a,b,c,d --radius 1 --components 16 --epsilon 1 --delta 1e-5 -o o.npy"
	const rows = columns + " --kind rows" + typed
	const points = " --number x,y --range x=-1,1 --range y=-1,1 --label kind --components 16 --coef0 1 --seed 1" +
		" --epsilon 1 --delta 1e-5 -o m.json" + typed
	for i, c := range []struct {
		call   string
		status int
	}{
		{"release a.csv b.csv" + rows, wrongUsage},
		{"release -" + rows, wrongUsage},
		{"release a.csv --kind row" + columns, wrongUsage},
		{"release a.csv" + columns + typed, wrongUsage},
		{"release a.csv --kind mean" + columns + typed, wrongUsage},
		{"release a.csv --kind rows" + columns, wrongUsage},
		{"release a.csv --kind rows --format csv --header true" + columns, wrongUsage},
		{"release a.csv" + rows, wrongUsage},
		{"release a.csv --budget 4" + rows, wrongUsage},
		{"release a.csv --budget 4,1e-5 --label name" + rows, wrongUsage},
		{"release a.csv --budget 4,1e-5 --use a,b" + rows, wrongUsage},
		{"release a.csv --budget 4,1e-5 --method nystroem" + rows, wrongUsage},
		{"release a.csv --budget 4,1e-5 --ledger locked-ledger.json" + rows, failed},
		{"release a.csv --budget 4,1e-5 --kind mean --rows 301" + columns + typed, failed},
		{"ledger a.csv", failed},
		{"release a.csv --budget 4,1e-5 --public p.json" + rows, done},
		{"release a.csv --budget 5,1e-5" + rows, wrongUsage},
		{"release a.csv" + strings.Replace(rows, "--epsilon 1", "--epsilon 3.9", 1), wrongUsage},
		{"release a.csv --kind mean --rows 302 --json" + columns + typed, done},
		{"release b.csv --ledger a-ledger.json" + rows, wrongUsage},
		{"ledger a.csv", done},
		{"ledger renamed.csv", failed},
		{"ledger renamed.csv --load a-ledger.json", done},
		{"ledger renamed.csv --load b.csv", wrongUsage},
		{"ledger a.csv --reset --load a-ledger.json", wrongUsage},
		{"ledger a.csv --reset", done},
		{"ledger a.csv", failed},

		{"fit-private points.csv --budget 4,1e-5" + points, wrongUsage},
		{"fit-private points.csv --budget 4,1e-5 --classes inside,outside --unit-norm=false" + points, wrongUsage},
		{"fit-private points.csv --budget 4,1e-5 --classes inside,outside --range z=1" + points, wrongUsage},
		{"fit-private points.csv --budget 4,1e-5 --classes inside,outside --keep x" + points, wrongUsage},
		{"fit-private points.csv --budget 4,1e-5 --classes inside,outside --no-label" + points, wrongUsage},
		{"fit-private points.csv --budget 4,1e-5 --classes inside,outside --range z=0,1" + points, wrongUsage},
		{"fit-private points.csv --budget 4,1e-5 --task regress" + points, wrongUsage},
	} {
		r := call(t, folder, strings.NewReader(""), strings.Fields(c.call)...)
		golden.Say(t, string(rune('a'+i/26))+string(rune('a'+i%26))+" "+c.call, r.stderr+r.stdout)
		if r.status != c.status {
			t.Errorf("tensorsketch %s\n ended with %d, want %d; it said %s", c.call, r.status, c.status, r.stderr)
		}
	}
	if left := need.Value(filepath.Glob(filepath.Join(folder, "*.[tl]*")))(t); len(left) != 1 {
		t.Errorf("%q are left over", left)
	}
}

// TestLedgerKeepsItsPlace: no output takes the place of the ledger, which would forget what was spent. The ledger may
// be there or not, and have its usual name or another.
func TestLedgerKeepsItsPlace(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, "a.csv", noise.Table(300))
	write(t, folder, "points.csv", noise.Points(400))
	need.OK(t, os.Mkdir(filepath.Join(folder, "sub"), 0o777))
	const release = "release a.csv --kind rows --number a,b,c,d --radius 1 --components 16 --epsilon 1 --delta 1e-5" +
		" --budget 9,1e-5" + typed
	const fit = "fit-private points.csv --number x,y --range x=-1,1 --range y=-1,1 --label kind --components 16" +
		" --classes inside,outside --coef0 1 --seed 1 --epsilon 1 --delta 1e-5 --budget 9,1e-5" + typed
	refused := []struct{ output, more string }{
		{"-o", " --to csv -o a-ledger.json"},
		{"--public", " -o o.npy --public sub/../a-ledger.json"},
		{"--public", " -o o.npy --ledger l.json --public l.json"},
		{"-o", ""},
	}
	for range 2 {
		for _, c := range refused {
			args := release + c.more
			if c.more == "" {
				args = fit + " -o points-ledger.json"
			}
			want := "tensorsketch: " + c.output + " names the ledger, which adds up what releases cost; name another file\n"
			if r := call(t, folder, strings.NewReader(""), strings.Fields(args)...); r.status != wrongUsage || r.stderr != want {
				t.Errorf("tensorsketch %s\n ended with %d: %s%s", args, r.status, r.stdout, r.stderr)
			}
		}
		// Then again, with ledgers that are there.
		for _, args := range []string{release + " -o o.npy", release + " -o o.npy --ledger l.json", fit + " -o m.json"} {
			if r := call(t, folder, strings.NewReader(""), strings.Fields(args)...); r.status != done {
				t.Errorf("tensorsketch %s\n ended with %d: %s", args, r.status, r.stderr)
			}
		}
	}
}

// TestPrivateHelp: the help of a private verb names its own defaults, and does not say that anything is guessed.
func TestPrivateHelp(t *testing.T) {
	for _, verb := range []string{"release", "fit-private"} {
		help := call(t, t.TempDir(), nil, verb, "--help").stdout
		for _, wrong := range []string{"drop (default)", "guessed", "a first pass finds"} {
			if strings.Contains(help, wrong) {
				t.Errorf("%s --help says %q", verb, wrong)
			}
		}
		if !strings.Contains(help, "zero (default) or constant") {
			t.Errorf("%s --help does not say what a missing cell counts as", verb)
		}
	}
}

// TestLedgerByTwoNames: a ledger has one lock, also by another name that leads to it.
func TestLedgerByTwoNames(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, "a.csv", noise.Table(20))
	args := strings.Fields("release a.csv --kind rows --number a,b,c,d --radius 1 --components 16 --epsilon 1" +
		" --delta 1e-5 -o o.npy --budget 9,1e-5" + typed)
	mustCall(t, folder, nil, args...)
	if err := os.Symlink("a-ledger.json", filepath.Join(folder, "link.json")); err != nil {
		t.Skip("this system has no symbolic links for us: ", err)
	}
	args = append(args, "--ledger", "link.json")
	mustCall(t, folder, nil, args...)
	if l := mustCall(t, folder, nil, "ledger", "a.csv"); !strings.Contains(l.stdout, "2 releases") {
		t.Errorf("the ledger says %s", l.stdout)
	}
	write(t, folder, "a-ledger.json.lock", "")
	if r := call(t, folder, nil, args...); r.status != failed || !strings.Contains(r.stderr, "is at work") {
		t.Errorf("while another release has the ledger: status %d, %s", r.status, r.stderr)
	}
}
