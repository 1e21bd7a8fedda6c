package dataset

import (
	"bytes"
	"math"
	"time"

	"tensorsketch.example/dataset/columns"
)

// parseDate reads a date with parseISODate or parseNamedMonth or, if the dates of the file have the day or the month
// first, with parseDayOrMonthFirst.
func parseDate(cell []byte, dates string) (seconds float64, ok bool) {
	if seconds, ok = parseSureDate(cell); ok || dates == columns.ISODates || dates == "" {
		return seconds, ok
	}
	return parseDayOrMonthFirst(cell, dates == columns.DayMonthYear)
}

// parseSureDate reads the dates that say themselves which number is the day.
func parseSureDate(cell []byte) (seconds float64, ok bool) {
	if seconds, ok = parseISODate(cell); ok {
		return seconds, ok
	}
	return parseNamedMonth(cell)
}

// parseDayOrMonthFirst reads 31.12.2026, 31/12/2026 or 31-12-2026 or, with the month first, 12/31/2026 and the like.
// Day and month have one or two digits, both separators are the same, and the year has four digits. A time such as
// 9:05, 19:17:20.5 or 7:17 PM and a zone may follow.
func parseDayOrMonthFirst(cell []byte, dayFirst bool) (seconds float64, ok bool) {
	s := dateScanner{text: cell, ok: true}
	day := s.oneOrTwo()
	separator := s.separator()
	month := s.oneOrTwo()
	s.byte(separator)
	year := s.digits(4)
	if !dayFirst {
		day, month = month, day
	}
	return s.seconds(year, month, day, true)
}

// parseISODate reads dates of the years 0001 to 9999 with the year first: ISO 8601, as in 2026-11-20,
// 2026-11-20T19:17, 2026-11-20 19:17:20.5+01:00, and 2026/11/20 or 2026.11.20, whose day and month may have one digit
// and whose time may be 7:17 PM. The month may be a name, as in 2026-Nov-20. Without a zone the time is UTC. It returns
// seconds since 1970-01-01T00:00:00Z.
func parseISODate(cell []byte) (seconds float64, ok bool) {
	s := dateScanner{text: cell, ok: true}
	year := s.digits(4)
	if !s.ok {
		return 0, false
	}
	separator := s.separator()
	if _, isName := nameIn(s.text, months); isName && separator != '.' {
		month := s.name(months)
		s.byte(separator)
		return s.seconds(year, month, s.oneOrTwo(), true)
	}
	number := s.oneOrTwo
	if separator == '-' {
		number = func() int { return s.digits(2) }
	}
	month := number()
	s.byte(separator)
	return s.seconds(year, month, number(), separator != '-')
}

// parseNamedMonth reads dates with the English name of the month or its first letters: Jun 12 1998, June 12, 1998,
// 12 Jun 1998, 12-Jun-1998, 12JUN1998:10:00:00 and Fri, 12 Jun 1998 10:00:00 GMT.
func parseNamedMonth(cell []byte) (seconds float64, ok bool) {
	s := dateScanner{text: cell, ok: true}
	if _, isDay := nameIn(s.text, weekdays); isDay {
		s.name(weekdays)
		s.filler()
	}
	day, month := 0, 0
	if len(s.text) > 0 && s.text[0]-'0' > 9 {
		month = s.name(months)
		s.filler()
		day = s.oneOrTwo()
		s.ok = s.ok && len(s.text) > 0 && s.text[0]-'0' > 9 // Jun 1 21998 is none
	} else {
		day = s.oneOrTwo()
		s.filler()
		month = s.name(months)
	}
	s.filler()
	return s.seconds(s.digits(4), month, day, true)
}

var (
	months = []string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
		"november", "december"}
	weekdays = []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}
)

// nameIn returns the letters at the beginning of a text, if they are one of the names or its first three letters, and
// its number from 1. September may have four letters.
func nameIn(text []byte, names []string) (number int, ok bool) {
	letters := leadingLetters(text)
	for i, name := range names {
		if letters == name || letters == name[:3] || letters == "sept" && name == "september" {
			return i + 1, true
		}
	}
	return 0, false
}

// leadingLetters returns the ASCII letters at the beginning of a text, in lower case.
func leadingLetters(text []byte) string {
	n := 0
	for n < len(text) && n < 10 && text[n]|0x20-'a' <= 'z'-'a' {
		n++
	}
	return string(bytes.ToLower(text[:n]))
}

// name reads one of the names and the full stop that may end it, and returns its number from 1.
func (s *dateScanner) name(names []string) (number int) {
	number, ok := nameIn(s.text, names)
	s.ok = s.ok && ok
	s.text = s.text[len(leadingLetters(s.text)):]
	s.next('.')
	return number
}

// filler skips a comma, and a hyphen, a slash or spaces.
func (s *dateScanner) filler() {
	s.next(',')
	if !s.next('-') && !s.next('/') {
		s.text = bytes.TrimLeft(s.text, " ")
	}
}

// separator reads a point, a slash or a hyphen.
func (s *dateScanner) separator() byte {
	if len(s.text) == 0 || bytes.IndexByte([]byte("./-"), s.text[0]) < 0 {
		s.ok = false
		return 0
	}
	separator := s.text[0]
	s.text = s.text[1:]
	return separator
}

