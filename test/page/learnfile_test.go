//go:build !js

package page

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"tensorsketch.example/test/cases"
)

const learnFromFile = "#/learn?half=file"

// visitLearn opens the half "Your file" by a link and waits until the curve is complete.
func visitLearn(t *testing.T, link string) *visit {
	t.Helper()
	v := openAgain(t, sharedBrowser(t), server(t), link)
	v.learned()
	return v
}

// learned waits until the curve is complete, with the predictions of a model.
func (v *visit) learned() {
	v.Helper()
	v.wait(`document.querySelector("#learn-curve")?.dataset.ready &&
		document.querySelector("#learn-detail .spot:not([hidden])")`)
}

// learnedAfter waits for the next curve after f.
func (v *visit) learnedAfter(f func()) {
	v.Helper()
	before := eval[string](v, `document.querySelector("#learn-curve")?.dataset.ready ?? ""`)
	f()
	v.wait(fmt.Sprintf(`(document.querySelector("#learn-curve")?.dataset.ready ?? %[1]q) !== %[1]q &&
		document.querySelector("#learn-detail .spot:not([hidden])")`, before))
}

// figure returns the number of a card.
func (v *visit) figure(card string) float64 {
	v.Helper()
	text := v.text("#" + card + " strong")
	x, err := strconv.ParseFloat(strings.TrimSuffix(strings.ReplaceAll(text, "−", "-"), " %"), 64)
	if err != nil {
		v.Errorf("#%s says %q, want a number", card, text)
	}
	return x
}

// TestLearnSample: the sample is learned by itself, and the sketch beats the line.
func TestLearnSample(t *testing.T) {
	t.Parallel()
	v := visitLearn(t, learnFromFile)
	if sketch, linear := v.figure("learn-score"), v.figure("learn-linear"); sketch < 90 || linear > sketch+1 {
		t.Errorf("the sketch has %v %%, the linear model %v %%", sketch, linear)
	}
	v.until("#learn-detail-title", "Confusion matrix, D 1,024")
	v.until("#learn-status", "Learned from … rows.")

	v.wait(`document.querySelectorAll(".take button").length === 9`) // of the curve, the predictions and the report
	v.wait(`new Set([...document.querySelectorAll(".take button")].map((e) => e.ariaLabel)).size === 9`)

	// the same link gives the same figures
	said := v.text("#learn-summary")
	again := visitLearn(t, eval[string](v, "location.hash"))
	if got := again.text("#learn-summary"); got != said {
		t.Errorf("the link says\n%s\nand before\n%s", got, said)
	}
}

// clouds is a file of points in three clouds of two numbers each, which a line cannot tell apart, with a text as label
// and a number that depends on them.
func clouds(rows int) string {
	random := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.WriteString("a,b,kind,height\n")
	for i := range rows {
		x, y := 2*random.Float64()-1, 2*random.Float64()-1
		kind := "inside"
		switch r := x*x + y*y; {
		case r > 1:
			kind = "outside"
		case r > .4:
			kind = "between"
		}
		height := fmt.Sprintf("%.4f", 3*x*y+x*x+.05*random.NormFloat64())
		if i%100 == 7 {
			kind, height = "", ""
		}
		fmt.Fprintf(&b, "%.5f,%.5f,%s,%s\n", x, y, kind, height)
	}
	return b.String()
}

// TestMapAwaited: where the map of the rows will be, words say what it waits for. There was an empty frame.
func TestMapAwaited(t *testing.T) {
	t.Parallel()
	v := openAgain(t, sharedBrowser(t), server(t), "#/about")
	v.wait(`document.querySelector("#app.at-about")`)
	eval[any](v, `{
		globalThis.awaited = new Set();
		const look = () => {
			const map = document.querySelector("#learn-map"), words = document.querySelector("#learn-map-says");
			if (map) awaited.add(map.querySelector(".place") ? "drawn" : "awaits " + (words?.textContent ?? ""));
			const top = words?.firstChild?.getBoundingClientRect().top, room = map?.getBoundingClientRect();
			if (room && !map.querySelector(".place") && !(top >= room.top && top < room.bottom)) awaited.add("awaits ");
		};
		new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
	}`)
	eval[any](v, fmt.Sprintf(`{ location.hash = %q; }`, learnFromFile))
	v.learned()
	v.wait(`document.querySelector("#learn-map .place")`)
	seen := eval[[]string](v, `[...awaited]`)
	if slices.Contains(seen, "awaits ") || len(seen) < 3 {
		t.Errorf("until the map is drawn there is %q, want words", seen)
	}
}

