//go:build !js

package page

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestCrossOrigin: a page that takes the library from another origin has its
// workers where its policy allows blob: ones, else none, and the same features;
// what reads files comes from there too.
func TestCrossOrigin(t *testing.T) {
	t.Parallel()
	npm := filepath.Join(repo, "dist", "npm")
	if _, err := os.Stat(filepath.Join(npm, "tensorsketch.js")); err != nil {
		t.Fatalf("run ./build.sh dist first: %v", err)
	}
	files := http.FileServer(http.Dir(npm))
	cdn := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		files.ServeHTTP(w, r)
	}))
	defer cdn.Close()
	for _, c := range []struct {
		name, policy string
		threads      int
	}{
		{"no policy", "", 2},
		{"blob workers", "worker-src blob:", 2},
		{"own workers only", "worker-src 'self'", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/html")
				if c.policy != "" {
					w.Header().Set("Content-Security-Policy", c.policy)
				}
				fmt.Fprint(w, "<!doctype html><title>A page of another origin</title>")
			}))
			defer page.Close()
			tab, cancel := chromedp.NewContext(sharedBrowser(t))
			defer cancel()
			ctx, cancelTimeout := context.WithTimeout(tab, usual())
			defer cancelTimeout()
			v := &visit{T: t, ctx: ctx}
			v.do(chromedp.Navigate(page.URL))
			got := eval[struct {
				Threads, Different, Columns int
			}](v, fmt.Sprintf(crossOrigin, cdn.URL+"/tensorsketch.js", cdn.URL+"/dataset.js"))
			if got.Threads != c.threads || got.Different != 0 || got.Columns != 2 {
				t.Errorf("%d threads, want %d; %d features differ from those without workers; %d columns, want 2",
					got.Threads, c.threads, got.Different, got.Columns)
			}
		})
	}
}

// crossOrigin compares the features that workers make with this thread's, and reads a file.
const crossOrigin = `(async () => {
	const { load } = await import(%q);
	const X = Float32Array.from({ length: 64 * 5000 }, (_, i) => Math.sin(i));
	const params = { nFeatures: 64, nComponents: 1024, coef0: 1 };
	const ts = await load({ threads: 2 });
	await ts.warm();
	const Z = await ts.featureMap(params).transformAsync(X);
	const threads = ts.capabilities.threads;
	ts.dispose();
	const want = (await load({ threads: 0 })).featureMap(params).transform(X);
	const { loadDataset } = await import(%q);
	const dataset = await loadDataset();
	const columns = dataset.sniff(dataset.source(new TextEncoder().encode("a,b\n1,2\n"))).columns.length;
	return { threads, columns, different: Z.filter((z, i) => !Object.is(z, want[i])).length };
})()`
