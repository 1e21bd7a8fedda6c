package jobs

import (
	"errors"
	"slices"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
)

// An EmbedRequest asks for the features of rows.
type EmbedRequest struct {
	Rows
	Map   MapParams `json:"map"`
	Model *Named    `json:"model,omitempty"` // instead of Map and columns
	To    Target    `json:"to"`
	Cells *Target   `json:"cells,omitempty"` // row numbers, labels and kept columns alone, beside a format without cells
	// Only writes something else than features, as CSV or JSON Lines: "cells" as Cells does, "unused" the rows that are
	// left out, with place, what and remedy.
	Only string   `json:"only,omitempty"`
	From *Written `json:"from,omitempty"` // goes on after so many rows, with outputs that have these
	// Wrote is called after each block that is written to To. What is written later is the end of the file, which is not
	// there when another job goes on.
	Wrote func(Written) error `json:"-"`
	// Made is called with the model file, for other files like these, before a feature is written. Its error ends the job.
	Made func(model []byte) error `json:"-"`
}

// Written is how far an output is: another job goes on from here.
type Written struct {
	Rows    int64  `json:"rows"`
	Encoder []byte `json:"encoder,omitempty"` // dataset.Encoder.State, in base 64
}

// rows returns how many rows an output has.
func (w *Written) rows() int64 {
	if w == nil {
		return 0
	}
	return w.Rows
}

// encoder returns the state of the encoder, or nil.
func (w *Written) encoder() []byte {
	if w == nil {
		return nil
	}
	return w.Encoder
}

// An EmbedReply says what was written.
type EmbedReply struct {
	Told
	NFeatures   int  `json:"nFeatures"`
	NComponents int  `json:"nComponents"`
	Stopped     bool `json:"stopped,omitempty"` // the rows so far were written
}

// Embed writes the features of the rows of files.
func Embed(c *Control, mapper Mapper, q *EmbedRequest) (*EmbedReply, error) {
	t, m, err := q.open(c, mapper)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	rows, err := q.write(t, m)
	reply := &EmbedReply{NFeatures: m.NFeatures(), NComponents: m.NComponents(), Stopped: errors.Is(err, ErrStopped)}
	if err != nil && !reply.Stopped {
		return nil, err
	}
	t.say()
	reply.Told = told(rows, t)
	return reply, nil
}

// open opens the files, and reads the model or makes it.
func (q *EmbedRequest) open(c *Control, mapper Mapper) (*table, Map, error) {
	if q.Model != nil {
		m, p, err := open(q.Model, mapper.OpenMap)
		if err != nil {
			return nil, nil, err
		}
		if p != nil {
			err = q.refuse(p, "{model}")
		}
		var t *table
		if err == nil {
			t, err = q.openFor(c, m.NFeatures(), q.Model.isPrepared(), p)
		}
		if err == nil {
			err = q.made(t, m)
		}
		return t, m, err
	}
	t, err := q.Rows.open(c, nil)
	if err != nil {
		return nil, nil, err
	}
	t.say()
	if err := t.learn(0, nil); err != nil {
		return nil, nil, err
	}
	params, err := q.Map.params()
	if err != nil {
		return nil, nil, err
	}
	m, err := t.newMap(mapper, params)
	if err == nil {
		err = q.made(t, m)
	}
	return t, m, err
}

func (q *EmbedRequest) made(t *table, m Map) error {
	if q.Made == nil {
		return nil
	}
	file, err := m.File(t.p)
	if err == nil {
		err = q.Made(file)
	}
	return err
}

