//go:build !js

package page

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// pinnedScript says where a control of the rail is after it was scrolled to, and what is wrong: less than half of the
// picture is in the window, it takes too much of it, or something covers the control.
const pinnedScript = `(async (n) => {
	const frames = async (k) => { for (; k > 0; k--) await ` + nextFrame + `; };
	const e = document.querySelectorAll(".rail :is(input, button)")[n];
	const target = e.closest(".chip") ?? e;
	target.scrollIntoView({ block: "nearest" });
	await frames(3);
	const scene = document.querySelector(".scene").getBoundingClientRect();
	const box = target.getBoundingClientRect();
	const shown = Math.min(scene.bottom, innerHeight) - Math.max(scene.top, 0);
	const beside = scene.right <= box.left;
	const x = box.left + box.width / 2, y = box.top + box.height / 2;
	const top = document.elementFromPoint(x, y);
	let problem = "";
	if (shown < scene.height / 2) problem = "little of the picture is seen, it is at " + scene.top;
	// It is pinned unless its upper part is out of view.
	const pinned = !beside && scene.top >= 0;
	if (pinned && scene.height > 0.46 * innerHeight) problem = "the picture is " + scene.height + " high";
	if (!target.contains(top) && !top?.contains(target)) problem = "under " + top?.outerHTML.slice(0, 100);
	return { x, y, left: box.left, width: box.width, problem };
})`

// TestFingerScrolls: a finger that scrolls from a slider on, and two that zoom a picture, change no parameter.
func TestFingerScrolls(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/about")
	v.altered = true
	v.do(chromedp.EmulateViewport(360, 740, chromedp.EmulateTouch, chromedp.EmulateMobile))
	must(chromedp.Call(v.ctx, emulation.SetTouchEmulationEnabled,
		emulation.SetTouchEmulationEnabledParams{Enabled: true, MaxTouchPoints: 2}))(v)
	const middle = `new Promise((resolve) => {
		const e = document.querySelector(%q);
		e.scrollIntoView({ block: "center", behavior: "instant" });
		requestAnimationFrame(() => resolve((({ left, top, width, height }) => ({ left, top, width, height,
			x: left + .1 * width, y: top + height / 2 }))(e.getBoundingClientRect())));
	})`
	kinds := map[bool]input.DispatchTouchEventType{true: input.DispatchTouchEventTypeTouchStart,
		false: input.DispatchTouchEventTypeTouchMove}
	for _, link := range []string{"#/buckets", "#/learn", "#/convergence?seeds=10"} {
		v.follow(link)
		v.settled()
		before := eval[string](v, "location.hash")
		stays := func(what string) {
			t.Helper()
			v.settled()
			if !v.comes(fmt.Sprintf("location.hash === %q", before), soon) { // the address may come later
				t.Errorf("%s: %s, the page is at %s, and was at %s", link, what, eval[string](v, "location.hash"), before)
			}
		}
		at := eval[spot](v, fmt.Sprintf(middle, `.rail input[type="range"]`))
		from := eval[float64](v, "scrollY")
		for k := range 9 {
			v.touch(kinds[k == 0], &input.TouchPoint{X: at.X, Y: at.Y - 20*float64(k)})
		}
		v.touch(input.DispatchTouchEventTypeTouchEnd)
		v.wait(fmt.Sprintf("scrollY > %v", from+50))
		stays("scrolled from a slider on")
		at = eval[spot](v, fmt.Sprintf(middle, "#stage"))
		x, y := at.Left+.4*at.Width, at.Top+.3*at.Height
		for k := range 9 {
			apart := 8 * float64(k)
			one := &input.TouchPoint{ID: new(0.), X: x - apart, Y: y}
			if k == 0 {
				v.touch(kinds[true], one)
			}
			v.touch(kinds[k == 0], one, &input.TouchPoint{ID: new(1.), X: x + 40 + apart, Y: y})
		}
		v.touch(input.DispatchTouchEventTypeTouchEnd)
		v.wait("visualViewport.scale > 1.2")
		stays("zoomed by two fingers")
		must(chromedp.Call(v.ctx, emulation.SetPageScaleFactor, emulation.SetPageScaleFactorParams{PageScaleFactor: 1}))(v)
	}
}

