package dataset

import (
	"bytes"
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/internal/portable"
)

// Limits of what becomes of columns for learning.
const (
	mostCommon = 256     // values of a category that have a coordinate of their own, if nobody asked for it
	leastRows  = 5       // rows of each
	mostRecur  = 1024    // coordinates of a table for words that recur
	leastRecur = 2       // rows of each of these, and of each of at most 50 values of a small table
	smallTable = 100     // rows from which a table is not small
	learnWidth = 256     // coordinates of the words of a text
	textsWidth = 3 << 10 // of all texts, where there is nothing else; moments take 1,024 more
	mostTexts  = 1 << 18 // different texts of a column that are counted; with more it is no category
	textsBytes = 1 << 24 // and their total bytes
	mostKeys   = 1 << 17 // row numbers that are compared with one another
	leastRun   = 20      // rows before a column that counts them is noted
)

// NewLearnPreprocessing returns the preprocessing for learning from a table where only the roles that were asked for
// are fixed. No row is left out because of a missing cell.
//
//   - Numbers, true and false, and dates stay unscaled; a missing one is NaN. Dates become days and the phases of year
//     and week, and of the day if they have times.
//   - A text column is a category if it has at most 50 values, if its 50 commonest values cover 80 % of the rows, or
//     if its frequent values do. A value is frequent if it is in at least 5 rows and among the 256 commonest; where
//     most texts have several words, among the 50 commonest. In a table of fewer than 100 rows, those in 2 rows are,
//     of at most 50 values. Each frequent value has a coordinate, the others share one, and an empty cell has one.
//   - A category of more than 50 values has a coordinate for each that is in at least 2 rows. So have single words that
//     recur, such as codes of places or first names, if those in at least 2 rows cover 30 % of the rows. The columns of
//     a table share 1,024 coordinates for such values, and the first come first.
//   - Other texts of several words become words, hashed into 256 coordinates and divided by their norm; so do other
//     single words that recur. Where there are only texts, their words share 3,072 coordinates in sparse rows.
//   - A column whose first cells are empty is one of numbers or dates if all others are.
//   - Columns that number the rows, are constant, or hold words that hardly recur are kept, and make no coordinate.
//
// Fit decides by all rows. Notes then has the columns that are not used, and why.
func NewLearnPreprocessing(l *Layout) *Preprocessing {
	p := NewPreprocessing(l)
	p.Columns = nil
	for i := range l.Columns {
		c := l.learnColumn(i)
		if c.Role != columns.AsIgnored {
			p.Columns = append(p.Columns, c)
		}
	}
	p.shareWords()
	return p
}

// LearnTexts has Fit decide by all rows, as NewLearnPreprocessing does, what becomes of the columns of texts that the
// first rows of the layout suggest no use for, and that nobody gave a role. In a one-hot category that Fit learns,
// a value that no row had counts as the commonest, if no row had an empty cell, which is none of the values.
func (p *Preprocessing) LearnTexts(l *Layout) {
	planned := map[string]columns.Column{}
	for _, c := range p.Columns {
		planned[c.Name] = c
	}
	p.Columns = nil
	for i := range l.Columns {
		c := &l.Columns[i]
		column, isUsed := planned[c.Name]
		if c.Type == columns.Text && c.Role == columns.AsKept && !c.asked {
			column, isUsed = l.learnColumn(i), true
		} else if column.Role == columns.AsCategory && column.Hashed == 0 && !column.Learned {
			column.Guess = columns.GuessNew
		}
		if isUsed {
			p.Columns = append(p.Columns, column)
		}
	}
}

// HasLateTypes reports whether numbers or dates were found in a column that is read as texts, since its first cells are
// empty. The preprocessing is to be applied again then.
func (f *Fitting) HasLateTypes() bool {
	return slices.ContainsFunc(f.features, func(f *feature) bool { return f.isLate })
}

// Unused returns the names of the columns that Fit found to be of no use.
func (p *Preprocessing) Unused() []string {
	names := []string{}
	for i := range p.Columns {
		if c := &p.Columns[i]; c.Role == columns.AsKept && c.Why != "" {
			names = append(names, c.Name)
		}
	}
	return names
}

