package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"regexp"
	"slices"
	"strconv"
)

// split takes a linked module with names apart, given LLVM's text of it. The functions
// that are reached from none but the exports that match go to the second module. It
// imports memory, table, stack and functions of the first from "core", and exports what
// the first no longer does. Nothing of the first calls the second.
func split(text string, linked []byte, matching *regexp.Regexp) (core, more []byte, err error) {
	m, err := parse(linked)
	if err != nil {
		return nil, nil, err
	}
	defer recovered(&err)
	moves := m.movable(text, matching)
	calls := m.calls(nil)
	a, b := &part{of: m, raw: m.raw}, &part{of: m}
	for i := range m.imports {
		a.functionImports = append(a.functionImports, uint32(i))
	}
	for i := range m.functions {
		index := uint32(len(m.imports) + i)
		if moves[index] {
			b.functions = append(b.functions, index)
		} else {
			a.functions = append(a.functions, index)
		}
	}
	if len(b.functions) == 0 {
		return nil, nil, errors.New("no function is needed by the exports alone")
	}
	// What has the same type comes together, and what is called most comes first: Brotli
	// finds more, and indices are short.
	for _, p := range []*part{a, b} {
		slices.SortStableFunc(p.functions, func(i, k uint32) int {
			return cmp.Or(cmp.Compare(m.typeOf(i), m.typeOf(k)), cmp.Compare(calls[k], calls[i]))
		})
	}
	for _, e := range m.exports {
		if e.kind == kindFunction && moves[e.index] {
			b.exports = append(b.exports, e)
		} else {
			a.exports = append(a.exports, e)
		}
	}
	for i, index := range m.elements {
		place := element{m.first + uint32(i), index}
		if moves[index] {
			b.elements = append(b.elements, place)
		} else {
			a.elements = append(a.elements, place)
		}
	}

	// The names by which the second module has what is in the first. The memory's is the
	// digest of the linked code, so that files of two releases do not link.
	digest := sha256.New()
	for _, f := range m.functions {
		digest.Write(f.body)
	}
	b.imports = []shared{
		{hex.EncodeToString(digest.Sum(nil)[:8]), kindMemory, m.raw[sectionMemory][1:]},
		{"table", kindTable, m.raw[sectionTable][1:]},
		{"stack", kindGlobal, []byte{0x7f, 1}}, // an i32 that changes
	}
	for _, i := range b.imports {
		a.exports = append(a.exports, exported{i.name, i.kind, 0})
	}
	needed := m.calls(b.functions)
	for index := range uint32(len(m.imports) + len(m.functions)) {
		if needed[index] == 0 || moves[index] {
			continue
		}
		b.functionImports = append(b.functionImports, index)
		if index >= uint32(len(m.imports)) {
			a.exports = append(a.exports, exported{m.shortName(index), kindFunction, index})
		}
	}
	return a.encode(), b.encode(), nil
}

// movable returns which functions only the matching exports need.
func (m *module) movable(text string, matching *regexp.Regexp) map[uint32]bool {
	refers := references(text)
	var kept []string
	for _, e := range m.exports {
		if e.kind == kindFunction && !matching.MatchString(e.name) {
			kept = append(kept, m.names[e.index])
		}
	}
	needed := reached(refers, kept)
	moves := map[uint32]bool{}
	for i := range m.functions {
		index := uint32(len(m.imports) + i)
		name := m.names[index]
		if _, known := refers[name]; known && !needed[name] { // the linker's own stay
			moves[index] = true
		}
	}
	return moves
}

// calls counts how often each function is called by some, or by all where they are nil.
func (m *module) calls(by []uint32) map[uint32]int {
	count := map[uint32]int{}
	note := func(index uint32) uint32 {
		count[index]++
		return index
	}
	for i := range m.functions {
		if by == nil || slices.Contains(by, uint32(len(m.imports)+i)) {
			rewrite(m.functions[i].body, note, func(typ uint32) uint32 { return typ })
		}
	}
	return count
}

func (m *module) typeOf(index uint32) uint32 {
	if index < uint32(len(m.imports)) {
		return m.imports[index].typ
	}
	return m.functions[index-uint32(len(m.imports))].typ
}

