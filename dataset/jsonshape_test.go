package dataset

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/test/slow"
)

// TestJSONShapes: the rows of a JSON document are found by its structure, compact or over several lines, in pieces of
// any size, and with all settings typed.
func TestJSONShapes(t *testing.T) {
	const rows, names = "x|[1 2.5] y|[2 3.5] x|[3 4.5] y|[4 5.5]", "a b c"
	records := `[{"a":1,"b":2.5,"c":"x"},{"a":2,"b":3.5,"c":"y"},{"a":3,"b":4.5,"c":"x"},{"a":4,"b":5.5,"c":"y"}]`
	lists := `[[1,2.5,"x"],[2,3.5,"y"],[3,4.5,"x"],[4,5.5,"y"]]`
	feature := func(properties string) string {
		return `{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":` + properties + `}`
	}
	for name, c := range map[string]struct{ text, names, rows, notes string }{
		"records":       {records, names, rows, ""},
		"values":        {lists, "column 1 column 2 column 3", rows, ""},
		"lines":         {strings.ReplaceAll(records[1:len(records)-1], "},{", "} {"), names, rows, ""},
		"data":          {`{"count":4,"data":` + records + `}`, names, rows, "part-chosen"},
		"data alone":    {`{"data":` + records + `}`, names, rows, ""},
		"first rows":    {`{"rows":` + records + `,"meta":{"n":[1,2]}}`, names, rows, "part-chosen"},
		"any name":      {`{"fruit":` + records + `,"tags":["a","b"]}`, names, rows, "part-chosen"},
		"data first":    {`{"links":[{"self":"x"}],"data":` + records + `}`, names, rows, "part-chosen"},
		"deep":          {`{"success":true,"result":{"total":4,"records":` + records + `}}`, names, rows, "part-chosen"},
		"Elastic":       {`{"hits":{"total":{"value":4},"hits":` + records + `}}`, names, rows, "part-chosen"},
		"lists in data": {`{"data":` + lists + `}`, "column 1 column 2 column 3", rows, ""},
		"split": {`{"columns":["a","b","c"],"index":[0,1,2,3],"data":` + lists + `}`, names, rows,
			"part-chosen"},
		"names first": {`[["a","b","c"],` + lists[1:], names, rows, "header-guessed"},
		"names first, quoted": {`{"v":[["a","b"],["1","2.5"],["3","4.5"]]}`, "a b", "|[1 2.5] |[3 4.5]",
			"header-guessed"},
		"no names":   {`[["x","y"],["y","x"],["x","y"]]`, "column 1 column 2", "x;y|[] y;x|[] x;y|[]", ""},
		"split last": {`{"data":` + lists + `,"columns":["a","b","c"]}`, names, rows, ""},
		"levels":     {`{"columns":[["p","a"],["p","b"],["q","c"]],"data":` + lists + `}`, "p.a p.b q.c", rows, ""},
		"table": {`{"schema":{"fields":[{"name":"a","type":"integer"}],"primaryKey":["a"]},"data":` + records + `}`, names,
			rows, "part-chosen"},
		"list": {`{"a":[1,2,3,4],"b":[2.5,3.5,4.5,5.5],"c":["x","y","x","y"]}`, names, rows, ""},
		"columns": {`{"a":{"0":1,"1":2,"2":3,"3":4},"b":{"0":2.5,"1":3.5,"2":4.5,"3":5.5},` +
			`"c":{"0":"x","1":"y","2":"x","3":"y"}}`, names, rows, ""},
		"columns of named rows": {`{"a":{"r":1,"s":2,"t":3,"u":4},"b":{"r":2.5,"s":3.5,"t":4.5,"u":5.5},` +
			`"c":{"r":"x","s":"y","t":"x","u":"y"}}`, names, rows, "part-chosen"},
		"index": {`{"0":{"a":1,"b":2.5,"c":"x"},"1":{"a":2,"b":3.5,"c":"y"},"2":{"a":3,"b":4.5,"c":"x"},` +
			`"3":{"a":4,"b":5.5,"c":"y"}}`, names, rows, ""},
		"named rows": {`{"r":{"a":1,"b":2.5,"c":"x"},"s":{"a":2,"b":3.5,"c":"y"},"t":{"a":3,"b":4.5,"c":"x"},` +
			`"u":{"a":4,"b":5.5,"c":"y"}}`, names, rows, "part-chosen"},
		"GeoJSON": {`{"type":"FeatureCollection","features":[` + feature(`{"a":1,"b":2.5,"c":"x"}`) + "," +
			feature(`{"a":2,"b":3.5,"c":"y"}`) + "," + feature(`{"a":3,"b":4.5,"c":"x"}`) + "," +
			feature(`{"a":4,"b":5.5,"c":"y"}`) + `]}`, names, rows, "part-chosen"},
		"hourly": {`{"latitude":52.5,"hourly_units":{"a":"m"},"hourly":{"a":[1,2,3,4],"b":[2.5,3.5,4.5,5.5],` +
			`"c":["x","y","x","y"]}}`, names, rows, "part-chosen"},
		"nested": {`[{"a":1,"o":{"b":2.5,"c":"x"}},{"a":2,"o":{"c":"y","b":3.5}},{"a":3,"o":null},{"o":{"b":5.5},"a":4}]`,
			"a o.b o.c", "x|[1 2.5] y|[2 3.5] |[3 NaN] |[4 5.5]", ""},
		"one object": {`{"a":1,"b":2.5,"c":"x"}`, names, "x|[1 2.5]", ""},
		"one list":   {`[1,2.5]`, "column 1 column 2", "|[1 2.5]", ""},
	} {
		t.Run(name, func(t *testing.T) {
			var pretty bytes.Buffer
			if name == "lines" {
				pretty.WriteString(strings.ReplaceAll(c.text, ",", ",\n "))
			} else if err := json.Indent(&pretty, []byte(c.text), "\ufeff"[:0], "\t"); err != nil {
				t.Fatal(err)
			}
			for _, text := range []string{c.text, pretty.String(), "\ufeff " + pretty.String()} {
				checkShape(t, text, c.names, c.rows, c.notes)
			}
		})
	}
}

