package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tensorsketch.example/beam/embed"
	"tensorsketch.example/dataset"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
)

func TestMain(m *testing.M) {
	flag.Parse()
	log.LogLevel = "error"
	beam.Init()
	os.Exit(m.Run())
}

// one is the program of one machine, built from the main module.
var one string

// tensorsketch runs it.
func tensorsketch(t *testing.T, args ...string) {
	t.Helper()
	if one == "" {
		one = filepath.Join(os.TempDir(), "tensorsketch-of-beam-test")
		build := exec.Command("go", "build", "-o", one, "./cmd/tensorsketch")
		build.Dir = "../../.."
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		t.Cleanup(func() { os.Remove(one); one = "" })
	}
	if out, err := exec.Command(one, append(args, "--quiet")...).CombinedOutput(); err != nil {
		t.Fatalf("tensorsketch %q: %v: %s", args, err, out)
	}
}

// onBeam runs this program on Prism.
func onBeam(args ...string) error {
	flag.VisitAll(func(f *flag.Flag) {
		switch f.Name {
		case "model", "like", "o", "to", "moments", "alpha":
			f.Value.Set(f.DefValue)
		}
	})
	return run(context.Background(), parse(args))
}

func need(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func same(t *testing.T, what, got, want string) {
	t.Helper()
	a, err := os.ReadFile(got)
	need(t, err)
	b, err := os.ReadFile(want)
	need(t, err)
	if !bytes.Equal(a, b) {
		t.Errorf("%s: %s has %d bytes and %s has %d, and they differ", what, got, len(a), want, len(b))
	}
}

// files returns three files of one table in three formats, with rows that cannot be used, two of another as Parquet,
// and a folder for outputs.
func files(t *testing.T) (names, parquet []string, folder string) {
	folder = t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name) }
	const testdata = "../../../cmd/tensorsketch/testdata/"
	table, err := os.ReadFile(testdata + "rings.csv")
	need(t, err)
	need(t, os.WriteFile(path("a.csv"), append(table, "abc,1,2,inner\n0.5,,0,outer\n0.5,0.5,0,\n"...), 0o600))
	second, err := os.ReadFile(testdata + "rings-new.csv")
	need(t, err)
	var packed, lines bytes.Buffer
	w := gzip.NewWriter(&packed)
	w.Write(second)
	need(t, w.Close())
	need(t, os.WriteFile(path("b.csv.gz"), packed.Bytes(), 0o600))
	for _, line := range strings.Split(strings.TrimSpace(string(second)), "\n")[1:] {
		cells := strings.Split(line, ",")
		fmt.Fprintf(&lines, `{"x":%s,"y":%s,"height":%s,"ring":%q}`+"\n", plain(cells[0]), plain(cells[1]), plain(cells[2]),
			cells[3])
	}
	need(t, os.WriteFile(path("c.jsonl"), lines.Bytes(), 0o600))
	for _, name := range []string{"rings", "rings-new"} {
		tensorsketch(t, "transform", testdata+name+".csv", "--label", "ring", "--use", "x,y", "--components", "3", "-o",
			path(name+".parquet"))
		parquet = append(parquet, path(name+".parquet"))
	}
	return []string{path("a.csv"), path("b.csv.gz"), path("c.jsonl")}, parquet, folder
}

// plain returns a decimal number as JSON has it.
func plain(cell string) string {
	x, _ := dataset.ParseNumber([]byte(cell))
	return string(dataset.AppendNumber(nil, x))
}

// TestFit: cmd/tensorsketch writes the same bytes of the model and of the sums, for classes and for numbers, with rows
// scaled to length 1 or not, and in any order of the files.
func TestFit(t *testing.T) {
	mixed, parquet, folder := files(t)
	path := func(name string) string { return filepath.Join(folder, name) }
	for _, c := range []struct {
		name  string
		names []string
		flags []string
	}{
		{"classes", mixed, []string{"--label", "ring", "--use", "x,y", "--components", "64"}},
		{"lengths", mixed, []string{"--label", "ring", "--use", "x,y", "--components", "64", "--unit-norm=false",
			"--classes", "inner,outer"}},
		{"numbers", mixed, []string{"--label", "x", "--use", "y", "--components", "32", "--unit-norm=false"}},
		{"Parquet", parquet, []string{"--label", "ring", "--components", "32"}},
	} {
		fit := append(append([]string{"fit", "--moments"}, c.names...), append(c.flags, "--search", "off")...)
		tensorsketch(t, append(slices.Insert(slices.Clone(fit), 2, path("one.tsm")), "-o", path("one.json"))...)
		tensorsketch(t, append(slices.Insert(fit, 2, path("start.tsm")), "--no-rows")...)
		for range 2 {
			need(t, onBeam(append([]string{"fit", "--like", path("start.tsm"), "-o", path("beam.json"), "--moments",
				path("beam.tsm")}, c.names...)...))
			same(t, c.name, path("beam.json"), path("one.json"))
			same(t, c.name, path("beam.tsm"), path("one.tsm"))
			slices.Reverse(c.names)
		}
	}
}

// TestEmbed: cmd/tensorsketch writes the same bytes of features, in every format that has a place for the label.
func TestEmbed(t *testing.T) {
	names, _, folder := files(t)
	path := func(name string) string { return filepath.Join(folder, name) }
	tensorsketch(t, "fit", names[0], "--label", "ring", "--use", "x,y", "--components", "64", "--search", "off", "-o",
		path("model.json"))
	for _, format := range []string{"csv", "jsonl", "npy", "parquet", "arrow"} {
		need(t, onBeam("embed", path("[ab].csv*"), names[2], "--model", path("model.json"), "--to", format, "-o",
			path("out")))
		for _, name := range names {
			tensorsketch(t, "transform", name, "--model", path("model.json"), "-o", path("one."+format))
			same(t, format, embed.OutputName(path("out"), name, dataset.Format(format)), path("one."+format))
		}
	}
}

