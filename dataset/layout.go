package dataset

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/dataset/columns"
)

// A Layout describes a file, as far as its head shows.
type Layout struct {
	Name        string // of the file
	Format      Format
	Compression Compression
	Columns     []Column
	Sparse      bool // there are sparse features besides the columns

	Encoding  string // of text
	Comma     byte   // of CSV: ',', ';', '\t', '|', or ' ' for any run of spaces and tabs
	Quote     byte   // of CSV: '"', '\'', '\\' for '"' with a backslash before each quote inside a cell, or 0 for none
	Decimal   byte   // of CSV: '.' or ','
	Thousands byte   // of CSV: '.', ',', ' ' or '\'', or 0 for none
	Header    bool   // of CSV: the first row names the columns
	Dates     string // of CSV: the order of day, month and year in dates, as Reading.Dates
	Base      int    // of LIBSVM: the first index, 0 or 1
	Width     int    // of LIBSVM: one above the largest coordinate in the head
	Skip      int    // of CSV, LIBSVM and XLSX: lines before the header or the first row, after a line "sep=;"
	Comment   string // of CSV and LIBSVM: lines that begin with it are left out; empty: none
	RowNames  bool   // of CSV: rows begin with a cell that the header does not name
	Sheet     string // of XLSX: the sheet that is read, if there are several

	// Guessed lists the settings of Reading that were guessed from the file. If it is empty, the rows were not
	// looked at.
	Guessed []string

	entry    *zipEntry     // of a ZIP archive: the entry that is read
	keys     []columns.Key // of JSON Lines: the keys that the columns come from
	lists    bool          // of JSON Lines: the rows are lists
	shape    jsonShape     // of a JSON document
	preamble bool          // of CSV: the first line is "sep=;" or the like
	unnamed  bool          // of CSV without a header whose rows were not looked at: Apply says how many columns there are

	datesInDoubt bool            // Dates was guessed, and no day above 12 showed the order
	asked        columns.Reading // the optional settings that the reading had

	labelWhy string // how the label was guessed

	AtHand   bool // the rows are of a program, and no file has them
	forModel bool // the columns come from a preprocessing, see its SniffFile

	noted map[string]bool // the columns of notes on columns that are not used
	notes []columns.Note  // what the reader of the head saw and did not use, or guessed; see Notes

	Rows        int     // rows below the header that Sniff has looked at
	BytesPerRow float64 // mean length of a row in the unpacked head
	Total       int64   // rows of .npy, IDX and Parquet, which store the number; otherwise 0
}

// A Column describes a column of the file.
type Column struct {
	Name    string
	Type    columns.Type
	Role    columns.Role
	Example string // the first cell that is not empty
	Odd     int    // cells looked at that do not have the type, including empty ones
	Zeros   int    // numbers looked at that are 0
	Codes   int    // numbers looked at that have leading zeros, such as 007
	Values  string // what the cells looked at hold, for a reader, as values writes it
	Measure string // the unit beside its numbers, as of columns.Column

	levels []string     // words for missing numbers that look like the other texts
	usual  columns.Role // the role that was guessed, if it is not the label
	unused unusedColumn // why that role makes no coordinates
	asked  bool         // the role was asked for
	unread bool         // its cells cannot be read
	typed  bool         // the file says what its cells are, and they are no texts
	later  columns.Type // then, of a column whose first cells are empty

	sentences bool // most of its texts have several words
}

// Indexes returns the indices of the columns with the role, in the order of the file.
func (l *Layout) Indexes(role columns.Role) []int {
	var indexes []int
	for i := range l.Columns {
		if l.Columns[i].Role == role {
			indexes = append(indexes, i)
		}
	}
	return indexes
}

// Label returns the index of the label column, or −1.
func (l *Layout) Label() int {
	return slices.IndexFunc(l.Columns, func(c Column) bool { return c.Role == columns.AsLabel })
}

// Notes lists what the head of the file has that is not used, and what was guessed or changed. The list does not depend
// on the roles of columns.
func (l *Layout) Notes() []columns.Note { return slices.Clone(l.notes) }

