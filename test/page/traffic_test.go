//go:build !js

package page

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// TestTraffic: a whole session, by the log that Chromium keeps of everything it sends
// for the page, its workers and its service worker, and for itself. For the page it
// asks for files of the page alone, and once a file is opened for none; it looks by
// itself for a new version.
func TestTraffic(t *testing.T) {
	t.Parallel()
	log := filepath.Join(t.TempDir(), "net.json")
	h := newHost(t)
	chromium, end := startBrowser(t, chromedp.Flag("log-net-log", log))
	t.Cleanup(end)
	v := open(t, chromium, h.address, "")
	v.ready()
	v.kept()
	v.do(chromedp.Reload())
	v.ready()
	v.kept()
	v.wait(coreTimed)
	h.requests()

	opened := time.Now()
	v.readyAfter(func() { v.choose(v.write("private.csv", largeCSV(2000))) })
	for _, save := range []string{"#save-npy", "#save-csv", "#save-model", "#save-picture", "#save-picture-png"} {
		v.download(save)
	}
	v.readyAfter(func() { v.set("degree", "3") })
	v.follow("#/convergence?seeds=20")
	v.streamed()
	v.follow("#/buckets")
	v.follow("#/embed")
	v.ready()
	v.says("#requests", "0 requests left this device since private.csv was opened.")
	looks := []string{"serviceworker.js", "release.js"}
	for _, path := range h.requests() {
		if !slices.Contains(looks, strings.TrimPrefix(path, "/")) {
			t.Errorf("the server was asked for %q", path)
		}
	}
	if err := chromedp.Cancel(chromium); err != nil { // closed gracefully it ends its log
		t.Fatal(err)
	}

	files := []string{"", "release.js"}
	err := fs.WalkDir(os.DirFS(h.dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files = append(files, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	sent := netLog(t, log)
	if len(sent) < 30 {
		t.Errorf("Chromium's log has %d requests", len(sent))
	}
	for _, r := range sent {
		address, _, _ := strings.Cut(r.url, "#")
		path, own := strings.CutPrefix(address, h.address)
		switch {
		case !own && r.initiator != v.origin:
			// Chromium asks by itself.
		case !own || !slices.Contains(files, path):
			t.Errorf("Chromium asked for %s", r.url)
		case r.at.After(opened) && !slices.Contains(looks, path):
			t.Errorf("after the file was opened Chromium asked for %s", r.url)
		}
	}
}

// A sent is a request that Chromium began.
type sent struct {
	url       string
	initiator string // the origin of who asked, or "not an origin" for the browser itself
	at        time.Time
}

// netLog reads the requests in a log of Chromium, data: and blob: addresses left out.
func netLog(t *testing.T, name string) (requests []sent) {
	t.Helper()
	var log struct {
		Constants struct {
			LogEventTypes  map[string]int
			TimeTickOffset json.Number
		}
		Events []struct {
			Type   int
			Time   string
			Params struct{ URL, Initiator string }
		}
	}
	var text []byte
	deadline := time.Now().Add(patience)
	for json.Unmarshal(text, &log) != nil { // until Chromium has ended it
		if time.Now().After(deadline) {
			t.Fatalf("Chromium's log is not whole: %d bytes", len(text))
		}
		time.Sleep(50 * time.Millisecond)
		var err error
		if text, err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	offset := must(log.Constants.TimeTickOffset.Int64())(t)
	for _, event := range log.Events {
		if event.Type != log.Constants.LogEventTypes["URL_REQUEST_START_JOB"] || event.Params.URL == "" {
			continue
		}
		if scheme, _, _ := strings.Cut(event.Params.URL, ":"); scheme == "data" || scheme == "blob" {
			continue
		}
		ticks := must(strconv.ParseInt(event.Time, 10, 64))(t)
		requests = append(requests, sent{event.Params.URL, event.Params.Initiator, time.UnixMilli(offset + ticks)})
	}
	return requests
}
