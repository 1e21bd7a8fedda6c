//go:build !js

package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/sketch/model"
	"tensorsketch.example/test/cases"
	"tensorsketch.example/test/golden"
	"tensorsketch.example/test/need"
)

// program is the built program, which the tests run as its users do.
var program string

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "tensorsketch-test-*")
	if err == nil {
		program = filepath.Join(folder, "tensorsketch")
		if runtime.GOOS == "windows" {
			program += ".exe"
		}
		var out []byte
		if out, err = exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
			err = fmt.Errorf("go build: %w\n%s", err, out)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := m.Run()
	os.RemoveAll(folder)
	os.Exit(status)
}

// A result is what a call of the program gave.
type result struct {
	stdout, stderr string
	status         int
}

// call runs the program in a folder.
func call(t *testing.T, folder string, stdin io.Reader, args ...string) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	c := exec.Command(program, args...)
	c.Dir, c.Stdin, c.Stdout, c.Stderr = folder, stdin, &stdout, &stderr
	if err := c.Run(); err != nil && c.ProcessState == nil {
		t.Fatal(err)
	}
	return result{stdout.String(), stderr.String(), c.ProcessState.ExitCode()}
}

// mustCall is call for what must end with status 0.
func mustCall(t *testing.T, folder string, stdin io.Reader, args ...string) result {
	t.Helper()
	r := call(t, folder, stdin, args...)
	if r.status != done {
		t.Fatalf("tensorsketch %q ended with %d:\n%s", args, r.status, r.stderr)
	}
	return r
}

func write(t *testing.T, folder, name, content string) {
	t.Helper()
	need.OK(t, os.WriteFile(filepath.Join(folder, name), []byte(content), 0o644))
}

func read(t *testing.T, name string) string {
	t.Helper()
	return string(need.Value(os.ReadFile(name))(t))
}

// samples returns a folder with the files of testdata and some bad ones.
func samples(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	for _, name := range []string{"rings.csv", "rings-new.csv"} {
		write(t, folder, name, read(t, filepath.Join("testdata", name)))
	}
	for _, name := range []string{"model.json", "new-rows.csv"} {
		write(t, folder, name, read(t, filepath.Join("..", "..", "dataset", "testdata", name)))
	}
	write(t, folder, "odd.csv", "a,b,label\n1,2,x\n3,4\n5,oops,y\n7,,x\n9,1,y\n")
	write(t, folder, "empty.csv", "")
	write(t, folder, "other.csv", "y,x,ring\n1,2,inner\n")
	return folder
}

