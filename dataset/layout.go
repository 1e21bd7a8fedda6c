package dataset

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/dataset/plan"
)

// A Layout is what the head of a file says about the whole.
type Layout struct {
	Name        string // of the file
	Format      Format
	Compression Compression
	Columns     []Column
	Sparse      bool // there are sparse features besides the columns

	Encoding  string // of text
	Comma     byte   // of CSV: ',', ';', '\t', '|', or ' ' for any run of spaces and tabs
	Quote     byte   // of CSV: '"', '\'', or 0 for none
	Decimal   byte   // of CSV: '.' or ','
	Thousands byte   // of CSV: '.', ',', ' ' or '\'', or 0 for none
	Header    bool   // of CSV: the first row names the columns
	Dates     string // of CSV: what a date begins with
	Base      int    // of LIBSVM: the first index, 0 or 1
	Width     int    // of LIBSVM: one above the largest coordinate in the head

	// Guessed are the settings of Reading that the file was looked at for. Where there are
	// none, the rows were not looked at.
	Guessed []string

	entry    *zipEntry // what is read of a ZIP archive
	keys     []jsonKey // of JSON Lines: what the columns are of
	lists    bool      // of JSON Lines: the rows are lists
	preamble bool      // of CSV: the first line is "sep=;" or the like
	unnamed  bool      // of CSV without a header whose rows were not looked at: Apply says how many columns there are

	Rows        int     // below the header that Sniff has looked at
	BytesPerRow float64 // in the head, unpacked
	Total       int64   // rows of .npy, IDX and Parquet, which tell them; else 0
}

// A Column of the file.
type Column struct {
	Name    string
	Type    plan.Type
	Role    plan.Role
	Example string // the first cell that is not empty
	Odd     int    // cells looked at that are not of the type, empty ones included
	Zeros   int    // numbers looked at that are 0
}

// Indexes returns the columns of a role, in the order of the file.
func (l *Layout) Indexes(role plan.Role) []int {
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
	return slices.IndexFunc(l.Columns, func(c Column) bool { return c.Role == plan.AsLabel })
}

// With returns a copy in which column i has the role. There is one label at
// most: an earlier one is used for what its type suggests.
func (l *Layout) With(i int, role plan.Role) *Layout {
	next := *l
	next.Columns = slices.Clone(l.Columns)
	if old := l.Label(); role == plan.AsLabel && old >= 0 {
		next.Columns[old].Role = next.Columns[old].Type.UsualRole()
	}
	next.Columns[i].Role = role
	return &next
}

// WithLabel returns a copy whose label is column i, or that has none if i is −1.
func (l *Layout) WithLabel(i int) *Layout {
	if i >= 0 {
		return l.With(i, plan.AsLabel)
	}
	if old := l.Label(); old >= 0 {
		return l.With(old, l.Columns[old].Type.UsualRole())
	}
	return l
}

// Place names column i in a Problem: column 3 ("width"), or column 3 where it has no name.
func (l *Layout) Place(i int) string {
	place := columnName(i)
	if i < len(l.Columns) && l.Columns[i].Name != place {
		place += " (" + strconv.Quote(short(l.Columns[i].Name)) + ")"
	}
	return place
}

// columnName is that of a column without a name.
func columnName(i int) string { return "column " + strconv.Itoa(i+1) }

// SuggestedScaling is the scaling that suits the numbers of most files: MinMax, so that no column outweighs the
// others by its unit alone. It is NoScaling where fewer than a tenth of the numbers looked at are not 0.
func (l *Layout) SuggestedScaling() plan.Scaling {
	numbers, zeros := 0, 0
	for i := range l.Columns {
		if c := &l.Columns[i]; c.Role == plan.AsNumber {
			numbers, zeros = numbers+l.Rows-c.Odd, zeros+c.Zeros
		}
	}
	if 10*(numbers-zeros) < numbers {
		return plan.NoScaling
	}
	return plan.MinMax
}

// hasFeatures tells whether any column becomes coordinates.
func (l *Layout) hasFeatures() bool {
	return l.Sparse || slices.ContainsFunc(l.Columns, func(c Column) bool { return c.Role.IsFeature() })
}

// Stem returns the name of the file without the extensions of format and compression.
func (l *Layout) Stem() string {
	name := l.Name
	if l.entry != nil {
		name = strings.TrimSuffix(name, "/"+l.entry.name)
	}
	return withoutExtension(withoutCompression(name))
}

// schema has a field for each column that is not ignored: a number where the role
// is, else a text.
func (l *Layout) schema() Schema {
	s := Schema{Sparse: l.Sparse, File: l.Name, Dates: l.Dates,
		Lines: plan.FormatOf(string(l.Format)).Lines}
	for i := range l.Columns {
		switch c := &l.Columns[i]; c.Role {
		case plan.AsIgnored:
		case plan.AsNumber:
			s.Fields = append(s.Fields, Field{c.Name, Numeric})
		default:
			s.Fields = append(s.Fields, Field{c.Name, Textual})
		}
	}
	return s
}

// Open returns the rows of r, which is the whole file, laid out as l says. Only the
// columns that are not ignored are read: numbers as numbers and all others as texts,
// but for the times of Parquet and Arrow. For these, for ZIP archives and for arrays stored
// column by column r has to be a File.
func (l *Layout) Open(r io.Reader) (Source, error) {
	if l.Format.isColumnar() {
		return l.openColumnar(r)
	}
	open := l.Format.of().open
	if open == nil {
		return nil, newProblem(l.Name, "its layout names no format", "let Sniff make the layout")
	}
	content, err := l.unpack(r)
	if err != nil {
		return nil, err
	}
	if l.Encoding != "" {
		content = decode(content, l.Encoding, l.Name)
	}
	s := &stream{schema: l.schema()}
	s.rows, err = open(content, l, r)
	if err != nil {
		return nil, err
	}
	return s, nil
}
