//go:build !js

package page

import (
	"fmt"
	"os"
	"testing"

	"tensorsketch.example/sketch"
)

// TestLeftJobs: embeddings that an older page left half way go on, and their files have the bytes of whole runs. What
// that page stored of them is testdata/left-jobs.json (commit bbb12336). Their features are the first bytes of the file
// of a whole run, because no version changes them.
func TestLeftJobs(t *testing.T) {
	t.Parallel()
	csv, _ := jobRows(t, 9000, 6, sketch.Params{NComponents: 64, Degree: 2, Coef0: 1})
	v := openJob(t, csv)
	eval[bool](v, fmt.Sprintf(`globalThis.left = %s, true`, must(os.ReadFile("testdata/left-jobs.json"))(t)))
	eval[bool](v, `globalThis.goesOn = async (state) => {
		const { plan } = await fileJob("open", { file: chosen });
		const { id } = await fileJob("run", { file: chosen, plan: plain(plan), params: { nComponents: 64, coef0: 1 },
			format: state.format });
		const whole = await (await fileJob("export", { job: id })).arrayBuffer();
		await fileJob("remove", { job: id });

		const jobs = await (await navigator.storage.getDirectory()).getDirectoryHandle("tensorsketch-jobs");
		const folder = await jobs.getDirectoryHandle(state.id, { create: true });
		const write = async (name, content) => {
			const stream = await (await folder.getFileHandle(name, { create: true })).createWritable();
			await stream.write(content);
			await stream.close();
		};
		await write("features", whole.slice(0, state.bytes));
		await write("state-" + state.turn % 2 + ".json", JSON.stringify(state));
		const done = await fileJob("run", { job: state.id, file: chosen });
		const found = new Uint8Array(await (await fileJob("export", { job: state.id })).arrayBuffer());
		await fileJob("remove", { job: state.id });
		const want = new Uint8Array(whole), at = found.findIndex((byte, i) => byte !== want[i]);
		return done.rows === 9000 && done.done && found.length === want.length && at < 0 ? ""
			: done.rows + " rows, " + found.length + " bytes of " + want.length + ", another one at " + at;
	}, true`)
	for i, format := range []string{"npy", "csv", "parquet"} {
		if wrong := eval[string](v, fmt.Sprintf(`goesOn(left[%d])`, i)); wrong != "" {
			t.Errorf("%s: %s", format, wrong)
		}
	}
}
