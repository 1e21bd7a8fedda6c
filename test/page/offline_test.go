//go:build !js

package page

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A host is a static host of a copy of dist/site in a folder, with the headers of
// packaging/_headers, that can be changed and closed.
type host struct {
	t       *testing.T
	dir     string
	address string
	server  *httptest.Server

	releases int // how often release was called
	mutex    sync.Mutex
	asked    []string                             // paths below the folder, in order
	spoil    map[string]func(http.ResponseWriter) // what answers a path in place of the file
}

func newHost(t *testing.T) *host {
	t.Helper()
	h := &host{t: t, dir: t.TempDir(), spoil: map[string]func(http.ResponseWriter){}}
	if err := os.CopyFS(h.dir, os.DirFS(site)); err != nil {
		t.Fatalf("run ./build.sh dist first: %v", err)
	}
	headers := must(os.ReadFile(filepath.Join(h.dir, "_headers")))(t)
	files := http.FileServer(http.Dir(h.dir))
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for line := range strings.Lines(string(headers)) {
			if name, value, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
				w.Header().Set(name, value)
			}
		}
		h.mutex.Lock()
		h.asked = append(h.asked, r.URL.Path)
		spoil := h.spoil[r.URL.Path]
		h.mutex.Unlock()
		if spoil != nil {
			spoil(w)
			return
		}
		files.ServeHTTP(w, r)
	})
	h.server = httptest.NewServer(http.StripPrefix("/some/folder", handler))
	h.address = h.server.URL + "/some/folder/"
	t.Cleanup(h.close)
	return h
}

// close ends the server and its connections.
func (h *host) close() {
	h.server.CloseClientConnections()
	h.server.Close()
}

// requests returns what was asked for since it was called last.
func (h *host) requests() []string {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	asked := h.asked
	h.asked = nil
	return asked
}

// answer has f answer a path, or the file again if f is nil.
func (h *host) answer(path string, f func(http.ResponseWriter)) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.spoil[path] = f
}

// release puts another version in place, with a mark in its style sheet. Each version is a second newer than the one
// before: Last-Modified counts seconds, so a browser takes two versions of one second for the same.
func (h *host) release(mark string) {
	h.t.Helper()
	h.releases++
	written := time.Now().Add(time.Duration(h.releases-100) * time.Second)
	name := filepath.Join(h.dir, "page", "about.css")
	style := must(os.ReadFile(filepath.Join(site, "page", "about.css")))(h.t)
	if err := os.WriteFile(name, append(style, ":root { --mark: "+mark+" }\n"...), 0o644); err != nil {
		h.t.Fatal(err)
	}
	script := must(exec.Command(must(buildServer())(h.t), "-release", "-dir", h.dir).Output())(h.t)
	list := filepath.Join(h.dir, "release.js")
	if err := os.WriteFile(list, script, 0o644); err != nil {
		h.t.Fatal(err)
	}
	for _, name := range []string{name, list} {
		if err := os.Chtimes(name, written, written); err != nil {
			h.t.Fatal(err)
		}
	}
}

