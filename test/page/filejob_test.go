//go:build !js

package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"tensorsketch.example/sketch"
)

// jobClient gives a page fileJob(type, request), a call to a worker of its own.
const jobClient = `globalThis.fileJob = (() => {
	const worker = new Worker(globalThis.jobWorker ?? "page/filejob.js", { type: "module" });
	const waiting = new Map();
	let last = 0;
	globalThis.news = [];
	worker.onmessage = ({ data }) => {
		if (data.isHeld) isHeld();
		if (data.progress) news.push(data.progress);
		if (data.begun !== undefined || !waiting.has(data.id)) return;
		const { resolve, reject } = waiting.get(data.id);
		if (data.error) reject(Object.assign(new Error(data.error.message), data.error));
		else resolve(data.result);
	};
	return Object.assign((type, request) => new Promise((resolve, reject) => {
		waiting.set(++last, { resolve, reject });
		worker.postMessage({ id: last, type, ...request });
	}), { worker });
})();
// A plan whose numbers stay as they are.
globalThis.plain = (plan) => ({ ...plan, columns: plan.columns.map((column) => ({ ...column, scaling: "none" })) });
globalThis.exportedJob = async (job) => {
	const file = await fileJob("export", { job });
	const digest = await crypto.subtle.digest("SHA-256", await file.slice(128).arrayBuffer());
	return { Header: String.fromCharCode(...new Uint8Array(await file.slice(0, 128).arrayBuffer())),
		Size: file.size, Digest: new Uint8Array(digest).toHex?.() ?? [...new Uint8Array(digest)]
		.map((b) => b.toString(16).padStart(2, "0")).join("") };
};
true`

// jobRows is a table and the bytes of the features of its rows.
func jobRows(t *testing.T, n, d int, p sketch.Params) (csv string, features []byte) {
	t.Helper()
	var b strings.Builder
	for i := range d {
		fmt.Fprintf(&b, "c%d,", i)
	}
	b.WriteString("label\n")
	var X []float32
	for r := range n {
		for i := range d {
			x := float64((r*7919+i*104729)%2003-1001) / 8
			X = append(X, float32(x))
			fmt.Fprintf(&b, "%g,", x)
		}
		b.WriteString("r" + strconv.Itoa(r) + "\n")
	}
	p.NFeatures = d
	m := must(sketch.NewFeatureMap(p))(t)
	Z := must(m.TransformBatch(nil, X))(t)
	for _, z := range Z {
		features = binary.LittleEndian.AppendUint32(features, math.Float32bits(z))
	}
	return b.String(), features
}

// jobPage shows a page with fileJob, without jobs of tests that had this browser.
func jobPage(t *testing.T) *visit {
	t.Helper()
	v := visitPlace(t, "#/about")
	eval[bool](v, jobClient)
	eval[any](v, `(async () => { for (const { id } of await fileJob("jobs")) await fileJob("remove", { job: id }); })()`)
	return v
}

// openJob shows one whose chosen file is a table.
func openJob(t *testing.T, csv string) *visit {
	t.Helper()
	v := jobPage(t)
	v.chooseJob(csv)
	return v
}

// leaveJob loads the page again, and chooses the same file.
func (v *visit) leaveJob(csv string) {
	v.Helper()
	v.do(chromedp.Reload())
	v.pictured()
	eval[bool](v, jobClient)
	v.chooseJob(csv)
}

// chooseJob makes globalThis.chosen of a table, a File that is the same again after
// the page is loaded anew.
func (v *visit) chooseJob(csv string) {
	v.Helper()
	eval[bool](v, fmt.Sprintf(`globalThis.chosen = new File([%q], "rows.csv", { lastModified: 5 }), true`, csv))
}

// exportedFile is an .npy file that a job has written.
type exportedFile struct {
	Header string
	Size   int
	Digest string // of what follows the header
}

func (v *visit) exported(job string) exportedFile {
	v.Helper()
	return eval[exportedFile](v, fmt.Sprintf("exportedJob(%q)", job))
}

// fileOf is the file of the first rows, of n float32 each.
func fileOf(features []byte, rows, n int) exportedFile {
	size := 4 * rows * n
	header := fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }", rows, n)
	return exportedFile{fmt.Sprintf("\u0093NUMPY\x01\x00\x76\x00%-117s\n", header), 128 + size,
		fmt.Sprintf("%x", sha256.Sum256(features[:min(size, len(features))]))}
}

