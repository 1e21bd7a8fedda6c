//go:build !js

package page

import (
	"context"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestIsolated: in a page that is cross-origin isolated, workers write features into memory that they share with it; in
// another page this is refused by name. In both, blocks and batches have the bits of one thread, and an abort leaves
// shared memory as it is.
func TestIsolated(t *testing.T) {
	t.Parallel()
	files := http.FileServer(http.Dir(filepath.Join(repo, "dist", "npm")))
	for name, isolated := range map[string]bool{"isolated": true, "not isolated": false} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if isolated {
					w.Header().Set("Cross-Origin-Opener-Policy", "same-origin")
					w.Header().Set("Cross-Origin-Embedder-Policy", "require-corp")
				}
				if r.URL.Path == "/" {
					w.Header().Set("Content-Type", "text/html")
					w.Write([]byte("<!doctype html><title>Memory</title>"))
					return
				}
				files.ServeHTTP(w, r)
			}))
			defer server.Close()
			tab, cancel := chromedp.NewContext(sharedBrowser(t))
			defer cancel()
			ctx, cancelTimeout := context.WithTimeout(tab, usual())
			defer cancelTimeout()
			v := &visit{T: t, ctx: ctx}
			v.do(chromedp.Navigate(server.URL))
			got := eval[outcomes](v, embedInPlaces)
			want := outcomes{Isolated: isolated, Rows: 3000, Batches: "1000 1000 1000", Shared: "out must be a Float32Array " +
				`of length 768000, "blocks", or "shared" if crossOriginIsolated, got "shared"`}
			if isolated {
				want.Shared = "same"
			}
			if got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

// outcomes is what came of features in several places. Different are those with other bits than one thread has, and
// Late those that were written after an abort.
type outcomes struct {
	Isolated              bool
	Rows, Different, Late int
	Batches, Shared       string
}

const embedInPlaces = `(async () => {
	const { load } = await import("/tensorsketch.js");
	const n = 3000, D = 256, params = { nFeatures: 64, nComponents: D, degree: 6, gamma: 0.1, coef0: 1 };
	const X = Float32Array.from({ length: 64 * n }, (_, i) => Math.sin(i));
	const one = await load({ threads: 0 }), ts = await load({ threads: 2 });
	await ts.warm();
	const want = one.featureMap(params).transform(X), map = ts.featureMap(params);
	const unlike = (Z, at) => Z.filter((z, i) => !Object.is(z, want[at + i])).length;
	let rows = 0, different = 0, late = 0, shared;
	for (const block of await map.transformAsync(X, { out: "blocks" })) {
		different += unlike(block.values, rows * D) + (block.start !== rows);
		rows += block.rows;
	}
	const batches = [];
	for (const reuse of [false, true]) {
		let at = 0;
		for await (const Z of map.transformBatches(X, { batchSize: 1000, reuse })) {
			different += unlike(Z, at);
			at += Z.length;
			if (reuse) batches.push(Z.length / D);
		}
	}
	try {
		different += unlike((await map.transformAsync(X, { out: "shared" })).slice(), 0);
		const out = new Float32Array(new SharedArrayBuffer(4 * n * D)), stop = new AbortController();
		await map.transformAsync(X, { out, signal: stop.signal, onProgress: () => stop.abort() }).catch(() => {});
		const then = out.slice();
		await new Promise((resolve) => setTimeout(resolve, 50));
		late = out.filter((z, i) => z !== then[i]).length;
		shared = "same";
	} catch (error) {
		shared = error.message;
	}
	one.dispose();
	ts.dispose();
	return { isolated: crossOriginIsolated, rows, different, late, batches: batches.join(" "), shared };
})()`
