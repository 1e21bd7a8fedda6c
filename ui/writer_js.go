package main

import (
	"slices"
	"strings"
	"time"

	"github.com/hack-pad/safejs"
)

// A writer embeds files to be saved, one after the other: whole files, whatever their
// size, into the browser's own file system.
type writer struct {
	page    *browser
	worker  *fileWorker
	waiting []task // asked for while another is at work
	busy    bool
	started time.Time
	before  int  // rows that the job had when this run began
	resume  *Job // whose file is being chosen
}

// A task is what an action asks for. Start is called with the App locked; what it begins
// ends with done, or skip.
type task struct {
	action Action
	start  func()
}

// inMemory bounds the files that are taken from the disk to be saved, so that they need
// not wait there for the visitor to remove them.
const inMemory = 64 << 20

// ask does what an action asks for, when what was asked before is done. A second press
// does not do it twice. The App is locked.
func (w *writer) ask(action Action, start func()) {
	if slices.ContainsFunc(w.waiting, func(t task) bool { return t.action == action }) {
		return
	}
	w.waiting = append(w.waiting, task{action, start})
	w.next()
}

// next starts what is waiting, if nothing is at work. The App is locked.
func (w *writer) next() {
	if w.busy || len(w.waiting) == 0 {
		return
	}
	t := w.waiting[0]
	w.waiting = w.waiting[1:]
	w.busy = true
	t.start()
}

// skip goes on after a task that had nothing to do. The App is locked.
func (w *writer) skip() {
	w.busy = false
	w.next()
}

// write writes features or the model of what is chosen. The App is locked.
func (w *writer) write(action Action) {
	app := w.page.app
	chosen := chosen{app.State.Embed, w.page.appliedModel()}
	data := app.Data
	request, err := mapRequest(chosen, w.page.key)
	if err != nil {
		app.Fail(err.Error())
		w.skip()
		return
	}
	request["options"] = readingValue(&data.Reading.Reading)
	request["plan"] = planOf(data.Layout, app.State.Embed.Rows == RowsUnit, app.State.Release.width())
	give(request, "keySalt", chosen.model == nil && !w.page.keySalt.IsUndefined(), w.page.keySalt)
	if release := app.State.Release.request(); release != nil {
		request["release"], request["options"] = release, readingValue(&data.Layout.Reading)
		_, _ = safejs.Global().Call("persist") // the ledger is to stay
	}
	name := data.Layout.Stem + "-model.json"
	request["format"], request["includeKey"] = "model", isChecked("include-key")
	switch action {
	case SaveModel:
	case ConfirmRelease:
		request["format"], name = releasedFormat, app.featuresName(releasedFormat)
	default:
		format := formatOf(action)
		request["format"], name = format, app.featuresName(format)
		request["rowNumbers"] = takesRowNumbers(format) && isChecked("row-numbers")
	}
	request["file"] = w.page.file
	w.run(name, func() (map[string]any, error) {
		if !data.IsSample() {
			return request, nil
		}
		file, err := newObject("File", []any{sampleFile()}, data.Layout.Name, map[string]any{"lastModified": 0})
		request["file"] = file
		return request, err
	})
}

func isChecked(id string) bool {
	field, err := element(id)
	if err != nil || field.IsNull() {
		return false
	}
	r := reader{}
	return r.truth(field, "checked")
}

// done tells of a file that could not be written, and goes on with the next.
func (w *writer) done(name string, err error) {
	w.page.change(func() {
		w.busy, w.page.app.Saving = false, Saving{}
		if err != nil {
			w.waiting = nil
			w.page.app.Saving.Message = name + " could not be written: " + strings.TrimSuffix(err.Error(), ".") + "."
		}
		w.next()
	})
}

// run has the worker embed a file, and saves the features. The App is locked.
func (w *writer) run(name string, request func() (map[string]any, error)) {
	w.before, w.started = 0, time.Now()
	w.page.app.Saving = Saving{Name: name}
	w.page.background(func() {
		saved, err := w.embed(name, request)
		jobs, _ := w.list()
		w.done(name, err)
		w.page.change(func() {
			app := w.page.app
			app.Jobs, app.Ledger = jobs, Ledger{} // which may have changed
			if left := app.left(); err != nil && left != "" {
				app.Saving.Message += " " + left
			} else if err == nil && !saved {
				app.Saving.Message = strings.TrimSpace("Stopped. " + left)
			}
		})
	})
}

