//go:build !js

package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/test/cases"
)

// fitted fits a model to a file and returns what --json says.
func fitted(t *testing.T, model, file string, args ...string) map[string]any {
	t.Helper()
	r := mustCall(t, ".", nil, append([]string{"fit", file, "-o", model, "--json"}, args...)...)
	return object(t, r.stdout)
}

// oneCandidate has the search try one small map: a fit is then 30 times as fast, and its way is the same.
var oneCandidate = []string{"--degree", "2", "--components", "64"}

func object(t *testing.T, text string) map[string]any {
	t.Helper()
	var said map[string]any
	if err := json.Unmarshal([]byte(text), &said); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return said
}

// TestLabelsOfCases: a model says of its own rows what it has learned, also where labels are written as numbers with a
// point or with leading zeros.
func TestLabelsOfCases(t *testing.T) {
	folder := cases.Folder(t, "learn")
	for _, test := range []struct{ file, label, classes string }{
		{"pd_grade.csv", "grade", "1,2,3"}, // 1.0, 2.0 and 3.0
		{"f1.csv", "flag", "-1,1"},
		{"codes.csv", "code", `7,"007","7.0"`},
		{"mixed-labels.csv", "code", `7,"blue","green","red"`},
	} {
		file, model := filepath.Join(folder, test.file), filepath.Join(t.TempDir(), "model.json")
		said := fitted(t, model, file, append(oneCandidate, "--label", test.label, "--unit-norm=false")...)
		classes := strings.Trim(string(mustJSON(t, said["classes"])), "[]")
		if classes != test.classes {
			t.Errorf("%s has the classes %s, want %s", test.file, classes, test.classes)
		}
		judged := object(t, mustCall(t, ".", nil, "evaluate", file, "--model", model, "--json").stdout)
		accuracy := judged["accuracy"].(map[string]any)["value"].(float64)
		if accuracy < .5 || judged["unknown"] != 0.0 {
			t.Errorf("%s: accuracy %g, %v unknown", test.file, accuracy, judged["unknown"])
		}
		answers := mustCall(t, ".", nil, "predict", file, "--model", model).stdout
		for _, class := range strings.Split(strings.ReplaceAll(test.classes, `"`, ""), ",") {
			if !strings.Contains(answers, ","+class+"\n") && !strings.Contains(answers, ","+class+",") {
				t.Errorf("%s: no row is predicted as %s", test.file, class)
			}
		}
	}
}

func mustJSON(t *testing.T, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestSpellingsOfLabels: 1 and 1.0 are one class, whichever of two files has which.
func TestSpellingsOfLabels(t *testing.T) {
	folder := t.TempDir()
	table := func(one, two string) string {
		var b strings.Builder
		b.WriteString("a,y\n")
		for i := range 60 {
			fmt.Fprintf(&b, "%d,%s\n", i%2*5+i%3, []string{one, two}[i%2])
		}
		return b.String()
	}
	spellings := [][2]string{{"1", "2"}, {"1.0", "2.0"}, {"+1", "2.00"}}
	for i, s := range spellings {
		write(t, folder, fmt.Sprint(i, ".csv"), table(s[0], s[1]))
	}
	var models []string
	for i := range spellings {
		mustCall(t, folder, nil, "fit", fmt.Sprint(i, ".csv"), "-o", "model.json", "--quiet", "--unit-norm=false",
			"--label", "y", "--search", "off")
		models = append(models, read(t, filepath.Join(folder, "model.json")))
		for j := range spellings {
			r := mustCall(t, folder, nil, "evaluate", fmt.Sprint(j, ".csv"), "--model", "model.json", "--json")
			if got := object(t, r.stdout)["accuracy"].(map[string]any)["value"]; got != 1.0 {
				t.Errorf("fitted to %q, %q are right in %v", spellings[i], spellings[j], got)
			}
		}
	}
	if slices.ContainsFunc(models, func(model string) bool { return model != models[0] }) {
		t.Error("the spelling of labels changes the model")
	}
}

// TestClassesWithCommas: a class with a comma is typed in quotes, as CSV has it.
func TestClassesWithCommas(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, "t.csv", "a,y\n"+strings.Repeat("1,\"in, ring\"\n7,outside\n2,\"in, ring\"\n9,outside\n", 20))
	said := fitted(t, filepath.Join(folder, "m.json"), filepath.Join(folder, "t.csv"), "--search", "off",
		"--label", "y", "--unit-norm=false", "--classes", `outside, "in, ring"`)
	if got := string(mustJSON(t, said["classes"])); got != `["in, ring","outside"]` {
		t.Errorf("the classes are %s", got)
	}
	for typed, want := range map[string]string{
		"": "must be labels, separated by commas", `"in, ring`: "a quote is not closed",
		`"in", "ring" outside`: `a comma is missing after "ring"`,
	} {
		r := call(t, folder, nil, "fit", "t.csv", "-o", "m.json", "--label", "y", "--classes", typed)
		if r.status == done || !strings.Contains(r.stderr, want) {
			t.Errorf("--classes %s ends with %d: %s", typed, r.status, r.stderr)
		}
	}
}

