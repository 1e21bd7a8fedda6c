//go:build !js

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"tensorsketch.example/test/cases"
	"tensorsketch.example/test/slow"
)

// A summary counts the tests of one part and prints what went wrong.
type summary struct {
	out                     io.Writer
	part                    string
	passed, failed, skipped int
	refuseSkip              func(test string) bool // nil: every skip is accepted
	processors              time.Duration          // time of processors that the command and its descendants took
	failures                []string               // for the report's end: what failed, and what it said

	tests   map[string]*test // go: the tests still running, by package and name
	totals  map[string]int   // tap: the totals at the report's end
	inTrace bool             // tap: inside the description of a failure
	depth   int              // tap: how far to the right the last failure is
}

// A test is a running Go test, or a package when its name is empty.
type test struct {
	output    strings.Builder
	subtests  int
	subFailed bool
}

func (s *summary) skip(test, reason string) {
	if s.refuseSkip != nil && s.refuseSkip(test) && !strings.HasPrefix(reason, cases.Absent) {
		s.fail(test, "skipped, and CI may not skip it: "+reason)
		return
	}
	s.skipped++
	fmt.Fprintf(s.out, "SKIP %s: %s\n", test, reason)
}

// fail counts and prints what failed, and why, if that is known.
func (s *summary) fail(what, why string) {
	s.failed++
	s.remember(what, why)
	fmt.Fprintln(s.out, "FAIL "+joined(what, why))
}

// remember keeps what failed for the end of the report, with the beginning of what it said.
func (s *summary) remember(what, why string) {
	const most = 300
	if letters := []rune(why); len(letters) > most {
		why = string(letters[:most]) + "…"
	}
	s.failures = append(s.failures, joined(what, why))
}

func joined(what, why string) string {
	if why == "" {
		return what
	}
	return what + ": " + why
}

// run runs a command of bash and counts its tests. At the context's end the command and all that it has started are
// killed.
func (s *summary) run(ctx context.Context, reads format, command string) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		s.exit(err)
		return
	}
	line := reaped(bash, "-c", command)
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	defer func() {
		if cmd.ProcessState != nil {
			s.processors = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		}
	}()
	s.out = &sharedWriter{w: s.out}
	switch reads {
	case status:
		cmd.Stdout, cmd.Stderr = s.out, s.out
		if err := cmd.Run(); err != nil {
			s.fail(command, err.Error())
			return
		}
		s.passed++
	case goTests:
		s.exit(s.pipe(cmd, s.readGo))
	case tap:
		err := s.pipe(cmd, s.readTAP)
		s.endTAP()
		s.exit(err)
	}
}

// pipe runs a command and hands its standard output to read, line by line. Standard error goes straight through.
func (s *summary) pipe(cmd *exec.Cmd, read func(line string)) error {
	cmd.Stderr = s.out
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	lines := bufio.NewReader(stdout)
	for {
		line, err := lines.ReadString('\n')
		if line != "" {
			read(strings.TrimSuffix(line, "\n"))
		}
		if err != nil {
			return cmd.Wait()
		}
	}
}

// A sharedWriter takes what a command writes to standard error while its standard output is read.
type sharedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (s *sharedWriter) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Write(text)
}

// exit makes sure that a command that failed leaves a failure behind, even if none of its tests reported one.
func (s *summary) exit(err error) {
	if err != nil && s.failed == 0 {
		s.fail("the command", err.Error())
	} else if err == nil && s.passed+s.failed+s.skipped == 0 {
		s.fail("no test ran", "")
	}
}

