package algorithm

import (
	"math"
	"math/cmplx"
	"regexp"
	"strings"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/splitmix"
)

// The core computes in float32.
const tolerance = 1e-5

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// nearAll compares numbers; complex ones hold real ones as well.
func nearAll(t *testing.T, what string, got, want []complex128) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, want %d", what, len(got), len(want))
	}
	for i := range got {
		if !(cmplx.Abs(got[i]-want[i]) <= tolerance) {
			t.Errorf("%s: got %v, want %v", what, got, want)
			return
		}
	}
}

func complexOf(x []float64) []complex128 {
	z := make([]complex128, len(x))
	for i, value := range x {
		z[i] = complex(value, 0)
	}
	return z
}

// dft is the definition: Z[f] = Σ_j z[j]·e^(−2πi·fj/D).
func dft(x []float64) []complex128 {
	z := make([]complex128, len(x))
	for f := range z {
		for j, value := range x {
			z[f] += complex(value, 0) * cmplx.Rect(1, -2*math.Pi*float64(f*j)/float64(len(x)))
		}
	}
	return z
}

func pictures(t *testing.T) []*Picture {
	t.Helper()
	first, err := New()
	if err != nil {
		t.Fatal(err)
	}
	all := []*Picture{first}
	random := splitmix.Source(7)
	for n := range 40 {
		x := make([]float64, 1+random.Below(6))
		for i := range x {
			x[i] = random.Between(-1, 1)
		}
		p, err := compute(x, 1+random.Below(6), sketch.IntSeed(uint64(n)))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

// TestNumbers: all numbers are the definitions', summed naively.
func TestNumbers(t *testing.T) {
	for _, p := range pictures(t) {
		d := len(p.features)
		features, products := make([]float64, d), make([]complex128, d)
		for f := range products {
			products[f] = 1
		}
		for _, l := range p.lanes {
			sums := make([]float64, d)
			for i, value := range p.x {
				sums[l.bucket[i]] += float64(l.sign[i]) * value
			}
			nearAll(t, "sketch", complexOf(l.sketch), complexOf(sums))
			spectrum := dft(sums)
			nearAll(t, "spectrum", l.spectrum, spectrum)
			for f := range products {
				products[f] *= spectrum[f]
			}
		}
		nearAll(t, "product", p.product, products)
		// The features are the count sketch of all products x_i·x_j.
		a, b := p.lanes[0], p.lanes[1]
		for i, first := range p.x {
			for j, second := range p.x {
				features[(a.bucket[i]+b.bucket[j])%d] += float64(a.sign[i]*b.sign[j]) * first * second
			}
		}
		nearAll(t, "features", complexOf(p.features), complexOf(features))
		estimate, square, s := 0.0, 0.0, 0.0
		for _, value := range features {
			estimate += value * value
		}
		for _, value := range p.x {
			square += value * value
			s += value * value * value * value
		}
		near(t, "estimate", p.estimate, estimate)
		near(t, "kernel", p.kernel, square*square)
		// The exact variance of docs/theory.md at p = 2 with T = N = ‖x‖⁴.
		n, q := square*square, 1.0
		if d%2 == 0 {
			q = 2
		}
		sq := func(x float64) float64 { return x * x }
		variance := (sq(2*n-s)+sq(2*n-s)-2*n*n)/float64(d) + q*(sq(3*n-2*s)-2*sq(2*n-s)+n*n)/sq(float64(d))
		near(t, "σ", p.sigma, math.Sqrt(max(variance, 0)))
	}
}

// TestStory: the picture that New makes shows what it is there to show, in
// numbers of at most two decimals.
func TestStory(t *testing.T) {
	p, err := New()
	if err != nil {
		t.Fatal(err)
	}
	if p.sigma < math.Abs(p.estimate-p.kernel) {
		t.Errorf("the estimate %v is more than σ = %v from %v", p.estimate, p.sigma, p.kernel)
	}
	var kinds []string
	for _, l := range p.lanes {
		for j := range l.sketch {
			all := 0.0
			for i, bucket := range l.bucket {
				if bucket == j {
					all += math.Abs(p.x[i])
				}
			}
			switch sum := l.sum(j); {
			case !strings.Contains(sum, " "):
			case math.Abs(l.sketch[j]) < all-tolerance:
				kinds = append(kinds, "cancels")
			default:
				kinds = append(kinds, "adds")
			}
		}
	}
	if got := strings.Join(kinds, " "); got != "cancels adds" {
		t.Errorf("collisions: %s", got)
	}
	decimals := func(x float64) {
		if math.Abs(100*x-math.Round(100*x)) > 100*tolerance {
			t.Errorf("%v has more than two decimals", x)
		}
	}
	for j, value := range p.features {
		decimals(value)
		decimals(real(p.product[j]))
		decimals(imag(p.product[j]))
	}
}

func TestNumber(t *testing.T) {
	for x, want := range map[float64]string{0: "0", -1e-9: "0", .5: "0.5", -2.2: "−2.2", 1: "1", .244: "0.24",
		100: "100"} {
		if got := number(x); got != want {
			t.Errorf("%v: got %s, want %s", x, got, want)
		}
	}
	for x, want := range map[float64]string{0: "", 1e-9: "", .5: "+0.5i", -.45: "−0.45i"} {
		if got := imaginary(x); got != want {
			t.Errorf("%v: got %s, want %s", x, got, want)
		}
	}
	if got, want := complexes([]complex128{1.5, complex(-1.2, 1.3), complex(0, -1), complex(0, 2)}),
		"(1.5, −1.2+1.3i, −1i, 2i)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestWords: the summary and the table hold the numbers of the picture.
func TestWords(t *testing.T) {
	for _, p := range pictures(t) {
		summary := p.Summary()
		if regexp.MustCompile(`NaN|%!|-\d`).MatchString(summary) {
			t.Errorf("the summary is %q", summary)
		}
		for _, want := range []string{numbers(p.x), numbers(p.features), numbers(p.lanes[1].sketch)} {
			if !strings.Contains(summary, want) {
				t.Errorf("%s is not in %s", want, summary)
			}
		}
		table := p.Table()
		if got, want := len(table.Rows), max(len(p.x), len(p.features)); got != want {
			t.Errorf("%d rows, want %d", got, want)
		}
		for _, row := range table.Rows {
			if len(row) != len(table.Head) {
				t.Errorf("row %v under %v", row, table.Head)
			}
		}
	}
}
