//go:build !js

package tools

import (
	"bytes"
	"context"
	"fmt"
	"mime"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

const (
	firstPage = `<!doctype html><html lang="en"><title>features</title>%s<script type="module" src="/app.js"></script>`
	// As the npm README says.
	preload = `<link rel="preload" as="fetch" crossorigin href="/node_modules/tensorsketch/tensorsketch.wasm">`

	firstApp = `import { load } from "tensorsketch";
const asked = new URLSearchParams(location.search);
const ts = await load(asked.has("threads") ? { threads: 0 } : {});
const map = ts.featureMap({ nFeatures: 512, nComponents: 4096, degree: 2 });
const rows = Number(asked.get("rows")), X = Float32Array.from({ length: rows * 512 }, () => Math.random() - 0.5);
const from = performance.now();
const Z = await map.transformAsync(X);
const now = performance.now();
const loaded = (type) => performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(type));
const [cores, [script]] = [loaded(".wasm"), loaded(".js")];
document.body.dataset.result = JSON.stringify({ rows: Z.length / map.nComponents, call: now - from, all: now,
	cores: cores.length, isBeside: cores[0].startTime < script.responseEnd });`
)

// TestFirstFeatures builds a page by Vite and logs how long it takes to its first features: 100 rows from 512 to 4,096
// numbers, over 9 Mbit/s with 165 ms and nothing cached, with the preload of the npm README and without; and the first
// call with 2,000 rows, with workers and without. It takes a minute, so only ./build.sh soak runs it.
func TestFirstFeatures(t *testing.T) {
	if !*long {
		return
	}
	if readme, err := os.ReadFile("../../packaging/README.md"); err != nil || !bytes.Contains(readme, []byte(preload)) {
		t.Errorf("the README lacks %s (%v)", preload, err)
	}
	folder := fresh(t, "hosts")
	for name, head := range map[string]string{"plain": "", "preloaded": preload} {
		root := filepath.Join(folder, name)
		write := func(file, text string) {
			if err := os.WriteFile(filepath.Join(root, file), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Mkdir(root, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(folder, "node_modules"), filepath.Join(root, "node_modules")); err != nil {
			t.Fatal(err)
		}
		write("index.html", fmt.Sprintf(firstPage, head))
		write("app.js", firstApp)
		run(t, root, "node", "node_modules/vite/bin/vite.js", "build", "--logLevel", "error")
	}
	browser := driven(t)
	for _, c := range []struct {
		build, query string
		slow         bool
	}{
		{"plain", "?rows=100", true}, {"preloaded", "?rows=100", true},
		{"plain", "?rows=2000", false}, {"plain", "?rows=2000&threads=0", false},
	} {
		server := httptest.NewServer(compressed(t, filepath.Join(folder, c.build, "dist")))
		var all, calls []float64
		for range 7 {
			first := firstFeatures(t, browser, server.URL+"/"+c.query, c.slow)
			if want := strings.TrimPrefix(strings.Split(c.query, "&")[0], "?rows="); fmt.Sprint(first.Rows) != want {
				t.Errorf("%s, %s: features of %d rows", c.build, c.query, first.Rows)
			}
			if first.Cores != 1 {
				t.Errorf("%s: the page loads %d cores", c.build, first.Cores)
			}
			if want := c.build == "preloaded"; first.IsBeside != want {
				t.Errorf("%s: the core is fetched beside the script: %v, want %v", c.build, first.IsBeside, want)
			}
			all, calls = append(all, first.All), append(calls, first.Call)
		}
		server.Close()
		slices.Sort(all)
		slices.Sort(calls)
		t.Logf("%s, %s: %.0f ms from the page's begin, %.0f ms in the first call (medians of 7)",
			c.build, c.query, all[3], calls[3])
	}
}

type first struct {
	Rows, Cores int
	Call, All   float64 // ms
	IsBeside    bool    // the core was fetched while the script was
}

// firstFeatures opens a page in a profile of its own, perhaps over a slow network, and returns what it tells.
func firstFeatures(t *testing.T, browser context.Context, address string, slow bool) first {
	t.Helper()
	tab, cancel := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	defer cancel()
	ctx, cancel := context.WithTimeout(tab, patience)
	defer cancel()
	if slow {
		const bytes = 9e6 / 8
		network9 := network.Conditions{Latency: 165, DownloadThroughput: bytes, UploadThroughput: bytes}
		err := chromedp.Do(ctx, chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
			_, err := chromedp.Call(ctx, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
				MatchedNetworkConditions: []*network.Conditions{&network9}})
			return err
		}))
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := chromedp.Do(ctx, chromedp.Navigate(address)); err != nil {
		t.Fatal(err)
	}
	text, err := chromedp.Run(ctx, chromedp.Poll[string](`document.body.dataset.result`, noLimit))
	if err != nil {
		t.Fatal(err)
	}
	return parse[first](t, text)
}

// compressed serves a folder with Brotli, as a host of static files does.
func compressed(t *testing.T, folder string) http.Handler {
	files := map[string][]byte{}
	err := filepath.WalkDir(folder, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(name)
		var packed bytes.Buffer
		w := brotli.NewWriterLevel(&packed, brotli.BestCompression)
		w.Write(content)
		w.Close()
		files[strings.TrimPrefix(strings.TrimPrefix(name, folder), "/index.html")] = packed.Bytes()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		content, ok := files[strings.TrimSuffix(r.URL.Path, "/")]
		if !ok {
			http.NotFound(w, r)
			return
		}
		kind := mime.TypeByExtension(filepath.Ext(r.URL.Path))
		if kind == "" {
			kind = "text/html"
		}
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Content-Encoding", "br")
		w.Write(content)
	})
}