// shareWords divides the coordinates of a table of texts among their columns. A search of 1,500 rows writes zeros, too.
func (p *Preprocessing) shareWords() {
	var wide []*columns.Column
	for i := range p.Columns {
		if c := &p.Columns[i]; c.Role == columns.AsWords && c.Width == columns.DefaultWidth {
			wide = append(wide, c)
		}
	}
	for _, c := range wide {
		c.Width = max(learnWidth, textsWidth/len(wide))
	}
}

// learnColumn returns what is fixed of column i before Fit.
func (l *Layout) learnColumn(i int) columns.Column {
	c := &l.Columns[i]
	role := c.Role
	is := cmp.Or(c.Type, c.later)
	isUnread := role == columns.AsIgnored && (l.noted[c.Name] || c.typed && is == columns.Empty)
	isGuessed := !c.asked && role != columns.AsLabel && !isUnread
	isText := is == columns.Text || is == columns.Empty
	switch {
	case isGuessed && isText && role != columns.AsWords:
		role = columns.AsCategory
	case isGuessed && !isText:
		role = is.UsualRole()
	}
	column := c.as(role)
	if isGuessed && role != columns.AsWords {
		column.Guess = columns.GuessRole
		if c.Type == columns.Integer && l.named() && l.hasKeyName(i) {
			column.Guess = columns.GuessKey
		}
		if is == columns.Empty {
			column.Guess = columns.GuessType
		}
	}
	switch role {
	case columns.AsNumber:
		column.Missing = columns.NaN
	case columns.AsDate:
		column.Missing, column.Parts = columns.NaN, slices.Clone(learnParts)
	case columns.AsCategory:
		column.Rest = true
	case columns.AsWords:
		if c.asked {
			column = learnWords(c.Name)
		}
	}
	return column
}

// learnParts are the parts of a date for learning, without times.
var learnParts = []columns.DatePart{columns.Days, columns.YearPhase, columns.WeekPhase}

// learnWords returns a column of words for learning.
func learnWords(name string) columns.Column {
	c := columns.NewColumn(name, columns.AsWords)
	c.Width, c.Unit = learnWidth, true
	return c
}

// Kinds returns the kind of each coordinate, in their order, or nil if the rows are sparse.
func (p *Preprocessing) Kinds() []columns.Kind {
	if p.IsSparse() {
		return nil
	}
	var kinds []columns.Kind
	for i := range p.Columns {
		c := &p.Columns[i]
		kind := columns.Indicator
		if c.Role == columns.AsNumber || c.Role == columns.AsDate {
			kind = columns.Continuous
		}
		kinds = append(kinds, slices.Repeat([]columns.Kind{kind}, c.NFeatures())...)
	}
	return kinds
}

// A numberGuess collects what decides about a column of numbers or dates.
type numberGuess struct {
	seen      map[float64]bool // the first numbers of a column that may number the rows; nil once two are equal
	last      float64
	breaks    bool // a number is not the one after the last
	hasTimes  bool // a date has a time of day
	isRounded bool // a number is no float of 32 bits
}

// add adds the number of the row after n others.
func (g *numberGuess) add(x float64, n int64) {
	g.breaks = g.breaks || n > 0 && x != g.last+1
	g.last = x
	g.isRounded = g.isRounded || float64(float32(x)) != x
	g.hasTimes = g.hasTimes || math.Mod(x, secondsOfDay) != 0
	switch {
	case g.seen == nil:
	case g.seen[x] || x != math.Trunc(x):
		g.seen = nil
	case len(g.seen) < mostKeys:
		g.seen[x] = true
	}
}

// decideNumber decides whether a column of numbers or dates is used. It returns false if the column has more to learn.
func (f *feature) decideNumber() (done bool) {
	l, guess := f.learning, f.Guess
	f.Guess = columns.NoGuess
	isNumber := f.Role == columns.AsNumber
	switch {
	case l.n == 0:
		f.keep("all its cells are empty")
	case l.least == l.largest && l.missing == 0 && math.Abs(l.least) >= firstRounded:
		f.keep("all its numbers " + roundedToOne)
	case l.least == l.largest && l.missing == 0:
		f.keep("all its cells are equal")
	case guess == columns.GuessKey && l.guess.seen != nil:
		f.keep("it numbers the rows")
	case isNumber && !l.guess.breaks && l.n >= leastRun:
		f.Why = countsRows
	case isNumber && l.guess.isRounded && l.largest-l.least < leastSteps*l.step():
		f.Why = "is used in steps of " + portable.FormatNumber(l.step()) +
			", because its numbers are large and close together"
	case !isNumber && l.guess.hasTimes:
		f.Parts = append(slices.Clone(f.Parts), columns.DayPhase)
	}
	return !f.Learns()
}

