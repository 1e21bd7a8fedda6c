//go:build !js

package page

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

var (
	walkSeed    = flag.Uint64("walkseed", 0, "seed of TestPressAtRandom; 0: of two that the clock gives")
	walkPresses = flag.Int("walkpresses", 2000, "presses of each random walk")
	onlyState   = flag.String("presses", "", "only the states whose names match this")
)

// A pressState is a state of a place that its controls are pressed in.
type pressState struct {
	place, name string
	link        string           // the page is loaded with it
	reach       func(p *presser) // from there, nil: it is reached
	again       func(p *presser) // from near it, cheaper than loading the page
	is          string           // holds in it, and the place's picture is there
	moves       bool             // values change by themselves
	disables    string           // why some controls are disabled
}

// The links of states that are cheap to compute, and of some that are not.
const (
	quickEmbed          = "#/embed?nComponents=64"
	slowEmbed           = "#/embed?degree=16&nComponents=256"
	badEmbed            = "#/embed?degree=8&gamma=1e30&nComponents=64&rows=none"
	quickLearn          = learnFromFile + "&nComponents=64"
	privateEmbed        = quickEmbed + "&release=rows"
	slowPlay            = "?nFeatures=60&nComponents=60&step=1&speed=1"
	tenSeeds, manySeeds = "#/convergence?seeds=10", "#/convergence?seeds=5000"
)

// pressStates are the states that controls are pressed in. With -long the states of pressStatesLong come too: they
// have no control that the others and tests of their own lack.
var pressStates, pressStatesLong = []pressState{
	{place: "embed", name: "sample", link: quickEmbed, is: shows("Sample")},
	{place: "embed", name: "file chosen", link: quickEmbed, is: shows("people.csv"), reach: chooseFile, again: chooseFile},
	{place: "embed", name: "a row that is not UTF-8", link: quickEmbed, reach: dropUmlauts, again: dropUmlauts,
		is: shows("umlauts.csv") + ` && document.querySelector("#read-windows-1252").checkVisibility()`},
	{place: "embed", name: "private release", link: privateEmbed, is: shows("people.csv"),
		reach: dropFile, again: dropFile},
	{place: "embed", name: "running", link: slowEmbed, is: running, reach: run, again: runAgain, moves: true},
	{place: "embed", name: "stopped", link: slowEmbed, is: leftHalfWay, reach: stop, again: stopAgain, moves: true},
	{place: "buckets", name: "opened", link: "#/buckets?step=8"},
	{place: "convolution", name: "opened", link: "#/convolution?degree=3&step=3"},
	{place: "convergence", name: "opened", link: tenSeeds, is: estimated, disables: "all seeds are computed"},
	{place: "learn", name: "opened", link: "#/learn"},
	{place: "learn", name: "own points", link: "#/learn?preset=own&points=p30,30m-30,20&brush=away"},
	{place: "learn", name: "your file, chosen", link: quickLearn, is: learnedOf("kinds.csv"),
		reach: dropKinds, again: dropKinds},
	{place: "learn", name: "your file", link: quickLearn, is: sampleLearned, moves: true},
	{place: "learn", name: "your file, a cell picked", link: quickLearn, is: cellPicked,
		reach: pickCell, again: pickCell, moves: true},
	{place: "about", name: "opened", link: "#/about"},
}, []pressState{
	{place: "embed", name: "a new version waits", link: quickEmbed, is: newer, reach: renew},
	{place: "embed", name: "file dropped", link: quickEmbed, is: shows("people.csv"), reach: dropFile, again: dropFile},
	{place: "embed", name: "paused", link: slowEmbed, is: says("#pause", "Go on"),
		reach: pause, again: runAgain, moves: true},
	{place: "embed", name: "a job left half way", link: slowEmbed, is: leftHalfWay, reach: leave, again: leaveAgain},
	{place: "embed", name: "failed", link: quickEmbed, is: failed, reach: fail, disables: "there are no features to save"},
	{place: "embed", name: "offline", link: quickEmbed, is: offline, reach: goOffline},
	{place: "embed", name: "after back", link: "#/about", is: shows("Sample"), reach: back(quickEmbed)},
	{place: "buckets", name: "playing", link: "#/buckets" + slowPlay, is: playing, reach: play, again: play, moves: true},
	{place: "buckets", name: "offline, after back", link: "#/about", is: offline,
		reach: offlineAndBack("#/buckets?step=8")},
	{place: "convolution", name: "playing", link: "#/convolution" + slowPlay, is: playing,
		reach: play, again: play, moves: true},
	{place: "convolution", name: "offline, after back", link: "#/about", is: offline,
		reach: offlineAndBack("#/convolution?step=3")},
	{place: "convergence", name: "estimating", link: manySeeds, is: says("#halt-seeds", "Stop"), moves: true},
	{place: "convergence", name: "halted", link: manySeeds, is: says("#halt-seeds", "Go on"),
		reach: halt, again: halt},
	{place: "convergence", name: "offline, after back", link: "#/about", is: offline + " && " + estimated,
		reach: offlineAndBack(tenSeeds), disables: "all seeds are computed"},
	{place: "learn", name: "playing", link: "#/learn?nComponents=4&speed=1", is: playing,
		reach: play, again: play, moves: true},
	{place: "learn", name: "offline, after back", link: "#/about", is: offline, reach: offlineAndBack("#/learn")},
	{place: "about", name: "testing the speed", link: "#/about", is: says("#test-speed", "Stop"),
		reach: testSpeed, moves: true},
	{place: "about", name: "offline, after back", link: quickEmbed, is: offline, reach: offlineAndBack("#/about")},
}

