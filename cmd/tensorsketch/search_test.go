//go:build !js

package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tensorsketch.example/test/need"
)

// searchTable is a table with words, gaps and a column that counts the rows, whose label is a ring in a and b.
func searchTable(n int) string {
	rng := rand.New(rand.NewSource(1))
	var b strings.Builder
	b.WriteString("id,a,b,kind,ring\n")
	for i := range n {
		x, y := 4*rng.Float64()-2, 4*rng.Float64()-2
		kind, ring := []string{"u", "v", "w"}[rng.Intn(3)], "inner"
		if x*x+y*y > 2.5 {
			ring = "outer"
		}
		a := fmt.Sprintf("%.3f", x)
		if rng.Intn(20) == 0 {
			a = ""
		}
		fmt.Fprintf(&b, "%d,%s,%.3f,%s,%s\n", i+1, a, y, kind, ring)
	}
	return b.String()
}

// TestSearch: fit chooses by held-out rows, says what it chose, and predicts rows with missing cells; its parts merge.
func TestSearch(t *testing.T) {
	folder := t.TempDir()
	table := searchTable(500)
	write(t, folder, "train.csv", table)
	lines := strings.SplitAfter(table, "\n")
	write(t, folder, "1.csv", lines[0]+strings.Join(lines[1:200], ""))
	write(t, folder, "2.csv", lines[0]+strings.Join(lines[200:], ""))
	said := mustCall(t, folder, nil, "fit", "train.csv", "--label", "ring", "--search", "auto", "-o", "m.json",
		"--moments", "all.tsm", "--report", "report.json")
	for _, want := range []string{"search    ", "held out  accuracy 9", " % (95 %: ", "random-fourier"} {
		if !strings.Contains(said.stdout, want) {
			t.Errorf("fit does not say %q:\n%s", want, said.stdout)
		}
	}
	var report struct {
		Candidates struct {
			Chosen  string
			HeldOut struct{ Rows int }
			All     []struct {
				Name    string
				Error   *float64
				Skipped string
			}
		}
	}
	need.OK(t, json.Unmarshal([]byte(read(t, filepath.Join(folder, "report.json"))), &report))
	if c := report.Candidates; !strings.HasPrefix(c.Chosen, "gaussian") && !strings.HasPrefix(c.Chosen, "laplacian") ||
		c.HeldOut.Rows < 50 || len(c.All) < 9 {
		t.Errorf("report: %+v", c)
	}
	model := read(t, filepath.Join(folder, "m.json"))
	mustCall(t, folder, strings.NewReader(table), "fit", "-", "--label", "ring", "--quiet", "-o", "pipe.json")
	if read(t, filepath.Join(folder, "pipe.json")) != model {
		t.Error("a pipe gives another model")
	}
	for _, part := range []string{"1", "2"} {
		mustCall(t, folder, nil, "fit", part+".csv", "--like", "all.tsm", "--moments", part+".tsm", "--quiet")
	}
	mustCall(t, folder, nil, "merge", "1.tsm", "2.tsm", "-o", "merged.tsm", "--quiet")
	if read(t, filepath.Join(folder, "merged.tsm")) != read(t, filepath.Join(folder, "all.tsm")) {
		t.Error("the merged sums are not the sums of all rows")
	}
	write(t, folder, "new.csv", "id,a,b,kind\n1,0,0,u\n2,,1.9,\n3,1.9,-1.9,new\n")
	got := mustCall(t, folder, nil, "predict", "new.csv", "--model", "m.json").stdout
	if want := "ring,id,prediction,why\n,1,inner,\n,2,outer,\n,3,outer,\n"; got != want {
		t.Errorf("predict says\n%s\nwant\n%s", got, want)
	}
	said = mustCall(t, folder, nil, "evaluate", "train.csv", "--model", "m.json")
	if !strings.Contains(said.stdout, "rows      500\n") {
		t.Errorf("evaluate says\n%s", said.stdout)
	}
}

