package main

import (
	"strconv"
	"strings"

	"tensorsketch.example/ui/internal/dom"
	"tensorsketch.example/ui/internal/embed"
)

// listen adds listeners for what Vugu does not handle: the address, keys, dropped files, the file input and the list
// of columns. They report whether the page has to be drawn: most presses and keys also cause events that change
// nothing.
func (b *browser) listen() {
	window, document := dom.Window(), dom.Document()
	flush := func(dom.Value) bool { b.address.flush(); return false } // when a gesture ends, or the page
	pressed := ""                                                     // the link as the first finger came down
	press := func(event dom.Value) bool {
		if dom.Truth(event, "isPrimary") {
			pressed = b.app.State.Hash()
		}
		return false
	}
	// A finger that began on a slider or a picture scrolls or zooms the page: what it has moved goes back.
	undo := func(dom.Value) (changed bool) {
		if changed = pressed != ""; changed {
			b.app.OpenHash(pressed)
			b.address.flush()
			pressed = ""
		}
		return changed
	}
	for _, l := range []struct {
		target    dom.Value
		eventType string
		f         func(dom.Value) (changed bool)
	}{
		{window, "hashchange", b.onHashChange},
		{document, "keydown", b.onKey},
		{document, "focusin", b.onFocus},
		{document, "focusout", b.onBlur},
		{document, "pointerdown", press},
		{document, "pointercancel", undo},
		{document, "pointerup", flush},
		{document, "change", flush},
		{window, "pagehide", flush},
		{window, "requests", b.onRequests},
		{document, "dragover", b.onDragOver},
		{document, "dragleave", b.onDragLeave},
		{document, "drop", b.onDrop},
		{document, "change", b.onChosen},
		{document, "input", b.onFind},
		{document, "click", b.onPressed},
		{dom.Element("file"), "change", b.onFileChosen},
	} {
		b.Listen(l.target, l.eventType, l.f)
	}
	b.user.listen()
}

// scrollUp shows the page from its top.
func (b *browser) scrollUp() { b.Provoke(dom.Window(), "scrollTo", 0, 0) }

func (b *browser) onHashChange(dom.Value) bool {
	hash := hashShown()
	b.address.followed(hash)
	before, window := b.app.State, dom.Window()
	isBelow := !dom.Truth(window, "history", "state") && dom.Number(window, "scrollY") > 0
	b.app.OpenHash(hash)
	now := &b.app.State
	if isBelow && (now.Place != before.Place || now.Half != before.Half || now.Step != before.Step) {
		b.Provoke(dom.Element("main"), "focus", map[string]any{"preventScroll": true})
		b.scrollUp()
	}
	return true
}

// onRequests takes over the counted requests.
func (b *browser) onRequests(event dom.Value) bool {
	detail := dom.Get(event, "detail")
	requests := embed.Requests{File: dom.Text(detail, "file"),
		Site: dom.Text(dom.New("URL", ".", dom.Text(dom.Document(), "baseURI")), "href")}
	for _, sent := range dom.List(dom.Get(detail, "left")) {
		requests.Left = append(requests.Left, embed.Sent{Address: dom.Text(sent, "address"), Times: dom.Int(sent, "times")})
	}
	b.app.Requests = requests
	return true
}

func (b *browser) onDragOver(event dom.Value) bool {
	event.Call("preventDefault")
	setDropping(true)
	return false
}

func (b *browser) onDragLeave(event dom.Value) bool {
	if dom.Get(event, "relatedTarget").IsNull() {
		setDropping(false)
	}
	return false
}

func (b *browser) onDrop(event dom.Value) bool {
	event.Call("preventDefault")
	setDropping(false)
	b.writer.resume = nil // the visitor may have left the dialog for its file
	b.openFirst(dom.Get(event, "dataTransfer"))
	return true
}

// setDropping marks the page while a file is dragged over it.
func setDropping(on bool) {
	dom.Get(dom.Document(), "body", "classList").Call("toggle", "dropping", on)
}

func (b *browser) onFileChosen(event dom.Value) bool {
	input := dom.Get(event, "target")
	b.openFirst(input)
	input.Set("value", "") // so that the same file can be chosen again
	return true
}

// openFirst opens the files of an input or a drop. If the visitor chose the file to continue an embedding, it
// continues that instead. Requests are counted before any file is read.
func (b *browser) openFirst(source dom.Value) {
	files := dom.List(dom.Get(source, "files"))
	if len(files) == 0 {
		return
	}
	countFrom(files[0])
	if !b.writer.takes(files[0]) {
		b.Background(func() { b.openChosen(files) })
	}
}

// onChosen handles changes of the fields outside Vugu: the method menu, the key, and the settings of a file and its
// columns.
func (b *browser) onChosen(event dom.Value) bool {
	target := dom.Get(event, "target")
	value := dom.Text(target, "value")
	n, _ := strconv.Atoi(value)
	switch id := dom.Text(target, "id"); id {
	case "method":
		b.app.Change(id, value)
	case "label":
		b.app.SetLabel(n)
	case "map-by":
		b.app.MapBy = n
	case "key", "salt":
		b.takeKey()
	case "ledger-file":
		b.loadLedger(dom.List(dom.Get(target, "files"))...)
	case "side":
		b.Background(func() { b.openImages(n) })
	case "found-role":
		b.app.SetFound(value)
	case "all-scaling", "all-missing":
		b.app.SetAll(strings.TrimPrefix(id, "all-"), value)
	default:
		if key := dom.Text(target, "dataset", "reading"); key != "" {
			b.readAs(key, value)
		} else if column, err := strconv.Atoi(dom.Text(target, "dataset", "column")); err == nil {
			b.app.SetColumn(column, dom.Text(target, "dataset", "setting"), value, dom.Truth(target, "checked"))
		}
	}
	return true
}

// onFind handles input in the field that searches columns.
func (b *browser) onFind(event dom.Value) bool {
	target := dom.Get(event, "target")
	found := dom.Text(target, "id") == "find-columns"
	if found {
		b.app.FindColumns(dom.Text(target, "value"))
	}
	return found
}

// onPressed handles the buttons in the list of columns, and the key's button.
func (b *browser) onPressed(event dom.Value) bool {
	target := dom.Get(event, "target")
	if button := target.Call("closest", "button"); dom.Exists(button) {
		target = button // its label has elements of its own
	}
	switch id := dom.Text(target, "id"); id {
	case "close-column":
		b.app.EditColumn(-1)
	case "new-salt":
		b.setSalt(newSalt())
	default:
		column, err := strconv.Atoi(dom.Text(target, "dataset", "column"))
		if err != nil || dom.Text(target, "tagName") != "BUTTON" {
			return b.pressKept(id)
		}
		b.app.EditColumn(column)
	}
	return true
}