// shortName is the name by which the second module has a function of the first.
func (m *module) shortName(index uint32) string { return strconv.FormatUint(uint64(index), 36) }

// A part is one of the two modules. Indices of functions are those in the linked one.
type part struct {
	of              *module
	imports         []shared // of the other part
	functionImports []uint32
	functions       []uint32
	exports         []exported
	elements        []element
	raw             map[byte][]byte // sections as they are

	typeIndices map[uint32]uint32
	types       []uint32
}

// shared is what one part has of the other beside functions.
type shared struct {
	name string
	kind byte
	desc []byte
}

// An element is a function in the table.
type element struct{ at, function uint32 }

// encode returns the module.
func (p *part) encode() []byte {
	p.typeIndices = map[uint32]uint32{}
	indices := map[uint32]uint32{}
	for _, i := range slices.Concat(p.functionImports, p.functions) {
		indices[i] = uint32(len(indices))
	}
	function := func(index uint32) uint32 {
		own, ok := indices[index]
		if !ok {
			panic(malformed("function " + p.of.names[index] + " is called from where it is not"))
		}
		return own
	}

	imports := appendUint(nil, uint32(len(p.imports)+len(p.functionImports)))
	for _, i := range p.imports {
		imports = append(appendText(appendText(imports, "core"), i.name), i.kind)
		imports = append(imports, i.desc...)
	}
	for _, index := range p.functionImports {
		from := imported{"core", p.of.shortName(index), p.of.typeOf(index)}
		if int(index) < len(p.of.imports) {
			from = p.of.imports[index]
		}
		imports = append(appendText(appendText(imports, from.module), from.name), kindFunction)
		imports = appendUint(imports, p.typ(from.typ))
	}

	types, code := appendUint(nil, uint32(len(p.functions))), appendUint(nil, uint32(len(p.functions)))
	for _, index := range p.functions {
		f := p.of.functions[index-uint32(len(p.of.imports))]
		types = appendUint(types, p.typ(f.typ))
		body := rewrite(f.body, function, p.typ)
		code = appendUint(code, uint32(len(f.locals)+len(body)))
		code = append(append(code, f.locals...), body...)
	}

	exports := appendUint(nil, uint32(len(p.exports)))
	for _, e := range p.exports {
		index := e.index
		if e.kind == kindFunction {
			index = function(index)
		}
		exports = appendUint(append(appendText(exports, e.name), e.kind), index)
	}

	typeSection := appendUint(nil, uint32(len(p.types)))
	for _, typ := range p.types {
		typeSection = append(append(typeSection, 0x60), p.of.types[typ]...)
	}

	file := []byte(preamble)
	for _, section := range []struct {
		id      byte
		content []byte
	}{
		{sectionType, typeSection}, {sectionImport, imports}, {sectionFunction, types},
		{sectionTable, p.raw[sectionTable]}, {sectionMemory, p.raw[sectionMemory]}, {sectionGlobal, p.raw[sectionGlobal]},
		{sectionExport, exports}, {sectionElement, p.elementSection(function)}, {sectionCode, code},
		{sectionData, p.raw[sectionData]},
	} {
		if len(section.content) > 0 {
			file = append(appendUint(append(file, section.id), uint32(len(section.content))), section.content...)
		}
	}
	return file
}

// typ returns the index of a type in this part.
func (p *part) typ(typ uint32) uint32 {
	own, ok := p.typeIndices[typ]
	if !ok {
		own = uint32(len(p.types))
		p.typeIndices[typ] = own
		p.types = append(p.types, typ)
	}
	return own
}

// elementSection puts functions into the table, those side by side by one segment.
func (p *part) elementSection(function func(uint32) uint32) []byte {
	var section []byte
	segments := uint32(0)
	for from := 0; from < len(p.elements); segments++ {
		to := from + 1
		for to < len(p.elements) && p.elements[to].at == p.elements[to-1].at+1 {
			to++
		}
		section = append(section, 0, opI32Const)
		section = append(appendSigned(section, p.elements[from].at), 0x0b)
		section = appendUint(section, uint32(to-from))
		for _, e := range p.elements[from:to] {
			section = appendUint(section, function(e.function))
		}
		from = to
	}
	if segments == 0 {
		return nil
	}
	return append(appendUint(nil, segments), section...)
}
