//go:build !js

package page

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"tensorsketch.example/dataset/onnx"
)

// ringCSV is a table of points in the square, with labels that say whether they are in a ring.
func ringCSV(rows, seed int, tag string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "a,b,%s\n", tag)
	for i := range rows {
		x, y := float64((i*7919+seed)%1999)/999.5-1, float64((i*104729+seed*31)%2003)/1001.5-1
		label := "outside"
		if r := x*x + y*y; r > .2 && r < .8 {
			label = "in, ring"
		}
		fmt.Fprintf(&b, "%.4f,%.4f,%q\n", x, y, label)
	}
	return b.String()
}

// learnRing has the worker learn from the chosen file, and use the model.
const learnRing = `(async () => {
	const { plan, layout } = await fileJob("open", { file: chosen });
	await fileJob("learn", { session: 1, rows: 1, file: chosen, options: layout.reading, plan,
		params: { nComponents: 64, degree: 4, coef0: 1, seed: 5 }, sizes: [64],
		task: "auto", seed: 1 });
	globalThis.model = await fileJob("learnModel", { D: 64, probabilities: true });
	return fileJob("useModel", { text: model });
})()`

// predictedInNode returns what the model file predicts in Node, one line for each row.
func predictedInNode(v *visit, model, file string) []string {
	v.Helper()
	said := inNode(v, model, file, `{ map } = made`, `for (const label of made.predict(X)) console.log(label);`)
	return strings.Split(strings.TrimSpace(string(said)), "\n")
}

// column returns a column of a CSV file.
func column(t testing.TB, table, name string) (cells []string) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for i, head := range rows[0] {
		if head == name {
			for _, row := range rows[1:] {
				cells = append(cells, row[i])
			}
			return cells
		}
	}
	t.Fatalf("there is no column %q among %q", name, rows[0])
	return nil
}

// TestUseWorker: the worker predicts a second file as Node does with the saved model, stops and counts, and trains
// privately until the budget of the file is spent. A private model file holds nothing that was taken from the rows.
func TestUseWorker(t *testing.T) {
	t.Parallel()
	v := jobPage(t)
	v.holdsJobs()
	train := ringCSV(1200, 0, "where")
	v.chooseJob(train)
	info := eval[struct {
		Task             string
		Classes          []string
		HasProbabilities bool
		Columns          int
		Largest          float64
	}](v, learnRing)
	if info.Task != "classify" || strings.Join(info.Classes, "|") != "in, ring|outside" || !info.HasProbabilities ||
		info.Columns != 2 {
		t.Errorf("the model is %+v", info)
	}
	answer := eval[struct {
		Best    int
		Numbers map[string]float64
	}](v, `fileJob("useAnswer", { row: [0.5, 0.5] })`)
	if answer.Best != 0 || answer.Numbers["0"]+answer.Numbers["1"] < .99 || answer.Numbers["0"] < .5 {
		t.Errorf("of a point in the ring the model says %+v", answer)
	}

	// The second file has a bad row, another order of columns, and labels.
	second := strings.Replace(ringCSV(700, 17, "where"), "\n", "\nwhat,0,outside\n", 1)
	said := eval[struct {
		Rows, Unused, Labelled int
		Notes                  []struct{ What string }
		Stopped                bool
		Score, Low, High       float64
		Text                   string
	}](v, fmt.Sprintf(`(async () => {
		const said = await fileJob("usePredict", { file: new File([%q], "second.csv") });
		return { ...said, ...said.score, score: said.score.value, text: await said.blob.text() };
	})()`, second))
	if said.Rows != 700 || said.Unused != 1 || len(said.Notes) != 1 ||
		!strings.HasPrefix(said.Notes[0].What, "1 row has no answer, line 2, ") || said.Labelled != 700 ||
		said.Stopped || said.Score < .6 || said.Low >= said.Score || said.High <= said.Score {
		t.Errorf("the second file: %+v", said)
	}
	model := v.write("model.json", eval[string](v, "model"))
	want := predictedInNode(v, model, v.write("second.csv", second))
	got, right := column(t, said.Text, "prediction"), 0
	if got[0] != "" || strings.Join(got[1:], "\n") != strings.Join(want, "\n") {
		t.Errorf("the page predicts %q…, Node %q…", got[:3], want[:3])
	}
	for i, label := range column(t, said.Text, "where") {
		if label == got[i] && label != "" {
			right++
		}
	}
	if float64(right)/700 != said.Score {
		t.Errorf("%d of 700 are right, and the accuracy is said to be %g", right, said.Score)
	}
	if rows := column(t, said.Text, "row"); rows[0] != "2" || rows[700] != "702" {
		t.Errorf("the rows are numbered from %s to %s", rows[0], rows[700])
	}
	if shares := column(t, said.Text, "probability in, ring"); shares[0] != "" || shares[1] == "" {
		t.Errorf("the probabilities are %q…", shares[:2])
	}
	if why := column(t, said.Text, "why"); !strings.Contains(why[0], `"what" is not a number`) || why[1] != "" {
		t.Errorf("why there is no answer is said as %q…", why[:2])
	}

	stopPredicting(v)

	v.Run("private", func(t *testing.T) { privateRing(v) })
}