// TestFileJob: a file is embedded by a worker into the private file system, bit for bit;
// when the page is left half way, it goes on when it is back, or saves the valid part.
func TestFileJob(t *testing.T) {
	t.Parallel()
	p := sketch.Params{NComponents: 512, Degree: 2, Coef0: 1}
	const request = `plan: plain(opened.plan), params: { nComponents: 512, coef0: 1 }, format: "npy"`
	const n = 30000
	csv, features := jobRows(t, n, 20, p)
	v := openJob(t, csv)
	whole := eval[string](v, `(async () => {
		const opened = await fileJob("open", { file: chosen });
		const state = await fileJob("run", { file: chosen, `+request+` });
		return state.done && state.rows === 30000 ? state.id : JSON.stringify(state);
	})()`)
	if got, want := v.exported(whole), fileOf(features, n, 512); got != want {
		t.Fatalf("%s: %+v, want %+v", whole, got, want)
	}

	v.holdsJobs()
	if failure := eval[string](v, `(async () => {
		const opened = await fileJob("open", { file: chosen });
		const { failure } = await heldJob("run", { file: chosen, `+request+` }, { rows: true, type: "pause" });
		return failure;
	})()`); failure != "" {
		t.Fatal(failure)
	}
	// Until the rows are stored.
	eval[any](v, `(async () => {
		while (!(await fileJob("jobs")).some(({ done, rows }) => !done && rows > 0)) {
			await new Promise((resolve) => setTimeout(resolve, 5));
		}
	})()`)
	v.leaveJob(csv)
	half := eval[string](v, `(async () => {
		let jobs = await fileJob("jobs");
		while (jobs.some(({ written }) => written)) jobs = await fileJob("jobs"); // until the worker of before has ended
		const left = jobs.filter(({ done }) => !done);
		return left.length === 1 && left[0].rows > 0 && left[0].rows < 30000 && left[0].file.name === "rows.csv"
			? left[0].id : "jobs: " + jobs.map(({ rows, done, turn }) => [rows, done, turn].join());
	})()`)
	part := v.exported(half)
	if want := fileOf(features, (part.Size-128)/(4*512), 512); part != want {
		t.Errorf("the part is %+v, want %+v", part, want)
	}
	if message := eval[string](v, fmt.Sprintf(
		`fileJob("run", { job: %q, file: new File(["a\n1"], "rows.csv") }).catch(({ message }) => message)`,
		half)); !strings.Contains(message, "is not the file this embedding was begun with") {
		t.Errorf("another file: %q", message)
	}
	eval[any](v, fmt.Sprintf(`fileJob("run", { job: %q, file: chosen })`, half))
	if got, want := v.exported(half), fileOf(features, n, 512); got != want {
		t.Errorf("after going on: %+v, want %+v", got, want)
	}
	if left := eval[int](v, fmt.Sprintf(`(async () => { await fileJob("remove", { job: %q });
		return (await fileJob("jobs")).length; })()`, half)); left != 1 {
		t.Errorf("%d jobs are left, want 1", left)
	}
	eval[any](v, fmt.Sprintf(`fileJob("remove", { job: %q })`, whole))
	for _, call := range []string{`"export", { job: %q }`, `"run", { job: %q, file: chosen }`} {
		const want = "this embedding was removed, perhaps in another tab: embed the file again"
		call = fmt.Sprintf(`fileJob(`+call+`).then(() => "done", ({ message }) => message)`, whole)
		if got := eval[string](v, call); got != want {
			t.Errorf("%s: %q, want %q", call, got, want)
		}
	}
}