// TestPhonePicture: on a phone, whatever control of a teaching place is brought into sight, the picture is in view with
// it and does not cover it. A finger that moves a slider changes the picture in view, and moves nothing else.
func TestPhonePicture(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/about")
	v.altered = true
	// The first convolution of two sketches is the same at every degree.
	const sliders = `[...document.querySelectorAll(".rail :is(input, button)")]
		.flatMap((e, n) => e.type === "range" && !e.matches(".at-convolution .degree *") ? n : [])`
	windows := [][2]int64{{360, 740}, {740, 360}, {412, 915}}
	if !*long { // the last differs little from the first
		windows = windows[:2]
	}
	for _, window := range windows {
		v.do(chromedp.EmulateViewport(window[0], window[1], chromedp.EmulateTouch, chromedp.EmulateMobile))
		must(chromedp.Call(v.ctx, emulation.SetTouchEmulationEnabled,
			emulation.SetTouchEmulationEnabledParams{Enabled: true}))(v)
		for _, link := range []string{"#/buckets", "#/convolution", "#/convergence?seeds=10", "#/learn"} {
			v.follow(link)
			if link == "#/convergence?seeds=10" {
				v.streamed()
			}
			find := func(n int) spot {
				t.Helper()
				at := eval[spot](v, fmt.Sprintf("%s(%d)", pinnedScript, n))
				if at.Problem != "" {
					t.Errorf("%s, %d × %d, control %d: %s", link, window[0], window[1], n, at.Problem)
				}
				return at
			}
			for n := range eval[int](v, `document.querySelectorAll(".rail :is(input, button)").length`) {
				find(n)
			}
			for _, n := range eval[[]int](v, sliders) {
				at := find(n)
				look := `document.querySelector(".drawing").innerHTML`
				eval[any](v, "void (globalThis.before = "+look+")")
				place := fmt.Sprintf(`document.querySelectorAll(".rail :is(input, button)")[%d]
					.getBoundingClientRect().top + 0`, n)
				top := eval[float64](v, place)
				for k, part := range []float64{.5, .6, .85} { // to where no thumb is at first
					kind := input.DispatchTouchEventTypeTouchMove
					if k == 0 {
						kind = input.DispatchTouchEventTypeTouchStart
					}
					v.touch(kind, &input.TouchPoint{X: at.Left + part*at.Width, Y: at.Y})
				}
				v.touch(input.DispatchTouchEventTypeTouchEnd)
				v.settled()
				if !v.comes(look+" !== globalThis.before", soon) {
					t.Errorf("%s, %d × %d: slider %d changes no picture", link, window[0], window[1], n)
				}
				if now := eval[float64](v, place); math.Abs(now-top) > 1 {
					t.Errorf("%s, %d × %d: slider %d moves itself from %v to %v", link, window[0], window[1], n, top, now)
				}
			}
		}
	}
}

// TestPhoneNames: on a phone, no name of a file or a column makes Embed wider than the window, and none takes more than
// three lines. Of a file with two rows there is no room for a map. A column of dates colours the map by days.
func TestPhoneNames(t *testing.T) {
	t.Parallel()
	v := visitEmbed(t, "#/embed?nComponents=64")
	v.altered = true
	v.do(chromedp.EmulateViewport(360, 780, chromedp.EmulateTouch, chromedp.EmulateMobile))
	const name = "Quarterly report of all customers in every region, corrected by Anna, final version (2) copy of copy -" +
		" do not delete - use this one 2024-11-30.csv"
	content := "a very long column name that somebody typed into a spreadsheet but not for phones,joined,plan\n"
	for i := range 60 {
		content += fmt.Sprintf("%d,2024-%02d-01,%s\n", i*7%31, 1+i%3, []string{"free", "pro"}[i%2])
		if i == 1 {
			v.readyAfter(func() { v.choose(v.write("two.csv", content)) })
			v.until("#rows-map", "Map of the rowsA map needs at least three rows.")
			if height := v.box("#rows-map").Height; height > 100 {
				t.Errorf("the room of a map of two rows is %v px high", height)
			}
		}
	}
	v.readyAfter(func() { v.choose(v.write(name, content)) })
	v.wait(`document.querySelector("#map-picture .place")`)
	for _, selector := range []string{".origin strong", "#requests", "#save-npy span", "#save-parquet span"} {
		lines := eval[float64](v, fmt.Sprintf(`(() => {
			const e = document.querySelector(%q);
			return e.getBoundingClientRect().height / parseFloat(getComputedStyle(e).lineHeight);
		})()`, selector))
		if text := v.text(selector); lines > 3.1 || !strings.Contains(text, "Quarterly report") {
			t.Errorf("%s has %.1f lines: %s", selector, lines, text)
		}
	}
	if wide := eval[int](v, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); wide > 0 {
		t.Errorf("the page is %d px wider than the window: %s", wide, eval[string](v, widest))
	}
	eval[any](v, `{
		const menu = document.querySelector("#map-by");
		menu.value = [...menu.options].find((option) => option.text === "joined").value;
		menu.dispatchEvent(new Event("change", { bubbles: true }));
	}`)
	v.until("#map-says .colours", "2024-01-01 2024-02-01 2024-03-01")
}
