package main

// Embed is the place Embed in three steps: the rows, the map that they go through, and what can be taken away. In each
// step the choices stand beside what they change.
type Embed struct {
	App   *App
	Press PressHandler
	Edit  EditHandler
}

// hasRelease reports whether the settings of a private release are shown.
func (c *Embed) hasRelease() bool { return len(c.App.ReleaseView().Groups) > 0 }

// hasAway reports whether anything of the third step is shown.
func (c *Embed) hasAway() bool {
	return !c.App.State.Embedded || c.App.State.Shows("save") || c.hasRelease()
}
