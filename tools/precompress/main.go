// Command precompress writes a .br and a .gz file beside every file of a folder
// that is worth compressing, for servers that send such files as they are.
//
//	precompress [-quality 0…11] DIR
//
// The bytes written depend on nothing but the file's bytes and the quality. A
// compressed file that already holds the bytes of its source is left alone, so
// a second run costs little. One whose source is gone, or too small by now, is
// removed.
package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
)

// smallest is the size in bytes below which compressing saves no packet.
const smallest = 1400

var compressible = map[string]bool{
	".css": true, ".csv": true, ".html": true, ".js": true, ".json": true, ".svg": true, ".ts": true, ".wasm": true,
}

// A coding is one kind of compressed file.
type coding struct {
	suffix string
	pack   func(dst io.Writer, quality int) io.WriteCloser
	unpack func(src io.Reader) (io.Reader, error)
}

var codings = []coding{
	{".br",
		func(dst io.Writer, quality int) io.WriteCloser {
			return brotli.NewWriterOptions(dst, brotli.WriterOptions{Quality: quality, LGWin: 24})
		},
		func(src io.Reader) (io.Reader, error) { return brotli.NewReader(src), nil }},
	{".gz",
		func(dst io.Writer, quality int) io.WriteCloser {
			w, err := gzip.NewWriterLevel(dst, min(quality, gzip.BestCompression))
			if err != nil {
				panic(err) // unreachable: main checks the quality
			}
			return w
		},
		func(src io.Reader) (io.Reader, error) { return gzip.NewReader(src) }},
}

func main() {
	quality := flag.Int("quality", brotli.BestCompression, "0 (fast) to 11 (small); gzip takes at most 9")
	flag.Parse()
	if flag.NArg() != 1 || *quality < 0 || *quality > brotli.BestCompression {
		fmt.Fprintln(os.Stderr, "usage: precompress [-quality 0…11] DIR")
		os.Exit(1)
	}
	if err := precompress(flag.Arg(0), *quality); err != nil {
		fmt.Fprintln(os.Stderr, "precompress:", err)
		os.Exit(1)
	}
}

// precompress does the whole folder, all files at once.
func precompress(dir string, quality int) error {
	var (
		wait   sync.WaitGroup
		mutex  sync.Mutex
		failed error
	)
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		for _, c := range codings {
			if source, ok := strings.CutSuffix(name, c.suffix); ok {
				if info, err := os.Stat(source); err != nil || info.Size() < smallest {
					return ifThere(os.Remove(name))
				}
				return nil
			}
		}
		if !compressible[filepath.Ext(name)] {
			return nil
		}
		info, err := entry.Info()
		if err != nil || info.Size() < smallest {
			return err
		}
		for _, c := range codings {
			wait.Go(func() {
				if err := write(name, info, c, quality); err != nil {
					mutex.Lock()
					defer mutex.Unlock()
					failed = errors.Join(failed, err)
				}
			})
		}
		return nil
	})
	wait.Wait()
	if err != nil {
		return err
	}
	return failed
}

// ifThere passes over the error of a file that another build has removed.
func ifThere(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// write makes the compressed file of one source, and gives it the source's
// time: the server passes over one that is older than its source.
func write(name string, info fs.FileInfo, c coding, quality int) error {
	source, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	target := name + c.suffix
	if !holds(target, source, c) {
		var packed bytes.Buffer
		w := c.pack(&packed, quality)
		if _, err := w.Write(source); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
		if err := place(target, packed.Bytes()); err != nil {
			return err
		}
	}
	return ifThere(os.Chtimes(target, info.ModTime(), info.ModTime()))
}

// place writes a file under another name and renames it: a running server never sends half of it, and a build beside
// this one has names of its own.
func place(target string, content []byte) error {
	file, err := os.CreateTemp(filepath.Dir(target), filepath.Base(target)+".tmp*")
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	if err = errors.Join(err, file.Chmod(0o644), file.Close()); err == nil {
		err = os.Rename(file.Name(), target)
	}
	if err != nil {
		os.Remove(file.Name())
	}
	return err
}

// holds reports whether the compressed file is there and holds these bytes.
func holds(target string, source []byte, c coding) bool {
	file, err := os.Open(target)
	if err != nil {
		return false
	}
	defer file.Close()
	r, err := c.unpack(file)
	if err != nil {
		return false
	}
	got, err := io.ReadAll(r)
	return err == nil && bytes.Equal(got, source)
}
