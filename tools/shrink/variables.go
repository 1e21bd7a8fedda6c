//go:build !js

package main

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
)

// Instructions that name a variable.
const (
	localGet = 0x20
	localTee = 0x22
)

// arranged returns the declarations of a function's variables in another order, and the new number of each, which
// parameters keep. Integers of 32 bits, the kind of the greatest number, come first, then the other kinds. Within a
// kind, the variable that is named most often comes first: all functions then name the same few numbers, which take
// fewer bits.
func arranged(body []byte, parameters int) (declared []byte, renamed []int, err error) {
	r := reader{rest: body}
	kinds := make([]byte, parameters)
	for n := r.unsigned(); n > 0 && r.err == nil; n-- {
		count := r.unsigned()
		kinds = append(kinds, bytes.Repeat([]byte{r.byte()}, count)...)
	}
	uses, first, at := make([]int, len(kinds)), make([]int, len(kinds)), 0
	err = instructions(body, func(op byte, bytes []byte) error {
		if at++; op >= localGet && op <= localTee {
			i, _ := binary.Uvarint(bytes[1:])
			if i >= uint64(len(kinds)) {
				return errShort
			}
			if uses[i]++; uses[i] == 1 {
				first[i] = at
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	renamed = make([]int, len(kinds))
	order := make([]int, len(kinds)-parameters)
	for i := range renamed {
		renamed[i] = i
	}
	copy(order, renamed[parameters:])
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(kinds[b], kinds[a]), cmp.Compare(uses[b], uses[a]), cmp.Compare(first[a], first[b]))
	})
	groups := 0
	for place := 0; place < len(order); groups++ {
		kind, from := kinds[order[place]], place
		for ; place < len(order) && kinds[order[place]] == kind; place++ {
			renamed[order[place]] = parameters + place
		}
		declared = append(binary.AppendUvarint(declared, uint64(place-from)), kind)
	}
	return append(binary.AppendUvarint(nil, uint64(groups)), declared...), renamed, nil
}

// parametersOf returns how many parameters each function with code has, by a file's sections of types and functions.
func parametersOf(types, functions []byte) ([]int, error) {
	var ofType, of []int
	r := reader{rest: types}
	for n := r.unsigned(); n > 0 && r.err == nil; n-- {
		r.byte()
		parameters := r.unsigned()
		r.take(parameters)
		r.take(r.unsigned())
		ofType = append(ofType, parameters)
	}
	if r.err != nil {
		return nil, r.err
	}
	r = reader{rest: functions}
	for n := r.unsigned(); n > 0 && r.err == nil; n-- {
		i := r.unsigned()
		if i >= len(ofType) {
			return nil, errShort
		}
		of = append(of, ofType[i])
	}
	return of, r.err
}
