//go:build !js

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"time"

	"github.com/chromedp/chromedp"
)

// A browser shows bench/index.html, served beside the library and the data.
type browser struct {
	ctx     context.Context
	cancel  context.CancelFunc
	address string
	server  *http.Server
}

func startBrowser(folder string, r *run) (*browser, error) {
	var path string
	var err error
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err = exec.LookPath(name); err == nil {
			break
		}
	}
	if err != nil {
		return nil, errors.New("not installed")
	}
	version, err := exec.Command(path, "--version").Output()
	if err != nil {
		return nil, err
	}
	r.Versions["Chromium"], _, _ = strings.Cut(strings.TrimSpace(string(version)), " built on")

	files := http.NewServeMux()
	files.Handle("/npm/", http.StripPrefix("/npm/", http.FileServer(http.Dir("dist/npm"))))
	files.Handle("/peers/", http.StripPrefix("/peers/", http.FileServer(http.Dir(peersFolder))))
	files.Handle("/node_modules/", http.FileServer(http.Dir(folder)))
	files.Handle("/data/", http.StripPrefix("/data/", http.FileServer(http.Dir(folder))))
	files.Handle("/", http.FileServer(http.Dir("bench")))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	server := &http.Server{Handler: isolated(files), ReadHeaderTimeout: 10 * time.Second}
	go server.Serve(listener)

	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.DisableGPU, chromedp.Flag("js-flags", "--expose-gc"), // bench/large.js collects between turns
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true), chromedp.Flag("no-first-run", true))
	allocator, _ := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	if err := chromedp.Do(ctx); err != nil {
		return nil, err
	}
	return &browser{ctx, cancel, "http://" + listener.Addr().String() + "/", server}, nil
}

// isolated has pages isolated from other origins, so that their threads may share memory.
func isolated(files http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cross-Origin-Opener-Policy", "same-origin")
		w.Header().Set("Cross-Origin-Embedder-Policy", "require-corp")
		files.ServeHTTP(w, r)
	})
}

func (b *browser) close() {
	b.cancel()
	b.server.Close()
}

// measure returns the figures of one build.
func (b *browser) measure(build string, quick bool) (f figures, err error) {
	page := "index.html#" + build
	if quick {
		page += ",quick"
	}
	return f, b.read(page, &f)
}

// read opens a page in a tab of its own, and waits for the JSON of its result.
func (b *browser) read(page string, into any) error {
	tab, cancel := chromedp.NewContext(b.ctx)
	defer cancel()
	ctx, cancelTimeout := context.WithTimeout(tab, 10*time.Minute)
	defer cancelTimeout()
	if err := chromedp.Do(ctx, chromedp.Navigate(b.address+page)); err != nil {
		return err
	}
	result := chromedp.Poll[string](`document.body.dataset.result`, chromedp.WithPollingTimeout(0)) // ctx has the limit
	text, err := chromedp.Run(ctx, result)
	if err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(text), into); err != nil {
		return fmt.Errorf("bench/%s in Chromium: %s", page, text)
	}
	return nil
}
