package jobs

import (
	"encoding/binary"
	"math"
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
				Remedy: "ignore it if it is not known before the label is"})
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

// leastEqual is the part of the rows that are copies for a note: one of 20.
const leastEqual = 20

// noteEqual notes rows that are copies of others with their label. Where columns have few values, equal rows are no
// sign of a copy: of rows that are copied one column has about as many different numbers as there are different rows.
func (t *table) noteEqual(rows sketch.Dense, d int, y learn.Targets) {
	type row struct {
		bits string
		answer
	}
	n, key, different := len(rows)/d, make([]byte, 0, 4*d), map[row]bool{}
	for i := range n {
		key = appendBits(key[:0], rows[i*d:(i+1)*d])
		different[row{string(key), answerOf(y, i)}] = true
	}
	equal := n - len(different)
	if equal*leastEqual < n || equal == 0 {
		return
	}
	for j := range d {
		numbers := map[uint32]bool{}
		for i := j; i < len(rows); i += d {
			numbers[math.Float32bits(rows[i])] = true
		}
		if 2*len(numbers) < len(different) {
			continue
		}
		t.add(columns.Note{Code: columns.NoteEqualRows, Count: int64(equal),
			What: Count(int64(equal), "row") + " of a sample of " + Count(int64(n), "row") +
				", label included, are equal to others of it",
			Remedy: "leave copies out that are there by mistake: each counts like a row of its own"})
		return
	}
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
