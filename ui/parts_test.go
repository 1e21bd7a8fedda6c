package main

import (
	"strings"
	"testing"
)

// TestParts: each part of each place can be left out of the iframe, and the page itself keeps it.
func TestParts(t *testing.T) {
	for _, place := range places {
		app := NewApp("#/" + place.Name)
		if len(app.HeaderView().Parts) > 0 {
			t.Errorf("%s shows its parts before it is asked for them", place.Name)
		}
		app.Press(ShowParts)
		parts := app.HeaderView().Parts
		if len(parts) == 0 {
			t.Errorf("%s has no parts", place.Name)
		}
		for _, part := range parts {
			if part.Label == "" || !part.IsShown {
				t.Errorf("%s: %+v", place.Name, part)
			}
			app.Press(part.Action)
			frame := app.FrameState()
			for _, name := range part.hides {
				if frame.Shows(name) || !app.State.Shows(name) {
					t.Errorf("%s: without %q the iframe shows %s, or the page does not", place.Name, part.Label, name)
				}
			}
			if again, notes := ParseHash(frame.Hash()); len(notes) > 0 || again.Hide != frame.Hide || !again.Embedded {
				t.Errorf("%s: %s is read with %q", place.Name, frame.Hash(), notes)
			}
			app.Press(part.Action)
			if frame := app.FrameState(); frame.Hide != "" {
				t.Errorf("%s: with all parts the iframe hides %s", place.Name, frame.Hide)
			}
		}
	}
	app := NewApp("#/buckets?hide=seed")
	app.Press(TogglePart + "questions")
	if got := app.FrameState().Hash(); !strings.Contains(got, "hide=questions,seed") {
		t.Errorf("the iframe has %s", got)
	}
}
