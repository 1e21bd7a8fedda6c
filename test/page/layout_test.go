//go:build !js

package page

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestLayout: every place in every width: no sideways scrolling, targets of 44 px, readable contrast, and no text that
// is cut or lies over another. Contrast is measured in one theme at 360 px and in the other at 1440, by turns; with
// -long in both. Without it further links to a place have three widths. None of it is an error to the window, such as
// one of sizes that change while the browser tells of them.
func TestLayout(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/embed")      // its style sheet then stays with the other places
	const refused = "#/embed?degree=3" // with a file, and a field with an error
	seen := map[string]bool{}
	eval[any](v, `(globalThis.errors = [], addEventListener("error",
		(event) => errors.push(location.hash + ", " + innerWidth + " px: " + event.message)), true)`)
	defer func() {
		if errors := eval[[]string](v, `errors`); len(errors) > 0 {
			t.Errorf("errors in the window: %s", strings.Join(errors, "; "))
		}
	}()
	for n, link := range []string{
		"#/start", "#/buckets", "#/buckets?nFeatures=64&nComponents=128", "#/buckets?step=7&seed=5",
		"#/convolution", "#/convolution?nFeatures=64&nComponents=128&degree=4",
		"#/convolution?view=coordinates&degree=3&nFeatures=20", "#/convolution?view=frequencies&step=4",
		"#/buckets?method=complex-tensor-sketch", "#/convolution?method=complex-tensor-sketch&degree=3&round=2",
		"#/convolution?method=complex-tensor-sketch&view=frequencies",
		"#/convergence?seeds=10&question=2", "#/convergence?seeds=10&nFeatures=16&" + compared,
		"#/convergence?seeds=10&nFeatures=16&axis=time&" + compared, "#/about", "#/embed", learnFromFile, refused,
		"#/learn", "#/learn?preset=own", "#/learn?nComponents=4096&question=3&at=x4",
	} {
		v.follow(link)
		if link == learnFromFile {
			v.learned()
			v.pressByKey("#learn-detail .spot", kb.End)
			v.wait(`document.querySelector("#learn-behind tbody")`)
		}
		place := v.text("nav [aria-current]")
		targets := smallTargets
		if link == refused {
			targets = strings.Replace(targets, "summary, ", "", 1) // how a file is read: 24 px
			showFile(v)
			v.set("degree", "none")
			v.wait(`document.querySelector("#degree-error").textContent !== ""`)
		}
		widths := []int64{320, 360, 1440}
		half := place + map[bool]string{true: ", a file"}[link == learnFromFile]
		if !seen[half] || *long {
			widths = append(widths, 768, 3840)
		}
		seen[half] = true
		for _, width := range widths {
			for _, scheme := range []string{"light", "dark"} {
				narrowOrWide := width == 360 || width == 1440
				isTurn := *long || (width == 360) == ((scheme == "dark") == (n%2 == 0))
				if scheme == "dark" && !(narrowOrWide && isTurn) {
					continue
				}
				v.do(chromedp.EmulateViewport(width, 900), media("prefers-color-scheme", scheme))
				v.settled()
				if place == "Convergence" {
					v.streamed()
				}
				where := fmt.Sprintf("%s, %d %s", link, width, scheme)
				looks := map[string]string{"smaller than 44 px": targets, "cut": cutTexts, "text over text": overlaps,
					"beside its button": outOfButton, "over the heading": overHeading}
				if scheme == "dark" { // the theme changes colours alone
					looks = map[string]string{}
				}
				if narrowOrWide && isTurn {
					looks["too little contrast"] = faintText
				}
				if wide := eval[int](v, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); wide > 0 {
					t.Errorf("%s: the page is %d px wider than the window: %s", where, wide, eval[string](v, widest))
				}
				for name, script := range looks {
					if found := eval[[]string](v, script); len(found) > 0 {
						t.Errorf("%s: %s: %s", where, name, strings.Join(found[:min(len(found), 6)], "; "))
					}
				}
			}
		}
	}
}

