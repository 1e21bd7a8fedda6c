//go:build !js

package page

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/dataset/onnx"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/model"
)

// peopleCSV has a column of every kind, and cells without a value.
const peopleCSV = `when,age,city,said,label
2024-01-02,31,Bern,a good day,x
2024-05-03,42,Basel,a bad day,y
2024-06-07,,Bern,so so,x
2024-08-09,50,Genf,a very good day,y
2024-08-10,23,Bern,,y
`

// applied returns the rows of a file as a model file makes features of them, natively.
func applied(t *testing.T, saved []byte, name, content string) (Z []float32) {
	t.Helper()
	p, m := must(dataset.FromModel(saved))(t), must(model.Unmarshal(saved))(t)
	layout := must(dataset.Sniff(name, []byte(content), true, columns.Reading{}))(t)
	for batch := range batches(t, must(p.Apply(layout))(t), p, []byte(content)) {
		var X sketch.Rows = batch.Dense
		if batch.Dense == nil {
			X = batch.Sparse
		}
		Z = append(Z, must(m.TransformRows(nil, X))(t)...)
	}
	return Z
}

// checkNPY compares the features of an .npy file, bit for bit.
func checkNPY(t testing.TB, npy []byte, want []float32) {
	t.Helper()
	checkBits(t, npy[min(len(npy), 128):], want)
}

func checkBits(t testing.TB, bytes []byte, want []float32) {
	t.Helper()
	if len(bytes) != 4*len(want) {
		t.Fatalf("%d bytes of features, want %d", len(bytes), 4*len(want))
	}
	for i, x := range want {
		if got := binary.LittleEndian.Uint32(bytes[4*i:]); got != math.Float32bits(x) {
			t.Fatalf("feature %d has bits %08x, want %08x", i, got, math.Float32bits(x))
		}
	}
}

// TestColumns: every column can become numbers in its way, all at once or one by one; and
// the model file makes the same features of the file in Go, bit for bit.
func TestColumns(t *testing.T) {
	t.Parallel()
	v := visitEmbed(t, "#/embed?nComponents=256")
	v.readyAfter(func() { v.choose(v.write("people.csv", peopleCSV)) })
	v.says("#status", "Embedded 4 rows in …1 row could not be used: see Rows…")
	v.readyAfter(func() { choose(v, "#all-missing", "mean") })
	v.readyAfter(func() { choose(v, "#all-scaling", "standard") })
	v.says("#status", "Embedded 5 rows in …")
	v.says(".file-notes", "…1 cell of column … is missing and counts as the mean; …")
	role := func(column int, role string) {
		v.readyAfter(func() { choose(v, fmt.Sprintf(`#columns [data-column="%d"][data-setting="role"]`, column), role) })
	}
	change := func(column int) {
		v.click(fmt.Sprintf("#becomes-%d button", column))
		v.wait(fmt.Sprintf(`document.querySelector('#column [data-column="%d"]')`, column))
	}
	role(0, "date")
	change(0)
	v.readyAfter(func() { v.click(`#column [value="week"]`) })
	if !eval[bool](v, `document.activeElement.value === "week" && document.activeElement.checked`) {
		t.Error("a setting that is changed loses the focus")
	}
	role(2, "category")
	change(2)
	v.readyAfter(func() { choose(v, `#column [data-setting="missing"]`, "drop") })
	v.readyAfter(func() { choose(v, `#column [data-setting="missing"]`, "zero") })
	v.says("#becomes-2", "Change one coordinate per value; an empty cell is none of them")
	v.click("#close-column")
	v.wait(`!document.querySelector("#column").firstChild`)
	v.says("#columns-title", "5 columns: 1 as a number, 1 as a category, 1 as a date, 1 label, 1 kept")
	v.do(chromedp.EmulateViewport(360, 740))
	ends := eval[[2]float64](v, `[".scroll :is(button, select)", "tbody th"].map((part) => Math.max(...[
		...document.querySelectorAll("#columns " + part)].map((e) => e.getBoundingClientRect().right)))`)
	if ends[0] > 360 || ends[1] < 150 {
		t.Errorf("at 360 px the columns' controls end at %v, their names at %v", ends[0], ends[1])
	}
	v.do(chromedp.EmulateViewport(1440, 900))
	if got := v.text(".saves > p"); !strings.Contains(got, "it holds what was learned of the columns") {
		t.Errorf("of the model the page says %q", got)
	}
	for _, said := range []string{"keep", "words"} {
		if said == "words" {
			role(3, said)
			change(3)
			v.readyAfter(func() { choose(v, `#column [data-setting="chars"]`, "3-5") })
			v.readyAfter(func() { choose(v, `#column [data-setting="width"]`, "1048576") })
		}
		_, saved := v.download("#save-model")
		_, npy := v.download("#save-npy")
		checkNPY(t, npy, applied(t, saved, "people.csv", peopleCSV))
		v.says("#saving-status", "people-features.npy is written, 5 rows: the browser saves it.")
		if title := v.text("h1"); said == "words" && !strings.HasPrefix(title, "A row of 1,048,5") {
			t.Errorf("the title is %q", title)
		}
	}
	_, lines := v.download("#save-jsonl")
	var first map[string]any
	if err := json.Unmarshal(bytes.SplitN(lines, []byte("\n"), 2)[0], &first); err != nil || first["label"] != "x" {
		t.Errorf("the first of the JSON lines is %v, %v", first, err)
	}
}

