package jobs

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
)

// Columns say what the columns of a table become, as far as that is typed. A column is given by its name, or its number
// from 1; a text may also hold several names, with commas between them.
type Columns struct {
	Roles   map[string][]string `json:"roles,omitempty"` // columns by their role: number, category, date, words …
	Use     []string            `json:"use,omitempty"`   // only these become coordinates
	NoLabel bool                `json:"noLabel,omitempty"`

	Scaling     string   `json:"scaling,omitempty"`  // none, standard or min-max; else the layout suggests one
	Missing     string   `json:"missing,omitempty"`  // drop (default), refuse, mean, zero or constant
	Fill        *float64 `json:"fill,omitempty"`     // the constant
	UnitNorm    *bool    `json:"unitNorm,omitempty"` // divide each row by its length; default true for fit
	Hashed      int      `json:"hashed,omitempty"`   // hash categories into so many coordinates
	Width       int      `json:"width,omitempty"`    // coordinates for words
	SparseWidth int      `json:"sparseWidth,omitempty"`
	Parts       []string `json:"parts,omitempty"`     // of dates
	Words       [2]int   `json:"wordNgrams,omitzero"` // the shortest and the longest n-grams of words
	Chars       [2]int   `json:"charNgrams,omitzero"` // of characters

	learning bool // no row is left out because of a missing cell, and numbers are not scaled
	texts    bool // learning decides by all rows about texts that the first rows suggest no use for
}

// given returns the name of a field that is set, or "".
func (c *Columns) given() string {
	for _, role := range columns.Roles {
		if len(c.Roles[role.String()]) > 0 {
			return role.String()
		}
	}
	v := reflect.ValueOf(c).Elem()
	for i := range v.NumField() {
		if name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ","); name != "roles" && !v.Field(i).IsZero() {
			return name
		}
	}
	return ""
}

// apply returns the layout with the typed roles.
func (c *Columns) apply(l *dataset.Layout) (*dataset.Layout, error) {
	if err := c.checkLabel(); err != nil {
		return nil, err
	}
	if c.NoLabel {
		l = l.WithLabel(-1)
	}
	typed := map[int]columns.Role{}
	for _, role := range columns.Roles {
		indexes, err := find(l, role.String(), c.Roles[role.String()])
		if err != nil {
			return nil, err
		}
		if role == columns.AsLabel && len(indexes) > 1 {
			return nil, fail("label", "{label} must be one column, got %d", len(indexes))
		}
		for _, i := range indexes {
			if other, twice := typed[i]; twice {
				return nil, fail(role.String(), "column %q has two roles, %s and %s; leave one out", l.Columns[i].Name, other,
					role)
			}
			typed[i] = role
		}
	}
	l = l.WithRoles(typed)
	used, err := find(l, "use", c.Use)
	if err != nil || c.Use == nil {
		return l, err
	}
	return l.WithRoles(restOf(l, typed, used)), nil
}

// restOf returns the roles of the columns without a typed one, where only some are used.
func restOf(l *dataset.Layout, typed map[int]columns.Role, used []int) map[int]columns.Role {
	rest := map[int]columns.Role{}
	for i := range l.Columns {
		_, isTyped := typed[i]
		switch role := l.Columns[i].Role; {
		case isTyped:
		case slices.Contains(used, i):
			rest[i] = l.Columns[i].UsedRole()
		case role.IsFeature():
			rest[i] = columns.AsIgnored
		case role != columns.AsLabel:
			rest[i] = role // only the columns of Use were asked for
		}
	}
	return rest
}

// find returns the indices of the columns that an argument names. An item that is no name may be several names,
// separated by commas, the number of a column, or the name of a list or a structure, for all of its columns.
func find(l *dataset.Layout, argument string, items []string) (indexes []int, err error) {
	at := map[string]int{}
	var names []string
	for i := range l.Columns {
		at[l.Columns[i].Name] = i
		names = append(names, strconv.Quote(l.Columns[i].Name))
	}
	for _, item := range items {
		list := []string{item}
		if _, ok := at[item]; !ok {
			list = strings.Split(item, ",")
		}
		for _, name := range list {
			i, ok := at[name]
			if n, err := strconv.Atoi(name); !ok && err == nil && 1 <= n && n <= len(names) {
				i, ok = n-1, true
			}
			if parts := l.PartsOf(name); !ok && len(parts) > 0 {
				indexes = append(indexes, parts...)
				continue
			}
			if !ok && l.InFirstRow(name) {
				return nil, fail("header", "%s has no column %s, but its first row has it; {header} true makes that row the names",
					l.Name, columns.Quoted(name))
			}
			if !ok {
				return nil, fail(argument, "%s has no column %s%s; its columns are %s", l.Name, columns.Quoted(name),
					Suggest(strconv.Quote(name), names), listed(l))
			}
			indexes = append(indexes, i)
		}
	}
	return indexes, nil
}

// mostListed is how many columns an error lists.
const mostListed = 12

// listed returns the names of the first columns of a file for an error, and how many others there are.
func listed(l *dataset.Layout) string {
	var list []string
	for i := range l.Columns[:min(len(l.Columns), mostListed)] {
		list = append(list, columns.Quoted(l.Columns[i].Name))
	}
	names := strings.Join(list, ", ")
	if others := len(l.Columns) - len(list); others > 0 {
		names += " and " + Count(int64(others), "other")
	}
	return names
}

