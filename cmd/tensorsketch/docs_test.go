//go:build !js && !windows

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The examples of docs/cli.md, one after another in a folder with the files of testdata: what follows a command is all
// that it prints, on standard output and standard error.
func TestExamplesOfTheDocs(t *testing.T) {
	text := read(t, filepath.Join("..", "..", "docs", "cli.md"))
	folder := samples(t)
	commands := 0
	for _, block := range regexp.MustCompile("(?ms)^```sh\n(.*?)^```$").FindAllStringSubmatch(text, -1) {
		for _, example := range strings.Split("\n"+block[1], "\n$ ")[1:] {
			lines := strings.SplitAfter(strings.TrimSuffix(example, "\n")+"\n", "\n")
			command := lines[0]
			for lines = lines[1:]; strings.HasSuffix(command, "\\\n"); lines = lines[1:] {
				command += lines[0]
			}
			c := exec.Command("sh", "-c", command)
			c.Dir = folder
			c.Env = append(os.Environ(), "PATH="+filepath.Dir(program)+":"+os.Getenv("PATH"), "LC_ALL=C.UTF-8")
			out, err := c.CombinedOutput()
			status := "0"
			if _, stated, ok := strings.Cut(strings.TrimSpace(command), " # status "); ok {
				status = stated
			}
			if got := strconv.Itoa(c.ProcessState.ExitCode()); got != status {
				t.Errorf("%sends with status %s, want %s (%v)", command, got, status, err)
			}
			if want := strings.Join(lines, ""); string(out) != want {
				t.Errorf("%s\nprints\n%s\nthe page says\n%s", command, out, want)
			}
			commands++
		}
	}
	if words := len(strings.Fields(text)); words > 800 || commands < 8 {
		t.Errorf("the page has %d words, and %d commands run", words, commands)
	}
	for _, v := range verbs {
		if !regexp.MustCompile(`(?m)^\$ .*\btensorsketch ` + v.name + ` `).MatchString(text) {
			t.Errorf("the page has no example of %s", v.name)
		}
	}
}