// TestLearnFile: a file is chosen. Its text label is learned as classes, another column as a number, and the rows
// behind what is picked are listed.
func TestLearnFile(t *testing.T) {
	t.Parallel()
	v := visitLearn(t, learnNumber)
	v.wait(`document.querySelector("#pad") && document.querySelector("#private-labels").value`)
	path := v.write("clouds.csv", clouds(1500))
	v.chooseBy(func() { v.pressByMouse("#choose") }, path)
	v.until(".origin strong", "clouds.csv")
	if v.text("#learn-label select option:checked") != "kind" {
		v.pressByKey("#label", "k")
	}
	v.wait(learnedOf("clouds.csv"))
	v.until("#learn-detail-title", "Confusion matrix, D 256")
	const digits = `document.querySelector("#pad") || document.querySelector("#private-labels").value ||
		document.querySelector("#private-ranges").value`
	if eval[bool](v, `Boolean(`+digits+`)`) {
		t.Error("the pad, the classes and the range of the sample's digits stay with another file")
	}
	v.wait(`document.querySelectorAll("#learn-curve .spot:not([hidden])").length === 1`)
	if sketch, linear := v.figure("learn-score"), v.figure("learn-linear"); sketch < 85 || linear > sketch-10 {
		t.Errorf("the sketch has %v %%, the linear model %v %%, want 85 and at least 10 less", sketch, linear)
	}
	v.says(".file-notes", `…15 rows are left out, the first at line 9, column "height": the cell is missing; …`)

	// a cell by keys: Home is the first class, which is right mostly
	v.pressByKey("#learn-detail .spot", kb.Home)
	v.until("#learn-picked", "true between, predicted between: … rows, … of the class")
	v.wait(`document.querySelectorAll("#learn-behind tbody tr").length === 12`)
	v.says("#learn-behind tbody tr td", "between")
	v.pressByMouse("#more-behind")
	v.wait(`document.querySelectorAll("#learn-behind tbody tr").length === 24`)
	// another by mouse: the middle of the picture of three classes is not the first cell
	v.pressByMouse("#learn-detail .scene")
	v.wait(`!document.querySelector("#learn-picked").textContent.startsWith("true between, predicted between")`)
	v.until("#learn-map-says .small", "Each dot is a row held out, …")
	v.walk("#learn-map .spot")
	v.wait(`document.querySelectorAll("#learn-map-row tbody tr").length === 1`)
	v.wait(`document.querySelector("#learn-behind").textContent === "" && document.querySelector("#learn-map .outline")`)

	// another D by keys: the predictions are of its model
	v.pressByKey("#learn-curve .spot", kb.Home)
	v.until("#learn-detail-title", "Confusion matrix, D 32")
	v.pressByKey("#learn-curve .spot", kb.End)
	v.until("#learn-detail-title", "Confusion matrix, D 256")

	// D by typing: what is known stays
	score := v.text("#learn-score strong")
	v.learnedAfter(func() { v.set("nComponents", "512") })
	v.until("#learn-detail-title", "Confusion matrix, D 512")
	v.learnedAfter(func() { v.set("nComponents", "256") })
	if got := v.text("#learn-score strong"); got != score {
		t.Errorf("back at D 256 the accuracy is %s, and was %s", got, score)
	}

	// a number
	v.learnedAfter(func() { v.pressByKey("#label", "h") })
	v.until("#learn-detail-title", "Predicted against true, D 256")
	if sketch, linear := v.figure("learn-score"), v.figure("learn-linear"); sketch < .9 || linear > .6 {
		t.Errorf("R² of the sketch is %v, of the linear model %v, want at least 0.9 and at most 0.6", sketch, linear)
	}
	v.pressByKey("#learn-detail .spot", kb.ArrowRight)
	v.until("#learn-picked", "true …, predicted …")
	v.wait(`document.querySelectorAll("#learn-behind tbody tr").length === 1`)

	// the file is the one of Embed, which keeps the label
	v.pressByMouse(`header a[href^="#/embed"]`)
	v.until(".origin strong", "clouds.csv")
	v.ready()
	v.until("#label option:checked", "height")
}

