//go:build !js

// Command difference writes FILE.toscalar.wasm: what makes FILE.scalar.wasm of FILE.wasm, the same program with SIMD.
//
//	go run ./tools/difference public/api/tensorsketch …
//
// Bundlers copy all that the package names, and a page fetches one file. Most bytes of both are equal. With the
// difference in place of the scalar file, they copy a third less. public/api/toscalar.js makes the scalar file again.
package main

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"log"
	"os"
)

func main() {
	log.SetFlags(0)
	for _, name := range os.Args[1:] {
		if err := write(name); err != nil {
			log.Fatalf("difference: %v", err)
		}
	}
}

func write(name string) error {
	from, err := os.ReadFile(name + ".wasm")
	if err != nil {
		return err
	}
	to, err := os.ReadFile(name + ".scalar.wasm")
	if err != nil {
		return err
	}
	module := module(difference(from, to))
	made, err := change(from, module)
	if err != nil || string(made) != string(to) {
		return fmt.Errorf("%s.toscalar.wasm does not make the bytes of %[1]s.scalar.wasm (%v)", name, err)
	}
	return os.WriteFile(name+".toscalar.wasm", module, 0o644)
}

// section is the name of the section that holds a difference.
const section = "difference"

// module returns a WebAssembly file whose only section is custom and holds the difference. So hosts treat the file as
// they treat the core's, and an engine checks that it is whole.
func module(difference []byte) []byte {
	content := append(append([]byte{byte(len(section))}, section...), difference...)
	return append(binary.AppendUvarint([]byte("\x00asm\x01\x00\x00\x00\x00"), uint64(len(content))), content...)
}

const (
	window     = 8   // bytes that a copy from elsewhere has in common at least, to be found
	least      = 12  // bytes that it has at least, to be worth its four or so
	leastHere  = 4   // the same, where the bytes go on where the last copy ended, past what is new
	enough     = 48  // bytes from there after which nothing longer is looked for
	better     = 8   // bytes by which a copy from elsewhere is longer than one from there
	candidates = 512 // places that are compared; runs of zeros have more
)

// difference returns what makes `to` of `from`. All numbers are LEB128:
//
//	the bytes of `to`; their FNV-1a checksum of 32 bits; and steps:
//	how many bytes are new, these bytes, how many bytes are copied from `from`, and how far from where the last
//	copy ended, plus the new bytes (zigzag: 2n, or −2n − 1 where n < 0)
func difference(from, to []byte) []byte {
	places := map[uint64][]int{}
	for i := 0; i+window <= len(from); i++ {
		if key := binary.LittleEndian.Uint64(from[i:]); len(places[key]) < candidates {
			places[key] = append(places[key], i)
		}
	}
	sum := fnv.New32a()
	sum.Write(to)
	steps := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(len(to))), uint64(sum.Sum32()))
	done, next := 0, 0 // to[:done] is in the steps, and the last copy ended at from[next]
	step := func(until, at, length int) {
		steps = binary.AppendUvarint(steps, uint64(until-done))
		steps = append(steps, to[done:until]...)
		steps = binary.AppendUvarint(steps, uint64(length))
		steps = binary.AppendVarint(steps, int64(at-(next+until-done)))
		done, next = until+length, at+length
	}
	for i := 0; i < len(to); {
		at := next + i - done
		length := common(from, to, at, i)
		isCopied := length >= leastHere
		if length < enough && i+window <= len(to) {
			for _, place := range places[binary.LittleEndian.Uint64(to[i:])] {
				if n := common(from, to, place, i); n >= least && (!isCopied || n > length+better) {
					at, length, isCopied = place, n, true
				}
			}
		}
		if isCopied {
			step(i, at, length)
			i += length
		} else {
			i++
		}
	}
	if done < len(to) {
		step(len(to), next+len(to)-done, 0)
	}
	return steps
}

// common returns how many bytes from[at:] and to[i:] begin with that are equal.
func common(from, to []byte, at, i int) (n int) {
	for at+n < len(from) && i+n < len(to) && from[at+n] == to[i+n] {
		n++
	}
	return n
}
