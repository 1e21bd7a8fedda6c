package main

import "tensorsketch.example/ui/internal/lesson"

// Cards are the four figures under the picture.
type Cards struct {
	Cards  []lesson.Card
	IsStep bool // they stand under the heading of a step
}

// Cards returns the figures of the place.
func (a *App) Cards() []lesson.Card {
	if a.State.IsLesson() {
		return a.BoardView().Cards
	}
	return a.Room.Cards()
}
