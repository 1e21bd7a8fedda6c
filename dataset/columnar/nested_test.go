package columnar

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
)

// nestedColumns are the columns of the tables of testdata/nested that can be used.
var nestedColumns = strings.Fields("n s.text s.large s.dec s.dec256 s.flag s.word s.when s.nano s.day s.clock " +
	"s.small s.big s.half s.id s.ascii s.pair[0] s.pair[1] s.inner.text s.rows.a[0] s.rows.b[0] label")

// nestedRow is row i of these tables: their structure is missing in rows 0 and 5, and all of its columns in row 1.
func nestedRow(i int) string {
	label := []string{"x", "y", "x"}[i%3]
	if i == 0 || i == 5 || i == 1 {
		return fmt.Sprint(i) + strings.Repeat("|", len(nestedColumns)-1) + label
	}
	day := time.Date(2024, 2, 25+i, 0, 0, 0, 0, time.UTC)
	if i >= 5 {
		day = time.Date(1950, 1, i, 0, 0, 0, 0, time.UTC)
	}
	second, inner := fmt.Sprint(-i), fmt.Sprint("in ", i)
	switch i {
	case 6:
		second = ""
	case 7:
		inner = ""
	}
	sign, whole := "", i-4
	if i < 4 {
		sign, whole = "-", 4-i
	}
	return strings.Join([]string{fmt.Sprint(i), []string{"red", "", "grün", "blue"}[i%4], fmt.Sprint("large ", i),
		fmt.Sprintf("%s%d.25", sign, whole), fmt.Sprintf("-%d.000001", i), fmt.Sprint(i%3 == 0),
		[]string{"a", "b"}[i%2], fmt.Sprintf("2024-03-01T%02d:30:00.25", i-2), fmt.Sprintf("1969-12-31T23:59:0%d", i),
		day.Format("2006-01-02"), fmt.Sprint(3600 + i), fmt.Sprint(-i), fmt.Sprint(uint64(1)<<63 + uint64(2048*i)),
		fmt.Sprint(float64(i) / 4), fmt.Sprintf("000000%d0-0000-0000-0000-000000000000", i), fmt.Sprint("b", i),
		fmt.Sprint(float64(i) + .5), second, inner, fmt.Sprint(i), fmt.Sprint("r", i), label}, "|")
}

// TestNested: a structure of columns of every type, in several batches, row groups and pages, whole or missing, and
// sliced, gives each cell as it was. Its columns that cannot be used are noted, and do not hurt the others.
func TestNested(t *testing.T) {
	for _, file := range fixtures(t, "nested") {
		content := fixture(t, file)
		l := sniff(t, file, content)
		var names, notes []string
		for i, c := range l.Columns {
			if !strings.HasPrefix(c.Example, "(") {
				names = append(names, c.Name)
				l = l.With(i, columns.AsKept)
			}
		}
		for _, note := range l.Notes() {
			notes = append(notes, note.String())
		}
		if !slices.Equal(names, nestedColumns) {
			t.Errorf("%s: columns %q", file, names)
		}
		const remedy = "; write its values as numbers or texts in columns of their own"
		if want := []string{`column "s.hash" is not used: it holds bytes` + remedy,
			`column "s.map.key" is not used: it holds maps` + remedy, `column "s.map.value" is not used: it holds maps` + remedy,
			`column "s.nested" is not used: it holds lists of lists` + remedy}; !slices.Equal(notes, want) {
			t.Errorf("%s: notes %q", file, notes)
		}
		rows, problems, err := rowsOf(l, content)
		if err != nil || len(problems) > 0 || len(rows) != 9 {
			t.Fatalf("%s: %d rows, %q, %v", file, len(rows), problems, err)
		}
		for i, row := range rows {
			if want := nestedRow(i); row != want {
				t.Errorf("%s, row %d:\n%s\nwant\n%s", file, i, row, want)
			}
		}
	}
}

// TestKeptOfAnotherType: a column that only goes with the answers of a model, and cannot be read in another file, is as
// if it were absent there. A role that was asked for is an error.
func TestKeptOfAnotherType(t *testing.T) {
	for _, file := range fixtures(t, "nested") {
		content := fixture(t, file)
		l := sniff(t, file, content)
		p := dataset.NewPreprocessing(l)
		p.Columns = append(p.Columns, columns.NewColumn("s.hash", columns.AsKept))
		for _, ofModel := range []bool{false, true} {
			if ofModel {
				p.MarkOfModel()
			}
			applied, err := p.Apply(l)
			if err == nil {
				_, err = applied.Open(strings.NewReader(content))
			}
			if ofModel && err != nil {
				t.Errorf("%s: %v", file, err)
			} else if !ofModel && (err == nil || !strings.Contains(err.Error(), "it cannot be used: it holds bytes")) {
				t.Errorf("%s, asked for: %v", file, err)
			}
		}
	}
}

