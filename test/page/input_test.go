//go:build !js

package page

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Input as the browser gets it of a hand: its events are trusted, and give leave to open a
// dialog or to save a file, as those that a script makes do not.

// A place is where an element can be pressed, and what lies over it there.
type place struct {
	X, Y float64
	Over string
}

// nextFrame is an expression of JavaScript: a promise of the next frame. Once Chromium gave a tab none, and a test
// waited for it until its time was over: after two seconds it goes on.
const nextFrame = `new Promise((resolve) => { requestAnimationFrame(resolve); setTimeout(resolve, 2000); })`

// resting brings an element into sight by a call of its own, and returns its middle once it rests there with nothing
// over it: on a busy machine what stands above may still grow.
func (v *visit) resting(selector, call string) place {
	v.Helper()
	return eval[place](v, fmt.Sprintf(`(async () => {
		let x, y, hit;
		for (let before = "", same = 0, k = 0; k < 100; k++) {
			if (k > 0) await `+nextFrame+`;
			const element = document.querySelector(%q);
			if (!element) return { over: "nothing is there" };
			element.%s;
			const { left, top, width, height } = element.getBoundingClientRect();
			[x, y] = [left + width / 2, top + height / 2];
			same = before === [x, y].join() ? same + 1 : 0;
			before = [x, y].join();
			hit = document.elementFromPoint(x, y);
			if (same >= 2 && %s(element, hit)) return { x, y, over: "" };
		}
		return { x, y, over: hit?.outerHTML.slice(0, 200) ?? "it is out of sight" };
	})()`, selector, call, isOn))
}

// target brings an element into the middle of the window and returns where it is. It fails where something else
// lies over it.
func (v *visit) target(selector string) (x, y float64) {
	v.Helper()
	at := v.resting(selector, `scrollIntoView({ block: "center", inline: "center", behavior: "instant" })`)
	if at.Over != "" {
		v.Fatalf("%s cannot be pressed: %s", selector, at.Over)
	}
	return at.X, at.Y
}

func (v *visit) pressByMouse(selector string) {
	v.Helper()
	button := func(p *input.DispatchMouseEventParams) { p.Button, p.ClickCount = input.MouseButtonLeft, 1 }
	held := func(p *input.DispatchMouseEventParams) { button(p); p.Buttons = 1 }
	for range 20 {
		x, y := v.target(selector)
		if v.lands(selector, func() {
			v.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y),
				chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, x, y, held),
				chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, x, y, button))
		}) {
			return
		}
	}
	v.Fatalf("%s was pressed twenty times, and something else lay there", selector)
}

// pressByTouch taps an element, on a screen that is touched from now on.
func (v *visit) pressByTouch(selector string) {
	v.Helper()
	must(chromedp.Call(v.ctx, emulation.SetTouchEmulationEnabled,
		emulation.SetTouchEmulationEnabledParams{Enabled: true}))(v)
	v.altered = true
	for range 20 {
		x, y := v.target(selector)
		if v.lands(selector, func() {
			v.touch(input.DispatchTouchEventTypeTouchStart, &input.TouchPoint{X: x, Y: y})
			v.touch(input.DispatchTouchEventTypeTouchEnd)
		}) {
			return
		}
	}
	v.Fatalf("%s was tapped twenty times, and something else lay there", selector)
}

func (v *visit) touch(kind input.DispatchTouchEventType, points ...*input.TouchPoint) {
	v.Helper()
	must(chromedp.Call(v.ctx, input.DispatchTouchEvent,
		input.DispatchTouchEventParams{Type: kind, TouchPoints: points}))(v)
}

// pressByKey types keys at an element that has been given the focus.
func (v *visit) pressByKey(selector, keys string) {
	v.Helper()
	v.target(selector)
	if !eval[bool](v, fmt.Sprintf(`(document.querySelector(%[1]q).focus(),
		document.activeElement === document.querySelector(%[1]q))`, selector)) {
		v.Fatalf("%s does not take the focus", selector)
	}
	v.do(chromedp.KeyEvent(keys))
}

// call does what chromedp has no action for.
func (v *visit) call(f func(ctx context.Context) error) {
	v.Helper()
	v.do(func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) { return chromedp.Void{}, f(ctx) })
}

