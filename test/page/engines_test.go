//go:build !js

package page

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var engineShots = flag.String("engine-shots", "", "save pictures of every place in Firefox and WebKit in this folder")

// TestEngines: in Firefox and WebKit every place opens, and the sample embeds. A file is chosen, embedded
// and saved with the bits of Go. A job is held, stopped and gone on with, also after a reload. Without its
// server the page opens again.
func TestEngines(t *testing.T) {
	t.Parallel()
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			g := e.visitWith(t)
			address, end := runServer(t)
			t.Cleanup(end)
			g.show(address)
			t.Logf("%s: %s", g.version, g.text("#status"))
			g.places(e.name)
			if got := ask[string](g, isMasked); got != "disc 0" {
				t.Errorf("the field of the key: %q, want disc 0", got)
			}
			g.sample()
			g.file()
			g.job(e.rows, e.keeps)
			g.withoutServer(end)
		})
	}
}

// show loads the page, and listens to what goes wrong in it.
func (g *guest) show(address string) {
	g.Helper()
	g.command("Navigate", map[string]any{"url": address + "#/embed"})
	g.shown()
}

// reload loads the page again as it would itself: the Refresh of Firefox's driver goes past the service worker.
func (g *guest) reload() {
	g.Helper()
	ask[bool](g, `(window.isOld = true, setTimeout(() => location.reload()), true)`)
	const isNew = `arguments[0](!window.isOld && Boolean(document.querySelector("#app")))`
	for deadline := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		// Between the two pages there may be none that answers.
		value, err := g.call("ExecuteAsyncScript", map[string]any{"script": isNew, "args": []any{}, "sandbox": nil})
		if err == nil && string(value) == "true" {
			break
		} else if time.Now().After(deadline) {
			g.Fatalf("the page does not load again: %s, %v", value, err)
		}
	}
	g.shown()
}

// shown waits for the first picture.
func (g *guest) shown() {
	g.Helper()
	ask[bool](g, `(() => {
		window.troubles = [];
		for (const type of ["error", "unhandledrejection", "securitypolicyviolation"]) {
			window.addEventListener(type, (event) => {
				window.troubles.push(type + ": " + (event.message ?? event.reason ?? event.blockedURI));
			});
		}
		for (const method of ["error", "warn"]) {
			window.console[method] = (...texts) => window.troubles.push(method + ": " + texts.join(" "));
		}
		// A press that opens the dialog for files is counted; the dialog itself would wait for a hand.
		window.dialogs = 0;
		document.querySelector("#file").addEventListener("click", (event) => { event.preventDefault(); window.dialogs++; });
		return true;
	})()`)
	g.wait(`document.querySelector("#picture[data-ready][aria-busy=false]")`)
	ask[bool](g, `(() => {
		window.handed = [];
		const save = window.page.saveFile;
		window.page.saveFile = (blob, name) => { window.handed.push({ name, size: blob.size }); save(blob, name); };
		return true;
	})()`)
}

// silent checks that nothing went wrong since the page was shown.
func (g *guest) silent(when string) {
	g.Helper()
	if troubles := ask[[]string](g, `window.troubles.splice(0)`); len(troubles) > 0 {
		g.Errorf("%s: the page complains: %s", when, strings.Join(troubles, "; "))
	}
}

// after calls f and waits for the next picture.
func (g *guest) after(f func()) {
	g.Helper()
	before := ask[string](g, `document.querySelector("#picture").dataset.ready ?? ""`)
	f()
	g.wait(fmt.Sprintf(`document.querySelector("#picture[data-ready][aria-busy=false]:not([data-ready='%s'])")`, before))
}

// places goes from place to place by the links at the top, and looks at each.
func (g *guest) places(engine string) {
	g.Helper()
	links := ask[[]string](g, `[...document.querySelectorAll("header nav a")].map((a) => a.getAttribute("href"))`)
	if len(links) != 6 {
		g.Fatalf("the page has the places %q", links)
	}
	for _, link := range links {
		g.press(fmt.Sprintf(`header nav a[href=%q]`, link))
		name, _, _ := strings.Cut(strings.TrimPrefix(link, "#/"), "?")
		g.wait(fmt.Sprintf(`document.querySelector("#app[class~=at-%s] [data-ready]")`, name))
		if name == "convergence" {
			ask[bool](g, `(location.hash = "#/convergence?seeds=10", true)`)
			g.wait(`document.querySelector("#halt-seeds")?.textContent === "All seeds"`)
		}
		if problem := g.text("#problem"); problem != "" {
			g.Errorf("%s: the page says %q", name, problem)
		}
		if ask[bool](g, `document.documentElement.scrollWidth > document.documentElement.clientWidth`) {
			g.Errorf("%s: wider than the window: %s", name, ask[string](g, widest))
		}
		for what, script := range map[string]string{"cut": cutTexts, "text over text": overlaps} {
			if found := ask[[]string](g, script); len(found) > 0 {
				g.Errorf("%s: %s: %s", name, what, strings.Join(found, "; "))
			}
		}
		g.silent(name)
		if *engineShots != "" {
			for _, width := range []int{1280, 390} {
				g.resize(width, 900)
				ask[bool](g, `new Promise((resolve) => setTimeout(resolve, 1000, true))`)
				g.shoot(filepath.Join(*engineShots, fmt.Sprintf("%s-%s-%d.png", engine, name, width)))
			}
			g.resize(1280, 900)
		}
	}
	g.press(`nav a[href^="#/embed"]`)
	g.wait(`document.querySelector("#app.at-embed #picture[data-ready][aria-busy=false]")`)
}