// TestUnits: numbers with a unit beside them are read as the notes say, also when the column had another use meanwhile;
// the model file makes the same features in Go.
func TestUnits(t *testing.T) {
	t.Parallel()
	v := visitEmbed(t, "#/embed?nComponents=64")
	const csv = "share,mass,price\n10%,1.5 kg,$2\n20%,2.5 kg,$4\n70%,1 kg,$3.5\n"
	v.readyAfter(func() { v.choose(v.write("units.csv", csv)) })
	check := func() {
		t.Helper()
		v.says("#status", "Embedded 3 rows in …")
		if notes := v.text(".file-notes"); strings.Contains(notes, "count like them") {
			t.Errorf("all numbers have their unit, and the page says %q", notes)
		}
		_, saved := v.download("#save-model")
		_, npy := v.download("#save-npy")
		checkNPY(t, npy, applied(t, saved, "units.csv", csv))
		for _, unit := range []string{"%", "kg", "$"} {
			if !bytes.Contains(saved, fmt.Appendf(nil, `"measure":%q`, unit)) {
				t.Errorf("the model file has no unit %s", unit)
			}
		}
	}
	check()
	for _, role := range []string{"category", "number"} {
		v.readyAfter(func() { choose(v, `#columns [data-column="1"][data-setting="role"]`, role) })
	}
	v.readyAfter(func() { choose(v, "#all-scaling", "standard") })
	check()
}

// TestReading: the page finds out formats by themselves and can be told.
func TestReading(t *testing.T) {
	t.Parallel()
	v := visitEmbed(t, "#/embed?nComponents=64")
	for name, test := range map[string]struct{ content, origin, status string }{
		"rows.jsonl": {"{\"a\":1,\"b\":2}\n{\"a\":3,\"b\":5}\n",
			"28 bytes of JSON Lines, 2 columns.", "Embedded 2 rows"},
		"rows.svm": {"1 1:0.5 3:1\n-1 2:2 5:1\n1 1:1\n",
			"29 bytes of LIBSVM, 1 column.", "Embedded 3 rows"},
	} {
		v.readyAfter(func() { v.choose(v.write(name, test.content)) })
		v.says(".origin span", test.origin)
		v.says("#status", test.status+"…")
	}
	v.choose(v.write("poem.txt", "the quick brown fox\njumps over\nthe lazy dog\n"))
	v.until("#problem", "poem.txt, line 1: the lines are texts and no table…")
	v.readyAfter(func() { choose(v, "#reading-format", "text") })
	v.says(".origin span", "44 bytes of plain text, 1 column.")
	v.says("#status", "Embedded 3 rows…")
	v.readyAfter(func() { v.choose(v.write("log.csv", "Sensors\nin May\n\na,b\n1.5,2\n3,4\n")) })
	v.says("#size", "…2 × 64…")
	v.readyAfter(func() { choose(v, "#reading-comment", "#") })
	v.readyAfter(func() { choose(v, "#reading-skip", "4") })
	v.says("#size", "…2 × 64…")
	v.readyAfter(func() { v.choose(v.write("numbers.txt", "1,2\n3,4\n5,6\n")) })
	v.readyAfter(func() { choose(v, "#reading-format", "text") })
	v.says(".origin span", "…plain text…")
	choose(v, "#reading-format", "jsonl")
	v.until("#problem", "numbers.txt, line 1…")
	v.readyAfter(func() { v.drop("plain.csv", "1.5,2\n3,4\n5,7\n") })
	v.says("#size", "…3 × 64…")
	v.readyAfter(func() { choose(v, "#reading-header", "true") })
	if got, first := v.text("#size"), v.text("#columns tbody th"); !strings.Contains(got, "2 × 64") || first != "1.5" {
		t.Errorf("with a header: %q; the first column is called %q", got, first)
	}
}

