//go:build !js

package page

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// handScript finds what a hand can press, says where it is, and asks the page whether it lives. It runs before
// the scripts of each page that is loaded.
const handScript = `globalThis.hand = (() => {
	const pressable = "a[href], button, select, summary, input, textarea, [contenteditable=true], [draggable=true], " +
		"[tabindex]:not([tabindex='-1']), [role=button], [role=slider], [role=link], [role=tab], [role=menuitem], " +
		"[role=option], [role=checkbox], [role=radio], [role=switch]";
	const quiet = ["auto", "default", "text", "not-allowed"];
	const isPicture = (e) => /^(svg|canvas)$/i.test(e.tagName);
	const isOwn = (e) => !e.closest(pressable);
	// Elements below e that a pointer can press, by their cursor. What is in a control or a label belongs to that.
	const takers = (e) => [...e.children].filter((child) => !child.matches(pressable + ", label")).flatMap((child) =>
		!isPicture(child) && !quiet.includes(getComputedStyle(child).cursor) && !child.querySelector(pressable) ?
			[child, ...takers(child)] : takers(child));
	const isLarge = ({ width, height }) => width >= 40 && height >= 40;
	const isWhole = (e) => isOwn(e) && !e.parentElement.closest("svg") && isLarge(e.getBoundingClientRect());
	// To ask every element for its cursor takes long.
	const find = (all) => [
		...document.querySelectorAll(pressable), ...[...document.querySelectorAll("svg, canvas")].filter(isWhole),
		...(all ? takers(document.body) : []),
	];
	// The jobs of a browser have random names.
	const nameOf = (e) => {
		if (e.matches(".file-notes summary")) return "notes"; // its text is the file's
		if (e.id) return "#" + e.id.replace(/^(save-job|save-release|continue|remove)-.*/, "$1-…");
		const { setting, column, item } = e.dataset;
		const label = isPicture(e) ? "" : e.getAttribute("aria-label"), text = e.textContent.trim();
		const value = /radio|checkbox/.test(e.type) && e.value, style = e.className.baseVal ?? e.className;
		const parts = [e.name, value, setting, column, item?.[0], label, style];
		if (e.matches("a, button, summary")) parts.push(text.slice(0, 40));
		return e.tagName.toLowerCase() + parts.filter(Boolean).map((part) => "." + part).join("");
	};
	const named = (all) => {
		const times = {};
		return find(all).map((e) => {
			const name = nameOf(e), n = times[name] = (times[name] ?? 0) + 1;
			return [n > 1 ? name + " (" + n + ")" : name, e];
		});
	};
	const among = (all, name) => named(all).find(([other]) => other === name)?.[1];
	const element = (name) => among(false, name) ?? among(true, name);
	// What stands above the page until the tab key leads to it, #skip, is pressed by TestSkip.
	const seen = (e) => e.checkVisibility({ visibilityProperty: true }) && e.getClientRects().length > 0 &&
		e.getBoundingClientRect().bottom + scrollY > 0;
	const target = (e) => (e.type === "radio" || e.type === "checkbox") && e.labels?.length ? e.labels[0] : e;
	const kindOf = (e) => {
		if (isPicture(e) || e.matches(".strip, .grip")) return "picture";
		if (e.matches("[role=slider]:not(input)")) return "handle";
		if (e.tagName !== "INPUT") return e.tagName.toLowerCase();
		return /^(radio|checkbox|range|file)$/.test(e.type) ? e.type : "text";
	};
	const valueOf = (e) => [e.checked, e.type !== "file" && e.value, e.ariaExpanded, e.parentElement.open].join("|");
	const controls = (all) => {
		const dialog = document.querySelector("dialog:modal");
		return named(all).map(([name, e]) => ({
			name, kind: kindOf(e), value: valueOf(e), focusable: e.tabIndex >= 0,
			disabled: Boolean(e.disabled), shown: seen(target(e)) && (!dialog || dialog.contains(e)),
		}));
	};
	// Where values change by themselves, an embedding that was stopped may say so late.
	const state = (loose) => JSON.stringify([
		controls().filter((c) => !loose || c.name !== "#embed")
			.map((c) => [c.name, c.disabled, c.shown, loose || c.kind === "handle" ? "" : c.value]),
		loose ? "" : document.querySelector("nav [aria-current]")?.hash ?? "",
		document.querySelector(".origin strong")?.textContent, document.querySelector("dialog[open]")?.id, text("#play"),
		document.querySelector("#app").className.replace(" stale", ""),
	]);
	// Whether what is hit at a point belongs to an element. What the pointer does to a picture is heard around it.
	const hits = (e, x, y) => {
		const top = document.elementFromPoint(x, y);
		const around = /picture|handle/.test(kindOf(e)) ? e.closest("figure, .scene, .data") ?? e.parentElement : target(e);
		return Boolean(top) && (around.contains(top) || e.contains(top));
	};
	const point = async (name, at) => {
		let e = element(name);
		if (!e || !seen(target(e))) return { problem: "it is gone" };
		target(e).scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
		const below = () => target(e).getBoundingClientRect().top > innerHeight - 60;
		for (let k = 0; k < 50 && below(); k++) scrollBy(0, 100); // in what is sticky
		if (document.querySelector(".sticks")) { // a picture that is pinned is drawn anew
			for (let k = 0; k < 3; k++) await frame();
			if (!e.isConnected) e = element(name); // a hand presses the new one
			if (!e || !seen(target(e))) return { problem: "it is gone" };
		}
		for (const { left, top, width, height } of target(e).getClientRects()) {
			for (const [u, v] of [[at, .5], [.5, .5], [.2, .5], [.8, .5], [.5, .2], [.5, .8]]) {
				const x = left + u * width, y = top + v * height;
				if (hits(e, x, y)) return { x, y, left, top, width, height };
			}
		}
		const box = target(e).getBoundingClientRect();
		const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
		return { problem: JSON.stringify(box) + " is out of sight, or under " + top?.outerHTML.slice(0, 200) };
	};
	const focus = (name) => {
		const e = element(name);
		e?.focus();
		if (!e || !seen(e) || e.disabled) return "it is gone"; // a job may have ended since
		return document.activeElement === e ? "" : "it does not take the focus";
	};
	const frame = () => new Promise((resolve) => {
		requestAnimationFrame(resolve);
		setTimeout(resolve, 100);
	});
	const until = async (holds, patience, pause = frame) => {
		for (const end = performance.now() + patience; !holds(); await pause()) if (performance.now() > end) return false;
		return true;
	};
	const rest = () => new Promise((resolve) => setTimeout(resolve, 40)); // a state takes too long to list in each frame
	const text = (selector) => document.querySelector(selector)?.textContent ?? "";
	const stopped = () => /^The page (has stopped|cannot start).*/.exec(text("#app"))?.[0] ?? "";
	const started = () => Boolean(document.querySelector("#app.page:not(.starting)") || stopped());
	// A file that hangs over the page is marked by Go, with the App locked.
	const answers = async (patience) => {
		const over = (type) => document.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true }));
		for (const [type, on] of [["dragover", true], ["dragleave", false]]) {
			over(type);
			if (!await until(() => stopped() || document.body.classList.contains("dropping") === on, patience)) return false;
		}
		return !stopped();
	};
	const after = async (loose) => {
		for (let k = 0; k < 3; k++) await frame(); // a link is followed in a moment
		const ok = await answers(60_000);
		return { ok, stopped: stopped(), state: state(loose), said: ["#status", "#saving-status", "#problem",
			".notes"].map(text).join(" ") };
	};
	const back = async (hash, wanted, loose, patience, trips) => {
		const now = () => document.querySelector("nav [aria-current]")?.hash;
		const learns = () => !loose && document.querySelector("#learn-curve[aria-busy=true]"); // its pictures will go
		const busy = () => document.querySelector("#picture[aria-busy=true], #stop, #stop-saving") &&
			!/"#stop(-saving)?",false,true/.test(wanted) ||
			document.querySelector("#halt-seeds:enabled")?.textContent === "Stop" && /"#halt-seeds",true/.test(wanted) ||
			learns();
		const there = () => state(loose) === wanted && !learns();
		const comes = async () => await until(() => there() || !busy(), 60_000, rest) &&
			await until(there, patience, rest);
		if (now() !== hash) location.hash = hash;
		if (await comes()) return true;
		if (!trips || document.querySelector("dialog:modal")) return false;
		location.hash = "#/about?embed=0"; // what is half typed into fields goes
		await until(() => now() !== hash, 1000);
		location.hash = hash;
		return comes();
	};
	return { controls, state, point, focus, started, after, back };
})();`

