//go:build !js

// Command shrink makes WebAssembly files smaller, after Brotli. A file of Go's linker loses a seventh. With -order any
// file, such as one of TinyGo, loses a hundredth.
//
//	go run ./tools/shrink [-order] FILE …
//
// With -order, like functions become neighbours, variables get the same few numbers in all of them, and names are left
// out. The other files have the order of the first one, as their difference is small then (tools/difference).
// Without it:
//
// A file's data are written anew with their runs of zeros. The linker leaves zeros out and begins another segment
// after each run, 100,000 of them, whose addresses take more bytes than compressed zeros do, and time to load.
// Of the tables by which the runtime knows its functions, the files and lines of instructions are removed, and where a
// thread may be interrupted, which WebAssembly never does. What a panic prints names functions, without their lines.
package main

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"log"
	"os"
)

func main() {
	log.SetFlags(0)
	smaller := shrunk
	order := flag.Bool("order", false, "only put like functions side by side, and number their variables alike")
	flag.Parse()
	if *order {
		var like []string
		smaller = func(file []byte) (small []byte, err error) {
			small, like, err = ordered(file, like)
			return small, err
		}
	}
	for _, name := range flag.Args() {
		if err := shrink(name, smaller); err != nil {
			log.Fatalf("shrink: %s: %v", name, err)
		}
	}
}

// shrink writes a file anew, as smaller says. A file that has been shrunk keeps its bytes.
func shrink(name string, smaller func([]byte) ([]byte, error)) error {
	file, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	small, err := smaller(file)
	if err != nil || bytes.Equal(small, file) {
		return err
	}
	return os.WriteFile(name, small, 0o755)
}

const dataSection = 11

// shrunk returns the bytes of a smaller file that does the same.
func shrunk(file []byte) ([]byte, error) {
	r := reader{rest: file}
	small := bytes.Clone(r.take(8)) // magic number and version
	for len(r.rest) > 0 && r.err == nil {
		id, body := r.byte(), r.take(r.unsigned())
		if id == dataSection && r.err == nil {
			memory, err := memoryOf(body)
			if err != nil {
				return nil, err
			}
			if err := removeLines(memory); err != nil {
				return nil, err
			}
			body = segments(memory)
		}
		small = append(binary.AppendUvarint(append(small, id), uint64(len(body))), body...)
	}
	return small, r.err
}

// memoryOf returns the memory that a data section fills, up to its last byte.
func memoryOf(section []byte) ([]byte, error) {
	var memory []byte
	r := reader{rest: section}
	for n := r.unsigned(); n > 0 && r.err == nil; n-- {
		if kind, op := r.byte(), r.byte(); kind != 0 || op != i32Const {
			return nil, fmt.Errorf("a data segment of kind %d whose address begins with %#x, want 0 and %#x", kind, op,
				i32Const)
		}
		at := r.signed()
		r.byte() // the end of the address
		data := r.take(r.unsigned())
		if end := at + len(data); end > len(memory) {
			memory = append(memory, make([]byte, end-len(memory))...)
		}
		copy(memory[at:], data)
	}
	return memory, r.err
}

const (
	i32Const = 0x41
	end      = 0x0b
	gap      = 256 // zeros between two segments, at least; compressed, fewer cost less than a segment
)

// segments returns a data section that fills memory.
func segments(memory []byte) []byte {
	var body []byte
	n := 0
	for at := 0; at < len(memory); {
		zeros := zerosAt(memory[at:])
		at += zeros
		length := dataAt(memory[at:])
		if length == 0 {
			break
		}
		body = append(appendSigned(append(body, 0, i32Const), at), end)
		body = append(binary.AppendUvarint(body, uint64(length)), memory[at:at+length]...)
		at += length
		n++
	}
	return append(binary.AppendUvarint(nil, uint64(n)), body...)
}

// zerosAt returns how many zeros b begins with.
func zerosAt(b []byte) int { return len(b) - len(bytes.TrimLeft(b, "\x00")) }

// dataAt returns how many bytes of b come before a gap, or before the zeros at its end.
func dataAt(b []byte) int {
	if n := bytes.Index(b, make([]byte, gap)); n >= 0 {
		return n
	}
	return len(bytes.TrimRight(b, "\x00"))
}

// appendSigned appends the signed LEB128 of n.
func appendSigned(b []byte, n int) []byte {
	for n > 63 || n < -64 {
		b = append(b, byte(n)|0x80)
		n >>= 7
	}
	return append(b, byte(n)&0x7f)
}