// TestLate: lists and bytes whose first 1,100 rows are missing are told by the first that is there, and durations are
// seconds in Parquet too, which has no such type.
func TestLate(t *testing.T) {
	for _, file := range fixtures(t, "late") {
		content := fixture(t, file)
		l := sniff(t, file, content)
		var shown []string
		for i, c := range l.Columns {
			shown = append(shown, c.Name+" "+c.Example)
			if !strings.HasPrefix(c.Example, "(") {
				l = l.With(i, columns.AsKept)
			}
		}
		want := []string{"n 0", "took 0", "blob (bytes)", "code ", "pair[0] ", "pair[1] ", "none ",
			"empty (only empty lists)"}
		if !slices.Equal(shown, want) {
			t.Errorf("%s: columns %q", file, shown)
		}
		rows, problems, err := rowsOf(l, content)
		if err != nil || len(problems) > 0 || len(rows) != 1103 || rows[1] != "1|1.5||||" ||
			rows[1102] != "1102|1653|c2|2|2.5|" {
			t.Errorf("%s: %d rows, %q, %v: %q", file, len(rows), problems, err, rows[len(rows)-1])
		}
	}
}

// TestLearnLate: numbers whose first cells are missing are learned from, since the file says that they are numbers.
func TestLearnLate(t *testing.T) {
	for _, file := range fixtures(t, "late") {
		content := fixture(t, file)
		l := sniff(t, file, content)
		p := dataset.NewLearnPreprocessing(l)
		must(p.Fit(must(must(p.Apply(l)).Open(strings.NewReader(content)))))
		var roles []string
		for i := range p.Columns {
			if c := &p.Columns[i]; c.Role != columns.AsKept {
				roles = append(roles, c.Name+" "+c.Role.String())
			}
		}
		want := []string{"n number", "took number", "code category", "pair[0] number", "pair[1] number"}
		if !slices.Equal(roles, want) {
			t.Errorf("%s: %q", file, roles)
		}
	}
}

// TestDecimals: digits have their point, or zeros behind them, where the scale says; nothing stands behind a zero.
func TestDecimals(t *testing.T) {
	for _, test := range []struct {
		negative bool
		digits   string
		scale    int
		want     string
	}{
		{false, "125", 2, "1.25"}, {true, "125", 0, "-125"}, {true, "5", 3, "-0.005"}, {false, "0", 2, "0.00"},
		{false, "12", -3, "12000"}, {false, "0", -3, "0"},
	} {
		if got := string(appendDecimal(nil, test.negative, []byte(test.digits), test.scale)); got != test.want {
			t.Errorf("%+v: got %s", test, got)
		}
	}
}

// TestLargeTexts: a column whose pages or buffers are too large to be read is not used, and the others are.
func TestLargeTexts(t *testing.T) {
	for _, file := range fixtures(t, "large") {
		content := fixture(t, file)
		l := sniff(t, file, content)
		want := `column "page" is not used: it holds values that cannot be read: a page of the column has 80 MB, more ` +
			"than 64; write it with pages of about 1 MB"
		if strings.HasSuffix(file, "arrow") {
			want = `column "page" is not used: it holds values that cannot be read: a buffer of the column has 80 MB, more ` +
				"than 64; write it in smaller record batches"
		}
		if notes := l.Notes(); len(notes) != 1 || notes[0].String() != want {
			t.Errorf("%s: %+v, want %s", file, notes, want)
		}
		rows, problems, err := rowsOf(l.With(0, columns.AsKept), content)
		if err != nil || len(problems) > 0 || len(rows) != 20 || rows[19] != "19|b" {
			t.Errorf("%s: %q, %q, %v", file, rows, problems, err)
		}
		if _, _, err := rowsOf(l.With(1, columns.AsKept), content); err == nil || !strings.Contains(err.Error(), `("page")`) {
			t.Errorf("%s: with the column: %v", file, err)
		}
	}
}
