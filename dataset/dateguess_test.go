package dataset

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/dataset/columns"
)

// datesTable returns rows whose first cell is a date: among days with the day first, some with the month first, and
// some that do not show it.
func datesTable(days, months, either int) string {
	var b strings.Builder
	b.WriteString("when,x\n")
	for i := range days + months + either {
		day, month := 13+i%15, 1+i%12
		switch {
		case i < days:
		case i < days+months:
			day, month = month, day
		default:
			day = 1 + i%11
		}
		fmt.Fprintf(&b, "%02d/%02d/2026,%d\n", day, month, i%7)
	}
	return b.String()
}

// TestDatesOfBothOrders: a column half of whose dates have the other order is no date by a majority of 51 %, and says
// so; a few of them are noted, with the dates whose order nobody knows.
func TestDatesOfBothOrders(t *testing.T) {
	const remedy = "write all in one form, such as 2026-11-20"
	isText := func(why string) string { return `column "when" is read as text, because ` + why + "; " + remedy }
	for name, c := range map[string]struct {
		text, want string
		kind       columns.Type
	}{
		"halves": {datesTable(51, 49, 0), isText(`51 of its first dates have the day first, such as "13/01/2026", and 49 ` +
			`the month, such as "04/19/2026"`), columns.Text},
		"six per cent": {datesTable(94, 6, 20), isText(`94 of its first dates have the day first, such as "13/01/2026", ` +
			`and 6 the month, such as "11/17/2026"; 20 do not show it`), columns.Text},
		"two per cent": {datesTable(98, 2, 20), `the day is taken to come first in the dates of column "when", although ` +
			`it is the month in 2 of its first, such as "03/21/2026", and 20 do not show the order, such as "02/05/2026"; ` +
			remedy + `, or read the file with dates "month-day-year"`, columns.Date},
		"one order": {datesTable(100, 0, 20), "", columns.Date},
		"two columns": {"b,when\n" + strings.Repeat("13/02/2026,02/14/2026\n", 20) + "13/02/2026,2026-02-14\n",
			isText(`20 of its first dates have the month first, such as "02/14/2026", and other columns the day`),
			columns.Text},
		"short years": {"when,x\n" + strings.Repeat("31.12.26,1\n1.2.25,2\n", 5), `column "when" is read as text, because ` +
			`the year of dates such as "31.12.26" has two digits; write it with four`, columns.Text},
		"JSON": {strings.Repeat(`{"when":"31.12.2026","x":1}`+"\n", 5), isText(`dates such as "31.12.2026" have no year ` +
			`first`), columns.Text},
	} {
		l := mustSniff(t, "f", c.text)
		i := slices.IndexFunc(l.Columns, func(c Column) bool { return c.Name == "when" })
		got := ""
		p := NewLearnPreprocessing(l)
		for _, n := range Notes(l, p, nil, nil) {
			if n.Code == columns.NoteText || n.Code == columns.NoteDates {
				got += n.String()
			}
		}
		if c.want == "" && got != "" || !strings.HasPrefix(got, c.want) || l.Columns[i].Type != c.kind {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, l.Columns[i].Type, got, c.want)
		}
	}
}

// TestDatesOfBothOrdersAsked: where a person makes dates of them, the order of the file is said, and what contradicts
// it is left out, with the reason.
func TestDatesOfBothOrdersAsked(t *testing.T) {
	text := datesTable(60, 40, 20)
	l := mustSniff(t, "f.csv", text).With(0, columns.AsDate).WithLabel(-1)
	p := NewPreprocessing(l)
	_, r, err := vectors(t, l, text, p)
	if err != nil {
		t.Fatal(err)
	}
	got := sentences(Notes(l, p, r.Counts(), r.Unused()))
	want := []string{`dates-guessed when 40: the day is taken to come first in the dates of column "when", although ` +
		`it is the month in 40 of its first, such as "01/13/2026", and 20 do not show the order, such as "02/05/2026"; ` +
		`write all in one form, such as 2026-11-20, or read the file with dates "month-day-year"`,
		`rows-left-out  40: 40 rows are left out, the first at line 62, column "when": "01/13/2026" is not a date with ` +
			`the day first, but one with the month first; read the file with dates "month-day-year", or use the column ` +
			`for something else`}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestDatesBesideISO: a column half of whose dates have the year first is read, both halves.
func TestDatesBesideISO(t *testing.T) {
	text := "when,x\n" + strings.Repeat("2026-02-14,1\n14.02.2026,2\n2026-02-15,3\n", 10)
	l := mustSniff(t, "f.csv", text)
	rows, r, err := vectors(t, l, text, NewPreprocessing(l))
	if err != nil || len(rows) != 30 || rows[0][0] != rows[1][0] || len(l.Notes()) > 0 {
		t.Errorf("%d rows, %v, %v, %v", len(rows), r.Unused(), err, l.Notes())
	}
}
