package main

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
)

// A table is the rows of one or more files, read one after another by one preprocessing.
type table struct {
	parts  []*part
	p      *dataset.Preprocessing
	layout *dataset.Layout // of the first file, with all columns
	labels *labelFile      // of their own, or nil

	rows   int64 // used so far
	unused dataset.Unused
	counts dataset.Counts
	holds  bool            // rows that cannot be used hold their places
	added  []columns.Note  // by the verb
	said   map[string]bool // notes that were printed
}

// A part is one of the files of a table.
type part struct {
	*input
	layout *dataset.Layout // reads the columns of the preprocessing, and no others
}

// openTable opens files and finds how they are read. Without a preprocessing, the columns make one of the first file.
// It still has to learn if NeedsFit.
func openTable(files []string, typed columns.Reading, c *columnUse, p *dataset.Preprocessing) (*table, error) {
	t := &table{p: p, said: map[string]bool{}}
	err := t.open(files, typed, c)
	if err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

func (t *table) open(files []string, typed columns.Reading, c *columnUse) error {
	if err := typed.Validate(); err != nil {
		return usage("--%w", err)
	}
	pipes := 0
	for _, name := range files {
		in, err := openInput(name)
		if err != nil {
			return err
		}
		t.parts = append(t.parts, &part{input: in})
		if name == "-" {
			pipes++
		}
	}
	if pipes > 1 {
		return usage("standard input (-) can be given once")
	}
	for _, part := range t.parts {
		var err error
		if part.layout, err = part.sniff(t.p, typed); err != nil {
			return err
		}
		if t.layout == nil {
			t.layout = part.layout
		}
		if t.p == nil {
			if part.layout, err = c.apply(part.layout); err == nil {
				t.layout = part.layout
				t.p, err = c.preprocessing(part.layout)
			}
		}
		if err == nil {
			part.layout, err = t.p.Apply(part.layout)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (t *table) close() {
	for _, part := range t.parts {
		part.close()
	}
}

// size returns the number of bytes of all files, or 0 if it is not known.
func (t *table) size() (bytes int64) {
	for _, part := range t.parts {
		if part.isPipe() {
			return 0
		}
		bytes += part.size
	}
	return bytes
}

// at returns how many of these bytes have been read.
func (t *table) at() (bytes int64) {
	for _, part := range t.parts {
		bytes += part.read
	}
	return bytes
}

// begin begins the bar of a pass over the rows.
func (t *table) begin(does string) {
	for _, part := range t.parts {
		part.read = 0
	}
	progress.begin(does, t.size())
}

// learn makes the first pass over the rows, if the preprocessing needs one or see is given: over about the first most,
// or all if most is 0. see gets the label of every row.
func (t *table) learn(most int64, see func(label []byte)) error {
	if !t.p.NeedsFit() && see == nil {
		return nil
	}
	if err := t.spool(); err != nil {
		return err
	}
	all := &joined{parts: t.parts, see: see}
	if err := all.begin(); err != nil {
		return err
	}
	rows := dataset.Source(all)
	if most > 0 {
		rows = dataset.FirstRows(rows, most)
	}
	t.begin("First pass")
	if !t.p.NeedsFit() {
		var b dataset.Block
		for read := int64(0); ; read += int64(b.Rows()) {
			if err := rows.Next(&b); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
			progress.show(t.at(), count(read, "row"))
		}
	}
	fitting, err := t.p.StartFit(rows)
	for more := true; more && err == nil; {
		more, err = fitting.Step()
		if err == nil {
			progress.show(t.at(), count(fitting.Counts().Rows, "row"))
		}
	}
	return err
}

// spool makes files of pipes, before a further pass.
func (t *table) spool() error {
	for _, part := range t.parts {
		if part.isPipe() {
			progress.begin("Copying "+part.name, 0)
			if err := part.spool(); err != nil {
				return err
			}
		}
	}
	return nil
}

// joined are the rows of several files as one source, for the first pass.
type joined struct {
	parts []*part
	next  int // of the parts
	dataset.Source
	schema dataset.Schema // of the first file; its name is that of the current one
	unused dataset.Unused
	see    func(label []byte)
	label  int // of the textual fields, or −1
}

func (j *joined) Schema() *dataset.Schema { return &j.schema }

func (j *joined) Unused() *dataset.Unused { return &j.unused }

// begin opens the next file, whose columns must be those of the first.
func (j *joined) begin() (err error) {
	part := j.parts[j.next]
	if j.Source, err = part.open(part.layout); err != nil {
		return err
	}
	s := j.Source.Schema()
	if j.next++; j.next == 1 {
		j.schema = *s
		j.findLabel(part.layout)
	}
	if !slices.Equal(s.Fields, j.schema.Fields) || s.Sparse != j.schema.Sparse {
		return &dataset.Problem{File: part.name, What: "its columns are not those of " + j.parts[0].name + " in that order",
			Remedy: "give files with the same columns, or --model with a model that has learned from one of them"}
	}
	j.schema.File, j.schema.Lines, j.schema.Dates = s.File, s.Lines, s.Dates
	return nil
}

// findLabel finds the label among the textual fields.
func (j *joined) findLabel(l *dataset.Layout) {
	j.label = -1
	at := 0
	for _, field := range j.schema.Fields {
		if field.Kind != dataset.Textual {
			continue
		}
		if i := l.Label(); i >= 0 && l.Columns[i].Name == field.Name {
			j.label = at
		}
		at++
	}
}

func (j *joined) Next(b *dataset.Block) error {
	for {
		err := j.Source.Next(b)
		if err == nil && j.see != nil && j.label >= 0 {
			for row := range b.Rows() {
				j.see(b.Text(row, j.label))
			}
		}
		if err != io.EOF || j.next == len(j.parts) {
			return err
		}
		if err := j.begin(); err != nil {
			return err
		}
	}
}

// A block is some rows of a file as vectors, with their cells: the label, if there is one, then the kept columns.
type block struct {
	*dataset.Batch
	part     *part
	from, to int // rows of the batch

	// Of labelled rows:
	labels  []learn.Label
	targets []float64
}

// rows returns the vectors of the block.
func (b *block) rows(d int) sketch.Rows {
	if len(b.Sparse.Indptr) > 0 {
		return b.Sparse.Slice(b.from, b.to)
	}
	return b.Dense[b.from*d : b.to*d]
}

// blocks reads all rows, in blocks of at most so many. A block is valid until the next. After the last one, t.unused
// has the rows that could not be used.
func (t *table) blocks(does string, most int) iter.Seq2[*block, error] {
	return func(yield func(*block, error) bool) {
		t.begin(does)
		for _, part := range t.parts {
			if !t.blocksOf(part, most, yield) {
				return
			}
		}
		progress.clear()
	}
}

// blocksOf yields the blocks of one file, and reports whether the others are wanted.
func (t *table) blocksOf(part *part, most int, yield func(*block, error) bool) bool {
	source, err := part.open(part.layout)
	if err != nil {
		return yield(nil, err)
	}
	source.Unused().HoldPlaces = t.holds
	reader, err := dataset.NewReader(source, t.p)
	if err != nil {
		return yield(nil, err)
	}
	defer func() {
		t.unused.Merge(reader.Unused())
		t.counts.Merge(reader.Counts())
	}()
	var batch dataset.Batch
	for {
		if err := reader.Next(&batch); err == io.EOF {
			break
		} else if err != nil {
			yield(nil, err)
			return false
		}
		for from := 0; from < batch.Rows(); from += most {
			to := from + min(most, batch.Rows()-from)
			if !yield(&block{Batch: &batch, part: part, from: from, to: to}, nil) {
				return false
			}
			t.rows += int64(to - from)
			progress.show(t.at(), count(t.rows, "row"))
		}
	}
	return true
}

// headNumbers bounds the numbers in the first rows, to which a map is fitted or about which Plan is asked.
const headNumbers = 8 << 20

// head returns the first rows as one matrix: at most so many, and as many whole batches as hold headNumbers.
func (t *table) head(most int) (sketch.Rows, error) {
	var dense sketch.Dense
	var sparse sketch.CSR
	left, numbers := most, 0
	for b, err := range t.blocks("Reading the first rows", most) {
		if err != nil {
			return nil, err
		}
		b.to = min(b.to, b.from+left)
		left -= b.to - b.from
		switch X := b.rows(t.p.NFeatures()).(type) {
		case sketch.Dense:
			if numbers += len(X); numbers > headNumbers && len(dense) > 0 {
				return dense, nil
			}
			dense = append(dense, X...)
		case sketch.CSR:
			if numbers += len(X.Data); numbers > headNumbers && len(sparse.Data) > 0 {
				return sparse, nil
			}
			if sparse.Indptr == nil {
				sparse.Indptr = []int32{0}
			}
			for _, end := range X.Indptr[1:] {
				sparse.Indptr = append(sparse.Indptr, end-X.Indptr[0]+int32(len(sparse.Data)))
			}
			from, to := X.Indptr[0], X.Indptr[len(X.Indptr)-1]
			sparse.Indices, sparse.Data = append(sparse.Indices, X.Indices[from:to]...), append(sparse.Data, X.Data[from:to]...)
		}
		if left == 0 {
			break
		}
	}
	if sparse.Indptr != nil {
		return sparse, nil
	}
	return dense, nil
}

// rowError returns an error of a map about a row as a problem with the row's file.
func (b *block) rowError(err error) error {
	e, ok := errors.AsType[*sketch.Error](err)
	if !ok || e.Row < 0 || b.from+e.Row >= len(b.Places) {
		return err
	}
	what := "the row must " + e.Want
	if e.Value != "" {
		what += ", got " + e.Value
	}
	return b.problem(e.Row, what, "correct it, or leave it out")
}

// problem returns a problem with a row of the block.
func (b *block) problem(row int, what, remedy string) *dataset.Problem {
	p := &dataset.Problem{File: b.part.name, What: what, Remedy: remedy}
	if place := b.Places[b.from+row]; b.part.layout.Schema().Lines {
		p.Line = place
	} else {
		p.Row = place
	}
	return p
}

// note prints a line that is neither a result nor an error.
func (f *flags) note(format string, args ...any) {
	if !f.quiet && !f.json {
		progress.clear()
		fmt.Fprintf(stderr, "tensorsketch: note: "+format+"\n", args...)
	}
}