// preprocessing returns the preprocessing for a layout. Without a typed scaling, the layout suggests one.
func (c *Columns) preprocessing(l *dataset.Layout) (*dataset.Preprocessing, error) {
	p := dataset.NewPreprocessing(l)
	if c.learning {
		p = dataset.NewLearnPreprocessing(l)
	}
	if c.texts {
		p.LearnTexts(l)
	}
	p.UnitNorm = c.UnitNorm != nil && *c.UnitNorm
	if c.SparseWidth > 0 && !p.Sparse {
		return nil, fail("sparseWidth", "{sparseWidth} is for LIBSVM rows; leave it out")
	}
	p.Width = c.SparseWidth
	if !c.learning {
		p.SetScaling(l.SuggestedScaling())
	}
	if scaling, ok := columns.ParseScaling(c.Scaling); ok {
		p.SetScaling(scaling)
	}
	missing, isTyped := columns.ParseMissing(c.Missing)
	if err := c.checkFill(missing); err != nil {
		return nil, err
	}
	if isTyped {
		p.SetMissing(missing)
	}
	isHashed := false
	for i := range p.Columns {
		c.set(&p.Columns[i], missing)
		isHashed = isHashed || p.Columns[i].Hashed > 0
	}
	if c.learning && c.Hashed > 0 && !isHashed {
		return nil, fail("hashed", "{hashed} is for columns that {category} names; name them")
	}
	if err := p.Validate(); err != nil {
		return nil, &Error{Argument: "columns", err: err}
	}
	return p, nil
}

// set sets what is typed for the columns of a role.
func (c *Columns) set(column *columns.Column, missing columns.Missing) {
	switch column.Role {
	case columns.AsNumber:
		if missing == columns.Constant {
			column.Fill = *c.Fill
		}
	case columns.AsCategory:
		c.hash(column)
	case columns.AsDate:
		if parts, err := columns.ParseDateParts(c.Parts); c.Parts != nil && err == nil {
			column.Parts = parts
			if !column.IsScaled() {
				column.Scaling = columns.NoScaling
			}
		}
	case columns.AsWords:
		if c.Words != [2]int{} || c.Chars != [2]int{} {
			column.Words, column.Chars = c.Words, c.Chars
		}
		if c.Width != 0 {
			column.Width = c.Width
		}
	}
}

// hash sets how many coordinates a category is hashed into. Learning decides by all rows what a column is that nobody
// named, so it hashes only those that were named.
func (c *Columns) hash(column *columns.Column) {
	if c.learning && c.Hashed > 0 {
		if column.Guess != columns.NoGuess {
			return
		}
		if column.Rest = false; c.Missing == "" {
			column.Missing = columns.Zero
		}
	}
	column.Hashed = c.Hashed
}

// typed returns the preprocessing of the columns that are typed, by their names, with nothing that the rows decide:
// missing cells count as zero unless a policy is typed, numbers are not scaled, and all other columns are ignored.
func (c *Columns) typed() (*dataset.Preprocessing, error) {
	p := &dataset.Preprocessing{Sparse: c.SparseWidth > 0, Width: c.SparseWidth,
		UnitNorm: c.UnitNorm != nil && *c.UnitNorm}
	missing, isTyped := columns.ParseMissing(c.Missing)
	if !isTyped {
		missing = columns.Zero
	}
	err := cmp.Or(c.checkFill(missing), c.checkLabel())
	if err == nil && len(c.Use) > 0 {
		err = fail("use", "{use} is not for a private release: say what columns become, and leave it out")
	}
	if err != nil {
		return nil, err
	}
	for _, role := range columns.Roles {
		for _, names := range c.Roles[role.String()] {
			for name := range strings.SplitSeq(names, ",") {
				column := columns.NewColumn(name, role)
				if scaling, ok := columns.ParseScaling(c.Scaling); ok && column.IsScaled() {
					column.Scaling = scaling
				}
				if policy, ok := role.Policy(missing); ok {
					column.Missing = policy
				}
				c.set(&column, missing)
				p.Columns = append(p.Columns, column)
			}
		}
	}
	if len(p.Columns) == 0 && !p.Sparse {
		return nil, fail("columns", "say what columns become, with {number}, {category}, {date} and {words}, or "+
			"{sparseWidth}: none may be guessed from the rows")
	}
	return p, nil
}

// checkLabel checks that a label is not both named and refused.
func (c *Columns) checkLabel() error {
	if c.NoLabel && len(c.Roles[columns.AsLabel.String()]) > 0 {
		return fail("label", "{label} and {noLabel} contradict each other; leave one out")
	}
	return nil
}

// checkFill checks that there is a constant where it is asked for.
func (c *Columns) checkFill(missing columns.Missing) error {
	switch {
	case c.Fill != nil && missing != columns.Constant:
		return fail("fill", "{fill} is the constant of {missing} constant; give both, or neither")
	case c.Fill == nil && missing == columns.Constant:
		return fail("fill", "{missing} constant needs {fill} X")
	}
	return nil
}