// countsRows says why a column is noted whose numbers count the rows.
const countsRows = "counts the rows, and is used as a number"

// firstRounded is 2^53: from there on a float64 does not hold every whole number.
const firstRounded = 1 << 53

// roundedToOne says why a column is not used whose numbers are the same float64, equal or not.
const roundedToOne = "round to the same one, because they have more than 15 digits"

// leastSteps is how many floats of 32 bits lie between the least and the largest number of a column without a note.
const leastSteps = 1000

// step returns how far floats of 32 bits are apart near the numbers of a column.
func (l *learner) step() float64 {
	_, exponent := math.Frexp(max(math.Abs(l.least), math.Abs(l.largest)))
	return math.Ldexp(1, exponent-24)
}

// keep makes no coordinates of the column.
func (f *feature) keep(why string) {
	*f.Column = columns.Column{Name: f.Name, Role: columns.AsKept, Learned: true, Why: "is not used: " + why}
}

// A tally counts the texts of a column.
type tally struct {
	counts    map[string]int64 // nil if there are too many
	bytes     int
	sentences int64 // cells with several words

	// Of a column whose first cells are empty: the cells of each type, and whether one has a time.
	types    [columns.Boolean + 1]int64
	hasTimes bool
}

// addType counts a cell by its type.
func (f *feature) addType(t *tally) {
	is := kind(string(f.cell), numberStyle{decimal: f.decimal}, f.dates)
	if IsCode(f.cell, f.decimal) {
		is = columns.Text
	}
	t.types[is]++
	t.hasTimes = t.hasTimes || bytes.IndexByte(f.cell, ':') > 0
}

// decideType makes a column of numbers or dates of one whose first cells are empty, if all others are such. It reports
// whether it did.
func (f *feature) decideType(t *tally) bool {
	n := &t.types
	numbers, dates := n[columns.Integer]+n[columns.Number]+n[columns.Boolean], n[columns.Date]
	if n[columns.Text] > 0 || (numbers > 0) == (dates > 0) {
		return false
	}
	c := columns.Column{Name: f.Name, Role: columns.AsNumber, Missing: columns.NaN, Learned: true}
	if dates > 0 {
		c.Role, c.Parts = columns.AsDate, slices.Clone(learnParts)
		if t.hasTimes {
			c.Parts = append(c.Parts, columns.DayPhase)
		}
	}
	*f.Column, f.isLate = c, true
	return true
}

func (t *tally) add(cell []byte) {
	if strings.ContainsAny(string(cell), " \u3000") {
		t.sentences++
	}
	if t.counts == nil {
		return
	}
	n, ok := t.counts[string(cell)]
	if !ok {
		t.bytes += len(cell)
		if len(t.counts) == mostTexts || t.bytes > textsBytes {
			t.counts = nil
			return
		}
	}
	t.counts[string(cell)] = n + 1
}

// A value is a text of a category, with its number of rows.
type value struct {
	name string
	rows int64
}

// valuesOf returns the values of texts, the commonest first, of equally common ones the first by its bytes.
func valuesOf(counts map[string]int64, decimal byte) []value {
	names := FoldNames(slices.Collect(maps.Keys(counts)), decimal)
	index, values := NewNames(names), make([]value, len(names))
	for cell, n := range counts {
		if i, ok := index.Find([]byte(cell), decimal); ok {
			values[i].name = names[i]
			values[i].rows += n
		}
	}
	slices.SortStableFunc(values, func(a, b value) int { return cmp.Compare(b.rows, a.rows) })
	return values
}

