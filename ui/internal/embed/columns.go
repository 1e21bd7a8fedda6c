package embed

import (
	"html"
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/ui/internal/control"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/table"
)

// ColumnsView is what Columns shows around the list.
type ColumnsView struct {
	Hidden        bool // the sample has nothing to choose
	Title, Looked string
	Generation    int
}

// inMenu is the maximum number of columns in the menu of labels. Files with at least searchedFrom columns have a search
// field.
const (
	inMenu       = 2000
	searchedFrom = 13
)

// Find selects the columns that are listed: those whose name contains it, or whose type or role it is.
type Find string

// Of returns the indices of the columns that match.
func (f Find) Of(l *table.Layout) []int {
	has := f.matcher()
	found := make([]int, 0, len(l.Columns))
	for i := range l.Columns {
		if has(&l.Columns[i]) {
			found = append(found, i)
		}
	}
	return found
}

// matcher returns a function that reports whether a column matches.
func (f Find) matcher() func(c *table.Column) bool {
	text := strings.ToLower(strings.TrimSpace(string(f)))
	return func(c *table.Column) bool {
		return text == "" || strings.Contains(strings.ToLower(c.Name), text) || c.Type.String() == text ||
			c.Role.String() == text
	}
}

// FindColumns searches for columns by a text in their name, their type or their role.
func (e *Room) FindColumns(text string) { e.Find = Find(text) }

// SetFound gives a role to all matching columns. The label role is not allowed here: it belongs to one column.
func (e *Room) SetFound(name string) {
	if role, ok := columns.ParseRole(name); ok && role != columns.AsLabel {
		e.setLayout(e.Data.Layout.WithRole(e.Find.Of(e.Data.Layout), role))
	}
}

// ColumnsView counts the columns by their role.
func (e *Room) ColumnsView() ColumnsView {
	l := e.Data.Layout
	v := ColumnsView{Hidden: e.Data.IsSample() || len(l.Columns) == 0, Generation: e.Data.Generation}
	v.Title = format.Plural(len(l.Columns), "column")
	before := ": "
	for _, role := range columns.Roles {
		if n := l.Count(role); n > 0 {
			as := inTitle[role]
			if heading := inHeading[role]; n == 1 && heading != "" {
				as = "as " + heading
			}
			v.Title += before + format.Count(n) + " " + as
			before = ", "
		}
	}
	if l.Sparse {
		v.Title += before + "and sparse features"
	}
	v.Looked = TypesText(l) + " The label and kept columns are written before the features."
	return v
}

// TypesText says which rows the types of columns are of.
func TypesText(l *table.Layout) string {
	if l.Rows == 1 {
		return "Types are of the first row."
	}
	return "Types are of the first " + format.Plural(l.Rows, "row") + "."
}

var inTitle = map[columns.Role]string{columns.AsNumber: "as numbers", columns.AsCategory: "as categories",
	columns.AsDate: "as dates", columns.AsWords: "as words",
	columns.AsLabel: "label", columns.AsKept: "kept", columns.AsIgnored: "ignored"}

// LabelHTML writes the menu that chooses the label column, with a name of it.
func LabelHTML(l *table.Layout, name string) string {
	if len(l.Columns) == 0 {
		return ""
	}
	return `<label for="label">` + name + `</label> <select id="label">` + LabelOptions(l) + `</select>`
}

// ColumnsHTML writes the settings for all columns, and the list.
func ColumnsHTML(l *table.Layout, reading Reading, find Find) string {
	settings := `<div class="choices">`
	if reading.Side > 0 {
		settings += menu("Images scaled to", `id="side"`, OptionsHTML(sides, strconv.Itoa(reading.Side)))
	}
	settings += menu("Numbers", `id="all-scaling"`, OptionsHTML(Scalings, AllScaling(l))) +
		menu("Empty cells", `id="all-missing"`, OptionsHTML(Policies, AllMissing(l))) + `</div><div id="column"></div>`
	if len(l.Columns) == 0 {
		return settings
	}
	if len(l.Columns) >= searchedFrom {
		settings += `<div class="choices"><label class="pick">Find columns <input type="search" id="find-columns" ` +
			`placeholder="name, type or use" autocomplete="off" spellcheck="false"></label>` +
			menu("Use of all found", `id="found-role"`, FoundRoles(l, find)) +
			`<span id="found" role="status"></span></div>`
	}
	return settings + `<div class="scroll" tabindex="0" role="region" aria-label="All columns"><table><thead><tr><th ` +
		`scope="col">Column</th><th scope="col">Type</th><th scope="col">First rows</th><th scope="col">Use</th><th ` +
		`scope="col">Becomes</th></tr></thead><tbody id="column-list"></tbody></table></div>`
}

