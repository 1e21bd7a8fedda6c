package main

import (
	"cmp"
	"slices"
	"strconv"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/dom"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/learn"
	"tensorsketch.example/ui/internal/pad"
)

// A user does with a trained model what the visitor asks for. The worker has the model (usejob.js).
type user struct {
	page    *browser
	has     trained   // the model that the worker has
	asked   trained   // the model that is being handed over
	answers dom.Value // the predictions for a second file, a Blob
	private string    // the private model file
	opened  dom.Value // the saved model that predicts, if Room.Opened names one
	drawn   int       // how often the drawing has changed
	said    int       // the drawing that the last answer is for
	asking  bool      // an answer is on its way
	held    bool      // a pointer draws
	shown   string    // of the pad
	place   string    // of the keyboard, as it was told last
	stage   string    // the button that goes on with the private training, as it was drawn last
}

// do performs an action, and reports whether it was one of the user's. The App is locked.
func (u *user) do(action Action) bool {
	app := u.page.app
	name := app.Data.Layout.Stem
	switch action {
	case SaveLearned:
		u.with("Saving", learn.AtTake, func(text string) error {
			downloadText(text, "application/json", name+"-model.json")
			return nil
		})
	case SaveLearnedONNX:
		u.with("Saving", learn.AtTake, func(text string) error { return u.saveONNX(text, name+"-model.onnx") })
	case SavePage:
		u.with("Saving", learn.AtTake, func(string) error {
			page, err := u.call("usePage", map[string]any{})
			if err == nil {
				downloadText(dom.Text(page), "text/html", name+"-predict.html")
			}
			return err
		})
	case SaveAnswers:
		download(u.answers, app.Use.Second.FileName())
	case SavePrivate:
		downloadText(u.private, "application/json", name+"-private-model.json")
	case TrainedAgain:
		app.Use.Opened = ""
		u.forgetAnswers()
	case SavePrivateONNX:
		private := u.private
		u.page.Background(func() {
			if err := u.saveONNX(private, name+"-private-model.onnx"); err != nil {
				u.page.Change(func() { app.Use.Private.Problem = sentence(err) })
			}
		})
	case StopUse:
		u.page.tell("useStop")
	case AskTrain:
		if app.Data.IsSample() {
			u.train()
		} else {
			u.lookUp()
		}
	case ConfirmTrain:
		u.train()
	default:
		return false
	}
	return true
}

// saveONNX saves a model file as ONNX. It runs in the background.
func (u *user) saveONNX(text, name string) error {
	content, err := u.call("useONNX", map[string]any{"text": text})
	if err == nil {
		download(dom.Blob(content, "application/octet-stream"), name)
	}
	return err
}

func (u *user) call(name string, request map[string]any) (dom.Value, error) {
	return u.page.files.call(name, request)
}

// hand gives the trained model to the worker's part that uses it, and returns its file. It runs in the background.
func (u *user) hand(model trained) (text string, err error) {
	defer dom.Catch(&err)
	var made any
	if model.found != nil {
		made = model.found.Model
	} else if made, err = u.call("learnModel", map[string]any{"D": model.D}); err != nil {
		return "", err
	}
	info, err := u.call("useModel", map[string]any{"text": made})
	if err != nil {
		return "", err
	}
	text = dom.Text(info, "text")
	var classes []string
	for _, class := range dom.List(dom.Get(info, "classes")) {
		classes = append(classes, dom.Text(class))
	}
	u.page.Change(func() {
		room := &u.page.app.Use
		if model.generation != u.page.app.Data.Generation {
			return // another file is there meanwhile
		}
		u.has = model
		room.Recognise(dom.Int(info, "columns"), classes, dom.Number(info, "largest"))
		room.Suggest()
		u.redraw()
	})
	return text, nil
}

// forget drops what belongs to the rows and labels before. The App is locked.
func (u *user) forget(isSameFile bool) {
	u.page.app.Use.Forget(isSameFile)
	u.answers, u.private, u.has, u.asked = dom.Undefined(), "", trained{}, trained{}
}

// forgetAnswers drops the predictions of a model that is no longer shown. The App is locked.
func (u *user) forgetAnswers() {
	u.answers, u.page.app.Use.Second = dom.Undefined(), learn.Second{}
}

// with does something with the text of the trained model. The App is locked.
func (u *user) with(what, section string, do func(text string) error) {
	model, ok := u.page.app.trained()
	if !ok || u.page.app.Use.Running != "" {
		return
	}
	u.begin(what, section)
	u.page.Background(func() {
		text, err := u.hand(model)
		if err == nil {
			err = do(text)
		}
		u.end(err)
	})
}

