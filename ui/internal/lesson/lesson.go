// Package lesson is what the teaching places have in common: a picture that is computed from the state of a link. It
// can be drawn, pointed at, stepped through, and described in words and tables. The pictures are in packages of
// their own, which know nothing of a browser.
package lesson

import (
	"slices"
	"strconv"
	"strings"
)

// A Picture shows one state of a place. The core has computed it, and it never changes. A method's argument look is
// the item pointed at, or the zero Item.
type Picture interface {
	// View puts the picture into words.
	View(look Item) View
	// Fit returns the size of the picture in a column of the given width and a window of the given height. All are
	// in CSS pixels; em is the font size.
	Fit(width, window, em float64) Size
	// SVG draws the picture. A standalone picture includes its colours.
	SVG(size Size, look Item, standalone bool) string
	// Areas returns the areas of the items that can be pointed at.
	Areas(size Size) []Area
	// Groups returns the items that the keyboard walks through.
	Groups() []Group
	// Describe describes an item: "coordinate 4 is 0.25 and falls into bucket 2 with sign −".
	Describe(item Item) string
	// Drag returns the change made by dragging an item to a point, or false if the item cannot be dragged.
	Drag(size Size, item Item, x, y float64) (Change, bool)
	// Nudge returns the change made by pressing the up key (by = 1) or the down key (−1) at an item, or false if
	// keys do not change it.
	Nudge(item Item, by int) (Change, bool)
	// StepTo returns the change that leads to a step, from 0 to View.Steps.
	StepTo(step int) Change
	// Table returns the data of the picture.
	Table() Table
}

// A Painter is a Picture in which one part has too many cells for SVG. That part is painted on a canvas beneath the
// SVG. A standalone SVG draws it nevertheless.
type Painter interface {
	// Paint returns the part of the picture that it paints, and the pixels row by row. Each pixel has four bytes:
	// red, green, blue and alpha (not premultiplied). scale is the number of screen pixels per CSS pixel. pixels is
	// reused if it is large enough.
	Paint(size Size, look Item, scale float64, dark bool, pixels []byte) (part Rect, width, height int, painted []byte)
}

// A Worker is a Picture that still computes something that it shows later.
type Worker interface {
	// HasWork reports whether something is left to compute.
	HasWork() bool
	// Advance computes a part of it, in a few milliseconds, and reports whether a picture made anew shows more.
	Advance() (shows bool)
}

// A Presser is a Picture on which a press can change something.
type Presser interface {
	// Press returns the change made by pressing a point of the picture, or false if a press there pins the item.
	Press(size Size, x, y float64) (Change, bool)
	// Enter returns the change made by pressing Enter at an item, or false if that pins the item.
	Enter(item Item) (Change, bool)
}

// Size is the size of a picture in CSS pixels, with its font size.
type Size struct{ Width, Height, Em float64 }

// Rect is a rectangle in a picture.
type Rect struct{ X, Y, Width, Height float64 }

// Contains reports whether a point is in the rectangle.
func (r Rect) Contains(x, y float64) bool {
	return x >= r.X && x < r.X+r.Width && y >= r.Y && y < r.Y+r.Height
}

// A Change sets a parameter of the place, as a link does.
type Change struct{ Name, Text string }

// A Kind is a kind of item.
type Kind string

// The kinds of items. Each place has some of them.
const (
	Coordinate Kind = "x" // coordinate i of the vector
	Bucket     Kind = "k" // bucket k of the result
	First      Kind = "m" // bucket m of the first sketch
	Second     Kind = "n" // bucket n of the second sketch
	Cell       Kind = "c" // (i, j): (m, n) of the matrix, or the product x_i·x_j
	Frequency  Kind = "f"
	Column     Kind = "d" // the column of one D
	Pair       Kind = "p" // (i, j): the product x_i·x_j beside a matrix of other cells
)

const kinds = string(Coordinate + Bucket + First + Second + Cell + Frequency + Column + Pair)

// An Item is something in a picture that can be pointed at. J is 0 for all kinds except Cell and Pair.
type Item struct {
	Kind Kind
	I, J int
}

// String writes an item as in links: x4, k5, c3.11; "" for the zero Item.
func (i Item) String() string {
	if i.Kind == "" {
		return ""
	}
	text := string(i.Kind) + strconv.Itoa(i.I)
	if i.Kind.isMatrix() {
		text += "." + strconv.Itoa(i.J)
	}
	return text
}

// isMatrix reports whether items of the kind have rows and columns.
func (k Kind) isMatrix() bool { return k == Cell || k == Pair }