// sample embeds the sample with other parameters, and saves it.
func (g *guest) sample() {
	g.Helper()
	g.after(func() { g.press("#new-seed") })
	if got := g.text("#status"); !strings.HasPrefix(got, "Embedded 1,000 rows in ") {
		g.Errorf("of the sample the page says %q", got)
	}
	g.after(func() { ask[bool](g, `(location.hash = "#/embed", true)`) })
	name, npy := g.download("#save-npy")
	if name != "sample-digits-features.npy" || len(npy) != 128+4*1000*1024 {
		g.Errorf("the sample is saved as %s of %d bytes", name, len(npy))
	}
	for _, kind := range []string{"", "-png", "-data"} {
		if _, picture := g.download("#save-picture" + kind); len(picture) < 1000 {
			g.Errorf("#save-picture%s saves %d bytes", kind, len(picture))
		}
	}
	g.silent("the sample")
}

// write makes a file for the visitor to choose.
func (g *guest) write(name, content string) string {
	g.Helper()
	path := filepath.Join(g.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		g.Fatal(err)
	}
	return path
}

// asTheyAre has the numbers of a file not scaled.
func (g *guest) asTheyAre() {
	g.Helper()
	g.after(func() {
		ask[bool](g, `(() => {
			const menu = document.querySelector("#all-scaling");
			menu.value = "none";
			return menu.dispatchEvent(new Event("change", { bubbles: true }));
		})()`)
	})
}

// file chooses a small table, and saves all that can be saved.
func (g *guest) file() {
	g.Helper()
	g.press("#choose")
	g.wait(`window.dialogs === 1`)
	g.after(func() { g.choose(g.write("flowers.csv", smallCSV)) })
	g.asTheyAre()
	checkDownloads(g, "flowers", params(4), vectorsOf(true, 1, 2, 3, 4), []string{"species", "name"}, cellsOf(5, 0))
	for _, format := range []string{"jsonl", "parquet", "arrow"} {
		if name, content := g.download("#save-" + format); name != "flowers-features."+format || len(content) < 9*8*8 {
			g.Errorf("%s has %d bytes", name, len(content))
		}
	}
	g.silent("a file")
}

// job writes a file in which there is time to press buttons.
func (g *guest) job(rows int, keeps bool) {
	g.Helper()
	g.after(func() { ask[bool](g, `(location.hash = "#/embed?degree=4&nComponents=256", true)`) })
	path := g.write("large.csv", largeCSV(rows))
	g.after(func() { g.choose(path) })
	g.asTheyAre()
	p := params(64)
	p.Degree, p.NComponents = 4, 256
	want := embed(g.T, p, firstRows(g.T, path, rows))
	check := func(what, name string, content []byte) {
		g.Helper()
		n := (len(content) - 128) / (4 * p.NComponents)
		if n < 1 || n > rows || what == "whole" && n < rows {
			g.Fatalf("%s: %s has %d bytes", what, name, len(content))
		}
		checkNPY(g.T, content, want[:n*p.NComponents])
	}
	begin := func() {
		g.Helper()
		// The page itself presses Pause when there are rows: from here the press may come after the end of the job.
		ask[bool](g, `(globalThis.pausing = setInterval(() => {
			const figures = document.querySelector("#saving-figures")?.textContent.replaceAll("\u00a0", " ");
			if (!/[1-9]\d* +rows/.test(figures)) return;
			clearInterval(pausing);
			document.querySelector("#pause").click();
		}, 1), true)`)
		g.press("#save-npy")
		g.wait(`document.querySelector("#saving-status").textContent.startsWith("Paused.")`)
	}
	begin()
	ask[bool](g, `(globalThis.stopping = setInterval(() => { // as Pause
		if (!document.querySelector("#saving-status").textContent.startsWith("Writing")) return;
		clearInterval(stopping);
		document.querySelector("#stop-saving").click();
	}, 1), true)`)
	g.press("#pause")
	g.wait(`document.querySelector("#saving-status").textContent.startsWith("Stopped. The first ")`)
	where := map[bool]string{true: "are kept in this browser", false: "are kept in this tab alone"}[keeps]
	if got := g.text("#saving-status"); !strings.Contains(got, where) {
		g.Errorf("stopped, the page says %q", got)
	}
	name, content := g.download(`[id^="save-job-"]`)
	check("part", name, content)
	name, content = g.download(`[id^="continue-"]`)
	check("whole", name, content)
	g.wait(`!document.querySelector('[id^="continue-"]')`)
	g.silent("a job")

	begin()
	g.reload()
	if !keeps {
		if got := g.text(".jobs"); got != "" {
			g.Errorf("after a reload there is %q", got)
		}
		return
	}
	g.press(`[id^="continue-"]`)
	g.wait(`window.dialogs === 1`)
	name, content = g.saves(func() { g.choose(path) })
	check("whole", name, content)
	g.wait(`!document.querySelector('[id^="continue-"]')`)
	g.silent("a job after a reload")
}

// withoutServer loads the page again after its server has ended.
func (g *guest) withoutServer(end func()) {
	g.Helper()
	const isSaved = "This page is saved for use without a network:"
	g.wait(fmt.Sprintf(`document.querySelector(".offline-state").textContent.startsWith(%q)`, isSaved))
	end()
	g.reload()
	if got := g.text("#status"); !strings.HasPrefix(got, "Embedded 1,000 rows in ") {
		g.Errorf("without a server the page says %q", got)
	}
	g.silent("without a server")
}
