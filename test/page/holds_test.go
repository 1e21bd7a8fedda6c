//go:build !js

package page

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// holdScript has a worker of jobs send itself a request, as learnPause, when a job first tells of a phase or first
// writes rows. From there most of the work lies ahead, on a machine of any speed: a request from the page may come when
// the job has ended. What is awaited comes with the request of the job.
const holdScript = `(() => {
	let awaited = {};
	const post = postMessage.bind(self);
	const hold = () => {
		dispatchEvent(new MessageEvent("message", { data: { id: 0, type: awaited.type } }));
		awaited = {};
		post({ isHeld: true });
	};
	self.postMessage = (message, ...more) => {
		post(message, ...more);
		const { phase, use, done = 0 } = message.progress ?? {}, share = use ? use.read / use.size : done;
		if (awaited.phase && awaited.phase === (use ? "use" : phase) && share >= (awaited.share ?? 0)) hold();
	};
	const { write } = FileSystemSyncAccessHandle.prototype;
	FileSystemSyncAccessHandle.prototype.write = function (bytes, options) {
		const written = write.call(this, bytes, options);
		if (awaited.rows && options.at > 0) hold(); // a header is at 0
		return written;
	};
	addEventListener("message", ({ data }) => (awaited = data.awaited ?? awaited));
})()`

// heldClient gives a page heldJob(type, request, awaited), a fileJob that holdScript holds: { run, failure }.
// run is the promise of its reply, and failure says why it was not held.
const heldClient = `globalThis.heldJob = async (type, request, awaited) => {
	const isHeld = new Promise((resolve) => (globalThis.isHeld = resolve));
	const run = fileJob(type, { ...request, awaited });
	const ended = run.then((reply) => "it has ended: " + JSON.stringify(reply)?.slice(0, 300),
		({ message }) => message);
	return { run, failure: await Promise.race([isHeld.then(() => ""), ended]) };
}, true`

// holdsJobs gives a page with fileJob heldJob, too.
func (v *visit) holdsJobs() {
	v.Helper()
	name := eval[string](v, `(fileJob.worker.terminate(), crypto.randomUUID())`)
	eval[bool](v, fmt.Sprintf(`globalThis.jobWorker = "page/filejob.js#%s", true`, name))
	eval[bool](v, jobClient)
	eval[any](v, `fileJob("jobs")`)
	v.worker(name, holdScript)
	eval[bool](v, heldClient)
}

// phaseTable is a table that takes each phase of the worker's jobs half a second or more.
func phaseTable() string {
	var table strings.Builder
	table.WriteString("a,b,c,label\n")
	for i := range 400_000 {
		cell := strconv.Itoa(i % 997)
		if i%2 == 0 && i < 380_000 {
			cell = "x"
		}
		fmt.Fprintf(&table, "%d,%s,%d,%s\n", i%101, cell, i%89, []string{"u", "v", "w"}[i%3])
	}
	return table.String()
}

// phaseClient gives a page of phaseTable inPhase(type, request, awaited), which begins a job and holds it: it returns
// failure of heldJob. Then phaseRun has its reply, or its error as a text, and phaseEnded says whether it has ended.
const phaseClient = `globalThis.inPhase = async (type, request, awaited) => {
	const file = chosen, { plan } = await fileJob("open", { file });
	const isPrivate = request.release || type === "usePrivate";
	for (const column of plan.columns) {
		if (isPrivate) {
			const role = column.name !== "label" ? "number" : type === "run" ? "ignore" : "label";
			Object.assign(column, { role, missing: role === "number" ? "zero" : "drop", scaling: "none" });
		} else if (column.name !== "label") Object.assign(column, { role: "number", missing: "drop", scaling: "min-max" });
		else Object.assign(column, { role: type === "learn" ? "label" : "keep", scaling: "none" });
	}
	news.length = 0;
	globalThis.phaseEnded = false;
	const { run, failure } = await heldJob(type,
		{ file, options: {}, plan, params: { nComponents: 256 }, ...request }, awaited);
	globalThis.phaseRun = run.catch(({ message }) => message).finally(() => (phaseEnded = true));
	return failure;
};
globalThis.learned = async (name, content, size) => {
	const file = new File([content], name), { plan } = await fileJob("open", { file });
	await fileJob("learn", { session: 3, rows: Math.random(), file, options: {}, plan, params: { degree: 2 },
		sizes: [16, size], task: "classify", seed: 1 });
	return {};
};
globalThis.toSearch = () => learned("toSearch.csv",
	"a,b,c,label\n" + "1,2,3,u\n2,1,4,v\n5,2,1,w\n7,3,9,u\n".repeat(4000), 256);
globalThis.typed = { format: "csv", compression: "none", encoding: "utf-8", delimiter: ",", quote: '"', decimal: ".",
	thousands: "", header: true, dates: "iso" };
true`

