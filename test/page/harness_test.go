//go:build !js

// Package page tests the page in Chromium, as a visitor meets it: served by the
// project's server, and by a plain static server in a sub-path.
//
// It tests dist/site/, which ./build.sh dist packs. TestOfflineAfterFirstVisit also tests public/.
package page

import (
	"bufio"
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

const (
	repo = "../.."
	site = repo + "/dist/site"
)

// chromium returns the browser's path. Where there is none, the test is skipped,
// or fails in CI.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("CI") == "true" {
		t.Fatal("Chromium is not installed")
	}
	t.Skip("Chromium is not installed")
	return ""
}

var (
	atEnd    []func() // are called after all tests
	programs string   // a folder for what tests compile
)

func TestMain(m *testing.M) {
	var err error
	if programs, err = os.MkdirTemp("", ""); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	for _, end := range slices.Backward(atEnd) {
		end()
	}
	os.RemoveAll(programs)
	os.Exit(code)
}

// shared holds the browsers and the servers that tests have in common.
var shared struct {
	sync.Mutex
	idle           []context.Context                   // browsers
	taken          map[string]context.Context          // by the test that has it
	tabs           map[context.Context]tabOf           // of browsers: one each that may be used again
	compiled       map[context.Context]context.Context // of browsers: the tab that nobody visits
	server, static string
}

// sharedBrowser returns a Chromium that tests have one after the other; a test and
// its subtests have the same one.
func sharedBrowser(t *testing.T) context.Context {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	name, _, _ := strings.Cut(t.Name(), "/")
	if browser := shared.taken[name]; browser != nil {
		return browser
	}
	if len(shared.idle) == 0 {
		browser, end := startBrowser(t, hurried, oneProcess)
		shared.idle = append(shared.idle, browser)
		atEnd = append(atEnd, end)
		if shared.compiled == nil {
			shared.compiled = map[context.Context]context.Context{}
		}
		shared.compiled[browser] = keepCompiled(t, browser, serverLocked(t))
	}
	browser := shared.idle[0]
	shared.idle = shared.idle[1:]
	if shared.taken == nil {
		shared.taken = map[string]context.Context{}
	}
	shared.taken[name] = browser
	quiet := shared.compiled[browser]
	t.Cleanup(func() {
		fit := !t.Failed() && keepsNothing(quiet) // else the next test may meet what it does not expect
		shared.Lock()
		defer shared.Unlock()
		delete(shared.taken, name)
		if fit {
			shared.idle = append(shared.idle, browser)
		}
	})
	return browser
}

// keepsNothing removes the files that the page keeps in that browser, and reports whether that was possible: a file of
// one test is not one of the next.
func keepsNothing(tab context.Context) bool {
	ctx, cancel := context.WithTimeout(tab, 5*time.Second)
	defer cancel()
	_, err := chromedp.Run(ctx, chromedp.Evaluate[any](`(async () => {
		const root = await navigator.storage.getDirectory();
		for await (const name of root.keys()) await root.removeEntry(name, { recursive: true });
	})()`, chromedp.EvalAwaitPromise))
	return err == nil
}

// keepCompiled shows About in a tab that nobody visits, whose worker loads what files need. All tabs of this browser
// have one process, in which V8 hands out what it has compiled of a module as long as a tab or a worker has it: a third
// less work for each page that a test loads, and what was optimised stays so.
func keepCompiled(t *testing.T, browser context.Context, address string) (tab context.Context) {
	t.Helper()
	tab, _ = chromedp.NewContext(browser) // it ends with the browser
	if err := chromedp.Do(tab, chromedp.Navigate(address+"#/about")); err != nil {
		t.Fatal(err)
	}
	const prepare = `globalThis.page.files.call("prepare")`
	if _, err := chromedp.Run(tab, chromedp.Evaluate[any](prepare, chromedp.EvalAwaitPromise)); err != nil {
		t.Fatal(err)
	}
	return tab
}

// oneProcess has all tabs of a site in one process.
var oneProcess = chromedp.Flag("process-per-site", true)

