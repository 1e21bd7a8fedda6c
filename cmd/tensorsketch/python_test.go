//go:build !js

package main

import (
	encodingcsv "encoding/csv"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/test/need"
)

// mixedTable returns rows of numbers, categories, dates and texts, with missing, unknown and unusable cells, and a
// label or a number that depends on them.
func mixedTable(rng *rand.Rand, n int, semicolons bool) string {
	var b strings.Builder
	b.WriteString("size,kind,code,when,note,species,price\n")
	pick := func(texts ...string) string { return texts[rng.Intn(len(texts))] }
	for range n {
		size, kind := 3*rng.NormFloat64(), pick("red", "green", "blue")
		month, note := 1+rng.Intn(12), pick("a round one", "two wide ÜBER", "three_x wide", "☃ 漢字 one")
		species := "first"
		switch {
		case size > 1 == (kind == "red"):
			species = "second"
		case month > 8:
			species = "Ümlaut"
		}
		price := size*float64(month)/10 + float64(len(note))
		cell := fmt.Sprintf("%.3f", size)
		switch rng.Intn(12) {
		case 0:
			cell = pick("", "NA", " 2 ", "1e1", "$ 1234.5", "7 %")
		case 1:
			kind = pick("", "violet", " red ")
		}
		when := fmt.Sprintf("%04d-%02d-%02d", 1950+rng.Intn(100), month, 1+rng.Intn(28))
		switch rng.Intn(8) {
		case 0:
			when += fmt.Sprintf("T%02d:%02d:%02d.25%s", rng.Intn(24), rng.Intn(60), rng.Intn(60), pick("", "Z", "+01:30"))
		case 1:
			when = pick("", when[:4]+"-02-30")
		}
		fmt.Fprintf(&b, "%s,%s,%d,%s,%s,%s,%.4f\n", cell, kind, 1+rng.Intn(50), when, note, species, price)
	}
	if !semicolons {
		return b.String()
	}
	lines := strings.SplitAfter(strings.NewReplacer(",", ";", ".", ",").Replace(b.String()), "\n")
	for i := range lines[1:] { // dates with the day first, and thousands
		cells := strings.Split(lines[i+1], ";")
		if len(cells) < 4 || len(cells[3]) != 10 {
			continue
		}
		cells[3] = cells[3][8:] + "." + cells[3][5:7] + "." + cells[3][:4]
		cells[2] = "1." + fmt.Sprintf("%03s", cells[2])
		lines[i+1] = strings.Join(cells, ";")
	}
	return strings.Join(lines, "")
}

// unitTable returns rows of numbers with what people write beside them: units, currencies, per cent, times, groups of
// India, and cells that lack the unit or have another one.
func unitTable(rng *rand.Rand, n int) string {
	var b strings.Builder
	b.WriteString("weight,cost,share,at,took,homes,plain,total\n")
	one := func(usual string, others ...string) string {
		if rng.Intn(15) > 0 {
			return usual
		}
		return others[rng.Intn(len(others))]
	}
	for range n {
		kg, euros, percent := 40+60*rng.Float64(), rng.Intn(99), rng.Intn(100)
		minutes, homes := rng.Intn(1440), 1e5+rng.Intn(1e7)
		lakh := fmt.Sprint(homes)
		for at := len(lakh) - 3; at > 0; at -= 2 {
			lakh = lakh[:at] + "," + lakh[at:]
		}
		clock := fmt.Sprintf("%d:%02d", minutes/60, minutes%60)
		fmt.Fprintf(&b, "%s,%s,%s,%s,%q,%q,%s,%.2f\n",
			one(fmt.Sprintf("%.1f kg", kg), "61.5", "", "5 lb", "7 %", "$3 kg", "1e2kg", "-70.25\u00a0kg"),
			one(fmt.Sprintf("EUR %d", euros), "12", "EUR", "$ 5", "(EUR 5)", "EUR -5"),
			one(fmt.Sprintf("%d%%", percent), "0.46", "46", "7 $", "1e1%", "(5%)", "−3 %"),
			one(clock, "7", "7:61", "12:05 am", "1:30:59.25 PM", "13:00 PM", "8 h"),
			one("P1DT2H3M4.5S", "1 days 06:30:00", "-1 day, 23:30:00", "PT", "P1D", "-PT30M", "100:00", "1234567:00",
				"2 day 7:05"),
			one(lakh, "12,34,567", "0,123", "1,2,345", "1,234.5", "12,345,67"),
			one(fmt.Sprint(euros), "5 %", "$5", "true", "5 kg", "5%%"),
			kg+float64(euros+percent+minutes)+float64(homes)/1e6)
	}
	return b.String()
}