// Each call, its exit status and all of what it says.
func TestCalls(t *testing.T) {
	folder := samples(t)
	for _, c := range []struct {
		call   string
		status int
	}{
		{"transform rings.csv --label ring -o o.npy", done},
		{"transform -o o.npy rings.csv --label=ring", done},
		{"transform --label ring -o o.npy -- rings.csv", done},
		{"transform rings.csv -o o.npy", done},
		{"transform odd.csv --label label -o o.npy --components 3", done},
		{"transform odd.csv --quiet -o o.npy --components 3", done},

		{"transform rings.csv --quiet --header false --label ring", wrongUsage},
		{"transform rings.csv --quiet --ignore x,y,height --label ring", failed},
		{"transform rings.csv --skip two", wrongUsage},
		{"transform rings.csv --comment !", wrongUsage},

		{"transform", wrongUsage},
		{"transfrom rings.csv", wrongUsage},
		{"transform rings.csv --componets 3", wrongUsage},
		{"transform rings.csv --components", wrongUsage},
		{"transform rings.csv --components 0", wrongUsage},
		{"transform rings.csv --gamma none", wrongUsage},
		{"transform rings.csv --quiet --degree 65", wrongUsage},
		{"transform rings.csv --quiet --coef0 -1", wrongUsage},
		{"transform rings.csv --normalize kernle", wrongUsage},
		{"transform rings.csv --quiet --param order=3", wrongUsage},
		{"transform rings.csv --param oder=3", wrongUsage},
		{"transform rings.csv --unit-norm=maybe", wrongUsage},
		{"transform rings.csv --decimal ;", wrongUsage},
		{"transform rings.csv --delimiter tab --format libsvm", wrongUsage},
		{"transform rings.csv --scaling minmax", wrongUsage},
		{"transform rings.csv --missing constant", wrongUsage},
		{"transform rings.csv --label rign", wrongUsage},
		{"transform rings.csv --label ring --keep x,ring", wrongUsage},
		{"transform rings.csv -o o.xls", wrongUsage},
		{"transform rings.csv --quiet --row-numbers -o o.npy", wrongUsage},
		{"transform rings.csv --model model.json --degree 3", wrongUsage},
		{"transform - -", wrongUsage},

		{"transform none.csv", failed},
		{"transform . -o o.npy", failed},
		{"transform empty.csv", failed},
		{"transform rings.csv --quiet -o none/o.npy", failed},
		{"transform rings.csv --quiet -o .", failed},
		{"transform odd.csv --label label --missing refuse", failed},
		{"transform odd.csv --label label -o o.libsvm", failed},
		{"transform rings.csv --quiet --method spherical --coef0 0", failed},
		{"transform rings.csv --model rings.csv", failed},
		{"transform rings.csv --model model.json", failed},
		{"transform rings.csv other.csv --use x,y --label ring", failed},

		{"plan rings.csv --quiet --error 0", wrongUsage},
		{"plan --error 0.1", wrongUsage},
		{"plan --features 10 --error 0.1 --components 8", wrongUsage},
		{"plan rings.csv --features 10", wrongUsage},
		{"plan --features 10 --cosine 2", wrongUsage},
		{"plan --features 10 --methods tensor-sketch,tensor", wrongUsage},
	} {
		r := call(t, folder, strings.NewReader(""), strings.Fields(c.call)...)
		golden.Say(t, c.call, r.stderr)
		if r.status != c.status || r.status != done && r.stdout != "" {
			t.Errorf("tensorsketch %s\n ended with %d, want %d; it said %s", c.call, r.status, c.status, r.stderr)
		}
	}
	if left := need.Value(filepath.Glob(filepath.Join(folder, "*.tmp*")))(t); len(left) > 0 {
		t.Errorf("%q are left over", left)
	}
}

// The help names every verb, and the help of a verb every flag and a call that works.
func TestHelp(t *testing.T) {
	folder := samples(t)
	whole := mustCall(t, folder, nil, "--help")
	if again := mustCall(t, folder, nil, "help"); again != whole || whole.stderr != "" {
		t.Errorf("help and --help differ, or said %q", whole.stderr)
	}
	if r := call(t, folder, nil); r.status != wrongUsage || r.stderr != whole.stdout {
		t.Errorf("no verb: status %d, and on standard error %q", r.status, r.stderr)
	}
	for _, v := range verbs {
		if !strings.Contains(whole.stdout, "  "+v.name+" ") {
			t.Errorf("the help does not name %s", v.name)
		}
		text := mustCall(t, folder, nil, v.name, "--help").stdout
		if again := mustCall(t, folder, nil, "help", v.name).stdout; again != text {
			t.Errorf("help %s is not %s --help", v.name, v.name)
		}
		f := newFlags(&v)
		v.prepare(f)
		for _, name := range f.names() {
			if !regexp.MustCompile(`(?m)^  ` + name + `\b.* \S+`).MatchString(text) {
				t.Errorf("the help for %s does not explain %s", v.name, name)
			}
		}
		if !strings.Contains(text, "\nExample: tensorsketch "+v.name+" ") {
			t.Errorf("the help for %s has no example", v.name)
		}
	}
}