// A control is what can be pressed.
type control struct {
	Name, Kind, Value string
	Disabled, Shown   bool
	Focusable         bool
}

func (c control) canPress() bool { return c.Shown && !c.Disabled }

// isWide reports whether it matters where it is pressed.
func (c control) isWide() bool { return c.Kind == "range" || c.Kind == "picture" || c.Kind == "handle" }

// controls lists what the page has.
func (h *visitor) controls() []control {
	h.Helper()
	return eval[[]control](h.visit, `hand.controls(true)`)
}

// gone is what hand.point says where a control has left the page.
const gone = "it is gone"

// A spot is where a control can be pressed, in its box.
type spot struct {
	X, Y, Left, Top, Width, Height float64
	Problem                        string
}

// A visitor presses what is on the page, by the browser's input events alone.
type visitor struct {
	*visit
	device   *device
	random   *rand.Rand
	gives    []string // files for the dialog that opens
	choosers chan page.EventFileChooserOpened
	given    int // dialogs answered
}

// The devices: how each presses a control of a kind.
var devices = []*device{
	{name: "mouse", press: (*visitor).byMouse},
	{name: "keyboard", press: (*visitor).byKeys},
	{name: "touch", press: (*visitor).byTouch},
}

type device struct {
	name  string
	press func(h *visitor, c control) string // says what it could not do
}

