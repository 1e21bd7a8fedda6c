//go:build !js

package page

import (
	"bytes"
	"fmt"
	"html"
	"image/png"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// TestSameDigits: a link shows the same digits whenever it is loaded, and whatever was shown before: the links are
// followed in one order, and then in the other. One of each place is loaded anew.
func TestSameDigits(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/about")
	links, first := []string{
		"#/buckets",
		"#/buckets?vector=zipf&nFeatures=33&nComponents=17&seed=12345678901234567890&step=20&hash=seed&y=shown&angle=77" +
			"&at=x4&speed=4",
		"#/buckets?vector=digit&nFeatures=64&nComponents=128&seed=7&step=64&hash=random-state&y=hidden&angle=35&speed=2" +
			"&question=1",
		"#/buckets?vector=random&nFeatures=20&method=complex-tensor-sketch&nComponents=14&seed=3&step=20&hash=seed" +
			"&y=shown&angle=35&speed=2",
		"#/convolution?vector=random&nFeatures=12&method=complex-tensor-sketch&nComponents=12&seed=42&step=4&degree=3" +
			"&view=products&round=2&slice=0&slice2=0&speed=2",
		"#/convolution?vector=random&nFeatures=12&nComponents=12&seed=42&step=6&degree=2&view=products&round=1&slice=0" +
			"&slice2=0&at=k5&speed=2",
		"#/convolution?vector=own&nFeatures=3&x=1,-0.25,0.07&nComponents=31&seed=caf%C3%A9&step=31&degree=4" +
			"&view=coordinates&round=3&slice=1&slice2=2&speed=2",
		"#/convolution?vector=smooth&nFeatures=64&nComponents=128&seed=1&step=128&degree=3&view=frequencies&round=2" +
			"&slice=0&slice2=0&at=f9&speed=2&question=2",
		"#/convergence?vector=sparse&nFeatures=40&nonZero=30&angle=60&pairs=1&degree=3&nComponents=64&seeds=40" +
			"&seed=18446744073709551600&epsilon=0.1&delta=0.01&speed=2",
		"#/convergence?vector=random&nFeatures=16&nonZero=100&angle=20&pairs=20&degree=1&nComponents=1024&seeds=20&seed=3" +
			"&epsilon=0.05&delta=0.05&at=d4&speed=2",
		"#/learn?half=plane&preset=spirals&nSamples=260&noise=0.05&dataSeed=9&points=p10,-20m120,120p-7,0&brush=minus" +
			"&nComponents=64&degree=8&coef0=0.7&alpha=0.001&seed=caf%C3%A9&at=c3.40&speed=2&question=3",
	}, map[string]string{}
	for _, link := range links {
		v.Run(link, func(t *testing.T) {
			v.follow(link)
			if got := v.address(); strings.Contains(link, "?") && got != link {
				t.Errorf("the address becomes %s", got)
			}
			if v.text(".notes") != "" {
				t.Errorf("there is a note: %q", v.text(".notes"))
			}
			v.computed()
			first[link] = v.figures()
		})
	}
	loaded := map[string]bool{}
	for _, link := range slices.Backward(links) {
		v.Run(link+", again", func(t *testing.T) {
			v.follow(link)
			if place := v.text("nav [aria-current]"); *long || !loaded[place] {
				loaded[place] = true
				v.do(chromedp.Reload())
				v.pictured()
			}
			v.computed()
			if again := v.figures(); again != first[link] {
				t.Errorf("once more the page shows\n%s\nwas\n%s", again, first[link])
			}
		})
	}
}

// computed waits until all is there that a place computes bit by bit.
func (v *visit) computed() {
	v.Helper()
	switch eval[string](v, `document.querySelector("#stage").dataset.place`) {
	case "convolution":
		v.wait(`/\d/.test(document.querySelector("#difference strong").textContent)`)
	case "convergence":
		v.streamed()
	}
	v.settled()
}

// TestHistory: back and forward lead through what was changed, each change one
// step, whatever the place.
func TestHistory(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/buckets")
	first := v.address()
	v.pick("vector", "smooth")
	v.slide("nComponents", 10)
	v.slide("nComponents", 11) // the same slider: one entry
	v.click("#step-back")      // passing: none
	buckets := v.cardsAt()
	v.click(`nav a[href^="#/convolution"]`)
	v.pictured()
	v.pick("view", "frequencies")
	last := v.cardsAt()

	turn := func(where, want string) {
		t.Helper()
		eval[any](v, "history."+where+"()")
		v.wait(fmt.Sprintf(`location.hash.includes(%q)`, want))
		v.address()
		v.pictured()
	}
	turn("back", "view=products")
	turn("back", "#/buckets?vector=smooth&nFeatures=16&nComponents=11")
	if got := v.cardsAt(); got != buckets {
		t.Errorf("going back shows\n%s\nwant\n%s", got, buckets)
	}
	turn("back", "nComponents=8")
	turn("back", "vector=random")
	if got := v.address(); got != first {
		t.Errorf("back at the beginning the address is %s, was %s", got, first)
	}
	checkBuckets(v)
	for _, want := range []string{"vector=smooth", "nComponents=11", "#/convolution", "view=frequencies"} {
		turn("forward", want)
	}
	if got := v.cardsAt(); got != last {
		t.Errorf("going forward shows\n%s\nwant\n%s", got, last)
	}
}

// cardsAt returns the address and the figures of a place.
func (v *visit) cardsAt() string {
	v.Helper()
	return v.address() + "\n" + v.text(".cards") + "\n" + v.text("#sum")
}

// TestPlacesKeep: the header leads to each place as the visitor left it.
func TestPlacesKeep(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/buckets?seed=5")
	v.set("seed", "6")
	for _, place := range []string{"convolution", "convergence", "embed", "learn", "about", "buckets"} {
		v.click(fmt.Sprintf(`nav a[href^="#/%s"]`, place))
		v.wait(fmt.Sprintf(`document.querySelector('nav [aria-current="page"]').hash.startsWith("#/%s")`, place))
		v.pictured()
	}
	v.holds("seed", "6")
	checkBuckets(v)
}

// TestHide: a link can hide everything around the picture, each control by its
// name, and the chrome.
func TestHide(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/about")
	for prefix, more := range map[string]map[string]string{
		"#/buckets?hide=": {"coordinate": "#coordinate", "value": "#value", "angle": "#angle", "y": ".field.y",
			"hash": ".field.hash"},
		"#/convolution?degree=3&hide=": {"degree": "#degree", "view": ".field.view", "round": ".field.round"},
		"#/convergence?seeds=10&degree=3&hide=": {"nonZero": "#nonZero", "angle": "#angle", "pairs": ".field.pairs",
			"degree": "#degree", "seeds": "#seeds", "coef0": "#coef0", "compare": ".field.compare", "epsilon": "#epsilon",
			"delta": "#delta"},
	} {
		v.Run(prefix, func(t *testing.T) {
			controls := map[string]string{"title": "h1", "play": ".transport", "cards": ".cards",
				"questions": ".questions", "save": ".figures-data", "vector": ".field.vector", "nFeatures": "#nFeatures",
				"nComponents": "#nComponents", "seed": "#seed"}
			maps.Copy(controls, more)
			v.follow(strings.TrimSuffix(prefix, "hide="))
			visible := func() (names []string) {
				for name, selector := range controls {
					if v.shows(selector) {
						names = append(names, name)
					}
				}
				slices.Sort(names)
				return names
			}
			all := visible()
			if len(all) != len(controls) {
				t.Fatalf("shown are %q, want all of %d", all, len(controls))
			}
			for _, name := range all {
				v.follow(prefix + name)
				want := slices.DeleteFunc(slices.Clone(all), func(n string) bool { return n == name })
				if got := visible(); !slices.Equal(got, want) {
					t.Errorf("hide=%s shows %q, want %q", name, got, want)
				}
			}
			if more["epsilon"] != "" {
				v.follow(prefix + "planner")
				if got := visible(); slices.Contains(got, "epsilon") || slices.Contains(got, "delta") ||
					eval[bool](v, `Boolean(document.querySelector("#planner"))`) {
					t.Errorf("hide=planner shows %q", got)
				}
			}
			v.follow(prefix + strings.Join(all, ",") + "&embed=1")
			if got := visible(); len(got) != 0 {
				t.Errorf("hiding all shows %q", got)
			}
			for _, selector := range []string{"header", "footer", ".below"} {
				if v.shows(selector) {
					t.Errorf("embed=1 shows %s", selector)
				}
			}
			if height := v.box(".scene").Height; height < 100 {
				t.Errorf("alone, the picture is %v px high", height)
			}
		})
	}
}

// TestBadLinks: what a link cannot mean is said, and the page works. TestLessonHash and TestBadHash of ui have all
// notes.
func TestBadLinks(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/buckets")
	for _, link := range []struct{ hash, note string }{
		{"#/nowhere", `there is no place "nowhere"`},
		{"#/buckets?nComponents=1000000", "nComponents must be an integer from 1 to 128"},
		{"#/buckets?nComponents=%ZZ", "is not properly escaped"},
		{"#/convolution?degree=99&view=upside-down", "degree must be an integer from 2 to 4"},
		{"#/convolution?hide=everything", `hide knows no control "everything"`},
		{"#/convergence?seeds=1000000000&nComponents=100", "seeds must be an integer from 10 to 2000"},
		{"#/embed?degree=0", "degree must be an integer from 1 to 64"},
		{"#/about?seed=5", "no parameters in this place"},
	} {
		v.Run(link.hash, func(t *testing.T) {
			v.follow(link.hash)
			if got := v.text(".notes"); !strings.Contains(strings.ReplaceAll(got, "−", "-"), link.note) {
				t.Errorf("the note is %q, want %q", got, link.note)
			}
			v.speaksWell()
		})
	}
	v.follow("#/buckets?nComponents=5&at=x99&step=3&nFeatures=4")
	checkBuckets(v)
	v.pick("vector", "zipf")
	if v.text(".notes") != "" {
		t.Errorf("a change leaves the note %q", v.text(".notes"))
	}
	checkBuckets(v)
}

// TestCopies: the link and the iframe that are copied show the same state: opened
// by somebody else, and framed in a page of another origin.
func TestCopies(t *testing.T) {
	t.Parallel()
	address := server(t)
	v := visitPlace(t, "#/about")
	v.allow("clipboard-read", "clipboard-write")
	for _, place := range lessons {
		v.Run(place, func(t *testing.T) {
			v.follow("#/" + place + "?seed=7" + map[string]string{"convergence": "&seeds=20"}[place])
			v.do(chromedp.Focus(chromedp.CSS("#step-back")))
			v.slide("nComponents", 4)
			v.computed()
			want, cards := v.figures(), v.text(".cards")
			copied := func(button string) string {
				t.Helper()
				v.click(button)
				v.until(button, "Copied")
				return eval[string](v, `navigator.clipboard.readText()`)
			}
			link, frame := copied("#copy-link"), copied("#copy-frame")
			match := regexp.MustCompile(`^<iframe src="([^"]+)" title="[^"]+"[^>]*></iframe>$`).FindStringSubmatch(frame)
			if !strings.HasPrefix(link, address) || match == nil {
				t.Fatalf("copied are %q and %q", link, frame)
			}
			shows := func(address string) {
				t.Helper()
				v.do(chromedp.Navigate("about:blank"), chromedp.Navigate(address))
				v.pictured()
				v.computed()
			}
			shows(link)
			if got := v.figures(); got != want {
				t.Errorf("the link shows\n%s\nwant\n%s", got, want)
			}
			if !*long && place != "buckets" { // a frame is the same for all places
				return
			}
			shows(html.UnescapeString(match[1]))
			if eval[bool](v, `Boolean(document.querySelector("header"))`) || v.text(".cards") != cards {
				t.Errorf("the link of the iframe shows a header, or %q, want %q", v.text(".cards"), cards)
			}
			inFrame(t, frame)
		})
	}
}

// inFrame puts an iframe into a page of another origin, and into slides on the disk, and waits until something is drawn
// in it.
func inFrame(t *testing.T, frame string) {
	t.Helper()
	lecture := "<!doctype html><title>A lecture</title><style>body{margin:0}</style>" + frame
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, lecture)
	}))
	defer page.Close()
	slides := filepath.Join(t.TempDir(), "slides.html")
	if err := os.WriteFile(slides, []byte(lecture), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{page.URL, "file://" + slides} {
		isDrawn(t, address)
	}
}

