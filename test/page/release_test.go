//go:build !js

package page

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"tensorsketch.example/sketch"
)

// Private releases of a file by the worker that embeds files. Noise has no seed, so these tests allow six standard
// deviations.

const (
	releaseRows    = 3000
	releaseD       = 4
	releaseParams  = `{ nComponents: 64, coef0: 1, normalize: "kernel", seed: 5 }`
	releaseReading = `{ format: "csv", compression: "none", encoding: "utf-8", delimiter: ",", quote: '"',
		decimal: ".", thousands: "", header: true, dates: "iso" }`
	releaseRequest = `file: chosen, options: ` + releaseReading + `, format: "npy", params: ` + releaseParams +
		`, plan: { columns: ["a", "b", "c", "d"].map((name) => ({ name, role: "number", missing: "zero" })),
		sparse: false, unitNorm: false }`
)

// releaseTable is a table of rows within radius 1, except three longer ones, with two that cannot be used, and the
// features that its rows have without noise. The tag makes its content its own.
func releaseTable(t *testing.T, tag string) (csv string, Z []float32) {
	t.Helper()
	m, err := sketch.New(sketch.Params{NFeatures: releaseD, NComponents: 64, Coef0: 1,
		Normalize: sketch.NormalizeKernel, Seed: sketch.IntSeed(5)})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "a,b,c,d,%s\n", tag)
	var X []float32
	for r := range releaseRows {
		x := [releaseD]float64{float64(r%7) / 20, float64(r%11) / 40, -float64(r%13) / 50, 0.25}
		if r < 3 {
			x = [releaseD]float64{0, 8, 0, 0}
		}
		fmt.Fprintf(&b, "%g,%g,%g,%g,x\n", x[0], x[1], x[2], x[3])
		if r < 3 {
			x[1] = 1 // as it is clipped
		}
		for _, v := range x {
			X = append(X, float32(v))
		}
		if r == 5 || r == 2000 { // not a number, and a cell too many
			b.WriteString([]string{"1,2,what,4,x\n", "1,2,3,4,5,6\n"}[r/2000])
			X = append(X, make([]float32, releaseD)...)
		}
	}
	if Z, err = m.TransformBatch(nil, X); err != nil {
		t.Fatal(err)
	}
	return b.String(), Z
}

// forget takes away what the browser keeps of jobs, and of what releases of the chosen file have cost.
func (v *visit) forget() {
	v.Helper()
	eval[any](v, `(async () => {
		for (const { id } of await fileJob("jobs")) await fileJob("remove", { job: id });
		await fileJob("resetLedger", { file: chosen });
	})()`)
}

// bytesOf returns the file that a job exports.
func (v *visit) bytesOf(job string) []byte {
	v.Helper()
	return must(base64.StdEncoding.DecodeString(eval[string](v, fmt.Sprintf(`(async () => {
		const file = await fileJob("export", { job: %q });
		const url = await new Promise((resolve) => {
			const reader = new FileReader();
			reader.onload = () => resolve(reader.result);
			reader.readAsDataURL(file);
		});
		return url.slice(url.indexOf(",") + 1);
	})()`, job))))(v)
}

// released returns the numbers of the .npy file of a job.
func (v *visit) released(job string) []float32 {
	v.Helper()
	bytes := v.bytesOf(job)[128:]
	Z := make([]float32, len(bytes)/4)
	must(binary.Decode(bytes, binary.LittleEndian, Z))(v)
	return Z
}

// jobState is what a run returns, or its error.
type jobState struct {
	ID, Error                       string
	Rows, Clipped, Zeroed, Unusable int
	Done                            bool
	Release                         struct {
		Rows, NComponents int
		Bound, Sigma      float64
	}
}

func (v *visit) run(request string) jobState {
	v.Helper()
	text := eval[string](v,
		`fileJob("run", { `+request+` }).then(JSON.stringify, ({ message }) => JSON.stringify({ error: message }))`)
	var state jobState
	if err := json.Unmarshal([]byte(text), &state); err != nil {
		v.Fatalf("%s: %v", text, err)
	}
	return state
}

type ledgerState struct {
	Epsilon, Delta, Spent, Left float64
	Releases                    []struct {
		Kind string
		Rows int
	}
}