func (u *user) begin(what, section string) {
	room := &u.page.app.Use
	room.Running, room.At, room.Figures, room.Problem = what, section, what+" …", ""
}

func (u *user) end(err error) {
	u.page.Change(func() {
		room := &u.page.app.Use
		if err != nil {
			room.Problem = sentence(err)
		}
		room.Running, room.Figures = "", ""
	})
}

// onProgress shows how far the worker is.
func (u *user) onProgress(news dom.Value) (changed bool) {
	room := &u.page.app.Use
	if room.Running == "" {
		return false
	}
	room.Figures = room.Running + ": " + format.Plural(dom.Int(news, "rows"), "row")
	if size := dom.Number(news, "size"); size > 0 {
		room.Figures += ", " + format.Fixed(100*min(dom.Number(news, "read")/size, 1), 0) + "\u00a0% of the file"
	}
	dom.Update("use-figures", "textContent", room.Figures) // as Vugu would
	return false
}

// look hands a new model over where the pad wants it, and draws the pad. It is called after each drawing of the page.
// The App is locked.
func (u *user) look() {
	app := u.page.app
	if !app.State.IsHalf(HalfFile) {
		return
	}
	model, ok := app.trained()
	if ok && model != u.has && model != u.asked && app.Use.Running == "" && app.mayBeDigits() {
		u.asked = model
		u.page.Background(func() {
			if _, err := u.hand(model); err != nil {
				u.end(err)
			}
		})
	}
	u.drawPad(false)
	u.keepFocus()
}

// keepFocus moves the focus with the private training: from the button that asks to the question, and back, where the
// element that had it is gone.
func (u *user) keepFocus() {
	app := u.page.app
	before := u.stage
	switch u.stage = ""; {
	case app.isTrainingAsked():
		u.stage = "train-now"
	case app.Use.Running != "" && app.Use.At == learn.AtPrivate:
		u.stage = "use-stop"
	}
	at := dom.Get(dom.Document(), "activeElement")
	if u.stage == before || !dom.Matches(at, "body, #train-privately, #private .confirm *, #private .use-running *") {
		return
	}
	to := dom.Element(cmp.Or(u.stage, "train-privately"))
	if u.stage != "" && dom.Exists(to) { // what is around the button, so that a second Enter presses nothing
		to = dom.Get(to, "parentElement", "parentElement")
	}
	if dom.Exists(to) {
		u.page.Provoke(to, "focus", map[string]any{"preventScroll": true})
	}
}

// predictFile predicts the rows of a second file, or has a saved model predict from here on. The App is locked.
func (u *user) predictFile(file dom.Value) {
	app := u.page.app
	if app.Use.Running != "" {
		return
	}
	name := dom.Text(file, "name")
	model, ok := app.trained()
	opened, saved := app.Use.Opened, u.opened
	u.forgetAnswers()
	u.begin("Predicting "+name, learn.AtSecond)
	u.page.Background(func() {
		u.end(func() error {
			found, err := u.call("ownFiles", map[string]any{"files": []any{file}})
			if err != nil {
				return err
			}
			if model := dom.Get(found, "0"); dom.Exists(model) {
				return u.open(name, model)
			}
			switch {
			case opened != "":
				return u.predict(name, map[string]any{"file": file, "saved": saved})
			case !ok:
				return sketch.ErrParam.New("model", "none", "be trained above, or be chosen here as a file, "+
					"before rows are predicted")
			}
			if _, err := u.hand(model); err != nil {
				return err
			}
			return u.predict(name, map[string]any{"file": file})
		}())
	})
}

// open has a saved model predict. It runs in the background.
func (u *user) open(name string, saved dom.Value) error {
	if !dom.Exists(dom.Get(saved, "head")) {
		return sketch.ErrParam.New("model", name, "have a head, which predicts: this file makes features, so open "+
			"it in Embed")
	}
	if _, err := u.call("useCheck", map[string]any{"saved": saved}); err != nil {
		return err
	}
	u.page.Change(func() { u.opened, u.page.app.Use.Opened = saved, name })
	return nil
}

// predict predicts the rows of a file. It runs in the background.
func (u *user) predict(name string, request map[string]any) error {
	said, err := u.call("usePredict", request)
	options, read := map[string]any{}, []string(nil)
	for err != nil { // nothing here sets how this file is read
		key, value := learn.ReadWith(err.Error())
		if _, twice := options[key]; key == "" || twice {
			return err
		}
		options[key], read = value, append(read, key+" "+strconv.Quote(value))
		request["options"] = options
		said, err = u.call("usePredict", request)
	}
	u.page.Change(func() {
		u.answers = dom.Get(said, "blob")
		u.page.app.Use.Second = learn.Second{Name: name, Rows: dom.Int(said, "rows"),
			Notes: notesOf(dom.Get(said, "notes")), Stopped: dom.Truth(said, "stopped"), Read: read,
			Labelled: dom.Int(said, "labelled"), Score: dom.Number(said, "score", "value"),
			Low: dom.Number(said, "score", "low"), High: dom.Number(said, "score", "high"),
			IsNumber: dom.Text(said, "task") == "regress"}
	})
	return nil
}

