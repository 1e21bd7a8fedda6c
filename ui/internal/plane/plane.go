// Package plane is the half of the place Learn that shows points of two classes in the plane, and how a straight line,
// a linear model of Tensor Sketch features, and a model with the exact kernel divide it.
package plane

import (
	"cmp"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/control"
	"tensorsketch.example/ui/internal/lesson"
)

// Params are the parameters of the half.
type Params struct {
	Preset      string // one of presets
	NSamples    int    // number of points drawn
	Noise       float64
	DataSeed    uint64 // of the points drawn
	Points      string // the visitor's points, as FormatPoints writes them
	NComponents int    // D
	Degree      int    // p
	Coef0       float64
	Alpha       float64 // λ
	Seed        sketch.Seed
	Brush       string // what a press on the picture does: Plus, Minus or Away
	View        string // Models or Features
	Maps        string // which maps of features are added up, as allMaps
	Question    int    // the question answered, 1 to 4, or 0
}

// A Picture shows one state of the half.
type Picture struct {
	p       Params
	points  []Point // the points drawn, then the visitor's
	own     int     // the index of the visitor's first point
	learned int     // number of points learned from
	basis   *basis
	moments *moments
	B       [panels]square // of the sketched and the exact kernel
	maps    sketch.Params
	models  [panels]*model
	right   [panels]int // number of points held out that are answered rightly
	asked   int         // number of points held out
	differs float64     // the share of the plane where sketch and exact kernel give different answers
	errors  *errors     // once they are asked for
	parts   *parts      // of the sketch, in the view Features
	answer  string      // to the question asked, once it is known
}

// The panels of the picture, from left to right.
const (
	straight = iota
	sketched
	exact
	panels
)

var (
	_ lesson.Picture = (*Picture)(nil)
	_ lesson.Painter = (*Picture)(nil)
	_ lesson.Presser = (*Picture)(nil)
)

// New computes the picture. An error is a *sketch.Error of the core.
func New(p Params) (*Picture, error) {
	c := &Picture{p: p}
	if p.Preset != Own {
		c.points = drawn(p.Preset, p.NSamples, p.Noise, p.DataSeed)
	}
	c.own = len(c.points)
	own, _ := ParsePoints(p.Points)
	c.points = append(c.points, own...)

	line := newBasis(1, 0, true)
	c.basis = newBasis(p.Degree, p.Coef0, false)
	c.moments, c.B[exact] = momentsOf(c.basis, c.points), c.basis.exact()
	c.learned = c.moments.n
	c.maps = sketch.Params{NFeatures: 2, NComponents: p.NComponents, Degree: p.Degree, Gamma: 1, Coef0: p.Coef0,
		Seed: p.Seed, Normalize: sketch.NormalizeNone, Output: sketch.OutputReal}
	var err error
	if c.B[sketched], err = c.basis.sketched(c.maps); err != nil {
		return nil, err
	}
	c.models[straight] = momentsOf(line, c.points).fit(line.exact(), p.Alpha)
	for _, k := range []int{sketched, exact} {
		c.models[k] = c.moments.fit(c.B[k], p.Alpha)
	}
	if p.View == Features && c.learned > 0 {
		if c.parts, err = c.newParts(); err != nil {
			return nil, err
		}
	}
	c.differs = disagreement(c.models[sketched], c.models[exact])
	for k, m := range c.models {
		c.right[k], c.asked = c.count(m)
	}
	return c, nil
}

// inTurn reports whether each point is held out in turn, because none is held out for good.
func (c *Picture) inTurn() bool { return c.p.Preset == Own }

// count returns how many points held out a model answers rightly, and of how many.
func (c *Picture) count(m *model) (right, asked int) {
	for _, p := range c.points {
		if !p.HeldOut && !c.inTurn() {
			continue
		}
		score := m.score(p.X, p.Y)
		if !p.HeldOut {
			score = m.without(p)
		}
		asked++
		if score*p.target() > 0 {
			right++
		}
	}
	return right, asked
}

// places is the number of places to a side that the cursor of the keyboard goes to.
const places = 49