// hurried leaves functions of WebAssembly unchecked until they are called. Firefox, in TestEngines, compiles all of
// them. All compilers stay: without Maglev, a change of a parameter takes the processor twice as long.
var hurried = chromedp.Flag("js-flags", "--wasm-lazy-validation")

// startBrowser starts a fresh Chromium, with more options than all have.
func startBrowser(t *testing.T, more ...chromedp.ExecAllocatorOption) (browser context.Context, end func()) {
	t.Helper()
	t.TempDir() // what is made first is removed last: after the browser, which may still save a file there
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium(t)), chromedp.NoSandbox,
		chromedp.DisableGPU, chromedp.WSURLReadTimeout(patience), // to start
		chromedp.WindowSize(1440, 900), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true), chromedp.Flag("no-first-run", true),
		// The last two are pages of Chromium's own, which nobody sees and which take a sixth of a core.
		chromedp.Flag("disable-features", "Translate,BlinkGenPropertyTrees,WebUIOmniboxAimPopup,WebUIOmniboxPopup"))
	allocator, cancelAllocator := chromedp.NewExecAllocator(context.Background(), append(options, more...)...)
	ctx, cancel := chromedp.NewContext(allocator)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("Chromium does not start: %v", err)
	}
	return ctx, func() {
		cancel()
		cancelAllocator()
	}
}

// A visit is a tab that shows the page. It fails the test at its end for every
// console error, policy violation or request to another origin.
type visit struct {
	*testing.T
	ctx    context.Context
	origin string
	// altered says that the tab is not for another visit.
	altered bool

	mutex     sync.Mutex
	trouble   []string
	tolerated []string // parts of troubles that are none
	requests  []string
}

// open shows the page in a tab of its own, with that path behind the address. Without a path it shows Embed.
func open(t *testing.T, browser context.Context, address, path string) *visit {
	t.Helper()
	return openFor(t, usual(), browser, address, path)
}

// usual is how long a visit may take.
func usual() time.Duration {
	if *long {
		return time.Hour
	}
	return 20 * time.Minute
}

// openFor has a visit end after a time.
func openFor(t *testing.T, patience time.Duration, browser context.Context, address, path string) *visit {
	t.Helper()
	t.TempDir() // as in startBrowser
	tab, cancel := chromedp.NewContext(browser)
	t.Cleanup(cancel)
	return openIn(t, patience, tab, address, chromedp.Navigate(address+pathOf(path)))
}

// pathOf returns a path behind the address of the page: Embed, if there is none.
func pathOf(path string) string { return cmp.Or(path, "#/embed") }

// openAgain shows it in the tab of an earlier visit to that address, where there is
// one: to start a process for a tab and to compile the page takes a second. The page
// is loaded anew, and knows nothing of the visit.
func openAgain(t *testing.T, browser context.Context, address, path string) *visit {
	t.Helper()
	shared.Lock()
	tab, again := shared.tabs[browser]
	delete(shared.tabs, browser)
	shared.Unlock()
	show := chromedp.Navigate(address + pathOf(path))
	if again {
		show = func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
			if _, err := chromedp.Evaluate[any](fmt.Sprintf("scrollTo(0, 0), sessionStorage.clear(), "+
				"history.replaceState(null, '', %q)", address+pathOf(path)))(ctx, target); err != nil {
				return chromedp.Void{}, err
			}
			return chromedp.Reload()(ctx, target)
		}
	} else {
		tab.Context, tab.end = chromedp.NewContext(browser)
		if err := chromedp.Do(tab); err != nil { // the context that starts a tab ends it
			t.Fatal(err)
		}
	}
	var v *visit
	t.Cleanup(func() {
		if t.Failed() || v.altered || !tab.keep(browser) {
			tab.end()
		}
	})
	v = openIn(t, usual(), tab, address, media("prefers-color-scheme", ""), show)
	return v
}

// visitEmbed opens Embed by a link in such a tab, and waits for its picture.
func visitEmbed(t *testing.T, link string) *visit {
	t.Helper()
	v := openAgain(t, sharedBrowser(t), server(t), link)
	v.ready()
	return v
}

// A tabOf a browser ends when end is called.
type tabOf struct {
	context.Context
	end context.CancelFunc
}

