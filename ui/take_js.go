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
	go func() {
		defer b.rescue()
		if err := takePicture(action, taken); err != nil {
			b.change(func() { b.app.Notes = []string{taken.Name + " could not be saved: " + err.Error() + "."} })
		}
	}()
}

func takePicture(action Action, t *Taken) error {
	switch action {
	case SavePictureData:
		return downloadText(t.CSV(), "text/csv", t.Name+".csv")
	case SavePicture:
		return downloadText(t.SVG(), "image/svg+xml", t.Name+".svg")
	}
	blob, err := pngOf(t.SVG(), t.Size.Width, t.Size.Height)
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

// pngOf has the browser draw an SVG, with two pixels for each of its own.
func pngOf(svg string, width, height float64) (safejs.Value, error) {
	blob, err := blobOf([]any{strings.ToValidUTF8(svg, "")}, "image/svg+xml")
	if err != nil {
		return blob, err
	}
	urls, err := safejs.Global().Get("URL")
	if err != nil {
		return urls, err
	}
	address, err := urls.Call("createObjectURL", blob)
	if err != nil {
		return address, err
	}
	defer func() { _, _ = urls.Call("revokeObjectURL", address) }()
	image, err := newObject("Image")
	if err != nil {
		return image, err
	}
	if err := image.Set("src", address); err != nil {
		return image, err
	}
	decoded, err := image.Call("decode")
	if err != nil {
		return decoded, err
	}
	if _, err := await(decoded); err != nil {
		return image, err
	}
	canvas, err := newElement("canvas", "")
	if err != nil {
		return canvas, err
	}
	const scale = 2
	if err := canvas.Set("width", int(scale*width)); err != nil {
		return canvas, err
	}
	if err := canvas.Set("height", int(scale*height)); err != nil {
		return canvas, err
	}
	context, err := canvas.Call("getContext", "2d")
	if err != nil {
		return context, err
	}
	if _, err := context.Call("drawImage", image, 0, 0, int(scale*width), int(scale*height)); err != nil {
		return canvas, err
	}
	return canvasBlob(canvas)
}

func canvasBlob(canvas safejs.Value) (safejs.Value, error) {
	made := make(chan safejs.Value, 1)
	callback, err := safejs.FuncOf(func(_ safejs.Value, args []safejs.Value) any {
		made <- first(args)
		return nil
	})
	if err != nil {
		return callback.Value(), err
	}
	defer callback.Release()
	if _, err := canvas.Call("toBlob", callback, "image/png"); err != nil {
		return canvas, err
	}
	return <-made, nil
}
