package main

import (
	"tensorsketch.example/ui/internal/dom"
)

// What boot.js has for the page is in one object, and this file alone asks it.

func border() dom.Value { return dom.Get(dom.Window(), "page") }

// loadCore waits for the core.
func loadCore() (*core, error) {
	module, err := dom.Ask(border(), "tensorsketch")
	return &core{module}, err
}

// download hands a Blob to the visitor as a file.
func download(blob dom.Value, name string) { border().Call("saveFile", blob, name) }

// downloadText hands a text to the visitor as a file.
func downloadText(content, mediaType, name string) { download(dom.Blob(content, mediaType), name) }

// pngOf draws an SVG as a PNG.
func pngOf(svg string, width, height float64) (dom.Value, error) {
	return dom.Ask(border(), "pngOf", svg, width, height)
}

// filesOf returns the worker that reads and embeds rows; onProgress hears how far it is.
func filesOf(onProgress dom.Func) *fileWorker {
	worker := dom.Get(border(), "files")
	worker.Set("onProgress", onProgress)
	return &fileWorker{worker}
}

// nextTurn returns when the browser has handled the events that are due.
func nextTurn() error {
	_, err := dom.Ask(border(), "giveWay")
	return err
}

// isImage reports whether a file is an image that the browser can draw.
func isImage(file any) (bool, error) {
	is, err := dom.Ask(border(), "isImage", file)
	return dom.Truth(is), err
}

// keyOf makes a key of the text typed: 32 bytes and, for a passphrase, its salt.
func keyOf(typed, salt string, iterations dom.Value) (key typedKey, err error) {
	made, err := dom.Ask(border(), "keyOf", typed, salt, iterations)
	if err != nil {
		return noKey(), err
	}
	return typedKey{dom.Get(made, "key"), dom.Get(made, "keySalt")}, nil
}

// newSalt returns random digits.
func newSalt() string { return dom.Text(border().Call("newSalt")) }

// countFrom has the page count requests from now on, before a file is read.
func countFrom(file dom.Value) { border().Call("fileOpened", dom.Text(file, "name")) }

// persist asks the browser to keep what the page has stored.
func persist() { border().Call("persist") }

// goOffline shows how to go offline.
func (b *browser) goOffline() { b.Provoke(border(), "goOffline") }
