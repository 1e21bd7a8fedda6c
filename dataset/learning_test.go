package dataset

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/test/cases"
)

// learnSummary says what a file becomes for learning: rows, coordinates of each kind, cells that are missing numbers,
// and what the columns became if that is no number.
func learnSummary(t *testing.T, name string, content []byte) string {
	t.Helper()
	l, err := Sniff(name, content[:min(len(content), 256<<10)], len(content) <= 256<<10, columns.Reading{})
	if err != nil {
		t.Fatal(name, err)
	}
	l = l.WithLabel(len(l.Columns) - 1) // what to predict
	p := NewLearnPreprocessing(l)
	read := must(p.Apply(l))
	counts, err := p.Fit(open(t, read, string(content)))
	if err != nil {
		t.Fatal(name, err)
	}
	text := must(json.Marshal(p))
	again := new(Preprocessing)
	if err := json.Unmarshal(text, again); err != nil || string(must(json.Marshal(again))) != string(text) {
		t.Errorf("%s: %s reads as %v", name, text, err)
	}
	kinds := again.Kinds()
	if len(kinds) != again.NFeatures() {
		t.Errorf("%s: %d kinds of %d coordinates", name, len(kinds), again.NFeatures())
	}
	rows := must(NewReader(open(t, must(again.Apply(l)), string(content)), again))
	missing := 0
	batch := new(Batch)
	for err = rows.Next(batch); err == nil; err = rows.Next(batch) {
		for i, x := range batch.Dense {
			if x != x {
				missing++
				if kinds[i%len(kinds)] != columns.Continuous {
					t.Fatalf("%s: NaN in an indicator", name)
				}
			}
		}
	}
	if err != io.EOF || rows.Unused().Total != 0 || rows.Counts().Rows != counts.Rows {
		t.Errorf("%s: %v, %d rows left out, %d of %d read", name, err, rows.Unused().Total, rows.Counts().Rows, counts.Rows)
	}
	is := func(kind columns.Kind) (n int) {
		for _, k := range kinds {
			if k == kind {
				n++
			}
		}
		return n
	}
	var others []string
	for _, c := range p.Columns {
		switch c.Role {
		case columns.AsKept:
			others = append(others, "-"+c.Name)
		case columns.AsWords, columns.AsDate:
			others = append(others, c.Name+" "+c.Role.String())
		}
	}
	for _, n := range Notes(l, p, rows.Counts(), rows.Unused()) {
		if n.What == "" || strings.Contains(n.String(), "%!") {
			t.Errorf("%s: %+v", name, n)
		}
	}
	return strings.TrimSpace(fmt.Sprintf("%d %d+%d %d %s", counts.Rows, is(columns.Continuous), is(columns.Indicator),
		missing, strings.Join(others, " ")))
}