// keep keeps the tab for another visit, unless there is one already.
func (tab tabOf) keep(browser context.Context) bool {
	ctx, cancel := context.WithTimeout(tab, 5*time.Second)
	defer cancel()
	// where nothing is computed
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[any]("location.hash = '#/about'")); err != nil {
		return false
	}
	shared.Lock()
	defer shared.Unlock()
	if _, other := shared.tabs[browser]; other {
		return false
	}
	if shared.tabs == nil {
		shared.tabs = map[context.Context]tabOf{}
	}
	shared.tabs[browser] = tab
	return true
}

// Run runs a subtest with the page as it is.
func (v *visit) Run(name string, f func(t *testing.T)) bool {
	whole := v.T
	defer func() { v.T = whole }()
	return whole.Run(name, func(t *testing.T) {
		v.T = t
		f(t)
	})
}

// openIn shows it in that tab, by what loads it there.
func openIn(t *testing.T, patience time.Duration, tab context.Context, address string,
	show ...chromedp.Action[chromedp.Void]) *visit {
	t.Helper()
	ctx, cancel := context.WithTimeout(tab, patience)
	t.Cleanup(cancel)
	v := &visit{T: t, ctx: ctx}
	v.origin = strings.Join(strings.SplitN(address, "/", 4)[:3], "/")
	v.watch()
	v.do(append([]chromedp.Action[chromedp.Void]{chromedp.EmulateViewport(1440, 900)}, show...)...)
	t.Cleanup(v.check)
	return v
}

// watch gathers what must not happen.
func (v *visit) watch() {
	console := chromedp.Console(v.ctx)
	requests := chromedp.Events(v.ctx, network.RequestWillBeSent)
	// A visitor's tab does not keep what it has fetched for developer tools: 20 MB.
	must(chromedp.Call(v.ctx, network.Enable, network.EnableParams{MaxTotalBufferSize: new(int64)}))(v)
	go func() {
		for message, err := range console {
			if err != nil {
				return
			}
			v.note("console: " + message.String() + " " + message.URL) // the page logs nothing: Go logs a panic
		}
	}()
	go func() {
		for event, err := range requests {
			if err != nil {
				return
			}
			url := event.Request.URL
			v.mutex.Lock()
			v.requests = append(v.requests, url)
			v.mutex.Unlock()
			if !strings.HasPrefix(url, v.origin+"/") && !strings.HasPrefix(url, "data:") &&
				!strings.HasPrefix(url, "blob:"+v.origin+"/") {
				v.note("request to another origin: " + url)
			}
		}
	}()
}

func (v *visit) note(text string) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.trouble = append(v.trouble, text)
}

func (v *visit) check() {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	for _, text := range v.trouble {
		if !v.isTolerated(text) {
			v.Error(text)
		}
	}
}

// isTolerated is for who holds the mutex.
func (v *visit) isTolerated(text string) bool {
	return slices.ContainsFunc(v.tolerated, func(part string) bool { return strings.Contains(text, part) })
}

// tolerate passes over troubles that say so, also those that are told later.
func (v *visit) tolerate(text string) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.tolerated = append(v.tolerated, text)
}

func (v *visit) do(actions ...chromedp.Action[chromedp.Void]) {
	v.Helper()
	if err := chromedp.Do(v.ctx, actions...); err != nil {
		v.Fatal(err)
	}
}

// eval evaluates an expression in the page; the policy of the page does not
// apply to it.
func eval[T any](v *visit, expression string) T {
	v.Helper()
	value, err := chromedp.Run(v.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		v.Fatalf("%s: %v", expression, err)
	}
	return value
}

// wait waits until an expression is true, and fails with what the page says.
func (v *visit) wait(expression string) {
	v.Helper()
	if !v.comes(expression, patience) {
		v.Fatalf("waited two minutes for %s; status: %q, problem: %q, at %s, the page:\n%s", expression,
			v.text("#status"), v.text("#problem"), eval[string](v, "location.href"),
			eval[string](v, "document.body.innerText"))
	}
}

