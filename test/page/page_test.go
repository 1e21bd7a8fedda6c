//go:build !js

package page

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// places are where the page is served from.
var places = map[string]func(*testing.T) string{
	"server":                   server,
	"static host, in a folder": static,
}

// TestSample: the page opens with its sample embedded, and shows what it made of
// it without a click.
func TestSample(t *testing.T) {
	t.Parallel()
	browser := sharedBrowser(t)
	for name, place := range places {
		t.Run(name, func(t *testing.T) {
			v := open(t, browser, place(t), "")
			v.ready()
			for selector, want := range map[string]string{
				".origin strong": "Sample: 1,000 generated digits, not real data",
				"#status":        "Embedded 1,000 rows in ",
				"#time":          " per row",
				"#size":          "1,000 × 1,024",
				"#sigma":         "exact",
				"#rmse":          "2,000 pairs",
				"#says":          "With this seed the error is ",
				"#summary":       "lie within ±2σ",
			} {
				v.says(selector, "…"+want+"…")
			}
			v.wait(coreTimed)
			v.says("#time", "… rows/s · whole run …")
			if got := eval[int](v, `document.querySelectorAll("#digits svg").length`); got != 10 {
				t.Errorf("%d digits are drawn, want 10", got)
			}
			if got := eval[int](v,
				`Math.max(...[...document.querySelectorAll("#picture .dots")] // the legend has one
					.map((dots) => dots.getAttribute("d").split("M").length - 1))`); got != 2000 {
				t.Errorf("%d dots are drawn, want 2000", got)
			}
			for _, selector := range []string{"#picture svg", "#rmse", "#sigma", "#time", "#size"} {
				if bottom := eval[float64](v, fmt.Sprintf(`document.querySelector(%q).getBoundingClientRect().bottom`,
					selector)); bottom > 900 {
					t.Errorf("%s ends at %.0f, below the window of 900", selector, bottom)
				}
			}
			if got := eval[string](v, `location.hash`); got !=
				"#/embed?degree=2&gamma=1&coef0=1&nComponents=1024&seed=0&rows=auto&normalize=none&output=real" {
				t.Errorf("the address is %s", got)
			}
		})
	}
}

func TestParameterError(t *testing.T) {
	t.Parallel()
	v := visitEmbed(t, "")
	before := v.text("#rmse")
	for _, test := range []struct{ name, text, want string }{
		{"degree", "0", "Degree p must be an integer from 1 to 64, got 0"},
		{"gamma", "-2", "Gamma γ must be a finite number > 0, got -2"},
		{"coef0", "much", `Coef0 c must be a finite number ≥ 0, got "much"`},
		{"nComponents", "1.5", `Components D must be an integer from 1 to 16777216, got "1.5"`},
	} {
		v.set(test.name, test.text)
		v.until("#"+test.name+"-error", test.want)
		if v.text("#rmse") != before || eval[string](v,
			fmt.Sprintf(`document.querySelector("#%s").getAttribute("aria-invalid")`, test.name)) != "true" {
			t.Errorf("%s: the figures changed, or the field is not marked", test.name)
		}
	}
	for name, text := range map[string]string{"degree": "2", "gamma": "1", "coef0": "1"} {
		v.set(name, text)
		v.until("#"+name+"-error", "")
	}
	v.readyAfter(func() { v.set("nComponents", "300") })
	v.says("#size", "…1,000 × 300…")
}

// TestReload: a link gives the same digits again, whatever the parameters.
func TestReload(t *testing.T) {
	t.Parallel()
	v := visitEmbed(t, "")
	reloads := func(what string) {
		t.Helper()
		figures := func() string {
			_, features := v.download("#save-npy")
			return v.text("#rmse") + v.text("#sigma") + v.text("#preview") + v.text("#summary") + string(features)
		}
		first := figures()
		v.do(chromedp.Reload())
		v.ready()
		if figures() != first {
			t.Errorf("%s: other figures after reloading", what)
		}
	}
	for _, hash := range []string{
		"#/embed?degree=3&gamma=0.5&coef0=0&nComponents=100&seed=12345678901234567890&rows=none&normalize=kernel" +
			"&output=spectrum",
		"#/embed?degree=2&gamma=1&coef0=2&nComponents=257&seed=caf%C3%A9+%221%22&rows=auto&normalize=none&output=real",
	} {
		v.embeds(hash)
		if got := eval[string](v, `location.hash`); got != hash {
			t.Errorf("%s is shown as %s", hash, got)
		}
		reloads(hash)
	}
	for _, name := range []string{"seed", "degree"} {
		v.readyAfter(func() { v.set(name, "7") })
	}
	reloads("typed")
}

