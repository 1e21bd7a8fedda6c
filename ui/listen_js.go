package main

import (
	"strconv"
	"strings"
	"time"

	"github.com/hack-pad/safejs"
)

// listenAll listens to what Vugu does not: the address, keys, dropped files, the
// file input and the list of columns.
func listenAll(b *browser) error {
	window := safejs.Global()
	document, err := window.Get("document")
	if err != nil {
		return err
	}
	input, err := element("file")
	if err != nil {
		return err
	}
	for _, l := range []struct {
		target    safejs.Value
		eventType string
		f         func(safejs.Value) error
	}{
		{window, "hashchange", b.onHashChange},
		{document, "keydown", b.onKey},
		{document, "focusin", b.onFocus},
		{document, "focusout", b.onBlur},
		{document, "pointerup", b.onSettled},
		{document, "change", b.onSettled},
		{window, "pagehide", b.onSettled},
		{window, "requests", b.onRequests},
		{document, "dragover", b.onDragOver},
		{document, "dragleave", b.onDragLeave},
		{document, "drop", b.onDrop},
		{document, "change", b.onChosen},
		{document, "input", b.onFind},
		{document, "click", b.onPressed},
		{input, "change", b.onFileChosen},
	} {
		if err := b.addListener(l.target, l.eventType, l.f); err != nil {
			return err
		}
	}
	return nil
}

func (b *browser) onHashChange(safejs.Value) error {
	location, err := safejs.Global().Get("location")
	if err != nil {
		return err
	}
	hash := text(location, "hash")
	b.address.followed(hash)
	b.app.OpenHash(hash)
	return nil
}

// onSettled writes the address at the end of a gesture, and of the page.
func (b *browser) onSettled(safejs.Value) error {
	b.address.flush()
	return nil
}

func (b *browser) onDragOver(event safejs.Value) error {
	if _, err := event.Call("preventDefault"); err != nil {
		return err
	}
	return setDropping(true)
}

func (b *browser) onDragLeave(event safejs.Value) error {
	related, err := event.Get("relatedTarget")
	if err != nil || !related.IsNull() {
		return err
	}
	return setDropping(false)
}

func (b *browser) onDrop(event safejs.Value) error {
	if _, err := event.Call("preventDefault"); err != nil {
		return err
	}
	if err := setDropping(false); err != nil {
		return err
	}
	transfer, err := event.Get("dataTransfer")
	if err != nil {
		return err
	}
	return b.openFirst(transfer)
}

// setDropping marks the page while a file hangs over it.
func setDropping(on bool) error {
	root, err := safejs.Global().Get("document")
	if err != nil {
		return err
	}
	body, err := root.Get("body")
	if err != nil {
		return err
	}
	classes, err := body.Get("classList")
	if err != nil {
		return err
	}
	_, err = classes.Call("toggle", "dropping", on)
	return err
}

func (b *browser) onFileChosen(event safejs.Value) error {
	input, err := event.Get("target")
	if err != nil {
		return err
	}
	if err := b.openFirst(input); err != nil {
		return err
	}
	return input.Set("value", "") // so that the same file can be chosen again
}

// openFirst opens the files of an input or of what was dropped, or goes on with the
// embedding that one was chosen for. Requests are counted before any of them is read.
func (b *browser) openFirst(source safejs.Value) error {
	list, err := source.Get("files")
	if err != nil {
		return err
	}
	n, err := list.Length()
	if err != nil || n == 0 {
		return err
	}
	var files []any
	for i := range n {
		file, err := list.Index(i)
		if err != nil {
			return err
		}
		files = append(files, file)
	}
	first := files[0].(safejs.Value)
	if err := countFrom(first); err != nil {
		return err
	}
	if !b.writer.takes(first) {
		b.background(func() { b.openChosen(files) })
	}
	return nil
}

// onChosen hears the menu of methods and the fields of columns.
func (b *browser) onChosen(event safejs.Value) error {
	target, err := event.Get("target")
	if err != nil {
		return err
	}
	r := reader{}
	value, checked := text(target, "value"), r.truth(target, "checked")
	switch id := text(target, "id"); id {
	case "method":
		b.app.Change(id, value)
		return r.err
	case "label":
		column, err := strconv.Atoi(value)
		if err != nil {
			return err
		}
		b.app.SetLabel(column)
		return r.err
	case "key", "salt":
		b.takeKey()
		return r.err
	case "ledger-file":
		b.loadLedger(r.at(r.get(target, "files"), 0))
		return r.err
	case "side":
		side, err := strconv.Atoi(value)
		if err != nil {
			return err
		}
		b.background(func() { b.openImages(side) })
		return r.err
	case "found-role":
		b.app.SetFound(value)
		return r.err
	case "all-scaling", "all-missing":
		b.app.SetAll(strings.TrimPrefix(id, "all-"), value)
		return r.err
	}
	data := r.get(target, "dataset")
	if key := text(data, "reading"); key != "" {
		b.readAs(key, value)
		return r.err
	}
	if column, err := strconv.Atoi(text(data, "column")); err == nil {
		b.app.SetColumn(column, text(data, "setting"), value, checked)
	}
	return r.err
}

// onFind hears the field that finds columns.
func (b *browser) onFind(event safejs.Value) error {
	r := reader{}
	if target := r.get(event, "target"); text(target, "id") == "find-columns" {
		b.app.FindColumns(text(target, "value"))
	}
	return r.err
}

// onPressed hears the buttons in the list of columns, and that of the key.
func (b *browser) onPressed(event safejs.Value) error {
	r := reader{}
	target := r.get(event, "target")
	switch text(target, "id") {
	case "close-column":
		b.app.EditColumn(-1)
		return r.err
	case "columns-back":
		b.app.TurnColumns(-1)
		return r.err
	case "columns-on":
		b.app.TurnColumns(1)
		return r.err
	case "new-salt":
		b.newSalt()
		return r.err
	}
	if text(target, "tagName") != "BUTTON" {
		return r.err
	}
	if column, err := strconv.Atoi(text(r.get(target, "dataset"), "column")); err == nil {
		b.app.EditColumn(column)
	}
	return r.err
}

// nextFrame waits until the browser is about to paint, or a moment in a tab that
// is not seen.
func nextFrame() error {
	painted := make(chan safejs.Value, 1)
	onFrame, err := signal(painted)
	if err != nil {
		return err
	}
	defer onFrame.Release()
	id, err := safejs.Global().Call("requestAnimationFrame", onFrame)
	if err != nil {
		return err
	}
	timeout := time.NewTimer(250 * time.Millisecond)
	defer timeout.Stop()
	select {
	case <-painted:
	case <-timeout.C:
		_, err = safejs.Global().Call("cancelAnimationFrame", id)
	}
	return err
}
