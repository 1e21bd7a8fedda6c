package main

import (
	"html"
	"strings"
	"time"

	"github.com/hack-pad/safejs"
)

// copy puts on the clipboard what an action asks for, and says so on its button
// for a moment.
func (b *browser) copy(action Action) {
	said := "Copied"
	if err := b.copyText(action); err != nil {
		said = "Not allowed here"
	}
	b.change(func() { b.app.said[action] = said })
	time.Sleep(2 * time.Second)
	b.change(func() { delete(b.app.said, action) })
}

func (b *browser) copyText(action Action) error {
	location, err := safejs.Global().Get("location")
	if err != nil {
		return err
	}
	page, _, _ := strings.Cut(text(location, "href"), "#")
	state := State{}
	b.change(func() { state = b.app.State })
	content := page + state.Hash()
	switch action {
	case CopyFrame:
		state.Embedded = true
		content = `<iframe src="` + html.EscapeString(page+state.Hash()) + `" title="Tensor Sketch: ` + state.at().label +
			`" width="100%" height="760" loading="lazy"></iframe>`
	case CopyCode:
		code, err := element("code")
		if err != nil {
			return err
		}
		content = text(code, "textContent")
	}
	navigator, err := safejs.Global().Get("navigator")
	if err != nil {
		return err
	}
	clipboard, err := navigator.Get("clipboard")
	if err != nil {
		return err
	}
	promise, err := clipboard.Call("writeText", content)
	if err != nil {
		return err
	}
	_, err = await(promise)
	return err
}