// TestSearchTyped: what is typed is kept; where it leaves no candidate, the fit is the one without a search.
func TestSearchTyped(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, "train.csv", searchTable(200))
	model := func(args ...string) string {
		t.Helper()
		mustCall(t, folder, nil, with("fit", append([]string{"train.csv", "--label", "ring", "--quiet", "-o", "m.json"},
			args...)...)...)
		return read(t, filepath.Join(folder, "m.json"))
	}
	for _, c := range []struct{ flags, has string }{
		{"--degree 2 --components 64", `"method":"tensor-sketch","nFeatures":6,"nComponents":64,"degree":2`},
		{"--param kernel=laplacian --components 64", `"methodParams":{"kernel":"laplacian"}`},
		{"--method random-fourier --seed 5 --components 64", `"seed":"5"`},
		{"--scaling min-max --components 64", `"preparation":{"form":"mm"`},
	} {
		got := model(append(strings.Fields(c.flags), "--search", "auto")...)
		if !strings.Contains(got, c.has) {
			t.Errorf("%s: %.500s", c.flags, got)
		}
	}
	if model("--search", "auto", "--degree", "5") != model("--search", "off", "--degree", "5") {
		t.Error("--degree 5 is not fitted as without a search")
	}
	r := call(t, folder, nil, "fit", "train.csv", "--label", "ring", "-o", "m.json", "--search", "linear", "--degree", "5")
	if r.status != wrongUsage || !strings.Contains(r.stderr, "--search") {
		t.Errorf("--search linear --degree 5: %d, %s", r.status, r.stderr)
	}
}

// TestSearchWide: of more columns than moments take the linear model may be chosen, but not where parts must merge.
func TestSearchWide(t *testing.T) {
	const rows, width = 60, 6000
	var text strings.Builder
	for j := range width {
		fmt.Fprintf(&text, "w%d,", j)
	}
	text.WriteString("label\n")
	for i := range rows {
		for j := range width {
			value := "0"
			if j%41 == i%41 || j < 40 && i%2 == j%2 {
				value = "1"
			}
			text.WriteString(value + ",")
		}
		text.WriteString([]string{"even\n", "odd\n"}[i%2])
	}
	folder := t.TempDir()
	write(t, folder, "train.csv", text.String())
	fit := func(args ...string) string {
		t.Helper()
		own := append([]string{"train.csv", "--label", "label", "--search", "linear,polynomial-2", "--components", "64"},
			args...)
		return mustCall(t, folder, nil, with("fit", own...)...).stdout
	}
	said := fit("-o", "m.json")
	const note = "with mergeable, the choice would be polynomial-2"
	if !strings.Contains(said, "search    linear") || !strings.Contains(said, note) {
		t.Errorf("fit says\n%s", said)
	}
	said = mustCall(t, folder, nil, "evaluate", "train.csv", "--model", "m.json").stdout
	if !strings.Contains(said, "accuracy  100") {
		t.Errorf("evaluate says\n%s", said)
	}
	interval := []string{"predict", "train.csv", "--model", "m.json", "--interval", "0.9"}
	if r := call(t, folder, nil, interval...); r.status != wrongUsage || !strings.Contains(r.stderr, "Fit it mergeable") {
		t.Errorf("%q: %d, %s", interval, r.status, r.stderr) // folds alone, which are the default, are no help
	}
	for _, args := range [][]string{{"--mergeable"}, {"--moments", "m.tsm"}} {
		if said := fit(append(args, "-o", "m.json")...); !strings.Contains(said, "search    polynomial-2") {
			t.Errorf("fit %s says\n%s", args, said)
		}
		mustCall(t, folder, nil, interval...)
	}
}

// TestNumbersCloseTogether: numbers that 32-bit floats do not tell apart are no constant of the file.
func TestNumbersCloseTogether(t *testing.T) {
	folder, text := t.TempDir(), "pos,y\n"
	for i := range 60 {
		text += fmt.Sprintf("%d,%d.5\n", 1e12+i*7%30, i*7%30)
	}
	write(t, folder, "train.csv", text)
	const why = `train.csv has no column to learn from: column "pos" is used in steps of 65536, because its numbers are ` +
		"large and close together; "
	r := call(t, folder, nil, "fit", "train.csv", "--label", "y", "-o", "m.json")
	if r.status == done || !strings.Contains(r.stderr, why) {
		t.Errorf("%d, %s", r.status, r.stderr)
	}
}

