// Package udf has the functions of model files that SQL calls (packaging/host.md). A call takes a block of rows in
// ClickHouse's format RowBinary and gives a block of as many results.
//
// A row of the arguments is
//
//	String          a model file; an empty text is the one of the row before
//	Array(Float32)  the numbers of the row that the model takes: what its map takes for Features, and what its
//	                preparation takes for the others
//
// A String is its length and its bytes. An array is its length and its elements, little-endian. A length has seven bits
// in each byte, lowest first, with the highest bit set in all but the last (LEB128).
package udf

import (
	"encoding/binary"
	"errors"
	"math"
	"strconv"
	"strings"

	"tensorsketch.example/internal/sums"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/model"
)

const (
	maxKept    = 8       // models that are kept after they were read
	blockBytes = 1 << 20 // of the rows, and of the features, that are worked on at a time, unless 64 need more
	maxResults = 1 << 30 // bytes of a call's results
)

// Functions keeps the models that it has read. It is not safe for concurrent use.
type Functions struct {
	maps   kept[*sketch.FeatureMap]
	models kept[*learn.Model]
	specs  kept[*learn.Spec]
	x, z   []float32 // rows and features, kept because TinyGo's collector may not find them free again
}

// New returns the functions without models.
func New() *Functions {
	return &Functions{maps: kept[*sketch.FeatureMap]{read: readMap},
		models: kept[*learn.Model]{read: model.UnmarshalModel}, specs: kept[*learn.Spec]{read: readSpec}}
}

// readMap returns the map of a model file, with a head or without.
func readMap(text []byte) (*sketch.FeatureMap, error) {
	m, err := model.Unmarshal(text)
	if err == nil && m.Params().NFeaturesEach != nil {
		err = errors.New("model: a map of products takes several vectors, and SQL gives one")
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

// Features appends a row's features, Array(Float32), for each row of the block to dst.
func (f *Functions) Features(dst, block []byte, rows int) ([]byte, error) {
	return call(f, dst, block, rows, &f.maps, function[*sketch.FeatureMap]{
		features: (*sketch.FeatureMap).NFeatures,
		bytes:    func(m *sketch.FeatureMap) int { return arrayBytes(m.NComponents(), 4) },
		use: func(dst []byte, m *sketch.FeatureMap, X []float32) ([]byte, error) {
			d, D := m.NFeatures(), m.NComponents()
			n := len(X) / d
			most := min(n, blockRows(D))
			f.z = withLength(f.z, most*D)
			for from := 0; from < n; from += most {
				to := min(from+most, n)
				Z := f.z[:(to-from)*D]
				if _, err := m.TransformBatch(Z, X[from*d:to*d]); err != nil {
					return nil, sums.AtRow(err, from)
				}
				for ; len(Z) > 0; Z = Z[D:] {
					dst = binary.AppendUvarint(dst, uint64(D))
					for _, z := range Z[:D] {
						dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(z))
					}
				}
			}
			return dst, nil
		}})
}

// Predict appends the label that the model predicts, a String, for each row of the block to dst.
func (f *Functions) Predict(dst, block []byte, rows int) ([]byte, error) {
	return call(f, dst, block, rows, &f.models, function[*learn.Model]{
		features: featuresOf,
		bytes:    func(*learn.Model) int { return 8 },
		use: func(dst []byte, m *learn.Model, X []float32) ([]byte, error) {
			labels, err := m.Predict(sketch.Dense(X))
			for _, l := range labels {
				dst = appendText(dst, labelText(l))
			}
			return dst, err
		}})
}

// Scores appends the scores of the classes, or the predicted targets, Array(Float64), for each row of the block to dst.
func (f *Functions) Scores(dst, block []byte, rows int) ([]byte, error) {
	return f.numbers(dst, block, rows, (*learn.Model).Scores)
}

// Probabilities appends the probabilities of the classes, Array(Float64), for each row of the block to dst.
func (f *Functions) Probabilities(dst, block []byte, rows int) ([]byte, error) {
	return f.numbers(dst, block, rows, (*learn.Model).Probabilities)
}

func (f *Functions) numbers(dst, block []byte, rows int, of func(*learn.Model, sketch.Rows) ([]float64, error)) (
	[]byte, error) {
	return call(f, dst, block, rows, &f.models, function[*learn.Model]{
		features: featuresOf,
		bytes:    func(m *learn.Model) int { return arrayBytes(m.NOutputs(), 8) },
		use: func(dst []byte, m *learn.Model, X []float32) ([]byte, error) {
			numbers, err := of(m, sketch.Dense(X))
			for K := m.NOutputs(); len(numbers) > 0; numbers = numbers[K:] {
				dst = binary.AppendUvarint(dst, uint64(K))
				for _, v := range numbers[:K] {
					dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(v))
				}
			}
			return dst, err
		}})
}