// isDrawn waits until an address shows many colours.
func isDrawn(t *testing.T, address string) {
	t.Helper()
	tab, cancel := chromedp.NewContext(sharedBrowser(t))
	defer cancel()
	if err := chromedp.Do(tab, chromedp.EmulateViewport(1200, 800), chromedp.Navigate(address)); err != nil {
		t.Fatal(err)
	}
	colours := 0
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		shot := must(chromedp.Run(tab, chromedp.CaptureScreenshot()))(t)
		picture := must(png.Decode(bytes.NewReader(shot)))(t)
		if colours = coloursOf(picture); colours > 30 {
			return
		}
	}
	t.Errorf("in an iframe of %s the page shows %d colours only", address, colours)
}

// TestLinkOvertakesAddress: a link that is followed while the address of the one
// before still waits to be written is not lost, however late the page hears of it.
func TestLinkOvertakesAddress(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/buckets")
	v.settled()
	eval[any](v, `(async () => {
		const held = [];
		addEventListener("hashchange", (event) => {
			if (!event.isTrusted) return;
			event.stopImmediatePropagation();
			held.push(event);
		}, { capture: true });
		const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
		const set = async (hash) => {
			const before = held.length;
			location.hash = hash;
			while (held.length === before) await pause(1);
		};
		const hear = () => dispatchEvent(new HashChangeEvent("hashchange"));
		await set("#/buckets?nComponents=5");
		hear();
		await set("#/buckets?nComponents=6");
		hear(); // its whole address waits for the one before
		await set("#/buckets?nComponents=7");
		await pause(600);
		hear();
	})()`)
	v.settled()
	if got := v.address(); !strings.Contains(got, "nComponents=7") {
		t.Errorf("the address is %s", got)
	}
	if got := eval[string](v, `document.querySelector("#nComponents").value`); got != "7" {
		t.Errorf("D is %s, want 7", got)
	}
}
