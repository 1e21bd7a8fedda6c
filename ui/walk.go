package main

import "tensorsketch.example/ui/internal/lesson"

// Walk handles a key on the focused item: arrows go to its neighbours or change its value, Home and End go to the
// first and the last item, Enter pins it or does what a press on it does. It reports whether the key means anything
// there.
func (a *App) Walk(item lesson.Item, key string) bool {
	picture := a.Picture()
	if picture == nil {
		return false
	}
	if presser, ok := picture.(lesson.Presser); ok && key == "Enter" {
		if change, ok := presser.Enter(item); ok {
			a.Lesson.Hover = lesson.Item{}
			a.Set(lesson.Change{Name: "at", Text: item.String()}, change)
			return true
		}
	}
	for _, group := range picture.Groups() {
		if group.Kind != item.Kind {
			continue
		}
		next, nudge := neighbour(group, item, key)
		switch {
		case nudge != 0:
			if change, ok := picture.Nudge(item, nudge); ok {
				a.Set(lesson.Change{Name: "at", Text: item.String()}, change)
			}
		case next == lesson.Item{}:
			return false
		case item.Kind == lesson.Column:
			a.Set(picture.StepTo(next.I))
		default:
			a.Lesson.Hover = lesson.Item{}
			a.Set(lesson.Change{Name: "at", Text: next.String()})
		}
		return true
	}
	return false
}

// neighbour returns the item that a key leads to within a group, or by how much the key changes the item's value.
// For other keys it returns the zero Item and 0.
func neighbour(group lesson.Group, item lesson.Item, key string) (next lesson.Item, nudge int) {
	next = item
	switch key {
	case "Enter":
	case "ArrowLeft":
		next.I = max(item.I-1, 0)
	case "ArrowRight":
		next.I = min(item.I+1, group.Columns-1)
	case "Home":
		next.I = 0
	case "End":
		next.I = group.Columns - 1
	case "ArrowUp", "ArrowDown":
		by := 1
		if key == "ArrowDown" {
			by = -1
		}
		switch {
		case group.CanNudge:
			return next, by
		case group.Rows > 1:
			next.J = min(max(item.J-by, 0), group.Rows-1)
		default:
			next.I = min(max(item.I+by, 0), group.Columns-1)
		}
	default:
		return lesson.Item{}, 0
	}
	return next, 0
}
