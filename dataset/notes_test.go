package dataset

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/dataset/columns"
)

// notesOf reads a table by the suggested roles, after change, and returns all notes.
func notesOf(t *testing.T, text string, change func(l *Layout, p *Preprocessing) *Layout) []columns.Note {
	t.Helper()
	l := mustSniff(t, "f.csv", text)
	p := NewPreprocessing(l)
	if change != nil {
		l = change(l, p)
		*p = Preprocessing{Columns: p.Columns}
	}
	fit(t, l, text, p)
	_, r, err := vectors(t, l, text, p)
	if err != nil {
		t.Fatal(err)
	}
	return Notes(l, p, r.Counts(), r.Unused())
}

func sentences(notes []columns.Note) (list []string) {
	for i := range notes {
		list = append(list, fmt.Sprintf("%s %s %d: %s", notes[i].Code, notes[i].Column, notes[i].Count, &notes[i]))
	}
	return list
}

// TestNotes: what is guessed, not used, replaced and left out is said, with counts and what changes it.
func TestNotes(t *testing.T) {
	var b strings.Builder
	b.WriteString("id,name,colour,one,born,empty,a,species\n")
	for i := range 40 {
		colour, born, a := []string{"red", "blue", "green"}[i%3], fmt.Sprintf("2026-01-%02d", 1+i%28), fmt.Sprint(i%7)
		switch i {
		case 3:
			colour = ""
		case 5:
			born = "soon"
		case 7, 9:
			a = ""
		case 11:
			a = "oops"
		case 12:
			a = "ouch"
		}
		fmt.Fprintf(&b, "%d,n%d,%s,x,%s,,%s,%s\n", i+1, i, colour, born, a, []string{"u", "v"}[i%2])
	}
	got := sentences(notesOf(t, b.String(), nil))
	want := []string{
		`label-guessed species 0: column "species" is taken as the label, by its name; ` +
			`name another label, or none, if it is not`,
		`column-not-used id 1: column "id" is not used: it numbers the rows; to use it, give it the role number`,
		`column-not-used name 1: column "name" is not used: its texts hardly recur; to use it, give it the role words`,
		`column-not-used one 1: column "one" is not used: its first 40 cells are equal; ` +
			`to use it, give it the role category`,
		`column-not-used born 1: column "born" is not used: 1 of the first 40 cells is empty or no date; ` +
			`to use it, give it the role date`,
		`column-not-used empty 1: column "empty" is not used: its first 40 cells are empty; give it a role if others are not`,
		`rows-left-out  2: 2 rows are left out, the first at line 13, column 7 ("a"): "oops" is not a number; ` +
			`correct the cell, or use the column for something else than a number`,
		`rows-left-out  2: 2 rows are left out, the first at line 9, column "a": the cell is missing; ` +
			`fill it, or set missing to mean or zero`,
		`cells-replaced colour 1: 1 cell of column "colour" is missing and counts as none of the values; ` +
			`to leave such rows out, set missing to drop`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	got = sentences(notesOf(t, b.String(), func(l *Layout, p *Preprocessing) *Layout {
		l = l.With(7, columns.AsLabel)
		for _, i := range []int{0, 1, 3, 4, 5} {
			l = l.With(i, columns.AsIgnored)
		}
		p.Columns = NewPreprocessing(l).Columns
		p.SetMissing(columns.Mean)
		return l
	}))
	want = []string{want[6],
		`cells-replaced colour 1: 1 cell of column "colour" is missing and counts as none of the values; ` +
			`to leave such rows out, set missing to drop`,
		`cells-replaced a 2: 2 cells of column "a" are missing and count as the mean; ` +
			`to leave such rows out, set missing to drop`}
	if !slices.Equal(got, want) {
		t.Errorf("asked for, got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestNotesOfCategories: categories that a model has not met are counted, with examples, for several files together.
// TestNumbersThatRound: whole numbers that differ and are one float64 are no feature, unless they are asked for.
func TestNumbersThatRound(t *testing.T) {
	for from, isUsed := range map[uint64]bool{1 << 60: false, 1 << 52: true} {
		var text strings.Builder
		text.WriteString("big,x\n")
		for i := range 20 {
			fmt.Fprintf(&text, "%d,%d\n", from+uint64(i*7%20), i%3)
		}
		if role := mustSniff(t, "f.csv", text.String()).Columns[0].Role; (role == columns.AsNumber) != isUsed {
			t.Errorf("numbers from %d are used as %s", from, role)
		}
		notes := notesOf(t, text.String(), nil)
		const why = `column "big" is not used: its first numbers round to the same one, because they have more than 15 ` +
			"digits; to use it, give it the role category"
		if said := slices.ContainsFunc(notes, func(n columns.Note) bool { return n.String() == why }); said == isUsed {
			t.Errorf("notes on numbers from %d: %v", from, sentences(notes))
		}
	}
}

func TestNotesOfCategories(t *testing.T) {
	c := columns.NewColumn("kind", columns.AsCategory)
	c.Values, c.Learned = []string{"1", "2"}, true
	p := &Preprocessing{Columns: []columns.Column{c}}
	var all Counts
	for _, text := range []string{"kind\n1.0\nx\n+2\ny\nx\n", "kind\ny\nz\nw\n"} {
		l := must(p.SniffFile("f.csv", strings.NewReader(text), columns.Reading{}))
		r := must(NewReader(open(t, must(p.Apply(l)), text), p))
		var batch Batch
		for err := error(nil); err != io.EOF; {
			if err = r.Next(&batch); err != nil && err != io.EOF {
				t.Fatal(err)
			}
		}
		all.Merge(r.Counts())
		if notes := Notes(l, p, nil, nil); len(notes) > 0 {
			t.Errorf("of a model's file: %v", notes)
		}
	}
	got := sentences(p.cellNotes(&all))
	want := []string{`category-unknown kind 6: 6 cells of column "kind" have categories that were not met before, ` +
		`such as "x", "y" and "z", and count as none; correct them, or learn from rows that have them`}
	if !slices.Equal(got, want) || all.Rows != 8 {
		t.Errorf("%d rows, %q; want %q", all.Rows, got, want)
	}
}

// TestExamplesOfTwoColumns: two columns with the same fate have a note each, with their own examples.
func TestExamplesOfTwoColumns(t *testing.T) {
	kind, hue := columns.NewColumn("kind", columns.AsCategory), columns.NewColumn("hue", columns.AsCategory)
	p := &Preprocessing{Columns: []columns.Column{kind, hue}}
	counts := &Counts{Missing: make([]int64, 2), Unknown: []int64{2, 1}, Examples: [][]string{{"x", "y"}, {"blue"}}}
	var got []string
	for _, n := range p.cellNotes(counts) {
		got = append(got, n.What)
	}
	want := []string{
		`2 cells of column "kind" have categories that were not met before, such as "x" and "y", and count as none`,
		`1 cell of column "hue" has a category that was not met before, such as "blue", and counts as none`}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestGuessesAreSaid: an encoding that is guessed, and words where no number is left, are never in silence.
func TestGuessesAreSaid(t *testing.T) {
	text := "weight;class\n"
	for i := range 30 {
		text += fmt.Sprintf("ca. %d.5 kg;%s\n", i, []string{"gut", "sch\xf6n"}[i%2])
	}
	want := []string{
		`encoding-guessed  0: the text is not UTF-8, and is read as Windows-1252; ` +
			`save it in UTF-8 if names or texts look wrong`,
		`label-guessed class 0: column "class" is taken as the label, by its name; name another label, or none, if it is not`,
		`words-guessed weight 0: column "weight" is read as text, and its words become coordinates; ` +
			`give it another role if it is none, or write its cells as numbers`,
	}
	if got := sentences(notesOf(t, text, nil)); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	asked := func(l *Layout, p *Preprocessing) *Layout {
		l = l.With(0, columns.AsWords).With(1, columns.AsLabel)
		*p = *NewPreprocessing(l)
		return l
	}
	if got := sentences(notesOf(t, text, asked)); !slices.Equal(got, want[:1]) {
		t.Errorf("asked for: %s", strings.Join(got, "\n"))
	}
}

// TestManyNotes: columns and reasons beyond the first are counted together.
func TestManyNotes(t *testing.T) {
	var head, row strings.Builder
	for i := range 50 {
		fmt.Fprintf(&head, "c%d,", i)
		row.WriteString("x,")
	}
	notes := notesOf(t, head.String()+"a\n"+strings.Repeat(row.String()+"1\n", 3), nil)
	if len(notes) != mostNotes+1 || notes[mostNotes].Count != 30 ||
		notes[mostNotes].What != "30 more columns are not used" {
		t.Errorf("%d notes, the last %+v", len(notes), notes[len(notes)-1])
	}
	var u Unused
	for i := range 40 {
		for range 2 {
			u.Add(&Problem{File: "f", Line: int64(i + 1), Place: columnName(i), What: `"x" is not a number`})
		}
	}
	var twice Unused
	twice.Merge(&u)
	twice.Merge(&u)
	total := int64(0)
	for _, n := range twice.notes("f") {
		total += n.Count
	}
	if n := twice.notes("g"); len(n) != mostNotes || total != 160 || n[0].Count != 4 ||
		n[0].What != `4 rows are left out, the first at f, line 1, column 1: "x" is not a number` {
		t.Errorf("%d rows in %d notes: %v", total, len(n), n)
	}
}

// Texts that are alike as far as they are quoted are named once.
func TestUnknownLabelsAlike(t *testing.T) {
	note := UnknownLabels(3, []string{"Coalition reported together, 1", "Coalition reported together, 2", "on-line"})
	const want = `3 rows have labels that the model does not know, such as "Coalition reported toget…" and "on-line"`
	if note.What != want {
		t.Errorf("%s\nwant %s", note.What, want)
	}
}

// TestSignsInTexts: texts of JSON whose numbers have signs between thousands or a decimal comma are said to be texts
// for that. They were said to be words.
func TestSignsInTexts(t *testing.T) {
	for _, cells := range [][]string{{"12,345", "7,100", "1,234,567"}, {"1.234,50", "12,5", "7"},
		{"1 234", "12 500", "7"}} {
		table := ""
		for i, cell := range cells {
			table += fmt.Sprintf("{\"income\": %q, \"name\": \"n%d\", \"y\": %d}\n", cell, i, i)
		}
		l, err := Sniff("t.jsonl", []byte(table), true, columns.Reading{})
		if err != nil {
			t.Fatal(err)
		}
		notes := Notes(l, NewLearnPreprocessing(l), nil, nil)
		at := slices.IndexFunc(notes, func(n columns.Note) bool { return n.Code == columns.NoteText })
		want := `column "income" is read as text, because "` + cells[0] +
			`" has signs that numbers of such a file do not have`
		if at < 0 || notes[at].What != want || notes[at].Remedy != "write them as 1234.5" {
			t.Errorf("the notes are %+v, want %s", notes, want)
		}
	}
}
