package dataset

import (
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/dataset/columns"
)

// Notes lists what was seen in a file and not used, guessed, replaced or left out, for a reading of its rows by p. It
// is the one list that the shell, its JSON, JavaScript and the page show.
//
// l is the layout that Sniff returned, after the changes that a person asked for. c and u are the counts of the
// reading, or nil before it.
func Notes(l *Layout, p *Preprocessing, c *Counts, u *Unused) []columns.Note {
	notes := slices.DeleteFunc(l.Notes(), func(n columns.Note) bool {
		isNumber, isDate := p.has(n.Column, columns.AsNumber), p.has(n.Column, columns.AsDate)
		switch n.Code {
		case columns.NoteText:
			return isNumber || isDate
		case columns.NoteUnits:
			return l.forModel || !isNumber && !p.has(n.Column, columns.AsLabel)
		case columns.NoteSpellings:
			return l.forModel || !p.has(n.Column, columns.AsCategory) && !p.has(n.Column, columns.AsLabel)
		case columns.NoteDates:
			return n.Column != "" && !isDate
		}
		return false
	})
	notes = append(notes, l.roleNotes(p)...)
	if c != nil {
		notes = append(notes, RowNotes(l.Name, p, c, u)...)
	}
	return notes
}

// has reports whether a column has a role.
func (p *Preprocessing) has(name string, role columns.Role) bool {
	return slices.ContainsFunc(p.Columns, func(c columns.Column) bool { return c.Name == name && c.Role == role })
}

// RowNotes are the Notes that come from the rows of a file.
func RowNotes(file string, p *Preprocessing, c *Counts, u *Unused) []columns.Note {
	return slices.Concat(u.notes(file), u.unknown.notes(), u.besideNotes(), p.cellNotes(c), p.lengthNotes())
}

// lengthNotes notes that rows are not divided by their length, because they are of few numbers.
func (p *Preprocessing) lengthNotes() []columns.Note {
	if !p.UnitNorm || p.Divides() {
		return nil
	}
	return []columns.Note{{Code: columns.NoteUnitNorm, Remedy: "set {unitNorm} to true to divide them by it",
		What: "rows of " + plural(int64(p.NFeatures()), "number") + " keep their length"}}
}

// mostNotes is how many columns, and how many reasons of rows, have a note each.
const mostNotes = 20

// roleNotes notes the label that was guessed, and the columns that are not used though nobody asked for that.
func (l *Layout) roleNotes(p *Preprocessing) (notes []columns.Note) {
	if l.forModel {
		return nil // the model says which columns it uses
	}
	roles, why := map[string]columns.Role{}, map[string]*columns.Column{}
	for i := range p.Columns {
		c := &p.Columns[i]
		if roles[c.Name] = c.Role; c.Why != "" {
			why[c.Name] = c
		}
	}
	if i := l.Label(); i >= 0 && !l.Columns[i].asked && !l.Sparse {
		if role, ok := roles[l.Columns[i].Name]; ok && role == columns.AsLabel {
			notes = append(notes, columns.Note{Code: columns.NoteGuessedLabel, Column: l.Columns[i].Name,
				What:   columnText(l.Columns[i].Name) + " is taken as the label" + after(", ", l.labelWhy),
				Remedy: "name another {label}, or none, if it is not"})
		}
	}
	more := int64(0)
	for i := range l.Columns {
		c := &l.Columns[i]
		role, ok := roles[c.Name]
		if !ok {
			role = columns.AsIgnored
		}
		switch isGuessed := ok && role == c.Role && !c.asked; {
		case why[c.Name] != nil && len(notes) < mostNotes:
			notes = append(notes, learnedNote(why[c.Name], c))
		case why[c.Name] != nil:
			if role == columns.AsKept {
				more++
			}
		case isGuessed && role == columns.AsWords && l.Format != PlainText && len(notes) < mostNotes:
			notes = append(notes, columns.Note{Code: columns.NoteGuessedWords, Column: c.Name,
				What:   columnText(c.Name) + " is read as text, and its words become coordinates",
				Remedy: "give it another role if it is none, or write its cells as numbers"})
		case c.unused.why == "" || c.asked || role != c.Role || role == columns.AsLabel || l.noted[c.Name]:
		case len(notes) >= mostNotes:
			more++
		default:
			notes = append(notes, columns.Note{Code: columns.NoteUnusedColumn, Column: c.Name, Count: 1,
				What: columnText(c.Name) + " is not used: " + c.unused.why, Remedy: c.unused.remedy})
		}
	}
	if more > 0 {
		notes = append(notes, columns.Note{Code: columns.NoteUnusedColumn, Count: more,
			What: plural(more, "more column") + pick(more, " is", " are") + " not used", Remedy: "give them roles"})
	}
	return notes
}

