package main

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"tensorsketch.example/ui/internal/dom"
	"tensorsketch.example/ui/internal/embed"
	"tensorsketch.example/ui/internal/format"
)

// A writer embeds and saves files, one after another. It embeds whole files of any size into the browser's own file
// system.
type writer struct {
	page    *browser
	waiting []task // asked for while another is running
	dropped int    // tasks that waited when the running one was stopped
	busy    bool
	tasks   int           // started so far
	started time.Duration // by now
	before  int           // rows that the job had when this run began
	looks   bool          // it will look for jobs again
	resume  *embed.Job    // the job whose file is being chosen, or nil
}

// A task is the work that an action asks for. start is called with the App locked; its work ends with done.
type task struct {
	action Action
	start  func()
}

// inMemory is the maximum size of files that are read into memory when saved and then removed from the disk. The
// visitor need not remove them.
const inMemory = 64 << 20

// ask starts the work of an action once earlier work is done. An action that is already waiting is not added again.
// The App is locked.
func (w *writer) ask(action Action, start func()) {
	if slices.ContainsFunc(w.waiting, func(t task) bool { return t.action == action }) {
		return
	}
	w.waiting = append(w.waiting, task{action, start})
	w.next()
	w.page.app.Saving.Waiting = len(w.waiting)
}

// next starts the first waiting task, if none is running. The App is locked.
func (w *writer) next() {
	if w.busy || len(w.waiting) == 0 {
		return
	}
	t := w.waiting[0]
	w.waiting = w.waiting[1:]
	w.busy = true
	w.tasks++
	t.start()
	w.page.app.Saving.Waiting = len(w.waiting)
}

// write writes the chosen features or model. The App is locked.
func (w *writer) write(action Action) {
	app := w.page.app
	chosen, data := w.page.choice(), app.Data
	request := mapRequest(chosen)
	request["options"] = readingValue(&data.Reading.Reading)
	request["plan"] = planOf(data.Layout, scalingOf(&app.State.Embed), app.State.Release.SparseWidth())
	give(request, "keySalt", chosen.model == nil && !chosen.key.salt.IsUndefined(), chosen.key.salt)
	if release := requestOf(&app.State.Release); release != nil {
		request["release"], request["options"] = release, readingValue(&data.Layout.Reading)
		persist() // so that the browser keeps the ledger
	}
	name := data.Layout.Stem + "-model.json"
	request["format"], request["includeKey"] = "model", isChecked("include-key")
	switch action {
	case embed.SaveModel:
	case embed.SaveONNX:
		request["format"], name = "onnx", data.Layout.Stem+"-model.onnx"
	case ConfirmRelease:
		request["format"], name = embed.ReleasedFormat, app.FeaturesName(embed.ReleasedFormat)
	default:
		format := embed.FormatOf(action)
		request["format"], name = format, app.FeaturesName(format)
		request["rowNumbers"] = embed.TakesRowNumbers(format) && isChecked("row-numbers")
	}
	request["file"] = w.page.rowsFile()
	w.run(name, request)
}

func isChecked(id string) bool { return dom.Truth(dom.Element(id), "checked") }

// done ends a task and starts the next. It shows how the task ended; after an error it drops the waiting tasks.
func (w *writer) done(name, verb, end string, err error) {
	w.page.Change(func() {
		w.busy, w.page.app.Saving = false, embed.Saving{Unseen: w.page.app.State.Place != PlaceEmbed}
		w.page.app.Saving.Message = end
		if err != nil {
			w.page.app.Saving.Message = format.Cut(name) + " could not be " + verb + ": " + sentence(err) +
				embed.Dropped(len(w.waiting))
			w.waiting = nil
		}
		w.next()
	})
}

// run has the worker embed a file, and saves the features. The App is locked.
func (w *writer) run(name string, request map[string]any) {
	w.before, w.started, w.dropped = 0, 0, 0
	w.page.app.Saving = embed.Saving{Name: name, Of: w.page.app.RowsToWrite()}
	w.page.Background(func() {
		end, err := w.embed(name, request)
		jobs, _ := w.list()
		w.done(name, "written", "", err)
		w.page.Change(func() {
			app := w.page.app
			app.Ledger = embed.Ledger{} // it may have changed
			w.show(jobs)
			if left := app.Left(name); err != nil && left != "" {
				app.Saving.Message += " " + left
			} else if err == nil {
				app.Saving.Message = cmp.Or(end, strings.TrimSpace("Stopped. "+left)) + embed.Dropped(w.dropped)
			}
		})
	})
}

