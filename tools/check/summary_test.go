//go:build !js

package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"tensorsketch.example/test/cases"
	"tensorsketch.example/test/slow"
)

// event is one line of `go test -json`.
func event(action, test, output string) string {
	return fmt.Sprintf(`{"Action":%q,"Package":"example.org/m/pkg","Test":%q,"Output":%q}`, action, test, output)
}

func TestGoReport(t *testing.T) {
	for _, c := range []struct {
		name                    string
		lines                   []string
		passed, failed, skipped int
		prints                  []string
	}{
		{"passes", []string{
			event("run", "TestA", ""), event("pass", "TestA", ""), event("pass", "", "")},
			1, 0, 0, []string{"pass example.org/m/pkg"}},
		{"subtests count instead of their parent", []string{
			event("pass", "TestA/x", ""), event("pass", "TestA/y", ""), event("pass", "TestA", ""), event("pass", "", "")},
			2, 0, 0, nil},
		{"a failed subtest counts once", []string{
			event("output", "TestA/x", "    a_test.go:7: got 1\n"), event("fail", "TestA/x", ""),
			event("pass", "TestA/y", ""), event("fail", "TestA", ""), event("fail", "", "")},
			1, 1, 0, []string{"FAIL pkg.TestA/x\n", "got 1"}},
		{"a parent that fails by itself counts", []string{
			event("pass", "TestA/x", ""), event("fail", "TestA", ""), event("fail", "", "")},
			1, 1, 0, []string{"FAIL pkg.TestA\n"}},
		{"a package that fails outside its tests counts", []string{
			event("pass", "TestA", ""), event("output", "", "exit status 3\n"), event("fail", "", "")},
			1, 1, 0, []string{"FAIL pkg.\n", "exit status 3"}},
		{"a package that does not compile counts", []string{
			`{"ImportPath":"example.org/m/pkg","Action":"build-output","Output":"a.go:1: syntax error\n"}`,
			`{"ImportPath":"example.org/m/pkg","Action":"build-fail"}`, event("fail", "", "")},
			0, 1, 0, []string{"a.go:1: syntax error"}},
		{"skips by name with their reason", []string{
			event("output", "TestA", "=== RUN   TestA\n"),
			event("output", "TestA", "    a_test.go:7: no data: it is elsewhere\n"),
			event("output", "TestA", "--- SKIP: TestA (0.00s)\n"), event("skip", "TestA", ""), event("pass", "", "")},
			0, 0, 1, []string{"SKIP pkg.TestA: no data: it is elsewhere\n"}},
		{"other lines pass through", []string{"go: downloading something"}, 0, 0, 0, []string{"go: downloading something\n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out strings.Builder
			s := &summary{out: &out, part: "part"}
			for _, line := range c.lines {
				s.readGo(line)
			}
			checkSummary(t, s, out.String(), c.passed, c.failed, c.skipped, c.prints)
		})
	}
}

const tapReport = `TAP version 13
# pass 99
# Subtest: good
ok 1 - good
  ---
  duration_ms: 0.8
  ...
# Subtest: outer
    # Subtest: inner
    not ok 1 - inner
      ---
      error: '1 == 2'
      ...
    1..1
ok 3 - left out # SKIP no data
1..3
# tests 4
# pass 1
# fail 1
# cancelled 1
# skipped 1
`

func TestTAPReport(t *testing.T) {
	var out strings.Builder
	s := &summary{out: &out, part: "part"}
	for line := range strings.Lines(tapReport) {
		s.readTAP(strings.TrimSuffix(line, "\n"))
	}
	s.endTAP()
	checkSummary(t, s, out.String(), 1, 2, 1, []string{"not ok 1 - inner", "1 == 2", "SKIP left out: no data\n"})
	if strings.Contains(out.String(), "good") {
		t.Errorf("a passing test is printed:\n%s", out.String())
	}
}

