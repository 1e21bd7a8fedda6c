package convolution

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/vector"
)

var zero lesson.Item

// TestCells: without the cells, which Paint paints, the picture has few nodes;
// standing alone it has them all.
func TestCells(t *testing.T) {
	p := Params{X: vector.Preset(vector.Random, 64, 0), NComponents: 128, Degree: 2, Seed: sketch.IntSeed(7),
		Show: Products, Step: 128}
	c := made(t, p, nil)
	size := c.Fit(1100, 800, 13)
	if nodes := strings.Count(c.SVG(size, zero, false), "<"); nodes > 900 {
		t.Errorf("%d nodes", nodes)
	}
	drawn := strings.Count(c.SVG(size, zero, true), "M") - strings.Count(c.SVG(size, zero, false), "M")
	want := 0
	for i := range 128 {
		for j := range 128 {
			if c.matrix.set(i, j) {
				want++
			}
			if c.matrix.bucket(i, j) == c.top() { // its wash
				want++
			}
		}
	}
	if drawn != want+strings.Count(draw.Style, "M") {
		t.Errorf("%d cells are drawn, want %d", drawn, want)
	}
}

// TestMark: what is looked at is shaded as wide as it is, its number as wide as
// that is.
func TestMark(t *testing.T) {
	c := made(t, Params{X: vector.Preset(vector.Random, 64, 0), NComponents: 128, Degree: 2, Show: Products, Step: 128},
		nil)
	size := c.Fit(1100, 800, 13)
	r := lesson.Bounds(c.Areas(size), lesson.Item{Kind: lesson.Bucket, I: 100})
	path := regexp.MustCompile(`<path class="mark" d="M([0-9.]+) ` +
		`[0-9.]+H([0-9.]+)V[0-9.]+H([0-9.]+)V`).FindStringSubmatch(c.SVG(size, lesson.Item{Kind: lesson.Bucket, I: 100},
		false))
	if path == nil {
		t.Fatal("no mark")
	}
	for k, want := range []float64{r.X, r.X + r.Width, r.X + r.Width/2 + draw.TextWidth("100", 13)/2 + .4*13} {
		if got, _ := strconv.ParseFloat(path[k+1], 64); got < want-.06 || got > want+.06 {
			t.Errorf("number %d is %v, want %v", k, got, want)
		}
	}
}

// TestSteps: the buckets that are computed have bars, the others do not; the
// inverse transform waits for all frequencies.
func TestSteps(t *testing.T) {
	p := Params{X: vector.Preset(vector.Random, 12, 0), NComponents: 12, Degree: 2, Seed: sketch.IntSeed(42),
		Show: Products}
	for p.Step = range 13 {
		if got := made(t, p, nil).computed(); got != p.Step {
			t.Errorf("products, step %d: %d buckets", p.Step, got)
		}
		p.Show = Frequencies
		c := made(t, p, nil)
		want := 0
		if p.Step >= 7 {
			want = 12
		}
		if got := c.computed(); got != want || c.p.Step != min(p.Step, 7) {
			t.Errorf("frequencies, step %d: %d buckets", c.p.Step, got)
		}
		p.Show = Products
	}
}

// TestRelate: a bucket's relatives are the pairs that meet in it.
func TestRelate(t *testing.T) {
	p := Params{X: vector.Preset(vector.Random, 12, 0), NComponents: 12, Degree: 2, Seed: sketch.IntSeed(42),
		Show: Products, Step: 12}
	for _, p.Show = range []View{Products, Coordinates} {
		c := made(t, p, nil)
		for k := range 12 {
			r := c.relate(lesson.Item{Kind: lesson.Bucket, I: k})
			rows, columns := make([]level, 12), make([]level, 12)
			for i := range 12 {
				for j := range 12 {
					meets := (i+j)%12 == k
					if p.Show == Coordinates {
						meets = (c.cache.tables.bucket[0][i]+c.cache.tables.bucket[1][j])%12 == k
					}
					if got := c.cell(r.focus, i, j) == strong; got != meets {
						t.Errorf("%s, bucket %d: cell (%d, %d) is marked: %v", p.Show, k, i, j, got)
					}
					if meets && c.matrix.first[i] != 0 && c.matrix.second[j] != 0 {
						rows[i], columns[j] = strong, strong
					}
				}
			}
			if !slices.Equal(r.first, rows) || !slices.Equal(r.second, columns) || r.buckets[k] != strong {
				t.Errorf("%s, bucket %d: got %v, %v, want %v, %v", p.Show, k, r.first, r.second, rows, columns)
			}
		}
	}
	p.Show = Products
	c := made(t, p, nil)
	for i := range 12 {
		r := c.relate(lesson.Item{Kind: lesson.Coordinate, I: i})
		for m := range 12 {
			if got, want := r.first[m] == strong, m == c.cache.tables.bucket[0][i]; got != want {
				t.Errorf("coordinate %d: %d on the first edge is marked: %v", i, m, got)
			}
			if got, want := r.second[m] == strong, m == c.cache.tables.bucket[1][i]; got != want {
				t.Errorf("coordinate %d: %d on the second edge is marked: %v", i, m, got)
			}
		}
	}
}
