package labels

import (
	"fmt"
	"strings"
	"testing"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/sketch/learn"
)

// column returns the layout of a table with one column, and the statistics of its cells.
func column(t *testing.T, cells []string) (*dataset.Layout, *Stats) {
	t.Helper()
	table := "y\n" + strings.Join(cells, "\n") + "\n"
	header := true
	l, err := dataset.Sniff("t.csv", []byte(table), true, columns.Reading{Format: "csv", Header: &header})
	if err != nil {
		t.Fatal(err)
	}
	s := NewStats(l, &l.Columns[0])
	for _, cell := range cells {
		s.See([]byte(cell))
	}
	return l, s
}

// said is the label of a cell as Go writes it: a number is 7, a text "7". A word for a missing one is itself.
func said(r *Reader, cell string) string {
	l, what := r.Read([]byte(cell))
	if what != "" && what == lacking([]byte(cell)) {
		return cell
	} else if what != "" {
		return what
	}
	return fmt.Sprintf("%#v", l.Value())
}

// TestLabels: which label a cell is depends on what all cells of its column are.
func TestLabels(t *testing.T) {
	for _, test := range []struct {
		cells     string // of the column; each becomes a label
		want      string
		task      string
		different int
		numbers   bool
	}{
		{"1.0 2.0 3.0 1.0", "1 2 3 1", learn.TaskClassify, 3, true},
		{"1 1.0 +1 2", "1 1 1 2", learn.TaskClassify, 2, true},
		{"1.0 -1.0 NA", `1 -1 missing`, learn.TaskClassify, 2, true},
		{"7 red blue", `7 "red" "blue"`, learn.TaskClassify, 3, false},
		{"7.0 red blue NA", `"7.0" "red" "blue" NA`, learn.TaskClassify, 3, false},
		{"yes no n/a none nan ?", `"yes" "no" n/a "none" nan ?`, learn.TaskClassify, 3, false},
		{"unknown known unknown NA", `"unknown" "known" "unknown" NA`, learn.TaskClassify, 2, false},
		{"DE NA FR NA", `"DE" "NA" "FR" "NA"`, learn.TaskClassify, 3, false}, // Namibia
		{"+ - + ?", `"+" "-" "+" "?"`, learn.TaskClassify, 3, false},
		{"yes no - NA", `"yes" "no" - NA`, learn.TaskClassify, 2, false},
		{"007 7 7.0 007", `"007" 7 "7.0" "007"`, learn.TaskClassify, 3, false},
		{"01234 98765 01234", `"01234" 98765 "01234"`, learn.TaskClassify, 2, false},
		{"0 1 0.0", "0 1 0", learn.TaskClassify, 2, true},
		{"0.5 1 2", "0.5 1 2", learn.TaskRegress, 3, true},
		{"12345678901234567890 12345678901234567891", `"12345678901234567890" "12345678901234567891"`,
			learn.TaskClassify, 2, true},
		{"true false", `"true" "false"`, learn.TaskClassify, 2, false},
	} {
		cells := strings.Fields(test.cells)
		l, s := column(t, cells)
		r := NewReader(l, s.Numbers())
		var got []string
		for _, cell := range cells {
			got = append(got, strings.Replace(said(r, cell), "the label is missing", "missing", 1))
		}
		if strings.Join(got, " ") != test.want || s.Task() != test.task || s.Different() != test.different ||
			s.Numbers() != test.numbers {
			t.Errorf("%s are %s, task %s, %d different, numbers %v; want %s, %s, %d, %v", test.cells, got, s.Task(),
				s.Different(), s.Numbers(), test.want, test.task, test.different, test.numbers)
		}
	}
}

// TestKnownLabels: a cell is the class of a model that it spells, else the one of the same number.
func TestKnownLabels(t *testing.T) {
	number, text := learn.NumberLabel, learn.TextLabel
	for _, test := range []struct {
		classes []learn.Label
		cells   string
		want    string
	}{
		{[]learn.Label{number(1), number(2)}, "1 1.0 +2 NA 3", "1 1 2 missing 3"},
		{[]learn.Label{number(7), text("red")}, "7 7.0 red blue NA", `7 7 "red" "blue" NA`},
		{[]learn.Label{text("yes"), text("NA")}, "yes NA na N/A", `"yes" "NA" na N/A`},
		{[]learn.Label{number(7), text("007"), text("7.0")}, "7 007 7.0 07 7.00", `7 "007" "7.0" "07" "7.00"`},
		{[]learn.Label{text("1.0"), text("red")}, "1 1.0", `"1.0" "1.0"`}, // a model of before
		{[]learn.Label{learn.BoolLabel(false), learn.BoolLabel(true)}, "true 1 0.0 2", "true true false 2"},
	} {
		l, _ := column(t, []string{"x"})
		r := NewKnownReader(l, test.classes)
		var got []string
		for _, cell := range strings.Fields(test.cells) {
			got = append(got, strings.Replace(said(r, cell), "the label is missing", "missing", 1))
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("among %v, %s are %s, want %s", test.classes, test.cells, got, test.want)
		}
	}
}

// TestUnitNotes: labels whose unit is not the one of the first rows are counted, over all rows.
func TestUnitNotes(t *testing.T) {
	const beside = `2 numbers of column "w" have no "kg" beside them, and count as if they had; ` +
		`write the unit in all of them, and the same`
	for name, c := range map[string]struct {
		cells      []string
		task, want string
	}{
		"alike":               {[]string{"3 kg", "4.5 kg"}, learn.TaskRegress, ""},
		"none beside":         {[]string{"3", "4.5", "7 kg"}, learn.TaskRegress, beside},
		"classes":             {[]string{"3", "4", "7 kg"}, learn.TaskClassify, beside},
		"another of a number": {[]string{"3 g", "4 kg"}, learn.TaskRegress, ""}, // Unused has these rows
		"another of classes": {[]string{"3 g", "4 g", "4 kg"}, learn.TaskClassify, `2 labels of column "w", such as "3 g", ` +
			`which is not a number of "kg", are classes of their own; write the unit in all of them, and the same`},
	} {
		file := "x,w\n" + strings.Repeat("1,2 kg\n2,3 kg\n", 20)
		l, err := dataset.Sniff("f.csv", []byte(file), true, columns.Reading{})
		if err != nil {
			t.Fatal(err)
		}
		l = l.WithLabel(1)
		s := NewStats(l, &l.Columns[1])
		for _, cell := range c.cells {
			s.See([]byte(cell))
		}
		got := ""
		for _, n := range s.UnitNotes(c.task) {
			got += n.String()
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
