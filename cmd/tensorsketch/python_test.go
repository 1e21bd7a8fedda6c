//go:build !js

package main

import (
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
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

// TestPython: numpymodel.py of python/ has the features and predictions of this program for the same files, row by row,
// and leaves out the same rows. It runs all tests of python/.
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
	write(t, folder, "mixed-new.csv", mixedTable(rng, 500, false))
	write(t, folder, "german.csv", mixedTable(rng, 600, true))
	write(t, folder, "german-new.csv", mixedTable(rng, 500, true))
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
	} {
		file := func(kind string) string { return filepath.Join("cases", c.name+kind) }
		if err := os.MkdirAll(filepath.Join(folder, "cases"), 0o755); err != nil {
			t.Fatal(err)
		}
		mustCall(t, folder, nil, with("fit", append(c.fit, c.table+".csv", "-o", file(".model.json"), "--quiet")...)...)
		rows := file(".csv")
		write(t, folder, rows, read(t, filepath.Join(folder, c.table+"-new.csv")))
		predict := []string{rows, "--model", file(".model.json"), "-o", file(".jsonl"), "--row-numbers", "--quiet"}
		if strings.Contains(read(t, filepath.Join(folder, file(".model.json"))), `"calibration"`) {
			predict = append(predict, "--probabilities")
		}
		mustCall(t, folder, nil, with("predict", predict...)...)
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
