//go:build !js

package page

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// nameOf names an element by its id, or by what it is for.
const nameOf = `((e) => {
	if (e.type === "radio") return "choice of " + e.name;
	if (e.type === "checkbox") return (e.name || e.id) + " " + e.value;
	if (e.type === "range") return "slider of " + e.closest(".field").className.split(" ").pop();
	if (e.className === "handle") return "handle of " + e.dataset.item[0];
	if (e.closest("nav")) return "place " + e.textContent;
	return e.id || e.className || e.textContent.trim();
})`

// focusOf names what has the focus; it is empty where nothing has.
const focusOf = `document.activeElement === document.body ? "" : ` + nameOf + `(document.activeElement)`

// tab presses the tab key, and returns what has the focus then.
func (v *visit) tab() string {
	v.Helper()
	v.do(chromedp.KeyEvent(kb.Tab))
	return eval[string](v, focusOf)
}

// tabTo presses the tab key until something has the focus.
func (v *visit) tabTo(want string) {
	v.Helper()
	var seen []string
	for range 100 {
		if seen = append(seen, v.tab()); seen[len(seen)-1] == want {
			v.settled()
			return
		}
	}
	v.Fatalf("the tab key does not lead to %q, but through %q", want, seen)
}

// TestTab: the tab key leads through every control of every place, in an order
// that makes sense, shows where it is, and changes nothing.
func TestTab(t *testing.T) {
	t.Parallel()
	transport := []string{"step-back", "play", "step-forward", "speed"}
	take := []string{"table-toggle", "save-picture", "save-picture-png", "save-picture-data"}
	ask := []string{"ask-1", "ask-2", "ask-3"}
	v := visitPlace(t, "#/about")
	v.hasFocus()
	for place, order := range map[string][]string{
		"buckets": slices.Concat([]string{"handle of x", "handle of k"}, transport,
			[]string{"choice of vector", "nFeatures", "slider of nFeatures",
				"coordinate-down", "coordinate", "coordinate-up", "value-down", "value", "value-up", "choice of method",
				"nComponents", "slider of nComponents", "seed", "new-seed", "reset",
				"choice of y", "angle", "slider of angle", "choice of hash"}, ask, take),
		"convolution": slices.Concat([]string{"handle of x", "handle of m", "handle of n", "handle of c",
			"handle of k"}, transport,
			[]string{"choice of vector", "nFeatures", "choice of method", "nComponents", "degree", "slider of degree",
				"seed", "new-seed", "reset", "choice of view", "round"}, ask, take),
		"convergence": slices.Concat([]string{"handle of d"}, transport,
			[]string{"choice of vector", "angle", "nFeatures", "nonZero", "choice of pairs",
				"nComponents", "degree", "coef0", "seeds", "slider of seeds", "seed", "new-seed", "reset",
				"compare complex-tensor-sketch", "compare taylor-sketch", "epsilon", "delta"}, ask, take),
		"embed": slices.Concat([]string{"choose", "offline-first", "method", "degree",
			"slider of degree", "gamma", "coef0", "nComponents", "slider of nComponents", "seed", "choice of output",
			"choice of rows", "choice of normalize", "new-seed"}, take[1:],
			[]string{"choice of release", "save-npy", "save-labels", "save-csv", "save-jsonl", "save-libsvm",
				"save-parquet", "save-arrow", "save-model", "save-onnx", "row-numbers on"}),
		"learn": slices.Concat([]string{"place Plane", "place Your file", "handle of c", "handle of x"}, transport,
			[]string{"choice of preset", "nSamples", "slider of nSamples", "noise", "slider of noise", "dataSeed", "new-points",
				"choice of brush", "clear-points", "nComponents", "slider of nComponents", "degree", "coef0", "slider of coef0",
				"alpha", "slider of alpha", "seed", "new-seed", "reset"}, ask, take),
		"about": {"save-picture", "save-picture-png", "save-picture-data", "code", "copy-code", "test-speed"},
	} {
		v.Run(place, func(t *testing.T) {
			v.follow("#/" + place + map[string]string{"convergence": "?seeds=10", "convolution": "?degree=3"}[place])
			switch place {
			case "convergence":
				v.streamed()
			case "embed":
				v.ready()
				v.wait(`document.querySelector("#map-by")`) // the map of the rows comes last
			}
			before := v.link()
			var seen []string
			const first = `document.querySelector("a[href], button").focus()`
			for focus := eval[string](v, first+", "+focusOf); focus != "" && !slices.Contains(seen[:min(1, len(seen))],
				focus) && len(seen) < 120; focus = v.tab() {
				seen = append(seen, focus)
				if problem := eval[string](v, focusProblem); problem != "" {
					t.Errorf("with the focus on %s: %s", focus, problem)
				}
			}
			want := append([]string{"skip", "place Buckets", "place Convolution", "place Convergence", "place Embed",
				"place Learn", "place About", "copy-link", "copy-frame", "parts"}, order...)
			rest := seen
			for _, name := range want {
				at := slices.Index(rest, name)
				if at < 0 {
					t.Fatalf("%s is not reached in its turn: the tab key leads through %q", name, seen)
				}
				rest = rest[at+1:]
			}
			for _, missed := range eval[[]string](v, fmt.Sprintf(`(() => {
				const seen = new Set(%s);
				return [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']")]
					.filter((e) => e.checkVisibility() && !e.disabled && e.type !== "file")
					.map(%s)
					.filter((name) => !seen.has(name));
			})()`, quoted(seen), nameOf)) {
				t.Errorf("the tab key never reaches %s", missed)
			}
			after := v.link()
			for _, link := range []map[string][]string{before, after} {
				delete(link, "at") // what the keyboard comes to is looked at
			}
			if before.Encode() != after.Encode() {
				t.Errorf("the tab key changes %s to %s", before.Encode(), after.Encode())
			}
		})
	}
}

