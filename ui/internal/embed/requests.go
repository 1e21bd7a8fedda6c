package embed

import (
	"strings"

	"tensorsketch.example/ui/internal/format"
)

// Requests are the requests that left this device since a file was opened.
type Requests struct {
	File string
	Left []Sent
}

// Sent is an address and how often it was requested.
type Sent struct {
	Address string
	Times   int
}

// Text counts the requests and names the first few. An address without a question mark is a file of the site, since the
// page's policy lets it reach no other.
func (r *Requests) Text() string {
	const named = 3
	if r.File == "" {
		return ""
	}
	count, names, areFiles := 0, []string{}, true
	for _, asked := range r.Left {
		count += asked.Times
		areFiles = areFiles && !strings.Contains(asked.Address, "?")
		if len(names) < named {
			names = append(names, asked.Address[strings.LastIndexByte(strings.TrimSuffix(asked.Address, "/"), '/')+1:])
		}
	}
	text := format.Plural(count, "request") + " left this device since " + r.File + " was opened"
	if count == 0 {
		return text + "."
	}
	if areFiles {
		text = "Since " + r.File + " was opened, " + format.Plural(count, "file") + " of this page " +
			format.Form(count, "was", "were") + " loaded, and nothing else left this device"
	}
	text += ": " + strings.Join(names, ", ")
	if more := len(r.Left) - len(names); more > 0 {
		text += " and " + format.Count(more) + " more"
	}
	return text + "."
}
