//go:build !js

package page

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/test/cases"
)

// formatsClient gives a page convert(rows, width, format), which writes rows of numbers
// as a File of a format, "gz" behind it being gzip around it, and embedded(file), which
// embeds it and returns the digest of the features.
const formatsClient = `globalThis.converting = (async () => {
	const { loadDataset } = await import("./api/dataset.js");
	const dataset = await loadDataset({ columnar: true });
	const NAMES = { libsvm: "svm" };
	globalThis.convert = async (rows, width, name) => {
		const [format, around] = name.split(".");
		const encoder = dataset.encoder(format === "tsv" ? "csv" : format, [], width);
		const parts = [encoder.header];
		const n = rows.length / width;
		for (let from = 0; from < n; from += 2000) {
			const part = rows.subarray(from * width, (from + 2000) * width);
			parts.push(encoder.encode(part, { cells: new Uint8Array(0), offsets: new Int32Array(0) }));
		}
		const { header, footer } = encoder.finish(n);
		if (header.length > 0) parts[0] = header;
		parts.push(footer);
		encoder.close();
		if (format === "tsv") for (const part of parts) part.forEach((b, i) => { if (b === 44) part[i] = 9; });
		let blob = new Blob(parts);
		if (around) blob = await new Response(blob.stream().pipeThrough(new CompressionStream("gzip"))).blob();
		return new File([blob], "rows." + (NAMES[format] ?? format) + (around ? ".gz" : ""));
	};
	globalThis.embedded = async (file, params) => {
		const begun = performance.now();
		const { layout, plan } = await fileJob("open", { file });
		plan.columns = plan.sparse ? [] : plan.columns.map(({ name }) => ({ name, role: "number" }));
		if (plan.sparse) plan.sparseWidth = params.nFeatures;
		const { id, rows, done } = await fileJob("run", { file, plan, params, format: "npy" });
		const seconds = (performance.now() - begun) / 1000;
		const { Digest } = await exportedJob(id);
		await fileJob("remove", { job: id });
		return { Name: file.name, Format: layout.format, Compression: layout.compression, Size: file.size, Rows: rows,
			Done: done, Seconds: seconds, Digest };
	};
})(); converting.then(() => true)`

// formatRun is what came of a file.
type formatRun struct {
	Name, Format, Compression string
	Size                      float64
	Rows                      int
	Done                      bool
	Seconds                   float64
	Digest                    string
}

var inFormats = []string{"csv", "tsv", "jsonl", "libsvm", "npy", "parquet", "arrow", "csv.gz", "npy.gz",
	"parquet.gz", "arrow.gz"}

// TestFormats: the same rows in every format are embedded to the same bits.
func TestFormats(t *testing.T) {
	t.Parallel()
	v := jobPage(t)
	eval[bool](v, formatsClient)
	const n, d = 3000, 20
	_, features := jobRows(t, n, d, sketch.Params{NComponents: 64, Degree: 2, Coef0: 1})
	want := fileOf(features, n, 64).Digest
	eval[bool](v, `globalThis.numbers = Float32Array.from({ length: 3000 * 20 }, (_, at) => {
		const [r, i] = [Math.floor(at / 20), at % 20];
		return ((r * 7919 + i * 104729) % 2003 - 1001) / 8;
	}), true`)
	for _, format := range inFormats {
		got := eval[formatRun](v, fmt.Sprintf(`convert(numbers, 20,
			%q).then((file) => embedded(file, { nFeatures: 20, nComponents: 64, coef0: 1 }))`, format))
		if got.Digest != want || !got.Done || got.Rows != n {
			t.Errorf("%s: %+v, want digest %s", format, got, want)
		}
	}
}

