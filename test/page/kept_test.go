//go:build !js

package page

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"
)

// TestKept: a reload asks for the file by its name, and gives it its columns. A file that is kept comes back by itself
// with its columns, and is forgotten when the visitor says so.
func TestKept(t *testing.T) {
	t.Parallel()
	v := visitLearn(t, learnFromFile+"&nComponents=32")
	path := v.write("customers.csv", mixedCSV(200))
	role := func(name string) string {
		return eval[string](v, `[...document.querySelectorAll("#column-list tr")].find((row) =>
			row.querySelector("th").textContent === `+quoted(name)+`)?.querySelector("select").value ?? ""`)
	}
	reload := func() { v.do(chromedp.Reload()) }
	sees := func(link, want string) { // in the other place, too
		t.Helper()
		v.pressByMouse(`header a[href^="` + link + `"]`)
		v.until("#kept", want)
		if !v.shows("#kept") {
			t.Errorf("at %s #kept is out of sight", link)
		}
	}
	choose := func() {
		v.choose(path)
		v.wait(learnedOf("customers.csv"))
	}
	choose()
	before := role("city")
	eval[any](v, `[...document.querySelectorAll("#column-list tr")].find((row) => row.querySelector("th").textContent ===
		"city").querySelector("select").focus()`)
	v.pressByKey("#column-list select:focus", "i")
	if got := role("city"); got == before || got != "ignore" {
		t.Fatalf("city is %s, and was %s", got, before)
	}
	v.wait(learnedOf("customers.csv"))

	reload()
	const asks = "To go on with customers.csv, choose it again: its columns come back as they were."
	v.until("#kept", asks)
	sees("#/embed", asks)
	sees("#/learn", asks)
	choose()
	if got := role("city"); got != "ignore" {
		t.Errorf("chosen again, city is %s", got)
	}

	v.pressByMouse("#keep-file small")
	v.until("#kept", "Kept in this browser with its settings, … kB: a reload comes back to it. …")
	reload()
	v.wait(learnedOf("customers.csv"))
	v.until("#kept", "Kept in this browser …")
	if got := role("city"); got != "ignore" {
		t.Errorf("kept, city is %s", got)
	}
	v.pressByMouse(`header a[href^="#/embed"]`)
	v.until(".origin strong", "customers.csv")
	v.wait(`globalThis.forget = document.querySelector("#app.at-embed #forget-kept")`)
	v.until("#status", "Embedded …") // the page was drawn meanwhile
	if !eval[bool](v, `forget.isConnected`) {
		t.Error("the button was written anew: a press at that moment would be lost")
	}
	v.pressByMouse("#forget-kept")
	v.until("#kept", "Keep on this machine …")
	v.wait(`globalThis.gone ?? void navigator.storage.getDirectory().then((root) =>
		root.getDirectoryHandle("tensorsketch-kept")).catch(() => (globalThis.gone = true))`)
}

// TestKeptWithoutRoom: where the browser has no room for another file, the page says so, and the file that was kept
// before stays.
func TestKeptWithoutRoom(t *testing.T) {
	t.Parallel()
	browser, end := startBrowser(t, hurried)
	t.Cleanup(end)
	v := open(t, browser, server(t), "")
	v.ready()
	open := func(name, content string) {
		path := v.write(name, content)
		v.readyAfter(func() { v.choose(path) })
		v.until(".origin strong", name)
	}
	open("small.csv", smallCSV)
	v.pressByMouse("#keep-file small")
	v.until("#kept", "Kept in this browser with its settings, …")
	quota := func(bytes *float64) {
		must(chromedp.Call(v.ctx, storage.OverrideQuotaForOrigin, storage.OverrideQuotaForOriginParams{Origin: v.origin,
			QuotaSize: bytes}))(v)
	}
	quota(new(float64))
	open("other.csv", smallCSV+strings.Repeat("c,6.1,3.2,4.7,1.4,blue\n", 50_000))
	v.pressByMouse("#keep-file small")
	v.until("#kept", "…small.csv, … is kept in this browser. …Not kept: this browser has no room for other.csv beside "+
		"small.csv, which stays kept: forget that first, or choose the file again at each visit.")
	v.do(chromedp.Reload())
	v.until(".origin strong", "small.csv")
	v.until("#kept", "Kept in this browser with its settings, …")
	quota(nil)
	open("other.csv", smallCSV+strings.Repeat("c,6.1,3.2,4.7,1.4,blue\n", 50_000))
	v.pressByMouse("#keep-file small")
	v.until("#kept", "Kept in this browser with its settings, …")
	v.do(chromedp.Reload())
	v.until(".origin strong", "other.csv")
	if got := eval[int](v, `(async () => {
		const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("tensorsketch-kept");
		let n = 0;
		for await (const name of folder.keys()) n += name.startsWith("rows") ? 1 : 0;
		return n;
	})()`); got != 1 {
		t.Errorf("%d copies are kept, want 1", got)
	}
}