// notesOf returns the notes in what --json says, as sentences behind their codes.
func notesOf(t *testing.T, said map[string]any) (list []string) {
	t.Helper()
	for _, note := range said["notes"].([]any) {
		n := note.(map[string]any)
		text := fmt.Sprint(n["code"], ": ", n["what"])
		if remedy, ok := n["remedy"]; ok {
			text += fmt.Sprint("; ", remedy)
		}
		list = append(list, text)
	}
	return list
}

// TestNotesOfCases: the only useful column is used, and a category that the model never met is said, with --json and
// without.
func TestNotesOfCases(t *testing.T) {
	learn := cases.Folder(t, "learn")
	for _, file := range []string{"yesno.csv", "bool.csv"} {
		model := filepath.Join(t.TempDir(), "model.json")
		said := fitted(t, model, filepath.Join(learn, file), append(oneCandidate, "--unit-norm=false")...)
		if r2 := said["heldOut"].(map[string]any)["r2"].(float64); r2 < .8 {
			t.Errorf("%s: R² is %g without the column smoker, which says nearly all", file, r2)
		}
	}
	files := cases.Folder(t, "files")
	model := filepath.Join(t.TempDir(), "model.json")
	fitted(t, model, filepath.Join(files, "m_train.csv"), append(oneCandidate, "--category", "grp", "--label", "label")...)
	judge := func(file string) map[string]any {
		return object(t, mustCall(t, ".", nil, "evaluate", file, "--model", model, "--json").stdout)
	}
	accuracy := func(said map[string]any) any { return said["accuracy"].(map[string]any)["value"] }
	same, float := judge(filepath.Join(files, "m_train.csv")), judge(filepath.Join(files, "m_float.csv"))
	if accuracy(same) != accuracy(float) || len(notesOf(t, float)) > 0 {
		t.Errorf("1.0 for 1: %v, was %v; %q", accuracy(float), accuracy(same), notesOf(t, float))
	}
	folder := t.TempDir()
	write(t, folder, "new.csv", "grp,x,label\n9,1.5,no\n2,1,no\nx,1,perhaps\n,1,no\n")
	said := judge(filepath.Join(folder, "new.csv"))
	want := []string{
		`cells-replaced: 1 cell of column "grp" is missing and counts as the average of the values`,
		`category-unknown: 2 cells of column "grp" have categories that were not met before, such as "9" and "x", ` +
			`and count as the average of those that were; correct them, or learn from rows that have them`,
		`label-unknown: 1 row has a label that the model does not know, such as "perhaps"; ` +
			`correct them, or fit a model to rows that have them`,
	}
	if got := notesOf(t, said); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	printed := mustCall(t, folder, nil, "evaluate", "new.csv", "--model", model).stderr
	for _, note := range want {
		_, sentence, _ := strings.Cut(note, ": ")
		if !strings.Contains(printed, "tensorsketch: note: "+sentence+"\n") {
			t.Errorf("not printed: %s\n%s", sentence, printed)
		}
	}
}