// ledger returns what is stored of `chosen`, or of another file.
func (v *visit) ledger(file string) *ledgerState {
	v.Helper()
	return eval[*ledgerState](v, fmt.Sprintf(`fileJob("ledger", { file: %s })`, file))
}

// checkNoise compares rows with noise of σ in each number with the rows without.
func checkNoise(t *testing.T, got, want []float32, sigma float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d numbers, want %d", len(got), len(want))
	}
	n, sum, squares := float64(len(got)), 0.0, 0.0
	for i := range got {
		x := (float64(got[i]) - float64(want[i])) / sigma
		sum += x
		squares += x * x
	}
	if mean := sum / n; math.Abs(mean) > 6/math.Sqrt(n) {
		t.Errorf("the noise has mean %.4f σ over %.0f numbers", mean, n)
	}
	if variance := squares / n; math.Abs(variance-1) > 6*math.Sqrt(2/n) {
		t.Errorf("the noise has variance %.4f σ² over %.0f numbers", variance, n)
	}
}

// TestReleaseOfRows: each row gets its own noise, and rows that cannot be used are zeros in their place. The ledger
// of the file adds up under any name of the file, also after the page is loaded again.
func TestReleaseOfRows(t *testing.T) {
	t.Parallel()
	csv, want := releaseTable(t, "rows")
	v := openJob(t, csv)
	if l := v.ledger("chosen"); l != nil {
		t.Fatalf("there is a ledger: %+v", l)
	}
	const release = `release: { kind: "rows", epsilon: 4, delta: 1e-5, radius: 1, budget: { epsilon: 5, delta: 1e-5 } }`
	state := v.run(releaseRequest + ", " + release)
	if !state.Done || state.Rows != releaseRows+2 || state.Release.Rows != releaseRows+2 || state.Clipped != 3 ||
		state.Unusable != 2 || state.Zeroed != 0 {
		t.Fatalf("the job is %+v", state)
	}
	noisy := v.released(state.ID)
	checkNoise(t, noisy, want, state.Release.Sigma)
	checkNoise(t, noisy[6*64:7*64], want[6*64:7*64], state.Release.Sigma)

	var file struct {
		Kind, Format                         string
		Rows, NComponents                    int
		Epsilon, Delta, Radius, Bound, Sigma float64
		Model                                json.RawMessage
	}
	text := eval[string](v, fmt.Sprintf(`fileJob("release", { job: %q })`, state.ID))
	if err := json.Unmarshal([]byte(text), &file); err != nil {
		t.Fatal(err)
	}
	if file.Format != "tensorsketch-release" || file.Kind != "rows" || file.Rows != releaseRows+2 ||
		file.Epsilon != 4 || file.Radius != 1 || file.Bound != 2 || file.Sigma != state.Release.Sigma ||
		len(file.Model) == 0 || strings.Contains(text, "rows.csv") {
		t.Errorf("the receiver is told %s", text)
	}

	once := v.ledger("chosen")
	if once == nil || once.Epsilon != 5 || math.Abs(once.Spent-4) > 0.02 || len(once.Releases) != 1 ||
		once.Releases[0].Rows != releaseRows+2 {
		t.Fatalf("the ledger is %+v", once)
	}
	// After the page is loaded again, the file by another name, then another file.
	v.leaveJob(csv)
	if again := v.ledger(`new File([chosen], "copy.csv")`); again == nil || again.Spent != once.Spent {
		t.Errorf("the ledger of a copy is %+v", again)
	}
	if other := v.ledger(`new File([chosen, "1,2,3,4,x"], "rows.csv")`); other != nil {
		t.Errorf("the ledger of another file is %+v", other)
	}
	for changed, want := range map[string]string{
		release: "epsilon must be at most",
		strings.Replace(release, "epsilon: 5", "epsilon: 50", 1): "budget must be epsilon 5 at delta 0.00001, " +
			"as in the ledger of this file: it was fixed before its first release",
		`release: { kind: "rows", epsilon: 4, delta: 1e-5, radius: 1 }`: "epsilon must be at most",
	} {
		if state := v.run(releaseRequest + ", " + changed); !strings.HasPrefix(state.Error, want) {
			t.Errorf("%s: %q, want %q", changed, state.Error, want)
		}
	}
	second := v.run(releaseRequest + `, release: { kind: "rows", epsilon: 2, delta: 1e-5, radius: 1, rows: ` +
		fmt.Sprint(releaseRows+2) + ` }`)
	twice := v.ledger("chosen")
	if !second.Done || len(twice.Releases) != 2 || twice.Spent < 4.3 || twice.Spent > 5 {
		t.Errorf("after %+v the ledger is %+v", second, twice)
	}
	if again := v.released(second.ID); again[0] == noisy[0] && again[1] == noisy[1] {
		t.Error("two releases have the same noise")
	}
	// A ledger of another browser, with a release that this one does not know.
	const over = "the releases of these rows, from here and in the ledgers that were loaded, have spent more"
	if got := eval[string](v, `fileJob("ledger", { file: chosen }).then(({ json }) => {
		const saved = JSON.parse(json);
		saved.jobs[0] = "another";
		return fileJob("loadLedger", { file: chosen, text: JSON.stringify(saved) });
	}).then(({ over }) => over, ({ message }) => message)`); !strings.HasPrefix(got, over) {
		t.Errorf("ledgers that spend more than the budget: %s", got)
	}
	// The saved file says so too: loaded where only the first release is known, it leaves nothing to spend.
	if got := eval[string](v, `fileJob("ledger", { file: chosen }).then(({ json }) =>
		fileJob("resetLedger", { file: chosen }).then(() => fileJob("loadLedger", { file: chosen, text: json })))
			.then(({ over }) => over, ({ message }) => message)`); !strings.HasPrefix(got, over) {
		t.Errorf("a saved ledger that is over its budget becomes %q", got)
	}
	small := `, release: { kind: "rows", epsilon: 1e-3, delta: 1e-5, radius: 1 }`
	if third := v.run(releaseRequest + small); !strings.HasPrefix(third.Error, over) {
		t.Errorf("a release beyond the budget: %+v", third)
	}
	for _, job := range []string{state.ID, second.ID} {
		eval[any](v, fmt.Sprintf(`fileJob("remove", { job: %q })`, job))
	}
	if message := eval[string](v, `fileJob("resetLedger", { file: chosen })`); !strings.Contains(message,
		"That does not undo them") {
		t.Errorf("reset says %q", message)
	}
	if l := v.ledger("chosen"); l != nil {
		t.Errorf("after it was reset the ledger is %+v", l)
	}
}

