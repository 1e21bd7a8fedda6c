package learn

import (
	"math"
	"strconv"

	"tensorsketch.example/ui/internal/chart"
	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
)

// mostDrawn is the maximum number of classes in a drawn matrix.
const mostDrawn = 100

// Picture draws what the model predicts: the confusion matrix, or predictions against the truth.
func (d *Detail) Picture(size lesson.Size, standalone bool) *Picture {
	b := &draw.Builder{}
	b.Open(size.Width, size.Height, size.Em, d.Summary(), standalone)
	picture := &Picture{}
	switch {
	case d.IsNumber():
		d.drawScatter(b, size, picture)
	case len(d.Classes) > mostDrawn:
		b.Label(size.Width/2, size.Height/2, "middle", format.Count(len(d.Classes))+" classes are too many to draw")
	default:
		d.drawMatrix(b, size, picture)
	}
	b.Close()
	picture.SVG = b.String()
	return picture
}

func (d *Detail) drawMatrix(b *draw.Builder, size lesson.Size, picture *Picture) {
	em, n := size.Em, len(d.Classes)
	longest := 0.0
	for _, class := range d.Classes {
		longest = max(longest, draw.TextWidth(short(class), em))
	}
	left := min(max(longest+2.6*em, 4*em), size.Width/3)
	side := min((size.Width-left-.5*em)/float64(n), (size.Height-4.6*em)/float64(n), max(4.4*em, 36*em/float64(n)))
	top := 1.6 * em
	stride := draw.Stride(side, 1.3*em)
	b.Label(left, top-.6*em, "start", "predicted as →")
	b.Label(left-.5*em, top-.6*em, "end", "true ↓")
	paths := draw.Paths{}
	for t := range n {
		all := d.Truths(t)
		for p := range n {
			x, y := left+float64(p)*side, top+float64(t)*side
			picture.Spots = append(picture.Spots, lesson.Rect{X: x, Y: y, Width: side, Height: side})
			count := d.Count(t, p)
			if count == 0 {
				continue
			}
			class := "right"
			if t != p {
				class = "false"
			}
			// four shades of the share of the true class
			shade := 1 + min(3, int(4*math.Sqrt(float64(count)/float64(all)))) // a few errors are to be seen
			path := paths.Of(class + " s" + strconv.Itoa(shade))
			gap := min(1, .08*side)
			path.Text("M", x+gap, " ", y+gap, "h", side-2*gap, "v", side-2*gap, "h", -(side - 2*gap), "Z")
		}
	}
	for _, class := range []string{"right", "false"} {
		for shade := 1; shade <= 4; shade++ {
			name := class + " s" + strconv.Itoa(shade)
			b.Path(name, paths.Of(name).String())
		}
	}
	grid := &draw.Builder{}
	end := float64(n) * side
	grid.Text("M", left, " ", top, "h", end, "v", end, "h", -end, "Z")
	b.Path("axis", grid.String())
	for t := range n {
		if t%stride == 0 {
			b.Label(left-.5*em, top+(float64(t)+.5)*side+.35*em, "end", cut(d.Classes[t], left-1.2*em, em))
		}
		for p := range n {
			count := d.Count(t, p)
			text := format.Count(count)
			if count > 0 && draw.TextWidth(text, em) < side-.2*em && side > 1.25*em {
				b.LabelOf("count", left+(float64(p)+.5)*side, top+(float64(t)+.5)*side+.35*em, "middle", text)
			}
		}
	}
	d.drawColumns(b, left, top+end+1.2*em, side, em)
}

// drawColumns writes the names below the columns, as far as they have room.
func (d *Detail) drawColumns(b *draw.Builder, left, y, side, em float64) {
	widest := 0.0
	for _, class := range d.Classes {
		widest = max(widest, draw.TextWidth(short(class), em))
	}
	room := min(widest, 6*em) + .4*em
	stride := draw.Stride(side, room)
	for p := 0; p < len(d.Classes); p += stride {
		width := min(float64(stride), 2*(float64(len(d.Classes)-p)-.5)) * side // to the end of the matrix
		b.Label(left+(float64(p)+.5)*side, y, "middle", cut(d.Classes[p], width, em))
	}
}

// short shortens the name of a class.
func short(class string) string {
	if runes := []rune(class); len(runes) > 14 {
		return string(runes[:13]) + "…"
	}
	return class
}

// cut shortens a name to a width.
func cut(class string, width, em float64) string { return draw.Shortened(short(class), width, em) }

func (d *Detail) drawScatter(b *draw.Builder, size lesson.Size, picture *Picture) {
	em := size.Em
	f := draw.Frame{Left: 4.6 * em, Top: chart.Above * em, Right: size.Width - 1.2*em,
		Bottom: size.Height - chart.Below*em}
	truth := chart.Around(nil, d.Truth...).Padded()
	both := chart.Around(nil, append(append([]float64(nil), d.Truth...), d.Predicted...)...).Padded()
	c := chart.New(f, em, chart.Axis{Title: "true number", Range: truth},
		chart.Axis{Title: "predicted number; on the line it is right", Range: both})
	c.Axes(b)
	low, high := max(truth.Low, both.Low), min(truth.High, both.High)
	c.Path(b, "exact", chart.Point{X: low, Y: low}, chart.Point{X: high, Y: high})
	var dots []chart.Point
	for i, t := range d.Truth {
		dots = append(dots, chart.Point{X: t, Y: d.Predicted[i]})
		x, y, _ := c.At(dots[i])
		picture.Spots = append(picture.Spots, lesson.Rect{X: x - .35*em, Y: y - .35*em, Width: .7 * em, Height: .7 * em})
	}
	c.Dots(b, "dots", dots...)
}

// Table returns the confusion matrix, or the true and predicted numbers.
func (d *Detail) Table(stem string) lesson.Table {
	if d.IsNumber() {
		t := lesson.Table{Name: stem + "-predicted", Caption: "True and predicted numbers of held-out rows",
			Head: []string{"true", "predicted"}}
		for i := range d.Truth {
			t.Rows = append(t.Rows, format.Cells(d.Truth[i], d.Predicted[i]))
		}
		return t
	}
	t := lesson.Table{Name: stem + "-confusion", Caption: "Held-out rows: true classes down, predicted ones across",
		Head: append([]string{"true"}, d.Classes...)}
	for i, class := range d.Classes {
		row := []string{class}
		for p := range d.Classes {
			row = append(row, strconv.Itoa(d.Count(i, p)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// Step returns the item that a key leads to from an item, both from 0, and whether the key is one of them.
func (d *Detail) Step(item int, key string) (int, bool) {
	n := d.Items()
	wide := 1
	if !d.IsNumber() {
		wide = len(d.Classes)
	}
	next := item
	switch key {
	case "ArrowLeft":
		next--
	case "ArrowRight":
		next++
	case "ArrowUp":
		next -= wide
	case "ArrowDown":
		next += wide
	case "Home":
		next = 0
	case "End":
		next = n - 1
	default:
		return item, false
	}
	if next < 0 || next >= n || !d.IsNumber() && (key == "ArrowLeft" || key == "ArrowRight") && next/wide != item/wide {
		next = item
	}
	return next, true
}