// TestLearnCompare: other seeds make a band, and the exact kernel a line, which says its rows.
func TestLearnCompare(t *testing.T) {
	t.Parallel()
	v := visitLearn(t, learnFromFile+"&nComponents=64")
	v.pressByMouse("#learn-seeds")
	v.wait(`document.querySelector("#learn-summary").textContent.includes("Over 5 seeds")`)
	v.wait(`document.querySelector("#learn-curve .band") && document.querySelector("#learn-seeds").disabled`)
	v.until("#learn-exact", "Compare with the exact kernel, 7… rows")
	v.pressByKey("#learn-exact", kb.Enter)
	v.wait(`/The exact kernel, on 7\d\d rows, has \d/.test(document.querySelector("#learn-summary").textContent)`)
	if name, csv := v.download("#save-picture-data"); name != "sample-digits-curve.csv" ||
		!strings.Contains(string(csv), "exact kernel,,") || strings.Count(string(csv), "sketch,") != 3 {
		t.Errorf("%s is saved:\n%s", name, csv)
	}
	if name, svg := v.download("#save-picture"); name != "sample-digits-curve.svg" ||
		!strings.Contains(string(svg), `class="curve"`) {
		t.Errorf("%s is saved: %.100s", name, svg)
	}
	if name, csv := v.download("#save-detail-data"); name != "sample-digits-confusion.csv" ||
		!strings.HasPrefix(string(csv), "true,0,1,2,3") {
		t.Errorf("%s is saved:\n%s", name, csv)
	}
	if name, png := v.download("#save-detail-png"); name != "sample-digits-confusion.png" ||
		!strings.HasPrefix(string(png), "\x89PNG") {
		t.Errorf("%s is saved: %.10q", name, png)
	}
}

// heights returns clouds whose label is the number.
func heights(rows int) string { return strings.Replace(clouds(rows), "kind,height", "kind,label", 1) }

// checked checks the model that is shown.
func (v *visit) checked() {
	v.Helper()
	v.pressByKey("#learn-check", kb.Enter)
	v.wait(`document.querySelector("#learn-report")?.dataset.panels > 1 &&
		document.querySelector("#learn-check").disabled && document.querySelector("#learn-curve[aria-busy=false]")`)
}

// TestLinearOfRows: the linear model beside the curve learns from the numbers of the rows themselves. It had learned
// from a random count sketch of them, since the page's map had lost its tables.
func TestLinearOfRows(t *testing.T) {
	t.Parallel()
	v := jobPage(t)
	var b strings.Builder
	b.WriteString("a,b,c,d,e,f,y\n")
	for i := range 400 {
		a, b2, c, d, e, f := i*37%100, i*53%97, i*71%89, i*29%83, i*17%79, i*13%73
		fmt.Fprintf(&b, "%d,%d,%d,%d,%d,%d,%d\n", a, b2, c, d, e, f, 5*a-4*b2+3*c-2*d+e-6*f)
	}
	v.chooseJob(b.String())
	linear := eval[struct {
		Score   float64
		Clipped int
	}](v, `(async () => {
		const { plan, layout } = await fileJob("open", { file: chosen });
		await fileJob("learn", { session: 1, rows: 1, file: chosen, options: layout.reading, plan, sizes: [32],
			params: { nComponents: 32, degree: 2, coef0: 1 }, task: "regress", seed: 1 });
		return news.find(({ point }) => point?.D === 0).point;
	})()`)
	if linear.Score < .9999 || linear.Clipped != 0 {
		t.Errorf("of a sum of the columns the linear model has R² %v, with %d features cut", linear.Score, linear.Clipped)
	}
}

