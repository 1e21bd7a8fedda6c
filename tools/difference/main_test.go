//go:build !js

package main

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestDifference: a difference makes the bytes that it was made for, and no others of another file.
func TestDifference(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	noise := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(random.Uint32())
		}
		return b
	}
	long := noise(5000)
	edited := bytes.Clone(long)
	edited[100], edited[2000] = edited[100]+1, edited[2000]+1
	for _, c := range []struct {
		name     string
		from, to []byte
		max      int
	}{
		{"nothing of nothing", nil, nil, 30},
		{"nothing", long, nil, 30},
		{"of nothing", nil, long, 5040},
		{"the same", long, long, 40},
		{"two bytes", long, edited, 60},
		{"the halves exchanged", long, append(bytes.Clone(long[2500:]), long[:2500]...), 60},
		{"bytes taken out", long, append(bytes.Clone(long[:10]), long[4000:]...), 60},
		{"bytes put in", long, append(append(bytes.Clone(long[:10]), "more than before"...), long[10:]...), 70},
		{"zeros", make([]byte, 3000), make([]byte, 4000), 60},
		{"twice", long[:1000], append(bytes.Clone(long[:1000]), long[:1000]...), 60},
		{"others", long, noise(300), 400},
	} {
		module := module(difference(c.from, c.to))
		if got, err := change(c.from, module); err != nil || !bytes.Equal(got, c.to) {
			t.Errorf("%s: %d bytes and %v, want %d", c.name, len(got), err, len(c.to))
		}
		if len(module) > c.max {
			t.Errorf("%s: %d bytes, want at most %d", c.name, len(module), c.max)
		}
		if again := difference(c.from, c.to); !bytes.HasSuffix(module, again) {
			t.Errorf("%s: a second difference has other bytes", c.name)
		}
	}
	changed := bytes.Clone(long)
	changed[7]++
	for _, other := range [][]byte{nil, long[:4000], changed} {
		if got, err := change(other, module(difference(long, edited))); err == nil {
			t.Errorf("of another file of %d bytes it makes %d bytes, want an error", len(other), len(got))
		}
	}
}