// move gives the files of a folder another address, by a name of as many letters, and has all files name that but
// release.js, which release writes: a browser that looked meanwhile would find a list of no version.
func (h *host) move(from, to string) {
	h.t.Helper()
	err := os.Rename(filepath.Join(h.dir, from), filepath.Join(h.dir, to))
	if err == nil {
		err = filepath.WalkDir(h.dir, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || entry.Name() == "release.js" {
				return err
			}
			content, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			return os.WriteFile(name, bytes.ReplaceAll(content, []byte(from+"/"), []byte(to+"/")), 0o644)
		})
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

// kept waits until the page is saved in the browser.
func (v *visit) kept() {
	v.Helper()
	v.until(".offline-state", "This page is saved for use without a network:…")
}

// caches returns the names of the caches, and how many files they hold.
func (v *visit) caches() map[string]int {
	v.Helper()
	return eval[map[string]int](v, `(async () => {
		const sizes = {};
		for (const name of await caches.keys()) sizes[name] = (await (await caches.open(name)).keys()).length;
		return sizes;
	})()`)
}

// mark is the mark of the version whose files the page has.
func (v *visit) mark() string {
	v.Helper()
	return eval[string](v, markNow)
}

// markNow is empty while a page is being loaded.
const markNow = `(document.documentElement &&
	getComputedStyle(document.documentElement).getPropertyValue("--mark") || "")`

// look has the browser look for a new version, as it does by itself after visits,
// and waits until that is installed, or not.
func (v *visit) look() {
	v.Helper()
	eval[any](v, `(async () => {
		const registration = await navigator.serviceWorker.getRegistration();
		await registration.update();
		while (registration.installing) await new Promise((resolve) => setTimeout(resolve, 10));
	})()`)
}

// TestOfflineAfterFirstVisit: with the server closed the page can be loaded again, and
// does all it did, by any of its links: as it is packed for a static host, and as ./build.sh serve serves it.
func TestOfflineAfterFirstVisit(t *testing.T) {
	t.Parallel()
	for name, serve := range map[string]func(*testing.T) (string, func()){
		"serve": func(t *testing.T) (string, func()) { return runServerOn(t, filepath.Join(repo, "public")) },

		"static host, in a folder": func(t *testing.T) (string, func()) { h := newHost(t); return h.address, h.close },
	} {
		t.Run(name, func(t *testing.T) {
			browser := sharedBrowser(t)
			address, end := serve(t)
			t.Cleanup(end)
			v := open(t, browser, address, "")
			v.ready()
			v.kept()
			end()
			if _, err := net.DialTimeout("tcp", strings.Split(address, "/")[2], time.Second); err == nil {
				t.Fatal("the server is still there")
			}
			v.do(chromedp.Reload())
			v.ready()
			v.kept()
			if got, want := eval[string](v,
				`fetch("api/worker.js").then(({ headers }) => headers.get("Content-Security-Policy"))`), eval[string](v,
				`document.querySelector("meta[http-equiv]").content`); got != want {
				t.Errorf("a worker has the policy %q, want %q", got, want)
			}
			v.readyAfter(func() { v.drop("private.csv", largeCSV(2000)) })
			v.says("#requests", "0 requests left this device since private.csv was opened.")
			if name, content := v.download("#save-npy"); name != "private-features.npy" || len(content) != 128+2000*4096 {
				t.Errorf("%s is saved with %d bytes", name, len(content))
			}
			for _, link := range []string{"#/convergence?seeds=10", "index.html#/about", "?from=afar#/convolution"} {
				v.do(chromedp.Navigate("about:blank"), chromedp.Navigate(address+link))
				v.pictured()
			}
			v.do(chromedp.Reload()) // the worker may have been ended meanwhile
			v.pictured()
		})
	}
}

// TestNewVersion: a page that is open keeps its version; the next load has the new
// one, whose files alone stay. That the files have other addresses makes no difference: until then the page has all of
// the one before, also those it loads late.
func TestNewVersion(t *testing.T) {
	t.Parallel()
	// Each tab has a process here: one version gives way to the next once no tab has it, and in the process that tabs of
	// shared browsers have in common a tab that was left may stay a while.
	browser, end := startBrowser(t, hurried)
	t.Cleanup(end)
	h := newHost(t)
	h.release("first")
	v := open(t, browser, h.address, "#/about")
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("mark %q, caches %v, workers %s", v.mark(), v.caches(), eval[string](v, workersNow))
		}
	})
	v.kept()
	v.do(chromedp.Reload())
	v.kept()
	first := v.caches()
	if v.mark() != "first" || len(first) != 1 {
		t.Fatalf("mark %q, caches %v", v.mark(), first)
	}

	h.release("second")
	v.look()
	v.wait(`!document.querySelector("#newer").hidden`)
	if got := v.caches(); len(got) != 2 {
		t.Errorf("with the new version there are the caches %v", got)
	}
	if got := eval[string](v,
		`fetch("page/about.css").then((response) => response.text())`); !strings.Contains(got, "--mark: first") {
		t.Error("the page that is open gets files of another version")
	}

	other := open(t, browser, h.address, "#/buckets")
	other.wait(`document.querySelector("[data-ready]")`)
	other.wait(`!document.querySelector("#newer").hidden`)
	if got := other.mark(); got != "first" {
		t.Errorf("a second tab has the version %q", got)
	}
	other.click("#newer-reload")
	other.wait(`document.querySelector("#newer-text").textContent.includes("Close its other tabs")`)
	other.do(chromedp.Navigate("about:blank"))

	v.click("#newer-reload")
	// The browser may list the closed tab a moment longer. Then the page asks for the same press once more.
	v.wait(`(document.querySelector("#newer:not([hidden]) #newer-reload")?.click(), ` +
		markNow + ` === "second" && document.querySelector("#newer")?.hidden)`)
	v.kept()
	second := v.caches()
	for name := range first {
		if _, still := second[name]; still || len(second) != 1 {
			t.Errorf("caches are %v, were %v", second, first)
		}
	}
	if got := eval[string](v, "location.hash"); !strings.HasPrefix(got, "#/about") {
		t.Errorf("the place became %s", got)
	}

	embeds := func(name string) {
		t.Helper()
		v.follow("#/embed")
		v.ready()
		v.readyAfter(func() { v.drop(name+".csv", smallCSV) })
		v.until("#requests", "0 requests left this device since "+name+".csv was opened.")
		v.download("#save-npy")
		if got := v.mark(); got != name {
			t.Errorf("the page has the version %q, want %q", got, name)
		}
	}
	h.move("api", "lib")
	h.release("third")
	v.look()
	v.wait(`!document.querySelector("#newer").hidden`)
	embeds("second")
	v.click("#newer-reload")
	v.wait(markNow + ` === "third" && document.querySelector("#newer")?.hidden`)
	v.kept()

	h.release("fourth")
	v.look()
	v.do(chromedp.Reload())
	v.wait(markNow + ` === "fourth"`)
	h.close()
	v.do(chromedp.Reload())
	v.wait(markNow + ` === "fourth" && document.querySelector("[data-ready]")`)
	embeds("fourth")
}

