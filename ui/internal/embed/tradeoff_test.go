package embed

import (
	"math"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/ui/internal/lesson"
)

var nan = math.NaN()

// made is a trade-off with a sketch of variance a/D and noise of variance b + c·D.
func made(kernel, a, b, c float64, current int) *Tradeoff {
	at := func(n int) TradeoffPoint {
		sketch, noise := a/float64(n), b+c*float64(n)
		return TradeoffPoint{n, math.Sqrt(sketch), math.Sqrt(noise), math.Sqrt(sketch + noise)}
	}
	best := limit
	if c > 0 {
		best = max(2, 2*int(math.Round(math.Sqrt(a/c)/2)))
	}
	t := &Tradeoff{Kernel: kernel, Current: at(current), Best: at(best)}
	for _, n := range TradeoffSizes(current, best) {
		t.Points = append(t.Points, at(n))
	}
	return t
}

func TestComponents(t *testing.T) {
	for _, c := range []struct{ current, best, first, last int }{
		{100, 0, 4, 65536}, {100, 19526, 4, 77936}, {1 << 20, 4, 4, 1 << 22}, {3, 2, 2, 65536}, {1024, 1 << 24, 4, 1 << 24},
		{5, 5, 4, 65536},
	} {
		list := TradeoffSizes(c.current, c.best)
		if first, last := list[0], list[len(list)-1]; first != c.first || last > c.last || last < c.last*7/10 {
			t.Errorf("D %d, best %d: from %d to %d, want %d to about %d", c.current, c.best, first, last, c.first, c.last)
		}
		if !slices.Contains(list, c.current) || c.best > 0 && !slices.Contains(list, c.best) || slices.Contains(list, 0) {
			t.Errorf("D %d, best %d: %v", c.current, c.best, list)
		}
		for i := 1; i < len(list); i++ {
			if list[i] <= list[i-1] || list[i] > 4 && list[i-1] > 2 && list[i] > 2*list[i-1] {
				t.Errorf("D %d, best %d: %d follows %d", c.current, c.best, list[i], list[i-1])
			}
		}
	}
}

func TestTradeoffWords(t *testing.T) {
	for _, c := range []struct {
		of   *Tradeoff
		want string
	}{
		{made(.25, 1, 0, 2.6e-9, 1024), "Standard deviation of an estimate of the kernel 0.25 against the number of " +
			"components D from 4 to 65,536, both axes logarithmic. " +
			"At D = 1,024: 0.031 by the sketch, 0.0016 by the noise, 0.031 by both. The best D is 19,612, with error 0.010."},
		{made(.25, 4, 1, .5, 1024), "At D = 1,024: 0.062 by the sketch, 23 by the noise, 23 by both. The best D is 2, with " +
			"error 2.0 for a kernel of 0.25: no D is good enough."},
		{made(.25, 1, 1e-6, 0, 100), "The more components the better: the error is 0.0010 at D = 16,777,216."},
		{&Tradeoff{Kernel: 1, Points: []TradeoffPoint{{4, nan, 1, nan}, {8, nan, 2, nan}},
			Current: TradeoffPoint{4, nan, 1, nan}},
			"At D = 4: 1.0 by the noise. The error of the sketch is not known. Which D is best is not known, because the " +
				"error of this sketch is not."},
		{&Tradeoff{}, "The errors at each D are being computed."},
	} {
		if got := c.of.Summary(); !strings.HasSuffix(got, c.want) {
			t.Errorf("got %q, want it to end with %q", got, c.want)
		}
	}
}

// TestTradeoffSVG: the best D is marked where it is known, and a picture that stands alone has its colours. In ui,
// TestPictureSVG looks at all that is drawn.
func TestTradeoffSVG(t *testing.T) {
	size := lesson.Size{Width: 1040, Height: 380, Em: 13}
	for picture, want := range map[*Tradeoff]bool{made(.25, 4, 1, .5, 1024): true, {}: false} {
		for _, alone := range []bool{true, false} {
			if svg := picture.SVG(size, alone); strings.Contains(svg, `class="dots big"`) != want ||
				strings.Contains(svg, "<style>") != alone {
				t.Errorf("%+v, standing alone %v: %s", picture, alone, svg)
			}
		}
	}
}

func TestRelease(t *testing.T) {
	for _, c := range []struct {
		of                    ReleaseMeter
		meter, promise, least string
	}{
		{ReleaseMeter{false, 1, 1024, 1, 1e-5, 1, 258.9, 238.8},
			"One vector of 1,024\u00a0features released at ε = 1 is noise (signal 1.00, noise 259): it is of use only where " +
				"many rows are averaged afterwards.",
			"No odds about a row change by more than a factor of 2.7, except with probability 1×10⁻⁵.", "less than 239;"},
		{ReleaseMeter{true, 60000, 1024, 1, 1e-5, 1, .004315, .00398},
			"The mean of 60,000\u00a0rows released once as an aggregate at ε = 1 carries noise 0.0043 beside a signal of 1.00.",
			"of 2.7,", "less than 0.00398;"},
		{ReleaseMeter{true, 500, 1024, 1, 1e-5, 1, .5178, .478},
			"The mean of 500\u00a0rows released once as an aggregate at ε = 1 is coarse (signal 1.00, noise 0.518).", "of 2.7,",
			"0.478"},
		{ReleaseMeter{true, 1, 64, 16, 1e-5, 2, 11.6, 11},
			"The mean of 1\u00a0row released once as an aggregate at ε = 16 is noise (signal 2.00, noise 11.6): it takes more " +
				"rows, fewer components or a larger ε.",
			"No odds about a row change by more than a factor of 8,900,000, except with probability 1×10⁻⁵: a " +
				"promise in name only.", "11.0"},
	} {
		if got := c.of.Meter(); got != c.meter {
			t.Errorf("got %q, want %q", got, c.meter)
		}
		if got := c.of.Promise(); !strings.Contains(got, c.promise) {
			t.Errorf("got %q, want %q", got, c.promise)
		}
		if got := c.of.LeastNote(); !strings.Contains(got, c.least) {
			t.Errorf("got %q, want %q", got, c.least)
		}
	}
}
