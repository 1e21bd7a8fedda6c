package dataset

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode"
	"unicode/utf8"
)

// murmur3 is MurmurHash3_x86_32 (Appleby), the hash of scikit-learn's HashingVectorizer.
func murmur3(data []byte, seed uint32) uint32 {
	h := seed
	length := uint32(len(data))
	for ; len(data) >= 4; data = data[4:] {
		h ^= murmurScramble(binary.LittleEndian.Uint32(data))
		h = bits.RotateLeft32(h, 13)*5 + 0xe6546b64
	}
	rest := uint32(0)
	for i, b := range data {
		rest |= uint32(b) << (8 * i)
	}
	h ^= murmurScramble(rest)
	h ^= length
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}

func murmurScramble(k uint32) uint32 {
	return bits.RotateLeft32(k*0xcc9e2d51, 15) * 0x1b873593
}

// The seeds separate a word from an equal run of characters.
const (
	wordSeed  = 0
	charsSeed = 1
)

// hashed returns the coordinate of a token below width, and its sign: with h as a
// signed number, |h| mod width, and −1 if h is negative (Weinberger et al. 2009).
func hashed(token []byte, seed uint32, width int) (index int32, sign float64) {
	h := int64(int32(murmur3(token, seed)))
	if h < 0 {
		return int32(-h % int64(width)), -1
	}
	return int32(h % int64(width)), 1
}

// entry is one coordinate of a row.
type entry struct {
	index int32
	value float64
}

func byIndex(a, b entry) int { return int(a.index) - int(b.index) }

// A tokenizer hashes the n-grams of a text into coordinates.
type tokenizer struct {
	words, chars [2]int // shortest and longest n-gram, 0 for none
	width        int

	text   []byte // lower case
	starts []int  // of the words or characters, in text
	ends   []int
	token  []byte
	found  []entry
}

// count returns the coordinates of a text in increasing order, each with the sum of
// the signs of the n-grams that fall there; sums of zero are left out. The slice is
// valid until the next call.
func (t *tokenizer) count(text []byte) []entry {
	t.found = t.found[:0]
	if t.words[1] > 0 {
		t.cutWords(text)
		t.add(t.words, wordSeed, true)
	}
	if t.chars[1] > 0 {
		t.cutChars(text)
		t.add(t.chars, charsSeed, false)
	}
	slices.SortFunc(t.found, byIndex)
	n := 0
	for i := 0; i < len(t.found); {
		sum := t.found[i]
		for i++; i < len(t.found) && t.found[i].index == sum.index; i++ {
			sum.value += t.found[i].value
		}
		if sum.value != 0 {
			t.found[n] = sum
			n++
		}
	}
	return t.found[:n]
}

// add hashes the n-grams of the cut words or characters. Words are joined by a space.
func (t *tokenizer) add(lengths [2]int, seed uint32, spaced bool) {
	for i := range t.starts {
		for n := lengths[0]; n <= lengths[1] && i+n <= len(t.starts); n++ {
			token := t.text[t.starts[i]:t.ends[i+n-1]]
			if spaced && n > 1 {
				t.token = t.token[:0]
				for k := i; k < i+n; k++ {
					t.token = append(append(t.token, t.text[t.starts[k]:t.ends[k]]...), ' ')
				}
				token = t.token[:len(t.token)-1]
			}
			index, sign := hashed(token, seed, t.width)
			t.found = append(t.found, entry{index, sign})
		}
	}
}

func (t *tokenizer) reset() { t.text, t.starts, t.ends = t.text[:0], t.starts[:0], t.ends[:0] }

// cutWords finds the runs of two or more letters, digits and underscores.
func (t *tokenizer) cutWords(text []byte) {
	t.reset()
	start, length := 0, 0
	end := func() {
		if length >= 2 {
			t.starts, t.ends = append(t.starts, start), append(t.ends, len(t.text))
		}
		start, length = len(t.text), 0
	}
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		text = text[size:]
		if r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) {
			t.text = utf8.AppendRune(t.text, unicode.ToLower(r))
			length++
		} else {
			end()
		}
	}
	end()
}

// cutChars takes every character, and one space for each run of white space.
func (t *tokenizer) cutChars(text []byte) {
	t.reset()
	space := false
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		text = text[size:]
		if unicode.IsSpace(r) {
			if space {
				continue
			}
			r = ' '
		}
		space = r == ' '
		t.starts = append(t.starts, len(t.text))
		t.text = utf8.AppendRune(t.text, unicode.ToLower(r))
		t.ends = append(t.ends, len(t.text))
	}
}
