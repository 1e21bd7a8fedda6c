package dist

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var long = flag.Bool("long", false, "run the tests that take minutes, too")

// TestChecksums: SHA256SUMS has every file of dist/, as sha256sum -c reads it.
func TestChecksums(t *testing.T) {
	listed := map[string]string{}
	for line := range strings.Lines(string(read(t, repo+"/dist/SHA256SUMS"))) {
		sum, name, ok := strings.Cut(strings.TrimSpace(line), "  ")
		if !ok || listed[name] != "" {
			t.Fatalf("SHA256SUMS has the line %q", line)
		}
		listed[name] = sum
	}
	folders := []string{"npm", "site"}
	if *quality == 11 {
		folders = append(folders, "host", "python")
	}
	for _, folder := range folders {
		for _, name := range files(t, repo+"/dist/"+folder) {
			name = folder + "/" + name
			hash := sha256.Sum256(read(t, repo+"/dist/"+name))
			if got, want := listed[name], hex.EncodeToString(hash[:]); got != want {
				t.Errorf("SHA256SUMS lists %s with %q, want %q", name, got, want)
			}
			delete(listed, name)
		}
	}
	if len(listed) > 0 {
		t.Errorf("SHA256SUMS lists files that are not there: %v", slices.Sorted(maps.Keys(listed)))
	}
}

// TestLicences: each module that a .wasm file says it is made of has its own licence text beside the file.
func TestLicences(t *testing.T) {
	dependency := regexp.MustCompile(`\bdep\t(\S+)\tv\S+`) // of the build information in every Go program
	for _, folder := range []string{site, npm} {
		licences := read(t, filepath.Join(folder, "third-party-licenses.txt"))
		modules := map[string]bool{}
		for _, name := range files(t, folder) {
			if filepath.Ext(name) != ".wasm" {
				continue
			}
			// TinyGo compiled these and adds no build information.
			if core, _, _ := strings.Cut(filepath.Base(name), "."); core == "tensorsketch" || core == "index" {
				if !bytes.Contains(licences, read(t, repo+"/packaging/tinygo-license.txt")) {
					t.Errorf("%s lacks the licence of TinyGo", folder)
				}
				continue
			}
			program := read(t, filepath.Join(folder, name))
			if !bytes.Contains(program, []byte("\nmod\ttensorsketch.example\t")) {
				t.Errorf("%s does not tell what it is made of", name)
			}
			for _, match := range dependency.FindAllSubmatch(program, -1) {
				modules[string(match[1])] = true
			}
		}
		if len(modules) < 3 {
			t.Errorf("the .wasm files of %s name only the modules %v", folder, modules)
		}
		for module := range modules {
			where, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
			if err != nil {
				t.Fatalf("go list -m %s: %v", module, err)
			}
			texts, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(where)), "LICENSE*"))
			if err != nil || len(texts) == 0 {
				t.Errorf("%s has no licence", module)
			}
			for _, text := range texts {
				if !bytes.Contains(licences, fmt.Appendf(nil, "\n%s\n", module)) || !bytes.Contains(licences, read(t, text)) {
					t.Errorf("%s lacks the licence of %s, %s", folder, module, filepath.Base(text))
				}
			}
		}
		if !bytes.Contains(licences, []byte("Copyright 2009 The Go Authors.")) {
			t.Errorf("%s lacks the licence of Go", folder)
		}
	}
}