// TestFaults: calls and files that are wrong are refused, and an earlier output stays.
func TestFaults(t *testing.T) {
	names, _, folder := files(t)
	path := func(name string) string { return filepath.Join(folder, name) }
	need(t, os.WriteFile(path("model.json"), []byte("earlier"), 0o600))
	tensorsketch(t, "fit", names[1], "--label", "ring", "--use", "x,y", "--components", "8", "--no-rows", "--search",
		"off", "--missing", "refuse", "--moments", path("start.tsm"))
	for _, c := range []struct {
		args    []string
		want    string
		isUsage bool
	}{
		{[]string{"fit"}, "name a verb", true},
		{[]string{"learn", names[0], "-o", "x"}, "no verb", true},
		{[]string{"fit", names[0], "-o", path("model.json")}, "--like", true},
		{[]string{"embed", names[0], "-o", path("out"), "--model", "x", "--to", "xlsx"}, "--to", true},
		{[]string{"fit", path("*.none"), "-o", path("model.json"), "--like", path("start.tsm")}, "no such files", false},
		{[]string{"fit", names[0], "-o", path("model.json"), "--like", names[0]}, "model: ", false},
		{[]string{"fit", names[0], "-o", path("model.json"), "--like", path("start.tsm")},
			names[0] + `, line 303, column "y": the cell is missing`, false},
		{[]string{"embed", names[0], names[0], "-o", path("out"), "--model", "x"}, "two folders", false},
	} {
		err := onBeam(c.args...)
		if err == nil || !strings.Contains(cause(err), c.want) || errors.As(err, new(usageError)) != c.isUsage {
			t.Errorf("%q: %v, want %q", c.args, err, c.want)
		}
	}
	left, err := filepath.Glob(path("model.json*"))
	need(t, err)
	if text, err := os.ReadFile(path("model.json")); err != nil || string(text) != "earlier" || len(left) != 1 {
		t.Errorf("after errors the model is %q, beside %q (%v)", text, left, err)
	}
}

var (
	jobServer = flag.String("jobserver", "", "`ADDRESS` to submit to, as of Flink's; by default a Prism of its own")
	boot      = flag.String("boot", "", "`PROGRAM` of the server that starts a worker; by default one built here")
)

// build compiles a program of Beam's Go SDK, or this one.
func build(t *testing.T, folder, name, what string) string {
	t.Helper()
	program := filepath.Join(folder, name)
	if out, err := exec.Command("go", "build", "-o", program, what).CombinedOutput(); err != nil {
		t.Fatalf("go build %s: %v\n%s", what, err, out)
	}
	return program
}

// TestJobServer submits to a job server in another process, whose workers are processes of their own. The model has the
// bytes of one machine. When a row is at fault, the command says so, and the earlier model stays.
func TestJobServer(t *testing.T) {
	names, _, folder := files(t)
	path := func(name string) string { return filepath.Join(folder, name) }
	program := build(t, folder, "tensorsketch-beam", ".")
	server, starter := *jobServer, *boot
	if starter == "" {
		starter = build(t, folder, "boot", "github.com/apache/beam/sdks/v2/go/container")
	}
	if server == "" {
		// Prism 2.77.0 quotes the id of a worker, without a shell that would take the quotes away.
		unquoted := path("boot.sh")
		need(t, os.WriteFile(unquoted, []byte("#!/bin/bash\nexec "+starter+` "${@//\'/}"`+"\n"), 0o700))
		starter = unquoted
		server = startPrism(t, build(t, folder, "prism", "github.com/apache/beam/sdks/v2/go/cmd/prism"))
	}
	submit := func(start string) (string, error) {
		args := append([]string{"fit", "--like", path(start), "-o", path("beam.json"), "--runner=universal",
			"--endpoint=" + server, "--environment_type=PROCESS",
			"--environment_config=" + fmt.Sprintf(`{"command":%q}`, starter)}, names...)
		ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute) // Prism waits for ever for its workers
		defer cancel()
		out, err := exec.CommandContext(ctx, program, args...).CombinedOutput()
		return string(out), err
	}
	options := append([]string{"fit"}, append(slices.Clone(names), "--label", "ring", "--use", "x,y", "--components", "64",
		"--search", "off", "--moments")...)
	tensorsketch(t, append(slices.Clone(options), path("one.tsm"), "-o", path("one.json"))...)
	tensorsketch(t, append(slices.Clone(options), path("start.tsm"), "--no-rows")...)
	if out, err := submit("start.tsm"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	same(t, "job server", path("beam.json"), path("one.json"))
	tensorsketch(t, "fit", names[1], "--label", "ring", "--use", "x,y", "--components", "8", "--no-rows", "--search",
		"off", "--missing", "refuse", "--moments", path("refuse.tsm"))
	if out, err := submit("refuse.tsm"); err == nil || !strings.Contains(out, "the cell is missing") {
		t.Errorf("%v, want an error about a missing cell:\n%s", err, out)
	}
	same(t, "after a fault", path("beam.json"), path("one.json"))
}

// startPrism starts Prism as a job server until the test ends, and returns its address.
func startPrism(t *testing.T, program string) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	need(t, err)
	_, port, err := net.SplitHostPort(l.Addr().String())
	need(t, err)
	need(t, l.Close())
	prism := exec.Command(program, "--job_port="+port, "--serve_http=false", "--log_level=error")
	need(t, prism.Start())
	t.Cleanup(func() {
		prism.Process.Kill()
		prism.Wait() // whose error is the signal
	})
	return "localhost:" + port
}
