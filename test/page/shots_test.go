//go:build !js

package page

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

var shots = flag.String("shots", "", "save pictures of the page in this folder, and test nothing else")

// TestShots saves pictures of the page to look at: ./build.sh shots calls it.
func TestShots(t *testing.T) {
	if *shots == "" {
		return
	}
	if err := os.MkdirAll(*shots, 0o755); err != nil {
		t.Fatal(err)
	}
	browser, address := sharedBrowser(t), server(t)
	for _, shot := range []struct {
		name          string
		width, height int64
		scheme        string
		whole         bool // the page from top to bottom
		prepare       func(*visit)
	}{
		{"1440-light", 1440, 900, "light", false, nil},
		{"1440-light-whole", 1440, 900, "light", true, nil},
		{"1440-dark", 1440, 900, "dark", false, nil},
		{"360-light", 360, 1400, "light", false, nil},
		{"360-dark-file", 360, 1400, "dark", false, showFile},
		{"360-dark-file-end", 360, 2300, "dark", false, func(v *visit) {
			showFile(v)
			eval[any](v, `scrollTo(0, 1400)`)
		}},
		{"768-light", 768, 1024, "light", true, nil},
		{"3840-light", 3840, 2160, "light", false, nil},
		{"1440-file", 1440, 900, "light", true, showFile},
		{"1440-refused", 1440, 900, "light", false, func(v *visit) { v.set("degree", "0") }},
		{"1440-problem", 1440, 900, "dark", false, func(v *visit) {
			v.choose(v.write("table.csv", "a,b\n"))
			v.wait(`document.querySelector("#problem")`)
		}},
		{"1440-rows-as-they-are", 1440, 900, "light", false, func(v *visit) {
			v.readyAfter(func() { v.click(`input[name="rows"][value="none"] + span`) })
			v.readyAfter(func() { v.set("degree", "3") })
		}},
		{"1440-embedded", 1440, 900, "light", false, func(v *visit) {
			v.readyAfter(func() { eval[any](v, `location.hash = "#/embed?degree=3&embed=1&hide=data,save,output,rows"`) })
		}},
		{"1440-running", 1440, 900, "light", false, func(v *visit) {
			v.choose(v.write("large.csv", largeCSV(60_000)))
			v.wait(`document.querySelector(".figures").textContent.includes("left")`)
		}},
	} {
		v := open(t, browser, address, "")
		v.do(chromedp.EmulateViewport(shot.width, shot.height), media("prefers-color-scheme", shot.scheme), chromedp.Reload())
		v.ready()
		v.wait(coreTimed)
		if shot.prepare != nil {
			shot.prepare(v)
		}
		action := chromedp.CaptureScreenshot()
		if shot.whole {
			action = chromedp.FullScreenshot(100)
		}
		png, err := chromedp.Run(v.ctx, action)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(*shots, shot.name+".png"), png, 0o644); err != nil {
			t.Fatal(err)
		}
		v.do(chromedp.Stop())
	}
}

// coreTimed holds when the card shows the time of the core alone.
const coreTimed = `document.querySelector("#time").textContent.includes("by the core")`

// showFile shows a small file with rows that cannot be used.
func showFile(v *visit) {
	v.readyAfter(func() {
		v.choose(v.write("iris-like.csv", smallCSV))
	})
}

// media emulates a preference of the visitor.
func media(feature, value string) chromedp.Action[chromedp.Void] {
	return func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: feature, Value: value}}})
		return chromedp.Void{}, err
	}
}