// TestRareClassIsSaid: beside the accuracy stands what the commonest class alone is right on, and how a rare one is
// found more often. Rows that all have one class have no R².
func TestRareClassIsSaid(t *testing.T) {
	folder := t.TempDir()
	var table strings.Builder
	table.WriteString("x,z,kind\n")
	for i := range 600 {
		kind := "ok"
		if i%40 == 7 {
			kind = "card fraud"
		}
		fmt.Fprintf(&table, "%d,%d,%s\n", i%37, i*i%41, kind)
	}
	write(t, folder, "t.csv", table.String())
	said := mustCall(t, folder, nil, "fit", "t.csv", "--label", "kind", "-o", "m.json").stdout
	for _, want := range []string{" rows; commonest 97.50 % of all\n",
		"no more rows than features, 600 and 1024:", // rows, not the sum of their weights
		"rare      card fraud: predict --class-weight balanced or --threshold 'card fraud=P' finds more of it\n"} {
		if !strings.Contains(said, want) {
			t.Errorf("fit does not say %q:\n%s", want, said)
		}
	}
	if strings.Contains(said, "NaN") {
		t.Errorf("fit says a number that is none:\n%s", said)
	}
}

// TestRowsThatRecur: a table has twelve distinct rows. Its accuracy and calibration error on rows held out are right
// for further rows. When all copies of a row were held out together, the accuracy was 13 points too high.
func TestRowsThatRecur(t *testing.T) {
	folder := t.TempDir()
	r := rand.New(rand.NewSource(3))
	var table strings.Builder
	table.WriteString("class,sex,age,survived\n")
	right := 0.0
	for range 2200 {
		class, sex, age := r.Intn(3), min(r.Intn(4), 1), min(r.Intn(20), 1)
		p := []float64{.9, .3, .8, .15, .5, .1}[2*class+sex]
		right += max(p, 1-p)
		answer := "no"
		if r.Float64() < p {
			answer = "yes"
		}
		fmt.Fprintf(&table, "%d. class,%s,%s,%s\n", class+1, []string{"female", "male"}[sex], []string{"child", "adult"}[age],
			answer)
	}
	write(t, folder, "t.csv", table.String())
	said := mustCall(t, folder, nil, "fit", "t.csv", "--label", "survived", "-o", "m.json").stdout
	var accuracy, ece float64
	for line := range strings.Lines(said) {
		fmt.Sscanf(line, "held out  accuracy %f %%", &accuracy)
		if _, after, ok := strings.Cut(line, "ECE "); ok {
			fmt.Sscanf(after, "%f", &ece)
		}
	}
	const note = " of 2200 rows are copies of rows that recur often, and the search holds out each by itself"
	if want := right / 22; math.Abs(accuracy-want) > 6 || ece > 0.06 || !strings.Contains(said, note) {
		t.Errorf("fit says %.2f %% and ECE %.3f, want %.2f %%, at most 0.06 and %q:\n%s", accuracy, ece, want, note, said)
	}
}

