package algorithm

import (
	"strconv"
	"strings"

	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
)

// number writes x with up to two decimals, without trailing zeros.
func number(x float64) string {
	return strings.TrimRight(strings.TrimRight(format.Fixed(x, 2), "0"), ".")
}

// imaginary writes i·x with its sign, or "" if x is shown as zero.
func imaginary(x float64) string {
	text := number(x)
	switch {
	case text == "0":
		return ""
	case strings.HasPrefix(text, "−"):
		return text + "i"
	}
	return "+" + text + "i"
}

// isReal reports whether z is shown as a real number.
func isReal(z complex128) bool { return imaginary(imag(z)) == "" }

// complexNumber writes z without a part that is shown as zero.
func complexNumber(z complex128) string {
	text := number(real(z))
	if text == "0" && !isReal(z) {
		return strings.TrimPrefix(imaginary(imag(z)), "+")
	}
	return text + imaginary(imag(z))
}

func numbers(x []float64) string      { return listed(x, number) }
func complexes(z []complex128) string { return listed(z, complexNumber) }

func listed[T any](values []T, write func(T) string) string {
	var texts []string
	for _, value := range values {
		texts = append(texts, write(value))
	}
	return "(" + strings.Join(texts, ", ") + ")"
}

// coordinate writes the name of a coordinate: x₂.
func coordinate(i int) string { return "x" + format.Subscript(i) }

// sum writes the terms that fall into a bucket: −x₁ + x₂; "" if there are none.
func (l *lane) sum(bucket int) string {
	text := ""
	for i := range l.bucket {
		if l.bucket[i] == bucket {
			text += format.Term(l.sign[i] < 0, coordinate(i), text == "")
		}
	}
	return text
}

// Summary describes the picture in words.
func (p *Picture) Summary() string {
	return "The algorithm at degree 2 with " + strconv.Itoa(len(p.features)) + " buckets, on x = " + numbers(p.x) + ". " +
		"Two hash functions send its numbers to the count sketches C₁x = " + numbers(p.lanes[0].sketch) + " and C₂x = " +
		numbers(p.lanes[1].sketch) + ". " +
		"Their Fourier transforms are " + complexes(p.lanes[0].spectrum) + " and " + complexes(p.lanes[1].spectrum) + "; " +
		"multiplied frequency by frequency they are " + complexes(p.product) + ", and the inverse transform gives f(x) = " +
		numbers(p.features) + ". " +
		p.compared() + " " + p.spread()
}

// compared writes the estimate beside the kernel that it estimates.
func (p *Picture) compared() string {
	return "⟨f(x), f(x)⟩ = " + format.Fixed(p.estimate, 2) + " estimates κ(x, x) = ⟨x, x⟩² = " +
		format.Fixed(p.kernel, 2) + "."
}

// spread writes the standard deviation of the estimate.
func (p *Picture) spread() string {
	return "Over seeds its standard deviation is σ = " + format.Fixed(p.sigma, 2) + ": D = " +
		strconv.Itoa(len(p.features)) + " is too small to use."
}

// Table returns the data of the picture, one row for each coordinate and bucket.
func (p *Picture) Table() lesson.Table {
	t := lesson.Table{Name: "algorithm", Caption: "Coordinates i of x with their buckets h and signs s; buckets and " +
		"frequencies j of the rest",
		Head: []string{"i, j", "x", "h1", "s1", "h2", "s2", "C1x", "C2x", "Re FFT(C1x)", "Im FFT(C1x)", "Re FFT(C2x)",
			"Im FFT(C2x)", "Re product", "Im product", "f(x)"}}
	for j := range max(len(p.x), len(p.features)) {
		row := make([]string, len(t.Head))
		row[0] = strconv.Itoa(j)
		if j < len(p.x) {
			row[1] = decimal(p.x[j])
			for k, l := range p.lanes {
				row[2+2*k], row[3+2*k] = strconv.Itoa(l.bucket[j]), strconv.Itoa(l.sign[j])
			}
		}
		if j < len(p.features) {
			for k, l := range p.lanes {
				row[6+k], row[8+2*k], row[9+2*k] = decimal(l.sketch[j]), decimal(real(l.spectrum[j])), decimal(imag(l.spectrum[j]))
			}
			row[12], row[13], row[14] = decimal(real(p.product[j])), decimal(imag(p.product[j])), decimal(p.features[j])
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// decimal writes a float32 of the core for a file.
func decimal(x float64) string { return strconv.FormatFloat(x+0, 'g', -1, 32) }