// TestKey: with a key the map is drawn from it; it is in no link, and in the model only if that is asked for. Opened
// without its key such a model asks for it, and nothing is embedded until it is typed. The field is none for passwords,
// which browsers watch, and hides its text.
func TestKey(t *testing.T) {
	t.Parallel()
	v := visitEmbed(t, "#/embed?nComponents=64")
	if got := eval[string](v, isMasked); got != "disc 0" {
		t.Errorf("the field of the key: %q, want disc 0", got)
	}
	v.click(".key summary")
	choose(v, "#key", "correct horse")
	v.until("#key-problem", "the salt must be at least 32 hexadecimal digits…")
	v.readyAfter(func() { v.click("#new-salt") })
	if got := eval[int](v, `document.querySelector("#salt").value.length`); got != 32 {
		t.Errorf("the new salt has %d digits", got)
	}
	digits := strings.Repeat("07", 32)
	v.readyAfter(func() { choose(v, "#key", digits) })
	_, saved := v.download("#save-model")
	if bytes.Contains(saved, []byte(digits)) || !bytes.Contains(saved, []byte("keyCheck")) {
		t.Errorf("the model is %.400s", saved)
	}
	if link := eval[string](v, `location.href`); strings.Contains(link, "07070707") {
		t.Errorf("the link is %s", link)
	}
	v.click("#save-onnx")
	v.until("#saving-status", "sample-digits-model.onnx could not be written: anyone who has an ONNX file can repeat…")
	v.click("#include-key")
	_, withKey := v.download("#save-model")
	native := must(onnx.Marshal(withKey))(t)
	if name, saved := v.download("#save-onnx"); name != "sample-digits-model.onnx" || !bytes.Equal(saved, native) {
		t.Errorf("%s has %d bytes, want %d as Go writes them", name, len(saved), len(native))
	}
	if _, saved := v.download("#save-model"); !bytes.Contains(saved, []byte(`"key":"`+digits+`"`)) {
		t.Errorf("the model with its key is %.400s", saved)
	}
	file := v.write("people.csv", peopleCSV)
	v.readyAfter(func() { v.choose(file) })
	_, saved = v.download("#save-model")
	_, npy := v.download("#save-npy")
	want := applied(t, saved, "people.csv", peopleCSV)
	checkNPY(t, npy, want)
	v.click("#include-key")
	_, saved = v.download("#save-model")
	v.readyAfter(func() { choose(v, "#key", "") })
	if _, saved := v.download("#save-model"); !bytes.Contains(saved, []byte(`"seed"`)) ||
		bytes.Contains(saved, []byte("keyCheck")) {
		t.Errorf("without a key the model is %.400s", saved)
	}

	v.do(chromedp.Reload())
	v.ready()
	v.choose(v.write("keyed-model.json", string(saved)), file)
	v.until("#model-note", "keyed-model.json needs its key: type it under “Draw the sketch from a secret key”…")
	if !eval[bool](v, `document.querySelector("#save-npy").disabled`) {
		t.Error("features can be saved without the key")
	}
	v.click(".key summary")
	v.readyAfter(func() { choose(v, "#key", digits) })
	v.says("#model-note", "The features are made by keyed-model.json.…")
	_, npy = v.download("#save-npy")
	checkNPY(t, npy, want)
}

// TestRowNumbers: a tick above the save buttons puts row numbers first. Labels can be saved beside a .npy. All rows
// that were left out can be saved too, except in a private release.
func TestRowNumbers(t *testing.T) {
	t.Parallel()
	v := visitEmbed(t, "#/embed?nComponents=64")
	var b strings.Builder
	b.WriteString("a,b,label\n")
	for i := range 200 {
		if i >= 120 && i%2 == 1 {
			fmt.Fprintf(&b, "?,1,l%d\n", i)
			continue
		}
		fmt.Fprintf(&b, "%d,1,l%d\n", i, i)
	}
	v.readyAfter(func() { v.choose(v.write("gaps.csv", b.String())) })
	lines := func(content []byte) []string { return strings.Split(strings.TrimSpace(string(content)), "\n") }
	if _, saved := v.download("#save-csv"); !strings.HasPrefix(string(saved), "label,f0") {
		t.Errorf("without a tick the CSV begins with %.100q", saved)
	}
	v.pressByMouse("#row-numbers")
	_, saved := v.download("#save-csv")
	if got := lines(saved); !strings.HasPrefix(got[0], "row,label,f0") ||
		!strings.HasPrefix(got[len(got)-1], "200,l198,") {
		t.Errorf("the CSV has %.100q and %.100q", got[0], got[len(got)-1])
	}
	if _, saved := v.download("#save-jsonl"); !strings.HasPrefix(string(saved), `{"row":2,"label":"l0",`) {
		t.Errorf("the JSON Lines begin with %.100q", saved)
	}
	_, npy := v.download("#save-npy")
	name, saved := v.download("#save-labels")
	rows := lines(saved)
	if name != "gaps-labels.csv" || rows[0] != "row,label" || rows[len(rows)-1] != "200,l198" ||
		len(npy) != 128+4*64*(len(rows)-1) {
		t.Errorf("%s has %d rows, %.100q; the .npy %d bytes", name, len(rows), saved, len(npy))
	}
	name, saved = v.download("#save-unused")
	rows = lines(saved)
	if name != "gaps-left-out.csv" || len(rows) != 41 || rows[0] != "row,place,what,remedy" ||
		!strings.HasPrefix(rows[40], `201,"line 201`) {
		t.Errorf("%s has %d rows, the last %.200q", name, len(rows), rows[len(rows)-1])
	}
	v.click(`input[name="release"][value="rows"] + span`)
	v.wait(`document.querySelector("#release")?.checkVisibility()`)
	v.until("#exact:not([hidden])", "…They carry no noise: keep them to yourself.…")
	for _, selector := range []string{"#save-unused", "#save-labels", "#row-numbers"} {
		if v.shows(selector) {
			t.Errorf("a private release offers %s", selector)
		}
	}
}

