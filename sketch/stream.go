package sketch

import "math/bits"

// A stream is a sequence of random 64-bit words: the ChaCha20 key stream of RFC 8439 under a seed's
// key, read as little-endian words. The nonce is (domain, index, repeat) as three little-endian
// 32-bit words, so every use has its own stream. The block counter starts at 0.
type stream struct {
	input [16]uint32
	block [16]uint32
	next  int // index of the next unread 32-bit word of block
}

// The domains of the streams. Numbers are never reused: models depend on them.
const (
	domainIndexHash = 1 // coefficients of h_k; index k
	domainSign      = 2 // coefficients of s_k; index k
	domainAMS       = 3 // coefficients of the AMS sketch's s_j; index j

	domainProjection = 4 // entries of random projections; index coordinate i
	domainOrder      = 5 // orders of Random Maclaurin features; index 0
	domainTurn       = 6 // coefficients of the quarter turns of the complex tensor sketch; index k

	domainHadamardSign  = 10 // signs of tensor-srht; index k
	domainHadamardEntry = 11 // chosen entries of the transform, tensor-srht and complex-tensor-srht; index k
	domainHadamardTurn  = 12 // quarter turns of complex-tensor-srht; index k
	domainDownSign      = 13 // signs of craft's Hadamard transform; index 0
	domainDownEntry     = 14 // chosen entries of that transform; index 0

	domainFrequency = 16 // random frequencies; index coordinate i
	domainOffset    = 17 // offsets of the frequencies; index 0
	domainDirection = 18 // normal numbers for the directions of frequencies; index coordinate i
	domainShell     = 19 // lengths of these frequencies; index 0
	domainLandmark  = 20 // choice of Nyström's landmarks; index 0

	domainBlockSign  = 21 // signs of structured frequencies; index k of the factor, the first one applied
	domainLength     = 22 // lengths of orthogonal and structured frequencies; index 0
	domainBlockEntry = 23 // order of structured frequencies within their blocks; index 0

	domainBootstrap = 40 // resampling of test rows; index 0
	domainRows      = 41 // rows of a low-rank approximation; index 0

	domainProductIndex = 28 // coefficients of h of a compressed product; index 0 for rows of A, 1 for columns of B
	domainPlan         = 30 // choice of the sample rows that Plan uses; index 0
	domainProductSign  = 29 // coefficients of s of a compressed product; index 0 for rows of A, 1 for columns of B
)

// randomness is the source of one sketch's random numbers: the key of a seed, and the number of the
// map's independent repeat, counted from 0.
type randomness struct {
	key    *[32]byte
	repeat uint32
}

// randomness returns the randomness of one repeat.
func (s Seed) randomness(repeat int) randomness {
	return randomness{s.key(), uint32(repeat)}
}

// stream returns the stream for one use of the randomness. The table above lists the domains and
// what their index counts.
func (r randomness) stream(domain, index uint32) *stream {
	s := new(stream)
	s.start(r, domain, index)
	return s
}

// newStream returns the stream of repeat 0.
func newStream(key [32]byte, domain, index uint32) *stream {
	return randomness{&key, 0}.stream(domain, index)
}

// start resets s to the beginning of the stream for one use of the randomness.
func (s *stream) start(r randomness, domain, index uint32) {
	s.next = 16
	copy(s.input[:4], []uint32{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574})
	for i := range 8 {
		s.input[4+i] = uint32(r.key[4*i]) | uint32(r.key[4*i+1])<<8 | uint32(r.key[4*i+2])<<16 | uint32(r.key[4*i+3])<<24
	}
	s.input[12], s.input[13], s.input[14], s.input[15] = 0, domain, index, r.repeat
}

// uint64 returns the next word of the stream.
func (s *stream) uint64() uint64 {
	if s.next == 16 {
		s.refill()
	}
	low, high := s.block[s.next], s.block[s.next+1]
	s.next += 2
	return uint64(low) | uint64(high)<<32
}

// residue returns a uniform number from 0 to 2^61 − 2: the low 61 bits of the next word. It draws
// again if they are 2^61 − 1.
func (s *stream) residue() uint64 {
	for {
		if v := s.uint64() & mersenne61; v != mersenne61 {
			return v
		}
	}
}

// refill computes the next block of ChaCha20 (RFC 8439, section 2.3). The state is in variables, which Go keeps in
// registers.
func (s *stream) refill() {
	in := &s.input
	x0, x1, x2, x3 := in[0], in[1], in[2], in[3]
	x4, x5, x6, x7 := in[4], in[5], in[6], in[7]
	x8, x9, x10, x11 := in[8], in[9], in[10], in[11]
	x12, x13, x14, x15 := in[12], in[13], in[14], in[15]
	for range 10 {
		x0, x4, x8, x12 = quarterRound(x0, x4, x8, x12)
		x1, x5, x9, x13 = quarterRound(x1, x5, x9, x13)
		x2, x6, x10, x14 = quarterRound(x2, x6, x10, x14)
		x3, x7, x11, x15 = quarterRound(x3, x7, x11, x15)
		x0, x5, x10, x15 = quarterRound(x0, x5, x10, x15)
		x1, x6, x11, x12 = quarterRound(x1, x6, x11, x12)
		x2, x7, x8, x13 = quarterRound(x2, x7, x8, x13)
		x3, x4, x9, x14 = quarterRound(x3, x4, x9, x14)
	}
	s.block = [16]uint32{x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15}
	for i, v := range in {
		s.block[i] += v
	}
	in[12]++
	s.next = 0
}

func quarterRound(a, b, c, d uint32) (uint32, uint32, uint32, uint32) {
	a += b
	d = bits.RotateLeft32(d^a, 16)
	c += d
	b = bits.RotateLeft32(b^c, 12)
	a += b
	d = bits.RotateLeft32(d^a, 8)
	c += d
	b = bits.RotateLeft32(b^c, 7)
	return a, b, c, d
}