// TestReproducible: another clone, with an empty cache and other flags, makes a dist/ of the same bytes. It takes
// minutes, so only ./build.sh soak runs it; TestNoFoldersOfThisMachine looks for the usual cause of other bytes.
func TestReproducible(t *testing.T) {
	if !*long {
		return
	}
	clone := t.TempDir()
	listed, err := exec.Command("git", "-C", repo, "ls-files", "-z").Output()
	if err != nil {
		t.Fatalf("git ls-files: %v", err)
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(listed), "\x00"), "\x00") {
		info, err := os.Stat(filepath.Join(repo, name))
		if err != nil {
			t.Fatal(err)
		}
		to, text := filepath.Join(clone, name), read(t, filepath.Join(repo, name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, text, info.Mode())); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.Command(filepath.Join(clone, "build.sh"), "dist")
	command.Env = append(os.Environ(), "GOCACHE="+t.TempDir(), "GOFLAGS=-p=3", "LANG=C", "TZ=Asia/Kolkata")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("./build.sh dist: %v\n%s", err, out)
	}
	got, want := string(read(t, clone+"/dist/SHA256SUMS")), string(read(t, repo+"/dist/SHA256SUMS"))
	for line := range strings.Lines(want) {
		if !strings.Contains(got, line) {
			t.Errorf("another clone made other bytes of %s", strings.TrimSpace(line))
		}
	}
	if len(got) != len(want) {
		t.Errorf("another clone made %d bytes of SHA256SUMS, want %d", len(got), len(want))
	}
}

// TestKnownVulnerabilities: govulncheck finds none in this module, and npm audit none in what tests install. Where
// their databases cannot be reached, the test says so. ./build.sh soak runs it. The packages of test/tools/hosts and
// frameworks are left out: they are releases that users have, old ones too, which only TestSlowHosts and TestFrameworks
// start.
func TestKnownVulnerabilities(t *testing.T) {
	if !*long {
		return
	}
	programs := t.TempDir()
	install := exec.Command("go", "install", "golang.org/x/vuln/cmd/govulncheck@v1.8.0")
	install.Env = append(os.Environ(), "GOBIN="+programs)
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("govulncheck cannot be installed: %v\n%s", err, out)
	}
	govulncheck := func(env []string, args ...string) (string, error) {
		command := exec.Command(filepath.Join(programs, "govulncheck"), args...)
		command.Dir = repo
		command.Env = append(os.Environ(), env...)
		out, err := command.CombinedOutput()
		return string(out), err
	}
	database, err := filepath.Abs("testdata/vulnerabilities")
	if err != nil {
		t.Fatal(err)
	}
	t.Run("made up", func(t *testing.T) {
		if out, err := govulncheck(nil, "-db", "file://"+database, "./tools/precompress"); err == nil ||
			!strings.Contains(out, "Vulnerability #1: GO-2026-9999") {
			t.Errorf("of a vulnerability that was made up, govulncheck said (%v)\n%s", err, out)
		}
	})
	for name, env := range map[string][]string{"native": nil, "wasm": {"GOOS=js", "GOARCH=wasm", "GOEXPERIMENT=nosimd"}} {
		t.Run("go "+name, func(t *testing.T) {
			out, err := govulncheck(env, "./...")
			if strings.Contains(out, "fetching vulnerabilities") {
				t.Skip("the database of Go's vulnerabilities cannot be reached")
			}
			if err != nil {
				t.Errorf("govulncheck: %v\n%s", err, out)
			}
		})
	}
	locks, err := filepath.Glob("../*/package-lock.json")
	if err != nil || len(locks) < 4 {
		t.Fatalf("found the lock files %v (%v)", locks, err)
	}
	for _, lock := range append(locks, "../tools/engines/package-lock.json") {
		t.Run("npm "+filepath.Base(filepath.Dir(lock)), func(t *testing.T) {
			command := exec.Command("npm", "audit", "--json", "--package-lock-only")
			command.Dir = filepath.Dir(lock)
			out, err := command.Output()
			var report struct {
				Vulnerabilities map[string]any
				Error           any
			}
			if err := json.Unmarshal(out, &report); err != nil {
				t.Fatalf("npm audit printed %s (%v)", out, err)
			}
			if report.Vulnerabilities == nil {
				t.Skip("the registry's list of vulnerabilities cannot be reached")
			}
			if err != nil || len(report.Vulnerabilities) > 0 {
				t.Errorf("npm audit found %v (%v)", slices.Sorted(maps.Keys(report.Vulnerabilities)), err)
			}
		})
	}
}
