//go:build !js

package main

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
)

const tinygoFolder = "/opt/tinygo/bin" // where tools/install-tinygo.sh installs it

// A need is a program that parts are run with.
type need struct {
	found   string // a command of bash that succeeds where it is there
	install string // a command that installs it on Debian, as root; nothing if there is none
	missing string // what to say where it is not there
}

var needs = map[string]need{
	"node": {
		found:   `[[ $(node --version) =~ ^v([0-9]+) ]] && ((BASH_REMATCH[1] >= 20))`,
		missing: "install Node.js 20 or later",
	},
	"browser": {
		found:   `type chromium || type chromium-browser || type google-chrome`,
		install: apt + "chromium fonts-liberation",
		missing: "install Chromium",
	},
	"shell": { // Chromium without a window to draw: the tests of the page take three quarters of the time in it
		found:   `type chromium-headless-shell`,
		install: apt + "chromium-headless-shell",
		missing: "install Chromium's headless shell",
	},
	"engines": {
		found:   `type firefox-esr WebKitWebDriver Xvfb`,
		install: apt + "firefox-esr webkit2gtk-driver xvfb",
		missing: "install Firefox and WebKitGTK",
	},
	"arm64": {
		found:   `type qemu-aarch64`,
		install: apt + "qemu-user",
		missing: "install qemu-user",
	},
	"Java": {
		found:   `type java`,
		install: apt + "openjdk-17-jre-headless",
		missing: "install Java 17",
	},
	"Maven": {
		found:   `type mvn`,
		install: apt + "maven",
		missing: "install Maven",
	},
	"R": {
		found:   `type Rscript`,
		install: apt + "r-base-core",
		missing: "install R",
	},
	"Gnumeric": {
		found:   `type ssconvert`,
		install: apt + "gnumeric",
		missing: "install Gnumeric, with ssconvert",
	},
	"tinygo": {
		found:   `type tinygo opt-19 wasm-ld-19 wasm-opt`,
		install: "tools/install-tinygo.sh",
		missing: "install TinyGo with tools/install-tinygo.sh",
	},
}

const apt = "apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "

var installing sync.Mutex // apt-get runs once at a time

// settle looks whether a need is there, installs it where it can, and returns what to say if it is still missing.
func settle(name string) (missing string) {
	n := needs[name]
	found := func() bool { return exec.Command("bash", "-c", n.found).Run() == nil }
	if found() {
		return ""
	}
	if _, err := exec.LookPath("apt-get"); err != nil || os.Geteuid() != 0 || n.install == "" {
		return n.missing
	}
	installing.Lock()
	defer installing.Unlock()
	if out, err := exec.Command("bash", "-c", n.install).CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "check: %s: %v\n%s", n.install, err, out)
	}
	if found() {
		return ""
	}
	return n.missing
}