// TestFailuresAgain: the report's end names what failed, once, with the beginning of what it said: CI keeps the end.
func TestFailuresAgain(t *testing.T) {
	inGo := []string{event("output", "TestA/x", "    a_test.go:7: got 1\n"), event("fail", "TestA/x", ""),
		event("fail", "TestA", ""), event("output", "TestB", "    b_test.go:7: "+strings.Repeat("é", 400)+"\n"),
		event("fail", "TestB", ""), event("fail", "", "")}
	inTAP := []string{"    not ok 1 - inner", "      ...", "    not ok 2 - second", "      ...", "not ok 1 - outer",
		"  ...", "not ok 2 - alone", "  ...", "# fail 3"}
	for _, c := range []struct {
		reads format
		lines []string
		want  string
	}{
		{goTests, inGo, "2 failed in part P\n    pkg.TestA/x: got 1\n    pkg.TestB: " + strings.Repeat("é", 300) + "…\n" +
			"0 passed, 2 failed\n"},
		{tap, inTAP, "3 failed in part P\n    inner\n    second\n    alone\n0 passed, 3 failed\n"},
	} {
		var out strings.Builder
		r := &report{out: &out}
		command := "cat <<'END'\n" + strings.Join(c.lines, "\n") + "\nEND\nfalse"
		r.run(t.Context(), part{name: "P", reads: c.reads, command: command}, "")
		if r.total(); !strings.HasSuffix(out.String(), "\n\n"+c.want) {
			t.Errorf("the report ends otherwise than %q:\n%s", c.want, out.String())
		}
	}
}

func TestRefusedSkipFails(t *testing.T) {
	list := filepath.Join(t.TempDir(), "skips")
	text := "# what CI may skip\npart: pkg.TestListed # no data there\n"
	if err := os.WriteFile(list, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	allowed, err := readSkips(list)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	s := &summary{out: &out, refuseSkip: func(test string) bool { return !allowed["part: "+test] }}
	s.readGo(event("skip", "TestListed", ""))
	s.readGo(event("skip", "TestOther", ""))
	checkSummary(t, s, out.String(), 0, 1, 1, []string{"SKIP pkg.TestListed", "FAIL pkg.TestOther: skipped"})
}

// CI takes a skip where nothing lies beside the project, and prints it by name. It refuses one for a single file.
func TestAbsentData(t *testing.T) {
	data := t.TempDir()
	for _, c := range []struct {
		data    string
		allowed bool
	}{{filepath.Join(data, "no", "data"), true}, {data, false}} {
		t.Setenv("TENSORSKETCH_DATA", c.data)
		reason := reasonOf(t, func(t testing.TB) { cases.Data(t, "rows.csv") })
		var out strings.Builder
		s := &summary{out: &out, refuseSkip: func(string) bool { return true }}
		s.readGo(event("output", "TestA", "    a_test.go:7: "+reason+"\n"))
		s.readGo(event("skip", "TestA", ""))
		if (s.skipped == 1) != c.allowed || !strings.Contains(out.String(), "TestA") {
			t.Errorf("%s: %d skipped, %d failed:\n%s", reason, s.skipped, s.failed, &out)
		}
	}
}

// A skipping notes the reason of a skip.
type skipping struct {
	testing.TB
	reason string
}

func (s *skipping) Skip(args ...any) {
	s.reason = fmt.Sprintln(args...)
	runtime.Goexit()
}

// reasonOf returns why f skips its test.
func reasonOf(t *testing.T, f func(testing.TB)) string {
	s, done := &skipping{TB: t}, make(chan bool)
	go func() {
		defer close(done)
		f(s)
	}()
	<-done
	return strings.TrimSpace(s.reason)
}

// What package slow leaves out is no skip: it is neither printed nor counted, and CI takes it.
func TestLeftOut(t *testing.T) {
	for _, c := range []struct {
		where string
		mark  func(t *testing.T)
		runs  bool
	}{
		{"", slow.Elsewhere, true},
		{"", slow.Emulated, true},
		{"elsewhere", slow.Elsewhere, false},
		{"elsewhere", slow.Emulated, true},
		{"emulated", slow.Elsewhere, false},
		{"emulated", slow.Emulated, false},
	} {
		runs := false
		t.Run(c.where, func(t *testing.T) {
			t.Setenv("TENSORSKETCH_SLOW", c.where)
			c.mark(t)
			runs = true
		})
		if runs != c.runs {
			t.Errorf("TENSORSKETCH_SLOW=%s: a marked test runs is %v, want %v", c.where, runs, c.runs)
		}
	}
	var out strings.Builder
	s := &summary{out: &out, refuseSkip: func(string) bool { return true }}
	s.readGo(event("output", "TestA", "    a_test.go:7: "+slow.LeftOut+"elsewhere\n"))
	s.readGo(event("skip", "TestA", ""))
	s.readGo(event("pass", "TestB", ""))
	checkSummary(t, s, out.String(), 1, 0, 0, nil)
	if strings.Contains(out.String(), "TestA") {
		t.Errorf("a test that is left out is printed:\n%s", out.String())
	}
}

func TestExit(t *testing.T) {
	passes := event("pass", "TestA", "")
	for _, c := range []struct {
		name, command  string
		reads          format
		passed, failed int
		prints         string
	}{
		{"a command that fails without a test's failure", "go no-such-verb", goTests, 0, 1, "unknown command"},
		{"a command that runs no test", "go version", goTests, 0, 1, "FAIL no test ran"},
		{"a report without tests", "echo TAP version 13", tap, 0, 1, "FAIL no test ran"},
		{"a command that is not there", "no-such-command", goTests, 0, 1, "not found"},
		{"a command that is a test", "echo said; true", status, 1, 0, "said"},
		{"a command that is a test and fails", "echo said >&2; false", status, 0, 1, "said"},
		{"tests that pass and a command that fails", "echo '" + passes + "'; exit 3", goTests, 1, 1, "status 3"},
		{"standard error beside tests", "echo aside >&2; echo '" + passes + "'", goTests, 1, 0, "aside"},
	} {
		var out strings.Builder
		s := &summary{out: &out}
		s.run(t.Context(), c.reads, c.command)
		if s.passed != c.passed || s.failed != c.failed || !strings.Contains(out.String(), c.prints) {
			t.Errorf("%s: %d passed, %d failed, want %d, %d and %q\n%s",
				c.name, s.passed, s.failed, c.passed, c.failed, c.prints, out.String())
		}
	}
}

// TestMain: the program of these tests also runs a command, as check does.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == reaping {
		os.Exit(reap(os.Args[2:]))
	}
	os.Exit(m.Run())
}

