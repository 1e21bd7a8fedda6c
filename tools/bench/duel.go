//go:build !js

package main

import (
	"fmt"
	"slices"
	"strings"
)

// A shape is what pffft and the library are compared at, in turns.
type shape struct {
	name                        string
	rows, d, degree, components int
	density                     float64
}

var shapes = []shape{
	{"A", 500, 780, 4, 4096, 0.2},
	{"A, dense", 500, 780, 4, 4096, 1},
	{"B", 2000, 123, 2, 1024, 0.2},
	{"B, dense", 2000, 123, 2, 1024, 1},
	{"E", 500, 512, 2, 4096, 1},
	{"one row", 1, 128, 2, 256, 1},
}

// arguments returns what pffft_sketch.mjs and a duel in bench/ take.
func (s shape) arguments() []string {
	return strings.Fields(fmt.Sprint(s.rows, s.d, s.degree, s.components, s.density))
}

// A duel holds µs per row of both at one shape.
type duel struct {
	Peer    float64 `json:"peer"`
	Library float64 `json:"library"`
}

// measureDuels lets pffft and the library take turns, each in a process or page of its own: in one process, one would
// slow the other's JavaScript.
func measureDuels(folder string, quick bool, peers []peer, browser *browser) (map[string]map[string]duel, error) {
	at := slices.IndexFunc(peers, func(p peer) bool { return p.name == pffft })
	if at < 0 {
		return nil, nil
	}
	measured := shapes
	if quick {
		measured = shapes[len(shapes)-1:]
	}
	results := map[string]map[string]duel{"Node": {}}
	if browser != nil {
		results["Chromium"] = map[string]duel{}
	}
	for _, s := range measured {
		theirs, err := peers[at].run(s.arguments()...)
		if err != nil {
			return nil, err
		}
		var ours peerOutput
		if err := node(folder, &ours, append([]string{"simd", "duel"}, s.arguments()...)...); err != nil {
			return nil, err
		}
		results["Node"][s.name] = duel{theirs.USPerRow, ours.USPerRow}
		if browser == nil {
			continue
		}
		shape := strings.Join(s.arguments(), ",")
		if err := browser.read("pffft.html#"+shape, &theirs); err != nil {
			return nil, err
		}
		if err := browser.read("index.html#simd,duel,"+shape, &ours); err != nil {
			return nil, err
		}
		results["Chromium"][s.name] = duel{theirs.USPerRow, ours.USPerRow}
	}
	return results, nil
}

// duelsMarkdown returns the table of the library beside pffft.
func (r *run) duelsMarkdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "One thread; medians of %d rounds of `%s`, %s.\n\n", len(r.Rounds), r.Command, r.Date)
	b.WriteString("| µs per row of pffft and of this | Node | times faster | Chromium | times faster |\n" +
		"|---|---|---|---|---|\n")
	for _, s := range shapes {
		b.WriteString("| " + s.name)
		if s.rows == 1 { // the others are workloads of the first table
			fmt.Fprintf(&b, " (d %d, p %d, D %d)", s.d, s.degree, s.components)
		}
		b.WriteString(" |")
		for _, place := range []string{"Node", "Chromium"} {
			median := func(of func(duel) float64) string {
				return number(r.median(func(o *round) float64 { return of(o.Duels[place][s.name]) }))
			}
			fmt.Fprintf(&b, " %s, %s | %s |", median(func(d duel) float64 { return d.Peer }),
				median(func(d duel) float64 { return d.Library }),
				median(func(d duel) float64 { return d.Peer / d.Library }))
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
	return b.String()
}
