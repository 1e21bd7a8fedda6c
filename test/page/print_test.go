//go:build !js

package page

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

var prints = flag.String("prints", "", "folder for the PDFs of TestPrint")

// A sheet of paper, in inches, has margins of 12 mm (public/page/print.css).
type sheet struct {
	name          string
	width, height float64
}

var sheets = []sheet{{"A4", 210 / 25.4, 297 / 25.4}, {"Letter", 8.5, 11}}

// room returns what is within the margins, in CSS pixels.
func (s sheet) room() (width, height float64) {
	const margins, dpi = 24 / 25.4, 96
	return (s.width - margins) * dpi, (s.height - margins) * dpi
}

// cutScript lists what a sheet of a height would cut or divide, and controls that are left on paper.
const cutScript = `((height) => {
	const problems = [], shown = (e) => e.checkVisibility() && e.getBoundingClientRect().width > 0;
	const name = (e) => e.tagName + "#" + e.id + "." + (e.className.baseVal ?? e.className);
	for (const e of document.querySelectorAll(".scene, .scene canvas, .picture svg, svg[role=img], #tradeoff svg")) {
		if (!shown(e) || e.closest("button")) continue;
		const { left, right, height: high } = e.getBoundingClientRect();
		if (left < -0.5 || right > innerWidth + 0.5) problems.push(name(e) + " from " + left + " to " + right);
		if (high > height) problems.push(name(e) + " is " + high + " high");
		const own = e.closest(".frame")?.getBoundingClientRect();
		if (own && (e.getBoundingClientRect().bottom > own.bottom + 1 || right > own.right + 1)) {
			problems.push(name(e) + " leaves its frame");
		}
	}
	for (const e of document.querySelectorAll("button, input, select, .handle")) {
		if (shown(e)) problems.push("a control: " + name(e));
	}
	if (document.documentElement.scrollWidth > innerWidth) {
		problems.push("the page is " + document.documentElement.scrollWidth + " wide, the sheet " + innerWidth);
	}
	if (!document.querySelector("#printed").textContent.includes(location.origin)) problems.push("no link below");
	return problems;
})`

// onPaper lays the page out for a sheet as a printer gets it.
func (v *visit) onPaper(s sheet) {
	v.Helper()
	width, height := s.room()
	v.do(func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
		return chromedp.Void{}, err
	})
	eval[bool](v, `dispatchEvent(new Event("beforeprint"))`)
	v.do(chromedp.EmulateViewport(int64(width), int64(height)))
	eval[any](v, nextFrame+`.then(() => `+nextFrame+`)`)
}

// offPaper goes back to the window.
func (v *visit) offPaper() {
	v.Helper()
	v.do(chromedp.EmulateViewport(1440, 900), func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{})
		return chromedp.Void{}, err
	})
	eval[bool](v, `dispatchEvent(new Event("afterprint"))`)
	v.settled()
}

// TestPrint: on A4 or Letter, by turns, every picture is whole on its page, controls are gone, and the link stands
// below; then the window has the picture as it was. With -long both sheets are tried. A PDF of each has few pages. The
// steps of the thread have their sentences, and one page each, except the last.
func TestPrint(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/buckets")
	v.altered = true
	for n, link := range []string{"#/buckets", "#/convolution", "#/convolution?view=frequencies",
		"#/convergence?seeds=10", "#/convergence?seeds=10&compare=craft,random-maclaurin", "#/learn", "#/about", "#/embed",
		"#/start/1", "#/start/2", "#/start/3", "#/start/4", "#/start/5?seeds=10", "#/start/6", "#/start/7"} {
		v.follow(link)
		switch {
		case strings.HasPrefix(link, "#/convergence"), strings.HasPrefix(link, "#/start/5"):
			v.streamed()
		case link == "#/embed":
			v.ready()
		case link == "#/start/7":
			v.learned()
		}
		before := eval[string](v, `document.querySelector(".scene")?.style.width ?? ""`)
		isStep := strings.HasPrefix(link, "#/start")
		for k, s := range sheets {
			if isStep && s.name != "A4" || !isStep && !*long && n%len(sheets) != k {
				continue
			}
			v.onPaper(s)
			_, height := s.room()
			for _, problem := range eval[[]string](v, fmt.Sprintf("%s(%v)", cutScript, height)) {
				t.Errorf("%s on %s: %s", link, s.name, problem)
			}
			text := eval[string](v, `document.body.innerText`)
			if asks := asksFor.FindString(text); asks != "" {
				t.Errorf("%s on %s asks for a press: %s", link, s.name, asks)
			}
			for _, label := range eval[[]string](v, `[...document.querySelectorAll("label")].filter((label) =>
				label.checkVisibility() && !label.control?.checkVisibility()).map((label) => label.textContent.slice(0, 40))`) {
				t.Errorf("%s on %s has a label and not its value: %s", link, s.name, label)
			}
			v.offPaper()
			v.checkPDF(link, s)
		}
		if after := eval[string](v, `document.querySelector(".scene")?.style.width ?? ""`); after != before {
			t.Errorf("%s: after printing the picture is %s wide, before it was %s", link, after, before)
		}
	}
}

var asksFor = regexp.MustCompile(`Pick a cell|Check the model|Predict another file|Train it privately|secret key`)

// checkPDF prints a page.
func (v *visit) checkPDF(link string, s sheet) {
	v.Helper()
	pdf := must(chromedp.Call(v.ctx, page.PrintToPDF, page.PrintToPDFParams{PaperWidth: s.width, PaperHeight: s.height,
		PreferCSSPageSize: new(bool), PrintBackground: new(bool)}))(v).Data
	pages := len(regexp.MustCompile(`/Type\s*/Page\b`).FindAll(pdf, -1))
	most := map[bool]int{true: 12, false: 3}[link == "#/about"]
	if strings.HasPrefix(link, "#/start/") && link != "#/start/7" {
		most = 1
	}
	if pages < 1 || pages > most {
		v.Errorf("%s on %s has %d pages", link, s.name, pages)
	}
	if *prints != "" {
		name := regexp.MustCompile(`\W+`).ReplaceAllString(strings.TrimPrefix(link, "#/"), "-") + "-" + s.name + ".pdf"
		if err := os.WriteFile(filepath.Join(*prints, name), pdf, 0o644); err != nil {
			v.Fatal(err)
		}
	}
	v.settled()
}
