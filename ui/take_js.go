package main

import (
	"strings"

	"github.com/hack-pad/safejs"
)

// takePicture saves the picture of the place, or its data. The App is locked.
func (b *browser) takePicture(action Action) {
	taken := b.app.Taken()
	if taken == nil {
		return
	}
	b.background(func() {
		if err := takePicture(action, taken); err != nil {
			b.change(func() { b.app.Notes = []string{taken.Name + " could not be saved: " + err.Error() + "."} })
		}
	})
}

func takePicture(action Action, t *Taken) error {
	switch action {
	case SavePictureData:
		return downloadText(t.CSV(), "text/csv", t.Name+".csv")
	case SavePicture:
		return downloadText(t.SVG(), "image/svg+xml", t.Name+".svg")
	}
	promise, err := safejs.Global().Call("pngOf", strings.ToValidUTF8(t.SVG(), ""), t.Size.Width, t.Size.Height)
	if err != nil {
		return err
	}
	blob, err := await(promise)
	if err != nil {
		return err
	}
	return download(blob, t.Name+".png")
}

func downloadText(content, mediaType, name string) error {
	blob, err := blobOf([]any{content}, mediaType)
	if err != nil {
		return err
	}
	return download(blob, name)
}