// TestReleaseGoesOn: rows that were released stay as they are when a stopped job goes on, and all are charged once.
func TestReleaseGoesOn(t *testing.T) {
	t.Parallel()
	csv, _ := jobRows(t, 20000, 20, sketch.Params{NComponents: 1})
	v := openJob(t, csv)
	v.holdsJobs()
	half := eval[string](v, `(async () => {
		const columns = Array.from({ length: 20 }, (_, i) => ({ name: "c" + i, role: "number", missing: "zero" }));
		const { run, failure } = await heldJob("run", { file: chosen, options: `+releaseReading+`, format: "npy",
			params: { nComponents: 128, normalize: "kernel" }, plan: { columns, sparse: false, unitNorm: true },
			release: { kind: "rows", epsilon: 2, delta: 1e-5, radius: 1, budget: { epsilon: 2, delta: 1e-5 } } },
			{ rows: true, type: "stop" });
		const state = await run;
		return failure || (state.done ? "done" : state.id);
	})()`)
	before := v.released(half)
	if len(before) == 0 || len(before) == 20000*128 {
		t.Fatalf("%d numbers were released before the stop", len(before))
	}
	v.leaveJob(csv)
	if state := v.run(fmt.Sprintf(`job: %q, file: new File([chosen, "\n"], "rows.csv", { lastModified: 5 })`,
		half)); !strings.Contains(state.Error, "is not the file this embedding was begun with") {
		t.Errorf("another file: %+v", state)
	}
	state := v.run(fmt.Sprintf(`job: %q, file: chosen`, half))
	if !state.Done || state.Rows != 20000 {
		t.Fatalf("%+v", state)
	}
	after := v.released(half)
	for i := range before {
		if after[i] != before[i] {
			t.Fatalf("number %d was %v and is %v", i, before[i], after[i])
		}
	}
	if again := v.run(fmt.Sprintf(`job: %q, file: chosen`, half)); !again.Done || again.Rows != 20000 {
		t.Errorf("again: %+v", again)
	}
	if l := v.ledger("chosen"); len(l.Releases) != 1 || math.Abs(l.Spent-2) > 0.01 {
		t.Errorf("the ledger is %+v", l)
	}
	v.forget()
}

