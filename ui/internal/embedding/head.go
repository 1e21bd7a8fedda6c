package embedding

import (
	"io"
	"math"

	"tensorsketch.example/ui/internal/format"
)

// A Head is the first rows of a source, as many as a Recording would hold, in blocks:
// what a map is fitted to. filejob.js takes the same rows.
type Head struct {
	Blocks  []Rows
	Rows    int
	IsWhole bool // these are all rows
}

// ReadHead reads the first rows. Pace is that of a Job.
func ReadHead(source Source, pace func() error) (*Head, error) {
	h := &Head{}
	for numbers := 0; ; {
		if err := pace(); err != nil {
			return nil, err
		}
		rows, err := source.Next(math.MaxInt)
		if err == io.EOF {
			h.IsWhole = true
			return h, nil
		}
		if err != nil {
			return nil, err
		}
		if numbers += rows.Numbers(); numbers > recordedNumbers && len(h.Blocks) > 0 {
			return h, nil
		}
		h.Blocks = append(h.Blocks, rows)
		h.Rows += rows.Len()
	}
}

// Place returns that of a row in the file, or 0.
func (h *Head) Place(row int) int {
	for _, rows := range h.Blocks {
		if row < rows.Len() {
			return rows.Place(row)
		}
		row -= rows.Len()
	}
	return 0
}

// Chosen says how many of the rows are.
func (h *Head) Chosen(n int) string {
	rows := "all "
	if !h.IsWhole {
		rows = "the first "
	}
	return format.Count(n) + " of " + rows + format.Plural(h.Rows, "row")
}