// TestOrphans: time of processors counts for processes whose parent did not wait for them, and the status of a command
// that such a process outlives stays as it is.
func TestOrphans(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("counted on Linux alone")
	}
	const busy = "for ((i = 0; i < 100000; i++)); do :; done" // 0.1 to 0.3 s; the rest takes 3 ms
	var out strings.Builder
	s := &summary{out: &out}
	s.run(t.Context(), status, "bash -c '("+busy+") & kill -9 $$' & wait; exit 3")
	if s.failed != 1 || !strings.Contains(out.String(), "status 3") || s.processors < 30*time.Millisecond {
		t.Errorf("%d failed, %v of processors, want status 3 and 0.1 s:\n%s", s.failed, s.processors, out.String())
	}
	began := time.Now()
	s.run(t.Context(), status, "sleep 120 > /dev/null 2>&1 & exit 0")
	if s.passed != 1 || time.Since(began) > 100*time.Second {
		t.Errorf("beside a process that runs on: %d passed after %v", s.passed, time.Since(began))
	}
}

// A command that takes longer than its part may is killed, with all that it has started.
func TestTimeout(t *testing.T) {
	for _, reads := range []format{status, goTests, tap} {
		began := time.Now()
		r := &report{out: io.Discard}
		p := part{name: "slow", reads: reads, command: "sleep 600 & sleep 600", timeout: 50 * time.Millisecond}
		r.run(t.Context(), p, "")
		if s := r.counts[0]; s.passed != 0 || s.failed != 1 || time.Since(began) > 5*time.Minute {
			t.Errorf("%d passed, %d failed after %v, want a failure at once", s.passed, s.failed, time.Since(began))
		}
	}
}

func checkSummary(t *testing.T, s *summary, out string, passed, failed, skipped int, prints []string) {
	t.Helper()
	if s.passed != passed || s.failed != failed || s.skipped != skipped {
		t.Errorf("%d passed, %d failed, %d skipped, want %d, %d, %d\n%s",
			s.passed, s.failed, s.skipped, passed, failed, skipped, out)
	}
	for _, want := range prints {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not printed:\n%s", want, out)
		}
	}
}
