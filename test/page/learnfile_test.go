//go:build !js

package page

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

const learnFromFile = "#/learn?half=file"

// visitLearn opens the half "Your file" by a link and waits until the curve is complete.
func visitLearn(t *testing.T, link string) *visit {
	t.Helper()
	v := openAgain(t, sharedBrowser(t), server(t), link)
	v.learned()
	return v
}

// learned waits until the curve is complete, with the predictions of a model.
func (v *visit) learned() {
	v.Helper()
	v.wait(`document.querySelector("#learn-curve")?.dataset.ready &&
		document.querySelector("#learn-detail .spot:not([hidden])")`)
}

// learnedAfter waits for the next curve after f.
func (v *visit) learnedAfter(f func()) {
	v.Helper()
	before := eval[string](v, `document.querySelector("#learn-curve")?.dataset.ready ?? ""`)
	f()
	v.wait(fmt.Sprintf(`(document.querySelector("#learn-curve")?.dataset.ready ?? %[1]q) !== %[1]q &&
		document.querySelector("#learn-detail .spot:not([hidden])")`, before))
}

// figure returns the number of a card.
func (v *visit) figure(card string) float64 {
	v.Helper()
	text := v.text("#" + card + " strong")
	x, err := strconv.ParseFloat(strings.TrimSuffix(strings.ReplaceAll(text, "−", "-"), " %"), 64)
	if err != nil {
		v.Errorf("#%s says %q, want a number", card, text)
	}
	return x
}

// TestLearnSample: the sample is learned by itself, and the sketch beats the line.
func TestLearnSample(t *testing.T) {
	v := visitLearn(t, learnFromFile)
	if sketch, linear := v.figure("learn-score"), v.figure("learn-linear"); sketch < 90 || linear > sketch+1 {
		t.Errorf("the sketch has %v %%, the linear model %v %%", sketch, linear)
	}
	v.until("#learn-detail-title", "Confusion matrix, D 1,024")
	v.until("#learn-status", "Learned from … rows.")

	// the same link gives the same figures
	said := v.text("#learn-summary")
	again := visitLearn(t, eval[string](v, "location.hash"))
	if got := again.text("#learn-summary"); got != said {
		t.Errorf("the link says\n%s\nand before\n%s", got, said)
	}
}
