package embedding

import (
	"errors"
	"io"
	"testing"
)

// A wideSource gives rows of many numbers without end, one at a time.
type wideSource struct{ given int }

const wide = 1 << 20

func (s *wideSource) Next(int) (Rows, error) {
	s.given++
	return &numbered{&Dense{make([]float32, wide), []string{""}}, s.given}, nil
}

func TestReadHead(t *testing.T) {
	pace := func() error { return nil }
	all := numbers(7, 3)
	head, err := ReadHead(all.Replay(), pace)
	if err != nil || !head.IsWhole || head.Rows != 7 || head.Place(3) != 0 {
		t.Fatalf("got %+v, %v", head, err)
	}
	if got := head.Chosen(4); got != "4 of all 7\u00a0rows" {
		t.Errorf("got %q", got)
	}
	head, err = ReadHead(&wideSource{}, pace)
	if err != nil || head.IsWhole || head.Rows != recordedNumbers/wide || head.Place(4) != 2*5+3 {
		t.Fatalf("of many rows %d are read, %v", head.Rows, err)
	}
	if got := head.Chosen(4); got != "4 of the first 8\u00a0rows" {
		t.Errorf("got %q", got)
	}

	stopped := errors.New("stopped")
	if _, err := ReadHead(all.Replay(), func() error { return stopped }); err != stopped {
		t.Errorf("stopped: %v", err)
	}
	if head, err := ReadHead(failingSource{}, pace); head != nil || err != io.ErrUnexpectedEOF {
		t.Errorf("a source that fails: %v, %v", head, err)
	}
}

type failingSource struct{}

func (failingSource) Next(int) (Rows, error) { return nil, io.ErrUnexpectedEOF }