// seconds returns the seconds since 1970 of a day and of the time after it, if there is one. If byClock, the time may
// begin with one digit and end in AM or PM.
func (s *dateScanner) seconds(year, month, day int, byClock bool) (seconds float64, ok bool) {
	if !s.ok || year == 0 || month < 1 || month > 12 || day < 1 || day > daysOf(year, month) {
		return 0, false
	}
	days := daysSince1970(year, month, day)
	if len(s.text) == 0 {
		return float64(secondsOfDay * days), true
	}
	if byClock {
		s.next(',') // 31.12.2026, 10:00
	}
	if !s.next('T') && !s.next(' ') && !(byClock && s.next(':')) { // 12/Jun/1998:10:00:00 +0200 in logs of servers
		return 0, false
	}
	if byClock && len(s.text) > 1 && s.text[1] == ':' { // 9:05
		s.text = append([]byte{'0'}, s.text...)
	}
	whole, fraction := s.time()
	if byClock {
		whole += s.halfDay(whole)
	}
	whole -= s.zone()
	if !s.ok || len(s.text) > 0 {
		return 0, false
	}
	return float64(secondsOfDay*days+whole) + fraction, true
}

// A dateScanner reads fields of fixed width. ok becomes false if one is missing.
type dateScanner struct {
	text []byte
	ok   bool
}

func (s *dateScanner) digits(n int) (value int) {
	if len(s.text) < n {
		s.ok = false
		return 0
	}
	for _, b := range s.text[:n] {
		s.ok = s.ok && b-'0' <= 9
		value = 10*value + int(b-'0')
	}
	s.text = s.text[n:]
	return value
}

// oneOrTwo reads one digit or two.
func (s *dateScanner) oneOrTwo() int {
	if len(s.text) > 1 && s.text[1]-'0' <= 9 {
		return s.digits(2)
	}
	return s.digits(1)
}

// halfDay reads AM or PM after a 12-hour time, and returns the seconds to add.
func (s *dateScanner) halfDay(time int) int {
	text := bytes.TrimPrefix(s.text, []byte{' '})
	isAM, isPM := bytes.EqualFold(text, []byte("am")), bytes.EqualFold(text, []byte("pm"))
	if !isAM && !isPM {
		return 0
	}
	s.text = nil
	hour := time / 3600
	s.ok = s.ok && hour >= 1 && hour <= 12
	switch {
	case isAM && hour == 12:
		return -12 * 3600
	case isPM && hour != 12:
		return 12 * 3600
	}
	return 0
}

func (s *dateScanner) byte(b byte) { s.ok = s.next(b) && s.ok }

// next skips a byte, and reports whether it was there.
func (s *dateScanner) next(b byte) (ok bool) {
	s.text, ok = bytes.CutPrefix(s.text, []byte{b})
	return ok
}

// time reads 19:17, 19:17:20 or 19:17:20.5, to the microsecond.
func (s *dateScanner) time() (seconds int, fraction float64) {
	hour := s.digits(2)
	s.byte(':')
	minute := s.digits(2)
	second := 0
	if s.next(':') {
		second = s.digits(2)
		if s.next('.') {
			fraction = s.fraction()
		}
	}
	s.ok = s.ok && hour < 24 && minute < 60 && second < 60
	return 3600*hour + 60*minute + second, fraction
}

func (s *dateScanner) fraction() float64 {
	micro, n := 0, 0
	for ; len(s.text) > 0 && s.text[0]-'0' <= 9; n++ {
		if n < 6 {
			micro = 10*micro + int(s.text[0]-'0')
		}
		s.text = s.text[1:]
	}
	s.ok = s.ok && n > 0
	for ; n < 6; n++ {
		micro *= 10
	}
	return float64(micro) / 1e6
}

// zone reads Z, UTC, GMT, +01:00, +0100 or +01, before which a space may stand, or nothing.
func (s *dateScanner) zone() (seconds int) {
	s.next(' ')
	switch name := leadingLetters(s.text); {
	case name == "z" && s.text[0] == 'Z', name == "utc", name == "gmt":
		s.text = s.text[len(name):]
		return 0
	case len(s.text) == 0 || s.text[0] != '+' && s.text[0] != '-':
		return 0
	}
	sign := 1
	if s.text[0] == '-' {
		sign = -1
	}
	s.text = s.text[1:]
	hour, minute := s.digits(2), 0
	if len(s.text) > 0 {
		s.next(':')
		minute = s.digits(2)
	}
	s.ok = s.ok && hour < 24 && minute < 60
	return sign * (3600*hour + 60*minute)
}

// daysSince1970 counts days of the Gregorian calendar.
func daysSince1970(year, month, day int) int {
	return int(time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC).Unix() / secondsOfDay)
}

func daysOf(year, month int) int {
	return daysSince1970(year, month+1, 1) - daysSince1970(year, month, 1)
}

const secondsOfDay = 86400

// isTime reports whether a time is in the years 1 to 9999.
func isTime(seconds float64) bool {
	return seconds >= float64(secondsOfDay*daysSince1970(1, 1, 1)) &&
		seconds < float64(secondsOfDay*daysSince1970(10000, 1, 1))
}

// phase returns the share of the day, week (from Monday) or year that has passed at a time, from 0 to 1. Each year
// counts with its own length.
func phase(part columns.DatePart, seconds float64) float64 {
	day := math.Floor(seconds / secondsOfDay)
	inDay := (seconds - float64(day*secondsOfDay)) / secondsOfDay
	switch part {
	case columns.DayPhase:
		return inDay
	case columns.WeekPhase:
		weekday := math.Mod(math.Mod(day+3, 7)+7, 7) // 1970-01-01 was a Thursday
		return (weekday + inDay) / 7
	}
	year := time.Unix(int64(day)*secondsOfDay, 0).UTC().Year()
	first := daysSince1970(year, 1, 1)
	return (day - float64(first) + inDay) / float64(daysSince1970(year+1, 1, 1)-first)
}
