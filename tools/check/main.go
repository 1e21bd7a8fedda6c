//go:build !js

// Command check runs the parts of `./build.sh test`, or with -soak the long ones of `./build.sh soak`, and counts
// their tests. Arguments choose parts by their names or by patterns, and bring the parts that those come after.
//
//	check                  all parts
//	check native 'API*'    these parts, after dist
//	check -soak 5m         the long parts, each fuzz target for 5 minutes
//
// What a part prints appears when it ends: what failed, with its output, and every skip by name. With CI=true a skip
// that test/skips.txt does not list is a failure, unless it is for data that lies beside the project and all of it is
// absent. At the end what failed is named again, part by part, with the beginning of what it said. The last line is
// "N passed, N failed"; the exit status is 1 if anything failed or nothing ran.
package main

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

func main() {
	if len(os.Args) > 2 && os.Args[1] == reaping {
		os.Exit(reap(os.Args[2:]))
	}
	lanes := flag.Int("lanes", 2, "how many parts run beside one another")
	soak := flag.Duration("soak", 0, "run the long parts instead, and each fuzz target for this long")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ok, err := run(ctx, *lanes, *soak, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "check:", err)
	}
	if !ok {
		os.Exit(1)
	}
}

func run(ctx context.Context, lanes int, soak time.Duration, names []string) (ok bool, err error) {
	fuzzed, err := fuzzTargets()
	if err != nil {
		return false, err
	}
	parts := testParts()
	if soak > 0 {
		parts, lanes = soakParts(fuzzed, soak), 1 // a fuzz target takes all cores
	}
	if parts, err = choose(parts, names); err != nil {
		return false, err
	}
	allowed, err := readSkips("test/skips.txt")
	if err != nil {
		return false, err
	}
	r := &report{out: os.Stdout, live: lanes == 1 || len(parts) == 1}
	if os.Getenv("CI") == "true" {
		r.allowed = allowed
	}
	os.Setenv("PATH", os.Getenv("PATH")+":"+tinygoFolder)
	os.Setenv("GOGC", cmp.Or(os.Getenv("GOGC"), "400")) // simulations of many small maps take a third less time
	began, before := time.Now(), processorTimes()
	schedule(parts, lanes, settle, func(p part, missing string) { r.run(ctx, p, missing) })
	fmt.Fprintf(r.out, "%d parts in %.1f minutes, of processors %.0f s%s\n", len(parts), time.Since(began).Minutes(),
		r.processors().Seconds(), idle(before, processorTimes()))
	return r.total(), nil
}

// processorTimes returns the first line of /proc/stat: what all processors did since they were started. It is empty
// elsewhere than on Linux.
func processorTimes() string {
	stat, _ := os.ReadFile("/proc/stat")
	line, _, _ := strings.Cut(string(stat), "\n")
	return line
}

// idle says how much of the time between two such lines the processors had nothing to do: what more lanes could use.
func idle(before, after string) string {
	was, is := strings.Fields(before), strings.Fields(after)
	var waited, all float64
	for i := 1; i < min(len(was), len(is), 9); i++ { // the columns after the 8th are in the first two
		from, _ := strconv.ParseFloat(was[i], 64)
		to, _ := strconv.ParseFloat(is[i], 64)
		if all += to - from; i == 4 || i == 5 { // idle, and idle while a disk is waited for
			waited += to - from
		}
	}
	if all <= 0 {
		return ""
	}
	return fmt.Sprintf(", the processors idle for %.0f %% of it", 100*waited/all)
}

// choose returns the parts that the names and patterns choose, and those that they come after; all without names.
func choose(parts []part, names []string) ([]part, error) {
	if len(names) == 0 {
		return parts, nil
	}
	chosen := map[string]bool{}
	flat := func(name string) string { return strings.ReplaceAll(name, "/", "_") } // a * of path.Match stops at a slash
	for _, name := range names {
		found := false
		for _, p := range parts {
			matches, err := path.Match(flat(name), flat(p.name))
			if err != nil {
				return nil, fmt.Errorf("part %q: %w", name, err)
			}
			if matches || p.name == name {
				found, chosen[p.name] = true, true
				for _, before := range p.after {
					chosen[before] = true
				}
			}
		}
		if !found {
			var all []string
			for _, p := range parts {
				all = append(all, p.name)
			}
			return nil, fmt.Errorf("there is no part %q: the parts are %s", name, strings.Join(all, "; "))
		}
	}
	return slices.DeleteFunc(slices.Clone(parts), func(p part) bool { return !chosen[p.name] }), nil
}

// A report prints what the parts print, one part after the other, and adds up their counts.
type report struct {
	mu      sync.Mutex
	out     io.Writer
	live    bool            // parts run one by one: print as they go
	allowed map[string]bool // the skips that CI may see, as PART: TEST; nil: all
	counts  []*summary
}

// run runs a part, or skips it because something is missing, and counts its tests.
func (r *report) run(ctx context.Context, p part, missing string) {
	if p.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, p.timeout)
		defer cancel()
	}
	var printed bytes.Buffer
	s := &summary{out: &printed, part: p.name}
	if r.live {
		s.out = r.out
	}
	if r.allowed != nil {
		s.refuseSkip = func(test string) bool { return !r.allowed[p.name+": "+test] }
	}
	fmt.Fprintf(s.out, "== %s\n", p.name)
	began := time.Now()
	if missing != "" {
		s.skip("all", missing)
	} else {
		s.run(ctx, p.reads, p.command)
	}
	fmt.Fprintf(s.out, "-- %s: %d passed, %d failed, %d skipped, %.1f s, of processors %.1f s\n\n",
		p.name, s.passed, s.failed, s.skipped, time.Since(began).Seconds(), s.processors.Seconds())

	r.mu.Lock()
	defer r.mu.Unlock()
	printed.WriteTo(r.out)
	r.counts = append(r.counts, s)
}

// processors is the time of processors that all parts took.
func (r *report) processors() (sum time.Duration) {
	for _, s := range r.counts {
		sum += s.processors
	}
	return sum
}

// total prints the sums, and reports whether tests ran and all passed.
func (r *report) total() bool {
	passed, failed := 0, 0
	for _, s := range r.counts {
		passed += s.passed
		failed += s.failed
		if s.failed > 0 {
			fmt.Fprintf(r.out, "%d failed in part %s\n", s.failed, s.part)
			for _, failure := range s.failures {
				fmt.Fprint(r.out, indent(failure))
			}
		}
	}
	fmt.Fprintf(r.out, "%d passed, %d failed\n", passed, failed)
	return failed == 0 && passed > 0
}