// workersNow says in which states the service workers are.
const workersNow = `navigator.serviceWorker.getRegistration().then((of) => JSON.stringify(["installing", "waiting",
	"active"].map((name) => of?.[name]?.state ?? "none")) + (navigator.serviceWorker.controller ? "" : ", no controller"))`

// lateMessages delays what a page hears from its service worker.
const lateMessages = `BroadcastChannel.prototype.addEventListener = function (type, heard) {
	EventTarget.prototype.addEventListener.call(this, type, (event) => setTimeout(heard, 500, event));
};`

// TestNewerCoversNothing: at the page's end the notice of a new version covers nothing, and what the tab key leads to
// is not below it. It lay over the foot.
func TestNewerCoversNothing(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/buckets")
	v.altered = true
	v.hasFocus()
	eval[any](v, `{ document.querySelector("#newer").hidden = false; }`)
	over := func(what string) {
		t.Helper()
		if by := eval[float64](v, `(() => {
			const a = document.querySelector("#newer").getBoundingClientRect(), b = `+what+`.getBoundingClientRect();
			return Math.min(a.bottom, b.bottom, innerHeight) > Math.max(a.top, b.top) + 1 &&
				Math.min(a.right, b.right) > Math.max(a.left, b.left) + 1 ? a.bottom - b.top : 0;
		})()`); by > 0 {
			t.Errorf("%s: the notice lies over it, by %.0f px", what, by)
		}
	}
	for _, width := range []int64{1440, 360} {
		v.do(chromedp.EmulateViewport(width, 740))
		v.settled()
		eval[any](v, `scrollTo(0, 0)`)
		if !eval[bool](v, `document.querySelector("#newer").getBoundingClientRect().bottom <= innerHeight`) {
			t.Errorf("%d px: the notice is not in view", width)
		}
		eval[any](v, `scrollTo(0, document.documentElement.scrollHeight)`)
		over(`document.querySelector("footer")`)
		eval[any](v, `scrollTo(0, 0), document.querySelector("#ask-1").focus()`)
		for range 6 {
			v.tab()
			v.unscrolled()
			over(`document.activeElement`)
		}
	}
}

