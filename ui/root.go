package main

// Root is the page. It only connects the parts to the App.
type Root struct{ App *App }

func (c *Root) class() string {
	class := "page at-" + c.App.State.Place
	if c.App.State.isRoomy() {
		class += " roomy"
	}
	if c.App.State.Embedded {
		class += " embedded"
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

// press and edit hand events to the App. A panic on the way would end the
// application, so it is shown instead.

func (c *Root) press(event PressEvent) {
	defer c.App.Rescue()
	c.App.Press(event.Action)
}

func (c *Root) edit(event EditEvent) {
	defer c.App.Rescue()
	c.App.Edit(event)
}

//vugugen:event Press
//vugugen:event Edit

// PressEvent asks for an action.
type PressEvent struct{ Action Action }

// EditEvent is what was done to the field of a parameter.
type EditEvent struct {
	Name, Text string
	How        How
}

// How a field was edited: what its text is.
type How uint8

// The ways to edit a field.
const (
	Typed   How = iota // on its way
	Chosen             // a value
	Slid               // a position of the slider
	Stepped            // "-1" or "1"
)

// Edit does to a parameter what was done to its field.
func (a *App) Edit(event EditEvent) {
	switch event.How {
	case Typed:
		a.Type(event.Name, event.Text)
	case Chosen:
		a.Change(event.Name, event.Text)
	case Slid:
		a.Slide(event.Name, event.Text)
	case Stepped:
		by := 1
		if event.Text == "-1" {
			by = -1
		}
		a.Step(event.Name, by)
	}
}

// isRoomy reports whether sums and notes are longer than usual, and need more lines
// kept free: those of complex numbers and of comparisons.
func (s *State) isRoomy() bool {
	switch s.Place {
	case PlaceBuckets:
		return s.Buckets.IsRoomy()
	case PlaceConvolution:
		return s.Convolution.IsRoomy()
	case PlaceConvergence:
		return s.Convergence.IsRoomy()
	}
	return false
}
