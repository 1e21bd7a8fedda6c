package jobs

import (
	"errors"
	"iter"
	"math"
	"slices"
	"time"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/sketch"
)

// A PreviewRequest asks for a look at an embedding: its first rows and, for sampled pairs of rows, the exact kernel
// beside the estimate. Small sets of rows are kept for the next preview of the Session.
type PreviewRequest struct {
	Rows
	ID    float64   `json:"rows"` // identifies the rows
	Map   MapParams `json:"map"`
	Model *Named    `json:"model,omitempty"` // instead of Map and columns
	First int64     `json:"first,omitempty"` // read about so many rows; 0: all
	Most  int64     `json:"most,omitempty"`  // embed so many rows; 0: all
}

// A PreviewReply is what is seen of an embedding. Pairs has four numbers for each pair: the kernel, its estimate, and
// the estimate's bias and standard deviation σ.
type PreviewReply struct {
	NFeatures int            `json:"nFeatures"`
	Rows      int64          `json:"rows"`
	ZeroRows  int64          `json:"zeroRows"` // whose features are all zero
	First     []PreviewRow   `json:"first"`
	Heaviest  *PreviewColumn `json:"heaviest"` // the column with the largest mean share of a row's squared length
	Told
	Fitted *PreviewFit `json:"fitted"` // of a method that is fitted to rows
	MS     float64     `json:"ms"`
	Pairs  []float64   `json:"-"`                // of float64, uncopied
	Kind   int         `json:"kind"`             // the weakest of the σ, by its number in KINDS
	Self   float64     `json:"self"`             // the mean kernel of a row with itself
	Apart  float64     `json:"apart"`            // the largest kernel, in absolute value, of rows that differ
	Unlike int         `json:"unlike"`           // pairs of rows that differ
	TooFew *int        `json:"tooFew,omitempty"` // there are only so many rows, fewer than landmarks
}

// A PreviewRow is one of the first rows.
type PreviewRow struct {
	Label    string    `json:"label"`
	Features []float32 `json:"features"`
}

// A PreviewColumn is a column and its share.
type PreviewColumn struct {
	Name  string  `json:"name"`
	Share float64 `json:"share"`
}

// A PreviewFit says which rows a map was fitted to.
type PreviewFit struct {
	Rows    int  `json:"rows"`
	IsWhole bool `json:"isWhole"` // these are all rows
}

const (
	firstRows    = 6
	sampledRows  = 400
	sampledBytes = 64 << 20 // of their vectors and features
	mostPairs    = 2000
	pairNumbers  = 32 << 20 // numbers in the first vectors of all pairs: fewer pairs of wide rows are compared
	selfNumbers  = 4096     // numbers in the rows whose kernel with themselves is averaged
	pairsAtOnce  = 50
	afterStop    = 250 * time.Millisecond // after a stop, how long the rows so far may be compared
)

// shown are the rows of the last preview.
type shown struct {
	id      float64
	table   *table
	m       Map
	isWhole bool     // kept has all rows
	kept    []*block // the first rows, as far as they are few
	labels  []string // of the first rows
	rows    int64    // read so far
	numbers int      // in them
}

func (s *shown) close() {
	if s != nil && s.m != nil {
		s.m.Close()
	}
}

// Preview makes the preview of an embedding. If it is stopped, it covers the rows so far.
func (s *Session) Preview(c *Control, q *PreviewRequest) (*PreviewReply, error) {
	started := time.Now()
	last := s.shown
	if last == nil || last.id != q.ID || !last.isWhole {
		last.close()
		last = &shown{id: q.ID}
	}
	s.shown = nil
	defer func() { // also after an error
		if s.shown = last; !last.isWhole && s.shown.rows == 0 {
			s.shown.close()
			s.shown = nil
		}
	}()
	p := &previewing{PreviewRequest: q, c: c, shown: last}
	if err := p.open(s.mapper); err != nil || p.reply.TooFew != nil {
		return &p.reply, err
	}
	err := p.embed()
	if err != nil && (!errors.Is(err, ErrStopped) || c.dropped()) {
		return nil, err
	}
	p.reply.MS = float64(time.Since(started).Microseconds()) / 1000
	if err := p.compare(err != nil); err != nil {
		return nil, err
	}
	p.reply.Told = told(p.reply.Rows, last.table)
	return &p.reply, nil
}

