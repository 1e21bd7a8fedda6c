package main

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"time"

	"github.com/hack-pad/safejs"
	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/preview"
	"tensorsketch.example/ui/internal/report"
	"tensorsketch.example/ui/internal/sample"
	"tensorsketch.example/ui/internal/table"
)

// browser is the Browser of a page: it embeds, reads files and saves.
type browser struct {
	app      *App
	gate     gate          // before the App and the page
	drawings chan struct{} // wanted
	opened   sync.Once     // the core is being loaded
	ready    bool          // the worker has the core
	file     safejs.Value  // undefined for the sample
	key      safejs.Value  // of a keyed map, 32 bytes; undefined: there is none
	keySalt  safejs.Value  // of the passphrase that it is of, for the model file; or undefined
	keys     int           // taken so far
	looking  bool          // a goroutine asks for meter or ledger
	ledgers  chan struct{} // is closed when the last call of askLedgers has returned, nil: there was none
	files    *fileWorker   // reads and embeds them
	model    *openModel    // a model file that was opened, nil: none
	images   []any         // of which the file is made, if it is
	rows     rowsKey       // that were shown last
	reading  int           // counts them
	made     made          // of the last result
	run      *run          // at work
	writer   *writer       // of files to save
	results  int
	address  address
	playing  bool   // a goroutine calls Tick
	working  bool   // a goroutine calls Work
	seeds    *seeds // the workers of Convergence, nil before they are needed
}

// A run is an embedding at work.
type run struct {
	context context.Context
	cancel  context.CancelCauseFunc
	started time.Time
	again   bool // another is wanted after it
}

// errStopped ends an embedding that the visitor stopped, errReplaced one that
// another takes the place of.
var (
	errStopped  = errors.New("stopped")
	errReplaced = errors.New("replaced")
)

// patience is how long a run may go on after another is wanted: the moves of a
// slider then show what they pass.
const patience = 250 * time.Millisecond

// What is chosen to be embedded with: parameters, or a model file that has them.
type chosen struct {
	EmbedState
	model *openModel // nil: none
}

// A key is that of a keyed map, which has a number in this page.
type key struct {
	bytes  safejs.Value // undefined: there is none
	number int
}

// made is what a result was made with.
type made struct {
	chosen
	key safejs.Value
}

