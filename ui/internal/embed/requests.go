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
// mark, behind which an address could carry something. Then it has their number instead of their names: even one name
// took a line that the picture then lacked on the first screen.
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
	const named = 3
	file := format.Cut(r.File)
	text := format.Plural(count, "request") + " left this device since " + file + " was opened"
	if areFiles && count > 0 {
		text = "Since " + file + " was opened, this page requested only its own files"
	}
	switch {
	case count == 0:
		return text + "."
	case areFiles:
		return text + ", " + format.Count(len(names)) + " of them."
	}
	return text + ": " + format.First(named, names) + "."
}
