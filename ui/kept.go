package main

import (
	"html"

	"tensorsketch.example/ui/internal/format"
)

// Kept is the file that is kept on this machine, and what there is to say about it.
type Kept struct {
	Name    string // "" if none is kept
	Bytes   int
	IsOpen  bool // the rows of the page are its rows
	HasRows bool // they were copied; else its settings alone are kept
	Busy    bool // it is being written
	Problem string
}

// keptHTML says what is kept of a file, with the buttons that keep and forget.
func (a *App) keptHTML() string {
	k, d := &a.Kept, &a.Data
	name, size := html.EscapeString(format.Cut(k.Name)), format.Bytes(k.Bytes)
	button := func(id, label string) string {
		return ` <button type="button" id="` + id + `">` + label + `</button>`
	}
	text := ""
	switch {
	case k.Busy:
		text = "Keeping " + html.EscapeString(format.Cut(d.Layout.Name)) + "."
	case k.IsOpen && k.HasRows:
		text = "Kept in this browser with its settings, " + size + ": a reload comes back to it." +
			button("forget-kept", "Forget it")
	case k.IsOpen:
		text = "Its settings are kept in this browser. The file is too large to be copied, " + size +
			": after a reload, choose it again." + button("forget-kept", "Forget them")
	default:
		if k.Name != "" {
			text = name + ", " + size + ", is kept in this browser." + button("forget-kept", "Forget it")
			if k.HasRows {
				text += button("open-kept", "Open it")
			}
		}
		if !d.IsSample() && !d.Unread {
			text += button("keep-file", "Keep on this machine <small>"+format.Bytes(d.Bytes)+"</small>")
		}
	}
	if k.Problem != "" {
		text += ` <span role="alert">` + html.EscapeString(k.Problem) + `</span>`
	}
	return text
}
