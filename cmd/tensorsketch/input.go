package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/jobs"
)

// An input is a file, or a pipe such as standard input. A pipe is read once from front to back where that is enough;
// otherwise Keep copies it to disk first.
type input struct {
	name string // in messages
	file *os.File
	size int64 // of the file

	pipe   io.Reader // nil once it is a file
	head   []byte    // read from the pipe so far
	ended  bool      // head is all of the pipe
	beyond bool      // something beyond the longest head was asked for
	read   int64     // how far it is read, for the progress
}

// Bytes of a pipe that are read to find out what it is: at least, and at most.
const (
	shortHead = 256 << 10
	longHead  = 16 << 20
)

// openInput opens a file, or standard input if the name is "-".
func openInput(name string) (*input, error) {
	in := &input{name: name, file: os.Stdin}
	if name == "-" {
		in.name = "standard input"
	} else if file, err := os.Open(name); err != nil {
		return nil, err
	} else {
		in.file = file
	}
	about, err := in.file.Stat()
	switch {
	case err != nil:
		return nil, err
	case about.IsDir():
		return nil, &dataset.Problem{File: in.name, What: "it is a folder", Remedy: "give the files in it"}
	case !about.Mode().IsRegular():
		in.pipe = in.file
		return in, in.fill(shortHead)
	}
	in.size = about.Size()
	return in, nil
}

func (in *input) close() { in.file.Close() }

// Name returns the name in messages.
func (in *input) Name() string { return in.name }

// At returns how many bytes have been read since Open.
func (in *input) At() int64 { return in.read }

// openRows opens the files of a request, and the file of labels if it has a name.
func openRows(rows *jobs.Rows, files []string, labels string) (closeAll func(), err error) {
	var opened []*input
	closeAll = func() {
		for _, in := range opened {
			in.close()
		}
	}
	for _, name := range append(files[:len(files):len(files)], labels) {
		if name == "" {
			continue
		}
		in, err := openInput(name)
		if err != nil {
			closeAll()
			return nil, err
		}
		opened = append(opened, in)
	}
	pipes := 0
	for i, in := range opened {
		if in.file == os.Stdin {
			pipes++
		}
		if i < len(files) {
			rows.Files = append(rows.Files, in)
		} else {
			rows.Labels = in
		}
	}
	if pipes > 1 {
		return closeAll, usage("standard input (-) can be given once")
	}
	return closeAll, nil
}

// fill reads the pipe until head has n bytes, or to the end.
func (in *input) fill(n int) error {
	if len(in.head) >= n || in.ended {
		return nil
	}
	more, err := io.ReadAll(io.LimitReader(in.pipe, int64(n-len(in.head))))
	in.head = append(in.head, more...)
	in.ended = err == nil && len(in.head) < n
	return err
}

// Size returns the number of bytes, and for a pipe whose end is not known a large number.
func (in *input) Size() int64 {
	switch {
	case in.pipe == nil:
		return in.size
	case in.ended:
		return int64(len(in.head))
	}
	return 1 << 60
}

// ReadAt reads any part of a file, and any part of the first 16 MB of a pipe.
func (in *input) ReadAt(p []byte, at int64) (n int, err error) {
	if in.pipe == nil {
		n, err = in.file.ReadAt(p, at)
		in.read = at + int64(n)
		return n, err
	}
	to := at + int64(len(p))
	if to > longHead && !in.ended {
		in.beyond = true
		return 0, errBeyond
	}
	if err := in.fill(int(to)); err != nil {
		return 0, err
	}
	if at < int64(len(in.head)) {
		n = copy(p, in.head[at:])
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

var errBeyond = errors.New("the pipe has not been read so far")

// Sniff finds the layout: for a preprocessing, or on its own if p is nil.
func (in *input) Sniff(p *dataset.Preprocessing, typed columns.Reading) (l *dataset.Layout, err error) {
	for {
		ended := in.ended
		if p != nil {
			l, err = p.SniffFile(in.name, in, typed)
		} else {
			l, err = dataset.SniffFile(in.name, in, typed)
		}
		switch {
		case in.beyond:
			if err := in.Keep(); err != nil {
				return nil, err
			}
		case err == nil || ended == in.ended: // otherwise the size is known only now
			return l, err
		}
	}
}

// Open returns the rows of the file.
func (in *input) Open(l *dataset.Layout) (dataset.Source, error) {
	format := columns.FormatOf(l.Format.String())
	if in.pipe != nil && (format.Columnar || format.Raw || l.Compression == dataset.Zip) {
		if err := in.Keep(); err != nil {
			return nil, err
		}
	}
	in.read = 0
	if in.pipe == nil {
		return l.Open(io.NewSectionReader(in, 0, in.size))
	}
	return l.Open(io.TeeReader(io.MultiReader(bytes.NewReader(in.head), in.pipe), (*counter)(&in.read)))
}

// counter counts the bytes that are written to it.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// Keep makes a file of a pipe, so that it can be read twice or at any place.
func (in *input) Keep() error {
	if in.pipe == nil {
		return nil
	}
	copied, err := os.CreateTemp("", "tensorsketch-*")
	if err == nil {
		remove(copied.Name(), copied)
		in.size, err = io.Copy(copied, io.MultiReader(bytes.NewReader(in.head), in.pipe))
	}
	if err != nil {
		return fmt.Errorf("%s has to be read twice, and its copy in %s failed: %w; set TMPDIR to a folder with room",
			in.name, os.TempDir(), err)
	}
	*in = input{name: in.name, file: copied, size: in.size}
	return nil
}

// IsPipe reports whether an input is read from front to back only.
func (in *input) IsPipe() bool { return in.pipe != nil }

// readWhole returns the content of a small file, such as a model.
func readWhole(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(os.Stdin)
	}
	return os.ReadFile(name)
}

// named begins an error about a file with its name.
func named(file string, err error) error {
	if err == nil || strings.HasPrefix(err.Error(), file) {
		return err
	}
	return fmt.Errorf("%s: %w", file, errors.New(plainMessage(err)))
}
