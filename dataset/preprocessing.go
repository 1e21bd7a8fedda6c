package dataset

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/dataset/columns"
)

// A Preprocessing says how the columns of a table become the coordinates of vectors. The coordinates follow the order
// of the columns. Columns with the roles AsLabel and AsKept have no coordinates. The sparse features of the file come
// last.
type Preprocessing struct {
	Columns  []columns.Column
	Sparse   bool // the rows have sparse features besides the columns
	Width    int  // number of sparse features; 0: learned in the first pass
	UnitNorm bool // rows are divided by their norm; zero rows stay zero
	KeepFew  bool // with UnitNorm: rows of fewer than 4 numbers keep their length, as Divides says

	// Reading is how the file that it was made for was read, or nil if unknown. SniffFile reads other files in the
	// same way.
	Reading *columns.Reading

	ofModel bool // read from a model file
}

// Limits of a preprocessing.
const (
	maxValues     = 4096    // values of a one-hot category
	maxValueBytes = 1 << 20 // total bytes of its values
	maxNGram      = 8
	denseWidth    = 1 << 16 // rows with more coordinates are sparse
)

// NewPreprocessing returns the default preprocessing for the roles of a layout. Numbers stay as they are, categories
// are one-hot, dates become days, and single words are hashed into DefaultWidth coordinates. Rows with missing numbers
// or dates are dropped. The page and the JavaScript API also call SetScaling with the layout's SuggestedScaling.
func NewPreprocessing(l *Layout) *Preprocessing {
	p := &Preprocessing{Sparse: l.Sparse, Reading: new(l.reading())}
	for i := range l.Columns {
		if c := &l.Columns[i]; c.Role != columns.AsIgnored {
			p.Columns = append(p.Columns, c.as(c.Role))
		}
	}
	return p
}

// as returns the column with the defaults of a role.
func (c *Column) as(role columns.Role) columns.Column {
	column := columns.NewColumn(c.Name, role)
	if role == columns.AsNumber || role == columns.AsLabel {
		column.Measure = c.Measure
	}
	return column
}

// SetScaling sets the scaling of all numbers and dates.
func (p *Preprocessing) SetScaling(s columns.Scaling) {
	for i := range p.Columns {
		if c := &p.Columns[i]; c.IsScaled() {
			c.Scaling = s
		}
	}
}

// SetMissing sets the policy for missing cells of all columns, as columns.Role.Policy says: a category, which has no
// mean, gets Zero with the others' Mean.
func (p *Preprocessing) SetMissing(m columns.Missing) {
	for i := range p.Columns {
		if policy, ok := p.Columns[i].Role.Policy(m); ok {
			p.Columns[i].Missing = policy
		}
	}
}

// NeedsFit reports whether p still has to learn something from a first pass.
func (p *Preprocessing) NeedsFit() bool {
	learns := func(c columns.Column) bool { return c.Learns() && !c.Learned }
	return p.Sparse && p.Width == 0 || slices.ContainsFunc(p.Columns, learns)
}

// NFeatures returns the number of coordinates, d, as far as it is known. A category or sparse features that still need
// Fit count as 0.
func (p *Preprocessing) NFeatures() int {
	n := 0
	for i := range p.Columns {
		n += p.Columns[i].NFeatures()
	}
	return n + p.Width
}

// Divides reports whether rows are divided by their norm: with UnitNorm, but with KeepFew only from
// columns.FewestDivided coordinates on. Like NFeatures, it is final once p needs no Fit. A model file has this answer,
// in place of UnitNorm and KeepFew.
func (p *Preprocessing) Divides() bool {
	return p.UnitNorm && !(p.KeepFew && p.NFeatures() < columns.FewestDivided)
}

// IsSparse reports whether rows are sparse: if the file has sparse features, a column is hashed words, or there are
// more than 65,536 coordinates. Words as NewLearnPreprocessing makes them do not count.
func (p *Preprocessing) IsSparse() bool {
	hasWords := slices.ContainsFunc(p.Columns, func(c columns.Column) bool {
		return c.Role == columns.AsWords && !(c.Unit && c.Width <= learnWidth)
	})
	return p.Sparse || hasWords || p.NFeatures() > denseWidth
}

// CellNames returns the names of the cells of a Batch: the label, then the kept columns.
func (p *Preprocessing) CellNames() []string {
	var names []string
	for _, role := range []columns.Role{columns.AsLabel, columns.AsKept} {
		for i := range p.Columns {
			if p.Columns[i].Role == role {
				names = append(names, p.Columns[i].Name)
			}
		}
	}
	return names
}