// TestExamplesOfTheHelp: the example in the help of each verb runs, one after another in a folder with its files.
func TestExamplesOfTheHelp(t *testing.T) {
	folder := t.TempDir()
	rows := strings.SplitAfterN(read(t, filepath.Join("testdata", "rings.csv")), "\n", 102)
	table := strings.Replace(strings.Join(rows[:101], ""), ",ring\n", ",digit\n", 1)
	for _, name := range []string{"digits.csv", "new.csv", "test.csv", "january.csv", "february.csv"} {
		write(t, folder, name, table)
	}
	var people strings.Builder
	for i := range 900 {
		fmt.Fprintf(&people, "{\"age\":%d,\"height\":%.2f,\"ill\":%q}\n", i%97, 1+float64(i%89)/100,
			[]string{"no", "yes"}[i%2])
	}
	write(t, folder, "people.jsonl", people.String())
	for _, made := range []string{"fit digits.csv --label digit --moments part1.tsm --components 64",
		"fit digits.csv --like part1.tsm --moments part2.tsm",
		"transform digits.csv --label digit --components 64 -o o.npy --save-model map.json"} {
		mustCall(t, folder, nil, strings.Fields(made)...)
	}
	for _, help := range append(verbNames(), "") {
		text := mustCall(t, folder, nil, strings.Fields(help+" --help")...).stdout
		example := regexp.MustCompile(`(?m)^Example: tensorsketch (.*)$`).FindStringSubmatch(text)
		if example == nil {
			t.Fatalf("%s --help has no example", help)
		}
		if r := call(t, folder, nil, strings.Fields(example[1])...); r.status != done {
			t.Errorf("the example in %s --help ends with status %d: %s\n%s", help, r.status, example[1], r.stderr)
		}
	}
}

// A model file of the page and of Go gives the features whose digest dataset/testdata has.
func TestModelOfThePage(t *testing.T) {
	folder := samples(t)
	features := mustCall(t, folder, nil, "transform", "new-rows.csv", "--model", "model.json", "--to", "npy").stdout
	digest := sha256.Sum256([]byte(features[npyHeader:]))
	want := strings.TrimSpace(read(t, "../../dataset/testdata/new-rows.sha256"))
	if got := hex.EncodeToString(digest[:]); got != want {
		t.Errorf("the features have digest %s, want %s", got, want)
	}
}

// A model file that the program wrote gives packages model and dataset the same features, and itself too.
func TestModelForGo(t *testing.T) {
	folder := samples(t)
	file := func(name string) string { return filepath.Join(folder, name) }
	for _, flags := range []string{"", "--method nystroem --scaling standard", "--category ring --no-label --repeats 3",
		"--method random-maclaurin --param distribution=gaussian --param h01=true --unit-norm --use 1,2"} {
		args := append([]string{"transform", "rings.csv", "--quiet", "--components", "8", "--coef0", "1", "--seed", "five",
			"--save-model", "m.json", "--to", "npy"}, strings.Fields(flags)...)
		made := mustCall(t, folder, nil, args...).stdout
		Z := features(t, file("m.json"), file("rings.csv"))
		var want bytes.Buffer
		need.OK(t, binary.Write(&want, binary.LittleEndian, Z))
		if got := made[npyHeader:]; got != want.String() {
			t.Errorf("%s: the features are not package sketch's", flags)
		}
		again := mustCall(t, folder, nil, "transform", "rings.csv", "--model", "m.json", "--to", "npy")
		if again.stdout != made {
			t.Errorf("%s: the features by the model file differ", flags)
		}
	}
}

const npyHeader = 128

