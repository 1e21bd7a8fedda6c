package buckets

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/bars"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/vector"
)

// View puts the picture into words.
func (p *Picture) View(look lesson.Item) lesson.View {
	return lesson.View{
		Title:     p.title(),
		Lede:      p.lede(),
		Step:      p.p.Step,
		Steps:     p.d(),
		StepLabel: "step " + strconv.Itoa(p.p.Step) + " of " + strconv.Itoa(p.d()),
		Sum:       p.sum(look),
		Cards:     p.cards(look),
		Summary:   p.summary(),
		Questions: p.questions(),
	}
}

func (p *Picture) lede() string {
	switch {
	case p.p.Signless && p.value(p.mean) == p.value(p.exact):
		return "Without signs every number is added as it is. Where two meet, their products stay: over all seeds they " +
			"average to 0 for these numbers. For most they do not, and inner products are off."
	case p.p.Signless:
		return "Without signs every number is added as it is. Where two meet, their products stay: over all seeds they " +
			"average to " + p.value(p.mean-p.exact) + " here, not to zero, so inner products are off."
	}
	return p.either("Count Sketch, the Tensor Sketch of degree p = 1: one hash sends every coordinate to a bucket, "+
		"another gives it a sign. Errors where two meet average to zero over all seeds, so inner products survive.",
		"Every coordinate gets a bucket and a sign, 1, i, −1 or −i: real signs add to Re, imaginary ones to Im. "+
			"At degree 1 it has the variance of a count sketch into D numbers; from degree 2 on the variance can be smaller.")
}

// either returns the text for real or for complex buckets.
func (p *Picture) either(ofReal, ofComplex string) string {
	return bars.Either(p.p.Method, ofReal, ofComplex)
}

func (p *Picture) title() string {
	return title(p.d(), p.n(), p.either(" bucket", " complex bucket"))
}

var words = strings.Fields("no one two three four five six seven eight nine ten eleven twelve thirteen fourteen " +
	"fifteen sixteen seventeen eighteen nineteen twenty")

// title writes the picture as one line: "Sixteen numbers fall into eight buckets". Numbers up to twenty are in
// words.
func title(d, n int, noun string) string {
	numbers, buckets := strconv.Itoa(d), strconv.Itoa(n)
	if max(d, n) < len(words) {
		numbers, buckets = words[d], words[n]
		numbers = strings.ToUpper(numbers[:1]) + numbers[1:]
	}
	fall := format.Form(d, " number falls into ", " numbers fall into ")
	return numbers + fall + buckets + format.Form(n, noun, noun+"s")
}

// value writes an inner product. All inner products of a vector have the same number of decimals.
func (p *Picture) value(x float64) string { return format.Fixed(x, p.decimals()) }

func (p *Picture) decimals() int {
	if vector.Dot(p.p.X, p.p.X) < 1 {
		return 4
	}
	return 2
}

func (p *Picture) cards(look lesson.Item) []lesson.Card {
	exact := lesson.Card{ID: "exact", Title: "‖x‖² exact", Value: p.value(p.exact), Note: "the squared length of x"}
	estimate := lesson.Card{ID: "estimate", Title: "‖Cx‖² estimate", Value: p.value(p.estimate),
		Unit: "±" + p.value(p.sigma) + " (σ, exact)", Note: p.errorText()}
	if p.p.Signless {
		estimate.Unit = "±" + p.value(p.sigma) + " (σ) around " + p.value(p.mean) + ", not around the exact value"
	}
	if p.p.ShowY {
		exact.Title, exact.Note = "⟨x, y⟩ exact", p.angleText()
		estimate.Title = "⟨Cx, Cy⟩ estimate"
	}
	if p.p.isComplex() {
		estimate.Note += "; the count sketch’s σ is " + p.value(p.sigmaOf(sketch.MethodCountSketch, p.p.NComponents)) + " too"
	}
	if !p.done() {
		fallen := "of " + format.Plural(p.p.Step, "coordinate") + " so far"
		exact.Note = fallen
		estimate.Note += ", " + fallen
	}
	return []lesson.Card{exact, estimate, p.collisionCard(), p.bucketCard(look)}
}

