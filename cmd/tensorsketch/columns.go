package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
)

// readingFlags defines a flag for each setting of a reading, under its own name.
func readingFlags(f *flags, r *columns.Reading) {
	f.heading("How files are read; what is not typed is guessed (docs/formats.md)")
	spelled := map[string]string{"tab": "\t", `\t`: "\t", "space": " ", "none": ""}
	for _, s := range columns.Settings {
		switch s.Key {
		case "keys":
			f.value(s.Key, "`NAME,LIST:8` keys of JSON, and the lengths of lists", func(text string) error {
				return parseKeys(r, text)
			})
		case "lists":
			f.integer(&r.Lists, s.Key, "`N` rows of JSON are lists of N numbers")
		case "sheet":
			f.value(s.Key, "`NAME` sheet of a workbook, or its number from 1", func(text string) error {
				return bare(r.Set(s.Key, text))
			})
		case "skip":
			f.value(s.Key, "`N` lines above the header, or above the first row, are no rows", func(text string) error {
				return bare(r.Set(s.Key, text))
			})
		default:
			f.value(s.Key, "`"+placeholder[s.Key]+"` "+settingWords(s.Values), func(text string) error {
				value, isWord := spelled[text]
				if !isWord || slices.Contains(s.Values, text) {
					value = text
				}
				if !slices.Contains(s.Values, value) {
					return fmt.Errorf("must be %s, got %q%s", either(spell(s.Values)), text, suggest(text, s.Values))
				}
				return r.Set(s.Key, value)
			})
		}
	}
}

var placeholder = map[string]string{"format": "FORMAT", "compression": "WORD", "encoding": "WORD", "delimiter": "SIGN",
	"quote": "SIGN", "decimal": "SIGN", "thousands": "SIGN", "header": "BOOL", "dates": "ORDER", "base": "N",
	"comment": "SIGN", "rownames": "BOOL"}

// spell returns the values of a setting in words that can be typed.
func spell(values []string) (words []string) {
	names := map[string]string{"\t": "tab", " ": "space", "": "none"}
	for _, value := range values {
		if name, ok := names[value]; ok {
			value = name
		} else if len(value) == 1 && strings.Contains(`.,;|"'`, value) {
			value = strconv.Quote(value)
		}
		words = append(words, value)
	}
	return words
}

func settingWords(values []string) string { return strings.Join(spell(values), " ") }

// parseKeys sets the keys of a reading from "name,name:length".
func parseKeys(r *columns.Reading, text string) error {
	for key := range strings.SplitSeq(text, ",") {
		name, length, isList := strings.Cut(key, ":")
		n, err := strconv.Atoi(length)
		if isList && (err != nil || n < 1) {
			return fmt.Errorf("must be names, and for lists NAME:LENGTH, got %q", key)
		}
		r.Keys = append(r.Keys, columns.Key{Name: name, Length: n})
	}
	return nil
}

// columnUse says what the columns of a table become, as far as that is typed.
type columnUse struct {
	roles   [columns.AsIgnored + 1][]string // names of columns, by their role
	use     []string
	noLabel bool

	scaling, missing string
	fill             float64
	hasFill          bool
	unitNorm         bool
	hashed, width    int
	sparseWidth      int
	parts            []string
	words, chars     [2]int
}

// columnFlags defines the flags for columns.
func columnFlags(f *flags, c *columnUse) {
	f.heading("What columns become; a flag may be repeated, and names are separated by commas")
	says := map[columns.Role]string{
		columns.AsNumber: "a coordinate", columns.AsCategory: "a coordinate for each value",
		columns.AsDate: "days, or --parts", columns.AsWords: "their words, hashed",
		columns.AsLabel: "the label or target", columns.AsKept: "written unchanged", columns.AsIgnored: "not read",
	}
	for _, role := range columns.Roles {
		f.list(&c.roles[role], role.String(), "`COLUMNS` "+says[role])
	}
	f.list(&c.use, "use", "`COLUMNS` only these become coordinates")
	f.boolean(&c.noLabel, "no-label", "no column is the label")
	policy := func(to *string, name string, one func(*columns.Column, string) error) {
		f.value(name, "", func(text string) error {
			*to = text
			return one(new(columns.Column), text)
		})
	}
	policy(&c.scaling, "scaling", func(c *columns.Column, text string) error { return bare(c.SetPolicies("", text)) })
	f.Lookup("scaling").Usage = "`HOW` none, standard or min-max; guessed: min-max unless most numbers are 0"
	policy(&c.missing, "missing", func(c *columns.Column, text string) error { return bare(c.SetPolicies(text, "")) })
	f.Lookup("missing").Usage = "`HOW` drop (default), refuse, mean, zero or constant"
	f.value("fill", "`X` the constant", func(text string) (err error) {
		c.hasFill = true
		c.fill, err = parseNumber(text)
		return err
	})
	f.boolean(&c.unitNorm, "unit-norm", "divide each row by its length")
	f.integer(&c.hashed, "hashed", "`N` hash categories into N coordinates")
	f.value("parts", "`PARTS` of dates: days,year,week,day", func(text string) error {
		c.parts = strings.Split(text, ",")
		_, err := columns.ParseDateParts(c.parts)
		return bare(err)
	})
	f.ngrams(&c.words, "word-ngrams", "`1-2` words that follow each other")
	f.ngrams(&c.chars, "char-ngrams", "`3-5` characters that follow each other")
	f.integer(&c.width, "width", "`N` coordinates for words")
	f.integer(&c.sparseWidth, "sparse-width", "`N` coordinates of LIBSVM rows; else a first pass finds it")
}

