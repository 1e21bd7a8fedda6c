package dataset

import (
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/test/cases"
)

// TestHeaderOfNumbers: what is a header of numbers, and what is not.
func TestHeaderOfNumbers(t *testing.T) {
	rows := func(first string, others ...string) string { return first + "\n" + strings.Join(others, "\n") + "\n" }
	small := []string{"0.2,0.25,0.5", "0.3,0.2,0.4", "0.1,0.5,0.6", "0.2,0.9,0.1", "0.7,0.3,0.2"}
	for name, c := range map[string]struct {
		text     string
		isHeader bool
		notes    int
	}{
		"wavelengths":         {rows("400,402.5,405", small...), true, 1},
		"falling wavenumbers": {rows("4000,3998,3996", small...), true, 1},
		"rounded steps":       {rows("400.0,401.7,403.3", small...), true, 1},
		"years of counts":     {rows("2019,2020,2021", "5,6,7", "1,9,3", "2,2,2", "8,1,4"), true, 1},
		"dates above numbers": {rows("2020-01-01,2020-01-02,2020-01-03", small...), true, 0},
		"bins with a label":   {rows("1,2,5,10,class", "3,1,4,1,a", "9,2,6,5,b", "3,5,8,9,a", "7,9,3,2,b"), true, 1},
		"a target's own name": {rows("1,2,5,10,yield", "3,1,4,1,7.5", "9,2,6,5,1.5", "3,5,8,9,2.5", "7,9,3,2,3.5"), true, 1},
		"years among counts": {rows("Country,1990,1991,1992,1993", "A,5285,5980,1015,4488", "B,1542,..,6355,2217",
			"C,1800,2500,1990,4400", "D,3300,1100,2200,9100"), true, 1},
		"empty names": {rows("A,,,C", "1,2.5,3,x", "2,3.5,1,y", "3,2.5,9,x", "4,1.5,2,y"), true, 1},

		"numbers of a data frame":  {rows("0,1,2", "4,2,9", "5,5,1", "2,8,3", "6,1,1"), true, 1},
		"small steps by chance":    {rows("1,2,3", "4,2,9", "5,5,1", "2,8,3", "6,1,1"), false, 1},
		"far, without equal steps": {rows("70,20,90", small...), false, 0},
		"three numbers that rise":  {rows("400,405,500", small...), false, 0},
		"totals above their parts": {rows("World,900,950,999,1100", "A,9,8,7,6", "B,1,2,3,5", "C,8,3,1,2",
			"D,4,4,1,9"), false, 1},
		"equal steps in other rows": {rows("A,1990,1991,1992,1993", "B,5285,5980,1015,4488", "C,2000,2001,2002,2003",
			"D,1800,2500,1990,4400", "E,3300,1100,2200,9100"), false, 0},
		"a series that grows": {rows("50000,50500,51000", "50031,50507,51077", "50062,50514,51154", "50093,50521,51231",
			"50124,50528,51308"), false, 0},
		"a row that counts, and all": {rows("0,1,2,3", "1,2,3,4", "2,3,4,5", "3,4,5,6", "4,5,6,7"), false, 0},
		"few rows":                   {rows("400,402.5,405", small[:2]...), false, 0},
		"a cell that is no number":   {rows("5,?,x,4,1", "3,1,4,1,7", "9,2,6,5,1", "3,5,8,9,2", "7,9,3,2,3"), false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			l := mustSniff(t, "f.csv", c.text)
			if l.Header != c.isHeader || len(l.Notes()) != c.notes {
				t.Errorf("header %v with notes %v", l.Header, l.Notes())
			}
		})
	}
}

// TestTypedHeader: a typed header is no guess, and there is no note about it.
func TestTypedHeader(t *testing.T) {
	const text = "400,402,404\n0.2,0.1,0.5\n0.3,0.2,0.4\n0.1,0.5,0.6\n0.2,0.9,0.1\n"
	for _, header := range []bool{true, false} {
		l := sniffAs(t, "f.csv", text, columns.Reading{Header: &header})
		if l.Header != header || len(l.Notes()) > 0 {
			t.Errorf("header %v, got %v with notes %v", header, l.Header, l.Notes())
		}
	}
}

// TestNoRowIsAHeader: no first row of random numbers is taken as a header. The tables have normal, heavy-tailed, sorted
// and small whole numbers, with and without a column of classes. A row 0, 1, 2, … is one, as data frames write it.
func TestNoRowIsAHeader(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 38))
	kinds := []func(row, column int) string{
		func(int, int) string { return fmt.Sprintf("%.4f", random.NormFloat64()) },
		func(int, int) string { return fmt.Sprintf("%.3g", random.NormFloat64()/random.NormFloat64()) },
		func(row, _ int) string { return fmt.Sprint(float64(row) + random.Float64()) },
		func(row, column int) string { return fmt.Sprint(100*column + row + random.IntN(5)) },
		func(int, int) string { return fmt.Sprint(random.IntN(10)) },
		func(int, int) string { return fmt.Sprint(1950 + random.IntN(70)) },
		func(int, int) string { return fmt.Sprint(random.IntN(2)) },
	}
	for n := range 20_000 {
		cell := kinds[n%len(kinds)]
		width, rows := 1+random.IntN(8), 2+random.IntN(12)
		var text strings.Builder
		for row := range rows {
			for column := range width {
				text.WriteString(cell(row, column) + ",")
			}
			text.WriteString(string(rune('a'+random.IntN(3))) + "\n")
		}
		table := text.String()
		if n%2 == 0 { // without the classes
			table = strings.NewReplacer(",a\n", "\n", ",b\n", "\n", ",c\n", "\n").Replace(table)
		}
		l, err := Sniff("f.csv", []byte(table), true, columns.Reading{})
		if err != nil || l.Header && !strings.HasPrefix(table, "0,1,2") {
			t.Fatalf("header %v, %v:\n%s", l != nil && l.Header, err, table)
		}
	}
}

// TestSharedTablesWithoutHeader: of real tables, the header is found, and no row is taken for one where it is cut off.
func TestSharedTablesWithoutHeader(t *testing.T) {
	for _, name := range cases.NeedTables(t) {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		u, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		head, err := io.ReadAll(io.LimitReader(u, 256<<10))
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		whole := len(head) < 256<<10
		l, err := Sniff(name, head, whole, columns.Reading{})
		if err != nil || !l.Header {
			t.Fatalf("%s: %v, its header is not found: %v", name, err, l)
		}
		want := map[string]string{ // doors has 5more, persons more
			"car.csv.gz": "numbers-as-text:doors numbers-as-text:persons",
		}[filepath.Base(name)]
		if codes := noteCodes(l); codes != want {
			t.Errorf("%s: notes %s", name, codes)
		}
		_, rows, _ := strings.Cut(string(head), "\n")
		if l, err := Sniff(name, []byte(rows), whole, columns.Reading{}); err != nil || l.Header {
			t.Errorf("%s: %v, a row is taken for a header: %.100s", name, err, rows)
		}
	}
}