// after returns a text after a mark, or nothing.
func after(mark, text string) string {
	if text == "" {
		return ""
	}
	return mark + text
}

// notes notes the rows that were left out, by reason. It names the file of the first such row if it is another one.
func (u *Unused) notes(file string) (notes []columns.Note) {
	for _, r := range u.reasons {
		first := r.first.Where()
		if r.first.File != file {
			first = strings.TrimSuffix(r.first.File+", "+first, ", ")
		}
		what := plural(r.rows, "row") + pick(r.rows, " is", " are") + " left out"
		if u.HoldPlaces {
			what = plural(r.rows, "row") + pick(r.rows, " has", " have") + " no answer"
		}
		switch {
		case first == "":
		case r.rows == 1:
			what += ", " + first
		default:
			what += ", the first at " + first
		}
		notes = append(notes, columns.Note{Code: columns.NoteUnusedRows, Count: r.rows, What: what + ": " + r.first.What,
			Remedy: r.first.Remedy})
	}
	return notes
}

// A cellGroup is cells of columns that have the same fate.
type cellGroup struct {
	note   columns.Note
	says   []func(n int64, of string) string // for each column, the sentence about n cells of it or of many
	names  []string
	counts []int64
}

// fewest is how many columns share a note at least. Fewer have one each.
const fewest = 3

// notes returns one note of all columns, with their counts, or one of each.
func (g *cellGroup) notes() (notes []columns.Note) {
	all, list := g.note, []string(nil)
	for i, name := range g.names {
		one := g.note
		one.Column, one.Count, one.What = name, g.counts[i], g.says[i](g.counts[i], columnText(name))
		notes = append(notes, one)
		list = append(list, quoted([]byte(name))+" "+strconv.FormatInt(one.Count, 10))
		all.Count += one.Count
	}
	n := len(notes)
	if n < fewest {
		return notes
	}
	if n > mostNotes {
		list = append(list[:mostNotes], strconv.Itoa(n-mostNotes)+" more")
	}
	all.What = g.says[0](all.Count, plural(int64(n), "column")) + ": " + strings.Join(list, ", ")
	return []columns.Note{all}
}

// cellGroups has groups of cells in the order of their first columns.
type cellGroups []*cellGroup

// add adds n cells of a column to the group of the key, or begins it.
func (g *cellGroups) add(column string, n int64, note columns.Note, says func(n int64, of string) string) {
	key := says(2, "")
	for _, group := range *g {
		if group.says[0](2, "") == key && group.note == note {
			group.says, group.names = append(group.says, says), append(group.names, column)
			group.counts = append(group.counts, n)
			return
		}
	}
	*g = append(*g, &cellGroup{note, []func(int64, string) string{says}, []string{column}, []int64{n}})
}

func (g cellGroups) notes() (notes []columns.Note) {
	for _, group := range g {
		notes = append(notes, group.notes()...)
	}
	return notes
}

// cellNotes notes the missing cells that count as something, and the categories that were not met before.
func (p *Preprocessing) cellNotes(c *Counts) []columns.Note {
	var groups cellGroups
	for i := range p.Columns {
		column := &p.Columns[i]
		isFilled := column.Role.IsFeature() && column.Missing != columns.Drop && column.Missing != columns.Refuse
		if n := c.Missing[i]; n > 0 && isFilled {
			note := columns.Note{Code: columns.NoteReplacedCells, Remedy: `to leave such rows out, set {missing} to drop`}
			if p.ofModel {
				note.Remedy = "" // the model says what becomes of the rows
			}
			groups.add(column.Name, n, note, func(n int64, of string) string {
				return cellsOf(n, of) + pick(n, " is missing", " are missing") + p.countsAs(column, n)
			})
		}
		if n := c.Unknown[i]; n > 0 {
			p.addUnknown(&groups, c, i)
		}
	}
	return groups.notes()
}

