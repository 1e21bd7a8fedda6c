package main

// Root is the page. It only connects the components to the App.
type Root struct{ App *App }

func (c *Root) class() string {
	class := "page at-" + c.App.State.Place
	if l := c.App.State.lesson(); l != nil && l.IsRoomy() {
		class += " roomy"
	}
	if c.App.State.Embedded {
		class += " embedded"
	}
	if c.App.State.Step > 0 {
		class += " in-step"
	}
	if c.App.State.IsHalf(HalfFile) && c.App.isUnlearned() {
		class += " unlearned"
	}
	if c.App.State.IsLecture() {
		class += " lecturing"
	}
	if c.App.State.Place == PlaceEmbed && c.App.IsStale() {
		class += " stale"
	}
	if r := c.App.Result; r != nil && !r.Report.IsPredicted() {
		class += " no-band"
	}
	for _, name := range []string{"nComponents", "seed", "normalize"} {
		if !c.App.State.Shows(name) {
			class += " no-" + name
		}
	}
	return class
}

// press and edit pass events to the App. They show a panic as an error, because it would end the application.

func (c *Root) press(event PressEvent) {
	defer c.App.Rescue()
	c.App.Press(event.Action)
}

func (c *Root) edit(event EditEvent) {
	defer c.App.Rescue()
	event.Do(c.App, event.Name, event.Text)
}

// take passes a change of the entrance's D on. What moved by itself stops.
func (c *Root) take(event EditEvent) {
	c.App.Lesson.Playing = false
	c.edit(event)
}

//vugugen:event Press
//vugugen:event Edit

// PressEvent reports a press of a button.
type PressEvent struct{ Action Action }

// EditEvent is a change in the field of a parameter. Do is Type, Change, Slide or Step of the App, and Text is its
// argument.
type EditEvent struct {
	Name, Text string
	Do         func(a *App, name, text string)
}
