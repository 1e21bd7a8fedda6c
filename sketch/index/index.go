// Package index searches rows of numbers: features of a map, or vectors of any kind. It keeps them in 8 or 4 bits a
// number, and finds the rows nearest to a query by a scan in integers.
//
// A row is centred, rotated at random and rounded (rotate.go, quantise.go). After the rotation the error of an estimate
// depends on the width and the bits alone, whatever the data are. StdError has the formula.
//
//	x, err := index.New(index.Options{NFeatures: 1024, Metric: index.Cosine, Bits: 4})
//	first, err := x.Add(rows, nil)
//	hits, err := x.Search(nil, query, 10, 0)
//
// The same calls give the same bytes and the same scores on every platform. An Index is not safe for concurrent use.
package index

import (
	"math"
	"strconv"

	"tensorsketch.example/internal/portable"
	"tensorsketch.example/sketch"
)

// A Metric says which rows are near a query.
type Metric uint8

// The metrics.
const (
	Cosine    Metric = iota // ⟨q, x⟩ / (‖q‖ ‖x‖); the largest is best
	Inner                   // ⟨q, x⟩; the largest is best
	Euclidean               // ‖q − x‖; the least is best
)

// The limits of an Index.
const (
	MaxFeatures = 1 << 20   // of NFeatures
	MaxRows     = 1<<31 - 1 // of an index
	MaxID       = 1<<32 - 2 // of a row
	maxLength   = 1e18      // of a row: its square is a float32
)

// Options say what an Index keeps.
type Options struct {
	NFeatures int    // numbers of a row, 1 … MaxFeatures
	Metric    Metric // default Cosine
	Bits      int    // of a number: 32, 8 or 4
	Keep      bool   // whether the floats are kept beside fewer bits, so that Search ranks its best rows by them again
	Seed      uint32 // of the rotation
}

// An Index holds rows with their ids.
//
// The rows are floats at first. With 8 or 4 bits, the centre is the mean of the first rows that stand in the index
// together, 1,024 or as many as have 4 MiB. All rows are rounded from then on, and the floats are dropped unless they
// are kept. So it does not matter in which portions rows are added.
//
// The floats that an addition rounds are dropped at its end, so that it can be undone.
type Index struct {
	options  Options
	note     []byte
	width    int       // numbers of a rotated row: a multiple of 32
	centre   []float32 // NFeatures numbers once rows are rounded
	chunks   []*chunk
	count    int
	nextID   uint64
	slots    slots
	rotation *rotation
	row      []float32 // a row, or a query, in work
	query    []int16
	sums     []int64
	floats   []float32 // products with the rows of a chunk
	best     []Hit
	isFresh  bool // whether rows were rounded since Settle
}

// A chunk holds some rows: everything of row i of the chunk is at place i.
type chunk struct {
	ids     []uint32
	codes   []byte    // width·Bits/8 bytes a row
	factors []float32 // that make an estimate of a sum of products of integers
	terms   []float32 // of scores. For distances ‖x‖², or ‖x − centre‖² of rounded rows; else ⟨centre, x − centre⟩
	rows    []float32 // NFeatures numbers a row, while floats are held
}

// New returns an empty index. The error names the option that is out of range.
func New(o Options) (*Index, error) {
	switch {
	case o.NFeatures < 1 || o.NFeatures > MaxFeatures:
		return nil, sketch.ErrParam.New("nFeatures", strconv.Itoa(o.NFeatures), "be an integer from 1 to 1048576")
	case o.Metric > Euclidean:
		return nil, sketch.ErrParam.New("metric", strconv.Itoa(int(o.Metric)), "be cosine, inner or euclidean")
	case o.Bits != 32 && o.Bits != 8 && o.Bits != 4:
		return nil, sketch.ErrParam.New("bits", strconv.Itoa(o.Bits), "be 32, 8 or 4")
	}
	o.Keep = o.Keep || o.Bits == 32
	x := &Index{options: o, width: (o.NFeatures + widthStep - 1) / widthStep * widthStep}
	x.row = make([]float32, x.width)
	x.sums = make([]int64, x.chunkRows())
	x.floats = make([]float32, x.chunkRows())
	return x, nil
}

