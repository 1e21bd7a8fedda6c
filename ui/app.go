package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/ui/internal/control"
	"tensorsketch.example/ui/internal/convergence"
	"tensorsketch.example/ui/internal/embed"
	"tensorsketch.example/ui/internal/learn"
	"tensorsketch.example/ui/internal/lesson"
)

// App is the state that the page is drawn from: the state of the link, and the data of the places. It reaches the
// browser only through Browser.
type App struct {
	State   State
	Notes   []string         // the parts of the link that could not be used
	Drafts  map[string]Draft // texts typed into fields and not accepted
	Opened  State            // the state that the page was opened with; Reset goes back to it
	Browser Browser

	embed.Room           // Embed
	Lesson     Lesson    // Buckets, Convolution, Convergence and the plane of Learn
	Use        learn.Use // what was done with the model of Learn
	Speed      Speed     // the test of About

	Kept Kept // the file that is kept on this machine

	ShowsParts bool     // of the iframe that is copied
	Without    []string // the names of its parts that are left out

	Learned     learn.Session // Learn, from a file
	learnedFrom learning      // what that was learned from

	left    int               // the step that was left for free play, or 0
	steps   map[int]State     // by number: the steps that were left, as they were
	changed string            // the parameter changed last
	said    map[Action]string // by button: a message shown on it for a moment
}

// A Draft is the text of a field, and the error if it was refused.
type Draft struct{ Text, Error string }

// Browser is what the App needs from the browser.
type Browser interface {
	// writes the state into the address, as a new history entry or in place of the last one
	ShowHash(hash string, entry bool)
	Learn()           // begins to learn from the current data
	LearnDetail()     // asks for the predictions that are shown
	Embed()           // starts again with the current state and data
	Stop()            // ends the running embedding; the rows embedded so far stay
	Drop()            // ends the running embedding and discards it
	Do(action Action) // performs the actions that only a browser can
	RandomSeed() uint64
	Play()             // calls Tick while the lesson plays
	Estimate()         // has the workers compute the missing seeds; ends the workers outside Convergence
	IsCalm() bool      // reports whether the visitor wants no motion
	TurnParent(by int) // tells the page around an iframe that the visitor wants to turn on, or back where by is -1
	ShowPicture()      // scrolls to the picture if it is out of sight
	ShowTitle(place string)
}

// Action names what a button does.
type Action = control.Action

// The actions of the page.
const (
	EmbedNow     Action = "embed"
	NewSeed      Action = "new-seed"
	NewPoints    Action = "new-points"
	ClearPoints  Action = "clear-points"
	UseSample    Action = "sample"
	ChooseFile   Action = "choose-file"
	GoOffline    Action = "go-offline"
	ShowCode     Action = "show-code" // of the entrance
	Leave        Action = "leave"     // for another place, whose link the browser is following
	CopyLink     Action = "copy-link"
	CopyFrame    Action = "copy-frame"
	Skip         Action = "skip"  // to the content
	ShowParts    Action = "parts" // of the iframe that is copied
	TogglePart   Action = "part-" // followed by its name
	CopyCode     Action = "copy-code"
	SavePicture  Action = "save-picture"
	UseModel     Action = "use-model"
	PauseSaving  Action = "pause"
	ReadLatin    Action = "read-windows-1252"
	SaveLedger   Action = "save-ledger"
	ForgetLedger Action = "forget-ledger"

	Stop           = embed.Stop
	StopSaving     = embed.StopSaving
	DropModel      = embed.DropModel
	FitColumns     = embed.FitColumns
	ConfirmRelease = embed.ConfirmRelease
	CancelRelease  = embed.CancelRelease

	Reset       Action = "reset"
	PlayPause   Action = "play"
	StepBack    Action = "step-back"
	StepForward Action = "step-forward"
	Faster      Action = "faster"
	Slower      Action = "slower"
	HaltSeeds   Action = "halt-seeds"
	DrawSeeds   Action = "draw-seeds"
	ShowTable   Action = "table"
	TestSpeed   Action = "test-speed"
	Lecturing   Action = "lecture"
	Ask         Action = "ask-" // followed by the number of the question
)

// NewApp returns the page that a link opens.
func NewApp(hash string) *App {
	app := &App{Drafts: map[string]Draft{}, said: map[Action]string{}, steps: map[int]State{},
		Lesson: Lesson{samples: &convergence.Samples{}}}
	app.State, app.Notes = ParseHash(hash)
	app.Opened = app.State
	app.Room = embed.Room{Settings: &app.State.Embed, Release: &app.State.Release, Adopt: app.adopt,
		Shows: func(control string) bool { return app.State.Shows(control) },
		Start: app.start, Drop: func() { app.Browser.Drop() }}
	return app
}

// OpenHash adopts the state of a link that was followed or edited.
func (a *App) OpenHash(hash string) {
	if hash == a.State.Hash() {
		return
	}
	before := a.State
	a.State, a.Notes = a.State.Follow(hash)
	a.changed = ""
	a.Browser.ShowHash(a.State.Hash(), false)
	clear(a.Drafts)
	a.moved(before)
}

// Type keeps the text of a field as a draft until it is accepted.
func (a *App) Type(name, text string) {
	a.Drafts[name] = Draft{Text: text, Error: a.Drafts[name].Error}
}

// Change sets a parameter, or shows why its text is refused.
func (a *App) Change(name, text string) {
	next, err := a.State.With(name, text)
	if err != nil {
		message := err.Error()
		if p := a.State.parameter(name); p != nil {
			message = p.Named(message)
		}
		a.Drafts[name] = Draft{Text: text, Error: message}
		return
	}
	if name == "method" {
		a.KeepMany(&next.Embed)
	}
	a.forget(name)
	if l := next.lookout(); l != nil && !a.State.parameter(name).Passing {
		l.Question = 0
		if next.Place == PlaceConvolution && l.At.Kind == lesson.Cell && slices.Contains(rehashes, name) {
			l.At = lesson.Item{} // the cell holds other products, and mostly none
		}
	}
	a.take(next, name)
}

