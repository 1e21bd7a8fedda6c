//go:build !js

package page

import (
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

// TestHugeFile: a file of 2 GB is embedded and saved, block by block, while the
// tab's renderer holds less than 300 MB resident, by the process's own figure at its
// highest (VmHWM): all of it, also the pages of Chromium's program and its libraries, which
// its processes share. It takes minutes: ./build.sh soak calls it.
func TestHugeFile(t *testing.T) {
	if !*long {
		return
	}
	for _, c := range []struct{ nComponents, bytes int }{{16, 2_000_000_000}, {1024, 150_000_000}} {
		t.Run(strconv.Itoa(c.nComponents), func(t *testing.T) { embedHugeFile(t, c.nComponents, c.bytes) })
	}
}

func embedHugeFile(t *testing.T, nComponents, bytes int) {
	const (
		rowsOfPart = 8000
		limit      = 300 << 20
	)
	browser, end := startBrowser(t)
	t.Cleanup(end)
	v := open(t, browser, server(t), "#/embed?nComponents="+strconv.Itoa(nComponents))
	v.wait(`performance.getEntriesByName("files-ready").length`)
	idle := residentMost(t)
	head, body, _ := strings.Cut(largeCSV(rowsOfPart), "\n")
	parts := bytes/len(body) + 1
	huge := v.write("huge.csv", head+"\n")
	appendTo(t, huge, body, parts)
	v.readyAfter(func() { v.choose(huge) })
	shown := residentMost(t)
	folder, begun := v.saveInto(), time.Now()
	v.click("#save-npy")
	v.wait(`document.querySelector("#stop")`)
	most := shown
	for eval[bool](v, `Boolean(document.querySelector("#stop"))`) {
		most = max(most, residentMost(t))
		time.Sleep(200 * time.Millisecond)
		if time.Since(begun) > 10*time.Minute {
			t.Fatalf("%s, %s", v.text("#status"), v.text(".figures"))
		}
	}
	took := time.Since(begun)
	name, content := saved(folder, time.Minute)
	most = max(most, residentMost(t))
	t.Logf("%.2f GB in %v; %d MB when the page is loaded, %d when the file is shown, %d at most",
		float64(parts*len(body))/1e9, took.Round(time.Second), idle>>20, shown>>20, most>>20)
	if want := 128 + 4*nComponents*rowsOfPart*parts; name != "huge-features.npy" || len(content) != want {
		t.Errorf("%s has %d bytes, want %d; status: %s", name, len(content), want, v.text("#status"))
	}
	if most == 0 || most > limit {
		t.Errorf("the renderer held %d MB, want at most %d", most>>20, limit>>20)
	}
}

// appendTo writes text behind a file, several times.
func appendTo(t *testing.T, path, text string, times int) {
	file := must(os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0))(t)
	for range times {
		if _, err := file.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}

// residentMost returns the bytes that the largest renderer has held resident, among the processes that this one has
// started: VmHWM, the most since the process began or Chromium set it back.
func residentMost(t *testing.T) (largest int) {
	for _, process := range must(filepath.Glob("/proc/[0-9]*"))(t) {
		command, _ := os.ReadFile(process + "/cmdline")
		if !strings.Contains(string(command), "--type=renderer") || !isOwn(process) {
			continue
		}
		status, _ := os.ReadFile(process + "/status")
		_, highest, _ := strings.Cut(string(status), "VmHWM:")
		var kilobytes int
		fmt.Sscan(highest, &kilobytes)
		largest = max(largest, kilobytes<<10)
	}
	return largest
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
