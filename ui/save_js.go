package main

import (
	"context"
	"slices"
	"time"

	"github.com/hack-pad/safejs"
)

// Do does what only a browser can. The App is locked.
func (b *browser) Do(action Action) {
	switch action {
	case ChooseFile:
		if input, err := element("file"); err == nil {
			_, _ = input.Call("click")
		}
	case GoOffline:
		_, _ = safejs.Global().Call("goOffline")
	case Leave:
		b.address.flush()
	case UseSample:
		b.openSample()
	case CopyLink, CopyFrame, CopyCode:
		go b.copy(action)
	case TestSpeed:
		b.testSpeed()
	case SavePicture, SavePicturePNG, SavePictureData:
		b.takePicture(action)
	case SaveNPY, SaveCSV, SaveModel:
		if !slices.Contains(b.saves, action) { // a second press does not save twice
			b.saves = append(b.saves, action)
			b.saveNext()
		}
	}
}

// saveNext writes the next file asked for, if none is being written. The App is
// locked.
func (b *browser) saveNext() {
	if b.saving != nil || len(b.saves) == 0 {
		return
	}
	action := b.saves[0]
	b.saves = b.saves[1:]
	if b.app.Result != nil && b.features != nil {
		b.save(action, b.app.Result, b.features)
	}
}

// save writes a file in the background. The App is locked.
func (b *browser) save(action Action, result *Result, made *features) {
	ctx, cancel := context.WithCancelCause(context.Background())
	name := result.FileName(action)
	b.app.Saving = Saving{Name: name}
	b.saving = cancel
	go func() {
		err := b.write(newPacer(ctx), action, result, made)
		if context.Cause(ctx) != nil {
			err = nil
		}
		cancel(nil)
		b.change(func() {
			b.saving, b.app.Saving = nil, Saving{}
			if err != nil {
				b.saves, b.app.Saving.Error = nil, name+" could not be written: "+err.Error()
			}
			b.saveNext()
		})
	}()
}

func (b *browser) write(p *pacer, action Action, result *Result, made *features) error {
	var blob safejs.Value
	var err error
	switch action {
	case SaveNPY:
		blob, err = made.npyFile()
	case SaveCSV:
		shown := time.Now()
		blob, err = made.csvFile(result.Layout.OutputNames(), p, func(done float64) {
			if now := time.Now(); now.Sub(shown) > 100*time.Millisecond {
				shown = now
				b.change(func() { b.app.Saving.Done = done })
			}
		})
	case SaveModel:
		var model string
		if model, err = made.model.json(); err == nil {
			blob, err = blobOf([]any{model}, "application/json")
		}
	}
	if err != nil {
		return err
	}
	return download(blob, result.FileName(action))
}

// download hands a Blob to the visitor as a file.
func download(blob safejs.Value, name string) error {
	_, err := safejs.Global().Call("saveFile", blob, name)
	return err
}
