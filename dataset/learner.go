package dataset

import (
	"fmt"
	"math"
	"slices"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/internal/exact"
)

// learner collects what a column learns in a first pass.
type learner struct {
	sum, squares   *exact.Wide // each of half a KB, and so only where they are wanted
	n, missing     int64
	least, largest float64
	values         map[string]int64 // rows of each, where they are asked for
	bytes          int              // of the values
	tally          *tally           // of a category whose rare values share a coordinate
	guess          numberGuess
}

func newLearner(c *columns.Column) *learner {
	l := &learner{least: math.Inf(1), largest: math.Inf(-1)}
	switch {
	case c.Role == columns.AsCategory && c.Rest:
		l.tally = &tally{counts: map[string]int64{}}
	case c.Role == columns.AsCategory:
		l.values = map[string]int64{}
	}
	if c.Guess == columns.GuessKey {
		l.guess.seen = map[float64]bool{}
	}
	if c.Missing == columns.Mean || c.Scaling == columns.Standard {
		l.sum, l.squares = new(exact.Wide), new(exact.Wide)
	}
	return l
}

// learn learns from the cell that load has read.
func (f *feature) learn() error {
	l := f.learning
	switch {
	case l == nil:
		return nil
	case f.isMissing:
		l.missing++
		return nil
	case l.tally != nil:
		l.n++
		l.tally.add(f.cell)
		if f.Guess == columns.GuessType {
			f.addType(l.tally)
		}
		return nil
	case f.Role == columns.AsCategory:
		return f.learnValue()
	}
	x := f.x
	if f.Guess != columns.NoGuess {
		l.guess.add(x, l.n)
	}
	if f.Role == columns.AsDate && f.Scaling != columns.NoScaling {
		x /= secondsOfDay
	}
	l.least, l.largest = min(l.least, x), max(l.largest, x)
	l.n++
	if f.Missing == columns.Mean || f.Scaling == columns.Standard {
		l.sum.Add(x)
	}
	if f.Scaling == columns.Standard {
		l.squares.AddSquare(x)
	}
	return nil
}

func (f *feature) learnValue() error {
	l := f.learning
	if n := l.values[string(f.cell)]; n > 0 {
		if f.Guess == columns.GuessNew {
			l.values[string(f.cell)] = n + 1
		}
		return nil
	}
	l.bytes += len(f.cell)
	if len(l.values) == maxValues || l.bytes > maxValueBytes {
		return fmt.Errorf("dataset: %s has more than %d values, or of more than 1 MB; "+
			"hash them into coordinates, or use it for something else", columnText(f.Name), maxValues)
	}
	l.values[string(f.cell)] = 1
	return nil
}

// learned ends the first pass of a column. `recurring` is as in decideCategory.
func (f *feature) learned(recurring *int) error {
	l := f.learning
	if l == nil {
		return nil
	}
	f.Learned = true
	if l.tally != nil {
		f.decideCategory(recurring)
		f.Average = f.Role == columns.AsCategory && !f.Rest && len(f.Values) > 0
		return nil
	}
	if f.Role == columns.AsCategory {
		f.learnedValues()
		return nil
	}
	if f.Guess != columns.NoGuess && f.decideNumber() {
		return nil
	}
	if l.n == 0 {
		return fmt.Errorf("dataset: %s has no cell that is not missing; "+
			"ignore it, or treat missing cells as zero and do not scale it", columnText(f.Name))
	}
	if f.Missing == columns.Mean || f.Scaling == columns.Standard {
		f.Center = mean(l.sum, l.n)
	}
	if f.Missing == columns.Mean {
		f.Fill = f.Center
		if f.Role == columns.AsDate && f.Scaling != columns.NoScaling {
			f.Fill *= secondsOfDay
		}
	}
	f.Scale = 1
	switch f.Scaling {
	case columns.NoScaling:
		f.Center, f.Scale = 0, 0
	case columns.Standard:
		f.Scale = deviation(l.sum, l.squares, l.n)
	case columns.MinMax:
		f.Center, f.Scale = l.least, l.largest-l.least
		if f.Center == 0 { // not −0, whichever came first
			f.Center = 0
		}
	}
	if f.Scaling != columns.NoScaling && f.Scale == 0 { // all cells are equal
		f.Scale = 1
	}
	if !isFinite(f.Scale) || !isFinite(f.Fill) {
		return fmt.Errorf("dataset: the numbers of %s are too large to be scaled; divide them first", columnText(f.Name))
	}
	return nil
}

// learnedValues sets the values of a one-hot category, and what others count as.
func (f *feature) learnedValues() {
	values := valuesOf(f.learning.values, f.decimal)
	f.Values = make([]string, len(values))
	for i, v := range values {
		f.Values[i] = v.name
	}
	slices.Sort(f.Values)
	isEmptyKnown := f.Missing == columns.Zero && f.learning.missing > 0
	if f.Guess == columns.GuessNew && len(values) > 0 && !isEmptyKnown {
		f.Common = values[0].name
	}
	f.Guess = columns.NoGuess
}