// notedTable returns rows that the model of the first of them takes without a note, and rows with a few of each cell of
// which the shell says something.
func notedTable(rng *rand.Rand, n int, isNoted bool) string {
	var b strings.Builder
	b.WriteString("weight,share,at,plain,kind,total\n")
	one := func(usual string, others ...string) string {
		if !isNoted || rng.Intn(12) > 0 {
			return usual
		}
		return others[rng.Intn(len(others))]
	}
	for range n {
		kg := 40 + 60*rng.Float64()
		fmt.Fprintf(&b, "%s,%s,%s,%s,%s,%.2f\n", one(fmt.Sprintf("%.1f kg", kg), "61.5", "70", "9999 kg"),
			one(fmt.Sprintf("%d%%", rng.Intn(100)), "0.46", "46"),
			one(fmt.Sprintf("%d:%02d", rng.Intn(24), rng.Intn(60)), "7"),
			one(fmt.Sprint(rng.Intn(9)), "5 %", "$5", "99999", "4.5"), one(string('a'+rune(rng.Intn(3))), "new", "newer", ""),
			kg+rng.Float64())
	}
	return b.String()
}

// withMistakes returns a table with each row twice, the second time with one cell as people and programs spoil them.
func withMistakes(t *testing.T, rng *rand.Rand, table, delimiter string) string {
	t.Helper()
	reader := encodingcsv.NewReader(strings.NewReader(table))
	reader.Comma = rune(delimiter[0])
	rows := need.Value(reader.ReadAll())(t)
	signs := strings.Split("0 1 5 9 . , - + % € $ ( ) e E k g : ' / P D T H M S NA nan inf kg EUR day pm ½ "+
		"\u00a0 \u2009 \u2212 \u2019", " ")
	for _, row := range rows[1:] {
		spoiled := slices.Clone(row)
		column := rng.Intn(len(row) - 1) // not the label
		cell := []rune(row[column])
		for range 1 + rng.Intn(2) {
			at := rng.Intn(len(cell) + 1)
			switch sign := []rune(signs[rng.Intn(len(signs))]); {
			case rng.Intn(3) == 0 && at < len(cell):
				cell = slices.Delete(cell, at, at+1)
			case rng.Intn(3) == 0:
				cell = slices.Insert(cell, at, ' ')
			default:
				cell = slices.Insert(cell, at, sign...)
			}
		}
		spoiled[column] = string(cell)
		rows = append(rows, spoiled)
	}
	var b strings.Builder
	writer := encodingcsv.NewWriter(&b)
	writer.Comma = reader.Comma
	need.OK(t, writer.WriteAll(rows))
	return b.String()
}

