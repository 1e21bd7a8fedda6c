//go:build !js

package page

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// installed returns a folder of test/ whose packages npm has fetched. Without npm the test is skipped, or fails in CI.
func installed(t *testing.T, name string) string {
	t.Helper()
	folder := filepath.Join(repo, "test", name)
	if _, err := os.Stat(filepath.Join(folder, "node_modules")); err != nil {
		if output, err := exec.Command("npm", "--prefix", folder, "ci", "--no-audit",
			"--no-fund").CombinedOutput(); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatalf("npm cannot install %s: %v: %s", name, err, output)
			}
			t.Skipf("npm cannot install %s: %v: %s", name, err, output)
		}
	}
	return folder
}

// TestAxe: axe-core finds nothing serious in any place with whatever is open, nor in the dialog that leads offline.
// Each state has one width and one theme, by turns; TestLayout measures contrast in both themes. With -long it has all
// rules in the light theme and contrast in the dark one, in both widths.
func TestAxe(t *testing.T) {
	t.Parallel()
	source := string(must(os.ReadFile(filepath.Join(installed(t, "axe"), "node_modules", "axe-core", "axe.min.js")))(t))
	v := visitPlace(t, "#/about")
	for n, link := range []string{
		"#/buckets", "#/buckets?question=3&step=5&at=k2", "#/convolution", "#/convolution?view=coordinates&degree=3",
		"#/convolution?view=frequencies&question=2",
		"#/learn?half=plane&view=features",
		"#/buckets?method=complex-tensor-sketch&question=1", "#/convolution?method=complex-tensor-sketch&question=3",
		"#/convergence?seeds=10&question=1&against=degree&bounds=shown",
		"#/convergence?seeds=10&nFeatures=16&axis=time&" + compared, "#/embed",
		"#/about", "#/learn", "#/learn?preset=own&points=p0,0m50,50&question=1&at=c4.4", "#/start", "#/start/4",
		"#/start/1?lecture=1",
	} {
		v.follow(link)
		if eval[bool](v, `Boolean(document.querySelector("#halt-seeds"))`) {
			v.streamed()
		}
		if eval[bool](v, `Boolean(document.querySelector("#table-toggle"))`) {
			v.table()
		}
		if eval[bool](v, `Boolean(document.querySelector("#nComponents"))`) {
			v.set("nComponents", "none")
			v.wait(`document.querySelector("#nComponents-error").textContent`)
		}
		v.accessible(n, link, source)
	}
	v = visitLearn(t, learnFromFile+"&nComponents=64")
	v.pressByKey("#learn-detail .spot", kb.End)
	v.wait(`document.querySelector("#learn-behind tbody")`)
	v.drawSeven()
	v.accessible(0, "learn, rows of a file", source)
	v = visitPlace(t, "#/buckets?embed=1&nowhere=1")
	v.accessible(1, "within another page", source)
	v.follow("#/embed")
	v.kept()
	eval[any](v, `{ document.querySelector("#newer").hidden = false; }`)
	v.click("#offline-first")
	v.accessible(0, "the dialog", source)
}

// accessible runs axe-core, which is the source, in the n-th turn of widths and themes. Errors begin with where.
func (v *visit) accessible(n int, where, source string) {
	v.Helper()
	eval[any](v, source+`; null`)
	for turn, width := range []int64{360, 1440, 1440, 360} {
		scheme, run := []string{"light", "dark"}[turn%2], runAxe
		switch {
		case !*long && turn != n%4:
			continue
		case !*long && n/4%2 != 0: // TestLayout measures contrast in each place
			run = strings.Replace(runAxe, "{ resultTypes", `{ rules: { "color-contrast": { enabled: false } }, resultTypes`, 1)
		case *long && scheme == "dark": // what the theme changes
			run = strings.Replace(runAxe, "{ resultTypes", `{ runOnly: ["color-contrast"], resultTypes`, 1)
		}
		v.do(chromedp.EmulateViewport(width, 900), media("prefers-color-scheme", scheme))
		v.settled()
		for _, found := range eval[[]violation](v, run) {
			text := fmt.Sprintf("%s, %d %s: %s, %s: %s: %s", where, width, scheme, found.Impact, found.ID, found.Help,
				found.Where)
			if found.Impact == "serious" || found.Impact == "critical" {
				v.Error(text)
			} else {
				v.Log(text)
			}
		}
	}
}

// A violation is what axe-core finds.
type violation struct{ ID, Impact, Help, Where string }

const runAxe = `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
	violations.map(({ id, impact, help, nodes }) => ({
		id, impact, help,
		where: nodes.slice(0, 3).map((node) => node.html.slice(0, 160) +
			" (" + (node.any[0] ?? node.all[0] ?? node.none[0])?.message + ")").join("; "),
	})))`