// write writes the features of all rows, also of those before a stop.
func (q *EmbedRequest) write(t *table, m Map) (rows int64, err error) {
	to, names, D, o := q.To, t.p.CellNames(), m.NComponents(), dataset.EncoderOptions{}
	switch q.Only {
	case "cells":
		to.RowNumbers, D = true, 0
	case "unused":
		names, D, o.CellsAlone = []string{"place", "what", "remedy"}, 0, true
	case "":
	default:
		return 0, fail("only", "{only} must be cells or unused, got %q", q.Only)
	}
	o.State = q.From.encoder()
	w, err := to.create(names, D, o, q.From)
	if err != nil {
		return 0, err
	}
	writers := []*rowWriter{w}
	if q.Cells != nil {
		beside := *q.Cells
		beside.RowNumbers = true
		cells, err := beside.create(t.p.CellNames(), 0, dataset.EncoderOptions{}, q.From)
		if err != nil {
			return 0, err
		}
		writers = append(writers, cells)
	}
	if q.Only == "unused" {
		err = q.writeUnused(t, w)
	} else {
		err = q.writeRows(t, m, writers)
	}
	if err != nil && !errors.Is(err, ErrStopped) {
		return 0, err
	}
	for _, w := range slices.Backward(writers) {
		if err := w.commit(); err != nil {
			return 0, err
		}
	}
	return w.rows, err
}

// writeRows writes the rows that are not written yet.
func (q *EmbedRequest) writeRows(t *table, m Map, writers []*rowWriter) error {
	left := t.blocksAfter(q.From.rows(), "transforming", blockRows(m, columns.FormatOf(q.To.Format).Columnar))
	if q.Only == "" {
		t.ahead = ahead(m)
		left = through(t.c, m, left)
	}
	for b, err := range left {
		if err != nil {
			return err
		}
		if err := q.writeBlock(b, m, writers); err != nil {
			return err
		}
		if err := t.c.Check(); err != nil {
			return err
		}
	}
	return nil
}

// blockRows returns how many rows of features are made at a time: a row group is large, and a map that works elsewhere
// gets several blocks.
func blockRows(m Map, isColumnar bool) int {
	bytes := blockFeatures
	if ahead(m) > 0 && !isColumnar {
		bytes = shortBlock
	}
	return max(1, bytes/(4*m.NComponents()))
}

// writeBlock writes a block, as text in parts: text takes longer to write than features to make.
func (q *EmbedRequest) writeBlock(b *block, m Map, writers []*rowWriter) error {
	D, part, first := len(b.Z)/(b.to-b.from), *b, b.from
	for part.from = b.from; part.from < b.to; part.from = part.to {
		if part.to = b.to; !columns.FormatOf(q.To.Format).Columnar {
			part.to = min(part.from+max(1, shortBlock/(4*m.NComponents())), b.to)
		}
		for k, w := range writers {
			z := b.Z[(part.from-first)*D : (part.to-first)*D]
			if k > 0 {
				z = nil
			}
			if err := w.add(&part, z, nil); err != nil {
				return err
			}
		}
		if err := q.wrote(writers[0]); err != nil {
			return err
		}
	}
	return nil
}

func (q *EmbedRequest) wrote(w *rowWriter) error {
	if q.Wrote == nil {
		return nil
	}
	return q.Wrote(Written{Rows: w.rows, Encoder: w.encoder.State()})
}

// writeUnused writes the rows that are left out, and no row that has features.
func (q *EmbedRequest) writeUnused(t *table, w *rowWriter) error {
	var left error
	met := int64(0)
	t.report = func(p *dataset.Problem) {
		if met++; met <= w.rows || left != nil {
			return
		}
		for k, text := range []string{p.Where(), p.What, columns.Plain(p.Remedy)} {
			w.cells[k] = append(w.cells[k][:0:0], text...)
		}
		if w.rowNumbers {
			w.bytes, left = w.encoder.AppendRowAt(w.bytes, p.Line+p.Row, w.cells, nil)
		} else {
			w.bytes, left = w.encoder.AppendRow(w.bytes, w.cells, nil)
		}
		if left == nil {
			w.rows++
		}
	}
	for _, err := range t.blocks("listing", 1<<12) {
		if err == nil {
			err = left
		}
		if err == nil {
			w.bytes = w.encoder.AppendBlock(w.bytes)
			err = w.flush()
		}
		if err == nil {
			err = q.wrote(w)
		}
		if err != nil {
			return err
		}
	}
	return left
}
