package main

import "fmt"

// drawAbout fills the hosts of About: its text once, its picture for their size.
func (h *hosts) drawAbout(app *App) error {
	if app.State.Place != PlaceAbout {
		return nil
	}
	for id, html := range aboutParts {
		if err := fill(id, func() string { return html }); err != nil {
			return err
		}
	}
	if err := fill("diagram-data", diagramData); err != nil {
		return err
	}
	if err := say("speed-status", app.Speed.Status()); err != nil {
		return err
	}
	return drawDiagram()
}

// fill writes the content of a host that is empty.
func fill(id string, html func() string) error {
	host, err := element(id)
	if err != nil || host.IsNull() {
		return err
	}
	if empty, err := isEmpty(host); err != nil || !empty {
		return err
	}
	return host.Set("innerHTML", html())
}

// say changes a sentence that is read out, if it is another.
func say(id, sentence string) error {
	host, err := element(id)
	if err != nil || host.IsNull() || text(host, "textContent") == sentence {
		return err
	}
	return host.Set("textContent", sentence)
}

// diagramData is the data table of the picture.
func diagramData() string {
	picture, err := theAlgorithm()
	if err != nil {
		return ""
	}
	return "<details><summary>Data table</summary>" + wholeTable(picture.Table()) + "</details>"
}

// drawDiagram draws the picture where its host is new, or has another size than
// the drawing.
func drawDiagram() error {
	host, err := element("diagram")
	if err != nil || host.IsNull() {
		return err
	}
	room, err := pictureSize(host)
	if err != nil || room.Width == 0 {
		return err
	}
	picture, err := theAlgorithm()
	if err != nil {
		return err
	}
	size := picture.Fit(room.Width, room.Em)
	if key := fmt.Sprint(size); text(host, "drawnFor") != key {
		if err := host.Set("innerHTML", picture.SVG(size, false)); err != nil {
			return err
		}
		if err := host.Set("drawnFor", key); err != nil {
			return err
		}
		if err := mark("first-picture"); err != nil {
			return err
		}
	}
	_, err = host.Call("setAttribute", "data-ready", "1")
	return err
}
