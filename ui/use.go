package main

import (
	"strings"

	"github.com/vugu/vugu"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/learn"
)

// The actions of Use.
const (
	SaveLearned     = learn.SaveModel
	SaveLearnedONNX = learn.SaveONNX
	SavePage        = learn.SavePage
	ClearPad        = learn.ClearPad
	TrainedAgain    = learn.TrainedAgain
	StopUse         = learn.StopUse
	SaveAnswers     = learn.SaveAnswers
	AskTrain        = learn.AskTrain
	ConfirmTrain    = learn.ConfirmTrain
	CancelTrain     = learn.CancelTrain
	SavePrivate     = learn.SavePrivate
	SavePrivateONNX = learn.PrivateONNX
)

// Use is what one does with the model of Learn.
type Use struct {
	View  UseView
	Press PressHandler
	Edit  EditHandler
}

// UseView is what a Use shows.
type UseView struct {
	Shown      bool
	Ready      bool   // there is a model
	Running    bool   // something is being done with it
	NoONNX     string // why it cannot be saved as ONNX, or ""
	Figures    string // what is being done
	At         string // in which section
	Problem    string
	About      string // of the pad, or "" if the data are no digits
	InUse      string // which model is saved and predicts
	Predicts   string // which model predicts another file
	IsOpened   bool   // that is a saved one
	Second     string
	Notes      []columns.Note // of the second file
	HasAnswers bool

	Fields         []Field
	Settings       string // of the private model, where they differ from the curve's
	LabelsAre      string
	RangesHint     string // an example of what to type
	Typed          learn.Typed
	Ledger         string
	Asked, Outcome []string
	PrivateProblem string
}

// UseRunning says how far something is, and can stop it.
type UseRunning struct {
	View  UseView
	Press PressHandler
}

// RunsAt reports whether a section runs.
func (v UseView) RunsAt(section string) bool { return v.Running && v.At == section }

// ProblemAt returns the problem of a section.
func (v UseView) ProblemAt(section string) string {
	if v.At != section {
		return ""
	}
	return v.Problem
}

// HasONNX reports whether the model can be saved as ONNX.
func (v UseView) HasONNX() bool { return v.Ready && v.NoONNX == "" }

// CannotTrain reports whether no private model can be trained now.
func (v UseView) CannotTrain() bool { return !v.Ready || v.Running }

// UseView describes what one can do with the model.
func (a *App) UseView() UseView {
	u := &a.Use
	model, ready := a.trained()
	v := UseView{Shown: a.State.Shows("use"), Ready: ready, Running: u.Running != "", Figures: u.Figures,
		At: u.At, Problem: u.Problem, Second: u.Second.Words(), Notes: u.Second.Notes,
		HasAnswers: u.Second.Name != "", Typed: u.Private.Typed,
		Ledger: u.Private.LedgerText(a.Data.IsSample()), PrivateProblem: u.Private.Problem}
	if u.Form != nil {
		v.About = u.Form.About
	}
	if ready && model.found == nil && model.D > 0 { // else it is the linear model, which can be saved whatever the method
		v.NoONNX = a.State.Embed.Of().WithoutONNX()
	}
	if model.found != nil {
		v.InUse = "In use is what the search chose, " + model.found.Name + "."
	} else if ready && a.Learned.Found != nil {
		v.InUse = "In use is the model of these settings, D " + format.Count(model.D) + "."
	}
	for _, name := range privateFields {
		v.Fields = append(v.Fields, a.Field(name))
	}
	v.Predicts = "Choose a file of rows with the same columns, or a saved model to predict with."
	switch {
	case u.Opened != "":
		v.Predicts, v.IsOpened = u.Opened+" predicts. Choose a file of rows with the columns that it has learned from.", true
	case a.Learned.Phase.Runs() && !ready:
		v.Predicts = "The model is being trained."
	case !ready:
		v.Predicts = "No model has been trained here. Choose a saved model first, then a file of rows for it."
	}
	v.Settings, v.RangesHint = learn.PrivateSettings(a.State.Use.Components), learn.RangesHint(a.Data.Layout)
	v.LabelsAre = "All classes, known without the rows, with commas between; a class with a comma in quotes"
	if a.isRegression() {
		v.LabelsAre = "Lowest and highest number to be predicted, known without the rows, with a comma between"
	}
	if a.isTrainingAsked() {
		r := &a.State.Release
		v.Asked = u.Private.Question(a.Data.Layout.Name, r.Epsilon, r.Delta, r.Budget)
		if labels, ranges, err := a.public(); err == nil {
			names := learn.Numbers(a.Data.Layout.ForRelease())
			v.Asked = append(v.Asked, learn.Understood(labels, ranges, names))
		}
	}
	if u.Private.Outcome != nil {
		v.Outcome = u.Private.Outcome.Words()
	}
	return v
}

