package dataset

import (
	"cmp"
	"strconv"
	"strings"

	"tensorsketch.example/dataset/columns"
)

// dateOrders counts cells by what they say of the order of day and month.
type dateOrders struct {
	sure         int // year first, or the month has a name
	days, months int // the day is first, or the month, as a number above 12 shows
	either       int
	slashes      int // of either: with slashes
	short        int // the year has two digits

	example, dayFirst, monthFirst, shortYear string // the first cell of either, days, months and short
}

func (o *dateOrders) add(cell string) {
	cell = string(trimCell([]byte(cell)))
	if len(cell) < len("1.1.26") || len(cell) > 40 || cell[0]-'0' > 9 {
		return
	}
	text := []byte(cell)
	if _, ok := parseSureDate(text); ok {
		o.sure++
		return
	}
	_, dayFirst := parseDayOrMonthFirst(text, true)
	_, monthFirst := parseDayOrMonthFirst(text, false)
	switch {
	case dayFirst && monthFirst:
		o.either++
		if strings.IndexByte(cell, '/') >= 0 {
			o.slashes++
		}
		o.example = cmp.Or(o.example, cell)
	case dayFirst:
		o.days++
		o.dayFirst = cmp.Or(o.dayFirst, cell)
	case monthFirst:
		o.months++
		o.monthFirst = cmp.Or(o.monthFirst, cell)
	case hasShortYear(cell):
		o.short++
		o.shortYear = cmp.Or(o.shortYear, cell)
	}
}

// hasShortYear reports whether a cell is a date such as 31.12.26, which leaves the century open.
func hasShortYear(cell string) bool {
	at := strings.LastIndexAny(cell, "./-")
	if at < 0 || at+len(".26") != len(cell) {
		return false
	}
	long := []byte(cell[:at+1] + "20" + cell[at+1:])
	_, dayFirst := parseDayOrMonthFirst(long, true)
	_, monthFirst := parseDayOrMonthFirst(long, false)
	return dayFirst || monthFirst
}

// ordered returns how many dates need an order of day and month.
func (o *dateOrders) ordered() int { return o.days + o.months + o.either }

// against returns how many dates have another order than dates, and the first of them.
func (o *dateOrders) against(dates string) (n int, example string) {
	if dates == columns.MonthDayYear {
		return o.days, o.dayFirst
	}
	return o.months, o.monthFirst
}

// contradictory reports whether more than a few per cent of the dates that show their order have another one than
// dates. Nobody then knows the order of those that do not show it.
func (o *dateOrders) contradictory(dates string) bool {
	n, _ := o.against(dates)
	return fewPerCent*n > o.days+o.months
}

// fewPerCent is the part of the dates up to which another order is a slip of the pen: one of 20.
const fewPerCent = 20

// ordersOf counts the dates of column i, and its cells that are not missing.
func ordersOf(rows [][]string, i int) (o dateOrders, cells int) {
	for _, row := range rows {
		if i < len(row) {
			o.add(row[i])
			if !isMissing(trimCell([]byte(row[i]))) {
				cells++
			}
		}
	}
	return o, cells
}

// countDateOrders counts the dates of columns that mostly hold dates, if one cell in 20 or more needs an order of day
// and month. If there is no such column, it counts the dates of all.
func countDateOrders(rows [][]string) (o dateOrders) {
	width := 0
	for _, row := range rows {
		width = max(width, len(row))
	}
	var all dateOrders
	for i := range width {
		c, cells := ordersOf(rows, i)
		all.addAll(&c)
		if 2*(c.sure+c.ordered()) > cells && fewPerCent*c.ordered() > cells {
			o.addAll(&c)
		}
	}
	if o.ordered() == 0 {
		return all
	}
	o.sure = 0
	return o
}

func (o *dateOrders) addAll(c *dateOrders) {
	o.sure += c.sure
	o.days += c.days
	o.months += c.months
	o.either += c.either
	o.slashes += c.slashes
	o.example = cmp.Or(o.example, c.example)
}

// order returns the order of most dates. It is ISO 8601 if no column needs an order and most have the year first.
// If every day and month is at most 12, the day comes first if the separator is a point or a hyphen, if numbers have
// decimal commas, or if the delimiter is a semicolon. Otherwise the month comes first.
func (o *dateOrders) order(l *Layout) string {
	switch {
	case o.sure >= o.ordered():
		return columns.ISODates
	case o.days > o.months:
		return columns.DayMonthYear
	case o.months > o.days:
		return columns.MonthDayYear
	case 2*o.slashes > o.either && l.Decimal != ',' && l.Comma != ';':
		return columns.MonthDayYear
	}
	return columns.DayMonthYear
}

