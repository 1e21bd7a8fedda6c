package main

import (
	"tensorsketch.example/ui/internal/dom"
	"tensorsketch.example/ui/internal/embed"
	"tensorsketch.example/ui/internal/learn"
	"tensorsketch.example/ui/internal/table"
)

// A keeper keeps the open file with its settings on this machine if the visitor asks for that (public/page/kept.js).
// Without that, it notes the settings for a reload of this tab, which then asks for the file by its name.
type keeper struct {
	waiting dom.Value // the state that awaits its file; undefined if none does
	noted   keptKey
	saving  bool
	found   dom.Value // the reply of the search whose model is found
	from    keptKey   // what it was found in
}

// A keptKey is what a state was made of.
type keptKey struct {
	layout   *table.Layout
	settings embed.Settings
	task     string
	found    *learn.Found
	on       bool
}

// inTab is the key of the settings in the storage of this tab.
const inTab = "tensorsketch-file"

// tabStorage calls a method of the tab's storage. It returns undefined where the browser allows none.
func tabStorage(method string, args ...any) dom.Value {
	v, err := dom.Try(dom.Get(dom.Window(), "Reflect"), "get", dom.Window(), "sessionStorage")
	if err != nil || !dom.Exists(v) {
		return dom.Undefined()
	}
	v, _ = dom.Try(v, method, args...)
	return v
}

// restore comes back to the file that is kept, or asks for the one that this tab had. It runs in the background.
func (b *browser) restore() {
	isFree := false // for a file
	b.Look(func() { isFree = b.app.Data.IsSample() && !b.app.State.Embedded })
	if !isFree {
		return
	}
	state, err := b.files.call("kept", map[string]any{})
	if err != nil {
		return // the core's error says the same
	}
	hasKept := dom.Exists(state)
	if text := tabStorage("getItem", inTab); !hasKept && text.Type() == dom.TypeString {
		if state, err = dom.Try(dom.Get(dom.Window(), "JSON"), "parse", text); err != nil {
			return
		}
	}
	if !dom.Exists(state) {
		return
	}
	b.Change(func() { b.await(state, hasKept) })
	if file := dom.Get(state, "file"); dom.Exists(file) {
		b.Open(file, embed.Reading{Reading: readingOf(dom.Get(state, "reading"))})
	}
}

// await has a state wait for its file. The App is locked.
func (b *browser) await(state dom.Value, hasKept bool) {
	k, name := &b.app.Kept, dom.Text(state, "name")
	if dom.Truth(state, "old") {
		k.Problem = name + " was kept by another version of this page, which cannot be read: choose it again."
		b.tell("forget")
		return
	}
	b.keeper.waiting = state
	if hasKept {
		*k = Kept{Name: name, Bytes: dom.Int(state, "size"), HasRows: dom.Exists(dom.Get(state, "file"))}
	}
	if !dom.Exists(dom.Get(state, "file")) {
		k.Problem = "To go on with " + name + ", choose it again: its columns come back as they were."
	}
	if hasKept && b.app.State.Embed == embed.DefaultSettings() {
		was, _ := ParseHash(dom.Text(state, "hash"))
		b.app.State.Embed, b.app.State.LearnFile = was.Embed, was.LearnFile
	}
}

// settle gives a file that was opened the columns that it had before. The App is locked.
func (b *browser) settle(file dom.Value) {
	k, state := &b.app.Kept, b.keeper.waiting
	isSame := func(key string) bool { return dom.Exists(state) && dom.Get(state, key).Equal(dom.Get(file, key)) }
	b.keeper.waiting, k.Problem = dom.Undefined(), ""
	k.IsOpen = k.Name != "" && isSame("name")
	if !isSame("name") || !k.IsOpen && !isSame("size") || b.app.Model != nil { // which says what columns become
		return
	}
	list, err := dom.Try(dom.Get(dom.Window(), "JSON"), "parse", dom.Text(state, "columns"))
	if err == nil {
		model := &embed.Model{Name: "what was kept", Parameters: map[string]string{}}
		readColumns(model, dom.New("Object", map[string]any{"columns": list}))
		model.Sparse = b.app.Data.Layout.Sparse
		err = b.app.TakeColumns(model)
	}
	switch {
	case err != nil:
		k.Problem = err.Error() + ". Its columns are as the page guesses them."
	case !isSame("size"):
		k.Problem = "The file has changed since: its columns are used as before."
	default:
		if b.keeper.found = dom.Get(state, "found"); dom.Exists(b.keeper.found) {
			b.keeper.from = b.keptKey(nil)
		}
	}
}

func (b *browser) keptKey(found *learn.Found) keptKey {
	return keptKey{b.app.Data.Layout, b.app.State.Embed, b.app.State.LearnFile.Task, found, b.app.Kept.IsOpen}
}

// foundBefore returns what a search has found in these rows before, or nil. The App is locked.
func (b *browser) foundBefore() *learn.Found {
	k := &b.keeper
	if k.from.layout != b.app.Data.Layout || k.from.task != b.app.State.LearnFile.Task || !dom.Exists(k.found) {
		return nil
	}
	return foundOf(k.found)
}

// note notes the settings of the file after each change. The App is locked.
func (b *browser) note() {
	k, app := &b.keeper, b.app
	key := b.keptKey(app.Learned.Found)
	if app.Data.IsSample() && k.noted.layout != nil {
		k.noted = keptKey{}
		tabStorage("removeItem", inTab)
	}
	if k.saving || key == k.noted || app.Data.IsSample() || app.Data.Unread || dom.Exists(k.waiting) {
		return
	}
	k.noted = key
	state := b.keptState()
	tabStorage("setItem", inTab, dom.Get(dom.Window(), "JSON").Call("stringify", state))
	if app.Kept.IsOpen {
		b.keep(state, dom.Undefined())
	}
}

func (b *browser) keptState() map[string]any {
	data, state := &b.app.Data, b.app.State
	return map[string]any{"name": data.Layout.Name, "size": data.Bytes, "modified": dom.Get(b.file, "lastModified"),
		"reading": readingValue(&data.Reading.Reading), "columns": data.Layout.ColumnsJSON(), "hash": state.Hash()}
}

// keep writes a state, with a file if that is to be copied. The App is locked.
func (b *browser) keep(state map[string]any, file dom.Value) {
	app, k := b.app, &b.keeper
	if k.saving {
		return
	}
	k.saving = true
	app.Kept.Busy, app.Kept.Problem = dom.Exists(file), ""
	request := map[string]any{"state": state}
	give(request, "file", dom.Exists(file), file)
	give(state, "found", b.foundBefore() != nil, k.found)
	generation, name, bytes := app.Data.Generation, app.Data.Layout.Name, app.Data.Bytes
	b.Background(func() {
		copied, err := b.files.call("keep", request)
		b.Change(func() {
			k.saving, app.Kept.Busy = false, false
			switch {
			case err != nil:
				app.Kept.Problem = "Not kept: " + sentence(err) // what was kept before is kept still
			case dom.Exists(file):
				app.Kept = Kept{Name: name, Bytes: bytes, IsOpen: generation == app.Data.Generation,
					HasRows: dom.Truth(copied)}
				persist()
			}
		})
	})
}

// pressKept does what a button of a kept file says, and reports whether there is one with this id. The App is locked.
func (b *browser) pressKept(id string) bool {
	switch id {
	case "keep-file":
		b.keep(b.keptState(), b.file)
	case "forget-kept":
		b.app.Kept = Kept{}
		b.keeper.waiting = dom.Undefined()
		b.tell("forget")
	case "open-kept":
		b.Background(b.restore)
	default:
		return false
	}
	return true
}
