package solve

import (
	"math"
	"strconv"

	"tensorsketch.example/internal/ball"
	"tensorsketch.example/internal/engine/dispatch"
	"tensorsketch.example/internal/portable"
	"tensorsketch.example/sketch"
)

// Moments are exact sums over rows of features, and of their classes or targets: of products of
// features, of features, and of products of features and targets. Features and targets become
// integers first (Grid), so the sums are integers, and no bit depends on the order of rows, their
// grouping, or the machines that added them. Moments can be merged, and taken away again.
//
// The rows may be kept in folds: parts that a hash of a row's integers chooses. Moments are not safe
// for concurrent use.
type Moments struct {
	shape   Shape
	grid    Grid
	folds   int
	inverse float32   // 1/step
	limit   int64     // of the integers of features
	factors []float32 // 1/step of each feature, where the grid has a Finer
	weights []float64 // the steps of features in the grid's step, where it has a Finer
	scaled  []float32 // features of a row by their factors
	words   []int64   // one part after another
	rows    int64
	q       []int32 // integers of a row, padded with zeros
	blocks  []block // one per part
	kept    keeper
	bare    bool // without hashes and tallies, in one part
	spread  bool // the hash of a kept row says its part (Spread)

	goroutines int
	halved     int64
}

// A block holds rows of a part whose products are not in the words yet.
type block struct {
	words   []uint32
	rows    int
	squares []uint32 // Σ q² of each column: less than 2^31, so that sums of products fit 32 bits (Cauchy and Schwarz)
}

// NewMoments returns the Moments of no rows. With folds 0 they have one part. With folds 1 part 0
// holds about a fifth of the rows, to be held out, and part 1 the rest. With folds 5 there are five
// parts of about a fifth each. They take MomentsBytes of memory.
//
// The error is a *sketch.Error with code ErrParam.
func NewMoments(shape Shape, grid Grid, folds int) (*Moments, error) {
	if err := shape.Validate(); err != nil {
		return nil, err
	}
	if err := grid.validate(shape); err != nil {
		return nil, err
	}
	parts := partsOf(folds)
	if parts == 0 {
		return nil, sketch.ErrParam.New("folds", strconv.Itoa(folds), "be 0, 1 or 5")
	}
	m := &Moments{shape: shape, grid: grid, folds: folds, inverse: float32(1 / grid.Step), limit: grid.limit(),
		words: make([]int64, parts*shape.words()), q: make([]int32, shape.padded()),
		blocks: make([]block, parts)}
	if grid.Finer != "" {
		m.scaled = make([]float32, shape.NComponents)
		for _, step := range grid.steps(shape.NComponents) {
			m.factors, m.weights = append(m.factors, float32(1/step)), append(m.weights, step/grid.Step)
		}
	}
	return m, nil
}

// NewBareMoments returns Moments of one part, which neither hash their rows nor count what the grid costs.
func NewBareMoments(shape Shape, grid Grid) (*Moments, error) {
	m, err := NewMoments(shape, grid, 0)
	if err == nil {
		m.bare = true
	}
	return m, err
}

// MomentsBytes returns the bytes that Moments of a valid shape take, so that a caller can refuse in
// advance.
func MomentsBytes(shape Shape, folds int) int64 {
	padded := int64(shape.padded())
	each := 8*int64(shape.words()) + 4*int64(dispatch.OuterWords(shape.padded())) + 4*padded
	return int64(partsOf(folds))*each + 20*padded
}

// SetGoroutines lets AddFeatures and the calls that read the sums use n goroutines. With n below 2,
// the default, only the caller's goroutine works. No bit depends on n.
func (m *Moments) SetGoroutines(n int) { m.goroutines = n }

// Shape returns what NewMoments was given.
func (m *Moments) Shape() Shape { return m.shape }

// Grid returns what NewMoments was given.
func (m *Moments) Grid() Grid { return m.grid }

// Folds returns what NewMoments was given.
func (m *Moments) Folds() int { return m.folds }