// Options returns what New was given.
func (x *Index) Options() Options { return x.options }

// Len returns the number of rows.
func (x *Index) Len() int { return x.count }

// Note returns what SetNote was given, or what the file has.
func (x *Index) Note() []byte { return x.note }

// SetNote sets what the file says besides, such as the map that made the rows.
func (x *Index) SetNote(note []byte) { x.note = note }

// chunkRows returns the rows of a chunk: at most 256, fewer where floats have more than 1 MiB.
func (x *Index) chunkRows() int {
	return max(rowStep, min(256, (1<<18)/x.options.NFeatures/rowStep*rowStep))
}

// rowsOfCentre returns how many rows the centre is the mean of.
func (x *Index) rowsOfCentre() int { return 4 * x.chunkRows() }

// isRounded reports whether rows are kept in few bits.
func (x *Index) isRounded() bool { return x.centre != nil }

// hasFloats reports whether rows are kept as floats.
func (x *Index) hasFloats() bool { return x.options.Keep || !x.isRounded() }

func (x *Index) codeBytes() int { return x.width / 8 * x.options.Bits }

// at returns the chunk of a row and its place there.
func (x *Index) at(row int) (*chunk, int) {
	n := x.chunkRows()
	return x.chunks[row/n], row % n
}

// floatsOf returns the floats of a row of a chunk.
func (x *Index) floatsOf(c *chunk, i int) []float32 {
	n := x.options.NFeatures
	return c.rows[i*n : (i+1)*n]
}

func (x *Index) codesOf(c *chunk, i int) []byte {
	n := x.codeBytes()
	return c.codes[i*n : (i+1)*n]
}

// MemoryBytes returns about the memory that so many more rows need, for those who have a budget.
func (x *Index) MemoryBytes(rows int) int64 {
	count, n := int64(x.count)+int64(rows), int64(x.chunkRows())
	codes, floats := int64(x.codeBytes())+4, 4*int64(x.options.NFeatures)
	isRounded := x.isRounded()
	chunks := max(0, (count+n-1)/n-int64(len(x.chunks)))
	bytes := 8 * chunks * n // ids and terms
	if !isRounded || x.options.Keep {
		bytes += chunks * n * floats
	}
	if x.options.Bits < 32 && !isRounded && count >= int64(x.rowsOfCentre()) {
		chunks = (count + n - 1) / n
		bytes += 32 * int64(x.width)
		isRounded = true
	}
	if isRounded {
		bytes += chunks * n * codes
	}
	for places := int64(len(x.slots.places)); 8*count > 7*places; {
		places = max(leastPlaces, 2*places)
		bytes += 4 * places
	}
	return bytes
}

// Add adds rows, one after another in X, and returns the id of the first. ids has the id of each row, from 0 to
// MaxID; where it is nil, ids count on from the largest that the index has ever had. X is not kept.
//
// A row that is not finite, a row of zeros where the metric is Cosine, and an id that is taken are errors that name
// the row: nothing is added then.
func (x *Index) Add(X []float32, ids []uint32) (first uint32, err error) {
	first, err = x.AddPart(X, ids)
	x.Settle()
	return first, err
}

