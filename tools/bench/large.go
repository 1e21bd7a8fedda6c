//go:build !js

package main

import (
	"fmt"
	"strings"
	"time"

	"tensorsketch.example/tools/internal/lab"
)

// places are what bench/large.js measures: µs per row by workload and way.
type places struct {
	Threads   int                           `json:"threads"`
	Workloads map[string]map[string]float64 `json:"workloads"`
}

// ways are the rows of the table: what bench/large.js calls them, their titles, and the way of one thread that each is
// compared with.
var ways = []struct{ name, title, beside string }{
	{"oneUsed", "one thread, an array that was used before", ""},
	{"oneNew", "one thread, a new array", ""},
	{"used", "workers, an array that was used before", "oneUsed"},
	{"sharedUsed", "workers, a shared array that was used before", "oneUsed"},
	{"reuse", "`transformBatches` of 256 rows, `reuse: true`", "oneUsed"},
	{"new", "workers, a new array", "oneNew"},
	{"blocks", "workers, `out: \"blocks\"`", "oneNew"},
	{"batches", "`transformBatches`", "oneNew"},
	{"shared", "workers, `out: \"shared\"`", "oneNew"},
}

// benchLarge measures in Chromium where the features of many rows go. It prints the table and writes it into the
// details.
func benchLarge(quick bool, details string) error {
	r := &run{Date: time.Now().Format("2006-01-02"), Command: "./build.sh bench -only large",
		Versions: map[string]string{}}
	b, err := startBrowser(".", r)
	if err != nil {
		return err
	}
	defer b.close()
	page := "index.html#simd,large"
	if quick {
		page += ",quick"
	}
	var p places
	if err := b.read(page, &p); err != nil {
		return err
	}
	text := p.markdown(r)
	fmt.Print(text)
	if details == "" {
		return nil
	}
	return lab.ReplaceSection(details, "large", text)
}

func (p places) markdown(r *run) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %d workers, a page that is cross-origin isolated; medians of 15 turns in one run of `%s`, %s. "+
		"Garbage is collected between turns.\n\n", r.Versions["Chromium"], p.Threads, r.Command, r.Date)
	b.WriteString("| µs per row (times as fast as one thread into memory of that kind) | A | B | E |\n|---|---|---|---|\n")
	for _, way := range ways {
		fmt.Fprintf(&b, "| %s |", way.title)
		for _, name := range []string{"A", "B", "E"} {
			times := p.Workloads[name]
			fmt.Fprintf(&b, " %s", number(times[way.name]))
			if way.beside != "" {
				fmt.Fprintf(&b, " (%.2f)", times[way.beside]/times[way.name])
			}
			b.WriteString(" |")
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
	return b.String()
}
