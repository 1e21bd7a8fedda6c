//go:build !js

package page

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

var long = flag.Bool("long", false, "run the test that takes minutes, too")

// TestHugeFile: a file of almost 500 MB is read in pieces. The page counts all
// of its rows while its memory stays far below the size of the file: objects and
// strings, array buffers, and what the WebAssembly of the page has. There is one
// component, because the features are a result and kept. ./build.sh soak calls it.
func TestHugeFile(t *testing.T) {
	if !*long {
		return
	}
	const (
		rowsOfPart, parts = 8000, 400
		mostObjects       = 32e6
		mostBuffers       = 200e6
		mostWasm          = 256e6 // which never shrinks: it also held the rows while they were few
	)
	v := open(t, sharedBrowser(t), server(t), "")
	if _, err := chromedp.Run(v.ctx, func(ctx context.Context, _ *chromedp.Target) (any, error) {
		return chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: keepMemory})
	}); err != nil {
		t.Fatal(err)
	}
	v.do(chromedp.Reload())
	v.wait(`globalThis.pageMemory`)
	v.ready()
	v.readyAfter(func() { v.set("nComponents", "1") })
	head, body, _ := strings.Cut(largeCSV(rowsOfPart), "\n")
	quoted, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	size := eval[int](v, fmt.Sprintf(`{
		const part = new Blob([%s]);
		const file = new File([%q, ...Array(%d).fill(part)], "huge.csv");
		const transfer = new DataTransfer();
		transfer.items.add(file);
		for (const type of ["dragover", "drop"]) document.querySelector("h1").dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
		file.size;
	}`, quoted, head+"\n", parts))
	if size < 400e6 {
		t.Fatalf("the file has %d bytes only", size)
	}
	v.wait(`document.querySelector("#embed")`)
	v.click("#embed")
	v.wait(`document.querySelector("#stop")`)

	var objects, buffers, wasm float64
	for eval[bool](v, `Boolean(document.querySelector("#stop"))`) {
		usage, err := chromedp.Run(v.ctx, func(ctx context.Context, _ *chromedp.Target) (runtime.GetHeapUsageResult, error) {
			return chromedp.Call(ctx, runtime.GetHeapUsage, cdp.Empty{})
		})
		if err != nil {
			t.Fatalf("%v; status: %q, %q", err, v.text("#status"), v.text(".figures"))
		}
		objects, buffers = max(objects, usage.UsedSize), max(buffers, usage.BackingStorageSize)
		wasm = max(wasm, eval[float64](v, `pageMemory.buffer.byteLength`))
		time.Sleep(100 * time.Millisecond)
	}
	v.wait(`document.querySelector("#picture").getAttribute("aria-busy") === "false"`)
	t.Logf("%.0f MB read: %s; at most %.0f MB of objects and strings, %.0f MB in buffers, %.0f MB in WebAssembly", float64(size)/1e6, v.text("#status"), objects/1e6, buffers/1e6, wasm/1e6)
	if want := fmt.Sprintf("Embedded %d rows in ", rowsOfPart*parts); !strings.HasPrefix(strings.ReplaceAll(v.text("#status"), ",", ""), want) {
		t.Errorf("the page says %q, want %q", v.text("#status"), want)
	}
	if objects > mostObjects || buffers > mostBuffers || wasm > mostWasm {
		t.Errorf("want at most %.0f MB, %.0f MB and %.0f MB", mostObjects/1e6, mostBuffers/1e6, mostWasm/1e6)
	}
}

// keepMemory keeps the memory of the page's own program, which exports it as Go's
// programs do.
const keepMemory = `{
	const { instantiateStreaming } = WebAssembly;
	WebAssembly.instantiateStreaming = async (...parts) => {
		const result = await instantiateStreaming.apply(WebAssembly, parts);
		if (String((await parts[0]).url).endsWith("/ui.wasm")) globalThis.pageMemory = result.instance.exports.mem;
		return result;
	};
}`
