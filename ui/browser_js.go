package main

import (
	"errors"
	"slices"
	"sync"
	"time"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/ui/internal/dom"
	"tensorsketch.example/ui/internal/embed"
	"tensorsketch.example/ui/internal/format"
)

// browser implements Browser: it embeds, reads files and saves.
type browser struct {
	dom.Loop  // handlers and goroutines access the App through it
	app       *App
	opened    sync.Once               // for loading the core
	estimated sync.Once               // for the first call of Estimate
	begun     bool                    // embeddings can be asked for
	ready     bool                    // the worker has loaded the core
	percent   int                     // of debug.SetGCPercent
	file      dom.Value               // undefined for the sample
	key       typedKey                // of a keyed map
	keys      int                     // number of keys entered so far
	looking   bool                    // a goroutine is updating meter or ledger
	ledgers   chan struct{}           // closed when the last call of askLedgers has returned; nil before the first
	files     *fileWorker             // the worker that reads and embeds files
	model     *openModel              // the open model file, or nil
	images    []dom.Value             // the images that file was made from, if any
	rows      rowsKey                 // the rows shown last
	reading   int                     // how often rows has changed
	samples   map[bool]map[string]any // the sample as the worker takes it, by whether rows have length 1
	made      chosen                  // what the last result was made with
	run       *run                    // the running embedding, or nil
	writer    *writer                 // writes files to save
	user      *user                   // uses the model of Learn
	results   int
	address   address
	playing   bool   // a goroutine calls Tick
	working   bool   // a goroutine calls Work
	seeds     *seeds // the workers of Convergence, nil until needed
	learner   learner
	keeper    keeper
}

// A run is a running embedding.
type run struct {
	brake
	started time.Duration // by now
	again   bool          // start another run after this one
}

// errStopped ends an embedding that the visitor stopped. errReplaced ends an embedding that another one replaces.
var (
	errStopped  = errors.New("stopped")
	errReplaced = errors.New("replaced")
)

// patience is how long a run may continue after another is wanted. While a slider moves, the page can then show
// intermediate results.
const patience = 250 * time.Millisecond

// chosen is what to embed with: parameters, or a model file that contains them, and the key of a keyed map.
type chosen struct {
	embed.Settings
	model *openModel // nil if no model file is used
	key   typedKey
	keyed int // number of the key in this page
}

// choice returns what the visitor has chosen. The App is locked.
func (b *browser) choice() chosen {
	c := chosen{Settings: b.app.State.Embed, key: b.key, keyed: b.app.Keyed}
	if b.model != nil && b.app.Applied() == b.model.Model {
		c.model = b.model
	}
	return c
}

// Embed starts a run, or has another follow the current one. The App is locked.
func (b *browser) Embed() {
	if !b.begun {
		return
	}
	if r := b.run; r != nil {
		r.again = true
		if r.cause() == nil {
			time.AfterFunc(max(patience-(now()-r.started), 0), func() { r.pull(errReplaced) })
		}
		return
	}
	b.run = &run{brake: brake{background: b.Background}, started: now()}
	if b.ready {
		b.app.Run = embed.Run{Phase: embed.Running}
	}
	r, with, data, most := b.run, b.choice(), b.app.Data, b.app.ShownRows()
	b.Background(func() { b.embed(r, with, data, most) })
}

// Stop ends the current embedding. The App is locked.
func (b *browser) Stop() {
	if b.run != nil && b.app.Run.Phase != embed.Failed {
		b.run.again = false
		b.run.pull(errStopped)
		b.app.Run.Phase = embed.Stopping
	}
}

// Drop ends the current run and discards it, and what was learned. The App is locked.
func (b *browser) Drop() {
	if b.learner.page != nil {
		b.learner.clear()
	}
	if b.run != nil {
		b.run.again = false
		b.run.pull(errReplaced)
	}
}

// openChosen opens the chosen files. It first takes out model files, saved ledgers and the files that a system puts
// into folders. It shows the first of the other files, or all of them as one table if they are images. It runs in a
// goroutine of its own.
func (b *browser) openChosen(files []dom.Value) {
	models, ledgers, files, err := b.sorted(files)
	if err != nil {
		b.Change(func() { b.app.Data.Problem = err.Error() })
		return
	}
	defer b.Change(func() { b.addLedgers(ledgers) })
	if len(models) > 0 {
		b.useModel(models[0], len(files) == 0)
	}
	if len(models) > 1 {
		b.Change(func() { b.app.Data.Problem = "Of " + format.Plural(len(models), "model file") + " the first is used." })
	}
	if len(files) == 0 {
		return
	}
	files = withoutSideFiles(files)
	images, err := areImages(files)
	if err != nil {
		b.refuse(files[0], embed.Reading{}, err)
		return
	}
	if images {
		b.images = files
		b.openImages(embed.ImageSide)
		return
	}
	if b.Open(files[0], embed.Reading{}); len(files) > 1 {
		b.Change(func() {
			if b.app.Data.Problem == "" {
				b.app.Data.Problem = "Of " + format.Plural(len(files), "file") +
					" the first was opened: several are one table only where they are images."
			}
		})
	}
}

