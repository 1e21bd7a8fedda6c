package plane

import (
	"strconv"
	"strings"

	"tensorsketch.example/ui/internal/control"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
)

// View implements lesson.Picture.
func (c *Picture) View(look lesson.Item) lesson.View {
	v := lesson.View{
		Title:     c.title(),
		Lede:      c.lede(),
		Step:      control.Exponent(c.p.NComponents) - leastD,
		Steps:     mostD - leastD,
		StepLabel: "D = " + format.Count(c.p.NComponents),
		Sum:       c.sum(look),
		Cards:     c.cards(),
		Summary:   c.summary(),
		Questions: c.questions(),
	}
	if c.parts != nil {
		c.partsView(&v)
	}
	return v
}

// nearly is the share of the plane up to which a sketch that answers otherwise is said to answer nearly as the exact
// kernel.
const nearly = .1

// title says what the picture of the three models shows.
func (c *Picture) title() string {
	switch {
	case c.learned == 0:
		return "Points of two classes are what a model learns from"
	case c.single() != "":
		return "All points are of one class: a model needs two"
	case c.p.Degree == 1:
		return "At degree 1 all three models draw straight lines"
	}
	return "A sketch lets a linear model bend"
}

// lede says how the sketch compares with the exact kernel here.
func (c *Picture) lede() string {
	const each = "Tensor Sketch turns each point into D numbers. "
	switch {
	case c.learned == 0:
		return each + "There is no point to learn from yet: press on the picture to add some of each class."
	case c.single() != "" && len(c.points) == 1:
		return each + "There is one point: held out, it leaves none to learn from. Add more, of both classes."
	case c.single() != "":
		return each + "All points are " + c.single() + ", so that each model answers " + c.single() +
			" everywhere and is right. Add points of the other class."
	case c.p.Degree == 1:
		return each + "At degree 1 each is a sum of x and y, and a linear model of such sums is a straight line still. " +
			"From degree 2 on, products are among them, and it bends."
	}
	text := each + "A linear model of these numbers divides the plane along a curve of degree p, "
	if c.differs > nearly {
		return text + "not yet as the exact kernel does; it compares no point with all the others."
	}
	return text + "nearly as the exact kernel does, but compares no point with all the others."
}

// single returns the class of all points that are learned from, + or −, or "" where there are both or none.
func (c *Picture) single() (only string) {
	for _, p := range c.points {
		if is := sign(p.target()); !p.HeldOut && is != only {
			if only != "" {
				return ""
			}
			only = is
		}
	}
	return only
}

// part writes a share in percent.
func part(share float64) string { return format.Fixed(100*share, 1) + "\u00a0%" }

func (c *Picture) sum(look lesson.Item) string {
	switch {
	case c.parts != nil:
		return c.partsSum(look)
	case c.has(look):
		text := c.Describe(look)
		return strings.ToUpper(text[:1]) + text[1:]
	case len(c.points) == 0:
		return "There are no points yet. Press on a picture to add one."
	case c.learned == 0:
		return "There is no point to learn from."
	case c.single() != "":
		return "All points are " + c.single() + ": add points of the other class."
	}
	return "Sketch and exact kernel give the same answer on " + part(1-c.differs) + " of the plane."
}

func (c *Picture) cards() []lesson.Card {
	var cards []lesson.Card
	for k, id := range [panels]string{"line", "sketched", "kernel"} {
		cards = append(cards, lesson.Card{ID: id, Title: c.names()[k], Value: c.share(k), Unit: "right",
			Note: c.heldOut(k)})
	}
	same := lesson.Card{ID: "same", Title: "Sketch like exact kernel", Value: "–", Note: "nothing to learn from"}
	if c.learned > 0 {
		same.Value, same.Unit, same.Note = part(1-c.differs), "of the plane", c.errorText()
	}
	return append(cards, same)
}

// errorText compares the error of the sketch's kernel with σ.
func (c *Picture) errorText() string {
	e := c.measured()
	if e.pairs == 0 {
		return "no pair of points to compare"
	}
	text := "its kernel is " + part(e.seed) + " off; σ over seeds is " + part(e.sigma)
	if e.seed > unlucky*e.sigma {
		text += ": an unlucky seed"
	}
	return text
}