func cellsOf(n int64, of string) string { return plural(n, "cell") + " of " + of }

// addUnknown notes the categories of a column that were not met before.
func (p *Preprocessing) addUnknown(to *cellGroups, c *Counts, i int) {
	column := &p.Columns[i]
	what, counts := func(n int64) string { return pick(n, "was", "were") + " not met before" }, "none"
	remedy := "correct them, or learn from rows that have them"
	if column.Rest {
		met := what
		what = func(n int64) string { return pick(n, "is", "are") + " rare or " + met(n) }
		counts, remedy = columns.RestName, ""
	} else if column.Average {
		counts = "the average of those that were"
	} else if column.Common != "" {
		counts = column.AsCommon()
	}
	to.add(column.Name, c.Unknown[i], columns.Note{Code: columns.NoteUnknownCategory, Remedy: remedy},
		func(n int64, of string) string {
			examples := ""
			if of == columnText(column.Name) {
				examples = suchAs(c.Examples[i])
			}
			return cellsOf(n, of) + pick(n, " has a category that ", " have categories that ") + what(n) + examples +
				pick(n, ", and counts as ", ", and count as ") + counts
		})
}

// CutNotes are the notes of numbers that a model cuts, n of each column, because they lie beyond the ends of the rows
// that it was prepared for, of missing numbers in columns in which these rows had none, and of numbers that are none of
// the codes of their columns.
func CutNotes(names []string, cut, missing, uncoded []int64) []columns.Note {
	var groups cellGroups
	for i, name := range names {
		if n := cut[i]; n > 0 {
			groups.add(name, n, columns.Note{Code: columns.NoteCutCells, Remedy: "check them"},
				func(n int64, of string) string {
					return plural(n, "number") + " of " + of + pick(n, " lies", " lie") +
						" outside the range that the model was prepared for, and" + pick(n, " counts as its end", " count as its ends")
				})
		}
		if n := missing[i]; n > 0 {
			groups.add(name, n, columns.Note{Code: columns.NoteReplacedCells, Remedy: "learn from rows that lack some, too"},
				func(n int64, of string) string {
					return plural(n, "number") + " of " + of + pick(n, " is missing and counts", " are missing and count") +
						" as the mean, since no row that the model was prepared with lacked one"
				})
		}
		if n := uncoded[i]; n > 0 {
			note := columns.Note{Code: columns.NoteNoCode, Remedy: "correct them, or learn from more rows like them"}
			groups.add(name, n, note, func(n int64, of string) string {
				return plural(n, "number") + " of " + of + pick(n, " is no code", " are no codes") +
					" that the model knows, and" + pick(n, " counts by its size alone", " count by their size alone")
			})
		}
	}
	return groups.notes()
}

// UnknownLabels returns the note of rows whose label the model does not know.
func UnknownLabels(n int64, some []string) columns.Note {
	return columns.Note{Code: columns.NoteUnknownLabel, Count: n,
		What:   plural(n, "row") + pick(n, " has a label", " have labels") + " that the model does not know" + suchAs(some),
		Remedy: "correct them, or fit a model to rows that have them"}
}

// suchAs returns `, such as "a" and "b"`. Texts that are alike as far as they are quoted are named once.
func suchAs(some []string) string {
	if len(some) == 0 {
		return ""
	}
	var quotes []string
	for _, one := range some {
		if quote := quoted([]byte(one)); !slices.Contains(quotes, quote) {
			quotes = append(quotes, quote)
		}
	}
	last := len(quotes) - 1
	if last == 0 {
		return ", such as " + quotes[0]
	}
	return ", such as " + strings.Join(quotes[:last], ", ") + " and " + quotes[last]
}