// TestLatin: the head of a file is UTF-8 and its later rows are Latin-1. The page says so beside the file, and one
// press reads it as Windows-1252, with every row.
func TestLatin(t *testing.T) {
	t.Parallel()
	v := visitEmbed(t, "#/embed?nComponents=64")
	content := "size,city\n" + strings.Repeat("1,Bern\n2,Basel\n", 20_000) + strings.Repeat("3,Z\xfcrich\n", 30)
	v.readyAfter(func() { v.choose(v.write("cities.csv", content)) })
	v.says("#encoding", "30 rows could not be used. The text of some is not UTF-8.…")
	v.readyAfter(func() { v.pressByMouse("#read-windows-1252") })
	v.says("#status", "Embedded 40,030 rows…")
	if v.shows("#encoding") {
		t.Errorf("the offer stays: %q", v.text("#encoding"))
	}
}

// TestSalt: the page writes the salt of a passphrase into the model, and a model that is opened fills it in.
func TestSalt(t *testing.T) {
	t.Parallel()
	v := visitEmbed(t, "#/embed?nComponents=64")
	file := v.write("salted.csv", smallCSV)
	v.readyAfter(func() { v.choose(file) })
	v.click(".key summary")
	v.click("#new-salt")
	v.readyAfter(func() { choose(v, "#key", "correct horse") })
	salt := eval[string](v, `document.querySelector("#salt").value`)
	_, npy := v.download("#save-npy")
	_, saved := v.download("#save-model")
	if !bytes.Contains(saved, []byte(`"keySalt":{"salt":"`+salt+`","iterations":600000}`)) ||
		bytes.Contains(saved, []byte("horse")) {
		t.Fatalf("the model is %.600s", saved)
	}

	v.do(chromedp.Reload())
	v.ready()
	if got := eval[string](v, `document.querySelector("#salt").value`); got != "" {
		t.Fatalf("the salt is still there: %s", got)
	}
	v.choose(v.write("salted-model.json", string(saved)))
	v.wait(fmt.Sprintf(`document.querySelector("#salt").value === %q`, salt))
	if got := v.text("#model-note"); strings.Contains(got, "with its salt") {
		t.Errorf("the page asks for a salt: %q", got)
	}
	v.choose(file)
	v.until("#status", "salted-model.json needs its key: type its passphrase under…")
	choose(v, "#key", "correct horse")
	v.wait(`document.querySelector("#model-note").textContent.startsWith(
			"The features are made by salted-model.json.") &&
		document.querySelector("#picture")?.getAttribute("aria-busy") === "false" &&
		document.querySelector("#status").textContent.startsWith("Embedded 9")`)
	_, again := v.download("#save-npy")
	if !bytes.Equal(again, npy) {
		t.Errorf("the model and the passphrase give other features: %q", v.text("#status"))
	}
}

// isMasked tells how the letters of the key are hidden, and how many fields are for passwords.
const isMasked = `getComputedStyle(document.querySelector("#key")).webkitTextSecurity + " " +
	document.querySelectorAll("input[type=password]").length`

// TestKeyField: no source of the page has a field for passwords.
func TestKeyField(t *testing.T) {
	for _, pattern := range []string{"ui/*.vugu", "public/*.html", "ui/*.html", "ui/*.go", "public/*/*.js"} {
		files := must(filepath.Glob(filepath.Join(repo, pattern)))(t)
		if len(files) == 0 {
			t.Errorf("there is no %s", pattern)
		}
		for _, file := range files {
			if bytes.Contains(must(os.ReadFile(file))(t), []byte(`type="password"`)) {
				t.Errorf("%s has a field for passwords", file)
			}
		}
	}
}

