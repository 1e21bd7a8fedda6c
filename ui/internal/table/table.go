// Package table holds what the page knows of a file of rows: its layout, and how each column is used, in the terms
// of package columns. Package dataset reads the file in a separate worker. docs/formats.md explains the settings.
package table

import (
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/ui/internal/format"
)

// A Layout describes a file, as far as its first rows show it, and how each column is used. It is never changed:
// With and similar methods return a changed copy.
type Layout struct {
	Name        string // of the file
	Stem        string // the name without the extensions of format and compression
	Format      string
	Compression string
	Sparse      bool // there are sparse features in addition to the columns
	Columns     []Column
	Reading     columns.Reading // how the file is read, with all settings of its format
	Guessed     []string        // the settings that were guessed from the rows
	Rows        int             // rows that have been looked at
	BytesPerRow float64         // in the first rows, uncompressed
	Total       int             // number of rows if the file gives it; else 0
	Scaling     columns.Scaling // the initial scaling of numbers
	Notes       []columns.Note  // what was seen and not used, or guessed, with the suggested roles
	uses        *uses           // what is known of all columns; nil if nobody has asked
}

// uses are facts about all columns of a layout, which the page asks for at every drawing.
type uses struct {
	count       [256]int // by role
	label, kept int      // the first columns with these roles, or −1
	learns      bool
}

// used returns the facts, which are gathered once. The columns must not change afterwards.
func (l *Layout) used() *uses {
	if l.uses != nil {
		return l.uses
	}
	u := &uses{label: -1, kept: -1}
	for i := range l.Columns {
		c := &l.Columns[i]
		u.count[c.Role]++
		u.learns = u.learns || c.Learns()
		switch {
		case c.Role == columns.AsLabel && u.label < 0:
			u.label = i
		case c.Role == columns.AsKept && u.kept < 0:
			u.kept = i
		}
	}
	l.uses = u
	return u
}

// A Column is a column of the file, with how it is used.
type Column struct {
	columns.Column
	Type    columns.Type
	Example string // the first cell that is not empty
	Odd     int    // cells looked at that do not have the type, including empty cells
	Usual   columns.Role
	Values  string // what the cells looked at hold, as dataset.Column has it
	Beside  string // the unit that its numbers have beside them
	Why     string // why the usual role makes no coordinates, or ""
	Chosen  bool   // the visitor said what becomes of it
}

// usualRole returns the role that suits the column if it is not the label.
func (c *Column) usualRole() columns.Role {
	if c.Usual == columns.AsNumber && !c.Type.IsNumeric() { // nothing was guessed
		return c.Type.UsualRole()
	}
	return c.Usual
}

// use gives the column a role and the initial settings of that role. Numbers and days get the given scaling.
func (c *Column) use(role columns.Role, scaling columns.Scaling) {
	if c.Column = columns.NewColumn(c.Name, role); c.IsScaled() {
		c.Scaling = scaling
	}
	c.measure()
}

// measure has numbers read without their unit.
func (c *Column) measure() {
	if c.Role == columns.AsNumber || c.Role == columns.AsLabel {
		c.Measure = c.Beside
	}
}

// Count returns how many columns have a role.
func (l *Layout) Count(role columns.Role) int { return l.used().count[role] }

// IsOpen reports whether learning decides by all rows what becomes of the column: of texts, if nobody chose and the
// first rows suggest no use.
func (c *Column) IsOpen() bool {
	return c.Type == columns.Text && c.Role == columns.AsKept && !c.Chosen
}

// CanLearn reports whether there is anything to learn from, as far as the first rows show it.
func (l *Layout) CanLearn() bool {
	return l.HasFeatures() || slices.ContainsFunc(l.Columns, func(c Column) bool { return c.IsOpen() })
}

// HasFeatures reports whether the file gives any coordinates.
func (l *Layout) HasFeatures() bool {
	if l.Sparse {
		return true
	}
	for role, n := range l.used().count {
		if n > 0 && columns.Role(role).IsFeature() {
			return true
		}
	}
	return false
}

// Label returns the index of the label column, or −1.
func (l *Layout) Label() int { return l.used().label }

// First returns the index of the column whose cells come first in the output: the label, else the first kept column,
// else −1.
func (l *Layout) First() int {
	if i := l.Label(); i >= 0 {
		return i
	}
	return l.used().kept
}

