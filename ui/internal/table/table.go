// Package table holds what the page knows of a file of rows: its layout, and what is to
// become of each column. Names of types, roles and settings are those of package
// dataset, which reads the file in a worker of its own; docs/formats.md explains them.
package table

import (
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/ui/internal/format"
)

// A Layout is what the head of a file says about the whole, and what is made of it.
// It is not changed: With and its like return another.
type Layout struct {
	Name        string // of the file
	Stem        string // of the name, without the extensions of format and compression
	Format      string
	Compression string
	Header      bool // of CSV: the first row names the columns
	Sparse      bool // there are sparse features besides the columns
	Columns     []Column
	Rows        int     // that have been looked at
	BytesPerRow float64 // in the head, unpacked
	Total       int     // rows, where the file tells; else 0
	Scaling     string  // that numbers begin with; empty: NoScaling
}

// A Column of the file, and what becomes of it.
type Column struct {
	Name    string
	Type    string // Empty, Integer, Number, Text or Date
	Example string // the first cell that is not empty
	Odd     int    // cells looked at that are not of the type, empty ones included

	Role         string
	Missing      string // what becomes of a row with an empty cell
	Fill         float64
	Scaling      string
	Hashed       int      // coordinates of a hashed category, 0: one for each value
	Parts        []string // of a date
	Words, Chars [2]int   // the shortest and longest n-grams
	Width        int      // coordinates of words
}

// The types of a column.
const (
	Empty   = "empty"
	Integer = "integer"
	Number  = "number"
	Text    = "text"
	Date    = "date"
)

// The roles of a column. The first four make coordinates.
const (
	AsNumber   = "number"
	AsCategory = "category"
	AsDate     = "date"
	AsWords    = "words"
	AsLabel    = "label"
	AsKept     = "keep"
	AsIgnored  = "ignore"
)

// Roles are all of them, in the order of a menu.
var Roles = []string{AsNumber, AsCategory, AsDate, AsWords, AsLabel, AsKept, AsIgnored}

// The policies for missing cells.
const (
	Drop     = "drop"
	Refuse   = "refuse"
	Mean     = "mean"
	Zero     = "zero"
	Constant = "constant"
)

// The scalings of numbers.
const (
	NoScaling = "none"
	Standard  = "standard"
	MinMax    = "min-max"
)

// IsFeature tells whether the column becomes coordinates.
func (c *Column) IsFeature() bool { return slices.Index(Roles, c.Role) < 4 }

// Policies returns those for missing cells that the column may have.
func (c *Column) Policies() []string {
	switch c.Role {
	case AsNumber:
		return []string{Drop, Refuse, Mean, Zero, Constant}
	case AsDate:
		return []string{Drop, Refuse, Mean, Zero}
	case AsCategory:
		return []string{Drop, Refuse, Zero}
	}
	return nil
}

// IsScaled tells whether the column can be scaled.
func (c *Column) IsScaled() bool {
	return c.Role == AsNumber || c.Role == AsDate && slices.Contains(c.Parts, "days")
}

// IsWhole tells whether something is left of the column: a date has one part at least,
// and of words something is counted.
func (c *Column) IsWhole() bool {
	switch c.Role {
	case AsDate:
		return len(c.Parts) > 0
	case AsWords:
		return c.Words != [2]int{} || c.Chars != [2]int{}
	}
	return true
}

// use gives the column a role, with what that begins with; numbers and days begin with that scaling.
func (c *Column) use(role, scaling string) {
	*c = Column{Name: c.Name, Type: c.Type, Example: c.Example, Odd: c.Odd, Role: role, Missing: Drop, Scaling: NoScaling}
	switch role {
	case AsDate:
		c.Parts = []string{"days"}
	case AsWords:
		c.Words, c.Width = [2]int{1, 1}, 1<<18
	}
	if c.IsScaled() && scaling != "" {
		c.Scaling = scaling
	}
}

func (c *Column) usualRole() string {
	switch c.Type {
	case Integer, Number:
		return AsNumber
	case Text, Date:
		return AsKept
	}
	return AsIgnored
}

