package convolution

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/bars"
	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/vector"
)

// inked collects what is painted in a cell: the colours with their opacities.
func inked(pixels []byte, side int, i, j, n int) map[[4]byte]int {
	seen := map[[4]byte]int{}
	for y := j * side / n; y < (j+1)*side/n; y++ {
		for x := i * side / n; x < (i+1)*side/n; x++ {
			if p := pixels[4*(y*side+x):]; p[3] != 0 {
				seen[[4]byte(p)]++
			}
		}
	}
	return seen
}

// TestPaint: cells have the colour of their buckets, zeros none; plus and minus
// of the same size differ in ink.
func TestPaint(t *testing.T) {
	for _, n := range []int{4, 12, 60, 128} {
		p := Params{X: vector.Preset(vector.Random, min(n, 64), 0), NComponents: n, Degree: 2, Seed: sketch.IntSeed(5),
			Show: Products, Step: n}
		c := made(t, p, nil)
		size := c.Fit(1100, 800, 13)
		scale := float64(n) * 8 / c.layout(size).square.Width // whole pixels per cell
		part, width, height, pixels := c.Paint(size, zero, scale, false, nil)
		if part != c.layout(size).square || width != height || len(pixels) != 4*width*height || width != 8*n {
			t.Fatalf("D = %d: %d × %d pixels for %v", n, width, height, part)
		}
		for i := range n {
			for j := range n {
				seen := inked(pixels, width, i, j, n)
				hue := draw.Hue((i+j)%n, n)
				if (i+j)%n == c.top() { // washed
					delete(seen, [4]byte{20, 24, 26, 20})
				}
				if !c.matrix.set(i, j) {
					if len(seen) != 0 {
						t.Fatalf("D = %d: cell (%d, %d) is zero and has %v", n, i, j, seen)
					}
					continue
				}
				if len(seen) != 1 {
					t.Fatalf("D = %d: cell (%d, %d) has %v", n, i, j, seen)
				}
				for colour := range seen {
					if (draw.RGB{R: colour[0], G: colour[1], B: colour[2]}) != hue {
						t.Fatalf("D = %d: cell (%d, %d) has %v, want %v", n, i, j, colour, hue)
					}
				}
			}
		}
	}
}

// TestPaintParts: complex cells have their real part on the left and the imaginary
// one on the right, each where it is not zero.
func TestPaintParts(t *testing.T) {
	p := Params{X: vector.Preset(vector.Random, 6, 0), Method: sketch.MethodComplexTensorSketch, NComponents: 8, Degree: 2,
		Seed: sketch.IntSeed(5), Show: Products, Step: 3}
	for _, p.Show = range []View{Products, Coordinates} {
		c := made(t, p, nil)
		n, halves := c.matrix.size, [2]int{}
		size := c.Fit(1100, 800, 13)
		scale := float64(n) * 40 / c.layout(size).square.Width // whole pixels per cell
		_, side, _, pixels := c.Paint(size, lesson.Item{Kind: lesson.Coordinate}, scale, false, nil)
		for i := range n {
			for j := range n {
				for part := range 2 {
					seen := map[[4]byte]int{}
					for y := 40 * j; y < 40*j+40; y++ {
						for x := 40*i + 20*part; x < 40*i+20*part+20; x++ {
							if at := pixels[4*(y*side+x):]; at[3] != 0 && at[3] != 20 {
								seen[[4]byte(at)]++
							}
						}
					}
					want := math.Abs(bars.Part(c.matrix.value(i, j), part)) > 1e-5
					if (len(seen) > 0) != want {
						t.Errorf("%s: part %d of cell (%d, %d), %v, has %v", p.Show, part, i, j, c.matrix.value(i, j), seen)
					}
					if want {
						halves[part]++
					}
				}
			}
		}
		if halves[0] == 0 || halves[1] == 0 {
			t.Errorf("%s: %v parts: the test is empty", p.Show, halves)
		}
	}
}

