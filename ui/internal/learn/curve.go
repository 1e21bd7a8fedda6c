package learn

import (
	"math"
	"time"

	"tensorsketch.example/ui/internal/chart"
	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
)

// A Picture is a drawing with places that can be picked.
type Picture struct {
	SVG   string
	Spots []lesson.Rect // where each item is
}

// Hit returns the item at a point: the one that contains it, or the nearest within reach. It returns −1 for none.
func (p *Picture) Hit(x, y, reach float64) int {
	best, least := -1, reach*reach
	for i, s := range p.Spots {
		if s.Contains(x, y) {
			return i
		}
		dx := x - (s.X + s.Width/2)
		dy := y - (s.Y + s.Height/2)
		if distance := dx*dx + dy*dy; distance < least {
			best, least = i, distance
		}
	}
	return best
}

// Curve draws the scores against D, and the time to fit below them. It can be drawn before there are points. The spots
// are the points of the sketch.
func (r *Session) Curve(size lesson.Size, most int, standalone bool) *Picture {
	em := size.Em
	b := &draw.Builder{}
	b.Open(size.Width, size.Height, em, r.Summary(), standalone)
	gap := 3.2 * em
	top := draw.Frame{Left: 4.2 * em, Top: chart.AboveLegend * em, Right: size.Width - 1.2*em}
	whole := size.Height - top.Top - chart.Below*em
	top.Bottom = top.Top + .7*(whole-gap)
	below := draw.Frame{Left: top.Left, Top: top.Bottom + gap, Right: top.Right, Bottom: size.Height - chart.Below*em}
	var ticks []float64
	for _, d := range Sizes(most) {
		ticks = append(ticks, float64(d))
	}
	x := chart.Axis{IsLog: true, Ticks: []float64{}, Range: chart.Around(nil, ticks...).Wider(1.25)}
	picture := &Picture{}
	r.drawScores(b, top, x, em, picture)
	x.Ticks, x.Title = ticks, "components D"
	r.drawTimes(b, below, x, em)
	b.Close()
	picture.SVG = b.String()
	return picture
}

// scoreRange returns the range of the vertical axis.
func (r *Session) scoreRange() chart.Range {
	var scores []float64
	for i := range r.Points {
		if p := &r.Points[i]; p.Problem == "" {
			low, high, _ := r.seeds(p)
			scores = append(scores, max(p.Low, -1), p.High, max(low, -1), high)
		}
	}
	if r.Kernel != nil {
		scores = append(scores, max(r.Kernel.Low, -1), r.Kernel.High)
	}
	if len(scores) == 0 {
		return chart.Range{Low: 0, High: 1}
	}
	padded := chart.Around(nil, scores...).Padded()
	return chart.Range{Low: max(padded.Low, -1), High: min(padded.High, 1.005)}
}

func (r *Session) isNumber() bool { return r.Head != nil && r.Head.IsNumber() }

func (r *Session) drawScores(b *draw.Builder, f draw.Frame, x chart.Axis, em float64, picture *Picture) {
	y := chart.Axis{Title: "accuracy on held-out rows", Range: r.scoreRange(), Label: percents, Space: 2.6}
	if r.isNumber() {
		y.Title, y.Label = "R² on held-out rows", nil
	}
	c := chart.New(f, em, x, y)
	l := r.Linear()
	if l != nil && l.Problem != "" {
		l = nil
	}
	c.Axes(b, r.legend(c)...)
	if l != nil {
		across := func(y float64) []chart.Point { return []chart.Point{{X: x.Low, Y: y}, {X: x.High, Y: y}} }
		c.Area(b, "wash", across(l.High), across(l.Low))
	}
	points := r.Sketches()
	var scores, highest, lowest []chart.Point
	var intervals []chart.Interval
	for i := range points {
		p, d := &points[i], float64(points[i].D)
		low, high, _ := r.seeds(p)
		highest = append(highest, chart.Point{X: d, Y: max(high, y.Low)}) // R² may be far below its axis
		lowest = append(lowest, chart.Point{X: d, Y: max(low, y.Low)})
		scores = append(scores, chart.Point{X: d, Y: max(p.Score, y.Low)})
		intervals = append(intervals, chart.Interval{X: d, Low: max(p.Low, y.Low), High: min(p.High, y.High)})
		picture.Spots = append(picture.Spots, lesson.Rect{X: c.X.At(d) - .9*em, Y: f.Top, Width: 1.8 * em,
			Height: f.Height()})
	}
	if len(r.Seeds) > 0 {
		c.Area(b, "band", highest, lowest)
	}
	if l != nil {
		c.Level(b, "linear", l.Score)
	}
	if r.Kernel != nil {
		c.Level(b, "exact", r.Kernel.Score)
	}
	if p := r.Chosen(); p != nil {
		c.Upright(b, "axis", float64(p.D))
	}
	c.Intervals(b, "sigma", intervals...)
	c.Path(b, "curve", scores...)
	c.Dots(b, "dots big", scores...)
}