// menu writes a menu with its label.
func menu(label, attributes, options string) string {
	return `<label class="pick">` + label + ` <select ` + attributes + `>` + options + `</select></label>`
}

// FoundText says how many columns match the search.
func FoundText(n int) string { return format.Plural(n, "column") + " found." }

// FoundRoles writes the roles that all matching columns can get.
func FoundRoles(l *table.Layout, find Find) string {
	var all []control.Option
	for _, role := range columns.Roles {
		if role != columns.AsLabel {
			all = append(all, control.Option{Value: role.String(), Label: role.String()})
		}
	}
	return OptionsHTML(all, l.Common(find.matcher(), func(c *table.Column) string { return c.Role.String() }))
}

// AllScaling returns the scaling that all numbers share, or "" if they differ.
func AllScaling(l *table.Layout) string {
	return l.Common((*table.Column).IsScaled, func(c *table.Column) string { return c.Scaling.String() })
}

// AllMissing returns the policy for empty cells that all columns share, or "" if they differ.
func AllMissing(l *table.Layout) string {
	for _, m := range []columns.Missing{columns.Drop, columns.Refuse, columns.Zero, columns.Mean, columns.Constant} {
		differs := func(c table.Column) bool {
			policy, _ := c.Role.Policy(m)
			return c.Role.Policies() != nil && c.Missing != policy
		}
		if !slices.ContainsFunc(l.Columns, differs) {
			return m.String()
		}
	}
	return ""
}

var (
	sides = control.Options("8", "8 × 8", "16", "16 × 16", "28", "28 × 28", "32", "32 × 32", "64", "64 × 64",
		"128", "128 × 128", "256", "256 × 256")

	Scalings = control.Options("none", "as they are", "standard", "standardised", "min-max", "scaled to 0…1")
	Policies = control.Options("drop", "leave the row out", "refuse", "end the reading", "mean", "take the mean",
		"zero", "count as 0", "constant", "count as a number")

	hashings = control.Options("0", "one coordinate per value", "16", "hashed into 16", "64", "hashed into 64",
		"256", "hashed into 256", "1024", "hashed into 1,024", "4096", "hashed into 4,096")

	wordGrams = control.Options("0-0", "none", "1-1", "single words", "1-2", "and pairs", "1-3", "and runs of 3")
	charGrams = control.Options("0-0", "none", "3-3", "runs of 3", "2-4", "runs of 2 to 4", "3-5", "runs of 3 to 5")
	widths    = control.Options("1024", "1,024", "16384", "16,384", "262144", "262,144", "1048576", "1,048,576")

	// the parts of a date, by columns.DatePart
	dateParts = control.Options("days", "days since 1970", "year", "time of year", "week", "time of week",
		"day", "time of day")
)

// OptionsHTML writes the options of a menu. If chosen is none of them, the menu shows "mixed".
func OptionsHTML(all []control.Option, chosen string) string {
	var b strings.Builder
	if !slices.ContainsFunc(all, func(o control.Option) bool { return o.Value == chosen }) {
		b.WriteString(`<option value="` + html.EscapeString(chosen) + `" selected disabled>mixed</option>`)
	}
	for _, o := range all {
		b.WriteString(option(o.Value, o.Label, o.Value == chosen))
	}
	return b.String()
}

func option(value, label string, chosen bool) string {
	return `<option value="` + html.EscapeString(value) + `"` + attribute(chosen, "selected") + `>` +
		html.EscapeString(label) + `</option>`
}

// IsInMenu reports whether the menu of labels has a column, or no column if i is −1, whatever the label is.
func IsInMenu(i int) bool { return i < inMenu }

func LabelOptions(l *table.Layout) string {
	var b strings.Builder
	b.WriteString(`<option value="-1">none</option>`)
	label := l.Label()
	for i := range l.Columns {
		if i < inMenu || i == label {
			b.WriteString(option(strconv.Itoa(i), format.Cut(l.Columns[i].Name), i == label))
		}
	}
	return b.String()
}

// RowHTML writes the row of column i, at a place in the list.
func RowHTML(at, i int, c *table.Column) string {
	var b strings.Builder
	name, index := html.EscapeString(format.Cut(c.Name)), strconv.Itoa(i)
	b.WriteString(`<tr aria-rowindex="` + strconv.Itoa(at+2) + `"><th scope="row" data-type="` + typeOf(c) + `">` + name +
		`</th><td><span>` + typeOf(c) +
		`</span></td><td class="values">` + valuesHTML(c) + `</td><td><select data-column="` + index +
		`" data-setting="role" aria-label="Use of ` + name + `">`)
	for _, role := range columns.Roles {
		b.WriteString(`<option` + attribute(role == c.Role, "selected") + `>` + role.String() + `</option>`)
	}
	b.WriteString(`</select></td><td class="becomes" id="becomes-` + index + `">` + BecomesHTML(i, c) + `</td></tr>`)
	return b.String()
}