// TestFileJobModel: a model file of Node or Go is applied to a file. Its columns are found by name, and there is no
// first pass. The model of a job is such a file too.
func TestFileJobModel(t *testing.T) {
	t.Parallel()
	read := func(name string) string {
		text := must(os.ReadFile("../../dataset/testdata/" + name))(t)
		return string(text)
	}
	v := openJob(t, read("new-rows.csv"))
	eval[bool](v, fmt.Sprintf(`globalThis.model = %q, true`, read("model.json")))
	job := eval[string](v, `(async () => {
		const state = await fileJob("run", { file: chosen, model, format: "npy" });
		return state.done && state.rows === 4 && !news.some(({ phase }) => phase === "first pass") ? state.id
			: JSON.stringify(state);
	})()`)
	if got, want := v.exported(job).Digest, strings.TrimSpace(read("new-rows.sha256")); got != want {
		t.Errorf("%s: the features have digest %s, want %s", job, got, want)
	}
	if got := eval[string](v, fmt.Sprintf(`fileJob("model", { job: %q })`, job)); got != read("model.json") {
		t.Errorf("the model of the job is %s", got)
	}
	eval[any](v, fmt.Sprintf(`fileJob("remove", { job: %q })`, job))

	const jobs = `fileJob("jobs").then(({ length }) => length)` // another test may have left one in this browser
	before := eval[int](v, jobs)
	const message = `.then(() => "", ({ message }) => message)`
	for _, refused := range [][2]string{ // dataset.FromModel refuses more
		{`file: new File(["size,weight,colour,note\n1,2,red,x\n"], "new.csv"), model`,
			`new.csv: it has no column "day", and the preprocessing needs it; ` +
				`rename the column or choose another file.`},
		{`file: chosen, model: JSON.stringify({ ...JSON.parse(model), preprocessing: undefined })`,
			"this model file says nothing about the columns of a file: " +
				"choose one that was saved with an embedding, or say what the columns become"},
		{`file: chosen, model: "{"`,
			"model must be JSON: Expected property name or '}' in JSON at position 1 (line 1 column 2)"},
		{`file: chosen, model, key: new Uint8Array(32)`, "key must be left out: this model has no key"},
	} {
		request, want := `{ `+refused[0]+`, format: "csv" }`, refused[1]
		if got := eval[string](v, `fileJob("run", `+request+`)`+message); got != want {
			t.Errorf("%s: %q, want %q", request, got, want)
		}
	}
	if left := eval[int](v, jobs) - before; left != 0 {
		t.Errorf("%d jobs are left of what was refused", left)
	}
}

// TestFileJobRowNumbers: a job that is stopped and goes on keeps its row numbers. Labels beside a .npy and the rows
// that were left out are jobs like others. A release takes none of them.
func TestFileJobRowNumbers(t *testing.T) {
	t.Parallel()
	table := func(n int) (content, labels string) {
		var rows, kept strings.Builder
		for i := range n {
			if i%3 == 1 {
				fmt.Fprintf(&rows, "x,1,l%d\n", i)
				continue
			}
			fmt.Fprintf(&rows, "%d,1,l%d\n", i, i)
			fmt.Fprintf(&kept, "%d,l%d\n", i+2, i)
		}
		return "a,b,label\n" + rows.String(), "row,label\n" + kept.String()
	}
	content, labels := table(20_000)
	v := openJob(t, content)
	v.holdsJobs()
	eval[bool](v, `globalThis.textOf = async (request, stops) => {
		const { plan } = await fileJob("open", { file: chosen });
		for (const column of plan.columns) {
			if (column.role === "number") Object.assign(column, { missing: "drop", scaling: "none" });
		}
		Object.assign(plan.columns[0], { role: "number", missing: "drop", scaling: "none" });
		const { run } = await heldJob("run", { file: chosen, plan, params: { nComponents: 256 }, ...request },
			stops ? { rows: true, type: "stop" } : undefined);
		let state = await run;
		if (stops && (state.done || state.rows === 0)) return "not stopped: " + JSON.stringify(state).slice(0, 300);
		if (stops) state = await fileJob("run", { job: state.id, file: chosen });
		const text = state.done ? await (await fileJob("export", { job: state.id })).text() : JSON.stringify(state);
		await fileJob("remove", { job: state.id });
		return text.replace(/^([^,\n]*,[^,\n]*),-?[0-9.].*$/gm, "$1").replace(/,f0.*/, ""); // without the features
	}, true`)
	if got := eval[string](v, `textOf({ format: "csv", rowNumbers: true }, true)`); got != labels {
		t.Errorf("%.400q, want %.200q", got, labels)
	}
	n := 100_000 // of some blocks, so that Stop comes before the last
	content, labels = table(n)
	v.chooseJob(content)
	if got := eval[string](v, `textOf({ format: "labels" }, true)`); got != labels {
		t.Errorf("the labels are %.400q, want %.200q", got, labels)
	}
	rows, err := csv.NewReader(strings.NewReader(eval[string](v, `textOf({ format: "unused" }, true)`))).ReadAll()
	if err != nil || len(rows) != 1+n/3 {
		t.Fatalf("%d rows left out, %v: %.1q", len(rows), err, rows)
	}
	for k, row := range rows[1:] {
		line := strconv.Itoa(3*k + 3)
		if row[0] != line || row[1] != "line "+line+`, column 1 ("a")` || row[2] != `"x" is not a number` {
			t.Fatalf("row %d left out is %q", k, row)
		}
	}
	const release = `release: { kind: "rows", epsilon: 1, delta: 1e-5, radius: 1, budget: { epsilon: 1, delta: 1e-5 } }`
	for _, request := range []string{`format: "csv", rowNumbers: true`, `format: "labels"`, `format: "unused"`} {
		const want = "row numbers, labels and the list of the rows left out carry no noise"
		got := eval[string](v, `textOf({ `+request+`, `+release+` }).catch(({ message }) => message)`)
		if !strings.Contains(got, want) {
			t.Errorf("a release with %s: %.300q", request, got)
		}
	}
}

