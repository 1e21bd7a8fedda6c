package plane

import (
	"strconv"
	"strings"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/chart"
	"tensorsketch.example/ui/internal/control"
	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
)

// An EntranceState holds what the picture of the page's entrance is drawn from.
type EntranceState struct {
	NComponents int
	Points      string // as FormatPoints writes them
	lesson.Lookout
}

// The entrance's D is a power of two from 2 to 256.
const firstD, lastD = 1, 8

// entrancePoints are two arms of a spiral, which no straight line divides.
var entrancePoints = FormatPoints(drawn(Spirals, 120, .08, 1))

// DefaultEntrance returns the state that the entrance ends with when D has moved by itself.
func DefaultEntrance() EntranceState {
	return EntranceState{NComponents: 1 << lastD, Points: entrancePoints, Lookout: lesson.Lookout{Speed: 2}}
}

// Begin returns the state that the entrance begins with.
func (s EntranceState) Begin() EntranceState { s.NComponents = 1 << firstD; return s }

// IsRoomy reports that sums are short.
func (s *EntranceState) IsRoomy() bool { return false }

// Parameters returns the parameters in the order of a link.
func (s *EntranceState) Parameters() []control.Parameter {
	components := control.Power("nComponents", "D, numbers for each point", firstD, lastD, &s.NComponents)
	components.Unlinked = s.NComponents == 1<<lastD
	points := pointsParameter(&s.Points)
	points.Unlinked = s.Points == entrancePoints
	item := s.Lookout.Parameters()[0]
	return []control.Parameter{components, points, item}
}

// Params returns the parameters of a model of the points. The seed is ordinary (TestEntrance).
func (s EntranceState) Params() Params {
	return Params{Preset: Own, Points: s.Points, NComponents: s.NComponents, Degree: 5, Coef0: 1, Alpha: .1,
		Seed: sketch.IntSeed(entranceSeed)}
}

const entranceSeed = 58

// An Entrance is the picture of the page's entrance: the points, the answers of a linear model of their sketches, and
// beside them the share of right answers at each D so far. Points can be dragged.
type Entrance struct {
	*Picture
	shares []chart.Point // of each D so far
}

// NewEntrance computes the picture. Shares of the same points are taken from the picture before, which may be nil: so
// a step of D computes one model. An error is a *sketch.Error of the core.
func NewEntrance(s EntranceState, before *Entrance) (*Entrance, error) {
	picture, err := New(s.Params())
	if err != nil {
		return nil, err
	}
	c := &Entrance{Picture: picture}
	for D := 1 << firstD; D <= s.NComponents; D *= 2 {
		share := chart.Point{X: float64(D), Y: c.rate(sketched)}
		if k := len(c.shares); before != nil && before.p.Points == s.Points && k < len(before.shares) {
			share = before.shares[k]
		} else if D < s.NComponents {
			if share.Y, err = c.rateAt(D); err != nil {
				return nil, err
			}
		}
		c.shares = append(c.shares, share)
	}
	return c, nil
}

// rateAt returns the share of points that the model of D numbers answers rightly.
func (c *Entrance) rateAt(D int) (float64, error) {
	maps := c.maps
	maps.NComponents = D
	B, err := c.basis.sketched(maps)
	if err != nil {
		return 0, err
	}
	right, asked := c.count(c.moments.fit(B, c.p.Alpha))
	return float64(right) / float64(max(asked, 1)), nil
}

// rate returns the share of points that a model answers rightly.
func (c *Entrance) rate(k int) float64 { return float64(c.right[k]) / float64(max(c.asked, 1)) }

// View implements lesson.Picture.
func (c *Entrance) View(lesson.Item) lesson.View {
	D, few := format.Count(c.p.NComponents), ""
	if c.right[sketched] < c.right[straight] {
		few = "; a D this small is worse"
	}
	sum := "With D = " + D + " numbers for each point, a straight line is right on " + c.share(sketched) +
		" of the points. Through x and y alone: " + c.share(straight) + few + ". The exact kernel machine: " +
		c.share(exact) + "."
	return lesson.View{Step: control.Exponent(c.p.NComponents) - firstD, Steps: lastD - firstD, StepLabel: "D = " + D,
		Sum: sum, Summary: strconv.Itoa(len(c.points)) + " points of two classes, + and −. " + sum +
			" Each point is answered by a model that has not seen it."}
}

// wideEntrance is the width from which, in em, the picture and its chart have room for words.
const wideEntrance = 40

// aboveLabel is the room for the title above the exact kernel's label, in em.
const aboveLabel = 2.3

// Fit implements lesson.Picture.
func (c *Entrance) Fit(width, window, em float64) lesson.Size {
	side := min(.56*width, max(window-31*em, 16*em))
	if isNarrow(lesson.Size{Width: width, Em: em}) {
		side = min(.56*width, 17*em)
	}
	return lesson.Size{Width: width, Height: side + 2*margin*em, Em: em}
}