// A previewing is the work of Preview.
type previewing struct {
	*PreviewRequest
	*shown
	c      *Control
	reply  PreviewReply
	sample *sample
	z      [][]float32 // features of the sample
}

// open opens the rows, unless they are kept, and makes the map.
func (p *previewing) open(mapper Mapper) (err error) {
	var own *dataset.Preprocessing
	if p.m != nil {
		p.m.Close()
		p.m = nil
	}
	if p.PreviewRequest.Model != nil {
		if p.m, own, err = open(p.PreviewRequest.Model, mapper.OpenMap); err != nil {
			return err
		}
	}
	if p.table == nil {
		if p.table, err = p.PreviewRequest.Rows.open(p.c, own); err != nil {
			return err
		}
		if err = p.table.learn(p.First, nil); err != nil {
			return err
		}
	}
	p.table.c, p.table.first = p.c, p.First
	p.reply.NFeatures = p.table.p.NFeatures()
	if p.m != nil {
		if d := p.m.NFeatures(); d != p.reply.NFeatures {
			return otherWidth(d, p.reply.NFeatures)
		}
		return nil
	}
	params, err := p.Map.params()
	if err != nil {
		return err
	}
	params.NFeatures = p.reply.NFeatures
	if p.m, err = mapper.NewMap(params); err != nil {
		return mistake(err)
	}
	if facts := factsOf(params.Method); facts != nil && facts.Fitted {
		return p.fit()
	}
	return nil
}

// fit fits the map to the first rows: those that are kept.
func (p *previewing) fit() error {
	for _, err := range p.read("reading the first rows", 1<<12) {
		if err != nil {
			return err
		}
		if p.numbers > keptNumbers {
			break
		}
	}
	all := &block{Batch: new(dataset.Batch)}
	for _, b := range p.kept {
		all.join(b.rows(p.reply.NFeatures))
		all.to += b.to
	}
	if n := all.to; n < p.m.Params().NComponents {
		p.reply.TooFew = &n
		return nil
	}
	p.reply.Fitted = &PreviewFit{Rows: all.to, IsWhole: p.isWhole}
	return mistake(fitTo(p.c, p.m, all.rows(p.reply.NFeatures)))
}

// CountRows returns the number of rows of X, of d numbers each.
func CountRows(X sketch.Rows, d int) int {
	if X, ok := X.(sketch.CSR); ok {
		return max(0, len(X.Indptr)-1)
	}
	return len(X.(sketch.Dense)) / d
}

// read yields the rows, or about the first First of them, in blocks of at most so many, and keeps them if they are few.
func (p *previewing) read(phase string, most int) iter.Seq2[*block, error] {
	if p.isWhole {
		return p.again(phase, most)
	}
	return func(yield func(*block, error) bool) {
		p.table.forget()
		p.kept, p.labels, p.shown.rows, p.numbers = nil, nil, 0, 0
		for b, err := range p.table.blocks(phase, most) {
			if err != nil {
				yield(nil, err)
				return
			}
			if left := p.First - p.shown.rows; p.First > 0 {
				if left <= 0 {
					break
				}
				b.to = min(b.to, b.from+int(left))
			}
			p.keep(b)
			if !yield(b, nil) {
				return
			}
		}
		p.isWhole = p.numbers <= keptNumbers
	}
}

// again yields the rows that are kept.
func (p *previewing) again(phase string, most int) iter.Seq2[*block, error] {
	return func(yield func(*block, error) bool) {
		p.c.Begin(phase)
		rows := int64(0)
		for _, b := range p.kept {
			for from := 0; from < b.to; from += most {
				part := *b
				part.from, part.to = from, min(from+most, b.to)
				if !yield(&part, nil) {
					return
				}
				rows += int64(part.to - from)
				if err := p.c.At(rows, float64(rows)/float64(p.shown.rows)); err != nil {
					yield(nil, err)
					return
				}
			}
		}
	}
}