// Errors appends why a row has no features or, of a model with a preparation, no scores, a String, or an empty one, for
// each row of the block to dst. It fails only where the block itself is not one of rows.
func (f *Functions) Errors(dst, block []byte, rows int) ([]byte, error) {
	r, err := newReader(block, rows, wantRow)
	if err != nil {
		return nil, err
	}
	f.maps.begin()
	f.models.begin()
	for range rows {
		text, numbers := r.row()
		if r.err != nil {
			return nil, r.err
		}
		m, err := f.maps.of(text)
		if own, no := f.models.of(text); err == nil && no == nil && own.Preparation != nil {
			if err = checkLength(numbers, own.NFeatures()); err == nil {
				f.x = appendNumbers(f.x[:0], numbers)
				_, err = own.Scores(sketch.Dense(f.x))
			}
		} else if err == nil {
			if err = checkLength(numbers, m.NFeatures()); err == nil {
				f.x, f.z = appendNumbers(f.x[:0], numbers), withLength(f.z, m.NComponents())
				_, err = m.TransformBatch(f.z[:m.NComponents()], f.x)
			}
		}
		if err != nil {
			dst = appendText(dst, err.Error())
		} else {
			dst = append(dst, 0)
		}
	}
	return dst, r.end()
}

func featuresOf(m *learn.Model) int { return m.NFeatures() }

// labelText returns a label as SQL has it: true, a number as JavaScript writes it, or the text.
func labelText(l learn.Label) string {
	if text, ok := l.Value().(string); ok {
		return text
	}
	return l.String()
}

func appendText(dst []byte, text string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(text))), text...)
}

// arrayBytes returns the bytes of an array.
func arrayBytes(n, each int) int { return len(binary.AppendUvarint(nil, uint64(n))) + n*each }

// A function computes results of a model T.
type function[T any] struct {
	features func(T) int                                        // numbers in a row
	bytes    func(T) int                                        // about what a result has
	use      func(dst []byte, m T, X []float32) ([]byte, error) // appends the results of rows
}

// call appends the results of all rows to dst. Rows of the same model are transformed together.
func call[T comparable](fs *Functions, dst, block []byte, rows int, models *kept[T], f function[T]) ([]byte, error) {
	r, err := newReader(block, rows, wantRow)
	if err != nil {
		return nil, err
	}
	models.begin()
	var (
		none, m T
		X       = fs.x[:0] // rows of m that wait
		waiting int
		most    int
	)
	flush := func(done int) (err error) {
		if waiting == 0 {
			return nil
		}
		if dst, err = f.use(dst, m, X); err != nil {
			return sums.AtRow(err, done-waiting)
		}
		X, waiting = X[:0], 0
		fs.x = X
		return nil
	}
	for row := range rows {
		text, numbers := r.row()
		if r.err != nil {
			return nil, r.err
		}
		next, err := models.of(text)
		if err != nil {
			return nil, atRow(err, row)
		}
		if next != m || waiting == most {
			if err := flush(row); err != nil {
				return nil, err
			}
		}
		d := f.features(next)
		if next != m {
			if m == none {
				if dst, err = withRoom(dst, rows, f.bytes(next)); err != nil {
					return nil, err
				}
			}
			m, most = next, blockRows(d)
		}
		if err := checkLength(numbers, d); err != nil {
			return nil, atRow(err, row)
		}
		X = appendNumbers(X, numbers)
		waiting++
	}
	if err := flush(rows); err != nil {
		return nil, err
	}
	return dst, r.end()
}

// blockRows returns how many rows of d numbers are worked on at a time.
func blockRows(d int) int { return max(64, blockBytes/4/d) }

// withLength returns x or, where that is too short, a longer one.
func withLength(x []float32, n int) []float32 {
	if len(x) < n {
		return make([]float32, n)
	}
	return x
}

