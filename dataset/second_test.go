//go:build !js

package dataset

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"testing"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/test/slow"
)

// A secondCase is a table that both implementations prepare; a nil plan is the one of testdata.
type secondCase struct {
	name, table string
	plan        *Preprocessing
}

// numbersAsNames returns a table whose cells spell these values of a category, and other numbers and texts.
func numbersAsNames(name string, values ...string) secondCase {
	c := columns.NewColumn("kind", columns.AsCategory)
	c.Values, c.Learned, c.Missing = values, true, columns.Zero
	const table = "kind,n\n1,1\n1.0,2\n+1,3\n01,4\n1000000,5\n2,6\n2.5,7\nred,8\nRed,9\n,10\n7,11\n007,12\n"
	return secondCase{name, table, &Preprocessing{Columns: []columns.Column{c, columns.NewColumn("n", columns.AsNumber)}}}
}

// What test/spec/preprocessing.py makes of docs/formats.md: the same coordinates, to
// the last bit, except the sines and cosines of dates, which differ by 10⁻⁷ at most.
func TestSecondImplementation(t *testing.T) {
	slow.Elsewhere(t)
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("the second implementation needs python3: install it")
	}
	const table = "n,kind,when,text,y\n" +
		"1.5,red,2024-02-29T12:30:15.25,\"The quick  brown_fox, the quick 42\",a\n" +
		" -3e2 ,\"a, b\",1969-07-20 20:17:40+01:00,\tÜBER Straße ΣΊΣΥΦΟΣ İ x y2  ,b\n" +
		"NA,green dark,2026-12-31,,c\n" +
		"?,,0001-01-01,☃☃☃ 漢字かな,d\n" +
		"0.1,red,,one,e\n" +
		"7,blue,9999-12-31T12:59:59.25Z,un-deux-trois quatre ½ x² Ⅷ a1,f\n"
	planned := func(change func(p *Preprocessing)) *Preprocessing {
		p := &Preprocessing{Columns: []columns.Column{
			columns.NewColumn("text", columns.AsWords), columns.NewColumn("n", columns.AsNumber),
			columns.NewColumn("kind", columns.AsCategory),
			columns.NewColumn("when", columns.AsDate), columns.NewColumn("y", columns.AsLabel),
		}}
		change(p)
		return p
	}
	cases := []secondCase{
		{"the model of testdata", readFile(t, "new-rows.csv"), nil},
		{"words and characters, everything filled", table, planned(func(p *Preprocessing) {
			p.Columns[0].Words, p.Columns[0].Chars, p.Columns[0].Width = [2]int{1, 3}, [2]int{2, 4}, 101
			p.Columns[1].Missing, p.Columns[1].Fill, p.Columns[1].Scaling = columns.Constant, -7.25, columns.Standard
			p.Columns[2].Missing, p.Columns[2].Hashed = columns.Zero, 13
			p.Columns[3].Missing, p.Columns[3].Scaling = columns.Zero, columns.MinMax
			p.Columns[3].Parts = []columns.DatePart{columns.DayPhase, columns.Days, columns.YearPhase, columns.WeekPhase}
		})},
		{"rows dropped, norm 1", table, planned(func(p *Preprocessing) {
			p.UnitNorm = true
			p.Columns[0].Words, p.Columns[0].Width = [2]int{2, 2}, 64
			p.Columns[1].Missing, p.Columns[1].Scaling = columns.Zero, columns.MinMax
			p.Columns[2].Missing = columns.Drop
			p.Columns[3].Missing, p.Columns[3].Parts = columns.Mean, []columns.DatePart{columns.YearPhase}
		})},
		{"means, a hash of one coordinate", table, planned(func(p *Preprocessing) {
			p.Columns[0].Words, p.Columns[0].Chars, p.Columns[0].Width = [2]int{}, [2]int{1, 1}, 1
			p.Columns[1].Missing, p.Columns[1].Scaling = columns.Mean, columns.Standard
			p.Columns[2].Missing, p.Columns[2].Hashed = columns.Zero, 1
			p.Columns[3].Missing, p.Columns[3].Scaling = columns.Mean, columns.Standard
		})},
		{"everything for learning", table, planned(func(p *Preprocessing) {
			p.Columns[0].Width, p.Columns[0].Unit = 16, true
			p.Columns[1].Missing, p.Columns[3].Missing = columns.NaN, columns.NaN
			p.Columns[2].Values, p.Columns[2].Rest, p.Columns[2].Empty = []string{"blue", "red"}, true, true
			p.Columns[2].Learned = true
			p.Columns[3].Parts = []columns.DatePart{columns.DayPhase, columns.Days, columns.YearPhase}
		})},
		{"rare values beside no empty cell", table, planned(func(p *Preprocessing) {
			p.Columns[0].Width, p.Columns[0].Unit = 64, true
			p.Columns[1].Missing, p.Columns[3].Missing = columns.NaN, columns.NaN
			p.Columns[2].Values, p.Columns[2].Rest, p.Columns[2].Learned = []string{"red"}, true, true
			p.Columns[3].Parts = []columns.DatePart{columns.WeekPhase}
		})},
		numbersAsNames("numbers as names", "1", "1e6", "2.0", "2.50", "red"),
		numbersAsNames("codes as names", "007", "1", "2.0"),
	}
	for _, c := range []struct{ reading, table string }{
		{`"encoding":"windows-1252","delimiter":";","quote":"\"","decimal":",","thousands":".","header":true,` +
			`"dates":"day-month-year"`,
			"sep=;\r\nn;kind;when;text;y\r\n1.234,5;gr\xfcn;31.12.2026;caf\xe9 \x80\x81 x;a\r\n" +
				"12,5 %;rot;1/2/1999 9:05;\"a;b\r\nc\";b\r\n" +
				"-\x80 7;rot;2026-11-20;;c\r\n1.23;rot;1.2.2026;;d\r\n2.0;rot;1.2.2026;;e\r\n" +
				"1;rot;1.2.26;;f\r\n\x80 1.234.567,25;gr\xfcn;29-02-2024 12:00:01 AM;x y;g\r\n"},
		{`"encoding":"utf-8","delimiter":"\t","quote":"'","decimal":".","thousands":"'","header":true,` +
			`"dates":"month-day-year"`,
			"\ufeffn\tkind\twhen\ttext\ty\n1’234.5\t'a''b'\t12/31/2026 7:17:20.5 PM\tone two\t1\n" +
				"$5\tc\t2/29/2024\t\t2\n\u22127%\tc\t12-31-1999T23:59Z\t\t3\n" +
				"5 kg\tc\t1/2/2026\t\t4\n1'23\tc\t1/2/2026\t\t5\n1e3\tc\t13/1/2026\t\t6\n1e3\tc\t12/1/2026\t\t7\n"},
		{`"encoding":"utf-8","delimiter":"|","quote":"","decimal":",","thousands":" ","header":true,"dates":"iso"`,
			"n|kind|when|text|y\n(1,5)|a|12-Jun-1998 7:17 PM|a|1\n$(2)|b|2024/1/5 9:05|a|2\n" +
				"True|c|Fri, 12 Jun 1998 10:00 UTC|a|3\n" +
				"FALSE|d|2024-01-01 10:00:00.25 +0130|a|4\n-nan|e|2026-11-20|a|5\n1|f|-|a|6\n" +
				"2|NA|Sept. 2, 2024, 10:00-03|-|7\n" +
				"(-1)|a|Jun 12 1998|a|8\n3|a|Jun 121998|a|9\n4|a|Janu 1 1998|a|9\n5|a|2024/1-5|a|9\n" +
				"1\u00a0234,5|5\" pipe|2026-11-20|a|1\n1\u202f234 567|\"|2026-11-21|b|2\n" +
				"3,5 €|x|2026-11-22|c|3\n+4|x|20.11.2026|c|4\n"},
		{`"encoding":"utf-8","delimiter":",","quote":"\\\"","decimal":".","thousands":"","header":true,"dates":"iso",` +
			`"skip":2,"comment":"#","rownames":true`,
			"Sensors\n\n# mm\n\u200en,kind,when,\ufefftext,y\nr1,1,\u200ered\u200f,2026-11-20,\"say \\\"x, yy\\\"\",1\n" +
				"# pause\nr2,\u200e2.5\u200f, \"blue\",2026-11-21,b,2\nr3,3,red,2026-11-22,c\n"},
	} {
		reading := must(ParseReading([]byte(`{"format":"csv","compression":"none",` + c.reading + "}")))
		cases = append(cases, secondCase{c.reading, c.table, planned(func(p *Preprocessing) {
			p.Reading = &reading
			p.Columns[0].Words, p.Columns[0].Chars, p.Columns[0].Width = [2]int{1, 1}, [2]int{1, 2}, 31
			p.Columns[1].Missing, p.Columns[2].Missing = columns.Drop, columns.Zero
			p.Columns[3].Parts = []columns.DatePart{columns.Days, columns.DayPhase}
		})})
	}
	weights := columns.NewColumn("n", columns.AsNumber)
	weights.Measure, weights.Missing = "kg", columns.NaN
	cases = append(cases, secondCase{"numbers with a unit", "n,y\n4 kg,1\n5kg,1\n6,1\n7 g,1\n8 %,1\n$9,1\n(1.5) kg,1\n" +
		"kg 3,1\nNA,1\n1e3 kg,1\n€ 2 kg,1\n-.5 kg,1\nkg,1\n",
		&Preprocessing{Columns: []columns.Column{weights}}})
	var in bytes.Buffer
	for i := range cases {
		c := &cases[i]
		if c.plan == nil {
			if c.plan, err = FromModel([]byte(readFile(t, "model.json"))); err != nil {
				t.Fatal(err)
			}
		} else if _, err := c.plan.Fit(openTable(t, c.table, c.plan)); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if err := json.NewEncoder(&in).Encode(map[string]any{"preprocessing": c.plan, "file": []byte(c.table)}); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.Command(python, "../test/spec/preprocessing.py")
	command.Stdin, command.Stderr = &in, os.Stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("python3 test/spec/preprocessing.py: %v", err)
	}
	answers := json.NewDecoder(bytes.NewReader(out))
	for _, c := range cases {
		var want struct{ Rows [][]*float32 } // null is NaN
		if err := answers.Decode(&want); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		got, _, err := sourceVectors(t, openTable(t, c.table, c.plan), c.plan)
		if err != nil || len(got) != len(want.Rows) || len(got) < 2 {
			t.Errorf("%s: %d rows, %v, want %d and more than 1", c.name, len(got), err, len(want.Rows))
			continue
		}
		phases := map[int]bool{}
		at := 0
		for _, column := range c.plan.Columns {
			single := Preprocessing{Columns: []columns.Column{column}}
			for i := range single.NFeatures() {
				phases[at+i] = column.Role == columns.AsDate || c.plan.UnitNorm
			}
			at += single.NFeatures()
		}
		for r, row := range got {
			if len(row) != len(want.Rows[r]) {
				t.Fatalf("%s, row %d has %d coordinates, want %d", c.name, r, len(row), len(want.Rows[r]))
			}
			for i, v := range row {
				w := v
				if number := want.Rows[r][i]; number != nil {
					w = *number
				} else if v == v {
					t.Errorf("%s, row %d, coordinate %d is %v, want NaN", c.name, r, i, v)
				}
				if v != w && v == v && !(phases[i] && math.Abs(float64(v-w)) <= 1e-7*max(1, math.Abs(float64(w)))) {
					t.Errorf("%s, row %d, coordinate %d is %v, want %v", c.name, r, i, v, w)
				}
			}
		}
	}
}

// openTable opens a CSV table for a preprocessing.
func openTable(t *testing.T, table string, p *Preprocessing) Source {
	t.Helper()
	var reading columns.Reading
	if p.Reading != nil {
		reading = *p.Reading
	}
	l := must(p.Apply(sniffAs(t, "table.csv", table, reading)))
	return open(t, l, table)
}