// comes reports whether an expression becomes true within a time. The page looks by itself, a second at a time: to ask
// it from here every 50 ms would take a tenth of a core.
func (v *visit) comes(expression string, within time.Duration) bool {
	v.Helper()
	look := `new Promise((resolve, reject) => {
		const end = performance.now() + 1000;
		const look = (pause) => {
			try {
				const holds = Boolean(` + expression + `);
				if (holds || performance.now() > end) resolve(holds);
				else setTimeout(look, pause, Math.min(pause * 1.25, 50));
			} catch (problem) {
				reject(problem);
			}
		};
		look(5);
	})`
	for deadline := time.Now().Add(within); ; {
		holds, err := chromedp.Run(v.ctx, chromedp.Evaluate[bool](look, chromedp.EvalAwaitPromise))
		if holds {
			return true
		}
		var thrown *chromedp.ExceptionError
		if errors.As(err, &thrown) || v.ctx.Err() != nil {
			v.Fatalf("%s: %v", expression, err)
		}
		if time.Now().After(deadline) {
			return false
		}
		if err != nil { // another page is loaded
			time.Sleep(20 * time.Millisecond)
		}
	}
}

// text returns the text of an element, or the empty string.
func (v *visit) text(selector string) string {
	v.Helper()
	return strings.ReplaceAll(eval[string](v,
		fmt.Sprintf(`document.querySelector(%q)?.textContent.trim() ?? ""`, selector)), "\u00a0", " ")
}

// says checks the text of an element; "…" stands for any. A busy machine may draw the words in a later task than what
// was awaited.
func (v *visit) says(selector, want string) {
	v.Helper()
	if !v.comes(inWords(selector, want), soon) {
		v.Errorf("%s says %q, want %q; status: %q", selector, v.text(selector), want, v.text("#status"))
	}
}

// soon is how long a busy machine may take to draw what was computed.
const soon = 30 * time.Second

// until waits until an element says something.
func (v *visit) until(selector, want string) {
	v.Helper()
	v.wait(inWords(selector, want))
}

// inWords is an expression: whether an element says something.
func inWords(selector, want string) string {
	return fmt.Sprintf(`new RegExp(%s, "s").test((document.querySelector(%s)?.textContent ?? "").trim()
		.replaceAll("\u00a0", " "))`, quoted(saying(want)), quoted(selector))
}

// saying is a regular expression, in Go and in JavaScript.
func saying(want string) string {
	return "^" + strings.ReplaceAll(regexp.QuoteMeta(want), "…", ".*") + "$"
}

// ready waits for the first picture, and ready after f for the next.
func (v *visit) ready() {
	v.Helper()
	v.wait(`document.querySelector("#picture")?.dataset.ready`)
}

func (v *visit) readyAfter(f func()) {
	v.Helper()
	before := eval[string](v, `document.querySelector("#picture")?.dataset.ready ?? ""`)
	f()
	v.wait(fmt.Sprintf(`document.querySelector("#picture")?.dataset.ready &&
		document.querySelector("#picture").dataset.ready !== %q &&
		document.querySelector("#picture").getAttribute("aria-busy") === "false"`, before))
}

// embeds goes to another link to Embed.
func (v *visit) embeds(link string) {
	v.Helper()
	v.readyAfter(func() { eval[any](v, fmt.Sprintf("location.hash = %q", link)) })
}

// shows reports whether an element is there and to be seen.
func (v *visit) shows(selector string) bool {
	v.Helper()
	return eval[bool](v, fmt.Sprintf(`Boolean(document.querySelector(%q)?.checkVisibility())`, selector))
}

// click presses an element with the mouse, once it is seen and rests. Where the page moved beneath the mouse, the press
// does nothing and is made again, as a person would.
func (v *visit) click(selector string) {
	v.Helper()
	for range 20 {
		v.wait(fmt.Sprintf(`document.querySelector(%q)?.checkVisibility({ visibilityProperty: true })`, selector))
		at := v.resting(selector, "scrollIntoViewIfNeeded()")
		if v.lands(selector, func() { v.do(chromedp.MouseClickXY(at.X, at.Y)) }) {
			return
		}
	}
	v.Fatalf("%s was pressed twenty times, and something else lay there", selector)
}

