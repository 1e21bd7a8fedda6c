package dataset

import (
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/dataset/columns"
)

// A spelling is the texts of a column that differ only by the case of letters and by spaces.
type spelling struct {
	texts []string // in the order of their first cells
	cells int
}

// noteSpellings adds a note on texts of column i that recur and differ only by the case of letters or by spaces, such
// as Red and red: they are different categories and labels.
func (l *Layout) noteSpellings(rows [][]string, i int) {
	c := &l.Columns[i]
	if c.Type != columns.Text {
		return
	}
	if l.noteYesNo(rows, i) {
		return
	}
	groups, order, texts, cells := map[string]*spelling{}, []*spelling(nil), map[string]bool{}, 0
	for _, row := range rows {
		if i >= len(row) {
			continue
		}
		cell := string(trimCell([]byte(row[i])))
		if _, isNumber := appendSame(nil, []byte(cell), l.Decimal); cell == "" || isNumber { // these are one category
			continue
		}
		cells++
		key := strings.ToLower(strings.Join(strings.Fields(cell), ""))
		g := groups[key]
		if g == nil {
			g = new(spelling)
			groups[key], order = g, append(order, g)
		}
		if g.cells++; !texts[cell] {
			texts[cell], g.texts = true, append(g.texts, cell)
		}
	}
	if 2*len(groups) > cells { // no category
		return
	}
	several, spelled, example := 0, 0, (*spelling)(nil)
	for _, g := range order {
		if len(g.texts) < 2 {
			continue
		}
		several++
		spelled += g.cells
		if example == nil || g.cells > example.cells {
			example = g
		}
	}
	if several == 0 {
		return
	}
	what := strconv.Itoa(several) + " of its values" + pick(int64(several), " has", " have") + " several spellings"
	l.note(columns.Note{Code: columns.NoteSpellings, Column: c.Name, Count: int64(spelled),
		What: columnText(c.Name) + " has texts that differ only by the case of letters or by spaces" +
			suchAs(example.texts[:min(len(example.texts), mostExamples)]) + ": " + what + " in " +
			plural(int64(spelled), "cell") + " of the first " + plural(int64(cells), "text") + ", which count as different",
		Remedy: "write them alike where they mean the same"})
}

// yesNo are spellings of yes and no, in lower case.
var yesNo = wordSet("yes no y n true false t f on off 1 0 1.0 0.0 ja nein j oui non si sí não sim")

// noteYesNo adds a note if column i has yes and no, or true and false, in more than two spellings, and reports whether
// it did.
func (l *Layout) noteYesNo(rows [][]string, i int) bool {
	var texts []string
	cells, hasWord := 0, false
	for _, row := range rows {
		if i >= len(row) {
			continue
		}
		cell := string(trimCell([]byte(row[i])))
		word := strings.ToLower(cell)
		switch {
		case isMissing([]byte(cell)):
			continue
		case !yesNo[word]:
			return false
		}
		cells++
		hasWord = hasWord || len(word) > 1 && word[0]-'0' > 9
		if !slices.ContainsFunc(texts, func(text string) bool { return strings.EqualFold(text, cell) }) {
			texts = append(texts, cell)
		}
	}
	if len(texts) < 3 || !hasWord {
		return false
	}
	l.note(columns.Note{Code: columns.NoteSpellings, Column: l.Columns[i].Name, Count: int64(cells),
		What: columnText(l.Columns[i].Name) + " has yes and no in " + strconv.Itoa(len(texts)) + " spellings" +
			suchAs(texts[:mostExamples]) + ", which count as different",
		Remedy: "write them in two"})
	return true
}