// embed returns what to say of the file that was written, or "" if the visitor stopped.
func (w *writer) embed(name string, request map[string]any) (end string, err error) {
	defer dom.Catch(&err)
	state, err := w.page.files.call("run", request)
	if err != nil {
		return "", refusal(err, &w.page.app.Data, w.page.app.State.Embed)
	}
	if state.IsNull() { // stopped in the first pass
		return "", nil
	}
	saved := format.Cut(name) + " is written" + saves
	if model := dom.Text(state, "text"); model != "" {
		downloadText(model, "application/json", name)
		return saved, nil
	}
	if content := dom.Get(state, "onnx"); dom.Exists(content) {
		download(dom.Blob(content, "application/octet-stream"), name)
		return saved, nil
	}
	switch job := jobOf(state); {
	case !job.Done:
		return "", nil
	case job.Release != "": // it is saved from the list, in any format
		return "The release is written: save it below.", nil
	default:
		return format.Cut(name) + " is written, " + format.Plural(job.Rows, "row") + saves, w.save(&job)
	}
}

// openFiles makes the worker that reads and embeds files. The worker starts when it is needed.
func (b *browser) openFiles() {
	b.writer, b.user = &writer{page: b}, &user{page: b}
	b.files = filesOf(b.Quiet(func(news dom.Value) (changed bool) {
		if use := dom.Get(news, "use"); dom.Exists(use) {
			return b.user.onProgress(use)
		}
		if dom.Truth(news, "learn") {
			return b.learner.hear(news)
		}
		if dom.Truth(news, "preview") {
			return b.showProgress(dom.Int(news, "rows"), dom.Number(news, "done"))
		}
		return b.writer.onProgress(news)
	}))
}

// onProgress handles a progress message. If only figures changed, it writes them directly into the page and skips
// rendering. In a run of minutes, the trees of Vugu and of the browser would be tens of MB of garbage.
func (w *writer) onProgress(news dom.Value) (changed bool) {
	app := w.page.app
	before := app.SavingView()
	w.progress(news)
	view := app.SavingView()
	before.Done, before.Figures = view.Done, view.Figures
	if bar := dom.Element("saving-bar"); dom.Exists(bar) { // as Vugu would
		dom.SetAttribute(bar, "value", view.Done)
		dom.Update("saving-figures", "textContent", view.Figures)
	}
	return view != before
}

// progress stores how far the run is. The App is locked.
func (w *writer) progress(news dom.Value) {
	s := &w.page.app.Saving
	if s.Name == "" {
		return
	}
	phase, rows := dom.Text(news, "phase"), dom.Int(news, "rows")
	if s.FirstPass = phase == "first pass"; !s.FirstPass && phase != "" && w.started == 0 {
		w.started, w.before = now(), rows
	}
	s.Rows, s.Before = rows, w.before
	if w.started != 0 {
		s.Elapsed = now() - w.started
	}
	if size := dom.Number(news, "size"); size > 0 {
		s.Done = dom.Number(news, "read") / size
	}
}

const saves = ": the browser saves it."

// save gives the features of a job to the visitor as a file. Small files are removed from the disk; others stay
// there until the visitor removes them.
func (w *writer) save(job *embed.Job) error {
	file, err := w.ofJob("export", job, nil)
	if err != nil {
		return err
	}
	if job.Done && job.Bytes <= inMemory && job.Release == "" {
		content, err := dom.Ask(file, "arrayBuffer")
		if err != nil {
			return err
		}
		file = dom.Blob(content, "application/octet-stream")
		if _, err := w.ofJob("remove", job, nil); err != nil {
			return err
		}
	}
	download(file, job.FileName())
	return nil
}

// ofJob sends the worker a request about a job, with a format if it is not nil.
func (w *writer) ofJob(request string, job *embed.Job, format any) (dom.Value, error) {
	return w.page.files.call(request, map[string]any{"job": job.ID, "format": format})
}

// stop ends the writing; the rows so far are kept. The App is locked.
func (w *writer) stop() {
	w.dropped, w.waiting = len(w.waiting), nil
	w.page.app.Saving.Waiting = 0
	w.page.tell("stop")
}

// pause pauses the writing or resumes it. The App is locked.
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
	w.page.tell(call)
}

// list returns the jobs in this browser.
func (w *writer) list() ([]embed.Job, error) {
	list, err := w.page.files.call("jobs", map[string]any{})
	if err != nil {
		return nil, err
	}
	var jobs []embed.Job
	for _, state := range dom.List(list) {
		jobs = append(jobs, jobOf(state))
	}
	return jobs, nil
}