// TestPrivateFile: what is saved privately has noise, is charged to the file, and refuses
// what depends on the rows and has none; what the receiver needs goes with it.
func TestPrivateFile(t *testing.T) {
	t.Parallel()
	v := visitEmbed(t, "#/embed?nComponents=64&release=rows&epsilon=1&delta=1e-5&radius=1&budget=1.2")
	v.wait(`document.querySelector("#tradeoff svg")`)
	v.says(".release p:nth-of-type(2)", "One vector of 64 features released at ε = 1 is noise (signal 2.00, noise 1…")
	v.readyAfter(func() { v.choose(v.write("people-private.csv", peopleCSV)) })
	v.wait(`document.querySelector(".misfit").textContent.includes("A private release cannot be made so: column \"")`)
	v.click("#release")
	if eval[bool](v, `document.querySelector("#release-now") !== null`) {
		t.Error("a release that would be refused can be confirmed")
	}
	v.readyAfter(func() { v.click("#fit-columns") })
	v.until("#ledger", "No release of exactly this file is known…")
	release1 := func() {
		v.click("#release")
		v.wait(`document.querySelector("#release-now") !== null`)
		// The question stands right below the button that asks it, where a visitor sees it.
		if below := eval[float64](v, `document.querySelector(".confirm").getBoundingClientRect().top -
			document.querySelector("#release").getBoundingClientRect().bottom`); below < 0 || below > 100 {
			t.Errorf("the question is %v px below its button", below)
		}
		v.says(".confirm",
			"…This costs ε 1 at δ 1×10⁻⁵.…suggested by looking at the rows, and so was how the file is read (…")
		v.click("#release-now")
	}
	release1()
	v.wait(`document.querySelector('[id^="save-as-csv-"]') !== null`)
	name, content := v.download(`[id^="save-as-csv-"]`)
	if lines := strings.Count(string(content), "\n"); name != "people-private-private-rows-features.csv" || lines != 6 {
		t.Errorf("%s has %d lines", name, lines)
	}
	v.until("#saving-status", name+": the browser saves it.")
	v.until("#ledger", "This browser knows 1 release of exactly this file: ε 1.00 of the budget of 1.2 is spent…")
	name, release := v.download(`[id^="save-release-"]`)
	var said map[string]any
	if err := json.Unmarshal(release, &said); err != nil || name != "people-private-private-rows-release.json" ||
		said["kind"] != "rows" || said["epsilon"] != 1.0 || bytes.Contains(release, []byte("Bern")) {
		t.Errorf("%s holds %.400s, %v", name, release, err)
	}
	// Another format is the same release: the same noisy numbers, and nothing more is spent.
	name, npy := v.download(`[id^="save-as-npy-"]`)
	if name != "people-private-private-rows-features.npy" {
		t.Errorf("the array is %s", name)
	}
	first := math.Float32frombits(binary.LittleEndian.Uint32(npy[128:]))
	if _, line, _ := strings.Cut(string(content), "\n"); !strings.HasPrefix(line,
		strconv.FormatFloat(float64(first), 'g', -1, 32)+",") {
		t.Errorf("the array begins with %v, the text with %.40s", first, line)
	}
	v.until("#ledger", "This browser knows 1 release of exactly this file: ε 1.00…")
	release1()
	v.until("#saving-status", "…could not be written…")
	v.says("#saving-status", "…which is what 1 release of these rows leaves of their budget of epsilon 1.2…")
	_, ledger := v.download("#save-ledger")
	if !bytes.Contains(ledger, []byte(`"epsilon":1.2`)) {
		t.Errorf("the ledger is %s", ledger)
	}
	v.click("#forget-ledger")
	v.until("#ledger", "What the releases of this file have cost is forgotten here.…")
	other := strings.Replace(string(ledger), `"content":"`, `"content":"0`, 1)
	v.upload("#ledger-file", v.write("other-ledger.json", other))
	v.until("#ledger", "this ledger is of another file…")
	// The saved ledger brings it back, and counts it once.
	for range 2 {
		v.upload("#ledger-file", v.write("people-private-ledger.json", string(ledger)))
		v.until("#ledger", "This browser knows 1 release of exactly this file: ε 1.00 of the budget of 1.2 is spent…")
	}
	v.click("#forget-ledger")
	v.until("#ledger", "What the releases of this file have cost…")
	v.drop("people-private-ledger.json", string(ledger))
	v.until("#ledger", "This browser knows 1 release of exactly this file: ε 1.00…")
	v.click("#forget-ledger")
	v.removeJobs()
}

// TestWorkbook: a workbook that is dropped gives what the same table gives as CSV, cell for cell and bit for bit.
func TestWorkbook(t *testing.T) {
	t.Parallel()
	const csv = `name,size,day,at,open,sum,said
a & b,0.5,2024-02-27,2024-05-06T07:08:09.5,1,1,xa & b
"c
d",1.5,2024-02-28,2024-05-06T07:08:09.5,0,3,"xc
d"
a & b,2.5,2024-02-29,2024-05-06T07:08:09.5,1,5,xa & b
,-1.5e-7,,,,,"plain, bold and  more "
 Zürich 𝕏 ,1e+300,,,,,
`
	content := must(os.ReadFile(filepath.Join(repo, "dataset", "columnar", "testdata", "exceljs.xlsx")))(t)
	v := visitEmbed(t, "#/embed?nComponents=64")
	saved := func(open func()) (columns []string, features, npy string) {
		v.readyAfter(open)
		v.says("#status", "Embedded 3 rows in …")
		_, lines := v.download("#save-csv")
		_, array := v.download("#save-npy")
		return eval[[]string](v, `[...document.querySelectorAll('#columns [data-setting="role"]')].map((s) => s.value)`),
			string(lines), string(array)
	}
	columns, features, npy := saved(func() { v.drop("table.xlsx", string(content)) })
	v.says(".origin span", "…7 columns…")
	wantColumns, wantFeatures, wantNPY := saved(func() { v.choose(v.write("table.csv", csv)) })
	if !slices.Equal(columns, wantColumns) || features != wantFeatures || npy != wantNPY {
		t.Errorf("the workbook gives %q and\n%.300s\nthe CSV %q and\n%.300s", columns, features, wantColumns, wantFeatures)
	}
}