// unlucky is the error, in σ, from which a card says that a seed is unlucky. About one seed in fifty has more.
const unlucky = 2.5

// heldOut says how many points a model answers rightly.
func (c *Picture) heldOut(k int) string {
	if c.inTurn() {
		return format.Count(c.right[k]) + " of " + format.Plural(c.asked, "point") + ", each held out in turn"
	}
	return format.Count(c.right[k]) + " of " + format.Plural(c.asked, "point") + " held out"
}

// summary describes the picture for visitors who cannot see it.
func (c *Picture) summary() string {
	text := format.Plural(len(c.points), "point")
	if only := c.single(); only != "" {
		text += " of one class, " + only
	} else {
		text += " of two classes, + and −"
	}
	if c.p.Preset != Own {
		text += ", " + c.kind()
		if own := len(c.points) - c.own; own > 0 {
			text += ", and " + format.Plural(own, "point") + " of yours"
		}
	}
	text += ". "
	if c.learned == 0 {
		return text + "There is nothing to learn from."
	}
	for k, name := range c.names() {
		verb := ": "
		text += name + verb + c.share(k) + " right, " + c.heldOut(k) + ". "
	}
	return text + "Sketch and exact kernel give the same answer on " + part(1-c.differs) + " of the plane."
}

// kind says what the points drawn are.
func (c *Picture) kind() string {
	return map[string]string{
		Circles: "+ in an inner circle and − in a circle around it",
		XOR:     "+ where x and y have the same sign and − elsewhere",
		Spirals: "in two spirals around each other",
		Moons:   "in two half-moons that interlock",
	}[c.p.Preset]
}

// Describe implements lesson.Picture.
func (c *Picture) Describe(item lesson.Item) string {
	if !c.has(item) {
		return ""
	}
	if item.Kind == lesson.Bucket {
		return c.describePart(item.I)
	}
	x, y := c.at(item)
	text := "(" + format.Fixed(x, 2) + ", " + format.Fixed(y, 2) + ")"
	if item.Kind == lesson.Coordinate {
		p := c.points[item.I]
		text = "point " + strconv.Itoa(item.I+1) + " of " + strconv.Itoa(len(c.points)) + ", " + sign(p.target()) +
			" at " + text + ", "
		switch {
		case item.I >= c.own:
			text += "yours"
		case p.HeldOut:
			text += "held out"
		default:
			text += "learned from"
		}
	} else {
		text = "at " + text
	}
	if c.learned == 0 {
		return text
	}
	if c.parts != nil {
		return text + ": " + c.describeParts(x, y)
	}
	var said []string
	for k, name := range [panels]string{"the line says ", "the sketch ", "the exact kernel "} {
		score := c.models[k].score(x, y)
		said = append(said, name+sign(score)+" ("+format.Fixed(score, 2)+")")
	}
	return text + ": " + format.And(said)
}

// sign writes the answer to a score.
func sign(score float64) string {
	if score > 0 {
		return "+"
	}
	return "−"
}

// brush says what a press does.
func (c *Picture) brush() string {
	return map[string]string{Plus: "adds a point of +", Minus: "adds a point of −",
		Away: "takes your nearest point away", Look: "holds a place"}[c.p.Brush]
}

// Table implements lesson.Picture. It has one row per point.
func (c *Picture) Table() lesson.Table {
	t := lesson.Table{Name: "learn", Caption: "The points, and the scores of the three models: above 0 the answer is +",
		Head: []string{"point", "x", "y", "class", "held out", "line", "sketch", "exact kernel"}}
	for i, p := range c.points {
		held := "no"
		if p.HeldOut {
			held = "yes"
		}
		row := append([]string{strconv.Itoa(i + 1)}, format.Cells(p.X, p.Y, p.target())...)
		row = append(row, held)
		for _, m := range c.models {
			row = append(row, format.Cells(m.score(p.X, p.Y)+0)...)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
