// Package lesson is what the teaching places have in common: a picture computed
// from the state of a link, that can be drawn, pointed at, stepped through, and
// put into words and tables. The pictures themselves are in packages of their
// own; they know nothing of a browser.
package lesson

import (
	"strconv"
	"strings"
)

// A Picture is one state of a place: computed by the core, never changed, ready
// to be shown. Where a method takes look, that is the item pointed at, or the
// zero Item.
type Picture interface {
	// View puts the picture into words.
	View(look Item) View
	// Fit returns the size the picture takes in a column of that width, in a window
	// of that height, all in CSS pixels; em is the size of letters.
	Fit(width, window, em float64) Size
	// SVG draws the picture. A standalone one brings its colours along.
	SVG(size Size, look Item, standalone bool) string
	// Hit returns the item at a point, or the zero Item.
	Hit(size Size, x, y float64) Item
	// Bounds returns where an item is.
	Bounds(size Size, item Item) Rect
	// Groups are the items that the keyboard walks through.
	Groups() []Group
	// Describe tells what an item is: "coordinate 4 is 0.25 and falls into bucket 2
	// with sign −".
	Describe(item Item) string
	// Drag returns what dragging an item to a point changes; false where the item
	// cannot be dragged.
	Drag(size Size, item Item, x, y float64) (Change, bool)
	// Nudge returns what a key press up (by 1) or down (−1) changes at an item, with
	// false as for Drag.
	Nudge(item Item, by int) (Change, bool)
	// StepTo returns what leads to a step, 0 to View.Steps.
	StepTo(step int) Change
	// Table returns the data of the picture.
	Table() Table
}

// A Painter is a Picture with a part of too many cells for SVG: they are painted
// on a canvas beneath it. A standalone SVG holds them all the same.
type Painter interface {
	// Paint returns the part of the picture, and its pixels row by row, four bytes
	// red, green, blue, alpha each (not premultiplied), for scale pixels of the
	// screen per CSS pixel. pixels is reused where it is large enough.
	Paint(size Size, look Item, scale float64, dark bool, pixels []byte) (part Rect, width, height int, painted []byte)
}

// Size is the room for a picture, in CSS pixels, and the size of its letters.
type Size struct{ Width, Height, Em float64 }

// Rect is a part of a picture.
type Rect struct{ X, Y, Width, Height float64 }

// Contains tells whether a point is in the part.
func (r Rect) Contains(x, y float64) bool {
	return x >= r.X && x < r.X+r.Width && y >= r.Y && y < r.Y+r.Height
}

// A Change sets a parameter of the place, as a link does.
type Change struct{ Name, Text string }

// A Kind of items.
type Kind string

// The kinds of items. Each place has some of them.
const (
	Coordinate Kind = "x" // i of the vector
	Bucket     Kind = "k" // of the result
	First      Kind = "m" // bucket m of the first sketch
	Second     Kind = "n" // bucket n of the second
	Cell       Kind = "c" // (i, j): (m, n) of the matrix, or the product x_i·x_j
	Frequency  Kind = "f"
	Column     Kind = "d" // of one D
)

// An Item is something in a picture that can be pointed at. J is 0 for all kinds
// but Cell.
type Item struct {
	Kind Kind
	I, J int
}

// String writes an item as links do: x4, k5, c3.11; "" for the zero Item.
func (i Item) String() string {
	if i.Kind == "" {
		return ""
	}
	text := string(i.Kind) + strconv.Itoa(i.I)
	if i.Kind == Cell {
		text += "." + strconv.Itoa(i.J)
	}
	return text
}

// ParseItem reads what String writes. Whether the picture has the item is for
// the picture to say.
func ParseItem(text string) (Item, bool) {
	if text == "" {
		return Item{}, true
	}
	item := Item{Kind: Kind(text[:1])}
	switch item.Kind {
	case Coordinate, Bucket, First, Second, Cell, Frequency, Column:
	default:
		return Item{}, false
	}
	first, second, two := strings.Cut(text[1:], ".")
	if two != (item.Kind == Cell) {
		return Item{}, false
	}
	i, ok := index(first)
	if two && ok {
		item.J, ok = index(second)
	}
	item.I = i
	if !ok {
		return Item{}, false
	}
	return item, true
}

func index(text string) (int, bool) {
	i, err := strconv.Atoi(text)
	return i, err == nil && i >= 0 && i < 1<<20 && strconv.Itoa(i) == text
}

// A Group is a row or a matrix of items, one stop of the tab key: its arrows walk
// through them.
type Group struct {
	Kind          Kind
	Label         string // "Coordinates of x"
	Rows, Columns int    // Rows is 1 for all kinds but Cell
	CanNudge      bool   // up and down change the value
}

// A View is a picture in words.
type View struct {
	Title, Lede string // the heading, and the two sentences under it
	Step, Steps int    // where stepping is, and the last step
	StepLabel   string // "step 5 of 16"
	Sum         string // what the step, or the item pointed at, computes: "bucket 5 ← 0.80 − 0.35 = 0.45"
	Cards       []Card // four figures
	Summary     string // the picture for who cannot see it
	Questions   []Question
}

// A Card is one figure with what belongs to it.
type Card struct{ ID, Title, Value, Unit, Note string }

// A Question is something to notice, and the setting that shows it.
type Question struct {
	Do      string   // "Set D to 4": the text of the button
	Ask     string   // "What happens to the collisions?"
	Changes []Change // what the button sets
	Answer  string   // with the figures of now; shown while the setting holds
}

// A Table is the data of a picture. Cells are numbers as files write them, or
// words.
type Table struct {
	Name    string // of a file, without its ending: "buckets"
	Caption string
	Head    []string
	Rows    [][]string
}