// TestHeaviestColumn: where numbers are taken as they are, the page names the column that outweighs the others, and
// its remedy helps.
func TestHeaviestColumn(t *testing.T) {
	t.Parallel()
	v := visitEmbed(t, "#/embed?nComponents=64")
	const csv = "age,income,temperature\n31,41000,36.5\n54,67000,37.1\n23,28500,36.9\n47,52000,38.2\n"
	v.readyAfter(func() { v.choose(v.write("incomes.csv", csv)) })
	const warned = `The column "income" makes up more than 99.9`
	warning := func(scaling string) string {
		if scaling != "" {
			v.readyAfter(func() { choose(v, "#all-scaling", scaling) })
		}
		return v.text("#warning")
	}
	if got := warning(""); strings.Contains(got, "makes up") {
		t.Errorf("scaled as the page begins: %q", got)
	}
	if got := warning("none"); !strings.Contains(got, warned) ||
		!strings.Contains(got, `Under Rows, scale numbers to 0…1, or ignore "income".`) ||
		!v.shows("#warning") {
		t.Errorf("as they are: %q", got)
	}
	if got := warning("min-max"); strings.Contains(got, "makes up") {
		t.Errorf("scaled to 0…1: %q", got)
	}
	warning("none")
	v.readyAfter(func() { choose(v, `#columns [data-column="1"][data-setting="role"]`, "ignore") })
	if got := v.text("#warning"); strings.Contains(got, "income") {
		t.Errorf("income is ignored: %q", got)
	}
}

// TestAdviceOfTwoFiles: the picture of a release, its best D and all that is said of it are the same for two files with
// the same columns.
func TestAdviceOfTwoFiles(t *testing.T) {
	t.Parallel()
	const pictured = `document.querySelector("#tradeoff svg")?.getAttribute("aria-label") ?? ""`
	advice := func(content string) string {
		v := visitEmbed(t, "#/embed?nComponents=64&release=rows&epsilon=16&radius=2")
		v.wait(`document.querySelector("#tradeoff svg")`)
		sample := eval[string](v, pictured)
		v.readyAfter(func() { v.choose(v.write("advice.csv", content)) })
		v.readyAfter(func() { v.click("#fit-columns") })
		v.wait(fmt.Sprintf(`![%q, ""].includes(%s)`, sample, pictured)) // it is of 3 coordinates now
		return eval[string](v, `document.querySelector("#tradeoff").innerHTML +
			[...document.querySelectorAll(".privacy .release > p:not(#ledger)")].map((p) => p.textContent).join("\n")`)
	}
	small := advice("a,b,c\n0.1,0.2,0.3\n0.3,0.2,0.1\n0.2,0.2,0.2\n")
	large := advice("a,b,c\n900,-50,0\n0,0,12345\n-1e6,3,3\n")
	if small != large {
		t.Errorf("of small rows the page says\n%s\nand of large ones\n%s", small, large)
	}
	if !strings.Contains(small, "best D") || !strings.Contains(small, "two made-up rows of length R = 2") {
		t.Errorf("the page says %s", small)
	}
}

// TestSparseWidth: the number of coordinates of LIBSVM rows is typed for a release; until it is, and where it is none,
// nothing is released.
func TestSparseWidth(t *testing.T) {
	t.Parallel()
	v := visitEmbed(t, "#/embed?nComponents=64&release=rows&epsilon=1&radius=1&budget=1.2")
	v.readyAfter(func() { v.choose(v.write("sparse-width.svm", "1 1:0.5 3:1\n-1 2:2 5:1\n1 1:1\n")) })
	const misfit = `document.querySelector(".misfit").textContent`
	v.wait(misfit + `.includes("the number of sparse coordinates would be learned from the rows: type it")`)
	v.click("#release")
	if eval[bool](v, `document.querySelector("#release-now") !== null`) {
		t.Error("a release without the number of coordinates can be confirmed")
	}
	for _, wrong := range []string{"-1", "many", "2147483648"} {
		v.set("sparseWidth", wrong)
		v.wait(fmt.Sprintf(`(document.querySelector(".field.sparseWidth .error")?.textContent ?? "").replaceAll('"', "") ===
			"Coordinates of LIBSVM rows must be an integer from 0 to 2147483647, got %s"`, wrong))
	}
	v.set("sparseWidth", "4")
	v.wait(misfit + `.includes("would be handed on as it is, without noise")`)
	v.readyAfter(func() { v.click("#fit-columns") })
	v.wait(`document.querySelector(".misfit").hidden`)
	v.click("#release")
	v.wait(`document.querySelector("#release-now") !== null`)
	v.click("#release-now")
	v.wait(`document.querySelector('[id^="save-as-csv-"]') !== null`)
	// also the second row, with a coordinate 5
	if _, content := v.download(`[id^="save-as-csv-"]`); strings.Count(string(content), "\n") != 4 {
		t.Errorf("released is %.300s", content)
	}
	v.click("#forget-ledger")
	v.removeJobs()
}