// stopPredicting: Stop ends a prediction, and the rows so far are returned. Another prediction begins at once. How soon
// it ends, TestPauseAndStop says.
func stopPredicting(v *visit) {
	v.Helper()
	const all = 300_000
	said := eval[struct {
		Rows    int
		Stopped bool
		Lines   int
		After   int
		Failure string
	}](v, fmt.Sprintf(`(async () => {
		const file = new File(["a,b,where\n" + "0.25,-0.5,outside\n".repeat(%d)], "long.csv");
		const { run, failure } = await heldJob("usePredict", { file }, { phase: "use", share: 1e-6, type: "useStop" });
		const { rows, stopped, blob } = await run;
		const lines = (await blob.text()).split("\n").length - 2;
		const { rows: after } = await fileJob("usePredict", { file: new File(["a,b,where\n0,0,outside\n"], "short.csv") });
		return { rows, stopped, lines, after, failure };
	})()`, all))
	if !said.Stopped || said.Rows == 0 || said.Rows >= all || said.Lines != said.Rows || said.After != 1 ||
		said.Failure != "" {
		v.Errorf("stopped: %+v", said)
	}
}

type privateOutcome struct {
	Rows, Held, Odd int
	Text, Failure   string
	Ledger          *ledgerState
	Noisy, Plain    struct{ Value float64 }
}