// TestFormatsMNIST embeds the digits of MNIST from the IDX file and from the same rows in
// every other format, and logs how long each takes. It takes minutes: ./build.sh soak calls it.
func TestFormatsMNIST(t *testing.T) {
	if !*long {
		return
	}
	const name, n = "mnist-train-images-idx3-ubyte.gz", 60000
	path := cases.Data(t, name)
	const params = `{ nFeatures: 784, nComponents: 256, gamma: 1 / (784 * 65025), coef0: 1 }`
	var first formatRun
	table := ""
	for _, format := range append([]string{"idx", "idx.gz"}, inFormats...) {
		if format == "parquet.gz" || format == "arrow.gz" {
			continue // above the 128 MB that may be unpacked in memory
		}
		v := jobPage(t) // a page of its own, as a visitor's
		eval[bool](v, formatsClient)
		eval[bool](v, `document.body.insertAdjacentHTML("beforeend", '<input type="file" id="images">'), true`)
		v.upload("#images", path)
		run := eval[formatRun](v, fmt.Sprintf(`(async () => {
			const format = %q, params = %s;
			const packed = document.querySelector("#images").files[0];
			if (format === "idx.gz") return embedded(packed, params);
			const bytes = new Uint8Array(
				await new Response(packed.stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
			return embedded(format === "idx" ? new File([bytes], "mnist.idx")
				: await convert(Float32Array.from(bytes.subarray(16)), 784, format), params);
		})()`, format, params))
		if first.Name == "" {
			first = run
		}
		if run.Digest != first.Digest || !run.Done || run.Rows != n {
			t.Errorf("%+v differs from %+v", run, first)
		}
		table += fmt.Sprintf("| %s | %.1f | %.1f | %.0f |\n", format, run.Size/1e6, run.Seconds,
			math.Round(float64(n)/run.Seconds/100)*100)
	}
	t.Logf("%d rows of 784 numbers to 256 features\n| format | MB | s | rows/s |\n%s", n, table)
}

// TestFeaturesReadBack: features and cells written as Parquet and Arrow by the page, whole
// or by a job that was left and taken up again, are read by hyparquet and apache-arrow.
func TestFeaturesReadBack(t *testing.T) {
	t.Parallel()
	installed(t, "readers")
	const n, d, D = 20000, 20, 8
	csv, features := jobRows(t, n, d, sketch.Params{NComponents: D, Degree: 2, Coef0: 1})
	v := openJob(t, csv)
	v.holdsJobs()
	for _, format := range []string{"parquet", "arrow"} {
		run := func(awaited string) string {
			return eval[string](v, fmt.Sprintf(`(async () => {
				const opened = await fileJob("open", { file: chosen });
				const plan = { ...opened.plan,
					columns: plain(opened.plan).columns.map((c) => c.name === "label" ? { ...c, role: "keep" } : c) };
				const { run } = await heldJob("run", { file: chosen, plan, params: { nComponents: %d, coef0: 1 }, format: %q },
					%s);
				return (await run).id;
			})()`, D, format, awaited))
		}
		whole, half := run("undefined"), run(`{ rows: true, type: "stop" }`)
		part := v.readBack(half)
		if len(part) == 0 || len(part) >= n {
			t.Errorf("%s: the job that was stopped has %d rows", format, len(part))
		}
		checkRows(t, format+", the valid part", part, features, D)
		eval[any](v, fmt.Sprintf(`fileJob("run", { job: %q, file: chosen })`, half))
		rows := v.readBack(whole)
		if len(rows) != n {
			t.Errorf("%s: %d rows", format, len(rows))
		}
		checkRows(t, format, rows, features, D)
		if a, b := v.exported(whole), v.exported(half); a != b {
			t.Errorf("%s: a job taken up again writes %+v, want %+v", format, b, a)
		}
		eval[any](v, fmt.Sprintf(`Promise.all([%q, %q].map((job) => fileJob("remove", { job })))`, whole, half))
	}
}

// readBack exports a job and reads the file with a reader of others.
func (v *visit) readBack(job string) (rows [][][2]any) {
	v.Helper()
	file := v.write("features", string(v.bytesOf(job)))
	command := exec.Command("node", filepath.Join(repo, "test", "readers", "read.mjs"), file)
	command.Stderr = os.Stderr
	if err := json.Unmarshal(must(command.Output())(v), &rows); err != nil {
		v.Fatal(err)
	}
	return rows
}

func checkRows(t *testing.T, name string, rows [][][2]any, features []byte, D int) {
	t.Helper()
	for i, row := range rows {
		if len(row) != 2 || row[0] != [2]any{"label", fmt.Sprint("r", i)} || row[1][0] != "features" {
			t.Fatalf("%s, row %d: %.200v", name, i, row)
		}
		var got []byte
		for _, x := range row[1][1].([]any) {
			bits := math.Float32bits(float32(x.(float64)))
			got = append(got, byte(bits), byte(bits>>8), byte(bits>>16), byte(bits>>24))
		}
		if !slices.Equal(got, features[4*D*i:4*D*(i+1)]) {
			t.Fatalf("%s, row %d has other features", name, i)
		}
	}
}
