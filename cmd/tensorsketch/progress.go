package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/jobs"
)

// progress is the bar on standard error, if that is a terminal.
var progress = &bar{on: isTerminal(os.Stderr)}

// A bar says how far the work is, a few times a second.
type bar struct {
	sync.Mutex
	on      bool
	phase   string
	from    time.Time
	isShown bool
}

const tick = 200 * time.Millisecond

// isTerminal reports whether a file is a terminal, as far as the standard library can tell.
func isTerminal(file *os.File) bool {
	about, err := file.Stat()
	return err == nil && about.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
}

// control returns what jobs tell how far they are, and their notes as soon as they are known.
func (f *flags) control() *jobs.Control {
	said := map[string]bool{}
	return &jobs.Control{Every: tick, Hear: progress.show, Say: func(notes []columns.Note) {
		for i := range notes {
			if text := notes[i].In(f.wordsOf(&notes[i])); !said[text] {
				said[text] = true
				f.note("%s", text)
			}
		}
	}}
}

// wordsOf returns how a note names settings: by their flags. A role has its flag for the column behind it.
func (f *flags) wordsOf(n *columns.Note) func(setting string) string {
	return func(setting string) string {
		if role, isRole := columns.ParseRole(setting); isRole && role != columns.AsLabel && n.Column != "" {
			name := "NAME"
			if strconv.Quote(columns.Short(n.Column)) == `"`+n.Column+`"` {
				name = shellWord(n.Column)
			}
			return setting + " (" + f.flagOf(setting) + " " + name + ")"
		}
		return f.flagOf(setting)
	}
}

// note prints a line that is neither a result nor an error.
func (f *flags) note(format string, args ...any) {
	if !f.quiet && !f.json {
		progress.clear()
		fmt.Fprintf(stderr, "tensorsketch: note: "+format+"\n", args...)
	}
}

// show shows how far the work is.
func (b *bar) show(p jobs.Progress) {
	if p.Phase != b.phase {
		b.clear()
		b.phase, b.from = p.Phase, time.Now()
	}
	b.Lock()
	defer b.Unlock()
	if !b.on || time.Since(b.from) < tick {
		return
	}
	b.isShown = true
	line, words := upper(p.Phase), ""
	if p.Rows > 0 {
		words = " " + jobs.Count(p.Rows, "row")
	}
	if p.Done >= 0 {
		const width = 30
		full := int(p.Done * width)
		line += fmt.Sprintf(" [%s%s] %3.0f %%", strings.Repeat("█", full), strings.Repeat("░", width-full), 100*p.Done)
		if took := time.Since(b.from); p.Done > 0.01 && took > 2*time.Second {
			words += ", " + (time.Duration(float64(took) * (1/p.Done - 1))).Round(time.Second).String() + " left"
		}
	}
	fmt.Fprint(os.Stderr, "\r\x1b[K"+line+words)
}

// clear takes the bar away, before other lines.
func (b *bar) clear() {
	b.Lock()
	defer b.Unlock()
	if b.isShown {
		fmt.Fprint(os.Stderr, "\r\x1b[K")
		b.isShown = false
	}
}
