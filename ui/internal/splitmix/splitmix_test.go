package splitmix

import "testing"

// TestUint64 compares with the first values the authors' C code gives for the
// seed 1234567.
func TestUint64(t *testing.T) {
	s := Source(1234567)
	for i, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431,
		16408922859458223821} {
		if got := s.Uint64(); got != want {
			t.Errorf("number %d: got %d, want %d", i, got, want)
		}
	}
}

func TestRanges(t *testing.T) {
	s := Source(1)
	var seen [7]bool
	for range 1000 {
		seen[s.Below(7)] = true
		if x := s.Between(-2, 3); x < -2 || x >= 3 {
			t.Fatalf("Between(-2, 3) = %v", x)
		}
	}
	for n, ok := range seen {
		if !ok {
			t.Errorf("Below(7) never gives %d", n)
		}
	}
}