// privateRing trains privately from the chosen file.
func privateRing(v *visit) {
	eval[any](v, `fileJob("resetLedger", { file: chosen })`)
	train := func(more string) privateOutcome {
		v.Helper()
		return eval[privateOutcome](v, fmt.Sprintf(`fileJob("usePrivate", { file: chosen, isSample: false,
			options: %s, plan: { columns: [
				...["a", "b"].map((name) => ({ name, role: "number", missing: "zero", scaling: "min-max", center: -1, scale: 2 })),
				{ name: "where", role: "label" }], sparse: false, unitNorm: true },
			params: { nComponents: 32, degree: 2, coef0: 1, normalize: "kernel" }, task: "classify",
			classes: ["outside", "in, ring"], epsilon: 4, delta: 1e-5, budget: { epsilon: 6, delta: 1e-5 }, %s
		}).catch(({ message }) => ({ failure: message }))`, releaseReading, more))
	}
	refused := train(`plan: { columns: [{ name: "a", role: "number", missing: "mean", scaling: "none" }], sparse: false,
		unitNorm: true }`)
	if !strings.Contains(refused.Failure, "mean") {
		v.Errorf("a column that learns its mean: %+v", refused)
	}
	first := train("")
	if first.Failure != "" || first.Rows+first.Held != 1200 || first.Held < 250 || first.Held > 350 ||
		first.Odd != 0 || first.Ledger == nil ||
		len(first.Ledger.Releases) != 1 || first.Noisy.Value < .4 || first.Plain.Value < .5 {
		v.Errorf("the first training: %+v", first)
	}
	for _, secret := range []string{`"fill"`, `"values"`, "accuracy", "heldOut"} {
		if strings.Contains(first.Text, secret) {
			v.Errorf("the private model file has %s: %.2000s", secret, first.Text)
		}
	}
	odd := train(`classes: ["outside", "elsewhere"], epsilon: 2`)
	if odd.Failure != "" || odd.Odd == 0 || odd.Rows != first.Rows || len(odd.Ledger.Releases) != 2 {
		v.Errorf("with another class: %+v", odd)
	}
	if again := train(""); !strings.Contains(again.Failure, "budget") {
		v.Errorf("beyond the budget: %+v", again)
	}
	if sample := train("isSample: true"); sample.Failure != "" || sample.Ledger != nil {
		v.Errorf("the sample: %+v", sample)
	}
	numbers := train(`isSample: true, task: "regress", classes: undefined, targetRange: [-1, 1], plan: { columns: [
		{ name: "a", role: "number", missing: "zero", scaling: "min-max", center: -1, scale: 2 },
		{ name: "b", role: "label" }, { name: "where", role: "ignore" }], sparse: false, unitNorm: true }`)
	if numbers.Failure != "" || numbers.Odd != 0 || numbers.Rows != first.Rows || numbers.Plain.Value > .2 ||
		!strings.Contains(numbers.Text, `"task":"regress"`) {
		v.Errorf("numbers: %+v", numbers)
	}
	if left := v.ledger("chosen"); len(left.Releases) != 2 {
		v.Errorf("afterwards the ledger has %d releases", len(left.Releases))
	}
}

// padBox brings the pad into sight, waits until nothing moves, and returns where it is.
func (v *visit) padBox() rect {
	v.Helper()
	v.wait(`document.querySelector("#pad svg")`)
	return eval[rect](v, `(async () => {
		const pad = document.querySelector("#pad");
		for (let last = NaN, still = 0; still < 5;) {
			pad.scrollIntoView({ block: "center", behavior: "instant" });
			await new Promise((resolve) => setTimeout(resolve, 40));
			const { top } = pad.getBoundingClientRect();
			still = top === last ? still + 1 : 0;
			last = top;
		}
		const { left, top, width, height } = pad.getBoundingClientRect();
		return { left, top, width, height };
	})()`)
}

// seven is a drawn 7, as points of the pad.
var seven = [][2]float64{{.3, .2}, {.7, .2}, {.45, .8}}

// drawSeven draws a 7 with the mouse.
func (v *visit) drawSeven() {
	v.Helper()
	b := v.padBox()
	at := func(k int) (x, y float64) { return b.Left + b.Width*seven[k][0], b.Top + b.Height*seven[k][1] }
	for k := 1; k < len(seven); k++ {
		x, y := at(k - 1)
		toX, toY := at(k)
		v.drag(x, y, toX, toY)
	}
}