// says holds where an element has a text.
func says(selector, text string) string {
	return fmt.Sprintf(`document.querySelector(%q)?.textContent.trim() === %q`, selector, text)
}

// shows holds where Embed shows a file.
func shows(file string) string {
	return fmt.Sprintf(`document.querySelector(".origin strong")?.textContent.startsWith(%q)`, file)
}

const (
	running = `document.querySelector("#stop-saving") &&
		document.querySelector("#pause")?.textContent.trim() === "Pause"`
	leftHalfWay = `document.querySelector('[id^="continue-"]') && !document.querySelector("#stop-saving")`
	failed      = `document.querySelector("#status")?.textContent.includes("the features exceed")`
	offline     = `!navigator.onLine`
	newer       = `document.querySelector("#newer")?.hidden === false`
	playing     = `document.querySelector("#play")?.textContent === "Pause"`
	estimated   = `document.querySelector("#halt-seeds")?.disabled`
	// rests holds where Embed has embedded what it shows.
	rests = `document.querySelector("#picture")?.getAttribute("aria-busy") === "false" &&
		!document.querySelector("#stop, #stop-saving")`
	// idle holds where the place's picture is there and, in Embed, everything that files need.
	idle = pictureReady + ` && (!document.querySelector("#picture") ||
		document.querySelector("#picture").getAttribute("aria-busy") === "false" &&
		performance.getEntriesByName("files-ready").length)`
)

// An environment is how a visitor sees and presses the page.
type environment struct {
	width  int64
	theme  string
	device *device
}

// pairwise has each pair of width and theme, width and device, theme and device. Either half has every width, theme and
// device.
var pairwise = []environment{
	{390, "light", devices[0]}, {390, "dark", devices[1]}, {1280, "dark", devices[2]},
	{1280, "dark", devices[0]}, {1280, "light", devices[1]}, {390, "light", devices[2]},
}

// product has all of them.
func product() (all []environment) {
	for _, width := range []int64{390, 1280} {
		for _, theme := range []string{"light", "dark"} {
			for _, device := range devices {
				all = append(all, environment{width, theme, device})
			}
		}
	}
	return all
}

// TestPairwise: the environments of TestPress have each pair of width, theme and device, and its halves each of these.
func TestPairwise(t *testing.T) {
	pairs := func(environments []environment) map[[2]any]bool {
		seen := map[[2]any]bool{}
		for _, e := range environments {
			seen[[2]any{e.width, e.theme}], seen[[2]any{e.width, e.device}], seen[[2]any{e.theme, e.device}] = true, true, true
		}
		return seen
	}
	if got, want := pairs(pairwise), pairs(product()); !maps.Equal(got, want) {
		t.Errorf("%d pairs of %d", len(got), len(want))
	}
	for half := range slices.Chunk(pairwise, len(pairwise)/2) {
		seen := map[any]bool{}
		for _, e := range half {
			seen[e.width], seen[e.theme], seen[e.device] = true, true, true
		}
		if len(seen) != 2+2+len(devices) {
			t.Errorf("a half has %v alone", seen)
		}
	}
}

// TestPress presses every control of every place, as a hand does. Each is pressed in the first state that has it.
// Controls in the header belong to all places at once, and those that other tests press by name are left to them. With
// -long each is pressed in every state and environment. After each press the page lives and answers, and its console is
// silent. What is in the markup and was never pressed fails the test. The test takes longest. It begins first, because
// its file is the first: of tests that wait to run in parallel, go test begins with that one.
func TestPress(t *testing.T) {
	t.Parallel()
	began := time.Now()
	shares := map[string]func(s pressState) bool{ // the header belongs to the second
		"Embed":        func(s pressState) bool { return s.place == "embed" },
		"other places": func(s pressState) bool { return s.place != "embed" },
	}
	var mutex sync.Mutex
	var pressers []*presser
	var done sync.WaitGroup
	for name, isOurs := range shares { // a subtest that calls Parallel would begin after all other tests
		done.Go(func() {
			t.Run(name, func(t *testing.T) {
				p := newPresser(t, 1)
				mutex.Lock()
				pressers = append(pressers, p)
				mutex.Unlock()
				p.pressStates(isOurs)
			})
		})
	}
	done.Wait()
	if len(pressers) < len(shares) {
		return // the page did not open, which has failed the test
	}
	all := pressers[0]
	for _, p := range pressers[1:] {
		maps.Copy(all.pressed, p.pressed)
		maps.Copy(all.markup, p.markup)
		maps.Copy(all.places, p.places)
		all.states, all.presses, all.loads = all.states+p.states, all.presses+p.presses, all.loads+p.loads
	}
	// These are shown after a key and a press.
	others := map[string]string{"#skip": "TestSkip", "div.grip": "TestDragBar"}
	if *onlyState == "" {
		for _, name := range slices.Sorted(maps.Keys(all.markup)) {
			if !all.pressed[name] && !all.byName[name] && others[name] == "" {
				t.Errorf("%s, in the markup of %s, was never pressed", name, all.markup[name])
			}
		}
	}
	t.Logf("%d places, %d states, %d controls, %d presses, %d loads in %.0f s", len(all.places), all.states,
		len(all.pressed), all.presses, all.loads, time.Since(began).Seconds())
}

