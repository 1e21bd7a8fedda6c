//go:build !js

package page

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// visitPhone opens a link in a window of that size, on a screen that is touched.
func visitPhone(t *testing.T, link string, width, height int64) *visit {
	t.Helper()
	v := visitPlace(t, "#/about")
	v.altered = true
	v.do(chromedp.EmulateViewport(width, height, chromedp.EmulateTouch, chromedp.EmulateMobile))
	must(chromedp.Call(v.ctx, emulation.SetTouchEmulationEnabled,
		emulation.SetTouchEmulationEnabledParams{Enabled: true}))(v)
	v.follow(link)
	return v
}

// stays waits until the picture of a scrolled page is drawn, and says what is wrong with where it is: at least half of
// it is in the window, and its height leaves room for the controls.
const stays = `(async () => {
	const frames = async (n) => { for (; n > 0; n--) await new Promise(requestAnimationFrame); };
	await frames(4);
	const scene = document.querySelector("#stage .scene").getBoundingClientRect();
	const shown = Math.min(scene.bottom, innerHeight) - Math.max(scene.top, 0);
	const wrong = [];
	if (shown < scene.height / 2) wrong.push("of the picture, " + scene.top + " to " + scene.bottom + ", little is seen");
	return wrong.join("; ");
})()`

// TestPhonePicture: on a phone, whatever control of a teaching place is brought into sight, the picture is in view with
// it, and does not cover it.
func TestPhonePicture(t *testing.T) {
	t.Parallel()
	for _, window := range [][2]int64{{360, 740}, {412, 915}, {740, 360}} {
		v := visitPhone(t, "#/about", window[0], window[1])
		for _, place := range lessons {
			v.follow("#/" + place + "?seeds=10")
			if place == "convergence" {
				v.streamed()
			}
			eval[any](v, `scrollTo(0, 1e6)`)
			for n := range eval[int](v, `document.querySelectorAll(".rail :is(input, button)").length`) {
				where := fmt.Sprintf("%s, %d × %d, control %d", place, window[0], window[1], n)
				eval[any](v, fmt.Sprintf(`document.querySelectorAll(".rail :is(input, button)")[%d].scrollIntoView({block: "nearest"})`, n))
				if wrong := eval[string](v, stays); wrong != "" {
					t.Errorf("%s: %s", where, wrong)
				}
			}
			if *shots != "" {
				for k, y := range []int{0, 700, 1000, 1400} {
					eval[any](v, fmt.Sprintf(`scrollTo(0, %d)`, y))
					eval[any](v, stays)
					image := must(chromedp.Run(v.ctx, chromedp.CaptureScreenshot()))(v)
					os.WriteFile(filepath.Join(*shots, fmt.Sprintf("%s-%d-%d.png", place, window[0], k)), image, 0o644)
				}
			}
		}
	}
}

var _ = input.DispatchTouchEventTypeTouchStart
