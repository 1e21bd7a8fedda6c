//go:build !js

package main

import (
	"math/rand"
	"testing"
)

// TestAreas: the features tell wrong rows as well as the exact kernel does, within 0.03.
func TestAreas(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	known, next := draw(random, 0), draw(random, every)
	novelty, err := noveltyOf(known, next)
	if err != nil {
		t.Fatal(err)
	}
	if here, exact := areaOf(novelty), areaOf(exactly(known, next)); here < exact-0.03 || here > exact+0.03 {
		t.Errorf("the area under the curve is %.3f, and %.3f with the exact kernel", here, exact)
	}
}