// isOn is a function of JavaScript: whether a pointer that hits something presses the element. The input of a chip lies
// over the label's text.
const isOn = `((element, hit) => Boolean(element?.contains(hit) || element?.closest("label")?.contains(hit)))`

// guard is an expression of JavaScript that listens to the next press of an element. Where the press comes down
// elsewhere, or is let go elsewhere, the page hears of no click, and pressMissed reports that. pressHeard reports a
// click.
func guard(selector string) string {
	return fmt.Sprintf(`(() => {
		window.pressMissed?.();
		const end = new AbortController(), now = () => document.querySelector(%q);
		let below = null, isMissed = false, isClicked = false; // the element as the press came down
		const hear = (event) => {
			const isOver = %s(now(), event.target);
			if (event.type === "pointerdown") [isMissed, below] = [!isOver, now()];
			// The press itself may have taken the element away. A label makes a second click, on its input.
			else if (event.type === "click" && !isClicked && event.isTrusted) {
				isClicked = true;
				isMissed ||= now() === below && !isOver;
			}
			if (!isMissed || !event.isTrusted) return;
			event.stopImmediatePropagation();
			event.preventDefault();
		};
		for (const name of ["pointerdown", "mousedown", "touchstart", "pointerup", "mouseup", "touchend", "click"]) {
			addEventListener(name, hear, { capture: true, passive: false, signal: end.signal });
		}
		window.pressHeard = () => isClicked;
		// Where the page drew the element anew below the press, nothing was clicked.
		window.pressMissed = () => {
			end.abort();
			return isMissed || Boolean(below && !isClicked && !below.isConnected && now());
		};
	})()`, selector, isOn)
}

// lands presses, and reports whether the press came down on the element and was let go there. A press that was never
// heard, as on a disabled button or before a new document, has landed.
func (v *visit) lands(selector string, press func()) bool {
	v.Helper()
	eval[any](v, guard(selector))
	press()
	missed, _ := chromedp.Run(v.ctx, chromedp.Evaluate[bool](`window.pressMissed?.() ?? false`)) // new: it knows none
	return !missed
}

// set types a parameter and leaves its field.
func (v *visit) set(name, text string) {
	v.Helper()
	v.click("#" + name)
	v.wait(fmt.Sprintf(`document.activeElement.id === %q`, name))
	eval[any](v, fmt.Sprintf(`document.querySelector("#%s").select()`, name))
	v.do(chromedp.KeyEvent(text + "\t"))
}

// choose hands files to the file input, as the dialog would.
func (v *visit) choose(paths ...string) {
	v.Helper()
	v.upload("#file", paths...)
}

// upload puts files into an input once it is there. It names the input as an object of JavaScript: the numbers of nodes
// in chromedp.SetUploadFiles end whenever the browser tells of a new document.
func (v *visit) upload(selector string, paths ...string) {
	v.Helper()
	expression := fmt.Sprintf("document.querySelector(%q)", selector)
	v.wait(expression)
	input := must(chromedp.Call(v.ctx, runtime.Evaluate, runtime.EvaluateParams{Expression: expression}))(v)
	must(chromedp.Call(v.ctx, dom.SetFileInputFiles,
		dom.SetFileInputFilesParams{Files: paths, ObjectID: input.Result.ObjectID}))(v)
}

// write makes a file for the visitor to choose.
func (v *visit) write(name, content string) string {
	v.Helper()
	path := filepath.Join(v.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		v.Fatal(err)
	}
	return path
}

// saveInto returns a new folder that downloads go to from now on.
func (v *visit) saveInto() string {
	v.Helper()
	folder, enabled := v.TempDir(), true
	must(chromedp.CallBrowser(v.ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorAllow, DownloadPath: folder, EventsEnabled: &enabled}))(v)
	return folder
}

// handed is how many files the page has handed to the browser since this was first evaluated.
const handed = `(globalThis.handed ??= (() => {
	const files = [], save = page.saveFile;
	page.saveFile = (blob, name) => { files.push(name); save(blob, name); };
	return files;
})()).length`