// TestNewerLater: the notice of a new version goes when the visitor wants to go on with what is open. It comes back for
// a newer one alone, and the next load has that.
func TestNewerLater(t *testing.T) {
	t.Parallel()
	browser, end := startBrowser(t, hurried) // as in TestNewVersion
	t.Cleanup(end)
	h := newHost(t)
	h.release("first")
	v := open(t, browser, h.address, "#/about")
	v.hasFocus()
	v.kept()
	for _, next := range []string{"second", "third"} {
		h.release(next)
		v.look()
		v.wait(`!document.querySelector("#newer").hidden`)
		v.pressByKey("#newer-later", kb.Enter)
		v.wait(`document.querySelector("#newer").hidden && document.activeElement.id === "main"`)
		v.look()
		v.settled()
		if v.shows("#newer") || v.mark() != "first" {
			t.Errorf("%s: the notice is there again, or the page has changed to %q", next, v.mark())
		}
	}
	v.do(chromedp.Reload())
	v.wait(markNow + ` === "third"`)
}

// TestInterruptedInstallation: what is not whole is not kept, and the version before
// goes on.
func TestInterruptedInstallation(t *testing.T) {
	t.Parallel()
	browser, h := sharedBrowser(t), newHost(t)
	h.release("first")
	missing := func(w http.ResponseWriter) { http.Error(w, "gone", http.StatusNotFound) }
	h.answer("/api/dataset.wasm", missing)
	v := open(t, browser, h.address, "#/about")
	because := `document.querySelector(".offline-state")?.textContent.includes(
		"/api/dataset.wasm cannot be fetched, or is not the file that release.js lists")`
	v.wait(because)
	v.reloadWith(lateMessages) // what the worker says comes after its end
	v.wait(because)
	h.answer("/api/dataset.wasm", nil)
	v.do(chromedp.Reload())
	v.kept()
	whole := v.caches()
	if len(whole) != 1 {
		t.Fatalf("caches %v", whole)
	}

	for name, f := range map[string]func(http.ResponseWriter){
		"missing":  missing,
		"an error": func(w http.ResponseWriter) { http.Error(w, "broken", http.StatusInternalServerError) },
		"cut off": func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", "1000000")
			w.Write([]byte("\x00asm"))
			panic(http.ErrAbortHandler)
		},
		"another file": func(w http.ResponseWriter) { w.Write([]byte("\x00asm")) },
		"partial": func(w http.ResponseWriter) {
			w.Header().Set("Content-Range", "bytes 0-3/1000")
			w.WriteHeader(http.StatusPartialContent)
			w.Write([]byte("\x00asm"))
		},
		"a login": func(w http.ResponseWriter) {
			w.Header().Set("Location", "index.html")
			w.WriteHeader(http.StatusFound)
		},
	} {
		h.release(name)
		// what the cache of the first version has does not help
		for _, path := range []string{"/api/dataset.wasm", "/page/about.css"} {
			h.answer(path, f)
		}
		v.look()
		if waiting := eval[bool](v,
			`navigator.serviceWorker.getRegistration().then(({ waiting }) => Boolean(waiting))`); waiting ||
			!eval[bool](v, `document.querySelector("#newer").hidden`) {
			t.Errorf("%s: the version is taken for installed", name)
		}
		caches := v.caches()
		for cache, files := range whole {
			if caches[cache] != files || len(caches) > 2 {
				t.Errorf("%s: the caches are %v, were %v", name, caches, whole)
			}
		}
	}
	v.do(chromedp.Reload())
	v.kept()
	v.wait(`document.querySelector("[data-ready]")`)
	if got := v.mark(); got != "first" {
		t.Errorf("after all of them the page has the version %q", got)
	}
	for _, path := range []string{"/api/dataset.wasm", "/page/about.css"} {
		h.answer(path, nil)
	}
	v.look()
	v.wait(`!document.querySelector("#newer").hidden`)
	v.click("#newer-reload")
	v.wait(`!["", "first"].includes(` + markNow + `)`)
	v.kept()
	if got := v.caches(); len(got) != 1 {
		t.Errorf("the caches are %v", got)
	}
}

// TestEmptiedCache: files that the visitor has removed are fetched again; a page loaded past the service worker says
// so.
func TestEmptiedCache(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	v := open(t, sharedBrowser(t), h.address, "#/about")
	v.kept()
	eval[any](v, `(async () => { for (const name of await caches.keys()) await caches.delete(name); })()`)
	v.do(chromedp.Reload())
	v.kept()
	ignore := true
	must(chromedp.Call(v.ctx, page.Reload, page.ReloadParams{IgnoreCache: &ignore}))(v) // as Shift and Reload do
	v.until(".offline-state", "…a forced reload went past what is saved…")
	eval[any](v, `import("./api/tensorsketch.js").then(() => null)`) // the page fetches it when it is idle
	h.close()
	v.do(chromedp.Reload())
	v.wait(`document.querySelector("[data-ready]")`)
}

