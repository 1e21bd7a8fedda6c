package buckets

import (
	"errors"
	"math"
	"strings"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/bars"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/splitmix"
	"tensorsketch.example/ui/internal/vector"
)

// opening are the parameters the place opens with.
func opening() Params {
	return Params{X: vector.Preset(vector.Random, 16, 0), NComponents: 8, Seed: sketch.IntSeed(42), Hash: sketch.HashSeed,
		ShowY: true, Angle: 35, Step: 16}
}

func picture(t *testing.T, p Params) *Picture {
	t.Helper()
	made, err := New(p, nil)
	if err != nil {
		t.Fatalf("%+v: %v", p, err)
	}
	return made
}

// someParams draws any parameters of the place.
func someParams(random *splitmix.Source) Params {
	d := 1 + random.Below(vector.Most)
	p := Params{X: vector.Preset(bars.Presets[random.Below(len(bars.Presets))].Value, d, random.Below(5)),
		NComponents: 1 + random.Below(128),
		Seed:        sketch.IntSeed(random.Uint64() >> 33), Hash: sketch.HashSeed, ShowY: random.Below(2) == 0,
		Angle: float64(random.Below(181)),
		Step:  d, Question: random.Below(4)}
	if random.Below(2) == 0 {
		p.NComponents = 1 + random.Below(8)
	}
	if random.Below(2) == 0 {
		p.Step = random.Below(d + 1)
	}
	switch random.Below(3) {
	case 0:
		p.Hash = sketch.HashRandomState
	case 1:
		p.Method, p.NComponents = sketch.MethodComplexTensorSketch, p.NComponents+p.NComponents%2
	}
	return p
}

// TestTwin: at degree 1 the complex sketch has the error of the count sketch with as
// many numbers, and says so; its words and its table have both parts.
func TestTwin(t *testing.T) {
	params := opening()
	params.Method = sketch.MethodComplexTensorSketch
	p := picture(t, params)
	plain := picture(t, opening())
	if math.Abs(p.sigma-plain.sigma) > 1e-12 || p.n() != 4 {
		t.Errorf("σ is %v with %d buckets, want %v with 4", p.sigma, p.n(), plain.sigma)
	}
	v := p.View(lesson.Item{})
	if want := "the count sketch’s σ is " + p.value(plain.sigma) + " too"; !strings.Contains(v.Cards[1].Note, want) {
		t.Errorf("the estimate says %q, want %q", v.Cards[1].Note, want)
	}
	if got, want := v.Title, "Sixteen numbers fall into four complex buckets"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	signs := map[string]int{}
	for i := range params.X {
		signs[p.signText(i)]++
	}
	if len(signs) != 4 || signs["i"] == 0 || signs["−i"] == 0 || signs["1"] == 0 || signs["−1"] == 0 {
		t.Errorf("signs %v", signs)
	}
	apart := 0
	for i, k := range p.slot {
		for j := range i {
			if p.slot[j] != k && p.slot[j]/2 == k/2 {
				apart++
			}
		}
	}
	if got := p.harmless(); got != apart || apart == 0 {
		t.Errorf("%d collisions at right angles, want %d", got, apart)
	}
	table := p.Table()
	if got, want := strings.Join(table.Head, ";"),
		"i;x;y;h(i);s(i), Re;s(i), Im;s(i)x, Re;s(i)x, Im;fallen;Cx of h(i), Re;Cx of h(i), Im"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if _, err := New(Params{X: params.X, Method: params.Method, NComponents: 7}, nil); err == nil ||
		!strings.Contains(err.Error(), "nComponents must be even") {
		t.Errorf("D = 7: %v", err)
	}
}

// TestSteps: each step adds one coordinate to one bucket.
func TestSteps(t *testing.T) {
	params := opening()
	for _, params.Method = range []string{sketch.MethodTensorSketch, sketch.MethodComplexTensorSketch} {
		for step := range params.X {
			params.Step = step
			before := picture(t, params)
			params.Step = step + 1
			after := picture(t, params)
			for k := range before.cx {
				want := before.cx[k]
				if k == after.slot[step] {
					want += float32(after.contribution(step))
				}
				if math.Abs(float64(after.cx[k]-want)) > 1e-6 || after.before()[k] != before.cx[k] {
					t.Errorf("step %d, slot %d: %v, before %v; want %v, %v", step+1, k, after.cx[k], after.before()[k], want,
						before.cx[k])
				}
			}
		}
	}
}

