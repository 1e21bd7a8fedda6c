//go:build !js

package page

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// The places of the page.
var (
	lessons   = []string{"buckets", "convolution", "convergence", "learn"}
	allPlaces = []string{"start", "buckets", "convolution", "convergence", "embed", "learn", "about"}
)

// visitPlace opens a link and waits for the picture of its place.
func visitPlace(t *testing.T, link string) *visit {
	t.Helper()
	v := openAgain(t, sharedBrowser(t), server(t), link)
	v.pictured()
	return v
}

// pictureReady holds when the core's numbers are drawn, in any place.
const pictureReady = `document.querySelector(
	"#stage[data-ready], #picture[data-ready], #diagram[data-ready], #learn-curve[data-ready]")`

func (v *visit) pictured() {
	v.Helper()
	v.wait(pictureReady)
	v.settled()
}

// settled waits until nothing has changed for some frames.
func (v *visit) settled() {
	v.Helper()
	eval[any](v, `(async () => {
		const now = () => [document.querySelector("#stage")?.dataset.ready,
			document.querySelector("#app").textContent].join();
		for (let before = "", same = 0; same < 3; ) {
			await `+nextFrame+`;
			same = now() === before ? same + 1 : 0;
			before = now();
		}
	})()`)
}

// unscrolled waits until the page does not scroll.
func (v *visit) unscrolled() {
	v.Helper()
	eval[bool](v, `(async () => {
		for (let y, k = 0; k < 15; y === scrollY ? k++ : (k = 0, y = scrollY)) await `+nextFrame+`;
		return true;
	})()`)
}

// follow goes to another link in the same tab, as its anchor would.
func (v *visit) follow(link string) {
	v.Helper()
	eval[any](v, fmt.Sprintf(`new Promise((resolve) => {
		const before = location.href;
		addEventListener("hashchange", resolve, { once: true });
		location.hash = %q;
		if (location.href === before) resolve();
	})`, link))
	v.pictured()
}

// stateNow is the link to the state of now. The address follows a moment later.
const stateNow = `(document.querySelector("nav [aria-current]")?.hash ?? location.hash)`

// address waits until the address holds the state, and returns its fragment.
func (v *visit) address() string {
	v.Helper()
	v.settled()
	v.wait(stateNow + ` === location.hash`)
	return eval[string](v, `location.hash`)
}

// link returns the parameters of the state.
func (v *visit) link() url.Values {
	v.Helper()
	v.settled()
	_, query, _ := strings.Cut(eval[string](v, stateNow), "?")
	values := must(url.ParseQuery(query))(v)
	return values
}

// holds checks a parameter of the state, which a busy machine may still be about to change.
func (v *visit) holds(name, want string) {
	v.Helper()
	v.settled()
	if !v.comes(fmt.Sprintf(`(new URLSearchParams(%s.split("?")[1] ?? "").get(%q) ?? "") === %s`, stateNow, name,
		quoted(want)), soon) {
		v.Errorf("%s is %q, want %q", name, v.link().Get(name), want)
	}
}

// whole returns an integer of a link.
func (v *visit) whole(link url.Values, name string) int {
	v.Helper()
	n, err := strconv.Atoi(link.Get(name))
	if err != nil {
		v.Fatalf("%s in the link: %v", name, err)
	}
	return n
}

// card returns the figure of a card, with its unit and note.
func (v *visit) card(id string) (value, unit, note string) {
	v.Helper()
	return v.text("#" + id + " strong"), v.text("#" + id + " span"), v.text("#" + id + " .small")
}

// figures are all numbers that a place shows, to compare them as text.
func (v *visit) figures() string {
	v.Helper()
	v.settled()
	texts := []string{v.text(".board .opening"), v.text("#step"), v.text("#sum"), v.text("#summary"),
		v.text(".cards"), v.text("#planner"), v.text(".questions"),
		eval[string](v, `document.querySelector(".drawing")?.innerHTML ?? ""`)}
	if eval[bool](v, `Boolean(document.querySelector("#table-toggle"))`) {
		t := v.table()
		texts = append(texts, fmt.Sprint(t.head, t.rows))
		_, csv := v.download("#save-picture-data")
		texts = append(texts, string(csv))
	}
	return strings.Join(texts, "\n")
}

// A rect is where something is in the window.
type rect struct{ Left, Top, Width, Height float64 }

// box scrolls an element into the middle of the window and returns where it is.
func (v *visit) box(selector string) rect {
	v.Helper()
	return eval[rect](v, fmt.Sprintf(`(() => {
		const e = document.querySelector(%q);
		e.scrollIntoView({ block: "center" });
		const { left, top, width, height } = e.getBoundingClientRect();
		return { left, top, width, height };
	})()`, selector))
}

// point moves the mouse.
func (v *visit) point(x, y float64) {
	v.Helper()
	v.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y))
	v.settled()
}

// away moves the mouse to where nothing is.
func (v *visit) away() {
	v.Helper()
	v.point(1, 1)
}

// drag presses the mouse at one point and lets go at another.
func (v *visit) drag(fromX, fromY, toX, toY float64) {
	v.Helper()
	held := func(p *input.DispatchMouseEventParams) {
		p.Button, p.Buttons, p.ClickCount = input.MouseButtonLeft, 1, 1
	}
	actions := []chromedp.Action[chromedp.Void]{
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, fromX, fromY),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, fromX, fromY, held),
	}
	const moves = 5
	for k := 1; k <= moves; k++ {
		part := float64(k) / moves
		actions = append(actions, chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, fromX+part*(toX-fromX),
			fromY+part*(toY-fromY), held))
	}
	actions = append(actions, chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, toX, toY, held))
	v.do(actions...)
	v.settled()
}

// press types keys at what has the focus.
func (v *visit) press(keys string) {
	v.Helper()
	v.do(chromedp.KeyEvent(keys))
	v.settled()
}

// pick chooses one of few values.
func (v *visit) pick(name, value string) {
	v.Helper()
	v.click(fmt.Sprintf(`input[name=%q][value=%q] + span`, name, value))
	v.settled()
}

// slide moves a slider to a position, as dragging it would.
func (v *visit) slide(name string, position int) {
	v.Helper()
	eval[any](v, fmt.Sprintf(`{
		const slider = document.querySelector(".field.%s input[type=range]");
		slider.value = %d;
		slider.dispatchEvent(new Event("input", { bubbles: true }));
	}`, name, position))
	v.settled()
}

// quoted writes a value for a script.
func quoted(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// bad are words that no text of the page should have.
var bad = regexp.MustCompile(`NaN|Inf\b|undefined|null|%!|<nil>|\[object`)

// speaksWell checks the texts of a page: no word of a programmer's, and a real
// minus before a digit, except where it quotes the visitor.
func (v *visit) speaksWell() {
	v.Helper()
	texts := eval[[]string](v, `[...document.querySelectorAll("#app *")]
		.filter((e) => !e.closest("pre, code, style, .error, .notes") && e.checkVisibility())
		.flatMap((e) => [...[...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data),
			e.getAttribute("aria-label") ?? "", e.getAttribute("aria-valuetext") ?? ""])
		.filter((text) => text.trim())`)
	for _, text := range texts {
		if bad.MatchString(text) || regexp.MustCompile(`(^|[\s(])-\d`).MatchString(text) {
			v.Errorf("the page says %q", text)
		}
	}
}
