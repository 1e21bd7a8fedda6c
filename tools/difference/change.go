//go:build !js

package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/fnv"
)

var errOther = errors.New("the difference is of another file")

// change returns what a module of a difference makes of `from`, as public/api/toscalar.js does.
func change(from, module []byte) ([]byte, error) {
	_, steps, ok := bytes.Cut(module, []byte(section))
	if !ok {
		return nil, errOther
	}
	number := func() int {
		n, length := binary.Uvarint(steps)
		steps = steps[max(length, 0):]
		return int(n)
	}
	length, sum := number(), fnv.New32a()
	want := uint32(number())
	var to []byte
	for at := 0; len(steps) > 0; {
		fresh := min(number(), len(steps))
		to = append(to, steps[:fresh]...)
		steps = steps[fresh:]
		n := number()
		jump := number()
		at += fresh + (jump>>1 ^ -(jump & 1))
		if n == 0 {
			continue
		}
		if at < 0 || at+n > len(from) {
			return nil, errOther
		}
		to = append(to, from[at:at+n]...)
		at += n
	}
	if sum.Write(to); len(to) != length || sum.Sum32() != want {
		return nil, errOther
	}
	return to, nil
}
