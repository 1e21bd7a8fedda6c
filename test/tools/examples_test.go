//go:build !js

package tools

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const examples = "../../examples"

// TestExamples: with the package, each example prints or shows what it says.
func TestExamples(t *testing.T) {
	folder := fresh(t, examples+"/few-shot", examples+"/few-shot/texts.js")
	t.Run("few-shot", func(t *testing.T) { checkPrinted(t, folder, "texts.js") })
	t.Run("duckdb-wasm", checkDuckDB)
	npm := http.FileServer(http.Dir(filepath.Join(folder, "node_modules", "tensorsketch")))
	browser := driven(t)
	t.Run("predict.html", func(t *testing.T) { checkPredictPage(t, browser, npm) })
	t.Run("secure-sums", func(t *testing.T) { checkSecureSums(t, browser, npm) })
	t.Run("observable.md", func(t *testing.T) { checkNotebook(t, browser, npm) })
}

var promised = regexp.MustCompile(`prints:\n//\n((?://     .*\n)+)`)

// checkPrinted: a program prints what its first comment says.
func checkPrinted(t *testing.T, folder, name string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	said := promised.FindStringSubmatch(string(text))
	if said == nil {
		t.Fatalf("%s does not say what it prints", name)
	}
	want := strings.ReplaceAll("\n"+said[1], "\n//     ", "\n")[1:]
	if got := run(t, folder, "node", name); got != want {
		t.Errorf("%s prints\n%swant\n%s", name, got, want)
	}
}

// checkDuckDB: the example also writes the model of predict.html. DuckDB-wasm has 150 MB to install, so only ./build.sh
// soak runs it.
func checkDuckDB(t *testing.T) {
	if !*long {
		return
	}
	folder := fresh(t, examples+"/duckdb-wasm", examples+"/duckdb-wasm/colours.js")
	checkPrinted(t, folder, "colours.js")
	got, err := os.ReadFile(filepath.Join(folder, "..", "model.json"))
	if err != nil {
		t.Fatal(err)
	}
	if want, err := os.ReadFile(examples + "/model.json"); err != nil || string(got) != string(want) {
		t.Errorf("colours.js writes another model than %s/model.json (%v):\n%s", examples, err, got)
	}
}

// served serves the examples beside the package.
func served(npm http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/examples/", http.StripPrefix("/examples", http.FileServer(http.Dir(examples))))
	mux.Handle("/dist/npm/", http.StripPrefix("/dist/npm", npm))
	return mux
}

// checkSecureSums: three tabs, and a fourth that drops out, have one model of the rows of the three.
func checkSecureSums(t *testing.T, browser context.Context, npm http.Handler) {
	tabs := []context.Context{open(t, browser, served(npm), "/examples/secure-sums/index.html")}
	address, err := chromedp.Run(tabs[0], chromedp.Evaluate[string]("location.href"))
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		tab, cancel := chromedp.NewContext(tabs[0])
		t.Cleanup(cancel)
		if err := chromedp.Do(tab, chromedp.Navigate(address)); err != nil {
			t.Fatal(err)
		}
		tabs = append(tabs, tab)
	}
	for i, tab := range tabs {
		_, err := chromedp.Run(tab, chromedp.Evaluate[bool](fmt.Sprintf(`document.getElementById("tabs").value = 4,
			document.getElementById("leave").checked = %v, document.getElementById("join").click(), true`, i == 3)))
		if err != nil {
			t.Fatal(err)
		}
	}
	models := map[string]bool{}
	for i, tab := range tabs {
		until := `document.body.dataset.done ?? ""`
		if i == 3 {
			until = `document.getElementById("log").textContent.includes("drops out") ? "left" : ""`
		}
		text, err := chromedp.Run(tab, chromedp.Poll[string](until, noLimit))
		if err != nil {
			t.Fatal(err)
		}
		models[text] = true
		if said, err := chromedp.Run(tab, chromedp.Evaluate[string](`document.getElementById("log").textContent`)); i < 3 &&
			(err != nil || !strings.Contains(said, "1 dropped out") || !strings.Contains(said, "a model of 600 rows")) {
			t.Errorf("tab %d says\n%s(%v)", i, said, err)
		}
	}
	if len(models) != 2 {
		t.Errorf("the tabs have %d different models", len(models)-1)
	}
}

