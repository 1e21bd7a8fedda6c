//go:build !js

package page

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/test/cases"
)

// asking is what labels.mjs is asked, and told what it prints: what the page's modules say of a file.
type asking struct {
	File   string          `json:"file"`
	Label  string          `json:"label"`
	Model  string          `json:"model"` // a model file, without a label
	Params json.RawMessage `json:"params"`
	Unit   bool            `json:"unit"` // rows of length 1
	Search bool            `json:"search"`
}

type told struct {
	Sniffed, Notes []columns.Note
	Task, Model    string
	Found          string // the model file of a search
	Rows, Unused   int
	Score          float64
	CSV, Error     string
}

// teller is the page's worker in Node, one for all tests: to compile dataset.wasm takes longer than most answers.
var teller struct {
	sync.Mutex
	ask     *json.Encoder
	answers *json.Decoder
}

// tellOf asks the page's worker in Node of a file.
func tellOf(t testing.TB, a asking) (says told) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("Node is not installed")
	}
	if a.Params == nil {
		a.Params = json.RawMessage(`{ "degree": 2, "coef0": 1 }`)
	}
	teller.Lock()
	defer teller.Unlock()
	if teller.ask == nil {
		command := exec.Command(node, "labels.mjs", must(filepath.Abs(filepath.Join(repo, "public")))(t))
		command.Stderr = os.Stderr
		input, output := must(command.StdinPipe())(t), must(command.StdoutPipe())(t)
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		shared.Lock()
		atEnd = append(atEnd, func() {
			input.Close()
			command.Wait()
		})
		shared.Unlock()
		teller.ask, teller.answers = json.NewEncoder(input), json.NewDecoder(output)
	}
	err = teller.ask.Encode(a)
	if err == nil {
		err = teller.answers.Decode(&says)
	}
	if err != nil || says.Error != "" {
		t.Fatalf("Node: %v %s", err, says.Error)
	}
	return says
}

// buildShell compiles the command once.
var buildShell = sync.OnceValues(func() (string, error) { return build("tensorsketch", "cmd/tensorsketch") })

// shell builds the command and returns what calls it: with the standard output of a call that must succeed.
func shell(t *testing.T) func(args ...string) string {
	t.Helper()
	program := must(buildShell())(t)
	return func(args ...string) string {
		t.Helper()
		out, err := exec.Command(program, args...).Output()
		if failed, ok := err.(*exec.ExitError); ok {
			t.Fatalf("tensorsketch %q: %s", args, failed.Stderr)
		}
		return string(out)
	}
}

// TestOneModelOfLabels: the page's modules and the command write the same model file, whatever the labels look like.
func TestOneModelOfLabels(t *testing.T) {
	t.Parallel()
	call, files := shell(t), cases.Files(t, "learn")
	for _, test := range []struct{ file, label string }{
		{"mixed-labels.csv", "code"}, {"pd_grade.csv", "grade"}, {"f1.csv", "flag"}, {"codes.csv", "code"},
	} {
		model := filepath.Join(t.TempDir(), "model.json")
		call("fit", files[test.file], "--label", test.label, "-o", model, "--unit-norm=false", "--components", "64",
			"--search", "off", "--degree", "2", "--coef0", "1", "--folds", "5", "--quiet")
		want := strings.TrimSpace(string(must(os.ReadFile(model))(t)))
		says := tellOf(t, asking{File: files[test.file], Label: test.label})
		if says.Task != "classify" || says.Model != want {
			t.Errorf("%s: task %s, and the page's model file differs:\n%.1500s\nof the command:\n%.1500s", test.file, says.Task,
				says.Model, want)
		}
		again := tellOf(t, asking{File: files[test.file], Model: model})
		judged := call("evaluate", files[test.file], "--model", model, "--json")
		var evaluated struct{ Accuracy struct{ Value float64 } }
		if err := json.Unmarshal([]byte(judged), &evaluated); err != nil {
			t.Fatal(err)
		}
		if again.Score != evaluated.Accuracy.Value || again.Score < .5 {
			t.Errorf("%s: right are %g on the page, %g by evaluate", test.file, again.Score, evaluated.Accuracy.Value)
		}
	}
}

