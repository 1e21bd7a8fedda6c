//go:build !js

package page

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// shape is the elements of the page, with their names: elements of pictures and the
// handles of places seen before left out.
const shape = `(function walk(e) {
	if (e.tagName === "svg" || e.id === "preview" || e.classList.contains("drawing") ||
		e.classList.contains("handle")) {
		return "";
	}
	return e.tagName + "#" + e.id + "." + e.className + "(" + [...e.children].map(walk).join("") + ")";
})(document.querySelector("#app"))`

// TestFromPlaceToPlace: a place has the same elements whichever place was seen
// before it. Vugu takes elements over from one place to the next.
func TestFromPlaceToPlace(t *testing.T) {
	t.Parallel()
	const drawn = `document.querySelector("#app[class~=at-%s] [data-ready]")`
	v := visitPlace(t, "#/about")
	settled := func(name string) string {
		v.wait(fmt.Sprintf(drawn, name))
		switch name {
		case "convergence":
			v.until("#halt-seeds", "All seeds")
		case "embed":
			v.wait(`document.querySelector("#picture[data-ready][aria-busy=false] svg") && !document.querySelector("#stop")`)
			v.wait(coreTimed)
		}
		return eval[string](v, shape)
	}
	link := func(name string) string {
		return "#/" + name + map[string]string{"convergence": "?seeds=10", "start": "?nComponents=128"}[name]
	}
	fresh := map[string]string{}
	for _, name := range allPlaces {
		v.do(chromedp.Navigate("about:blank"), chromedp.Navigate(server(t)+link(name)))
		fresh[name] = settled(name)
	}
	from := allPlaces[len(allPlaces)-1]
	for _, name := range tour(allPlaces) {
		eval[any](v, fmt.Sprintf(`location.hash = %q`, link(name)))
		if got := settled(name); got != fresh[name] {
			t.Errorf("%s after %s is\n%s\nopened anew it is\n%s", name, from, got, fresh[name])
		}
		from = name
	}
}

// tour is a walk that goes once from each place to each other.
func tour(places []string) (walk []string) {
	for i, from := range places {
		for _, to := range places[i+1:] {
			walk = append(walk, from, to)
		}
	}
	return append(walk, places[0])
}

// TestFocusGoesWhileDrawing: a button that is disabled, or taken away, under the
// focus tells so in the middle of a drawing.
func TestFocusGoesWhileDrawing(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/about")
	// The page itself gives the focus: from here it may come after the last seed.
	eval[any](v, `{
		const observer = new MutationObserver(() => {
			const halt = document.querySelector("#halt-seeds:enabled");
			if (halt?.textContent !== "Stop") return;
			observer.disconnect();
			setTimeout(() => { halt.focus(); globalThis.isFocused = document.activeElement === halt; });
		});
		observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
		location.hash = "#/convergence?seeds=300";
	}`)
	v.wait(`globalThis.isFocused`)
	v.until("#halt-seeds", "All seeds")
	eval[any](v, `document.querySelector(".handle").focus()`)
	eval[any](v, `location.hash = "#/about"`)
	v.wait(`document.querySelector("#diagram[data-ready]")`)
	eval[any](v, `location.hash = "#/buckets"`)
	v.wait(`document.querySelector("#app.at-buckets #stage[data-ready]")`)
	v.click("#step-back")
	v.until("#step", "step 15 of 16…")
}

// TestLeaveWhileTyping: a field with text that is not taken yet says so when drawing takes it away.
func TestLeaveWhileTyping(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/about")
	for _, place := range []string{"buckets", "embed"} {
		eval[any](v, fmt.Sprintf(`location.hash = "#/%s"`, place))
		v.wait(fmt.Sprintf(`document.querySelector("#app.at-%s #seed")`, place))
		v.pressByMouse("#seed")
		v.do(chromedp.KeyEvent("123"))
		eval[any](v, `history.back()`)
		v.wait(`document.querySelector("#app.at-about #diagram[data-ready]")`)
	}
}