// Parts returns the number of parts: 1, 2 or 5.
func (m *Moments) Parts() int { return partsOf(m.folds) }

// Rows returns the number of rows, those taken away left out.
func (m *Moments) Rows() int64 { return m.rows }

// Halved returns how many blocks of rows were added up before they were full, because a sum would have exceeded 32
// bits. It is of this process, and costs time alone: fewer such blocks need a larger step.
func (m *Moments) Halved() int64 { return m.halved }

// Clipped returns how many features were cut to the limit of the grid, or scaled down with their row to Bound.
func (m *Moments) Clipped() int64 {
	clipped := int64(0)
	for p := range m.blocks {
		clipped += m.part(p)[wordClipped]
	}
	return clipped
}

// part returns the words of a part. The products of the rows of its block are not among them.
func (m *Moments) part(p int) []int64 {
	n := m.shape.words()
	return m.words[p*n : (p+1)*n]
}

// AddFeatures adds the rows of Z, n × NComponents and row-major. For classification, classes holds
// the class of each row, 0 … Classes − 1. For regression, targets is n × Targets and row-major.
// Otherwise both are nil. A row counts if its weight is 1, and is skipped unread if it is 0; nil
// weights are all 1.
//
// The error is a *sketch.Error with code ErrShape for a wrong length, ErrNonFinite for a feature or
// target that is not finite, or ErrParam for a class, target or weight out of range and for too many
// rows. It names the row. After an error the moments are unchanged.
func (m *Moments) AddFeatures(Z []float32, classes []int32, targets []float64, weights []uint8) error {
	n, err := m.checkRows(Z, classes, targets, weights)
	if err != nil {
		return err
	}
	D := m.shape.NComponents
	for row := range n {
		if weights != nil && weights[row] == 0 {
			continue
		}
		clipped := m.quantise(Z[row*D : (row+1)*D])
		hash, p := uint64(0), 0
		if !m.bare {
			hash = m.hash()
			p = m.partOf(hash)
		}
		if !m.bare {
			m.count(m.tally(p), Z[row*D:(row+1)*D], clipped, hash)
		}
		m.part(p)[wordClipped] += clipped
		var y []int32
		if m.shape.Classes > 0 {
			y = []int32{classes[row]}
		} else if K := m.shape.Targets; K > 0 {
			y = m.grid.targets(targets[row*K : (row+1)*K])
		}
		m.addCurrent(p, y)
		if y != nil && m.kept.takes(hash) {
			m.kept.add(m.q[:D], hash, y)
		}
	}
	return nil
}

// partOf returns the part of a row: by the hash of its integers mod 5, so that equal rows share a fold,
// whatever their order and the machine.
func (m *Moments) partOf(hash uint64) int {
	if m.folds == 0 {
		return 0
	}
	return min(int(hash%FoldCount), len(m.blocks)-1)
}

// addToBlock adds the current row to the block of a part.
func (m *Moments) addToBlock(p int) {
	b := &m.blocks[p]
	if b.words == nil {
		b.words, b.squares = make([]uint32, dispatch.OuterWords(len(m.q))), make([]uint32, len(m.q))
	}
	if b.rows == dispatch.OuterRows {
		m.flush(p)
	}
	if dispatch.AddSquares(b.squares, m.q) {
		m.halved++
		m.flush(p)
		dispatch.AddSquares(b.squares, m.q)
	}
	dispatch.PutRow(b.words, m.q, b.rows)
	b.rows++
}

// flush adds the products of the rows of a block to the words of its part.
func (m *Moments) flush(p int) {
	b, D := &m.blocks[p], m.shape.NComponents
	if b.rows == 0 {
		return
	}
	gram, width := m.part(p)[wordGram:m.shape.tail()], dispatch.OuterWidth()
	panels := len(m.q) / width
	Share(panels, m.goroutines, func(i int) { // the longest first
		dispatch.AddOuter(gram, b.words, b.rows, D, panels-1-i)
	})
	b.rows = 0
	clear(b.squares)
}

// flushAll makes the words complete.
func (m *Moments) flushAll() {
	for p := range m.blocks {
		m.flush(p)
	}
}