// guessDates finds the order of dates in the head of the file. All its rows count if the first ones leave a doubt.
func (l *Layout) guessDates(rows [][]string, head []byte) {
	if !l.guesses("dates") {
		return
	}
	o := countDateOrders(rows)
	if o.either > 0 && o.days == o.months && len(rows) == sniffRows {
		rows = l.firstRows(head, len(head)).rows
		o = countDateOrders(rows)
	}
	if l.Dates = o.order(l); l.Dates == columns.ISODates {
		return
	}
	if l.datesInDoubt = o.days == 0 && o.months == 0; l.datesInDoubt {
		first, other := orderWords(l.Dates)
		l.note(columns.Note{Code: columns.NoteDates,
			What: "the " + first + " is taken to come first in dates such as " + quoted([]byte(o.example)) +
				": no day above 12 shows the order",
			Remedy: "read the file with {dates} " + strconv.Quote(other) + " if that is wrong"})
	}
}

// orderWords returns what comes first in dates, and the other order.
func orderWords(dates string) (first, other string) {
	if dates == columns.MonthDayYear {
		return "month", columns.DayMonthYear
	}
	return "day", columns.MonthDayYear
}

// noteDates notes dates of column i that contradict the order of the file, and dates that are read as texts. It reports
// whether the column is read as text because of them.
func (l *Layout) noteDates(rows [][]string, i int) bool {
	c := &l.Columns[i]
	if c.Type != columns.Date && c.Type != columns.Text {
		return false
	}
	o, cells := ordersOf(rows, i)
	isText, n := c.Type == columns.Text, int64(0)
	why, remedy := "", "write all in one form, such as 2026-11-20"
	switch against, _ := o.against(l.Dates); {
	case isText && o.short > 0 && 2*(o.short+o.sure+o.ordered()) > cells:
		n, why = int64(o.short), "the year of dates such as "+quoted([]byte(o.shortYear))+" has two digits"
		remedy = "write it with four"
	case 2*(o.sure+o.ordered()) <= cells || o.ordered() == 0:
		return false
	case isText && l.Dates == columns.ISODates:
		n, why = int64(o.ordered()), "dates such as "+quoted([]byte(cmp.Or(o.example, o.dayFirst, o.monthFirst)))+
			" have no year first"
	case against == 0 || !l.guesses("dates"):
		return false
	default:
		l.noteOrder(c, &o)
		if n, why = int64(against), o.bothOrders(); !isText {
			return false
		}
	}
	l.note(columns.Note{Code: columns.NoteText, Column: c.Name, Count: n,
		What: columnText(c.Name) + " is read as text, because " + why, Remedy: remedy})
	return true
}

// noteOrder notes that dates of a column contradict the order of the file. Where they are many, Notes has it only if
// the column is read as dates all the same.
func (l *Layout) noteOrder(c *Column, o *dateOrders) {
	first, other := orderWords(l.Dates)
	second, _ := orderWords(other)
	n, example := o.against(l.Dates)
	what := "the " + first + " is taken to come first in the dates of " + columnText(c.Name) + ", although it is the " +
		second + " in " + strconv.Itoa(n) + " of its first, such as " + quoted([]byte(example))
	if o.either > 0 {
		what += ", and " + strconv.Itoa(o.either) + pick(int64(o.either), " does", " do") + " not show the order, such as " +
			quoted([]byte(o.example))
	}
	l.note(columns.Note{Code: columns.NoteDates, Column: c.Name, Count: int64(n), What: what,
		Remedy: "write all in one form, such as 2026-11-20, or read the file with {dates} " + strconv.Quote(other)})
}

// bothOrders says how many dates have the day first, how many the month, and how many do not show the order.
func (o *dateOrders) bothOrders() string {
	dates := func(n int, first, example string) string {
		return strconv.Itoa(n) + " of its first dates have the " + first + " first, such as " + quoted([]byte(example))
	}
	why := ""
	switch {
	case o.months == 0:
		why = dates(o.days, "day", o.dayFirst) + ", and other columns the month"
	case o.days == 0:
		why = dates(o.months, "month", o.monthFirst) + ", and other columns the day"
	default:
		why = dates(o.days, "day", o.dayFirst) + ", and " + strconv.Itoa(o.months) + " the month, such as " +
			quoted([]byte(o.monthFirst))
	}
	if o.either > 0 {
		why += "; " + strconv.Itoa(o.either) + pick(int64(o.either), " does", " do") + " not show it"
	}
	return why
}