// pressStates presses in some of the states.
func (p *presser) pressStates(isOurs func(s pressState) bool) {
	p.Helper()
	only, states := regexp.MustCompile(*onlyState), pressStates
	if *long {
		states = append(states, pressStatesLong...)
	}
	for i, s := range states {
		switch {
		case !isOurs(s) || !only.MatchString(s.place+", "+s.name):
		case *long:
			p.pressState(&s, product(), func(string, int, int) bool { return true })
		default:
			half := len(pairwise) / 2
			p.pressState(&s, pairwise[i%2*half:][:half], func(name string, control, environment int) bool {
				owner := ownerOf(s.place, name)
				isOthers := owner == "" && s.place == "embed"
				return !p.had[owner+name] && !p.byName[name] && !isOthers && (control+i/2)%half == environment
			})
		}
	}
}

// ownerOf returns the place that a control belongs to: none where it is in the header of all. One of the teaching
// places stands for all of them where other tests press a control in each: TestKeyboardAlone, TestQuestions, TestSaves.
func ownerOf(place, name string) string {
	switch {
	case inHeader.MatchString(name):
		return ""
	case slices.Contains(lessons, place) && inLessons.MatchString(name):
		return "lessons"
	}
	return place
}

var inLessons = regexp.MustCompile(`^#(ask-[123]|nComponents|seed|new-seed|reset|play|table-toggle|` +
	`save-picture(-png|-data)?)$`)

var inHeader = regexp.MustCompile(`^(a\.(Buckets|Convolution|Convergence|Embed|Learn|About)|#copy-(link|frame))$`)

// inPlaces are controls that several places have.
var inPlaces = regexp.MustCompile(`^#(choose|sample|label|method|nFeatures|degree|gamma|coef0|new-points|speed|` +
	`step-back|step-forward|offline-.*)$`)

// pressedByName returns the controls of one place alone that another test of this package presses, by a name that
// stands in its source.
func pressedByName(t *testing.T) map[string]bool {
	t.Helper()
	call := regexp.MustCompile(`\.(?:click|download|pressByMouse|pressByKey|pressByTouch)\("(#[\w-]+)"`)
	names := map[string]bool{}
	for _, file := range must(filepath.Glob("*_test.go"))(t) {
		for _, match := range call.FindAllSubmatch(must(os.ReadFile(file))(t), -1) {
			name := string(match[1])
			names[name] = !inPlaces.MatchString(name) && !inLessons.MatchString(name) && !inHeader.MatchString(name)
		}
	}
	return names
}

// A presser presses controls in states.
type presser struct {
	*visitor
	site, files string // folders of the page and of what is chosen
	environment
	pressed                          map[string]bool   // names of controls that were pressed
	had                              map[string]bool   // controls that had their turn, by place and name
	byName                           map[string]bool   // what pressedByName returns
	markup                           map[string]string // names of all that were seen, and where
	places                           map[string]bool
	fresh                            map[[2]any]bool // names and environments that pressFresh has had
	state                            *pressState     // of now
	home                             string          // what the state looks like, of now
	hash                             string
	recent                           []string // presses
	states, presses, loads, failures int
}

func newPresser(t *testing.T, seed uint64) *presser {
	t.Helper()
	folder := site
	if *long { // renew puts a new version there
		folder = filepath.Join(t.TempDir(), "site")
		if err := os.CopyFS(folder, os.DirFS(site)); err != nil {
			t.Fatalf("run ./build.sh dist first: %v", err)
		}
	}
	address, end := runServerOn(t, folder)
	t.Cleanup(end)
	patience := 50 * time.Minute
	if *long {
		patience = 2 * time.Hour
	}
	browser, close := startBrowser(t, hurried, oneProcess)
	t.Cleanup(close)
	v := openFor(t, patience, browser, address, "#/about")
	v.kept()
	if !*long { // then another tab would hold the old version
		keepCompiled(t, browser, address)
	}
	p := &presser{visitor: newVisitor(v, seed), site: folder, pressed: map[string]bool{}, had: map[string]bool{},
		byName: pressedByName(t), places: map[string]bool{}, fresh: map[[2]any]bool{}, markup: map[string]string{}}
	p.files = filepath.Dir(p.write("people.csv", peopleCSV))
	p.turnAway()
	return p
}

// turnAway answers links to elsewhere with nothing, so that the page stays.
func (p *presser) turnAway() {
	p.tolerate("request to another origin: https://")
	asked := chromedp.Events(p.ctx, fetch.RequestPaused)
	p.call(func(ctx context.Context) error {
		elsewhere := []*fetch.RequestPattern{{URLPattern: "https://*"}}
		_, err := chromedp.Call(ctx, fetch.Enable, fetch.EnableParams{Patterns: elsewhere})
		return err
	})
	go func() {
		for event, err := range asked {
			if err != nil {
				return
			}
			go chromedp.Do(p.ctx, chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
				nothing := fetch.FulfillRequestParams{RequestID: event.RequestID, ResponseCode: 204}
				_, err := chromedp.Call(ctx, fetch.FulfillRequest, nothing)
				return err
			}))
		}
	}()
}

// see brings about an environment.
func (p *presser) see(e environment) {
	p.Helper()
	if p.environment == e {
		return
	}
	p.environment, p.visitor.device = e, e.device
	viewport := chromedp.EmulateViewport(e.width, 844)
	if e.device.name == "touch" {
		viewport = chromedp.EmulateViewport(e.width, 844, chromedp.EmulateTouch)
	}
	p.do(viewport, media("prefers-color-scheme", e.theme))
}

