package embedding

import (
	"io"

	"github.com/tensorsketch/tensorsketch/ui/internal/format"
)

// A Head is the first rows of a source, as many as a Recording would hold.
type Head struct {
	X       []float32
	Lines   []int // of the file
	IsWhole bool  // these are all rows
}

// ReadHead reads the first rows, scaled to length 1 where that is wanted. Pace is that
// of a Job.
func ReadHead(source Source, unit bool, pace func() error) (*Head, error) {
	h := &Head{}
	for {
		if err := pace(); err != nil {
			return nil, err
		}
		row, err := source.Next()
		if err == io.EOF {
			h.IsWhole = true
			return h, nil
		}
		if err != nil {
			return nil, err
		}
		n := len(h.X)
		if n+len(row.Features) > recordedNumbers {
			return h, nil
		}
		h.X = append(h.X, row.Features...)
		h.Lines = append(h.Lines, row.Line)
		if unit {
			Unit(h.X[n:])
		}
	}
}

// Chosen says how many of the rows are.
func (h *Head) Chosen(n int) string {
	rows := "all "
	if !h.IsWhole {
		rows = "the first "
	}
	return format.Count(n) + " of " + rows + format.Plural(len(h.Lines), "row")
}