// TestLargeText: with letters twice as large as usual, and with the spaces between lines, letters and words that a page
// must bear (WCAG 2.2, 1.4.12), no text of a picture is cut or lies over another, and no place is wider than the
// window.
func TestLargeText(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/buckets")
	v.altered = true
	setFont := func(size int64) {
		must(chromedp.Call(v.ctx, page.SetFontSizes,
			page.SetFontSizesParams{FontSizes: &page.FontSizes{Standard: size}}))(v)
	}
	defer setFont(16)
	eval[any](v, `(globalThis.spacing = new CSSStyleSheet(), document.adoptedStyleSheets.push(spacing), true)`)
	for _, link := range []string{"#/start", "#/start/2", "#/start/6", "#/buckets",
		"#/buckets?nFeatures=64&nComponents=128", "#/convolution",
		"#/convolution?view=coordinates&degree=3&nFeatures=20", "#/convergence?seeds=10&question=2",
		"#/convergence?seeds=10&nFeatures=16&" + compared, "#/about", "#/embed", learnFromFile, "#/learn",
	} {
		v.follow(link)
		if link == learnFromFile {
			v.learned()
		}
		for _, look := range []struct {
			name        string
			width, font int64
			spacing     string
		}{{"large", 400, 32, ""}, {"large", 1440, 32, ""}, {"spaced", 360, 16, spaced}, {"spaced", 1440, 16, spaced},
			{"narrow", 1200, 16, ""}} {
			v.do(chromedp.EmulateViewport(look.width, 900))
			setFont(look.font)
			eval[any](v, fmt.Sprintf(`(spacing.replaceSync(%q), true)`, look.spacing))
			v.settled()
			where := fmt.Sprintf("%s, %d px, %s", link, look.width, look.name)
			if wide := eval[int](v, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); wide > 0 {
				t.Errorf("%s: the page is %d px wider than the window: %s", where, wide, eval[string](v, widest))
			}
			inRoom := strings.NewReplacer(`"#app *, .below *"`, `"main *, .below *"`) // the header scrolls
			for name, script := range map[string]string{"cut": inRoom.Replace(cutTexts), "text over text": overlaps,
				"over the heading": overHeading} {
				if found := eval[[]string](v, script); len(found) > 0 {
					t.Errorf("%s: %s: %s", where, name, strings.Join(found[:min(len(found), 6)], "; "))
				}
			}
		}
		eval[any](v, `(spacing.replaceSync(""), true)`)
	}
}

