//go:build !js

package page

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// TestRequestsAreCounted: requests of the page and of each kind of worker, once each, with
// the service worker and without.
func TestRequestsAreCounted(t *testing.T) {
	t.Parallel()
	for _, kept := range []bool{true, false} {
		t.Run(fmt.Sprintf("kept=%v", kept), func(t *testing.T) {
			h := newHost(t)
			v := open(t, sharedBrowser(t), h.address, "")
			if !kept {
				v.reloadWith(withoutServiceWorker)
			} else {
				v.kept()
			}
			v.ready()
			v.wait(coreTimed)
			eval[any](v, coreAtWork)
			eval[any](v, `fetch("LICENSE?before").then((response) => response.text())`)
			v.readyAfter(func() { v.choose(v.write("rows.csv", smallCSV)) })
			v.until("#requests", "0 requests left this device since rows.csv was opened.")

			eval[any](v, `fetch("LICENSE?page").then((response) => response.text())`)
			v.until("#requests", "1 request left this device since rows.csv was opened: LICENSE?page.")
			v.worker("/page/poolworker.js", `fetch("LICENSE?pool").then((response) => response.text())`)
			v.until("#requests", "2 requests left this device since rows.csv was opened: LICENSE?page, LICENSE?pool.")
			if !kept {
				return // the file's own worker has to be fetched
			}
			eval[any](v, jobClient)
			eval[any](v, `fileJob("jobs")`)
			v.worker("/page/filejob.js", `fetch("LICENSE?file").then((response) => response.text())`)
			v.until("#requests",
				"3 requests left this device since rows.csv was opened: LICENSE?page, LICENSE?pool, LICENSE?file.")
			eval[any](v, `fetch("LICENSE?page").then((response) => response.text())`)
			eval[any](v, `fetch("nowhere", { method: "HEAD" })`)
			v.until("#requests",
				"5 requests left this device since rows.csv was opened: LICENSE?page, LICENSE?pool, LICENSE?file and 1 more.")
			v.tolerate("404")

			v.readyAfter(func() { v.drop("again.csv", smallCSV) })
			v.until("#requests", "0 requests left this device since again.csv was opened.")
			h.close()
			eval[any](v, `fetch("LICENSE?failed").catch(() => {})`)
			v.tolerate("ERR_CONNECTION_REFUSED")
			v.until("#requests", "1 request left this device since again.csv was opened: LICENSE?failed.")
			v.readyAfter(func() { v.click("#sample") })
			v.until("#requests", "")
		})
	}
}

// coreAtWork starts the core's workers, and keeps them from ending.
const coreAtWork = `page.tensorsketch().then(async (ts) => {
	const map = ts.featureMap({ nFeatures: 1, nComponents: 1024, degree: 16 });
	const work = () => map.transformAsync(new Float32Array(500));
	await ts.warm();
	setInterval(work, 2000);
})`

// worker evaluates an expression in a worker of the page, by the end of its address.
func (v *visit) worker(address, expression string) {
	v.Helper()
	deadline := time.Now().Add(patience)
	for {
		found := must(chromedp.CallBrowser(v.ctx, target.GetTargets,
			target.GetTargetsParams{Filter: target.Filter{{}}}))(v)
		for _, info := range found.TargetInfos {
			if info.Type != "worker" || !strings.HasPrefix(info.URL, v.origin) || !strings.HasSuffix(info.URL, address) {
				continue
			}
			worker, cancel := chromedp.NewContext(v.ctx, chromedp.WithTargetID(info.TargetID))
			defer cancel()
			if _, err := chromedp.Run(worker, chromedp.Evaluate[any](expression, chromedp.EvalAwaitPromise)); err != nil {
				v.Fatalf("%s in %s: %v", expression, address, err)
			}
			return
		}
		if time.Now().After(deadline) {
			v.Fatalf("no worker %s among %v", address, found.TargetInfos)
		}
		time.Sleep(20 * time.Millisecond)
	}
}