// typeOf names the type of a column, and counts the cells that do not have it.
func typeOf(c *table.Column) string {
	if c.Odd == 0 || c.Type == columns.Empty {
		return c.Type.String()
	}
	text, what := c.Type.String()+"; "+format.Plural(c.Odd, "cell"), "number"
	if c.Type == columns.Date {
		what = "date"
	}
	switch {
	case c.Type == columns.Text:
		return text + " empty"
	case c.Odd == 1:
		return text + " is empty or no " + what
	}
	return text + " are empty or no " + what + "s"
}

// valuesHTML writes what the first cells of a column hold: a histogram with its ends, or the commonest values.
func valuesHTML(c *table.Column) string {
	parts := strings.Split(c.Values, "\t")
	bins, isNumbers := strings.CutPrefix(parts[0], "#")
	switch {
	case isNumbers && len(parts) == 3 && parts[1] != parts[2]:
		path := ""
		for k, digit := range bins {
			if height := int(digit - '0'); height > 0 {
				path += "M" + strconv.Itoa(4*k) + " 16v-" + strconv.Itoa(2*height) + "h3v" + strconv.Itoa(2*height) + "z"
			}
		}
		return `<span class="bins">` + html.EscapeString(shortNumber(parts[1])) + `<svg viewBox="0 0 48 17" ` +
			`aria-hidden="true"><path class="bars" d="` + path + `"/><path class="axis" d="M0 16.5H47"/></svg>` +
			html.EscapeString(shortNumber(parts[2])) + `</span>`
	case isNumbers:
		return "always " + html.EscapeString(shortNumber(parts[1]))
	case len(parts) > 2 && parts[1] == "1":
		return html.EscapeString(shortCell(parts[0])) + ", … <small>all different</small>"
	case len(parts) < 3:
		return html.EscapeString(format.Cut(c.Example))
	}
	var names []string
	for k := 0; k+1 < len(parts); k += 2 {
		names = append(names, html.EscapeString(shortCell(parts[k]))+" <small>"+parts[k+1]+"</small>")
	}
	if more := parts[len(parts)-1]; more != "0" {
		names = append(names, "<small>"+more+" more</small>")
	}
	return `<span>` + strings.Join(names, ", ") + `</span>`
}

// mostRunes is how much of a cell a row of the list has room for.
const mostRunes = 12

// shortCell cuts a cell.
func shortCell(cell string) string {
	if runes := []rune(cell); len(runes) > mostRunes {
		return string(runes[:mostRunes-1]) + "…"
	}
	return cell
}

// shortNumber rounds a long number, which may have a decimal comma. A cut number would seem to be of another size.
func shortNumber(cell string) string {
	if x, err := strconv.ParseFloat(strings.Replace(cell, ",", ".", 1), 64); err == nil && len(cell) > mostRunes {
		return format.Short(x)
	}
	return shortCell(cell)
}

// BecomesHTML describes how a column is used, with a button to change it, or why it is not.
func BecomesHTML(i int, c *table.Column) string {
	text, open := c.Describe(), ""
	if c.IsOpen() {
		open = "; for learning, all rows decide"
	}
	switch {
	case text != "":
	case c.Role == columns.AsLabel:
		return "what is predicted"
	case c.Why != "" && c.Role == c.Usual:
		return "<span>not used: " + html.EscapeString(c.Why) + open + "</span>"
	default:
		return "not used"
	}
	return `<button type="button" data-column="` + strconv.Itoa(i) + `" aria-label="Change what becomes of ` +
		html.EscapeString(format.Cut(c.Name)) + `">Change</button> <span>` + text + `</span>`
}

