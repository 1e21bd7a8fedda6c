//go:build !js

package page

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestLook: no sideways scrolling, targets of 44 px and readable contrast, in
// every width and both themes, with the sample and with a file.
func TestLook(t *testing.T) {
	t.Parallel()
	browser, address := sharedBrowser(t), server(t)
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range []int64{360, 768, 1440, 3840} {
			t.Run(fmt.Sprintf("%s %d", scheme, width), func(t *testing.T) {
				v := openAgain(t, browser, address, "")
				v.do(chromedp.EmulateViewport(width, 900), media("prefers-color-scheme", scheme))
				v.ready()
				look(v)
				showFile(v)
				v.set("degree", "none")
				v.wait(`document.querySelector("#degree-error").textContent !== ""`)
				look(v)
			})
		}
	}
}

func look(v *visit) {
	v.Helper()
	if wide := eval[int](v, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); wide > 0 {
		v.Errorf("the page is %d px wider than the window", wide)
	}
	for _, small := range eval[[]string](v, smallTargets) {
		v.Errorf("%s is smaller than 44 px", small)
	}
	for _, faint := range eval[[]string](v, faintText) {
		v.Errorf("too little contrast: %s", faint)
	}
}

// smallTargets lists what can be pressed and is less than 44 px high or wide; of
// a choice, what counts is its label.
const smallTargets = `[...document.querySelectorAll("button, select, input, a")]
	.filter((e) => e.checkVisibility()).map((e) => {
		const box = (e.closest("label") ?? e).getBoundingClientRect();
		return { what: e.id || e.name || e.type || e.textContent, width: box.width, height: box.height };
	}).filter(({ width, height }) => Math.min(width, height) < 43.9)
	.map(({ what, width, height }) => what + " " + width + " × " + height)`

// faintText lists texts with a contrast below 4.5 : 1 against the background they
// stand on.
const faintText = `(() => {
	const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
	const rgba = (colour) => {
		canvas.clearRect(0, 0, 1, 1);
		canvas.fillStyle = colour;
		canvas.fillRect(0, 0, 1, 1);
		return canvas.getImageData(0, 0, 1, 1).data;
	};
	const luminance = ([r, g, b]) => [r, g, b].map((c) => c / 255)
		.map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
		.reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
	const ground = (e) => {
		for (; e; e = e.parentElement) {
			const colour = rgba(getComputedStyle(e).backgroundColor);
			if (colour[3] > 0) return colour;
		}
		return [255, 255, 255];
	};
	const faint = [];
	for (const e of document.querySelectorAll("body *")) {
		const hasText = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
		if (!hasText || !e.checkVisibility() || e.disabled) continue;
		const style = getComputedStyle(e);
		const [a, b] = [luminance(rgba(e.namespaceURI.endsWith("svg") ? style.fill : style.color)), luminance(ground(e))];
		const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		if (ratio < 4.5) faint.push(ratio.toFixed(2) + " " + e.tagName + " " + e.textContent.trim().slice(0, 40));
	}
	return faint;
})()`