// TestLinks: what a link cannot mean is said; a link can hide chrome and controls; the one that is copied is
// that of now.
func TestLinks(t *testing.T) {
	t.Parallel()
	v := visitEmbed(t, "#/embed?degree=99&seed=3")
	v.says(".notes", "…degree must be an integer from 1 to 64, got 99…")
	v.embeds("#/embed?degree=4")
	if got := eval[string](v, `document.querySelector("#degree").value`); got != "4" {
		t.Errorf("after following a link the degree is %s", got)
	}
	eval[any](v, `globalThis.copied = ""; navigator.clipboard.writeText = async (text) => { copied = text; }`)
	v.click("#copy-link")
	v.until("#copy-link", "Copied")
	if got := eval[string](v, "copied"); got != eval[string](v, "location.href") || !strings.Contains(got, "degree=4") {
		t.Errorf("copied %q", got)
	}
	v.embeds("#/embed?degree=3&embed=1&hide=seed,degree,data")
	for selector, want := range map[string]bool{"header": false, "footer": false, ".promise": false, "#degree": false,
		"#seed": false, "#new-seed": false, "#choose": false, "#gamma": true, "#picture": true, "#preview": true} {
		if got := v.shows(selector); got != want {
			t.Errorf("%s is shown: %v, want %v", selector, got, want)
		}
	}
}

// TestSeeds: the dots move, the prediction does not; the picture in words moves
// with it.
func TestSeeds(t *testing.T) {
	t.Parallel()
	v := visitEmbed(t, "")
	sigma, seen := v.text("#sigma"), map[string]bool{v.text("#rmse"): true}
	for range 5 {
		v.readyAfter(func() { v.click("#new-seed") })
		seen[v.text("#rmse")] = true
		label := eval[string](v, `document.querySelector("#picture svg").getAttribute("aria-label")`)
		if strings.ReplaceAll(label, "\u00a0", " ") != v.text("#summary") {
			t.Errorf("the picture is described as %q, below it says %q", label, v.text("#summary"))
		}
	}
	if v.text("#sigma") != sigma || len(seen) < 4 {
		t.Errorf("σ was %q and is %q; %d different errors in six seeds", sigma, v.text("#sigma"), len(seen))
	}
	v.readyAfter(func() { v.click(`input[name="normalize"][value="kernel"] + span`) })
	v.says("#sigma", "…first-order…")
}

// TestKeyboard: keys in the fields of Embed embed anew, and leave the focus where it is. TestTab leads through them.
func TestKeyboard(t *testing.T) {
	t.Parallel()
	v := visitEmbed(t, "")
	v.do(chromedp.Focus(chromedp.CSS(".nComponents input[type=range]")))
	v.readyAfter(func() { v.press(kb.ArrowRight) })
	v.do(chromedp.Focus(chromedp.CSS("#degree")))
	v.selectAll()
	v.readyAfter(func() { v.press("3" + kb.Enter) })
	if got := eval[string](v, focusOf); got != "degree" {
		t.Errorf("after Enter the focus is on %s", got)
	}
	v.do(chromedp.Focus(chromedp.CSS(`input[name="rows"]:checked`)))
	v.readyAfter(func() { v.press(kb.ArrowDown) })
	if got := v.address(); !strings.Contains(got, "degree=3") || !strings.Contains(got, "nComponents=2048") ||
		!strings.Contains(got, "rows=none") {
		t.Errorf("the address is %s", got)
	}
}

// TestOffline: without a server the page goes on, as it promises.
func TestOffline(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.FileServer(http.Dir(site)))
	defer s.Close()
	v := open(t, sharedBrowser(t), s.URL+"/", "")
	v.wait(`performance.getEntriesByName("files-ready").length`)
	s.CloseClientConnections()
	s.Close()
	v.readyAfter(func() { v.drop("private.csv", largeCSV(20_000)) })
	v.says("#size", "…20,000 × 1,024…")
	if name, content := v.download("#save-npy"); name != "private-features.npy" || len(content) != 128+20_000*4096 {
		t.Errorf("offline %s is saved with %d bytes", name, len(content))
	}
	v.tolerate("ERR_CONNECTION_REFUSED") // a worker that cannot be fetched any more is done without
	v.tolerate("when fetching the script")
}

