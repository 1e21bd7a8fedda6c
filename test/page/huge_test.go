//go:build !js

package page

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

var long = flag.Bool("long", false, "run the tests that take minutes, too")

// TestHugeFile: a file of more than 1 GB is embedded and saved, block by block, while the
// tab's renderer holds less than 300 MB resident, by the process's own figures: all but the
// pages of Chromium's program and its libraries, about 130 MB, which its processes share and
// an empty tab has too. They are logged. It takes minutes: ./build.sh soak calls it.
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
	idle, idleOwn := rendererMemory(t)
	head, body, _ := strings.Cut(largeCSV(rowsOfPart), "\n")
	parts := 1_100_000_000/len(body) + 1
	huge := v.write("huge.csv", head+"\n")
	appendTo(t, huge, body, parts)
	v.readyAfter(func() { v.choose(huge) })
	folder, begun, most, mostOwn := v.saveInto(), time.Now(), 0, 0
	v.click("#save-npy")
	v.wait(`document.querySelector("#stop")`)
	for eval[bool](v, `Boolean(document.querySelector("#stop"))`) {
		whole, own := rendererMemory(t)
		most, mostOwn = max(most, whole), max(mostOwn, own)
		time.Sleep(200 * time.Millisecond)
		if time.Since(begun) > 10*time.Minute {
			t.Fatalf("%s, %s", v.text("#status"), v.text(".figures"))
		}
	}
	took := time.Since(begun)
	name, content := saved(folder, time.Minute)
	t.Logf("%.1f GB in %v; at most %d MB of its own and %d MB resident, before %d and %d", float64(parts*len(body))/1e9, took.Round(time.Second),
		mostOwn>>20, most>>20, idleOwn>>20, idle>>20)
	if want := 128 + 4*16*rowsOfPart*parts; name != "huge-features.npy" || len(content) != want {
		t.Errorf("%s has %d bytes, want %d; status: %s", name, len(content), want, v.text("#status"))
	}
	if mostOwn > limit {
		t.Errorf("the renderer held %d MB", mostOwn>>20)
	}
}

// appendTo writes text behind a file, several times.
func appendTo(t *testing.T, path, text string, times int) {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	for range times {
		if _, err := file.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}

// rendererMemory returns the bytes of the largest renderer among the processes that this
// one has started: all that are resident, and those that are no pages of files
// (RssAnon and RssShmem).
func rendererMemory(t *testing.T) (resident, own int) {
	processes, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, process := range processes {
		command, _ := os.ReadFile(process + "/cmdline")
		if !strings.Contains(string(command), "--type=renderer") || !isOwn(process) {
			continue
		}
		status, _ := os.ReadFile(process + "/status")
		sum := 0
		for line := range strings.SplitSeq(string(status), "\n") {
			name, value, _ := strings.Cut(line, ":")
			kilobytes, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(value), " kB"))
			switch name {
			case "VmRSS":
				resident = max(resident, kilobytes<<10)
			case "RssAnon", "RssShmem":
				sum += kilobytes << 10
			}
		}
		own = max(own, sum)
	}
	return resident, own
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