// download presses a button and returns the name and bytes of the file it saves.
func (v *visit) download(selector string) (name string, content []byte) {
	v.Helper()
	folder, before := v.saveInto(), eval[int](v, handed)
	v.click(selector)
	name, content = saved(folder, 10*time.Second)
	if begun, _ := os.ReadDir(folder); name == "" && len(begun) == 0 && eval[int](v, handed) == before+1 {
		// About once in a thousand times a busy Chromium begins no download of a link that the page has clicked.
		v.Logf("%s: Chromium dropped a file; pressed again", selector)
		v.click(selector)
	}
	if name == "" {
		name, content = v.saved(folder, selector)
	}
	return name, content
}

// saved returns the name and bytes of the file that comes into a folder.
func (v *visit) saved(folder, asked string) (name string, content []byte) {
	v.Helper()
	if name, content = saved(folder, patience); name == "" {
		v.Fatalf("%s saved nothing within two minutes; status: %q", asked, v.text("#saving-status"))
	}
	return name, content
}

// saved waits for the one file of a folder.
func saved(folder string, patience time.Duration) (name string, content []byte) {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 ||
			strings.HasSuffix(entries[0].Name(), ".crdownload") || strings.HasPrefix(entries[0].Name(), ".") {
			continue
		} else if content, err := os.ReadFile(filepath.Join(folder, entries[0].Name())); err == nil && len(content) > 0 {
			return entries[0].Name(), content
		}
	}
	return "", nil
}

// server returns the address of the project's own server, on dist/site/.
func server(t *testing.T) string {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	return serverLocked(t)
}

// serverLocked is for who holds the lock.
func serverLocked(t *testing.T) string {
	t.Helper()
	if shared.server == "" {
		address, end := runServer(t)
		atEnd, shared.server = append(atEnd, end), address
	}
	return shared.server
}

// runServer starts the project's server on dist/site/.
func runServer(t *testing.T) (address string, end func()) {
	t.Helper()
	return runServerOn(t, site)
}

// runServerOn starts it on a folder.
func runServerOn(t *testing.T, folder string) (address string, end func()) {
	t.Helper()
	command := exec.Command(must(buildServer())(t), "-addr", "127.0.0.1:0", "-dir", folder)
	command.Stderr = os.Stderr
	output := must(command.StdoutPipe())(t)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	end = sync.OnceFunc(func() {
		command.Process.Kill()
		command.Wait()
	})
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		end()
		t.Fatalf("the server says nothing: %v; run ./build.sh first", err)
	}
	for word := range strings.FieldsSeq(line) {
		if strings.HasPrefix(word, "http://") {
			return word, end
		}
	}
	end()
	t.Fatalf("no address in %q", line)
	return "", nil
}

// buildServer compiles the project's server once.
var buildServer = sync.OnceValues(func() (program string, err error) { return build("server", "") })

// build compiles a package of the repository into a program of a name.
func build(name, path string) (program string, err error) {
	program = filepath.Join(programs, name)
	compile := exec.Command("go", "build", "-o", program)
	compile.Dir = filepath.Join(repo, path) // beam is a module of its own
	if output, err := compile.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%v: %s", err, output)
	}
	return program, nil
}

// static returns the address of dist/site in a sub-path, served by a plain server
// that adds no header.
func static(t *testing.T) string {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	if shared.static != "" {
		return shared.static
	}
	if _, err := os.Stat(filepath.Join(site, "page", "ui.wasm")); err != nil {
		t.Fatalf("run ./build.sh dist first: %v", err)
	}
	s := httptest.NewServer(http.StripPrefix("/some/folder", http.FileServer(http.Dir(site))))
	atEnd = append(atEnd, s.Close)
	shared.static = s.URL + "/some/folder/"
	return shared.static
}

// drop drops a file on the page.
func (v *visit) drop(name, content string) {
	v.Helper()
	eval[any](v, fmt.Sprintf(`{
		const transfer = new DataTransfer();
		transfer.items.add(new File([Uint8Array.from(atob(%q), (letter) => letter.charCodeAt(0))], %q));
		for (const type of ["dragover", "drop"]) {
			document.querySelector("h1").dispatchEvent(new DragEvent(type, {
				dataTransfer: transfer, bubbles: true, cancelable: true,
			}));
		}
	}`, base64.StdEncoding.EncodeToString([]byte(content)), name))
}
