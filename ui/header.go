package main

// Header is the top of the page: its places and what can be taken away.
type Header struct {
	Link   string // to the state shown
	Copied string // what became of copying it, for a moment
	Press  PressHandler
}

func (c *Header) label() string {
	if c.Copied != "" {
		return c.Copied
	}
	return "Copy link"
}