// pick returns one or many, as n needs it.
//
//go:noinline
func pick(n int64, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// A reason is why rows are left out.
type reason struct {
	key   string // what all its problems have in common
	rows  int64
	first *Problem
}

// addReason counts a row by its reason. Rows beyond the first reasons count for the last one.
func (u *Unused) addReason(p *Problem, rows int64) {
	key := reasonKey(p)
	for i := range u.reasons {
		if u.reasons[i].key == key {
			u.reasons[i].rows += rows
			return
		}
	}
	switch {
	case len(u.reasons) < mostNotes:
		u.reasons = append(u.reasons, reason{key, rows, p})
	case u.reasons[mostNotes-1].key != "":
		u.reasons = append(u.reasons[:mostNotes-1], reason{"", u.reasons[mostNotes-1].rows + rows,
			&Problem{File: p.File, What: "they have further problems", Remedy: "correct those above first"}})
	default:
		u.reasons[mostNotes-1].rows += rows
	}
}

// AddRows counts rows that have the same problem as the first of them.
func (u *Unused) AddRows(first *Problem, rows int64) {
	u.Total += rows
	u.addReason(first, rows)
	if len(u.First) < listed {
		u.First = append(u.First, first)
	}
}

// reasonKey returns what a problem has in common with others of its reason: the column, and what is wrong without the
// content of the cell.
func reasonKey(p *Problem) string {
	key := make([]byte, 0, len(p.What)+len(p.Place))
	if strings.HasPrefix(p.Place, "column ") {
		key = append(append(key, p.Place...), ':')
	}
	for what := p.What; what != ""; {
		if cell, err := strconv.QuotedPrefix(what); err == nil {
			what = what[len(cell):]
			continue
		}
		if what[0]-'0' > 9 {
			key = append(key, what[0])
		}
		what = what[1:]
	}
	return string(key)
}

// Merge adds the rows that could not be used of another file.
func (u *Unused) Merge(other *Unused) {
	u.Total += other.Total
	u.HoldPlaces = u.HoldPlaces || other.HoldPlaces
	for i, key := range other.unknown.keys {
		u.unknown.add(key, other.unknown.rows[i])
	}
	for _, b := range other.besides {
		u.countBeside(b)
	}
	u.First = append(u.First, other.First[:min(len(other.First), max(0, listed-len(u.First)))]...)
	for _, r := range other.reasons {
		u.addReason(r.first, r.rows)
	}
}

// unknownKeys are keys of rows that are no columns of the model, and how many rows have each.
type unknownKeys struct {
	keys []string
	rows []int64
}

// mostUnknown is how many keys are told apart. Further ones count for the last.
const mostUnknown = 1000

func (k *unknownKeys) add(key string, rows int64) {
	at := slices.Index(k.keys, key)
	switch {
	case at < 0 && len(k.keys) == mostUnknown:
		at = mostUnknown - 1
	case at < 0:
		at, k.keys, k.rows = len(k.keys), append(k.keys, key), append(k.rows, 0)
	}
	k.rows[at] += rows
}

// addUnknown counts the keys of a row that are no columns of the model.
func (u *Unused) addUnknown(keys []string) {
	for _, key := range keys {
		u.unknown.add(key, 1)
	}
}

func (k *unknownKeys) notes() []columns.Note {
	var groups cellGroups
	for i, key := range k.keys {
		note := columns.Note{Code: columns.NoteUnknownColumn, Remedy: "correct its name if the model has it by another"}
		groups.add(key, k.rows[i], note, func(n int64, of string) string {
			return cellsOf(n, of) + pick(n, " is", " are") + " not used: the model has no such column"
		})
	}
	return groups.notes()
}

// mostExamples is how many categories that were not met before are named.
const mostExamples = 3

// addUnknown counts a cell whose category was not met before.
func (c *Counts) addUnknown(column int, cell []byte) {
	c.Unknown[column]++
	if some := c.Examples[column]; len(some) < mostExamples && !slices.Contains(some, string(cell)) {
		c.Examples[column] = append(some, string(cell))
	}
}

// Merge adds the counts of another file that was read by the same preprocessing.
func (c *Counts) Merge(other *Counts) {
	if c.Missing == nil {
		n := len(other.Missing)
		c.Missing, c.Unknown, c.Examples = make([]int64, n), make([]int64, n), make([][]string, n)
	}
	c.Rows += other.Rows
	for i := range other.Missing {
		c.Missing[i] += other.Missing[i]
		for _, cell := range other.Examples[i] {
			c.addUnknown(i, []byte(cell))
			c.Unknown[i]--
		}
		c.Unknown[i] += other.Unknown[i]
	}
}