// TestLearnCheck: a check adds the calibration of classes, and what each column is worth. It belongs to one model.
func TestLearnCheck(t *testing.T) {
	v := visitLearn(t, learnFromFile+"&nComponents=64&rows=none")
	v.until("#learn-answer", "Right on … of … rows that it had not seen. Always saying “…” would be right on …")
	v.wait(`document.querySelector("#learn-report").dataset.panels === "1" && document.querySelector("#learn-report svg")`)
	v.checked()
	v.until("#learn-report-said", "…On average the model gives its answer a probability of …Without column …")
	v.wait(`document.querySelector("#learn-report .dots") && document.querySelector("#learn-check").disabled`)
	name, csv := v.download("#save-report-data")
	if name != "sample-digits-report.csv" || strings.Count(string(csv), "\nimportance,") != 64 ||
		strings.Count(string(csv), "\ncandidate,") != 5 || !strings.Contains(string(csv), "\ncalibration,") {
		t.Errorf("%s is saved:\n%s", name, csv)
	}
	if name, svg := v.download("#save-report"); name != "sample-digits-report.svg" ||
		!strings.Contains(string(svg), "Calibration") {
		t.Errorf("%s is saved: %.100s", name, svg)
	}
	v.pressByKey("#learn-curve .spot", kb.ArrowLeft)
	v.until("#learn-check", "Check the model, D 32")
	v.wait(`document.querySelector("#learn-report").dataset.panels === "1" &&
		!document.querySelector("#learn-check").disabled`)

	v.learnedAfter(func() { v.choose(v.write("heights.csv", heights(900))) })
	v.until("#learn-answer", "R² is … rows that it had not seen. Always saying the mean has 0…")
	v.until("#learn-report-said", "…miss by …")
	v.checked()
	v.until("#learn-report-said", "…R² falls most: by …")
	if overflow := eval[bool](v, `document.documentElement.scrollWidth > innerWidth`); overflow {
		t.Error("the page is wider than its window")
	}
}

// TestLongNames: neither the menu of long columns nor a class of one long word makes the page wider than a phone, and
// where the list of columns has no room for all values and their counts, an ellipsis says so.
func TestLongNames(t *testing.T) {
	t.Parallel()
	v := visitLearn(t, learnFromFile+"&nComponents=32")
	long := strings.Repeat("long_column_name_", 9)
	file := v.write("long.csv", long+"1,"+long+"2,"+long+"kind\n"+
		strings.Repeat("01/Jan/2025:10:00:00,2,"+strings.Repeat("Wide", 15)+"\n27/Oct/2025:11:00:00,1,middling and wide\n"+
			"01/May/2025:12:00:00,5,narrow\n", 40))
	v.choose(file)
	v.wait(learnedOf("long.csv") + ` && document.querySelector("#learn-map-says .colours")`)
	if cut := eval[string](v, `[...document.querySelectorAll("#columns td.values > span")].filter((e) =>
		e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).textOverflow !== "ellipsis").map((e) =>
		e.textContent).join("; ")`); cut != "" {
		t.Error("cut without an ellipsis:", cut)
	}
	v.do(chromedp.EmulateViewport(360, 800))
	// The page draws its pictures anew one frame after the width has changed.
	if !v.comes(`document.documentElement.scrollWidth <= innerWidth && (`+widest+`) === ""`, 5*time.Second) {
		t.Error("at 360 px the page is wider than the window:", eval[string](v, widest))
	}
	eval[any](v, `location.hash = "#/embed?nComponents=32"`)
	v.ready()
	v.wait(`document.querySelector("#label")`)
	if wide := eval[string](v, widest); wide != "" {
		t.Error("at 360 px this of Embed reaches beyond the window:", wide)
	}
}

