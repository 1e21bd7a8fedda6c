package table

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"tensorsketch.example/dataset/columns"
)

// TestColumnsJSON: the text is JSON of the columns that are used, whatever their names are.
func TestColumnsJSON(t *testing.T) {
	l := &Layout{}
	for name, role := range map[string]columns.Role{"a \"b\" \\ <c>\n\x01 é 🜚 \xff": columns.AsNumber} {
		l.Columns = append(l.Columns, Column{Column: columns.NewColumn(name, role)})
	}
	add := func(name string, role columns.Role, change func(c *Column)) {
		c := Column{Column: columns.NewColumn(name, role)}
		change(&c)
		l.Columns = append(l.Columns, c)
	}
	add("fill", columns.AsNumber, func(c *Column) {
		c.Missing, c.Fill, c.Scaling = columns.Constant, -1e-30, columns.MinMax
	})
	add("city", columns.AsCategory, func(c *Column) { c.Hashed = 64 })
	add("when", columns.AsDate, func(c *Column) { c.Parts = []columns.DatePart{0, 2} })
	add("said", columns.AsWords, func(c *Column) { c.Words, c.Chars, c.Width = [2]int{1, 2}, [2]int{3, 5}, 1024 })
	add("", columns.AsLabel, func(*Column) {})
	add("mass", columns.AsCategory, func(c *Column) {
		c.Beside = "kg \""
		c.use(columns.AsNumber, columns.NoScaling)
	})
	add("size", columns.AsNumber, func(c *Column) {
		c.Beside = "m"
		c.use(columns.AsCategory, columns.NoScaling)
	})
	add("gone", columns.AsIgnored, func(*Column) {})
	var got []map[string]any
	if err := json.Unmarshal([]byte(l.ColumnsJSON()), &got); err != nil {
		t.Fatalf("%v: %s", err, l.ColumnsJSON())
	}
	list := func(all ...any) []any { return all }
	when := &l.Columns[3]
	want := []map[string]any{
		{"name": "a \"b\" \\ <c>\n\x01 é 🜚 \ufffd", "role": "number", "missing": l.Columns[0].Missing.String(),
			"scaling": "none"},
		{"name": "fill", "role": "number", "missing": "constant", "fill": -1e-30, "scaling": "min-max"},
		{"name": "city", "role": "category", "missing": l.Columns[2].Missing.String(), "hashed": 64.0},
		{"name": "when", "role": "date", "missing": when.Missing.String(), "scaling": when.Scaling.String(),
			"parts": list(when.PartNames()[0], when.PartNames()[1])},
		{"name": "said", "role": "words", "words": list(1.0, 2.0),
			"chars": list(3.0, 5.0), "width": 1024.0},
		{"name": "", "role": "label"},
		{"name": "mass", "role": "number", "measure": "kg \"", "missing": "drop", "scaling": "none"},
		{"name": "size", "role": "category", "missing": "zero"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
}

// TestParseColumns: columns come from the worker as JSON.stringify writes them, and a text that is cut off is refused.
func TestParseColumns(t *testing.T) {
	const text = `[["a \"b\" \\ <c>\n\u0001 é 🜚","number","number","ignore","1.5",0,"#8\t1.5\t1.5",""],` +
		`["","text","label","category","",12,"","°C"]]`
	got, err := ParseColumns(text)
	want := []Column{
		{Column: columns.NewColumn("a \"b\" \\ <c>\n\x01 é 🜚", columns.AsNumber), Usual: columns.AsIgnored, Example: "1.5",
			Values: "#8\t1.5\t1.5"},
		{Column: columns.NewColumn("", columns.AsLabel), Usual: columns.AsCategory, Odd: 12, Beside: "°C"},
	}
	want[1].Measure = "°C"

	want[0].Type, _ = columns.ParseType("number")
	want[1].Type, _ = columns.ParseType("text")
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v\nwant %+v", got, err, want)
	}
	if got, err := ParseColumns("[]"); err != nil || len(got) > 0 {
		t.Errorf("no columns: %v, %v", got, err)
	}
	for n := range len(text) {
		if _, err := ParseColumns(text[:n]); err == nil {
			t.Errorf("%s was read", text[:n])
		}
	}
	for _, wrong := range []string{text + "]", strings.Replace(text, "ignore", "forget", 1),
		strings.Replace(text, "12", "-1", 1)} {
		if _, err := ParseColumns(wrong); err == nil {
			t.Errorf("%s was read", wrong)
		}
	}
}
