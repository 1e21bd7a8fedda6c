package main

import (
	"encoding/binary"
	"errors"
)

var errShort = errors.New("the file ends within a section")

// A reader takes a WebAssembly file apart. After its first error it returns zeros.
type reader struct {
	rest []byte
	err  error
}

func (r *reader) take(n int) []byte {
	if n < 0 || n > len(r.rest) {
		r.rest, r.err = nil, errShort
		return nil
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *reader) byte() byte {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

// unsigned reads an unsigned LEB128.
func (r *reader) unsigned() int {
	n, length := binary.Uvarint(r.rest)
	if length <= 0 {
		length = -1
	}
	r.take(length)
	return int(n)
}

// signed reads a signed LEB128.
func (r *reader) signed() int {
	for n, shift := 0, 0; ; {
		b := r.byte()
		n |= int(b&0x7f) << shift
		shift += 7
		if b < 0x80 {
			return n << (64 - shift) >> (64 - shift)
		}
	}
}
