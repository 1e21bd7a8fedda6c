package main

import (
	"html"
	"strconv"
	"strings"

	"github.com/tensorsketch/tensorsketch/ui/internal/csvfile"
	"github.com/tensorsketch/tensorsketch/ui/internal/format"
)

// Columns lists the columns of a file, with what each is used for. The list may
// be long, so it has a host element of its own.
type Columns struct{ View ColumnsView }

// ColumnsView is what Columns shows around the list.
type ColumnsView struct {
	Hidden        bool // of the sample there is nothing to choose
	Title, Looked string
	Generation    int
}

// mostColumns are listed; the roles of others can only be guessed.
const mostColumns = 2000

// ColumnsView counts the columns by their use.
func (a *App) ColumnsView() ColumnsView {
	l := a.Data.Layout
	v := ColumnsView{Hidden: a.Data.IsSample(), Generation: a.Data.Generation}
	v.Title = format.Plural(len(l.Columns), "column") + ": " + format.Plural(len(l.Indexes(csvfile.Feature)), "feature")
	for _, role := range []csvfile.Role{csvfile.Label, csvfile.Keep, csvfile.Ignore} {
		if n := len(l.Indexes(role)); n > 0 {
			v.Title += ", " + format.Count(n) + " " + map[csvfile.Role]string{csvfile.Label: "label", csvfile.Keep: "kept", csvfile.Ignore: "ignored"}[role]
		}
	}
	v.Looked = "Types are of the first " + format.Plural(l.Rows, "row") + ". The label and kept columns are written into the CSV before the features."
	return v
}

// labelHTML writes the choice of the label.
func labelHTML(l *csvfile.Layout) string {
	return `<label for="label">Label column</label> <select id="label">` + labelOptions(l) + `</select>`
}

// columnsHTML writes the list: whether the first row is a header, and a table
// with the role of each column.
func columnsHTML(l *csvfile.Layout) string {
	var b strings.Builder
	b.WriteString(`<label class="pick"><input type="checkbox" id="has-header"` + attribute(l.Header, "checked") + `> The first row names the columns</label>` +
		`<div class="scroll" tabindex="0" role="region" aria-label="All columns"><table><thead><tr><th scope="col">Column</th><th scope="col">Type</th><th scope="col">First cell</th><th scope="col">Use</th></tr></thead><tbody>`)
	for i := range l.Columns[:min(len(l.Columns), mostColumns)] {
		writeColumn(&b, i, &l.Columns[i])
	}
	b.WriteString(`</tbody></table></div>`)
	if more := len(l.Columns) - mostColumns; more > 0 {
		b.WriteString(`<p class="small">And ` + format.Count(more) + ` more.</p>`)
	}
	return b.String()
}

func labelOptions(l *csvfile.Layout) string {
	var b strings.Builder
	b.WriteString(`<option value="-1">none</option>`)
	for i := range l.Columns[:min(len(l.Columns), mostColumns)] {
		b.WriteString(`<option value="` + strconv.Itoa(i) + `"` + attribute(i == l.Label(), "selected") + `>` + html.EscapeString(cut(l.Columns[i].Name)) + `</option>`)
	}
	return b.String()
}

func writeColumn(b *strings.Builder, i int, c *csvfile.Column) {
	name := html.EscapeString(cut(c.Name))
	kind := c.Type.String()
	switch {
	case c.Odd == 0 || c.Type == csvfile.Empty:
	case c.Type == csvfile.Text:
		kind += "; " + format.Plural(c.Odd, "cell") + " empty"
	case c.Odd == 1:
		kind += "; 1\u00a0cell is not a number"
	default:
		kind += "; " + format.Plural(c.Odd, "cell") + " are not numbers"
	}
	b.WriteString(`<tr><th scope="row">` + name + `</th><td>` + kind + `</td><td>` + html.EscapeString(cut(c.Example)) +
		`</td><td><select data-column="` + strconv.Itoa(i) + `" aria-label="Use of ` + name + `">`)
	for role := csvfile.Feature; role <= csvfile.Ignore; role++ {
		b.WriteString(`<option` + attribute(role == c.Role, "selected") + `>` + role.String() + `</option>`)
	}
	b.WriteString(`</select></td></tr>`)
}

func attribute(set bool, name string) string {
	if set {
		return " " + name
	}
	return ""
}
