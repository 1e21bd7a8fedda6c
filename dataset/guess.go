package dataset

import (
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/dataset/columns"
)

// labelNames are the usual names of a label column, the surest first.
var labelNames = []string{"label", "labels", "class", "target", "digit", "category", "species", "outcome", "y"}

// keyNames are the names of columns that number the rows.
var keyNames = []string{"", "id", "index", "idx", "row", "no", "no.", "nr", "unnamed: 0"}

// hasKeyName reports whether column i may number the rows by its name, such as id, row_id or PassengerId. Without a
// name only the first may.
func (l *Layout) hasKeyName(i int) bool {
	name := l.headerName(i)
	if slices.Contains(keyNames, name) {
		return name != "" || i == 0
	}
	raw := l.Columns[i].Name
	at := len(raw) - len("id")
	if at < 1 || !strings.EqualFold(raw[at:], "id") {
		return false
	}
	before := raw[at-1]
	return before == '_' || before == ' ' || 'a' <= before && before <= 'z' && raw[at] == 'I'
}

// Limits of guesses.
const (
	mostClasses    = 20 // values of a label
	mostCategories = 50 // values of a category
)

// An unusedColumn says why a column has a role that makes no coordinates, and what gives it another one.
type unusedColumn struct{ why, remedy string }

// notUsed returns why a column is kept, and the role that would use it.
func notUsed(role columns.Role, why string) (columns.Role, unusedColumn) {
	return columns.AsKept, unusedColumn{why, "to use it, give it the role {" + role.String() + "}"}
}

// guessRoles sets the role of every column. Numbers are numbers, dates are dates, and texts with few values that recur
// are categories. Row numbers, other texts and columns with few dates are kept. The label is the label. If there
// are only texts, those that are kept and have several words become words; all that are kept do if nothing else would
// become a feature.
func (l *Layout) guessRoles(rows [][]string) {
	for i := range l.Columns {
		c := &l.Columns[i]
		c.Role, c.unused = l.guessRole(rows, i)
		c.usual = c.Role
	}
	i, why := l.guessLabel(rows)
	if l.labelWhy = why; i >= 0 {
		l.Columns[i].Role = columns.AsLabel
		if !l.hasFeatures() {
			l.useTexts(rows)
		}
		if !l.hasFeatures() && l.Columns[i].usual.IsFeature() {
			l.Columns[i].Role = l.Columns[i].usual
		}
	}
	isOther := func(c Column) bool { return c.Role.IsFeature() && c.Type != columns.Text }
	if !l.Sparse && !slices.ContainsFunc(l.Columns, isOther) {
		l.useTexts(rows)
	}
}

// guessRole returns the role of column i if it is not the label, and why it is not used.
func (l *Layout) guessRole(rows [][]string, i int) (columns.Role, unusedColumn) {
	c := &l.Columns[i]
	switch {
	case c.Type == columns.Integer && l.named() && l.hasKeyName(i) && increases(rows, i):
		return notUsed(columns.AsNumber, "it numbers the rows")
	case c.Type == columns.Integer && roundToOne(rows, i):
		return notUsed(columns.AsCategory, "its first numbers "+roundedToOne)
	case c.Type == columns.Date && c.Odd > 0:
		return notUsed(columns.AsDate, strconv.Itoa(c.Odd)+" of the first "+plural(int64(l.Rows), "cell")+
			pick(int64(c.Odd), " is empty or no date", " are empty or no dates"))
	case c.Type == columns.Empty:
		n := int64(l.Rows)
		return columns.AsIgnored, unusedColumn{"its first " + plural(n, "cell") + pick(n, " is", " are") + " empty",
			"give it a role if others are not"}
	case c.Type != columns.Text:
		return c.Type.UsualRole(), unusedColumn{}
	}
	c.sentences = hasSentences(rows, i)
	switch values, cells := countValues(rows, i, mostCategories); {
	case values == 1 && cells > 1:
		return notUsed(columns.AsCategory, "its first "+plural(int64(cells), "cell")+" are equal")
	case values <= mostCategories && 2*values <= cells:
		return columns.AsCategory, unusedColumn{}
	case values > mostCategories:
		return notUsed(columns.AsWords, "it has more than "+strconv.Itoa(mostCategories)+" different texts")
	}
	return notUsed(columns.AsWords, "its texts hardly recur")
}

// useTexts makes words of kept texts. Whole lines become words only in a format that was asked for.
func (l *Layout) useTexts(rows [][]string) {
	if len(l.Columns) == 1 && l.guesses("format") {
		return
	}
	hasOthers := l.hasFeatures()
	for i := range l.Columns {
		c := &l.Columns[i]
		if c.Role == columns.AsKept && c.Type == columns.Text && (!hasOthers || c.sentences) {
			c.Role, c.usual, c.unused = columns.AsWords, columns.AsWords, unusedColumn{}
		}
	}
}

// hasSentences reports whether most texts of column i have several words. Names of rows have one.
func hasSentences(rows [][]string, i int) bool {
	sentences, cells := 0, 0
	for _, row := range rows {
		if i < len(row) && row[i] != "" {
			cells++
			if strings.ContainsAny(strings.TrimSpace(row[i]), " \u3000") {
				sentences++
			}
		}
	}
	return 2*sentences > cells
}

// guessLabel returns, with why, the column with a label's name; otherwise the last column if it holds few different
// integers and its name is no number, or only true and false; otherwise the last text with few values; otherwise −1.
func (l *Layout) guessLabel(rows [][]string) (label int, why string) {
	if i := l.labelByName(); i >= 0 {
		return i, "by its name"
	}
	last := len(l.Columns) - 1
	if last >= 0 && l.Columns[last].Type == columns.Integer && fewValues(rows, last) &&
		!(l.named() && plainNumbers.isNumber([]byte(l.Columns[last].Name))) {
		return last, "because it is last and has few different numbers"
	}
	if last >= 0 && l.Columns[last].Type == columns.Boolean && fewValues(rows, last) {
		return last, "because it is last and has only true and false"
	}
	for i := last; i >= 0; i-- {
		if l.Columns[i].Type == columns.Text && fewValues(rows, i) {
			return i, "because it is the last text of few different values"
		}
	}
	return -1, ""
}

func (l *Layout) labelByName() int {
	for _, name := range labelNames {
		for i := range l.Columns {
			if l.headerName(i) != name || l.Columns[i].Type == columns.Empty {
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
	return l.Header || (l.Format == JSONLines || l.Format == JSON) && (!l.lists || l.shape.names != nil)
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
	values, cells := countValues(rows, i, mostClasses)
	return values >= 2 && values <= mostClasses && 2*values <= cells
}

// countValues counts the different values in column i, up to one more than most, and the cells looked at for that.
func countValues(rows [][]string, i, most int) (values, cells int) {
	seen := map[string]bool{}
	for _, row := range rows {
		if i >= len(row) || strings.TrimSpace(row[i]) == "" {
			continue
		}
		cells++
		seen[row[i]] = true
		if len(seen) > most {
			break
		}
	}
	return len(seen), cells
}

// roundToOne reports whether the integers of column i differ and are the same float64.
func roundToOne(rows [][]string, i int) (differ bool) {
	first, found := 0, false
	for _, row := range rows {
		if i >= len(row) || isMissing(trimCell([]byte(row[i]))) {
			continue
		}
		value, err := strconv.Atoi(strings.TrimSpace(row[i]))
		if !found {
			first, found = value, true
		}
		if err != nil || float64(value) != float64(first) {
			return false
		}
		differ = differ || value != first
	}
	return differ
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
