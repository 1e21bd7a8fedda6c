package dataset

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"tensorsketch.example/dataset/columns"
)

// A spelling is the texts of a column that differ only by the case of letters and by spaces.
type spelling struct {
	texts []string // in the order of their first cells
	each  map[string]int
	cells int
}

// areWords reports whether the texts are different words on purpose, such as the sounds hid and hId: all but one have a
// capital inside a word, which nobody writes by mistake in so many cells, and all are about as frequent.
func (s *spelling) areWords() bool {
	const few, alike = 10, 1.5
	plain, least, most := 0, s.cells, 0
	for _, text := range s.texts {
		if !strings.EqualFold(text, s.texts[0]) {
			return false
		}
		if !hasInnerCapital(text) {
			plain++
		}
		least, most = min(least, s.each[text]), max(most, s.each[text])
	}
	return plain < 2 && least >= few && float64(most) <= alike*float64(least)
}

// hasInnerCapital reports whether a capital follows a small letter.
func hasInnerCapital(text string) bool {
	last := ' '
	for _, r := range text {
		if unicode.IsUpper(r) && unicode.IsLower(last) {
			return true
		}
		last = r
	}
	return false
}

// noteSpellings adds a note on texts of column i that recur and differ only by the case of letters or by spaces, such
// as Red and red: they are different categories and labels. Different words (areWords) are not noted.
func (l *Layout) noteSpellings(rows [][]string, i int) {
	c := &l.Columns[i]
	if c.Type != columns.Text {
		return
	}
	if l.noteYesNo(rows, i) {
		return
	}
	groups, order, cells := map[string]*spelling{}, []*spelling(nil), 0
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
			g = &spelling{each: map[string]int{}}
			groups[key], order = g, append(order, g)
		}
		g.cells++
		if g.each[cell]++; g.each[cell] == 1 {
			g.texts = append(g.texts, cell)
		}
	}
	if 2*len(groups) > cells { // no category
		return
	}
	several, spelled, example := 0, 0, (*spelling)(nil)
	for _, g := range order {
		if len(g.texts) < 2 || g.areWords() {
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