// withRoom returns dst with room for n results.
func withRoom(dst []byte, n, bytes int) ([]byte, error) {
	room := int64(n) * int64(bytes)
	if room > maxResults {
		return nil, errors.New("the results of " + strconv.Itoa(n) + " rows need " + strconv.FormatInt(room, 10) +
			" bytes: give fewer rows at a time")
	}
	return append(make([]byte, 0, len(dst)+int(room)), dst...), nil
}

func checkLength(numbers []byte, d int) error {
	if n := len(numbers) / 4; n != d {
		return errors.New("the row has " + strconv.Itoa(n) + " numbers, and the model takes " + strconv.Itoa(d))
	}
	return nil
}

// atRow returns an error of a row of the block. SQL counts rows from 1.
func atRow(err error, row int) error {
	return errors.New("row " + strconv.Itoa(row+1) + ": " + err.Error())
}

func appendNumbers(X []float32, numbers []byte) []float32 {
	for ; len(numbers) > 0; numbers = numbers[4:] {
		X = append(X, math.Float32frombits(binary.LittleEndian.Uint32(numbers)))
	}
	return X
}

// kept holds what was read from the texts of models.
type kept[T comparable] struct {
	read   func([]byte) (T, error)
	byText map[string]T
	texts  int  // that were read so far
	inside bool // the row before is of the same block

	// Of the row before, or of the only text.
	text  string
	value T
	err   error
}

// begin is called at the beginning of a block.
func (k *kept[T]) begin() { k.inside = false }

// of returns the model of a text. An empty text has the model of the row before; in the first row of a block, the only
// model that was read before.
func (k *kept[T]) of(text []byte) (value T, err error) {
	switch {
	case len(text) == 0 && !k.inside && k.texts == 0:
		return value, errors.New("the text is empty, and none was read before")
	case len(text) == 0 && !k.inside && k.texts > 1:
		return value, errors.New("the text is empty, and several were read before: give it in the first row")
	case len(text) > 0 && string(text) != k.text:
		k.text = string(text)
		k.value, k.err = k.get(text)
	}
	k.inside = true
	return k.value, k.err
}

// get returns the model of a text that is not the one before.
func (k *kept[T]) get(text []byte) (T, error) {
	if value, ok := k.byText[string(text)]; ok {
		return value, nil
	}
	value, err := k.read(text)
	k.texts++
	if err != nil {
		return value, err
	}
	if k.byText == nil || len(k.byText) == maxKept {
		k.byText = make(map[string]T)
	}
	k.byText[k.text] = value
	return value, nil
}

// A reader reads the rows of a block and remembers the first error.
type reader struct {
	block []byte
	want  string // the arguments of a row
	err   error
}

const wantRow = "model String, row Array(Float32)"

// newReader returns a reader of a block, or an error if it is too short for so many rows.
func newReader(block []byte, rows int, want string) (*reader, error) {
	r := &reader{block: block, want: want}
	if rows < 0 || rows > len(block)/len(strings.Split(want, ",")) {
		r.fail("has " + strconv.Itoa(len(block)) + " bytes, too few for its rows")
	}
	return r, r.err
}

func (r *reader) fail(what string) {
	if r.err == nil {
		r.err = errors.New("the block " + what + ": the arguments must be (" + r.want + "), in the format RowBinary")
	}
}

// row returns the two arguments of the next row, as bytes of the block.
func (r *reader) row() (text, numbers []byte) { return r.bytes(1), r.bytes(4) }

// bytes reads a length and so many elements.
func (r *reader) bytes(each uint64) []byte {
	n := r.length(each)
	content := r.block[:n*int(each)]
	r.block = r.block[len(content):]
	return content
}

// length reads the length of elements, each of so many bytes or more. After an error it is 0.
func (r *reader) length(each uint64) int {
	n, used := binary.Uvarint(r.block)
	if r.err != nil || used <= 0 || n > uint64(len(r.block)-used)/each {
		r.fail("ends within a row")
		return 0
	}
	r.block = r.block[used:]
	return int(n)
}

// end returns an error unless the whole block was read.
func (r *reader) end() error {
	if len(r.block) > 0 {
		r.fail("has bytes after its rows")
	}
	return r.err
}