// TestReleaseOfMean: one row, the mean with its noise; a wrong number of rows and a stop release and charge nothing.
func TestReleaseOfMean(t *testing.T) {
	t.Parallel()
	csv, Z := releaseTable(t, "mean")
	v := openJob(t, csv)
	const n = releaseRows + 2
	release := func(rows int) string {
		return fmt.Sprintf(`%s, release: { kind: "mean", epsilon: 1, delta: 1e-5, radius: 1, rows: %d, budget: `+
			`{ epsilon: 1, delta: 1e-5 } }`, releaseRequest, rows)
	}
	for rows, want := range map[int]string{
		n - 1: fmt.Sprintf("the file has more than %d rows, the number that was typed: nothing was released; "+
			"type the right one", n-1),
		// n + 1: a blank last row
		n + 2: fmt.Sprintf("the file has %d rows, and %d was typed; nothing was released: type the right number", n, n+2),
	} {
		if state := v.run(release(rows)); state.Error != want {
			t.Errorf("%d rows: %q, want %q", rows, state.Error, want)
		}
	}
	if jobs := eval[int](v, `fileJob("jobs").then(({ length }) => length)`); jobs != 0 {
		t.Errorf("%d jobs are left", jobs)
	}
	stopped := eval[string](v, `(async () => {
		const run = fileJob("run", { `+release(n)+` });
		await fileJob("stop").catch(() => {});
		const state = await run;
		return state ? String(state.done) + state.rows : "null";
	})()`)
	if stopped != "null" && stopped != "false0" {
		t.Errorf("a stopped mean is %s", stopped)
	}
	if l := v.ledger("chosen"); l != nil {
		t.Fatalf("what released nothing is in the ledger: %+v", l)
	}

	state := v.run(release(n))
	if !state.Done || state.Rows != 1 || state.Clipped != 3 || state.Unusable != 2 {
		t.Fatalf("%+v", state)
	}
	want := make([]float32, 64)
	for j := range want {
		sum := 0.0
		for r := range n {
			sum += float64(Z[r*64+j])
		}
		want[j] = float32(sum / n)
	}
	if sigma := state.Release.Sigma; sigma > 2*2*4.1/n || sigma < 2*2*4.0/n {
		t.Errorf("σ is %v for %d rows", sigma, n)
	}
	checkNoise(t, v.released(state.ID), want, state.Release.Sigma)
	if again := v.run(fmt.Sprintf(`job: %q, file: chosen`, state.ID)); again.Rows != 1 ||
		len(v.ledger("chosen").Releases) != 1 {
		t.Errorf("a mean that is done: %+v, %+v", again, v.ledger("chosen"))
	}
	if again := v.run(release(n)); !strings.HasPrefix(again.Error, "epsilon must be at most") {
		t.Errorf("beyond the budget: %+v", again)
	}
	// The tab was closed when the ledger had been charged and the mean was not written yet.
	eval[any](v, fmt.Sprintf(`(async () => {
		const job = await (await (await navigator.storage.getDirectory()).getDirectoryHandle("tensorsketch-jobs"))
			.getDirectoryHandle(%q);
		const slots = await Promise.all(["state-0.json", "state-1.json"].map((name) => job.getFileHandle(name)));
		const states = await Promise.all(slots.map(async (slot) => JSON.parse(await (await slot.getFile()).text())));
		const newest = states[0].turn > states[1].turn ? states[0] : states[1];
		const turn = newest.turn + 1;
		const writable = await slots[turn %% 2].createWritable();
		await writable.write(JSON.stringify({ ...newest, turn, done: false, rows: 0, bytes: 128 }));
		await writable.close();
	})()`, state.ID))
	if again := v.run(fmt.Sprintf(`job: %q, file: chosen`, state.ID)); !again.Done || again.Rows != 1 ||
		again.Clipped != 3 {
		t.Errorf("a mean that was charged and not written: %+v", again)
	}
	checkNoise(t, v.released(state.ID), want, state.Release.Sigma)
	if l := v.ledger("chosen"); len(l.Releases) != 1 {
		t.Errorf("one job is charged more than once: %+v", l)
	}
	v.forget()
}