// TestDrawDigit: the model trained on the sample reads a 7 that is drawn with the mouse, by touch and with keys. What
// is around the pad does not move, and Clear begins anew.
func TestDrawDigit(t *testing.T) {
	t.Parallel()
	v := visitLearn(t, learnFromFile+"&nComponents=256")
	v.padBox()
	heights := `[...document.querySelectorAll(".uses > section, .pad-room > *")].map((e) => e.offsetHeight).join()`
	before := eval[string](v, heights)
	v.drawSeven()
	v.until("#pad-said", "The model says 7, with a probability of …")
	if got := eval[string](v, heights); got != before {
		t.Errorf("the answer moved what is around it: %s, before %s", got, before)
	}
	if bars := eval[int](v, `document.querySelectorAll("#pad-answer li").length`); bars != 10 || v.text(".best") != "7" {
		t.Errorf("%d bars, the best is %q", bars, v.text(".best"))
	}
	v.pressByMouse("#pad-clear")
	v.until("#pad-said", "Draw a digit…")

	// With keys: to the left end of the bar, along it, and down.
	v.pressByKey("#pad", strings.Repeat(kb.ArrowDown, 3)+strings.Repeat(kb.ArrowRight, 4))
	shifted := func(key string, times int) {
		for range times {
			v.do(chromedp.KeyEvent(key, chromedp.KeyModifiers(chromedp.ModifierShift)))
		}
	}
	shifted(kb.ArrowRight, 7)
	for range 3 {
		shifted(kb.ArrowDown, 3)
		shifted(kb.ArrowLeft, 1)
	}
	v.until("#pad-said", "The model says 7, …")
	v.until("#pad-place", "Row 13, column 9 of 16: filled.")
	v.press(" ")
	v.until("#pad-place", "Row 13, column 9 of 16: empty.")
	v.pressByKey("#pad-clear", kb.Enter)
	v.until("#pad-said", "Draw a digit…")

	// By touch, which does not scroll the page.
	v.pressByTouch("#digit-title")
	b := v.padBox()
	for k := range seven {
		for part := range 5 {
			next := seven[min(k+1, len(seven)-1)]
			x := seven[k][0] + float64(part)/5*(next[0]-seven[k][0])
			y := seven[k][1] + float64(part)/5*(next[1]-seven[k][1])
			kind := input.DispatchTouchEventTypeTouchMove
			if k == 0 && part == 0 {
				kind = input.DispatchTouchEventTypeTouchStart
			}
			v.touch(kind, &input.TouchPoint{X: b.Left + b.Width*x, Y: b.Top + b.Height*y})
		}
	}
	v.touch(input.DispatchTouchEventTypeTouchEnd)
	v.until("#pad-said", "The model says 7, …")
	if now := v.padBox(); now != b {
		t.Errorf("the pad moved from %v to %v", b, now)
	}
}

