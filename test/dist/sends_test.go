package dist

import (
	"bytes"

	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// packedInto matches the files into which tools/bundle packs the modules of the page. The lists below count these files
// together, because the names of some are hashes.
var packedInto = regexp.MustCompile(`^page/(boot|fileworker|filejob|poolworker|seeds|chunk-\w+)\.js$`)

const together = "page, packed"

// senders are the ways in which a page can send, or go elsewhere and take data along,
// with the files that have one, how often, and why.
var senders = []struct {
	pattern string
	allowed map[string]int
}{
	{`RTC[A-Z]\w+|RTCPeerConnection`, nil},
	{`sendBeacon|fetchLater|EventSource|XMLHttpRequest|WebSocket\w*|WebTransport`, nil},
	{`PushManager|pushManager|SyncManager|periodicSync|backgroundFetch|PaymentRequest|Notification|navigator\.share`, nil},
	{`\bfetch\b`, map[string]int{
		"page/boot.js":            1, // ui.wasm
		"index.html":              1, // preloads it
		"api/wasmfile.js":         1, // the other .wasm files
		"api/tensorsketch.min.js": 1,
		"page/onepage.js":         1, // the library of a saved page, which is given its .wasm files
		"page/predictpage.js":     1, // what a saved page has inside
		"page/offline.js":         1, // whether there is a network
		"serviceworker.js":        4, // the event; the files of a release; release.js; a file that the cache has lost
		together:                  4, // boot.js, wasmfile.js, predictpage.js, offline.js
	}},
	{`importScripts`, map[string]int{"serviceworker.js": 1}},
	{`new (Shared)?Worker\(`, map[string]int{"page/fileworker.js": 1, "api/thread.js": 3,
		"api/tensorsketch.min.js": 3, "page/onepage.js": 3, together: 4}},
	// modules of Node, the worker's text, a worker's file in Node, the API after the first picture, what learns when it is
	// first needed, searches, remedies, what makes a scalar core
	{`\bimport\(`, map[string]int{"api/node.js": 1, "api/thread.js": 1, "api/corefiles.js": 1,
		"api/mapfiles.js": 1, "api/mapsimdfiles.js": 1, "api/mapworker.js": 1, "api/mapworkertext.js": 1,
		"api/learnfiles.js": 1, "api/simdfiles.js": 1, "api/whole.js": 1, "api/hosts.js": 1, "api/wasmfile.js": 1,
		"api/worker.js": 1, "api/workertext.js": 1,
		"api/tensorsketch.min.js": 4, "page/boot.js": 1,
		"page/filejob.js": 2, "page/onepage.js": 4, together: 11}},
	{`location\s*=[^=]|location\.href\s*=[^=]|\.(assign|replace)\(\s*(location|url|href)|` +
		`location\.(assign|replace)|navigation\.navigate`, nil},
	{`\.navigate\(`, map[string]int{"serviceworker.js": 1}}, // to the address it has, when that is another server's
	// to the new version, with the address it has
	{`location\.reload`, map[string]int{"page/offline.js": 1, together: 1}},
	// functions of their own
	{`(^|[^.\w])open\(|(window|globalThis|self)\.open\b`, map[string]int{"page/filejob.js": 1, "api/goexec.js": 1,
		"page/onepage.js": 1, together: 1}},
	{`\bopener\b|parent\.postMessage|top\.postMessage|document\.(cookie|domain)|window\.name`, nil},
	// a saved page's form, whose policy forbids that it is sent
	{`<form|\.submit\(|requestSubmit|formaction|\bping=|<a\s|<iframe|<object|<embed|<base`,
		map[string]int{"page/predictpage.js": 1, together: 1}},
	{`createElement\("a"\)`, map[string]int{"page/boot.js": 1, together: 1}}, // a file to save, by a blob: address
	{`\.src\s*=`, map[string]int{"page/boot.js": 1, together: 1}},            // a picture that is saved
	{`http-equiv="?refresh|dns-prefetch|preconnect|prerender|rel="?prefetch|speculationrules`, nil},
	{`url\(|@import`, nil},
}

// packed is a file inside a script, as base64, in which any word may stand.
var packed = regexp.MustCompile(`"[A-Za-z0-9+/]{1000,}=*"`)

var comments = regexp.MustCompile(`(?s:/\*.*?\*/|<!--.*?-->)|(?m:(^|\s)//.*$)`)

// TestNothingSends: nothing in the modules and in the bundles sends or navigates but what is listed above.
func TestNothingSends(t *testing.T) {
	for dir, at := range map[string]string{public: "", site: "", npm: "api/"} { // and where its files are in public/
		found := map[string]map[string]int{} // by pattern and file
		all := files(t, dir)
		if dir == site {
			all = append(all, together)
		}
		for _, name := range all {
			switch filepath.Ext(name) {
			case ".js", ".html", ".css":
			default:
				continue
			}
			text := comments.ReplaceAll(packed.ReplaceAll(read(t, filepath.Join(dir, name)), nil), nil)
			for _, s := range senders {
				if n := len(regexp.MustCompile(s.pattern).FindAll(text, -1)); n > 0 {
					if found[s.pattern] == nil {
						found[s.pattern] = map[string]int{}
					}
					if dir == site && packedInto.MatchString(name) {
						name = together
					}
					found[s.pattern][at+name] += n
				}
			}
		}
		for _, s := range senders {
			want := maps.Clone(s.allowed)
			maps.DeleteFunc(want, func(name string, _ int) bool {
				return !slices.Contains(all, strings.TrimPrefix(name, at)) || dir == site && packedInto.MatchString(name)
			})
			if got := found[s.pattern]; !maps.Equal(got, want) {
				t.Errorf("%s: %s is found in %v, want %v", dir, s.pattern, got, want)
			}
		}
	}
}

// TestWasmSends: the core has no way to call the browser except for random numbers, and
// the other programs know no name of what sends.
func TestWasmSends(t *testing.T) {
	for _, name := range []string{"api/tensorsketch.wasm", "../npm/tensorsketch.scalar.wasm",
		"../npm/tensorsketch.map.wasm", "../npm/tensorsketch.map.scalar.wasm", "../npm/tensorsketch.learn.wasm",
		"../npm/tensorsketch.learn.scalar.wasm"} {
		for _, imported := range imports(t, name) {
			if !slices.Contains([]string{"tensorsketch.random", "tensorsketch.number", "tensorsketch.progress",
				"tensorsketch.exhausted", "env.arc4random"}, imported) {
				t.Errorf("%s imports %s", name, imported)
			}
		}
	}
	for _, name := range []string{"api/dataset.wasm", "page/ui.wasm"} {
		program := read(t, filepath.Join(site, name))
		for _, sender := range []string{"RTCPeerConnection", "sendBeacon", "EventSource", "XMLHttpRequest",
			"WebSocket", "WebTransport", "importScripts",
			"requestSubmit", "formaction", "net/http.", "net.Dial"} {
			if bytes.Contains(program, []byte(sender)) {
				t.Errorf("%s holds %q", name, sender)
			}
		}
	}
	program := read(t, filepath.Join(site, "page/ui.wasm")) // dataset.wasm has sentences with the word
	if all, runtime := bytes.Count(program, []byte("fetch")),
		bytes.Count(program, []byte("sys.Prefetch")); all != runtime {
		t.Errorf("ui.wasm holds %d times fetch, want %d, of Go's runtime", all, runtime)
	}
}

// TestGoSends: what is compiled has no HTTP in it, and calls the browser from the page's program alone, which neither
// navigates nor sends. The program that does jobs sees a few globals only (datasetprogram.js), none of which sends.
func TestGoSends(t *testing.T) {
	for _, name := range []string{"./wasm", "./wasm/work", "./ui"} {
		command := exec.Command("go", "list", "-deps", "-f", `{{.ImportPath}}|{{.Standard}}|{{join .Imports ","}}`, name)
		command.Dir, command.Env = repo, append(os.Environ(), "GOOS=js", "GOARCH=wasm")
		deps, err := command.Output()
		if err != nil {
			t.Fatalf("go list: %v", err)
		}
		for dep := range strings.Lines(string(deps)) {
			path, rest, _ := strings.Cut(strings.TrimSpace(dep), "|")
			standard, imported, _ := strings.Cut(rest, "|")
			if path == "net" || strings.HasPrefix(path, "net/http") {
				t.Errorf("%s holds %s", name, path)
			}
			if name == "./wasm" && standard == "false" && slices.Contains(strings.Split(imported, ","), "syscall/js") {
				t.Errorf("%s calls the browser in %s", name, path)
			}
		}
	}
	seen := regexp.MustCompile(`(?s)return \{ (.*?) \};`).FindSubmatch(read(t, repo+"/public/api/datasetprogram.js"))
	const want = "Object, Array, Uint8Array, Float32Array, Float64Array, Int32Array, BigInt, JSON, Date, TextEncoder, " +
		"TextDecoder, crypto, performance"
	if seen == nil || strings.Join(strings.Fields(string(seen[1])), " ") != want {
		t.Errorf("the program that reads files sees %s, want %s", seen, want)
	}
	// To set `open` unfolds an element; the methods are called.
	sends := regexp.MustCompile(
		`(?:Call|Ask)\((?:.*, )?"(assign|replace|reload|open|submit|fetch|send\w*)"|` +
			`Set\((?:.*, )?"(href|src|srcset|action|location)"`)
	for _, name := range files(t, repo+"/ui") {
		if !strings.HasSuffix(name, "_js.go") {
			continue
		}
		if found := sends.Find(read(t, filepath.Join(repo, "ui", name))); found != nil {
			t.Errorf("ui/%s calls or sets %s", name, found)
		}
	}
}

// imports lists what a WebAssembly file imports, as module.name.
func imports(t *testing.T, name string) []string {
	t.Helper()
	const program = `const core = new WebAssembly.Module(require("fs").readFileSync(process.argv[1]));
for (const { module, name } of WebAssembly.Module.imports(core)) console.log(module + "." + name)`
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("install Node.js 20 or later")
	}
	out, err := exec.Command("node", "-e", program, filepath.Join(site, name)).Output()
	if err != nil || len(out) == 0 {
		t.Fatalf("%s imports %q (%v)", name, out, err)
	}
	return strings.Fields(string(out))
}
