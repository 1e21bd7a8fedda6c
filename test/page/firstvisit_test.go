//go:build !js

package page

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

var quality = flag.Int("brotli", 11, "the quality that ./build.sh dist was given: 11 or 5")

// TestFirstVisit: what a browser without a cache is sent before the first picture of a teaching place is at most
// 1.5 MB, with Brotli as dist has it: every file asked for until the picture is there. What comes later is not counted,
// and of Embed the sum is told. The bare address, without a place, is the entrance.
func TestFirstVisit(t *testing.T) {
	t.Parallel()
	most := 1_500_000
	if *quality == 5 { // 11 makes ui.wasm, which is most of it, smaller: 1.265 instead of 1.523 MB, as TestSizes has it
		most = most * 121 / 100
	}
	for _, place := range append(slices.Clone(lessons), "", "embed") {
		var mutex sync.Mutex
		var asked []string
		total, done := 0, false
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			name := strings.TrimPrefix(r.URL.Path, "/")
			if name == "" {
				name = "index.html"
			}
			packed, err := os.ReadFile(filepath.Join(site, name+".br"))
			if err == nil {
				w.Header().Set("Content-Encoding", "br")
			} else if packed, err = os.ReadFile(filepath.Join(site, name)); err != nil {
				http.NotFound(w, r)
				return
			}
			types := map[string]string{".html": "text/html", ".js": "text/javascript", ".css": "text/css",
				".wasm": "application/wasm"}
			w.Header().Set("Content-Type", types[filepath.Ext(name)])
			w.Header().Set("Cache-Control", "max-age=600") // a worker has the page's modules
			mutex.Lock()
			if !done {
				total += len(packed)
				asked = append(asked, fmt.Sprintf("%9d %s", len(packed), name))
			}
			mutex.Unlock()
			w.Write(packed)
		}))
		t.Cleanup(server.Close)
		browser, end := startBrowser(t, hurried)
		path := "/"
		if place != "" {
			path += "#/" + place
		}
		v := open(t, browser, server.URL, path)
		// The page marks the moment, and has asked by then for what it was drawn from.
		v.wait(`performance.getEntriesByName("first-picture").length || document.querySelector("#picture[data-ready]")`)
		mutex.Lock()
		done = true
		mutex.Unlock()
		early := eval[[]string](v, beforePicture)
		sum := 0
		counted := map[string]bool{} // the service worker may ask for a file once more, before we hear of the picture
		for _, line := range asked {
			name := strings.Fields(line)[1]
			if counted[name] {
				continue
			}
			counted[name] = true
			if slices.Contains(early, name) || name == "index.html" || place == "embed" {
				var size int
				fmt.Sscan(line, &size)
				sum += size
			}
		}
		late := eval[float64](v, afterLastByte)
		end()
		slices.Sort(asked)
		t.Logf("%q: %d bytes before the first picture, %d until it was seen, in %d requests; %.0f ms after the last byte",
			place, sum, total, len(asked), late)
		if place != "embed" && (sum > most || sum < most/2) {
			t.Errorf("%q: %d bytes before the first picture, want at most %d:\n%s", place, sum, most,
				strings.Join(asked, "\n"))
		}
	}
}

// beforePicture lists the files that the page has asked for before its first picture was drawn. Workers begin later.
const beforePicture = `(() => {
	const [mark] = performance.getEntriesByName("first-picture");
	return performance.getEntriesByType("resource").filter((e) => !mark || e.startTime <= mark.startTime)
		.map((e) => new URL(e.name).pathname.slice(1));
})()`

// afterLastByte is the time from the last byte that the first picture needs until it is drawn, in milliseconds.
const afterLastByte = `(() => {
	const at = performance.getEntriesByName("first-picture")[0]?.startTime ?? performance.now();
	return at - Math.max(...performance.getEntriesByType("resource").map((e) => e.responseEnd).filter((end) => end < at));
})()`
