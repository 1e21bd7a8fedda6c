package dataset

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"tensorsketch.example/dataset/columns"
)

// A column whose numbers all have one unit is one of numbers. It was read as words, with a note.
func TestUnits(t *testing.T) {
	for name, c := range map[string]struct {
		cells   string // of a column, with lines for rows
		typed   columns.Type
		measure string
		note    string // the code of a note about the column, or ""
		says    string // a part of it
	}{
		"degrees": {"12.3 °C\n-4 °C\n7.5°C\n\n30 °C", columns.Number, "°C", "units-taken-off",
			`numbers of "°C", which 4 of the first 4`},
		"whole": {"45 kg\n50 kg\n61 kg\n47 kg", columns.Integer, "kg", "units-taken-off",
			"4 of the first 4 numbers have beside them"},
		"speed":    {"5.5 km/h\n6 km/h\n1.25 km/h", columns.Number, "km/h", "units-taken-off", ""},
		"volume":   {"1.5 m³\n2 m³\n3 m³", columns.Number, "m³", "units-taken-off", ""},
		"months":   {"36 months\n60 months\n36 months\n60 months", columns.Integer, "months", "units-taken-off", ""},
		"money":    {"EUR 1200.50\nEUR 3\nEUR 17", columns.Number, "EUR", "units-taken-off", ""},
		"one bare": {strings.Repeat("7.5 mm\n", 10) + "8", columns.Number, "mm", "units-taken-off", "10 of the first 11"},
		"a gap":    {"1 cm\nn/a\n2 cm\n?\n3 cm", columns.Integer, "cm", "units-taken-off", ""},
		"two units": {"5 kg\n700 g\n3 kg\n900 g\n4 kg", columns.Text, "", "numbers-as-text",
			`have "kg" beside them, and 2 have "g"`},
		"powers":     {"1.5e-03\n2.5e-03\n4e-03", columns.Number, "", "", ""},
		"two powers": {"1.5e-3 m\n2.5e-3 m\n4e-2 m", columns.Number, "m", "units-taken-off", "3 of the first 3"},
		"of Fortran": {"1.5D-03\n2.5D-03\n4D-03", columns.Text, "", "", ""},
		"some powers": {"1.5e+03 m\n5e-3\n4e2 m\n3e-3\n1e1 m", columns.Text, "", "numbers-as-text",
			`3 of the first 5 numbers have "m" beside them, and others do not`},
		"and words": {strings.Repeat("5k\nhalf-marathon\n5k\n5k\n", 5), columns.Text, "", "numbers-as-text",
			`because 5 of its first 20 cells, such as "half-marathon", are no numbers of "k"`},
		"half bare":  {"5 kg\n3\n4 kg\n2\n7 kg", columns.Text, "", "numbers-as-text", "others do not"},
		"codes":      {"A4\nA5\nA6\nA3", columns.Text, "", "", ""},
		"ordinals":   {"1st\n2nd\n3rd\n4th\n5th", columns.Text, "", "", ""},
		"addresses":  {"12 Main St\n7 Oak Ave\n9 Elm Rd", columns.Text, "", "", ""},
		"in a list":  {strings.Repeat("1. White\n", 30) + "2. Black\n3. Asian", columns.Text, "", "", ""},
		"with marks": {strings.Repeat("1) Yes\n", 30) + "2) No\n1) Yes", columns.Text, "", "", ""},
		"with lines": {"1 - Yes\n2 - No\n1 - Yes\n2 - No", columns.Text, "", "", ""},
		"ranges":     {"18-24 years\n25-34 years\n18-24 years\n25-34 years", columns.Text, "", "", ""},
		"of money":   {"$10-$20\n$20-$30\n$10-$20\n$20-$30", columns.Text, "", "", ""},
		"dates":      {"12 May 2020\n3 May 2021\n4 May 2022", columns.Date, "", "", ""},
		"money sign": {"$1200\n-$30\n$7", columns.Number, "$", "units-taken-off", `numbers of "$", which 3 of the first 3`},
		"per cent":   {"30%\n40 %\n5%", columns.Number, "%", "units-taken-off", "46% is 0.46"},
		"two signs": {"$5\n€7\n$3\n€9\n$4", columns.Text, "", "numbers-as-text",
			`have "$" beside them, and 2 have "€"`},
	} {
		table := "x\ty\n" + strings.ReplaceAll(c.cells, "\n", "\t1\n") + "\t1\n"
		l, err := Sniff("t.tsv", []byte(table), true, columns.Reading{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		x, said := l.Columns[0], columns.Note{}
		for _, n := range l.Notes() {
			if n.Column == "x" {
				said = n
			}
		}
		isSaid := string(said.Code) == c.note && strings.Contains(said.What, c.says)
		if x.Type != c.typed || x.Measure != c.measure || !isSaid {
			t.Errorf("%s: %v of %q, %v", name, x.Type, x.Measure, said)
		}
	}
}

// A decimal comma before a unit is one.
func TestUnitsWithCommas(t *testing.T) {
	l := mustSniff(t, "t.csv", "x;y\n12,5 °C;1\n7,25 °C;2\n1,5 °C;3\n")
	if l.Decimal != ',' || l.Columns[0].Measure != "°C" || l.Columns[0].Type != columns.Number {
		t.Errorf("decimal %q, %+v", l.Decimal, l.Columns[0])
	}
}

// Cells with another unit are no numbers: in the file itself, and in one that a preprocessing reads. Bare numbers are.
func TestOtherUnits(t *testing.T) {
	const rows = "4 kg,1\n5 kg,2\n6,1\n7 g,2\n8 %,1\nkg,1\n"
	l := mustSniff(t, "t.csv", "x,y\n"+strings.Repeat("3 kg,1\n", 40)+rows)
	p := NewPreprocessing(l)
	text, err := p.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), `"version":4`) ||
		!strings.Contains(string(text), `"role":"number","measure":"kg",`) {
		t.Errorf("written as %s", text)
	}
	read := new(Preprocessing)
	if err := read.UnmarshalJSON(text); err != nil {
		t.Fatal(err)
	}
	other, err := read.Apply(mustSniff(t, "u.csv", "x,y\n1 g,1\n2 g,1\n3 g,2\n"+rows))
	if err != nil {
		t.Fatal(err)
	}
	source, block := open(t, other, "x,y\n1 g,1\n2 g,1\n3 g,2\n"+rows), &Block{}
	for source.Next(block) == nil {
	}
	unused := source.Unused()
	if unused.Total != 6 {
		t.Errorf("%d rows left out, want 6: %v", unused.Total, unused.First)
	}
	if what := unused.First[0].What; !strings.Contains(what, `"1 g" is not a number of "kg"`) {
		t.Errorf("the first is %q", what)
	}
	style := numberStyle{'.', 0, true, "kg"}
	for cell, want := range map[string]float64{"4 kg": 4, "4kg": 4, "(4) kg": -4, "6": 6, "kg 9": 9, "1e3 kg": 1000} {
		if x, reason := style.number([]byte(cell)); reason != "" || x != want {
			t.Errorf("%q is %v, %q", cell, x, reason)
		}
	}
	for _, cell := range []string{"7 g", "8 %", "$8", "kg", "4 kgs", "kg 4 kg"} {
		if x, reason := style.number([]byte(cell)); reason == "" && !math.IsNaN(x) {
			t.Errorf("%q is %v", cell, x)
		}
	}
}