// What the columns of each table become where nothing is typed: rows read, coordinates that are numbers and that are
// indicators, numbers that are missing, and the columns that are not used, words or dates.
func TestLearnPreprocessingOfTables(t *testing.T) {
	for _, c := range [][2]string{
		{"data/tables/abalone.csv.gz", "4177 7+3 0"},
		{"data/tables/anneal.csv.gz", "898 10+55 2089 -product-type -m -marvi -corr -jurofm -s -p"},
		{"data/tables/autohorse.csv.gz", "205 17+43 57"},
		{"data/tables/autompg.csv.gz", "398 7+0 6"},
		{"data/tables/autos.csv.gz", "205 15+51 57"},
		{"data/tables/bank8fm.csv.gz", "8192 8+0 0"},
		{"data/tables/bodyfat.csv.gz", "252 14+0 0"},
		{"data/tables/cal-housing.csv.gz", "20640 8+0 0"},
		{"data/tables/car.csv.gz", "1728 0+21 0"},
		{"data/tables/colic.csv.gz", "368 7+69 780"},
		{"data/tables/credit-g.csv.gz", "1000 7+54 0"},
		{"data/tables/heart-c.csv.gz", "303 6+20 5"},
		{"data/tables/house8l.csv.gz", "22784 8+0 0"},
		{"data/tables/hypothyroid.csv.gz", "3772 6+46 2142 -TBG measured -TBG"},
		{"data/tables/ionosphere.csv.gz", "351 33+0 0 -a02"},
		{"data/tables/mv.csv.gz", "40768 7+7 0"},
		{"data/tables/page-blocks.csv.gz", "5473 10+0 0"},
		{"data/tables/pbc.csv.gz", "418 18+0 1239"},
		{"data/tables/pol.csv.gz", "15000 26+0 0 -f1 -f2 -f3 -f4 -f10 -f11 -f12 " +
			"-f34 -f35 -f36 -f37 -f38 -f39 -f40 -f41 -f42 -f43 -f44 -f45 -f46 -f47 -f48"},
		{"data/tables/puma8nh.csv.gz", "8192 8+0 0"},
		{"data/tables/segment.csv.gz", "2310 18+0 0 -region-pixel-count"},
		{"data/tables/sick.csv.gz", "3772 6+46 2142 -TBG measured -TBG"},
		{"data/tables/sonar.csv.gz", "208 60+0 0"},
		{"data/tables/soybean.csv.gz", "683 0+133 0"},
		{"data/tables/splice.csv.gz", "3190 0+285 0 -Instance_name"},
		{"data/tables/stock.csv.gz", "950 9+0 0"},
		{"data/tables/tic-tac-toe.csv.gz", "958 0+27 0"},
		{"data/tables/vehicle.csv.gz", "846 18+0 0"},
		{"data/tables/vowel.csv.gz", "990 10+19 0"},
		{"data/tables/waveform5000.csv.gz", "5000 40+0 0"},
		{"cases/learn/bool.csv", "400 2+0 0"},
		{"cases/learn/codes.csv", "300 2+0 0"},
		{"cases/learn/f1.csv", "300 2+0 0"},
		{"cases/learn/few-distinct-rows.csv", "1500 0+8 0"},
		{"cases/learn/mixed-labels.csv", "80 2+0 0"},
		{"cases/learn/one-outlier-test.csv", "1000 4+0 0"},
		{"cases/learn/one-outlier.csv", "2000 4+0 0"},
		{"cases/learn/pd_grade.csv", "300 2+0 0"},
		{"cases/learn/yesno.csv", "400 1+2 0"},
		{"data/covtype20k.csv.gz", "20000 52+0 0 -column 21 -column 29"},
		{"data/cpu_act.csv", "8192 21+0 0"},
		{"data/digits.csv", "5620 62+0 0 -p0 -p39"},
	} {
		content := must(os.ReadFile(cases.Data(t, "../"+c[0])))
		if got := learnSummary(t, filepath.Base(c[0]), content); got != c[1] {
			t.Errorf("%s becomes %s, want %s", c[0], got, c[1])
		}
	}
}

// learnTable is what a table of 60 rows becomes for learning.
func learnTable(t *testing.T, header string, row func(i int) string) (*Layout, *Preprocessing, *Counts) {
	t.Helper()
	return learnRows(t, 60, header, row)
}

// learnRows is learnTable for so many rows.
func learnRows(t *testing.T, n int, header string, row func(i int) string) (*Layout, *Preprocessing, *Counts) {
	t.Helper()
	lines := []string{header}
	for i := range n {
		lines = append(lines, row(i))
	}
	table := strings.Join(lines, "\n")
	l := must(Sniff("t.csv", []byte(table), true, columns.Reading{}))
	p := NewLearnPreprocessing(l)
	counts, err := p.Fit(open(t, must(p.Apply(l)), table))
	if err != nil {
		t.Fatal(err)
	}
	return l, p, counts
}