// unnamedColumns returns the columns of a file without a header, up to the last one that p uses.
func (p *Preprocessing) unnamedColumns() []Column {
	count := 0
	for i := range p.Columns {
		if number, ok := strings.CutPrefix(p.Columns[i].Name, "column "); ok {
			if n, err := strconv.Atoi(number); err == nil && n <= maxColumns && p.Columns[i].Name == columnName(n-1) {
				count = max(count, n)
			}
		}
	}
	columns := make([]Column, count)
	for i := range columns {
		columns[i].Name = columnName(i)
	}
	return columns
}

// Apply returns a copy of the layout that reads the columns of the preprocessing, found by name, and ignores all
// others. Label and kept columns may be absent; of a model, also unreadable. If any other column is absent, the error
// names it.
func (p *Preprocessing) Apply(l *Layout) (*Layout, error) {
	next := *l
	next.Columns = slices.Clone(l.Columns)
	if l.unnamed {
		next.Columns = p.unnamedColumns()
	}
	index := map[string]int{}
	for i := range next.Columns {
		next.Columns[i].Role = columns.AsIgnored
		index[next.Columns[i].Name] = i
	}
	for i := range p.Columns {
		c := &p.Columns[i]
		at, ok := index[c.Name]
		switch {
		case ok && p.ofModel && next.Columns[at].unread && !c.Role.IsFeature():
		case ok:
			next.Columns[at].Role, next.Columns[at].Measure = c.Role, c.Measure
		case c.Role.IsFeature():
			return nil, lacksColumn(l.Name, c.Name, l.like(c.Name))
		}
	}
	if p.Sparse && !l.Sparse {
		return nil, newProblem(l.Name, "its rows are dense, and the preprocessing takes sparse rows", "choose a LIBSVM file")
	}
	if !p.Sparse && l.Sparse {
		return nil, newProblem(l.Name, "its rows are sparse, and the preprocessing takes columns",
			"choose a file with columns")
	}
	if !p.hasFeatures() {
		return nil, next.withoutFeatures()
	}
	return &next, nil
}

// Validate checks all settings. An error names the column and a valid setting.
func (p *Preprocessing) Validate() error {
	if p.Reading != nil {
		err := p.Reading.Validate()
		if missing := p.Reading.Missing(); err == nil && len(missing) > 0 {
			err = fmt.Errorf("%q is missing", missing[0])
		}
		if err != nil {
			return fmt.Errorf("dataset: reading: %w", err)
		}
	}
	names, labels := map[string]bool{}, 0
	for i := range p.Columns {
		c := &p.Columns[i]
		if names[c.Name] {
			return fmt.Errorf("dataset: %s occurs twice in the preprocessing; plan it once", columnText(c.Name))
		}
		names[c.Name] = true
		if c.Role == columns.AsLabel {
			labels++
		}
		if err := validate(c); err != nil {
			return fmt.Errorf("dataset: %s: %w", columnText(c.Name), err)
		}
	}
	hasNaN := func(c columns.Column) bool { return c.Missing == columns.NaN }
	switch {
	case p.Divides() && slices.ContainsFunc(p.Columns, hasNaN):
		return errors.New("dataset: rows in which a missing cell is NaN have no norm; leave unitNorm out")
	case labels > 1:
		return fmt.Errorf("dataset: there are %d labels; keep all columns but one", labels)
	case p.Width < 0 || p.Width > maxIndex+1:
		return fmt.Errorf("dataset: sparse width must be from 0 to %d, got %d", maxIndex+1, p.Width)
	case p.Width > 0 && !p.Sparse:
		return fmt.Errorf("dataset: sparse width must be 0 where the rows are not sparse, got %d", p.Width)
	case p.NFeatures() > maxIndex+1:
		return fmt.Errorf("dataset: the vectors have %d coordinates; a map takes %d at most, so hash into fewer",
			p.NFeatures(), maxIndex+1)
	}
	return nil
}