// note adds a note. A reader of a format calls it while it makes the layout. The columns beyond the first 20 with one
// code share a note.
func (l *Layout) note(n columns.Note) {
	if n.Column == "" {
		l.notes = append(l.notes, n)
		return
	}
	if n.Code == columns.NoteUnusedColumn {
		if l.noted == nil {
			l.noted = map[string]bool{}
		}
		l.noted[n.Column] = true
	}
	same := 0
	for i := range l.notes {
		other := &l.notes[i]
		if other.Code != n.Code {
			continue
		}
		if same++; same > mostNotes {
			other.Count++
			other.What = moreColumns(n.Code, other.Count)
			return
		}
	}
	if same == mostNotes {
		n = columns.Note{Code: n.Code, Count: 1, What: moreColumns(n.Code, 1)}
	}
	l.notes = append(l.notes, n)
}

// moreColumns says of how many more columns a note is true.
func moreColumns(code columns.NoteCode, n int64) string {
	what := pick(n, " is", " are") + " not used"
	switch code {
	case columns.NoteText:
		what = " of numbers" + pick(n, " is", " are") + " read as text"
	case columns.NoteUnits:
		what = pick(n, " has its unit", " have their units") + " taken off"
	}
	return plural(n, "more column") + what
}

// With returns a copy in which column i has the role. There is at most one label, so a previous label gets its usual
// role.
func (l *Layout) With(i int, role columns.Role) *Layout {
	return l.WithRoles(map[int]columns.Role{i: role})
}

// WithRoles is With for several columns. At most one becomes the label.
func (l *Layout) WithRoles(roles map[int]columns.Role) *Layout {
	next := *l
	next.Columns = slices.Clone(l.Columns)
	old := l.Label()
	for i, role := range roles {
		if _, isTyped := roles[old]; role == columns.AsLabel && old >= 0 && !isTyped {
			next.Columns[old].Role = next.Columns[old].UsualRole()
		}
		next.Columns[i].Role, next.Columns[i].asked = role, true
	}
	return &next
}

// UsualRole returns the role that suits the column if it is not the label.
func (c *Column) UsualRole() columns.Role {
	if c.usual == columns.AsNumber && !c.Type.IsNumeric() { // nothing was guessed
		return c.Type.UsualRole()
	}
	return c.usual
}

// PartsOf returns the indices of the columns of a list or a structure.
func (l *Layout) PartsOf(name string) (indexes []int) {
	if l.Format != JSON && l.Format != JSONLines && l.Format != Parquet && l.Format != Arrow {
		return nil
	}
	for i := range l.Columns {
		if rest, ok := strings.CutPrefix(l.Columns[i].Name, name); ok && rest != "" && (rest[0] == '[' || rest[0] == '.') {
			indexes = append(indexes, i)
		}
	}
	return indexes
}

// UsedRole returns the role that the column has, or else the one by which it becomes coordinates.
func (c *Column) UsedRole() columns.Role {
	switch {
	case c.Role.IsFeature():
		return c.Role
	case c.Type == columns.Date:
		return columns.AsDate
	case c.Type == columns.Text && c.sentences && c.unused.why != "":
		return columns.AsWords
	case c.Type == columns.Text:
		return columns.AsCategory
	}
	return columns.AsNumber
}

// InFirstRow reports whether the first row of a table that was read without a header has a cell: it may be a header.
func (l *Layout) InFirstRow(cell string) bool {
	return !l.Header && (l.Format == CSV || l.Format == XLSX) &&
		slices.ContainsFunc(l.Columns, func(c Column) bool { return c.Example == cell })
}

// WithLabel returns a copy whose label is column i, or a copy without a label if i is −1.
func (l *Layout) WithLabel(i int) *Layout {
	if i >= 0 {
		return l.With(i, columns.AsLabel)
	}
	if old := l.Label(); old >= 0 {
		next := l.With(old, l.Columns[old].UsualRole())
		next.Columns[old].asked = false // of a role there was no question
		return next
	}
	return l
}

// Place returns the name of column i for a Problem: column 3 ("width"), or column 3 if it has no name.
func (l *Layout) Place(i int) string {
	place := columnName(i)
	if i < len(l.Columns) && l.Columns[i].Name != place {
		place += " (" + columns.Quoted(l.Columns[i].Name) + ")"
	}
	return place
}

// columnName returns the name for a column that has none.
func columnName(i int) string { return "column " + strconv.Itoa(i+1) }

// Number returns the number in a cell, as a column of numbers has it: NaN if it is missing. what says why it is none,
// or is empty. True and false are none.
func (l *Layout) Number(cell []byte) (x float64, what string) { return l.LabelNumber(cell, nil) }