// TestNewCategory: month, day and weekday give the day of the year, but no row of the model is a Friday. Month and day
// alone tell it to half a day. A polynomial that took a Friday for no weekday at all was off by two years.
func TestNewCategory(t *testing.T) {
	folder := t.TempDir()
	known, fridays := "month,day,weekday,answer\n", "month,day,weekday,answer\n"
	for at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC); at.Year() == 2026; at = at.AddDate(0, 0, 1) {
		row := fmt.Sprintf("%d,%d,%s,%d\n", at.Month(), at.Day(), at.Weekday(), at.YearDay())
		if at.Weekday() == time.Friday {
			fridays += row
		} else {
			known += row
		}
	}
	write(t, folder, "known.csv", known)
	write(t, folder, "fridays.csv", fridays)
	for search, as := range map[string]string{
		"polynomial-2": "the average of those that were",
		"off":          `"Thursday", the commonest value`, // of 53 days
	} {
		mustCall(t, folder, nil, "fit", "known.csv", "--label", "answer", "--search", search, "-o", "m.json")
		said := object(t, mustCall(t, folder, nil, "evaluate", "fridays.csv", "--model", "m.json", "--json").stdout)
		if rmse := said["rmse"].(map[string]any)["value"].(float64); rmse > 5 {
			t.Errorf("%s: Fridays are off by %.1f days, want at most 5", search, rmse)
		}
		want := []string{`category-unknown: 52 cells of column "weekday" have categories that were not met before, such as ` +
			`"Friday", and count as ` + as + `; correct them, or learn from rows that have them`}
		if got := notesOf(t, said); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", search, got, want)
		}
	}
}

// TestUsedTexts: --use makes words of texts that are sentences, beside numbers too; as a category, no two rows of them
// would be alike. Rows that are all alike are a fault of the file, and the error names no flag that fit does not have.
func TestUsedTexts(t *testing.T) {
	folder := t.TempDir()
	r := rand.New(rand.NewSource(4))
	var table strings.Builder
	table.WriteString("stars,review,same,verdict\n")
	for i := range 300 {
		review := []string{"the food", "our waiter", "this room", "that table", "my soup"}[r.Intn(5)] + " is " +
			[]string{"slow", "cold", "rude", "wrong", "clean", "warm", "great", "tasty"}[4*(i%2)+r.Intn(4)] +
			fmt.Sprintf(" no%d", r.Intn(100))
		fmt.Fprintf(&table, "%d,%s,1,%s\n", r.Intn(5), review, []string{"bad", "good"}[i%2])
	}
	write(t, folder, "t.csv", table.String())
	said := mustCall(t, folder, nil, "fit", "t.csv", "--label", "verdict", "--use", "review", "-o", "m.json").stdout
	if !strings.Contains(said, "accuracy 100.00 %") {
		t.Errorf("words decide, and fit says\n%s", said)
	}
	alike := call(t, folder, nil, "fit", "t.csv", "--label", "verdict", "--use", "same", "--number", "same", "-o",
		"m.json")
	const want = "tensorsketch: the rows must have a column that is not constant: there is nothing to learn from"
	if alike.status != failed || !strings.HasPrefix(alike.stderr, want) {
		t.Errorf("status %d: %s", alike.status, alike.stderr)
	}
}

// TestWholeLists: the name of a list or a structure stands for all of its columns, where no column has it.
func TestWholeLists(t *testing.T) {
	folder := t.TempDir()
	r := rand.New(rand.NewSource(6))
	var lines strings.Builder
	for range 100 {
		fmt.Fprintf(&lines, `{"emb":[%.3f,%.3f],"at":{"x":%.3f,"y":%.3f},"embed":%.3f,"label":"%d"}`+"\n", r.NormFloat64(),
			r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.Intn(2))
	}
	write(t, folder, "t.jsonl", lines.String())
	model := func(use string) string {
		mustCall(t, folder, nil, "fit", "t.jsonl", "--label", "label", "--use", use, "--components", "8", "-o", "m.json")
		return read(t, filepath.Join(folder, "m.json"))
	}
	if model("emb,at") != model("emb[0],emb[1],at.x,at.y") {
		t.Error("the names of a list and of a structure do not stand for their columns")
	}
	for args, want := range map[string]string{
		"--label at": "--label must be one column, got 2",
		"--use em":   `t.jsonl has no column "em"`,
	} {
		r := call(t, folder, nil, append([]string{"fit", "t.jsonl", "-o", "m.json"}, strings.Fields(args)...)...)
		if r.status != wrongUsage || !strings.Contains(r.stderr, want) {
			t.Errorf("%s: status %d, %s, want %s", args, r.status, r.stderr, want)
		}
	}
}