// TestOneColumn: of one number the curve and its linear model learn, which rows of length 1 would not let them. In
// Embed its rows have features of their own.
func TestOneColumn(t *testing.T) {
	t.Parallel()
	v := visitLearn(t, learnFromFile)
	var text strings.Builder
	text.WriteString("size,label\n")
	for i := range 200 {
		fmt.Fprintf(&text, "%d,%d\n", i*7919%1000, 3*(i*7919%1000)+1)
	}
	v.choose(v.write("one.csv", text.String()))
	v.wait(learnedOf("one.csv"))
	if sketch, linear := v.figure("learn-score"), v.figure("learn-linear"); sketch < 0.99 || linear < 0.99 {
		t.Errorf("R² of the sketch is %v, of the linear model %v", sketch, linear)
	}
	v.until("#learn-columns", "Learned from: size. Rows are as they are. …")
	const note = "…rows of 1 number keep their length; choose Rows: length 1 to divide them by it.…"
	v.says(".file-notes", note)
	v.follow("#/embed")
	v.wait(`document.querySelector("#picture[data-ready][aria-busy=false]")`)
	v.says(".file-notes", note)
	v.says("#scaling .small", "Rows, automatic: rows of 4 or more numbers are divided by their length; rows of fewer are "+
		"left as they are.")
	if _, npy := v.download("#save-npy"); distinct(npy) < 150 {
		t.Errorf("of 200 rows %d have features of their own", distinct(npy))
	}
}

// distinct counts the different rows of an .npy file of 1,024 components.
func distinct(npy []byte) int {
	rows := map[string]bool{}
	for at := 128; at < len(npy); at += 4 * 1024 {
		rows[string(npy[at:at+4*1024])] = true
	}
	return len(rows)
}

// TestLearnRefuses: what cannot be learned is said, with a remedy, and never beside the figures of other rows.
func TestLearnRefuses(t *testing.T) {
	t.Parallel()
	v := visitLearn(t, learnFromFile+"&nComponents=32")
	eval[bool](v, `globalThis.mixed = new Set(), globalThis.watch = new MutationObserver(() => {
		const [name, score] = [".origin strong", "#learn-score"].map((at) => document.querySelector(at)?.textContent);
		if (name?.endsWith(".csv") && /\d/.test(score)) mixed.add(name + ": " + score);
	}), watch.observe(document, { subtree: true, childList: true, characterData: true }), true`)
	for _, test := range []struct{ name, content, want string }{
		{"one.csv", "a,label\n" + strings.Repeat("1,x\n2,x\n", 20),
			"All rows have the same label, so there is nothing to tell apart: choose another label column."},
		{"odd.csv", "a,extra,label\n1,1,x\n" + strings.Repeat("1,,x\n2,,y\n", 20),
			"There is only one row with a label: too few to learn from some and try the others. " +
				"Only 1 of 41 rows can be used: Embed says why."}, // it said nothing of the others
		{"many.csv", "a,label\n1,u\n2,v\n3,w\n4,x\n", "There are 4 classes and only 4 rows, …"},
		{"none.csv", "a,b\n1,2\n2,3\n3,4\n", "No column looks like a label, so nothing is learned yet. …"},
		{"bytes.csv", "\x00\x01\x02\x03", "Nothing is learned: the file could not be read."},
	} {
		v.choose(v.write(test.name, test.content))
		v.until(".origin strong", test.name)
		v.until("#learn-status", test.want)
		v.learnedAfter(func() { v.pressByMouse("#sample") })
	}
	if mixed := eval[string](v, `watch.disconnect(), [...mixed].join(", ")`); mixed != "" {
		t.Errorf("under the name of another file are the sample's figures: %s", mixed)
	}
}

