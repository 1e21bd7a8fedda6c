package dataset

import (
	"errors"
	"io"
	"math"
	"slices"

	"tensorsketch.example/dataset/columns"
)

// Fit reads all rows of a source and learns the settings that p still lacks: means, deviations, smallest and largest
// numbers, the values of categories and the number of sparse features. Sums are exact, so the result does not depend on
// the order or the blocks of the rows. A row that the preprocessing drops counts for no column.
//
// After an error p is unchanged.
func (p *Preprocessing) Fit(source Source) (*Counts, error) {
	fitting, err := p.StartFit(source)
	for more := true; more && err == nil; {
		more, err = fitting.Step()
	}
	if err != nil {
		return nil, err
	}
	return fitting.Counts(), nil
}

// A Fitting is a first pass in progress.
type Fitting struct {
	p      *Preprocessing
	fitted Preprocessing
	source Source
	*binding
	block Block
	width int // one above the largest sparse coordinate
}

// StartFit begins a Fit in steps, for callers that do other work in between.
func (p *Preprocessing) StartFit(source Source) (*Fitting, error) {
	f := &Fitting{p: p, fitted: *p, source: source}
	f.fitted.Columns = slices.Clone(p.Columns)
	var err error
	if f.binding, err = f.fitted.bind(source.Schema()); err != nil {
		return nil, err
	}
	for _, feature := range f.features {
		if feature.Learns() && !feature.Learned {
			feature.learning = newLearner(feature.Column)
		}
	}
	return f, nil
}

// Counts returns the counts so far.
func (f *Fitting) Counts() *Counts { return &f.counts }

// Step reads a block and reports whether there may be more. After the last block the preprocessing is fitted.
func (f *Fitting) Step() (more bool, err error) {
	switch err := f.source.Next(&f.block); {
	case err == io.EOF && f.counts.Rows == 0:
		return false, f.source.Unused().all(f.schema.File)
	case err == io.EOF:
		return false, f.finish()
	case err != nil:
		return false, err
	}
	for row := range f.block.Rows() {
		problem, fatal := f.load(&f.block, row)
		if fatal {
			return false, problem
		}
		if problem != nil {
			f.source.Unused().Add(problem)
			continue
		}
		for _, feature := range f.features {
			if err := feature.learn(); err != nil {
				return false, err
			}
		}
		if indices, _ := f.block.Entries(row); len(indices) > 0 {
			f.width = max(f.width, int(indices[len(indices)-1])+1)
		}
		f.counts.Rows++
	}
	return true, nil
}

func (f *Fitting) finish() error {
	recurring := mostRecur
	for _, feature := range f.features {
		if err := feature.learned(&recurring); err != nil {
			return err
		}
	}
	if f.p.Sparse && f.p.Width == 0 {
		f.fitted.Width = max(f.width, 1)
	}
	if err := f.fitted.Validate(); err != nil {
		return err
	}
	*f.p = f.fitted
	return nil
}

// A Reader turns the rows of a source into vectors.
type Reader struct {
	*binding
	source   Source
	block    Block
	row      int // next row of the block
	isSparse bool
	unitNorm bool
	width    int // of the vectors
	texts    Schema
	entries  []entry
	numbers  []scaled // of the columns, if all are numbers and the rows are dense
	refused  error    // the problem of a missing cell that ends the reading
}

// ErrNeedsFit is returned for a preprocessing that still needs Fit.
var ErrNeedsFit = errors.New(
	"dataset: the preprocessing has to learn from the rows first; call Fit with a first pass over them")

// NewReader returns a Reader that turns the rows of a source into vectors by p.
func NewReader(source Source, p *Preprocessing) (*Reader, error) {
	if p.NeedsFit() {
		return nil, ErrNeedsFit
	}
	b, err := p.bind(source.Schema())
	if err != nil {
		return nil, err
	}
	r := &Reader{binding: b, source: source, isSparse: p.IsSparse(), unitNorm: p.Divides(), width: p.NFeatures()}
	if r.width == 0 {
		return nil, newProblem(b.schema.File, "no column becomes a coordinate",
			"use at least one as a number, category, date or words")
	}
	r.numbers = r.scaledNumbers()
	for range b.cells {
		r.texts.Fields = append(r.texts.Fields, Field{Kind: Textual})
	}
	return r, nil
}

// Counts returns the counts so far.
func (r *Reader) Counts() *Counts { return &r.counts }

// Unused returns the rows passed over so far, by the source or because of a cell.
func (r *Reader) Unused() *Unused { return r.source.Unused() }

