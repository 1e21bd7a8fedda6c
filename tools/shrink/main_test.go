//go:build !js

package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
)

// Offsets in the memory that module fills: the header of the table of functions, and its parts.
const (
	header = 512
	names  = header + 72
	units  = names + 16
	files  = units + 8
	tables = files + 8
	funcs  = tables + 40
	first  = funcs + 24 // runtime._func of the first function
	second = first + sizeOfFunc + 8
)

// memory returns what a program of two functions has in memory: names, tables, and a number after many zeros.
func memory() []byte {
	m := make([]byte, 2048)
	copy(m[header:], pcHeader)
	for i, v := range []int{2, 1, 0, names, units, files, tables, funcs} {
		if i > 2 {
			v -= header
		}
		le.PutUint64(m[header+8+8*i:], uint64(v))
	}
	copy(m[names:], "main.f\x00main.g\x00")
	copy(m[units:], "\x01\x00\x00\x00")
	copy(m[files:], "main.go")
	// At 1, 4, …: tables of two runs, of one that begins with a difference of 0, and others.
	copy(m[tables:], "\x00\x02\x04\x02\x05\x00\x00\x08\x00\x01\x07\x00\x03\x09\x00\x80\x01\x06\x00")
	for k, f := range []struct{ at, pcsp, pcfile, pcln, unsafe, stack uint32 }{
		{first, 1, 9, 12, 9, 6}, {second, 15, 9, 12, 0, 0}} {
		le.PutUint32(m[funcs+8*k+4:], f.at-funcs)
		for i, v := range map[int]uint32{pcsp: f.pcsp, pcfile: f.pcfile, pcln: f.pcln, npcdata: 2, startLine: 17,
			sizeOfFunc: f.unsafe, sizeOfFunc + 4: f.stack} {
			le.PutUint32(m[int(f.at)+i:], v)
		}
	}
	m[2000] = 42
	return m
}

// module returns a file with memory in segments of at most 5 bytes, between two other sections.
func module(memory []byte) []byte {
	var data []byte
	n := 0
	for at := 0; at < len(memory); at += 5 {
		if piece := memory[at:min(at+5, len(memory))]; zerosAt(piece) < len(piece) {
			data = append(appendSigned(append(data, 0, i32Const), at), end)
			data = append(append(data, byte(len(piece))), piece...)
			n++
		}
	}
	data = append(binary.AppendUvarint(nil, uint64(n)), data...)
	file := append([]byte("\x00asm\x01\x00\x00\x00"), 1, 2, 7, 8, dataSection)
	file = append(binary.AppendUvarint(file, uint64(len(data))), data...)
	return append(file, 0, 1, 9)
}

// What the runtime needs stays where it was; lines, files and unsafe points go; and a second time changes nothing.
func TestShrink(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.wasm")
	if err := os.WriteFile(name, module(memory()), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := shrink(name, shrunk); err != nil {
		t.Fatal(err)
	}
	small, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	again, err := shrunk(small)
	if err != nil || !bytes.Equal(again, small) {
		t.Errorf("shrunk again: %d bytes, %v, want the same %d", len(again), err, len(small))
	}
	want := memory()
	clear(want[units:tables])
	clear(want[tables+9 : tables+15])
	for _, f := range []int{first, second} {
		for _, i := range []int{pcfile, pcln, startLine, sizeOfFunc} {
			le.PutUint32(want[f+i:], 0)
		}
	}
	section := bytes.Index(small, []byte{dataSection})
	r := reader{rest: small[section+1:]}
	got, err := memoryOf(r.take(r.unsigned()))
	if err != nil || !bytes.Equal(got, want[:2001]) {
		t.Errorf("%v; memory\n%q, want\n%q", err, got, want[:2001])
	}
	if !bytes.HasPrefix(small, []byte("\x00asm\x01\x00\x00\x00\x01\x02\x07\x08")) ||
		!bytes.HasSuffix(small, []byte{0, 1, 9}) {
		t.Errorf("other sections have changed: %q", small)
	}
}

// A file that is cut off, or of a linker with other tables, is an error and stays as it is.
func TestShrinkRefuses(t *testing.T) {
	whole := module(memory())
	for n := range len(whole) {
		if n == 8 || n == 12 { // whole files without data
			continue
		}
		if _, err := shrunk(whole[:n]); err == nil && n != len(whole)-3 {
			t.Fatalf("%d of %d bytes: no error", n, len(whole))
		}
	}
	other := memory()
	other[header] = 0xf2
	if _, err := shrunk(module(other)); err != errTable {
		t.Errorf("another version: got %v, want %v", err, errTable)
	}
	other = memory()
	le.PutUint32(other[first+pcsp:], 1<<20)
	if _, err := shrunk(module(other)); err != errTable {
		t.Errorf("a table outside: got %v, want %v", err, errTable)
	}
}

// Signed numbers read back.
func TestSigned(t *testing.T) {
	for _, n := range []int{0, 1, -1, 63, 64, -64, -65, 127, 128, 1 << 20, -(1 << 20), 1<<31 - 1} {
		r := reader{rest: appendSigned(nil, n)}
		if got := r.signed(); got != n || len(r.rest) > 0 || r.err != nil {
			t.Errorf("%d: got %d, %d bytes left, %v", n, got, len(r.rest), r.err)
		}
	}
}