// load loads the page anew, with nothing in the browser's storage but the page itself, and reaches the state.
func (p *presser) load(s *pressState) {
	p.Helper()
	p.loads++
	p.gives = []string{filepath.Join(p.files, "people.csv")}
	p.network(false)
	p.cut(false)
	eval[any](p.visit, `try { sessionStorage.clear() } catch {}`) // about:blank has none
	p.navigate(chromedp.Navigate("about:blank"))
	p.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, storage.ClearDataForOrigin,
			storage.ClearDataForOriginParams{Origin: p.origin, StorageTypes: "file_systems,indexeddb,local_storage"})
		return err
	}))
	p.navigate(chromedp.Navigate(p.origin + "/" + s.link))
	p.takeTrouble()
	p.wait(idle)
	if s.reach != nil {
		s.reach(p)
		p.wait(idle + " || " + s.holds())
	}
	p.wait(s.holds())
	if !s.moves {
		p.settled()
	}
	p.hash = eval[string](p.visit, stateNow)
}

// hasEndedJob reports whether a state shows a job that has ended.
func hasEndedJob(state string) bool { return strings.Contains(state, `"#save-job`) }

// navigate shows a page, a second time if the page's own reload overtakes it, as after #newer-reload. It waits two
// minutes for the event load, which once did not come in 50 minutes; then only what the page shows counts.
func (p *presser) navigate(show chromedp.Action[chromedp.Void]) {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	err := chromedp.Do(ctx, show)
	if wrong, ok := errors.AsType[*chromedp.LoadError](err); ok && wrong.ErrorText == "net::ERR_ABORTED" {
		err = chromedp.Do(ctx, show)
	}
	if errors.Is(err, context.DeadlineExceeded) && p.ctx.Err() == nil {
		p.Logf("%s, %s: no event load within two minutes", p.state.place, p.state.name)
	} else if err != nil {
		p.Fatal(err)
	}
}

func (s *pressState) holds() string {
	if s.is == "" {
		return pictureReady
	}
	return "(" + s.is + ")"
}

// remember notes what the state looks like.
func (p *presser) remember(s *pressState) []control {
	p.Helper()
	said, wrong := p.after(s.moves)
	if wrong != nil {
		p.Errorf("%s, %s: %q", s.place, s.name, wrong)
	}
	p.home = said.State
	return p.controls()
}

// restore brings the state back after a press, and checks that it is the same.
func (p *presser) restore(s *pressState, now string, last control) {
	p.Helper()
	back := func(patience time.Duration, trips bool) bool {
		const back = `hand.back(%s, %s, %v, %d, %v).then((same) => same && Boolean(%s))`
		return p.whileLoading(fmt.Sprintf(back, quoted(p.hash), quoted(p.home), s.moves, patience.Milliseconds(), trips,
			s.holds()))
	}
	// same goes to another place and back, if need be.
	same := func(patience time.Duration) bool { return back(patience, true) }
	const soon = 100 * time.Millisecond    // patience costs time where the state does not come back
	leaves := last.Name == "#newer-reload" // in a moment: the page of now is not to be trusted
	stopped := !strings.Contains(p.home, `"#stop-saving",false,true`) && p.startsJob()
	if stopped && p.whileLoading(`Boolean(document.querySelector("#stop-saving"))`) {
		leaves = true
	}
	if !leaves {
		opens := slices.Contains([]string{"summary", "checkbox"}, last.Kind) // to press it again is cheaper than the way
		if !stopped && now == p.home && p.whileLoading("Boolean("+s.holds()+")") || back(soon, false) ||
			p.closesDialog() && back(soon, false) || !stopped && opens && p.toggles(last) && back(soon, false) ||
			same(soon) || !stopped && !opens && p.toggles(last) && same(2*soon) {
			return
		}
		if p.tidies(s, same) {
			return
		}
	}
	e := p.environment
	p.see(environment{1280, "light", devices[0]})
	p.load(s)
	p.see(e)
	p.drawn()
	if !same(patience) {
		p.Errorf("%s, %s: after %s the state does not come back: it is\n%s\nwas\n%s", s.place, s.name, last.Name,
			eval[string](p.visit, fmt.Sprintf("hand.state(%v)", s.moves)), p.home)
		p.remember(s)
	}
}

// toggles presses a control a second time, if that may undo the first.
func (p *presser) toggles(last control) bool {
	p.Helper()
	if !slices.Contains([]string{"button", "summary", "checkbox", "handle"}, last.Kind) ||
		regexp.MustCompile("^#(choose|sample|save|continue|remove)").MatchString(last.Name) || p.hasLeft(last) ||
		p.visitor.device.press(p.visitor, last) != "" {
		return false
	}
	p.drawn()
	p.answer()
	p.closesDialog()
	return true
}

// tidies presses what closes, removes or takes back what the state does not have, and then goes the state's own way
// back. That is cheaper than to load the page.
func (p *presser) tidies(s *pressState, same func(patience time.Duration) bool) bool {
	p.Helper()
	const while = 500 * time.Millisecond
	undoes := regexp.MustCompile("^#(close-column|sample|remove-)")
	undone := false
	for range 5 {
		controls := p.controls()
		at := slices.IndexFunc(controls, func(c control) bool {
			return undoes.MatchString(c.Name) && c.canPress() && !strings.Contains(p.home, quoted(c.Name)+",false,true")
		})
		if at < 0 || p.byMouse(controls[at]) != "" {
			break
		}
		p.drawn()
		undone = true
	}
	if s.again == nil {
		return same(while)
	}
	if !s.moves && undone && same(while) {
		return true
	}
	s.again(p)
	return same(while)
}

// closesDialog closes the dialog that a press has opened, if it has.
func (p *presser) closesDialog() bool {
	p.Helper()
	if !p.whileLoading(`Boolean(document.querySelector("dialog:modal"))`) {
		return false
	}
	p.do(chromedp.KeyEvent(kb.Escape))
	return true
}

