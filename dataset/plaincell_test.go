package dataset

import (
	"math/rand/v2"
	"testing"
)

// A plain number has the kind and the form that the general rules give it: those are asked for the same number with a
// space before it, or with a plus.
func TestPlainNumbers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	letters := []byte("00123456789.,-")
	plain := 0
	for range 50_000 {
		b := make([]byte, 1+random.IntN(plainDigits+2))
		for i := range b {
			if b[i] = letters[random.IntN(len(letters))]; random.IntN(3) > 0 {
				b[i] = '0' + byte(random.IntN(10))
			}
		}
		cell := string(b)
		_, _, isPlain := plainNumber(cell)
		if isPlain {
			plain++
		}
		for _, style := range numberStyles {
			if got, want := kind(cell, style, ""), kind(" "+cell, style, ""); got != want {
				t.Fatalf("%q in the style %v is of kind %v, with a space %v", cell, style, got, want)
			}
		}
		if !isPlain || cell[0] == '-' {
			continue
		}
		got, ok := formOf(cell)
		if want, wantOK := formOf("+" + cell); got != want || ok != wantOK {
			t.Fatalf("%q has the form %v, %v, with a plus %v, %v", cell, got, ok, want, wantOK)
		}
	}
	if plain < 10_000 {
		t.Errorf("%d cells of 50,000 are plain", plain)
	}
}