// Count returns how many columns have a role.
func (l *Layout) Count(role string) int {
	n := 0
	for i := range l.Columns {
		if l.Columns[i].Role == role {
			n++
		}
	}
	return n
}

// HasFeatures tells whether anything becomes coordinates.
func (l *Layout) HasFeatures() bool {
	return l.Sparse || slices.ContainsFunc(l.Columns, func(c Column) bool { return c.IsFeature() })
}

// Label returns the column of the label, or −1.
func (l *Layout) Label() int {
	return slices.IndexFunc(l.Columns, func(c Column) bool { return c.Role == AsLabel })
}

// First returns the column whose cells come first in the output: the label, else the
// first that is kept, else −1.
func (l *Layout) First() int {
	if i := l.Label(); i >= 0 {
		return i
	}
	return slices.IndexFunc(l.Columns, func(c Column) bool { return c.Role == AsKept })
}

var kinds = map[string]string{"csv": "CSV", "jsonl": "JSON Lines", "libsvm": "LIBSVM", "npy": ".npy", "idx": "IDX", "text": "plain text", "parquet": "Parquet", "arrow": "Arrow"}

// Kind names the format and the compression.
func (l *Layout) Kind() string {
	kind := kinds[l.Format]
	if l.Compression != "none" {
		kind += " with " + l.Compression
	}
	return kind
}

// IsText tells whether the file is made of lines, by which its rows are named.
func (l *Layout) IsText() bool {
	switch l.Format {
	case "csv", "jsonl", "libsvm", "text":
		return true
	}
	return false
}

// WithDefaults returns a copy in which every column has what its role begins with.
func (l *Layout) WithDefaults() *Layout {
	next := l.copy()
	for i := range next.Columns {
		next.Columns[i].use(next.Columns[i].Role, l.Scaling)
	}
	return next
}

// copy returns one whose columns can be changed.
func (l *Layout) copy() *Layout {
	next := *l
	next.Columns = slices.Clone(l.Columns)
	return &next
}

// With returns a copy in which column i has the role. There is one label at most: an
// earlier one is used for what its type suggests.
func (l *Layout) With(i int, role string) *Layout {
	next := l.copy()
	if old := l.Label(); role == AsLabel && old >= 0 {
		next.Columns[old].use(next.Columns[old].usualRole(), l.Scaling)
	}
	next.Columns[i].use(role, l.Scaling)
	return next
}

// WithRole returns a copy in which some columns have the role, which is not that of a label.
func (l *Layout) WithRole(columns []int, role string) *Layout {
	next := l.copy()
	for _, i := range columns {
		if next.Columns[i].Role != role {
			next.Columns[i].use(role, l.Scaling)
		}
	}
	return next
}

// WithLabel returns a copy whose label is column i, or that has none if i is −1.
func (l *Layout) WithLabel(i int) *Layout {
	if i >= 0 {
		return l.With(i, AsLabel)
	}
	if old := l.Label(); old >= 0 {
		return l.With(old, l.Columns[old].usualRole())
	}
	return l
}

// WithScaling returns a copy in which all columns that can be scaled are so.
func (l *Layout) WithScaling(scaling string) *Layout {
	next := l.copy()
	for i := range next.Columns {
		if c := &next.Columns[i]; c.IsScaled() {
			c.Scaling = scaling
		}
	}
	return next
}

// WithMissing returns a copy in which all columns that can have the policy have it.
func (l *Layout) WithMissing(policy string) *Layout {
	next := l.copy()
	for i := range next.Columns {
		if c := &next.Columns[i]; slices.Contains(c.Policies(), policy) {
			c.Missing = policy
		}
	}
	return next
}

// Misfits says what of the columns a private release would refuse, because it depends on
// the rows and has no noise; empty where nothing does.
func (l *Layout) Misfits() string {
	for i := range l.Columns {
		c := &l.Columns[i]
		why := ""
		switch {
		case c.Role == AsLabel || c.Role == AsKept:
			why = "would be handed on without noise"
		case c.Policies() == nil:
		case c.Missing == Drop || c.Missing == Refuse || c.Missing == Mean:
			why = "tells by what becomes of its empty cells"
		case c.Scaling != NoScaling:
			why = "is scaled by what is learned from the rows"
		case c.Role == AsCategory && c.Hashed == 0:
			why = "has a coordinate for each value that occurs"
		}
		if why != "" {
			return "A private release refuses these columns: " + strconv.Quote(c.Name) + " " + why + "."
		}
	}
	return ""
}

