package jobs

import (
	"io"
	"iter"
	"slices"
	"strings"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/learn/prepare"
)

// Rows are the rows of one or more files, and how they are read.
type Rows struct {
	Files   []File          `json:"-"`
	Reading columns.Reading `json:"reading"` // what is not typed is guessed
	Columns Columns         `json:"columns"`
	Plan    *TablePlan      `json:"plan,omitempty"` // of all columns, instead of Columns
	Labels  File            `json:"-"`              // a file of labels, one for each row, or nil: a column has them
}

// A File is the bytes of one file, or what comes through a pipe.
type File interface {
	Name() string // in messages
	Size() int64  // in bytes; 0 if it is not known
	At() int64    // how many bytes have been read since Open
	// Sniff finds the layout: for a preprocessing, or on its own if p is nil.
	Sniff(p *dataset.Preprocessing, typed columns.Reading) (*dataset.Layout, error)
	Open(l *dataset.Layout) (dataset.Source, error)
	IsPipe() bool // it can be opened once
	Keep() error  // of a pipe: makes it one that can be opened again
}

// NewFile returns a File of bytes that can be read at any place.
func NewFile(name string, bytes dataset.File) File { return &plainFile{File: bytes, name: name} }

type plainFile struct {
	dataset.File
	name string
	at   int64
}

func (f *plainFile) Name() string { return f.name }
func (f *plainFile) At() int64    { return f.at }
func (f *plainFile) IsPipe() bool { return false }
func (f *plainFile) Keep() error  { return nil }

func (f *plainFile) ReadAt(p []byte, at int64) (int, error) {
	n, err := f.File.ReadAt(p, at)
	f.at = at + int64(n)
	return n, err
}

func (f *plainFile) Sniff(p *dataset.Preprocessing, typed columns.Reading) (*dataset.Layout, error) {
	if p != nil {
		return p.SniffFile(f.name, f.File, typed)
	}
	return dataset.SniffFile(f.name, f.File, typed)
}

func (f *plainFile) Open(l *dataset.Layout) (dataset.Source, error) {
	f.at = 0
	return l.Open(io.NewSectionReader(f, 0, f.Size()))
}

// A table is the rows of one or more files, read one after another by one preprocessing.
type table struct {
	c      *Control
	parts  []*part
	p      *dataset.Preprocessing
	layout *dataset.Layout // of the first file, with all columns
	labels *labelFile      // of their own, or nil

	current int   // the part that is read
	rows    int64 // used so far
	unused  dataset.Unused
	counts  dataset.Counts
	holds   bool                   // rows that cannot be used hold their places
	keepAll bool                   // for a private release: each line is a row, and one that cannot be used is zeros
	allRows int64                  // with keepAll: their number, if it is known
	reader  *dataset.Reader        // of the current file
	ahead   int                    // so many blocks are in use beside the last
	first   int64                  // about so many rows are read; 0: all
	report  func(*dataset.Problem) // of each row that cannot be used, or nil
	added   []columns.Note         // by the job
	learned passed                 // by the first pass
	cuts    Cuts                   // of rows that a model was asked about, or was fitted to
}

// passed is what a pass over rows has counted.
type passed struct {
	counts dataset.Counts
	unused dataset.Unused
}

// A part is one of the files of a table.
type part struct {
	File
	layout *dataset.Layout // reads the columns of the preprocessing, and no others
}

