package main

import (
	"slices"

	"github.com/hack-pad/safejs"
	"tensorsketch.example/ui/internal/lesson"
)

// onKey hears the keys of the whole page. A key that does something to what has
// the focus does nothing else.
func (b *browser) onKey(event safejs.Value) error {
	key := text(event, "key")
	if key == "Escape" {
		b.escape()
		return nil
	}
	for _, modifier := range []string{"ctrlKey", "altKey", "metaKey"} {
		held, err := event.Get(modifier)
		if err != nil {
			return err
		}
		if on, err := held.Bool(); err != nil || on {
			return err
		}
	}
	target, err := event.Get("target")
	if err != nil {
		return err
	}
	switch {
	case !b.app.State.IsLesson(), is(target, "select, .scroll"):
		return nil
	case is(target, "input") && !(is(target, "[type=range]") && slices.Contains(letters, key) ||
		is(target, "[type=radio], [type=checkbox]") && slices.Contains(letters[:4], key)):
		return nil
	case key == " " && is(target, "button, a, summary"):
		return nil
	}
	if is(target, ".handle") {
		if done, err := b.walk(target, key); done || err != nil {
			return b.prevent(event, err)
		}
	}
	action, ok := keyActions[key]
	if !ok {
		return nil
	}
	b.app.Press(action)
	return b.prevent(event, nil)
}

// escape ends what the place is at.
func (b *browser) escape() {
	switch b.app.State.Place {
	case PlaceEmbed:
		b.Stop()
	case PlaceAbout:
		if b.app.Speed.Running {
			b.testSpeed()
		}
	default:
		b.app.Lesson.Playing = false
	}
}

// is tells whether an element is what a selector names.
func is(element safejs.Value, selector string) bool {
	value, err := element.Call("matches", selector)
	if err != nil {
		return false // not of an element: the document itself
	}
	matches, _ := value.Bool()
	return matches
}

// letters are keys that mean nothing to a slider, the first four also nothing to a
// choice.
var letters = []string{"r", "R", "n", "N", " "}

var keyActions = map[string]Action{" ": PlayPause, "ArrowLeft": StepBack, "ArrowRight": StepForward, "ArrowUp": Faster,
	"ArrowDown": Slower,
	"r":         Reset, "R": Reset, "n": NewSeed, "N": NewSeed}

func (b *browser) prevent(event safejs.Value, err error) error {
	if err != nil {
		return err
	}
	_, err = event.Call("preventDefault")
	return err
}

// walk moves the handle of a group, or changes the value it is on.
func (b *browser) walk(handle safejs.Value, key string) (bool, error) {
	data, err := handle.Get("dataset")
	if err != nil {
		return false, err
	}
	item, ok := lesson.ParseItem(text(data, "item"))
	if !ok {
		return false, nil
	}
	return b.app.Walk(item, key), nil
}

// onFocus looks at what the keyboard has come to.
func (b *browser) onFocus(event safejs.Value) error {
	target, err := event.Get("target")
	if err != nil || !is(target, ".handle") {
		return err
	}
	data, err := target.Get("dataset")
	if err != nil {
		return err
	}
	if item, ok := lesson.ParseItem(text(data, "item")); ok && item.Kind != lesson.Column {
		b.app.Lesson.Hover = item
	}
	return nil
}

// onBlur looks away from it.
func (b *browser) onBlur(event safejs.Value) error {
	target, err := event.Get("target")
	if err != nil || !is(target, ".handle") {
		return err
	}
	b.app.Lesson.Hover = lesson.Item{}
	return nil
}
