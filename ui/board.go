package main

import (
	"strconv"

	"tensorsketch.example/ui/internal/control"
	"tensorsketch.example/ui/internal/convergence"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
)

// Board is the picture of a teaching place with its heading, the steps through
// it, and what can be taken away.
type Board struct {
	View  BoardView
	Press PressHandler
	Edit  EditHandler
}

// BoardView is what a Board shows around the drawing, which has a host element of
// its own.
type BoardView struct {
	lesson.View
	Place      string
	Notes      []string
	ShowsTitle bool
	CanPlay    bool
	PlayLabel  string
	Speed      string
	Live       string // "polite" or "off": whether steps are read out
	Answered   int
	Plan       string // of Convergence
	Halt       string // the label of the button that stops its seeds, or ""
	Announced  string // that they are all there
}

// BoardView describes the picture of the state.
func (a *App) BoardView() BoardView {
	v := BoardView{Place: a.State.Place, Notes: a.Notes, ShowsTitle: a.State.Shows("title"),
		CanPlay:   a.State.Shows("play"),
		PlayLabel: "Play", Live: "off"}
	if a.Lesson.Playing {
		v.PlayLabel = "Pause"
	}
	if a.Lesson.Spoken {
		v.Live = "polite"
	}
	picture := a.Picture()
	if picture == nil {
		return v
	}
	v.View = a.view(picture, a.Look())
	lookout := a.State.lookout()
	v.Speed, v.Answered = strconv.Itoa(lookout.Speed), lookout.Question
	if convergence, ok := picture.(*convergence.Picture); ok {
		v.Plan, v.Halt = convergence.Plan().Sentence, a.haltLabel()
		if a.Missing() == 0 {
			v.Announced = "All " + format.Plural(a.State.Convergence.Seeds, "seed") + " are in."
		}
	}
	return v
}

// haltLabel is what the button for the seeds does, or that they are all there.
func (a *App) haltLabel() string {
	switch {
	case a.Missing() == 0:
		return "All seeds"
	case a.Lesson.Broken:
		return "Try again"
	case a.Lesson.Halted:
		return "Go on"
	}
	return "Stop"
}

// SpeedOptions are the steps a second to choose from.
func (v BoardView) SpeedOptions() []control.Option { return lesson.Speeds }

// An Asked is a question as it is shown.
type Asked struct {
	lesson.Question
	Action Action
}

// Asked returns the questions; answers are of the one that was asked.
func (v BoardView) Asked() []Asked {
	var asked []Asked
	for i, question := range v.Questions {
		if i+1 != v.Answered {
			question.Answer = ""
		}
		asked = append(asked, Asked{question, Ask + Action(strconv.Itoa(i+1))})
	}
	return asked
}