// TestOneModelOfTables: the page's worker and the command write the same model file for every real table, with -short
// for every tenth. Where no column is taken as the label, it is the last one. For the small ones, with -short for one
// and with -long for all, the page's search also gives the model of fit without settings. With -long a pipeline of Beam
// writes the first model, too.
func TestOneModelOfTables(t *testing.T) {
	t.Parallel()
	paths, compared, searched := cases.NeedTables(t), 0, 0
	program := must(buildShell())(t)
	for i, path := range paths {
		if testing.Short() && i%10 != 4 {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			isSearched := *long || must(os.Stat(path))(t).Size() < 12<<10 && (searched == 0 || !testing.Short())
			if !oneModel(t, program, path, isSearched) {
				return
			}
			compared++
			if isSearched {
				searched++
			}
		})
	}
	if want := 25; compared < want && !testing.Short() || compared < 2 {
		t.Errorf("%d of %d tables were compared", compared, len(paths))
	}
}

// oneModel compares the models of a table. It reports false if each of its rows has an empty cell.
func oneModel(t *testing.T, program, path string, isSearched bool) bool {
	t.Helper()
	model, label := filepath.Join(t.TempDir(), "model.json"), "?"
	fit := []string{"fit", path, "-o", model, "--components", "64", "--degree", "3", "--search", "off", "--folds", "5",
		"--quiet"}
	out, err := exec.Command(program, fit...).CombinedOutput()
	if strings.Contains(string(out), "no column is the label") {
		label = lastColumn(t, path)
		out, err = exec.Command(program, append(fit, "--label", label)...).CombinedOutput()
	}
	if err != nil {
		t.Logf("%s", out) // each row has an empty cell
		return false
	}
	want := strings.TrimSpace(string(must(os.ReadFile(model))(t)))
	found := ""
	if isSearched {
		found = fitted(t, program, path, "--label", label)
	}
	says := tellOf(t, asking{File: path, Label: label, Params: json.RawMessage(`{ "degree": 3, "coef0": 1 }`), Unit: true,
		Search: isSearched})
	if says.Model != want {
		t.Errorf("the page's model file differs:\n%.800s\nof the command:\n%.800s", says.Model, want)
	}
	if says.Found != found {
		t.Errorf("the page finds:\n%.800s\nthe command:\n%.800s", says.Found, found)
	}
	if *long {
		if got := pipelined(t, path, append(fit, "--label", label)); got != want {
			t.Errorf("the pipeline's model file differs:\n%.800s\nof the command:\n%.800s", got, want)
		}
	}
	return true
}

// fitted returns the model file of fit without settings.
func fitted(t *testing.T, program string, args ...string) string {
	t.Helper()
	model := filepath.Join(t.TempDir(), "found.json")
	if args[2] == "?" {
		args = args[:1]
	}
	args = append([]string{"fit", "-o", model, "--quiet"}, args...)
	if out, err := exec.Command(program, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %s", args, out)
	}
	return strings.TrimSpace(string(must(os.ReadFile(model))(t)))
}

// buildBeam compiles the command of the pipelines once.
var buildBeam = sync.OnceValues(func() (string, error) {
	return build("tensorsketch-beam", "beam/cmd/tensorsketch-beam")
})

// pipelined returns the model file that a pipeline of Beam makes of a table, as a call of fit does.
func pipelined(t *testing.T, path string, fit []string) string {
	t.Helper()
	program, folder := must(buildBeam())(t), t.TempDir()
	start, model := filepath.Join(folder, "start.tsm"), filepath.Join(folder, "model.json")
	if label := len(fit) - 1; fit[label] == "?" {
		fit = fit[:label-1]
	}
	shell(t)(append(slices.Delete(slices.Clone(fit), 2, 4), "--no-rows", "--moments", start)...) // without -o model
	out, err := exec.Command(program, "fit", path, "--like", start, "-o", model).CombinedOutput()
	if err != nil {
		t.Fatalf("tensorsketch-beam: %s", out)
	}
	return strings.TrimSpace(string(must(os.ReadFile(model))(t)))
}