// A label with a unit is a number, and a model knows the unit.
func TestUnitOfLabel(t *testing.T) {
	l := mustSniff(t, "t.csv", "x,y\n1,4 km\n2,5.5 km\n3,6 km\n").With(1, columns.AsLabel)
	p := NewPreprocessing(l)
	if p.Columns[1].Measure != "km" {
		t.Errorf("%+v", p.Columns[1])
	}
	other := must(p.Apply(mustSniff(t, "u.csv", "x,y\n1,4 m\n2,5.5 m\n3,6 m\n")))
	for cell, want := range map[string]float64{"4 km": 4, "4 m": math.NaN()} {
		if x, what := other.Number([]byte(cell)); x != want && (what == "" || want == want) {
			t.Errorf("%q is %v, %q", cell, x, what)
		}
	}
}

// TestFewSigns: a column of few values is text where a tenth of its numbers have the sign of a currency. That is said.
func TestFewSigns(t *testing.T) {
	for signed, want := range map[int]string{
		4:  `column "p" is read as text, because 4 of the first 40 numbers have "$" beside them, and others do not; `,
		10: `column "p" is read as text, because 10 of the first 40 numbers have "$" beside them, and others do not; `,
	} {
		text := "p,n\n"
		for i := range 40 { // seven values
			sign := ""
			if i < signed {
				sign = "$"
			}
			text += fmt.Sprintf("%s%d.5,%d\n", sign, i%7+1, i)
		}
		var said []string
		for _, n := range mustSniff(t, "f.csv", text).Notes() {
			said = append(said, n.String())
		}
		if got := strings.Join(said, "; "); !strings.Contains(got, want) {
			t.Errorf("of %d signs the notes say %q", signed, got)
		}
	}
}