// newVisitor has what the page asks the browser for come to the visitor: the dialog for files, downloads, the focus.
func newVisitor(v *visit, seed uint64) *visitor {
	v.Helper()
	h := &visitor{visit: v, device: devices[0], random: rand.New(rand.NewPCG(seed, 0))}
	h.choosers = make(chan page.EventFileChooserOpened, 100)
	events := chromedp.Events(v.ctx, page.FileChooserOpened)
	go func() {
		for event, err := range events {
			if err != nil {
				return
			}
			h.choosers <- event
		}
	}()
	v.saveInto()
	must(chromedp.Call(v.ctx, page.SetInterceptFileChooserDialog,
		page.SetInterceptFileChooserDialogParams{Enabled: true}))(v)
	v.hasFocus()
	must(chromedp.Call(v.ctx, page.AddScriptToEvaluateOnNewDocument,
		page.AddScriptToEvaluateOnNewDocumentParams{Source: handScript}))(v)
	return h
}

// answer hands the files to a dialog that has opened, if one has.
func (h *visitor) answer() bool {
	h.Helper()
	select {
	case event := <-h.choosers:
		must(chromedp.Call(h.ctx, dom.SetFileInputFiles,
			dom.SetFileInputFilesParams{Files: h.gives, BackendNodeID: event.BackendNodeID}))(h)
		h.given++
		return true
	default:
		return false
	}
}

// drag drops files on the page, as a drag from a folder does.
func (h *visitor) drag(paths ...string) {
	h.Helper()
	at := eval[spot](h.visit, `({ x: innerWidth / 2, y: innerHeight / 2 })`)
	var absolute []string
	for _, path := range paths {
		absolute = append(absolute, must(filepath.Abs(path))(h))
	}
	data := &input.DragData{Items: []*input.DragDataItem{}, Files: absolute, DragOperationsMask: 1}
	// The page says of one move whether it would take the files, and the browser hears of it before the next.
	over := input.DispatchDragEventTypeDragOver
	for _, kind := range []input.DispatchDragEventType{input.DispatchDragEventTypeDragEnter, over, over,
		input.DispatchDragEventTypeDrop} {
		h.frame()
		must(chromedp.Call(h.ctx, input.DispatchDragEvent,
			input.DispatchDragEventParams{Type: kind, X: at.X, Y: at.Y, Data: data}))(h)
	}
}

// frame waits for the next one.
func (h *visitor) frame() {
	h.Helper()
	eval[any](h.visit, nextFrame+`.then(() => `+nextFrame+`)`)
}

// find says where a control can be pressed: in its middle, or anywhere.
func (h *visitor) find(c control) spot {
	h.Helper()
	at := .5
	if c.isWide() {
		at = h.part()
	}
	return eval[spot](h.visit, fmt.Sprintf(`hand.point(%s, %v)`, quoted(c.Name), at))
}

// part is a part of a width or height, away from the border.
func (h *visitor) part() float64 { return .1 + .8*h.random.Float64() }

// texts are typed into fields.
var texts = []string{"2", "7", "0.5", "", "-3", "1e30", "-1e-30", "123456789012345678901234567890", "NaN", "0",
	"abc", "émoji 🜚 ﷽", " ", "1,5", "\"quoted\" <b>&amp;", "16", "100"}