// startsJob stops the job that a press has started, if there is one that does not end in half a second.
func (p *presser) startsJob() bool {
	p.Helper()
	const lasts = `new Promise((resolve) => {
		const stop = () => document.querySelector("#stop-saving");
		if (!stop()) resolve(false);
		else setTimeout(() => resolve(Boolean(stop())), 500);
	})`
	if !p.whileLoading(lasts) {
		return false
	}
	p.whileLoading(`(async () => {
		document.querySelector("#stop-saving")?.click();
		for (let k = 0; k < 100 && document.querySelector("#stop-saving"); k++) await new Promise((go) => setTimeout(go, 50));
		return true;
	})()`)
	p.drawn() // then it is in the list of jobs
	return true
}

// whileLoading evaluates what holds, also where a press has the page loaded again.
func (p *presser) whileLoading(expression string) (holds bool) {
	p.Helper()
	var err error
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		holds, err = chromedp.Run(p.ctx, chromedp.Evaluate[bool](expression, chromedp.EvalAwaitPromise))
		if err == nil {
			return holds
		}
	}
	p.Fatalf("%s: %v", expression, err)
	return false
}

// drawn waits until what was pressed or a change of the environment is drawn, also where the page is loaded again. It
// does not ask whether the page answers, which has Go draw twice: what comes after it does.
func (p *presser) drawn() {
	p.Helper()
	p.whileLoading(`(async () => {
		for (let k = 0; k < 3; k++) {
			await new Promise((resolve) => {
				requestAnimationFrame(resolve);
				setTimeout(resolve, 100);
			});
		}
		return true;
	})()`)
}

// hasLeft says whether a control cannot be pressed any more.
func (p *presser) hasLeft(c control) bool {
	p.Helper()
	return !slices.ContainsFunc(p.controls(), func(other control) bool { return other.Name == c.Name && other.canPress() })
}

// press presses a control, and says what the page looks like then. One that is fleeting, such as Stop, may be gone
// before.
func (p *presser) press(s *pressState, c control, fleeting bool) afterwards {
	p.Helper()
	p.presses++
	p.pressed[c.Name] = true
	if p.recent = append(p.recent, c.Name); len(p.recent) > 6 {
		p.recent = p.recent[1:]
	}
	var wrong []string
	problem := p.visitor.device.press(p.visitor, c)
	if problem == gone && (s.moves || s.again != nil) && !fleeting { // a job has ended, or begun again, meanwhile
		p.restore(s, "", c)
		problem = p.visitor.device.press(p.visitor, c)
	}
	if problem != "" && !(fleeting && problem == gone) {
		wrong = append(wrong, problem)
	}
	said, more := p.after(s.moves)
	wrong = append(wrong, more...)
	// A hand that has missed what moved away under it presses again.
	if c.Kind == "summary" && problem == "" && p.isStill(c) {
		p.Logf("%s, %s: %s did not open or close at the first press", s.place, s.name, c.Name)
		p.visitor.device.press(p.visitor, c)
		said, more = p.after(s.moves)
		if wrong = append(wrong, more...); p.isStill(c) {
			wrong = append(wrong, "it does not open or close")
		}
	}
	if p.answer() {
		p.pressed["#file"] = true
		said, more = p.after(s.moves)
		wrong = append(wrong, more...)
	}
	if wrong != nil {
		p.Errorf("%s, %s: %s by %s, %d px, %s (before it: %s):\n\t%s", s.place, s.name, c.Name, p.visitor.device.name,
			p.width, p.theme, strings.Join(p.recent[:len(p.recent)-1], ", "), strings.Join(wrong, "\n\t"))
		if p.failures++; p.failures > 40 {
			p.Fatal("that is enough")
		}
	}
	return said
}

// isStill reports whether a control has the value that it had when it was listed.
func (p *presser) isStill(c control) bool {
	p.Helper()
	return slices.ContainsFunc(p.controls(), func(now control) bool { return now.Name == c.Name && now.Value == c.Value })
}

// pressState presses controls of a state in the environments where asked holds, and what a press brings forth right
// after it. asked gets a control's name, its number in the state, and the environment's number.
func (p *presser) pressState(s *pressState, environments []environment,
	asked func(name string, control, environment int) bool) {
	p.Helper()
	began, before := time.Now(), p.presses
	p.states++
	p.state, p.places[s.place] = s, true
	p.see(environment{1280, "light", devices[0]})
	p.load(s)
	controls := p.remember(s)
	loaded := p.home
	known := map[string]bool{}
	turn := map[string]int{}
	for _, c := range controls {
		known[c.Name] = c.canPress() // what is hidden may be brought forth
		p.markup[c.Name] = s.place + ", " + s.name
		if c.Disabled && c.Shown && s.disables == "" {
			p.Errorf("%s, %s: %s is disabled, and nothing says why", s.place, s.name, c.Name)
		}
		if c.canPress() {
			turn[c.Name] = len(turn)
		}
	}
	due := map[string]bool{} // those that were hidden in their turn are pressed where they are seen next
	done := map[string]bool{}
	for at := range len(environments) + 2 {
		again := at >= len(environments)
		isHere := func(name string) bool { return !again && asked(name, turn[name], at) }
		if len(due) == 0 && !slices.ContainsFunc(slices.Collect(maps.Keys(turn)), isHere) {
			continue
		}
		e := environments[at%len(environments)]
		p.see(e)
		p.drawn()
		now := p.remember(s)
		// On a slow machine a job has ended meanwhile, or what was removed is gone only now.
		if s.moves && (hasEndedJob(p.home) && !hasEndedJob(loaded) || !p.whileLoading("Boolean("+s.holds()+")")) {
			p.see(environment{1280, "light", devices[0]})
			p.load(s)
			p.see(e)
			p.drawn()
			now = p.remember(s)
		}
		for _, c := range now {
			_, ok := turn[c.Name]
			if !ok && c.canPress() { // in this width alone
				turn[c.Name], due[c.Name] = len(turn), true
			} else if !ok {
				continue
			}
			if isHere(c.Name) {
				due[c.Name] = true
			}
			if !due[c.Name] || !c.canPress() {
				continue
			}
			delete(due, c.Name)
			done[c.Name] = true
			_, first := known[c.Name]
			said := p.press(s, c, s.moves && !first) // a job that has ended meanwhile leaves what the state has not
			if len(p.brought(said.State, known)) > 0 {
				p.pressFresh(s, c, known, said.State)
				said.State = ""
			}
			p.restore(s, said.State, c)
		}
	}
	for name, n := range turn {
		isAsked := due[name]
		for at := range environments {
			isAsked = isAsked || asked(name, n, at)
		}
		if isAsked && !done[name] {
			p.Errorf("%s, %s: %s was seen and not pressed, after %v; now the state holds: %v, with the jobs %q", s.place,
				s.name, name, p.recent, p.whileLoading("Boolean("+s.holds()+")"),
				eval[string](p.visit, `document.querySelector(".jobs")?.innerText ?? ""`))
		}
	}
	for name := range done {
		p.had[ownerOf(s.place, name)+name] = true
	}
	p.Logf("%s, %s: %d controls, %d presses in %.1f s", s.place, s.name, len(turn), p.presses-before,
		time.Since(began).Seconds())
}

