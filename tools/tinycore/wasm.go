package main

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// The sections of a module.
const (
	sectionCustom = iota
	sectionType
	sectionImport
	sectionFunction
	sectionTable
	sectionMemory
	sectionGlobal
	sectionExport
	sectionStart
	sectionElement
	sectionCode
	sectionData
	sectionDataCount
)

// The kinds of what is imported and exported.
const (
	kindFunction = iota
	kindTable
	kindMemory
	kindGlobal
)

const preamble = "\x00asm\x01\x00\x00\x00"

// A module is a linked one, taken apart as far as splitting needs it.
type module struct {
	types     [][]byte // without the byte that says that it is of a function
	imports   []imported
	functions []function // after the imported ones
	exports   []exported
	elements  []uint32          // functions in the table, from tableStart on
	first     uint32            // the index of the first of them
	raw       map[byte][]byte   // sections that stay as they are: table, memory, global, data
	names     map[uint32]string // of functions
}

type imported struct {
	module, name string
	typ          uint32
}

type exported struct {
	name  string
	kind  byte
	index uint32
}

type function struct {
	typ    uint32
	locals []byte
	body   []byte
}

// A reader takes bytes apart; it panics with a malformed beyond the end.
type reader struct{ bytes []byte }

type malformed string

// recovered turns the panic of a malformed into an error.
func recovered(err *error) {
	switch p := recover().(type) {
	case nil:
	case malformed:
		*err = errors.New("the module is not one that this program knows: " + string(p))
	default:
		panic(p)
	}
}

func (r *reader) take(n uint32) []byte {
	if uint64(n) > uint64(len(r.bytes)) {
		panic(malformed("cut short"))
	}
	taken := r.bytes[:n]
	r.bytes = r.bytes[n:]
	return taken
}

func (r *reader) byte() byte { return r.take(1)[0] }

func (r *reader) uint() uint32 {
	n, size := binary.Uvarint(r.bytes) // LEB128
	if size <= 0 || n > 1<<32-1 {
		panic(malformed("no number"))
	}
	r.take(uint32(size))
	return uint32(n)
}

// signed skips a signed number, and returns its bytes.
func (r *reader) signed() []byte {
	n := uint32(1)
	for int(n) <= len(r.bytes) && r.bytes[n-1] >= 0x80 {
		n++
	}
	return r.take(n)
}

func (r *reader) text() string { return string(r.take(r.uint())) }

func appendUint(b []byte, n uint32) []byte { return binary.AppendUvarint(b, uint64(n)) }

func appendText(b []byte, text string) []byte {
	return append(appendUint(b, uint32(len(text))), text...)
}

// parse takes a module apart.
func parse(bytes []byte) (m *module, err error) {
	defer recovered(&err)
	m = &module{raw: map[byte][]byte{}, names: map[uint32]string{}}
	file := &reader{bytes}
	if string(file.take(8)) != preamble {
		panic(malformed("no preamble"))
	}
	var types []uint32
	for len(file.bytes) > 0 {
		id := file.byte()
		content := file.take(file.uint())
		r := &reader{content}
		switch id {
		case sectionCustom:
			if r.text() == "name" {
				m.readNames(r)
			}
		case sectionType:
			for range r.uint() {
				if r.byte() != 0x60 {
					panic(malformed("a type of no function"))
				}
				whole := r.bytes
				r.take(r.uint())
				r.take(r.uint())
				m.types = append(m.types, whole[:len(whole)-len(r.bytes)])
			}
		case sectionImport:
			for range r.uint() {
				i := imported{module: r.text(), name: r.text()}
				if r.byte() != kindFunction {
					panic(malformed("an import of no function"))
				}
				i.typ = r.uint()
				m.imports = append(m.imports, i)
			}
		case sectionFunction:
			for range r.uint() {
				types = append(types, r.uint())
			}
		case sectionExport:
			for range r.uint() {
				m.exports = append(m.exports, exported{r.text(), r.byte(), r.uint()})
			}
		case sectionElement:
			if r.uint() != 1 || r.uint() != 0 || r.byte() != opI32Const {
				panic(malformed("more than one segment of the table"))
			}
			m.first = r.uint() // it is small
			r.byte()           // the end of the expression
			for range r.uint() {
				m.elements = append(m.elements, r.uint())
			}
		case sectionCode:
			if r.uint() != uint32(len(types)) {
				panic(malformed("functions without code"))
			}
			for i := range types {
				body := &reader{r.take(r.uint())}
				whole := body.bytes
				for range body.uint() {
					body.uint()
					body.byte()
				}
				m.functions = append(m.functions, function{types[i], whole[:len(whole)-len(body.bytes)], body.bytes})
			}
		case sectionTable, sectionMemory, sectionGlobal, sectionData:
			m.raw[id] = content
		case sectionDataCount:
		default:
			panic(malformed(fmt.Sprintf("section %d", id)))
		}
	}
	return m, nil
}