// addCurrent adds the current row with its class or its targets to a part.
func (m *Moments) addCurrent(p int, y []int32) {
	m.addToBlock(p)
	part := m.part(p)
	part[wordRows]++
	m.rows++
	D, K, tail, q := m.shape.NComponents, m.shape.Targets, part[m.shape.tail():], m.q[:m.shape.NComponents]
	if C := m.shape.Classes; C > 0 {
		class := int(y[0])
		tail[class]++
		tail = tail[C+class*D:]
	}
	dispatch.AddRow(tail[:D], q)
	if K == 0 {
		return
	}
	sums, squares, products := tail[D:D+K], tail[D+K:D+K+triangle(K)], tail[D+K+triangle(K):]
	for a, v := range y {
		t := int64(v)
		sums[a] += t
		for b, other := range y[:a+1] {
			squares[b] += t * int64(other)
		}
		squares = squares[a+1:]
		row := products[a*D : (a+1)*D]
		for j, v := range q {
			row[j] += t * int64(v)
		}
	}
}

// target returns the integer of a target.
func (g Grid) target(y float64) int64 {
	if g.Bound > 0 {
		y = max(g.Low, min(g.High, y))
		return PrivateTarget * int64(math.RoundToEven((y-g.Middle())/(PrivateTarget*g.TargetStep())))
	}
	return int64(math.RoundToEven((y - g.Middle()) / g.TargetStep()))
}

// targets returns the integers of targets.
func (g Grid) targets(y []float64) []int32 {
	t := make([]int32, len(y))
	for k, v := range y {
		t[k] = int32(g.target(v))
	}
	return t
}

// quantise writes the integers of a row to m.q. It returns how many were cut.
func (m *Moments) quantise(z []float32) (clipped int64) {
	if m.grid.Bound > 0 {
		return m.quantiseInBall(z)
	}
	inverse := m.inverse
	if m.factors != nil {
		copy(m.scaled, z)
		dispatch.MultiplyBy(m.scaled, m.factors)
		z, inverse = m.scaled, 1
	}
	limit := float64(m.limit)
	most := limit // that is not counted
	if m.limit == Limit16 {
		most = 1 << 15
	}
	// Multiplying by a power of two is exact, or far below 1/2 where it is not.
	if size := float32(math.Float32frombits(dispatch.Largest(z)) * inverse); float64(size) <= limit+0.5 &&
		math.RoundToEven(float64(size)) <= limit {
		dispatch.Quantise(m.q[:len(z)], z, inverse)
		return 0
	}
	for j, v := range z {
		q := math.RoundToEven(float64(float32(v * inverse)))
		if math.Abs(q) > most {
			clipped++
		}
		m.q[j] = int32(max(-limit, min(limit, q)))
	}
	return clipped
}

// quantiseInBall is quantise for a grid with a Bound. Where it scales a row down, all its features
// count as cut.
func (m *Moments) quantiseInBall(z []float32) (clipped int64) {
	length, factor := math.Sqrt(sketch.Dot(z, z)), 1/m.grid.Step
	if length > m.grid.Bound {
		factor *= m.grid.Bound / length
	}
	if length > m.grid.Bound*(1+1e-6) { // more than rounding errors of the features
		clipped = int64(len(z))
	}
	q := m.q[:len(z)]
	ball.Round(q, z, factor, m.grid.BallLimit())
	for j, v := range q {
		q[j] = max(-maxQ, min(maxQ, v)) // which makes no row longer
	}
	return clipped
}

