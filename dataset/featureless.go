package dataset

import (
	"slices"
	"strings"

	"tensorsketch.example/dataset/columns"
)

// fewColumns is how many columns a sentence lists.
const fewColumns = 4

// hasFeatures reports whether any column becomes coordinates, or the rows are sparse.
func (p *Preprocessing) hasFeatures() bool {
	return p.Sparse || slices.ContainsFunc(p.Columns, func(c columns.Column) bool { return c.Role.IsFeature() })
}

// withoutFeatures is the problem of a table without a column that becomes a number. It says why for the first columns.
func (l *Layout) withoutFeatures() *Problem {
	var why []string
	for i := range l.Columns {
		if len(why) == fewColumns {
			why = append(why, "…")
			break
		}
		c := &l.Columns[i]
		reason := c.unused.why
		switch {
		case c.Role == columns.AsLabel:
			reason = "it is the label"
		case reason == "" && c.Role == columns.AsIgnored:
			reason = "it is not read"
		case reason == "":
			reason = "it is kept as it is"
		}
		why = append(why, columns.Quoted(c.Name)+" ("+reason+")")
	}
	return newProblem(l.Name, "no column becomes a number: "+strings.Join(why, ", "),
		"give a column the role number, category, date or words, or name another label")
}
