package buckets

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/splitmix"
	"tensorsketch.example/ui/internal/vector"
)

// sizes are the sizes of phones, desks and projectors.
func sizes(p *Picture) []lesson.Size {
	return []lesson.Size{p.Fit(270, 600, 15), p.Fit(320, 640, 13), p.Fit(441, 640, 13), p.Fit(443, 640, 13),
		p.Fit(700, 500, 13), p.Fit(1100, 900, 14), p.Fit(3000, 1800, 13),
		p.Fit(3000, 1800, 34)}
}

func TestFit(t *testing.T) {
	p := picture(t, opening())
	for _, test := range []struct{ width, window, em, want float64 }{
		{900, 2000, 14, 504},
		{900, 714, 14, 350}, // 714 − 26·14
		{900, 400, 14, 336}, // 24 em
		{320, 640, 13, 793}, // 36 em, and 25 em of the panel
	} {
		if got, want := p.Fit(test.width, test.window, test.em),
			(lesson.Size{Width: test.width, Height: test.want, Em: test.em}); math.Abs(got.Height-want.Height) > 1e-9 ||
			got.Width != want.Width || got.Em != want.Em {
			t.Errorf("%+v: got %+v", test, got)
		}
	}
}

// pathsOf returns what is drawn of each class.
func pathsOf(svg string) map[string]string {
	paths := map[string]string{}
	for _, path := range regexp.MustCompile(`<path class="([^"]*)" d="([^"]*)"`).FindAllStringSubmatch(svg, -1) {
		paths[path[1]] += path[2]
	}
	return paths
}

var barIn = regexp.MustCompile(`M[0-9.]+ ([0-9.]+)h[0-9.]+V([0-9.]+)`)

// TestBlocks: from zero the blocks of a bucket reach as far as the terms of its
// sign add up to, and the bar beside as far as its value.
func TestBlocks(t *testing.T) {
	random := splitmix.Source(5)
	for range 50 {
		p := picture(t, someParams(&random))
		size := p.Fit(1100, 900, 14)
		l := p.layout(size)
		scale := l.wells.Up(-l.limit, l.limit)
		up, down, high, low := 0.0, 0.0, 0.0, 0.0
		ups, downs := make([]float64, p.p.NComponents), make([]float64, p.p.NComponents)
		for i, k := range p.slot[:p.p.Step] {
			ups[k] += max(p.contribution(i), 0)
			downs[k] += min(p.contribution(i), 0)
			up, down = max(up, ups[k]), min(down, downs[k])
		}
		for _, value := range p.cx {
			high, low = max(high, float64(value)), min(low, float64(value))
		}
		drawn := pathsOf(p.SVG(size, lesson.Item{}, false))
		check := func(class string, sign, want float64) {
			t.Helper()
			if p.focusOn(lesson.Item{}).bucket >= 0 || want == 0 {
				return
			}
			top, bottom := math.Inf(1), math.Inf(-1)
			for _, bar := range barIn.FindAllStringSubmatch(drawn[class], -1) {
				from, _ := strconv.ParseFloat(bar[1], 64)
				to, _ := strconv.ParseFloat(bar[2], 64)
				if from > l.wells.Top-1 { // the signs are above
					top, bottom = min(top, from, to), max(bottom, from, to)
				}
			}
			got := top
			if sign < 0 {
				got = bottom
			}
			if math.Abs(got-scale.At(want)) > .7 {
				t.Errorf("%s reaches %v, want %v", class, got, scale.At(want))
			}
		}
		check("plus", 1, up)
		check("minus", -1, down)
		check("net", 1, high)
		check("net", -1, low)
	}
}

// TestFocus: what belongs together stands out, and nothing else.
func TestFocus(t *testing.T) {
	params := opening()
	count := func(path string) int { return strings.Count(path, "C") }
	for _, test := range []struct {
		step                 int
		look                 lesson.Item
		plain, faint, strong int // wires
	}{
		{16, lesson.Item{}, 16, 0, 0},
		{16, lesson.Item{Kind: lesson.Bucket, I: 4}, 0, 13, 3},
		{16, lesson.Item{Kind: lesson.Coordinate, I: 9}, 0, 13, 3},
		{16, lesson.Item{Kind: lesson.Bucket, I: 99}, 16, 0, 0},
		{0, lesson.Item{}, 0, 0, 0},
		{9, lesson.Item{}, 0, 7, 2},
		{5, lesson.Item{}, 0, 4, 1},
		{5, lesson.Item{Kind: lesson.Bucket, I: 4}, 0, 4, 3}, // coordinate 4, and two still to fall
	} {
		params.Step = test.step
		p := picture(t, params)
		paths := pathsOf(p.SVG(p.Fit(900, 900, 14), test.look, false))
		sample := 2 // wires in the legend
		plain := count(paths["wire"]) + count(paths["wire minus"])
		faint := count(paths["wire faint"]) + count(paths["wire minus faint"])
		strong := count(paths["wire strong"]) + count(paths["wire minus strong"])
		if strings.Count(paths["wire"]+paths["wire minus"], "L") != sample || plain != test.plain || faint != test.faint ||
			strong != test.strong {
			t.Errorf("%+v: got %d plain, %d faint, %d strong", test, plain, faint, strong)
		}
	}
}

// TestMarks: a narrow bucket is shaded as wide as it is, its texts as wide as they
// are.
func TestMarks(t *testing.T) {
	params := opening()
	params.X, params.NComponents, params.Step = vector.Preset(vector.Random, 64, 0), 128, 64
	p := picture(t, params)
	size := p.Fit(900, 900, 14)
	item := lesson.Item{Kind: lesson.Bucket, I: 50}
	r := lesson.Bounds(p.Areas(size), item)
	path := regexp.MustCompile(`class="mark" d="M([0-9.]+) ` +
		`[0-9.]+H([0-9.]+)V[0-9.]+H([0-9.]+)V`).FindStringSubmatch(p.SVG(size, item, false))
	if path == nil {
		t.Fatal("no mark")
	}
	half, middle := draw.TextWidth("50", 14)/2+.5*14, r.X+r.Width/2
	for k, want := range []float64{middle - half, middle + half, r.X + r.Width} {
		if got, _ := strconv.ParseFloat(path[k+1], 64); math.Abs(got-want) > .06 {
			t.Errorf("number %d is %v, want %v", k, got, want)
		}
	}
}

// TestLegend: it says what blocks mean where there is room.
func TestLegend(t *testing.T) {
	p := picture(t, opening())
	for width, want := range map[float64]bool{320: false, 1100: true} {
		if got := strings.Contains(p.SVG(p.Fit(width, 900, 14), lesson.Item{}, false), ">takes away<"); got != want {
			t.Errorf("%v pixels: got %v", width, got)
		}
	}
}
