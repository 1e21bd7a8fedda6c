package main

import (
	"strconv"
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

// TestPartsOfSteps: a step offers only parts that it shows, and each of them can be left out. In step 2 the boxes of
// Steps, Figures, Questions, Saving, Sketch, View and Second vector did nothing.
func TestPartsOfSteps(t *testing.T) {
	hashes := []string{"#/buckets?hide=cards,seed", "#/convolution?method=complex-tensor-sketch"}
	for n := range steps {
		hashes = append(hashes, "#/start/"+strconv.Itoa(n+1))
	}
	for _, hash := range hashes {
		app := NewApp(hash)
		app.Press(ShowParts)
		shown := map[string]bool{}
		for _, view := range []RailView{app.RailView(), app.ReleaseView()} {
			for _, group := range view.Groups {
				title, _, _ := strings.Cut(group.Title, " (")
				shown[title] = true
			}
		}
		for name, label := range partLabels {
			shown[label] = app.State.Shows(name)
		}
		for k, part := range app.HeaderView().Parts {
			before := app.FrameState()
			app.Press(part.Action)
			if !part.IsShown || !shown[part.Label] || app.FrameState() == before || app.HeaderView().Parts[k].IsShown {
				t.Errorf("%s offers %+v", hash, part)
			}
			if app.Press(part.Action); app.FrameState() != before || !app.HeaderView().Parts[k].IsShown {
				t.Errorf("%s does not bring back %+v", hash, part)
			}
		}
	}
	app := NewApp("#/start/2")
	app.Press(ShowParts)
	if parts := app.HeaderView().Parts; len(parts) != 2 || parts[0].Label != "Heading" || parts[1].Label != "Vector x" {
		t.Errorf("step 2 offers %+v", parts)
	}
}
