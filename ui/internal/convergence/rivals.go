package convergence

import (
	"math"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/family"
)

// A rival is what has come in of a method that is compared, or of the time that
// Tensor Sketch takes.
type rival struct {
	laws   [Columns]methodLaw
	series [Columns]series // of squared relative errors only
}

// A methodLaw is what holds of a method at one D for every seed.
type methodLaw struct {
	known   bool
	refused bool        // memory does not hold the map
	error   float64     // root mean square, of variance and bias, relative to √(κ(x,x)κ(y,y)) of the method's kernel
	kind    sketch.Kind // of σ
	micros  float64     // that a row takes
	timed   bool        // micros is final: it is not timed again
}

// done tells whether nothing more comes of it.
func (l methodLaw) done() bool { return l.refused || l.known && l.timed }

// tells whether there is an error to speak of, 0 too.
func (l methodLaw) tells() bool { return l.known && !l.refused && l.error >= 0 }

// rival returns what has come in of a method.
func (s *Samples) rival(method int) *rival {
	if s.rivals == nil {
		s.rivals = map[int]*rival{}
	}
	if s.rivals[method] == nil {
		s.rivals[method] = &rival{}
	}
	return s.rivals[method]
}

// AddLaw takes what the worker found of a method at a column: error, kind,
// microseconds, of which the least that have come count, and 1 if these are final;
// nothing where memory does not hold the map. Unknown methods are left alone.
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

// AddSquares takes the squared relative errors of a method at a column, the means
// over the pairs, for some seeds as Add does.
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
	c.end = max(c.end, firstSeed+len(squares))
}

// seedsAt returns how many of the seeds a method that is compared has at a column:
// fewer the larger D is, and none where its maps take so long to make that there
// would be too few to tell an error.
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

// mostSeeds are used of a method that is compared.
const mostSeeds = 100

// Unmeasured returns the methods whose laws, or time, have not all come in.
func (s *Samples) Unmeasured(p Params) []string {
	var names []string
	for _, m := range p.compared() {
		for _, law := range s.rival(m).laws {
			if !law.done() {
				names = append(names, methods[m].Name)
				break
			}
		}
	}
	return names
}

// A Task is some seeds of a column, for a method that is compared.
type Task struct {
	Span
	Method string
	Column int
}

// Tasks returns what is missing of the methods that are compared, in the order in
// which it is best done: the first seeds of all D first. A task is short.
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

// missing returns the seeds from the first that is missing to the last.
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

// A contender is a method of a comparison, as the picture shows it.
type contender struct {
	*family.Method
	slot  int // of colour and mark; 0 for Tensor Sketch
	marks [Columns]mark
}

// A mark is what is known of a contender at one D, relative as in methodLaw.
type mark struct {
	methodLaw
	figures
}

// contenders returns Tensor Sketch, whose columns those are, and what it is
// compared with.
func (s *Samples) contenders(p Params, columns []column) []contender {
	var all []contender
	for slot, m := range p.compared() {
		next := contender{Method: methods[m], slot: slot}
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

// ascend takes from each time what is more than that of a larger D: whoever has
// the time for the larger D has it for the smaller, so that what is more is what
// else the machine did.
func (c *contender) ascend() {
	least := math.Inf(1)
	for k := Columns - 1; k >= 0; k-- {
		if m := &c.marks[k]; m.micros > 0 {
			least = min(least, m.micros)
			m.micros = least
		}
	}
}

// over returns the figures of errors in another unit.
func (f figures) over(scale float64) figures {
	f.Spread, f.Low, f.High = f.Spread/scale, f.Low/scale, f.High/scale
	return f
}

// scale is √(κ(x,x)κ(y,y)).
func (p Params) scale() float64 { return math.Pow(1+p.Coef0, float64(p.Degree)) }

// at returns the error of a contender, and its D, where a row takes that many
// microseconds: straight between the columns on logarithmic axes. The error is
// infinite where all its rows take longer.
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

// shown tells whether the law can be drawn: an error that is none, or not known, can
// not.
func (m mark) shown() bool { return m.error > 0 }
