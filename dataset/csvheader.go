package dataset

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"tensorsketch.example/dataset/columns"
)

// A headerRow is a first row that may be a header, with what its cells are.
type headerRow struct {
	cells    []string
	below    [][]string
	columns  int  // columns of numbers or dates in which the cell is not empty
	texts    int  // of these, columns in which the cell is a text; or a date above numbers
	hasWord  bool // one of these texts is a word of several letters
	numbers  []headerNumber
	odd      int  // numbers that are unlike those below
	isClassy bool // a text stands above a text column whose cells recur, and is none of them
	hasTitle bool // a word stands above texts, and is none of them
	hasLabel bool // a cell is the usual name of a label, and does not occur below
}

// A headerNumber is a number above a column of numbers.
type headerNumber struct {
	value float64
	unit  float64 // of its last digit
	isOdd bool    // it is unlike the numbers below
}

// noteHeader guesses whether the first row is a header, and says so if that is not sure.
func (l *Layout) noteHeader(rows [][]string) bool {
	isHeader, isWeak := l.guessHeader(rows)
	if isWeak {
		what, remedy := "the first row is taken as a header: ", "set {header} to false if it is a row"
		if !isHeader {
			what, remedy = "the first row is taken as a row, and may be a header: ", "set {header} to true if it is one"
		}
		first := slices.Clone(rows[0])
		if len(first) > 4 {
			first = append(first[:3], "…", rows[0][len(rows[0])-1])
		}
		for i := range first {
			first[i] = columns.Short(first[i])
		}
		l.note(columns.Note{Code: columns.NoteGuessedHeader, What: what + strings.Join(first, ", "), Remedy: remedy})
	}
	return isHeader
}

// guessHeader reports whether the first row is a header, and whether that is not sure. It is a header
//
//   - if most columns of numbers or dates begin with a text there, or with a date above numbers; empty cells do not
//     count;
//   - if it counts (0, 1, 2, … as data frames number columns) and the next row does not; weakly, if the numbers are few
//     and like the numbers below, and not if they count from 1 then;
//   - if there are no such columns, no cell of it occurs below in its column, and the cells below recur;
//   - weakly, if it has the usual name of a label that does not occur below;
//   - weakly, if its numbers rise or fall by equal steps, as years and wavelengths do, and are unlike those below;
//   - weakly, if its numbers rise or fall and are unlike the numbers below, and a text stands above numbers or classes;
//   - weakly, if several numbers rise or fall, few rows below do, and a word stands above numbers;
//   - weakly, if several numbers rise or fall by equal steps, no row below does, and a word stands above texts and is
//     none of them.
func (l *Layout) guessHeader(rows [][]string) (isHeader, isWeak bool) {
	first, rest := rows[0], rows[1:]
	h := l.headerOf(rows)
	switch {
	case h.columns == 0:
		return isUnlike(first, rest), false
	case h.texts > 0 && 2*h.texts >= h.columns:
		return true, false
	case len(rest) > 0 && counts(first) && !counts(rest[0]):
		isSure := len(h.numbers) > fewNumbers || 2*h.odd >= len(h.numbers)
		return isSure || strings.TrimSpace(first[0]) != "1", !isSure
	case len(rest) == 0:
		return false, false
	case h.hasLabel:
		return true, true
	case len(rest) < leastBelow || len(h.numbers) < 3 || !isMonotone(h.numbers):
		return false, false
	}
	switch {
	case isEven(h.numbers) && 4*h.odd >= 3*len(h.numbers):
		return true, true
	case (h.texts > 0 || h.isClassy) && 2*h.odd >= len(h.numbers):
		return true, true
	case h.hasWord && len(h.numbers) >= fewNumbers && l.fewMonotone(first, rest):
		return true, true
	case h.hasTitle && len(h.numbers) >= fewNumbers && isEven(h.numbers) && l.noneEven(first, rest):
		return true, true
	}
	return false, len(h.numbers) >= fewNumbers && h.odd == len(h.numbers)
}

const (
	leastBelow = 4 // rows that must stand below a header of numbers
	fewNumbers = 4 // so many numbers may rise, or count, by chance
)

// headerOf looks at the first row and at the columns below it.
func (l *Layout) headerOf(rows [][]string) *headerRow {
	h := &headerRow{cells: rows[0], below: rows[1:]}
	for i, cell := range h.cells {
		below := l.columnType(h.below, i)
		k := kind(cell, l.numbers(), l.Dates)
		isText := k == columns.Text || k == columns.Date && below.IsNumeric()
		switch {
		case k == columns.Empty && len(h.below) > 0:
		case len(h.below) == 0, below.IsNumeric(), below == columns.Date:
			if h.columns++; isText {
				h.texts++
				h.hasWord = h.hasWord || isWord(cell)
			} else if n, ok := l.headerNumber(cell, h.below, i); ok && below.IsNumeric() {
				if h.numbers = append(h.numbers, n); n.isOdd {
					h.odd++
				}
			}
		}
		if k == columns.Text && !h.occursBelow(i) {
			h.isClassy = h.isClassy || below == columns.Text && fewValues(h.below, i)
			h.hasTitle = h.hasTitle || below == columns.Text && isWord(cell)
			name := strings.ToLower(strings.TrimSpace(cell))
			h.hasLabel = h.hasLabel || name != "y" && slices.Contains(labelNames, name)
		}
	}
	return h
}

