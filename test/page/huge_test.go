//go:build !js

package page

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

var long = flag.Bool("long", false, "run the tests that take minutes, too")

// TestHugeFile: a file of more than 1 GB is embedded and saved, block by block, while the
// tab's renderer stays below 300 MB of resident memory, by the process's own figure, of
// which about 120 MB are Chromium's program. It takes minutes: ./build.sh soak calls it.
func TestHugeFile(t *testing.T) {
	if !*long {
		return
	}
	const (
		rowsOfPart = 8000
		limit      = 300 << 20
	)
	browser, end := startBrowser(t)
	t.Cleanup(end)
	v := open(t, browser, server(t), "#/embed?nComponents=16")
	v.wait(`performance.getEntriesByName("files-ready").length`)
	idle := rendererMemory(t)
	head, body, _ := strings.Cut(largeCSV(rowsOfPart), "\n")
	quoted, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	parts := 1_100_000_000/len(body) + 1
	v.readyAfter(func() {
		eval[any](v, fmt.Sprintf(`{
			const part = new Blob([%s]);
			const file = new File([%q, ...Array(%d).fill(part)], "huge.csv");
			const transfer = new DataTransfer();
			transfer.items.add(file);
			for (const type of ["dragover", "drop"]) document.querySelector("h1").dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
		}`, quoted, head+"\n", parts))
	})
	folder, begun, most := v.saveInto(), time.Now(), 0
	v.click("#save-npy")
	v.wait(`document.querySelector("#stop")`)
	for eval[bool](v, `Boolean(document.querySelector("#stop"))`) {
		most = max(most, rendererMemory(t))
		time.Sleep(200 * time.Millisecond)
		if time.Since(begun) > 10*time.Minute {
			t.Fatalf("%s, %s", v.text("#status"), v.text(".figures"))
		}
	}
	took := time.Since(begun)
	name, content := saved(folder, time.Minute)
	t.Logf("%.1f GB in %v; at most %d MB resident, %d MB before", float64(parts*len(body))/1e9, took.Round(time.Second), most>>20, idle>>20)
	if want := 128 + 4*16*rowsOfPart*parts; name != "huge-features.npy" || len(content) != want {
		t.Errorf("%s has %d bytes, want %d; status: %s", name, len(content), want, v.text("#status"))
	}
	if most > limit {
		t.Errorf("the renderer held %d MB", most>>20)
	}
}

// rendererMemory returns the resident bytes of the largest renderer among the
// processes that this one has started.
func rendererMemory(t *testing.T) (bytes int) {
	renderers, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, process := range renderers {
		command, _ := os.ReadFile(process + "/cmdline")
		if !strings.Contains(string(command), "--type=renderer") || !isOwn(process) {
			continue
		}
		statm, _ := os.ReadFile(process + "/statm")
		if fields := strings.Fields(string(statm)); len(fields) > 1 {
			pages, _ := strconv.Atoi(fields[1])
			bytes = max(bytes, pages*os.Getpagesize())
		}
	}
	return bytes
}

// isOwn tells whether a process, as its folder in /proc, descends from this one.
func isOwn(process string) bool {
	for process != "/proc/0" {
		if process == "/proc/"+strconv.Itoa(os.Getpid()) {
			return true
		}
		stat, err := os.ReadFile(process + "/stat")
		_, rest, ok := strings.Cut(string(stat), ") ")
		if err != nil || !ok {
			return false
		}
		process = "/proc/" + strings.Fields(rest)[1]
	}
	return false
}