// features returns the features that packages model and dataset make of a file.
func features(t *testing.T, modelFile, name string) (Z []float32) {
	t.Helper()
	text := []byte(read(t, modelFile))
	m, p := need.Value(model.Unmarshal(text))(t), need.Value(dataset.FromModel(text))(t)
	content := bytes.NewReader([]byte(read(t, name)))
	layout := need.Value(p.SniffFile(name, content, columns.Reading{}))(t)
	layout = need.Value(p.Apply(layout))(t)
	reader := need.Value(dataset.NewReader(need.Value(layout.Open(content))(t), p))(t)
	var batch dataset.Batch
	for {
		err := reader.Next(&batch)
		if err == io.EOF {
			return Z
		}
		need.OK(t, err)
		Z = append(Z, need.Value(m.TransformBatch(nil, batch.Dense))(t)...)
	}
}

// A file, a pipe, a redirected file, a compressed pipe and a file under another name give the same bytes.
func TestPipes(t *testing.T) {
	folder := samples(t)
	args := []string{"--label", "ring", "--components", "16", "--to", "npy"} // needs a first pass
	rings := read(t, "testdata/rings.csv")
	want := mustCall(t, folder, nil, append([]string{"transform", "rings.csv"}, args...)...).stdout
	if len(want) != npyHeader+300*16*4 {
		t.Fatalf("%d bytes", len(want))
	}
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	io.WriteString(w, rings)
	w.Close()
	file := need.Value(os.Open(filepath.Join(folder, "rings.csv")))(t)
	defer file.Close()
	for name, stdin := range map[string]io.Reader{"a pipe": strings.NewReader(rings), "a redirected file": file,
		"a gzip pipe": &zipped} {
		if got := mustCall(t, folder, stdin, append([]string{"transform", "-"}, args...)...).stdout; got != want {
			t.Errorf("%s gives other features", name)
		}
	}
	mustCall(t, folder, nil, append([]string{"transform", "rings.csv", "-o", "o.npy"}, args...)...)
	if read(t, filepath.Join(folder, "o.npy")) != want {
		t.Error("-o gives other features")
	}
	for _, format := range []string{"parquet", "arrow"} { // which are not read from front to back
		mustCall(t, folder, nil, "transform", "rings.csv", "--label", "ring", "-o", "f."+format)
		args := []string{"transform", "-", "--label", "ring", "--to", "npy"}
		got := mustCall(t, folder, strings.NewReader(read(t, filepath.Join(folder, "f."+format))), args...).stdout
		args[1] = "f." + format
		if got != mustCall(t, folder, nil, args...).stdout {
			t.Errorf("%s by a pipe gives other features", format)
		}
	}
}

// A pipe is read only as far as its rows are written: the first rows come before the last are there.
func TestPipeStreams(t *testing.T) {
	folder := samples(t)
	mustCall(t, folder, nil, "transform", "rings.csv", "--quiet", "--components", "4", "--save-model", "m.json", "-o",
		"o.csv")
	c := exec.Command(program, "transform", "-", "--model", "m.json")
	c.Dir = folder
	stdin, stdout := need.Value(c.StdinPipe())(t), need.Value(c.StdoutPipe())(t)
	need.OK(t, c.Start())
	rings := read(t, "testdata/rings.csv")
	head, rows, _ := strings.Cut(rings, "\n")
	written := make(chan error)
	go func() { // the end does not come before the first rows are out
		_, err := io.WriteString(stdin, head+"\n"+strings.Repeat(rows, 200))
		written <- err
	}()
	first := make([]byte, 1000)
	_, err := io.ReadFull(stdout, first)
	need.OK(t, err)
	want := read(t, filepath.Join(folder, "o.csv"))[:len(first)]
	if string(first) != want {
		t.Errorf("the pipe begins with\n%s\nwant\n%s", first, want)
	}
	go func() {
		if err := <-written; err != nil {
			t.Error(err)
		}
		stdin.Close()
	}()
	rest := need.Value(io.ReadAll(stdout))(t)
	need.OK(t, c.Wait())
	if got := 1 + 300*200; bytes.Count(append(first, rest...), []byte("\n")) != got {
		t.Errorf("%d lines, want %d", bytes.Count(append(first, rest...), []byte("\n")), got)
	}
}

