package main

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// pcHeader begins the table of functions: runtime/symtab.go of Go 1.27, for instructions of one byte and addresses of
// eight.
var pcHeader = []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}

var errTable = errors.New("no table of functions as Go 1.27 writes it: see runtime/symtab.go and mend tools/shrink")

// le reads and writes numbers in memory.
var le = binary.LittleEndian

// Offsets in runtime._func, and the kinds of its tables that instructions have (internal/abi/symtab.go).
const (
	pcsp, pcfile, pcln, npcdata, cuOffset, startLine, sizeOfFunc = 16, 20, 24, 28, 32, 36, 44
	unsafePoint, argLive                                         = 0, 3
)

// removeLines clears what the table of functions in memory says of files, lines, and instructions at which a thread
// must not be interrupted. An offset of 0 says that there is no such table, and the runtime prints "?:0".
func removeLines(memory []byte) error {
	at := bytes.Index(memory, pcHeader)
	if at < 0 || at+72 > len(memory) || le.Uint64(memory[at+24:]) != 0 {
		return errTable
	}
	t := memory[at:]
	field := func(i int) int { return int(le.Uint64(t[8*i:])) }
	functions, units, tables, funcs := field(1), field(5), field(7), field(8)
	if units <= 72 || tables < units || funcs < tables || funcs+8*functions > len(t) {
		return errTable
	}
	used := map[uint32]bool{}
	for k := range functions {
		f := t[funcs+int(le.Uint32(t[funcs+8*k+4:])):]
		for _, i := range []int{pcfile, pcln, cuOffset, startLine} {
			le.PutUint32(f[i:], 0)
		}
		used[le.Uint32(f[pcsp:])] = true
		for i := range le.Uint32(f[npcdata:]) {
			offset := f[sizeOfFunc+4*i:]
			if i == unsafePoint || i == argLive {
				le.PutUint32(offset, 0)
			}
			used[le.Uint32(offset)] = true
		}
	}
	clear(t[units:tables]) // the names of files
	return keepTables(t[tables:funcs], used)
}

// keepTables clears the tables of instructions except those that begin at a used offset. A table has two numbers for
// each run of instructions, and ends with a difference of 0 that is not its first number.
func keepTables(tables []byte, used map[uint32]bool) error {
	kept := make([]byte, len(tables))
	for offset := range used {
		if offset == 0 {
			continue
		}
		r := reader{rest: tables[min(int(offset), len(tables)):]}
		r.unsigned()
		r.unsigned()
		for r.err == nil && r.unsigned() != 0 {
			r.unsigned()
		}
		if r.err != nil {
			return errTable
		}
		copy(kept[offset:], tables[offset:len(tables)-len(r.rest)])
	}
	copy(tables, kept)
	return nil
}
