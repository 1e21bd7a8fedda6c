package main

import (
	"math"
	"time"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/ui/internal/dom"
	"tensorsketch.example/ui/internal/embed"
	"tensorsketch.example/ui/internal/learn"
	"tensorsketch.example/ui/internal/rowsmap"
	"tensorsketch.example/ui/internal/table"
)

// A learner has the files worker learn from the rows (public/page/learnjob.js).
type learner struct {
	page    *browser
	wanted  bool          // a session begins in a moment
	started time.Duration // by now
	rows    learnKey      // the rows of the last session
	reading int           // how often rows has changed
	asking  bool          // for the predictions, or for the rows behind what is picked
	search  int           // the session after whose curve a search begins by itself
}

// A learnKey identifies the rows that are learned from.
type learnKey struct {
	layout  *table.Layout
	scaling scaling
}

// learnPause is the pause before a session begins: a slider may be moving.
const learnPause = 80 * time.Millisecond

// behindMost is how many more rows are listed at a time.
const behindMost = 12

// Learn begins a session with the current rows and settings, in a moment, unless they are back to what the last
// session learned from. The App is locked.
func (b *browser) Learn() {
	l := &b.learner
	if l.page = b; !b.begun {
		return
	}
	if l.forgetOthers(); l.wanted {
		return
	}
	l.wanted = true
	b.Background(func() {
		time.Sleep(learnPause)
		var request map[string]any
		id := 0
		b.Change(func() {
			l.wanted = false
			switch app := b.app; {
			case !app.State.IsHalf(HalfFile) || app.learnedFrom == app.learning():
			case app.CanLearn():
				request, id = l.begin(), app.Learned.ID
			case app.Data.Layout != nil:
				l.clear()
			}
		})
		if request != nil {
			l.run("learn", request, id)
		}
	})
}

// forgetOthers drops what was learned from other rows or labels than the current ones. The App is locked.
func (l *learner) forgetOthers() {
	app := l.page.app
	before, now := app.learnedFrom, app.learning()
	if before.layout == now.layout && before.generation == now.generation {
		return
	}
	app.Learned.Clear()
	l.page.user.forget(before.generation == now.generation)
	app.learnedFrom.layout, app.learnedFrom.generation = now.layout, now.generation
	app.learnedFrom.keyed = -1 // no key has this number, so that these are learned from next
}

// clear stops learning and drops what was learned. The App is locked.
func (l *learner) clear() {
	l.forgetOthers()
	l.page.app.Learned.Clear()
	l.page.user.forgetAnswers()
	l.page.app.learnedFrom = l.page.app.learning()
	l.page.tell("learnStop")
}

// begin returns the request for a new session. The App is locked.
func (l *learner) begin() map[string]any {
	app, chosen := l.page.app, l.page.choice()
	if app.learnedFrom.settings.NComponents != app.State.Embed.NComponents {
		app.Learned.At = 0 // the D that was just chosen is shown, not the one that was picked before
	}
	isSame := app.learnedFrom.layout == app.Data.Layout && app.learnedFrom.task == app.State.LearnFile.Task
	if app.Learned.Begin(isSame && app.learnedFrom.settings != app.State.Embed); app.Learned.Found == nil {
		if found := l.page.foundBefore(); found != nil {
			app.Learned.TakeFound(found)
			app.Learned.Curves = app.State.Embed != embed.DefaultSettings()
		}
	}
	l.page.user.forgetAnswers()
	if app.learnedFrom = app.learning(); app.searchesItself() {
		l.search = app.Learned.ID
	}
	l.started = now()
	data := &app.Data
	if key := (learnKey{data.Layout, scalingOf(&chosen.Settings)}); key != l.rows {
		l.rows = key
		l.reading++
	}
	chosen.model = nil // its head, if it has one, was learned elsewhere
	request := mapRequest(chosen)
	request["session"], request["rows"] = app.Learned.ID, l.reading
	request["task"], request["seed"] = app.State.LearnFile.Task, 1
	var sizes []any
	for _, size := range learn.Sizes(chosen.NComponents) {
		sizes = append(sizes, size)
	}
	request["sizes"] = sizes
	request["file"], request["options"] = l.page.rowsFile(), readingValue(&data.Reading.Reading)
	request["plan"] = planOf(data.Layout, l.rows.scaling, 0)
	return request
}