// bare returns an error of dataset/columns without the name of the setting, which the flag has.
func bare(err error) error {
	if err == nil {
		return nil
	}
	_, message, _ := strings.Cut(err.Error(), " ")
	return fmt.Errorf("%s", message)
}

// ngrams defines a flag for the shortest and the longest n-grams.
func (f *flags) ngrams(to *[2]int, name, usage string) {
	f.value(name, usage, func(text string) error {
		from, up, isRange := strings.Cut(text, "-")
		if !isRange {
			up = from
		}
		var err, other error
		to[0], err = strconv.Atoi(from)
		to[1], other = strconv.Atoi(up)
		if err != nil || other != nil {
			return fmt.Errorf("must be a number or two, such as 1-2, got %q", text)
		}
		return nil
	})
}

// apply returns the layout with the typed roles.
func (c *columnUse) apply(l *dataset.Layout) (*dataset.Layout, error) {
	if c.noLabel {
		if len(c.roles[columns.AsLabel]) > 0 {
			return nil, usage("--label and --no-label contradict each other; leave one out")
		}
		l = l.WithLabel(-1)
	}
	typed := map[int]columns.Role{}
	for role, lists := range c.roles {
		indexes, err := find(l, lists)
		if err != nil {
			return nil, err
		}
		if columns.Role(role) == columns.AsLabel && len(indexes) > 1 {
			return nil, usage("--label must be one column, got %d", len(indexes))
		}
		for _, i := range indexes {
			if other, twice := typed[i]; twice {
				return nil, usage("column %q has two roles, %s and %s; leave one out", l.Columns[i].Name, other,
					columns.Role(role))
			}
			typed[i] = columns.Role(role)
		}
	}
	l = l.WithRoles(typed)
	used, err := find(l, c.use)
	if err != nil || c.use == nil {
		return l, err
	}
	isUsed, rest := map[int]bool{}, map[int]columns.Role{}
	for _, i := range used {
		isUsed[i] = true
	}
	for i := range l.Columns {
		_, isTyped := typed[i]
		switch role := l.Columns[i].Role; {
		case isTyped:
		case isUsed[i]:
			rest[i] = usedRole(&l.Columns[i])
		case role.IsFeature():
			rest[i] = columns.AsIgnored
		case role != columns.AsLabel:
			rest[i] = role // only the columns of --use were asked for
		}
	}
	return l.WithRoles(rest), nil
}

// usedRole returns the role of a column that shall become coordinates.
func usedRole(c *dataset.Column) columns.Role {
	switch {
	case c.Role.IsFeature():
		return c.Role
	case c.Type == columns.Date:
		return columns.AsDate
	case c.Type == columns.Text:
		return columns.AsCategory
	}
	return columns.AsNumber
}

// find returns the indices of columns by their names. An item that is no name may be several names, separated by
// commas, or the number of a column.
func find(l *dataset.Layout, items []string) (indexes []int, err error) {
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
			if !ok && l.InFirstRow(name) {
				return nil, usage("%s has no column %s, but its first row has it; --header true makes that row the names", l.Name,
					columns.Quoted(name))
			}
			if !ok {
				return nil, usage("%s has no column %s%s", l.Name, columns.Quoted(name), suggest(strconv.Quote(name), names))
			}
			indexes = append(indexes, i)
		}
	}
	return indexes, nil
}

// preprocessing returns the preprocessing for a layout. Without a typed scaling, the layout suggests one, as on the
// page.
func (c *columnUse) preprocessing(l *dataset.Layout) (*dataset.Preprocessing, error) {
	p := dataset.NewPreprocessing(l)
	p.UnitNorm = c.unitNorm
	if c.sparseWidth > 0 && !p.Sparse {
		return nil, usage("--sparse-width is for LIBSVM rows; leave it out")
	}
	p.Width = c.sparseWidth
	p.SetScaling(l.SuggestedScaling())
	if scaling, ok := columns.ParseScaling(c.scaling); ok {
		p.SetScaling(scaling)
	}
	missing, isTyped := columns.ParseMissing(c.missing)
	switch {
	case c.hasFill && missing != columns.Constant:
		return nil, usage("--fill is the constant of --missing constant; give both, or neither")
	case !c.hasFill && missing == columns.Constant:
		return nil, usage("--missing constant needs --fill X")
	case isTyped:
		p.SetMissing(missing)
	}
	for i := range p.Columns {
		column := &p.Columns[i]
		switch column.Role {
		case columns.AsNumber:
			if missing == columns.Constant {
				column.Fill = c.fill
			}
		case columns.AsCategory:
			column.Hashed = c.hashed
		case columns.AsDate:
			if c.parts != nil {
				column.Parts, _ = columns.ParseDateParts(c.parts) // checked with the flag
				if !column.IsScaled() {
					column.Scaling = columns.NoScaling
				}
			}
		case columns.AsWords:
			if c.words != [2]int{} || c.chars != [2]int{} {
				column.Words, column.Chars = c.words, c.chars
			}
			if c.width != 0 {
				column.Width = c.width
			}
		}
	}
	if err := p.Validate(); err != nil {
		return nil, usageError{err}
	}
	return p, nil
}
