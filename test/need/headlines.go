package need

import (
	"strings"
	"testing"
)

// Headlines are all that a place says above its pictures of type P: parts of sentences, each with the predicate whether
// a picture shows it.
type Headlines[P any] map[string]func(picture P) bool

// Check fails the test where a text has no headline, or one that the picture does not show. It counts the headlines
// that it meets.
func (all Headlines[P]) Check(t *testing.T, met map[string]int, name string, picture P, texts ...string) {
	t.Helper()
	for _, text := range texts {
		known := false
		for says, shows := range all {
			if !strings.Contains(text, says) {
				continue
			}
			if known, met[says] = true, met[says]+1; !shows(picture) {
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
	for says := range all {
		if met[says] == 0 {
			t.Errorf("the walk does not meet %q", says)
		}
	}
	t.Logf("%s; headlines: %v", walked, met)
}