// TestCache: what comes from a cache is what is made anew, whatever was in it.
func TestCache(t *testing.T) {
	random := splitmix.Source(2)
	cache := &Cache{}
	for range 100 {
		params := someParams(&random)
		for range 2 {
			cached, err := New(params, cache)
			if err != nil {
				t.Fatal(err)
			}
			size := cached.Fit(800, 900, 14)
			if got, want := cached.SVG(size, lesson.Item{}, false),
				picture(t, params).SVG(size, lesson.Item{}, false); got != want {
				t.Fatalf("%+v: another picture from the cache", params)
			}
			params.X = vector.Preset(vector.Zipf, len(params.X), 0)
		}
	}
	params := opening()
	if _, err := New(params, cache); err != nil {
		t.Fatal(err)
	}
	kept := cache.m
	params.X[3], params.Step, params.Angle = -.5, 7, 80
	if _, err := New(params, cache); err != nil || cache.m != kept {
		t.Errorf("a new map for a new x: %v", err)
	}
}

func TestErrors(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*Params)
		want   string
	}{
		"d": {func(p *Params) { p.X = nil }, "nFeatures must be an integer from 1 to 2147483647, got 0"},
		"D": {func(p *Params) { p.NComponents = 0 }, "nComponents must be an integer from 1 to 16777216, got 0"},
	} {
		params := opening()
		test.change(&params)
		_, err := New(params, nil)
		var core *sketch.Error
		if !errors.As(err, &core) || err.Error() != test.want {
			t.Errorf("%s: got %v, want %s", name, err, test.want)
		}
	}
}

// TestDrag: a value dragged to is the value there, and 0 is easy to hit. TestPictures drags beyond the strip.
func TestDrag(t *testing.T) {
	p := picture(t, opening())
	for _, size := range sizes(p) {
		scale := p.layout(size).strip.Up(-1, 1)
		for i, old := range p.p.X {
			for y, want := range map[float64]float64{scale.At(-1): -1, scale.At(-.5): -.5, scale.At(0) - 1.5: 0,
				scale.At(0) + 1.5: 0, scale.At(.25): .25, scale.At(old): old, scale.At(1): 1} {
				change, _ := p.Drag(size, lesson.Item{Kind: lesson.Coordinate, I: i}, 0, y)
				x, _ := vector.Parse(change.Text)
				if math.Abs(x[i]-want) > 1e-9 && !(x[i] == 0 && math.Abs(scale.At(0)-y) < 2) {
					t.Errorf("coordinate %d dragged to %v: got %v", i, want, x[i])
				}
			}
		}
	}
}

func TestNudge(t *testing.T) {
	params := opening()
	params.X = []float64{0, .98, -1, .35}
	params.Step = 4
	p := picture(t, params)
	for _, test := range []struct {
		i, by int
		want  string
	}{{0, 1, "0.05,0.98,-1,0.35"}, {0, -1, "-0.05,0.98,-1,0.35"}, {1, 1, "0,1,-1,0.35"}, {2, -1, "0,0.98,-1,0.35"},
		{2, 1, "0,0.98,-0.95,0.35"}, {3, -1, "0,0.98,-1,0.3"}} {
		change, ok := p.Nudge(lesson.Item{Kind: lesson.Coordinate, I: test.i}, test.by)
		if want := (lesson.Change{Name: "x", Text: test.want}); !ok || change != want {
			t.Errorf("%+v: got %+v, %v", test, change, ok)
		}
	}
	if params.X[0] != 0 {
		t.Error("nudging changed x itself")
	}
}