// TestClosedTab: an embedding whose page is left half way is offered when the page is
// opened again, and goes on when its file is chosen; another file is refused.
func TestClosedTab(t *testing.T) {
	t.Parallel()
	v := visitEmbed(t, "")
	path := v.write("left.csv", largeCSV(60_000))
	v.readyAfter(func() { v.choose(path) })
	v.asTheyAre() // the rows that are embedded natively are
	v.click("#save-npy")
	v.wait(`/\d,\d{3}\s+rows/.test(document.querySelector("#saving-figures").textContent)`)
	v.click("#pause")
	v.until("#saving-status", "Paused.…")
	v.do(chromedp.Reload())
	v.ready()
	v.wait(`document.querySelector('[id^="continue-"]')`)
	v.says(".job span", "Left half way: the first … of left.csv are embedded…")
	goOn := func() { v.pressByMouse(`[id^="continue-"]`) }
	v.chooseBy(goOn) // nothing: the visitor leaves the dialog, and drops something else
	v.readyAfter(func() { v.drop("dropped.csv", nextGood) })
	v.says(".origin strong", "dropped.csv")
	v.chooseBy(goOn, v.write("other.csv", "a,b\n1,2\n"))
	v.until("#saving-status", "…other.csv is not the file this embedding was begun with (left.csv, …")
	folder := v.saveInto()
	v.chooseBy(goOn, path)
	name, content := v.saved(folder, "the rest of left.csv")
	if name != "left-features.npy" || len(content) != 128+60_000*4096 {
		t.Errorf("%s has %d bytes", name, len(content))
	}
	X := embed(t, params(64), firstRows(t, path, 3))
	checkNPY(t, content[:128+4*len(X)], X)
	v.wait(`!document.querySelector('[id^="continue-"]')`)
	v.click(`[id^="remove-"]`)
	v.wait(`!document.querySelector(".job")`)
}

// TestJobOfOtherTab: what another tab is writing is neither removed nor saved, and the page says which of the two. Once
// the other tab stops, the list shows it by itself.
func TestJobOfOtherTab(t *testing.T) {
	t.Parallel()
	v := visitEmbed(t, "")
	path := v.write("two.csv", largeCSV(60_000))
	v.readyAfter(func() { v.choose(path) })
	v.click("#save-npy")
	v.until("#saving-figures", "… rows · …")
	v.click("#stop-saving")
	v.until("#saving-status", "Stopped. …")
	other := open(t, sharedBrowser(t), server(t), "")
	other.ready()
	other.wait(`document.querySelector('[id^="continue-"]')`)
	goOn := func() { other.pressByMouse(`[id^="continue-"]`) }
	for verb, button := range map[string]string{"removed": `[id^="remove-"]`, "saved": `[id^="save-job-"]`} {
		other.chooseBy(goOn, path)
		other.until("#saving-status", "Writing two-features.npy.")
		other.click("#pause")
		other.until("#saving-status", "Paused. …")
		if figures := other.text("#saving-figures"); strings.HasPrefix(figures, "0 rows") {
			t.Errorf("paused, the job that went on has %q", figures)
		}
		v.click(button)
		v.until("#saving-status", "two-first-…-rows-features.npy could not be "+verb+
			": this embedding is being written in another tab: stop it there first.")
		v.until(".job span", "Being written in another tab.")
		other.click("#stop-saving")
		v.until(".job span", "Left half way: …")
	}
	v.removeJobs()
}

// TestFullDisk: where the browser has no room for more rows, the page says so in its own words, and the rows so far can
// be saved. It does not say of a file without rows that some are kept.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	browser, end := startBrowser(t, hurried)
	t.Cleanup(end)
	v := open(t, browser, server(t), "")
	v.ready()
	v.readyAfter(func() { v.choose(v.write("full.csv", largeCSV(20_000))) })
	quota := eval[float64](v, `navigator.storage.estimate().then(({ usage }) => usage)`) + 40e6
	must(chromedp.Call(v.ctx, storage.OverrideQuotaForOrigin,
		storage.OverrideQuotaForOriginParams{Origin: v.origin, QuotaSize: &quota}))(v)
	const why = "could not be written: the browser has no room left for what this page keeps: remove some of that, " +
		"or free some of the disk."
	v.click("#save-npy")
	v.until("#saving-status", "full-features.npy "+why+" The first … rows are kept in this browser, below: go on, save "+
		"them, or remove them.")
	v.click("#save-csv")
	v.until("#saving-status", "full-features.csv "+why+"…")
	name, content := v.download(`.job:last-child [id^="save-job-"]`)
	rows := (len(content) - 128) / 4096
	if rows < 1000 || name != fmt.Sprintf("full-first-%d-rows-features.npy", rows) {
		t.Errorf("saved are %d bytes as %s", len(content), name)
	}
	v.until("#saving-status", name+": the browser saves it.")
	v.removeJobs()
	v.until("#saving-status", "full-… is removed.")
	v.click("#save-model")
	v.until("#saving-status", "full-model.json is written: the browser saves it.")
}

