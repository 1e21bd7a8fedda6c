package main

import (
	"syscall/js"

	"github.com/hack-pad/safejs"
	"github.com/vugu/vugu"
	"github.com/vugu/vugu/domrender"
)

func main() { panic(start()) }

// start draws the page and keeps it drawn. It returns only where that fails.
func start() error {
	renderer, err := newRenderer()
	if err != nil {
		return err
	}
	location, err := safejs.Global().Get("location")
	if err != nil {
		return err
	}
	hash := text(location, "hash")
	app := NewApp(hash)
	page := &browser{app: app, env: renderer.EventEnv()}
	if err := page.openFiles(); err != nil {
		return err
	}
	page.address.followed(hash)
	app.Browser = page
	page.openSample()
	page.ShowHash(app.State.Hash(), false)
	page.ShowTitle(app.State.at().label)
	page.Estimate()
	if err := listenAll(page); err != nil {
		return err
	}
	build, err := vugu.NewBuildEnv(renderer.EventEnv())
	if err != nil {
		return err
	}
	return drawForever(renderer, build, page)
}

// newRenderer makes Vugu's renderer without its eval, which the page's policy
// forbids: vugu-helper.js has already done what it would do.
func newRenderer() (*domrender.JSRenderer, error) {
	global := js.Global()
	eval := global.Get("eval")
	nothing := js.FuncOf(func(js.Value, []js.Value) any { return nil })
	defer nothing.Release()
	if global.Get("vuguRender").Type() == js.TypeFunction {
		global.Set("eval", nothing)
	}
	defer global.Set("eval", eval)
	return domrender.New("#app")
}

// drawForever draws after every event, at most once in a frame.
func drawForever(renderer *domrender.JSRenderer, build *vugu.BuildEnv, page *browser) error {
	wanted := make(chan struct{}, 1)
	redraw := func() {
		select {
		case wanted <- struct{}{}:
		default:
		}
	}
	go func() {
		for renderer.EventWait() {
			redraw()
		}
	}()
	root := &Root{App: page.app}
	hosts, err := newHosts(page, redraw)
	if err != nil {
		return err
	}
	for {
		// The picture comes first, for it is what a hand drags; then the words.
		page.drawing = true
		if drawn, err := hosts.stage.drawFirst(page.app); err != nil {
			return err
		} else if drawn {
			page.drawing = false
			if err := nextFrame(); err != nil {
				return err
			}
		}
		tree, shown := build.RunBuild(root), *root.App
		page.drawing = true
		if err := renderer.Render(tree); err != nil {
			return err
		}
		if err := hosts.draw(&shown); err != nil {
			return err
		}
		page.drawing = false
		page.work()
		page.lookAhead()
		if page.app.Missing() == 0 { // after what is drawn first, and the seeds, which it would delay
			page.opened.Do(func() { go page.loadCore() })
		}
		if err := nextFrame(); err != nil {
			return err
		}
		<-wanted
	}
}

// loadCore waits for the core, and embeds the sample where that is shown.
func (b *browser) loadCore() {
	core, err := loadCore()
	b.change(func() {
		if err != nil {
			b.app.Run = Run{Phase: Failed, Message: err.Error() + ". Load the page again."}
			return
		}
		b.core = core
		if b.app.State.Place == PlaceEmbed {
			b.app.embed()
		}
	})
}