// Embed starts a run, or another after the one at work. The App is locked.
func (b *browser) Embed() {
	if !b.ready {
		return
	}
	if r := b.run; r != nil {
		r.again = true
		if context.Cause(r.context) == nil {
			time.AfterFunc(max(patience-time.Since(r.started), 0), func() { r.cancel(errReplaced) })
		}
		return
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	b.run = &run{context: ctx, cancel: cancel, started: time.Now()}
	b.app.Run = Run{Phase: Running}
	r, with, data, key, most := b.run, chosen{b.app.State.Embed, b.appliedModel()}, b.app.Data, key{b.key, b.app.Keyed},
		b.app.ShownRows()
	b.background(func() { b.embed(r, with, data, key, most) })
}

// Stop ends what is at work. The App is locked.
func (b *browser) Stop() {
	if b.app.Saving.Name != "" {
		b.writer.stop()
		return
	}
	if b.run != nil {
		b.run.again = false
		b.run.cancel(errStopped)
		b.app.Run.Phase = Stopping
	}
}

// Drop ends the run and forgets it. The App is locked.
func (b *browser) Drop() {
	if b.run != nil {
		b.run.again = false
		b.run.cancel(errReplaced)
	}
}

// embed runs in a goroutine of its own.
func (b *browser) embed(r *run, chosen chosen, data Data, key key, most int) {
	ticker := time.AfterFunc(shownAfter, func() {
		b.change(func() { b.app.Run.Elapsed = time.Since(r.started) })
	})
	result, err := b.preview(r, chosen, data, key, most)
	ticker.Stop()
	b.change(func() {
		b.run = nil
		if result != nil && data.Generation == b.app.Data.Generation {
			b.show(result, made{chosen, key.bytes})
		}
		switch {
		case r.again:
			b.Embed()
		case errors.Is(err, errReplaced):
		case errors.Is(err, errStopped):
			b.app.Run = Run{Phase: Stopped, Rows: rowsOf(result)}
			b.app.forgetOthers()
		case err != nil:
			b.app.fail(err.Error())
		default:
			b.app.Run = Run{Phase: Done, Done: 1}
		}
	})
}

func rowsOf(r *Result) int {
	if r == nil {
		return 0
	}
	return r.Rows
}

// show takes over a result. The App is locked.
func (b *browser) show(result *Result, with made) {
	first := b.results == 0
	b.results++
	result.Number = b.results
	b.app.Result, b.made = result, with
	b.background(func() {
		if first {
			_, err := b.files.call("prepare", map[string]any{})
			if err == nil {
				_, err = loadCore()
			}
			if err == nil {
				err = mark("files-ready")
			}
			if err != nil {
				b.change(func() { b.app.Fail(err.Error()) })
				return
			}
			b.writer.lookForJobs()
		}
		b.timeCore(result)
	})
}

// timeCore adds to a shown result what the core alone takes for a row. Where that is not measured, because a row takes
// long or a file is being written, the card keeps to the whole run's time.
func (b *browser) timeCore(result *Result) {
	const most = 100 * time.Millisecond // by the pace of the run, of which the core is a part
	if b.writer.busy || result.Rows == 0 || result.Elapsed/time.Duration(result.Rows) > most {
		return
	}
	rows := min(1000, max(1, int(most*time.Duration(result.Rows)/max(result.Elapsed, 1))))
	reply, err := b.files.call("time", map[string]any{"rows": rows})
	if err != nil {
		return
	}
	if milliseconds, err := reply.Float(); err == nil {
		b.change(func() { result.CorePerRow = time.Duration(milliseconds * float64(time.Millisecond)) })
	}
}

// preview has the worker embed the rows that are shown, or the first of them until the run is stopped: the error is
// errStopped then, beside a result. A result without rows is nil.
func (b *browser) preview(r *run, chosen chosen, data Data, key key, most int) (result *Result, err error) {
	defer caught(&err)
	request, err := b.previewRequest(chosen, data, key.bytes, most)
	if err != nil {
		return nil, err
	}
	release := context.AfterFunc(r.context, func() {
		dropped := errors.Is(context.Cause(r.context), errReplaced)
		_, _ = b.files.call("stopPreview", map[string]any{"dropped": dropped})
	})
	defer release()
	reply, err := b.files.call("preview", request)
	if cause := context.Cause(r.context); cause != nil && (err != nil || reply.IsNull() || cause != errStopped) {
		return nil, cause
	}
	if refused, ok := rowError(err); ok {
		err = data.Refusal(refused, chosen.EmbedState)
	}
	if err != nil {
		return nil, err
	}
	read := reader{}
	if few := read.get(reply, "tooFew"); !few.IsUndefined() {
		return nil, data.tooFew(read.int(reply, "tooFew"), chosen.EmbedState)
	}
	result = read.result(reply)
	result.Embed, result.Keyed = chosen.EmbedState, key.number
	result.Generation, result.Layout = data.Generation, data.Layout
	result.Partial = most > 0 || context.Cause(r.context) != nil
	if result.Fitted != "" {
		result.Fitted = format.Count(chosen.NComponents) + " of " + result.Fitted
	}
	if chosen.model != nil {
		result.Model = chosen.model.Model
	}
	if result.Rows == 0 && result.Partial {
		result = nil
	}
	if read.err != nil {
		return nil, read.err
	}
	return result, context.Cause(r.context)
}

// A rowsKey tells rows that are shown from others.
type rowsKey struct {
	layout *table.Layout
	unit   bool
	first  bool       // only the first ones
	model  *openModel // that makes them
}

// previewRequest asks for the rows to show: all, or some more than the first ones wanted.
func (b *browser) previewRequest(chosen chosen, data Data, key safejs.Value, most int) (map[string]any, error) {
	if m := chosen.model; m != nil && m.IsKeyed && !m.HoldsKey && key.IsUndefined() {
		return nil, errors.New(m.needsKey())
	}
	request, err := mapRequest(chosen, key)
	if err != nil {
		return nil, err
	}
	rows := rowsKey{data.Layout, chosen.Rows == RowsUnit, most > 0 && !data.IsSample(), chosen.model}
	if rows != b.rows {
		b.rows = rows
		b.reading++
	}
	request["rows"], request["most"] = b.reading, most
	if data.IsSample() {
		request["sample"], err = sampleValue(rows.unit)
		return request, err
	}
	request["file"], request["options"] = b.file, readingValue(&data.Reading.Reading)
	request["plan"] = planOf(data.Layout, rows.unit, 0)
	give(request, "first", rows.first, shownRows)
	return request, nil
}

// sampleValue returns the sample, each row scaled to length 1 where that is wanted.
func sampleValue(unit bool) (map[string]any, error) {
	rows, labels := sampleVectors(unit)
	x, err := float32Array(rows)
	names := make([]any, len(labels))
	for i, label := range labels {
		names[i] = strconv.Itoa(int(label))
	}
	return map[string]any{"X": x, "labels": names, "nFeatures": sample.Features}, err
}

// mapRequest asks the worker for the map of what is chosen: its parameters or its model file, and the key.
func mapRequest(chosen chosen, key safejs.Value) (map[string]any, error) {
	if m := chosen.model; m != nil {
		return map[string]any{"model": m.value, "key": m.keyOf(key)}, nil
	}
	params, err := paramsValue(chosen.Params(0))
	if err != nil {
		return nil, err
	}
	delete(params, "nFeatures")
	request := map[string]any{"params": params}
	if !key.IsUndefined() {
		delete(params, "seed")
		request["key"] = key
	}
	return request, nil
}

// featureMap makes the map again, in the page. Landmarks are not chosen again.
func (m made) featureMap(nFeatures int) (*featureMap, error) {
	core, err := loadCore()
	if err != nil {
		return nil, err
	}
	if m.model != nil {
		return core.fromModel(m.model.value, m.model.keyOf(m.key))
	}
	return core.featureMap(m.Params(nFeatures), m.key)
}

// showProgress shows how far a preview is. The App is locked.
func (b *browser) showProgress(rows int, done float64) (changed bool) {
	if b.run == nil || b.app.Run.Phase != Running {
		return false
	}
	b.app.Run = Run{Phase: Running, Rows: rows, Done: done, Elapsed: time.Since(b.run.started)}
	return true
}

// result reads what the worker says of a preview.
func (r *reader) result(reply safejs.Value) *Result {
	made := &Result{Rows: r.int(reply, "rows"), ZeroRows: r.int(reply, "zeroRows"), NFeatures: r.int(reply, "nFeatures"),
		Counts:  r.counts(r.get(reply, "counts")),
		Elapsed: time.Duration(r.number(reply, "ms") * float64(time.Millisecond))}
	first := r.get(reply, "first")
	for i := range r.int(first, "length") {
		row := r.at(first, i)
		made.Preview = append(made.Preview, preview.NewRow(text(row, "label"), numbers[float32](r, row, "features")))
	}
	if heaviest := r.get(reply, "heaviest"); !heaviest.IsNull() {
		made.Heaviest = Share{text(heaviest, "name"), r.number(heaviest, "share")}
	}
	var pairs []report.Pair
	for all := numbers[float64](r, reply, "pairs"); len(all) > 0; all = all[4:] {
		pairs = append(pairs, report.Pair{Exact: all[0], Estimate: all[1], Bias: all[2], Sigma: all[3]})
	}
	made.Report = report.New(pairs, sketch.Kind(r.int(reply, "kind")))
	made.Report.Self, made.Report.Apart = r.number(reply, "self"), r.number(reply, "apart")
	made.Report.Unlike = r.int(reply, "unlike")
	if fitted := r.get(reply, "fitted"); !fitted.IsNull() {
		made.Fitted = "the first "
		if r.truth(fitted, "isWhole") {
			made.Fitted = "all "
		}
		made.Fitted += format.Plural(r.int(fitted, "rows"), "row")
	}
	return made
}

// numbers copies a typed array that is a property.
func numbers[T numeric](r *reader, v safejs.Value, property string) []T {
	array, err := copyNumbers[T](r.get(v, property))
	if r.err == nil {
		r.err = err
	}
	return array
}

// openChosen shows the first of the files, or all of them as a table where they are
// images. It runs in a goroutine of its own.
func (b *browser) openChosen(files []any) {
	models, ledgers, files, err := b.sorted(files)
	if err != nil {
		b.change(func() { b.app.Data.Problem = err.Error() })
		return
	}
	defer b.change(func() { b.addLedgers(ledgers) })
	if len(models) > 0 {
		b.useModel(models[0], len(files) == 0)
	}
	if len(models) > 1 {
		b.change(func() { b.app.Data.Problem = "Of " + format.Plural(len(models), "model file") + " the first is used." })
	}
	if len(files) == 0 {
		return
	}
	isImage, err := safejs.Global().Call("isImage", files[0])
	if err == nil {
		isImage, err = await(isImage)
	}
	if err != nil {
		b.refuse(files[0].(safejs.Value), Reading{}, err)
		return
	}
	if image, _ := isImage.Bool(); image {
		b.images = files
		b.openImages(imageSide)
		return
	}
	if b.Open(files[0].(safejs.Value), Reading{}); len(files) > 1 {
		b.change(func() {
			if b.app.Data.Problem == "" {
				b.app.Data.Problem = "Of " + format.Plural(len(files), "file") +
					" the first was opened: several are one table only where they are images."
			}
		})
	}
}

// openImages shows the images that were chosen, as rows of side × side shades.
func (b *browser) openImages(side int) {
	made, err := b.files.call("images", map[string]any{"files": b.images, "width": side, "height": side})
	if err != nil {
		b.refuse(b.images[0].(safejs.Value), Reading{}, err)
		return
	}
	r := reader{}
	file := r.get(made, "file")
	problem, _ := r.get(made, "problem").String()
	b.Open(file, Reading{Side: side})
	if problem != "" {
		b.change(func() { b.app.Data.Problem = problem })
	}
}

// Open shows a file. It runs in a goroutine of its own.
func (b *browser) Open(file safejs.Value, reading Reading) {
	var model *openModel
	b.look(func() {
		if b.model != nil && b.app.Model == b.model.Model {
			model = b.model
		}
	})
	layout, err := b.files.open(file, reading, model)
	if err != nil {
		b.refuse(file, reading, err)
		return
	}
	b.change(func() {
		b.file = file
		b.app.SetData(Data{Layout: layout, Reading: reading, Bytes: sizeOf(file)})
	})
}

// readAs reads the file shown with another setting. The App is locked.
func (b *browser) readAs(key, text string) {
	reading, err := b.app.SetReading(key, text)
	if err != nil {
		b.app.Data.Problem = err.Error() + "."
		return
	}
	b.background(func() { b.Open(b.file, reading) })
}

// refuse shows a file that cannot be read.
func (b *browser) refuse(file safejs.Value, reading Reading, err error) {
	b.change(func() {
		b.file = file
		b.app.Refuse(text(file, "name"), sizeOf(file), reading, err)
	})
}

func sizeOf(file safejs.Value) int {
	r := reader{}
	return r.int(file, "size")
}

// openSample shows the sample. The App is locked.
func (b *browser) openSample() {
	b.file = safejs.Undefined()
	b.app.SetData(Data{Layout: sampleLayout, Reading: Reading{Reading: sampleLayout.Reading}})
}

// RandomSeed asks the browser for a random number.
func (b *browser) RandomSeed() uint64 {
	numbers, err := newObject("Uint32Array", 1)
	if err != nil {
		return 0
	}
	crypto, err := safejs.Global().Get("crypto")
	if err != nil {
		return 0
	}
	if _, err := crypto.Call("getRandomValues", numbers); err != nil {
		return 0
	}
	value, err := numbers.Index(0)
	if err != nil {
		return 0
	}
	n, _ := value.Float()
	return uint64(n)
}

// ShowTitle names the place in the title of the page.
func (b *browser) ShowTitle(place string) {
	if document, err := safejs.Global().Get("document"); err == nil {
		_ = document.Set("title", place+" · Tensor Sketch")
	}
}

// ShowPicture scrolls to the picture where it is out of sight.
func (b *browser) ShowPicture() {
	if host, err := element("stage"); err == nil && !host.IsNull() {
		b.provoke(host, "scrollIntoView", map[string]any{"block": "nearest"})
	}
}
