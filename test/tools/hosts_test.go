//go:build !js

package tools

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// A host is a line that hosts.mjs and frameworks.mjs print: what was told, or the page that tells it, and what should
// be told: that all is as in Node, or the patterns of an error or of why there are no threads.
type host struct {
	Name, Told, Page string
	Alone            bool // the page forbids frames
	Wants            struct{ Error, Because string }
}

// TestSlowHosts: in hosts that take long to install or to build, the package computes the features that it computes in
// Node, or names what the host needs.
func TestSlowHosts(t *testing.T) { checkLong(t, "hosts", "slow", *only) }

// TestFrameworks: what TestSlowHosts does, in frameworks with servers, also where their output is deployed elsewhere.
func TestFrameworks(t *testing.T) { checkLong(t, "frameworks", *only) }

var only = flag.String("hosts", "", "the hosts of the long tests, by a pattern of JavaScript")

// checkLong checks the hosts of a folder, with -long.
func checkLong(t *testing.T, name string, args ...string) {
	if !*long {
		return
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip(name + "/ has programs for Linux on amd64 only")
	}
	folder := fresh(t, name, name+".mjs", "hosting.mjs", "apps/core.js", "apps/small.js")
	want := parse[core](t, run(t, folder, "node", "apps/small.js"))
	checkHosts(t, folder, want, append([]string{name + ".mjs"}, args...)...)
}

// checkHosts starts hosts by a program of Node, opens their pages in Chromium, and compares what they tell.
func checkHosts(t *testing.T, folder string, want core, program ...string) {
	line := start(t, folder, program...)
	var hosts []host
	pages, alone := map[string]string{}, map[string]string{}
	for {
		h := parse[host](t, line())
		if h.Name == "" {
			break
		}
		switch name := strconv.Itoa(len(hosts)); {
		case strings.HasPrefix(h.Page, "file:") || h.Alone:
			alone[name] = h.Page
		case h.Page != "":
			pages[name] = h.Page
		}
		hosts = append(hosts, h)
	}
	chromium := shell
	if extension := filepath.Join(folder, "out", "extension"); isThere(extension) {
		chromium = browsers[0] // the shell has no extensions
		flags := chromium.flags
		chromium.flags = func(profile string) []string {
			return append(flags(profile), "--load-extension="+extension,
				"--disable-features=DisableLoadExtensionCommandLineSwitch")
		}
	}
	told := map[string]string{}
	if len(pages) > 0 {
		told = chromium.visit(t, nil, pages)
	}
	for name, page := range alone {
		maps.Copy(told, chromium.visit(t, nil, map[string]string{name: page}))
	}
	for i, h := range hosts {
		t.Run(h.Name, func(t *testing.T) {
			if h.Page != "" {
				h.Told = told[strconv.Itoa(i)]
			}
			got := parse[struct {
				core
				Error string
			}](t, h.Told)
			switch {
			case h.Wants.Error != "":
				if !regexp.MustCompile(h.Wants.Error).MatchString(got.Error) {
					t.Errorf("got %+v, want the error %s", got, h.Wants.Error)
				}
				return
			case h.Wants.Because != "":
				if got.Threads != 0 || !regexp.MustCompile(h.Wants.Because).MatchString(got.NoThreadsBecause) {
					t.Errorf("got %+v, want no threads because %s", got, h.Wants.Because)
				}
				got.core.Threads, got.core.NoThreadsBecause = want.Threads, want.NoThreadsBecause
			}
			if got.Error != "" || got.core != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

func isThere(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
