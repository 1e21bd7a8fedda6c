package jobs

import (
	"math"
	"strconv"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/internal/portable"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
)

// noteSample notes what a sample of dense rows shows of columns: those that alone tell the label, and numbers that may
// stand for something else.
func (t *table) noteSample(X sketch.Rows, y learn.Targets) error {
	rows, isDense := X.(sketch.Dense)
	d := t.p.NFeatures()
	if !isDense || len(rows) < leastTold*d {
		return nil
	}
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

// tells reports whether equal values of a column, at coordinates from at on, have equal labels or numbers.
func tells(rows sketch.Dense, d, at, width int, y learn.Targets) bool {
	type told struct {
		label  learn.Label
		target float64
	}
	known, labels, n := map[string]told{}, map[told]bool{}, len(rows)/d
	key := make([]byte, 0, 4*width)
	for i := range n {
		key = key[:0]
		for _, v := range rows[i*d+at:][:width] {
			bits := math.Float32bits(v)
			key = append(key, byte(bits), byte(bits>>8), byte(bits>>16), byte(bits>>24))
		}
		var own told
		if y.Labels != nil {
			own.label = y.Labels[i]
		} else {
			own.target = y.Y[i]
		}
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