// AddPart is Add for a part of the rows. After the last part, and after Truncate, comes Settle.
func (x *Index) AddPart(X []float32, ids []uint32) (first uint32, err error) {
	n := x.options.NFeatures
	if len(X)%n != 0 {
		return 0, sketch.ErrShape.New("X", strconv.Itoa(len(X))+" numbers", "have rows of nFeatures = "+
			strconv.Itoa(n)+" numbers")
	}
	rows := len(X) / n
	if ids != nil && len(ids) != rows {
		return 0, sketch.ErrShape.New("ids", strconv.Itoa(len(ids)), "have one id for each of "+strconv.Itoa(rows)+" rows")
	}
	if ids == nil && x.nextID+uint64(rows) > MaxID+1 || rows > MaxRows-x.count {
		return 0, sketch.ErrParam.New("ids", "", "be given: none are left above the largest")
	}
	before, nextID := x.count, x.nextID
	first = uint32(nextID)
	for i := range rows {
		id := uint32(x.nextID)
		if ids != nil {
			id = ids[i]
		}
		if err := x.add(X[i*n:(i+1)*n], id); err != nil {
			err.Row = i
			x.Truncate(before, nextID)
			return 0, err
		}
	}
	return first, nil
}

// add adds one row.
func (x *Index) add(row []float32, id uint32) *sketch.Error {
	if id > MaxID {
		return sketch.ErrParam.New("ids", strconv.FormatUint(uint64(id), 10), "be at most 4294967294")
	}
	scale, err := x.scaleOf(row, "X")
	if err != nil {
		return err
	}
	if !x.slots.add(x, id, x.count) {
		return sketch.ErrParam.New("ids", strconv.FormatUint(uint64(id), 10), "be new: remove the row that has this id first")
	}
	c, i := x.place()
	c.ids[i] = id
	x.nextID = max(x.nextID, uint64(id)+1)
	work := x.row[:x.options.NFeatures]
	for j, v := range row {
		work[j] = v * scale
	}
	if c.rows != nil {
		copy(x.floatsOf(c, i), work)
		if x.options.Metric == Euclidean {
			c.terms[i] = float32(squares(work))
		}
	}
	if x.isRounded() {
		x.round(c, i)
	}
	if x.count++; x.options.Bits < 32 && !x.isRounded() && x.count == x.rowsOfCentre() {
		x.roundAll()
	}
	return nil
}

// hasTerms reports whether rows have terms: distances need them, and rounded rows.
func (x *Index) hasTerms(isRounded bool) bool { return isRounded || x.options.Metric == Euclidean }

// scaleOf returns what a row is multiplied by: 1, or 1/‖x‖ where lengths do not matter.
func (x *Index) scaleOf(row []float32, argument string) (float32, *sketch.Error) {
	for j, v := range row {
		if d := v - v; d != 0 {
			e := sketch.ErrNonFinite.New(argument, portable.FormatNumber(float64(v)),
				"be finite: remove or replace NaN and infinite values")
			e.Column = j
			return 0, e
		}
	}
	length := math.Sqrt(squares(row))
	isCosine := x.options.Metric == Cosine
	switch {
	case length > maxLength:
		return 0, sketch.ErrParam.New(argument, "", "have a length of at most 1e18: scale it")
	case isCosine && length == 0:
		return 0, sketch.ErrParam.New(argument, "", "have a number that is not 0: a row of zeros has no cosine")
	case isCosine && length < 1/maxLength:
		return 0, sketch.ErrParam.New(argument, "", "have a length of at least 1e-18: scale it")
	case length > 0 && length < 1/maxLength:
		return 0, sketch.ErrParam.New(argument, "", "have a length of at least 1e-18, or no number but 0: scale it")
	case isCosine:
		return float32(1 / length), nil
	}
	return 1, nil
}

// squares returns Σ x_j².
func squares(row []float32) float64 {
	sum := 0.0
	for _, v := range row {
		sum += float64(float64(v) * float64(v))
	}
	return sum
}

// place returns where the next row goes, in a new chunk if need be.
func (x *Index) place() (*chunk, int) {
	n := x.chunkRows()
	if x.count == len(x.chunks)*n {
		c := &chunk{ids: make([]uint32, n)}
		if x.hasTerms(x.isRounded()) {
			c.terms = make([]float32, n)
		}
		if x.hasFloats() {
			c.rows = make([]float32, n*x.options.NFeatures)
		}
		if x.isRounded() {
			c.codes, c.factors = make([]byte, n*x.codeBytes()), make([]float32, n)
		}
		x.chunks = append(x.chunks, c)
	}
	return x.at(x.count)
}

