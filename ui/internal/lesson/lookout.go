package lesson

import (
	"strconv"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/control"
	"tensorsketch.example/ui/internal/format"
)

// A Lookout is the part of a state that all teaching places have: the item looked at, and how fast it plays.
type Lookout struct {
	At       Item // pinned; not all items need to be there
	Speed    int  // steps a second
	Question int  // the one that is answered, 1 to 3, or 0
}

// Looks returns the lookout of a state that has one.
func (l *Lookout) Looks() *Lookout { return l }

// A State of a teaching place.
type State interface {
	Looks() *Lookout
	Parameters() []control.Parameter // in the order of a link
	IsRoomy() bool                   // sums and notes are longer than usual, and need more lines kept free
}

// Parts are the parts of a teaching place that a link can hide, besides its controls.
var Parts = []string{"title", "play", "cards", "questions", "save"}

// Speeds are the steps a second to choose from.
var Speeds = control.Options("1", "1", "2", "2", "4", "4",
	"8", "8")

// Parameters are those of the lookout.
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
	question := control.Whole("question", "", 0, 3, &l.Question)
	question.Unlinked = l.Question == 0
	return []control.Parameter{item, speed, question}
}