// TestPauseAndStop: in each phase of the worker's jobs, Pause ends the work of all threads, and the job waits for
// Resume. Stop ends it. After either the threads of the job compute for less than 200 ms of each processor. What V8
// compiles meanwhile is not theirs, and other programs take time, but no processor's time of theirs.
func TestPauseAndStop(t *testing.T) {
	t.Parallel()
	v := openJob(t, phaseTable())
	v.holdsJobs()
	eval[bool](v, phaseClient)
	model := eval[string](v, `learned("some.csv", "a,b,c,label\n" + "1,2,3,u\n2,1,4,v\n5,2,1,w\n".repeat(40), 256)
		.then(() => fileJob("learnModel", { D: 256 }))`)
	const learn = `{ session: 2, rows: Math.random(), sizes: [512], task: "classify", seed: 1, params: { degree: 2 } }`
	const kSpace = `{ format: "npy", params: { method: "k-space", nComponents: 64 } }`
	const guarantee = `epsilon: 1, delta: 1e-5, budget: { epsilon: 9, delta: 1e-5 }`
	release := func(kind string) string {
		return fmt.Sprintf(`{ format: "npy", options: typed, release: { kind: %q, rows: 400000, radius: 1, %s } }`, kind,
			guarantee)
	}
	chromium := chromedp.FromContext(v.ctx).Browser.Process().Pid
	allowed := 200 * time.Millisecond * time.Duration(runtime.GOMAXPROCS(0))
	for _, test := range []struct {
		job, request, phase string
	}{
		{"run", `{ format: "npy" }`, "first pass"},
		{"run", `{ format: "npy" }`, "embed"},
		{"run", `{ format: "csv" }`, "embed"},
		{"run", `{ format: "unused" }`, "list"},
		{"run", kSpace, "finding the longest row"},
		{"run", kSpace, "fitting the map"},
		{"learn", learn, "reading"},
		{"learn", learn, "measuring"},
		{"learn", learn, "training"},
		{"learnSearch", `await toSearch()`, "searching"},
		{"learnCheck", `{ ...await toSearch(), D: 256 }`, "checking"},
		{"learnExact", `await toSearch()`, "exact"},
		{"run", release("rows"), "embed"},
		{"run", release("mean"), "embed"},
		{"usePrivate", `{ options: typed, isSample: false, ranges: [], task: "classify", classes: ["u", "v", "w"],
			params: { nComponents: 256, coef0: 1, normalize: "kernel", degree: 2 }, ` + guarantee + ` }`, "use"},
		{"usePredict", fmt.Sprintf(`{ saved: JSON.parse(%q) }`, model), "use"},
	} {
		where := fmt.Sprintf("%s %.40s, %s", test.job, test.request, test.phase)
		asks := func(name string) string { // a request such as learnPause
			for _, prefix := range []string{"learn", "use"} {
				if strings.HasPrefix(test.job, prefix) {
					return prefix + name
				}
			}
			return strings.ToLower(name)
		}
		canPause := !strings.HasPrefix(test.job, "use")
		first := asks(map[bool]string{true: "Pause", false: "Stop"}[canPause])
		began := workOf(t, chromium)
		if failure := eval[string](v, fmt.Sprintf(`(async () =>
			inPhase(%q, %s, { phase: %q, type: %q }))()`, test.job, test.request, test.phase, first)); failure != "" {
			t.Errorf("%s: %s", where, failure)
			continue
		}
		held := workOf(t, chromium)
		paused := time.Duration(0)
		if canPause {
			quiet := waitUntilQuiet(t, chromium)
			paused = quiet.since(held)
			if eval[bool](v, `phaseEnded`) {
				t.Errorf("%s: Pause does not hold it: it has ended with %s", where,
					eval[string](v, `phaseRun.then((reply) => JSON.stringify(reply)?.slice(0, 300) ?? "nothing")`))
				continue
			}
			eval[any](v, fmt.Sprintf(`void fileJob(%q)`, asks("Resume")))
			for runtime.GOOS == "linux" && workOf(t, chromium).since(quiet) < 20*time.Millisecond &&
				!eval[bool](v, `phaseEnded`) {
				time.Sleep(5 * time.Millisecond) // until it works again
			}
			held = workOf(t, chromium)
			eval[any](v, fmt.Sprintf(`void fileJob(%q)`, asks("Stop")))
		}
		reply := eval[string](v, `phaseRun.then((reply) => JSON.stringify(reply) ?? "")`)
		stopped := workOf(t, chromium)
		eval[any](v, `phaseRun.then((reply) => reply?.id && fileJob("remove", { job: reply.id }))`)
		t.Logf("%s: %v until it is held, %v after Pause, %v after Stop: %.200s", where, held.since(began), paused,
			stopped.since(held), reply)
		if paused > allowed || stopped.since(held) > allowed {
			t.Errorf("%s: the threads work for %v after Pause and %v after Stop, want at most %v", where, paused,
				stopped.since(held), allowed)
		}
		if strings.Contains(reply, `"done":true`) || strings.Contains(reply, `"stopped":false`) {
			t.Errorf("%s: Stop does not end it: %.300s", where, reply)
		}
	}
}

