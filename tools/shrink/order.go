//go:build !js

package main

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
)

// Sections of a WebAssembly file.
const (
	customSection   = 0
	typeSection     = 1
	importSection   = 2
	functionSection = 3
	exportSection   = 7
	startSection    = 8
	elementSection  = 9
	codeSection     = 10
)

// Instructions that name a function.
const (
	call    = 0x10
	refFunc = 0xd2
)

const declarations = 0xff // stands for the declarations of variables, which come before the instructions

// A section is one of a file, with its body.
type section struct {
	id   byte
	body []byte
}

// ordered returns the bytes of a file whose functions stand in another order. Functions and variables have other
// numbers, and what they do is the same. The order, which is returned, follows the names in `like`, or orderOf where
// there are none. The file's names are left out.
func ordered(file []byte, like []string) ([]byte, []string, error) {
	r := reader{rest: file}
	small := bytes.Clone(r.take(8)) // magic number and version
	var sections []section
	for len(r.rest) > 0 && r.err == nil {
		sections = append(sections, section{r.byte(), r.take(r.unsigned())})
	}
	if r.err != nil {
		return nil, nil, r.err
	}
	var (
		imported int
		bodies   [][]byte
		types    []byte
		has      []int // parameters of each function with code
		names    map[int]string
		err      error
	)
	for _, s := range sections {
		switch {
		case s.id == typeSection:
			types = s.body
		case s.id == functionSection:
			has, err = parametersOf(types, s.body)
		case s.id == importSection:
			imported, err = importedFunctions(s.body)
		case s.id == codeSection:
			bodies, err = vector(s.body)
		case isNames(s):
			names, err = functionNames(s.body)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	if len(has) != len(bodies) {
		return nil, nil, errShort
	}
	nameOf := make([]string, len(bodies))
	for i := range nameOf {
		nameOf[i] = names[imported+i]
	}
	order := orderLike(nameOf, like)
	if like == nil {
		order = orderOf(bodies)
	}
	renamed := make([]int, imported+len(order)) // the number of each function, by its number now
	for i := range imported {
		renamed[i] = i
	}
	inOrder := make([]string, len(order))
	for place, i := range order {
		renamed[imported+i] = imported + place
		inOrder[place] = nameOf[i]
	}
	for _, s := range sections {
		if isNames(s) {
			continue
		}
		body, err := renumbered(s, order, bodies, has, renamed)
		if err != nil {
			return nil, nil, err
		}
		small = append(binary.AppendUvarint(append(small, s.id), uint64(len(body))), body...)
	}
	return small, inOrder, nil
}

// isNames reports whether a section has the names of functions.
func isNames(s section) bool {
	return s.id == customSection && bytes.HasPrefix(s.body, []byte("\x04name"))
}

// functionNames returns the names in such a section, by the functions' numbers.
func functionNames(section []byte) (map[int]string, error) {
	const ofFunctions = 1
	names := map[int]string{}
	r := reader{rest: section}
	r.take(r.unsigned())
	for len(r.rest) > 0 && r.err == nil {
		kind, part := r.byte(), reader{rest: r.take(r.unsigned())}
		if kind != ofFunctions || r.err != nil {
			continue
		}
		for n := part.unsigned(); n > 0 && part.err == nil; n-- {
			i := part.unsigned()
			names[i] = string(part.take(part.unsigned()))
		}
		if part.err != nil {
			return nil, part.err
		}
	}
	return names, r.err
}

// orderLike returns the order of functions in which their names stand in `like`. One without a namesake there follows
// the one that it follows now.
func orderLike(names, like []string) []int {
	places := map[string]int{}
	for place, name := range like {
		places[name] = place
	}
	order := make([]int, len(names))
	place := make([]int, len(names))
	for i, name := range names {
		order[i] = i
		if p, ok := places[name]; ok {
			place[i] = p
		} else if i > 0 {
			place[i] = place[i-1]
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(place[a], place[b]) })
	return order
}

// renumbered returns the body of a section in which functions, and their variables, have new numbers.
func renumbered(s section, order []int, bodies [][]byte, has, renamed []int) ([]byte, error) {
	r := reader{rest: s.body}
	var out []byte
	number := func() { // copies a number of a function
		if i := r.unsigned(); i < len(renamed) {
			out = binary.AppendUvarint(out, uint64(renamed[i]))
		} else {
			r.err = errShort
		}
	}
	copied := func() int {
		n := r.unsigned()
		out = binary.AppendUvarint(out, uint64(n))
		return n
	}
	switch s.id {
	default:
		return s.body, nil
	case functionSection:
		types := make([]int, len(order))
		if r.unsigned() != len(order) {
			return nil, errShort
		}
		for i := range types {
			types[i] = r.unsigned()
		}
		out = binary.AppendUvarint(out, uint64(len(order)))
		for _, i := range order {
			out = binary.AppendUvarint(out, uint64(types[i]))
		}
	case exportSection:
		for n := copied(); n > 0 && r.err == nil; n-- {
			out = append(out, r.take(copied())...)
			kind := r.byte()
			out = append(out, kind)
			if kind == 0 {
				number()
			} else {
				copied()
			}
		}
	case startSection:
		number()
	case elementSection:
		for n := copied(); n > 0 && r.err == nil; n-- {
			if kind, op := r.byte(), r.byte(); kind != 0 || op != i32Const {
				return nil, fmt.Errorf("elements of kind %d whose place begins with %#x, want 0 and %#x", kind, op,
					i32Const)
			}
			out = append(appendSigned(append(out, 0, i32Const), r.signed()), r.byte())
			for m := copied(); m > 0 && r.err == nil; m-- {
				number()
			}
		}
	case codeSection:
		out = binary.AppendUvarint(out, uint64(len(order)))
		for _, i := range order {
			body, err := rewritten(bodies[i], has[i], renamed)
			if err != nil {
				return nil, err
			}
			out = append(binary.AppendUvarint(out, uint64(len(body))), body...)
		}
	}
	return out, r.err
}

// vector returns the parts of a section of parts that begin with their lengths.
func vector(section []byte) ([][]byte, error) {
	r := reader{rest: section}
	var parts [][]byte
	for n := r.unsigned(); n > 0 && r.err == nil; n-- {
		parts = append(parts, r.take(r.unsigned()))
	}
	return parts, r.err
}

// importedFunctions returns how many functions a section imports. It imports nothing else.
func importedFunctions(section []byte) (int, error) {
	r := reader{rest: section}
	n := r.unsigned()
	for i := 0; i < n && r.err == nil; i++ {
		r.take(r.unsigned())
		r.take(r.unsigned())
		if kind := r.byte(); kind != 0 {
			return 0, fmt.Errorf("an import of kind %d, want 0, a function", kind)
		}
		r.unsigned()
	}
	return n, r.err
}

// rewritten returns a function's body in which the functions that it calls have new numbers, and its variables are
// arranged.
func rewritten(body []byte, parameters int, renamed []int) ([]byte, error) {
	out, variables, err := arranged(body, parameters)
	if err != nil {
		return nil, err
	}
	err = instructions(body, func(op byte, bytes []byte) error {
		numbers := renamed
		switch {
		case op == declarations:
			return nil // the declarations, which out has
		case op >= localGet && op <= localTee:
			numbers = variables
		case op != call && op != refFunc:
			out = append(out, bytes...)
			return nil
		}
		r := reader{rest: bytes[1:]}
		i := r.unsigned()
		if i >= len(numbers) {
			return errShort
		}
		out = binary.AppendUvarint(append(out, op), uint64(numbers[i]))
		return nil
	})
	return out, err
}

// instructions calls visit with the declarations of a function's variables and with each of its instructions, and with
// their bytes.
func instructions(body []byte, visit func(op byte, bytes []byte) error) error {
	r := reader{rest: body}
	for n := r.unsigned(); n > 0 && r.err == nil; n-- {
		r.unsigned()
		r.byte()
	}
	if err := visit(declarations, body[:len(body)-len(r.rest)]); err != nil {
		return err
	}
	for len(r.rest) > 0 && r.err == nil {
		from := r.rest
		op := r.byte()
		if err := r.skipOperands(op); err != nil {
			return err
		}
		if r.err != nil {
			break
		}
		if err := visit(op, from[:len(from)-len(r.rest)]); err != nil {
			return err
		}
	}
	return r.err
}

// skipOperands reads what follows an instruction's first byte.
func (r *reader) skipOperands(op byte) error {
	numbers, fixed := 0, 0 // how many numbers follow, and bytes after them
	switch {
	case op == 0xfc:
		switch sub := r.unsigned(); {
		case sub <= 7:
		case sub == 8 || sub == 10 || sub == 12 || sub == 14:
			numbers = 2
		case sub <= 17:
			numbers = 1
		default:
			return fmt.Errorf("an instruction 0xfc %d, which shrink does not know", sub)
		}
	case op == 0xfd: // SIMD
		switch sub := r.unsigned(); {
		case sub <= 11 || sub == 92 || sub == 93:
			numbers = 2
		case sub <= 13:
			fixed = 16
		case 21 <= sub && sub <= 34:
			fixed = 1
		case 84 <= sub && sub <= 91:
			numbers, fixed = 2, 1
		case sub > 255:
			return fmt.Errorf("an instruction 0xfd %d, which shrink does not know", sub)
		}
	case op == 0x0e: // br_table
		numbers = r.unsigned() + 1
	case op == 0x11, 0x28 <= op && op <= 0x3e: // call_indirect, loads and stores
		numbers = 2
	case 0x02 <= op && op <= 0x04, op == 0x0c, op == 0x0d, op == call, 0x20 <= op && op <= 0x26, op == 0x3f,
		op == 0x40, op == i32Const, op == 0x42, op == 0xd0, op == refFunc:
		numbers = 1
	case op == 0x43:
		fixed = 4
	case op == 0x44:
		fixed = 8
	case op <= 0x01, op == 0x05, op == end, op == 0x0f, op == 0x1a, op == 0x1b, 0x45 <= op && op <= 0xc4, op == 0xd1:
	default:
		return fmt.Errorf("an instruction %#x, which shrink does not know", op)
	}
	for ; numbers > 0 && r.err == nil; numbers-- {
		for r.byte() >= 0x80 {
		}
	}
	r.take(fixed)
	return nil
}