// ParseItem reads what String writes. It does not check whether the picture has the item.
func ParseItem(text string) (Item, bool) {
	if text == "" {
		return Item{}, true
	}
	item := Item{Kind: Kind(text[:1])}
	if !strings.Contains(kinds, text[:1]) {
		return Item{}, false
	}
	first, second, _ := strings.Cut(text[1:], ".")
	item.I, _ = strconv.Atoi(first)
	item.J, _ = strconv.Atoi(second)
	if item.String() != text || min(item.I, item.J) < 0 || max(item.I, item.J) >= 1<<20 {
		return Item{}, false
	}
	return item, true
}

// A Group is a row or a matrix of items. It is one stop of the tab key; the arrow keys walk through it.
type Group struct {
	Kind          Kind
	Label         string // "Coordinates of x"
	Rows, Columns int    // Rows is 1 for all kinds except Cell and Pair
	CanNudge      bool   // the up and down keys change the value
}

// Has reports whether one of the groups has an item.
func Has(groups []Group, item Item) bool {
	return slices.ContainsFunc(groups, func(g Group) bool {
		return g.Kind == item.Kind && min(item.I, item.J) >= 0 && item.I < g.Columns && item.J < g.Rows
	})
}

// An Area is the part of a picture that contains all items of a kind, in rows and columns of equal size.
type Area struct {
	Kind          Kind
	Rect          Rect
	Rows, Columns int
	First         int  // the number of the first item, if there is an area for each
	Unpressed     bool // only the keyboard gets to its items
}

// Hit returns the item at a point in one of the areas, or the zero Item. Areas do not overlap.
func Hit(areas []Area, x, y float64) Item {
	for _, a := range areas {
		if a.Unpressed || !a.Rect.Contains(x, y) {
			continue
		}
		row := min(int((y-a.Rect.Y)/a.Rect.Height*float64(a.Rows)), a.Rows-1)
		column := min(int((x-a.Rect.X)/a.Rect.Width*float64(a.Columns)), a.Columns-1)
		if a.Kind.isMatrix() {
			return Item{a.Kind, column, row}
		}
		return Item{Kind: a.Kind, I: a.First + row + column} // row or column is 0
	}
	return Item{}
}

// Bounds returns the rectangle of an item in one of the areas, or the zero Rect.
func Bounds(areas []Area, item Item) Rect {
	for _, a := range areas {
		row, column := item.J, item.I
		if a.Columns == 1 {
			row, column = item.I-a.First, item.J
		}
		if a.Kind == item.Kind && min(row, column) >= 0 && row < a.Rows && column < a.Columns {
			width, height := a.Rect.Width/float64(a.Columns), a.Rect.Height/float64(a.Rows)
			return Rect{a.Rect.X + float64(column)*width, a.Rect.Y + float64(row)*height, width, height}
		}
	}
	return Rect{}
}

// InOrder moves each group before those that lie below it, as the tab key is to lead through them.
func InOrder(groups []Group, areas []Area) []Group {
	rect := func(g Group) (r Rect) {
		for _, a := range areas {
			if a.Kind == g.Kind {
				return a.Rect
			}
		}
		return r
	}
	for i := range groups {
		for ; i > 0; i-- {
			r := rect(groups[i])
			if r.Height == 0 || r.Y+r.Height > rect(groups[i-1]).Y {
				break
			}
			groups[i], groups[i-1] = groups[i-1], groups[i]
		}
	}
	return groups
}

// A View is the description of a picture in words.
type View struct {
	Title, Lede string // the heading, and the two sentences under it
	Step, Steps int    // the current step and the last one
	StepLabel   string // "step 5 of 16"
	Sum         string // the computation of the step or of the item pointed at: "bucket 5 ← 0.80 − 0.35 = 0.45"
	Cards       []Card // four figures
	Summary     string // the picture in words, for visitors who cannot see it
	Questions   []Question
}

// A Card shows one figure.
type Card struct{ ID, Title, Value, Unit, Note string }

// A Question points out something to notice, and sets what shows it.
type Question struct {
	Do      string   // "Set D to 4": the text of the button
	Ask     string   // "What happens to the collisions?"
	Changes []Change // what the button sets
	Answer  string   // with the current figures; shown while the setting holds
}

// Answer writes the answer to the question that is asked, from 1, and returns the questions.
func Answer(questions []Question, asked int, answers ...func() string) []Question {
	if asked >= 1 && asked <= len(questions) {
		questions[asked-1].Answer = answers[asked-1]()
	}
	return questions
}

// A Table holds the data of a picture. Cells are words, or numbers as written in files.
type Table struct {
	Name    string // of the file, without its extension: "buckets"
	Caption string
	Head    []string
	Rows    [][]string
}

// Add adds a column, or the two columns Re and Im if parts is 2. cell returns the text of a part in a row.
func (t *Table) Add(name string, parts int, cell func(row, part int) string) {
	for part := range parts {
		head := name
		if parts == 2 {
			head += [...]string{", Re", ", Im"}[part]
		}
		t.Head = append(t.Head, head)
		for row := range t.Rows {
			t.Rows[row] = append(t.Rows[row], cell(row, part))
		}
	}
}