// lookForJobs lists the jobs that an earlier visit or another tab left.
func (w *writer) lookForJobs() {
	var before int
	w.page.Look(func() { before = w.tasks })
	jobs, err := w.list()
	w.page.Change(func() {
		w.looks = false
		if err != nil || w.busy || w.tasks != before { // a task makes its own list, and this may be of before
			jobs = w.page.app.Jobs
		}
		w.show(jobs)
	})
}

// show lists jobs, and looks again while another tab is writing one. The App is locked.
func (w *writer) show(jobs []embed.Job) {
	w.page.app.Jobs = jobs
	if !w.looks && slices.ContainsFunc(jobs, func(j embed.Job) bool { return j.Written }) {
		w.looks = true
		time.AfterFunc(2*time.Second, w.lookForJobs)
	}
}

func jobOf(state dom.Value) embed.Job {
	j := embed.Job{ID: dom.Text(state, "id"), File: dom.Text(state, "file", "name"),
		FileBytes: dom.Int(state, "file", "size"),
		Stem:      dom.Text(state, "stem"), Format: dom.Text(state, "format"), Rows: dom.Int(state, "rows"),
		Bytes: dom.Int(state, "bytes"), Done: dom.Truth(state, "done"), Written: dom.Truth(state, "written"),
		InMemory: !dom.Truth(state, "keeps"), Release: dom.Text(state, "release", "kind")}
	if j.Release != "" {
		j.Seen = embed.Seen(dom.Int(state, "clipped"), dom.Int(state, "zeroed")+dom.Int(state, "unusable"))
	}
	return j
}

// do performs an action on a job. The App is locked.
func (w *writer) do(action Action) {
	for _, kind := range []Action{embed.SaveJob, embed.SaveRelease, embed.SaveAs, embed.RemoveJob} {
		if id, ok := cut(action, kind); ok && id != "" {
			w.ask(action, func() { w.with(id, kind) })
		}
	}
	if id, ok := cut(action, embed.ContinueJob); ok {
		if job := w.page.app.Job(id); job != nil {
			w.resumeJob(job)
		}
	}
}

// cut returns the part of an action after its prefix: it names the job.
func cut(action, prefix Action) (rest string, ok bool) {
	return strings.CutPrefix(string(action), string(prefix))
}

// with performs an action of a kind on a job in the background, and says how that ended. The App is locked.
func (w *writer) with(id string, kind Action) {
	format := ""
	if kind == embed.SaveAs {
		format, id, _ = strings.Cut(id, "-")
	}
	job := w.page.app.Job(id)
	if job == nil { // it has been removed meanwhile
		w.busy = false
		w.next()
		return
	}
	w.page.Background(func() {
		name, err := w.perform(kind, job, format)
		verb, end := "saved", name+saves
		if kind == embed.RemoveJob {
			verb, end = "removed", name+" is removed."
		}
		jobs, _ := w.list()
		w.page.Change(func() { w.show(jobs) })
		w.done(name, verb, end, err)
	})
}

// perform saves a job, its rows in a format or what the receiver of a release needs, or removes it. It returns the name
// of the file.
func (w *writer) perform(kind Action, job *embed.Job, format string) (name string, err error) {
	defer dom.Catch(&err)
	switch name = job.FileName(); kind {
	case embed.SaveJob:
		return name, w.save(job)
	case embed.RemoveJob:
		_, err = w.ofJob("remove", job, nil)
		return name, err
	case embed.SaveAs:
		name = embed.FileName(job.Named(), format)
		file, err := w.ofJob("export", job, format)
		if err == nil {
			download(file, name)
		}
		return name, err
	}
	name = job.Named() + "-release.json"
	said, err := w.ofJob("release", job, nil)
	if err == nil {
		downloadText(dom.Text(said), "application/json", name)
	}
	return name, err
}

// resumeJob continues a job. It uses the current file if it is the job's file; otherwise the visitor chooses one.
// The App is locked.
func (w *writer) resumeJob(job *embed.Job) {
	if data := &w.page.app.Data; data.Layout.Name == job.File && data.Bytes == job.FileBytes {
		w.continueWith(job, w.page.file)
		return
	}
	w.page.chooseFile(job)
}

// takes continues the job that a file was chosen for, and reports whether there was one. The App is locked.
func (w *writer) takes(file dom.Value) bool {
	job := w.resume
	if w.resume = nil; job == nil {
		return false
	}
	w.continueWith(job, file)
	return true
}

func (w *writer) continueWith(job *embed.Job, file dom.Value) {
	key := w.page.key.bytes
	w.ask(embed.ContinueJob+Action(job.ID), func() {
		w.run(embed.FileName(job.Named(), job.Format), map[string]any{"job": job.ID, "file": file, "key": key})
		s := &w.page.app.Saving
		s.Job, s.Rows, s.Before = job.ID, job.Rows, job.Rows
	})
}
