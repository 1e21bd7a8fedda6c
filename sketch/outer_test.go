package sketch

import (
	"math/rand"
	"testing"

	"tensorsketch.example/test/need"
)

// Sketches of outer products have the same bits with tables of their hashes and without.
func TestOuterSketchesWithoutTables(t *testing.T) {
	rng := rand.New(rand.NewSource(6))
	U, V := randomRows(rng, 9, 13), randomRows(rng, 9, 7)
	o, none := NewOuterSketches(13, 7, 45, 3, IntSeed(9)), NewOuterSketches(13, 7, 45, 3, IntSeed(9))
	for r := range 3 {
		none.tables[r].tables = nil
		want := need.Value(o.Transform(nil, r, Dense(U), Dense(V)))(t)
		if got := need.Value(none.Transform(nil, r, sparseRows(rng, U, 13), Dense(V)))(t); !sameBits(got, want) {
			t.Errorf("repeat %d: %v, want %v", r, got, want)
		}
		if a, b := o.Hash(r, 1, 6), none.Hash(r, 1, 6); a != b {
			t.Errorf("repeat %d: hashes %v and %v", r, a, b)
		}
	}
}
