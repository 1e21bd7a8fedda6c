package main

import (
	"strconv"

	"tensorsketch.example/ui/internal/buckets"
	"tensorsketch.example/ui/internal/control"
	"tensorsketch.example/ui/internal/convergence"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
)

// Board is the picture of a teaching place with its heading, the controls that step through it, and the buttons that
// save it.
type Board struct {
	View  BoardView
	Press PressHandler
	Edit  EditHandler
}

// BoardView is what a Board shows around the drawing. The drawing itself has its own host element.
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
	Plan       string // only in Convergence
	Halt       string // the label of the button that stops the seeds, or ""
	Draw       string // the label of the button that draws many seeds, or ""
	Announced  string // says that all seeds are in, or ""
}

// BoardView describes the picture of the state.
func (a *App) BoardView() BoardView {
	v := BoardView{Place: a.State.Place, Notes: a.Notes, ShowsTitle: a.State.Shows("title") && a.State.Step == 0,
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
	if n := a.State.Buckets.Draws; a.State.Place == PlaceBuckets {
		if v.Draw = a.drawLabel(); n > 0 && !a.HasWork() {
			v.Announced = format.Plural(n, "seed") + format.Form(n, " is", " are") + " drawn."
		}
	}
	if convergence, ok := picture.(*convergence.Picture); ok {
		v.Plan, v.Halt = convergence.Plan().Sentence, a.haltLabel()
		if a.Missing() == 0 {
			v.Announced = "All " + format.Plural(a.State.Convergence.Seeds, "seed") + " are in."
		}
	}
	return v
}

// haltLabel returns the label of the button that stops or continues the seeds.
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

// drawLabel returns the label of the button that draws many seeds, or takes them away.
func (a *App) drawLabel() string {
	if a.State.Buckets.Draws == buckets.MostDraws {
		return "Clear seeds"
	}
	return "Draw seeds"
}

// drawSeeds draws many seeds, or takes them away.
func (a *App) drawSeeds() {
	n := buckets.MostDraws
	if a.State.Buckets.Draws == n {
		n = 0
	}
	a.Change("draws", strconv.Itoa(n))
}

// SpeedOptions returns the speeds to choose from, in steps per second.
func (v BoardView) SpeedOptions() []control.Option { return lesson.Speeds }

// An Asked is a question as it is shown.
type Asked struct {
	lesson.Question
	Action Action
}

// Asked returns the questions. Only the question that was asked has its answer.
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