// angleText says how y is made from x. A single number has no second direction.
func (p *Picture) angleText() string {
	if p.d() > 1 {
		return "y at " + format.Short(p.p.Angle) + "° to x"
	}
	_, cos := vector.Turn(p.p.Angle)
	return "y = " + number(cos) + "x: one number has no second direction"
}

// errorText compares the error of the estimate with its σ.
func (p *Picture) errorText() string {
	switch {
	case p.p.Step == 0:
		return "nothing to estimate"
	case p.sigma == 0:
		return "no error for any seed"
	}
	return "error " + format.Fixed((p.estimate-p.exact)/p.sigma, 1) + " σ"
}

func (p *Picture) collisionCard() lesson.Card {
	card := lesson.Card{ID: "collisions", Title: "Collisions", Value: format.Count(p.collisions()),
		Unit: "of " + format.Plural(p.pairs(), "pair"),
		Note: p.expected() + " expected"}
	if p.p.isComplex() {
		card.Note += "; " + strconv.Itoa(p.harmless()) + " at right angles"
	}
	if !p.done() {
		card.Note += " so far"
	}
	if slices.Contains(p.p.X[:p.p.Step], 0) {
		card.Note += "; zeros count too"
	}
	return card
}

// expected writes the expected number of collisions among the pairs that have fallen.
func (p *Picture) expected() string { return format.Fixed(float64(p.pairs())/float64(p.n()), 1) }

// bucketCard shows the bucket of the item pointed at, or the fullest bucket.
func (p *Picture) bucketCard(look lesson.Item) lesson.Card {
	k := p.focusOn(look).bucket
	if k < 0 {
		k = p.fullest()
	}
	held, zeros := p.held(k, p.p.Step)
	card := lesson.Card{ID: "bucket", Title: "Bucket " + strconv.Itoa(k), Value: p.net(k),
		Unit: "net of " + strconv.Itoa(len(held))}
	var up, down [2]float64
	for _, i := range held {
		part := p.s[i].Part()
		up[part] += max(p.contribution(i), 0)
		down[part] += max(-p.contribution(i), 0)
	}
	switch {
	case len(held) > 0 && p.p.isComplex():
		card.Note = "Re " + upAndDown(up[0], down[0]) + "; Im " + upAndDown(up[1], down[1])
	case len(held) > 0:
		card.Note = upAndDown(up[0], down[0])
	case zeros > 0:
		card.Unit, card.Note = "", "only zeros fell here"
	default:
		card.Unit, card.Note = "", "nothing fell here"
	}
	return card
}

func upAndDown(up, down float64) string { return number(up) + " up, " + number(down) + " down" }

// summary describes the picture for visitors who cannot see it.
func (p *Picture) summary() string {
	meeting, buckets := p.meeting(), 0
	for _, count := range meeting {
		if count > 1 {
			buckets++
		}
	}
	var b strings.Builder
	b.WriteString(p.title() + ". ")
	if !p.done() {
		fallen := strconv.Itoa(p.p.Step) + " of " + strconv.Itoa(p.d()) + " coordinates"
		if p.p.Step == 0 {
			fallen = "No coordinate"
		}
		b.WriteString(fallen + format.Form(max(p.p.Step, 1), " has", " have") + " fallen so far. ")
	}
	if buckets == 0 {
		b.WriteString("No two that are not 0 meet. ")
	} else {
		k := p.fullest()
		b.WriteString("In " + format.Form(buckets, "one bucket", strconv.Itoa(buckets)+" buckets") +
			" two or more meet that are not 0. Most meet in bucket " + strconv.Itoa(k) + ": " +
			strconv.Itoa(meeting[k]) + " of them, net " + p.net(k) + ". ")
	}
	what := "The squared length of x"
	if p.p.ShowY {
		what = "The inner product of x and y"
	}
	b.WriteString(what + " is " + p.value(p.exact) + ", the sketches estimate " + p.value(p.estimate) +
		", with a standard deviation of " + p.value(p.sigma) + " over seeds.")
	b.WriteString(" The cross terms of coordinates that meet are " + p.value(p.cross()) + ".")
	if p.p.Signless {
		b.WriteString(" There are no signs: over seeds the estimate has the mean " + p.value(p.mean) + ".")
	}
	if n := len(p.drawn); n > 0 {
		b.WriteString(" The mean of " + format.Plural(n, "seed") + " is " + p.meanText() + ".")
	}
	return b.String()
}