// TestAnotherServer: a browser that has the page saved shows another project as soon as that is served at the page's
// address, and keeps nothing of the page.
func TestAnotherServer(t *testing.T) {
	t.Parallel()
	for name, other := range map[string]http.HandlerFunc{
		"which has no such file": func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, ".js") {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, "<title>another project</title>")
		},
		"which answers everything": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, "<title>another project</title>")
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHost(t)
			v := open(t, sharedBrowser(t), h.address, "#/about")
			v.kept()
			v.do(chromedp.Reload())
			v.kept()
			v.do(chromedp.Navigate("about:blank"))
			h.server.CloseClientConnections()
			for _, answer := range []string{"404 (Not Found)", `MIME type of "text/html"`} {
				v.tolerate(answer) // of the other server, for parts of our page, until the worker has left
			}
			h.server.Config.Handler = other                                    // the same port
			eval[any](v, "void location.assign("+strconv.Quote(h.address)+")") // Navigate fails when it is overtaken
			v.wait(`document.title === "another project"`)
			v.wait(`navigator.serviceWorker.getRegistrations().then((all) => all.length === 0)`)
			if got := v.caches(); len(got) != 0 {
				t.Errorf("the caches are %v, want none", got)
			}
		})
	}
}

// TestChangedCache: a file that another page of the origin has put into the cache is not served.
func TestChangedCache(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	v := open(t, sharedBrowser(t), h.address, "#/about")
	v.kept()
	v.do(chromedp.Reload())
	v.kept()
	changed := eval[int](v, `(async () => {
		let changed = 0;
		for (const name of await caches.keys()) {
			const cache = await caches.open(name);
			for (const request of await cache.keys()) {
				if (!/boot.*\.js$/.test(request.url)) continue;
				await cache.put(request, new Response("document.title = 'taken over'",
					{ headers: { "Content-Type": "text/javascript" } }));
				changed++;
			}
		}
		return changed;
	})()`)
	if changed == 0 {
		t.Fatal("no boot script is in the caches")
	}
	v.do(chromedp.Reload())
	v.wait(`document.querySelector("[data-ready]")`)
	if got := eval[string](v, "document.title"); got == "taken over" {
		t.Error("a script that another page put into the cache was run")
	}
}