// ColumnHTML writes the settings of one column.
func ColumnHTML(i int, c *table.Column) string {
	fields, column := "", `data-column="`+strconv.Itoa(i)+`" data-setting="`
	field := func(label, setting string, all []control.Option, chosen string) {
		fields += menu(label, column+setting+`"`, OptionsHTML(all, chosen))
	}
	switch c.Role {
	case columns.AsCategory:
		field("Values", "hashed", hashings, strconv.Itoa(c.Hashed))
	case columns.AsDate:
		for k, part := range dateParts {
			fields += `<label class="pick"><input type="checkbox" ` + column + `part" value="` + part.Value + `"` +
				attribute(slices.Contains(c.Parts, columns.DatePart(k)), "checked") + `> ` + part.Label + `</label>`
		}
	case columns.AsWords:
		field("Words", "words", wordGrams, span(c.Words))
		field("Characters", "chars", charGrams, span(c.Chars))
		field("Hashed into", "width", widths, strconv.Itoa(c.Width))
	}
	if c.IsScaled() {
		field("Numbers", "scaling", Scalings, c.Scaling.String())
	}
	if c.Role.Policies() != nil {
		field("Empty cells", "missing", slices.DeleteFunc(slices.Clone(Policies), func(o control.Option) bool {
			policy, _ := columns.ParseMissing(o.Value)
			return !c.Role.Allows(policy)
		}), c.Missing.String())
	}
	if c.Missing == columns.Constant {
		fields += `<label class="pick">which is <input type="number" step="any" ` + column + `fill" value="` +
			format.Exact(c.Fill) + `"></label>`
	}
	return `<section class="column" aria-labelledby="column-title"><h4 id="column-title">` +
		html.EscapeString(format.Cut(c.Name)) + ` as ` + inHeading[c.Role] + `</h4><div class="choices">` +
		fields + `<button type="button" id="close-column">Close</button></div></section>`
}

var inHeading = map[columns.Role]string{columns.AsNumber: "a number", columns.AsCategory: "a category",
	columns.AsDate: "a date", columns.AsWords: "words"}

func span(n [2]int) string { return strconv.Itoa(n[0]) + "-" + strconv.Itoa(n[1]) }

// SetColumn changes one setting of a column from its field: the role, how the column is used, or for "part" whether
// a date has that part. An invalid value changes nothing.
func (e *Room) SetColumn(i int, setting, value string, checked bool) {
	l := e.Data.Layout
	if i < 0 || i >= len(l.Columns) {
		return
	}
	if setting == "role" {
		role, ok := columns.ParseRole(value)
		if !ok {
			return
		}
		if e.setLayout(l.With(i, role)); !role.IsFeature() && e.Editing == i+1 {
			e.Editing = 0
		}
		return
	}
	next := l.WithColumn(i, func(c *table.Column) { set(c, setting, value, checked) })
	if c := &next.Columns[i]; c.IsWhole() && c.Describe() != l.Columns[i].Describe() {
		e.setLayout(next)
	}
}

func set(c *table.Column, setting, value string, checked bool) {
	switch n, err := strconv.ParseFloat(value, 64); {
	case setting == "missing":
		if m, ok := columns.ParseMissing(value); ok && c.Role.Allows(m) {
			c.Missing = m
		}
	case setting == "scaling":
		if s, ok := columns.ParseScaling(value); ok && c.IsScaled() {
			c.Scaling = s
		}
	case setting == "part":
		var parts []columns.DatePart
		for k, part := range dateParts {
			has := slices.Contains(c.Parts, columns.DatePart(k))
			if part.Value == value {
				has = checked
			}
			if has {
				parts = append(parts, columns.DatePart(k))
			}
		}
		if c.Parts = parts; !c.IsScaled() {
			c.Scaling = columns.NoScaling
		}
	case setting == "words":
		c.Words = parseSpan(value)
	case setting == "chars":
		c.Chars = parseSpan(value)
	case err != nil || n-n != 0:
	case setting == "fill":
		c.Fill = n
	case setting == "hashed":
		c.Hashed = int(n)
	case setting == "width":
		c.Width = int(n)
	}
}

func parseSpan(text string) (n [2]int) {
	least, most, _ := strings.Cut(text, "-")
	n[0], _ = strconv.Atoi(least)
	n[1], _ = strconv.Atoi(most)
	return n
}

// SetAll changes a setting ("scaling" or "missing") of all columns that have it.
func (e *Room) SetAll(setting, value string) {
	if scaling, ok := columns.ParseScaling(value); ok && setting == "scaling" {
		e.setLayout(e.Data.Layout.WithScaling(scaling))
	}
	if missing, ok := columns.ParseMissing(value); ok && setting == "missing" {
		e.setLayout(e.Data.Layout.WithMissing(missing))
	}
}

// EditColumn shows the settings of column i, or none if i is −1.
func (e *Room) EditColumn(i int) {
	e.Editing = 0
	if i < len(e.Data.Layout.Columns) {
		e.Editing = i + 1
	}
}

func attribute(set bool, name string) string {
	if set {
		return " " + name
	}
	return ""
}
