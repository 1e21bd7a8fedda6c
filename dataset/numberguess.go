package dataset

import (
	"bytes"
	"strings"

	"tensorsketch.example/dataset/plan"
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
	{'.', 0, true}, {',', 0, true},
	{'.', ',', true}, {'.', ' ', true}, {'.', '\'', true}, {',', '.', true}, {',', ' ', true}, {',', '\'', true},
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

// guessNumbers finds the decimal sign and the sign between thousands by the majority of the cells whose signs leave no
// doubt. Each column counts with the majority of its cells.
func (l *Layout) guessNumbers(rows [][]string) {
	if !l.guesses("decimal") && !l.guesses("thousands") {
		return
	}
	width := 0
	for _, row := range rows {
		width = max(width, len(row))
	}
	var sure, thousands, either [256]int // cells, by sign
	for i := range width {
		var decimals [256]int
		for _, row := range rows {
			if i >= len(row) || !strings.ContainsAny(row[i], ".,' \u00a0\u202f\u2009\u2019") {
				continue
			}
			if f, ok := formOf(strings.TrimSpace(row[i])); ok {
				decimals[f.decimal]++
				thousands[f.thousands]++
				either[f.either]++
			}
		}
		if points, commas := decimals['.'], decimals[',']; points > commas {
			sure['.'] += points - commas
		} else {
			sure[','] += commas - points
		}
	}
	if l.guesses("decimal") {
		l.Decimal = l.guessDecimal(&sure, &thousands, &either)
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
		n := thousands[sign]
		if sign == '.' || sign == ',' { // "1.234" beside "12,5"
			n += either[sign]
		}
		if n > best {
			l.Thousands, best = sign, n
		}
	}
}

// guessDecimal decides between a point and a comma by the cells. If no cell is sure, a sign in numbers like "1.234" is
// the decimal sign, and the point is preferred to the comma. A comma in quotes does not count if it is the delimiter.
func (l *Layout) guessDecimal(sure, thousands, either *[256]int) byte {
	points, commas := sure['.']+thousands[','], sure[',']+thousands['.']
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
	case either[','] > 0 && either['.'] == 0 && l.Comma != ',':
		return ','
	}
	return '.'
}

// guessDates finds the order of dates from the cells that can be dates. It is ISO 8601 if most are. If every day and
// month is at most 12, the day comes first if the separator is a point or a hyphen, if numbers have decimal commas, or
// if the delimiter is a semicolon. Otherwise the month comes first.
func (l *Layout) guessDates(rows [][]string) string {
	iso, days, months, either, slashes := 0, 0, 0, 0, 0
	for _, row := range rows {
		for _, cell := range row {
			cell = strings.TrimSpace(cell)
			if len(cell) < len("1.1.2026") || len(cell) > 40 || cell[0]-'0' > 9 {
				continue
			}
			text := []byte(cell)
			if _, ok := parseISODate(text); ok {
				iso++
				continue
			}
			_, dayFirst := parseDayOrMonthFirst(text, true)
			_, monthFirst := parseDayOrMonthFirst(text, false)
			switch {
			case dayFirst && monthFirst:
				if either++; strings.IndexByte(cell, '/') >= 0 {
					slashes++
				}
			case dayFirst:
				days++
			case monthFirst:
				months++
			}
		}
	}
	switch {
	case iso >= days+months+either:
		return plan.ISODates
	case days > months:
		return plan.DayMonthYear
	case months > days:
		return plan.MonthDayYear
	case 2*slashes > either && l.Decimal != ',' && l.Comma != ';':
		return plan.MonthDayYear
	}
	return plan.DayMonthYear
}