// open finds how files are read. Without a preprocessing, the columns make one of the first file, which still has to
// learn if NeedsFit.
func (q *Rows) open(c *Control, p *dataset.Preprocessing) (*table, error) {
	if len(q.Files) == 0 {
		return nil, fail("files", "name a file, or - for standard input")
	}
	if err := q.Reading.Validate(); err != nil {
		setting, what, _ := strings.Cut(err.Error(), " ")
		return nil, fail(setting, "{"+setting+"} %s", what)
	}
	t := &table{c: c, p: p}
	for _, file := range q.Files {
		part := &part{File: file}
		t.parts = append(t.parts, part)
		var err error
		if part.layout, err = part.Sniff(t.p, q.Reading); err != nil {
			return nil, err
		}
		if t.layout == nil {
			t.layout = part.layout
		}
		if t.p == nil && q.Plan != nil {
			if t.p, err = q.Plan.Preprocessing(); err == nil && q.Columns.texts {
				err = q.Plan.learnTexts(t.p, part.layout)
			}
			if err == nil {
				err = t.p.Validate()
			}
		} else if t.p == nil {
			if part.layout, err = q.Columns.apply(part.layout); err == nil {
				t.layout = part.layout
				t.p, err = q.Columns.preprocessing(part.layout)
			}
		}
		if err == nil {
			part.layout, err = t.p.Apply(part.layout)
		}
		if err != nil {
			return nil, err
		}
	}
	return t, nil
}

// width returns how many numbers of a row a map takes, with the preparation before it or nil.
func width(m Map, p *prepare.Preparation) int {
	if p != nil {
		return p.NFeatures()
	}
	return m.NFeatures()
}

// openFor opens files for a map of rows of a width, with the preprocessing of its model. Without one, the columns must
// be as many numbers. Some may be missing if the rows are prepared.
func (q *Rows) openFor(c *Control, width int, isPrepared bool, p *dataset.Preprocessing) (*table, error) {
	rows := *q
	if p == nil && rows.Columns.Scaling == "" {
		rows.Columns.Scaling = columns.NoScaling.String()
	}
	t, err := rows.open(c, p)
	if err != nil {
		return nil, err
	}
	if t.p.Sparse && t.p.Width == 0 {
		t.p.Width = width
	}
	if isPrepared && p == nil && q.Plan == nil && q.Columns.Missing == "" && !t.p.UnitNorm {
		t.p.SetMissing(columns.NaN)
		t.p.MarkOfModel()
	}
	if d := t.p.NFeatures(); q.Plan != nil && p == nil && d != width {
		return nil, otherWidth(width, d)
	} else if d != width || t.p.NeedsFit() {
		return nil, failure("%s has %d numbers in a row, and the map takes %d; the model does not say what columns "+
			"become, so say it with {use}, {ignore} and {label}", t.parts[0].Name(), d, width)
	}
	return t, nil
}

// otherWidth returns the error about columns that are chosen, and do not suit a model.
func otherWidth(model, d int) error {
	return failure("the model takes rows of %d numbers, and these columns make %d: change the use of columns", model, d)
}

// share returns the share of all bytes that have been read, or -1.
func (t *table) share() float64 {
	if t.first > 0 {
		return min(1, float64(t.rows)/float64(t.first))
	}
	at, size := int64(0), int64(0)
	for k, part := range t.parts {
		if part.IsPipe() {
			return -1
		}
		size += part.Size()
		if k < t.current {
			at += part.Size()
		} else if k == t.current {
			at += part.At()
		}
	}
	if size == 0 {
		return -1
	}
	return min(1, float64(at)/float64(size))
}

// learn completes the preprocessing, with a first pass over the rows if it needs one or see is given: over about the
// first most, or all if most is 0. see gets the label of every row.
func (t *table) learn(most int64, see func(label []byte, place int64)) error {
	if !t.p.NeedsFit() && see == nil {
		return nil
	}
	if err := t.keep(); err != nil {
		return err
	}
	all := &joined{table: t, see: see}
	if err := all.begin(); err != nil {
		return err
	}
	rows := dataset.Source(all)
	if most > 0 {
		rows = dataset.FirstRows(rows, most)
	}
	t.c.Begin("first pass")
	if !t.p.NeedsFit() {
		var b dataset.Block
		for read := int64(0); ; read += int64(b.Rows()) {
			if err := rows.Next(&b); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
			if err := t.c.At(read, t.share()); err != nil {
				return err
			}
		}
	}
	fitting, err := t.p.StartFit(rows)
	if err != nil {
		return err
	}
	for more := true; more && err == nil; {
		if more, err = fitting.Step(); err == nil {
			err = t.c.At(fitting.Counts().Rows, t.share())
		}
	}
	t.learned = passed{*fitting.Counts(), all.unused}
	t.learned.unused.Merge(all.Source.Unused())
	if err == nil && fitting.HasLateTypes() {
		for _, part := range t.parts {
			if part.layout, err = t.p.Apply(part.layout); err != nil {
				return err
			}
		}
	}
	return err
}

