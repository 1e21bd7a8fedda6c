package embedding

import "io"

// recordedNumbers bounds the numbers a Recording holds: 32 MB.
const recordedNumbers = 8 << 20

// A Recording passes on the rows of a source and remembers them, so that a small
// file is read once and embedded anew at every move of a slider. It gives up when
// the rows are too many.
type Recording struct {
	source   Source
	blocks   []Rows
	rows     int
	numbers  int
	gaveUp   bool
	complete bool
}

// Record returns a recording of the rows that source still has.
func Record(source Source) *Recording { return &Recording{source: source} }

// NewRecording returns a complete recording of rows that are at hand.
func NewRecording(rows Rows) *Recording {
	return &Recording{blocks: []Rows{rows}, rows: rows.Len(), complete: true}
}

// Next passes on the next rows.
func (r *Recording) Next(most int) (Rows, error) {
	rows, err := r.source.Next(most)
	if err == io.EOF {
		r.complete = !r.gaveUp
	}
	if err != nil || r.gaveUp {
		return rows, err
	}
	r.rows += rows.Len()
	if r.numbers += rows.Numbers(); r.numbers > recordedNumbers {
		r.gaveUp, r.blocks = true, nil
		return rows, nil
	}
	r.blocks = append(r.blocks, rows)
	return rows, nil
}

// Replay returns the rows from the beginning, or nil if not all were recorded.
func (r *Recording) Replay() Source {
	if !r.complete {
		return nil
	}
	return &replay{blocks: r.blocks}
}

// Rows returns how many rows are recorded.
func (r *Recording) Rows() int { return r.rows }

type replay struct {
	blocks []Rows
	at     int // in the first of them
}

func (p *replay) Next(most int) (Rows, error) {
	if len(p.blocks) == 0 {
		return nil, io.EOF
	}
	rows := p.blocks[0]
	from, to := p.at, rows.Len()
	if to-from > most {
		to = from + most
		p.at = to
	} else {
		p.blocks, p.at = p.blocks[1:], 0
	}
	return rows.Slice(from, to), nil
}