// brought returns the names of controls that can be pressed now and are not known.
func (p *presser) brought(state string, known map[string]bool) (fresh []string) {
	const shownFile = 2 // in what hand.state returns
	var parts, home []json.RawMessage
	var controls [][4]any
	if json.Unmarshal([]byte(state), &parts) != nil || len(parts) == 0 || json.Unmarshal(parts[0], &controls) != nil {
		return nil
	}
	if json.Unmarshal([]byte(p.home), &home) != nil || string(parts[shownFile]) != string(home[shownFile]) ||
		!strings.Contains(string(parts[len(parts)-1]), "at-"+p.state.place) {
		return nil // another place or file, which is another state
	}
	for _, c := range controls {
		if name := c[0].(string); !known[name] && c[1] == false && c[2] == true {
			fresh = append(fresh, name)
		}
	}
	return fresh
}

// pressFresh presses what a press has brought forth, as far as it is not known: once, and brings it forth again only if
// another press has taken it away; with -long each right after that press, once in each environment.
func (p *presser) pressFresh(s *pressState, by control, known map[string]bool, brought string) {
	p.Helper()
	now := brought
	for _, name := range p.brought(brought, known) {
		p.markup[name] = s.place + ", " + s.name + ", after " + by.Name
		here := [2]any{name, p.environment}
		if p.pressed[name] && !*long || p.fresh[here] {
			continue
		}
		for range 5 { // what a job brings may be gone before a hand is there
			if now != brought && (*long || !slices.Contains(p.brought(now, known), name)) {
				p.restore(s, now, by)
				p.press(s, by, false)
			}
			controls := p.controls()
			at := slices.IndexFunc(controls, func(c control) bool { return c.Name == name && c.canPress() })
			if at >= 0 {
				p.fresh[here] = true
				now = p.press(s, controls[at], true).State
				break
			}
			now = ""
		}
	}
}

// tap presses a control by its name on the way to a state.
func (p *presser) tap(name string) {
	p.Helper()
	problem := gone
	for range 10 { // it may be disabled between the two looks
		p.wait(fmt.Sprintf(`hand.controls().some((c) => c.name === %s && c.shown && !c.disabled)`, quoted(name)))
		if problem = p.tries(name); problem != gone {
			break
		}
	}
	if problem != "" {
		p.Fatalf("%s: %s", name, problem)
	}
}

// beginJob saves the slow file. A press is for nothing where the button is disabled just before it.
func (p *presser) beginJob() {
	p.Helper()
	for range 5 {
		p.tap("#save-npy")
		for range 50 {
			if eval[bool](p.visit, "Boolean("+running+")") {
				return
			}
			p.frame()
		}
	}
	p.Fatalf("Save begins no job; status: %q", p.text("#saving-status"))
}

// tries presses a control by its name, and says why it could not.
func (p *presser) tries(name string) (problem string) {
	p.Helper()
	for _, c := range p.controls() {
		if c.Name == name && c.canPress() {
			p.pressed[name] = true
			return p.byMouse(c)
		}
	}
	return gone
}

// chooseFile chooses a file through the dialog that the button opens.
func chooseFile(p *presser) {
	p.Helper()
	p.tap("#choose")
	if _, wrong := p.after(false); wrong != nil {
		p.Fatalf("Choose a file: %q", wrong)
	}
	for deadline := time.Now().Add(soon); !p.answer(); time.Sleep(10 * time.Millisecond) { // the browser tells of it late
		if time.Now().After(deadline) {
			p.Fatal("Choose a file opens no dialog")
		}
	}
	p.embedded()
}

// learnedOf holds where the half of a file has learned from one, and shows its predictions.
func learnedOf(file string) string {
	return shows(file) + ` && document.querySelector("#learn-status").textContent.startsWith("Learned from") &&
		document.querySelector("#learn-curve[aria-busy=false]") &&
		document.querySelector("#learn-detail .spot:not([hidden])")`
}

// sampleLearned holds where it has learned from the sample. The pad comes last.
var sampleLearned = learnedOf("Sample") + ` && document.querySelector("#pad")`