// TestFileJobKey: a keyed job needs its key again to go on, and neither its state nor its model hold it unless asked.
func TestFileJobKey(t *testing.T) {
	t.Parallel()
	p := sketch.Params{NComponents: 512, Degree: 2, Keyed: true,
		Seed: sketch.BytesSeed([32]byte(bytes.Repeat([]byte{7}, 32)))}
	const n = 20000
	csv, features := jobRows(t, n, 20, p)
	v := openJob(t, csv)
	v.holdsJobs()
	const key = `new Uint8Array(32).fill(7)`
	half := eval[string](v, `(async () => {
		const { plan } = await fileJob("open", { file: chosen });
		const { run, failure } = await heldJob("run", { file: chosen, plan: plain(plan), params: { nComponents: 512 },
			key: `+key+`, format: "npy" }, { rows: true, type: "stop" });
		const state = await run;
		if (failure) return failure;
		return state.done || /07070707|\[7,7,7|7,7,7,7/.test(JSON.stringify(state)) ? JSON.stringify(state) : state.id;
	})()`)
	const message = `.then(() => "", ({ message }) => message)`
	const isAnother = "key must be the key of the model, and this is another one"
	for _, refused := range [][2]string{
		{`undefined`, "key is missing: the model does not hold it, so give it as an option"},
		{`new Uint8Array(32).fill(8)`, isAnother},
		{`{ passphrase: "correct horse", salt: new Uint8Array(16), iterations: 600000 }`, isAnother},
		{`{ passphrase: "correct horse", salt: new Uint8Array(8) }`, "salt must be a Uint8Array of " +
			"at least 16 bytes, such as crypto.getRandomValues gives once, to be kept in the model, " +
			"or the keySalt of a model, got Uint8Array of 8 bytes"},
	} {
		key, want := refused[0], refused[1]
		run := fmt.Sprintf(`fileJob("run", { job: %q, file: chosen, key: %s })`, half, key)
		if got := eval[string](v, run+message); got != want {
			t.Errorf("key %s: %q, want %q", key, got, want)
		}
	}
	eval[any](v, fmt.Sprintf(`fileJob("run", { job: %q, file: chosen, key: %s })`, half, key))
	if got, want := v.exported(half), fileOf(features, n, 512); got != want {
		t.Errorf("after going on: %+v, want %+v", got, want)
	}
	held := strings.Repeat("07", 32)
	if model := eval[string](v, fmt.Sprintf(`fileJob("model", { job: %q })`, half)); strings.Contains(model, held) ||
		!strings.Contains(model, "keyCheck") {
		t.Errorf("the model is %s", model)
	}
	withKey := fmt.Sprintf(`fileJob("model", { job: %q, key: %s, includeKey: true })`, half, key)
	if model := eval[string](v, withKey); !strings.Contains(model, `"key":"`+held+`"`) {
		t.Errorf("the model with its key is %s", model)
	}
	eval[any](v, fmt.Sprintf(`fileJob("remove", { job: %q })`, half))
}
