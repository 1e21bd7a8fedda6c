package embedding

import (
	"errors"
	"io"
	"math"
	"slices"
	"testing"

	"github.com/tensorsketch/tensorsketch/ui/internal/csvfile"
)

// A wideSource gives rows of many numbers without end.
type wideSource struct{ row csvfile.Row }

func (s *wideSource) Next() (*csvfile.Row, error) {
	s.row.Line++
	return &s.row, nil
}

func TestReadHead(t *testing.T) {
	pace := func() error { return nil }
	all := numbers(7, 3)
	head, err := ReadHead(all.Replay(), false, pace)
	if err != nil || !head.IsWhole || len(head.Lines) != 7 || !slices.Equal(head.X, all.features) {
		t.Fatalf("got %+v, %v", head, err)
	}
	if got := head.Chosen(4); got != "4 of all 7\u00a0rows" {
		t.Errorf("got %q", got)
	}
	if head, err = ReadHead(all.Replay(), true, pace); err != nil {
		t.Fatal(err)
	}
	for row := range 7 {
		square := 0.0
		for _, v := range head.X[3*row : 3*row+3] {
			square += float64(v) * float64(v)
		}
		if math.Abs(square-1) > 1e-6 && row != 3 { // which is all zeros
			t.Errorf("row %d has length %v", row, math.Sqrt(square))
		}
	}

	const width = 1 << 20
	head, err = ReadHead(&wideSource{csvfile.Row{Features: make([]float32, width)}}, false, pace)
	if err != nil || head.IsWhole || !slices.Equal(head.Lines, []int{1, 2, 3, 4, 5, 6, 7, 8}) || len(head.X) != 8*width {
		t.Fatalf("of many rows %d are read, %v", len(head.Lines), err)
	}
	if got := head.Chosen(4); got != "4 of the first 8\u00a0rows" {
		t.Errorf("got %q", got)
	}

	stopped := errors.New("stopped")
	if _, err := ReadHead(all.Replay(), false, func() error { return stopped }); err != stopped {
		t.Errorf("stopped: %v", err)
	}
	if head, err := ReadHead(failingSource{}, false, pace); head != nil || err != io.ErrUnexpectedEOF {
		t.Errorf("a source that fails: %v, %v", head, err)
	}
}

type failingSource struct{}

func (failingSource) Next() (*csvfile.Row, error) { return nil, io.ErrUnexpectedEOF }
