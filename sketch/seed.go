package sketch

import (
	"math/bits"
	"strconv"
)

// A Seed determines every random choice of a map. The zero value is IntSeed(0).
// Integer, text and byte seeds never coincide: IntSeed(5) and StringSeed("5")
// are different seeds.
type Seed struct {
	kind seedKind
	n    uint64
	text string // UTF-8 of a string seed, or the 32 bytes of a byte seed
}

type seedKind uint8

const (
	seedInt seedKind = iota
	seedString
	seedBytes
)

// IntSeed returns the seed of an integer from 0 to 2^64 − 1.
func IntSeed(n uint64) Seed { return Seed{kind: seedInt, n: n} }

// StringSeed returns the seed of a text, taken as its UTF-8 bytes and never parsed.
func StringSeed(text string) Seed { return Seed{kind: seedString, text: text} }

// BytesSeed returns the seed of 32 bytes.
func BytesSeed(b [32]byte) Seed { return Seed{kind: seedBytes, text: string(b[:])} }

// Int returns the integer and true for an integer seed.
func (s Seed) Int() (n uint64, ok bool) { return s.n, s.kind == seedInt }

// Text returns the text and true for a text seed.
func (s Seed) Text() (text string, ok bool) {
	if s.kind != seedString {
		return "", false
	}
	return s.text, true
}

// Bytes returns the 32 bytes and true for a seed of bytes.
func (s Seed) Bytes() (b [32]byte, ok bool) {
	if s.kind == seedBytes {
		copy(b[:], s.text)
	}
	return b, s.kind == seedBytes
}

// String returns the integer in decimal, the text in quotes, or "32 bytes".
func (s Seed) String() string {
	switch s.kind {
	case seedString:
		return quote(s.text)
	case seedBytes:
		return "32 bytes"
	}
	return strconv.FormatUint(s.n, 10)
}

// seedDomain separates this use of SHA-256 from every other, and its version
// from later ones.
const seedDomain = "tensorsketch seed 1"

// key returns the 32-byte key of the seed's random streams:
// SHA-256(domain ‖ kind byte 'i', 's' or 'b' ‖ payload), where the payload is
// the integer in 8 bytes little-endian, the UTF-8 text, or the 32 bytes.
func (s Seed) key() *[32]byte {
	message := append([]byte(nil), seedDomain...)
	switch s.kind {
	case seedString:
		message = append(message, 's')
		message = append(message, s.text...)
	case seedBytes:
		message = append(message, 'b')
		message = append(message, s.text...)
	default:
		message = append(message, 'i')
		for shift := 0; shift < 64; shift += 8 {
			message = append(message, byte(s.n>>shift))
		}
	}
	return sha256(message)
}

// KeyCheck returns a value that detects a wrong key, for a seed of 32 bytes: the first 16 bytes of
// SHA-256("tensorsketch key check 1" ‖ the 32 bytes). It is independent of the key of the random
// streams as far as SHA-256 is a random function.
func (s Seed) KeyCheck() [16]byte {
	digest := sha256(append([]byte("tensorsketch key check 1"), s.text...))
	return [16]byte(digest[:16])
}

// sha256 is FIPS 180-4. The standard library's version would bring package os and a sixth of a
// megabyte into the WebAssembly core. The tests compare the two.
func sha256(message []byte) *[32]byte {
	state := [8]uint32{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}
	bitLength := uint64(len(message)) * 8
	padded := append(append([]byte(nil), message...), 0x80)
	for len(padded)%64 != 56 {
		padded = append(padded, 0)
	}
	for shift := 56; shift >= 0; shift -= 8 {
		padded = append(padded, byte(bitLength>>shift))
	}
	for ; len(padded) > 0; padded = padded[64:] {
		sha256Block(&state, padded[:64])
	}
	digest := new([32]byte)
	for i, word := range state {
		for j := range 4 {
			digest[4*i+j] = byte(word >> (24 - 8*j))
		}
	}
	return digest
}

func sha256Block(state *[8]uint32, block []byte) {
	var w [64]uint32
	for i := range 16 {
		w[i] = uint32(block[4*i])<<24 | uint32(block[4*i+1])<<16 | uint32(block[4*i+2])<<8 | uint32(block[4*i+3])
	}
	for i := 16; i < 64; i++ {
		s0 := bits.RotateLeft32(w[i-15], -7) ^ bits.RotateLeft32(w[i-15], -18) ^ w[i-15]>>3
		s1 := bits.RotateLeft32(w[i-2], -17) ^ bits.RotateLeft32(w[i-2], -19) ^ w[i-2]>>10
		w[i] = w[i-16] + s0 + w[i-7] + s1
	}
	a, b, c, d, e, f, g, h := state[0], state[1], state[2], state[3], state[4], state[5], state[6], state[7]
	for i := range 64 {
		s1 := bits.RotateLeft32(e, -6) ^ bits.RotateLeft32(e, -11) ^ bits.RotateLeft32(e, -25)
		t1 := h + s1 + (e&f ^ ^e&g) + sha256Constants[i] + w[i]
		s0 := bits.RotateLeft32(a, -2) ^ bits.RotateLeft32(a, -13) ^ bits.RotateLeft32(a, -22)
		t2 := s0 + (a&b ^ a&c ^ b&c)
		a, b, c, d, e, f, g, h = t1+t2, a, b, c, d+t1, e, f, g
	}
	for i, v := range [8]uint32{a, b, c, d, e, f, g, h} {
		state[i] += v
	}
}

// sha256Constants are the first 32 bits of the fractional parts of the cube
// roots of the first 64 primes.
var sha256Constants = [64]uint32{
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
}
