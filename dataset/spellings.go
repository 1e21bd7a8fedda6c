package dataset

import (
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