// roundAll sets the centre to the mean of all rows, and rounds them.
func (x *Index) roundAll() {
	x.setCentre(x.mean())
	n := x.chunkRows()
	for _, c := range x.chunks[:x.count/n] {
		c.codes, c.factors, c.terms = make([]byte, n*x.codeBytes()), make([]float32, n), make([]float32, n)
	}
	for row := range x.count {
		c, i := x.at(row)
		copy(x.row, x.floatsOf(c, i))
		x.round(c, i)
	}
	x.isFresh = true
}

// Settle ends an addition: what can undo it is dropped.
func (x *Index) Settle() {
	if !x.isFresh {
		return
	}
	x.isFresh = false
	if x.hasFloats() {
		return
	}
	for _, c := range x.chunks[:x.rowsOfCentre()/x.chunkRows()] {
		Release(c.rows)
		c.rows = nil
	}
}

// unround makes floats of rows again that were rounded since Settle. Chunks after them wait for rounded rows.
func (x *Index) unround() {
	x.centre, x.rotation, x.query, x.isFresh = nil, nil, nil, false
	for _, c := range x.chunks[:x.rowsOfCentre()/x.chunkRows()] {
		Release(c.codes)
		c.codes, c.factors = nil, nil
		if !x.hasTerms(false) {
			c.terms = nil
		}
	}
	for row := 0; row < x.count && x.hasTerms(false); row++ {
		c, i := x.at(row)
		c.terms[i] = float32(squares(x.floatsOf(c, i)))
	}
}

// mean returns the mean of all rows, which are floats.
func (x *Index) mean() []float32 {
	mean := make([]float32, x.options.NFeatures)
	for j := range mean {
		sum := 0.0
		for row := range x.count {
			c, i := x.at(row)
			sum += float64(x.floatsOf(c, i)[j])
		}
		mean[j] = float32(sum / float64(x.count))
	}
	return mean
}

// setCentre makes what rounding rows takes.
func (x *Index) setCentre(centre []float32) {
	x.centre = centre
	x.rotation = newRotation(x.width, x.options.Seed)
	x.query = make([]int16, x.width)
}

// Has reports whether a row has this id.
func (x *Index) Has(id uint32) bool { return x.slots.find(x, id) >= 0 }

// Remove removes the rows with these ids and returns how many there were. Ids that no row has are passed over.
func (x *Index) Remove(ids []uint32) (removed int) {
	for _, id := range ids {
		row := x.slots.find(x, id)
		if row < 0 {
			continue
		}
		x.slots.remove(x, id)
		if last := x.count - 1; row < last {
			x.move(last, row)
		}
		x.count--
		removed++
	}
	return removed
}

// move moves a row to the place of another.
func (x *Index) move(from, to int) {
	c, i := x.at(from)
	d, j := x.at(to)
	x.slots.set(x, c.ids[i], to)
	d.ids[j] = c.ids[i]
	if c.terms != nil {
		d.terms[j] = c.terms[i]
	}
	if c.rows != nil {
		copy(x.floatsOf(d, j), x.floatsOf(c, i))
	}
	if x.isRounded() {
		copy(x.codesOf(d, j), x.codesOf(c, i))
		d.factors[j] = c.factors[i]
	}
}

// NextID returns the id that the next row gets if none is given.
func (x *Index) NextID() uint64 { return x.nextID }

// Truncate removes the rows that were added last, so that count rows are left, and sets the next id. Rows that these
// made rounded are floats again.
func (x *Index) Truncate(count int, nextID uint64) {
	x.nextID = nextID
	for ; x.count > count; x.count-- {
		c, i := x.at(x.count - 1)
		x.slots.remove(x, c.ids[i])
	}
	if x.isFresh && count < x.rowsOfCentre() {
		x.unround()
	}
}