// TestWithoutServiceWorker: where there is none the page says so in a line, and the
// rest works.
func TestWithoutServiceWorker(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	port := h.server.Listener.Addr().(*net.TCPAddr).Port
	browser, end := startBrowser(t, chromedp.Flag("host-resolver-rules", "MAP plain.test 127.0.0.1"))
	t.Cleanup(end)
	v := open(t, browser, fmt.Sprintf("http://plain.test:%d/some/folder/", port), "")
	v.tolerate("The Cross-Origin-Opener-Policy header has been ignored") // as it is where an origin has no https
	v.ready()
	v.until(".offline-state", "…only for https addresses and for this device (localhost)…")
	v.readyAfter(func() { v.drop("rows.csv", smallCSV) })
	// It loads its own files in idle time: after the file was chosen, or before.
	v.wait(`/^(0 requests left this device since rows.csv|Since rows.csv was opened, this page requested only its own)/` +
		`.test(document.querySelector("#requests")?.textContent.trim().replaceAll("\u00a0", " ") ?? "")`)
	v.pressByMouse("#keep-file small")
	v.until("#kept", "…Not kept: a browser keeps files only for https addresses and for this device (localhost): …")

	v = open(t, browser, h.address, "")
	v.reloadWith(withoutServiceWorker)
	v.ready()
	v.until(".offline-state", "…has no service workers…")

	v = open(t, browser, h.address, "")
	v.reloadWith(`if (navigator.serviceWorker) navigator.serviceWorker.register = async () => {
		throw new DOMException("not allowed here", "SecurityError"); }`)
	v.ready()
	v.until(".offline-state", "…not allowed here…")

	h = newHost(t)
	h.answer("/lecture.html", func(w http.ResponseWriter) {
		w.Header().Del("Content-Security-Policy")
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><title>A lecture</title><link rel="icon" href="data:,"><iframe `+
			`src="./#/embed?embed=1"></iframe>`)
	})
	v = open(t, browser, h.address, "lecture.html")
	v.wait(`frames[0].document.querySelector(".offline-state")?.textContent.startsWith("Inside another page")`)
	v.wait(`frames[0].document.querySelector("#picture")?.dataset.ready`)
	if got := v.caches(); len(got) != 0 {
		t.Errorf("a frame has made the caches %v", got)
	}
}

// TestGoOffline: the dialog ticks what is seen, counts what it asks, and leads on by
// keyboard alone.
func TestGoOffline(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	v := open(t, sharedBrowser(t), h.address, "")
	v.ready()
	v.kept()
	for _, link := range []string{"#/embed?embed=1", "#/embed?hide=data", "#/embed"} {
		v.follow(link)
		if shown := v.shows("#offline-first"); shown !=
			(link == "#/embed") {
			t.Errorf("%s: the button is shown: %v", link, shown)
		}
	}

	h.requests()
	v.do(chromedp.Focus(chromedp.CSS("#offline-first")))
	v.press("\r")
	v.wait(`document.querySelector("#offline").open && document.activeElement.id === "offline-title"`)
	step := func(name, want string) {
		t.Helper()
		v.until("#offline-"+name, want)
	}
	step("kept", "✓ "+v.text(".offline-state"))
	step("off", "A request to this page’s server was answered: the network is on.")
	step("chosen", "")
	if asked := h.requests(); len(asked) == 0 || asked[0] != "/serviceworker.js" {
		t.Errorf("the server was asked for %q", asked)
	}
	if how := v.text("#offline-how"); !strings.Contains(how, "nmcli") {
		t.Errorf("on Linux the page says %q", how)
	}
	v.do(chromedp.EmulateViewport(360, 640))
	if box := v.box("#offline"); box.Left < 0 || box.Left+box.Width > 360 || box.Top < 0 ||
		eval[int](v, `document.scrollingElement.scrollWidth`) > 360 {
		t.Errorf("360 px wide the dialog is at %+v", box)
	}
	v.do(chromedp.EmulateViewport(1440, 900))
	v.press("\t")
	v.wait(`document.activeElement.id === "offline-choose"`)
	v.press(kb.Escape)
	v.wait(`!document.querySelector("#offline").open && document.activeElement.id === "offline-first"`)

	v.network(true)
	v.press("\r")
	step("off", "The system reports no network, but this page’s server runs on this device (127.0.0.1) and still "+
		"answers. Nothing can go further; stop the server too to see the request fail.")
	v.network(false)
	h.close()
	step("off", "✓ A request to this page’s server failed, though the system reports a network.")
	v.network(true)
	step("off", "✓ The system reports no network, and a request to this page’s server failed.")
	v.tolerate("ERR_CONNECTION_REFUSED")

	v.readyAfter(func() { v.choose(v.write("rows.csv", smallCSV)) })
	v.wait(`!document.querySelector("#offline").open`)
	v.until("#requests", "0 requests left this device since rows.csv was opened.")
	v.click("#offline-first")
	step("chosen", "✓ rows.csv is open.")
	step("saved", "")
	v.press(kb.Escape)
	v.download("#save-model")
	v.click("#offline-first")
	step("saved", "✓ rows-model.json was saved.")
	step("off", "✓ The system reports no network, and a request to this page’s server failed.")
	v.click("#offline-close")
	v.until("#requests", "0 requests left this device since rows.csv was opened.")
	v.network(false)
	v.tolerate("ERR_")
}

// network has the system report no network, or one. Nothing is cut.
func (v *visit) network(off bool) {
	v.Helper()
	must(chromedp.Call(v.ctx, network.OverrideNetworkState,
		network.OverrideNetworkStateParams{Offline: off, DownloadThroughput: -1, UploadThroughput: -1}))(v)
}

// reloadWith loads the page again, from now on with a script that runs before its own.
func (v *visit) reloadWith(script string) {
	v.Helper()
	must(chromedp.Call(v.ctx, page.AddScriptToEvaluateOnNewDocument,
		page.AddScriptToEvaluateOnNewDocumentParams{Source: script}))(v)
	v.do(chromedp.Reload())
}

const withoutServiceWorker = `Object.defineProperty(Navigator.prototype, "serviceWorker", { value: undefined })`