// legend names what the picture shows, as far as there is room.
func (r *Session) legend(c *chart.Chart) []chart.Key {
	var keys []chart.Key
	if len(r.Seeds) > 0 && c.Width() > 34*c.Em {
		keys = append(keys, chart.Key{Class: "band", Name: "seeds"})
	}
	if r.Kernel != nil {
		keys = append(keys, chart.Key{Class: "exact", Name: "exact"})
	}
	if l := r.Linear(); l == nil || l.Problem == "" {
		keys = append(keys, chart.Key{Class: "linear", Name: "linear"})
	}
	return append(keys, chart.Key{Class: "dots big", Name: "sketch"})
}

// drawTimes draws the times to fit as bars.
func (r *Session) drawTimes(b *draw.Builder, f draw.Frame, x chart.Axis, em float64) {
	most, points := 0.0, r.Sketches()
	for _, p := range points {
		most = max(most, p.Time.Seconds())
	}
	y := chart.Axis{Title: "seconds to learn", Range: chart.Range{High: most * 1.05}, Space: 2}
	if most == 0 {
		y.High, y.Ticks = 1, []float64{0}
	}
	c := chart.New(f, em, x, y)
	c.Axes(b)
	factor := math.Pow(x.High/x.Low, .5*em/c.Width()) // half an em to either side
	var bars []chart.Bar
	for _, p := range points {
		d := float64(p.D)
		bars = append(bars, chart.Bar{Low: d / factor, High: d * factor, Y: p.Time.Seconds()})
	}
	c.Bars(b, "bars", bars...)
}

// percents writes ticks as percentages.
func percents(ticks []float64) func(float64) string {
	decimals := 0
	for _, tick := range ticks {
		if math.Abs(100*tick-math.Round(100*tick)) > 1e-6 {
			decimals = 1
		}
	}
	return func(x float64) string { return format.Fixed(100*x, decimals) + "\u00a0%" }
}

// CurveTable returns the data of the curve.
func (r *Session) CurveTable(stem string) lesson.Table {
	score := "accuracy"
	if r.isNumber() {
		score = "r2"
	}
	t := lesson.Table{Name: stem + "-curve", Caption: "The models, how they predict the held-out rows, and how long " +
		"they took to learn", Head: []string{"model", "D", score, "low", "high", "alpha", "seconds", "rows", "seed_low",
		"seed_high"}}
	for i := range r.Points {
		p := &r.Points[i]
		if p.Problem != "" {
			continue
		}
		model, d := "sketch", format.Exact(float64(p.D))
		if p.D == 0 {
			model, d = "linear", ""
		}
		row := append([]string{model, d}, numbers(p.Score, p.Low, p.High, p.Alpha, p.Time, p.Rows)...)
		low, high, n := r.seeds(p)
		if n == 1 || p.D == 0 {
			low, high = math.NaN(), math.NaN()
		}
		t.Rows = append(t.Rows, append(row, format.Cells(low, high)...))
	}
	if k := r.Kernel; k != nil {
		row := append([]string{"exact kernel", ""}, numbers(k.Score, k.Low, k.High, k.Alpha, k.Time, k.Rows)...)
		t.Rows = append(t.Rows, append(row, "", ""))
	}
	return t
}

func numbers(score, low, high, alpha float64, time time.Duration, rows int) []string {
	return append(format.Cells(score, low, high, alpha, time.Seconds()), format.Exact(float64(rows)))
}
