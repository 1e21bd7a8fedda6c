package main

import (
	"html"
	"strings"
	"unicode"

	"tensorsketch.example/ui/internal/lesson"
)

// tableHead writes the start of a table, up to its rows.
func tableHead(t lesson.Table) string {
	var b strings.Builder
	b.WriteString(`<div class="scroll" tabindex="0" role="region" aria-label="Data"><table><caption>` +
		html.EscapeString(t.Caption) + `</caption><thead><tr>`)
	for _, cell := range t.Head {
		b.WriteString(`<th scope="col">` + html.EscapeString(cell) + `</th>`)
	}
	b.WriteString(`</tr></thead><tbody>`)
	return b.String()
}

// tableRows writes the rows of a table, with real minus signs.
func tableRows(t lesson.Table) string {
	var b strings.Builder
	for _, row := range t.Rows {
		b.WriteString("<tr>")
		for i, cell := range row {
			if number, negative := strings.CutPrefix(cell, "-"); negative {
				cell = "−" + number
			}
			if i == 0 {
				b.WriteString(`<th scope="row">` + html.EscapeString(cell) + `</th>`)
				continue
			}
			b.WriteString("<td>" + html.EscapeString(cell) + "</td>")
		}
		b.WriteString("</tr>")
	}
	return b.String()
}

// wholeTable writes a table that does not change.
func wholeTable(t lesson.Table) string { return tableHead(t) + tableRows(t) + tableEnd }

const tableEnd = "</tbody></table></div>"

// tableCSV writes a table as a CSV file. It quotes as package encoding/csv does, which would cost the page 4 KB.
func tableCSV(t lesson.Table) string {
	var b strings.Builder
	write := func(row []string) {
		for i, cell := range row {
			if i > 0 {
				b.WriteByte(',')
			}
			if strings.ContainsAny(cell, ",\"\r\n") || cell != strings.TrimLeftFunc(cell, unicode.IsSpace) || cell == `\.` {
				cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
			}
			b.WriteString(cell)
		}
		b.WriteByte('\n')
	}
	write(t.Head)
	for _, row := range t.Rows {
		write(row)
	}
	return b.String()
}
