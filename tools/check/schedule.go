//go:build !js

package main

import "slices"

// schedule runs parts in lanes beside one another. A lane that is free takes the first part in the list whose needs
// are settled and whose parts before it have ended. settle, which may install something, is called once for each need
// and returns what is missing, or nothing; run is told what a part cannot do without.
func schedule(parts []part, lanes int, settle func(need string) (missing string), run func(p part, missing string)) {
	type event struct{ need, missing, part string }
	events := make(chan event)
	open := map[string]bool{}      // the parts and needs that have not ended
	missing := map[string]string{} // by need
	for _, p := range parts {
		open["part "+p.name] = true
		for _, need := range slices.Concat(p.needs, p.wants) {
			if !open["need "+need] {
				open["need "+need] = true
				go func() { events <- event{need: need, missing: settle(need)} }()
			}
		}
	}
	ready := func(p part) bool {
		waits := func(kind string) func(string) bool {
			return func(name string) bool { return open[kind+" "+name] }
		}
		return !slices.ContainsFunc(p.needs, waits("need")) && !slices.ContainsFunc(p.wants, waits("need")) &&
			!slices.ContainsFunc(p.after, waits("part"))
	}
	queue, running := slices.Clone(parts), 0
	for len(queue) > 0 || running > 0 {
		for running < lanes {
			next := slices.IndexFunc(queue, ready)
			if next < 0 {
				break
			}
			p, lacks := queue[next], ""
			queue = slices.Delete(queue, next, next+1)
			for _, need := range p.needs {
				if lacks == "" {
					lacks = missing[need]
				}
			}
			running++
			go func() {
				run(p, lacks)
				events <- event{part: p.name}
			}()
		}
		e := <-events
		if e.need != "" {
			missing[e.need] = e.missing
			delete(open, "need "+e.need)
			continue
		}
		delete(open, "part "+e.part)
		running--
	}
}