// withoutSideFiles returns the files without those that a system adds, or all of them if there are no others.
func withoutSideFiles(files []dom.Value) []dom.Value {
	isSide := func(file dom.Value) bool { return columns.IsSideFile(dom.Text(file, "name")) }
	if others := slices.DeleteFunc(slices.Clone(files), isSide); len(others) > 0 {
		return others
	}
	return files
}

// areImages reports whether at least half of the first files are images.
func areImages(files []dom.Value) (bool, error) {
	const looked = 16
	first, images := files[:min(len(files), looked)], 0
	for _, file := range first {
		is, err := isImage(file)
		if err != nil {
			return false, err
		}
		if is {
			images++
		}
	}
	return images > 0 && 2*images >= len(first), nil
}

// openImages shows the chosen images as rows of side × side shades.
func (b *browser) openImages(side int) {
	made, err := b.files.call("images", map[string]any{"files": listOf(b.images), "width": side, "height": side})
	if err != nil {
		b.refuse(b.images[0], embed.Reading{}, err)
		return
	}
	b.Open(dom.Get(made, "file"), embed.Reading{Side: side})
	if problem := dom.Text(made, "problem"); problem != "" {
		b.Change(func() { b.app.Data.Problem = problem })
	}
}

// Open shows a file. It runs in a goroutine of its own.
func (b *browser) Open(file dom.Value, reading embed.Reading) {
	var model *openModel
	b.Look(func() {
		if b.model != nil && b.app.Model == b.model.Model {
			model = b.model
		}
	})
	ended := b.saysThatItReads(dom.Text(file, "name"))
	layout, err := b.files.open(file, reading, model)
	ended()
	if isSuperseded(err) {
		return
	}
	if err != nil {
		b.refuse(file, reading, err)
		return
	}
	b.Change(func() {
		isAgain := file.Equal(b.file)
		b.file = file
		if b.app.SetData(embed.Data{Layout: layout, Reading: reading, Bytes: dom.Int(file, "size")}); !isAgain {
			b.settle(file)
		}
	})
}

// saysThatItReads shows that a file is being read, if that takes longer than a moment, until ended is called.
func (b *browser) saysThatItReads(name string) (ended func()) {
	note, isOver := []string{"Reading " + name + ". You may choose another file meanwhile."}, false
	timer := time.AfterFunc(readingShownAfter, func() {
		b.Change(func() {
			if !isOver {
				b.app.Notes = note
			}
		})
	})
	return func() {
		if timer.Stop() {
			return
		}
		b.Change(func() {
			if isOver = true; slices.Equal(b.app.Notes, note) {
				b.app.Notes = nil
			}
		})
	}
}

// readingShownAfter is the time after which the page says that it reads.
const readingShownAfter = 300 * time.Millisecond

// isSuperseded reports whether a request ended because another file was chosen (fileworker.js).
func isSuperseded(err error) bool {
	var thrown *dom.Error
	return errors.As(err, &thrown) && thrown.Code == "SUPERSEDED"
}

// readAs reads the current file again with one setting changed. The App is locked.
func (b *browser) readAs(key, text string) {
	reading, err := b.app.SetReading(key, text)
	if err != nil {
		b.app.Data.Problem = err.Error() + "."
		return
	}
	b.Background(func() { b.Open(b.file, reading) })
}

// refuse shows that a file cannot be read, and why.
func (b *browser) refuse(file dom.Value, reading embed.Reading, err error) {
	b.Change(func() {
		if !file.Equal(b.file) {
			b.app.Kept.IsOpen = false
		}
		b.file = file
		b.app.Refuse(dom.Text(file, "name"), dom.Int(file, "size"), reading, err)
	})
}

// openSample shows the sample. The App is locked.
func (b *browser) openSample() {
	b.file, b.app.Kept.IsOpen = dom.Undefined(), false
	b.app.SetData(embed.Data{Layout: sampleLayout, Reading: embed.Reading{Reading: sampleLayout.Reading}})
}

// rowsFile returns the file whose rows are shown: the open one, or the sample as a file.
func (b *browser) rowsFile() dom.Value {
	if data := &b.app.Data; data.IsSample() {
		return dom.New("File", []any{sampleFile()}, data.Layout.Name, map[string]any{"lastModified": 0})
	}
	return b.file
}

// RandomSeed returns a random number from the browser.
func (b *browser) RandomSeed() uint64 {
	numbers := dom.New("Uint32Array", 1)
	dom.Get(dom.Window(), "crypto").Call("getRandomValues", numbers)
	return uint64(dom.Number(numbers, "0"))
}

// ShowTitle names the place in the title of the page.
func (b *browser) ShowTitle(place string) {
	dom.Document().Set("title", place+" · Tensor Sketch")
}
