package dataset

import (
	"bytes"
	"strconv"
	"strings"
)

// ClockUnit is the unit of a column of times of day or durations, such as 7:05, 19:17:20.5, 7:17 PM, 125:30:00 or
// 5 days 05:30:00. Its numbers are hours.
const ClockUnit = "h:min"

// parseClock reads hours, minutes with two digits and perhaps seconds. It returns hours. AM or PM makes them hours
// of the day. Days may stand before, as Python and pandas write them: -1 day, 23:30:00 is -0.5. Durations of
// ISO 8601, as polars and pandas write them in JSON, are read up to days: P-1DT23H is -1.
func parseClock(cell []byte) (hours float64, ok bool) {
	s := dateScanner{text: trimSpaces(cell), ok: true}
	isNegative := s.next('-')
	if s.next('P') {
		if hours, ok = isoHours(s.text); isNegative {
			hours = -hours
		}
		return hours, ok
	}
	hour, days := 0, 0
	for n := 0; s.ok && (n == 0 || len(s.text) > 0 && s.text[0] != ':' && s.text[0] != ' '); n++ {
		hour = 10*hour + s.digits(1)
		s.ok = s.ok && n < 6
	}
	if rest, ok := bytes.CutPrefix(s.text, []byte(" day")); ok {
		if days = hour; isNegative {
			days = -hour
		}
		s.text = bytes.TrimLeft(rest, "s, +")
		isNegative = s.next('-')
		hour = s.oneOrTwo()
	}
	s.byte(':')
	minute, second, fraction := s.digits(2), 0, 0.
	if s.next(':') {
		second = s.digits(2)
		if s.next('.') {
			fraction = s.fraction()
		}
	}
	whole := 3600*hour + 60*minute + second
	whole += s.halfDay(whole)
	if !s.ok || len(s.text) > 0 || minute > 59 || second > 59 {
		return 0, false
	}
	seconds := float64(whole) + fraction
	if isNegative {
		seconds = -seconds
	}
	return (seconds + float64(secondsOfDay*days)) / 3600, true
}

// isoHours reads what follows the P of a duration of ISO 8601, such as 1DT4H4M44.5S. It returns hours.
func isoHours(text []byte) (hours float64, ok bool) {
	units, of := "DTHMS", [...]float64{24, 0, 1, 1. / 60, 1. / 3600}
	for len(text) > 0 {
		n := len(text) - len(bytes.TrimLeft(text, "-.0123456789"))
		x, err := strconv.ParseFloat(string(text[:n]), 64)
		if n == len(text) {
			return 0, false
		}
		unit := strings.IndexByte(units, text[n])
		isT := text[n] == 'T'
		if unit < 0 || isT != (n == 0) || !isT && err != nil || len(units) == 5 && !isT && text[n] != 'D' {
			return 0, false
		}
		ok = !isT
		hours += x * of[5-len(units)+unit]
		units, text = units[unit+1:], text[n+1:]
	}
	return hours, ok
}