func (m *module) readNames(r *reader) {
	for len(r.bytes) > 0 {
		of, content := r.byte(), &reader{nil}
		content.bytes = r.take(r.uint())
		if of == 1 { // functions
			for range content.uint() {
				i := content.uint()
				m.names[i] = content.text()
			}
		}
	}
}

const opI32Const = 0x41

// rewrite returns the instructions with other indices of functions and types. It
// knows what LLVM writes for the features of wasm/tinygo.json, and panics otherwise.
func rewrite(body []byte, function, typ func(uint32) uint32) []byte {
	var out []byte
	r := &reader{body}
	for len(r.bytes) > 0 {
		op := r.byte()
		out = append(out, op)
		start := r.bytes
		copied := true
		switch {
		case op == 0x02 || op == 0x03 || op == 0x04: // block, loop, if: no result or one
			if r.byte() < 0x40 {
				panic(malformed("a block with a type"))
			}
		case op == 0x10: // call
			out = appendUint(out, function(r.uint()))
			copied = false
		case op == 0x11: // call_indirect
			out = appendUint(out, typ(r.uint()))
			out = appendUint(out, r.uint())
			copied = false
		case op == 0x0e: // br_table
			for range r.uint() + 1 {
				r.uint()
			}
		case op == 0x0c || op == 0x0d || 0x20 <= op && op <= 0x24: // br, br_if; locals and globals
			r.uint()
		case 0x28 <= op && op <= 0x3e: // memory: alignment and offset
			r.uint()
			r.uint()
		case op == 0x3f || op == 0x40: // memory.size, memory.grow
			r.byte()
		case op == opI32Const || op == 0x42:
			r.signed()
		case op == 0x43:
			r.take(4)
		case op == 0x44:
			r.take(8)
		case op <= 0x01 || op == 0x05 || op == 0x0b || op == 0x0f || op == 0x1a || op == 0x1b || 0x45 <= op && op <= 0xc4:
		case op == 0xfc:
			switch sub := r.uint(); {
			case sub < 8: // truncation
			case sub == 10: // memory.copy
				r.take(2)
			case sub == 11: // memory.fill
				r.take(1)
			default:
				panic(malformed(fmt.Sprintf("instruction fc %d", sub)))
			}
		case op == 0xfd:
			switch sub := r.uint(); {
			case sub <= 11 || sub == 92 || sub == 93: // memory
				r.uint()
				r.uint()
			case 84 <= sub && sub <= 91: // a lane from or to memory
				r.uint()
				r.uint()
				r.byte()
			case sub == 12 || sub == 13: // v128.const, shuffle
				r.take(16)
			case 21 <= sub && sub <= 34: // lanes
				r.byte()
			}
		default:
			panic(malformed(fmt.Sprintf("instruction %x", op)))
		}
		if copied {
			out = append(out, start[:len(start)-len(r.bytes)]...)
		}
	}
	return out
}

// appendSigned appends a number as LEB128 that has a sign.
func appendSigned(b []byte, n uint32) []byte {
	for n >= 0x40 {
		b = append(b, byte(n)|0x80)
		n >>= 7
	}
	return append(b, byte(n))
}
