// Package format writes numbers as the page shows them: thousands in groups, a real minus sign, and no-break spaces
// before units.
package format

import (
	"math"
	"strconv"
	"strings"
	"time"
)

const (
	minus = "−"
	space = "\u00a0" // no-break space
)

// Count writes an integer with grouped thousands: 12,288.
func Count(n int) string {
	digits := strconv.Itoa(n)
	sign := ""
	if n < 0 {
		sign, digits = minus, digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// Plural writes a count with its noun: 1 row, 12,288 rows.
func Plural(n int, noun string) string {
	if n == 1 {
		return "1" + space + noun
	}
	return Count(n) + space + noun + "s"
}

// Number writes x with the given number of significant digits. Very large and very small numbers get a power of ten:
// 0.0512, 1,460, −2.5×10⁻⁷.
func Number(x float64, digits int) string { return number(x, digits, false) }

// number writes x with a power of ten if scientific is set or the size of x requires it.
func number(x float64, digits int, scientific bool) string {
	switch {
	case x == 0:
		return "0"
	case x-x != 0:
		return "–"
	case x < 0:
		return minus + number(-x, digits, scientific)
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', digits-1, 64), "e")
	power, _ := strconv.Atoi(exponent)
	if scientific || power < -4 || power > 6 {
		return mantissa + "×10" + superscript(power)
	}
	text := strconv.FormatFloat(x, 'f', max(digits-1-power, 0), 64)
	whole, fraction, found := strings.Cut(text, ".")
	if n, err := strconv.Atoi(whole); err == nil {
		whole = Count(n)
	}
	if found {
		return whole + "." + fraction
	}
	return whole
}

// Fixed writes x with the given number of decimals.
func Fixed(x float64, decimals int) string {
	digits, negative := strings.CutPrefix(strconv.FormatFloat(x, 'f', decimals, 64), "-")
	whole, fraction, found := strings.Cut(digits, ".")
	if n, err := strconv.Atoi(whole); err == nil {
		digits = Count(n)
	}
	if found {
		digits += "." + fraction
	}
	if negative && !isZero(digits) {
		return minus + digits
	}
	return digits
}

// Complex writes z with the given number of decimals: 0.50 − 0.25i. A part written as zero is left out, unless both
// are.
func Complex(z complex128, decimals int) string {
	return Sum(Fixed(real(z), decimals), Fixed(imag(z), decimals))
}

// Sum writes a complex number as Complex does, from parts that are already written.
func Sum(re, im string) string {
	rest, negative := strings.CutPrefix(im, minus)
	switch {
	case isZero(im):
		return re
	case isZero(re):
		return im + "i"
	case negative:
		return re + " " + minus + " " + rest + "i"
	}
	return re + " + " + im + "i"
}

// isZero reports whether a written number is zero.
func isZero(text string) bool { return strings.Trim(text, "0.") == "" }

// Short writes x without unnecessary zeros: 0.5, 2, 3×10⁸.
func Short(x float64) string { return short(x, false) }

// Axis writes the ticks of an axis as Short does. If one of them needs a power of ten, all get one.
func Axis(ticks []float64) []string {
	scientific := false
	for _, tick := range ticks {
		scientific = scientific || strings.Contains(Short(tick), "×")
	}
	labels := make([]string, len(ticks))
	for i, tick := range ticks {
		labels[i] = short(tick, scientific)
	}
	return labels
}

func short(x float64, powers bool) string {
	text := number(x, 4, powers)
	mantissa, power, scientific := strings.Cut(text, "×")
	if strings.Contains(mantissa, ".") {
		mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
	}
	if scientific {
		return mantissa + "×" + power
	}
	return mantissa
}

// Exact writes x with the fewest digits that parse back to x. Links and files contain numbers in this form.
func Exact(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// Subscript writes n ≥ 0 in subscript digits: ₁₂.
func Subscript(n int) string {
	var b strings.Builder
	for _, digit := range strconv.Itoa(n) {
		b.WriteRune('₀' + digit - '0')
	}
	return b.String()
}

// Cut shortens a text from outside the page so that it fits into a sentence.
func Cut(text string) string {
	const longest = 40
	if runes := []rune(text); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return text
}

func superscript(n int) string {
	var b strings.Builder
	for _, r := range strconv.Itoa(n) {
		if r == '-' {
			b.WriteRune('⁻')
		} else {
			b.WriteRune([]rune("⁰¹²³⁴⁵⁶⁷⁸⁹")[r-'0'])
		}
	}
	return b.String()
}

// Bytes writes a size in a suitable unit: 4.1 MB.
func Bytes(n int) string {
	units := []string{"kB", "MB", "GB", "TB"}
	if n < 1000 {
		return Plural(n, "byte")
	}
	x := float64(n) / 1000
	unit := 0
	for x >= 999.5 && unit < len(units)-1 {
		x /= 1000
		unit++
	}
	if x < 9.95 {
		return strconv.FormatFloat(x, 'f', 1, 64) + space + units[unit]
	}
	return strconv.FormatFloat(math.Round(x), 'f', 0, 64) + space + units[unit]
}

// Duration writes a time with two or three digits: 21 ms, 1.3 s, 2 min 5 s.
func Duration(d time.Duration) string {
	switch {
	case d < 10*time.Millisecond:
		return strconv.FormatFloat(d.Seconds()*1e3, 'f', 1, 64) + space + "ms"
	case d < time.Second:
		return strconv.FormatInt(d.Round(time.Millisecond).Milliseconds(), 10) + space + "ms"
	case d < 10*time.Second:
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + space + "s"
	case d < time.Minute:
		return strconv.FormatFloat(math.Round(d.Seconds()), 'f', 0, 64) + space + "s"
	}
	return Left(d)
}

// Left writes a remaining time, which need not be exact: 8 s, 2 min 5 s, 3 h 10 min.
func Left(d time.Duration) string {
	seconds := int(math.Ceil(d.Seconds()))
	switch {
	case seconds < 60:
		return strconv.Itoa(seconds) + space + "s"
	case seconds < 3600:
		return strconv.Itoa(seconds/60) + space + "min" + space + strconv.Itoa(seconds%60) + space + "s"
	}
	return Count(seconds/3600) + space + "h" + space + strconv.Itoa(seconds/60%60) + space + "min"
}