// lookUp looks up the ledger of the file, for the question whether to train. The App is locked.
func (u *user) lookUp() {
	file := u.page.file
	u.page.Background(func() {
		said, err := u.call("ledger", map[string]any{"file": file})
		u.page.Change(func() {
			p := &u.page.app.Use.Private
			if err != nil {
				p.Asked, p.Problem = learn.Asked{}, sentence(err)
				return
			}
			ledger := knownLedger(said)
			if ledger != nil && ledger.Over != "" {
				p.Asked, p.Problem = learn.Asked{}, ledger.Over+"."
				return
			}
			p.Ledger = ledger
		})
	})
}

// train trains a private model. The App is locked.
func (u *user) train() {
	app := u.page.app
	p, r := &app.Use.Private, app.State.Release
	isNumber := app.isRegression()
	labels, ranges, err := app.public()
	if err != nil {
		p.Problem = sentence(err)
		return
	}
	request := u.privateRequest(ranges)
	if isNumber {
		request["task"], request["targetRange"] = "regress", labels
	} else {
		request["task"], request["classes"] = "classify", labels
	}
	if !app.Data.IsSample() {
		persist() // so that the browser keeps the ledger
	}
	u.begin("Training privately", learn.AtPrivate)
	u.page.Background(func() {
		said, err := u.call("usePrivate", request)
		u.page.Change(func() {
			switch {
			case err != nil:
				p.Problem = sentence(err)
			case said.IsNull():
				p.Problem = "Stopped before the release: nothing was charged."
			default:
				u.private = dom.Text(said, "text")
				p.Ledger = knownLedger(dom.Get(said, "ledger"))
				p.Outcome = &learn.Outcome{Rows: dom.Int(said, "rows"), Held: dom.Int(said, "held"), Odd: dom.Int(said, "odd"),
					Unusable: dom.Int(said, "unusable"), Cut: dom.Int(said, "cut"),
					Epsilon: r.Epsilon, Delta: r.Delta, IsNumber: isNumber,
					Noisy: scoreOf(dom.Get(said, "noisy")), Plain: scoreOf(dom.Get(said, "plain"))}
			}
		})
		u.end(nil)
	})
}

func scoreOf(v dom.Value) *float64 {
	if !dom.Exists(v) {
		return nil
	}
	value := dom.Number(v, "value")
	return &value
}

// privateRequest returns the request for a private model, without its labels.
func (u *user) privateRequest(ranges map[string]learn.Range) map[string]any {
	app := u.page.app
	data, r := &app.Data, &app.State.Release
	layout := learn.LayoutFor(data.Layout, ranges)
	var public []any
	for name, r := range ranges {
		public = append(public, map[string]any{"name": name, "low": r.Low, "high": r.High})
	}
	d := app.State.Use.Components
	params := map[string]any{"nComponents": d, "coef0": 1, "normalize": "kernel", "degree": learn.PrivateDegree(d)}
	request := map[string]any{"file": u.page.rowsFile(), "isSample": data.IsSample(),
		"options": readingValue(&data.Layout.Reading), "plan": planOf(layout, scaling{unit: true}, r.Width),
		"ranges": public, "params": params,
		"epsilon": r.Epsilon, "delta": r.Delta, "budget": map[string]any{"epsilon": r.Budget, "delta": r.Delta}}
	return request
}

// The pad is drawn past Vugu, since it changes while a pointer moves.

// listen adds the pad's listeners to the page.
func (u *user) listen() {
	document := dom.Document()
	for eventType, f := range map[string]func(event, target dom.Value){
		"pointerdown": u.onDown, "pointermove": u.onMove, "pointerup": u.onUp, "pointercancel": u.onUp, "keydown": u.onKey,
	} {
		u.page.Listen(document, eventType, func(event dom.Value) bool {
			if target := dom.Get(event, "target"); u.held || dom.Matches(target, "#pad") {
				f(event, target)
			}
			return false
		})
	}
	u.page.Listen(document, "change", func(event dom.Value) bool {
		target := dom.Get(event, "target")
		if dom.Text(target, "id") != "second-file" {
			return false
		}
		if files := dom.List(dom.Get(target, "files")); len(files) > 0 {
			u.predictFile(files[0])
		}
		target.Set("value", "") // so that the same file can be chosen again
		return true
	})
}