// TestLateTypes: all rows decide the type of a column whose first cells are empty. It was a column of texts.
func TestLateTypes(t *testing.T) {
	_, p, _ := learnRows(t, 700, "number,share,day,time,flag,code,word,mixed,none,x,label", func(i int) string {
		if i < 600 {
			return fmt.Sprintf(",NA,,,,,,,,%d,%d", i*i, i%2)
		}
		return fmt.Sprintf("%d,0.%d,2026-01-%02d,2026-01-02 %02d:00,%t,007,w%d,%d%s,,%d,%d", i*i, i, i%30+1, i%24, i%3 > 0,
			i%4, i%5, "x"[:i%2], i*i, i%2)
	})
	var roles []string
	for i := range p.Columns {
		c := &p.Columns[i]
		roles = append(roles, fmt.Sprint(c.Name, " ", c.Role, " ", len(c.Parts)))
	}
	want := []string{"number number 0", "share number 0", "day date 3", "time date 4", "flag number 0", "code category 0",
		"word category 0", "mixed category 0", "none keep 0", "x number 0", "label label 0"}
	if !slices.Equal(roles, want) {
		t.Errorf("got %q, want %q", roles, want)
	}
}

func TestLearnPreprocessing(t *testing.T) {
	red := func(i int) string { return [...]string{"red", "green", "", "red"}[i%4] }
	kind := columns.Column{Name: "c", Role: columns.AsCategory, Missing: columns.Zero, Learned: true}
	with := func(c columns.Column, change func(c *columns.Column)) columns.Column {
		change(&c)
		return c
	}
	kept := func(why string) columns.Column {
		return columns.Column{Name: "c", Role: columns.AsKept, Learned: true, Why: "is not used: " + why}
	}
	number := columns.Column{Name: "c", Role: columns.AsNumber, Missing: columns.NaN, Learned: true}
	words := columns.Column{Name: "c", Role: columns.AsWords, Words: [2]int{1, 1}, Width: 256, Unit: true, Learned: true,
		Why: "is read as text, and its words become coordinates"}
	date := columns.Column{Name: "c", Role: columns.AsDate, Missing: columns.NaN, Learned: true,
		Parts: []columns.DatePart{columns.Days, columns.YearPhase, columns.WeekPhase}}
	for _, c := range []struct {
		name, header string
		cell         func(i int) string
		want         columns.Column
	}{
		{"values and empty cells", "c", red, with(kind, func(c *columns.Column) {
			c.Values, c.Empty, c.Average = []string{"green", "red"}, true, true
		})},
		{"rare values", "c", func(i int) string { return fmt.Sprint("v", min(i/5, 8)+i/56*i) }, // the last 4 once
			with(kind, func(c *columns.Column) {
				c.Values, c.Rest = []string{"v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8"}, true
			})},
		{"one value, and empty cells", "c", func(i int) string { return [...]string{"x", ""}[i%2] },
			with(kind, func(c *columns.Column) { c.Values, c.Empty, c.Average = []string{"x"}, true, true })},
		{"rare words, mostly empty", "c", func(i int) string {
			if i%10 == 0 {
				return fmt.Sprint("C", i)
			}
			return ""
		}, with(kind, func(c *columns.Column) { c.Values, c.Rest, c.Empty = []string{}, true, true })},
		{"spellings of numbers beside words", "c", func(i int) string { return [...]string{"1", "1.0", "a", "b", "c"}[i%5] },
			with(kind, func(c *columns.Column) { c.Values, c.Average = []string{"1", "a", "b", "c"}, true })},
		{"codes", "c", func(i int) string { return [...]string{"007", "008"}[i%2] },
			with(kind, func(c *columns.Column) { c.Values, c.Average = []string{"007", "008"}, true })},
		{"words all different", "c", func(i int) string { return fmt.Sprint("name", i) },
			kept("its texts hardly recur")},
		{"words in 2 rows", "c", func(i int) string { return fmt.Sprint("v", min(i/2, 3)) },
			with(kind, func(c *columns.Column) { c.Values, c.Average = []string{"v0", "v1", "v2", "v3"}, true })},
		{"sentences", "c", func(i int) string { return fmt.Sprint("the cat number ", i) }, words},
		{"one word", "c", func(int) string { return "same" }, kept("all its cells are equal")},
		{"no cell", "c", func(int) string { return "" }, kept("all its cells are empty")},
		{"missing numbers", "c", func(i int) string { return [...]string{"1.5", "2", "", "?"}[i%4] }, number},
		{"few whole numbers", "c", func(i int) string { return fmt.Sprint(i % 3) }, number},
		{"one number", "c", func(int) string { return "7" }, kept("all its cells are equal")},
		{"one number, and missing cells", "c", func(i int) string { return [...]string{"7", ""}[i%2] }, number},
		{"true and false", "c", func(i int) string { return [...]string{"true", "false", ""}[i%3] }, number},
		{"whole numbers in order", "c", strconv.Itoa, with(number, func(c *columns.Column) {
			c.Why = "counts the rows, and is used as a number"
		})},
		{"numbers that rise", "c", func(i int) string { return strconv.Itoa(i * i) }, number},
		{"row numbers in disorder", "id", func(i int) string { return strconv.Itoa(i * 7 % 60) },
			with(kept("it numbers the rows"), func(c *columns.Column) { c.Name = "id" })},
		{"PassengerId", "PassengerId", strconv.Itoa,
			with(kept("it numbers the rows"), func(c *columns.Column) { c.Name = "PassengerId" })},
		{"a word in id", "Covid", strconv.Itoa, with(number, func(c *columns.Column) {
			c.Name, c.Why = "Covid", "counts the rows, and is used as a number"
		})},
		{"an id that recurs", "id", func(i int) string { return strconv.Itoa(i * 7 % 31) },
			with(number, func(c *columns.Column) { c.Name = "id" })},
		{"numbers that are close together", "c", func(i int) string { return fmt.Sprint(1700000000 + i*i%7) },
			with(number, func(c *columns.Column) {
				c.Why = "is used in steps of 128, because its numbers are large and close together"
			})},
		{"large whole numbers", "c", func(i int) string { return fmt.Sprint(5000000 + i*i%7) }, number},
		{"large numbers far apart", "c", func(i int) string { return fmt.Sprint(1700000000 + i*i*9999) }, number},
		{"whole numbers that a float64 rounds to one", "c", func(i int) string { return fmt.Sprint(1<<60 + i%9) },
			kept("all its numbers round to the same one, because they have more than 15 digits")},
		{"dates", "c", func(i int) string { return [...]string{"2026-01-02", "", "2026-11-20"}[i%3] }, date},
		{"times", "c", func(i int) string { return fmt.Sprintf("2026-01-02 %02d:00", i%24) },
			with(date, func(c *columns.Column) { c.Parts = append(slices.Clone(c.Parts), columns.DayPhase) })},
		{"one date", "c", func(int) string { return "2026-01-02" }, kept("all its cells are equal")},
	} {
		l, p, counts := learnTable(t, c.header+",x,label", func(i int) string {
			return fmt.Sprintf("%s,%d.5,%d", c.cell(i), i, i%2)
		})
		if !reflect.DeepEqual(p.Columns[0], c.want) {
			t.Errorf("%s: got %+v\nwant %+v", c.name, p.Columns[0], c.want)
		}
		if counts.Rows != 60 {
			t.Errorf("%s: %d rows", c.name, counts.Rows)
		}
		var why string
		for _, n := range Notes(l, p, nil, nil) {
			if n.Column == c.want.Name && n.Code != columns.NoteText {
				why += n.What
			}
		}
		want := ""
		if c.want.Why != "" {
			want = columnText(c.want.Name) + " " + c.want.Why
		}
		if why != want {
			t.Errorf("%s: the note is %q, want %q", c.name, why, want)
		}
	}
}

