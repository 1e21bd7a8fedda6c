package privacy

import (
	"io"
	"math/bits"

	"tensorsketch.example/sketch"
)

// A Noise turns secure random bytes into exact discrete Gaussian integers. It has
// no seed, and no bit is used twice. It must not be used concurrently, nor copied.
type Noise struct {
	random io.Reader
	buffer [8192]byte
	unread []byte
	word   uint64 // random bits not used yet, in the lowest places
	left   uint   // how many they are
	failed error  // of random, while add runs
}

// NewNoise returns a source of noise. random must be cryptographically secure and secret:
// crypto/rand.Reader, or a browser's crypto.getRandomValues. With bytes that can be predicted or
// repeated there is no privacy.
func NewNoise(random io.Reader) *Noise { return &Noise{random: random} }

// add adds noise of σ = 2^m to every integer of v. The error is a failure of the source of
// randomness, after which v must not be used.
func (s *Noise) add(v []int64, m uint) error {
	for i := range v {
		v[i] += s.gaussian(m)
		if s.failed != nil {
			err := sketch.ErrParam.New("random", s.failed.Error(), "deliver random bytes without end")
			s.failed, s.left = nil, 0
			return err
		}
	}
	return nil
}

// take returns n ≤ 64 random bits.
func (s *Noise) take(n uint) uint64 {
	if s.left < n {
		s.refill()
	}
	s.left -= n
	return s.word >> s.left & (1<<n - 1)
}

// refill replaces the remaining bits, fewer than take needs, by 64 new ones. If the source fails,
// it supplies worthless bits only so that the calling loop ends; add discards their result.
func (s *Noise) refill() {
	if len(s.unread) == 0 {
		if s.failed = s.read(); s.failed != nil {
			s.word, s.left = 6364136223846793005*s.word+1442695040888963407, 64
			return
		}
		s.unread = s.buffer[:]
	}
	b := s.unread[:8]
	s.word = uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
	s.unread, s.left = s.unread[8:], 64
}

// read fills the buffer. It replaces io.ReadFull, which compares errors by reflection.
func (s *Noise) read() error {
	for n, idle := 0, 0; n < len(s.buffer); {
		more, err := s.random.Read(s.buffer[n:])
		if n += more; err != nil && n < len(s.buffer) {
			return err
		}
		if idle++; more > 0 {
			idle = 0
		}
		if idle == 100 {
			return io.ErrNoProgress
		}
	}
	return nil
}

// below returns a uniform integer in [0, n).
func (s *Noise) below(n uint64) uint64 {
	size := uint(bits.Len64(n - 1))
	for {
		if v := s.take(size); v < n {
			return v
		}
	}
}

// gaussian returns an integer v with probability proportional to exp(−v²/2σ²), σ = 2^m, m ≤ 48. It
// is Algorithm D of Karney, Sampling exactly from the normal distribution (2016), on integers.
// v| = (k+x)·σ, with k a whole number and x a fraction of m bits, is drawn by rejection from
//
//	exp(−(k+x)²/2) = exp(−k²/2) · exp(−x)^k · exp(−x²/2)
//
// Everything below compares random integers. Nothing is rounded, so the distribution is exact. The
// result would exceed int64 only after more than 2^60 trials passed in a row.
func (s *Noise) gaussian(m uint) int64 {
	for {
		k, x := s.whole(), s.take(m)
		if !s.expSquare(x, m) {
			continue
		}
		rest := k
		for rest > 0 && (s.take(m) >= x || s.expTail(x, m)) { // k times exp(−x)
			rest--
		}
		if rest > 0 {
			continue
		}
		v := k<<m | int64(x)
		if s.take(1) == 0 {
			return v
		}
		if v != 0 { // otherwise zero would occur twice, as +0 and −0
			return -v
		}
	}
}

// whole returns k ≥ 0 with probability proportional to exp(−k²/2), which is
// exp(−½)^k · exp(−½)^(k(k−1)).
func (s *Noise) whole() int64 {
	for {
		k, v := int64(0), s.take(3)
		for v >= 4 || v == 0 && s.expHalfTail() { // expHalf, inlined
			k++
			v = s.take(3)
		}
		rest := k * (k - 1)
		for rest > 0 && s.expHalf() {
			rest--
		}
		if rest == 0 {
			return k
		}
	}
}

// The trials below succeed with probability exp(−γ), 0 ≤ γ ≤ 1, by von Neumann's series, as in
// Algorithm 1 of Canonne, Kamath & Steinke: make trials of probability γ/1, γ/2, γ/3, … until one
// fails. The number of trials made is odd with probability 1 − γ + γ²/2! − γ³/3! + … Go inlines
// take but no function that calls it. The first trials, which usually decide, are therefore apart
// from the tails.

// expHalf succeeds with probability exp(−½). The trials of ½ and ¼ are one draw of
// three bits: 4 to 7 fail the first, 1 to 3 pass it and fail the second.
func (s *Noise) expHalf() bool {
	v := s.take(3)
	return v >= 4 || v == 0 && s.expHalfTail()
}

// expHalfTail continues expHalf after two trials passed.
func (s *Noise) expHalfTail() bool {
	n := uint64(3)
	for s.below(2*n) == 0 {
		n++
	}
	return n&1 == 1
}

// expTail succeeds with probability exp(−x), where x stands for the fraction x/2^m, once the first
// trial, take(m) < x, has passed.
func (s *Noise) expTail(x uint64, m uint) bool {
	n := uint64(2)
	for s.take(m) < x && s.below(n) == 0 {
		n++
	}
	return n&1 == 1
}

// expSquare succeeds with probability exp(−x²/2), x as in expTail.
func (s *Noise) expSquare(x uint64, m uint) bool {
	n := uint64(1)
	for die := s.take(1); die == 0 && s.take(m) < x && s.take(m) < x; die = s.below(2 * n) {
		n++
	}
	return n&1 == 1
}
