package dataset

import (
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/dataset/plan"
)

// labelNames are the usual names of a label column, the surest first.
var labelNames = []string{"label", "labels", "class", "target", "digit", "category", "species", "outcome", "y"}

// keyNames are the names of columns that number the rows.
var keyNames = []string{"", "id", "index", "idx", "row", "unnamed: 0"}

// isKeyName reports whether a column of that name may number the rows.
func isKeyName(name string) bool {
	return slices.Contains(keyNames, name) || strings.HasSuffix(name, "_id") || strings.HasSuffix(name, " id")
}

// mostClasses is the maximum number of values of a label.
const mostClasses = 20

// guessRoles sets the role of every column to the usual role of its type, except that row numbers are kept and the
// label is the label. If this leaves no feature, texts with few values become categories and other texts become words.
func (l *Layout) guessRoles(rows [][]string) {
	for i := range l.Columns {
		c := &l.Columns[i]
		c.Role = c.Type.UsualRole()
		if c.Type == plan.Integer && l.named() && isKeyName(l.headerName(i)) && increases(rows, i) {
			c.Role = plan.AsKept
		}
	}
	if i := l.guessLabel(rows); i >= 0 {
		role := l.Columns[i].Role
		l.Columns[i].Role = plan.AsLabel
		if !l.hasFeatures() && role.IsFeature() {
			l.Columns[i].Role = role
		}
	}
	if !l.hasFeatures() {
		l.useTexts(rows)
	}
}

func (l *Layout) useTexts(rows [][]string) {
	for i := range l.Columns {
		switch c := &l.Columns[i]; {
		case c.Role != plan.AsKept || c.Type != plan.Text:
		case fewValues(rows, i):
			c.Role = plan.AsCategory
		default:
			c.Role = plan.AsWords
		}
	}
}

// guessLabel returns the column with a label's name; otherwise the last column if it holds few different integers;
// otherwise the last text with few values; otherwise −1.
func (l *Layout) guessLabel(rows [][]string) int {
	if i := l.labelByName(); i >= 0 {
		return i
	}
	last := len(l.Columns) - 1
	if last >= 0 && l.Columns[last].Type == plan.Integer && fewValues(rows, last) {
		return last
	}
	for i := last; i >= 0; i-- {
		if l.Columns[i].Type == plan.Text && fewValues(rows, i) {
			return i
		}
	}
	return -1
}

func (l *Layout) labelByName() int {
	for _, name := range labelNames {
		for i := range l.Columns {
			if l.headerName(i) != name || l.Columns[i].Type == plan.Empty {
				continue
			}
			if name == "y" && l.hasName("x") { // x and y are coordinates
				continue
			}
			return i
		}
	}
	return -1
}

// named reports whether the file names its columns.
func (l *Layout) named() bool {
	return l.Header || l.Format == JSONLines && !l.lists
}

func (l *Layout) headerName(i int) string {
	name := strings.ToLower(l.Columns[i].Name)
	if name == columnName(i) {
		return ""
	}
	return name
}

func (l *Layout) hasName(name string) bool {
	for i := range l.Columns {
		if l.headerName(i) == name {
			return true
		}
	}
	return false
}

// fewValues reports whether column i has 2 to mostClasses values that occur at least twice on average.
func fewValues(rows [][]string, i int) bool {
	values := map[string]bool{}
	cells := 0
	for _, row := range rows {
		if i >= len(row) || strings.TrimSpace(row[i]) == "" {
			continue
		}
		cells++
		values[row[i]] = true
		if len(values) > mostClasses {
			return false
		}
	}
	return len(values) >= 2 && 2*len(values) <= cells
}

// increases reports whether the integers of column i increase from row to row.
func increases(rows [][]string, i int) bool {
	last := 0
	for n, row := range rows {
		if i >= len(row) {
			return false
		}
		value, err := strconv.Atoi(strings.TrimSpace(row[i]))
		if err != nil || n > 0 && value <= last {
			return false
		}
		last = value
	}
	return true
}