func validate(c *columns.Column) error {
	switch {
	case c.Role > columns.AsIgnored:
		return fmt.Errorf("role %d is not known", c.Role)
	case c.Missing > columns.NaN, c.Scaling > columns.MinMax:
		return fmt.Errorf("missing is %d and scaling %d, and one of them is not known", uint8(c.Missing), uint8(c.Scaling))
	case !c.Role.Allows(c.Missing):
		return fmt.Errorf("missing cells of role %q cannot be treated as %q; drop the row", c.Role, c.Missing)
	case c.Scaling != columns.NoScaling && !c.IsScaled():
		return fmt.Errorf("role %q has no scaling; scale numbers and days", c.Role)
	case !isFinite(c.Fill) || !isFinite(c.Center) || !isFinite(c.Scale):
		return fmt.Errorf("fill, center and scale must be finite, got %v, %v and %v", c.Fill, c.Center, c.Scale)
	case c.Learned && c.Scaling != columns.NoScaling && !(c.Scale > 0):
		return fmt.Errorf("scale must be above 0, got %v", c.Scale)
	}
	if c.Measure != "" && (c.Role != columns.AsNumber && c.Role != columns.AsLabel || !isMeasure(c.Measure)) {
		return fmt.Errorf("measure is the unit of numbers and labels, such as °C or $, got %s", columns.Quoted(c.Measure))
	}
	if isOneHot := c.Role == columns.AsCategory && c.Hashed == 0; (c.Rest || c.Empty || c.Average || c.Common != "") &&
		!isOneHot || c.Unit && c.Role != columns.AsWords {
		return fmt.Errorf("%s, empty, average and common are for one-hot categories, and unit for words", columns.RestName)
	}
	if c.Average && (c.Rest || len(c.Values) == 0) {
		return fmt.Errorf("average is for a category with values and without %s", columns.RestName)
	}
	if c.Common != "" && (c.Rest || c.Average || !slices.Contains(c.Values, c.Common)) {
		return fmt.Errorf("common must be one of the values of a category without %s and average, got %s", columns.RestName,
			columns.Quoted(c.Common))
	}
	switch c.Role {
	case columns.AsCategory:
		return validateCategory(c)
	case columns.AsDate:
		return validateDate(c)
	case columns.AsWords:
		return validateWords(c)
	}
	return nil
}

func validateCategory(c *columns.Column) error {
	if c.Hashed < 0 || c.Hashed > columns.DefaultWidth {
		return fmt.Errorf("a category must be hashed into 1 to %d coordinates, got %d", columns.DefaultWidth, c.Hashed)
	}
	if len(c.Values) > maxValues {
		return fmt.Errorf("a one-hot category has at most %d values, got %d; hash it", maxValues, len(c.Values))
	}
	for i, value := range c.Values {
		if value == "" || i > 0 && value <= c.Values[i-1] {
			return fmt.Errorf("values must be texts in increasing order of their bytes, none empty or twice, "+
				"got %s at %d", columns.Quoted(value), i)
		}
	}
	return nil
}

func validateDate(c *columns.Column) error {
	if len(c.Parts) == 0 {
		return fmt.Errorf("parts must name at least one of days, year, week and day")
	}
	for i, part := range c.Parts {
		if part > columns.DayPhase || slices.Contains(c.Parts[:i], part) {
			return fmt.Errorf("parts must be some of days, year, week and day, each once, got %d at %d", part, i)
		}
	}
	return nil
}

func validateWords(c *columns.Column) error {
	for _, n := range [][2]int{c.Words, c.Chars} {
		if n != [2]int{} && !(1 <= n[0] && n[0] <= n[1] && n[1] <= maxNGram) {
			return fmt.Errorf("n-grams must be from 1 to %d, the shortest first, or 0 and 0 for none, got %v", maxNGram, n)
		}
	}
	if c.Words == [2]int{} && c.Chars == [2]int{} {
		return fmt.Errorf("words or chars must be given, [1, 1] for single words")
	}
	if c.Width < 1 || c.Width > 1<<30 {
		return fmt.Errorf("width must be from 1 to %d, got %d", 1<<30, c.Width)
	}
	return nil
}

// lacksColumn returns the problem of a file that lacks a column, and may have one with a name like it.
func lacksColumn(file, column, like string) error {
	remedy := "rename the column or choose another file"
	if like != "" {
		remedy = "rename " + columnText(like)
	}
	return newProblem(file, "it has no "+columnText(column)+", and the preprocessing needs it", remedy)
}

// like returns the name of a column that differs from a name only by the case of letters and spaces around it, or "".
func (l *Layout) like(name string) string {
	for i := range l.Columns {
		if other := l.Columns[i].Name; strings.EqualFold(strings.TrimSpace(other), strings.TrimSpace(name)) {
			return other
		}
	}
	return ""
}

// columnText returns the name of a column for a sentence.
//
//go:noinline
func columnText(name string) string { return "column " + quoted([]byte(name)) }