const joinedNumbers = 1 << 18 // up to so many, rows are kept in one block

// keep keeps the rows of a block, and the labels of the first ones.
func (p *previewing) keep(b *block) {
	n := b.to - b.from
	for i := 0; i < n && len(p.labels) < firstRows; i++ {
		label := ""
		if len(p.table.p.CellNames()) > 0 {
			label = string(b.Cell(b.from+i, 0))
		}
		p.labels = append(p.labels, label)
	}
	X := b.rows(p.reply.NFeatures)
	p.shown.rows += int64(n)
	if p.numbers += sizeOf(X); p.numbers > keptNumbers && len(p.kept) > 0 {
		return
	}
	last := len(p.kept) - 1
	if last < 0 || sizeOf(p.kept[last].rows(p.reply.NFeatures)) > joinedNumbers || p.kept[last].part != b.part {
		p.kept = append(p.kept, &block{Batch: new(dataset.Batch), part: b.part})
		last++
	}
	own := p.kept[last]
	own.join(X)
	own.Places = append(own.Places, b.Places[b.from:b.to]...)
	own.to += n
}

// wanted yields the rows that shall be embedded: all or Most.
func (p *previewing) wanted(most int) iter.Seq2[*block, error] {
	return func(yield func(*block, error) bool) {
		embedded := int64(0)
		for b, err := range p.read("embedding", most) {
			if err == nil && p.Most > 0 {
				if embedded == p.Most && p.First == 0 {
					return
				}
				part := *b
				part.to = min(b.to, b.from+int(p.Most-embedded))
				embedded += int64(part.to - part.from)
				if b = &part; part.from == part.to {
					continue // reads the remaining rows, up to First
				}
			}
			if !yield(b, err) {
				return
			}
		}
	}
}

// embed embeds the rows.
func (p *previewing) embed() error {
	d, D := p.reply.NFeatures, p.m.NComponents()
	p.sample = newSample(min(sampledRows, max(2, sampledBytes/(4*(d+D)))), math.MaxInt, d, below(1))
	p.table.ahead = ahead(p.m)
	for b, err := range through(p.c, p.m, p.wanted(max(1, shortBlock/(4*D)))) {
		if err != nil {
			return err
		}
		p.add(b.rows(d), b.Z)
	}
	return nil
}

// add takes rows and their features.
func (p *previewing) add(X sketch.Rows, Z []float32) {
	D := p.m.NComponents()
	for i := range len(Z) / D {
		z := Z[i*D : (i+1)*D]
		before := len(p.sample.rows)
		at := p.sample.add(X, i, keptRow{})
		if at == before {
			p.z = append(p.z, nil)
		}
		if at >= 0 {
			p.z[at] = append(p.z[at][:0], z...)
		}
		if isZero(z) {
			p.reply.ZeroRows++
		}
		if n := len(p.reply.First); n < firstRows {
			p.reply.First = append(p.reply.First, PreviewRow{p.labels[n], append([]float32(nil), z...)})
		}
		p.reply.Rows++
	}
}

func isZero(z []float32) bool {
	for _, x := range z {
		if x != 0 {
			return false
		}
	}
	return true
}

