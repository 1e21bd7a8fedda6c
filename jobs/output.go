package jobs

import (
	"io"
	"strings"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
)

// A Target is where a job writes rows, and in which format.
type Target struct {
	Format     string `json:"format"`
	RowNumbers bool   `json:"rowNumbers,omitempty"` // write the line or number of each row first
	// Create begins the output. If rewinds is set, Rewrite is called at its end. It is called once it is clear that there
	// will be one.
	Create func(rewinds bool) (Output, error) `json:"-"`
}

// An Output takes bytes.
type Output interface {
	io.Writer
	Rewrite(head []byte) error // writes over the beginning
	Commit() error             // after the last byte
}

// A rowWriter writes rows.
type rowWriter struct {
	Output
	encoder    *dataset.Encoder
	rowNumbers bool
	cells      [][]byte
	bytes      []byte // not yet written
	rows       int64
}

// noFormat returns the error for a format of an output that there is not.
func noFormat(name string) error {
	return fail("format", "{format} must be one of %s, got %q", strings.Join(columns.FormatNames(true), ", "), name)
}

// create begins the output with these cells before the numbers of a row, as far as the format has places for them.
// It goes on after the rows that it has.
func (o *Target) create(cells []string, nComponents int, options dataset.EncoderOptions, has *Written) (*rowWriter,
	error) {
	format, facts := dataset.Format(o.Format), columns.FormatOf(o.Format)
	if facts == nil {
		return nil, noFormat(o.Format)
	}
	if o.RowNumbers && !facts.Cells {
		return nil, fail("rowNumbers", "%s has no place for row numbers; write them beside it with {cells} FILE", o.Format)
	}
	options.RowNumbers = o.RowNumbers
	w := &rowWriter{rowNumbers: o.RowNumbers, cells: make([][]byte, facts.CellCount(len(cells)))}
	var err error
	if w.encoder, err = dataset.NewEncoderWith(format, cells[:len(w.cells)], nComponents, options); err != nil {
		return nil, &Error{Argument: "format", err: err}
	}
	if w.Output, err = o.Create(w.encoder.FinalHeader(0) != nil); err != nil {
		return nil, err
	}
	if has != nil {
		w.rows = has.Rows
		return w, nil
	}
	w.bytes = w.encoder.AppendHeader(nil)
	return w, nil
}

// add writes the cells of a block with Z, the numbers of its rows. more returns the cells of a row that are not in the
// table and follow those; it may be nil.
func (w *rowWriter) add(b *block, Z []float32, more func(row int) []string) error {
	rows := b.to - b.from
	D := len(Z) / max(1, rows)
	for row := range rows {
		var added []string
		if more != nil {
			added = more(row)
			added = added[:min(len(added), len(w.cells))] // .npy has no cells
		}
		own := len(w.cells) - len(added)
		for k := range own {
			w.cells[k] = b.Cell(b.from+row, k)
		}
		for k := range added {
			w.cells[own+k] = append(w.cells[own+k][:0:0], added[k]...)
		}
		var err error
		if z := Z[row*D : (row+1)*D]; w.rowNumbers {
			w.bytes, err = w.encoder.AppendRowAt(w.bytes, b.Places[b.from+row], w.cells, z)
		} else {
			w.bytes, err = w.encoder.AppendRow(w.bytes, w.cells, z)
		}
		if err != nil {
			return b.labelError(row, err)
		}
	}
	w.rows += int64(rows)
	w.bytes = w.encoder.AppendBlock(w.bytes)
	return w.flush()
}

// labelError returns an error about the label of a row as a problem with its file.
func (b *block) labelError(row int, err error) error {
	_, message, _ := strings.Cut(Plain(err), ": ") // the row of the output
	what, remedy, _ := strings.Cut(message, "; ")
	return b.problem(row, what, remedy)
}

func (w *rowWriter) flush() error {
	_, err := w.Write(w.bytes)
	w.bytes = w.bytes[:0]
	return err
}

// commit ends the output.
func (w *rowWriter) commit() error {
	w.bytes = w.encoder.AppendFooter(w.bytes)
	err := w.flush()
	if head := w.encoder.FinalHeader(w.rows); err == nil && head != nil {
		err = w.Rewrite(head)
	}
	if err != nil {
		return err
	}
	return w.Commit()
}