// writeInto types into the field that has the focus, in place of what it holds.
func (h *visitor) writeInto(leave string) {
	h.Helper()
	h.do(chromedp.KeyEvent("a", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	text := texts[h.random.IntN(len(texts))]
	if text == "" {
		h.do(chromedp.KeyEvent(kb.Backspace + leave))
		return
	}
	must(chromedp.Call(h.ctx, input.InsertText, input.InsertTextParams{Text: text}))(h)
	h.do(chromedp.KeyEvent(leave))
}

func (h *visitor) byMouse(c control) string {
	h.Helper()
	s := h.find(c)
	if s.Problem != "" {
		return s.Problem
	}
	left := func(p *input.DispatchMouseEventParams) { p.Button, p.ClickCount = input.MouseButtonLeft, 1 }
	held := func(p *input.DispatchMouseEventParams) { p.Button, p.Buttons = input.MouseButtonLeft, 1 }
	h.do(chromedp.MouseEvent(chromedp.MouseMoved, s.X, s.Y), chromedp.MouseEvent(chromedp.MousePressed, s.X, s.Y, left))
	if c.isWide() && h.random.IntN(2) == 0 {
		s.X, s.Y = s.Left+h.part()*s.Width, s.Top+h.part()*s.Height
		h.do(chromedp.MouseEvent(chromedp.MouseMoved, s.X, s.Y, held))
	}
	h.do(chromedp.MouseEvent(chromedp.MouseReleased, s.X, s.Y, left))
	h.then(c)
	return ""
}

// then is what the keyboard does after a pointer: fields are written into, and of an open menu something is chosen.
func (h *visitor) then(c control) {
	h.Helper()
	switch c.Kind {
	case "text", "textarea":
		h.writeInto(kb.Tab)
	case "select":
		h.do(chromedp.KeyEvent([]string{kb.ArrowDown, kb.ArrowUp}[h.random.IntN(2)] + kb.Enter))
	}
}

func (h *visitor) byKeys(c control) string {
	h.Helper()
	if !c.Focusable || c.Kind == "picture" {
		return h.byMouse(c)
	}
	if problem := eval[string](h.visit, fmt.Sprintf(`hand.focus(%s)`, quoted(c.Name))); problem != "" {
		return problem
	}
	keys := kb.Enter
	switch c.Kind {
	case "text", "textarea":
		h.writeInto(kb.Enter)
		return ""
	case "radio", "checkbox":
		keys = " "
	case "button", "summary":
		keys = []string{kb.Enter, " "}[h.random.IntN(2)]
	case "select":
		keys = []string{kb.ArrowDown, kb.ArrowUp}[h.random.IntN(2)]
	case "range", "handle":
		keys = []string{kb.ArrowRight, kb.ArrowLeft, kb.Home, kb.End, kb.PageUp, kb.PageDown, kb.Enter}[h.random.IntN(7)]
	case "a":
	default:
		keys = kb.ArrowDown
	}
	h.do(chromedp.KeyEvent(keys))
	return ""
}

func (h *visitor) byTouch(c control) string {
	h.Helper()
	s := h.find(c)
	if s.Problem != "" {
		return s.Problem
	}
	h.touch(input.DispatchTouchEventTypeTouchStart, &input.TouchPoint{X: s.X, Y: s.Y})
	if c.isWide() && h.random.IntN(2) == 0 {
		for range 2 {
			h.touch(input.DispatchTouchEventTypeTouchMove, &input.TouchPoint{X: s.Left + h.part()*s.Width, Y: s.Y})
		}
	}
	h.touch(input.DispatchTouchEventTypeTouchEnd)
	h.then(c)
	return ""
}

// An afterwards is what the page says after a press.
type afterwards struct {
	OK                   bool
	Stopped, State, Said string
}

// after waits until the page has answered something through Go, and returns what is wrong.
func (h *visitor) after(loose bool) (said afterwards, wrong []string) {
	h.Helper()
	ask := fmt.Sprintf(`(async () => {
		const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
		while (!globalThis.hand || !hand.started()) await pause();
		return hand.after(%v);
	})()`, loose)
	var err error
	for deadline := time.Now().Add(patience); ; { // a press may have the page loaded again
		ctx, cancel := context.WithTimeout(h.ctx, patience)
		said, err = chromedp.Run(ctx, chromedp.Evaluate[afterwards](ask, chromedp.EvalAwaitPromise))
		cancel()
		if err == nil || time.Now().After(deadline) {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	switch {
	case err != nil:
		wrong = append(wrong, "the page does not answer: "+err.Error())
	case said.Stopped != "":
		wrong = append(wrong, said.Stopped)
	case !said.OK:
		wrong = append(wrong, "the page does not answer within a minute")
	}
	if strings.Contains(said.Said, "Something went wrong in this page") {
		wrong = append(wrong, said.Said)
	}
	return said, append(wrong, h.takeTrouble()...)
}

// takeTrouble returns what the console has said since it was asked last.
func (v *visit) takeTrouble() (said []string) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	for _, text := range v.trouble {
		if !v.isTolerated(text) {
			said = append(said, text)
		}
	}
	v.trouble = nil
	return said
}