// decideCategory decides what becomes of a column of texts, and learns the values of a category.
// `recurring` is how many coordinates are left for words that recur.
func (f *feature) decideCategory(recurring *int) {
	l, t := f.learning, f.learning.tally
	if f.Guess == columns.GuessType && f.decideType(t) {
		return
	}
	values := valuesOf(t.counts, f.decimal)
	isAsked, most := f.Guess == columns.NoGuess, mostCommon
	switch {
	case isAsked:
		most = maxValues
	case 2*t.sentences > l.n:
		most = mostCategories
	}
	f.Guess = columns.NoGuess
	_, covered := frequent(values, mostCategories, 1)
	var own int64
	least := int64(leastRows)
	if len(values) <= mostCategories && l.n+l.missing < smallTable {
		least = leastRecur
	}
	f.Values, own = frequent(values, most, least)
	f.Rest, f.Empty = own < l.n, l.missing > 0
	isCovered := 5*(max(covered, own)+l.missing) >= 4*(l.n+l.missing)
	isCategory := t.counts != nil && (len(values) <= mostCategories || isCovered)
	switch isMostlyNew := t.counts == nil || 2*int64(len(values)) > l.n; {
	case isAsked:
	case l.n == 0:
		f.keep("all its cells are empty")
	case len(values) == 1 && l.missing == 0:
		f.keep("all its cells are equal")
	case isCategory && f.NFeatures() > 1:
		if f.Rest && len(values) > mostCategories {
			f.useRecurring(values, recurring)
		}
	case 2*t.sentences > l.n:
		f.useWords()
	case f.useRecurring(values, recurring):
	case isMostlyNew:
		f.keep("its texts hardly recur")
	case isCategory:
		f.keep("none of its values is in 5 rows")
	default:
		f.useWords()
	}
}

// useRecurring makes a category of the words that recur, if 30 % of the rows have one of them: hashed into fewer
// coordinates, many would have one together. It reports whether it did.
func (f *feature) useRecurring(values []value, left *int) bool {
	l := f.learning
	texts, own := frequent(values, *left, leastRecur)
	if len(texts) < max(2, len(f.Values)) || 10*(own+l.missing) < 3*(l.n+l.missing) {
		return false
	}
	f.Values, f.Rest = texts, own < l.n
	*left -= len(texts)
	return true
}

// frequent returns the sorted names of values with `least` rows or more, and the sum of their rows. It looks at the
// first `most` values.
func frequent(values []value, most int, least int64) (names []string, rows int64) {
	names = []string{}
	for _, v := range values[:min(most, len(values))] {
		if v.rows >= least {
			names = append(names, v.name)
			rows += v.rows
		}
	}
	slices.Sort(names)
	return names, rows
}

// useWords makes hashed words of a column of texts.
func (f *feature) useWords() {
	*f.Column = learnWords(f.Name)
	f.Learned, f.Why = true, "is read as text, and its words become coordinates"
}

// learnedNote is the note on what Fit decided about a column for learning.
func learnedNote(c *columns.Column, of *Column) columns.Note {
	n := columns.Note{Code: columns.NoteUnusedColumn, Column: c.Name, What: columnText(c.Name) + " " + c.Why}
	switch c.Role {
	case columns.AsKept:
		role := of.Type.UsualRole()
		if !role.IsFeature() || strings.HasSuffix(c.Why, roundedToOne) { // categories are compared as texts
			role = columns.AsCategory
		}
		n.Count, n.Remedy = 1, "to use it, give it the role {"+role.String()+"}"
	case columns.AsWords:
		n.Code, n.Remedy = columns.NoteGuessedWords, "give it another role if it is none, or write its cells as numbers"
	case columns.AsNumber:
		n.Code, n.Remedy = columns.NoteRowNumbers, "{ignore} it if it only numbers the rows"
		if c.Why != countsRows {
			n.Code, n.Remedy = columns.NoteRounded, "subtract the least of them from each"
		}
	}
	return n
}

// countsAs says what the missing cells of a column count as.
func (p *Preprocessing) countsAs(c *columns.Column, n int64) string {
	switch {
	case c.Missing == columns.NaN && p.ofModel:
		return ", and the model fills " + pick(n, "it", "them")
	case c.Missing == columns.NaN:
		return ", and the model learns what that means"
	}
	return pick(n, " and counts as ", " and count as ") + c.CountsAs()
}