// TestTabInPicture: the tab key leads through a picture in the order that its parts stand in, in every window. On a
// phone x ⊗ x is the last, and in a low window it is beside x.
func TestTabInPicture(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/convolution")
	v.hasFocus()
	for size, want := range map[[2]int64]string{{1440, 900}: "x m n c p k", {360, 740}: "x m n c k p",
		{1280, 560}: "x p m n c k"} {
		v.do(chromedp.EmulateViewport(size[0], size[1]))
		eval[any](v, `scrollTo(0, 0), document.querySelector("#parts").focus()`)
		v.settled()
		var seen []string
		for v.tabTo("handle of x"); eval[bool](v, `document.activeElement.matches(".handle")`); v.settled() {
			seen = append(seen, eval[string](v, `document.activeElement.dataset.item[0]`))
			v.tab()
		}
		if got := strings.Join(seen, " "); got != want {
			t.Errorf("%v: the tab key leads through %q, want %q", size, got, want)
		}
	}
}

// TestTabInRail: beside a long page, every control of a rail that is higher than the window can be seen with the focus.
func TestTabInRail(t *testing.T) {
	t.Parallel()
	v := visitLearn(t, learnFromFile+"&nComponents=32")
	v.hasFocus()
	v.do(chromedp.EmulateViewport(1440, 700))
	eval[any](v, `document.querySelector("#nComponents").focus()`)
	seen := 0
	for ; eval[bool](v, `Boolean(document.activeElement.closest(".rail"))`); seen++ {
		v.settled()
		if problem := eval[string](v, focusProblem); problem != "" {
			t.Errorf("with the focus on %s: %s", eval[string](v, focusOf), problem)
		}
		v.tab()
	}
	if seen < 10 {
		t.Errorf("the rail has %d controls", seen)
	}
}

// focusProblem tells what is wrong with how the focus is shown. Sliders show it on
// their thumbs, which TestSliderFocus looks at.
const focusProblem = `(() => {
	const e = document.activeElement, shown = e.type === "radio" ? e.nextElementSibling : e;
	const style = getComputedStyle(shown), box = shown.getBoundingClientRect();
	if (e.type !== "range" && (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2)) return "no outline";
	if (box.width < 1 || box.height < 1) return "it is " + box.width + " × " + box.height;
	if (box.bottom < 1 || box.top > innerHeight - 1 || box.right < 1 || box.left > innerWidth - 1) {
		return "it is outside the window: " + JSON.stringify(box);
	}
	return "";
})()`

// TestSliderFocus: a slider with the focus looks different.
func TestSliderFocus(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/buckets")
	v.tabTo("slider of angle")
	box := v.box(".field.angle input[type=range]")
	box.Top += eval[float64](v, `scrollY`)
	look := func() []byte {
		t.Helper()
		return must(chromedp.Call(v.ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{
			Clip: &page.Viewport{X: box.Left, Y: box.Top, Width: box.Width, Height: box.Height, Scale: 1}}))(v).Data
	}
	with := look()
	eval[any](v, `document.activeElement.blur()`)
	if bytes.Equal(look(), with) {
		t.Error("with the focus a slider looks as without")
	}
}