// TestWords is what a visitor reads at the opening.
func TestWords(t *testing.T) {
	params := opening()
	p := picture(t, params)
	v := p.View(lesson.Item{})
	for got, want := range map[string]string{
		v.Title:                         "Sixteen numbers fall into eight buckets",
		v.StepLabel:                     "step 16 of 16",
		v.Sum:                           "bucket 4 = x₄ − x₉ − x₁₂ = 0.68 − 0.17 − 0.97 = −0.46",
		title(1, 1, " bucket"):          "One number falls into one bucket",
		title(20, 1, " complex bucket"): "Twenty numbers fall into one complex bucket",
		title(64, 8, " bucket"):         "64 numbers fall into 8 buckets",
		p.View(lesson.Item{Kind: lesson.Bucket, I: 6}).Sum:     "bucket 6 = −x₀ − x₁₁ − x₁₄ = −0.41 − 0.80 − (−0.51) = −0.70",
		p.View(lesson.Item{Kind: lesson.Coordinate, I: 3}).Sum: "bucket 5 = x₃ = −0.15",
		p.Describe(lesson.Item{Kind: lesson.Coordinate,
			I: 9}): "coordinate 9 is 0.17 (y: −0.26) and falls into bucket 4 with sign −, where it meets coordinates 4 and 12",
		p.Describe(lesson.Item{Kind: lesson.Bucket,
			I: 5}): "bucket 5 holds coordinate 3: its value is −0.15 (for y: −0.62)",
		p.Describe(lesson.Item{Kind: lesson.Bucket, I: 8}): "",
		p.StepTo(99).Text: "16",
	} {
		if got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
	for step, want := range map[int]string{
		0: "no coordinate has fallen yet",
		1: "bucket 6 ← 0 − 0.41 = −0.41: x₀ = 0.41 with sign −",
		2: "bucket 2 ← 0 + 0.74 = 0.74: x₁ = −0.74 with sign −",
		9: "bucket 1 ← −0.48 − 0.10 = −0.58: x₈ = −0.10 with sign +",
	} {
		params.Step = step
		if got := picture(t, params).View(lesson.Item{}).Sum; got != want {
			t.Errorf("step %d: got %q, want %q", step, got, want)
		}
	}
	params.Step = 9
	if got, want := picture(t, params).bucketSum(6), "bucket 6 so far = −x₀ = −0.41"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := picture(t, params).bucketSum(3), "bucket 3 = 0 so far"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestSums: the arithmetic that is written is right, read as text.
func TestSums(t *testing.T) {
	random := splitmix.Source(3)
	for range 300 {
		p := picture(t, someParams(&random))
		group := p.Groups()[random.Below(len(p.Groups()))]
		look := []lesson.Item{{}, {Kind: group.Kind, I: random.Below(group.Columns)}}[random.Below(2)]
		sum := p.sum(look)
		if n := len([]rune(sum)); n > 112+12*(p.parts()-1) {
			t.Errorf("%d letters: %s", n, sum)
		}
		if strings.Contains(sum, "…") || !strings.ContainsAny(sum, "=←") || strings.Contains(sum, "= 0") &&
			!strings.Contains(sum, "= 0.") {
			continue
		}
		text, _, _ := strings.Cut(sum, ":")
		_, text, _ = strings.Cut(strings.ReplaceAll(text, "←", "="), "= ")
		parts := strings.Split(text, " = ")
		if !strings.Contains(sum, "←") {
			parts = parts[1:] // the symbols
		}
		value := evaluate(t, parts[0])
		if len(parts) > 1 && value != evaluate(t, parts[1]) {
			t.Errorf("%s: %v hundredths", sum, value)
		}
		k := p.focusOn(look).bucket
		if k < 0 {
			k = p.fullest()
		}
		z := p.valueOf(p.cx, k)
		if want := [2]int{int(math.Round(100 * real(z))), int(math.Round(100 * imag(z)))}; value != want {
			t.Errorf("%s: %v hundredths, want %v", sum, value, want)
		}
	}
}

// evaluate adds up "−0.35 + 0.80i − (−0.10)i" in hundredths, Re and Im.
func evaluate(t *testing.T, text string) (sum [2]int) {
	sign, part, n, begun := 1, 0, 0, false
	add := func() {
		sum[part] += sign * n
		sign, part, n, begun = 1, 0, 0, false
	}
	for _, word := range strings.Fields(strings.NewReplacer("(", " ( ", ")", " ", "i", " i ", "−", " − ", "+",
		" + ").Replace(text)) {
		switch word {
		case "(":
		case "i":
			part = 1
		case "+", "−":
			if begun { // else it is a sign in brackets
				add()
			}
			if word == "−" {
				sign = -sign
			}
		default:
			begun = true
			whole, fraction, _ := strings.Cut(word, ".")
			for _, digit := range whole + (fraction + "00")[:2] {
				if digit < '0' || digit > '9' {
					t.Fatalf("%q is no number in %q", word, text)
				}
				n = 10*n + int(digit-'0')
			}
		}
	}
	add()
	return sum
}

// TestQuestions applies each and reads its answer.
func TestQuestions(t *testing.T) {
	params := opening()
	for q, want := range map[int][]string{
		1: {"Collisions expected among 120\u00a0pairs: 30.0; here: 25.",
			"σ is 3.22; twice as many buckets would make it 2.27"},
		2: {"Only x₅ = 1.00 is not 0.", "Seeds 42 to 51 all give it, and σ is 0."},
		3: {"Seeds 43 to 52 give ", "σ/√10 = 0.72; it is 5.76 and misses the exact 4.27 by 1.49, 2.1 " +
			"times that. Two of three such means or more miss by less than σ/√10, and about 19 of 20 by less than twice that."},
	} {
		asked := params
		for _, change := range picture(t, params).View(lesson.Item{}).Questions[q-1].Changes {
			switch change {
			case lesson.Change{Name: "nComponents", Text: "4"}:
				asked.NComponents = 4
			case lesson.Change{Name: "vector", Text: "one-hot"}:
				asked.X = vector.Preset(vector.OneHot, 16, 0)
			case lesson.Change{Name: "y", Text: "hidden"}:
				asked.ShowY = false
			case lesson.Change{Name: "seed", Text: "43"}:
				asked.Seed = sketch.IntSeed(43)
			case lesson.Change{Name: "draws", Text: "10"}:
				asked.Draws = 10
			case lesson.Change{Name: "step", Text: "16"}, lesson.Change{Name: "at"}, lesson.Change{Name: "signs", Text: "on"}:
			default:
				t.Errorf("question %d: unknown change %+v", q, change)
			}
		}
		asked.Question = q
		for n, question := range picture(t, asked).View(lesson.Item{}).Questions {
			if n != q-1 {
				if question.Answer != "" {
					t.Errorf("question %d is answered where %d was asked", n+1, q)
				}
				continue
			}
			for _, part := range want {
				if !strings.Contains(question.Answer, part) {
					t.Errorf("question %d: %q is not in %q", q, part, question.Answer)
				}
			}
		}
	}
}

// TestSmall: one number has no angle; pairs are counted among those that have
// fallen.
func TestSmall(t *testing.T) {
	params := opening()
	params.X, params.Step, params.Question = []float64{.5}, 1, 1
	v := picture(t, params).View(lesson.Item{})
	if got, want := v.Cards[0].Note, "y = 0.82x: one number has no second direction"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := v.Questions[0].Answer, "One coordinate alone has none to meet."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	params = opening()
	for step, want := range map[int]string{0: "of 0\u00a0pairs", 2: "of 1\u00a0pair", 16: "of 120\u00a0pairs"} {
		params.Step = step
		if got := picture(t, params).View(lesson.Item{}).Cards[2]; got.Unit != want || step == 0 &&
			(got.Value != "0" || got.Note != "0.0 expected so far") {
			t.Errorf("step %d: got %+v, want %q", step, got, want)
		}
	}
	params.X, params.NComponents, params.Step, params.Question = vector.Preset(vector.Random, 64, 0), 4, 64, 1
	if got := picture(t, params).View(lesson.Item{}).Questions[0].Answer; !strings.HasPrefix(got,
		"Collisions expected among 2,016\u00a0pairs: 504.0; here: ") {
		t.Errorf("got %q", got)
	}
}

// TestTenSeeds: the answer has the estimates of ten pictures.
func TestTenSeeds(t *testing.T) {
	for _, hash := range []string{sketch.HashSeed, sketch.HashRandomState} {
		params := opening()
		params.Hash = hash
		for n, estimate := range picture(t, params).seeds() {
			params.Seed = sketch.IntSeed(42 + uint64(n))
			if want := picture(t, params).estimate; estimate != want {
				t.Errorf("%s, seed %d: got %v, want %v", hash, 42+n, estimate, want)
			}
		}
	}
	params := opening()
	params.Seed = sketch.IntSeed(1<<32 - 3)
	params.Hash = sketch.HashRandomState
	if got := len(picture(t, params).seeds()); got != 10 { // the integers below 2^32 begin again
		t.Errorf("%d estimates, want 10", got)
	}
}

func TestTable(t *testing.T) {
	params := opening()
	params.Step = 9
	table := picture(t, params).Table()
	if got, want := strings.Join(table.Head, ","), "i,x,y,h(i),s(i),s(i)x,fallen,Cx of h(i)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := strings.Join(table.Rows[8], ","), "8,-0.1,"; !strings.HasPrefix(got, want) ||
		!strings.HasSuffix(got, ",1,1,-0.1,yes,-0.58") {
		t.Errorf("got %s", got)
	}
	if got := strings.Join(table.Rows[9], ","); !strings.HasSuffix(got, ",4,-1,-0.17,no,0.68") {
		t.Errorf("got %s", got)
	}
}
