package dataset

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"tensorsketch.example/dataset/columns"
)

// longestUnit is the number of characters of a unit at most, such as "US dollars".
const longestUnit = 12

// moneyNames are units that stand before a number. Other letters there are codes, such as A4.
var moneyNames = strings.Fields("AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF IDR ILS INR JPY KRW MXN NOK NZD PLN RON " +
	"SEK SGD THB TRY TWD USD ZAR US$ A$ C$ R$ Rs. Rs Fr. kr")

// isSign reports whether a measure is a percent sign or the sign of a currency.
func isSign(measure string) bool {
	r, size := utf8.DecodeRuneInString(measure)
	return measure != "" && size == len(measure) && (r == '%' || isCurrency(r))
}

// isMeasure reports whether a text may be the measure of a column.
func isMeasure(text string) bool { return text == ClockUnit || isSign(text) || isUnit(text) }

// cutUnit splits a cell such as "12.3 °C" or "EUR 45" into its number and its unit. The unit is "" where there is none,
// or the rest of the cell is no number. It begins with a letter or a degree sign, or is a sign, which stays beside the
// number.
func cutUnit(cell string) (number, unit string) {
	cell = strings.TrimSpace(cell)
	if _, _, isPlain := plainNumber(cell); isPlain || len(cell) > longestNumber {
		return cell, ""
	}
	if _, ok := parseClock([]byte(cell)); ok {
		return cell, ClockUnit
	}
	for _, name := range moneyNames {
		if rest, ok := strings.CutPrefix(cell, name); ok && isNumeral(rest) {
			return rest, name
		}
	}
	if sign := signOf(cell); sign != "" {
		return cell, sign
	}
	digits, end := cutNumber(cell)
	unit = string(trimSpaces([]byte(cell[end:])))
	if !isNumeral(digits) || !isUnit(unit) {
		return cell, ""
	}
	return string(trimSpaces([]byte(cell[:end]))), unit
}

// cutNumber returns the digits at the beginning of a cell, and where the number ends: behind an exponent, also one of
// Fortran such as D-03, which no number here has, or before the first letter.
func cutNumber(cell string) (digits string, end int) {
	at := strings.IndexFunc(cell, startsUnit)
	if at < 0 {
		return cell, len(cell)
	}
	if _, n := scanExponent([]byte(cell[at+1:])); n > 0 {
		if letter := cell[at] | 0x20; letter == 'e' || letter == 'd' && cell[at+1] < '0' {
			return cell[:at], at + 1 + n
		}
	}
	return cell[:at], at
}

// signOf returns the percent sign or the sign of a currency beside the number of a cell, or "".
func signOf(cell string) string {
	rest := strings.TrimSuffix(cell, "%")
	if !isNumeral(rest) {
		return ""
	}
	at := strings.IndexFunc(cell, func(r rune) bool { return r == '%' || isCurrency(r) })
	if at < 0 {
		return ""
	}
	_, size := utf8.DecodeRuneInString(cell[at:])
	return cell[at : at+size]
}

func startsUnit(r rune) bool { return unicode.IsLetter(r) || r == '°' }

// isUnit reports whether a text may be a unit: a letter or a degree sign, and then also digits, signs of products,
// quotients and powers, points and single spaces.
func isUnit(text string) bool {
	n := 0
	for i, r := range text {
		switch {
		case startsUnit(r), r == '$' && n > 0:
		case n == 0, r == ' ' && text[i-1] == ' ':
			return false
		case !unicode.IsDigit(r) && !strings.ContainsRune(" ./·*^-²³⁻¹", r):
			return false
		}
		n++
	}
	return n > 0 && n <= longestUnit && text[len(text)-1] != ' '
}

// isNumeral reports whether a text has a digit, and else only what may stand in a number. Ranges such as 18-24, and the
// 2. or 2) of a list, are none.
func isNumeral(text string) bool {
	hasDigit, last := false, ' '
	for _, r := range text {
		isDigit := r >= '0' && r <= '9'
		hasDigit = hasDigit || isDigit
		if !isDigit && (hasDigit || !isMinusOrPlus(r)) && !isNumberSpace(r) && !isCurrency(r) &&
			!strings.ContainsRune(" .,'’()", r) {
			return false
		}
		if r != ' ' {
			last = r
		}
	}
	return hasDigit && last != '.' && (last != ')' || strings.Contains(text, "("))
}

// A unitCount counts the cells of a column by what stands beside their numbers.
type unitCount struct {
	units []string // in the order of their first cells
	cells map[string]int
	plain int    // numbers without a unit
	rest  int    // other cells that are not missing
	other string // the first of these
}

// unitRows is how many cells may lack a unit until a column is taken to have none.
const unitRows = 20

func countUnits(rows [][]string, i int) (n unitCount) {
	for _, row := range rows {
		if i >= len(row) {
			continue
		}
		if len(n.units) == 0 && n.plain+n.rest == unitRows {
			return n
		}
		if _, _, isPlain := plainNumber(row[i]); isPlain {
			n.plain++
			continue
		}
		cell := strings.TrimSpace(row[i])
		_, unit := cutUnit(cell)
		switch digits, end := cutNumber(cell); {
		case isMissing(trimCell([]byte(cell))):
		case unit != "":
			if n.cells == nil {
				n.cells = map[string]int{}
			}
			if n.cells[unit]++; n.cells[unit] == 1 {
				n.units = append(n.units, unit)
			}
		case end == len(cell) && isNumeral(digits):
			n.plain++
		default:
			if n.rest++; n.rest == 1 {
				n.other = cell
			}
		}
	}
	return n
}