// More than 50 codes have a coordinate each if 30 % of the rows have one that recurs, and the columns of a table share
// 1,024. Sentences become words.
func TestLearnManyValues(t *testing.T) {
	for _, c := range []struct {
		name   string
		cell   func(i int) string
		values int // 0 for words, -1 for none
		rest   bool
	}{
		{"60 codes", func(i int) string { return fmt.Sprintf("%05d", i%60) }, 60, false},
		{"300 codes", func(i int) string { return fmt.Sprintf("%05d", i%300) }, 300, false},
		{"few codes that are common", func(i int) string { return fmt.Sprintf("%05d", max(0, i-1700)) }, 1, true},
		{"400 codes", func(i int) string { return fmt.Sprintf("s%03d", i%400) }, 400, false},
		{"900 codes", func(i int) string { return fmt.Sprintf("s%03d", i%900) }, 900, false},
		{"500 codes, 500 others once", func(i int) string {
			if i >= 1500 {
				return fmt.Sprintf("s%03d", i-1000)
			}
			return fmt.Sprintf("s%03d", i%500)
		}, 500, true},
		{"70 codes in a third of the rows, the others once", func(i int) string {
			if i%3 == 0 {
				return fmt.Sprintf("s%03d", i/3%70)
			}
			return fmt.Sprintf("once%d", i)
		}, 70, true},
		{"70 codes in a fifth of the rows", func(i int) string {
			if i%5 == 0 {
				return fmt.Sprintf("s%03d", i/5%70)
			}
			return fmt.Sprintf("once%d", i)
		}, -1, false},
		{"60 sentences", func(i int) string { return fmt.Sprint("the cat number ", i%60) }, 60, false},
		{"100 codes, 50 of them in 3 rows, and some once", func(i int) string {
			switch {
			case i >= 1980:
				return fmt.Sprint("once", i)
			case i >= 1830:
				return fmt.Sprintf("r%02d", i%50)
			}
			return fmt.Sprintf("s%02d", i%50)
		}, 100, true},
		{"90 sentences", func(i int) string { return fmt.Sprint("the cat number ", i%90) }, 0, false},
	} {
		_, p, _ := learnRows(t, 2000, "c,x,label", func(i int) string {
			return fmt.Sprintf("%s,%d.5,%d", c.cell(i), i, i%2)
		})
		if got := &p.Columns[0]; len(got.Values) != max(0, c.values) || (got.Role == columns.AsWords) != (c.values == 0) ||
			(got.Role == columns.AsKept) != (c.values < 0) || got.Rest != c.rest {
			t.Errorf("%s: %s with %d values, other: %v", c.name, got.Role, len(got.Values), got.Rest)
		}
	}
	_, p, _ := learnRows(t, 240, "c,x,label", func(i int) string { return fmt.Sprintf("s%02d,%d.5,%d", i%60, i, i%2) })
	if got := len(p.Columns[0].Values); got != 60 {
		t.Errorf("of 60 codes in 4 rows each, 50 of them in 80 %% of the rows, %d are values", got)
	}
	_, p, _ = learnRows(t, 2000, "a,b,c,x,label", func(i int) string {
		return fmt.Sprintf("s%d,s%d,s%d,%d.5,%d", i%700, i%600, i%320, i, i%2)
	})
	for i, want := range []int{700, 324, 256} {
		if got := len(p.Columns[i].Values); got != want {
			t.Errorf("column %d of three with many codes has %d values, want %d", i, got, want)
		}
	}
}

