package lesson

import (
	"strconv"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/control"
	"tensorsketch.example/ui/internal/format"
)

// A Lookout is the part of the state that all teaching places share: the item looked at and the playing speed.
type Lookout struct {
	At       Item // the pinned item; the picture may not have it
	Speed    int  // steps per second
	Question int  // the question answered, from 1, or 0
}

// Looks returns l, so that every state with a Lookout implements State.
func (l *Lookout) Looks() *Lookout { return l }

// A State is the state of a teaching place.
type State interface {
	Looks() *Lookout
	Parameters() []control.Parameter // in the order of a link
	IsRoomy() bool                   // reports whether sums and notes are long and need more lines
}

// Parts are the parts of a teaching place that a link can hide, in addition to its controls.
var Parts = []string{"title", "play", "cards", "questions", "save"}

// Speeds are the speeds to choose from, in steps per second.
var Speeds = control.Options("1", "1", "2", "2", "4", "4", "8", "8")

// Parameters returns the parameters of the lookout.
func (l *Lookout) Parameters() []control.Parameter {
	item := control.Parameter{Name: "at", Passing: true, Unlinked: l.At == Item{},
		Get: l.At.String,
		Set: func(text string) error {
			item, ok := ParseItem(text)
			if !ok {
				return sketch.ErrParam.New("at", strconv.Quote(format.Cut(text)), "be what a picture has, such as x4 or k5")
			}
			l.At = item
			return nil
		}}
	pace := strconv.Itoa(l.Speed)
	speed := control.Choice("speed", "Steps a second", Speeds, &pace).Then(func() { l.Speed, _ = strconv.Atoi(pace) })
	speed.Passing = true
	question := control.Whole("question", "", 0, 4, &l.Question)
	question.Unlinked = l.Question == 0
	return []control.Parameter{item, speed, question}
}
