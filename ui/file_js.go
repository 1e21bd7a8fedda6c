package main

import (
	"io"

	"github.com/hack-pad/safejs"
	"github.com/tensorsketch/tensorsketch/ui/internal/csvfile"
)

// fileSlice is how much of a file is read at a time.
const fileSlice = 1 << 20

// A file is one that the visitor has chosen or dropped.
type file struct {
	value safejs.Value
	name  string
	size  int
}

func newFile(value safejs.Value) (*file, error) {
	size, err := value.Get("size")
	if err != nil {
		return nil, err
	}
	bytes, err := size.Float()
	return &file{value, text(value, "name"), int(bytes)}, err
}

// sniff guesses the layout from as much of the file as that takes.
func (f *file) sniff(header csvfile.Header) (*csvfile.Layout, error) {
	const least, most = 256 << 10, 16 << 20
	for n := least; ; n *= 4 {
		head, err := f.bytes(0, min(n, f.size))
		if err != nil {
			return nil, err
		}
		layout, err := csvfile.Sniff(f.name, head, n >= min(f.size, most), header)
		if err != csvfile.ErrShortHead {
			return layout, err
		}
	}
}

func (f *file) bytes(from, to int) ([]byte, error) {
	bytes, err := readBlob(f.value, from, to)
	return bytes, f.explain(err)
}

// explain says what the browser means when it can no longer read a file.
func (f *file) explain(err error) error {
	if failure, ok := err.(*jsError); ok && (failure.name == "NotReadableError" || failure.name == "NotFoundError") {
		return &csvfile.Problem{File: f.name, What: "the file has changed or moved since it was chosen", Remedy: "choose it again"}
	}
	return err
}

// A fileReader reads a file slice by slice, the next one ahead.
type fileReader struct {
	file  *file
	asked int                            // bytes asked for
	ahead []func() (safejs.Value, error) // the next slice, when it is read
	rest  []byte
	Given int // bytes given to the caller
}

func (r *fileReader) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		if r.Given == r.file.size {
			return 0, io.EOF
		}
		if err := r.nextSlice(); err != nil {
			return 0, r.file.explain(err)
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	r.Given += n
	return n, nil
}

func (r *fileReader) nextSlice() error {
	if err := r.ask(); err != nil {
		return err
	}
	wait := r.ahead[0]
	r.ahead = r.ahead[1:]
	if err := r.ask(); err != nil {
		return err
	}
	buffer, err := wait()
	if err != nil {
		return err
	}
	r.rest, err = bytesOfBuffer(buffer)
	if err == nil && len(r.rest) == 0 {
		return io.ErrUnexpectedEOF
	}
	return err
}

// ask begins to read the next slice, if there is one and none is on its way.
func (r *fileReader) ask() error {
	if len(r.ahead) > 0 || r.asked == r.file.size {
		return nil
	}
	end := min(r.asked+fileSlice, r.file.size)
	part, err := r.file.value.Call("slice", r.asked, end)
	if err != nil {
		return err
	}
	promise, err := part.Call("arrayBuffer")
	if err != nil {
		return err
	}
	wait, err := listenTo(promise)
	r.asked, r.ahead = end, append(r.ahead, wait)
	return err
}
