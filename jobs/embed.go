package jobs

import (
	"errors"

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
	// Made is called with the model file, for other files like these, before a feature is written.
	Made func(model []byte) error `json:"-"`
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
	err = q.write(t, m)
	reply := &EmbedReply{NFeatures: m.NFeatures(), NComponents: m.NComponents(), Stopped: errors.Is(err, ErrStopped)}
	if err != nil && !reply.Stopped {
		return nil, err
	}
	t.say()
	reply.Told = told(t.rows, t)
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
			t, err = q.openFor(c, m.NFeatures(), p)
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
	if err == nil && q.Made != nil {
		var file []byte
		if file, err = m.File(t.p); err == nil {
			err = q.Made(file)
		}
	}
	return t, m, err
}

// write writes the features of all rows, also of those before a stop.
func (q *EmbedRequest) write(t *table, m Map) error {
	w, err := q.To.create(t.p.CellNames(), m.NComponents(), dataset.EncoderOptions{})
	if err != nil {
		return err
	}
	writers := []*rowWriter{w}
	if q.Cells != nil {
		beside := *q.Cells
		beside.RowNumbers = true
		cells, err := beside.create(t.p.CellNames(), 0, dataset.EncoderOptions{})
		if err != nil {
			return err
		}
		writers = append(writers, cells)
	}
	err = q.writeRows(t, m, writers)
	if err != nil && !errors.Is(err, ErrStopped) {
		return err
	}
	for k := range writers {
		if err := writers[len(writers)-1-k].commit(); err != nil {
			return err
		}
	}
	return err
}

func (q *EmbedRequest) writeRows(t *table, m Map, writers []*rowWriter) error {
	size := shortBlock
	if columns.FormatOf(q.To.Format).Columnar {
		size = blockFeatures
	}
	for b, err := range t.blocks("transforming", max(1, size/(4*m.NComponents()))) {
		if err != nil {
			return err
		}
		Z, err := m.Features(t.c, b.rows(m.NFeatures()))
		if err != nil {
			return b.rowError(err)
		}
		for k, w := range writers {
			if k > 0 {
				Z = nil
			}
			if err := w.add(b, Z, nil); err != nil {
				return err
			}
		}
	}
	return nil
}
