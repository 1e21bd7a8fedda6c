//go:build !js

package page

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestAboutPicture: the sketches in the picture of the algorithm are the sketches of its
// x and hashes, and f(x) is their convolution.
func TestAboutPicture(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/about")
	v.click("#diagram-data summary")
	cells := eval[[][]string](v, `[...document.querySelectorAll("#diagram-data tr")]
		.map((row) => [...row.cells].map((cell) => cell.textContent.replace("−", "-")))`)
	column := func(name string) (numbers []float64) {
		for i, head := range cells[0] {
			for _, row := range cells[1:] {
				if x, err := strconv.ParseFloat(row[i], 64); err == nil && head == name {
					numbers = append(numbers, x)
				}
			}
		}
		return numbers
	}
	x, D := column("x"), len(column("f(x)"))
	h, s := [][]int{nil, nil}, [][]complex128{nil, nil}
	for k := range h {
		for i, bucket := range column(fmt.Sprintf("h%d", k+1)) {
			h[k], s[k] = append(h[k], int(bucket)), append(s[k], complex(column(fmt.Sprintf("s%d", k+1))[i], 0))
		}
	}
	if len(x) < 2 || D < 2 {
		t.Fatalf("the data are %q", cells)
	}
	v.near("C1x", column("C1x"), parts(directSketch(x, h[:1], s[:1], D))[0], 1e-6)
	v.near("C2x", column("C2x"), parts(directSketch(x, h[1:], s[1:], D))[0], 1e-6)
	v.near("f(x)", column("f(x)"), parts(directSketch(x, h, s, D))[0], 1e-6)
	v.speaksWell()
}

// TestAboutTurned: in a window that became narrower, or a phone that was turned, the picture is drawn anew, with
// letters as large as those around it. It was shrunk until the next press, to letters of 6 px.
func TestAboutTurned(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/about")
	for _, width := range []int64{360, 1440, 360} {
		v.do(chromedp.EmulateViewport(width, 900))
		if !v.comes(`Math.abs(document.querySelector("#diagram svg").viewBox.baseVal.width -
			document.querySelector("#diagram").clientWidth) < 1`, soon) {
			t.Errorf("%d px: %s in %d px", width, eval[string](v,
				`document.querySelector("#diagram svg").getAttribute("viewBox")`),
				eval[int](v, `document.querySelector("#diagram").clientWidth`))
		}
	}
}

// TestAboutKeys: by keyboard alone, the code is copied and this browser measured.
func TestAboutKeys(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/about")
	v.allow("clipboard-read", "clipboard-write")
	v.tabTo("copy-code")
	v.press(kb.Enter)
	v.until("#copy-code", "Copied")
	code := eval[string](v, `document.querySelector("#code").textContent`)
	if got := eval[string](v, `navigator.clipboard.readText()`); got != code || !strings.Contains(code, "featureMap(") {
		t.Errorf("copied is %q, the page shows %q", got, code)
	}
	v.tabTo("test-speed")
	v.press(kb.Enter)
	v.until("#test-speed", "Stop")
	v.press(kb.Enter)
	v.wait(`document.querySelector("#test-speed").textContent !== "Stop"`)
	v.press(kb.Enter)
	v.until("#test-speed", "Stop")
	v.wait(`document.querySelector("#test-speed").textContent !== "Stop"`)
	for _, cell := range eval[[]string](v, `[...document.querySelectorAll("#speed td")].map((cell) => cell.textContent)`) {
		if found := numbers(cell); len(found) == 0 || found[0].value <= 0 {
			t.Errorf("a measured figure is %q", cell)
		}
	}
	figures := v.text("#speed")
	v.follow("#/buckets")
	v.follow("#/about")
	if got := v.text("#speed"); got != figures {
		t.Errorf("back in the place the figures are %q, were %q", got, figures)
	}
	v.speaksWell()
}

// allow grants the page what browsers ask visitors for.
func (v *visit) allow(permissions ...string) {
	v.Helper()
	for _, name := range permissions {
		must(chromedp.CallBrowser(v.ctx, browser.SetPermission, browser.SetPermissionParams{Origin: v.origin,
			Permission: &browser.PermissionDescriptor{Name: name}, Setting: browser.PermissionSettingGranted}))(v)
	}
}