// TestNoCore: a core that is not there is named, and the page says what to do.
func TestNoCore(t *testing.T) {
	t.Parallel()
	browser := sharedBrowser(t)
	files := http.FileServer(http.Dir(site))
	for missing, want := range map[string]string{"/api/tensorsketch.wasm": "cannot load ",
		"/page/ui.wasm": "The page cannot start: page/ui.wasm is not there (status 404)"} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == missing {
				http.NotFound(w, r)
				return
			}
			files.ServeHTTP(w, r)
		}))
		t.Cleanup(s.Close) // after the visit, which may still load scripts
		v := open(t, browser, s.URL+"/", "")
		v.wait(fmt.Sprintf(`document.body.textContent.includes(%q)`, want))
		v.mutex.Lock()
		v.trouble = nil // the browser logs the missing file
		v.mutex.Unlock()
	}
}

// TestTextsArriveWhole: Vugu hands its texts over in pieces of 16 KB, which end anywhere: within
// a letter too.
func TestTextsArriveWhole(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/about")
	wrong := eval[string](v, `(() => {
		const text = "−0.1369 é 𝄞 σ²", bytes = new TextEncoder().encode(text);
		const host = document.createElement("div");
		host.id = "pieces";
		document.body.append(host);
		const render = (...parts) => {
			vuguRenderArray.set(parts.flat().concat(0));
			vuguRender();
		};
		const string = (bytes) => [0, 0, 0, bytes.length, ...bytes];
		const select = [36, ...string(new TextEncoder().encode("#pieces"))], piece = 37, last = 29;
		const wrong = [];
		for (let i = 0; i <= bytes.length; i++) {
			for (let j = i; j <= bytes.length; j++) {
				render(select, [piece, ...string(bytes.subarray(0, i))]);
				render([piece, ...string(bytes.subarray(i, j))]);
				render([last, ...string(bytes.subarray(j))]);
				if (host.textContent !== text) wrong.push(i + " and " + j + ": " + host.textContent);
				host.textContent = "";
			}
		}
		host.remove();
		return wrong.join("; ");
	})()`)
	if wrong != "" {
		t.Errorf("cut at bytes %.1000s", wrong)
	}
}

// TestLongTexts: links and fields with more text than Vugu can write at once end nothing: they
// are refused.
func TestLongTexts(t *testing.T) {
	t.Parallel()
	v := visitEmbed(t,
		"#/embed?nComponents=16&hide=planner,"+strings.Repeat("h", 20_000)+"&seed="+strings.Repeat("s", 20_000))
	v.says("#app", "…seed must have at most 1000 bytes…")
	eval[any](v, `document.querySelector("#seed").focus(), document.querySelector("#seed").select(),
		document.execCommand("insertText", false, "<".repeat(20_000))`)
	v.do(chromedp.KeyEvent("\t"))
	v.until("#seed-error", "…Seed must have at most 1000 bytes…")
	v.set("seed", "short")
	v.wait(`document.querySelector("#seed-error").textContent === "" && location.hash.includes("seed=short")`)
	v.ready()
}

// TestErrorOfTheBrowserIsShown: what a call of the browser threw is shown, what the visitor asked for is done, and the
// page goes on.
func TestErrorOfTheBrowserIsShown(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/buckets?seed=1")
	eval[any](v, `KeyboardEvent.prototype.preventDefault = () => { throw new TypeError("no prevention today"); }`)
	v.do(chromedp.KeyEvent("n"))
	v.until(".notes", "Something went wrong in this page: no prevention today. Loading it again helps.")
	v.wait(`!/[?&]seed=1\b/.test(location.hash)`)
	eval[any](v, `delete KeyboardEvent.prototype.preventDefault`)
	v.follow("#/convolution")
	v.says("#stage canvas", "")
}

// TestPanicIsShown: a panic in the work of the page fails that work, and the next goes on.
func TestPanicIsShown(t *testing.T) {
	t.Parallel()
	v := visitEmbed(t, "#/embed?nComponents=16")
	eval[any](v, `globalThis.whole = page.files.call,
		page.files.call = async () => ({ rows: 9, pairs: new Float64Array(3) }), location.hash = "#/embed?nComponents=17"`)
	v.until("#status", "…something went wrong in this page…")
	v.readyAfter(func() { eval[any](v, `page.files.call = whole, location.hash = "#/embed?nComponents=18"`) })
}
