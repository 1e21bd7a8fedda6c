package learnfile

import (
	"math"
	"time"

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
func (r *Room) Curve(size lesson.Size, most int, standalone bool) *Picture {
	em := size.Em
	b := &draw.Builder{}
	b.Open(size.Width, size.Height, em, r.Summary(), standalone)
	gap := 2.6 * em
	top := draw.Frame{Left: 4.2 * em, Top: 2.6 * em, Right: size.Width - 1.2*em}
	whole := size.Height - top.Top - 2.9*em
	top.Bottom = top.Top + .7*(whole-gap)
	below := draw.Frame{Left: top.Left, Top: top.Bottom + gap, Right: top.Right, Bottom: size.Height - 2.9*em}
	sizes := Sizes(most)
	x := draw.Scale{Low: float64(sizes[0]) / 1.25, High: float64(sizes[len(sizes)-1]) * 1.25, From: top.Left,
		To: top.Right}.Log()
	picture := &Picture{}
	r.drawScores(b, top, x, em, picture)
	r.drawTimes(b, below, x, em)
	ticks := make([]float64, len(sizes))
	for i, d := range sizes {
		ticks[i] = float64(d)
	}
	b.Across(below.Bottom+1.4*em, below.Right+em, .8*em, draw.Axis{Ticks: ticks, Label: format.Short, At: x, Em: em})
	b.Label(below.Right, below.Bottom+2.6*em, "end", "components D")
	b.Close()
	picture.SVG = b.String()
	return picture
}

// scoreRange returns the range of the vertical axis.
func (r *Room) scoreRange() (low, high float64) {
	low, high = 1, 0
	see := func(a, b float64) { low, high = min(low, a), max(high, b) }
	for i := range r.Points {
		p := &r.Points[i]
		if p.Problem != "" {
			continue
		}
		see(max(p.Low, -1), p.High)
		from, to, _ := r.seeds(p)
		see(max(from, -1), to)
	}
	if r.Kernel != nil {
		see(max(r.Kernel.Low, -1), r.Kernel.High)
	}
	if low > high {
		return 0, 1
	}
	low, high = draw.Padded(low, high)
	return max(low, -1), min(high, 1.005)
}

func (r *Room) isNumber() bool { return r.Head != nil && r.Head.IsNumber() }

func (r *Room) drawScores(b *draw.Builder, f draw.Frame, x func(float64) float64, em float64, picture *Picture) {
	low, high := r.scoreRange()
	y := f.Up(low, high)
	ticks := draw.Ticks(low, high, int(f.Height()/(2.6*em)))
	name, label := "accuracy", percentTick(ticks)
	if r.isNumber() {
		name, label = "R²", format.Axis(ticks)
	}
	b.Grid(f, draw.Axis{Ticks: ticks, Label: label, At: y.At, Em: em})
	legend := r.drawLegend(b, f, em)
	if long := name + " on held-out rows"; .6*em+draw.TextWidth(long, em) < legend {
		name = long
	}
	b.Label(.6*em, f.Top-1.2*em, "start", name)
	points := r.Sketches()
	l := r.Linear()
	if l != nil && l.Problem == "" {
		b.Rect("wash", f.Left, y.At(l.High), f.Width(), y.At(l.Low)-y.At(l.High))
	}
	r.drawBand(b, points, x, y)
	if l != nil && l.Problem == "" {
		b.Line("linear", f.Left, y.At(l.Score), f.Right, y.At(l.Score))
	}
	if r.Kernel != nil {
		b.Line("exact", f.Left, y.At(r.Kernel.Score), f.Right, y.At(r.Kernel.Score))
	}
	line, bars, dots := &draw.Builder{}, &draw.Builder{}, &draw.Builder{}
	chosen := r.Chosen()
	for k, p := range points {
		at, middle := x(float64(p.D)), y.At(p.Score)
		line.MoveOrLine(k, at, middle)
		bottom, top := y.At(max(p.Low, low)), y.At(min(p.High, high))
		bars.Text("M", at, " ", bottom, "V", top, "M", at-.3*em, " ", top, "h", .6*em, "M", at-.3*em, " ", bottom, "h", .6*em)
		dots.Point(at, middle)
		picture.Spots = append(picture.Spots, lesson.Rect{X: at - .9*em, Y: f.Top, Width: 1.8 * em, Height: f.Height()})
		if chosen != nil && chosen.D == p.D {
			b.Line("axis", at, f.Top, at, f.Bottom)
		}
	}
	b.Path("sigma", bars.String())
	b.Path("curve", line.String())
	b.Path("dots big", dots.String())
}

// drawBand draws the range of the scores over seeds.
func (r *Room) drawBand(b *draw.Builder, points []Point, x func(float64) float64, y draw.Scale) {
	if len(r.Seeds) == 0 {
		return
	}
	path := &draw.Builder{}
	n := 0
	for i := range points {
		_, high, _ := r.seeds(&points[i])
		path.MoveOrLine(n, x(float64(points[i].D)), y.At(high))
		n++
	}
	for i := len(points) - 1; i >= 0; i-- {
		low, _, _ := r.seeds(&points[i])
		path.MoveOrLine(1, x(float64(points[i].D)), y.At(low))
	}
	path.Text("Z")
	b.Path("band", path.String())
}

// drawLegend names the lines above the frame, from the right, and returns where the first one begins.
func (r *Room) drawLegend(b *draw.Builder, f draw.Frame, em float64) (end float64) {
	y := f.Top - 1.2*em
	end = f.Right
	entry := func(class, text string) {
		b.Label(end, y, "end", text)
		end -= draw.TextWidth(text, em) + .6*em
		switch class {
		case "dots big":
			b.Text(`<path class="dots big" d="M`, end-.4*em, " ", y-.35*em, `h0"/>`)
			end -= .8 * em
		case "band":
			b.Rect("band", end-1.4*em, y-.8*em, 1.4*em, em)
			end -= 1.4 * em
		default:
			b.Line(class, end-1.4*em, y-.35*em, end, y-.35*em)
			end -= 1.4 * em
		}
		end -= 1.1 * em
	}
	entry("dots big", "sketch")
	if l := r.Linear(); l == nil || l.Problem == "" {
		entry("linear", "linear")
	}
	if r.Kernel != nil {
		entry("exact", "exact")
	}
	if len(r.Seeds) > 0 && f.Width() > 34*em {
		entry("band", "seeds")
	}
	return end
}

// drawTimes draws the times to fit as bars.
func (r *Room) drawTimes(b *draw.Builder, f draw.Frame, x func(float64) float64, em float64) {
	most := 0.0
	points := r.Sketches()
	for _, p := range points {
		most = max(most, p.Time.Seconds())
	}
	b.Label(.6*em, f.Top-.7*em, "start", "seconds to learn")
	if most == 0 {
		b.Line("axis", f.Left, f.Bottom, f.Right, f.Bottom)
		return
	}
	y := f.Up(0, most*1.05)
	ticks := draw.Ticks(0, most*1.05, max(1, int(f.Height()/(2*em))))
	b.Grid(f, draw.Axis{Ticks: ticks, Label: format.Axis(ticks), At: y.At, Em: em})
	path := &draw.Builder{}
	for _, p := range points {
		at := x(float64(p.D))
		path.Text("M", at-.5*em, " ", f.Bottom, "V", y.At(p.Time.Seconds()), "h", em, "V", f.Bottom, "Z")
	}
	b.Path("bars", path.String())
}

// percentTick writes ticks as percentages.
func percentTick(ticks []float64) func(float64) string {
	decimals := 0
	for _, tick := range ticks {
		if math.Abs(100*tick-math.Round(100*tick)) > 1e-6 {
			decimals = 1
		}
	}
	return func(x float64) string { return format.Fixed(100*x, decimals) + "\u00a0%" }
}

// CurveTable returns the data of the curve.
func (r *Room) CurveTable(stem string) lesson.Table {
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