// TestPython: numpymodel.py of python/ has the features and predictions of this program for the same files, row by row,
// says the same of their cells, and leaves out the same rows. It runs all tests of python/.
func TestPython(t *testing.T) {
	python := ""
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(name, "-c", "import numpy").Run() == nil {
			python = name
			break
		}
	}
	if python == "" {
		t.Skip("no python3 here has numpy: install python3-numpy")
	}
	folder := samples(t)
	rng := rand.New(rand.NewSource(7))
	write(t, folder, "mixed.csv", mixedTable(rng, 600, false))
	write(t, folder, "mixed-new.csv", withMistakes(t, rng, mixedTable(rng, 500, false), ","))
	write(t, folder, "units.csv", unitTable(rng, 600))
	write(t, folder, "units-new.csv", withMistakes(t, rng, unitTable(rng, 900), ","))
	write(t, folder, "noted.csv", notedTable(rng, 300, false))
	write(t, folder, "noted-new.csv", notedTable(rng, 300, true))
	write(t, folder, "german.csv", mixedTable(rng, 600, true))
	write(t, folder, "german-new.csv", withMistakes(t, rng, mixedTable(rng, 500, true), ";"))
	mixed := []string{"--number", "size", "--category", "kind", "--words", "note", "--width", "50", "--date", "when"}
	for _, c := range []struct {
		name, table string
		fit         []string
	}{
		{"rings", "rings", rings},
		{"rings, hinge", "rings", append(rings, "--loss", "squared-hinge", "--method", "complex-tensor-sketch")},
		{"species", "mixed", append(mixed, "--label", "species", "--ignore", "code,price", "--missing", "drop", "--parts",
			"days,year,week,day", "--word-ngrams", "1-2", "--char-ngrams", "2-3")},
		{"species, every cell filled", "mixed", append(mixed, "--label", "species", "--ignore", "price", "--missing",
			"zero", "--category", "code", "--hashed", "7", "--scaling", "standard", "--normalize", "kernel", "--repeats", "3",
			"--components", "60", "--loss", "logistic")},
		{"species, counted", "mixed", append(mixed, "--label", "species", "--ignore", "code,price", "--method",
			"count-sketch", "--components", "64", "--unit-norm=false", "--scaling", "standard", "--folds", "0")},
		{"price", "german", append(mixed, "--number", "code", "--label", "price", "--ignore", "species", "--missing", "drop",
			"--delimiter", ";", "--decimal", ",", "--thousands", ".", "--dates", "day-month-year", "--task", "regress",
			"--components", "128", "--parts", "year,days")},
		{"price, complex", "mixed", append(mixed, "--label", "price", "--ignore", "species,code", "--task", "regress",
			"--method", "complex-tensor-sketch", "--degree", "2", "--coef0", "1", "--components", "100", "--gamma", "0.5")},
		{"total, with units", "units", []string{"--label", "total", "--number", "plain,took,homes", "--missing", "mean",
			"--components", "64", "--task", "regress"}},
		{"total, with notes", "noted", []string{"--label", "total", "--search", "linear"}},
	} {
		file := func(kind string) string { return filepath.Join("cases", c.name+kind) }
		if err := os.MkdirAll(filepath.Join(folder, "cases"), 0o755); err != nil {
			t.Fatal(err)
		}
		mustCall(t, folder, nil, with("fit", append(c.fit, c.table+".csv", "-o", file(".model.json"), "--quiet")...)...)
		rows := file(".csv")
		write(t, folder, rows, read(t, filepath.Join(folder, c.table+"-new.csv")))
		predict := []string{rows, "--model", file(".model.json"), "-o", file(".jsonl"), "--row-numbers"}
		if strings.Contains(read(t, filepath.Join(folder, file(".model.json"))), `"calibration"`) {
			predict = append(predict, "--probabilities")
		}
		if said := mustCall(t, folder, nil, with("predict", predict...)...); c.table == "noted" {
			write(t, folder, file(".notes"), said.stderr)
		}
		mustCall(t, folder, nil, with("transform", rows, "--model", file(".model.json"), "-o", file(".npy"), "--quiet")...)
	}
	command := exec.Command(python, "-W", "error::RuntimeWarning", "-m", "unittest", "discover", "-s", "../../python")
	command.Env = append(os.Environ(), "TENSORSKETCH_CASES="+filepath.Join(folder, "cases"), "PYTHONDONTWRITEBYTECODE=1")
	out, err := command.CombinedOutput()
	if err != nil {
		t.Errorf("%s -m unittest: %v", python, err)
	}
	t.Logf("%s", out)
}
