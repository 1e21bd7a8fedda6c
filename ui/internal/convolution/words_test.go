package convolution

import (
	"math/cmplx"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/vector"
)

// TestWords: the texts of a known state; the sums written out are added up again
// from what they say.
func TestWords(t *testing.T) {
	p := Params{X: vector.Preset(vector.Random, 12, 0), NComponents: 12, Degree: 2, Seed: sketch.IntSeed(42),
		Show: Products, Step: 6}
	c := made(t, p, nil)
	v := c.View(zero)
	if want := "k = 5, step 6 of 12"; v.StepLabel != want {
		t.Errorf("got %s, want %s", v.StepLabel, want)
	}
	if want := "Two sketches convolve into the sketch of all products"; v.Title != want {
		t.Errorf("got %s, want %s", v.Title, want)
	}
	if c.View(lesson.Item{Kind: lesson.Bucket, I: 5}).Sum != v.Sum {
		t.Error("looking at the bucket of the step changes the sum")
	}
	p.NComponents, p.Step = 5, 5
	checkSums(t, made(t, p, nil))
}

// checkSums adds the sums up again that are short enough to be written in full.
func checkSums(t *testing.T, c *Picture) {
	t.Helper()
	complexOf := func(text string) (z complex128) {
		for _, part := range regexp.MustCompile(`(− ?)?[0-9.]+i?`).FindAllString(text, -1) {
			digits, imaginary := strings.CutSuffix(part, "i")
			x, err := strconv.ParseFloat(strings.NewReplacer("−", "-", " ", "").Replace(digits), 64)
			if err != nil {
				t.Fatal(err)
			}
			if imaginary {
				z += complex(0, x)
			} else {
				z += complex(x, 0)
			}
		}
		return z
	}
	product := regexp.MustCompile(`((?:− ?)?[0-9.]+i?|\([^)]*\))·([0-9.]+i?|\([^)]*\))`)
	read := 0
	for k := range c.p.buckets() {
		terms, total, _ := strings.Cut(strings.TrimPrefix(c.bucketSum(k), "bucket "+strconv.Itoa(k)+" = "), " = ")
		if strings.Contains(terms, "…") || total == "" {
			continue
		}
		sum := complex128(0)
		for _, pair := range product.FindAllStringSubmatch(terms, -1) {
			sum += complexOf(pair[1]) * complexOf(pair[2])
		}
		if cmplx.Abs(sum-complexOf(total)) > 1e-9 {
			t.Errorf("%s: the terms add up to %v", c.bucketSum(k), sum)
		}
		read++
	}
	if read < 3 {
		t.Errorf("%d sums were written in full", read)
	}
}

// TestStageWords: of several convolutions the title counts, the card of σ names the
// sketch that it is of, and both parts of what the FFT gives have as many decimals.
func TestStageWords(t *testing.T) {
	p := Params{X: vector.Preset(vector.Random, 10, 0), Method: sketch.MethodComplexTensorSketch, NComponents: 12,
		Degree: 4, Stage: 1, Seed: sketch.IntSeed(42), Show: Products, Step: 6}
	for stage, want := range map[int][2]string{
		1: {"Two complex sketches convolve into the sketch of all products (1 of 3)", "σ of ‖C₁x ∗ C₂x‖²"},
		2: {"Three complex sketches convolve into the sketch of all products of three (2 of 3)", "σ of ‖C₁x ∗ C₂x ∗ C₃x‖²"},
		3: {"Four complex sketches convolve into the sketch of all products of four (3 of 3)", "σ of ‖f(x)‖²"},
	} {
		p.Stage = stage
		c := made(t, p, nil)
		if v := c.View(zero); v.Title != want[0] || c.sigmaCard().Title != want[1] {
			t.Errorf("stage %d: %q, %q", stage, v.Title, c.sigmaCard().Title)
		}
	}
	p.Stage = 1
	c := made(t, p, nil)
	for z, want := range map[complex128]string{complex(1.3848, .3664): "1.384800 + 0.366400i",
		complex(-.25, 12): "−0.25000 + 12.00000i", 2: "2.000000", 1e9i: "1.000000×10⁹i"} {
		if got := c.transformed([]complex128{z}, 0); got != want {
			t.Errorf("%v: got %s, want %s", z, got, want)
		}
	}
}

