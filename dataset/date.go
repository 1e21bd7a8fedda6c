package dataset

import (
	"bytes"
	"math"
	"time"

	"tensorsketch.example/dataset/plan"
)

// parseDate reads a date with parseISODate or, if the dates of the file have the day or the month first, with
// parseDayOrMonthFirst.
func parseDate(cell []byte, dates string) (seconds float64, ok bool) {
	if seconds, ok = parseISODate(cell); ok || dates == plan.ISODates || dates == "" {
		return seconds, ok
	}
	return parseDayOrMonthFirst(cell, dates == plan.DayMonthYear)
}

// parseDayOrMonthFirst reads 31.12.2026, 31/12/2026 or 31-12-2026 or, with the month first, 12/31/2026 and the like.
// Day and month have one or two digits, both separators are the same, and the year has four digits. A time such as
// 9:05, 19:17:20.5 or 7:17 PM and a zone may follow.
func parseDayOrMonthFirst(cell []byte, dayFirst bool) (seconds float64, ok bool) {
	s := dateScanner{text: cell, ok: true}
	day := s.oneOrTwo()
	if len(s.text) == 0 || bytes.IndexByte([]byte("./-"), s.text[0]) < 0 {
		return 0, false
	}
	separator := s.text[0]
	s.byte(separator)
	month := s.oneOrTwo()
	s.byte(separator)
	year := s.digits(4)
	if !dayFirst {
		day, month = month, day
	}
	return s.seconds(year, month, day, true)
}

// parseISODate reads ISO 8601 dates of the years 0001 to 9999: 2026-11-20,
// 2026-11-20T19:17, 2026-11-20 19:17:20.5+01:00; without a zone the time is UTC. It
// returns seconds since 1970-01-01T00:00:00Z.
func parseISODate(cell []byte) (seconds float64, ok bool) {
	s := dateScanner{text: cell, ok: true}
	year := s.digits(4)
	s.byte('-')
	month := s.digits(2)
	s.byte('-')
	return s.seconds(year, month, s.digits(2), false)
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
	if !s.next('T') && !s.next(' ') {
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

// zone reads Z, +01:00 or +0100, or nothing.
func (s *dateScanner) zone() (seconds int) {
	sign := 1
	switch {
	case s.next('-'):
		sign = -1
	case s.next('Z') || !s.next('+'):
		return 0
	}
	hour := s.digits(2)
	s.next(':')
	minute := s.digits(2)
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
func phase(part plan.DatePart, seconds float64) float64 {
	day := math.Floor(seconds / secondsOfDay)
	inDay := (seconds - float64(day*secondsOfDay)) / secondsOfDay
	switch part {
	case plan.DayPhase:
		return inDay
	case plan.WeekPhase:
		weekday := math.Mod(math.Mod(day+3, 7)+7, 7) // 1970-01-01 was a Thursday
		return (weekday + inDay) / 7
	}
	year := time.Unix(int64(day)*secondsOfDay, 0).UTC().Year()
	first := daysSince1970(year, 1, 1)
	return (day - float64(first) + inDay) / float64(daysSince1970(year+1, 1, 1)-first)
}
