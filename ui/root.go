package main

// Root is the page. It only connects the parts to the App.
type Root struct{ App *App }

func (c *Root) class() string {
	class := "page"
	if c.App.State.Embedded {
		class += " embedded"
	}
	if c.App.IsStale() {
		class += " stale"
	}
	return class
}

// press, changed and typed hand events to the App. A panic on the way would end
// the application, so it is shown instead.

func (c *Root) press(event PressEvent) {
	defer c.App.Rescue()
	c.App.Press(event.Action)
}

func (c *Root) changed(event ChangeEvent) {
	defer c.App.Rescue()
	c.App.Change(event.Name, event.Text)
}

func (c *Root) typed(event TypeEvent) {
	defer c.App.Rescue()
	c.App.Type(event.Name, event.Text)
}

//vugugen:event Press
//vugugen:event Change
//vugugen:event Type

// PressEvent asks for an action.
type PressEvent struct{ Action Action }

// ChangeEvent sets a parameter.
type ChangeEvent struct{ Name, Text string }

// TypeEvent is text on its way into a field.
type TypeEvent struct{ Name, Text string }