// TestKeyboardAlone: everything that the mouse does, the keyboard does.
func TestKeyboardAlone(t *testing.T) {
	t.Parallel()
	for place, chosen := range map[string]struct{ name, next, after8, also string }{
		"buckets":     {"vector", "sparse", "9", "nFeatures=6&nComponents=4"},
		"convolution": {"vector", "sparse", "9", "nFeatures=6&nComponents=4"},
		"convergence": {"pairs", "20", "16", "nFeatures=6&seeds=10"},
		"learn":       {"preset", "xor", "16", "half=plane"},
	} {
		t.Run(place, func(t *testing.T) {
			v := visitPlace(t, "#/"+place+"?"+chosen.also) // where Reset leads
			opened := v.address()
			v.tabTo("choice of " + chosen.name)
			v.press(kb.ArrowRight)
			v.holds(chosen.name, chosen.next)
			v.tabTo("nComponents")
			v.selectAll()
			v.press("8" + kb.Enter)
			v.holds("nComponents", "8")
			v.tabTo("slider of nComponents")
			v.press(kb.ArrowRight)
			v.holds("nComponents", chosen.after8)
			v.tabTo("seed")
			v.selectAll()
			v.press("31" + kb.Enter)
			v.tabTo("new-seed")
			v.press(" ")
			if got := v.link().Get("seed"); got == "31" {
				t.Error("Space on New seed leaves the seed as it is")
			}
			v.tabTo("ask-2")
			v.press(kb.Enter)
			v.holds("question", "2")
			if answers := eval[string](v, `[...document.querySelectorAll(".questions .answer")]
				.map((e) => e.textContent).join("")`); answers == "" {
				t.Error("the question has no answer")
			}

			v.tabTo("table-toggle")
			v.press(" ")
			v.wait(`document.querySelector("#table table")`)
			v.press(kb.Enter)
			v.wait(`!document.querySelector("#table table")`)
			v.tabTo("save-picture-data")
			folder := v.saveInto()
			v.press(kb.Enter)
			if name, content := v.saved(folder, "Enter on CSV"); !strings.HasSuffix(name, ".csv") || len(content) < 100 {
				t.Errorf("Enter on CSV saves %d bytes as %s", len(content), name)
			}
			v.tabTo("reset")
			v.press(kb.Enter)
			if got := v.address(); got != opened {
				t.Errorf("Reset goes to %s, want %s", got, opened)
			}

			// The keys that the whole page hears step, play, pause, reset and draw a seed.
			step := "step"
			if place == "convergence" || place == "learn" {
				step = "nComponents"
			}
			opened = v.address()
			last := v.link().Get(step)
			eval[any](v, `document.activeElement.blur()`)
			v.press(kb.ArrowLeft)
			if v.link().Get(step) == last {
				t.Errorf("← leaves %s at %s", step, last)
			}
			v.press(kb.ArrowRight)
			v.holds(step, last)
			v.press(kb.ArrowUp)
			v.holds("speed", "4")
			v.press(kb.ArrowDown + kb.ArrowDown)
			v.holds("speed", "1")
			v.press("r")
			if got := v.address(); got != opened {
				t.Errorf("R goes to %s, want %s", got, opened)
			}
			seed := v.link().Get("seed")
			v.press("N")
			if v.link().Get("seed") == seed {
				t.Errorf("N leaves the seed at %s", seed)
			}
			plays := func() { // the page itself sees it: a few steps may be over before it is asked
				t.Helper()
				eval[any](v, `{
					globalThis.hasPlayed = false;
					const observer = new MutationObserver(() => {
						if (document.querySelector("#play").textContent !== "Pause") return;
						globalThis.hasPlayed = true;
						observer.disconnect();
					});
					observer.observe(document.body, { subtree: true, childList: true, characterData: true });
				}`)
				v.press(" ")
				v.wait(`globalThis.hasPlayed`)
			}
			plays()
			v.press(" ")
			v.says("#play", "Play")
			v.tabTo("play")
			plays()
			v.press(kb.Escape)
			v.says("#play", "Play")
		})
	}
}

// selectAll selects the text of the field that has the focus.
func (v *visit) selectAll() {
	v.Helper()
	eval[any](v, `document.activeElement.select()`)
}

// TestFocusStays: where a press takes its own button away, hides or disables it, the focus goes to what is around it.
// What is asked for while a file is written is counted.
func TestFocusStays(t *testing.T) {
	t.Parallel()
	v := visitEmbed(t, "")
	v.hasFocus()
	enter := func(selector, around string) {
		t.Helper()
		v.wait(fmt.Sprintf(`document.querySelector(%q)?.matches(":not(:disabled)")`, selector))
		v.pressByKey(selector, kb.Enter)
		if !v.comes(fmt.Sprintf(`document.activeElement.matches(%q)`, around), soon) {
			t.Fatalf("after Enter at %s the focus is not in %s, but at %s", selector, around, eval[string](v,
				`document.activeElement.outerHTML.slice(0, 200) + "; the jobs: " +
				[...document.querySelectorAll(".jobs, #saving-status")].map((e) => e.innerText).join(" / ")`))
		}
	}
	v.readyAfter(func() { v.choose(v.write("large.csv", largeCSV(60_000))) })
	v.click("#save-csv")
	v.wait(`document.querySelector("#stop-saving")`)
	v.pressByKey("#save-jsonl", kb.Enter)
	v.until("#saving-status", "… 1 more task will follow.")
	v.until("#saving-figures", "… rows · …")
	enter("#stop-saving", ".progress")
	v.until("#saving-status", "Stopped. The first … 1 waiting task was dropped.")
	if got := v.tab(); !strings.HasPrefix(got, "continue-") {
		t.Errorf("the tab key leads from the progress to %q", got)
	}
	v.press(kb.Enter)
	v.until(".job p", "… Being written, above.")
	v.wait(`document.activeElement.matches(".jobs")`)
	v.pressByKey("#stop-saving", kb.Enter)
	v.until("#saving-status", "Stopped. …")
	enter("[id^=remove-]", ".saves")
	enter("#sample", ".embed-step")
	v.follow(learnFromFile)
	v.learned()
	v.learnedAfter(func() { v.choose(v.write("ring.csv", ringCSV(300, 3, "where"))) })
	enter("#learn-check", ".learn-report")
	enter("#learn-columns a", "#main") // the place that it was in is gone
}