// embed returns whether the features were saved; they are not where the visitor stopped.
func (w *writer) embed(name string, request func() (map[string]any, error)) (saved bool, err error) {
	defer caught(&err)
	asked, err := request()
	if err != nil {
		return false, err
	}
	state, err := w.worker.call("run", asked)
	if err != nil {
		return false, w.refusal(err)
	}
	if state.IsNull() { // stopped in the first pass
		return false, nil
	}
	if model := text(state, "text"); model != "" {
		return true, downloadText(model, "application/json", name)
	}
	job, err := jobOf(state)
	if err != nil || !job.Done {
		return false, err
	}
	if job.Release != "" { // it is saved from the list, in any format
		return true, nil
	}
	return true, w.save(job)
}

// refusal says it where the core refuses a row.
func (w *writer) refusal(err error) error {
	if refused, ok := rowError(err); ok {
		return w.page.app.Data.Refusal(refused, w.page.app.State.Embed)
	}
	return err
}

// openFiles makes the worker that reads and embeds files, to be started when it is needed.
func (b *browser) openFiles() error {
	b.writer = &writer{page: b}
	onProgress, err := b.quietFunc(func(news safejs.Value) (changed bool, err error) {
		if r := (reader{}); r.truth(news, "preview") {
			return b.showProgress(r.int(news, "rows"), r.number(news, "done")), nil
		}
		return b.writer.onProgress(news)
	})
	if err != nil {
		return err
	}
	b.files, err = newFileWorker(onProgress)
	b.writer.worker = b.files
	return err
}

// onProgress takes in how far the run is. If only figures changed it writes them into the page,
// and nothing is drawn anew: in a run of minutes, Vugu's trees and the browser's would be tens of
// MB of garbage.
func (w *writer) onProgress(news safejs.Value) (changed bool, err error) {
	app := w.page.app
	before := app.ProgressView()
	if err := w.progress(news); err != nil {
		return true, err
	}
	view := app.ProgressView()
	before.Done, before.Figures = view.Done, view.Figures
	return view != before || showFigures(view) != nil, nil
}

// showFigures puts what changes all the time into the page, as Vugu would, if it is shown.
func showFigures(v ProgressView) error {
	bar, err := element("bar")
	if err != nil || bar.IsNull() {
		return err
	}
	if _, err := bar.Call("setAttribute", "value", v.Done); err != nil {
		return err
	}
	figures, err := element("figures")
	if err != nil {
		return err
	}
	return figures.Set("textContent", v.Figures)
}

// progress takes in how far the run is. The App is locked.
func (w *writer) progress(news safejs.Value) error {
	s := &w.page.app.Saving
	if s.Name == "" {
		return nil
	}
	r := reader{}
	phase, rows := text(news, "phase"), r.int(news, "rows")
	if s.FirstPass = phase == "first pass"; !s.FirstPass && phase != "" && s.Elapsed == 0 {
		w.started, w.before = time.Now(), rows
	}
	s.Rows, s.Before, s.Elapsed = rows, w.before, time.Since(w.started)
	if size := r.number(news, "size"); size > 0 {
		s.Done = r.number(news, "read") / size
	}
	return r.err
}

// save hands the features of a job to the visitor. Small ones are taken from the disk,
// others stay there until they are removed.
func (w *writer) save(job *Job) error {
	file, err := w.worker.call("export", map[string]any{"job": job.ID})
	if err != nil {
		return err
	}
	if job.Done && job.Bytes <= inMemory && job.Release == "" {
		promise, err := file.Call("arrayBuffer")
		if err != nil {
			return err
		}
		content, err := await(promise)
		if err != nil {
			return err
		}
		if file, err = blobOf([]any{content}, "application/octet-stream"); err != nil {
			return err
		}
		if _, err := w.worker.call("remove", map[string]any{"job": job.ID}); err != nil {
			return err
		}
	}
	return download(file, job.FileName())
}

// stop ends what is written; the rows so far are kept. The App is locked.
func (w *writer) stop() {
	w.waiting = nil
	w.page.background(func() { _, _ = w.worker.call("stop", map[string]any{}) })
}

// pause holds what is written, or lets it go on. The App is locked.
func (w *writer) pause() {
	s := &w.page.app.Saving
	if s.Name == "" {
		return
	}
	s.Paused = !s.Paused
	call := "resume"
	if s.Paused {
		call = "pause"
	}
	w.page.background(func() { _, _ = w.worker.call(call, map[string]any{}) })
}