// TestLearnLarge: a file too large to be kept is streamed: it can be held, goes on, and is stopped. What was read by
// then is learned from.
func TestLearnLarge(t *testing.T) {
	t.Parallel()
	v := visitLearn(t, learnFromFile+"&nComponents=64")
	const rows = 300_000
	random := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	for i := range 32 {
		fmt.Fprintf(&b, "x%d,", i)
	}
	b.WriteString("label\n")
	line := make([]string, 33)
	for range rows {
		sum := 0
		for i := range 32 {
			x := random.IntN(10)
			if i < 3 {
				sum += x
			}
			line[i] = strconv.Itoa(x)
		}
		line[32] = []string{"low", "high"}[sum/14]
		b.WriteString(strings.Join(line, ",") + "\n")
	}
	v.choose(v.write("large.csv", b.String()))
	v.until(".origin strong", "large.csv")
	v.wait(`document.querySelector("#learn-pause")`)
	v.wait(`/\d rows\/s/.test(document.querySelector("#learn-figures").textContent.replaceAll("\u00a0", " "))`)
	v.pressByMouse("#learn-pause")
	v.until("#learn-pause", "Go on")
	v.pressByMouse("#learn-pause")
	v.until("#learn-pause", "Pause")
	v.wait(`document.querySelectorAll("#learn-curve .sigma").length && document.querySelector("#learn-stop")`)
	v.pressByKey("#learn-stop", kb.Enter)
	v.until("#learn-status", "Stopped. What is shown is what was learned so far.")
	if train := numbers(v.text("#learn-split"))[0].value; train < 1000 || train > rows {
		t.Errorf("stopped, it says %q", v.text("#learn-split"))
	}
	if v.figure("learn-score") < 70 {
		t.Errorf("the accuracy is %s", v.text("#learn-score strong"))
	}
	if !*long { // to read all rows takes long
		v.altered = true
		v.pressByMouse("#learn-now")
		v.wait(`document.querySelector("#learn-pause")`)
		return
	}
	v.learnedAfter(func() { v.pressByMouse("#learn-now") })
	v.says("#learn-split", "… rows to learn from, … held out …; an even sample of 20,000 of these is kept …")
	v.wait(`document.querySelector("#learn-detail .spot:not([hidden])")`)
}

// TestLearnDigits: the values of D of digits.csv, and a thumbnail of each row behind a cell.
func TestLearnDigits(t *testing.T) {
	t.Parallel()
	v := visitLearn(t, learnFromFile+"&nComponents=256")
	v.choose(cases.Data(t, "digits.csv"))
	v.until(".origin strong", "digits.csv")
	v.wait(`document.querySelector("#learn-status").textContent.startsWith("Learned from")`)
	v.until("#learn-detail-title", "Confusion matrix, D 256")
	if score := v.figure("learn-score"); score < 97 {
		t.Errorf("the accuracy is %v %%", score)
	}
	v.pressByKey("#learn-detail .spot", kb.End)
	v.until("#learn-picked", "true 9, predicted 9: …")
	v.wait(`document.querySelectorAll("#learn-behind tbody svg").length === 12`)
}

// TestLearnNames: of a column of more than 50 names the curve learns as the search does, where it was left out and the
// page said that there was nothing to learn from. What a visitor chooses holds.
func TestLearnNames(t *testing.T) {
	t.Parallel()
	v := visitLearn(t, learnFromFile+"&nComponents=64")
	var text strings.Builder
	text.WriteString("name,note,year,kind\n")
	for i := range 1500 {
		name := i * 7919 % 150
		fmt.Fprintf(&text, "n%d,x%d,%d,%s\n", name, i, 2000+i%20, []string{"a", "b"}[name*31%13/7])
	}
	v.chooseBy(func() { v.pressByMouse("#choose") }, v.write("names.csv", text.String()))
	v.wait(learnedOf("names.csv"))
	v.says("#becomes-0", "not used: it has more than 50 different texts; for learning, all rows decide")
	v.says("#learn-columns", "Learned from: name, year. Not learned from: note. …")
	v.says(".file-notes", `…column "note" is not used: its texts hardly recur; …`)
	if linear := v.figure("learn-linear"); linear < 75 {
		t.Errorf("the linear model has %v %%", linear)
	}
	choose(v, `#columns [data-column="0"][data-setting="role"]`, "words")
	v.until("#becomes-0", "Change words, hashed into …")
	choose(v, `#columns [data-column="0"][data-setting="role"]`, "ignore")
	v.until("#learn-columns", "Learned from: year. Not learned from: name, note.…")
}
