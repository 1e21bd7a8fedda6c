package embed

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/test/slow"
	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/splitmix"
)

func TestBand(t *testing.T) {
	pairs := []Pair{{Exact: 3, Sigma: 2}, {Exact: 0, Sigma: 1}, {Exact: 1, Sigma: 1}, {Exact: 4, Sigma: 2},
		{Exact: 2, Sigma: 1}}
	got := fmt.Sprint(band(pairs))
	if want := fmt.Sprint([]bin{{0, 0, 1}, {4, 4, math.Sqrt(3)}}); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	pairs = []Pair{{Exact: 1, Sigma: math.NaN()}, {Exact: 2, Sigma: math.NaN(), Bias: .5}}
	if got, want := fmt.Sprint(band(pairs)), fmt.Sprint([]bin{{2, 2.25, 0}}); got != want {
		t.Errorf("biased, σ unknown: got %s, want %s", got, want)
	}
	if got := band(nil); got != nil {
		t.Errorf("no pairs: got %v", got)
	}
}

func TestHistogram(t *testing.T) {
	at := func(z float64) Pair { return Pair{Exact: 1, Estimate: 1 + z/2, Sigma: .5} }
	got := Histogram([]Pair{at(-9), at(-4), at(-.25), at(0), at(.25), at(3.9), at(9),
		{Exact: 1, Estimate: 2, Sigma: 0}})
	want := [zBins]int{0: 2, 7: 1, 8: 2, 15: 2}
	if got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func someReport(n int) *Report {
	random := splitmix.Source(5)
	r := &Report{}
	for range n {
		exact := random.Between(1, 4)
		r.Pairs = append(r.Pairs, Pair{Exact: exact, Estimate: exact + random.Between(-.3, .3), Sigma: .15})
	}
	return r
}

// TestScatterSVG: each pair has a dot, and wide pictures a histogram. In ui, TestPictureSVG looks at all that is drawn.
func TestScatterSVG(t *testing.T) {
	for _, width := range []float64{300, 1040, 2400} {
		for _, n := range []int{0, 1, 2, 2000} {
			svg := someReport(n).SVG(lesson.Size{Width: width, Height: 380, Em: 13}, `2 < 3 & "so"`, n == 2)
			if got := strings.Count(svg, "h0"); n > 0 && got != n+1 { // one in the legend
				t.Errorf("%v pixels: %d dots for %d pairs", width, got-1, n)
			}
			if got, want := strings.Contains(svg, `class="bars"`), width > 500 && n > 0; got != want {
				t.Errorf("%v pixels, %d pairs: histogram %v, want %v", width, n, got, want)
			}
		}
	}
}

var tickLabel = regexp.MustCompile(`<text x="([0-9.]+)" y="([0-9.]+)" text-anchor="middle">([^<]*)<`)

// TestTickLabels: large numbers have one notation, and labels do not overlap.
func TestTickLabels(t *testing.T) {
	for _, size := range []lesson.Size{{Width: 300, Height: 260, Em: 12}, {Width: 1040, Height: 380, Em: 13}} {
		for _, scale := range []float64{1, 1e3, 1.3e6, 3e6, 1e9, 1e-4} {
			r := someReport(50)
			for i := range r.Pairs {
				r.Pairs[i] = Pair{Exact: scale * r.Pairs[i].Exact, Estimate: scale * r.Pairs[i].Estimate, Sigma: scale}
			}
			labels := tickLabel.FindAllStringSubmatch(r.SVG(size, "", false), -1)
			free, powers := 0.0, 0
			for _, label := range labels {
				x, _ := strconv.ParseFloat(label[1], 64)
				half := draw.TextWidth(label[3], size.Em) / 2
				if x-half < free || x+half > size.Width {
					t.Errorf("%v, up to %v: %q overlaps", size, 4*scale, label[3])
				}
				if free = x + half; strings.Contains(label[3], "×") {
					powers++
				}
			}
			if len(labels) < 2 || powers > 0 && powers < len(labels) {
				t.Errorf("%v, up to %v: %q", size, 4*scale, labels)
			}
		}
	}
}

// TestBiasedLegend: the band is around the bias where there is one.
func TestBiasedLegend(t *testing.T) {
	slow.Elsewhere(t)
	size := lesson.Size{Width: 1040, Height: 380, Em: 13}
	for bias, want := range map[float64]bool{0: false, .001: false, .1: true} {
		r := someReport(50)
		r.Sigma, r.Bias = .15, bias
		svg := r.SVG(size, "", false)
		if strings.Contains(svg, ">bias ± 2σ<") != want || strings.Contains(svg, "(error − bias)") != want ||
			strings.Contains(svg, ">±2σ<") == want {
			t.Errorf("bias %v: %s", bias, svg)
		}
	}
}

// TestUnknown: without σ there is neither a band nor a histogram.
func TestUnknown(t *testing.T) {
	r := someReport(100)
	for i := range r.Pairs {
		r.Pairs[i].Sigma = math.NaN()
	}
	r.Kind = sketch.Unknown
	svg := r.SVG(lesson.Size{Width: 1040, Height: 380, Em: 13}, "", false)
	if strings.Contains(svg, "NaN") || strings.Contains(svg, "σ") || strings.Contains(svg, `class="bars"`) ||
		strings.Contains(svg, `class="band"`) || !strings.Contains(svg, "100\u00a0pairs") {
		t.Errorf("got %s", svg)
	}
}
