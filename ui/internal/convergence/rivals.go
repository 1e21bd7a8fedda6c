package convergence

import (
	"math"
	"slices"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/family"
)

// A rival holds the results received for a compared method. For Tensor Sketch itself, only the times are used.
type rival struct {
	laws   [Columns]methodLaw
	series [Columns]series // of squared relative errors only
}

// A methodLaw holds what is known about a method at one D, for all seeds.
type methodLaw struct {
	known   bool
	refused bool        // the map does not fit into memory
	error   float64     // root mean square, of variance and bias, relative to √(κ(x,x)κ(y,y)) of the method's kernel
	kind    sketch.Kind // of σ
	micros  float64     // time per row
	timed   bool        // micros is final and not measured again
}

// done reports whether no more results are expected.
func (l methodLaw) done() bool { return l.refused || l.known && l.timed }

// tells reports whether the error is known. Zero counts as known.
func (l methodLaw) tells() bool { return l.known && !l.refused && l.error >= 0 }

// rival returns the results received for a method.
func (s *Samples) rival(method int) *rival {
	if s.rivals == nil {
		s.rivals = map[int]*rival{}
	}
	if s.rivals[method] == nil {
		s.rivals[method] = &rival{}
	}
	return s.rivals[method]
}

// AddLaw stores a worker's result for a method at a column: error, kind, microseconds, and 1 if these are final. Of
// all microseconds received, the smallest counts. An empty law means that the map does not fit into memory. Unknown
// methods are ignored.
func (s *Samples) AddLaw(name string, column int, law []float64) {
	m := methodOf(name)
	if m < 0 {
		return
	}
	at := &s.rival(m).laws[column]
	if len(law) < 4 {
		*at = methodLaw{known: true, refused: true}
		return
	}
	if at.micros > 0 {
		law[2] = min(law[2], at.micros)
	}
	*at = methodLaw{known: true, error: law[0], kind: min(sketch.Kind(law[1]), sketch.Unknown), micros: law[2],
		timed: at.timed || law[3] == 1}
	if at.error < formulaRounding {
		at.error = 0
	}
}

// AddSquares stores squared relative errors of a method at a column, each the mean over the pairs. The seeds are
// given as in Add.
func (s *Samples) AddSquares(name string, column, firstSeed int, squares []float64) {
	m := methodOf(name)
	if m < 0 {
		return
	}
	c := &s.rival(m).series[column]
	c.reserve(firstSeed + len(squares))
	for k, square := range squares {
		c.have[firstSeed+k], c.square[firstSeed+k] = true, square
	}
}

// seedsAt returns how many of the seeds a compared method uses at a column. The number falls as D grows. It is 0 if
// the maps take so long to make that too few seeds would remain to show an error.
func seedsAt(m *family.Method, seeds, column int) int {
	few := mostSeeds >> max(0, column-5)
	switch {
	case !m.Slow:
		few = max(few, 50)
	case few < 12:
		few = 0
	}
	return min(seeds, few)
}

// mostSeeds is the maximum number of seeds of a compared method.
const mostSeeds = 100

// Unmeasured returns the methods for which some law or time has not come in.
func (s *Samples) Unmeasured(p Params) []string {
	var names []string
	for _, m := range p.compared() {
		if slices.ContainsFunc(s.rival(m).laws[:], func(l methodLaw) bool { return !l.done() }) {
			names = append(names, methods[m].Name)
		}
	}
	return names
}

// A Task is a span of seeds at a column, for a compared method.
type Task struct {
	Span
	Method string
	Column int
}

// Tasks returns the missing work of the compared methods in the best order: the first seeds of all D come first.
// Each task is short.
func (s *Samples) Tasks(p Params) []Task {
	var tasks []Task
	compared := p.compared()
	if compared == nil {
		return nil
	}
	for from := 0; from < min(p.Seeds, mostSeeds); from++ {
		for column := range Columns {
			length := max(1, 20>>max(0, column-5))
			if len(s.pairs) > 1 {
				length = max(1, length/4)
			}
			if from%length != 0 {
				continue
			}
			for _, m := range compared[1:] {
				if span := s.rival(m).series[column].missing(from, min(from+length,
					seedsAt(methods[m], p.Seeds, column))); span.Count > 0 {
					tasks = append(tasks, Task{span, methods[m].Name, column})
				}
			}
		}
	}
	return tasks
}

// missing returns the span from the first missing seed to the last.
func (c *series) missing(from, end int) Span {
	lacks := func(seed int) bool { return seed >= len(c.have) || !c.have[seed] }
	for from < end && !lacks(from) {
		from++
	}
	for end > from && !lacks(end-1) {
		end--
	}
	return Span{from, max(end-from, 0)}
}

// A contender is a method of a comparison in the picture.
type contender struct {
	*family.Method
	slot  int // selects colour and mark; 0 for Tensor Sketch
	marks [Columns]mark
}

// A mark holds what is known of a contender at one D. Its errors are relative, as in methodLaw.
type mark struct {
	methodLaw
	figures
}

// contenders returns Tensor Sketch, with the given columns, and the methods it is compared with.
func (s *Samples) contenders(p Params, columns []column) []*contender {
	var all []*contender
	for slot, m := range p.compared() {
		next := &contender{Method: methods[m], slot: slot}
		for c := range Columns {
			law := s.rival(m).laws[c]
			at := mark{methodLaw: law, figures: s.rival(m).series[c].measure(seedsAt(methods[m], p.Seeds, c), 0)}
			if slot == 0 {
				at.figures = columns[c].figures.over(p.scale())
				at.error, at.kind = columns[c].sigma/p.scale(), 0
				at.known = true
			}
			next.marks[c] = at
		}
		next.ascend()
		all = append(all, next)
	}
	return all
}

// ascend lowers each time to the least time of any larger D. A machine that manages the larger D in that time
// manages the smaller D too, so the excess was spent on other work.
func (c *contender) ascend() {
	least := math.Inf(1)
	for k := Columns - 1; k >= 0; k-- {
		if m := &c.marks[k]; m.micros > 0 {
			least = min(least, m.micros)
			m.micros = least
		}
	}
}

// over returns the figures with errors divided by scale.
func (f figures) over(scale float64) figures {
	f.Spread, f.Low, f.High = f.Spread/scale, f.Low/scale, f.High/scale
	return f
}

// scale returns √(κ(x,x)κ(y,y)).
func (p Params) scale() float64 { return math.Pow(1+p.Coef0, float64(p.Degree)) }

// at returns the error and the D of a contender at which a row takes micros microseconds. It interpolates linearly
// between the columns on logarithmic axes. The error is infinite if all its rows take longer.
func (c *contender) at(micros float64) (error, nComponents float64) {
	for k := Columns - 1; k >= 0; k-- {
		m := c.marks[k]
		if !m.tells() || m.micros > micros {
			continue
		}
		error, nComponents = m.error, float64(Components(k))
		if k+1 < Columns {
			if next := c.marks[k+1]; next.tells() {
				part := math.Log(micros/m.micros) / math.Log(next.micros/m.micros)
				if m.error > 0 {
					error *= math.Pow(next.error/m.error, part)
				}
				nComponents *= math.Pow(2, part)
			}
		}
		return error, nComponents
	}
	return math.Inf(1), 0
}

// shown reports whether the law can be drawn. An error that is zero or unknown cannot be drawn.
func (m mark) shown() bool { return m.error > 0 }