// format returns the format of the file, or the zero Format if it is unknown.
func (l *Layout) format() columns.Format {
	if f := columns.FormatOf(l.Format); f != nil {
		return *f
	}
	return columns.Format{}
}

// Kind names the format and the compression.
func (l *Layout) Kind() string {
	kind := l.format().Label
	if l.Compression != "none" {
		kind += " with " + l.Compression
	}
	return kind
}

// IsText reports whether the file consists of lines. Its rows are then identified by line.
func (l *Layout) IsText() bool { return l.format().Lines }

// copy returns a copy whose columns can be changed.
func (l *Layout) copy() *Layout {
	next := *l
	next.Columns, next.uses = slices.Clone(l.Columns), nil
	return &next
}

// WithEach returns a copy in which change was applied to every column.
func (l *Layout) WithEach(change func(*Column)) *Layout {
	next := l.copy()
	for i := range next.Columns {
		change(&next.Columns[i])
	}
	return next
}

// With returns a copy in which column i has the role. There is at most one label: a previous label column gets the
// usual role of its type.
func (l *Layout) With(i int, role columns.Role) *Layout {
	next := l.copy()
	if old := l.Label(); role == columns.AsLabel && old >= 0 {
		next.Columns[old].use(next.Columns[old].usualRole(), l.Scaling)
		next.Columns[old].Chosen = false
	}
	next.Columns[i].use(role, l.Scaling)
	next.Columns[i].Chosen = true
	return next
}

// WithRole returns a copy in which the given columns have the role, which must not be AsLabel.
func (l *Layout) WithRole(columns []int, role columns.Role) *Layout {
	next := l.copy()
	for _, i := range columns {
		if next.Columns[i].Role != role {
			next.Columns[i].use(role, l.Scaling)
		}
		next.Columns[i].Chosen = true
	}
	return next
}

// WithLabel returns a copy in which column i is the label, or without a label if i is −1.
func (l *Layout) WithLabel(i int) *Layout {
	if i >= 0 {
		return l.With(i, columns.AsLabel)
	}
	if old := l.Label(); old >= 0 {
		next := l.With(old, l.Columns[old].usualRole())
		next.Columns[old].Chosen = false
		return next
	}
	return l
}

// WithScaling returns a copy in which all columns that can be scaled have the scaling.
func (l *Layout) WithScaling(scaling columns.Scaling) *Layout {
	return l.WithEach(func(c *Column) {
		if c.IsScaled() {
			c.Scaling = scaling
		}
	})
}

// WithMissing returns a copy in which all columns that allow the policy have it.
func (l *Layout) WithMissing(policy columns.Missing) *Layout {
	return l.WithEach(func(c *Column) {
		if own, ok := c.Role.Policy(policy); ok {
			c.Chosen = c.Chosen || c.Missing != own
			c.Missing = own
		}
	})
}

// Release returns what is public about a private release of the file. width is the number of sparse coordinates.
func (l *Layout) Release(method string, width int) *columns.Release {
	r := &columns.Release{Sparse: l.Sparse, Width: width, Method: method, Reading: &l.Reading}
	r.Measured = l.format().Columnar && slices.Contains(l.Guessed, "keys")
	for i := range l.Columns {
		r.Columns = append(r.Columns, l.Columns[i].Column)
	}
	return r
}

// ForRelease returns a copy whose columns are settled so that a private release accepts them.
func (l *Layout) ForRelease() *Layout { return l.WithEach(func(c *Column) { c.Fit() }) }

// Explained returns the layout with what its notes say of each column that nobody would use.
func (l *Layout) Explained() *Layout {
	why := map[string]string{}
	for _, n := range l.Notes {
		if _, text, found := strings.Cut(n.What, " is not used: "); found && n.Code == columns.NoteUnusedColumn {
			why[n.Column] = text
		}
	}
	return l.WithEach(func(c *Column) { c.Why = why[c.Name] })
}

// LabelGuess says why the label was guessed, or returns "" if it was chosen.
func (l *Layout) LabelGuess() string {
	for _, n := range l.RoleNotes() {
		if n.Code == columns.NoteGuessedLabel {
			_, why, _ := strings.Cut(n.What, " is taken as the label, ")
			return why
		}
	}
	return ""
}

// Learns reports whether the model file will contain anything learned from the rows.
func (l *Layout) Learns() bool { return l.used().learns }

