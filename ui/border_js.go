package main

import (
	"tensorsketch.example/ui/internal/dom"
)

// boot.js offers its functions to the page in one object. Only this file calls them.

func border() dom.Value { return dom.Get(dom.Window(), "page") }

// loadCore waits until the core is loaded.
func loadCore() (*core, error) {
	module, err := dom.Ask(border(), "tensorsketch")
	return &core{module}, err
}

// download gives a Blob to the visitor as a file.
func download(blob dom.Value, name string) { border().Call("saveFile", blob, name) }

// downloadText gives a text to the visitor as a file.
func downloadText(content, mediaType, name string) { download(dom.Blob(content, mediaType), name) }

// pngOf draws an SVG as a PNG.
func pngOf(svg string, width, height float64) (dom.Value, error) {
	return dom.Ask(border(), "pngOf", svg, width, height)
}

// filesOf returns the worker that reads and embeds rows. The worker reports its progress to onProgress.
func filesOf(onProgress dom.Func) *fileWorker {
	worker := dom.Get(border(), "files")
	worker.Set("onProgress", onProgress)
	return &fileWorker{worker}
}

// nextTurn returns when the browser has handled the pending events.
func nextTurn() error {
	_, err := dom.Ask(border(), "giveWay")
	return err
}

// isImage reports whether a file is an image that the browser can draw.
func isImage(file any) (bool, error) {
	is, err := dom.Ask(border(), "isImage", file)
	return dom.Truth(is), err
}

// keyOf makes a key from the typed text: 32 bytes and, if the text is a passphrase, its salt.
func keyOf(typed, salt string, iterations dom.Value) (key typedKey, err error) {
	made, err := dom.Ask(border(), "keyOf", typed, salt, iterations)
	if err != nil {
		return typedKey{}, err
	}
	return typedKey{dom.Get(made, "key"), dom.Get(made, "keySalt")}, nil
}

// newSalt returns random digits.
func newSalt() string { return dom.Text(border().Call("newSalt")) }

// countFrom starts counting the requests of the page, before a file is read.
func countFrom(file dom.Value) { border().Call("fileOpened", dom.Text(file, "name")) }

// persist asks the browser to keep what the page has stored.
func persist() { border().Call("persist") }

// goOffline shows how to go offline.
func (b *browser) goOffline() { b.Provoke(border(), "goOffline") }