// checkRows returns the number of rows of the arguments of AddFeatures, or the error.
func (m *Moments) checkRows(Z []float32, classes []int32, targets []float64, weights []uint8) (int, error) {
	D := m.shape.NComponents
	if len(Z)%D != 0 {
		return 0, sketch.ErrShape.New("Z", strconv.Itoa(len(Z)),
			"hold a multiple of nComponents = "+strconv.Itoa(D)+" values")
	}
	n := len(Z) / D
	if err := m.shape.checkTargets(n, len(classes), len(targets), len(weights), weights != nil); err != nil {
		return 0, err
	}
	added, allFinite := int64(0), weights == nil && dispatch.Largest(Z) < infinity
	for row := range n {
		if weights != nil {
			switch weights[row] {
			case 0:
				continue
			case 1:
			default:
				return 0, RowError(sketch.ErrParam, "weights", row, -1, strconv.Itoa(int(weights[row])), "be 0 or 1")
			}
		}
		added++
		if z := Z[row*D : (row+1)*D]; !allFinite && dispatch.Largest(z) >= infinity {
			return 0, nonFinite(z, row)
		}
		if classes != nil && (classes[row] < 0 || int(classes[row]) >= m.shape.Classes) {
			return 0, RowError(sketch.ErrParam, "classes", row, -1, strconv.Itoa(int(classes[row])),
				"be from 0 to "+strconv.Itoa(m.shape.Classes-1))
		}
		if err := m.checkRowTargets(targets, row); err != nil {
			return 0, err
		}
	}
	return n, m.checkCount(added)
}

// infinity is the bits of +Inf; the bits of NaN are larger.
const infinity = 0xff << 23

// nonFinite returns the error of a row that is not finite.
func nonFinite(z []float32, row int) error {
	for j, v := range z {
		if v-v != 0 {
			return RowError(sketch.ErrNonFinite, "Z", row, j, portable.FormatNumber(float64(v)),
				"be finite: remove or replace NaN and infinite values")
		}
	}
	return nil
}

func (m *Moments) checkRowTargets(targets []float64, row int) error {
	K := m.shape.Targets
	for k := range K {
		y := targets[row*K+k]
		switch {
		case y-y != 0:
			return RowError(sketch.ErrNonFinite, "y", row, k, portable.FormatNumber(y),
				"be finite: remove or replace NaN and infinite values")
		case m.grid.Bound == 0 && (y < m.grid.Low || y > m.grid.High):
			return RowError(sketch.ErrParam, "y", row, k, portable.FormatNumber(y), "be within targetRange, "+
				portable.FormatNumber(m.grid.Low)+" to "+portable.FormatNumber(m.grid.High)+": state a wider one")
		}
	}
	return nil
}

// checkCount returns an error if so many more rows are too many.
func (m *Moments) checkCount(more int64) error {
	if most := m.shape.maxRows(m.limit); more > most-m.rows {
		return sketch.ErrParam.New("rows", strconv.FormatInt(m.rows, 10)+" and "+strconv.FormatInt(more, 10),
			"be at most "+strconv.FormatInt(most, 10)+" together, so that no sum exceeds 64 bits")
	}
	return nil
}

// checkTargets returns an error if classes, targets or weights are not as long as n rows need.
func (s Shape) checkTargets(n, classes, targets, weights int, weighted bool) error {
	switch {
	case s.Classes > 0 && classes != n:
		return sketch.ErrShape.New("classes", strconv.Itoa(classes), "hold one class per row, "+strconv.Itoa(n))
	case s.Classes == 0 && classes > 0:
		return sketch.ErrShape.New("classes", strconv.Itoa(classes), "be left out: these moments have no classes")
	case s.Targets > 0 && targets != n*s.Targets:
		return sketch.ErrShape.New("y", strconv.Itoa(targets),
			"hold "+strconv.Itoa(s.Targets)+" numbers per row, "+strconv.Itoa(n*s.Targets))
	case s.Targets == 0 && targets > 0:
		return sketch.ErrShape.New("y", strconv.Itoa(targets), "be left out: these moments have no targets")
	case weighted && weights != n:
		return sketch.ErrShape.New("weights", strconv.Itoa(weights), "hold one number per row, "+strconv.Itoa(n))
	}
	return nil
}

// RowError returns the error of a row, and of a column of it unless that is −1.
func RowError(code sketch.Code, argument string, row, column int, value, want string) *sketch.Error {
	e := code.New(argument, value, want)
	e.Row, e.Column = row, column
	return e
}