// plan returns the square of the answers as a layout of the other picture, and the chart beside it.
func (c *Entrance) plan(size lesson.Size) (*layout, *chart.Chart) {
	em := size.Em
	side := size.Height - 2*margin*em
	most := 1.25 * side // of the chart
	left := max((size.Width-side-most-3*em)/2, margin*em)
	l := &layout{em: em, radius: min(max(side/85, .26*em), .45*em)}
	for k := range l.panels {
		l.panels[k] = lesson.Rect{X: left, Y: margin * em, Width: side, Height: side}
	}
	above := chart.Above
	if isNarrow(size) {
		above += aboveLabel // the exact kernel's label is above its line, where no curve leads, and the title above that
	}
	f := draw.Frame{Left: left + side + 1.2*em, Top: margin*em + above*em,
		Right: min(size.Width-margin*em, left+side+most+3*em), Bottom: margin*em + side - chart.Below*em}
	f.Left += 3.1 * em
	low := .5
	for _, p := range append(c.shares, chart.Point{Y: c.rate(straight)}) {
		low = min(low, p.Y)
	}
	ticks := []float64{2, 4, 8, 16, 32, 64, 128, 256}
	titles := [2]string{"D, numbers for each point", "right, of points not seen"}
	if isNarrow(size) {
		titles = [2]string{"D", ""} // SVG writes the other one
	}
	plot := chart.New(f, em,
		chart.Axis{Title: titles[0], IsLog: true, Range: chart.Range{Low: 1.7, High: 300}, Ticks: ticks},
		chart.Axis{Title: titles[1], Range: chart.Range{Low: low - .02, High: 1.02},
			Label: func([]float64) func(float64) string {
				return func(x float64) string { return format.Fixed(100*x, 0) + "\u00a0%" }
			}})
	plot.Start = f.Left - 3.1*em
	return l, plot
}

func isNarrow(size lesson.Size) bool { return size.Width < wideEntrance*size.Em }

// SVG implements lesson.Picture.
func (c *Entrance) SVG(size lesson.Size, look lesson.Item, standalone bool) string {
	b := &draw.Builder{}
	l, plot := c.plan(size)
	b.Open(size.Width, size.Height, size.Em, c.View(look).Summary, standalone)
	if standalone {
		b.WriteString(stripes)
		c.drawRegions(b, l.panels[0], c.models[sketched], 2*lines)
	}
	b.Path("border", c.borderOf(l.panels[0], c.models[sketched]))
	r := l.panels[0]
	b.Rect("axis", r.X, r.Y, r.Width, r.Height)
	c.drawPoints(b, l)
	c.drawFocus(b, l, sketched, look)
	plot.Axes(b)
	if isNarrow(size) {
		b.Label(plot.Start, plot.Top-(aboveLabel+.1)*size.Em, "start", "right")
	}
	for _, k := range []int{straight, exact} {
		class, name, y := "linear", "straight line ", c.rate(k)
		if k == exact {
			class, name = "exact", "exact kernel "
		}
		share, down := c.share(k), 1.3
		if isNarrow(size) {
			_, name, _ = strings.Cut(name, " ")
			share = format.Fixed(100*y, 0) + "\u00a0%"
			if k == exact {
				down = -1 // beside 100 %
			}
		}
		plot.Level(b, class, y)
		b.LabelOf("ink", plot.Right, plot.Y.At(y)+down*size.Em, "end", name+share)
	}
	plot.Path(b, "curve", c.shares...)
	plot.Dots(b, "dots big", c.shares...)
	b.Close()
	return b.String()
}

// Paint implements lesson.Painter.
func (c *Entrance) Paint(size lesson.Size, _ lesson.Item, scale float64, dark bool, pixels []byte) (part lesson.Rect,
	width, height int, painted []byte) {
	if c.learned == 0 {
		return lesson.Rect{}, 0, 0, pixels[:0]
	}
	l, _ := c.plan(size)
	return paint(c.models[sketched:exact], l.panels[:1], size.Em, scale, dark, pixels)
}

// Groups implements lesson.Picture.
func (c *Entrance) Groups() []lesson.Group {
	return []lesson.Group{{Kind: lesson.Coordinate, Label: "Points: up and down move one", Rows: 1,
		Columns: len(c.points), CanNudge: true}}
}

// Areas implements lesson.Picture.
func (c *Entrance) Areas(size lesson.Size) (areas []lesson.Area) {
	l, _ := c.plan(size)
	reach := 2.2 * l.radius
	for i, p := range c.points {
		x, y := l.at(0, p.X, p.Y)
		areas = append(areas, lesson.Area{Kind: lesson.Coordinate, First: i, Rows: 1, Columns: 1,
			Rect: lesson.Rect{X: x - reach, Y: y - reach, Width: 2 * reach, Height: 2 * reach}})
	}
	return areas
}

// Drag implements lesson.Picture: a point follows the pointer.
func (c *Entrance) Drag(size lesson.Size, item lesson.Item, x, y float64) (lesson.Change, bool) {
	l, _ := c.plan(size)
	r := l.panels[0]
	return c.move(item, edge*(2*(x-r.X)/r.Width-1), edge*(1-2*(y-r.Y)/r.Height))
}

// Nudge implements lesson.Picture: a point moves up or down.
func (c *Entrance) Nudge(item lesson.Item, by int) (lesson.Change, bool) {
	if !lesson.Has(c.Groups(), item) {
		return lesson.Change{}, false
	}
	p := c.points[item.I]
	return c.move(item, p.X, p.Y+.05*float64(by))
}

func (c *Entrance) move(item lesson.Item, x, y float64) (lesson.Change, bool) {
	if !lesson.Has(c.Groups(), item) {
		return lesson.Change{}, false
	}
	points := append([]Point(nil), c.points...)
	points[item.I].X, points[item.I].Y = x, y
	return lesson.Change{Name: "points", Text: FormatPoints(points)}, true
}

// Press and Enter implement lesson.Presser: they pin the point.
func (c *Entrance) Press(lesson.Size, float64, float64) (lesson.Change, bool) {
	return lesson.Change{}, false
}

// Enter implements lesson.Presser.
func (c *Entrance) Enter(lesson.Item) (lesson.Change, bool) { return lesson.Change{}, false }

// StepTo implements lesson.Picture: step k is D = 2^(k + firstD).
func (c *Entrance) StepTo(step int) lesson.Change {
	return lesson.Change{Name: "nComponents", Text: control.PowerOf(firstD + min(max(step, 0), lastD-firstD))}
}
