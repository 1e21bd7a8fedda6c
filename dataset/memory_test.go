package dataset

import (
	"io"
	"runtime"
	"testing"

	"tensorsketch.example/test/slow"
)

// endless repeats a text until n bytes are read.
type endless struct {
	text string
	at   int
	rest int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.rest <= 0 {
		return 0, io.EOF
	}
	n := copy(p, e.text[e.at:])
	e.at = (e.at + n) % len(e.text)
	e.rest -= n
	return n, nil
}

// TestMemory: a file of 16 MB keeps less than 6 MB of memory, whatever its format.
func TestMemory(t *testing.T) {
	slow.Emulated(t)
	for name, row := range longRows {
		head := row + row + row + row
		l := mustSniff(t, name, head)
		p := NewPreprocessing(l)
		fit(t, l, head, p)
		var before, during runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		s, err := l.Open(&endless{text: row, rest: 16 << 20})
		if err != nil {
			t.Fatal(err)
		}
		r, err := NewReader(s, p)
		if err != nil {
			t.Fatal(err)
		}
		most, batches := uint64(0), 0
		err = each(r, func(*Batch) {
			if batches++; batches%16 == 0 {
				runtime.GC()
				runtime.ReadMemStats(&during)
				most = max(most, during.HeapAlloc-min(before.HeapAlloc, during.HeapAlloc))
			}
		})
		if err != nil || most > 6<<20 || batches < 16 {
			t.Errorf("%s: %d bytes of heap in %d batches, %v", name, most, batches, err)
		}
	}
}