// TestUseModel: a model of a file is saved, and Node and the page that is saved predict the same as the page does for a
// second file. A private training asks, is charged, and the next one meets the ledger.
func TestUseModel(t *testing.T) {
	t.Parallel()
	v := visitLearn(t, learnFromFile+"&nComponents=256")
	train := ringCSV(900, 3, "where")
	v.learnedAfter(func() { v.choose(v.write("ring.csv", train)) })
	_, model := v.download("#save-learned")
	native := must(onnx.Marshal(model))(t)
	if name, saved := v.download("#save-learned-onnx"); name != "ring-model.onnx" || !bytes.Equal(saved, native) {
		t.Errorf("%s has %d bytes, want %d as Go writes them", name, len(saved), len(native))
	}
	second := ringCSV(300, 17, "where")
	path := v.write("second.csv", second)
	v.chooseBy(func() { v.pressByMouse("#second-file") }, path)
	v.until("#second-said", "300 rows of second.csv predicted. Of 300 labels in the file, … were predicted right…")
	name, answers := v.download("#save-predictions")
	want := predictedInNode(v, v.write("model.json", string(model)), path)
	if got := column(t, string(answers), "prediction"); name != "second-predictions.csv" ||
		strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s differs from what Node predicts", name)
	}

	german := strings.NewReplacer(", ", ", ", ",", ";", ".", ",").Replace(second) // the classes stay
	v.chooseBy(func() { v.pressByMouse("#second-file") }, v.write("german.csv", german))
	v.until("#second-said", `300 rows of german.csv predicted. It was read with decimal ",", otherwise than the model's `+
		"file. Of 300 labels in the file, …")

	_, saved := v.download("#save-page")
	page := v.write("predict.html", string(saved)) // opened from the disk, as by a double click
	tab, cancel := chromedp.NewContext(sharedBrowser(t))
	defer cancel()
	other := &visit{T: t, ctx: tab}
	other.do(chromedp.Navigate("file://" + page))
	other.upload("#file", path)
	other.wait(`document.querySelector("#said").textContent`)
	if got := other.text("#said"); got != strings.Join(want, "\n") {
		t.Errorf("the saved page predicts %.200q…, want %.200q…", got, strings.Join(want, "\n"))
	}
	checkFields(other, second, want[0])

	// The saved model predicts here too, without one that was trained here, and makes features in Embed.
	saves := v.write("model.json", string(model))
	v.choose(v.write("unlabelled.csv", "x,y\n1,2\n3,4\n"))
	v.until("#predicts", "No model has been trained here…")
	v.says("#learn-summary", "…There are no points yet.")
	v.chooseBy(func() { v.pressByMouse("#second-file") }, path)
	v.until("#second-problem", "model must be trained above, or be chosen here as a file, before rows are predicted…")
	v.chooseBy(func() { v.pressByMouse("#second-file") }, v.write("cut.json", string(model[:len(model)/2])))
	v.until("#second-problem", "cut.json begins as a file that this page has saved, and is cut off or damaged: choose …")
	v.chooseBy(func() { v.pressByMouse("#second-file") }, saves)
	v.until("#predicts", "model.json predicts…")
	v.chooseBy(func() { v.pressByMouse("#second-file") }, path)
	v.until("#second-said", "300 rows of second.csv predicted…")
	if _, again := v.download("#save-predictions"); string(again) != string(answers) {
		t.Error("the saved model predicts something else than before")
	}
	v.learnedAfter(func() { v.choose(saves, path) })
	v.says("#learn-split", "…To predict with it, choose it below, under “Predict another file”.")
	v.click(`#learn-columns a`)
	v.until("#model-note", "The features are made by model.json.…")
	v.ready()
	v.says("#problem", "")
	eval[any](v, `location.hash = "`+learnFromFile+`&nComponents=64"`)
	v.wait(`document.querySelector("#learn-file")`)
	v.says("#learn-columns", "Learned from: a, b. …")
	v.learnedAfter(func() { v.choose(v.write("ring.csv", train)) })
	v.until("#learn-summary", "…with D 256 it is…") // as the model of Embed has it
	v.wait(`!document.querySelector("#train-privately").disabled`)

	eval[any](v, `page.files.call("resetLedger", { file: new File([`+quoted(train)+`], "ring.csv") })`)
	v.pressByMouse("#train-privately")
	v.until("#private > .error", "classes must be at least two different ones, with commas between…")
	v.set("private-labels", "outside, inside")
	v.pressByMouse("#private-ranges")
	v.do(chromedp.KeyEvent("-1"))
	eval[any](v, `location.hash = location.hash.replace(/&epsilon=[^&]*/, "") + "&epsilon=1.5"`)
	v.wait(`document.querySelector("#epsilon").value === "1.5"`) // the page was drawn anew: what is half typed stays
	v.do(chromedp.KeyEvent(" 1\t"))
	v.pressByMouse("#train-privately")
	v.until("#private .confirm", "Sums over three quarters of the rows of ring.csv…")
	v.wait(`document.activeElement.matches("#private .confirm")`) // one more Enter confirms nothing
	v.tabTo("train-now")
	v.press(kb.Enter)
	v.until("#private-outcome", "The private model (ε 1.5…")
	v.wait(`document.activeElement.id === "train-privately"`)
	_, private := v.download("#save-private")
	native = must(onnx.Marshal(private))(t)
	if name, saved := v.download("#save-private-onnx"); name != "ring-private-model.onnx" || !bytes.Equal(saved, native) {
		t.Errorf("%s has %d bytes, want %d as Go writes them", name, len(saved), len(native))
	}
	v.until("#private-ledger", "This browser knows 1 release of exactly this file: …")
	v.pressByMouse("#train-privately")
	v.until("#private .confirm", "…Of the budget of ε 2, … is left before it…")
	v.pressByMouse("#train-now")
	v.until("#private > .error", "…budget…")

	// A saved model goes on to predict while the pad asks the model of the sample.
	v.learnedAfter(func() { v.click("#sample") })
	v.chooseBy(func() { v.pressByMouse("#second-file") }, saves)
	v.until("#predicts", "model.json predicts…")
	v.drawSeven()
	v.until("#pad-said", "The model says …")
	v.chooseBy(func() { v.pressByMouse("#second-file") }, path)
	v.until("#second-said", "300 rows of second.csv predicted…")
	v.drawSeven()
	v.until("#pad-said", "The model says …")
	v.pressByMouse("#trained-again")
	v.until("#predicts", "Choose a file of rows with the same columns…")
	v.says("#second-said", "")
}

