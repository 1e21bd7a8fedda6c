package main

import (
	"fmt"

	"tensorsketch.example/ui/internal/dom"
)

// drawAbout fills the hosts of About. It writes the text once, and the picture whenever its size changes.
func (h *hosts) drawAbout(app *App) {
	if app.State.Place != PlaceAbout {
		return
	}
	for id, html := range aboutParts {
		h.fill(id, nil, func() string { return html })
	}
	dom.Update("speed-status", "textContent", app.Speed.Status())
	picture, err := theAlgorithm()
	if err != nil {
		panic(err)
	}
	h.fill("diagram-data", nil, func() string {
		return "<details><summary>Data table</summary>" + wholeTable(picture.Table()) + "</details>"
	})
	host := dom.Element("diagram")
	if !dom.Exists(host) {
		return
	}
	if width, _, em := dom.Size(host); width > 0 {
		size := picture.Fit(width, em)
		if h.fill("diagram", fmt.Sprint(size), func() string { return picture.SVG(size, false) }) {
			dom.Mark("first-picture")
			h.observer.Call("observe", host) // a change of its size draws it anew
		}
		dom.SetAttribute(host, "data-ready", "1")
	}
}
