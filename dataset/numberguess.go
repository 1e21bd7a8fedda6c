package dataset

import (
	"bytes"
	"strconv"
	"strings"

	"tensorsketch.example/dataset/columns"
)

// A numberForm is the information of one cell about the signs of numbers.
type numberForm struct {
	decimal   byte // surely the decimal sign, or 0
	thousands byte // surely the sign between thousands, or 0
	either    byte // one of both: "1.234"
}

// formOf looks at the signs in a cell. ok is false if the cell is not a number in any style.
//
//   - "1.234,5": the last sign is the decimal one, the others stand between thousands.
//   - "1.234.567": a sign that occurs twice stands between thousands.
//   - "12.5", "0.125", "1234.567", "1.5e3": a single sign is the decimal one;
//   - "1.234": unless one to three digits, the first not 0, stand before it and three behind.
//   - "1'234", "1 234": an apostrophe and a space stand between thousands.
func formOf(cell string) (f numberForm, ok bool) {
	if len(cell) > longestNumber {
		return f, false
	}
	if sign, at, isPlain := plainNumber(cell); isPlain && sign != 0 {
		whole := strings.TrimPrefix(cell[:at], "-")
		if len(whole) <= 3 && whole[0] != '0' && len(cell)-at == 1+3 {
			return numberForm{either: sign}, true
		}
		return numberForm{decimal: sign}, true
	}
	for _, style := range numberStyles {
		var buffer [longestNumber + 8]byte
		plain, _, isNumber := style.plain(buffer[:0], []byte(cell))
		if !isNumber {
			continue
		}
		if _, reason := parseNumber(plain, '.'); reason != "" {
			continue
		}
		ok = true
		separates, hasDecimal := style.separates(cell), strings.IndexByte(cell, style.decimal) >= 0
		switch {
		case separates:
			f.thousands = style.thousands
		case style.thousands != 0:
			continue
		}
		if !hasDecimal {
			continue
		}
		if f.decimal = style.decimal; bytes.HasPrefix(bytes.TrimLeft(plain, "-"), []byte("0")) {
			return numberForm{decimal: f.decimal}, true // thousands do not begin with 0
		}
	}
	if f.decimal != 0 && f.decimal == f.thousands {
		return numberForm{either: f.decimal}, true
	}
	return f, ok
}

// numberStyles are all pairs of signs. The pairs without a sign between thousands come first.
var numberStyles = []numberStyle{
	{'.', 0, true, ""}, {',', 0, true, ""},
	{'.', ',', true, ""}, {'.', ' ', true, ""}, {'.', '\'', true, ""},
	{',', '.', true, ""}, {',', ' ', true, ""}, {',', '\'', true, ""},
}

// separates reports whether the sign between thousands stands between digits.
func (s numberStyle) separates(cell string) bool {
	isDigit := func(at int) bool { return at >= 0 && at < len(cell) && cell[at]-'0' <= 9 }
	for i := range len(cell) {
		if size := s.separator([]byte(cell[i:])); size > 0 && isDigit(i-1) && isDigit(i+size) {
			return true
		}
	}
	return false
}

// A signCount counts the cells of a column, or of several, by what they say of the signs of numbers.
type signCount struct {
	decimals, thousands, either [256]int // by sign
	whole                       int      // without any sign
}

func countSigns(rows [][]string, i int) (n signCount) {
	units := countUnits(rows, i)
	unit := units.unit()
	for _, row := range rows {
		if i >= len(row) {
			continue
		}
		cell := strings.TrimSpace(row[i])
		if sign, _, isPlain := plainNumber(cell); isPlain && sign == 0 && cell[0] != '-' {
			n.whole++
			continue
		}
		number, beside := cutUnit(cell)
		if beside == ClockUnit {
			continue
		}
		if beside == unit {
			cell = number
		}
		if !strings.ContainsAny(cell, ".,' \u00a0\u202f\u2009\u2019") {
			if cell != "" && strings.Trim(cell, "0123456789") == "" {
				n.whole++
			}
			continue
		}
		if f, ok := formOf(cell); ok {
			n.decimals[f.decimal]++
			n.thousands[f.thousands]++
			n.either[f.either]++
		}
	}
	return n
}

// separates reports whether the column itself shows that a sign in cells such as "1.234" stands between thousands:
// other cells have it twice, have the other sign before decimals, or are smaller numbers without any.
func (n *signCount) separates(sign byte) bool {
	other := byte('.' + ',' - sign)
	return n.decimals[sign] == 0 && (n.thousands[sign] > 0 || n.decimals[other] > 0 || n.whole > 0)
}

