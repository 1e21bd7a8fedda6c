//go:build tinycore

package lanes

import "unsafe"

const lanes = 4

// A vec holds one number of each of the lanes' rows. The bodies of the functions of this file are in vec.ll, as LLVM's
// operations on vectors.
type vec [4]float32

func splat(x float32) vec

func (v vec) Add(w vec) vec
func (v vec) Sub(w vec) vec
func (v vec) Mul(w vec) vec
func (v vec) Round() vec
func (v vec) ToBits() word

func get(z unsafe.Pointer, offset uintptr) vec
func put(z unsafe.Pointer, offset uintptr, v vec)

// transpose4 writes four rows of four numbers, fromStep bytes apart, as columns, toStep bytes apart.
func transpose4(to unsafe.Pointer, toStep uintptr, from unsafe.Pointer, fromStep uintptr) {
	a, b, c, d := columns(get(from, 0), get(from, fromStep), get(from, 2*fromStep), get(from, 3*fromStep))
	put(to, 0, a)
	put(to, toStep, b)
	put(to, 2*toStep, c)
	put(to, 3*toStep, d)
}

// The orders in which the numbers of two vecs are wanted.
func evens(v, w vec) vec
func odds(v, w vec) vec
func zipLow(v, w vec) vec
func zipHigh(v, w vec) vec
func lows(v, w vec) vec
func highs(v, w vec) vec
func reversed(v, w vec) vec

// A word holds the bits of a vec, or other 32-bit words.
type word [4]uint32

func splatBits(x uint32) word

func (w word) Add(x word) word
func (w word) And(x word) word
func (w word) Max(x word) word
func (w word) Mul(x word) word
func (w word) Xor(x word) word
func (w word) BitsToFloat32() vec

func getWord(z unsafe.Pointer, offset uintptr) word
func putWord(z unsafe.Pointer, offset uintptr, w word)

// A block of integer rows holds two integers of 16 bits, of two rows, in 32 bits.
const rowsPerWord = 2

// An ints holds integers of 32 bits, and a packed holds what is in the block for each of them.
type (
	ints   = word
	packed = word
)

func splatInts(x int32) ints { return splatBits(uint32(x)) }

func splatPacked(x int32) packed { return splatBits(uint32(x)) }

func getInts(z unsafe.Pointer, offset uintptr) ints     { return getWord(z, offset) }
func getPacked(z unsafe.Pointer, offset uintptr) packed { return getWord(z, offset) }

// products returns a·b for every place: the sum of two products. WebAssembly has an instruction for it with SIMD:
// pairs+simd128.ll and pairs-simd128.ll have the body with SIMD and without.
func products(a, b packed) ints

// carry adds integers to as many of 64 bits at p.
func carry(p unsafe.Pointer, offset uintptr, v ints)

// A doubles holds half as many numbers of twice the size.
type doubles [2]float64

func broadcast(x float64) doubles

// clearUppers comes between arithmetic with vecs and without.
func clearUppers() {}

func (v doubles) Add(w doubles) doubles
func (v doubles) Sub(w doubles) doubles
func (v doubles) Mul(w doubles) doubles

// getWide returns numbers of 32 bits in 64.
func getWide(z unsafe.Pointer, offset uintptr) doubles

func getDoubles(z unsafe.Pointer, offset uintptr) doubles
func putDoubles(z unsafe.Pointer, offset uintptr, v doubles)
