//go:build !js

package page

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A tabStop is where the tab key leads to in Embed: a control, its step, and its box.
type tabStop struct {
	Name, Step, Side, Over   string
	InList                   bool // scrolls with others
	Left, Top, Right, Bottom float64
	Seen                     bool // nothing lies over it
	Picture                  float64
	Cards, Saves             float64
}

// tabStopNow describes what has the focus. Picture is the part of the picture that is in view, and Cards and Saves are
// how far it is to the figures and to what can be saved, in CSS pixels; 0 where these are in view.
const tabStopNow = `((e) => {
	const shown = e.matches(".chip input") ? e.nextElementSibling : e;
	const box = shown.getBoundingClientRect(), picture = document.querySelector("#picture").getBoundingClientRect();
	const top = document.elementFromPoint(box.left + box.width / 2, Math.min(box.top + box.height / 2, innerHeight - 1));
	const far = (selector) => {
		const r = document.querySelector(selector).getBoundingClientRect();
		return Math.max(r.top - innerHeight + 20, 20 - r.bottom, 0);
	};
	return { name: ` + nameOf + `(e), step: e.closest(".embed-step")?.querySelector("h2").textContent ?? "",
		side: e.closest(".side") ? "side" : "effect",
		inList: Boolean(e.closest(".scroll")), over: top?.outerHTML.slice(0, 150) ?? "nothing",
		left: box.left, top: box.top + scrollY, right: box.right, bottom: box.bottom + scrollY,
		seen: shown.contains(top) || top?.closest("label")?.contains(e) || e.closest(".entry")?.contains(top) === true,
		picture: Math.max(Math.min(picture.bottom, innerHeight) - Math.max(picture.top, 0), 0) / picture.height,
		cards: far(".cards"), saves: far(".saves") };
})(document.activeElement)`

// TestEmbedSteps: Embed has three steps, each with its heading. The tab key goes through them in the order in which
// they are read and seen, on a desktop and on a phone. What a control changes stands beside it, and nothing that has
// the focus is hidden.
func TestEmbedSteps(t *testing.T) {
	t.Parallel()
	v := visitEmbed(t, "#/embed?nComponents=64")
	showFile(v)
	headings := eval[[]string](v, `[...document.querySelectorAll("main :is(h1, h2, h3, h4)")]
		.filter((e) => e.checkVisibility()).map((e) => e.tagName + " " + e.textContent)`)
	var steps []string
	for i, heading := range headings {
		level, before := heading[1], byte('0')
		if i > 0 {
			before = headings[i-1][1]
		}
		if level > before+1 {
			t.Errorf("the heading %q follows %q", heading, headings[i-1])
		}
		if level < '3' {
			steps = append(steps, heading[3:])
		}
	}
	if got := strings.Join(steps[1:], ", "); got != "Rows, Map, Take away" {
		t.Errorf("the steps are %s", got)
	}
	for _, width := range []int64{1440, 360} {
		v.do(chromedp.EmulateViewport(width, map[int64]int64{1440: 900, 360: 740}[width]))
		v.settled()
		eval[any](v, `scrollTo(0, 0), document.querySelector("#choose").focus()`)
		var last tabStop
		seen, order := map[string]bool{}, []string{}
		for range 80 {
			v.settled()
			now := eval[tabStop](v, tabStopNow)
			if now.Step == "" {
				break
			}
			where := fmt.Sprintf("%d px, %s of %s", width, now.Name, now.Step)
			if len(order) == 0 || order[len(order)-1] != now.Step {
				order = append(order, now.Step)
			}
			inside := now.Step == last.Step && now.Side == last.Side && !now.InList
			// What follows stands lower, or in the same line further to the right.
			if inside && now.Top < last.Bottom-4 && now.Left < last.Right-4 && now.Bottom < last.Bottom {
				t.Errorf("%s stands before %s", where, last.Name)
			}
			if now.Step == last.Step && now.Side == "side" && last.Side == "effect" {
				t.Errorf("%s, a choice, comes after what it changes, %s", where, last.Name)
			}
			if !now.Seen {
				t.Errorf("%s: over it lies %s, at %.0f, %.0f", where, now.Over, now.Left, now.Top)
			}
			if now.Step == "Map" && now.Side == "side" && now.Picture < .95 {
				t.Errorf("%s: %.0f %% of the picture are in view", where, 100*now.Picture)
			}
			if now.Step == "Map" && now.Side == "side" && width == 1440 && now.Cards > 130 {
				t.Errorf("%s: the figures are %.0f px out of view", where, now.Cards)
			}
			if now.Step == "Take away" && now.Side == "side" && now.Saves > map[int64]float64{1440: 0, 360: 740}[width] {
				t.Errorf("%s: what can be saved is %.0f px away", where, now.Saves)
			}
			seen[now.Name], last = true, now
			v.do(chromedp.KeyEvent(kb.Tab))
		}
		if got := strings.Join(order, ", "); got != "Rows, Map, Take away" {
			t.Errorf("%d px: the tab key leads through %s", width, got)
		}
		for _, name := range []string{"choose", "label", "method", "degree", "seed", "new-seed", "save-npy", "save-model"} {
			if !seen[name] {
				t.Errorf("%d px: the tab key does not lead to %s", width, name)
			}
		}
	}
	// What is being written shows its progress right below the button that was pressed.
	v.click("#save-csv")
	if far := eval[float64](v, `document.querySelector("#saving-status").getBoundingClientRect().top -
		document.querySelector("#save-csv").getBoundingClientRect().bottom`); far < 0 || far > 740 {
		t.Errorf("the progress is %.0f px below the button", far)
	}
}

// TestFirstScreen: on a desktop the first screen shows the rows and the result with its picture, of the sample and of a
// file that is chosen on a first visit, while the page is being saved.
func TestFirstScreen(t *testing.T) {
	t.Parallel()
	browser, end := startBrowser(t, hurried)
	t.Cleanup(end)
	v := open(t, browser, server(t), "")
	v.ready()
	for _, rows := range []string{"the sample", "a file"} {
		if rows == "a file" {
			showFile(v)
		}
		for _, selector := range []string{"#choose", ".origin", "#method", "#picture svg"} {
			if bottom := eval[float64](v, fmt.Sprintf(`document.querySelector(%q).getBoundingClientRect().bottom + scrollY`,
				selector)); bottom > 900 {
				t.Errorf("%s: %s ends at %.0f, below the window of 900", rows, selector, bottom)
			}
		}
	}
}