// Groups implements lesson.Picture: the places of the plane, and the points.
func (c *Picture) Groups() []lesson.Group {
	groups := []lesson.Group{{Kind: lesson.Cell, Label: "Places of the plane: Enter " + c.brush(), Rows: places,
		Columns: places}}
	if len(c.points) > 0 {
		groups = append(groups, lesson.Group{Kind: lesson.Coordinate, Label: "Points", Rows: 1, Columns: len(c.points)})
	}
	if c.parts != nil {
		groups = append(groups, lesson.Group{Kind: lesson.Bucket, Label: "Maps of features: Enter adds one or takes it away",
			Rows: 1, Columns: len(c.parts.maps)})
	}
	return groups
}

func (c *Picture) has(item lesson.Item) bool { return lesson.Has(c.Groups(), item) }

// at returns where an item is in the plane.
func (c *Picture) at(item lesson.Item) (x, y float64) {
	if item.Kind == lesson.Bucket {
		item = lesson.Item{Kind: lesson.Coordinate}
	}
	if item.Kind == lesson.Coordinate {
		return c.points[item.I].X, c.points[item.I].Y
	}
	half := (places - 1) / 2
	return edge * float64(item.I-half) / float64(half), edge * float64(half-item.J) / float64(half)
}

// Drag implements lesson.Picture. Nothing can be dragged.
func (c *Picture) Drag(lesson.Size, lesson.Item, float64, float64) (lesson.Change, bool) {
	return lesson.Change{}, false
}

// Nudge implements lesson.Picture. Nothing can be nudged.
func (c *Picture) Nudge(lesson.Item, int) (lesson.Change, bool) { return lesson.Change{}, false }

// Press implements lesson.Presser: it adds a point, or takes the nearest of the visitor's points away. With Look it
// does neither, and the place is held.
func (c *Picture) Press(size lesson.Size, x, y float64) (lesson.Change, bool) {
	l := c.layout(size)
	for n, r := range l.maps {
		if r.Contains(x, y) {
			return lesson.Change{Name: "maps", Text: c.toggled(n)}, true
		}
	}
	for k, panel := range l.panels {
		if panel.Contains(x, y) && (k > 0 || c.parts == nil) {
			return c.put(edge*(2*(x-panel.X)/panel.Width-1), edge*(1-2*(y-panel.Y)/panel.Height))
		}
	}
	return lesson.Change{}, false
}

// Enter implements lesson.Presser: it does at an item what a press does there.
func (c *Picture) Enter(item lesson.Item) (lesson.Change, bool) {
	if c.has(item) && item.Kind == lesson.Bucket {
		return lesson.Change{Name: "maps", Text: c.toggled(item.I)}, true
	}
	if !c.has(item) || item.Kind == lesson.Coordinate && c.p.Brush != Away {
		return lesson.Change{}, false
	}
	return c.put(c.at(item))
}

// reach is how far from a press a point is that the press takes away.
const reach = .1

func (c *Picture) put(x, y float64) (lesson.Change, bool) {
	if c.p.Brush == Look {
		return lesson.Change{}, false
	}
	own, _ := ParsePoints(c.p.Points)
	if c.p.Brush == Away {
		nearest, distance := -1, reach*reach
		for i, p := range own {
			if d := (p.X-x)*(p.X-x) + (p.Y-y)*(p.Y-y); d <= distance {
				nearest, distance = i, d
			}
		}
		if nearest >= 0 {
			own = append(own[:nearest], own[nearest+1:]...)
		}
	} else if len(own) < MostOwn {
		own = append(own, Point{X: x, Y: y, Minus: c.p.Brush == Minus})
	}
	return lesson.Change{Name: "points", Text: FormatPoints(own)}, true
}

// StepTo implements lesson.Picture: step k is D = 2^(k + leastD), or the sum of the first k maps of features.
func (c *Picture) StepTo(step int) lesson.Change {
	if c.parts != nil {
		text := ""
		for n := range min(max(step, 0), len(c.parts.maps)) {
			text += allMaps[c.parts.digit(n):][:1]
		}
		if step >= len(c.parts.maps) {
			text = allMaps
		}
		return lesson.Change{Name: "maps", Text: cmp.Or(text, "0")}
	}
	return lesson.Change{Name: "nComponents", Text: control.PowerOf(leastD + min(max(step, 0), mostD-leastD))}
}
