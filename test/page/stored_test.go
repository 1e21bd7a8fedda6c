//go:build !js

package page

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestModelInDatabase: the README's models.js keeps a model of rows as objects in IndexedDB. After a reload the model
// of its text predicts a form's values, with the reader fetched then.
func TestModelInDatabase(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile(filepath.Join(repo, "packaging", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?ms)^```js\n(// models\\.js\n.*?)^```$").FindSubmatch(readme)
	if found == nil {
		t.Fatal("packaging/README.md has no block models.js")
	}
	files := http.FileServer(http.Dir(filepath.Join(repo, "dist", "npm")))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<!doctype html><title>A page with a form</title><form><input name=x value=3></form>")
		case "/models.js":
			w.Header().Set("Content-Type", "text/javascript")
			w.Write(found[1])
		default:
			files.ServeHTTP(w, r)
		}
	}))
	defer server.Close()
	tab, cancel := chromedp.NewContext(sharedBrowser(t))
	defer cancel()
	ctx, cancelTimeout := context.WithTimeout(tab, usual())
	defer cancelTimeout()
	v := &visit{T: t, ctx: ctx}
	v.do(chromedp.Navigate(server.URL))
	if got := eval[string](v, fmt.Sprintf(stored, `
		const rows = Array.from({ length: 60 }, (_, i) => ({ x: i, kind: i < 30 ? "low" : "high" }));
		const model = await ts.fit(rows, { label: "kind", map: { nComponents: 32 }, search: "off" });
		if (await savedModel("kind") !== undefined) return "something was there";
		await saveModel("kind", model);
		return model.classes.join();`)); got != "high,low" {
		t.Fatalf("the page says %q, want the classes high,low", got)
	}
	v.do(chromedp.Reload())
	if got := eval[string](v, fmt.Sprintf(stored, `
		const model = ts.fromJSON(await savedModel("kind"), { labels: ["low", "high"] });
		return (await model.predictAsync(new FormData(document.querySelector("form")))).join();`)); got != "low" {
		t.Errorf("after the reload x = 3 is %q, want low", got)
	}
	testIndexInFiles(t, v)
}

// testIndexInFiles: the browser's private file system keeps an index, by the lines that tensorsketch.d.ts has.
func testIndexInFiles(t *testing.T, v *visit) {
	if got := eval[string](v, fmt.Sprintf(stored, `
		const index = await ts.index({ nFeatures: 8, bits: 4 });
		index.add(Float32Array.from({ length: 8 * 1200 }, (_, i) => Math.sin(i * i)));
		const folder = await navigator.storage.getDirectory();
		const file = await (await folder.getFileHandle("rows.index", { create: true })).createWritable();
		for (const block of index.blocks()) await file.write(block);
		await file.close();
		const again = await ts.index.from(await (await folder.getFileHandle("rows.index")).getFile());
		const q = Float32Array.from({ length: 8 }, (_, i) => Math.sin(i));
		return String(again.search(q, 5).ids.join() === index.search(q, 5).ids.join());`)); got != "true" {
		t.Errorf("the index of the private file system finds the same rows: %s", got)
	}
}

const stored = `(async () => {
	const [{ load }, { loadDataset }, { savedModel, saveModel }] =
		await Promise.all(["tensorsketch", "dataset", "models"].map((name) => import("/" + name + ".js")));
	const ts = await load({ dataset: loadDataset, threads: 0 });
	%s
})()`