// Several files give the rows of one, with what all of them teach; a model reads columns in any order.
func TestParts(t *testing.T) {
	folder := samples(t)
	rings, more := read(t, "testdata/rings.csv"), read(t, "testdata/rings-new.csv")
	_, rows, _ := strings.Cut(more, "\n")
	write(t, folder, "both.csv", rings+rows)
	args := []string{"--label", "ring", "--components", "16", "--save-model"}
	one := mustCall(t, folder, nil, append([]string{"transform", "both.csv"}, append(args, "one.json")...)...)
	two := mustCall(t, folder, nil, append([]string{"transform", "rings.csv", "rings-new.csv"}, append(args,
		"two.json")...)...)
	if one.stdout != two.stdout || strings.Count(one.stdout, "\n") != 401 {
		t.Error("two files give other features than one")
	}
	if read(t, filepath.Join(folder, "one.json")) != read(t, filepath.Join(folder, "two.json")) {
		t.Error("two files give another model than one")
	}
	write(t, folder, "turned.csv", "ring,height,y,x\nouter,3,2,1\n")
	write(t, folder, "straight.csv", "x,y,height\n1,2,3\n")
	turned := mustCall(t, folder, nil, "transform", "turned.csv", "straight.csv", "--model", "one.json").stdout
	lines := strings.Split(turned, "\n")
	if len(lines) != 4 || strings.TrimPrefix(lines[1], "outer") != lines[2] {
		t.Errorf("columns in another order, and without the label, give\n%s", turned)
	}
}

// What is written in each format is read back as the same table.
func TestFormats(t *testing.T) {
	folder := samples(t)
	args := []string{"transform", "rings.csv", "--label", "ring", "--components", "6", "-o"}
	mustCall(t, folder, nil, append(args, "o.csv")...)
	again := func(name string) string {
		r := mustCall(t, folder, nil, "transform", name, "--quiet", "--scaling", "none", "--components", "4", "--to", "npy")
		return r.stdout
	}
	want := again("o.csv")
	if len(want) != npyHeader+300*4*4 {
		t.Fatalf("%d bytes", len(want))
	}
	for _, format := range columns.FormatNames(true) {
		if format == "libsvm" {
			args = append(args[:2], "--no-label", "--ignore", "ring", "--components", "6", "-o")
		}
		mustCall(t, folder, nil, append(args, "o."+format)...)
		got := again("o." + format)
		if format == "libsvm" {
			mustCall(t, folder, nil, append(args, "o.csv")...)
			if want := again("o.csv"); got != want {
				t.Errorf("%s is read back as another table", format)
			}
			args = []string{"transform", "rings.csv", "--label", "ring", "--components", "6", "-o"}
		} else if got != want {
			t.Errorf("%s is read back as another table", format)
		}
	}
	mustCall(t, folder, nil, append(args, "o.npy", "--cells", "cells.csv")...)
	lines := strings.Split(read(t, filepath.Join(folder, "cells.csv")), "\n")
	if lines[0] != "row,ring" || lines[1] != "2,inner" && lines[1] != "2,outer" || len(lines) != 302 {
		t.Errorf("the cells are %q … in %d lines", lines[:2], len(lines))
	}
}

