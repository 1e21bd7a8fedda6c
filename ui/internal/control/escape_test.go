package control

import (
	"net/url"
	"strings"
	"testing"
)

// net/url is the oracle.
func TestEscape(t *testing.T) {
	for _, value := range []string{"", "a b", "x+y=z&", "0.5,−1", "100 %", "\x00\xff", "über/~-_.", "%41"} {
		want := strings.ReplaceAll(url.QueryEscape(value), "%2C", ",")
		if got := Escape(value); got != want {
			t.Errorf("Escape(%q) = %q, want %q", value, got, want)
		}
	}
	for _, escaped := range []string{"", "a+b", "%", "%4", "%41", "%4g", "%zz", "a%", "%e2%88%92", "%E2", ",", "a=b"} {
		want, err := url.QueryUnescape(escaped)
		if got, ok := Unescape(escaped); got != want || ok != (err == nil) {
			t.Errorf("Unescape(%q) = %q, %v, want %q, error %v", escaped, got, ok, want, err)
		}
	}
}