// Describe describes a coordinate or a bucket.
func (p *Picture) Describe(item lesson.Item) string {
	switch {
	case !p.has(item):
		return ""
	case item.Kind == lesson.Bucket:
		return p.describeBucket(item.I)
	}
	i := item.I
	text := "coordinate " + strconv.Itoa(i) + " is " + number(p.p.X[i])
	if p.p.ShowY {
		text += " (y: " + p.value(p.y[i]) + ")"
	}
	verb := " and falls"
	if i >= p.p.Step {
		verb = " and will fall"
	}
	text += verb + " into bucket " + strconv.Itoa(p.h[i]) + " with sign " + p.signText(i)
	var others []int
	for j := range p.d() {
		if j != i && p.h[j] == p.h[i] {
			others = append(others, j)
		}
	}
	if len(others) == 0 {
		return text + ", alone"
	}
	return text + ", where it meets " + list(others)
}

func (p *Picture) describeBucket(k int) string {
	held, zeros := p.held(k, p.p.Step)
	text := "bucket " + strconv.Itoa(k)
	switch {
	case len(held) == 0 && zeros == 0 && !p.done():
		return text + " is empty so far"
	case len(held) == 0 && zeros == 0:
		return text + " is empty: no coordinate falls into it"
	case len(held) == 0:
		text += " holds only zeros: its value is 0"
	default:
		text += " holds " + list(held) + ": its value is " + format.Complex(p.valueOf(p.cx, k), 2)
	}
	if p.p.ShowY {
		text += " (for y: " + format.Complex(p.valueOf(p.cy, k), p.decimals()) + ")"
	}
	return text
}

// list names the coordinates, or only the first few if there are many.
func list(coordinates []int) string {
	const most = 8
	names := make([]string, 0, most)
	for n, i := range coordinates {
		if n == most-1 && len(coordinates) > most {
			names = append(names, strconv.Itoa(len(coordinates)-n)+" more")
			break
		}
		names = append(names, strconv.Itoa(i))
	}
	return format.Form(len(coordinates), "coordinate ", "coordinates ") + format.And(names)
}

// Table returns a table with one row per coordinate.
func (p *Picture) Table() lesson.Table {
	t := lesson.Table{Name: "buckets", Caption: p.summary(), Rows: make([][]string, p.d())}
	parts := p.parts()
	t.Add("i", 1, func(i, _ int) string { return strconv.Itoa(i) })
	t.Add("x", 1, func(i, _ int) string { return plainNumber(p.p.X[i]) })
	if p.p.ShowY {
		t.Add("y", 1, func(i, _ int) string { return strconv.FormatFloat(p.y[i], 'g', -1, 32) })
	}
	t.Add("h(i)", 1, func(i, _ int) string { return strconv.Itoa(p.h[i]) })
	t.Add("s(i)", parts, func(i, part int) string { return plainNumber(bars.Part(p.s[i].Of(1), part)) })
	t.Add("s(i)x", parts, func(i, part int) string { return plainNumber(bars.Part(p.s[i].Of(p.p.X[i]), part)) })
	t.Add("fallen", 1, func(i, _ int) string {
		if i < p.p.Step {
			return "yes"
		}
		return "no"
	})
	t.Add("Cx of h(i)", parts, func(i, part int) string { return plainNumber(float64(p.cx[p.h[i]*parts+part])) })
	return t
}

// plainNumber writes a number with two decimals, in the form used in files.
func plainNumber(x float64) string {
	return strconv.FormatFloat(math.Round(100*x)/100+0, 'f', -1, 64)
}
