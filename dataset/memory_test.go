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
	for name, row := range map[string]string{
		"f.csv":   "1,2.5,some words,-3e-5,\"a \"\"quoted\"\" cell\",2026-11-20\n",
		"f.jsonl": "{\"a\":1.5,\"b\":\"some words\",\"v\":[1,2,3]}\n",
		"f.svm":   "1 1:0.5 7:2 12:1 100:0.25\n",
		"f.txt":   "some words here and a few more\n",
	} {
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
		var b Batch
		most, batches := uint64(0), 0
		for ; err == nil; err = r.Next(&b) {
			if batches++; batches%16 == 0 {
				runtime.GC()
				runtime.ReadMemStats(&during)
				most = max(most, during.HeapAlloc-min(before.HeapAlloc, during.HeapAlloc))
			}
		}
		if err != io.EOF {
			t.Fatal(err)
		}
		if most > 6<<20 {
			t.Errorf("%s: %d bytes of heap", name, most)
		} else {
			t.Logf("%s: %d KB of heap, %d rows", name, most>>10, r.Counts().Rows)
		}
	}
}