// Results and errors as JSON go where rows do not.
func TestJSON(t *testing.T) {
	folder := samples(t)
	type reply struct {
		Rows, Unused, NFeatures, NComponents int64
		Answers                              []struct{ Method string }
		Error                                struct {
			Message, File, Place, What, Remedy string
			Line                               int
		}
	}
	parse := func(text string) (r reply) {
		t.Helper()
		if err := json.Unmarshal([]byte(text), &r); err != nil || strings.Count(text, "\n") != 1 {
			t.Errorf("%q is no line of JSON: %v", text, err)
		}
		return r
	}
	r := mustCall(t, folder, nil, "transform", "odd.csv", "--json", "--components", "3", "-o", "o.npy")
	got := parse(r.stdout)
	if r.stderr != "" || got.Rows != 2 || got.Unused != 3 || got.NFeatures != 2 || got.NComponents != 3 {
		t.Errorf("%+v, and on standard error %q", got, r.stderr)
	}
	r = mustCall(t, folder, nil, "transform", "odd.csv", "--json", "--components", "3")
	if got := parse(r.stderr); got.Rows != 2 || !strings.HasPrefix(r.stdout, "label,f0,f1,f2\n") {
		t.Errorf("%+v, and on standard output %q", got, r.stdout)
	}
	r = call(t, folder, nil, "transform", "odd.csv", "--json", "--missing", "refuse")
	if got := parse(r.stderr).Error; r.status != failed || got.File != "odd.csv" || got.Line != 5 ||
		got.Place != `column "b"` || got.What != "the cell is missing" || got.Remedy == "" || got.Message == "" {
		t.Errorf("status %d, %+v", r.status, got)
	}
	r = mustCall(t, folder, nil, "plan", "rings.csv", "--json", "--error", "0.1", "--methods", "tensor-sketch")
	if got := parse(r.stdout); got.Rows != 300 || len(got.Answers) != 1 || got.Answers[0].Method != "tensor-sketch" {
		t.Errorf("%+v", got)
	}
}

// TestErrorsInJSON: with --json a wrong call is one line of JSON, wherever the flag stands in it.
func TestErrorsInJSON(t *testing.T) {
	for _, c := range []struct {
		call   string
		isJSON bool
	}{
		{"fit --json rings.csv --labl ring", true},
		{"fit rings.csv --labl ring --json", true},
		{"fit rings.csv --components none --json=true", true},
		{"fit rings.csv --json --components", true},
		{"transfrom rings.csv --json", true},
		{"fit rings.csv --labl ring", false},
		{"fit rings.csv --labl ring --json=false", false},
		{"fit rings.csv --labl ring -- --json", false},
	} {
		r := call(t, ".", nil, strings.Fields(c.call)...)
		var got struct{ Error struct{ Message string } }
		err := json.Unmarshal([]byte(r.stderr), &got)
		if r.status != wrongUsage || (err == nil && got.Error.Message != "") != c.isJSON {
			t.Errorf("tensorsketch %s\n ended with %d and said %s", c.call, r.status, r.stderr)
		}
	}
}

// Ctrl-C ends the program, and an error half way does: the output is then what it was before.
func TestNothingHalfWritten(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a program there gets no interrupt from another")
	}
	folder := samples(t)
	write(t, folder, "o.csv", "as it was")
	mustCall(t, folder, nil, "transform", "rings.csv", "--quiet", "--save-model", "m.json", "-o", "-")
	unharmed := func(when string) {
		t.Helper()
		if got := read(t, filepath.Join(folder, "o.csv")); got != "as it was" {
			t.Errorf("%s: o.csv is now %.40q", when, got)
		}
		if left := need.Value(filepath.Glob(filepath.Join(folder, "*.tmp*")))(t); len(left) > 0 {
			t.Errorf("%s: %q are left over", when, left)
		}
	}
	stops := []os.Signal{os.Interrupt}
	if closed := syscall.Signal(1); !signal.Ignored(closed) { // nohup has it ignored, in the program of the test, too
		stops = append(stops, closed)
	}
	for _, stop := range stops {
		c := exec.Command(program, "transform", "-", "--model", "m.json", "-o", "o.csv")
		c.Dir = folder
		var stderr bytes.Buffer
		c.Stderr = &stderr
		stdin := need.Value(c.StdinPipe())(t)
		need.OK(t, c.Start())
		_, err := io.WriteString(stdin, strings.Repeat(read(t, "testdata/rings.csv"), 50)) // 300 KB, and the end is to come
		need.OK(t, err)
		for begun := time.Now(); ; time.Sleep(5 * time.Millisecond) {
			if made, _ := filepath.Glob(filepath.Join(folder, "*.tmp*")); len(made) > 0 {
				break
			} else if time.Since(begun) > time.Minute {
				t.Fatal("the output was not begun within a minute")
			}
		}
		need.OK(t, c.Process.Signal(stop))
		err = c.Wait()
		if got := stderr.String(); c.ProcessState.ExitCode() != failed || got !=
			"tensorsketch: stopped, and no output was written\n" {
			t.Errorf("%v: %v, %q", stop, err, got)
		}
		unharmed(stop.String())
		stdin.Close()
	}

	write(t, folder, "late.csv", read(t, "testdata/rings.csv")+",1,2,inner\n")
	r := call(t, folder, nil, "transform", "late.csv", "--quiet", "--missing", "refuse", "--scaling", "none", "-o",
		"o.csv")
	if want := `tensorsketch: late.csv, line 302, column "x": the cell is missing; fill it, or set --missing ` +
		"to mean or zero.\n"; r.status != failed || r.stderr != want {
		t.Errorf("a bad row at the end: status %d, %q", r.status, r.stderr)
	}
	unharmed("a bad row at the end")
	mustCall(t, folder, nil, "transform", "rings.csv", "--quiet", "-o", "o.csv")
	if got := read(t, filepath.Join(folder, "o.csv")); !strings.HasPrefix(got, "ring,f0,") {
		t.Errorf("a good call: o.csv is %.40q", got)
	}
}