// TestReleaseInTwoTabs: of two releases at the same time whose budget allows one, one is made.
func TestReleaseInTwoTabs(t *testing.T) {
	t.Parallel()
	csv, _ := releaseTable(t, "tabs")
	v := openJob(t, csv)
	eval[bool](v, `globalThis.firstJob = fileJob, true`)
	eval[bool](v, jobClient)
	ends := eval[[]string](v, `Promise.all([firstJob, fileJob].map((tab) => tab("run", { `+releaseRequest+`,
		release: { kind: "mean", epsilon: 1, delta: 1e-5, radius: 1, rows: 3002, budget: { epsilon: 1.2, delta: 1e-5 } } })
		.then(({ done }) => done ? "done" : "stopped", ({ message }) => message.slice(0, 23)))).then((ends) => ends.sort())`)
	if want := []string{"done", "epsilon must be at most"}; ends[0] != want[0] || ends[1] != want[1] {
		t.Errorf("the runs end with %q, want %q", ends, want)
	}
	if l := v.ledger("chosen"); len(l.Releases) != 1 {
		t.Errorf("the ledger is %+v", l)
	}
	v.forget()
}

// TestReleaseRefusals: what would be released without noise is refused before anything is read for it.
// test/api/release.test.mjs has all reasons.
func TestReleaseRefusals(t *testing.T) {
	t.Parallel()
	csv, _ := releaseTable(t, "refusals")
	v := openJob(t, csv)
	const jobs = `fileJob("jobs").then(({ length }) => length)`
	before := eval[int](v, jobs) // of tests that had this browser
	const plain = `({ kind: "rows", epsilon: 1, delta: 1e-5, radius: 1, budget: { epsilon: 2, delta: 1e-5 } })`
	eval[bool](v, `globalThis.release = `+plain+`, globalThis.request = { `+releaseRequest+` },
		globalThis.planned = (column) => ({ ...request, release,
			plan: { ...request.plan, columns: [{ ...request.plan.columns[0], ...column }] } }), true`)
	for request, want := range map[string]string{
		`planned({ role: "label" })`:                                     "would be handed on as it is, without noise",
		`{ ...planned({}), options: undefined }`:                         "would be guessed from its rows: type format",
		`{ ...planned({}), params: { method: "spherical" } }`:            "takes rows of length 1 alone",
		`{ ...planned({}), release: { ...release, radius: undefined } }`: "radius must be",
		`{ ...planned({}), release: { ...release, epsilon: 0 } }`:        "epsilon must be",
		`{ ...planned({}), release: { ...release, epsilon: 3 } }`:        "epsilon must be at most",
		`{ ...planned({}), release: { ...release, budget: undefined } }`: "budget is missing",
		`{ ...planned({}), release: { ...release, kind: "mean" } }`:      "rows is missing",
	} {
		if message := eval[string](v, `fileJob("run", `+request+
			`).then(() => "it was made", ({ message }) => message)`); !strings.Contains(message, want) {
			t.Errorf("%s: %q, want %q", request, message, want)
		}
	}
	// More rows than announced: nothing is released.
	state := v.run(releaseRequest + `, release: { ...release, rows: 2 }`)
	if !strings.HasPrefix(state.Error, "the file has 3002 rows, and 2 was typed; nothing was released") {
		t.Errorf("two rows: %+v", state)
	}
	if left := eval[int](v, jobs) - before; left != 0 {
		t.Errorf("%d jobs are left of what was refused", left)
	}
	if l := v.ledger("chosen"); l != nil {
		t.Errorf("what was refused is in the ledger: %+v", l)
	}
	if fresh := eval[*ledgerState](v, `fileJob("ledger", { file: chosen, budget: release.budget })`); fresh == nil ||
		fresh.Spent != 0 || math.Abs(fresh.Left-2) > 0.01 {
		t.Errorf("a new ledger would be %+v", fresh)
	}
}

