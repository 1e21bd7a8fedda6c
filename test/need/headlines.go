package need

import (
	"strings"
	"testing"
)

// A Headline is something that a picture of type P says above it, with the predicate that says whether it shows it.
type Headline[P any] struct {
	Says  string // part of a sentence
	Shows func(picture P) bool
}

// Headlines are all that a place says above its pictures.
type Headlines[P any] []Headline[P]

// Check fails the test where a text has no headline, or one that the picture does not show. It counts the headlines
// that it meets.
func (all Headlines[P]) Check(t *testing.T, met map[string]int, name string, picture P, texts ...string) {
	t.Helper()
	for _, text := range texts {
		known := false
		for _, h := range all {
			if !strings.Contains(text, h.Says) {
				continue
			}
			if known, met[h.Says] = true, met[h.Says]+1; !h.Shows(picture) {
				t.Errorf("%s: %q is not what the picture shows", name, text)
			}
		}
		if !known {
			t.Errorf("%s: no predicate for %q", name, text)
		}
	}
}

// Met fails the test where a headline was not met, and prints how often each was.
func (all Headlines[P]) Met(t *testing.T, met map[string]int, walked string) {
	t.Helper()
	for _, h := range all {
		if met[h.Says] == 0 {
			t.Errorf("the walk does not meet %q", h.Says)
		}
	}
	t.Logf("%s; headlines: %v", walked, met)
}