// TestFullDisk: what could not be written, to a file or to standard output, is an error in the words of the call, and
// nothing is left.
func TestFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no /dev/full")
	}
	folder := samples(t)
	mustCall(t, folder, nil, "fit", "rings.csv", "--quiet", "--label", "ring", "--components", "16", "-o", "m.json")
	full := need.Value(os.OpenFile("/dev/full", os.O_WRONLY, 0))(t)
	defer full.Close()
	for _, args := range []string{"evaluate rings.csv --model m.json", "predict rings.csv --model m.json", "--help",
		"fit rings.csv --label ring --components 16 -o n.json", "plan rings.csv --label ring --error 1 --json"} {
		var stderr bytes.Buffer
		c := exec.Command(program, strings.Fields(args)...)
		c.Dir, c.Stdout, c.Stderr = folder, full, &stderr
		err := c.Run()
		const want = "standard output: it could not be written: no space left on device"
		if c.ProcessState.ExitCode() != failed || !strings.Contains(stderr.String(), want) {
			t.Errorf("%s: %v, %q", args, err, stderr.String())
		}
	}
	const limited = `ulimit -f 8; trap '' XFSZ; exec "$0" transform rings.csv --quiet --method random-fourier -o o.csv`
	var stderr bytes.Buffer
	c := exec.Command("sh", "-c", limited, program)
	c.Dir, c.Stderr = folder, &stderr
	if err := c.Run(); stderr.String() != "tensorsketch: o.csv: it could not be written: file too large\n" {
		t.Errorf("a file that grows too large: %v, %q", err, stderr.String())
	}
	if left := need.Value(filepath.Glob(filepath.Join(folder, "o.csv*")))(t); len(left) > 0 {
		t.Errorf("%q are there", left)
	}
}