// list returns the jobs in this browser.
func (w *writer) list() ([]Job, error) {
	list, err := w.worker.call("jobs", map[string]any{})
	if err != nil {
		return nil, err
	}
	r := reader{}
	var jobs []Job
	for i := range r.int(list, "length") {
		job, err := jobOf(r.at(list, i))
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, *job)
	}
	return jobs, r.err
}

// lookForJobs lists what an earlier visit has left, again while another tab is at some.
func (w *writer) lookForJobs() {
	jobs, err := w.list()
	if err != nil { // a browser may keep nothing
		return
	}
	w.page.change(func() {
		if !w.busy {
			w.page.app.Jobs = jobs
		}
	})
	if slices.ContainsFunc(jobs, func(j Job) bool { return j.Written }) {
		time.AfterFunc(2*time.Second, w.lookForJobs)
	}
}

func jobOf(state safejs.Value) (*Job, error) {
	r := reader{}
	file := r.get(state, "file")
	j := &Job{ID: text(state, "id"), File: text(file, "name"), FileBytes: r.int(file, "size"), Stem: text(state, "stem"),
		Format: text(state, "format"),
		Rows:   r.int(state, "rows"), Bytes: r.int(state, "bytes"), Done: r.truth(state, "done"),
		Written: r.truth(state, "written"), InMemory: !r.truth(state, "keeps")}
	if release := r.get(state, "release"); !release.IsUndefined() && !release.IsNull() {
		j.Release = text(release, "kind")
		j.Seen = seen(r.int(state, "clipped"), r.int(state, "zeroed")+r.int(state, "unusable"))
	}
	return j, r.err
}

// do does what is asked for of a job. The App is locked.
func (w *writer) do(action Action) {
	for prefix, do := range map[Action]func(*Job) error{
		SaveJob:     w.save,
		SaveRelease: w.saveRelease,
		RemoveJob: func(job *Job) error {
			_, err := w.worker.call("remove", map[string]any{"job": job.ID})
			return err
		},
	} {
		if id, ok := action.of(prefix); ok && id != "" {
			w.ask(action, func() { w.with(id, do) })
		}
	}
	if format, ok := action.of(SaveAs); ok {
		format, id, _ := strings.Cut(format, "-")
		w.ask(action, func() { w.with(id, func(job *Job) error { return w.saveAs(job, format) }) })
	}
	if id, ok := action.of(ContinueJob); ok {
		if job := w.page.app.job(id); job != nil {
			w.resumeJob(job)
		}
	}
}

// releasedFormat is what a release is made in; from it any other is made.
const releasedFormat = "npy"

// saveAs hands the rows of a release to the visitor in a format.
func (w *writer) saveAs(job *Job, format string) error {
	file, err := w.worker.call("export", map[string]any{"job": job.ID, "format": format})
	if err != nil {
		return err
	}
	return download(file, FileName(job.stem(), format, 0))
}

// saveRelease hands over what the receiver of a private release needs to know.
func (w *writer) saveRelease(job *Job) error {
	said, err := w.worker.call("release", map[string]any{"job": job.ID})
	if err != nil {
		return err
	}
	content, err := said.String()
	if err != nil {
		return err
	}
	return downloadText(content, "application/json", job.stem()+"-release.json")
}

// with does something with a job, in the background. The App is locked.
func (w *writer) with(id string, do func(*Job) error) {
	job := w.page.app.job(id)
	if job == nil { // it has been removed meanwhile
		w.skip()
		return
	}
	w.page.background(func() {
		err := do(job)
		jobs, _ := w.list()
		w.page.change(func() { w.page.app.Jobs = jobs })
		w.done(job.FileName(), err)
	})
}

// resumeJob goes on with a job: with the file that is shown if it is the same, or else
// with one that the visitor chooses. The App is locked.
func (w *writer) resumeJob(job *Job) {
	if data := &w.page.app.Data; data.Layout.Name == job.File && data.Bytes == job.FileBytes {
		w.continueWith(job, w.page.file)
		return
	}
	w.page.chooseFile(job)
}

// takes goes on with the job that a file has been chosen for, if there is one. The App
// is locked.
func (w *writer) takes(file safejs.Value) bool {
	job := w.resume
	if w.resume = nil; job == nil {
		return false
	}
	w.continueWith(job, file)
	return true
}

func (w *writer) continueWith(job *Job, file safejs.Value) {
	key := w.page.key
	w.ask(ContinueJob+Action(job.ID), func() {
		w.run(FileName(job.stem(), job.Format, 0), func() (map[string]any, error) {
			return map[string]any{"job": job.ID, "file": file, "key": key}, nil
		})
	})
}