// TestEscape: Escape stops the writing of a file where its Stop stands, and nowhere else. It stopped the work of hours
// from any field, and from another place nothing said that there was any.
func TestEscape(t *testing.T) {
	t.Parallel()
	v := visitEmbed(t, "#/embed?degree=4&nComponents=512")
	v.hasFocus()
	v.readyAfter(func() { v.choose(v.write("large.csv", largeCSV(60_000))) })
	v.click("#save-npy")
	v.until("#saving-figures", "… rows · …") // rows that are kept can be gone on with
	v.click("#pause")
	v.until("#saving-status", "Paused…")
	goesOn := func(where string) {
		t.Helper()
		v.settled()
		if !v.comes(`document.querySelector("#pause")?.textContent.trim() === "Go on"`, soon) {
			t.Fatalf("Escape at %s stops the writing: %q", where, v.text("#saving-status"))
		}
	}
	v.click(".key summary")
	for _, where := range []string{"#degree", "#label", "#key", "#map-by"} {
		v.pressByKey(where, kb.Escape)
		goesOn(where)
	}
	eval[any](v, `document.activeElement.blur()`)
	v.press(kb.Escape)
	goesOn("nothing")

	v.follow(learnFromFile + "&nComponents=16")
	// in Learn, Escape stops what is being learned
	v.until("#learn-status", "Learned from … rows. Embed: Paused. The rows so far are kept.")
	v.press(kb.Escape)
	v.follow("#/embed")
	goesOn("Learn")
	v.pressByKey("#pause", kb.Escape)
	v.until("#saving-status", "Stopped. …")
	v.follow(learnFromFile + "&nComponents=16")
	v.until("#learn-status", "Learned from … rows.") // how it ended was seen in Embed

	v.follow("#/embed")
	v.click("[id^=continue-]")
	v.wait(`document.querySelector("#stop-saving")`)
	eval[any](v, `{ location.hash = "#/learn?half=file&nComponents=16"; }`) // its curve may come after the end
	v.until("#learn-status", "… Embed: Writing large-features.npy.")
	v.until("#learn-status", "… Embed: large-features.npy is written, 60,000 rows: the browser saves it.")
}

// TestKeysInFields: keys typed into a field mean nothing else.
func TestKeysInFields(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/buckets?step=5")
	before := v.link()
	v.do(chromedp.Focus(chromedp.CSS("#seed")))
	v.selectAll()
	v.press("Rain on R" + kb.ArrowLeft + kb.ArrowUp + "N ")
	if got := eval[string](v, `document.querySelector("#seed").value`); !strings.Contains(got, "N ") ||
		!strings.HasPrefix(got, "Rain on") && !strings.HasPrefix(got, "N Rain on") {
		t.Errorf("what is typed becomes %q", got)
	}
	if got := v.link(); got.Encode() != before.Encode() {
		t.Errorf("typing changes the link from %s to %s", before.Encode(), got.Encode())
	}
	v.press(kb.Enter)
	after := v.link()
	if got := after.Get("seed"); !strings.Contains(got, "Rain on") || after.Get("step") != "5" {
		t.Errorf("the seed typed is %q, the step %s", got, after.Get("step"))
	}
	checkBuckets(v)

	v.do(chromedp.Focus(chromedp.CSS("#speed")))
	v.press(kb.ArrowDown)
	v.holds("step", "5")
	v.holds("speed", "4")
	v.do(chromedp.Focus(chromedp.CSS(".field.angle input[type=range]")))
	v.press(kb.ArrowRight)
	v.holds("step", "5")
	v.holds("angle", "36")
	v.do(chromedp.Focus(chromedp.CSS("#step-forward")))
	v.do(chromedp.KeyEvent("r", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	v.settled()
	v.holds("angle", "36")
}
