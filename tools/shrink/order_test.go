//go:build !js

package main

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"
)

// program returns a file of an imported function, 0, and of three with code: long and like, which are alike, and other.
// They have these numbers, and stand in their order. A function calls the next one.
func program(long, like, other byte) []byte {
	alike := func(first, calls byte, times int) []byte {
		code := []byte{0, i32Const, first, 0x1a}
		for i := range times {
			code = append(code, i32Const, byte(i), 0x41, 0x7f, 0x6a, 0x1a)
		}
		return append(code, call, calls, end)
	}
	code := map[byte][]byte{
		long: alike(1, like, 40),
		like: alike(2, other, 30),
		// Variables; a branch by a table, out of a block; an indirect call; a load; numbers whose bytes look like a call.
		other: []byte{1, 2, 0x7f, 0x02, 0x40, 0x20, 0, 0x0e, 1, 0, 0, end, 0x20, 1, 0x11, 0, 0, 0x20, 0, 0x2d, 0, call,
			0x1a, 0x43, call, 1, call, 1, 0x1a, 0x44, call, 1, call, 1, call, 1, call, 1, 0x1a, 0xfd, 12, call, 1, call, 2,
			call, 3, call, 1, call, 1, call, 1, call, 1, call, 1, 0x1a, 0xfc, 10, 0, 0, 0xfd, 0, 4, call, 0x1a, call, 0,
			call, long, end},
	}
	types := map[byte]byte{long: 0, like: 0, other: 1}
	file := []byte("\x00asm\x01\x00\x00\x00")
	add := func(id byte, body ...byte) {
		file = append(binary.AppendUvarint(append(file, id), uint64(len(body))), body...)
	}
	add(1, 2, 0x60, 0, 0, 0x60, 1, 0x7f, 0)
	add(importSection, 1, 1, 'm', 1, 'f', 0, 0)
	add(functionSection, 3, types[1], types[2], types[3])
	add(exportSection, 2, 1, 'o', 0, other, 1, 'm', 2, 0)
	add(startSection, like)
	add(elementSection, 1, 0, i32Const, 1, end, 2, other, 0)
	body := []byte{3}
	for i := range byte(3) {
		body = append(binary.AppendUvarint(body, uint64(len(code[i+1]))), code[i+1]...)
	}
	add(codeSection, body...)
	add(0, 1, 'c', call, 2)
	return file
}

// Like functions become neighbours, and whatever names a function has its new number.
func TestOrder(t *testing.T) {
	for _, p := range [][]byte{program(1, 3, 2), program(2, 3, 1), program(3, 1, 2), program(1, 2, 3)} {
		if got, _, err := ordered(p, nil); err != nil || !bytes.Equal(got, program(1, 2, 3)) {
			t.Errorf("%v, %x;\nordered %x,\nwant    %x", err, p, got, program(1, 2, 3))
		}
	}
}

// A file that is cut off, or has an instruction that the tool does not know, is an error.
func TestOrderRefuses(t *testing.T) {
	whole := program(1, 3, 2)
	for n := range len(whole) {
		if small, _, err := ordered(whole[:n], nil); err == nil && len(small) != n { // else it ends between sections
			t.Fatalf("%d of %d bytes: no error", n, len(whole))
		}
	}
	for _, unknown := range [][]byte{{0x12}, {0xfc, 18}, {0xfd, 0x80, 2}, {0xff}} {
		at := bytes.Index(whole, []byte{0x1a, call, 0, call})
		other := bytes.Clone(whole)
		copy(other[at:], unknown)
		if _, _, err := ordered(other, nil); err == nil {
			t.Errorf("instruction %x: no error", unknown)
		}
	}
}

// Another build of a program has the order of the first one, by names, which are left out. A function without a
// namesake follows the one that it followed.
func TestOrderLike(t *testing.T) {
	names := func(of ...string) []byte {
		body := append([]byte("\x04name\x01"), byte(1+4*len(of)), byte(len(of)))
		for i, name := range of {
			body = append(body, byte(i), 2, name[0], name[1])
		}
		return append([]byte{customSection, byte(len(body))}, body...)
	}
	first := append(program(3, 1, 2), names("im", "li", "ot", "lo")...)
	small, order, err := ordered(first, nil)
	if want := []string{"lo", "li", "ot"}; err != nil || !bytes.Equal(small, program(1, 2, 3)) ||
		!slices.Equal(order, want) {
		t.Errorf("%v, order %q, want %q;\n%x,\nwant %x", err, order, want, small, program(1, 2, 3))
	}
	second := append(program(2, 3, 1), names("im", "ot", "xx", "li")...)
	if small, _, err := ordered(second, order); err != nil || !bytes.Equal(small, program(3, 1, 2)) {
		t.Errorf("like the first: %v,\n%x,\nwant %x", err, small, program(3, 1, 2))
	}
}

// Variables are declared by kind, and named by number, the most frequent first. Parameters keep their numbers.
func TestArranged(t *testing.T) {
	const i32, f64 = 0x7f, 0x7c
	body := []byte{3, 1, f64, 2, i32, 1, f64, 0x20, 0, 0x20, 4, 0x22, 3, 0x21, 2, 0x20, 4, 0x20, 1, 0x20, 3, 0x20, 3, end}
	want := []byte{2, 2, i32, 2, f64, 0x20, 0, 0x20, 3, 0x22, 1, 0x21, 2, 0x20, 3, 0x20, 4, 0x20, 1, 0x20, 1, end}
	if got, err := rewritten(body, 1, nil); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v; %x, want %x", err, got, want)
	}
	if again, err := rewritten(want, 1, nil); err != nil || !bytes.Equal(again, want) {
		t.Errorf("a second time: %v; %x, want %x", err, again, want)
	}
	if got, err := rewritten([]byte{0, 0x20, 1, end}, 1, nil); err == nil {
		t.Errorf("a variable that is not declared: %x, no error", got)
	}
}