// readGo takes a line of `go test -json`. A test with subtests counts as its
// subtests, and by itself only if it failed and none of them did; a package
// counts only if it failed and no test of it did.
func (s *summary) readGo(line string) {
	var event struct {
		Action, Package, Test, Output string
		Elapsed                       float64
	}
	if !strings.HasPrefix(line, "{") || json.Unmarshal([]byte(line), &event) != nil {
		fmt.Fprintln(s.out, line)
		return
	}
	switch event.Action {
	case "build-output":
		fmt.Fprint(s.out, event.Output)
		return
	case "output", "run", "pass", "fail", "skip":
	default:
		return
	}

	t := s.running(event.Package, event.Test)
	name := event.Package[strings.LastIndex(event.Package, "/")+1:] + "." + event.Test
	switch event.Action {
	case "output":
		t.output.WriteString(event.Output)
		return
	case "run":
		return
	case "pass":
		if event.Test != "" && t.subtests == 0 {
			s.passed++
		}
	case "fail":
		if !t.subFailed {
			s.failed++
			s.remember(name, reason(t.output.String()))
			fmt.Fprintf(s.out, "FAIL %s\n%s", name, indent(t.output.String()))
		}
	case "skip":
		if why := reason(t.output.String()); event.Test != "" && !strings.HasPrefix(why, slow.LeftOut) {
			s.skip(name, why)
		}
	}
	delete(s.tests, event.Package+" "+event.Test)
	if event.Test == "" {
		fmt.Fprintf(s.out, "%s %s %.1f s\n", event.Action, event.Package, event.Elapsed)
		return
	}
	parent := s.running(event.Package, event.Test[:max(0, strings.LastIndex(event.Test, "/"))])
	parent.subtests++
	parent.subFailed = parent.subFailed || event.Action == "fail"
}

// running is the record of a test that has not ended, or of its package.
func (s *summary) running(pkg, name string) *test {
	if s.tests == nil {
		s.tests = make(map[string]*test)
	}
	key := pkg + " " + name
	if s.tests[key] == nil {
		s.tests[key] = new(test)
	}
	return s.tests[key]
}

// readTAP takes a line of Node's TAP report: skips and failures as they come,
// and the totals, which are its last lines; a test may print the like before.
func (s *summary) readTAP(line string) {
	text := strings.TrimSpace(line)
	switch {
	case strings.HasPrefix(text, "not ok "):
		s.inTrace = true
		s.failedTAP(line)
	case strings.HasPrefix(text, "ok "):
		if name, reason, ok := strings.Cut(text, " # SKIP"); ok {
			_, name, _ = strings.Cut(name, " - ")
			s.skip(name, strings.TrimSpace(reason))
		}
	default:
		var name string
		var n int
		if _, err := fmt.Sscanf(line, "# %s %d", &name, &n); err == nil {
			if s.totals == nil {
				s.totals = make(map[string]int)
			}
			s.totals[name] = n
		}
	}
	if s.inTrace {
		fmt.Fprintln(s.out, line)
		s.inTrace = text != "..."
	}
}

// failedTAP remembers a line "not ok": its test, and not also the tests that contain it, whose lines come later and are
// further left.
func (s *summary) failedTAP(line string) {
	depth := len(line) - len(strings.TrimLeft(line, " "))
	if depth >= s.depth || len(s.failures) == 0 {
		_, name, _ := strings.Cut(line, " - ")
		s.remember(name, "")
	}
	s.depth = depth
}

// endTAP counts the totals of the report.
func (s *summary) endTAP() {
	s.passed += s.totals["pass"]
	s.failed += s.totals["fail"] + s.totals["cancelled"]
}

// reason is what a skipped test printed, without the framing lines and the
// file and line number.
func reason(output string) string {
	var said []string
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "===") || strings.HasPrefix(line, "---") {
			continue
		}
		if _, text, ok := strings.Cut(line, ".go:"); ok {
			if _, text, ok = strings.Cut(text, ": "); ok {
				line = text
			}
		}
		said = append(said, line)
	}
	return strings.Join(said, " ")
}

// indent moves a test's output to the right, without its framing lines.
func indent(output string) string {
	var b strings.Builder
	for line := range strings.Lines(output) {
		if !strings.HasPrefix(line, "===") {
			b.WriteString("    " + strings.TrimSuffix(line, "\n") + "\n")
		}
	}
	return b.String()
}

// readSkips reads the list of skips that CI may see: PART: TEST on each line; # begins a comment.
func readSkips(name string) (map[string]bool, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	allowed := make(map[string]bool)
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line != "" {
			allowed[line] = true
		}
	}
	return allowed, nil
}