// TestFieldsAlike: all fields of a file's settings have the height of a finger's target, and look alike.
func TestFieldsAlike(t *testing.T) {
	t.Parallel()
	v := visitEmbed(t, "#/embed?nComponents=64")
	v.readyAfter(func() { v.choose(v.write("fields.csv", largeCSV(50))) })
	v.click(".reading summary")
	v.wait(`document.querySelectorAll("#find-columns, .reading [type=number]").length > 1`)
	for _, problem := range eval[[]string](v, `[...document.querySelectorAll("input:is([type=number], [type=search])")]
		.filter((e) => e.checkVisibility()).flatMap((e) => {
			const { height } = e.getBoundingClientRect(), { borderRadius, fontFamily } = getComputedStyle(e);
			const like = getComputedStyle(document.querySelector("#nComponents"));
			return height < 43.9 || borderRadius !== like.borderRadius || fontFamily !== like.fontFamily
				? [(e.id || e.name || e.type) + ": " + [height, borderRadius, fontFamily]] : [];
		})`) {
		t.Error(problem)
	}
}

// TestKeyStaysInItsColumn: the fields of the secret key are no wider than the column that they stand in.
func TestKeyStaysInItsColumn(t *testing.T) {
	v := visitEmbed(t, "#/embed?nComponents=64")
	v.click(".key summary")
	v.wait(`document.querySelector("#salt").checkVisibility()`)
	if over := eval[float64](v, `Math.max(...[...document.querySelectorAll(".key, .key p, .key input")].map((e) =>
		e.getBoundingClientRect().right)) - document.querySelector(".away .side").getBoundingClientRect().right`); over > 1 {
		t.Errorf("the key reaches %v pixels over the next column", over)
	}
}

// walk steps through a map of rows by all of its keys.
func (v *visit) walk(spot string) {
	v.Helper()
	last := eval[int](v, fmt.Sprintf(`+document.querySelector(%q).ariaValueMax`, spot))
	press := func(key string, is string, row int) {
		v.Helper()
		v.pressByKey(spot, key)
		v.wait(fmt.Sprintf(`+document.querySelector(%q).ariaValueNow %s %d`, spot, is, row))
	}
	for _, keys := range [][2]string{{kb.ArrowLeft, kb.ArrowRight}, {kb.ArrowDown, kb.ArrowUp}} {
		press(kb.Home, "===", 0)
		press(keys[0], "!==", 0)
		press(keys[1], "===", 0)
		press(keys[1], "!==", 0)
		press(keys[0], "===", 0)
	}
	press(kb.End, "===", last)
	for _, key := range []string{kb.Enter, " ", kb.Escape} {
		press(key, "===", last)
	}
}

// TestRowsMap: the map of the rows has a dot for each sampled row; a press on one, or a step by the arrows, shows the
// row, and a dot of the errors that is pointed at names its two rows.
func TestRowsMap(t *testing.T) {
	t.Parallel()
	v := visitEmbed(t, "#/embed?nComponents=256")
	v.wait(`document.querySelector("#map-says .small") !== null`)
	v.says("#map-says .small", "Each dot is a row, 400 of 1,000 evenly drawn. …")
	dots := `[...document.querySelectorAll("#map-picture .place")].map((p) => p.getAttribute("d")).join("")`
	if got := eval[int](v, dots+`.split("M").length - 1`); got != 400 {
		t.Errorf("%d dots, want 400", got)
	}
	if got := eval[int](v, `document.querySelectorAll("#map-picture .place").length`); got != 10 {
		t.Errorf("%d colours, want one for each digit", got)
	}
	const press = `(() => {
		const svg = document.querySelector("%s svg"), box = svg.getBoundingClientRect();
		const [x, y] = svg.querySelector("%s").getAttribute("d").slice(1).split("h")[0].split(" ").map(Number);
		svg.dispatchEvent(new PointerEvent("%s", { bubbles: true, clientX: box.left + x, clientY: box.top + y }));
		return 0;
	})()`
	eval[int](v, fmt.Sprintf(press, "#map-picture", ".place", "click"))
	v.until("#map-says p:not([class])", "This is row …, digit 0.") // words come in a task after the picture
	row := v.text("#map-says p:not([class])")
	v.walk("#map-picture .spot")
	v.wait(fmt.Sprintf(`document.querySelector("#map-says p:not([class])").textContent !== %q`, row))
	if !eval[bool](v, `document.activeElement.matches("#map-picture .spot")`) {
		t.Error("a key takes the focus away from the map")
	}
	eval[int](v, fmt.Sprintf(press, "#picture", ".dots ~ .dots", "pointermove"))
	v.until("#picture .pair", "row …, digit … · row …, digit …: exact …, estimate …")
	v.readyAfter(func() { v.choose(v.write("people.csv", peopleCSV)) })
	v.until("#map-says .small", "Each dot is a row. …")
}
