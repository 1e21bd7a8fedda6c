//go:build !js

// Package engines fits a model on clusters of loopback, with Python's package or Beam's pipelines in their workers, and
// kills a worker half way: the model file has the bytes of the command line's. They take minutes, so `soak` runs them.
package engines

import (
	"bytes"
	"encoding/json"
	"flag"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"tensorsketch.example/test/need"
)

const (
	repo  = "../.."
	parts = 12
)

var long = flag.Bool("long", false, "start clusters")

// A cluster's work is a table in parts, and the sums and the model that the command line makes of them.
type work struct {
	folder  string // start.tsm, one.json and part-*, and what the test adds
	python  string
	library string // the folder with the shell, and the wheel
	rows    int    // of all parts
	env     []string
}

// needJava skips the test without -long and without Java.
func needJava(t *testing.T) {
	t.Helper()
	if !*long {
		t.Skip("-long starts clusters")
	}
	if out, err := exec.Command("java", "-version").CombinedOutput(); err != nil {
		t.Skipf("java -version: %v: %s", err, out)
	}
}

// newWork makes the table, with so many rows in each part, by a Python of these requirements.
func newWork(t *testing.T, requirements string, rows int) work {
	t.Helper()
	needJava(t)
	python := need.Python(t, requirements)
	library := need.Wheel(t, repo, python)
	w := work{folder: t.TempDir(), python: python, library: library, rows: parts * rows}
	w.env = append(os.Environ(), "PATH="+filepath.Dir(python)+":"+os.Getenv("PATH"), "PYTHONPATH="+library,
		"TENSORSKETCH_CACHE="+library)
	w.run(t, python, need.Value(filepath.Abs("table.py"))(t), w.folder, strconv.Itoa(parts), strconv.Itoa(rows))
	w.fit(t, "parquet")
	return w
}

// fit makes start.tsm of one part, and one.json of all.
func (w work) fit(t *testing.T, format string) {
	t.Helper()
	shell := filepath.Join(w.library, "shell")
	w.run(t, shell, "fit", "part-00."+format, "--label", "y", "--mergeable", "--components", "256", "--no-rows",
		"--moments", "start.tsm")
	files := need.Value(filepath.Glob(w.folder + "/part-*." + format))(t)
	if len(files) != parts {
		t.Fatalf("the table has %d files, want %d", len(files), parts)
	}
	w.run(t, shell, append([]string{"fit", "--like", "start.tsm", "-o", "one.json"}, files...)...)
}

// command is a command in the folder, in a group of processes of its own.
func (w work) command(name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Dir, c.Env = w.folder, w.env
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return c
}

// run ends the test with the output of a command that fails.
func (w work) run(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := w.command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
}

// A program runs until it ends or the test does.
type program struct {
	*exec.Cmd
	log   string // the file with its output
	ended chan struct{}
	err   error // of its end
}

// start starts a command, which ends with all that it started at the end of the test.
func (w work) start(t *testing.T, name string, args ...string) *program {
	t.Helper()
	log := need.Value(os.CreateTemp(t.TempDir(), "log"))(t)
	p := &program{Cmd: w.command(name, args...), log: log.Name(), ended: make(chan struct{})}
	p.Stdout, p.Stderr = log, log
	need.OK(t, p.Start())
	go func() {
		p.err = p.Wait()
		close(p.ended)
	}()
	t.Cleanup(func() {
		p.kill()
		<-p.ended
		log.Close()
	})
	return p
}

// kill ends it with all that it started.
func (p *program) kill() { syscall.Kill(-p.Process.Pid, syscall.SIGKILL) }

// output returns what it has printed.
func (p *program) output() string {
	text, _ := os.ReadFile(p.log)
	return string(text)
}

// waitFor asks until done is true, for at most five minutes and while the program runs.
func (p *program) waitFor(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Minute); !done(); {
		select {
		case <-p.ended:
			t.Fatalf("it ended before %s: %v\n%s", what, p.err, p.output())
		case <-time.After(100 * time.Millisecond):
		}
		if time.Now().After(end) {
			t.Fatalf("waited five minutes for %s:\n%s", what, p.output())
		}
	}
}

// finish waits for the end of the program, which must have printed this.
func (p *program) finish(t *testing.T, words string) {
	t.Helper()
	if <-p.ended; p.err != nil {
		t.Fatalf("%v: %v\n%s", p.Args, p.err, p.output())
	}
	if !strings.Contains(p.output(), words) {
		t.Errorf("it did not print %q:\n%s", words, p.output())
	}
}

// opened adds the files with this beginning that its processes run or have open, on Linux.
func (p *program) opened(beginning string, files map[string]bool) {
	processes, _ := filepath.Glob("/proc/[0-9]*")
	for _, process := range processes {
		id, err := strconv.Atoi(filepath.Base(process))
		if group, e := syscall.Getpgid(id); err != nil || e != nil || group != p.Process.Pid {
			continue
		}
		links, _ := filepath.Glob(process + "/fd/*")
		for _, link := range append(links, process+"/exe") {
			if name, _ := os.Readlink(link); strings.HasPrefix(name, beginning) { // a closed one has no name
				files[name] = true
			}
		}
	}
}

// same fails the test if the model differs from the command line's.
func (w work) same(t *testing.T, model string) {
	t.Helper()
	got := need.Value(os.ReadFile(filepath.Join(w.folder, model)))(t)
	if want := need.Value(os.ReadFile(w.folder + "/one.json"))(t); !bytes.Equal(got, want) {
		t.Errorf("%s has %d bytes and the command line's model %d, and they differ", model, len(got), len(want))
	}
}

// get reads JSON from an address on loopback, and says whether it could.
func get(url string, into any) bool {
	reply, err := http.Get(url)
	if err != nil {
		return false
	}
	defer reply.Body.Close()
	return reply.StatusCode == http.StatusOK && json.NewDecoder(reply.Body).Decode(into) == nil
}

// freePort returns a port of loopback that nobody listens on.
func freePort(t *testing.T) string {
	l := need.Value(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	need.OK(t, err)
	return port
}

// processes returns the ids of the processes whose command line and environment have all these words, on Linux.
func processes(t *testing.T, words ...string) (ids []int) {
	for _, file := range need.Value(filepath.Glob("/proc/[0-9]*/cmdline"))(t) {
		text, err := os.ReadFile(file) // of one that has ended there is none
		environment, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "environ"))
		text = append(text, environment...)
		has := err == nil
		for _, word := range words {
			has = has && bytes.Contains(text, []byte(word))
		}
		id := 0
		if json.Unmarshal([]byte(strings.Split(file, "/")[2]), &id); has && id > 0 {
			ids = append(ids, id)
		}
	}
	return ids
}