// TestWash: at the end the largest bucket is marked softly and nothing is faint;
// while stepping, and where something is looked at, it is not.
func TestWash(t *testing.T) {
	p := Params{X: vector.Preset(vector.Random, 10, 0), NComponents: 12, Degree: 2, Seed: sketch.IntSeed(42),
		Show: Products, Step: 12}
	for _, p.Show = range []View{Products, Coordinates} {
		p.Step = 12
		c := made(t, p, nil)
		size := c.Fit(1100, 800, 13)
		look := lesson.Item{Kind: lesson.Bucket, I: 3}
		want := 3
		if p.Show == Products {
			want++ // the products in x ⊗ x
		}
		if svg := c.SVG(size, zero, true); strings.Count(svg, `class="wash"`) != want || strings.Contains(svg, `faint"`) {
			t.Errorf("%s: %d parts are washed", p.Show, strings.Count(svg, `class="wash"`))
		}
		scale := float64(c.matrix.size) * 40 / c.layout(size).square.Width // whole pixels per cell
		_, side, _, pixels := c.Paint(size, zero, scale, false, nil)
		for i := range c.matrix.size {
			for j := range c.matrix.size {
				seen := inked(pixels, side, i, j, c.matrix.size)[[4]byte{20, 24, 26, 20}] > 0
				if want := c.matrix.bucket(i, j) == c.top(); seen != want && !c.matrix.set(i, j) {
					t.Errorf("%s: cell (%d, %d) is washed: %v", p.Show, i, j, seen)
				}
			}
		}
		if got, want := c.View(zero).Sum, c.bucketSum(c.top()); got != want ||
			c.View(zero).Cards[0].Value != strconv.Itoa(c.top()) || c.View(zero).StepLabel != "step 12 of 12" {
			t.Errorf("%s: got %+v", p.Show, c.View(zero))
		}
		p.Step = 11
		for what, svg := range map[string]string{"look": c.SVG(size, look, false),
			"step": made(t, p, nil).SVG(size, zero, false)} {
			if strings.Contains(svg, `class="wash"`) {
				t.Errorf("%s, %s: something is washed", p.Show, what)
			}
		}
	}
	p.X, p.Step = make([]float64, 4), 12
	if c := made(t, p, nil); c.washed(zero) >= 0 {
		t.Error("an empty bucket is washed")
	}
}

// TestSigns: in every size of cells a minus has fewer pixels than a plus, on
// screens of 1 and 2 pixels per CSS pixel.
func TestSigns(t *testing.T) {
	for _, pitch := range []float64{1.8, 2, 2.5, 3, 4, 5, 6, 7, 9, 14, 30} {
		for _, zoom := range []float64{1, 2} {
			for _, parts := range []float64{1, 2} {
				for _, value := range []float64{.3, 1} {
					ink := func(value float64) (count int) {
						r := &raster{side: 200, pixels: make([]byte, 4*200*200)}
						r.fill(shapeOf(pitch, pitch, pitch/parts, pitch, value, 1), zoom, draw.RGB{}, 255)
						for k := 3; k < len(r.pixels); k += 4 {
							count += int(r.pixels[k] / 255)
						}
						return count
					}
					if plus, minus := ink(value), ink(-value); minus >= plus || minus == 0 {
						t.Errorf("pitch %v in %v, zoom %v, value %v: plus has %d pixels, minus %d", pitch, parts, zoom, value, plus,
							minus)
					}
				}
			}
		}
	}
}

// TestPaintFocus: what does not belong to the item in focus is painted more
// faintly; the memory is used again; a large screen gets no more than mostPixels.
func TestPaintFocus(t *testing.T) {
	p := Params{X: vector.Preset(vector.Random, 12, 0), NComponents: 12, Degree: 2, Seed: sketch.IntSeed(5),
		Show: Products, Step: 12}
	c := made(t, p, nil)
	size := c.Fit(1100, 800, 13)
	_, side, _, pixels := c.Paint(size, lesson.Item{Kind: lesson.Bucket, I: 5}, 2, true, nil)
	for i := range 12 {
		for j := range 12 {
			seen := inked(pixels, side, i, j, 12)
			hue := draw.Hue((i+j)%12, 12)
			full := seen[[4]byte{hue.R, hue.G, hue.B, 255}]
			if want := c.matrix.set(i, j) && (i+j)%12 == 5; (full > 0) != want {
				t.Errorf("cell (%d, %d) has %v", i, j, seen)
			}
		}
	}
	_, _, _, again := c.Paint(size, zero, 1, false, pixels)
	if &again[0] != &pixels[0] {
		t.Error("the memory is not used again")
	}
	if _, width, height, _ := c.Paint(size, zero, 9, false, nil); width != mostPixels || height != mostPixels {
		t.Errorf("%d × %d pixels", width, height)
	}
	p.Show = Frequencies
	if part, width, height, pixels := made(t, p, nil).Paint(size, zero, 1, false, again); part != (lesson.Rect{}) ||
		width != 0 || height != 0 || len(pixels) != 0 {
		t.Errorf("frequencies: %v, %d × %d", part, width, height)
	}
}
