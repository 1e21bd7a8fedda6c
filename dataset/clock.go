package dataset

import "bytes"

// ClockUnit is the unit of a column of times of day or durations, such as 7:05, 19:17:20.5, 7:17 PM, 125:30:00 or
// 5 days 05:30:00. Its numbers are hours.
const ClockUnit = "h:min"

// parseClock reads hours, minutes with two digits and perhaps seconds. It returns hours. AM or PM makes them hours
// of the day. Days may stand before, as Python and pandas write them: -1 day, 23:30:00 is -0.5.
func parseClock(cell []byte) (hours float64, ok bool) {
	s := dateScanner{text: trimSpaces(cell), ok: true}
	isNegative := s.next('-')
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