// TestTwinWords: the texts of complex features; their sums, written out, are added up
// again, and σ of both methods is shown, with what the signs save.
func TestTwinWords(t *testing.T) {
	p := Params{X: vector.Preset(vector.Random, 10, 0), Method: sketch.MethodComplexTensorSketch, NComponents: 12,
		Degree: 2, Seed: sketch.IntSeed(42), Show: Products, Step: 6, Question: 3}
	c := made(t, p, nil)
	for got, want := range map[string]string{
		c.View(zero).Title:     "Two complex sketches convolve into the sketch of all products",
		c.View(zero).StepLabel: "step 6 of 6",
		c.bucketSum(3): "bucket 3 = 0.53i·(0.68 − 0.84i) + (−0.12i)·(−0.05) + (−0.56i)·0.70i + " +
			"0.74·0.74 = 1.3848 + 0.3664i",
		c.cellProduct(1, 2): "C₁x[1]·C₂x[2] = (−0.12i)·(−0.05) = 0.0060i → bucket (1 + 2) mod 6 = 3. " +
			"It holds −ix₁x₂ + ix₁x₃ + … 9 more … + ix₈x₇",
	} {
		if got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
	checkSums(t, c)
	card := c.View(zero).Cards[3]
	twin, err := sketch.NewTensorFormulas(sketch.Params{Method: p.Method, NFeatures: 10, NComponents: 12})
	if err != nil {
		t.Fatal(err)
	}
	sigma, _ := twin.StdError(p.X, p.X)
	if card.ID != "sigma" || card.Value != format.Number(sigma, 3) ||
		card.Note != "tensor sketch: 3.61; saves 4.6 % of its variance" {
		t.Errorf("σ: %+v, want %v", card, sigma)
	}
	if answer := c.View(zero).Questions[2].Answer; !strings.Contains(answer, "σ = 3.52") ||
		!strings.Contains(answer, "has 3.61") || !strings.Contains(answer,
		"4.6 % of the variance at p = 2. With D = 4,096 it is ") {
		t.Errorf("the gain: %s", answer)
	}
	p.X = vector.Preset(vector.OneHot, 10, 0)
	c = made(t, p, nil)
	if got := c.View(zero).Questions[2].Answer; !strings.HasPrefix(got, "Here nothing: ") ||
		c.View(zero).Cards[3].Note != "tensor sketch: 0" {
		t.Errorf("one-hot: %s, %+v", got, c.View(zero).Cards[3])
	}
	p.Show = Frequencies
	if svg := made(t, p, nil).SVG(c.Fit(1100, 800, 13), zero, false); !strings.Contains(svg,
		"no frequency mirrors another") {
		t.Error("the legend of the frequencies speaks of mirrors")
	}
}

// TestItems: the cards are about the item looked at.
func TestItems(t *testing.T) {
	p := Params{X: vector.Preset(vector.Random, 10, 0), NComponents: 12, Degree: 2, Seed: sketch.IntSeed(42),
		Show: Products, Step: 12}
	c := made(t, p, nil)
	for _, test := range []struct {
		kind         lesson.Kind
		title, pairs string
	}{{lesson.Coordinate, "Coordinate", "23"}, {lesson.First, "Column m", "12"}, {lesson.Second, "Row n", "12"}} {
		cards := c.View(lesson.Item{Kind: test.kind, I: 4}).Cards
		if cards[0].Title != test.title || cards[0].Value != "4" || cards[1].Value != test.pairs {
			t.Errorf("%s: got %+v", test.kind, cards)
		}
	}
	for m := range 12 {
		v := c.View(lesson.Item{Kind: lesson.First, I: m})
		if c.matrix.firstSet[m] && !strings.HasSuffix(v.Sum, " = "+v.Cards[2].Value) {
			t.Errorf("C₁x[%d] is %s, and %s", m, v.Cards[2].Value, v.Sum)
		}
	}
	p.Show = Frequencies
	c = made(t, p, nil)
	if got, want := c.bucketSum(9), "bucket 9 = (1/12) Σ Z[f]·e^(2πi·9f/12) ≈ "; !strings.HasPrefix(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := c.View(lesson.Item{Kind: lesson.Coordinate, I: 4}).Cards[0]; got.Title != "Coordinate" {
		t.Errorf("got %+v", got)
	}
	want := []lesson.Change{{Name: "view", Text: "frequencies"}, {Name: "step", Text: "12"}, {Name: "at", Text: "f1"}}
	if got := c.View(zero).Questions[1].Changes; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestOne: with one coordinate and one bucket no text counts them as many.
func TestOne(t *testing.T) {
	wrong := regexp.MustCompile(`\ball 1\b|\b1[ \x{a0}](pair|product|bucket|step)s\b|1 of the 1\b|\b1 pair[^.]* ` +
		`meet\b|1 are\b|its 1\b|none of the 1[^0-9,]`)
	for _, show := range views {
		for _, d := range []int{1, 2, 3} {
			for _, n := range []int{1, 2, 3} {
				for _, degree := range []int{2, 3} {
					for _, step := range []int{0, n} {
						p := Params{X: vector.Preset(vector.Random, d, 0), NComponents: n, Degree: degree, Stage: degree - 1, Show: show,
							Step: step}
						for p.Question = range 4 {
							c := made(t, p, nil)
							looks := []lesson.Item{zero}
							groups := c.Groups()
							if p.Question > 0 { // the answers are the same wherever one looks
								groups = nil
							}
							for _, g := range groups {
								for k := range g.Rows * g.Columns {
									looks = append(looks, lesson.Item{Kind: g.Kind, I: k % g.Columns, J: k / g.Columns})
								}
							}
							for _, look := range looks {
								text := c.Describe(look)
								v := c.View(look)
								text += " | " + v.Lede + " | " + v.Sum + " | " + v.Summary
								for _, card := range v.Cards {
									text += " | " + card.Value + " " + card.Unit + " | " + card.Note
								}
								for _, q := range v.Questions {
									text += " | " + q.Answer
								}
								if look == zero {
									text += " | " + c.SVG(c.Fit(1000, 800, 13), look, false)
								}
								if found := wrong.FindString(text); found != "" {
									t.Fatalf("%s, look %v: %q in %s", named(p), look, found, text)
								}
							}
						}
					}
				}
			}
		}
	}
}

// TestLegend: what the picture says of its shapes is what it draws.
func TestLegend(t *testing.T) {
	for _, test := range []struct {
		components int
		want       string
	}{{128, "flat −"}, {12, "hollow −"}} {
		c := made(t, Params{X: vector.Preset(vector.Random, 64, 0), NComponents: test.components, Degree: 2, Show: Products},
			nil)
		svg := c.SVG(c.Fit(1100, 800, 13), zero, false)
		if !strings.Contains(svg, test.want) {
			t.Errorf("D = %d: no %q", test.components, test.want)
		}
	}
}