// TestPrivateNumbers: a private model of numbers is trained. The question says how the fields were read, and a refusal
// of another budget names a remedy that the page has.
func TestPrivateNumbers(t *testing.T) {
	t.Parallel()
	v := visitLearn(t, learnFromFile+"&nComponents=64&epsilon=2&budget=4")
	var b strings.Builder
	b.WriteString("a,b,y\n")
	for i := range 600 {
		x, y := float64(i*7919%1999)/999.5-1, float64(i*104729%2003)/1001.5-1
		fmt.Fprintf(&b, "%.4f,%.4f,%.3f\n", x, y, 10*x*y)
	}
	file := b.String()
	v.learnedAfter(func() { v.choose(v.write("product.csv", file)) })
	eval[any](v, `page.files.call("resetLedger", { file: new File([`+quoted(file)+`], "product.csv") })`)
	v.set("private-labels", "-10,5 10,5")
	v.set("private-ranges", "-1,1")
	v.wait(`!document.querySelector("#train-privately").disabled`)
	v.pressByMouse("#train-privately")
	v.until("#private .confirm", "…The numbers to be predicted are from -10.5 to 10.5. The 2 columns of numbers are from "+
		"-1 to 1.…")
	v.pressByMouse("#train-now")
	v.until("#private-outcome", "The private model (ε 2, …) has learned from … It has an R² of …")
	v.set("budget", "5")
	v.pressByMouse("#train-privately")
	v.until("#private .confirm", "…Of the budget of ε 4, …")
	v.pressByMouse("#train-now")
	v.until("#private > .error", "budget must be epsilon 4 at delta 0.00001, as in the ledger of this file: it was fixed "+
		"before its first release.")
}

// checkFields types the first row of a table into a saved page, which has a field for each column by its name, and
// checks that the page's policy refuses every request.
func checkFields(v *visit, csv, want string) {
	v.Helper()
	got := eval[[]string](v, `[...document.querySelectorAll("#typed label")].map((l) => l.textContent.trim())`)
	if !slices.Equal(got, []string{"a", "b"}) {
		v.Errorf("the saved page asks for %q", got)
	}
	eval[string](v, `document.querySelector("#said").textContent = ""`)
	for i, name := range []string{"a", "b"} {
		v.click(fmt.Sprintf("#typed label:nth-child(%d) input", i+1))
		v.do(chromedp.KeyEvent(column(v.T, csv, name)[0]))
	}
	v.do(chromedp.KeyEvent("\r"))
	v.until("#said", want)
	for _, send := range []string{`fetch("data:,x")`, `fetch(URL.createObjectURL(new Blob(["x"])))`,
		`new Promise((load, fail) => Object.assign(new Image(), { onload: load, onerror: fail, src: "data:image/gif;base64,` +
			`R0lGODlhAQABAAAAACw=" }))`} {
		if said := eval[string](v, send+`.then(() => "sent", () => "refused")`); said != "refused" {
			v.Errorf("%s is %s", send, said)
		}
	}
}