// lastColumn returns the last name in the header of a packed CSV file.
func lastColumn(t *testing.T, path string) string {
	t.Helper()
	file := must(os.Open(path))(t)
	defer file.Close()
	header, _, _ := strings.Cut(string(must(io.ReadAll(must(gzip.NewReader(file))(t)))(t)), "\n")
	return strings.TrimSpace(header[strings.LastIndex(header, ",")+1:])
}

// noted is a table that needs a note of each kind.
func noted() string {
	var b strings.Builder
	b.WriteString("id,name,colour,x,when,species\n")
	for i := range 80 {
		colour, x, species := []string{"red", "blue", "green"}[i%3], fmt.Sprint(i%9*i%7), []string{"u", "v"}[i%2]
		switch i {
		case 11:
			colour = ""
		case 20, 30:
			x = ""
		case 40:
			x = "oops"
		case 50:
			species = ""
		}
		fmt.Fprintf(&b, "%d,n%d,%s,%s,2026-%02d-11,%s\n", i+1, i, colour, x, 1+i%12, species)
	}
	return b.String()
}

// sentences returns notes as the page shows them, sorted.
func sentences(notes []columns.Note) (list []string) {
	for i := range notes {
		list = append(list, notes[i].String()+".")
	}
	slices.Sort(list)
	return list
}