// ForRelease returns a copy of which a private release can be made: what would be handed
// on is ignored, empty cells count as 0, numbers stay as they are and categories are
// hashed.
func (l *Layout) ForRelease() *Layout {
	next := l.copy()
	for i := range next.Columns {
		c := &next.Columns[i]
		if c.Role == AsLabel || c.Role == AsKept {
			c.use(AsIgnored, NoScaling)
		}
		if c.Policies() != nil && c.Missing != Constant {
			c.Missing = Zero
		}
		c.Scaling = NoScaling
		if c.Role == AsCategory && c.Hashed == 0 {
			c.Hashed = 64
		}
	}
	return next
}

// Learns tells whether something of the rows goes into the model file.
func (l *Layout) Learns() bool {
	return slices.ContainsFunc(l.Columns, func(c Column) bool {
		return c.IsFeature() && (c.Scaling != NoScaling || c.Missing == Mean || c.Role == AsCategory && c.Hashed == 0)
	})
}

// WithColumn returns a copy in which change has been made to column i.
func (l *Layout) WithColumn(i int, change func(*Column)) *Layout {
	next := l.copy()
	c := &next.Columns[i]
	c.Parts = slices.Clone(c.Parts)
	change(c)
	return next
}

// Common returns what all columns have that of returns something of, and "" where they
// differ or there are none.
func (l *Layout) Common(of func(*Column) string) string {
	common := ""
	for i := range l.Columns {
		switch value := of(&l.Columns[i]); {
		case value == "" || value == common:
		case common != "":
			return ""
		default:
			common = value
		}
	}
	return common
}

// Describe says what becomes of a column that makes coordinates, empty for others.
func (c *Column) Describe() string {
	var parts []string
	switch c.Role {
	case AsNumber:
	case AsCategory:
		parts = append(parts, "one coordinate per value")
		if c.Hashed > 0 {
			parts[0] = "hashed into " + format.Count(c.Hashed)
		}
	case AsDate:
		parts = append(parts, strings.Join(c.Parts, ", "))
	case AsWords:
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
	case Standard:
		parts = append(parts, "standardised")
	case MinMax:
		parts = append(parts, "scaled to 0…1")
	}
	return strings.Join(append(parts, c.whenMissing()), "; ")
}

func (c *Column) whenMissing() string {
	switch c.Missing {
	case Refuse:
		return "an empty cell ends the reading"
	case Mean:
		return "empty cells count as the mean"
	case Zero:
		return "empty cells count as 0"
	case Constant:
		return "empty cells count as " + strconv.FormatFloat(c.Fill, 'g', -1, 64)
	}
	return "rows with an empty cell are left out"
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

// OutputNames returns the names of the columns that come before the features: the
// label, then the kept ones.
func (l *Layout) OutputNames() []string {
	var names []string
	for _, role := range []string{AsLabel, AsKept} {
		for i := range l.Columns {
			if l.Columns[i].Role == role {
				names = append(names, l.Columns[i].Name)
			}
		}
	}
	return names
}

// A Problem is a row that could not be used, or why a file cannot.
type Problem struct {
	File   string
	Place  string // in the file: line 17, column 3 ("width"); may be empty
	What   string // completes the sentence "file, line, place: …"
	Remedy string // what can be done, as a command: "fill the cell"
}

// Error is one sentence that names file and place, and what can be done.
func (p *Problem) Error() string {
	sentence := p.File
	if p.Place != "" {
		sentence += ", " + p.Place
	}
	return sentence + ": " + p.What + "; " + p.Remedy + "."
}

// Counts are what has happened to the rows of a file.
type Counts struct {
	Missing int // cells that were empty
	Unknown int // values that a category does not have
	Unused  int // rows
	First   []*Problem
}
