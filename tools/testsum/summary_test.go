package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
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
			event("output", "TestA", "=== RUN   TestA\n"), event("output", "TestA", "    a_test.go:7: no data: it is elsewhere\n"),
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

func TestExit(t *testing.T) {
	for _, c := range []struct {
		name    string
		command []string
		failed  int
	}{
		{"a command that fails without a test's failure", []string{"go", "no-such-verb"}, 1},
		{"a command that runs no test", []string{"go", "version"}, 1},
		{"a command that is not there", []string{"no-such-command"}, 1},
	} {
		var out strings.Builder
		s := &summary{out: &out}
		s.exit(pipe(t.Context(), c.command, s.readGo))
		if s.failed != c.failed {
			t.Errorf("%s: %d failed, want %d\n%s", c.name, s.failed, c.failed, out.String())
		}
	}
}

func TestTimeout(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	s := &summary{out: io.Discard}
	s.exit(pipe(ctx, []string{"sleep", "20"}, s.readGo))
	if s.failed != 1 {
		t.Errorf("a command that was killed: %d failed, want 1", s.failed)
	}
}

func TestTotal(t *testing.T) {
	for _, c := range []struct {
		results, want string
		ok            bool
	}{
		{"3 0 1 native\n4 0 0 api in Node\n", "7 passed, 0 failed\n", true},
		{"3 0 1 native\n4 2 0 api in Node\n", "2 failed in part api in Node\n7 passed, 2 failed\n", false},
		{"0 0 1 native\n", "0 passed, 0 failed\n", false},
	} {
		name := filepath.Join(t.TempDir(), "results")
		if err := os.WriteFile(name, []byte(c.results), 0o644); err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		ok, err := total(&out, name)
		if err != nil || ok != c.ok || out.String() != c.want {
			t.Errorf("total of %q: %q, %v, %v, want %q, %v", c.results, out.String(), ok, err, c.want, c.ok)
		}
	}
}

func checkSummary(t *testing.T, s *summary, out string, passed, failed, skipped int, prints []string) {
	t.Helper()
	if s.passed != passed || s.failed != failed || s.skipped != skipped {
		t.Errorf("%d passed, %d failed, %d skipped, want %d, %d, %d\n%s", s.passed, s.failed, s.skipped, passed, failed, skipped, out)
	}
	for _, want := range prints {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not printed:\n%s", want, out)
		}
	}
}