// keep makes files of pipes, before a further pass.
func (t *table) keep() error {
	for _, part := range t.parts {
		if part.IsPipe() {
			t.c.Begin("copying " + part.Name())
			if err := part.Keep(); err != nil {
				return err
			}
		}
	}
	return nil
}

// joined are the rows of several files as one source, for the first pass.
type joined struct {
	*table
	next int // of the parts
	dataset.Source
	schema dataset.Schema // of the first file, with the name of the current one
	unused dataset.Unused
	see    func(label []byte, place int64)
	label  int // of the textual fields, or −1
}

func (j *joined) Schema() *dataset.Schema { return &j.schema }

func (j *joined) Unused() *dataset.Unused { return &j.unused }

// begin opens the next file. It must have the columns of the first.
func (j *joined) begin() (err error) {
	part := j.parts[j.next]
	j.current = j.next
	if j.Source, err = part.Open(part.layout); err != nil {
		return err
	}
	s := j.Source.Schema()
	if j.next++; j.next == 1 {
		j.schema = *s
		j.findLabel(part.layout)
	}
	if !slices.Equal(s.Fields, j.schema.Fields) || s.Sparse != j.schema.Sparse {
		return withRemedy(&dataset.Problem{File: part.Name(), What: "it has the columns of " + j.parts[0].Name() +
			" in another order, or of other types"}, "",
			"give files with the same columns, or {model} with a model that has learned from one of them")
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
				j.see(b.Text(row, j.label), 0)
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

// forget forgets what a pass has counted, before another.
func (t *table) forget() {
	t.rows, t.unused, t.counts, t.cuts = 0, dataset.Unused{}, dataset.Counts{}, Cuts{}
}

// A block is some rows of a file as vectors, with their cells: the label, if there is one, then the kept columns.
type block struct {
	*dataset.Batch
	part     *part
	from, to int // rows of the batch

	Z []float32 // features of these rows, once they are made

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

// blocks reads all rows, in blocks of at most so many. A block is valid until the next, and t.ahead more of them. After
// the last one, t.unused has the rows that could not be used.
func (t *table) blocks(phase string, most int) iter.Seq2[*block, error] {
	return func(yield func(*block, error) bool) {
		t.c.Begin(phase)
		for k, part := range t.parts {
			t.current = k
			if !t.blocksOf(part, most, yield) {
				return
			}
		}
	}
}

// blocksOf yields the blocks of one file, and reports whether the others are wanted.
func (t *table) blocksOf(part *part, most int, yield func(*block, error) bool) bool {
	source, err := part.Open(part.layout)
	if err != nil {
		return yield(nil, err)
	}
	source.Unused().HoldPlaces, source.Unused().Report = t.holds, t.report
	source.Unused().Keep, source.Unused().Rows = t.keepAll, t.allRows
	reader, err := dataset.NewReader(source, t.p)
	if err != nil {
		return yield(nil, err)
	}
	t.reader = reader
	defer func() {
		t.reader = nil
		t.unused.Merge(reader.Unused())
		t.counts.Merge(reader.Counts())
	}()
	batches := make([]dataset.Batch, 1+t.ahead) // a block is at least as long in use as the batch that it is of
	for k := 0; ; k++ {
		batch := &batches[k%len(batches)]
		if err := reader.Next(batch); err == io.EOF {
			break
		} else if err != nil {
			yield(nil, err)
			return false
		}
		for from := 0; from < batch.Rows(); from += most {
			to := from + min(most, batch.Rows()-from)
			if !yield(&block{Batch: batch, part: part, from: from, to: to}, nil) {
				return false
			}
			t.rows += int64(to - from)
			if err := t.c.At(t.rows, t.share()); err != nil {
				yield(nil, err)
				return false
			}
		}
	}
	return true
}

// blocksAfter yields the blocks of the rows after the first skip.
func (t *table) blocksAfter(skip int64, phase string, most int) iter.Seq2[*block, error] {
	return func(yield func(*block, error) bool) {
		for b, err := range t.blocks(phase, most) {
			if err == nil { // t.rows has the rows before this block
				b.from += int(min(int64(b.to-b.from), max(0, skip-t.rows)))
			}
			if (err != nil || b.from < b.to) && !yield(b, err) {
				return
			}
		}
	}
}

// unusedSoFar returns how many rows could not be used so far.
func (t *table) unusedSoFar() int64 {
	if t.reader == nil {
		return t.unused.Total
	}
	return t.unused.Total + t.reader.Unused().Total
}

// HeadNumbers bounds the numbers in the first rows, to which a map is fitted or about which Plan is asked.
const HeadNumbers = 8 << 20

// head returns the first rows as one matrix: at most so many, and as many whole batches as hold HeadNumbers.
func (t *table) head(most int) (sketch.Rows, error) {
	var dense sketch.Dense
	var sparse sketch.CSR
	left, numbers := most, 0
	for b, err := range t.blocks("reading the first rows", most) {
		if err != nil {
			return nil, err
		}
		b.to = min(b.to, b.from+left)
		left -= b.to - b.from
		switch X := b.rows(t.p.NFeatures()).(type) {
		case sketch.Dense:
			if numbers += len(X); numbers > HeadNumbers && len(dense) > 0 {
				return dense, nil
			}
			dense = append(dense, X...)
		case sketch.CSR:
			if numbers += len(X.Data); numbers > HeadNumbers && len(sparse.Data) > 0 {
				return sparse, nil
			}
			sparse = JoinSparse(sparse, X)
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

// JoinSparse appends rows to others.
func JoinSparse(to, X sketch.CSR) sketch.CSR {
	if to.Indptr == nil {
		to.Indptr = []int32{0}
	}
	first, last := X.Indptr[0], X.Indptr[len(X.Indptr)-1]
	for _, end := range X.Indptr[1:] {
		to.Indptr = append(to.Indptr, end-first+int32(len(to.Data)))
	}
	to.Indices, to.Data = append(to.Indices, X.Indices[first:last]...), append(to.Data, X.Data[first:last]...)
	return to
}

// CountRows returns the number of rows of X, of d numbers each.
func CountRows(X sketch.Rows, d int) int {
	if X, ok := X.(sketch.CSR); ok {
		return max(0, len(X.Indptr)-1)
	}
	return len(X.(sketch.Dense)) / d
}

// rowsUpTo returns the number of rows, or most if there are more: a method that is fitted to rows has no more
// components than there are.
func (t *table) rowsUpTo(most int) (rows int, err error) {
	if err := t.keep(); err != nil {
		return 0, err
	}
	defer t.forget()
	for b, err := range t.blocks("counting rows", most) {
		if err != nil {
			return 0, err
		}
		if rows += b.to - b.from; rows >= most {
			return most, nil
		}
	}
	return max(1, rows), nil
}

// longestRow returns the radius of the longest row (solve.RadiusOf), after a pass over all, and 0 without rows.
func (t *table) longestRow() (longest float64, err error) {
	if err := t.keep(); err != nil {
		return 0, err
	}
	d, largest := t.p.NFeatures(), 0.0
	for b, err := range t.blocks("finding the longest row", 1<<12) {
		if err != nil {
			return 0, err
		}
		square, row := solve.LargestSquare(b.rows(d), d)
		if row >= 0 {
			return 0, b.notFinite(row)
		}
		largest = max(largest, square)
	}
	if t.rows > 0 {
		longest = solve.RadiusOf(largest)
	}
	t.forget()
	return longest, nil
}
