// Package csvfile reads tables of comma-separated values as feature rows.
//
// Sniff looks at the head of a file and guesses its Layout: delimiter, header,
// the type of each column and what to use it for. A Reader then streams the
// rows; those it cannot use are counted and the first are listed with line,
// column and reason, so that nothing is dropped in silence.
package csvfile

import "strconv"

// A Layout is what the head of a file says about the whole.
type Layout struct {
	Name    string // of the file
	Comma   byte   // ',', ';' or '\t'
	Decimal byte   // '.', or ',' where cells are like "0,5" and Comma is another
	Header  bool   // the first row names the columns
	Columns []Column
	Rows    int // rows below the header that Sniff has looked at

	BytesPerRow float64 // in the head
}

// A Column of the file.
type Column struct {
	Name    string
	Type    Type
	Role    Role
	Example string // the first cell that is not empty
	Odd     int    // cells looked at that are not of the type, empty ones included
}

// Type is what most cells of a column hold.
type Type uint8

// The types of column.
const (
	Empty Type = iota
	Integer
	Number
	Text
)

func (t Type) String() string {
	return [...]string{"empty", "integer", "number", "text"}[t]
}

// Role is what a column is used for.
type Role uint8

// The roles of a column.
const (
	Feature Role = iota // a coordinate of the vector to embed
	Label               // written first in the output
	Keep                // written after the label, unchanged
	Ignore
)

func (r Role) String() string {
	return [...]string{"feature", "label", "keep", "ignore"}[r]
}

// ParseRole returns the role of that name.
func ParseRole(name string) (Role, bool) {
	for r := Feature; r <= Ignore; r++ {
		if r.String() == name {
			return r, true
		}
	}
	return Ignore, false
}

// Indexes returns the columns of a role, in the order of the file.
func (l *Layout) Indexes(role Role) []int {
	var indexes []int
	for i := range l.Columns {
		if l.Columns[i].Role == role {
			indexes = append(indexes, i)
		}
	}
	return indexes
}

// Label returns the column of the label, or −1.
func (l *Layout) Label() int {
	for i := range l.Columns {
		if l.Columns[i].Role == Label {
			return i
		}
	}
	return -1
}

// With returns a copy in which column i has the role. There is one label at
// most: an earlier one is used for what its type suggests.
func (l *Layout) With(i int, role Role) *Layout {
	next := *l
	next.Columns = append([]Column(nil), l.Columns...)
	if old := l.Label(); role == Label && old >= 0 {
		next.Columns[old].Role = next.Columns[old].Type.usualRole()
	}
	next.Columns[i].Role = role
	return &next
}

// WithLabel returns a copy whose label is column i, or that has none if i is −1.
func (l *Layout) WithLabel(i int) *Layout {
	if i >= 0 {
		return l.With(i, Label)
	}
	if old := l.Label(); old >= 0 {
		return l.With(old, l.Columns[old].Type.usualRole())
	}
	return l
}

func (t Type) usualRole() Role {
	switch t {
	case Integer, Number:
		return Feature
	case Text:
		return Keep
	}
	return Ignore
}

// place names column i: column 3 ("width"), or column 3 where it has no name.
func (l *Layout) place(i int) string {
	place := "column " + strconv.Itoa(i+1)
	if l.Header && i < len(l.Columns) && l.Columns[i].Name != place {
		place += " (" + strconv.Quote(short(l.Columns[i].Name)) + ")"
	}
	return place
}
