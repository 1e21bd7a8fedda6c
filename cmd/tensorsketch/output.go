package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
)

// pending are the files that are not whole yet. If the program ends early, they are removed.
var pending = struct {
	sync.Mutex
	files map[string]*os.File
}{files: map[string]*os.File{}}

// remove has a file removed when the program ends, or at once where a file that is open can be removed.
func remove(path string, file *os.File) {
	if os.Remove(path) == nil {
		return
	}
	pending.Lock()
	defer pending.Unlock()
	pending.files[path] = file
}

// removePending removes what is left over.
func removePending() {
	pending.Lock()
	defer pending.Unlock()
	for path, file := range pending.files {
		file.Close()
		os.Remove(path)
		delete(pending.files, path)
	}
}

// stopping is true once a signal ends the program, which then closes files that are being written.
var stopping atomic.Bool

// hangup is SIGHUP, which js lacks: the terminal is closed.
const hangup = syscall.Signal(1)

// removeWhenStopped ends the program when Ctrl-C is pressed, or another signal ends it. An output is there as a whole
// or not at all.
func removeWhenStopped() {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(hangup) { // as nohup has it
		signal.Notify(stop, hangup)
	}
	go func() {
		<-stop
		stopping.Store(true)
		removePending()
		pending.Lock() // for good: nothing can be renamed any more
		progress.clear()
		fmt.Fprintln(stderr, "tensorsketch: stopped, and no output was written")
		os.Exit(failed)
	}()
}

// An output is a file that is written beside its place and renamed at the end, or standard output.
type output struct {
	*bufio.Writer
	path string // of the result
	temp string // empty if the result is written directly
	file *os.File
}

// createOutput begins an output. "-" is standard output. If the beginning has to be written again at the end, as
// rewinds says, a pipe gets all of it then.
func createOutput(path string, rewinds bool) (*output, error) {
	o := &output{path: path}
	about, err := os.Stat(path)
	switch {
	case path == "-" && rewinds:
		if o.file, err = os.CreateTemp("", "tensorsketch-*"); err == nil {
			remove(o.file.Name(), o.file)
		}
	case path == "-":
		o.file, err = os.Stdout, nil
	case err == nil && about.IsDir():
		err = errors.New(path + ": it is a folder; name a file in it")
	case err == nil && !about.Mode().IsRegular(): // such as /dev/null
		o.file, err = os.OpenFile(path, os.O_WRONLY, 0)
	default:
		err = o.begin()
	}
	if o.file == os.Stdout && isTerminal(os.Stdout) {
		o.Writer = bufio.NewWriterSize(stdout, 1<<20)
	} else {
		o.Writer = bufio.NewWriterSize(o.file, 1<<20)
	}
	return o, err
}

// begin makes the file beside the output's place.
func (o *output) begin() (err error) {
	if target, err := filepath.EvalSymlinks(o.path); err == nil {
		o.path = target
	}
	o.temp = o.path + ".tmp" + strconv.Itoa(os.Getpid())
	pending.Lock()
	defer pending.Unlock()
	if o.file, err = os.OpenFile(o.temp, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666); err != nil {
		return named(o.path, errors.Unwrap(err))
	}
	pending.files[o.temp] = o.file
	return nil
}

// Rewrite writes over the beginning.
func (o *output) Rewrite(head []byte) error {
	err := o.Flush()
	if err == nil {
		_, err = o.file.WriteAt(head, 0)
	}
	return unwritten(o.path, err)
}

// Commit ends the output and puts it into its place.
func (o *output) Commit() error {
	err := o.Flush()
	switch {
	case err != nil || o.file == os.Stdout:
	case o.path == "-":
		if _, err = o.file.Seek(0, io.SeekStart); err == nil {
			_, err = io.Copy(os.Stdout, o.file)
		}
	case o.temp == "":
		err = o.file.Close()
	default:
		pending.Lock()
		defer pending.Unlock()
		if err = o.file.Close(); err == nil {
			err = os.Rename(o.temp, o.path)
		}
		if err == nil {
			delete(pending.files, o.temp)
		}
	}
	return unwritten(o.path, err)
}

// Write writes to the output.
func (o *output) Write(text []byte) (int, error) {
	n, err := o.Writer.Write(text)
	return n, unwritten(o.path, err)
}

// unwritten is the error about an output that could not be written.
func unwritten(path string, err error) error {
	if err == nil {
		return nil
	}
	if path == "-" {
		path = "standard output"
	}
	return named(path, fmt.Errorf("it could not be written: %w", cause(err)))
}

// cause returns what the system says, without the name of a temporary file.
func cause(err error) error {
	if number, ok := errors.AsType[syscall.Errno](err); ok {
		return number
	}
	return err
}

// tryOutputs returns an error about an output that cannot be begun, or would take the place of another or of a file
// that is read. After the work it would be too late: a private release has been paid for.
func (f *flags) tryOutputs(rows []string) error {
	for i, out := range f.outputs {
		about, err := os.Stat(*out.path)
		if *out.path == "" || *out.path == "-" || err == nil && !about.Mode().IsRegular() && !about.IsDir() {
			continue
		}
		for _, other := range f.outputs[:i] {
			if filepath.Clean(*other.path) == filepath.Clean(*out.path) {
				return usage("%s and %s name one file; give each its own", dashed(other.name), dashed(out.name))
			}
		}
		isSame := func(name string) bool {
			of, failed := os.Stat(name)
			return err == nil && failed == nil && os.SameFile(about, of)
		}
		for _, in := range f.inputs {
			if slices.ContainsFunc(in.paths(), isSame) {
				return usage("%s and %s name one file; give each its own", dashed(in.name), dashed(out.name))
			}
		}
		for _, name := range rows {
			if isSame(name) {
				return usage("%s names %s, whose rows are read; name another file", dashed(out.name), *out.path)
			}
		}
		o, err := createOutput(*out.path, false)
		if err != nil {
			return err
		}
		o.file.Close()
		removePending()
	}
	return nil
}

// writeWhole writes a small file.
func writeWhole(path string, content []byte) error {
	o, err := createOutput(path, false)
	if err != nil {
		return err
	}
	if _, err := o.Write(content); err != nil {
		return err
	}
	return o.Commit()
}
