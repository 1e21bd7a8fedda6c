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
	v.wait(`document.querySelector("#stop-saving")`)
	most := shown
	for eval[bool](v, `Boolean(document.querySelector("#stop-saving"))`) {
		most = max(most, residentMost(t))
		time.Sleep(200 * time.Millisecond)
		if time.Since(begun) > 10*time.Minute {
			t.Fatalf("%s, %s", v.text("#saving-status"), v.text("#saving-figures"))
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

// TestLearnHugeFile: a worker of somebody's page fits a model to a file of 2 GB, block by block, while the tab's
// renderer holds less than 350 MB resident.
func TestLearnHugeFile(t *testing.T) {
	if !*long {
		return
	}
	for _, c := range []struct{ nComponents, bytes int }{{64, 2_000_000_000}, {1024, 300_000_000}} {
		t.Run(strconv.Itoa(c.nComponents), func(t *testing.T) { learnHugeFile(t, c.nComponents, c.bytes) })
	}
}

func learnHugeFile(t *testing.T, nComponents, bytes int) {
	const (
		rowsOfPart = 8000
		limit      = 350 << 20
	)
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(filepath.Join(repo, "public"))); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"learn.html": `<!doctype html><title>Learn</title><input id="file" type="file"><output id="said"></output>
			<script type="module" src="learn.js"></script>`,
		"learn.js": `const worker = new Worker("learnworker.js", { type: "module" });
			worker.onmessage = ({ data }) => (said.value = data);
			worker.onerror = ({ message }) => (said.value = message);
			file.onchange = () => worker.postMessage(file.files[0]);`,
		"learnworker.js": `import { load } from "./api/tensorsketch.js";
			import { loadDataset } from "./api/dataset.js";
			const nComponents = ` + strconv.Itoa(nComponents) + `;
			onmessage = async ({ data: file }) => {
				const [ts, dataset] = await Promise.all([load(), loadDataset()]);
				const source = dataset.source(file);
				const layout = dataset.sniff(source);
				const plan = dataset.plan(layout);
				plan.columns.find(({ name }) => name === "label").role = "label";
				for (const column of plan.columns) if (column.role === "number") column.scaling = "none";
				const rows = dataset.preprocessing(plan);
				const learner = ts.learner({ task: "classify", nFeatures: 64, map: { nComponents }, radius: 4000,
					preprocessing: rows.model });
				for (const block of dataset.rows(source, layout, rows)) {
					await learner.addAsync(block.X, dataset.texts(block));
				}
				const model = await learner.fit();
				postMessage(learner.count + " rows of " + model.classes);
			};`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	address, endServer := runServerOn(t, folder)
	t.Cleanup(endServer)
	browser, endBrowser := startBrowser(t)
	t.Cleanup(endBrowser)
	v := open(t, browser, address, "learn.html")
	v.wait(`document.readyState === "complete"`)
	idle := residentMost(t)
	head, body, _ := strings.Cut(largeCSV(rowsOfPart), "\n")
	parts := bytes/len(body) + 1
	huge := v.write("huge.csv", head+"\n")
	appendTo(t, huge, body, parts)
	begun, most := time.Now(), 0
	v.choose(huge)
	for v.text("#said") == "" {
		most = max(most, residentMost(t))
		time.Sleep(200 * time.Millisecond)
		if time.Since(begun) > 20*time.Minute {
			t.Fatal("no model after 20 minutes")
		}
	}
	most = max(most, residentMost(t))
	t.Logf("%.2f GB in %v; %d MB when the page is loaded, %d at most", float64(parts*len(body))/1e9,
		time.Since(begun).Round(time.Second), idle>>20, most>>20)
	want := fmt.Sprintf("%d rows of 0,1,2,3,4,5,6,7,8,9", rowsOfPart*parts)
	if said := v.text("#said"); said != want {
		t.Errorf("%q, want %q", said, want)
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
		if !strings.Contains(string(command), "--type=renderer") || !descendsFrom(process, os.Getpid()) {
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

// descendsFrom reports whether a process, as its folder in /proc, descends from another or is that.
func descendsFrom(process string, from int) bool {
	for process != "/proc/0" {
		if process == "/proc/"+strconv.Itoa(from) {
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
