// Package format writes numbers as the page shows them: thousands in groups, a real minus sign, and no-break spaces
// before units.
package format

import (
	"math"
	"slices"
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

// Form returns the singular or the plural form for n things.
func Form(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
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
		return mantissa + "×10" + superscripts.Replace(strconv.Itoa(power))
	}
	return grouped(strconv.FormatFloat(x, 'f', max(digits-1-power, 0), 64))
}

// grouped groups the thousands of a decimal number without a sign.
func grouped(digits string) string {
	whole, _, _ := strings.Cut(digits, ".")
	if n, err := strconv.Atoi(whole); err == nil {
		return Count(n) + digits[len(whole):]
	}
	return digits
}

// Fixed writes x with the given number of decimals.
func Fixed(x float64, decimals int) string {
	digits, negative := strings.CutPrefix(strconv.FormatFloat(x, 'f', decimals, 64), "-")
	if negative && !isZero(digits) {
		return minus + grouped(digits)
	}
	return grouped(digits)
}

// Complex writes z with the given number of decimals: 0.50 − 0.25i. A part written as zero is left out, unless both
// are.
func Complex(z complex128, decimals int) string {
	return Sum(Fixed(real(z), decimals), Fixed(imag(z), decimals))
}

// Sum writes a complex number as Complex does, from parts that are already written.
func Sum(re, im string) string {
	switch {
	case isZero(im):
		return re
	case isZero(re):
		return im + "i"
	}
	rest, negative := strings.CutPrefix(im, minus)
	return re + Term(negative, rest+"i", false)
}

// Term writes a term of a sum with its sign: "+" and "−" stand between spaces, except before the first term.
func Term(negative bool, text string, first bool) string {
	switch {
	case first && negative:
		return minus + text
	case first:
		return text
	case negative:
		return " " + minus + " " + text
	}
	return " + " + text
}

// isZero reports whether a written number is zero.
func isZero(text string) bool { return strings.Trim(text, "0.") == "" }

// Short writes x without unnecessary zeros: 0.5, 2, 3×10⁸.
func Short(x float64) string { return short(x, false) }

// Scientific writes x as Short does, but always with a power of ten.
func Scientific(x float64) string { return short(x, true) }

// Factor puts a written factor of a product in brackets if it is a negative number or a sum.
func Factor(text string) string {
	if strings.HasPrefix(text, minus) || strings.Contains(text, " ") {
		return "(" + text + ")"
	}
	return text
}

// Axis returns what writes the ticks of an axis: Short, or Scientific if one of them needs a power of ten.
func Axis(ticks []float64) func(float64) string {
	if slices.ContainsFunc(ticks, func(tick float64) bool { return strings.Contains(Short(tick), "×") }) {
		return Scientific
	}
	return Short
}

func short(x float64, powers bool) string {
	text := number(x, 4, powers)
	mantissa, _, _ := strings.Cut(text, "×")
	power := text[len(mantissa):]
	if strings.Contains(mantissa, ".") {
		mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
	}
	return mantissa + power
}

// Exact writes x with the fewest digits that parse back to x. Links and files contain numbers in this form.
func Exact(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// Cells writes numbers for files with seven digits, the precision of float32. Unknown numbers, NaN, are empty.
func Cells(values ...float64) []string {
	texts := make([]string, len(values))
	for i, x := range values {
		if x == x {
			texts[i] = strconv.FormatFloat(x, 'g', 7, 64)
		}
	}
	return texts
}

// Subscript writes n ≥ 0 in subscript digits: ₁₂.
func Subscript(n int) string {
	var b strings.Builder
	for _, digit := range strconv.Itoa(n) {
		b.WriteRune('₀' + digit - '0')
	}
	return b.String()
}

// And joins words: "a, b and c".
func And(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// First lists the first words, at most so many, and counts the rest: "a, b and 3 more".
func First(most int, words []string) string {
	text := strings.Join(words[:min(most, len(words))], ", ")
	if more := len(words) - most; more > 0 {
		text += " and " + Count(more) + " more"
	}
	return text
}

// Cut shortens a text from outside the page so that it fits into a sentence. Both ends stay: names often differ at
// their ends.
func Cut(text string) string {
	const longest, end = 40, 18
	if runes := []rune(text); len(runes) > longest {
		return string(runes[:longest-end]) + "…" + string(runes[len(runes)-end:])
	}
	return text
}

var superscripts = strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶",
	"7", "⁷", "8", "⁸", "9", "⁹")

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