// Roles that were asked for stay, and so do tables of texts alone.
func TestLearnPreprocessingAsked(t *testing.T) {
	table := "id,name,zip,label\n"
	for i := range 60 {
		table += fmt.Sprintf("%d,name%d,%d,%d\n", i+1, i, 1000+i%12, i%2)
	}
	l := must(Sniff("t.csv", []byte(table), true, columns.Reading{}))
	l = l.WithRoles(map[int]columns.Role{0: columns.AsNumber, 1: columns.AsWords, 2: columns.AsCategory})
	p := NewLearnPreprocessing(l)
	if _, err := p.Fit(open(t, must(p.Apply(l)), table)); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(p.Columns[0].Role, p.Columns[1].Role, p.Columns[1].Width, len(p.Columns[2].Values),
		p.Columns[2].Rest, p.IsSparse(), p.NFeatures()); got != "number words 256 12 false false 269" {
		t.Error(got)
	}
	for table, want := range map[string]string{
		"text,label\nthe cat,a\na dog,b\nno cat,a\nmy dog,b\n":                  "3072 [3072]",
		"one,two,label\nthe cat,is,a\na dog,was,b\nno cat,be,a\nmy dog,see,b\n": "3072 [1536 1536]",
	} {
		p := NewLearnPreprocessing(must(Sniff("t.csv", []byte(table), true, columns.Reading{})))
		var widths []int
		for _, c := range p.Columns {
			if c.Role == columns.AsWords {
				widths = append(widths, c.Width)
			}
		}
		if got := fmt.Sprint(p.NFeatures(), widths); got != want || p.Columns[0].Unit || !p.IsSparse() {
			t.Errorf("got %s, want %s: %+v", got, want, p.Columns)
		}
	}
}

