package columnar

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
)

// A column of texts with a unit has the same numbers in each format that has texts. They were numbers in CSV alone.
func TestUnitsOfFormats(t *testing.T) {
	rows := [][3]string{{"12.5 °C", "EUR 40", "3 km"}, {"-4 °C", "EUR 1200", "5.5 km"}, {"7.25°C", "EUR 3", "4 km"},
		{"", "EUR 8", "1 km"}}
	csv, lines, document, sheet := "t,price,way\n", "", "", `<row><c t="str"><v>t</v></c><c t="str"><v>price</v></c>`+
		`<c t="str"><v>way</v></c></row>`
	byColumn := [3]string{}
	for _, r := range rows {
		csv += strings.Join(r[:], ",") + "\n"
		object := fmt.Sprintf(`{"t":%q,"price":%q,"way":%q}`, r[0], r[1], r[2])
		lines += object + "\n"
		document += "," + object
		sheet += "<row>"
		for i, cell := range r {
			byColumn[i] += fmt.Sprintf(",%q", cell)
			sheet += `<c t="str"><v>` + cell + `</v></c>`
		}
		sheet += "</row>"
	}
	want := ""
	for _, file := range [][2]string{{"t.csv", csv}, {"t.jsonl", lines}, {"t.json", "[" + document[1:] + "]"},
		{"columns.json", `{"t":[` + byColumn[0][1:] + `],"price":[` + byColumn[1][1:] + `],"way":[` + byColumn[2][1:] + `]}`},
		{"t.xlsx", book(t, `<worksheet><sheetData>`+sheet+`</sheetData></worksheet>`)}} {
		l := sniff(t, file[0], file[1]).With(2, columns.AsLabel)
		p := dataset.NewPreprocessing(l)
		p.SetMissing(columns.Mean)
		got := fmt.Sprint(len(l.Notes()) > 0, p.Columns, "\n")
		source := must(l.Open(strings.NewReader(file[1])))
		err := eachOf(source, func(b *dataset.Block) { got += fmt.Sprint(b.Numbers) })
		x, what := l.NumberIn(2, []byte("9 km"))
		got += fmt.Sprint(err, source.Unused().Total, x, what)
		if y, what := l.Number([]byte("9 km")); y != x || what != "" {
			t.Errorf("%s: the label is %v, %q", file[0], y, what)
		}
		if _, what := l.NumberIn(2, []byte("9 m")); what != `"9 m" is not a number of "km"` {
			t.Errorf("%s: %q", file[0], what)
		}
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("%s:\n%s\nwant\n%s", file[0], got, want)
		}
	}
	if !strings.Contains(want, "[12.5 40 -4 1200 7.25 3 NaN 8]") {
		t.Error(want)
	}
}

// Texts with a unit are numbers in Parquet and Arrow, as in other formats, with a note. Texts that look like numbers
// without a unit stay texts: the file says so.
func TestUnitsOfTypedTexts(t *testing.T) {
	content := parquetOf(t, "3 kg", "4.5 kg", "3 kg", "5 kg", "6 kg", "7 kg", "8 kg", "9 kg", "1 kg", "5 g")
	l := sniff(t, "t.parquet", content)
	if c := l.Columns[0]; c.Type != columns.Number || c.Role != columns.AsNumber || c.Measure != "kg" {
		t.Errorf("%+v", c)
	}
	if notes := l.Notes(); len(notes) != 1 || notes[0].Code != columns.NoteUnits || notes[0].Column != "n" {
		t.Errorf("the notes are %+v", notes)
	}
	if c := sniff(t, "t.parquet", parquetOf(t, "3", "4.5", "007")).Columns[0]; c.Type != columns.Text {
		t.Errorf("%+v", c)
	}
	source, numbers := must(l.With(1, columns.AsIgnored).Open(strings.NewReader(content))), ""
	err := eachOf(source, func(b *dataset.Block) { numbers += fmt.Sprint(b.Numbers) })
	if u := source.Unused(); err != nil || numbers != "[3 4.5 3 5 6 7 8 9 1]" || u.Total != 1 ||
		!strings.Contains(u.First[0].What, `"5 g" is not a number of "kg"`) {
		t.Errorf("%s, %v, %v", numbers, u, err)
	}
}

// TestLateTexts: a column of texts whose first cells are empty is a candidate for a category in Parquet and in sheets,
// as in CSV. It was not used there.
func TestLateTexts(t *testing.T) {
	cells, sheet := make([]string, 700), `<row><c t="str"><v>n</v></c><c t="str"><v>m</v></c></row>`
	csv := "n,m\n"
	for i := range cells {
		cell := ""
		if i > 600 {
			cells[i] = string('a' + rune(i%3))
			cell = `<c t="str"><v>` + cells[i] + `</v></c>`
		}
		csv += cells[i] + "," + strconv.Itoa(i) + "\n"
		sheet += `<row>` + cmp.Or(cell, "<c/>") + `<c><v>` + strconv.Itoa(i) + `</v></c></row>`
	}
	for name, content := range map[string]string{"t.csv": csv, "t.parquet": parquetOf(t, cells...),
		"t.xlsx": book(t, `<worksheet><sheetData>`+sheet+`</sheetData></worksheet>`)} {
		p := dataset.NewLearnPreprocessing(sniff(t, name, content))
		if c := p.Columns[0]; c.Name != "n" || c.Role != columns.AsCategory {
			t.Errorf("%s: the column is %+v", name, c)
		}
	}
}

// TestHoursOfAModel: a model of a CSV whose times of day are hours takes the times of Parquet and Arrow as hours, too.
func TestHoursOfAModel(t *testing.T) {
	const csv = "n,s.clock\n1,1:00:01\n2,01:00:02\n3,1:00:08\n4,9:00:05\n"
	l := sniff(t, "t.csv", csv).With(0, columns.AsIgnored)
	p := dataset.NewPreprocessing(l)
	for _, file := range fixtures(t, "nested") {
		content := fixture(t, file)
		source := must(must(p.Apply(sniff(t, file, content))).Open(strings.NewReader(content)))
		var got []float64
		must(0, eachOf(source, func(b *dataset.Block) { got = append(got, b.Numbers...) }))
		if want := 3602.0 / 3600; len(got) != 9 || got[2] != want {
			t.Errorf("%s: %v, want %v in row 2", file, got, want)
		}
	}
}
