package columnar

import (
	"bytes"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"

	"tensorsketch.example/dataset"
)

// sheetRows are the cells of all rows of a workbook, each after its number, and the
// problems of the rows that are left out.
func sheetRows(l *dataset.Layout, f dataset.File) (rows []string, problems []string, err error) {
	next := *l
	next.Columns = append([]dataset.Column(nil), l.Columns...)
	for i := range next.Columns {
		next.Columns[i].Role = dataset.AsKept
	}
	s, err := next.Open(io.NewSectionReader(f, 0, f.Size()))
	if err != nil {
		return nil, nil, err
	}
	s.Unused().Report = func(p *dataset.Problem) { problems = append(problems, p.Error()) }
	var b dataset.Block
	for err = s.Next(&b); err == nil; err = s.Next(&b) {
		for row := range b.Rows() {
			cells := []string{}
			for i := range next.Columns {
				cells = append(cells, string(b.Text(row, i)))
			}
			rows = append(rows, strings.Join(cells, "|"))
		}
	}
	if err == io.EOF {
		err = nil
	}
	return rows, problems, err
}

// TestWorkbooksOfOthers: openpyxl's, in both systems of dates (testdata/workbook.py).
func TestWorkbooksOfOthers(t *testing.T) {
	const at = "|2024-05-06T07:08:09.5|"
	want := []string{
		"0.5|c\nd|2024-02-27" + at + "1|44000", "1.5|a & b|2024-02-28" + at + "0|44001", "2.5||2024-02-29" + at + "1|44002",
		"3.5|a & b|1999-12-31" + at + "0|44003", "4.5|c\nd|1999-12-31" + at + "1|44004", "5.5|a & b|1999-12-31" + at + "0|44005",
		"x|||||1234567.25", "-1.5e-07|||||",
	}
	for _, name := range []string{"openpyxl-1900.xlsx", "openpyxl-1904.xlsx"} {
		content, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		f := bytes.NewReader(content)
		l, err := dataset.SniffFile(name, f, dataset.Reading{})
		if err != nil {
			t.Fatal(err)
		}
		var names, types []string
		for _, c := range l.Columns {
			names, types = append(names, c.Name), append(types, c.Type.String())
		}
		if l.Format != dataset.XLSX || !l.Header || strings.Join(names, " ") != "width kind day at yes own" ||
			strings.Join(types, " ") != "number text date date integer number" || !reflect.DeepEqual(l.Guessed, []string{"format", "compression", "header"}) {
			t.Errorf("%s: %v, header %v, %q, %q, guessed %q", name, l.Format, l.Header, names, types, l.Guessed)
		}
		rows, problems, err := sheetRows(l, f)
		if err != nil || problems != nil || !reflect.DeepEqual(rows, want) {
			t.Errorf("%s: %q, %q, %v, want %q", name, rows, problems, err, want)
		}
		typed, err := dataset.SniffFile(name, f, l.Reading())
		if err != nil || typed.Guessed != nil || typed.Columns[1].Name != "kind" {
			t.Errorf("%s, typed: %+v, %v", name, typed, err)
		}
		source, err := l.Open(f)
		if err != nil {
			t.Fatal(err)
		}
		var b dataset.Block
		for err = source.Next(&b); err == nil; err = source.Next(&b) {
		}
		if first := source.Unused().First; len(first) != 1 || first[0].Error() != name+`, row 9, column 1 ("width"): "x" is not a number; correct it, or use the column for something else.` {
			t.Errorf("%s: left out %v", name, first)
		}
	}
}