// TestOneListOfNotes: the command, the JavaScript API and the page say the same of one file, in the same words.
func TestOneListOfNotes(t *testing.T) {
	t.Parallel()
	call := shell(t)
	folder := t.TempDir()
	file, model := filepath.Join(folder, "table.csv"), filepath.Join(folder, "model.json")
	if err := os.WriteFile(file, []byte(noted()), 0o644); err != nil {
		t.Fatal(err)
	}
	var fitted struct{ Notes []columns.Note }
	text := call("fit", file, "-o", model, "--components", "64", "--search", "off", "--json")
	if err := json.Unmarshal([]byte(text), &fitted); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`1 cell of column "colour" is missing and counts as none of the values; to leave such rows out, set missing to drop.`,
		`1 row is left out, line 42, column 4 ("x"): "oops" is not a number; correct the cell, or use the column for ` +
			`something else than a number.`,
		`1 row is left out, line 52: the label is missing; correct it, or leave the row out.`,
		`2 rows are left out, the first at line 22, column "x": the cell is missing; fill it, or set missing to ` +
			`mean or zero.`,
		`column "id" is not used: it numbers the rows; to use it, give it the role number.`,
		`column "name" is not used: it has more than 50 different texts; to use it, give it the role words.`,
		`column "species" is taken as the label, by its name; name another label, or none, if it is not.`,
	}
	learned := slices.Clone(want) // learning asks all rows what texts are good for
	learned[5] = `column "name" is not used: its texts hardly recur; to use it, give it the role category.`
	if got := sentences(fitted.Notes); !slices.Equal(got, learned) {
		t.Errorf("the command says\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(learned, "\n"))
	}
	says := tellOf(t, asking{File: file, Label: "species"})
	if got := sentences(says.Notes); !slices.Equal(got, want) {
		t.Errorf("JavaScript says\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := sentences(says.Sniffed); !slices.Equal(got, want[4:]) {
		t.Errorf("sniff says\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want[4:], "\n"))
	}

	write := func(name, content string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	second := write("second.csv", "id,name,colour,x,when,species\n1,a,pink,1,2026-01-11,u\n2,b,red,,2026-01-11,v\n"+
		"3,c,grey,2,2026-01-11,w\n")
	predicted := tellOf(t, asking{File: second, Model: model})
	var judged struct{ Notes []columns.Note }
	text = call("evaluate", second, "--model", model, "--json")
	if err := json.Unmarshal([]byte(text), &judged); err != nil {
		t.Fatal(err)
	}
	answers := sentences(predicted.Notes)
	for i, answer := range answers { // the page predicts and evaluates at once
		answers[i] = strings.Replace(answer, "1 row has no answer", "1 row is left out", 1)
	}
	slices.Sort(answers)
	if got := sentences(judged.Notes); !slices.Equal(got, answers) || len(got) != 3 {
		t.Errorf("evaluate says\n%s\nand the page\n%s", strings.Join(got, "\n"), strings.Join(answers, "\n"))
	}
	lines := strings.Split(strings.TrimSpace(predicted.CSV), "\n")
	if len(lines) != 4 || predicted.Rows != 2 || predicted.Unused != 1 ||
		!strings.HasSuffix(lines[2], `,"column ""x"": the cell is missing"`) || !strings.HasPrefix(lines[2], "3,v,2,b,,") {
		t.Errorf("the page's predictions: %d rows, %d unused\n%s", predicted.Rows, predicted.Unused, predicted.CSV)
	}

	v := visitLearn(t, learnFromFile)
	v.choose(file)
	v.until("#learn-found", "Of … candidates the search chose …Its model is fitted to all rows and is in use…")
	v.says("#learn-found", `…It learned from 78 rows, empty cells filled; the curve has 76, …Column "when" alone tells `+
		`the label of all rows; ignore it if it is not known before the label is.`)
	shown := func() []string {
		return eval[[]string](v, `[...document.querySelectorAll(".file-notes li")].map((li) => li.textContent).sort()`)
	}
	if got := shown(); !slices.Equal(got, learned) {
		t.Errorf("Learn shows\n%s", strings.Join(got, "\n"))
	}
	untouched := filepath.Join(folder, "untouched.json")
	call("fit", file, "-o", untouched)
	name, saved := v.download("#save-learned")
	if fitted := must(os.ReadFile(untouched))(t); name != "table-model.json" || string(saved) != string(fitted) {
		t.Errorf("untouched, the page saves %s: %.300s\nand fit %.300s", name, saved, fitted)
	}
	_, page := v.download("#save-page")
	checkCut(t, v.write("predict.html", string(page)))
	v.pressByMouse("#use-found")
	v.until("#learn-found", "…and is not in use: the model of these settings is…")
	v.pressByMouse(`header a[href^="#/embed"]`)
	v.until(".origin strong", "table.csv")
	v.ready()
	v.wait(`document.querySelectorAll(".file-notes li").length === 6`)
	unlabelled := slices.DeleteFunc(slices.Clone(want), func(note string) bool {
		return strings.Contains(note, "the label is missing") // Embed needs none
	})
	if got := shown(); !slices.Equal(got, unlabelled) {
		t.Errorf("Embed shows\n%s", strings.Join(got, "\n"))
	}
}

// checkCut gives a page that was saved a number that no row was like, typed and in a file: it is cut, which was not
// said.
func checkCut(t *testing.T, page string) {
	t.Helper()
	tab, cancel := chromedp.NewContext(sharedBrowser(t))
	defer cancel()
	v := &visit{T: t, ctx: tab}
	v.do(chromedp.Navigate("file://" + page))
	v.wait(`document.querySelector("#typed")`)
	eval[any](v, `[...document.querySelectorAll("#typed label")].find((label) => label.textContent.trim() === "x")
		.querySelector("input").focus()`)
	v.do(chromedp.KeyEvent("9999\r"))
	v.until("#said", `…But 1 cell of column "colour" is missing…But 1 number of column "x" lies outside the range that `+
		`the model was prepared for…`)
	v.upload("#file", v.write("rows.csv", "id,name,colour,x,when\n1,a,red,9999,2026-01-11\n2,b,red,,2026-01-12\n"))
	v.until("#said", `…1 number of column "x" lies outside the range that the model was prepared for, and counts as its `+
		`end; check them.…`)
}
