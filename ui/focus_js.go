package main

import "tensorsketch.example/ui/internal/dom"

// A focus is the element that had the focus before a drawing, and the parts of the page around it, innermost first.
type focus struct {
	at     dom.Value
	around []dom.Value
}

// focusNow notes where the focus is.
func focusNow() focus {
	f := focus{at: dom.Get(dom.Document(), "activeElement")}
	if dom.Matches(f.at, "#private *") { // user.keepFocus moves the focus there
		return f
	}
	for e := f.at; dom.Exists(e); {
		if e = dom.Get(e, "parentElement"); dom.Exists(e) {
			if e = e.Call("closest", "[tabindex='-1']"); dom.Exists(e) {
				f.around = append(f.around, e)
			}
		}
	}
	return f
}

// hold moves the focus to the part of the page around it where the drawing took the focused element away, hid or
// disabled it: the Tab key goes on from there, and a second Enter presses nothing.
func (f focus) hold() error {
	now := dom.Get(dom.Document(), "activeElement")
	if len(f.around) == 0 || !now.Equal(f.at) && !dom.Matches(now, "body") || takesFocus(f.at) {
		return nil
	}
	for _, part := range f.around {
		if takesFocus(part) {
			_, err := dom.Try(part, "focus", map[string]any{"preventScroll": true})
			return err
		}
	}
	return nil
}

// takesFocus reports whether an element is shown and enabled.
func takesFocus(e dom.Value) bool {
	return dom.Truth(e, "isConnected") && !dom.Truth(e, "disabled") && dom.Truth(e.Call("checkVisibility"))
}
