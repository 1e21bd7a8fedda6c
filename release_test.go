//go:build !js

package main

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// releaseOf reads what release.js tells of files.
func releaseOf(t *testing.T, files fstest.MapFS) (r release) {
	t.Helper()
	script := must(releaseScript(files))
	text, ok := strings.CutPrefix(string(script), "self.release = ")
	if !ok || json.Unmarshal([]byte(strings.TrimSuffix(text, ";\n")), &r) != nil {
		t.Fatalf("release.js is %s", script)
	}
	return r
}

func releaseFiles() fstest.MapFS {
	files := fstest.MapFS{}
	for name, text := range map[string]string{
		"index.html": "page", "app.js": "abc", "deep/style.css": "p {}", "ui.wasm": "\x00asm", "data.json": "{}", // kept
		"serviceworker.js": "worker",
		"release.js":       "older", "app.js.br": "packed", "app.js.gz": "packed", "api.d.ts": "types",
		"LICENSE": "text", "third-party-licenses.txt": "text", "_headers": "/*", ".secret.js": "secret",
		".git/hook.js": "secret",
	} {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

// Every file that the page loads is listed with its hash, and nothing else is.
func TestRelease(t *testing.T) {
	r := releaseOf(t, releaseFiles())
	if want := []string{"app.js", "data.json", "deep/style.css", "index.html",
		"ui.wasm"}; !slices.Equal(slices.Sorted(maps.Keys(r.Files)), want) {
		t.Errorf("listed are %v, want %v", r.Files, want)
	}
	// of "abc", FIPS 180-4
	if got, want := r.Files["app.js"], "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="; got != want {
		t.Errorf("app.js has the hash %s, want %s", got, want)
	}
	if r.Bytes != int64(len("page"+"abc"+"p {}"+"\x00asm"+"{}")) {
		t.Errorf("%d bytes", r.Bytes)
	}
}

// The version is the same for the files listed and the service worker.
func TestReleaseVersion(t *testing.T) {
	version := releaseOf(t, releaseFiles()).Version
	for name, changes := range map[string]bool{
		"index.html": true, "deep/style.css": true, "serviceworker.js": true, "new.js": true,
		"release.js": false, "app.js.br": false, "LICENSE": false, ".secret.js": false,
	} {
		files := releaseFiles()
		files[name] = &fstest.MapFile{Data: []byte("changed")}
		if got := releaseOf(t, files).Version; (got != version) != changes {
			t.Errorf("with another %s the version is %s, was %s", name, got, version)
		}
	}
}

// The server sends the list of the files that it has.
func TestReleaseIsServed(t *testing.T) {
	response := request(handlerFor(t), "GET", "/release.js")
	text := body(t, response)
	if response.StatusCode != 200 || !strings.HasPrefix(text, "self.release = {") ||
		!strings.Contains(text, `"app.js": "sha256-`) {
		t.Errorf("status %d: %.200s", response.StatusCode, text)
	}
	for name, want := range map[string]string{"Content-Type": "text/javascript; charset=utf-8",
		"Cache-Control": "no-cache"} {
		if got := response.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}
