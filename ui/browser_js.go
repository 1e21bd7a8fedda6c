package main

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/hack-pad/safejs"
	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/dom"
	"tensorsketch.example/ui/internal/embedding"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/sample"
	"tensorsketch.example/ui/internal/table"
)

// browser is the Browser of a page: it embeds, reads files and saves.
type browser struct {
	dom.Loop // through which handlers and goroutines come to the App
	app      *App
	opened   sync.Once // the core is being loaded
	core     *core
	file     safejs.Value   // undefined for the sample
	key      safejs.Value   // of a keyed map, 32 bytes; undefined: there is none
	keySalt  safejs.Value   // of the passphrase that it is of, for the model file; or undefined
	keys     int            // taken so far
	looking  bool           // a goroutine asks for meter or ledger
	ledgers  chan struct{}  // is closed when the last call of askLedgers has returned, nil: there was none
	files    *fileWorker    // reads and embeds them
	model    *openModel     // a model file that was opened, nil: none
	images   []safejs.Value // of which the file is made, if it is
	read     *readRows      // of the last run, if they are few
	features *features      // of the last result
	run      *run           // at work
	writer   *writer        // of files to save
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

// features are the map of a result, and some rows to time it with.
type features struct {
	model *featureMap
	first embedding.Rows
}

// Embed starts a run, or another after the one at work. The App is locked.
func (b *browser) Embed() {
	if b.core == nil {
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
	b.Background(func() { b.embed(r, with, data, key, most) })
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
		b.Change(func() { b.app.Run.Elapsed = time.Since(r.started) })
	})
	result, made, err := b.embedRows(r, chosen, data, key, most)
	ticker.Stop()
	b.Change(func() {
		b.run = nil
		switch {
		case result != nil && data.Generation == b.app.Data.Generation:
			b.show(result, made)
		case made != nil:
			made.model.dispose()
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

// show takes over a result and lets go of the one before.
func (b *browser) show(result *Result, made *features) {
	if b.features != nil && b.features != made {
		b.features.model.dispose()
	}
	b.features = made
	first := b.results == 0
	b.results++
	result.Number = b.results
	b.app.Result = result
	b.Background(func() {
		if first {
			err := b.core.warmUp()
			if err == nil {
				_, err = b.files.call("prepare", map[string]any{})
			}
			if err != nil {
				b.Change(func() { b.app.Fail(err.Error()) })
				return
			}
			dom.Mark("files-ready")
			b.writer.lookForJobs()
		}
		b.timeCore(result, made)
	})
}

// timeCore adds to a shown result what the core alone takes for a row. Where that
// fails, because the map is let go of or a row takes long, the card keeps to the
// whole run's time.
func (b *browser) timeCore(result *Result, made *features) {
	const most = 100 * time.Millisecond // by the pace of the run, of which the core is a part
	if result.Rows == 0 || result.Elapsed/time.Duration(result.Rows) > most {
		return
	}
	rows := min(made.first.Len(), 1000, max(1, int(most*time.Duration(result.Rows)/max(result.Elapsed, 1))))
	perRow, err := made.model.timePerRow(made.first.Slice(0, rows))
	if err != nil {
		return
	}
	b.Change(func() {
		result.CorePerRow = perRow
		if b.writer.busy { // it began meanwhile
			b.core.rest()
		}
	})
}

// embedRows embeds the rows that are shown, or the first of them until the run is
// stopped: the error is errStopped then, beside a result. A result without rows is nil.
func (b *browser) embedRows(r *run, chosen chosen, data Data, key key, most int) (result *Result, made *features,
	err error) {
	defer dom.Catch(&err)
	rows, err := b.rows(data, chosen, most)
	if err != nil {
		return nil, nil, err
	}
	params := chosen.Params(rows.nFeatures)
	model, err := b.mapOf(chosen, params, key.bytes)
	if err != nil {
		return nil, nil, err
	}
	made = &features{model: model}
	pace := newPacer(r.context)
	fitted := ""
	if chosen.IsFitted() && chosen.model == nil {
		if fitted, err = b.fit(model, chosen, data, rows, pace); err != nil {
			return nil, made, err
		}
		if rows, err = b.rows(data, chosen, most); err != nil { // from the beginning
			return nil, made, err
		}
	}
	mapper, release, err := newMapper(r.context, model)
	if err != nil {
		return nil, made, err
	}
	defer release()
	shown := r.started
	job := embedding.Job{Source: rows.source, Mapper: mapper, NFeatures: params.NFeatures, NComponents: params.NComponents,
		Most: most, BeginSmall: b.results == 0, Pace: pace.Pace,
		Progress: func(n int) {
			if now := time.Now(); now.Sub(shown) > 100*time.Millisecond {
				shown = now
				b.Change(func() { b.showProgress(r, n, rows.done(n)) })
			}
		}}
	outcome, err := job.Run()
	if refused, ok := err.(*embedding.RowError); ok {
		err = data.Refusal(refused, chosen.EmbedState)
	}
	if cause := context.Cause(r.context); cause != nil {
		err = cause
	}
	elapsed := time.Since(r.started)
	if err == nil {
		b.keep(rows)
	} else if err != errStopped || outcome.Rows == 0 {
		return nil, made, err
	}
	made.first = mapper.first
	embedded := &Result{Outcome: *outcome, Embed: chosen.EmbedState, Generation: data.Generation, Layout: data.Layout,
		NFeatures: rows.nFeatures, Keyed: key.number, Partial: err != nil || most > 0,
		Counts: rows.counts(), Elapsed: elapsed, Fitted: fitted}
	if chosen.model != nil {
		embedded.Model = chosen.model.Model
	}
	if len(rows.widths) > 1 {
		heaviest, share := embedded.Sample.Heaviest(rows.widths)
		embedded.Heaviest = Share{rows.names[heaviest], share}
	}
	if compareErr := compare(embedded, model); compareErr != nil {
		return nil, made, compareErr
	}
	return embedded, made, err
}

// mapOf makes the map of what is chosen.
func (b *browser) mapOf(chosen chosen, params sketch.Params, key safejs.Value) (*featureMap, error) {
	m := chosen.model
	if m == nil {
		return b.core.featureMap(params, key)
	}
	if m.NFeatures != params.NFeatures {
		return nil, errors.New(m.Name + " takes rows of " + format.Plural(m.NFeatures, "number") +
			", and these columns make " + format.Count(params.NFeatures) + ": change the use of columns below.")
	}
	if m.IsKeyed && !m.HoldsKey && key.IsUndefined() {
		return nil, errors.New(m.needsKey())
	}
	return b.core.fromModel(m.value, m.keyOf(key))
}

func (b *browser) showProgress(r *run, rows int, done float64) {
	if b.app.Run.Phase == Running {
		b.app.Run = Run{Phase: Running, Rows: rows, Done: done, Elapsed: time.Since(r.started)}
	}
}

// compare makes the error report of a result. It takes a moment and is not
// stopped.
func compare(result *Result, model *featureMap) error {
	pace := newPacer(context.Background())
	comparison := result.Sample.Compare(model.formulas)
	for more := true; more; {
		var err error
		if more, err = comparison.Step(); err == nil {
			err = pace.Pace()
		}
		if err != nil {
			return err
		}
	}
	result.Report = comparison.Report()
	return nil
}

// fit chooses the landmarks of a map among the first rows, and tells how many rows
// it chose from.
func (b *browser) fit(model *featureMap, chosen chosen, data Data, rows *readRows, pace *pacer) (fitted string,
	err error) {
	head, err := embedding.ReadHead(rows.source, pace.Pace)
	if err != nil {
		return "", err
	}
	if head.IsWhole {
		b.keep(rows)
	}
	if err := data.tooFew(head.Rows, chosen.EmbedState); err != nil {
		return "", err
	}
	err = model.fit(head)
	if refused, ok := err.(*embedding.RowError); ok {
		refused.Place = head.Place(refused.Row)
		err = data.Refusal(refused, chosen.EmbedState)
	}
	return head.Chosen(chosen.NComponents), err
}

// readRows are those of a run, wherever they come from.
type readRows struct {
	key       rowsKey
	source    embedding.Source
	recording *embedding.Recording
	nFeatures int
	names     []string                   // of the columns that have features,
	widths    []int                      // and how many each has
	done      func(embedded int) float64 // share of the data read
	counts    func() table.Counts
}

// A rowsKey tells whether rows that have been read are those that are wanted.
type rowsKey struct {
	layout *table.Layout
	unit   bool
	most   bool       // only the first ones
	model  *openModel // that makes them
}

// rows returns the rows to show, all or some more than the first ones wanted.
func (b *browser) rows(data Data, chosen chosen, most int) (*readRows, error) {
	key := rowsKey{data.Layout, chosen.Rows == RowsUnit, most > 0 && !data.IsSample(), chosen.model}
	if b.read != nil && b.read.key == key {
		again := *b.read
		again.source = again.recording.Replay()
		again.done = func(embedded int) float64 { return float64(embedded) / float64(max(again.recording.Rows(), 1)) }
		return &again, nil
	}
	if data.IsSample() {
		recording := sampleRecording(key.unit)
		b.read = &readRows{key: key, recording: recording, nFeatures: sample.Features, counts: func() table.Counts {
			return table.Counts{}
		}}
		return b.rows(data, chosen, most)
	}
	if key.most {
		most = shownRows
	}
	source, err := b.files.read(b.file, data.Reading, planOf(data.Layout, key.unit, 0), chosen.model, most)
	if err != nil {
		return nil, err
	}
	recording := embedding.Record(source)
	return &readRows{key: key, source: recording, recording: recording, nFeatures: source.nFeatures, names: source.names,
		widths: source.widths, counts: func() table.Counts { return source.counts },
		done: func(embedded int) float64 {
			if most > 0 {
				return float64(embedded) / float64(most)
			}
			return float64(source.read) / float64(data.Bytes)
		}}, nil
}

// keep keeps rows to be embedded again, if they are few.
func (b *browser) keep(rows *readRows) {
	var err error
	for rows.key.most && rows.recording.Replay() == nil && err == nil { // of the first ones fewer may have been embedded
		_, err = rows.recording.Next(shownRows)
	}
	if b.read = nil; rows.recording.Replay() != nil {
		b.read = rows
	}
}

// openChosen shows the first of the files, or all of them as a table where they are
// images. It runs in a goroutine of its own.
func (b *browser) openChosen(files []safejs.Value) {
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
	image, err := isImage(files[0])
	if err != nil {
		b.refuse(files[0], Reading{}, err)
		return
	}
	if image {
		b.images = files
		b.openImages(imageSide)
		return
	}
	if b.Open(files[0], Reading{}); len(files) > 1 {
		b.Change(func() {
			if b.app.Data.Problem == "" {
				b.app.Data.Problem = "Of " + format.Plural(len(files), "file") +
					" the first was opened: several are one table only where they are images."
			}
		})
	}
}

// openImages shows the images that were chosen, as rows of side × side shades.
func (b *browser) openImages(side int) {
	made, err := b.files.call("images", map[string]any{"files": listOf(b.images), "width": side, "height": side})
	if err != nil {
		b.refuse(b.images[0], Reading{}, err)
		return
	}
	b.Open(dom.Get(made, "file"), Reading{Side: side})
	if problem := dom.Text(made, "problem"); problem != "" {
		b.Change(func() { b.app.Data.Problem = problem })
	}
}

// Open shows a file. It runs in a goroutine of its own.
func (b *browser) Open(file safejs.Value, reading Reading) {
	var model *openModel
	b.Look(func() {
		if b.model != nil && b.app.Model == b.model.Model {
			model = b.model
		}
	})
	layout, err := b.files.open(file, reading, model)
	if err != nil {
		b.refuse(file, reading, err)
		return
	}
	b.Change(func() {
		b.file = file
		b.app.SetData(Data{Layout: layout, Reading: reading, Bytes: dom.Int(file, "size")})
	})
}

// readAs reads the file shown with another setting. The App is locked.
func (b *browser) readAs(key, text string) {
	reading, err := b.app.SetReading(key, text)
	if err != nil {
		b.app.Data.Problem = err.Error() + "."
		return
	}
	b.Background(func() { b.Open(b.file, reading) })
}

// refuse shows a file that cannot be read.
func (b *browser) refuse(file safejs.Value, reading Reading, err error) {
	b.Change(func() {
		b.file = file
		b.app.Refuse(dom.Text(file, "name"), dom.Int(file, "size"), reading, err)
	})
}

// openSample shows the sample. The App is locked.
func (b *browser) openSample() {
	b.file = safejs.Undefined()
	b.app.SetData(Data{Layout: sampleLayout, Reading: Reading{Reading: sampleLayout.Reading}})
}

// RandomSeed asks the browser for a random number.
func (b *browser) RandomSeed() uint64 {
	numbers := dom.New("Uint32Array", 1)
	dom.Call(dom.Get(dom.Window(), "crypto"), "getRandomValues", numbers)
	return uint64(dom.Number(numbers, "0"))
}

// ShowTitle names the place in the title of the page.
func (b *browser) ShowTitle(place string) {
	dom.Set(dom.Document(), "title", place+" · Tensor Sketch")
}