var privateFields = []string{"epsilon", "delta", "budget", "privateComponents"}

func (c *Use) typed(event vugu.DOMEvent) {
	c.Edit.EditHandle(EditEvent{event.PropString("target", "id"), event.PropString("target", "value"), (*App).TypePublic})
}

// TypePublic takes the text of a field that says what is public about the rows.
func (a *App) TypePublic(id, text string) {
	t := &a.Use.Private.Typed
	if text = strings.ToValidUTF8(text, "\uFFFD"); id == "private-labels" {
		t.Labels = text
	} else {
		t.Ranges = text
	}
}

// training returns the private training that the current settings describe.
func (a *App) training() learn.Asked {
	r := &a.State.Release
	return learn.Asked{Epsilon: r.Epsilon, Delta: r.Delta, Budget: r.Budget, Components: a.State.Use.Components,
		Typed: a.Use.Private.Typed}
}

// isTrainingAsked reports whether the current training awaits confirmation.
func (a *App) isTrainingAsked() bool {
	return a.Use.Private.Asked == a.training() && a.refusedPrivate() == ""
}

// refusedPrivate says which field of the private training is refused, or returns "".
func (a *App) refusedPrivate() string {
	for _, name := range privateFields {
		if problem := a.Drafts[name].Error; problem != "" {
			return problem + "."
		}
	}
	return ""
}

// pressUse performs the actions of Use that need no browser, and reports whether it could.
func (a *App) pressUse(action Action) bool {
	p := &a.Use.Private
	switch action {
	case learn.ClearPad:
		a.Use.Drawing.Clear()
		a.Use.Answer = learn.Answer{}
	case learn.AskTrain:
		if p.Problem = a.refusedPrivate(); p.Problem != "" {
			return true
		}
		if _, _, err := a.public(); err != nil {
			p.Problem = err.Error() + "."
			return true
		}
		if !a.Data.IsSample() { // which may be released freely
			p.Asked = a.training()
		}
		return false // the browser looks up the ledger
	case learn.ConfirmTrain:
		if a.isTrainingAsked() {
			p.Asked = learn.Asked{}
			return false // the browser trains it
		}
	case learn.CancelTrain:
		p.Asked = learn.Asked{}
	default:
		return false
	}
	return true
}

// public reads what is public about the rows: the classes or the range of the numbers, and the ranges of the columns.
func (a *App) public() (labels []any, ranges map[string]learn.Range, err error) {
	typed := &a.Use.Private.Typed
	if labels, err = learn.Labels(typed.Labels, a.isRegression()); err != nil {
		return nil, nil, err
	}
	ranges, err = learn.Ranges(typed.Ranges, learn.Numbers(a.Data.Layout.ForRelease()))
	return labels, ranges, err
}

// trained names a model that was trained: the rows, the session, and its components.
type trained struct {
	generation, session, D int

	found *learn.Found // or else the model of the curve
}

// trained returns the model whose predictions are shown. ok is false while there is none.
func (a *App) trained() (model trained, ok bool) {
	r := &a.Learned
	p := r.Chosen()
	if p == nil || r.Phase < learn.Band || r.Phase > learn.Stopped {
		return trained{}, false
	}
	return trained{a.Data.Generation, r.ID, p.D, r.InUse()}, true
}

// isRegression reports whether numbers are predicted.
func (a *App) isRegression() bool { return a.Learned.Head != nil && a.Learned.Head.IsNumber() }
