// Package plane is the half of the place Learn that shows points of two classes in the plane, and how a straight line,
// a linear model of Tensor Sketch features, and a model with the exact kernel divide it.
package plane

import (
	"math"
	"strconv"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/control"
	"tensorsketch.example/ui/internal/lesson"
)

// MostDegree is the maximum degree p.
const MostDegree = 8

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
	Question    int // the question answered, 1 to 3, or 0
}

// A Picture shows one state of the half.
type Picture struct{ p Params }

// New computes the picture.
func New(p Params) (*Picture, error) { return &Picture{p}, nil }

// View implements lesson.Picture.
func (p *Picture) View(lesson.Item) lesson.View {
	return lesson.View{Title: "Learn in the plane", Lede: "Under construction.", Step: control.Exponent(p.p.NComponents) - leastD,
		Steps: mostD - leastD, StepLabel: "D = " + strconv.Itoa(p.p.NComponents), Sum: "–"}
}

// Fit implements lesson.Picture.
func (p *Picture) Fit(width, window, em float64) lesson.Size {
	return lesson.Size{Width: width, Height: math.Min(width/3, window), Em: em}
}

// SVG implements lesson.Picture.
func (p *Picture) SVG(lesson.Size, lesson.Item, bool) string { return "" }

// Areas implements lesson.Picture.
func (p *Picture) Areas(lesson.Size) []lesson.Area { return nil }

// Groups implements lesson.Picture.
func (p *Picture) Groups() []lesson.Group { return nil }

// Describe implements lesson.Picture.
func (p *Picture) Describe(lesson.Item) string { return "" }

// Drag implements lesson.Picture.
func (p *Picture) Drag(lesson.Size, lesson.Item, float64, float64) (lesson.Change, bool) {
	return lesson.Change{}, false
}

// Nudge implements lesson.Picture.
func (p *Picture) Nudge(lesson.Item, int) (lesson.Change, bool) { return lesson.Change{}, false }

// StepTo implements lesson.Picture: step k is D = 2^(k + leastD).
func (p *Picture) StepTo(step int) lesson.Change {
	return lesson.Change{Name: "nComponents", Text: control.PowerOf(leastD + min(max(step, 0), mostD-leastD))}
}

// Table implements lesson.Picture.
func (p *Picture) Table() lesson.Table { return lesson.Table{Name: "plane", Head: []string{"x"}} }
