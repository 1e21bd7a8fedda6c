//go:build !js

package page

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// smallLetters is the size of the smallest letters that are shown, in pixels of the screen, with their text.
const smallLetters = `(() => {
	let least = [Infinity, ""];
	for (const e of document.querySelectorAll("#app *")) {
		if (![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) || !e.checkVisibility()) continue;
		const { width, height } = e.getBoundingClientRect();
		if (width < 2 || height < 2 || e.closest(".visually-hidden, .skip")) continue;
		const size = parseFloat(getComputedStyle(e).fontSize);
		if (size < least[0]) least = [size, e.textContent.slice(0, 40)];
	}
	return least;
})()`

// TestStory: the entrance's first screen has the picture and the three ways on, on a desktop and
// on a phone; D moves by itself from 2 to 256, once, the page answering meanwhile; a point can be dragged. The thread
// goes on by links and by a presenter's keys; in lecture mode its pictures fill the screen in large letters, and
// nothing lies beyond the window.
func TestStory(t *testing.T) {
	t.Parallel()
	v := openAgain(t, sharedBrowser(t), server(t), "#/start")
	v.wait(pictureReady)
	eval[any](v, `globalThis.shift = 0; new PerformanceObserver((list) => list.getEntries()
		.forEach(({ value }) => shift += value)).observe({ type: "layout-shift", buffered: true })`)
	eval[any](v, `globalThis.long = []; new PerformanceObserver((list) => long.push(...list.getEntries()
		.filter((e) => e.startTime > performance.getEntriesByName("first-picture")[0].startTime)
		.map((e) => Math.round(e.duration)))).observe({ type: "longtask", buffered: true })`)
	eval[any](v, `globalThis.written = [...document.querySelectorAll("#start-code, #start-worth, #start-lecture")].map(
		(host) => host.firstElementChild)`)
	v.wait(`document.querySelector("#nComponents").value === "256" && document.querySelector("#play.Play")`)
	if got := eval[string](v, `written.map((child) => child.isConnected).join()`); got != "true,true,true" {
		t.Errorf("while D moves, the words below are written anew, and lose a press: %s", got)
	}
	tasks := eval[[]float64](v, `long`)
	t.Logf("while D moves, tasks over 50 ms: %v", tasks)
	if *long && len(tasks) > 0 {
		t.Errorf("tasks over 50 ms while D moves: %v", tasks)
	}
	if got := v.address(); got != "#/start" {
		t.Errorf("the address is %s", got)
	}
	if got := eval[float64](v, `shift`); got > .01 {
		t.Errorf("the layout has shifted by %v, want at most 0.01", got)
	}
	before := v.text("#sum")
	at := v.box(".scene")
	v.drag(at.Left+.12*at.Width, at.Top+.5*at.Height, at.Left+.12*at.Width, at.Top+.5*at.Height) // finds its feet
	handle := v.box(`.handle[data-item^="x"]`)
	x, y := handle.Left+handle.Width/2, handle.Top+handle.Height/2
	v.drag(x, y, x+90, y+60)
	if after := v.text("#sum"); v.link().Get("points") == "" || after == "" {
		t.Errorf("a dragged point leaves %q as %q", before, after)
	}
	for _, size := range [][2]int64{{1440, 900}, {390, 844}} {
		v.do(chromedp.EmulateViewport(size[0], size[1]))
		v.follow("#/start")
		eval[any](v, `scrollTo(0, 0)`)
		end := eval[float64](v, `Math.max(...[...document.querySelectorAll(".ways > *, .frame, .grow")].map(
			(e) => e.getBoundingClientRect().bottom))`)
		wide := eval[float64](v, `document.documentElement.scrollWidth`)
		if end > float64(size[1]) || wide > float64(size[0]) {
			t.Errorf("%v: the ways on end at %v, the page is %v wide", size, end, wide)
		}
	}
	v.do(chromedp.EmulateViewport(1280, 720))
	v.click("#way-steps")
	v.pictured()
	v.follow("#/start/1?lecture=1")
	for n := 1; n <= 6; n++ {
		v.wait(fmt.Sprintf(`location.hash.startsWith("#/start/%d") && document.querySelector("[data-ready]")`, n))
		v.settled()
		size := eval[[]any](v, smallLetters)
		beyond := eval[float64](v, `Math.max(...[...document.querySelectorAll(".scene, .transport, .thread-words")].map(
			(e) => e.getBoundingClientRect().bottom))`)
		const least = 24 // pixels
		if size[0].(float64) < least-.01 || beyond > 721 || math.IsInf(beyond, 0) {
			t.Errorf("step %d in lecture mode: %v px for %q, and what is lowest ends at %v", n, size[0], size[1], beyond)
		}
		v.press(kb.PageDown)
	}
	v.wait(`location.hash.startsWith("#/start/7")`)
	v.learned()
	v.press(kb.PageDown)
	v.wait(`scrollY > 0`)
	// What comes into the page above what is seen scrolls it down, so one press may not lead to its top.
	for k := 0; k < 5 && eval[float64](v, "scrollY") > 0; k++ {
		v.unscrolled()
		v.press(kb.PageUp)
		v.unscrolled()
	}
	v.wait(`scrollY === 0`)
	if got := eval[string](v, `location.hash`); !strings.HasPrefix(got, "#/start/7") {
		t.Errorf("PageUp in the last step, scrolled, leads to %s", got)
	}
	v.smallLectures()
	eval[any](v, `location.hash = "#/start/7?lecture=1"`)
	v.wait(`document.querySelector("#learn-curve")`)
	v.press(kb.PageUp)
	v.wait(`location.hash.startsWith("#/start/6")`)
	v.press("l")
	if got := v.address(); got != "#/start/6" || !strings.Contains(v.text(".thread"), "Step 6 of 7") {
		t.Errorf("after PageUp and L: %s", got)
	}
	v.follow("#/start")
}