// cellPicked holds where the rows behind a cell are listed, and there are more.
var cellPicked = sampleLearned + ` && document.querySelector("#more-behind").checkVisibility()`

// pickCell picks the last cell of the confusion matrix.
func pickCell(p *presser) {
	p.Helper()
	p.wait(sampleLearned)
	p.pressByKey("#learn-detail .spot", kb.End)
	p.wait(cellPicked)
}

// dropKinds drops a file with a label of two classes.
func dropKinds(p *presser) {
	p.Helper()
	path := filepath.Join(p.files, "kinds.csv")
	if err := os.WriteFile(path, []byte("a,b,kind\n"+strings.Repeat("1,2,x\n3,1,y\n2,5,x\n", 20)), 0o644); err != nil {
		p.Fatal(err)
	}
	p.gives = []string{path}
	p.learnedAfter(func() { p.drag(path) }) // it may be shown already
	p.wait(learnedOf("kinds.csv"))
}

func dropFile(p *presser) {
	p.Helper()
	p.drag(p.gives[0])
	p.embedded()
}

// dropUmlauts drops a file whose head is UTF-8, for which it is taken, and whose last row is not.
func dropUmlauts(p *presser) {
	p.Helper()
	path := filepath.Join(p.files, "umlauts.csv")
	rows := "people,town\n" + strings.Repeat(strings.Repeat(" ", 1000)+"1,Ulm\n2,Bonn\n", 300) + "3,M\xfcnchen\n"
	if err := os.WriteFile(path, []byte(rows), 0o644); err != nil {
		p.Fatal(err)
	}
	p.gives = []string{path}
	p.drag(path)
	p.wait(p.state.holds() + " && " + rests)
	p.settled()
}

// embedded waits until the file is shown, and the workers rest.
func (p *presser) embedded() {
	p.Helper()
	p.wait(shows("people.csv") + " && " + rests)
	p.settled()
}

// run saves a file that takes long.
func run(p *presser) {
	p.Helper()
	p.showSlowFile()
	p.beginJob()
	p.wait(running + ` && /\d\s+rows.*left/.test(document.querySelector("#saving-figures").textContent)`)
}

// runAgain brings what runs or pauses back to what it was, unless it ends meanwhile.
func runAgain(p *presser) {
	p.Helper()
	if !eval[bool](p.visit, "Boolean("+shows("slow.csv")+` && document.querySelector("#save-npy:enabled"))`) {
		if eval[bool](p.visit, `Boolean(document.querySelector("#stop-saving"))`) {
			return // a job runs, and to load the page is quicker than to wait for its end
		}
		p.showSlowFile()
	}
	if !eval[bool](p.visit, `Boolean(document.querySelector("#stop-saving"))`) {
		p.beginJob()
	}
	pauses := strings.Contains(p.state.is, "Go on")
	runs, ends := eval[bool](p.visit, "Boolean("+running+")"), eval[bool](p.visit, `!document.querySelector("#pause")`)
	if pauses == runs && !ends {
		p.tries("#pause")
	}
}

// fail asks for features that float32 cannot hold.
func fail(p *presser) {
	p.Helper()
	p.follow(badEmbed)
}

func pause(p *presser) {
	p.Helper()
	run(p)
	p.tap("#pause")
	p.wait(`document.querySelector("#saving-status").textContent.startsWith("Paused.")`)
}

func stop(p *presser) {
	p.Helper()
	run(p)
	p.stopHalfWay()
}

// stopAgain brings the slow file back, with one job that is left half way.
func stopAgain(p *presser) {
	p.Helper()
	p.showSlowFile()
	if !eval[bool](p.visit, "Boolean("+leftHalfWay+")") {
		p.beginJob()
		p.stopHalfWay()
	}
}

// stopHalfWay stops the job that runs, after some rows.
func (p *presser) stopHalfWay() {
	p.Helper()
	p.wait(`/\d,\d{3}\s+rows/.test(document.querySelector("#saving-figures").textContent)`)
	p.tap("#stop-saving")
	p.wait(leftHalfWay)
	p.settled()
}

// leave leaves a job half way, and comes back later.
func leave(p *presser) {
	p.Helper()
	stop(p)
	p.do(chromedp.Reload())
	p.wait(idle)
	p.wait(leftHalfWay)
}

// leaveAgain leaves a job half way, unless there is one, and shows the sample.
func leaveAgain(p *presser) {
	p.Helper()
	if !eval[bool](p.visit, "Boolean("+leftHalfWay+")") {
		stopAgain(p)
	}
	p.tries("#sample")
}

func (p *presser) showSlowFile() {
	p.Helper()
	p.gives = []string{p.slowFile()}
	p.readyAfter(func() { p.drag(p.gives...) }) // it may be shown already
	p.wait(shows("slow.csv") + " && " + rests)
}

// slowFile has rows whose embedding takes a while, and so many that the page shows the first of them alone.
func (p *presser) slowFile() string {
	p.Helper()
	path := filepath.Join(p.files, "slow.csv")
	if _, err := os.Stat(path); err == nil {
		return path
	}
	rows := "width,height,place\n" + strings.Repeat("1,2.5,3\n4,-1,0.25\n2,2,7\n0.5,9,1\n", 100_000)
	if err := os.WriteFile(path, []byte(rows), 0o644); err != nil {
		p.Fatal(err)
	}
	return path
}

// goOffline cuts the network off after the service worker has the page, which is then loaded again.
func goOffline(p *presser) {
	p.Helper()
	p.kept()
	p.cut(true)
	p.network(true)
	p.tolerate("net::ERR_INTERNET_DISCONNECTED") // of what the dialog asks
	p.navigate(chromedp.Reload())
	p.wait(idle)
}

