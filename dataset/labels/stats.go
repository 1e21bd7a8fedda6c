package labels

import (
	"bytes"
	"maps"
	"math"
	"slices"
	"strconv"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch/learn"
)

// FewClasses is how many different whole numbers are taken as names of classes. More are numbers to be predicted.
const FewClasses = 20

// Stats are what a pass over the labels of a column finds out.
type Stats struct {
	Rows      int64   // seen
	Low, High float64 // of the numbers

	layout    *dataset.Layout
	column    *dataset.Column
	besides   dataset.Unused // numbers whose unit is not the one of the column
	odd       string         // the first text
	isTyped   bool           // most cells of the head are numbers
	empty     int64
	words     int64 // cells with a word for a missing number, such as NA, that is a label beside texts
	lost      int64 // and with one that is none
	texts     int64
	numbers   int64
	fractions bool    // some numbers are not whole
	codes     bool    // some have leading zeros
	mean      float64 // of the numbers
	squares   float64 // of their distances from it, in all
	different map[string]bool
	missing   map[string]bool // different words
	first     struct{ empty, word, lost, text *dataset.Problem }
}

// NewStats returns the Stats of no labels. column describes their column in the layout.
func NewStats(l *dataset.Layout, column *dataset.Column) *Stats {
	return &Stats{layout: l, column: column, isTyped: column.Type.IsNumeric(), Low: math.Inf(1), High: math.Inf(-1),
		different: map[string]bool{}, missing: map[string]bool{}}
}

// See sees the label of a row.
func (s *Stats) See(cell []byte) {
	s.SeeAt(cell, 0)
}

// SeeAt is See for the row at a place of the file, which Unused names.
func (s *Stats) SeeAt(cell []byte, place int64) {
	s.Rows++
	if cell = bytes.TrimSpace(cell); len(cell) == 0 {
		s.empty++
		s.keep(&s.first.empty, place, isMissing)
		return
	}
	different := s.different
	switch x, odd := s.layout.LabelNumber(cell, &s.besides); {
	case odd != "":
		if s.texts++; s.odd == "" {
			s.odd = string(cell)
		}
		s.keep(&s.first.text, place, odd)
	case x != x:
		s.keep(&s.first.word, place, isMissing)
		if s.layout.LacksLabel(cell) {
			s.lost++
			s.keep(&s.first.lost, place, lacking(cell))
			return
		}
		s.words++
		different = s.missing
	default:
		s.numbers++
		s.Low, s.High = min(s.Low, x), max(s.High, x)
		off := x - s.mean
		s.mean += off / float64(s.numbers) // Welford, Technometrics 1962
		s.squares += float64(off * (x - s.mean))
		s.fractions = s.fractions || x != math.Trunc(x)
		s.codes = s.codes || dataset.IsCode(cell, s.layout.Decimal)
	}
	if len(different) <= solve.MaxClasses {
		different[string(cell)] = true
	}
}

// Remedy is what can be done about a row whose label cannot be used.
const Remedy = "correct it, or leave the row out"

// keep keeps the first problem of its kind.
func (s *Stats) keep(first **dataset.Problem, place int64, what string) {
	if *first != nil {
		return
	}
	p := &dataset.Problem{File: s.layout.Name, What: what, Remedy: Remedy}
	if s.layout.Schema().Lines {
		p.Line = place
	} else {
		p.Row = place
	}
	*first = p
}

// Unused returns the rows whose label cannot be used for a task.
func (s *Stats) Unused(task string) *dataset.Unused {
	u := new(dataset.Unused)
	if s.empty > 0 {
		u.AddRows(s.first.empty, s.empty)
	}
	isNumber := s.Numbers() || task == learn.TaskRegress
	if n := s.words + s.lost; isNumber && n > 0 {
		u.AddRows(s.first.word, n)
	} else if s.lost > 0 {
		u.AddRows(s.first.lost, s.lost)
	}
	if s.texts > 0 && task == learn.TaskRegress {
		u.AddRows(s.first.text, s.texts)
	}
	return u
}

// UnitNotes notes, for a task, the labels whose unit is not the one of their column: numbers, and texts that are
// classes.
func (s *Stats) UnitNotes(task string) (notes []columns.Note) {
	if s.Numbers() || task == learn.TaskRegress {
		notes = dataset.RowNotes("", new(dataset.Preprocessing), new(dataset.Counts), &s.besides)
	}
	if s.texts > 0 && s.isTyped && s.column.Measure != "" && task != learn.TaskRegress {
		what, are := " labels of column ", "are classes of their own"
		if s.texts == 1 {
			what, are = " label of column ", "is a class of its own"
		}
		notes = append(notes, columns.Note{Code: columns.NoteUnits, Column: s.column.Name, Count: s.texts,
			What: strconv.FormatInt(s.texts, 10) + what + strconv.Quote(s.column.Name) + ", such as " +
				columns.Quoted(s.odd) + ", which " + s.column.WhyText() + ", " + are,
			Remedy: "write the unit in all of them, and the same"})
	}
	return notes
}

// Wild returns the number that is farthest from the mean, and its share of the sum of all squared distances.
func (s *Stats) Wild() (number, share float64) {
	if number = s.High; s.mean-s.Low > s.High-s.mean {
		number = s.Low
	}
	if s.squares > 0 {
		share = (number - s.mean) * (number - s.mean) / s.squares
	}
	return number, share
}

// CanBeNumbers reports whether the labels can be predicted as numbers.
func (s *Stats) CanBeNumbers() bool { return s.numbers > 0 && (s.texts == 0 || s.isTyped) }

// Numbers reports whether the column is one of numbers, for NewReader.
func (s *Stats) Numbers() bool { return s.CanBeNumbers() && !s.codes }

// Unlabelled returns how many rows have no label. In a column of numbers no word is one.
func (s *Stats) Unlabelled() int64 {
	if s.Numbers() {
		return s.empty + s.lost + s.words
	}
	return s.empty + s.lost
}

// NotNumbers returns how many labels are no numbers, if numbers are to be predicted.
func (s *Stats) NotNumbers() int64 { return s.Rows - s.Unlabelled() - s.numbers }

// NumbersInHead is Numbers as far as the head of the file shows.
func NumbersInHead(column *dataset.Column) bool { return column.Type.IsNumeric() && column.Codes == 0 }

// Different returns how many different labels there are, at most one more than solve.MaxClasses.
func (s *Stats) Different() int {
	different := slices.Collect(maps.Keys(s.different))
	if s.Numbers() {
		return len(dataset.FoldNames(different, s.layout.Decimal))
	}
	return min(len(different)+len(s.missing), solve.MaxClasses+1)
}

// Task returns what the labels are: numbers to be predicted if there are fractions or many numbers, else classes.
func (s *Stats) Task() string {
	if s.Numbers() && (s.fractions || s.Different() > FewClasses) {
		return learn.TaskRegress
	}
	return learn.TaskClassify
}

// TargetRange returns the range of the labels, as learn.PrepareTargets does.
func (s *Stats) TargetRange() [2]float64 {
	switch {
	case s.numbers == 0:
		return [2]float64{-1, 1}
	case s.Low == s.High:
		half := max(1, math.Abs(s.Low))
		return [2]float64{s.Low - half, s.High + half}
	}
	return [2]float64{s.Low, s.High}
}