// waitUntilQuiet waits until the workers of a browser compute nothing.
func waitUntilQuiet(t *testing.T, browser int) *work {
	t.Helper()
	const tick, quiet = 10 * time.Millisecond, 2
	last, n := workOf(t, browser), 0
	for deadline := time.Now().Add(patience); n < quiet; {
		if time.Now().After(deadline) {
			t.Fatal("the workers compute for two minutes")
		}
		time.Sleep(300 * time.Millisecond)
		now := workOf(t, browser)
		if n++; now.since(last) > tick {
			n = 0
		}
		last = now
	}
	return last
}

// A work is the processor time that the renderers of a browser have taken. Threads that are no workers, such as one
// that compiles, are also counted apart, by their folders in /proc.
type work struct {
	all    time.Duration
	others map[string]time.Duration
}

func workOf(t *testing.T, browser int) *work {
	t.Helper()
	w := &work{others: map[string]time.Duration{}}
	for _, process := range must(filepath.Glob("/proc/[0-9]*"))(t) {
		command, _ := os.ReadFile(process + "/cmdline")
		if !strings.Contains(string(command), "--type=renderer") || !descendsFrom(process, browser) {
			continue
		}
		_, took := processorTime(process)
		w.all += took
		for _, thread := range must(filepath.Glob(process + "/task/*"))(t) {
			if name, took := processorTime(thread); name != "DedicatedWorker" {
				w.others[thread] = took
			}
		}
	}
	return w
}

// since returns what the workers have computed since an earlier work. A worker may have ended since.
func (w *work) since(before *work) time.Duration {
	took := w.all - before.all
	for thread, time := range w.others {
		took -= time - before.others[thread]
	}
	return max(0, took)
}

// processorTime returns the name of a process or thread, and the time of processors that it has taken.
func processorTime(folder string) (name string, took time.Duration) {
	stat, _ := os.ReadFile(folder + "/stat")
	before, rest, _ := strings.Cut(string(stat), ") ")
	_, name, _ = strings.Cut(before, "(")
	if fields := strings.Fields(rest); len(fields) > 12 {
		for _, ticks := range fields[11:13] { // of the user and of the system
			n, _ := strconv.Atoi(ticks)
			took += time.Duration(n) * 10 * time.Millisecond
		}
	}
	return name, took
}
