//go:build !js

package page

import (
	"slices"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestPictureFirst: in windows as low and narrow as a zoom of 200 % leaves them, the picture comes before the
// questions, and begins in the first window. The header takes a tenth of the window, and is no wider than it.
func TestPictureFirst(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/about")
	v.altered = true
	for _, window := range [][2]int64{{720, 450}, {683, 384}, {960, 540}, {640, 360}, {390, 844}} {
		v.do(chromedp.EmulateViewport(window[0], window[1]))
		for _, link := range []string{"#/buckets", "#/convolution", "#/convergence?seeds=10", "#/learn"} {
			v.follow(link)
			tops := eval[[]float64](v, `(scrollTo(0, 0), [".scene", ".questions", ".figures-data"].map((selector) =>
				document.querySelector(selector).getBoundingClientRect().top))`)
			if tops[0] > tops[1] || tops[1] > tops[2] || tops[0] > float64(window[1]) {
				t.Errorf("%s, %d × %d: picture, questions and data begin at %v", link, window[0], window[1], tops)
			}
			size := eval[[]float64](v, `[document.querySelector(".header").offsetHeight / innerHeight,
				Math.max(...[...document.querySelectorAll(".header > *")].map((e) => e.getBoundingClientRect().right)) /
				innerWidth]`)
			if window[1] < 600 && (size[0] > .105 || size[1] > 1) {
				t.Errorf("%s, %d × %d: the header takes %v of the height and of the width", link, window[0], window[1], size)
			}
		}
	}
}

// TestPlannerInView: on a desktop the picture of Convergence is in view with the planner's fields and answer.
func TestPlannerInView(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/convergence?seeds=10")
	v.altered = true
	for _, window := range [][2]int64{{1440, 900}, {1366, 768}, {1920, 1080}} {
		v.do(chromedp.EmulateViewport(window[0], window[1]))
		v.settled()
		for _, selector := range []string{"#epsilon", "#delta", "#planner .small"} {
			if problem := eval[string](v, `(async () => {
				const target = document.querySelector("`+selector+`");
				scrollTo(0, 0);
				target.scrollIntoView({ block: "nearest" });
				for (let k = 0; k < 3; k++) await `+nextFrame+`;
				const scene = document.querySelector(".scene").getBoundingClientRect();
				const box = target.getBoundingClientRect();
				const shown = Math.min(scene.bottom, innerHeight) - Math.max(scene.top, 0);
				// The rail and the page scroll to whole pixels, each.
				if (box.top < 0 || box.bottom > innerHeight + 2) return "it is from " + box.top + " to " + box.bottom;
				return shown < 0.8 * scene.height ? shown + " px of " + scene.height + " of the picture are seen" : "";
			})()`); problem != "" {
				t.Errorf("%d × %d, %s: %s", window[0], window[1], selector, problem)
			}
		}
	}
}

// TestLargeFonts: with letters twice as large, the header takes at most a tenth of the window.
func TestLargeFonts(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/buckets")
	v.altered = true
	for _, size := range []int64{16, 24, 32} {
		must(chromedp.Call(v.ctx, page.SetFontSizes, page.SetFontSizesParams{
			FontSizes: &page.FontSizes{Standard: size, Fixed: size}}))(v)
		v.settled()
		got := eval[float64](v, `document.querySelector(".header").getBoundingClientRect().height / innerHeight`)
		if got > .1 {
			t.Errorf("with letters of %d px the header takes %.2f of the window", size, got)
		}
		if text := eval[float64](v, `parseFloat(getComputedStyle(document.body).fontSize)`); size > 16 && text < 20 {
			t.Errorf("a browser with letters of %d px gets letters of %v px", size, text)
		}
	}
}

// TestRightToLeft: in a page that was translated into a language written from the right, labels stay where they are.
func TestRightToLeft(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/buckets")
	const lefts = `[...document.querySelectorAll(".scene svg text")].map((e) =>
		Math.round(e.getBoundingClientRect().left - document.querySelector(".scene").getBoundingClientRect().left))`
	before := eval[[]int](v, lefts)
	eval[string](v, `document.documentElement.dir = "rtl"`)
	v.settled()
	after := eval[[]int](v, lefts)
	for i := range before {
		if d := after[i] - before[i]; len(after) != len(before) || d < -1 || d > 1 {
			t.Fatalf("label %d is at %d, was at %d", i, after[i], before[i])
		}
	}
	eval[string](v, `document.documentElement.dir = ""`)
}

// hasFocus gives the tab the focus for good, whatever other tests do in theirs.
func (v *visit) hasFocus() {
	v.Helper()
	must(chromedp.Call(v.ctx, emulation.SetFocusEmulationEnabled,
		emulation.SetFocusEmulationEnabledParams{Enabled: true}))(v)
}

// TestSkip: the first press of the tab key leads to a button that skips the header; the next two lead to links of the
// thread, and then comes the picture.
func TestSkip(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/buckets")
	v.hasFocus()
	eval[any](v, `document.activeElement.blur()`)
	const focus = `document.activeElement.id || document.activeElement.className`
	v.press(kb.Tab)
	if got := eval[string](v, focus); got != "skip" {
		t.Errorf("the first press of Tab leads to %q", got)
	}
	v.press("\r")
	v.wait(`document.activeElement.id === "main"`)
	var stops []string
	for len(stops) < 3 && !slices.Contains(stops, "handle") {
		v.press(kb.Tab)
		stops = append(stops, eval[string](v, focus+` || document.activeElement.closest("nav").className`))
	}
	if !slices.Equal(stops, []string{"thread-links", "lecture", "handle"}) {
		t.Errorf("after the header is skipped, Tab leads to %q", stops)
	}
}

// TestWideValues: a value with a sign and two decimals is whole in its field, and a decimal comma is read.
func TestWideValues(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/buckets")
	v.set("value", "-0,74")
	v.wait(`document.querySelector("#value").value === "-0.74"`)
	if cut := eval[int](v, `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(
		document.querySelector("#value"))`); cut > 0 {
		t.Errorf("−0.74 is cut by %d px", cut)
	}
	v.follow("#/convergence?seeds=10")
	v.set("epsilon", "0,3")
	v.wait(`location.hash.includes("epsilon=0.3")`)
	v.says("#epsilon-error", "")
	v.set("epsilon", "0,300")
	v.wait(`location.hash.includes("epsilon=0.3")`)
}

// TestDecimalComma: where the browser's language writes 1.5 as 1,5, a comma stands never between thousands.
func TestDecimalComma(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/embed?nComponents=32")
	v.altered = true
	v.set("gamma", "1,125")
	v.wait(`document.querySelector("#gamma").ariaInvalid === "true" && !location.hash.includes("1.125")`)
	must(chromedp.Call(v.ctx, emulation.SetLocaleOverride, emulation.SetLocaleOverrideParams{Locale: "de-DE"}))(v)
	v.do(chromedp.Reload())
	v.wait(pictureReady)
	v.set("gamma", "1,125")
	v.wait(`location.hash.includes("gamma=1.125")`)
	v.says("#gamma-error", "")
}