// rehashes are the parameters that draw other hashes.
var rehashes = []string{"nComponents", "seed", "method"}

// forget drops the draft of a parameter that was set. It also drops drafts that may have been refused because of
// that parameter, or that belonged to another coordinate.
func (a *App) forget(name string) {
	for draft := range a.Drafts {
		if p := a.State.parameter(draft); draft == name || p == nil || p.Options != nil || p.Derived {
			delete(a.Drafts, draft)
		}
	}
}

// take makes next the state of the page. Successive changes of the same parameter share one entry in the browser's
// history.
func (a *App) take(next State, changed string) {
	if next == a.State {
		return
	}
	before := a.State
	a.State, a.Lesson.Spoken = next, false
	if !a.Lesson.Broken {
		a.Notes = nil
	}
	p := next.parameter(changed)
	entry := changed != a.changed && (p == nil || !p.Passing)
	if entry {
		a.changed = changed
	}
	a.Browser.ShowHash(next.Hash(), entry)
	a.moved(before)
}

// adopt shows Embed with new settings. Who learns from a file stays there.
func (a *App) adopt(settings embed.Settings) {
	next := a.State
	if next.Embed = settings; !next.IsHalf(HalfFile) {
		next.Place = PlaceEmbed
	}
	clear(a.Drafts)
	a.take(next, "")
}

// moved starts the work that the new state needs.
func (a *App) moved(before State) {
	if a.State.Step == 0 && before.Step > 0 {
		a.left = before.Step
	}
	if before.Step > 0 && a.State.Step != before.Step {
		a.steps[before.Step] = before
	}
	if a.State.Place == PlaceEmbed {
		a.Saving.Unseen = false
	}
	if a.State.Place != before.Place || a.State.Half != before.Half {
		a.Lesson.Leave()
		a.Browser.ShowTitle(a.State.place().Label)
	}
	if a.isBehind(before) {
		a.Embed()
	}
	if a.Missing() > 0 && (a.State.Convergence.Seeds != before.Convergence.Seeds ||
		a.State.Convergence.Compare != before.Convergence.Compare || !a.Lesson.samples.Holds(a.State.Convergence.Params())) {
		a.Lesson.Halted, a.Lesson.Broken = false, false
	}
	a.Browser.Estimate()
}

// Press performs the action of a button.
func (a *App) Press(action Action) {
	if number, found := strings.CutPrefix(string(action), string(Ask)); found {
		a.ask(number)
		return
	}
	if name, found := strings.CutPrefix(string(action), string(TogglePart)); found {
		a.togglePart(name)
	} else if do := own[action]; do != nil {
		do(a)
	} else if !a.Room.Press(action) && !a.pressUse(action) {
		a.Browser.Do(action)
	}
}

// own has the actions that the App performs itself.
var own = map[Action]func(a *App){
	EmbedNow:    func(a *App) { a.Browser.Embed() },
	Stop:        func(a *App) { a.Browser.Stop() },
	NewSeed:     func(a *App) { a.newSeed("seed") },
	NewPoints:   func(a *App) { a.newSeed("dataSeed") },
	ClearPoints: func(a *App) { a.Change("points", "") },
	Reset:       (*App).reset,
	PlayPause:   (*App).play,
	StepBack:    func(a *App) { a.step(-1) },
	StepForward: func(a *App) { a.step(1) },
	Faster:      func(a *App) { a.speed(2) },
	Slower:      func(a *App) { a.speed(.5) },
	HaltSeeds:   (*App).halt,
	DrawSeeds:   (*App).drawSeeds,
	ShowTable:   func(a *App) { a.Lesson.Table = !a.Lesson.Table },
	Lecturing:   (*App).toggleLecture,
	ShowParts:   func(a *App) { a.ShowsParts = !a.ShowsParts },
}

// newSeed draws another seed for the parameter with the name.
func (a *App) newSeed(name string) {
	if a.State.parameter(name) != nil {
		a.Change(name, strconv.FormatUint(a.Browser.RandomSeed()%1_000_000, 10))
	}
}

// reset goes back to the parameters that the page was opened with. If they are in use already, or if the page was
// opened in another place, it goes back to the defaults.
func (a *App) reset() {
	next := a.State.Reset()
	if a.Opened.Place == a.State.Place && a.Opened.Half == a.State.Half {
		opened := a.State.withParametersOf(a.Opened)
		if opened.Embedded, opened.Hide = a.Opened.Embedded, a.Opened.Hide; opened != a.State {
			next = opened
		}
	}
	clear(a.Drafts)
	a.Lesson.Playing, a.Lesson.Hover = false, lesson.Item{}
	a.take(next, "")
}

// Said returns the message that a button shows for a moment after it was pressed, or its label.
func (a *App) Said(action Action, label string) string {
	return cmp.Or(a.said[action], label)
}

// Fail shows an error that should not have happened.
func (a *App) Fail(message string) {
	message = "Something went wrong in this page: " + message + ". Loading it again helps."
	a.Lesson.Playing = false
	if a.State.Place == PlaceEmbed {
		a.Run = embed.Run{Phase: embed.Failed, Message: message}
		return
	}
	a.Notes = []string{message}
}

// Rescue shows a panic as an error. It is deferred wherever a panic would end the application.
func (a *App) Rescue() {
	if reason := recover(); reason != nil {
		a.Fail(fmt.Sprint(reason))
	}
}