// guessNumbers finds the decimal sign and the sign between thousands by the majority of the cells whose signs leave no
// doubt. Each column counts with the majority of its cells.
//
// A point in cells such as "50.001" stands between thousands only if their column shows it, because tables with decimal
// commas also have columns with decimal points, such as latitudes.
func (l *Layout) guessNumbers(rows [][]string) {
	if !l.guesses("decimal") && !l.guesses("thousands") {
		return
	}
	width := 0
	for _, row := range rows {
		width = max(width, len(row))
	}
	var all signCount
	var separated [256]int // cells such as "1.234" whose sign stands between thousands
	for i := range width {
		n := countSigns(rows, i)
		for _, sign := range []byte(".,' ") {
			all.thousands[sign] += n.thousands[sign]
			all.either[sign] += n.either[sign]
			if sign == ',' || n.separates(sign) {
				separated[sign] += n.either[sign]
			}
		}
		if points, commas := n.decimals['.'], n.decimals[',']; points > commas {
			all.decimals['.'] += points - commas
		} else {
			all.decimals[','] += commas - points
		}
	}
	if l.guesses("decimal") {
		l.Decimal = l.guessDecimal(&all)
	}
	if !l.guesses("thousands") {
		return
	}
	l.Thousands = 0
	best := 0
	for _, sign := range []byte(".,' ") {
		if sign == l.Decimal || sign == l.Comma && sign == ' ' {
			continue
		}
		if n := all.thousands[sign] + separated[sign]; n > best { // "1.234" beside "12,5"
			l.Thousands, best = sign, n
		}
	}
}

// noteCells adds notes on columns whose numbers or dates are read as texts, on texts of several spellings, and on signs
// that are taken to stand between thousands although their columns do not show it. rows are the rows below the header.
func (l *Layout) noteCells(rows [][]string) {
	guessed, example, where := 0, "", ""
	for i := range l.Columns {
		l.noteSpellings(rows, i)
		switch c := &l.Columns[i]; {
		case l.noteDates(rows, i):
		case l.noteUnits(rows, i):
		case c.Type == columns.Text:
			l.noteText(rows, i)
		case c.Type.IsNumeric() && l.Thousands != 0 && l.guesses("thousands"):
			n := countSigns(rows, i)
			if n.either[l.Thousands] == 0 || l.noteBothSigns(rows, i, &n) || n.separates(l.Thousands) {
				continue
			}
			if guessed++; guessed == 1 {
				example, where = firstCell(rows, i, func(cell string) bool {
					f, _ := formOf(cell)
					return f.either == l.Thousands
				}), c.Name
			}
		}
	}
	l.noteTotals(rows)
	if guessed > 0 {
		l.note(columns.Note{Code: columns.NoteSigns, Column: where, Count: int64(guessed),
			What: "the sign in " + strconv.Quote(columns.Short(example)) + " of " + columnText(where) + inOthers(guessed-1) +
				" is taken to stand between thousands",
			Remedy: "if it is a decimal sign, read the file with {decimal} " + strconv.Quote(string(l.Thousands))})
	}
}

// noteBothSigns adds a note if column i has cells such as "7,534" and others such as "1.932", and none that tells which
// of the signs is the decimal one: where both stand between thousands, some numbers are 1,000 times too small.
func (l *Layout) noteBothSigns(rows [][]string, i int, n *signCount) bool {
	separated, decimal := n.either[l.Thousands], n.either[l.Decimal]
	if decimal == 0 || n.decimals[l.Decimal] > 0 || n.thousands[l.Thousands] > 0 {
		return false
	}
	first := func(sign byte) string {
		return strconv.Quote(columns.Short(firstCell(rows, i, func(cell string) bool {
			f, _ := formOf(cell)
			return f.either == sign
		})))
	}
	l.note(columns.Note{Code: columns.NoteSigns, Column: l.Columns[i].Name, Count: int64(separated + decimal),
		What: columnText(l.Columns[i].Name) + " has two signs among its first cells: in " +
			plural(int64(separated), "cell") + " such as " + first(l.Thousands) +
			" it is taken to stand between thousands, in " +
			strconv.Itoa(decimal) + " such as " + first(l.Decimal) + " before decimals",
		Remedy: "write all with one decimal sign"})
	return true
}

// inOthers says of how many other columns something is true, too.
func inOthers(columns int) string {
	if columns == 0 {
		return ""
	}
	return " and in " + plural(int64(columns), "other column")
}

