package convergence

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"tensorsketch.example/ui/internal/lesson"
)

// A Picture is one state of the place, with the estimates received before it was made.
type Picture struct {
	params    Params
	pairs     []pair
	kernel    float64
	low, high float64 // ends of the axis of estimates
	columns   []column
	at        int // the column of the marker
	slope     float64
	unlucky   string // the seed that misses at every D while few others do, or ""

	fate    []float64 // the estimates of that seed, by column
	degrees []law     // σ/|κ| and its bounds by p − 1, where they are drawn

	contenders []*contender // of a comparison, else nil
}

// A column holds what the picture shows at one D.
type column struct {
	NComponents int
	law
	figures
	dots      []estimate // of single seeds; in a sample of pairs, of pair number seed mod 20
	histogram histogram
}

// halfAxis is half the length of the axis of estimates, in σ at D = 128 and p = 2. At that D the picture is easy to
// read, and at D = 8 it contains ±2σ if p is 2. It depends neither on the estimates, so nothing moves while they come
// in, nor on p, so that a higher degree is seen to widen the band.
const halfAxis = 9

// New returns the picture of the parameters with the estimates received so far. If s belongs to other parameters,
// its samples start again. s may be nil. An error is a *sketch.Error.
func New(p Params, s *Samples) (*Picture, error) {
	s = cmp.Or(s, &Samples{})
	if err := s.Begin(p); err != nil {
		return nil, err
	}
	picture := &Picture{params: p, pairs: s.pairs, kernel: s.kernel, at: columnOf(p.NComponents)}
	half := cmp.Or(halfAxis*s.atSecond, .5)
	picture.low, picture.high = s.kernel-half, s.kernel+half
	for c := range Columns {
		series := &s.columns[c]
		sorted := series.below(p.Seeds)
		column := column{NComponents: Components(c), law: s.laws[c], figures: series.measure(p.Seeds, s.kernel)}
		for k, q := range quantiles {
			column.Quantiles[k] = quantile(sorted, q)
		}
		for seed := range min(p.Seeds, len(series.have), dots) {
			if series.have[seed] {
				column.dots = append(column.dots, estimate{series.dots[seed], seed})
			}
		}
		column.histogram = histogramOf(sorted, s.kernel, column.sigma, picture.low, picture.high)
		picture.columns = append(picture.columns, column)
	}
	picture.slope = slope(picture.columns)
	picture.unlucky = s.unlucky(picture.columns[Columns-1])
	if picture.unlucky != "" {
		worst := picture.columns[Columns-1].Worst
		for c := range Columns {
			picture.fate = append(picture.fate, s.kernel+s.columns[c].shift[worst])
		}
	}
	picture.contenders = s.contenders(p, picture.columns)
	if picture.contenders == nil && p.Below == ByDegree {
		var err error
		if picture.degrees, err = lawsByDegree(p, s.pairs, Components(picture.at)); err != nil {
			return nil, err
		}
	}
	return picture, nil
}

// marked returns the column looked at, or else the column of the marker.
func (p *Picture) marked(look lesson.Item) column {
	if p.has(look) {
		return p.columns[look.I]
	}
	return p.columns[p.at]
}

func (p *Picture) has(item lesson.Item) bool {
	return item.Kind == lesson.Column && item.J == 0 && item.I >= 0 && item.I < Columns
}

// noError reports whether every seed gives the kernel itself, as for one-hot x = ±y. Estimates then differ from it
// only by rounding.
func (p *Picture) noError() bool { return p.columns[0].sigma == 0 }

// hasFew reports whether at some D too few seeds miss to measure the spread.
func (p *Picture) hasFew() bool {
	return !p.noError() && slices.ContainsFunc(p.columns, func(c column) bool { return c.Seeds >= 2 && c.few() })
}

// nothingToCompare reports whether no method of a comparison has errors other than rounding.
func (p *Picture) nothingToCompare() bool {
	return !slices.ContainsFunc(p.marks(), func(m mark) bool { return !m.known || m.error > 0 })
}

// marks returns the marks of all contenders.
func (p *Picture) marks() []mark {
	var all []mark
	for _, c := range p.contenders {
		all = append(all, c.marks[:]...)
	}
	return all
}

// Groups implements lesson.Picture. The only group is the columns.
func (p *Picture) Groups() []lesson.Group {
	return []lesson.Group{{Kind: lesson.Column, Label: "Numbers of components D", Rows: 1, Columns: Columns}}
}

// Areas implements lesson.Picture. The columns reach from the cloud down to the logarithmic part.
func (p *Picture) Areas(size lesson.Size) []lesson.Area {
	l := p.layout(size)
	return []lesson.Area{{Kind: lesson.Column, Rows: 1, Columns: Columns,
		Rect: lesson.Rect{X: l.cloud.Left, Y: l.cloud.Top, Width: l.cloud.Width(), Height: l.bottom - l.cloud.Top}}}
}

// Drag implements lesson.Picture. The marker follows the pointer.
func (p *Picture) Drag(size lesson.Size, item lesson.Item, x, y float64) (lesson.Change, bool) {
	if !p.has(item) || math.IsNaN(x) {
		return lesson.Change{}, false
	}
	return p.StepTo(p.layout(size).columnAt(x)), true
}

// Nudge implements lesson.Picture. Nothing can be nudged.
func (p *Picture) Nudge(lesson.Item, int) (lesson.Change, bool) { return lesson.Change{}, false }

// StepTo implements lesson.Picture. Step k is column k.
func (p *Picture) StepTo(step int) lesson.Change {
	return lesson.Change{Name: "nComponents", Text: strconv.Itoa(Components(min(max(step, 0), Columns-1)))}
}