// WithColumn returns a copy in which change was applied to column i.
func (l *Layout) WithColumn(i int, change func(*Column)) *Layout {
	next := l.copy()
	c := &next.Columns[i]
	c.Parts, c.Chosen = slices.Clone(c.Parts), true
	change(c)
	return next
}

// Common returns the value that all columns for which has holds share. It returns "" if the values differ or there are
// none.
func (l *Layout) Common(has func(*Column) bool, value func(*Column) string) string {
	common := ""
	for i := range l.Columns {
		if c := &l.Columns[i]; has(c) && value(c) != common {
			if common != "" {
				return ""
			}
			common = value(c)
		}
	}
	return common
}

// Describe describes how a column that gives coordinates is used, or returns "" for other columns.
func (c *Column) Describe() string {
	var parts []string
	switch c.Role {
	case columns.AsNumber:
	case columns.AsCategory:
		parts = append(parts, "one coordinate per value")
		if c.Hashed > 0 {
			parts[0] = "hashed into " + format.Count(c.Hashed)
		}
	case columns.AsDate:
		parts = append(parts, strings.Join(c.PartNames(), ", "))
	case columns.AsWords:
		if c.Words != [2]int{} {
			parts = append(parts, grams(c.Words, "word"))
		}
		if c.Chars != [2]int{} {
			parts = append(parts, grams(c.Chars, "character"))
		}
		return strings.Join(parts, " and ") + ", hashed into " + format.Count(c.Width)
	default:
		return ""
	}
	switch c.Scaling {
	case columns.Standard:
		parts = append(parts, "standardised")
	case columns.MinMax:
		parts = append(parts, "scaled to 0…1")
	}
	missing := whenMissing[c.Missing]
	switch {
	case c.Missing == columns.Constant:
		missing += format.Exact(c.Fill)
	case c.Missing == columns.Zero && c.Role == columns.AsCategory:
		missing = "an empty cell is none of them"
	}
	return strings.Join(append(parts, missing), "; ")
}

// whenMissing describes the policies for missing cells; the number that a Constant counts as follows.
var whenMissing = [...]string{
	columns.Drop:     "rows with an empty cell are left out",
	columns.Refuse:   "an empty cell ends the reading",
	columns.Mean:     "empty cells count as the mean",
	columns.Zero:     "empty cells count as 0",
	columns.Constant: "empty cells count as ",
}

func grams(n [2]int, of string) string {
	switch {
	case n == [2]int{1, 1}:
		return of + "s"
	case n[0] == n[1]:
		return "runs of " + strconv.Itoa(n[0]) + " " + of + "s"
	}
	return "runs of " + strconv.Itoa(n[0]) + " to " + strconv.Itoa(n[1]) + " " + of + "s"
}

// A Problem says why a row or a whole file could not be used.
type Problem struct {
	File   string
	Place  string // in the file, such as: line 17, column 3 ("width"); may be empty
	What   string // completes the sentence "file, line, place: …"
	Remedy string // what can be done, as an imperative: "fill the cell"
}

// Error returns one sentence with the file, the place and what can be done.
func (p *Problem) Error() string {
	sentence := p.File
	if p.Place != "" {
		sentence += ", " + p.Place
	}
	return sentence + ": " + p.What + "; " + p.Remedy + "."
}

// RoleNotes returns the notes that hold for the roles that the columns have now. A column that has got another role
// than the suggested one has no note.
func (l *Layout) RoleNotes() []columns.Note {
	roles := map[string]bool{} // by name: whether the column has its suggested role
	for i := range l.Columns {
		c := &l.Columns[i]
		roles[c.Name] = c.Role == c.usualRole() || c.Role == columns.AsLabel
	}
	return slices.DeleteFunc(slices.Clone(l.Notes), func(n columns.Note) bool {
		isOfRole := n.Code == columns.NoteUnusedColumn || n.Code == columns.NoteGuessedLabel
		isLabel := l.Label() >= 0 && l.Columns[l.Label()].Name == n.Column
		return isOfRole && n.Column != "" && (!roles[n.Column] || isLabel != (n.Code == columns.NoteGuessedLabel))
	})
}

// Counts counts the problems with the rows of a file.
type Counts struct {
	Unused int // rows that could not be used
	First  []*Problem
	Notes  []columns.Note // of the file and its rows
}