// TestLinkNames: links of one name lead to one place, and what a name says more begins with what is seen.
func TestLinkNames(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/about")
	for _, link := range []string{"#/start", "#/start/1", "#/start/7", "#/buckets", "#/embed", "#/learn", "#/about"} {
		v.follow(link)
		for _, problem := range eval[[]string](v, `(() => {
			const to = {}, seen = (e) => e.textContent.trim(), name = (e) => e.ariaLabel ?? seen(e);
			const links = [...document.querySelectorAll("main a[href]")].filter((e) => e.checkVisibility());
			for (const e of links) (to[name(e)] ??= new Set()).add(e.getAttribute("href"));
			return [
				...Object.keys(to).filter((name) => to[name].size > 1).map((name) => name + ": " + [...to[name]]),
				...links.filter((e) => !name(e).startsWith(seen(e))).map((e) => seen(e) + " is called " + name(e)),
			];
		})()`) {
			t.Errorf("%s: %s", link, problem)
		}
	}
}

// TestTopOfStep: a link to another step or place, or a key that turns the step, shows it from its top. On a phone the
// link at the end of the controls led to the end of the next step, and so did the list of the entrance. Back leads to
// where the visitor was.
func TestTopOfStep(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/start")
	v.hasFocus()
	v.do(chromedp.EmulateViewport(360, 760))
	for _, step := range [][2]string{{".lecture-list li:nth-child(3) a", "#/start/3"}, {".thread-end a", "#/start/4"},
		{".thread-end a", "#/start/5"}} {
		v.click(step[0])
		v.wait(fmt.Sprintf(`location.hash === %q`, step[1]))
		v.pictured()
		v.unscrolled()
		if y, focus := eval[float64](v, "scrollY"), eval[string](v, "document.activeElement.id"); y > 0 || focus != "main" {
			t.Errorf("%s is shown from %v px on, with the focus on %q", step[1], y, focus)
		}
	}
	v.do(chromedp.EmulateViewport(1280, 720))
	v.follow("#/start/3")
	eval[any](v, `scrollTo(0, 1e6)`)
	v.press(kb.PageDown)
	v.wait(`location.hash === "#/start/4"`)
	v.unscrolled()
	if y := eval[float64](v, "scrollY"); y > 0 {
		t.Errorf("PageDown shows the next step from %v px on", y)
	}
	v.follow("#/about")
	v.click("#about-steps p a")
	v.wait(`location.hash.startsWith("#/convergence")`)
	v.pictured()
	v.unscrolled()
	if y := eval[float64](v, "scrollY"); y > 0 {
		t.Errorf("a link of About shows Convergence from %v px on", y)
	}
	time.Sleep(time.Second) // the address has the state
	eval[any](v, `history.back()`)
	v.wait(`location.hash === "#/about" && scrollY > 0`)
}

// overScript lists what lies over what in lecture mode, and words that are cut.
const overScript = `(() => {
	const problems = [], parts = [".frame", ".transport", ".thread-words", ".thread-line"].map((name) =>
		[name, document.querySelector(name)?.getBoundingClientRect()]).filter(([, box]) => box);
	for (const [a, p] of parts) for (const [b, q] of parts) {
		if (a < b && p.left < q.right - 1 && q.left < p.right - 1 && p.top < q.bottom - 1 && q.top < p.bottom - 1) {
			problems.push(a + " lies over " + b);
		}
	}
	const sum = document.querySelector("#sum");
	if (sum && sum.scrollHeight > sum.clientHeight + 1) problems.push("cut: " + sum.textContent);
	const scene = document.querySelector(".scene").getBoundingClientRect(), frame = parts[0][1];
	const least = Math.min(innerWidth, innerHeight) / 4;
	if (scene.bottom > frame.bottom + 1 || scene.height < least) problems.push("the picture: " + scene.height);
	const words = document.querySelector(".thread-words").getBoundingClientRect();
	if (words.width < innerWidth / 2) problems.push("the words are narrow: " + words.width);
	if (document.documentElement.scrollWidth > innerWidth) problems.push("the page scrolls sideways");
	return problems;
})()`

// smallLectures: in lecture mode nothing lies over anything else or is cut in a small window, on a phone, or at 200 %
// zoom, which has half as many pixels of CSS; on paper a step has one page.
func (v *visit) smallLectures() {
	v.Helper()
	for _, step := range []string{"1", "3", "4", "4?view=frequencies", "5?seeds=10", "6"} {
		v.follow("#/start/" + step + map[bool]string{true: "&", false: "?"}[strings.Contains(step, "?")] + "lecture=1")
		for _, size := range [][2]int64{{1024, 768}, {640, 360}, {512, 384}, {360, 740}} {
			v.do(chromedp.EmulateViewport(size[0], size[1]))
			v.settled()
			for _, problem := range eval[[]string](v, overScript) {
				v.Errorf("step %s in lecture mode at %v: %s", step, size, problem)
			}
		}
	}
	v.do(chromedp.EmulateViewport(1280, 720))
	v.checkPDF("#/start/5", sheets[0])
	v.settled()
}