// run sends a request and waits for its end, then shows the phase. It runs in a goroutine of its own.
func (l *learner) run(name string, request map[string]any, id int) {
	reply, err := l.page.files.call(name, request)
	l.page.Change(func() {
		r := &l.page.app.Learned
		if r.ID != id {
			return
		}
		r.Paused, r.Done = false, 1
		switch isSearch := name == "learnSearch"; {
		case err != nil && isSearch:
			r.Phase, r.Message = learn.Done, "Nothing was found by the search: "+sentence(err)
		case isSearch && reply.IsNull():
			r.Phase, r.Message = learn.Done, "The search was stopped. The model of these settings is in use."
		case err != nil:
			r.Phase, r.Message = learn.Failed, sentence(err)
		case reply.IsNull(), dom.Truth(reply, "stopped"):
			r.Phase = learn.Stopped
		default:
			r.Phase, r.Message = learn.Done, ""
			switch name {
			case "learnCheck":
				r.TakeCheck(checkOf(reply))
			case "learnSearch":
				r.TakeFound(foundOf(reply))
				k := &l.page.keeper
				k.found, k.from = reply, l.page.keptKey(nil)
			case "learnExact":
				r.TakeKernel(&learn.Kernel{Rows: dom.Int(reply, "rows"), Of: dom.Int(reply, "of"),
					Score: dom.Number(reply, "value"), Low: dom.Number(reply, "low"), High: dom.Number(reply, "high"),
					Alpha: dom.Number(reply, "alpha"), Time: milliseconds(dom.Get(reply, "ms"))})
			}
		}
		l.page.LearnDetail()
	})
}

// more begins work that goes on from a session that is complete. The App is locked.
func (l *learner) more(name string, phase learn.Phase, request map[string]any) {
	r := &l.page.app.Learned
	if r.Phase.Runs() || r.Chosen() == nil {
		return
	}
	r.Phase, r.Done, r.Rows = phase, 0, 0
	l.started = now()
	id := r.ID
	l.page.Background(func() { l.run(name, request, id) })
}

// do performs an action. The App is locked.
func (l *learner) do(action Action) {
	app := l.page.app
	switch action {
	case LearnNow:
		app.learnedFrom.keyed = -1 // of no key, so that the same is learned again
		l.page.Learn()
	case LearnStop:
		l.page.tell("learnStop")
	case LearnPause:
		name := "learnPause"
		if app.Learned.Paused {
			name = "learnResume"
		}
		l.page.tell(name)
	case LearnSeeds:
		l.more("learnBand", learn.Band, map[string]any{"seeds": otherSeeds})
	case LearnExact:
		l.more("learnExact", learn.Exact, map[string]any{})
	case LearnSearch:
		l.more("learnSearch", learn.Searching, map[string]any{})
	case UseFound:
		app.Learned.Curves = !app.Learned.Curves
		l.page.user.forgetAnswers()
	case LearnCheck:
		if d := app.Learned.Detail; d != nil {
			l.more("learnCheck", learn.Checking, map[string]any{"D": d.D})
		}
	case MoreBehind:
		l.page.LearnDetail()
	}
}

// hear takes in news of the worker. If only figures changed, it writes them into the page and skips rendering.
func (l *learner) hear(news dom.Value) (changed bool) {
	r := &l.page.app.Learned
	if dom.Int(news, "learn") != r.ID || !r.Phase.Runs() {
		return false
	}
	before := *r
	r.Elapsed = now() - l.started
	if done := dom.Get(news, "done"); dom.Exists(done) {
		r.Done = dom.Number(done)
	}
	if rows := dom.Get(news, "rows"); dom.Exists(rows) {
		r.Rows = dom.Int(rows)
	}
	if paused := dom.Get(news, "paused"); dom.Exists(paused) {
		r.Paused = dom.Truth(paused)
	}
	if r.Phase <= learn.Training {
		switch dom.Text(news, "phase") {
		case "reading":
			r.Phase = learn.Reading
		case "measuring":
			r.Phase = learn.Measuring
		case "training":
			r.Phase = learn.Training
		}
	}
	if head := dom.Get(news, "head"); dom.Exists(head) {
		r.Head = headOf(head)
	}
	if point := dom.Get(news, "point"); dom.Exists(point) {
		r.TakePoint(pointOf(point))
	}
	if seed := dom.Get(news, "band"); dom.Exists(seed) {
		r.TakeSeed(dom.Int(seed, "D"), dom.Number(seed, "score"))
	}
	if bar := dom.Element("learn-bar"); dom.Exists(bar) { // as Vugu would
		dom.SetAttribute(bar, "value", l.page.app.LearnFileView().Done)
		dom.Update("learn-figures", "textContent", r.Figures())
	}
	return r.Phase != before.Phase || r.Paused != before.Paused || r.Changes() != before.Changes() || r.Head != before.Head
}