// commonest returns the unit of the most cells other than one, and their number.
func (n *unitCount) commonest(but string) (unit string, cells int) {
	for _, one := range n.units {
		if one != but && n.cells[one] > cells {
			unit, cells = one, n.cells[one]
		}
	}
	return unit, cells
}

// measured returns how many cells have a unit.
func (n *unitCount) measured() (cells int) {
	for _, one := range n.cells {
		cells += one
	}
	return cells
}

// unit returns the unit of the numbers of a column: nine of ten have it, and most cells are numbers.
func (n *unitCount) unit() string {
	unit, cells := n.commonest("")
	numbers := n.measured() + n.plain
	if cells < 2 && !isSign(unit) || 10*cells < 9*numbers || numbers < n.rest {
		return ""
	}
	return unit
}

// styleOf returns the style of the numbers of column i of rows.
func (l *Layout) styleOf(rows [][]string, i int) numberStyle {
	style, n := l.numbers(), countUnits(rows, i)
	style.measure = n.unit()
	return style
}

// noteUnits notes the unit that is taken off a column's numbers, or units by which it is read as text. It reports
// whether it did.
func (l *Layout) noteUnits(rows [][]string, i int) bool {
	c, n := &l.Columns[i], countUnits(rows, i)
	unit, cells := n.commonest("")
	other, others := n.commonest(unit)
	numbers := n.measured() + n.plain
	first := " of the first " + plural(int64(numbers), "number")
	switch isMost := 2*numbers >= numbers+n.rest; {
	case c.Measure == ClockUnit:
		l.note(columns.Note{Code: columns.NoteUnits, Column: c.Name, Count: int64(cells),
			What:   columnText(c.Name) + " is read as hours, of times and durations such as 7:30, which is 7.5",
			Remedy: "give it the role {category} if they are names"})
	case isSign(c.Measure):
		what := columnText(c.Name) + " is read as numbers of " + quoted([]byte(c.Measure)) + ", which " +
			strconv.Itoa(cells) + first + pick(int64(cells), " has", " have") + " beside " + pick(int64(cells), "it", "them")
		if c.Measure == "%" {
			what += ": 46% is 0.46"
		}
		l.note(columns.Note{Code: columns.NoteUnits, Column: c.Name, Count: int64(cells), What: what,
			Remedy: "give it the role {category} if they are names; cells with another sign are no numbers"})
	case c.Measure != "":
		l.note(columns.Note{Code: columns.NoteUnits, Column: c.Name, Count: int64(cells),
			What: columnText(c.Name) + " is read as numbers of " + quoted([]byte(c.Measure)) + ", which " +
				strconv.Itoa(cells) + first + pick(int64(cells), " has", " have") + " beside " + pick(int64(cells), "it", "them"),
			Remedy: "give it the role {category} if they are names; cells with another unit are no numbers"})
	case c.Type != columns.Text || cells < 2 || !isMost:
		return false
	case others > 0 && 10*(cells+others) >= 9*numbers:
		l.note(columns.Note{Code: columns.NoteText, Column: c.Name, Count: int64(others),
			What: columnText(c.Name) + " is read as text, because " + strconv.Itoa(cells) + first + " have " +
				quoted([]byte(unit)) + " beside them, and " + strconv.Itoa(others) + pick(int64(others), " has ", " have ") +
				quoted([]byte(other)),
			Remedy: "write all in one unit"})
	case cells == numbers && n.rest > 0:
		l.note(columns.Note{Code: columns.NoteText, Column: c.Name, Count: int64(n.rest),
			What: columnText(c.Name) + " is read as text, because " + strconv.Itoa(n.rest) + " of its first " +
				plural(int64(numbers+n.rest), "cell") + ", such as " + strconv.Quote(columns.Short(n.other)) +
				pick(int64(n.rest), ", is no number of ", ", are no numbers of ") + quoted([]byte(unit)),
			Remedy: "leave such cells empty if the others are numbers"})
	case cells == numbers:
		l.note(columns.Note{Code: columns.NoteText, Column: c.Name, Count: int64(cells),
			What: columnText(c.Name) + " is read as text, because " + strconv.Itoa(cells) + first + " have " +
				quoted([]byte(unit)) + " beside them, and other signs than " + quoted([]byte{l.Decimal}) + " in them",
			Remedy: "write them with that decimal sign"})
	case unit == "%": // noteText says it
		return false
	case (2*cells >= numbers || isSign(unit)) && 10*(cells+n.plain) >= 9*numbers:
		l.note(columns.Note{Code: columns.NoteText, Column: c.Name, Count: int64(cells),
			What: columnText(c.Name) + " is read as text, because " + strconv.Itoa(cells) + first + " have " +
				quoted([]byte(unit)) + " beside them, and others do not",
			Remedy: "write it in all of them, or in none"})
	default:
		return false
	}
	return true
}
