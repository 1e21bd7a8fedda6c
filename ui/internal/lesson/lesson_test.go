package lesson

import "testing"

func TestItem(t *testing.T) {
	for _, text := range []string{"", "x0", "x63", "k127", "m3", "n4", "c3.11", "f0", "d11", "p3.11"} {
		item, ok := ParseItem(text)
		if !ok || item.String() != text {
			t.Errorf("%q: got %+v, %v, written %q", text, item, ok, item)
		}
	}
	for _, text := range []string{"x", "x-1", "x01", "x1.2", "c3", "c3.", "c3.x", "y3", "x1048576", "x 1", "ß3", "x+1"} {
		if item, ok := ParseItem(text); ok {
			t.Errorf("%q is taken for %+v", text, item)
		}
	}
}

// FuzzParseItem: what is taken is written as it was.
func FuzzParseItem(f *testing.F) {
	f.Add("c3.11")
	f.Fuzz(func(t *testing.T, text string) {
		if item, ok := ParseItem(text); ok && item.String() != text {
			t.Errorf("%q is written %q", text, item)
		}
	})
}
