package learn

import (
	"strconv"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/internal/sums"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn/prepare"
)

// NewSearcher begins a search for rows of len(kinds) coordinates and their targets. Rows are Dense, in which NaN is a
// missing number, or CSR, for which only the length of kinds counts. It keeps the arguments, which must not change
// meanwhile.
//
// The error is a *sketch.Error: of prepare.New, or it names the rows, the labels, the targets or what was typed.
func NewSearcher(rows sketch.Rows, kinds []prepare.Kind, targets Targets, c Choices) (*Searcher, error) {
	var spec Spec
	n, _, ok := sums.Parts(rows, max(1, len(kinds)))
	if !ok || len(kinds) == 0 {
		return NewSearcherOf(rows, kinds, solve.RowLabels{}, 1, c) // which says what is wrong
	}
	if err := spec.see(&targets, n); err != nil {
		return nil, err
	}
	y, outputs := solve.RowLabels{Targets: targets.Y}, max(1, targets.Each)
	if targets.Labels != nil {
		y, outputs = solve.RowLabels{Classes: indicesOf(targets.Labels, spec.Classes)}, len(spec.Classes)
	}
	s, err := NewSearcherOf(rows, kinds, y, outputs, c)
	if err == nil {
		s.spec.Classes = spec.Classes
	}
	return s, err
}

// indicesOf returns the index of each label among classes.
func indicesOf(labels, classes []Label) []int32 {
	index, indices := make(map[Label]int32, len(classes)), make([]int32, len(labels))
	for k, label := range classes {
		index[label] = int32(k)
	}
	for i, label := range labels {
		indices[i] = index[label]
	}
	return indices
}

// NewSearcherOf is NewSearcher for the class of each row, 0 … outputs − 1, or outputs targets of each. They must be
// valid. The Spec then has no Classes.
func NewSearcherOf(rows sketch.Rows, kinds []prepare.Kind, y solve.RowLabels, outputs int,
	c Choices) (*Searcher, error) {
	d := len(kinds)
	n, part, ok := sums.Parts(rows, max(1, d))
	if !ok || d == 0 {
		return nil, sketch.ErrShape.New("X", "", "hold rows of "+strconv.Itoa(d)+" numbers, one for each of kinds")
	}
	s := &Searcher{choices: c, all: rows, part: part, kinds: kinds, y: y, outputs: outputs,
		forms: map[string]*formRows{}, spec: Spec{Preprocessing: c.Preprocessing, Folds: solve.FoldCount}}
	s.threads = max(1, c.Goroutines)
	if s.spec.Task = TaskClassify; y.Classes == nil {
		s.spec.Task, s.spec.Targets, s.spec.TargetRange = TaskRegress, outputs, solve.TargetRangeOf(y.Targets)
	}
	X, isSparse := rows.(sketch.CSR)
	if isSparse {
		if err := solve.CheckSparse(X, d); err != nil {
			return nil, err
		}
	}
	dense, _ := rows.(sketch.Dense)
	for i, v := range dense { // before rows are held out, and put in another order
		if v-v != 0 && (v == v || kinds[i%d] == prepare.Indicator) {
			return nil, solve.NotFinite("X", i/d, i%d, float64(v))
		}
	}
	hashes, copies := s.holdOut(n)
	s.picked = s.inside[:min(len(s.inside), sampleSize(d))]
	s.n = len(s.picked)
	s.deal(hashes)
	s.take(&y, outputs)
	s.list = portfolio
	if isSparse {
		s.list = sparsePortfolio
	} else if err := s.form(prepare.Std).err; err != nil {
		return nil, err // other forms would say the same
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	if s.list = c.typed(s.list); len(s.list) == 0 {
		return nil, sketch.ErrParam.New("search", "none of the candidates", "fit what was typed of the map: leave it out, "+
			"or type less")
	}
	s.report = &Candidates{Rows: s.n, Components: searchComponents}
	for _, held := range s.held[:solve.FoldCount] {
		if held > 0 {
			s.report.Folds++
		}
	}
	if s.spec.Keep = solve.KeepOf(float64(n)); copies > 0 {
		s.report.Notes = []string{strconv.Itoa(copies) + " of " + strconv.Itoa(n) +
			" rows are copies of rows that recur often, and the search holds out each by itself"}
		if n <= solve.MostKept {
			s.spec.Keep = 1 // which spreads clumps (Moments.Spread)
		}
	}
	return s, nil
}

// oneClass names the only class, or none.
func oneClass(classes []Label) string {
	if len(classes) == 0 {
		return "none"
	}
	return classes[0].String() + " only"
}

// see takes the task of the targets of n rows.
func (spec *Spec) see(t *Targets, n int) error {
	argument, got := "labels", len(t.Labels)
	if t.Labels != nil {
		spec.Task, spec.Classes = TaskClassify, SortClasses(t.Labels)
		if err := checkLabels("labels", t.Labels); err != nil {
			return err
		}
		if len(spec.Classes) < 2 {
			return sketch.ErrParam.New("classes", "rows of "+oneClass(spec.Classes),
				"have rows of at least two: there is nothing to tell apart")
		}
		if len(spec.Classes) > solve.MaxClasses {
			return tooManyClasses(len(spec.Classes))
		}
	} else {
		spec.Task, spec.Targets = TaskRegress, max(1, t.Each)
		argument, got = "y", len(t.Y)/spec.Targets
		if err := solve.CheckTargets(t.Y, spec.Targets); err != nil {
			return err
		}
		spec.TargetRange = solve.TargetRangeOf(t.Y)
	}
	if got != n || n == 0 {
		return sketch.ErrShape.New(argument, strconv.Itoa(got), "have one for each of "+strconv.Itoa(n)+" rows")
	}
	return nil
}

// holdOut sets a fifth of n rows aside by their hash, and puts the others in an order that the seed says. Of clumps it
// is every fifth copy. With few rows, or rows of one class without those, all stay. It returns the hashes of
// the rows inside, and how many copies there are.
func (s *Searcher) holdOut(n int) (hashes []uint64, copies int) {
	const few = 25
	var classes []int32 // the first of those inside, and another
	order := pick(n, n, s.choices.Params.Seed)
	all := make([]uint64, n)
	for i, row := range order {
		all[i] = hashRow(s.row(row))
	}
	copies = solve.SpreadClumps(all)
	var apart []uint64
	for i, row := range order {
		if all[i]%solve.FoldCount == 0 {
			s.outside, apart = append(s.outside, row), append(apart, all[i])
			continue
		}
		hashes = append(hashes, all[i])
		s.inside = append(s.inside, row)
		if y := s.y.Classes; y != nil && len(classes) < 2 && (classes == nil || classes[0] != y[row]) {
			classes = append(classes, y[row])
		}
	}
	if n < few || s.y.Classes != nil && len(classes) < 2 {
		s.inside, s.outside, hashes = append(s.inside, s.outside...), nil, append(hashes, apart...)
	}
	return hashes, copies
}

// row returns a row of all as dense numbers.
func (s *Searcher) row(i int) []float32 {
	switch one := s.part(i, i+1).(type) {
	case sketch.CSR:
		row := make([]float32, len(s.kinds))
		for at := one.Indptr[0]; at < one.Indptr[1]; at++ {
			row[one.Indices[at]] += one.Data[at]
		}
		return row
	case sketch.Dense:
		return one
	}
	return nil
}
