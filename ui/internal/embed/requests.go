package embed

import (
	"strings"

	"tensorsketch.example/ui/internal/format"
)

// Requests are the requests that left this device since a file was opened.
type Requests struct {
	File string
	Site string // the address of the page's folder, with a slash at its end
	Left []Sent
}

// Sent is an address and how often it was requested.
type Sent struct {
	Address string
	Times   int
}

// Text counts the requests and names the first few. It says so if all asked for files of the page and had no question
// mark, behind which an address could carry something.
func (r *Requests) Text() string {
	if r.File == "" {
		return ""
	}
	count, names, areFiles := 0, []string{}, true
	for _, asked := range r.Left {
		count += asked.Times
		areFiles = areFiles && strings.HasPrefix(asked.Address, r.Site) && !strings.Contains(asked.Address, "?")
		names = append(names, asked.Address[strings.LastIndexByte(strings.TrimSuffix(asked.Address, "/"), '/')+1:])
	}
	text := format.Plural(count, "request") + " left this device since " + r.File + " was opened"
	if count == 0 {
		return text + "."
	}
	if areFiles {
		text = "Since " + r.File + " was opened, " + format.Plural(len(names), "file") + " of this page " +
			format.Form(len(names), "was", "were") + " loaded"
		if count > len(names) {
			text += " in " + format.Plural(count, "request")
		}
		text += ", and nothing else left this device"
	}
	return text + ": " + format.First(3, names) + "."
}
