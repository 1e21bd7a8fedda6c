package sketch

import (
	stdsha256 "crypto/sha256"
	"encoding/hex"
	"math/bits"
	"math/rand"
	"testing"
)

func TestSHA256(t *testing.T) {
	message := make([]byte, 300)
	rand.New(rand.NewSource(1)).Read(message)
	for n := range message {
		if got, want := *sha256(message[:n]), stdsha256.Sum256(message[:n]); got != want {
			t.Fatalf("sha256 of %d bytes = %x, want %x", n, got, want)
		}
	}
}

// RFC 8439, section 2.3.2: the block of key 00 01 … 1f, counter 1, nonce
// 00:00:00:09:00:00:00:4a:00:00:00:00.
func TestChaCha20(t *testing.T) {
	var key [32]byte
	for i := range key {
		key[i] = byte(i)
	}
	s := newStream(key, 0x09000000, 0x4a000000)
	s.input[12] = 1
	var got []byte
	for range 8 {
		v := s.uint64()
		for shift := 0; shift < 64; shift += 8 {
			got = append(got, byte(v>>shift))
		}
	}
	want := "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e" +
		"d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e"
	if hex.EncodeToString(got) != want {
		t.Errorf("block %x, want %s", got, want)
	}
}

func TestSeedsDiffer(t *testing.T) {
	var five [32]byte
	five[0] = 5
	keys := map[[32]byte]Seed{}
	for _, s := range []Seed{IntSeed(0), IntSeed(5), IntSeed(1 << 63), StringSeed("5"), StringSeed(""),
		StringSeed("\x05\x00\x00\x00\x00\x00\x00\x00"), BytesSeed(five)} {
		if other, ok := keys[*s.key()]; ok {
			t.Errorf("seeds %v and %v have the same key", s, other)
		}
		keys[*s.key()] = s
	}
	if *(Seed{}).key() != *IntSeed(0).key() {
		t.Error("the zero Seed is not IntSeed(0)")
	}
}

// The examples of docs/SPEC.md: keys, coefficients and hashes never change.
func TestSpecExamples(t *testing.T) {
	for _, c := range []struct {
		seed Seed
		key  string
	}{
		{IntSeed(0), "44dfe8eb4884f07350a37cad3a7739e8d689c0b2aa592ab50247483ed23dd10f"},
		{IntSeed(5), "173edbf8c74dd3e8c3617db728eafae84fe57019701fe7a26901c4edf80606be"},
		{StringSeed("5"), "d7f5575205c02d9b722e7cbeea42ced967790f41a21e6582fb2dc33e387a49b1"},
		{BytesSeed([32]byte{}), "d685dfa174619c52161f682baac10ea6923da5cc9d0121262f86ffd3e97e3861"},
	} {
		if key := c.seed.key(); hex.EncodeToString(key[:]) != c.key {
			t.Errorf("seed %v has key %x, want %s", c.seed, key, c.key)
		}
	}
	h := newPolyHash(IntSeed(5).randomness(0), 0)
	want := polyHash{
		index: [3]uint64{363714576020764938, 1041542064211083416, 1914929858547067262},
		sign:  signHash{532267107311253331, 1846166185287406202, 921583385601626220, 1628674867886084779},
	}
	if h != want {
		t.Errorf("coefficients %v, want %v", h, want)
	}
	m := must(t, Params{NFeatures: 8, NComponents: 1000, Seed: IntSeed(5)})
	buckets, signs := []int{157, 439, 383, 987, 252, 177, 764, 12}, []int{-1, 1, 1, -1, 1, 1, 1, -1}
	for i := range buckets {
		if bucket, sign := m.Hash(0, i); bucket != buckets[i] || sign != signs[i] {
			t.Errorf("h(%d) = %d, s(%d) = %d, want %d, %d", i, bucket, i, sign, buckets[i], signs[i])
		}
	}
}

func TestMulAdd61(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	for range 100000 {
		a, b, c := rng.Uint64()%mersenne61, rng.Uint64()%mersenne61, rng.Uint64()%mersenne61
		if rng.Intn(4) == 0 {
			a, b, c = mersenne61-1, mersenne61-1-uint64(rng.Intn(2)), mersenne61-1
		}
		high, low := bits.Mul64(a, b)
		_, want := bits.Div64(high, low, mersenne61)
		want = (want + c) % mersenne61
		if got := mulAdd61(a, b, c); got != want {
			t.Fatalf("mulAdd61(%d, %d, %d) = %d, want %d", a, b, c, got, want)
		}
	}
}

// k-wise independence shows in the counts: pairs and triples of buckets, and
// products of up to four signs, are uniform over seeds.
func TestHashIndependence(t *testing.T) {
	const seeds, D = 20000, 3
	var triples [D * D * D]int
	var products [16]int
	for seed := range uint64(seeds) {
		h := newPolyHash(IntSeed(seed).randomness(0), 0)
		cell, signs := 0, [4]int{}
		for i := range 4 {
			e := h.entry(uint64(i), D)
			if i < 3 {
				cell = cell*D + e.Bucket()
			}
			signs[i] = int(e.Sign())
		}
		triples[cell]++
		for subset := range products {
			product := 1
			for i, s := range signs {
				if subset>>i&1 == 1 {
					product *= s
				}
			}
			products[subset] += product
		}
	}
	chi2 := 0.0 // 26 degrees of freedom: 54.1 is exceeded once in 1,000 draws
	for _, n := range triples {
		d := float64(n) - seeds/float64(len(triples))
		chi2 += d * d / (seeds / float64(len(triples)))
	}
	if chi2 > 54.1 {
		t.Errorf("triples of buckets: χ² = %.1f with 26 degrees of freedom", chi2)
	}
	for subset, sum := range products {
		if subset > 0 && (sum > 4*142 || sum < -4*142) { // √20000 = 141.4
			t.Errorf("signs %04b: the products sum to %d over %d seeds", subset, sum, seeds)
		}
	}
}

func TestTablesAreACache(t *testing.T) {
	p := Params{NFeaturesEach: []int{100, 50}, Degree: 2, NComponents: 77}
	h := p.seedTables(IntSeed(3).randomness(0))
	direct := &hashTables{nComponents: 77, poly: h.poly}
	buffer := make([]entry, 16)
	for k, width := range []int{100, 50} {
		for i := range width {
			if h.at(k, i) != direct.at(k, i) {
				t.Fatalf("degree %d, coordinate %d: cached %x, computed %x", k, i, h.at(k, i), direct.at(k, i))
			}
		}
		if got, want := direct.entries(buffer, k, 20, 16)[7], h.at(k, 27); got != want {
			t.Errorf("degree %d: entries gives %x, at gives %x", k, got, want)
		}
	}
}
