package main

import (
	"slices"
	"strings"

	"tensorsketch.example/ui/internal/dom"
	"tensorsketch.example/ui/internal/lesson"
)

// onKey handles the keys of the whole page. A key that the focused element uses does nothing else.
func (b *browser) onKey(event dom.Value) bool {
	key, target := dom.Text(event, "key"), dom.Get(event, "target")
	if len(key) == 1 {
		key = strings.ToLower(key)
	}
	is := func(selector string) bool { return dom.Matches(target, selector) }
	switch {
	case key == "Escape" && !is("select"): // it closes a list
		b.escape(is)
		return true
	case pages[key] != 0 && !is("select, .scroll, textarea") && b.app.turn(pages[key], scrolls(pages[key])):
		event.Call("preventDefault")
		b.scrollUp()
		return true
	case hasModifier(event), !b.app.State.IsLesson(), is("select, .scroll"),
		is("input") && !(is("[type=range]") && slices.Contains(letters, key) ||
			is("[type=radio], [type=checkbox]") && slices.Contains(letters[:3], key)),
		key == " " && is("button, a, summary"):
		return false
	}
	if item, ok := itemOf(target); !ok || !b.app.Walk(item, key) {
		action, ok := keyActions[key]
		if !ok {
			return false
		}
		b.app.Press(action)
	}
	event.Call("preventDefault")
	return true
}

// hasModifier reports whether a key was pressed together with one that makes it a command of the browser.
func hasModifier(event dom.Value) bool {
	return dom.Truth(event, "ctrlKey") || dom.Truth(event, "altKey") || dom.Truth(event, "metaKey")
}

// escape stops what runs in the part of the page that has the focus: is tells what has it. A file may be written for
// hours, and who presses Escape elsewhere means to take back what is typed, or to leave the full screen.
func (b *browser) escape(is func(selector string) bool) {
	switch b.app.State.Place {
	case PlaceEmbed:
		if b.app.Saving.Name != "" && is(".saves, .saves *") {
			b.writer.stop()
		} else {
			b.Stop()
		}
	case PlaceLearn:
		if b.app.Lesson.Playing = false; b.app.Learned.Phase.Runs() && !is(".uses *") {
			b.learner.do(LearnStop)
		}
	case PlaceAbout:
		if b.app.Speed.Running {
			b.testSpeed()
		}
	default:
		b.app.Lesson.Playing = false
	}
}

// letters are keys that a slider does not use. Radio buttons and checkboxes use the space bar.
var letters = []string{"r", "n", "l", " "}

var keyActions = map[string]Action{" ": PlayPause, "ArrowLeft": StepBack, "ArrowRight": StepForward, "ArrowUp": Faster,
	"ArrowDown": Slower, "r": Reset, "n": NewSeed, "l": Lecturing}

// pages are the keys of a presenter's clicker, and the steps that they turn.
var pages = map[string]int{"PageDown": 1, "PageUp": -1}

// scrolls reports whether the page can be scrolled further down, or up where by is negative.
func scrolls(by int) bool {
	at := dom.Number(dom.Window(), "scrollY")
	if by < 0 {
		return at > 0
	}
	end := dom.Number(dom.Window(), "document", "documentElement", "scrollHeight")
	return at+dom.Number(dom.Window(), "innerHeight") < end-1
}

// itemOf returns the item of a handle. It returns false if target is not a handle.
func itemOf(target dom.Value) (lesson.Item, bool) {
	if !dom.Matches(target, ".handle") {
		return lesson.Item{}, false
	}
	return lesson.ParseItem(dom.Text(target, "dataset", "item"))
}

// onFocus looks at the item that received the keyboard focus.
func (b *browser) onFocus(event dom.Value) bool {
	item, ok := itemOf(dom.Get(event, "target"))
	ok = ok && item.Kind != lesson.Column
	if ok {
		b.app.Lesson.Hover = item
	}
	return ok
}

// onBlur stops looking at the item that lost the keyboard focus.
func (b *browser) onBlur(event dom.Value) bool {
	_, ok := itemOf(dom.Get(event, "target"))
	if ok {
		b.app.Lesson.Hover = lesson.Item{}
	}
	return ok
}
