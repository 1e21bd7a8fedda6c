//go:build !js

package page

import (
	"testing"

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
	v.until("#kept", "To go on with customers.csv, choose it again: its columns come back as they were.")
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
	v.wait(`globalThis.forget = document.querySelector("#forget-kept")`)
	v.until("#status", "Embedded …") // the page was drawn meanwhile
	if !eval[bool](v, `forget.isConnected`) {
		t.Error("the button was written anew: a press at that moment would be lost")
	}
	v.pressByMouse("#forget-kept")
	v.until("#kept", "Keep on this machine …")
	v.wait(`globalThis.gone ?? void navigator.storage.getDirectory().then((root) =>
		root.getDirectoryHandle("tensorsketch-kept")).catch(() => (globalThis.gone = true))`)
}
