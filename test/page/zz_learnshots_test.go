//go:build !js

package page

import (
	"os"
	"testing"

	"github.com/chromedp/chromedp"
)

func TestZZShots(t *testing.T) {
	for _, s := range []struct {
		name, scheme  string
		width, height int64
	}{{"wide-light", "light", 1440, 900}, {"narrow-dark", "dark", 360, 780}} {
		v := openAgain(t, sharedBrowser(t), server(t), learnFromFile)
		v.do(chromedp.EmulateViewport(s.width, s.height), media("prefers-color-scheme", s.scheme), chromedp.Reload())
		v.learned()
		png := must(chromedp.Run(v.ctx, chromedp.FullScreenshot(100)))(t)
		os.WriteFile("/tmp/learn-"+s.name+".png", png, 0o644)
	}
}