// Rows that were not there when the categories were learned.
func TestLearnPreprocessingOfNewRows(t *testing.T) {
	l, p, _ := learnTable(t, "c,d,e,label", func(i int) string {
		d := [...]string{"u", "v"}[i/31] + [...]string{"", "x"}[i/59]
		return fmt.Sprintf("%s,%s,2026-01-%02d,%d", [...]string{"a", "b", ""}[i%3], d, 1+i%28, i%2)
	})
	const table = "c,d,e,label\nnew,new,2026-01-01,0\n,,,1\na,u,1970-01-05,1\n"
	rows := must(NewReader(open(t, must(p.Apply(l)), table), p))
	batch := new(Batch)
	if err := rows.Next(batch); err != nil {
		t.Fatal(err)
	}
	nan := float32(math.NaN())
	want := []float32{
		.5, .5, 0, 0, 0, 1, 20454, 0, 1, 0.43388373, -0.90096885, // new is the average of a and b: c has no other for it
		0, 0, 1, 0, 0, 1, nan, 0, 0, 0, 0,
		1, 0, 0, 1, 0, 0, 4, 0.068802424, 0.9976303, 0, 1,
	}
	if fmt.Sprint(batch.Dense) != fmt.Sprint(want) {
		t.Errorf("got  %v\nwant %v", batch.Dense, want)
	}
	var notes []string
	for _, n := range RowNotes("t.csv", p, rows.Counts(), rows.Unused()) {
		notes = append(notes, n.What)
	}
	if got := strings.Join(notes, "\n"); got != `1 cell of column "c" is missing and counts as a value of its own
1 cell of column "c" has a category that was not met before, such as "new", and counts as the average of those that were
1 cell of column "d" is missing and counts as other
1 cell of column "d" has a category that is rare or was not met before, such as "new", and counts as other
1 cell of column "e" is missing, and the model learns what that means` {
		t.Error(got)
	}
}