// pointAt returns where an event is on the pad.
func pointAt(event dom.Value) pad.Point {
	box := dom.Element("pad").Call("getBoundingClientRect")
	at := func(client, from, size string) float64 {
		return min(max((dom.Number(event, client)-dom.Number(box, from))/dom.Number(box, size), 0), 1)
	}
	return pad.Point{X: at("clientX", "left", "width"), Y: at("clientY", "top", "height")}
}

func (u *user) onDown(event, target dom.Value) {
	if dom.Int(event, "button") != 0 || !dom.Truth(event, "isPrimary") {
		return
	}
	u.held = true
	_, _ = dom.Try(target, "setPointerCapture", dom.Get(event, "pointerId")) // a script's event has no pointer
	u.page.app.Use.Drawing.Begin(pointAt(event))
	u.changed()
}

func (u *user) onMove(event, _ dom.Value) {
	if u.held && dom.Truth(event, "isPrimary") {
		u.page.app.Use.Drawing.Extend(pointAt(event))
		u.changed()
	}
}

func (u *user) onUp(event, _ dom.Value) {
	if dom.Truth(event, "isPrimary") {
		u.held = false
		u.say()
	}
}

func (u *user) onKey(event, target dom.Value) {
	d := &u.page.app.Use.Drawing
	if !dom.Matches(target, "#pad") || hasModifier(event) ||
		!d.Press(dom.Text(event, "key"), dom.Truth(event, "shiftKey")) {
		return
	}
	event.Call("preventDefault")
	u.changed()
	u.place = d.Place()
	dom.Update("pad-place", "textContent", u.place)
}

// changed draws the pad and asks the model. The App is locked.
func (u *user) changed() {
	u.drawn++
	u.drawPad(true)
	u.ask()
}

// redraw asks again, for another model. The App is locked.
func (u *user) redraw() {
	u.drawn++
	u.ask()
}

// ask asks the model about the drawing, one question at a time. The App is locked.
func (u *user) ask() {
	room := &u.page.app.Use
	if u.asking || u.said == u.drawn || room.Form == nil {
		return
	}
	image := room.Form.Image(&room.Drawing, room.Largest)
	now := u.drawn
	if image == nil {
		u.said, room.Answer = now, learn.Answer{}
		u.showAnswer()
		return
	}
	u.asking = true
	u.page.Background(func() {
		answer := learn.Answer{Image: image}
		row := make([]any, len(image))
		for i, x := range image {
			row[i] = x
		}
		said, err := u.call("useAnswer", map[string]any{"row": row})
		if err != nil {
			answer.Problem = sentence(err)
		} else {
			answer.Best, answer.Shares = dom.Int(said, "best"), dom.Truth(said, "shares")
			answer.Numbers = dom.Numbers[float64](dom.Get(said, "numbers"))
		}
		u.page.Look(func() {
			u.asking, u.said = false, now
			if room.Form != nil && len(answer.Numbers) <= len(room.Classes) {
				room.Answer = answer
			}
			u.showAnswer()
			u.ask()
		})
	})
}

// drawPad draws the pad if it is new or has changed.
func (u *user) drawPad(force bool) {
	host := dom.Element("pad")
	if !dom.Exists(host) {
		return
	}
	if svg := u.page.app.Use.PadSVG(); force || svg != u.shown || dom.IsEmpty(host) {
		u.shown = svg
		host.Set("innerHTML", svg)
		if u.page.app.Use.Drawing.IsEmpty() {
			u.drawn++
			u.ask()
		}
	}
	if dom.IsEmpty(dom.Element("pad-answer")) {
		u.showAnswer()
	}
	dom.Update("pad-place", "textContent", u.place)
	if !u.held && u.page.app.Use.Form != nil {
		u.say()
	}
}

// showAnswer shows the image and the scores. The words follow at the end of a stroke, so that a screen reader is not
// told every step.
func (u *user) showAnswer() {
	room := &u.page.app.Use
	if room.Form == nil || !dom.Exists(dom.Element("pad-answer")) {
		return
	}
	dom.SetHTML("pad-image", room.ImageSVG())
	dom.SetHTML("pad-answer", room.AnswerHTML())
	if !u.held {
		u.say()
	}
}

func (u *user) say() { dom.Update("pad-said", "textContent", u.page.app.Use.Said()) }

// mayBeDigits reports whether the columns are as many as an image of a digit has.
func (a *App) mayBeDigits() bool {
	return slices.Contains([]int{64, 784}, len(learn.Numbers(a.Data.Layout)))
}