func headOf(v dom.Value) *learn.Head {
	h := &learn.Head{Task: dom.Text(v, "task"), IsKept: dom.Truth(v, "isKept"), IsUnit: dom.Truth(v, "unit"),
		Train: dom.Int(v, "train"), Held: dom.Int(v, "held"), HeldOf: dom.Int(v, "heldOf"),
		Notes: notesOf(dom.Get(v, "notes"))}
	for _, name := range dom.Items(v, "unused") {
		h.Unused = append(h.Unused, dom.Text(name))
	}
	return h
}

func pointOf(v dom.Value) learn.Point {
	return learn.Point{D: dom.Int(v, "D"), Score: dom.Number(v, "score"), Low: dom.Number(v, "low"),
		High: dom.Number(v, "high"), Alpha: dom.Number(v, "alpha"), Time: milliseconds(dom.Get(v, "ms")),
		Rows: dom.Int(v, "rows"), Clipped: dom.Int(v, "clipped"), Problem: dom.Text(v, "problem")}
}

// LearnDetail asks for the predictions of the model that is shown, and for the rows behind what is picked. The App is
// locked.
func (b *browser) LearnDetail() {
	l, r := &b.learner, &b.app.Learned
	if l.asking || l.page == nil {
		return
	}
	id, d, cell := r.ID, r.WantsDetail(), r.Cell
	from := 0
	if r.Behind != nil && r.Behind.Cell == cell {
		from = len(r.Behind.Rows)
	}
	switch {
	case d > 0:
		l.ask("learnDetail", map[string]any{"D": d}, func(reply dom.Value) {
			if r.ID != id {
				return
			}
			if r.TakeDetail(detailOf(d, reply)); l.search == id && r.Phase == learn.Done {
				l.search = 0
				l.do(LearnSearch)
			}
		})
	case r.Detail != nil && cell > 0 && (from == 0 && r.Behind == nil || from > 0 && from < r.Behind.Total):
		request := map[string]any{"D": r.Detail.D, "from": from, "most": behindMost}
		if dot := r.Dot(); dot >= 0 {
			request["row"] = int(r.Map.Rows[dot])
		} else if r.Detail.IsNumber() {
			request["row"] = int(r.Detail.Rows[cell-1])
		} else {
			request["truth"], request["predicted"] = (cell-1)/len(r.Detail.Classes), (cell-1)%len(r.Detail.Classes)
		}
		detail := r.Detail
		l.ask("learnRows", request, func(reply dom.Value) {
			if r.ID == id && r.Detail == detail && r.Cell == cell {
				r.TakeBehind(cell, from, behindOf(reply))
			}
		})
	case r.WantsMap() > 0:
		l.ask("learnMap", map[string]any{"D": r.WantsMap()}, func(reply dom.Value) {
			if r.ID == id && r.Detail != nil && r.Detail.D == dom.Int(reply, "D") {
				r.TakeMap(learnMapOf(reply))
			}
		})
	}
}

// ask asks the worker, and asks again for what is wanted by then. The App is locked.
func (l *learner) ask(name string, request map[string]any, take func(reply dom.Value)) {
	l.asking = true
	l.page.Background(func() {
		reply, err := l.page.files.call(name, request)
		l.page.Change(func() {
			l.asking = false
			if err != nil || reply.IsNull() {
				return
			}
			take(reply)
			if name != "learnRows" || l.page.app.Learned.Behind == nil {
				l.page.LearnDetail()
			}
		})
	})
}

func detailOf(d int, v dom.Value) *learn.Detail {
	detail := &learn.Detail{D: d, MAE: dom.Number(v, "mae", "value"), RMSE: dom.Number(v, "rmse", "value"),
		RMSELow: dom.Number(v, "rmse", "low"), RMSEHigh: dom.Number(v, "rmse", "high")}
	if classes := dom.Get(v, "classes"); dom.Exists(classes) {
		for _, class := range dom.List(classes) {
			detail.Classes = append(detail.Classes, dom.Text(class))
		}
		detail.Confusion = dom.Numbers[float64](dom.Get(v, "confusion"))
		return detail
	}
	detail.Rows = dom.Numbers[float64](dom.Get(v, "rows"))
	detail.Truth = dom.Numbers[float64](dom.Get(v, "truth"))
	detail.Predicted = dom.Numbers[float64](dom.Get(v, "predicted"))
	return detail
}

