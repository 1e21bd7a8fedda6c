// Package pad turns a drawn digit into an image like those that a model has learned from. It draws nothing itself.
package pad

import (
	"math"
	"strconv"
	"strings"
)

// Cells is the number of cells of the pad's grid in each direction. Arrow keys move over them.
const Cells = 16

// A Point is a place on the pad: 0 to 1 from left to right and from top to bottom.
type Point struct{ X, Y float64 }

// A Drawing is what is on the pad: strokes of a pointer, and cells that were filled with the keyboard.
type Drawing struct {
	Strokes [][]Point
	Filled  [Cells][Cells]bool // by row and column
	Row     int                // of the cell that the keyboard is at
	Column  int
}

// IsEmpty reports whether nothing is drawn.
func (d *Drawing) IsEmpty() bool { return len(d.Strokes) == 0 && d.Filled == [Cells][Cells]bool{} }

// Clear takes away what is drawn. The keyboard stays at its cell.
func (d *Drawing) Clear() { d.Strokes, d.Filled = nil, [Cells][Cells]bool{} }

// Begin begins a stroke.
func (d *Drawing) Begin(p Point) { d.Strokes = append(d.Strokes, []Point{p}) }

// most bounds the points of a stroke. A finger that stays on the pad would otherwise make it slower and slower.
const most = 4000

// Extend continues the last stroke.
func (d *Drawing) Extend(p Point) {
	if n := len(d.Strokes); n > 0 && len(d.Strokes[n-1]) < most {
		d.Strokes[n-1] = append(d.Strokes[n-1], p)
	}
}

// moves are the keys that move over the cells.
var moves = map[string]struct{ down, right int }{
	"ArrowLeft": {0, -1}, "ArrowRight": {0, 1}, "ArrowUp": {-1, 0}, "ArrowDown": {1, 0},
}

// Press does what a key does, and reports whether it does anything. An arrow moves, and fills cells if drawing; Space
// and Enter fill a cell or empty it.
func (d *Drawing) Press(key string, drawing bool) bool {
	move, isArrow := moves[key]
	switch {
	case isArrow:
		if drawing {
			d.Filled[d.Row][d.Column] = true
		}
		d.Row, d.Column = min(max(d.Row+move.down, 0), Cells-1), min(max(d.Column+move.right, 0), Cells-1)
		if drawing {
			d.Filled[d.Row][d.Column] = true
		}
	case key == " " || key == "Enter":
		d.Filled[d.Row][d.Column] = !d.Filled[d.Row][d.Column]
	default:
		return false
	}
	return true
}

// Place says at which cell the keyboard is.
func (d *Drawing) Place() string {
	state := "empty"
	if d.Filled[d.Row][d.Column] {
		state = "filled"
	}
	return "Row " + strconv.Itoa(d.Row+1) + ", column " + strconv.Itoa(d.Column+1) + " of " + strconv.Itoa(Cells) + ": " +
		state + "."
}

// A segment is a straight piece of a stroke.
type segment struct{ a, b Point }

// segments returns what is drawn as pieces. A filled cell is joined with filled cells beside it, also diagonally where
// no other cell joins them.
func (d *Drawing) segments() (all []segment) {
	for _, stroke := range d.Strokes {
		all = append(all, segment{stroke[0], stroke[0]})
		for i := 1; i < len(stroke); i++ {
			all = append(all, segment{stroke[i-1], stroke[i]})
		}
	}
	at := func(row, column int) Point {
		return Point{(float64(column) + .5) / Cells, (float64(row) + .5) / Cells}
	}
	has := func(row, column int) bool {
		return row < Cells && column >= 0 && column < Cells && d.Filled[row][column]
	}
	for row := range Cells {
		for column := range Cells {
			if !d.Filled[row][column] {
				continue
			}
			own := at(row, column)
			all = append(all, segment{own, own})
			for _, next := range [][2]int{{row, column + 1}, {row + 1, column}, {row + 1, column + 1}, {row + 1, column - 1}} {
				isCorner := next[0] != row && next[1] != column
				if has(next[0], next[1]) && !(isCorner && (has(next[0], column) || has(row, next[1]))) {
					all = append(all, segment{own, at(next[0], next[1])})
				}
			}
		}
	}
	return all
}

// Path returns what is drawn as the path of an SVG of the width and height of one.
func (d *Drawing) Path() string {
	var b strings.Builder
	number := func(x float64) string { return strconv.FormatFloat(x, 'f', 4, 64) }
	last := Point{-1, -1}
	for _, s := range d.segments() {
		if s.a != last || s.a == s.b {
			b.WriteString("M" + number(s.a.X) + " " + number(s.a.Y))
		}
		b.WriteString("L" + number(s.b.X) + " " + number(s.b.Y))
		last = s.b
	}
	return b.String()
}

// distance returns how far a point is from the segment.
func (s segment) distance(p Point) float64 {
	dx, dy := s.b.X-s.a.X, s.b.Y-s.a.Y
	t := 0.0
	if length := dx*dx + dy*dy; length > 0 {
		t = min(max(((p.X-s.a.X)*dx+(p.Y-s.a.Y)*dy)/length, 0), 1)
	}
	return math.Hypot(p.X-s.a.X-t*dx, p.Y-s.a.Y-t*dy)
}

// box returns the smallest rectangle around segments.
func box(all []segment) (low, high Point) {
	low, high = Point{math.Inf(1), math.Inf(1)}, Point{math.Inf(-1), math.Inf(-1)}
	for _, s := range all {
		for _, p := range []Point{s.a, s.b} {
			low, high = Point{min(low.X, p.X), min(low.Y, p.Y)}, Point{max(high.X, p.X), max(high.Y, p.Y)}
		}
	}
	return low, high
}