// spaced is a style sheet with the spaces of WCAG.
const spaced = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
	p { margin-bottom: 2em !important; }`

// widest names what reaches beyond the window.
const widest = `[...document.querySelectorAll("body *")]
	.filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".scroll, pre, .visually-hidden"))
	.map((e) => e.tagName + "." + (e.getAttribute("class") ?? "") + "#" + e.id).slice(0, 4).join(", ")`

// smallTargets lists what can be pressed and is less than 44 px high or
// wide; of a choice, what counts is its label. Links within a sentence are as high
// as its lines; Embed has none.
const smallTargets = `[...document.querySelectorAll("button, select, input, summary, a")]
	.filter((e) => e.checkVisibility() && (document.querySelector("#app.at-embed") && e.tagName !== "SUMMARY" ||
		!e.closest("p, li"))).map((e) => {
		const box = (e.closest("label") ?? e).getBoundingClientRect();
		return { what: e.id || e.name || e.type || e.textContent, width: box.width, height: box.height };
	}).filter(({ width, height }) => Math.min(width, height) < 43.9)
	.map(({ what, width, height }) => what + " " + width + " × " + height)`

// outOfButton lists buttons whose text is not within them.
const outOfButton = `[...document.querySelectorAll("button")].filter((e) => {
		const box = e.getBoundingClientRect(), range = document.createRange();
		range.selectNodeContents(e);
		return e.checkVisibility() && [...range.getClientRects()].some((text) => text.width > 0 &&
			(text.left < box.left - 1 || text.right > box.right + 1 || text.top < box.top - 1 || text.bottom > box.bottom + 1));
	}).map((e) => e.id || e.textContent)`

// faintText lists texts with a contrast below 4.5 : 1 against the background they
// stand on.
const faintText = `(() => {
	const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
	const known = new Map(); // few colours stand under many texts
	const rgba = (colour) => {
		if (known.has(colour)) return known.get(colour);
		canvas.clearRect(0, 0, 1, 1);
		canvas.fillStyle = colour;
		canvas.fillRect(0, 0, 1, 1);
		const { data } = canvas.getImageData(0, 0, 1, 1);
		known.set(colour, data);
		return data;
	};
	const luminance = ([r, g, b]) => [r, g, b].map((c) => c / 255)
		.map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
		.reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
	const ground = (e) => {
		for (; e; e = e.parentElement) {
			const colour = rgba(getComputedStyle(e).backgroundColor);
			if (colour[3] > 0) return colour;
		}
		return [255, 255, 255];
	};
	const faint = [];
	for (const e of document.querySelectorAll("body *")) {
		const hasText = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
		if (!hasText || !e.checkVisibility() || e.disabled) continue;
		const style = getComputedStyle(e);
		const [a, b] = [luminance(rgba(e.namespaceURI.endsWith("svg") ? style.fill : style.color)), luminance(ground(e))];
		const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		if (ratio < 4.5) faint.push(ratio.toFixed(2) + " " + e.tagName + " " + e.textContent.trim().slice(0, 40));
	}
	return faint;
})()`

// cutTexts lists texts that do not fit where they are: wider than an element that
// cuts, or beyond the edge of their picture.
const cutTexts = `(() => {
	const cut = [];
	for (const e of document.querySelectorAll("#app *, .below *")) {
		const text = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
		if (!e.checkVisibility() || e.closest(".scroll, pre") || getComputedStyle(e).clipPath !== "none") continue;
		const mayReachOut = getComputedStyle(e).overflowX === "visible" && !e.matches(".entry > label"); // beside a field
		const fits = mayReachOut || e.scrollWidth <= e.clientWidth + 1;
		if ((text || e.tagName === "INPUT" && e.type === "text" && e !== document.activeElement) &&
			!e.closest("svg") && !fits) {
			cut.push(e.tagName + " " + (e.value ?? e.textContent).slice(0, 40));
		}
		if (text && e.closest("svg")) {
			const box = e.getBoundingClientRect(), frame = e.closest("svg").getBoundingClientRect();
			if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 ||
				box.bottom > frame.bottom + 1) {
				cut.push("in the picture: " + e.textContent);
			}
		}
		if (text && !e.closest("svg")) {
			const range = document.createRange();
			range.selectNodeContents(e);
			const box = range.getBoundingClientRect();
			if (box.right > innerWidth + 1 || box.left < -1) cut.push("beyond the window: " + e.textContent.slice(0, 40));
		}
	}
	return cut;
})()`

// overlaps lists texts of a picture that lie over one another.
const overlaps = `[...document.querySelectorAll("svg")].flatMap((svg) => {
	const texts = [...svg.querySelectorAll("text")].filter((e) => e.checkVisibility() && e.textContent.trim())
		.map((e) => ({ text: e.textContent, box: e.getBoundingClientRect() }));
	return texts.flatMap((a, i) => texts.slice(i + 1).filter((b) => {
		const width = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
		const height = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
		return width > 1 && height > 0.3 * Math.min(a.box.height, b.box.height);
	}).map((b) => a.text + " | " + b.text));
})`

// overHeading lists links that lie over the letters of the place's heading or the words below it.
const overHeading = `[...document.querySelectorAll(".thread a")].filter((a) => a.checkVisibility()).filter((a) => {
	const lettersOf = (e) => {
		const range = document.createRange();
		range.selectNodeContents(e);
		return [...range.getClientRects()];
	};
	return [...document.querySelectorAll(".opening :is(h1, .lede)")].flatMap(lettersOf).some((text) =>
		lettersOf(a).some((box) => text.left < box.right && text.right > box.left && text.top < box.bottom - 2 &&
			text.bottom > box.top + 2));
}).map((a) => a.textContent)`

// TestNothingJumps: stepping through all steps, looking at this and that and new
// seeds leave everything around the numbers where it is. Each link has one width, by turns; with -long both.
func TestNothingJumps(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/about")
	for n, link := range []string{"#/buckets?nFeatures=12&nComponents=3&step=0",
		"#/convolution?nFeatures=20&nComponents=10&step=0",
		"#/convolution?nFeatures=20&nComponents=10&step=0&view=frequencies",
		"#/buckets?method=complex-tensor-sketch&nFeatures=12&nComponents=6&step=0",
		"#/convolution?method=complex-tensor-sketch&nFeatures=20&nComponents=20&step=0",
		"#/convergence?seeds=10&nComponents=8", "#/convergence?seeds=10&nFeatures=16&nComponents=8&" + compared,
		"#/learn?nComponents=4"} {
		for k, width := range []int64{360, 1440} {
			if !*long && (n+k)%2 == 1 {
				continue
			}
			v.follow("#/about")
			v.do(chromedp.EmulateViewport(width, 900))
			v.follow(link)
			if strings.Contains(link, "convergence") {
				v.streamed()
			}
			before := eval[[]string](v, fixed)
			compare := func(when string) {
				t.Helper()
				var moved []string
				after := eval[[]string](v, fixed)
				for i, was := range before {
					if i < len(after) && after[i] != was {
						moved = append(moved, was+" becomes "+after[i])
					}
				}
				if len(moved) > 0 || len(after) != len(before) {
					t.Errorf("%s, %d px, %s: %d of %d things have moved: %s", link, width, when, len(moved), len(after),
						strings.Join(moved[:min(len(moved), 4)], "; "))
					before = after
				}
			}
			for step := range 12 {
				v.press(kb.ArrowRight)
				compare(fmt.Sprintf("in step %d", step+1))
			}
			v.press("n")
			if strings.Contains(link, "convergence") {
				v.streamed()
			}
			compare("after a new seed")
			for _, handle := range eval[[]string](v,
				`[...document.querySelectorAll(".handle:not([hidden])")].map((e) => e.dataset.item[0])`) {
				eval[any](v, fmt.Sprintf(
					`document.querySelector('.handle[data-item^="%s"]').focus({ preventScroll: true })`, handle))
				for range 2 {
					v.press(kb.ArrowRight)
					compare("with the focus on items of kind " + handle)
				}
			}
		}
	}
}

// fixed are what must not move, however wide the numbers are, and where it is.
const fixed = `[...document.querySelectorAll("h1, .scene, .transport, #step-back, #play, #step-forward, #speed, " +
	"#step, #sum, .card, .card strong, #table-toggle, .take, .questions > div, .rail .field, footer")]
	.filter((e) => e.checkVisibility()).map((e) => {
		const { left, top } = e.getBoundingClientRect();
		const name = e.id ? "#" + e.id : e.className || e.tagName;
		return (e.tagName === "STRONG" ? "number of #" + e.closest(".card").id : name) + " " +
			Math.round(left) + "," + Math.round(top + scrollY);
	})`

// TestTheme: another theme, while the page is open, draws the picture anew.
func TestTheme(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/convolution")
	v.do(media("prefers-color-scheme", "light"))
	v.settled()
	look := func() string {
		return eval[string](v, `getComputedStyle(document.querySelector(".drawing text")).fill +
			getComputedStyle(document.querySelector(".picture")).backgroundColor +
			document.querySelector("canvas.cells").toDataURL()`)
	}
	light := look()
	v.do(media("prefers-color-scheme", "dark"))
	v.settled()
	dark := look()
	if dark == light {
		t.Error("in the dark the picture is as in the light")
	}
	colours := strings.Split(light, ")")
	if strings.HasPrefix(dark, colours[0]) || strings.Contains(dark, colours[1]) ||
		strings.HasSuffix(dark, light[strings.Index(light, "data:"):]) {
		t.Error("the colour of texts, of the ground or of cells is the light theme's")
	}
	v.do(media("prefers-color-scheme", "light"))
	v.settled()
	if look() != light {
		t.Error("back in the light the picture is not what it was")
	}
}

// TestCalm: a visitor who wants no motion sees the end at once.
func TestCalm(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/about")
	v.do(media("prefers-reduced-motion", "reduce"))
	for _, link := range []string{"#/buckets?step=2", "#/convolution?step=3", "#/convolution?step=3&view=frequencies"} {
		v.follow(link)
		steps := eval[string](v, `document.querySelector("#step").textContent.match(/of (\d+)/)[1]`)
		v.click("#play")
		v.settled()
		if got := v.text("#step"); !strings.Contains(got, fmt.Sprintf("step %s of %s", steps, steps)) ||
			v.text("#play") != "Play" {
			t.Errorf("%s: without motion Play leads to %q, the button says %q", link, got, v.text("#play"))
		}
		if running := eval[int](v, `document.getAnimations().length`); running > 0 {
			t.Errorf("%s: %d animations run", link, running)
		}
	}
}
