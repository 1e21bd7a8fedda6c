package jobs

import (
	"encoding/binary"
	"math"
	"slices"
	"strconv"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/internal/portable"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
)

// noteSample notes what a sample of dense rows shows: rows that are equal, columns that alone tell the label, and
// numbers that may stand for something else.
func (t *table) noteSample(X sketch.Rows, y learn.Targets) error {
	rows, isDense := X.(sketch.Dense)
	d := t.p.NFeatures()
	if !isDense || len(rows) < leastTold*d {
		return nil
	}
	t.noteEqual(rows, d, y)
	at := 0
	for i := range t.p.Columns {
		if err := t.c.Check(); err != nil {
			return err
		}
		c := &t.p.Columns[i]
		width := c.NFeatures()
		if c.Role == columns.AsNumber && width == 1 {
			t.noteApart(c.Name, rows, d, at)
		}
		if width > 0 && c.Role != columns.AsWords && tells(rows, d, at, width, y) {
			t.add(columns.Note{Code: columns.NoteTellsLabel, Column: c.Name, Count: int64(len(rows) / d),
				What:   "column " + strconv.Quote(c.Name) + " alone tells the label of all rows",
				Remedy: "{ignore} it if it is not known before the label is"})
		}
		at += width
	}
	return nil
}

const (
	leastTold = 20 // rows that a column must tell the label of
	eachTold  = 5  // of each of its values, on average
)

// An answer is what a row says that is to be predicted.
type answer struct {
	label  learn.Label
	target float64
}

// answerOf returns the label or the number of row i.
func answerOf(y learn.Targets, i int) (a answer) {
	if y.Labels != nil {
		a.label = y.Labels[i]
	} else {
		a.target = y.Y[i]
	}
	return a
}

// tells reports whether equal values of a column, at coordinates from at on, have equal labels or numbers.
func tells(rows sketch.Dense, d, at, width int, y learn.Targets) bool {
	known, labels, n := map[string]answer{}, map[answer]bool{}, len(rows)/d
	key := make([]byte, 0, 4*width)
	for i := range n {
		key = appendBits(key[:0], rows[i*d+at:][:width])
		own := answerOf(y, i)
		if before, ok := known[string(key)]; ok && before != own {
			return false
		} else if !ok {
			if known[string(key)] = own; len(known)*eachTold > n {
				return false
			}
		}
		labels[own] = true
	}
	return len(labels) > 1
}

const (
	leastEqual = 20 // one of so many rows is a copy
	byChance   = 3  // times as many pairs of equal rows as by chance
)

// noteEqual notes rows that are copies of others with their label. Rows of few values are equal by chance. If the
// column with the most different numbers did not depend on the others, of all n·(n − 1)/2 pairs the share equal in all
// would be the share equal in this column times the share equal in all others; of copies, it is far more.
func (t *table) noteEqual(rows sketch.Dense, d int, y learn.Targets) {
	n := len(rows) / d
	different, equal := pairs(n, func(i int) equalRow { return rowWithout(rows[i*d:(i+1)*d], -1, answerOf(y, i)) })
	copies := n - different
	if copies == 0 || copies*leastEqual < n {
		return
	}
	varied, most, ofOne := 0, 0, 0.0
	for j := range d {
		values, equal := pairs(n, func(i int) uint32 { return math.Float32bits(rows[i*d+j]) })
		if values > most {
			varied, most, ofOne = j, values, equal
		}
	}
	_, ofOthers := pairs(n, func(i int) equalRow { return rowWithout(rows[i*d:(i+1)*d], varied, answerOf(y, i)) })
	if all := float64(n) * float64(n-1) / 2; 2*most < different || equal*all < byChance*ofOne*ofOthers {
		return
	}
	t.add(columns.Note{Code: columns.NoteEqualRows, Count: int64(copies),
		What: Count(int64(copies), "row") + " of a sample of " + Count(int64(n), "row") +
			", label included, are equal to others of it",
		Remedy: "leave copies out that are there by mistake: each counts like a row of its own"})
}

// An equalRow is the numbers of a row and its answer.
type equalRow struct {
	bits string
	answer
}

// rowWithout returns a row without the number of one column, or with all if that is -1.
func rowWithout(numbers []float32, column int, a answer) equalRow {
	if column >= 0 {
		numbers = slices.Delete(slices.Clone(numbers), column, column+1)
	}
	return equalRow{string(appendBits(nil, numbers)), a}
}

// pairs returns how many different keys n rows have, and how many pairs of rows have equal ones.
func pairs[K comparable](n int, key func(i int) K) (different int, equal float64) {
	counts := map[K]int{}
	for i := range n {
		k := key(i)
		equal += float64(counts[k])
		counts[k]++
	}
	return len(counts), equal
}

// appendBits appends the bits of numbers.
func appendBits(key []byte, numbers []float32) []byte {
	for _, v := range numbers {
		key = binary.LittleEndian.AppendUint32(key, math.Float32bits(v))
	}
	return key
}

const (
	leastApart = 5 // rows that have a number apart, and fewer than half
	farApart   = 3 // ranges of the other numbers
)

// noteApart notes that the least or the largest number of a column recurs, and is as far from all others as numbers are
// that stand for a missing one, such as -999.
func (t *table) noteApart(name string, rows sketch.Dense, d, at int) {
	for _, sign := range []float64{1, -1} {
		least, next, largest, count := math.Inf(1), math.Inf(1), math.Inf(-1), 0
		for i := at; i < len(rows); i += d {
			v := sign * float64(rows[i])
			if v != v { // a missing one
				continue
			}
			largest = max(largest, v)
			switch {
			case v < least:
				least, next, count = v, least, 1
			case v == least:
				count++
			case v < next:
				next = v
			}
		}
		if count >= leastApart && 2*count < len(rows)/d && next < largest && next-least > farApart*(largest-next) {
			t.add(columns.Note{Code: columns.NoteNumberApart, Column: name, Count: int64(count),
				What: Count(int64(count), "number") + " of column " + strconv.Quote(name) + " are " +
					portable.FormatNumber(sign*least) + ", far from all others",
				Remedy: "leave these cells empty if the number stands for a missing one"})
		}
	}
}