// checkPredictPage moves the sliders of the page by keys.
func checkPredictPage(t *testing.T, browser context.Context, npm http.Handler) {
	ctx := open(t, browser, served(npm), "/examples/predict.html")
	for _, step := range []struct{ slider, key, label string }{
		{"", "", "grey"}, {"red", kb.End, "vivid"}, {"green", kb.End, "vivid"}, {"blue", kb.End, "grey"},
	} {
		if step.slider != "" {
			slider := chromedp.CSS(`input[name="` + step.slider + `"]`)
			if err := chromedp.Do(ctx, chromedp.Focus(slider), chromedp.KeyEvent(step.key)); err != nil {
				t.Fatal(err)
			}
		}
		got, err := chromedp.Run(ctx, chromedp.Poll[string](`document.querySelector("output").value`, noLimit))
		if err != nil || got != step.label {
			t.Fatalf("after %+v the page predicts %q (%v)", step, got, err)
		}
	}
}

var cell = regexp.MustCompile("(?s)```js\n(.*?)```")

// checkNotebook runs the cells in a page of another origin than the library's, and checks what the notebook says of the
// headers that it needs.
func checkNotebook(t *testing.T, browser context.Context, npm http.Handler) {
	text, err := os.ReadFile(examples + "/observable.md")
	if err != nil {
		t.Fatal(err)
	}
	cells := ""
	for _, match := range cell.FindAllStringSubmatch(string(text), -1) {
		cells += match[1]
	}
	const accuracy, labels = `^9[5-9] % of 200 new points are right$`, "opposite signs, same sign"
	for _, c := range []struct {
		name, closed string // the file without the header
		isolated     bool
		want         []string // patterns of what is displayed
	}{
		{name: "any page", want: []string{`^[1-9]\d* workers$`, accuracy, labels}},
		{name: "isolated page", isolated: true, want: []string{`^[1-9]\d* workers$`, accuracy, labels}},
		{name: "no module", closed: "tensorsketch.js", want: []string{`Failed to fetch dynamically imported module`}},
		{name: "no imported module", closed: "rows.js", want: []string{`Failed to fetch dynamically imported module`}},
		{name: "no core", closed: "tensorsketch.wasm", want: []string{`^cannot load .*\(CORS\)$`}},
		{name: "no workers", closed: "workertext.js", want: []string{`^0 workers: .*workertext\.js`, accuracy, labels}},
	} {
		t.Run(c.name, func(t *testing.T) {
			host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				name := path.Base(r.URL.Path)
				if name == "worker.js" {
					t.Errorf("%s is fetched", r.URL)
				}
				if name != c.closed {
					w.Header().Set("Access-Control-Allow-Origin", "*")
				}
				if strings.HasSuffix(name, ".wasm") {
					w.Header().Set("Content-Type", "application/octet-stream")
				}
				npm.ServeHTTP(w, r)
			}))
			defer host.Close()
			page := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/html")
				if c.isolated {
					w.Header().Set("Cross-Origin-Opener-Policy", "same-origin")
					w.Header().Set("Cross-Origin-Embedder-Policy", "require-corp")
				}
			})
			program := `(async () => { const shown = [String(crossOriginIsolated)], display = (value) => shown.push(value);
				try {` + strings.ReplaceAll(cells, "https://cdn.example/tensorsketch", host.URL) + `
				ts.dispose(); } catch (error) { display(error.message); } return shown; })()`
			shown, err := chromedp.Run(open(t, browser, page, "/"),
				chromedp.Evaluate[[]string](program, chromedp.EvalAwaitPromise))
			if err != nil {
				t.Fatal(err)
			}
			if got, want := shown[0] == "true", c.isolated; got != want || len(shown) != len(c.want)+1 {
				t.Fatalf("the page is isolated: %v, want %v; displayed is %q, want %q", got, want, shown[1:], c.want)
			}
			for i, pattern := range c.want {
				if got := shown[i+1]; !regexp.MustCompile(pattern).MatchString(got) {
					t.Errorf("displayed is %q, want %s", got, pattern)
				}
			}
		})
	}
}

// open serves a page until the end of the test, and opens it in a tab of its own.
func open(t *testing.T, browser context.Context, handler http.Handler, address string) context.Context {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	tab, cancel := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	ctx, cancel := context.WithTimeout(tab, patience)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx, chromedp.Navigate(server.URL+address)); err != nil {
		t.Fatal(err)
	}
	return ctx
}
