package dataset

import (
	"strings"

	"tensorsketch.example/dataset/columns"
)

// totalWords are what stands before sums below a table, in lower case.
var totalWords = wordSet("total totals grand_total subtotal sum sums summe gesamt insgesamt totale somme suma soma " +
	"average mean mittelwert moyenne")

// noteTotals adds a note if the last row of a short table has a word such as Total in a column of texts, once.
func (l *Layout) noteTotals(rows [][]string) {
	if len(rows) < 2 || len(rows) >= sniffRows { // the last row was not looked at
		return
	}
	cellOf := func(row []string, i int) string {
		if i >= len(row) {
			return ""
		}
		return string(trimCell([]byte(row[i])))
	}
	last := rows[len(rows)-1]
	for i := range l.Columns {
		cell, c := cellOf(last, i), &l.Columns[i]
		if !totalWords[strings.ToLower(strings.TrimSuffix(cell, ":"))] || c.Type != columns.Text && c.Type != columns.Date {
			continue
		}
		times := 0
		for _, row := range rows {
			if cellOf(row, i) == cell {
				times++
			}
		}
		if times > 1 {
			continue
		}
		l.note(columns.Note{Code: columns.NoteTotals, Column: c.Name, Count: 1,
			What:   "the last row has " + quoted([]byte(cell)) + " in " + columnText(c.Name) + ", as a row of totals has",
			Remedy: "leave it out of the file if it is one"})
		return
	}
}
