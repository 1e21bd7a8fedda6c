package main

import "tensorsketch.example/ui/internal/lesson"

// Cards are the four figures under the picture.
type Cards struct {
	Cards  []lesson.Card
	IsStep bool // they stand under the heading of a step
}

// HasCards reports whether the place has figures below its picture that are shown.
func (a *App) HasCards() bool {
	return (a.State.HasBoard() || a.State.IsHalf(HalfFile)) && a.State.Shows("cards")
}

// Cards returns the figures of the place.
func (a *App) Cards() []lesson.Card {
	if a.State.IsLesson() {
		return a.BoardView().Cards
	}
	if a.State.IsHalf(HalfFile) {
		return a.Learned.Cards()
	}
	return a.Room.Cards()
}