func checkShape(t *testing.T, text, names, rows, notes string) {
	t.Helper()
	l, _, unused, err := read(t, "f.json", text, columns.Reading{})
	if err != nil || unused.Total > 0 {
		t.Fatalf("%.80s: %v, %v", text, unused, err)
	}
	var listed, got []string
	for _, c := range l.Columns {
		listed = append(listed, c.Name)
	}
	if strings.Join(listed, " ") != names || noteCodes(l) != notes {
		t.Errorf("%.80s: columns %q, notes %v; want %q, %q", text, listed, l.Notes(), names, notes)
	}
	l = l.WithLabel(-1)
	for i := range l.Columns {
		if l.Columns[i].Type == columns.Text {
			l = l.With(i, columns.AsKept)
		}
	}
	for _, r := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
		if got, unused, err = readAll(l, r); err != nil || unused.Total > 0 || strings.Join(got, " ") != rows {
			t.Errorf("%.80s: %q, %v, %v; want %q", text, got, unused, err, rows)
		}
	}
	typed := sniffAs(t, "f.json", text, l.Reading())
	if len(typed.Guessed) != 0 || len(typed.Columns) != len(l.Columns) {
		t.Fatalf("%.80s: typed %v, %d columns", text, typed.Guessed, len(typed.Columns))
	}
	for i := range l.Columns {
		if typed.Columns[i].Name != l.Columns[i].Name {
			t.Errorf("%.80s: typed column %q, want %q", text, typed.Columns[i].Name, l.Columns[i].Name)
		}
		typed = typed.With(i, l.Columns[i].Role)
	}
	if got, _, err = readAll(typed, strings.NewReader(text)); err != nil || strings.Join(got, " ") != rows {
		t.Errorf("%.80s, typed: %q, %v; want %q", text, got, err, rows)
	}
}

