//go:build !js

package tools

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// A browser is started headless, for one page and with a profile of its own.
type browser struct {
	name     string
	programs []string
	flags    func(profile string) []string
	must     bool // be there in CI
}

var browsers = []browser{
	{"Chromium", []string{"chromium", "chromium-browser", "google-chrome"}, chromiumFlags, true},
	{"Firefox", []string{"firefox-esr", "firefox"}, func(profile string) []string {
		return []string{"--headless", "--no-remote", "--profile", profile}
	}, false},
}

// shell is Chromium without a window to draw, which starts sooner, for tests of what no window changes.
var shell = browser{"Chromium", append([]string{"chromium-headless-shell"}, browsers[0].programs...), chromiumFlags,
	true}

func chromiumFlags(profile string) []string {
	return []string{"--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
		"--disable-background-networking", "--user-data-dir=" + profile}
}

// patience is how long a page may take: on a busy machine some wait for the others.
const patience = 15 * time.Minute

// noLimit is for polls whose context has the limit: their own is 30 s.
var noLimit = chromedp.WithPollingTimeout(0)

// visit serves folders and opens pages, from those folders or from another server, in frames of one page, unless there
// is only one. It returns what each page told to its parameter `tell`, by name.
func (b browser) visit(t *testing.T, folders map[string]fs.FS, pages map[string]string) map[string]string {
	t.Helper()
	var mutex sync.Mutex
	told, missing, all := map[string]string{}, len(pages), make(chan struct{})
	mux := http.NewServeMux()
	for path, files := range folders {
		mux.Handle("GET "+path, http.StripPrefix(strings.TrimSuffix(path, "/"), http.FileServerFS(files)))
	}
	mux.HandleFunc("POST /tell/{name}", func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(r.Body)
		mutex.Lock()
		defer mutex.Unlock()
		name := r.PathValue("name")
		if _, known := pages[name]; err != nil || !known || told[name] != "" {
			return
		}
		if told[name], missing = string(text), missing-1; missing == 0 {
			close(all)
		}
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	frames, first := "<!doctype html><meta charset=utf-8><title>Frames</title>", server.URL+"/frames"
	for name, address := range pages {
		if !strings.Contains(address, "://") {
			address = server.URL + "/" + address
		}
		if len(pages) == 1 { // no other page may frame a file, or one that forbids it
			first = address + "?tell=" + server.URL + "/tell/" + name
		}
		frames += fmt.Sprintf("<iframe src=\"%s?tell=%s/tell/%s\"></iframe>\n", address, server.URL, name)
	}
	mux.HandleFunc("GET /frames", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, frames)
	})

	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	ended := b.start(t, ctx, first)
	select {
	case <-all:
	case err := <-ended:
		t.Fatalf("%s has ended: %v", b.name, err)
	case <-ctx.Done():
		mutex.Lock()
		for name, address := range pages {
			if told[name] == "" {
				t.Errorf("within %v page %s told nothing: %s", patience, name, address)
			}
		}
		mutex.Unlock()
	}
	stop()
	<-ended
	mutex.Lock()
	defer mutex.Unlock()
	return told
}

// start opens an address in a fresh profile until ctx ends. The browser's own end is told to the channel, last.
func (b browser) start(t *testing.T, ctx context.Context, address string) <-chan error {
	t.Helper()
	program := b.program(t)
	profile, err := os.MkdirTemp("", "tensorsketch-browser-")
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(ctx, program, append(b.flags(profile), address)...)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 2)
	go func() {
		ended <- command.Wait()
		os.RemoveAll(profile) // what a dying process still writes there is left
		close(ended)
	}()
	return ended
}

// program finds the browser, or skips the test.
func (b browser) program(t *testing.T) string {
	t.Helper()
	for _, name := range b.programs {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if b.must && os.Getenv("CI") == "true" {
		t.Fatalf("install %s", b.name)
	}
	t.Skipf("install %s", b.name)
	return ""
}

// driven starts Chromium for tests that press keys in it.
func driven(t *testing.T) context.Context {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.WSURLReadTimeout(patience), // to start
		chromedp.ExecPath(shell.program(t)))
	allocator, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	return ctx
}