// compare compares sampled pairs. After a stop it takes only the time that is left.
func (p *previewing) compare(stopped bool) error {
	c, until := p.c, time.Time{}
	if stopped {
		c, until = p.c.afterStop(), time.Now().Add(afterStop)
	}
	d, n := p.reply.NFeatures, len(p.sample.rows)
	X := p.sample.dense(0, n)
	chosen := somePairs(n, min(mostPairs, (pairNumbers+d-1)/d))
	for from := 0; from < len(chosen); from += pairsAtOnce {
		to := min(from+pairsAtOnce, len(chosen))
		theory, err := p.m.Pairs(c, X, chosen[from:to])
		if err != nil {
			return err
		}
		for k, pair := range theory {
			p.count(X, chosen[from+k], pair)
		}
		if err := c.Check(); err == ErrStopped && !p.c.dropped() || !until.IsZero() && time.Now().After(until) {
			break
		} else if err != nil {
			return err
		}
	}
	selves := make([][2]int32, min(n, (selfNumbers+2*d-1)/(2*d)))
	for i := range selves {
		selves[i] = [2]int32{int32(i), int32(i)}
	}
	theory, err := p.m.Pairs(c, X, selves)
	for _, pair := range theory {
		p.reply.Self += pair.Kernel
	}
	p.reply.Self /= float64(max(1, len(selves)))
	p.heaviest(X)
	return err
}

// count adds a pair to the reply.
func (p *previewing) count(X []float32, at [2]int32, pair Pair) {
	d, r := p.reply.NFeatures, &p.reply
	estimate := 0.0
	for k, a := range p.z[at[0]] {
		estimate += float64(a) * float64(p.z[at[1]][k])
	}
	bias := pair.Bias
	if math.IsNaN(bias) {
		bias = 0
	}
	r.Pairs = append(r.Pairs, pair.Kernel, estimate, bias, pair.Sigma)
	r.Kind = max(r.Kind, int(pair.Kind))
	for k := range d {
		if X[int(at[0])*d+k] != X[int(at[1])*d+k] {
			r.Unlike++
			r.Apart = max(r.Apart, math.Abs(pair.Kernel))
			return
		}
	}
}

// heaviest finds the column with the largest mean share of a row's squared length.
func (p *previewing) heaviest(X []float32) {
	own := slices.DeleteFunc(slices.Clone(p.table.p.Columns), func(c columns.Column) bool { return c.NFeatures() == 0 })
	if len(own) < 2 {
		return
	}
	d, n := p.reply.NFeatures, len(p.sample.rows)
	shares := make([]float64, len(own))
	for i := range n {
		row := X[i*d : (i+1)*d]
		length := square(row)
		for c, at := 0, 0; c < len(own) && length > 0; c++ {
			width := own[c].NFeatures()
			shares[c] += square(row[at:at+width]) / length / float64(n)
			at += width
		}
	}
	p.reply.Heaviest = &PreviewColumn{}
	for c, share := range shares {
		if share > p.reply.Heaviest.Share {
			*p.reply.Heaviest = PreviewColumn{own[c].Name, share}
		}
	}
}

func square(x []float32) (sum float64) {
	for _, v := range x {
		sum += float64(v) * float64(v)
	}
	return sum
}

// somePairs returns all pairs i < j < n, or most different ones.
func somePairs(n, most int) (pairs [][2]int32) {
	if n*(n-1)/2 <= most {
		for j := range n {
			for i := range j {
				pairs = append(pairs, [2]int32{int32(i), int32(j)})
			}
		}
		return pairs
	}
	draw, taken := below(2), map[[2]int32]bool{}
	for len(pairs) < most {
		i, j := int32(draw(int64(n))), int32(draw(int64(n)))
		pair := [2]int32{min(i, j), max(i, j)}
		if i != j && !taken[pair] {
			taken[pair] = true
			pairs = append(pairs, pair)
		}
	}
	return pairs
}

// Time returns the milliseconds that the map takes for a row of the last preview: the best of 3 calls for its first
// rows.
func (s *Session) Time(c *Control, rows int) (float64, error) {
	if s.shown == nil || s.shown.m == nil || len(s.shown.kept) == 0 {
		return 0, failure("the rows that were shown are gone: another file was chosen")
	}
	first := *s.shown.kept[0]
	first.to = min(rows, first.to)
	X := first.rows(s.shown.m.NFeatures())
	best := math.Inf(1)
	for range 3 {
		started := time.Now()
		if _, err := s.shown.m.Features(c, X); err != nil {
			return 0, err
		}
		best = min(best, float64(time.Since(started).Nanoseconds())/1e6)
	}
	return best / float64(first.to), nil
}
