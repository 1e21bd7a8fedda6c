package dataset

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/test/need"
)

// noteCodes returns the codes of the notes of a layout, with their columns.
func noteCodes(l *Layout) string {
	var codes []string
	for _, n := range l.Notes() {
		codes = append(codes, strings.TrimSuffix(string(n.Code)+":"+n.Column, ":"))
	}
	return strings.Join(codes, " ")
}

// TestMissingWords: each word of docs/formats.md stands for a missing number in CSV and in JSON. In a category it is
// a value.
func TestMissingWords(t *testing.T) {
	words := []string{"", "NA", "N/A", "n.a.", "#N/A", "#NA", "NaN", "-nan", "null", "NULL", "<null>", "(null)", "nil",
		"None", "<NA>", "NaT", `\N`, "?", "-", "--", "–", "—", ".", "..", "-1.#IND", "1.#QNAN", "#DIV/0!", "#VALUE!",
		"#REF!", "#NAME?", "#NUM!", "#NULL!", "#N/A N/A", "unknown", "Missing", "not available"}
	_, said, _ := strings.Cut(string(need.Value(os.ReadFile("../docs/formats.md"))(t)), "**Missing cells.**")
	_, said, _ = strings.Cut(said, "\n\n    ")
	said, _, _ = strings.Cut(said, "\n\n")
	listed := regexp.MustCompile(`"[^"]+"|\S+`).FindAllString(said, -1)
	if len(listed) < 30 {
		t.Fatalf("docs/formats.md lists %q", listed)
	}
	for _, word := range listed {
		words = append(words, strings.Trim(word, `"`))
	}
	for _, word := range words {
		csv := "a,kind,y\n1,x,u\n" + word + "," + word + ",v\n3,x,u\n"
		json := strings.ReplaceAll("{\"a\":1,\"kind\":\"x\",\"y\":\"u\"}\n{\"a\":\"W\",\"kind\":\"W\",\"y\":\"v\"}\n"+
			"{\"a\":3,\"kind\":\"x\",\"y\":\"u\"}\n", "W", strings.ReplaceAll(word, `\`, `\\`))
		for name, text := range map[string]string{"f.csv": csv, "f.jsonl": json} {
			l := mustSniff(t, name, text)
			if l.Columns[0].Type != columns.Integer {
				t.Errorf("%s, %q: type %v", name, word, l.Columns[0].Type)
				continue
			}
			l = l.With(0, columns.AsNumber).With(1, columns.AsCategory)
			p := NewPreprocessing(l)
			p.Columns[0].Missing, p.Columns[1].Missing = columns.Mean, columns.Zero
			if _, err := p.Fit(open(t, l, text)); err != nil {
				t.Fatal(err)
			}
			rows, _, err := vectors(t, l, text, p)
			if err != nil || len(rows) != 3 || rows[1][0] != 2 {
				t.Errorf("%s, %q: %v, %v", name, word, rows, err)
			}
			if values := len(p.Columns[1].Values); word != "" && values != 2 || word == "" && values != 1 {
				t.Errorf("%s, %q: the category has %q", name, word, p.Columns[1].Values)
			}
		}
	}
	for _, cell := range []string{"na na", "0", "x", "--1", "...", "nano"} {
		if isMissing([]byte(cell)) {
			t.Errorf("%q is missing", cell)
		}
	}
}

// TestBooleans: true and false, in any case, are a column of booleans that are used as 1 and 0, in CSV and in JSON.
func TestBooleans(t *testing.T) {
	for name, text := range map[string]string{
		"f.csv": "a,b,y\nTrue,1,u\nfalse,0,v\nTRUE,2,u\n,1,v\n",
		"f.jsonl": "{\"a\":true,\"b\":1,\"y\":\"u\"}\n{\"a\":false,\"b\":0,\"y\":\"v\"}\n" +
			"{\"a\":true,\"b\":2,\"y\":\"u\"}\n",
		"quoted.json": "[{\"a\":\"true\",\"b\":\"1\",\"y\":\"u\"},{\"a\":\"false\",\"b\":\"0\",\"y\":\"v\"}," +
			"{\"a\":\"true\",\"b\":\"2\",\"y\":\"u\"}]",
	} {
		l := mustSniff(t, name, text)
		if c := l.Columns[0]; c.Type != columns.Boolean || c.Role != columns.AsNumber || c.Zeros != 1 ||
			l.Columns[1].Type != columns.Integer {
			t.Errorf("%s: %+v", name, l.Columns)
			continue
		}
		rows, _, err := vectors(t, l, text, NewPreprocessing(l))
		if err != nil || len(rows) < 3 || rows[0][0] != 1 || rows[1][0] != 0 || rows[2][1] != 2 {
			t.Errorf("%s: %v, %v", name, rows, err)
		}
	}
	labels := "{\"a\":1,\"label\":true}\n{\"a\":2,\"label\":false}\n"
	if rows, _, err := readAll(mustSniff(t, "f.jsonl", labels), strings.NewReader(labels)); err != nil ||
		strings.Join(rows, " ") != "true|[1] false|[2]" {
		t.Errorf("labels of JSON: %q, %v", rows, err)
	}
	if l := mustSniff(t, "f.csv", "a,b\nyes,1\nno,2\nyes,3\n"); l.Columns[0].Type != columns.Text {
		t.Errorf("yes and no: %v", l.Columns[0].Type)
	}
	if l := mustSniff(t, "f.csv", "a,b\n1,1\ntrue,2\n0,3\n5,4\n"); l.Columns[0].Type != columns.Integer {
		t.Errorf("numbers and a boolean: %v", l.Columns[0].Type)
	}
}

// TestCodes: whole numbers with leading zeros are codes, and other numbers with zeros are not.
func TestCodes(t *testing.T) {
	for cells, want := range map[string]columns.Type{
		"007 7 12": columns.Text, "01234 98765 94110": columns.Text, "00 01 02": columns.Text, "0 1 2": columns.Integer,
		"0.5 00.5 1": columns.Number, "0 0 0": columns.Integer, "-01 2 3": columns.Text, "0e3 1 2": columns.Number,
	} {
		text := "zip,b\n" + strings.ReplaceAll(cells, " ", ",1\n") + ",2\n"
		l := mustSniff(t, "f.csv", text)
		codes := noteCodes(l)
		if l.Columns[0].Type != want || (codes == "numbers-as-text:zip") != (want == columns.Text) {
			t.Errorf("%s: type %v, notes %q", cells, l.Columns[0].Type, codes)
		}
	}
	text := "[{\"zip\":\"01234\",\"n\":\"5\"},{\"zip\":\"98765\",\"n\":\"6\"}]"
	if l := mustSniff(t, "f.json", text); l.Columns[0].Type != columns.Text || l.Columns[1].Type != columns.Integer {
		t.Errorf("JSON: %+v", l.Columns)
	}
}

// TestParentheses: a number in parentheses is negative, unless all are.
func TestParentheses(t *testing.T) {
	for cell, want := range map[string]float64{"(1.5)": -1.5, "($1,234.50)": -1234.5, "$(3)": -3, "( 2 )": -2} {
		if x, reason := (numberStyle{'.', ',', true, ""}).parse([]byte(cell)); reason != "" || x != want {
			t.Errorf("%q is %v, %q", cell, x, reason)
		}
	}
	for _, cell := range []string{"()", "-(1)", "(-1)", "(1", "1)", "(a)"} {
		if x, reason := (numberStyle{'.', ',', true, ""}).parse([]byte(cell)); reason == "" {
			t.Errorf("%q is %v", cell, x)
		}
	}
	for text, want := range map[string]columns.Type{"a,b\n(1),1\n2,2\n(3.5),3\n": columns.Number,
		"a,b\n(1),1\n(2),2\n(3),3\n": columns.Text} {
		if l := mustSniff(t, "f.csv", text); l.Columns[0].Type != want {
			t.Errorf("%q: %v", text, l.Columns[0].Type)
		}
	}
}

// TestSureDates: dates that say themselves which number is the day, whatever the order in the file.
func TestSureDates(t *testing.T) {
	const day = 1704067200.0 // 2024-01-01
	for cell, want := range map[string]float64{
		"2024-01-01 10:00:00+00": day + 36000, "2024-01-01 10:00:00+0000": day + 36000,
		"2024-01-01 10:00:00 +00:00": day + 36000, "2024-01-01 10:00:00 UTC": day + 36000,
		"2024-01-01T10:00Z": day + 36000, "2024-01-01 10:00:00-01": day + 39600, "2024-01-01 10:00 GMT": day + 36000,
		"2024/01/01": day, "2024/1/1": day, "2024.01.01 9:05": day + 32700, "2024/01/01 7:17 PM": day + 69420,
		"Jan 1 2024": day, "January 1, 2024": day, "1 Jan 2024": day, "01-Jan-2024": day, "1JAN2024": day,
		"Jan. 1, 2024, 10:00": day + 36000, "Mon, 01 Jan 2024 10:00:00 GMT": day + 36000, "jan 1 2024 10:00 am": day + 36000,
		"Monday, January 1, 2024": day, "1/Jan/2024": day, "2024-Jan-01": day, "2024/January/1": day,
		"01/Jan/2024:10:00:00 +0100": day + 32400, "01JAN2024:10:00:00": day + 36000, "2024/1/1:9:05": day + 32700,
		"Jun 12 1998": 897609600, "12 Sept 1998": 905558400,
	} {
		for _, dates := range []string{columns.ISODates, columns.DayMonthYear, columns.MonthDayYear} {
			if x, ok := parseDate([]byte(cell), dates); !ok || x != want {
				t.Errorf("%q, %s: %v, %v; want %v", cell, dates, x, ok, want)
			}
		}
	}
	for _, cell := range []string{"2024/13/01", "2024/01-01", "Jan 32 2024", "January", "Jan 2024", "1 Jan 24",
		"Foo 1 2024", "2024-01-01 10:00 EST", "2024-01-01 UTC", "2024-01-01 10:00:00+1", "2024-01-01 10:00z",
		"Mon 2024-01-01", "Janu 1 2024",
		"may", "12", "2024-01-01 9:05", "2024-01-01:10:00", "2024-01-01 10:00 PM"} {
		if x, ok := parseDate([]byte(cell), columns.ISODates); ok {
			t.Errorf("%q is %v", cell, x)
		}
	}
}

// TestLaterDatesDecide: 20 days at the beginning leave the order in doubt, and row 600 decides it, as a row beyond the
// head would end the reading.
func TestLaterDatesDecide(t *testing.T) {
	var text strings.Builder
	text.WriteString("when,v\n")
	for i := range 600 {
		text.WriteString([]string{"01/02/2024", "02/02/2024", "12/02/2024"}[i%3] + "," + string(rune('0'+i%7)) + "\n")
	}
	doubtful := text.String()
	text.WriteString("13/02/2024,1\n")
	l := mustSniff(t, "f.csv", text.String())
	if l.Dates != columns.DayMonthYear || noteCodes(l) != "" {
		t.Errorf("dates %s, notes %v", l.Dates, l.Notes())
	}
	l = mustSniff(t, "f.csv", doubtful).With(0, columns.AsDate)
	const note = `the month is taken to come first in dates such as "01/02/2024": no day above 12 shows the order; ` +
		`read the file with dates "day-month-year" if that is wrong`
	if n := l.Notes(); l.Dates != columns.MonthDayYear || len(n) != 1 || n[0].String() != note {
		t.Fatalf("dates %s, notes %v", l.Dates, n)
	}
	const want = `f.csv, line 602, column "when": "13/02/2024" is not a date with the month first, but one with the day ` +
		`first; read the file with dates "day-month-year", or use the column for something else.`
	_, _, err := vectors(t, l, text.String(), NewPreprocessing(l))
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	typed := sniffAs(t, "f.csv", text.String(), columns.Reading{Dates: columns.MonthDayYear}).With(0, columns.AsDate)
	rows, reader, err := vectors(t, typed, text.String(), NewPreprocessing(typed))
	if err != nil || len(rows) != 600 || reader.Unused().Total != 1 || reader.Unused().First[0].Error() != want {
		t.Errorf("typed: %d rows, %v, %v", len(rows), reader.Unused(), err)
	}
	mixed := mustSniff(t, "f.csv", "when,v\n13/02/2024,1\n02/13/2024,2\n14/02/2024,3\n")
	if mixed.Dates != columns.DayMonthYear || noteCodes(mixed) != "dates-guessed:when numbers-as-text:when" {
		t.Errorf("mixed: %s, %v", mixed.Dates, mixed.Notes())
	}
}

// TestNoSilentThousands: a point is not taken to stand between thousands because another column has decimal commas.
func TestNoSilentThousands(t *testing.T) {
	for name, c := range map[string]struct{ text, thousands, types, notes, first string }{
		"latitudes": {"lat;price\n50.001;1,99\n50.002;2,99\n50.003;3,99\n", "", "text number", "numbers-as-text:lat", ""},
		"thousands beside small numbers": {"n;price\n1.234;1,99\n567;2,99\n5.678;3,99\n", ".", "integer number", "",
			"|[1234 1.99]"},
		"thousands beside decimals": {"n;price\n1.234;1,99\n56,5;2,99\n5.678;3,99\n", ".", "number number", "",
			"|[1234 1.99]"},
		"thousands in another column": {"n;price\n1.234;4.462,04\n2.345;2,99\n5.678;3,99\n", ".", "integer number",
			"signs-guessed:n", "|[1234 4462.04]"},
		"English": {"n;price\n1,234;12.50\n5,678;0.5\n", ",", "integer number", "signs-guessed:n", "|[1234 12.5]"},
		"prices in a table of points": {"x;price\n1.2345;1,99\n2.3456;2,99\n2.5;3,99\n7.25;12\n", "", "number text",
			"numbers-as-text:price", ""},
	} {
		l := mustSniff(t, "f.csv", c.text)
		types := l.Columns[0].Type.String() + " " + l.Columns[1].Type.String()
		if thousands, _ := new(l.Reading()).Get("thousands"); thousands != c.thousands || types != c.types ||
			noteCodes(l) != c.notes {
			t.Errorf("%s: thousands %q, types %s, notes %v", name, thousands, types, l.Notes())
		}
		rows, _, err := readAll(l.WithLabel(-1), strings.NewReader(c.text))
		if c.first != "" && (err != nil || rows[0] != c.first) {
			t.Errorf("%s: %v, %v", name, rows, err)
		}
	}
}

// TestDatesOfDocs: each date that docs/formats.md shows is the day that it says: 2026-11-20, or 31 December 2026 with
// the day first.
func TestDatesOfDocs(t *testing.T) {
	_, said, _ := strings.Cut(string(need.Value(os.ReadFile("../docs/formats.md"))(t)), "**Dates.**")
	said, _, _ = strings.Cut(said, "**With a model**")
	counts := map[string]int{}
	for _, shown := range regexp.MustCompile("`([^`]*2026[^`]*)`").FindAllStringSubmatch(said, -1) {
		day, order := "2026-11-20", "iso"
		switch {
		case strings.HasPrefix(shown[1], "31"):
			day, order = "2026-12-31", "day-month-year"
		case shown[1] == "2026.1.5":
			day = "2026-01-05"
		}
		counts[order]++
		seconds, ok := parseDate([]byte(shown[1]), order)
		if got := time.Unix(int64(seconds), 0).UTC().Format(time.DateOnly); !ok || got != day {
			t.Errorf("%s is %s (%v), want %s", shown[1], got, ok, day)
		}
		for _, more := range []string{" 9:05", " 19:17:20.5", "T7:17 PM", ":9:05", ", 9:05 UTC", " 9:05Z", " 9:05 GMT",
			" 9:05 +01:00", " 9:05+0100", " 9:05+01"} {
			isISO := strings.HasPrefix(shown[1], "2026-11")
			if _, ok := parseDate([]byte(shown[1]+more), order); !isISO && !ok {
				t.Errorf("%s%s is no date", shown[1], more)
			}
		}
	}
	if counts["iso"] < 13 || counts["day-month-year"] != 3 {
		t.Errorf("docs/formats.md shows %v dates", counts)
	}
}