// noteText adds a note if column i is one of texts although most of its cells are numbers.
func (l *Layout) noteText(rows [][]string, i int) {
	c := &l.Columns[i]
	style := l.numbers()
	codes, others, cells := 0, 0, 0
	is := func(what func(cell string) bool, n *int) {
		for _, row := range rows {
			if i < len(row) && what(strings.TrimSpace(row[i])) {
				*n++
			}
		}
	}
	isNumber := func(cell string) bool { return kind(cell, style, l.Dates).IsNumeric() }
	isOther := func(cell string) bool {
		_, ok := formOf(cell)
		return ok && !isMissing([]byte(cell)) && !isNumber(cell)
	}
	isCode := func(cell string) bool {
		return kind(cell, style, l.Dates) == columns.Integer && IsCode([]byte(cell), l.Decimal)
	}
	is(isCode, &codes)
	is(func(cell string) bool { return !isMissing([]byte(cell)) }, &cells)
	is(isNumber, &others)
	if codes > 0 && 2*others >= cells {
		l.note(columns.Note{Code: columns.NoteText, Column: c.Name, Count: int64(codes),
			What: columnText(c.Name) + " is read as text, because " + strconv.Quote(columns.Short(firstCell(rows, i, isCode))) +
				" begins with a zero, as codes do",
			Remedy: "give it the role {number} if its cells are numbers"})
		return
	}
	percents := 0
	is(func(cell string) bool { return isNumber(cell) && strings.HasSuffix(cell, "%") }, &percents)
	if percents > 0 && percents < others && 2*others >= cells {
		l.note(columns.Note{Code: columns.NoteText, Column: c.Name, Count: int64(percents),
			What: columnText(c.Name) + " is read as text, because " + strconv.Itoa(percents) + " of its first " +
				plural(int64(others), "number") + pick(int64(percents), " ends", " end") + " in %, and others do not",
			Remedy: "write the sign in all of them, or write 46.5% as 0.465"})
		return
	}
	others = 0
	is(isOther, &others)
	if others > 0 && 2*others >= cells {
		why, remedy := " has signs that numbers of such a file do not have", "write them as 1234.5"
		if l.Format == CSV {
			why = " has other signs than the numbers of other columns"
			remedy = "write the decimal sign " + strconv.Quote(string(l.Decimal)) + " in it, or read the file with {decimal} " +
				strconv.Quote(string('.'+','-l.Decimal))
		}
		l.note(columns.Note{Code: columns.NoteText, Column: c.Name, Count: int64(others), Remedy: remedy,
			What: columnText(c.Name) + " is read as text, because " +
				strconv.Quote(columns.Short(firstCell(rows, i, isOther))) + why})
		return
	}
	numbers, words := 0, 0
	isWord := func(cell string) bool { return !isMissing([]byte(cell)) && !isNumber(cell) }
	is(isNumber, &numbers)
	if is(isWord, &words); words > 0 && 2*numbers >= cells {
		l.note(columns.Note{Code: columns.NoteText, Column: c.Name, Count: int64(words),
			What: columnText(c.Name) + " is read as text, because " + strconv.Itoa(words) + " of its first " +
				plural(int64(cells), "cell") + pick(int64(words), ", ", ", such as ") +
				strconv.Quote(columns.Short(firstCell(rows, i, isWord))) + pick(int64(words), ", is no number", ", are no numbers"),
			Remedy: "give it the role {number} to leave such rows out, or write numbers"})
	}
}

// firstCell returns the first cell of column i for which is holds.
func firstCell(rows [][]string, i int, is func(cell string) bool) string {
	for _, row := range rows {
		if i < len(row) && is(strings.TrimSpace(row[i])) {
			return strings.TrimSpace(row[i])
		}
	}
	return ""
}

// guessDecimal decides between a point and a comma by the cells. If no cell is sure, a sign in numbers like "1.234" is
// the decimal sign, and the point is preferred to the comma. A comma in quotes does not count if it is the delimiter.
func (l *Layout) guessDecimal(n *signCount) byte {
	points, commas := n.decimals['.']+n.thousands[','], n.decimals[',']+n.thousands['.']
	switch {
	case l.Thousands == ',':
		return '.'
	case l.Thousands == '.':
		return ','
	case points > commas:
		return '.'
	case commas > points:
		return ','
	case points > 0: // and as many commas
		if l.Comma == ';' {
			return ','
		}
		return '.'
	case n.either[','] > 0 && n.either['.'] == 0 && l.Comma != ',':
		return ','
	}
	return '.'
}