// cut has requests of the page fail, or not.
func (p *presser) cut(off bool) {
	p.Helper()
	p.call(func(ctx context.Context) error {
		_, err := chromedp.Call(ctx, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
			MatchedNetworkConditions: []*network.Conditions{{Offline: off, DownloadThroughput: -1, UploadThroughput: -1}}})
		return err
	})
}

// back goes to a link, on to another place, and back.
func back(link string) func(p *presser) {
	return func(p *presser) {
		p.Helper()
		p.follow(link)
		p.wait(idle)
		hash := eval[string](p.visit, stateNow)
		p.follow("#/about?embed=0")
		if strings.HasPrefix(link, "#/about") {
			p.follow("#/buckets")
		}
		eval[any](p.visit, `history.back()`)
		p.wait(stateNow + " === " + quoted(hash))
		p.wait(idle)
	}
}

// offlineAndBack goes offline, to a link, on to another place, and back.
func offlineAndBack(link string) func(p *presser) {
	return func(p *presser) {
		p.Helper()
		goOffline(p)
		back(link)(p)
	}
}

func play(p *presser) {
	p.Helper()
	if !eval[bool](p.visit, playing) {
		p.tap("#play")
	}
}

func testSpeed(p *presser) {
	p.Helper()
	p.tap("#test-speed")
}

func halt(p *presser) {
	p.Helper()
	if eval[bool](p.visit, `document.querySelector("#halt-seeds").textContent === "Stop"`) {
		p.tap("#halt-seeds")
	}
}

// renew puts a new version of the page on its server, and waits until the page says so.
func renew(p *presser) {
	p.Helper()
	name := filepath.Join(p.site, "page", "about.css")
	style, err := os.ReadFile(name)
	if err == nil {
		err = os.WriteFile(name, append(style, fmt.Sprintf(":root { --mark: m%d }\n", p.loads)...), 0o644)
	}
	if err != nil {
		p.Fatal(err)
	}
	for _, packed := range []string{".br", ".gz"} {
		os.Remove(name + packed)
	}
	p.visit.look()
	p.wait(`!document.querySelector("#newer").hidden`)
}

// TestPressAtRandom takes long: ./build.sh soak calls it. Each walk presses controls of any place at random, by any
// device, in any environment, writes anything into fields, and drops, chooses, goes back and goes offline.
func TestPressAtRandom(t *testing.T) {
	if !*long {
		return
	}
	seeds := []uint64{*walkSeed}
	if *walkSeed == 0 {
		now := uint64(time.Now().UnixNano())
		seeds = []uint64{now, now + 1}
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Logf("repeat with -walkseed=%d", seed)
			newPresser(t, seed).walk(seed)
		})
	}
}

func (p *presser) walk(seed uint64) {
	p.Helper()
	began, random := time.Now(), rand.New(rand.NewPCG(seed, 1))
	s := &pressState{place: "walk", name: fmt.Sprint(seed), link: quickEmbed, moves: true}
	all, devicesSeen := product(), map[string]int{}
	var files [][]string
	for name, content := range map[string]string{"people.csv": peopleCSV, "small.csv": smallCSV, "empty.csv": "",
		"rows.jsonl": `{"a":1,"b":"x"}` + "\n" + `{"a":2,"b":"y"}`, "text.txt": "a good day\na bad day\n",
		"rows.libsvm": "1 1:2 3:4\n-1 2:1\n"} {
		files = append(files, []string{p.write(name, content)})
	}
	slices.SortFunc(files, slices.Compare)
	p.see(all[random.IntN(len(all))])
	p.load(s)
	off := false
	for p.presses < *walkPresses {
		p.gives = files[random.IntN(len(files))]
		what := ""
		switch n := random.IntN(400); {
		case n < 20:
			p.see(all[random.IntN(len(all))])
		case n < 28:
			what = "back"
			eval[any](p.visit, `history.length > 2 && history.back()`)
		case n < 34:
			what = "drop"
			p.drag(p.gives...)
		case n < 36:
			off = !off
			what = fmt.Sprintf("offline %v", off)
			p.tolerate("net::ERR_INTERNET_DISCONNECTED")
			p.cut(off)
			p.network(off)
		case n < 38:
			what = "reload"
			p.do(chromedp.Reload())
		case n < 48:
			what = "Tab"
			p.do(chromedp.KeyEvent(kb.Tab))
		case n < 54:
			what = "Escape"
			p.do(chromedp.KeyEvent(kb.Escape))
		}
		if what != "" {
			p.recent = append(p.recent, what)
			if _, wrong := p.after(true); wrong != nil {
				p.Errorf("step %d of seed %d: %s (before it: %v): %q", p.presses, seed, what, p.recent, wrong)
				p.load(s)
			}
			continue
		}
		controls := slices.DeleteFunc(p.controls(), func(c control) bool { return !c.canPress() })
		if len(controls) == 0 {
			p.Errorf("step %d of seed %d: there is nothing to press (before it: %v)", p.presses, seed, p.recent)
			p.load(s)
			continue
		}
		p.visitor.device = devices[random.IntN(len(devices))]
		devicesSeen[p.visitor.device.name]++
		failures := p.failures
		p.press(s, controls[random.IntN(len(controls))], true)
		if p.failures > failures {
			p.load(s)
		}
	}
	p.Logf("%d presses of %d controls, %v, %d loads in %.0f s", p.presses, len(p.pressed), devicesSeen, p.loads,
		time.Since(began).Seconds())
}
