//go:build !js

package main

import (
	"cmp"
	"slices"
	"strings"
)

// schedule runs parts in lanes beside one another. A lane that is free takes the first part in the list whose needs
// are settled and whose parts before it have ended. settle, which may install something, is called once for each need
// and returns what is missing, or nothing. run is told what a part cannot do without; a part after it lacks the same.
func schedule(parts []part, lanes int, settle func(need string) (missing string), run func(p part, missing string)) {
	type event struct{ name, missing string } // of a need or part that has ended
	events := make(chan event)
	open := map[string]bool{} // the parts and needs that have not ended
	missing := map[string]string{}
	for _, p := range parts {
		open[partNamed(p.name)] = true
		for _, need := range slices.Concat(p.needs, p.wants) {
			if name := needNamed(need); !open[name] {
				open[name] = true
				go func() { events <- event{name, settle(need)} }()
			}
		}
	}
	isOpen := func(name string) bool { return open[name] }
	ready := func(p part) bool { return !slices.ContainsFunc(p.waitsFor(), isOpen) }
	queue, running := slices.Clone(parts), 0
	for len(queue) > 0 || running > 0 {
		for running < lanes {
			next := slices.IndexFunc(queue, ready)
			if next < 0 {
				break
			}
			p, lacks := queue[next], ""
			queue = slices.Delete(queue, next, next+1)
			for _, name := range p.requires() {
				lacks = cmp.Or(lacks, missing[name])
			}
			running++
			go func() {
				run(p, lacks)
				events <- event{partNamed(p.name), lacks}
			}()
		}
		e := <-events
		missing[e.name] = e.missing
		delete(open, e.name)
		if strings.HasPrefix(e.name, partNamed("")) {
			running--
		}
	}
}

func partNamed(name string) string { return "part " + name }
func needNamed(name string) string { return "need " + name }

// requires lists what a part cannot do without: its needs and the parts before it.
func (p part) requires() (names []string) {
	for _, need := range p.needs {
		names = append(names, needNamed(need))
	}
	for _, before := range p.after {
		names = append(names, partNamed(before))
	}
	return names
}

// waitsFor also lists what it can do without.
func (p part) waitsFor() []string {
	names := p.requires()
	for _, want := range p.wants {
		names = append(names, needNamed(want))
	}
	return names
}