func learnMapOf(v dom.Value) *learn.RowsMap {
	list := func(name string) []float64 { return dom.Numbers[float64](dom.Get(v, name)) }
	return &learn.RowsMap{Cloud: rowsmap.Cloud{XY: list("xy"), Share: list("share"), Of: dom.Int(v, "of")},
		D: dom.Int(v, "D"), Rows: list("rows"), Truth: list("truth"), Predicted: list("predicted")}
}

func foundOf(v dom.Value) *learn.Found {
	of := dom.Get(v, "report", "candidates")
	f := &learn.Found{Name: dom.Text(of, "chosen"), Model: dom.Text(v, "model")}
	if held := dom.Get(of, "heldOut"); dom.Exists(held) {
		score := "r2"
		if dom.Exists(dom.Get(held, "accuracy")) {
			score = "accuracy"
		}
		f.Rows, f.Score = dom.Int(held, "rows"), dom.Number(held, score)
		f.Low, f.High = math.NaN(), math.NaN()
		if interval := dom.Get(held, "interval"); dom.Exists(interval) {
			f.Low, f.High = dom.Number(interval, "low"), dom.Number(interval, "high")
		}
	}
	if file, err := dom.Try(dom.Get(dom.Window(), "JSON"), "parse", f.Model); err == nil {
		for _, c := range dom.Items(file, "preprocessing", "columns") {
			if role, ok := columns.ParseRole(dom.Text(c, "role")); ok && role.IsFeature() {
				f.Used = append(f.Used, dom.Text(c, "name"))
			}
		}
	}
	for _, candidate := range dom.Items(of, "all") {
		if dom.Exists(dom.Get(candidate, "error")) {
			f.Tried++
		}
	}
	for _, note := range dom.Items(v, "report", "warnings") {
		f.Notes = append(f.Notes, dom.Text(note))
	}
	for _, note := range dom.Items(v, "report", "notes") { // the file's notes stand above
		n := columns.Note{Code: columns.NoteCode(dom.Text(note, "code")), What: dom.Text(note, "what"),
			Remedy: dom.Text(note, "remedy")}
		if n.Code == columns.NoteTellsLabel || n.Code == columns.NoteNumberApart || n.Code == columns.NoteEqualRows {
			f.Notes = append(f.Notes, n.String())
		}
	}
	f.Learned = dom.Int(v, "report", "rows")
	return f
}

func checkOf(v dom.Value) *learn.Check {
	c := &learn.Check{D: dom.Int(v, "D"), LogLoss: dom.Number(v, "logLoss"), Brier: dom.Number(v, "brier"),
		ECE: dom.Number(v, "ece"), ByChance: dom.Number(v, "eceByChance"), ColumnRows: dom.Int(v, "importanceRows"),
		NoBins: dom.Text(v, "noProbabilities"), NoColumns: dom.Text(v, "noImportance")}
	for _, b := range dom.Items(v, "calibration") {
		c.Bins = append(c.Bins, learn.Bin{Said: dom.Number(b, "sure"), Right: dom.Number(b, "right"),
			RightLow: dom.Number(b, "interval", "low"), RightHigh: dom.Number(b, "interval", "high"), Rows: dom.Int(b, "rows")})
	}
	for _, column := range dom.Items(v, "importance") {
		c.Columns = append(c.Columns, learn.Column{Name: dom.Text(column, "name"), Drop: dom.Number(column, "drop"),
			StdError: dom.Number(column, "stdError")})
	}
	return c
}

func behindOf(v dom.Value) *learn.Behind {
	behind := &learn.Behind{Total: dom.Int(v, "total"), Width: dom.Int(v, "width")}
	for _, row := range dom.List(dom.Get(v, "rows")) {
		one := learn.Row{Place: dom.Int(row, "place"), Label: dom.Text(row, "label"),
			Predicted: dom.Text(row, "predicted"), Scores: dom.Numbers[float64](dom.Get(row, "scores"))}
		for _, x := range dom.Numbers[float32](dom.Get(row, "values")) {
			one.Values = append(one.Values, float64(x))
		}
		behind.Rows = append(behind.Rows, one)
	}
	return behind
}