// storedOf returns the texts of the states that the browser's own files have of a job and its copies, or "" if there
// are no such files.
func (v *visit) storedOf(job string) string {
	v.Helper()
	return eval[string](v, fmt.Sprintf(`(async () => {
		const root = await (await navigator.storage.getDirectory()).getDirectoryHandle("tensorsketch-jobs");
		let text = "";
		for await (const [id, folder] of root.entries()) {
			let own = "";
			for await (const [name, handle] of folder.entries()) {
				if (name.endsWith(".json")) own += id + "/" + name + ": " + await (await handle.getFile()).text() + "\n";
			}
			if (id === %[1]q || own.includes(%[1]q)) text += own;
		}
		return text;
	})()`, job))
}

// TestFinishedRelease: of a finished release the disk never has the file's name or the counts without noise, and a copy
// in another format neither. The next visit deletes both, and the ledger stays.
func TestFinishedRelease(t *testing.T) {
	t.Parallel()
	csv, _ := releaseTable(t, "finished")
	v := openJob(t, csv)
	state := v.run(releaseRequest + `, release: { kind: "rows", epsilon: 4, delta: 1e-5, radius: 1,
		budget: { epsilon: 5, delta: 1e-5 } }`)
	if !state.Done || state.Clipped != 3 || state.Unusable != 2 {
		t.Fatalf("%+v", state)
	}
	if size := eval[int](v, fmt.Sprintf(`fileJob("export", { job: %q, format: "csv" }).then(({ size }) => size)`,
		state.ID)); size < 1000 {
		t.Errorf("in another format the release has %d bytes", size)
	}
	shown := eval[string](v, fmt.Sprintf(
		`fileJob("jobs").then((jobs) => JSON.stringify(jobs.find(({ id }) => id === %q)))`, state.ID))
	for _, want := range []string{`"name":"rows.csv"`, `"clipped":3`, `"unusable":2`} {
		if !strings.Contains(shown, want) {
			t.Errorf("in the visit that made it, the job is %.300s, without %s", shown, want)
		}
	}
	stored := v.storedOf(state.ID)
	if strings.Count(stored, "state-") != 4 {
		t.Errorf("stored is %.500s", stored)
	}
	for _, private := range []string{"rows.csv", `"stem"`, "clipped", "unusable", "zeroed", "lastModified", `"content"`} {
		if strings.Contains(stored, private) {
			t.Errorf("the disk has %s: %.500s", private, stored)
		}
	}
	v.leaveJob(csv)
	if jobs := eval[string](v, `fileJob("jobs").then(JSON.stringify)`); strings.Contains(jobs, state.ID) {
		t.Errorf("the next visit lists %.300s", jobs)
	}
	if stored := v.storedOf(state.ID); stored != "" {
		t.Errorf("after the next visit there is %.300s", stored)
	}
	if l := v.ledger("chosen"); l == nil || len(l.Releases) != 1 {
		t.Errorf("the ledger is %+v", l)
	}
	v.forget()
}

// TestReleaseOutlivesWorker: while the tab holds the visit's lock, another worker lists a finished release, without the
// file's name, and deletes it when the lock is gone.
func TestReleaseOutlivesWorker(t *testing.T) {
	t.Parallel()
	csv, _ := releaseTable(t, "outlives")
	v := openJob(t, csv)
	state := v.run(releaseRequest + `, release: { kind: "rows", epsilon: 4, delta: 1e-5, radius: 1,
		budget: { epsilon: 5, delta: 1e-5 } }`)
	if !state.Done {
		t.Fatalf("%+v", state)
	}
	jobs := func() string {
		return eval[string](v, fmt.Sprintf(
			`fileJob("jobs").then((jobs) => JSON.stringify(jobs.find(({ id }) => id === %q) ?? null))`, state.ID))
	}
	// As fileworker.js asks for it: it is granted once the worker has ended.
	eval[bool](v, fmt.Sprintf(`void navigator.locks.request("tensorsketch-jobs-visit/%s",
		() => new Promise((end) => (globalThis.endVisit = end))), true`, state.ID))
	eval[bool](v, `fileJob.worker.terminate(), true`)
	eval[bool](v, jobClient)
	if job := jobs(); !strings.Contains(job, `"stem":"released"`) || strings.Contains(job, "rows.csv") {
		t.Errorf("another worker lists %.300s", job)
	}
	eval[bool](v, `endVisit(), true`)
	if job := jobs(); job != "null" {
		t.Errorf("after the visit a worker lists %.300s", job)
	}
	v.forget()
}