// TestOutputsAreTried: what cannot be written is said before the work, and before a private release spends anything. No
// output takes the place of the rows, or of another output.
func TestOutputsAreTried(t *testing.T) {
	folder := samples(t)
	mustCall(t, folder, nil, "transform", "rings.csv", "--quiet", "--number", "x,y", "--save-model", "m.json", "-o", "-")
	private := strings.Fields("rings.csv --format=csv --header=true --compression=none --encoding=utf-8 --delimiter=, " +
		"--quote=none --decimal=. --thousands=none --dates=iso --number=x,y --components=64 --delta=1e-5 --epsilon=1 " +
		"--budget=4,1e-5")
	mean := append(slices.Clone(private), "--kind=mean", "--rows=300", "--radius=1")
	absent := " no/o.csv: no such file or directory"
	if runtime.GOOS == "windows" {
		absent = " no/o.csv: "
	}
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{append([]string{"fit-private", "--label=ring", "--classes=inner,outer", "-o", "no/o.csv"}, private...), failed,
			absent},
		{append([]string{"release", "-o", "mean.npy", "--public", "no/o.csv"}, mean...), failed, absent},
		{strings.Fields("fit - --label ring -o no/o.csv"), failed, absent},
		{strings.Fields("fit rings.csv --label ring --moments a.tsm -o ./a.tsm"), wrongUsage,
			" -o and --moments name one file; give each its own"},
		{strings.Fields("transform rings.csv --model m.json -o ./m.json"), wrongUsage,
			" --model and -o name one file; give each its own"},
		{strings.Fields("fit --from rings.csv -o rings.csv"), wrongUsage,
			" --from and -o name one file; give each its own"},
		{strings.Fields("fit rings.csv --label ring --moments rings.csv"), wrongUsage,
			" --moments names rings.csv, whose rows are read; name another file"},
		{strings.Fields("transform rings.csv --model m.json -o ./rings.csv"), wrongUsage,
			" -o names ./rings.csv, whose rows are read; name another file"},
	} {
		r := call(t, folder, nil, c.args...)
		if r.status != c.status || !strings.HasPrefix(r.stderr, "tensorsketch:"+c.want) {
			t.Errorf("%q: status %d, %s", c.args, r.status, r.stderr)
		}
	}
	if got := read(t, filepath.Join(folder, "rings.csv")); got != read(t, "testdata/rings.csv") {
		t.Errorf("the rows are now %.40q", got)
	}
	for _, pattern := range []string{"*ledger*", "*.tmp*", "*.npy", "*.tsm"} {
		if left := need.Value(filepath.Glob(filepath.Join(folder, pattern)))(t); len(left) > 0 {
			t.Errorf("%q are there", left)
		}
	}
}

// Files that other programs wrote, from the folder of shared data.
func TestSharedFiles(t *testing.T) {
	folder := t.TempDir()
	for _, c := range []struct {
		file, flags string
		rows        int
		d           int
	}{
		{"digits.csv", "", 5620, 64},
		{"a9a.t.libsvm.gz", "", 16281, 122},
		{"basehock.libsvm.gz", "", 1993, 4862},
		{"mnist-t10k-images-idx3-ubyte.gz", "", 10000, 784},
		{"usps-zip.test.gz", "--label 1 --header false", 2007, 256},
		{"covtype20k.csv.gz", "--label 55", 20000, 54},
	} {
		path := cases.Data(t, c.file)
		file := need.Value(os.Open(path))(t)
		defer file.Close()
		args := append([]string{"transform", path, "--components", "16", "--quiet", "--json", "--save-model", "m.json", "-o",
			"o.parquet"}, strings.Fields(c.flags)...)
		r := mustCall(t, folder, nil, args...)
		for _, want := range []string{fmt.Sprintf(`"nFeatures":%d,`, c.d), fmt.Sprintf(`"rows":%d,`, c.rows), `"unused":0}`} {
			if !strings.Contains(r.stdout, want) {
				t.Errorf("%s: got %s, want %s", c.file, r.stdout, want)
			}
		}
		piped := exec.Command(program, "transform", "-", "--model", "m.json", "-o", "piped.parquet")
		piped.Dir, piped.Stdin = folder, io.MultiReader(file) // not a file, so that there is a pipe
		if out, err := piped.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v, %s", c.file, err, out)
		}
		if read(t, filepath.Join(folder, "o.parquet")) != read(t, filepath.Join(folder, "piped.parquet")) {
			t.Errorf("%s gives other features by a pipe and the model", c.file)
		}
	}
}