// isWord reports whether a cell begins with two letters.
func isWord(cell string) bool {
	letters := 0
	for _, r := range strings.TrimSpace(cell) {
		if !unicode.IsLetter(r) {
			break
		}
		letters++
	}
	return letters >= 2
}

func (h *headerRow) occursBelow(i int) bool {
	return slices.ContainsFunc(h.below, func(row []string) bool {
		return i < len(row) && strings.TrimSpace(row[i]) == strings.TrimSpace(h.cells[i])
	})
}

// headerNumber returns the number in a cell, and whether it is unlike the numbers below: further from all of them than
// they are from each other, or written in another way, as 400 above 0.25 and 0.31, or 0.5 above 3 and 17.
func (l *Layout) headerNumber(cell string, below [][]string, i int) (n headerNumber, ok bool) {
	style := l.numbers()
	var reason string
	if n.value, reason = style.number([]byte(strings.TrimSpace(cell))); reason != "" || math.IsNaN(n.value) {
		return n, false
	}
	n.unit = unitOf(cell, style.decimal)
	least, largest, fractions, integers := math.Inf(1), math.Inf(-1), 0, 0
	for _, row := range below {
		if i >= len(row) {
			continue
		}
		x, reason := style.number([]byte(strings.TrimSpace(row[i])))
		if reason != "" || math.IsNaN(x) {
			continue
		}
		least, largest = min(least, x), max(largest, x)
		if strings.IndexByte(row[i], style.decimal) >= 0 {
			fractions++
		} else {
			integers++
		}
	}
	away := max(least-n.value, n.value-largest)
	isWritten := strings.IndexByte(cell, style.decimal) >= 0
	n.isOdd = isWritten && fractions == 0 || !isWritten && integers == 0 ||
		fractions+integers >= leastBelow && away > largest-least
	return n, true
}

// unitOf returns the unit of the last digit of a number: 0.01 of 3.25.
func unitOf(cell string, decimal byte) float64 {
	cell = strings.TrimSpace(cell)
	if i := strings.IndexByte(cell, decimal); i >= 0 && strings.Trim(cell[i+1:], "0123456789") == "" {
		return math.Pow(10, -float64(len(cell)-i-1))
	}
	return 1
}

// isMonotone reports whether numbers rise all the way, or fall.
func isMonotone(numbers []headerNumber) bool {
	rises, falls := true, true
	for i := 1; i < len(numbers); i++ {
		rises = rises && numbers[i].value > numbers[i-1].value
		falls = falls && numbers[i].value < numbers[i-1].value
	}
	return rises || falls
}

// isEven reports whether the steps between numbers are equal, up to the rounding of their last digits. Steps of a few
// units of the last digit must be equal.
func isEven(numbers []headerNumber) bool {
	n := len(numbers) - 1
	first, unit := numbers[0].value, 0.0
	for _, x := range numbers {
		unit = max(unit, x.unit)
	}
	step := (numbers[n].value - first) / float64(n)
	slack := 1e-6
	if math.Abs(step) >= 4*unit {
		slack = 1
	}
	for i, x := range numbers {
		if math.Abs(x.value-first-float64(i)*step) > slack*unit {
			return false
		}
	}
	return true
}

// fewMonotone reports whether fewer than half of the rows rise or fall all the way in the columns of numbers.
func (l *Layout) fewMonotone(first []string, rest [][]string) bool {
	n := 0
	for _, row := range rest {
		if isMonotone(l.rowNumbers(first, row)) {
			n++
		}
	}
	return 2*n < len(rest)
}

// noneEven reports whether no row with several numbers has equal steps between them.
func (l *Layout) noneEven(first []string, rest [][]string) bool {
	return !slices.ContainsFunc(rest, func(row []string) bool {
		numbers := l.rowNumbers(first, row)
		return len(numbers) >= fewNumbers && isEven(numbers)
	})
}

// rowNumbers returns the numbers of a row in the columns that the first row has.
func (l *Layout) rowNumbers(first, row []string) (numbers []headerNumber) {
	style := l.numbers()
	for i := range min(len(first), len(row)) {
		if x, reason := style.number([]byte(strings.TrimSpace(row[i]))); reason == "" && !math.IsNaN(x) {
			numbers = append(numbers, headerNumber{x, unitOf(row[i], style.decimal), false})
		}
	}
	return numbers
}

// isUnlike reports whether the other rows repeat each other's cells but contain no cell of the first row.
func isUnlike(first []string, rest [][]string) bool {
	repeats := false
	for i, cell := range first {
		seen := map[string]bool{}
		for _, row := range rest {
			if i < len(row) {
				if row[i] == cell {
					return false
				}
				repeats = repeats || seen[row[i]]
				seen[row[i]] = true
			}
		}
	}
	return repeats
}

// counts reports whether the integers among the cells run n, n+1, n+2, …, with n 0 or 1 and at least three of them.
func counts(cells []string) bool {
	n, next := 0, 0
	for _, cell := range cells {
		value, err := strconv.Atoi(strings.TrimSpace(cell))
		if err != nil {
			continue
		}
		if n == 0 && (value == 0 || value == 1) {
			next = value
		}
		if value != next {
			return false
		}
		n, next = n+1, next+1
	}
	return n >= 3
}
