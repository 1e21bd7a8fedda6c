package main

import (
	"runtime/debug"
	"strings"
	"syscall/js"
	"time"

	"github.com/vugu/vugu"
	"github.com/vugu/vugu/domrender"
	"tensorsketch.example/ui/internal/control"
	"tensorsketch.example/ui/internal/dom"
)

func main() { panic(start()) }

// start draws the page and keeps it up to date. It returns only if that fails.
func start() (err error) {
	defer dom.Catch(&err)
	renderer, err := newRenderer()
	if err != nil {
		return err
	}
	control.DecimalComma = strings.Contains(dom.Text(dom.New("Number", 1.5).Call("toLocaleString")), ",")
	hash := hashShown()
	app := NewApp(hash)
	page := &browser{app: app, Loop: dom.NewLoop(app.Fail), samples: map[bool]map[string]any{},
		address: address{shown: -addressPause}}
	page.collect()
	page.HearVugu()
	page.openFiles()
	page.address.followed(hash)
	app.Browser = page
	page.openSample()
	page.ShowHash(app.State.Hash(), false)
	page.ShowTitle(app.State.place().Label)
	app.open()
	page.listen()
	build, err := vugu.NewBuildEnv(renderer.EventEnv())
	if err != nil {
		return err
	}
	return drawForever(renderer, build, page)
}

// newRenderer makes Vugu's renderer without its use of eval, which the page's policy forbids. vugu-helper.js has
// already done what eval would do.
func newRenderer() (*domrender.JSRenderer, error) {
	global := js.Global()
	eval := global.Get("eval")
	if global.Get("vuguRender").Type() == js.TypeFunction {
		global.Set("eval", global.Get("Boolean")) // Boolean does nothing
	}
	defer global.Set("eval", eval)
	return domrender.New("#app")
}

// drawForever draws after every event, at most once per frame.
func drawForever(renderer *domrender.JSRenderer, build *vugu.BuildEnv, page *browser) error {
	hosts := newHosts(page)
	root := &Root{App: page.app}
	for isFirst := true; ; isFirst = false {
		// The picture is drawn first, because the visitor may be dragging it; then the words.
		drawn := false
		if err := page.Draw(func() error { drawn = hosts.stage.drawFirst(page.app); return nil }); err != nil {
			return err
		}
		if drawn {
			dom.NextFrame()
		}
		if !isFirst {
			time.Sleep(time.Millisecond) // the words are a task of their own, after the frame's layout
		}
		if err := page.Draw(func() error { return page.draw(renderer, build.RunBuild(root), hosts) }); err != nil {
			return err
		}
		dom.NextFrame()
		page.Wait()
	}
}

// draw draws the page, and starts the work that is left. The App is locked.
func (b *browser) draw(renderer *domrender.JSRenderer, tree *vugu.BuildResults, hosts *hosts) error {
	held := focusNow()
	dropOversized(tree, tree.Out)
	if err := renderer.Render(tree); err != nil {
		return err
	}
	hosts.draw(b.app)
	b.collect()
	b.estimated.Do(b.Estimate) // from the first drawing on: it loads workers
	b.work()
	b.lookAhead()
	b.user.look()
	b.Afterwards(held.hold) // what is drawn may have moved the focus itself
	b.note()
	// later than the first drawing, the seeds and what moves by itself, because starting a worker would delay them
	if b.app.Missing() == 0 && !b.app.Lesson.Playing {
		b.opened.Do(func() { b.Background(b.begin) })
	}
	return nil
}

// collect sets how much is allocated before a collection, which holds the thread for 25 ms: 16 MB where pictures move,
// and 6 MB where files are read, because the memory of a program in WebAssembly never shrinks.
func (b *browser) collect() {
	percent := 400
	if b.app.State.Place == PlaceEmbed || b.app.State.IsHalf(HalfFile) {
		percent = 150
	}
	if percent != b.percent {
		b.percent = percent
		debug.SetGCPercent(percent)
	}
}

// begin comes back to a file that is kept and embeds if the place is Embed, and waits until the worker has the core,
// which it loads before it embeds.
func (b *browser) begin() {
	b.restore()
	b.Change(func() {
		b.begun = true
		if b.app.State.Place == PlaceEmbed || b.app.State.IsHalf(HalfFile) {
			b.app.Embed()
		}
	})
	_, err := b.files.call("core", map[string]any{})
	b.Change(func() {
		if b.ready = err == nil; !b.ready {
			b.app.FailRun(err.Error() + again)
		}
	})
}

// again tells what helps where the core cannot be loaded.
const again = ". Load the page again."