// TestJSONRefusals: a document without rows, or cut off, is refused in words that say what it is.
func TestJSONRefusals(t *testing.T) {
	for text, want := range map[string]string{
		`[]`: "f.json: the file is an empty list", `{}`: "f.json: the file is an empty object",
		` [ ] `: "f.json: the file is an empty list", `{"data":[],"n":0}`: `f.json: the list "data" of the file is empty`,
		`["one text","another"]`:  "f.json: the file is a list of texts",
		`{"a":[1,2,3],"b":[1,2]}`: `f.json: the column "b" has 2 values, and the first has 3; make all columns equally long`,
		`[{},{}]`:                 "f.json: the rows are empty objects; write a key for each column",
		`{"a":[1,2,3],"b":[1,2`:   `f.json: it has its columns one after another, and is cut off or larger than 16 MB`,
	} {
		if _, _, _, err := read(t, "f.json", text, columns.Reading{}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
	const cut = `{"data":[{"a":1,"b":2},{"a":2,"b":3},{"a":3`
	_, rows, _, err := read(t, "f.json", cut, columns.Reading{})
	if err == nil || !strings.Contains(err.Error(), "the array is not closed") {
		t.Errorf("cut off: %v, %v", rows, err)
	}
}

// TestJSONNeverSilent: values that are no cells are in a note, and do not spoil the other columns.
func TestJSONNeverSilent(t *testing.T) {
	text := ""
	for i := range 20 {
		text += fmt.Sprintf(`{"id":%d,"tags":["a","b"],"walk":[%s1],"v":[1,2],"who":{"name":"n%d","age":3}}`+"\n", i,
			strings.Repeat("1,", i%3), i%4)
	}
	l, rows, unused, err := read(t, "f.jsonl", text, columns.Reading{})
	if err != nil || len(rows) != 20 || unused.Total > 0 || noteCodes(l) != "column-not-used:tags column-not-used:walk" {
		t.Fatalf("%d rows, %v, %v, notes %v", len(rows), unused, err, l.Notes())
	}
	const want = `column "walk" is not used: it holds lists of different lengths; write its values under keys of their own`
	if got := l.Notes()[1]; got.String() != want {
		t.Errorf("got %s, want %s", got.String(), want)
	}
	if c := l.Columns[5]; c.Name != "who.name" || c.Type != columns.Text {
		t.Errorf("got %+v", l.Columns)
	}
}

// TestJSONEmptyLists: lists that are often empty are no columns, and leave out no rows. A few that are empty do.
func TestJSONEmptyLists(t *testing.T) {
	for every, want := range map[int]string{2: "column-not-used:ids 40", 20: " 38"} {
		text := ""
		for i := range 40 {
			ids := "[1,2]"
			if i%every == every-1 {
				ids = "[]"
			}
			text += fmt.Sprintf(`{"a":%d,"ids":%s}`+"\n", i%7, ids)
		}
		l, rows, unused, err := read(t, "f.jsonl", text, columns.Reading{})
		if got := fmt.Sprint(noteCodes(l), " ", len(rows)); err != nil || got != want || int64(len(rows))+unused.Total != 40 {
			t.Errorf("every %d: %s, %v, %v", every, got, unused, err)
		}
	}
}

// TestJSONEmptyObjects: an object without keys is no cell and spoils no row: alone it is a column that is not used, and
// beside objects with keys their cells are missing.
func TestJSONEmptyObjects(t *testing.T) {
	for meta, want := range map[[2]string]string{
		{"{}", "{ }"}:               "column-not-used:meta [a meta]",
		{"null", "{}"}:              "column-not-used:meta [a meta]",
		{`{"in":{}}`, "{}"}:         "column-not-used:meta.in [a meta.in]",
		{`{"k":"x"}`, "{}"}:         " [a meta.k]",
		{"{}", `{"k":"y"}`}:         " [a meta.k]",
		{`{"k":"x","in":{}}`, "{}"}: "column-not-used:meta.in [a meta.k meta.in]",
	} {
		text := ""
		for i := range 40 {
			text += fmt.Sprintf(`{"a":%d,"meta":%s}`+"\n", i%7, meta[i%2])
		}
		l, rows, unused, err := read(t, "f.jsonl", text, columns.Reading{})
		var names []string
		for _, c := range l.Columns {
			names = append(names, c.Name)
		}
		if got := fmt.Sprint(noteCodes(l), " ", names); err != nil || got != want || len(rows) != 40 || unused.Total > 0 {
			t.Errorf("%q: %d rows, %s, want %s; %d left out, %v", meta, len(rows), got, want, unused.Total, err)
		}
		const what = "it holds empty objects"
		if notes := l.Notes(); len(notes) > 0 && !strings.Contains(notes[0].What, what) {
			t.Errorf("%q: %s, want %s", meta, notes[0].What, what)
		}
	}
}

// TestJSONEmptyRow: a first row without keys is JSON, and has no cells, as one further on.
func TestJSONEmptyRow(t *testing.T) {
	for _, text := range []string{`[{},{"a":1},{"a":2}]`, `[{"a":1},{},{"a":2}]`, "{ }\n{\"a\":1}\n{\"a\":2}\n"} {
		name := "f.json"
		if text[0] == '{' {
			name = "f.jsonl"
		}
		l, rows, unused, err := read(t, name, text, columns.Reading{})
		if err != nil || len(l.Columns) != 1 || len(rows) != 3 || unused.Total != 0 {
			t.Errorf("%s: %d rows, %v, %v", text, len(rows), unused, err)
		}
	}
}

// TestOneDeepObject: an answer that becomes one row says so.
func TestOneDeepObject(t *testing.T) {
	for text, want := range map[string]string{
		`{"series":{"2026-01-01":{"open":1.5},"2026-01-02":{"open":2.5}}}`: "part-chosen",
		`{"error":{"code":401}}`: "part-chosen", `{"a":1,"b":2}`: "", "{\"a\":{\"b\":1}}\n{\"a\":{\"b\":2}}\n": ""} {
		if l := mustSniff(t, "f.json", text); noteCodes(l) != want {
			t.Errorf("%s: %v", text, l.Notes())
		}
	}
}

// TestJSONStreams: rows inside a wrapper are read as they come, whatever their number.
func TestJSONStreams(t *testing.T) {
	const n = 200_000
	row := `{"a":1.5,"b":"x","c":[1,2,3]},`
	text := io.MultiReader(strings.NewReader(`{"meta":{"n":1},"data":[`), iotest.DataErrReader(&repeater{row, n, 0}),
		strings.NewReader(`{"a":2,"b":"y","c":[4,5,6]}],"end":[1,2]}`))
	head := `{"meta":{"n":1},"data":[` + strings.Repeat(row, 2000)
	l, err := Sniff("f.json", []byte(head), false, columns.Reading{})
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	s, err := l.Open(text)
	if err != nil {
		t.Fatal(err)
	}
	for b := new(Block); err == nil; rows += b.Rows() {
		if err = s.Next(b); err != nil {
			break
		}
	}
	if err != io.EOF || rows != n+1 || s.Unused().Total > 0 {
		t.Errorf("%d rows, %v, %v", rows, s.Unused(), err)
	}
}

// A repeater repeats a text.
type repeater struct {
	text string
	left int
	at   int
}

func (r *repeater) Read(p []byte) (n int, err error) {
	for n < len(p) && r.left > 0 {
		m := copy(p[n:], r.text[r.at:])
		n += m
		if r.at += m; r.at == len(r.text) {
			r.at, r.left = 0, r.left-1
		}
	}
	if n == 0 {
		err = io.EOF
	}
	return n, err
}

// TestJSONNests: a document of a million brackets is refused at once.
func TestJSONNests(t *testing.T) {
	for _, text := range []string{strings.Repeat(`{"a":`, 200_000), strings.Repeat(`[`, 1_000_000),
		strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000), `{"a":[` + strings.Repeat(`{"b":[`, 100_000)} {
		if _, _, _, err := read(t, "f.json", text, columns.Reading{}); err == nil {
			t.Errorf("%.20s: no error", text)
		}
	}
}

// TestManyUnusedColumns: columns beyond the first 20 share a note, in a list of any length.
func TestManyUnusedColumns(t *testing.T) {
	var row strings.Builder
	row.WriteString(`{"y":1`)
	for i := range 20_000 {
		fmt.Fprintf(&row, `,"k%d":["a"]`, i)
	}
	row.WriteString("}\n")
	text := strings.Repeat(row.String(), 3)
	begin := slow.Used()
	l := mustSniff(t, "f.jsonl", text)
	notes := Notes(l, NewPreprocessing(l), nil, nil)
	if last := notes[20]; len(notes) != 21 || last.Count != 19_980 || last.What != "19980 more columns are not used" {
		t.Errorf("%d notes, %+v", len(notes), last)
	}
	if took := slow.Used() - begin; took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
}

// TestDamagedJSON: no damaged document makes the reader panic, and none takes a second.
func TestDamagedJSON(t *testing.T) {
	documents := []string{`{"data":[{"a":1,"b":{"c":2}},{"a":2}],"n":1}`,
		`{"columns":["a","b"],"index":[0,1],"data":[[1,2],[3,"x"]]}`, `{"a":[1,2],"b":["x","y"]}`,
		`{"a":{"0":1,"1":2},"b":{"0":3,"1":4}}`, `{"0":{"a":1},"1":{"a":2}}`, `[["a","b"],[1,2],[3,4]]`,
		`{"type":"FeatureCollection","features":[{"properties":{"a":1}},{"properties":null}]}`, "{\"a\":1}\n{\"a\":2}",
		`{"x":{"hits":{"hits":[{"a":[1,2]},{"a":[1]}]}}}`}
	const bytes = "{}[]\",:\\0123ab. \n\t"
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 10_000 {
		text := []byte(documents[i%len(documents)])
		for range 1 + random.IntN(4) {
			at := random.IntN(len(text))
			b := bytes[random.IntN(len(bytes))]
			switch random.IntN(3) {
			case 0:
				text[at] = b
			case 1:
				text = append(slices.Delete(text, at, min(len(text), at+1+random.IntN(5))), b)
			default:
				text = slices.Insert(text, at, b)
			}
		}
		begin := slow.Used()
		readDamaged(string(text), random.IntN(4) > 0)
		if took := slow.Used() - begin; took > 5*time.Second {
			t.Errorf("%q took %v", text, took)
		}
	}
}

// readDamaged reads a document by itself, and by the complete reading that is guessed.
func readDamaged(text string, whole bool) {
	l, err := Sniff("f.json", []byte(text), whole, columns.Reading{})
	if err != nil {
		return
	}
	_, _, _ = readAll(l, strings.NewReader(text))
	typed, err := Sniff("f.json", []byte(text), true, l.Reading())
	if err != nil {
		return
	}
	for i := range min(len(l.Columns), len(typed.Columns)) {
		typed = typed.With(i, l.Columns[i].Role)
	}
	_, _, _ = readAll(typed, strings.NewReader(text))
}