// TestLearnTextsOfNewRows: without a search, a new value counts as the commonest; and as none, where rows of the model
// are none of the values, since their cells are empty. Of equally common values it is the first by its bytes.
func TestLearnTextsOfNewRows(t *testing.T) {
	var table strings.Builder
	table.WriteString("c,even,some,x,label\n")
	for i := range 60 {
		c, some := [...]string{"z", "y", "z"}[i%3], [...]string{"a", "b", ""}[i%3]
		fmt.Fprintf(&table, "%s,%c,%s,%d,%d\n", c, 'q'-i%2, some, i, i%2)
	}
	l := must(Sniff("t.csv", []byte(table.String()), true, columns.Reading{}))
	p := NewPreprocessing(l)
	p.LearnTexts(l)
	if _, err := p.Fit(open(t, must(p.Apply(l)), table.String())); err != nil {
		t.Fatal(err)
	}
	read := must(json.Marshal(p))
	if err := json.Unmarshal(read, p); err != nil {
		t.Fatal(err)
	}
	rows := must(NewReader(open(t, must(p.Apply(l)), "c,even,some,x,label\nnew,new,new,5,0\n,,,5,1\n"), p))
	batch := new(Batch)
	if err := rows.Next(batch); err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(batch.Dense), "[0 1 1 0 0 0 5 0 1 1 0 0 0 5]"; got != want {
		t.Errorf("got %s, want %s: %s", got, want, read)
	}
	var notes []string
	for _, n := range RowNotes("t.csv", p, rows.Counts(), rows.Unused()) {
		notes = append(notes, n.What)
	}
	const unknown = ` has a category that was not met before, such as "new", and counts as `
	if got, want := strings.Join(notes, "\n"), `1 cell of column "c" is missing and counts as "z", the commonest value
1 cell of column "c"`+unknown+`"z", the commonest value
1 cell of column "even" is missing and counts as "p", the commonest value
1 cell of column "even"`+unknown+`"p", the commonest value
1 cell of column "some" is missing and counts as none of the values
1 cell of column "some"`+unknown+`none`; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Three columns with the same fate share a note, which counts the cells of each.
func TestNotesOfManyColumns(t *testing.T) {
	p, counts := new(Preprocessing), &Counts{Unknown: make([]int64, 25), Examples: make([][]string, 25)}
	for j := range 25 {
		p.Columns = append(p.Columns, columns.Column{Name: fmt.Sprint("x", j), Role: columns.AsNumber, Missing: columns.NaN})
		counts.Missing = append(counts.Missing, int64(1+j%3))
	}
	notes := RowNotes("t.csv", p, counts, new(Unused))
	if len(notes) != 1 || notes[0].Count != 49 || notes[0].Column != "" || !strings.HasPrefix(notes[0].What,
		`49 cells of 25 columns are missing, and the model learns what that means: "x0" 1, "x1" 2, "x2" 3, "x3" 1`) ||
		!strings.HasSuffix(notes[0].What, `"x19" 2, 5 more`) {
		t.Errorf("%+v", notes)
	}
	cut := CutNotes([]string{"a", "b", "c", "d"}, []int64{2, 0, 1, 3}, []int64{0, 1, 0, 0}, make([]int64, 4))
	if got := fmt.Sprint(cut); got != `[{cells-cut  6 6 numbers of 3 columns `+
		`lie outside the range that the model was prepared for, and count as its ends: "a" 2, "c" 1, "d" 3 check them} `+
		`{cells-replaced b 1 1 number of column "b" is missing and counts as the mean, `+
		`since no row that the model was prepared with lacked one learn from rows that lack some, too}]` {
		t.Error(got)
	}
}

func TestLearnPreprocessingRefuses(t *testing.T) {
	const object = `{"format":"tensorsketch-preprocessing","version":3,"unitNorm":false,"columns":[{"name":"a",`
	for text, want := range map[string]string{
		`"role":"number","missing":"drop","scaling":"none"`:                                    "version must be 1",
		`"role":"category","missing":"nan","encoding":"one-hot","values":["x"]`:                "cannot be treated",
		`"role":"category","missing":"zero","encoding":"one-hot","values":["x"],"other":false`: `"other"`,
		`"role":"category","missing":"zero","encoding":"hashed","width":4,"empty":true`:        "one-hot",
		`"role":"number","missing":"nan","scaling":"none","unit":true`:                         "unit for words",
		`"role":"label","missing":"nan"`:                                                       `"missing"`,
	} {
		err := new(Preprocessing).UnmarshalJSON([]byte(object + text + "}]}"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	column := columns.Column{Name: "a", Role: columns.AsNumber, Missing: columns.NaN}
	p := Preprocessing{UnitNorm: true, Columns: []columns.Column{column}}
	if err := p.Validate(); err == nil {
		t.Error("rows with NaN have no norm")
	}
	if err := new(columns.Column).SetPolicies("nan", ""); err == nil {
		t.Error("nan was typed")
	}
}

// A model with a preparation takes the rows of its preprocessing, whose number differs from its map's.
func TestFromModelWithPreparation(t *testing.T) {
	const file = `{"nFeatures":3,"preprocessing":{"format":"tensorsketch-preprocessing","version":3,"unitNorm":false,` +
		`"columns":[{"name":"a","role":"number","missing":"nan","scaling":"none"}]},"preparation":{"form":%s}}`
	for _, c := range []struct{ preparation, problem string }{
		{`"std","columns":[{"missing":true}]`, ""},
		{`"raw","nFeatures":1`, ""},
		{`"std","columns":[{},{}]`, "nFeatures must be 1, as in the preprocessing, got 2"},
		{`"raw","nFeatures":3`, "nFeatures must be 1, as in the preprocessing, got 3"},
	} {
		p, err := FromModel(fmt.Appendf(nil, file, c.preparation))
		isRead := err == nil && p.NFeatures() == 1
		if isRead != (c.problem == "") || !isRead && !strings.Contains(err.Error(), c.problem) {
			t.Errorf("%s: %v, want %q", c.preparation, err, c.problem)
		}
	}
}
