// Command testsum runs the parts of `./build.sh test` and counts their tests.
//
//	testsum -results FILE go NAME go test -json …    counts each test
//	testsum -results FILE tap NAME node --test …     counts each test of a TAP report
//	testsum -results FILE check NAME COMMAND …       counts the command as one test
//	testsum -results FILE skip NAME REASON           counts a part that cannot run here
//	testsum -results FILE total                      prints "N passed, N failed"
//
// It prints what failed with its output, and every skip by name. With CI=true a
// skip that the file given by -skips does not list is a failure. Each run adds
// one line to the results file. The exit status is 1 if anything failed. With
// -timeout a command that takes longer is killed.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

func main() {
	results := flag.String("results", "", "file that collects the counts")
	skips := flag.String("skips", "", "file of the skips that CI may see: PART: NAME on each line, # begins a comment")
	timeout := flag.Duration("timeout", 24*time.Hour, "longest time of a part")
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), *timeout)
	defer cancel()
	ok, err := run(ctx, flag.Args(), *results, *skips)
	if err != nil {
		fmt.Fprintln(os.Stderr, "testsum:", err)
	}
	if !ok || err != nil {
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, results, skips string) (ok bool, err error) {
	if len(args) == 1 && args[0] == "total" {
		return total(os.Stdout, results)
	}
	if len(args) < 3 {
		return false, errors.New("usage: testsum -results FILE go|tap|check|skip NAME COMMAND …, or total")
	}
	mode, name, command := args[0], args[1], args[2:]
	allowed, err := readSkips(skips)
	if err != nil {
		return false, err
	}
	s := &summary{out: os.Stdout, part: name}
	if os.Getenv("CI") == "true" {
		s.refuseSkip = func(test string) bool { return !allowed[name+": "+test] }
	}

	fmt.Fprintf(s.out, "== %s\n", name)
	start := time.Now()
	switch mode {
	case "go":
		err = pipe(ctx, command, s.readGo)
		s.exit(err)
	case "tap":
		err = pipe(ctx, command, s.readTAP)
		s.endTAP()
		s.exit(err)
	case "check":
		s.check(ctx, command)
	case "skip":
		s.skip("all", strings.Join(command, " "))
	default:
		return false, fmt.Errorf("unknown kind of part %q", mode)
	}
	fmt.Fprintf(s.out, "-- %s: %d passed, %d failed, %d skipped, %.1f s\n\n",
		name, s.passed, s.failed, s.skipped, time.Since(start).Seconds())

	file, err := os.OpenFile(results, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return false, err
	}
	_, err = fmt.Fprintf(file, "%d %d %d %s\n", s.passed, s.failed, s.skipped, name)
	return s.failed == 0, errors.Join(err, file.Close())
}

// readSkips reads the list of skips that CI may see.
func readSkips(name string) (map[string]bool, error) {
	allowed := make(map[string]bool)
	if name == "" {
		return allowed, nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line != "" {
			allowed[line] = true
		}
	}
	return allowed, nil
}

// pipe runs a command and hands its standard output to read, line by line.
// Standard error goes straight through.
func pipe(ctx context.Context, command []string, read func(line string)) error {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Stderr = os.Stderr
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
			break
		}
	}
	return cmd.Wait()
}

// total adds up the results file and prints the sum on a line of its own.
func total(w io.Writer, results string) (ok bool, err error) {
	text, err := os.ReadFile(results)
	if err != nil {
		return false, err
	}
	passed, failed := 0, 0
	for line := range strings.Lines(string(text)) {
		var p, f, s int
		var name string
		if _, err := fmt.Sscanf(line, "%d %d %d %s", &p, &f, &s, &name); err != nil {
			return false, fmt.Errorf("%s: %q: %w", results, line, err)
		}
		passed += p
		failed += f
		if f > 0 {
			fmt.Fprintf(w, "%d failed in part %s", f, line[strings.Index(line, name):])
		}
	}
	fmt.Fprintf(w, "%d passed, %d failed\n", passed, failed)
	return failed == 0 && passed > 0, nil
}