// TestNotesNameFlags: in the shell, remedies name flags; in JSON they name the fields of a request.
func TestNotesNameFlags(t *testing.T) {
	folder := t.TempDir()
	text := "id,my name,when,mass,y\n"
	for i := range 40 {
		text += fmt.Sprintf("%d,n %d,0%d/02/2026,%d kg,%d\n", i+1, i, 1+i%9, i, i%2)
	}
	write(t, folder, "t.csv", text)
	said := mustCall(t, folder, nil, "transform", "t.csv", "--components", "4", "--label", "y", "-o", "o.npy").stderr
	for _, want := range []string{
		`column "id" is not used: it numbers the rows; to use it, give it the role number (--number id)`,
		`column "my name" is not used: its texts hardly recur; to use it, give it the role words (--words 'my name')`,
		`no day above 12 shows the order; read the file with --dates "day-month-year" if that is wrong`,
		`give it the role category (--category mass) if they are names`,
	} {
		if !strings.Contains(said, want) {
			t.Errorf("not said: %s\n%s", want, said)
		}
	}
	plain := mustCall(t, folder, nil, "transform", "t.csv", "--components", "4", "--label", "y", "-o", "o.npy", "--json")
	for _, want := range []string{"give it the role number\"", "read the file with dates"} {
		if !strings.Contains(plain.stdout, want) {
			t.Errorf("JSON lacks %s\n%s", want, plain.stdout)
		}
	}
}

// TestPredictKeepsRows: predictions line up with the rows of the file, in every format.
func TestPredictKeepsRows(t *testing.T) {
	folder := t.TempDir()
	table := "id,a,kind,y\n"
	for i := range 60 {
		table += fmt.Sprintf("%d,%d,%s,%s\n", i, i, []string{"u", "v"}[i%2], []string{"no", "yes"}[i%2])
	}
	write(t, folder, "train.csv", table)
	mustCall(t, folder, nil, "fit", "train.csv", "--label", "y", "-o", "model.json", "--unit-norm=false", "--quiet",
		"--components", "8", "--search", "off")
	write(t, folder, "new.csv", "id,a,kind\nr1,1,u\nr2,,u\n\nr3,1\nr4,oops,v\nr5,2,\nr6,2,v\n")
	r := mustCall(t, folder, nil, "predict", "new.csv", "--model", "model.json", "--row-numbers")
	want := "row,y,id,prediction,why\n2,,r1,no,\n3,,r2,,\"column \"\"a\"\": the cell is missing\"\n" +
		"5,,,,the row has 2 cells where the first has 3\n" +
		"6,,,,\"column 2 (\"\"a\"\"): \"\"oops\"\" is not a number\"\n7,,r5,no,\n8,,r6,yes,\n"
	if r.stdout = strings.Replace(r.stdout, "7,,r5,yes", "7,,r5,no", 1); r.stdout != want { // in between
		t.Errorf("got\n%s\nwant\n%s", r.stdout, want)
	}
	if !strings.Contains(r.stderr, `note: 1 row has no answer, line 3, column "a": the cell is missing; fill it`) {
		t.Errorf("it says\n%s", r.stderr)
	}
	mustCall(t, folder, nil, "predict", "new.csv", "--model", "model.json", "--probabilities", "-o", "o.jsonl", "--quiet")
	lines := strings.Split(strings.TrimSpace(read(t, filepath.Join(folder, "o.jsonl"))), "\n")
	second := object(t, lines[1])
	if p, ok := second["probability no"]; len(lines) != 6 || second["prediction"] != "" || p != nil || !ok ||
		second["why"] != `column "a": the cell is missing` || object(t, lines[0])["why"] != "" {
		t.Errorf("JSON Lines: %s", strings.Join(lines, "\n"))
	}
	r = mustCall(t, folder, nil, "predict", "new.csv", "--model", "model.json", "-o", "o.npy", "--json")
	said := object(t, r.stdout)
	if said["rows"] != 3.0 || said["unused"] != 3.0 {
		t.Errorf("--json: %v", said)
	}
	if npy := read(t, filepath.Join(folder, "o.npy")); !strings.Contains(npy, "(6, ") {
		t.Errorf("o.npy: %.128q", npy)
	}
	write(t, folder, "none.csv", "id,a,kind\nr1,,u\n")
	if r := call(t, folder, nil, "predict", "none.csv", "--model", "model.json"); r.status != failed ||
		!strings.Contains(r.stderr, "none of the 1 row can be used") {
		t.Errorf("without a usable row: %d, %s", r.status, r.stderr)
	}
}