// Next replaces the rows of the batch by the next ones: at least one, and at most about 1 MB unless one row is larger.
// It returns io.EOF after the last row. It returns a *Problem if the rest cannot be read, a missing cell is refused, or
// no row could be used.
func (r *Reader) Next(batch *Batch) error {
	batch.reset(&r.texts, r.isSparse)
	for batch.Rows() == 0 {
		if r.refused != nil {
			return r.refused
		}
		if r.row == r.block.Rows() {
			if err := r.source.Next(&r.block); err == io.EOF && r.counts.Rows == 0 {
				return r.Unused().all(r.schema.File)
			} else if err != nil {
				r.block.Reset(r.schema)
				r.row = 0
				return err
			}
			r.row = 0
		}
		r.fill(batch)
	}
	return nil
}

// fill adds rows of the block until the batch is full or a missing cell is refused.
func (r *Reader) fill(batch *Batch) {
	for ; r.row < r.block.Rows() && !batch.full(); r.row++ {
		if problem := r.block.problems[r.row]; problem != nil {
			r.hold(batch, problem)
		} else if r.block.Places[r.row] == unusable {
			r.add(batch, nil)
		} else if !r.addNumbers(batch) {
			problem, fatal := r.load(&r.block, r.row)
			if fatal {
				r.refused = problem
				return
			}
			if problem == nil {
				problem = r.addRow(batch)
			}
			if problem != nil {
				unused := r.Unused()
				unused.Add(problem)
				switch {
				case unused.Keep:
					r.block.Places[r.row] = unusable
					r.add(batch, nil)
				case unused.HoldPlaces:
					r.hold(batch, problem)
				default:
					continue
				}
			}
		}
		for _, at := range r.cells {
			batch.cells.addCell(&r.block, r.row, at)
		}
		batch.cells.EndRow(0)
		batch.Places = append(batch.Places, r.block.Places[r.row])
		r.counts.Rows++
	}
}

// hold adds zeros for a row that cannot be used.
func (r *Reader) hold(batch *Batch, problem *Problem) {
	batch.cells.setProblem(batch.Rows(), problem)
	r.add(batch, nil)
	r.counts.Rows--
}

// add adds the row with these entries to the batch.
func (r *Reader) add(batch *Batch, entries []entry) {
	if r.isSparse {
		batch.addSparse(entries)
	} else {
		batch.addDense(entries, r.width)
	}
}

// scaled is a column of numbers.
type scaled struct {
	index         int // in the numbers of a row
	center, scale float64
}

// scaledNumbers returns the columns if addNumbers can process them all.
func (r *Reader) scaledNumbers() []scaled {
	if r.isSparse || r.unitNorm {
		return nil
	}
	numbers := make([]scaled, 0, len(r.features))
	for _, f := range r.features {
		if f.Role != columns.AsNumber {
			return nil
		}
		n := scaled{f.index, 0, 1} // (x − 0)/1 is x
		if f.Scaling != columns.NoScaling {
			n.center, n.scale = f.Center, f.Scale
		}
		numbers = append(numbers, n)
	}
	return numbers
}

// addNumbers does the work of load and addRow for a row in one short loop. It requires that all columns are numbers and
// that none is missing or too large; otherwise it changes nothing and returns false.
func (r *Reader) addNumbers(batch *Batch) bool {
	if r.numbers == nil {
		return false
	}
	n := len(batch.Dense)
	batch.Dense = slices.Grow(batch.Dense, r.width)[:n+r.width]
	row := batch.Dense[n:]
	cells := r.block.Numbers[r.row*r.block.numbersPerRow:][:r.block.numbersPerRow]
	sum := float32(0)
	for i := range r.numbers {
		c := &r.numbers[i]
		x := float32((cells[c.index] - c.center) / c.scale)
		row[i] = x
		sum += x - x // NaN if x is not finite
	}
	if sum != 0 {
		batch.Dense = batch.Dense[:n]
		return false
	}
	return true
}

// addRow adds the vector of the row that load has read.
func (r *Reader) addRow(batch *Batch) *Problem {
	r.entries = r.entries[:0]
	for _, f := range r.features {
		r.entries = f.appendEntries(r.entries, &r.counts)
	}
	indices, values := r.block.Entries(r.row)
	for k, index := range indices {
		r.entries = append(r.entries, entry{r.dense + index, values[k]})
	}
	norm := 0.0
	for i := range r.entries {
		e := &r.entries[i]
		e.value = float64(float32(e.value))
		if !isFinite(e.value) && e.value == e.value {
			return r.schema.at(r.block.Places[r.row], r.coordinate(e.index),
				"the number is too large for a 32-bit float", "scale the column, or drop the row")
		}
		norm += float64(e.value * e.value)
	}
	if norm = math.Sqrt(norm); r.unitNorm && norm > 0 {
		for i := range r.entries {
			r.entries[i].value /= norm
		}
	}
	r.add(batch, r.entries)
	return nil
}

// coordinate returns the name of the column that a coordinate belongs to.
func (r *Reader) coordinate(index int32) string {
	for i := len(r.features) - 1; i >= 0; i-- {
		if f := r.features[i]; index >= f.offset && index < r.dense {
			return f.place
		}
	}
	return "a sparse coordinate"
}
