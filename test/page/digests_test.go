//go:build !js

package page

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDigests: every method of every build gives in Chromium the bits that Go gives
// natively, over the table of package sketch.
func TestDigests(t *testing.T) {
	t.Parallel()
	npm := filepath.Join(repo, "dist", "npm")
	want := must(os.ReadFile(filepath.Join(repo, "sketch", "testdata", "digests.txt")))(t)
	files := http.NewServeMux()
	files.Handle("/", http.FileServer(http.Dir(npm)))
	files.Handle("/sketch/",
		http.StripPrefix("/sketch/", http.FileServer(http.Dir(filepath.Join(repo, "sketch", "testdata")))))
	files.HandleFunc("/test/digests.mjs", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		http.ServeFile(w, r, filepath.Join(repo, "test", "api", "digests.mjs"))
	})
	files.HandleFunc("/empty", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `<!doctype html><title>Digests</title><link rel="icon" href="data:,">`)
	})
	server := httptest.NewServer(files)
	defer server.Close()
	for build, file := range map[string]string{"simd": "tensorsketch.wasm", "scalar": "tensorsketch.scalar.wasm"} {
		t.Run(build, func(t *testing.T) {
			if _, err := os.Stat(filepath.Join(npm, file)); err != nil {
				t.Fatalf("run ./build.sh dist first: %v", err)
			}
			v := open(t, sharedBrowser(t), server.URL, "/empty")
			got := eval[[]string](v, fmt.Sprintf(digestsOf, build))
			wanted := strings.Split(strings.TrimSpace(string(want)), "\n")
			if len(got) != len(wanted) || got[0] != wanted[0] {
				t.Fatalf("%d lines of %q, want %d of %q", len(got), got[0], len(wanted), wanted[0])
			}
			names := strings.Fields(wanted[0])
			for i := range wanted[1:] {
				g, w := strings.Fields(got[i+1]), strings.Fields(wanted[i+1])
				for m, name := range names {
					if g[m] != w[m] {
						t.Errorf("set %d of %s: digest %s, want %s", i, name, g[m], w[m])
					}
				}
			}
		})
	}
}

const digestsOf = `(async () => {
	const [{ load }, { digests }] = await Promise.all([import("/tensorsketch.js"), import("/test/digests.mjs")]);
	const ts = await load({ build: %q, threads: 0 });
	return digests(ts, await (await fetch("/sketch/digests.json")).json());
})()`