// LabelNumber is Number. u counts the cell if its unit is not the one of the label's column, unless u is nil.
func (l *Layout) LabelNumber(cell []byte, u *Unused) (x float64, what string) {
	i := l.Label()
	x, reason, beside := l.styleIn(i).numberBeside(cell)
	if _, ok := Boolean(cell); ok {
		reason = notANumber
	}
	if reason != "" {
		return missing, quoted(cell) + " " + reason
	}
	if u != nil && i >= 0 {
		u.addBeside(&l.Columns[i], beside)
	}
	return x, ""
}

// NumberIn returns the number in a cell of column i: NaN if it is missing, 1 for true and 0 for false. what says why it
// is none, or is empty.
func (l *Layout) NumberIn(i int, cell []byte) (x float64, what string) {
	x, reason := l.styleIn(i).number(trimCell(cell))
	if reason == "" {
		return x, ""
	}
	return missing, quoted(cell) + " " + l.Columns[i].whyNone(reason)
}

// NumberOf is NumberIn. u counts the cell if its unit is not the one of the column.
func (l *Layout) NumberOf(i int, cell []byte, u *Unused) (x float64, what string) {
	x, reason, beside := l.styleIn(i).numberBeside(trimCell(cell))
	if reason == "" {
		u.addBeside(&l.Columns[i], beside)
		return x, ""
	}
	return missing, quoted(cell) + " " + l.Columns[i].whyNone(reason)
}

// WhyText says why a text among the numbers of a column with a unit is none.
func (c *Column) WhyText() string { return c.whyNone(notANumber) }

// whyNone is the reason why a cell of a column is no number, with the unit of the others.
func (c *Column) whyNone(reason string) string {
	if reason == notANumber && c.Measure == ClockUnit {
		return "is no time such as 7:30"
	}
	if reason == notANumber && c.Measure != "" {
		return reason + " of " + quoted([]byte(c.Measure))
	}
	return reason
}

// SuggestedScaling returns the scaling that suits most files: MinMax, so that no column outweighs the others by its
// unit alone. It returns NoScaling if fewer than a tenth of the numbers looked at differ from 0.
func (l *Layout) SuggestedScaling() columns.Scaling {
	numbers, zeros := 0, 0
	for i := range l.Columns {
		if c := &l.Columns[i]; c.Role == columns.AsNumber {
			numbers, zeros = numbers+l.Rows-c.Odd, zeros+c.Zeros
		}
	}
	if 10*(numbers-zeros) < numbers {
		return columns.NoScaling
	}
	return columns.MinMax
}

// hasFeatures reports whether any column becomes coordinates.
func (l *Layout) hasFeatures() bool {
	return l.Sparse || slices.ContainsFunc(l.Columns, func(c Column) bool { return c.Role.IsFeature() })
}

// Stem returns the name of the file without the extensions of format and compression.
func (l *Layout) Stem() string {
	name := l.Name
	if l.entry != nil {
		name = strings.TrimSuffix(name, "/"+l.entry.name)
	}
	return columns.Stem(name)
}

// Schema returns a field for each column that is not ignored: a number if its role is numeric, otherwise a text.
func (l *Layout) Schema() Schema {
	s := Schema{Sparse: l.Sparse, File: l.Name, Dates: l.Dates, datesInDoubt: l.datesInDoubt, decimal: l.Decimal,
		Lines: columns.FormatOf(string(l.Format)).Lines}
	for i := range l.Columns {
		switch c := &l.Columns[i]; c.Role {
		case columns.AsIgnored:
		case columns.AsNumber:
			s.Fields = append(s.Fields, Field{c.Name, Numeric})
		default:
			s.Fields = append(s.Fields, Field{c.Name, Textual})
		}
	}
	return s
}

// Open returns the rows of r, which is the whole file with layout l. It skips ignored columns and reads numbers as
// numbers and other columns as texts, except that Parquet and Arrow have times. For Parquet and Arrow, ZIP archives and
// arrays stored column by column, r must be a File.
func (l *Layout) Open(r io.Reader) (Source, error) {
	if l.Format.isColumnar() {
		return l.openColumnar(r)
	}
	f := l.Format.of()
	if f.header == nil && f.open == nil {
		return nil, newProblem(l.Name, "its layout names no format", "let Sniff make the layout")
	}
	content, err := l.unpack(r)
	if err != nil {
		return nil, err
	}
	if l.Encoding != "" {
		content = decode(content, l.Encoding, l.Name)
	}
	s := &stream{schema: l.Schema()}
	if f.header == nil {
		s.rows = f.open(content, l)
	} else if s.rows, err = openArray(content, l, f.header, r); err != nil {
		return nil, err
	}
	return s, nil
}
