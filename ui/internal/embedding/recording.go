package embedding

import (
	"io"

	"github.com/tensorsketch/tensorsketch/ui/internal/csvfile"
)

// recordedNumbers bounds the numbers a Recording holds: 32 MB.
const recordedNumbers = 8 << 20

// A Recording passes on the rows of a source and remembers them, so that a small
// file is read once and embedded anew at every move of a slider. It gives up when
// the rows are too many.
type Recording struct {
	source   Source
	features []float32
	width    int
	lines    []int // of the file; nil where the rows are of none
	labels   []string
	kept     [][]string
	gaveUp   bool
	complete bool
}

// Record returns a recording of the rows that source still has.
func Record(source Source) *Recording { return &Recording{source: source} }

// Next passes on the next row.
func (r *Recording) Next() (*csvfile.Row, error) {
	row, err := r.source.Next()
	if err == io.EOF {
		r.complete = !r.gaveUp
	}
	if err != nil || r.gaveUp {
		return row, err
	}
	if len(r.features)+len(row.Features) > recordedNumbers {
		r.gaveUp, r.features, r.lines, r.labels, r.kept = true, nil, nil, nil, nil
		return row, nil
	}
	r.width = len(row.Features)
	r.features = append(r.features, row.Features...)
	r.lines = append(r.lines, row.Line)
	r.labels = append(r.labels, row.Label)
	r.kept = append(r.kept, append([]string(nil), row.Kept...))
	return row, nil
}

// Replay returns the rows from the beginning, or nil if not all were recorded.
func (r *Recording) Replay() Source {
	if !r.complete {
		return nil
	}
	return &replay{recording: r}
}

// Rows returns how many rows are recorded.
func (r *Recording) Rows() int { return len(r.labels) }

// NewRecording returns a complete recording of rows that are at hand: width
// numbers and a label each.
func NewRecording(features []float32, width int, labels []string) *Recording {
	return &Recording{features: features, width: width, labels: labels, kept: make([][]string, len(labels)), complete: true}
}

type replay struct {
	recording *Recording
	next      int
	row       csvfile.Row
}

func (p *replay) Next() (*csvfile.Row, error) {
	r, i := p.recording, p.next
	if i == len(r.labels) {
		return nil, io.EOF
	}
	p.next++
	p.row = csvfile.Row{Features: r.features[i*r.width : (i+1)*r.width], Label: r.labels[i], Kept: r.kept[i]}
	if r.lines != nil {
		p.row.Line = r.lines[i]
	}
	return &p.row, nil
}