// chooseBy opens the browser's dialog for files by that, and chooses files in it.
func (v *visit) chooseBy(open func(), paths ...string) {
	v.Helper()
	for i, path := range paths {
		paths[i] = must(filepath.Abs(path))(v)
	}
	intercept := func(on bool) {
		must(chromedp.Call(v.ctx, page.SetInterceptFileChooserDialog,
			page.SetInterceptFileChooserDialogParams{Enabled: on}))(v)
	}
	ctx, cancel := context.WithTimeout(v.ctx, patience)
	defer cancel()
	opened := chromedp.Events(ctx, page.FileChooserOpened)
	intercept(true)
	open()
	for event, err := range opened {
		if err != nil {
			v.Fatalf("no dialog for files within two minutes: %v; the page says %q", err, v.text("#app"))
		}
		must(chromedp.Call(v.ctx, dom.SetFileInputFiles,
			dom.SetFileInputFilesParams{Files: paths, BackendNodeID: event.BackendNodeID}))(v)
		break
	}
	intercept(false)
}

// TestPressLands: a press that the page moved away from, or whose element it drew anew, does nothing and is made again;
// a press whose label clicks its input is made once.
func TestPressLands(t *testing.T) {
	t.Parallel()
	v := openAgain(t, sharedBrowser(t), server(t), "#/about")
	v.wait(`document.querySelector("#app.page:not(.starting)")`)
	v.altered = true
	for name, press := range map[string]func(selector string){"click": v.click, "mouse": v.pressByMouse,
		"touch": v.pressByTouch} {
		eval[any](v, `(() => {
			document.querySelector("#pressed")?.remove();
			document.body.insertAdjacentHTML("beforeend", '<div id="pressed"><button id="moves">moves</button>' +
				'<p id="renewed"><button>anew</button></p><label><input type="radio" id="radio"><span id="label">label</span>' +
				'</label><label class="chip"><input type="radio" id="chip"><span id="chosen">chip</span></label>' +
				'<button id="asks">file</button><input type="file" id="asked" hidden></div>');
			const $ = (selector) => document.querySelector(selector);
			$("#pressed").style.cssText = "position: fixed; inset: 0; z-index: 99; background: white";
			$("#moves").style.position = "relative";
			globalThis.heard = [];
			const once = (selector, f) => $(selector).addEventListener("pointerdown", f, { once: true });
			once("#moves", () => $("#moves").style.left = "300px");
			once("#renewed", () => $("#renewed").innerHTML = "<button>anew</button>");
			$("#pressed").addEventListener("click", ({ target }) => heard.push(target.id || target.parentElement.id));
			$("#asks").addEventListener("click", () => $("#asked").click());
			$("#asked").addEventListener("click", (event) => event.preventDefault());
		})()`)
		for _, selector := range []string{"#moves", "#renewed button", "#label", "#chosen", "#asks"} {
			press(selector)
		}
		if name == "touch" { // its click comes a moment later
			v.comes(`heard.includes("asks")`, soon)
		}
		if got, want := eval[string](v, `heard.join(" ")`), "moves renewed label radio chip asked asks"; got != want {
			t.Errorf("%s: clicks of %s were heard, want %s", name, got, want)
		}
		if !eval[bool](v, `document.querySelector("#radio").checked && document.querySelector("#chip").checked`) {
			t.Errorf("%s: presses on labels do not check their inputs", name)
		}
	}
}

// TestChooseFileByHand: the button opens the browser's dialog however it is pressed, and the page
// goes on: the file is embedded.
func TestChooseFileByHand(t *testing.T) {
	t.Parallel()
	v := visitEmbed(t, "#/embed?nComponents=64")
	for name, press := range map[string]func(selector string){
		"mouse": v.pressByMouse,
		"Enter": func(selector string) { v.pressByKey(selector, kb.Enter) },
		"Space": func(selector string) { v.pressByKey(selector, " ") },
		"touch": v.pressByTouch,
	} {
		path := v.write(name+".csv", "a,b\n1,2\n3,4\n5,6\n")
		v.readyAfter(func() { v.chooseBy(func() { press("#choose") }, path) })
		if got := v.text(".origin strong"); got != name+".csv" {
			t.Errorf("the page shows %q, want %s.csv", got, name)
		}
	}
}
