//go:build !js

package page

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// featuresInNode are those that the JavaScript API makes of a file by a model, in Node.
func featuresInNode(v *visit, model, file string) []byte {
	v.Helper()
	return inNode(v, model, file, `map = made`, `process.stdout.write(new Uint8Array(map.transform(X).buffer));`)
}

// inNode returns what Node writes for the blocks X of rows of a file, by what it has made of a model file, and by the
// map that this has.
func inNode(v *visit, model, file, itsMap, write string) []byte {
	v.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") == "true" {
			v.Fatal("Node is not installed")
		}
		v.Skip("Node is not installed")
	}
	api := must(filepath.Abs(filepath.Join(repo, "public", "api")))(v)
	written, err := exec.Command(node, "--input-type=module", "-e", fmt.Sprintf(`
		const [folder, model, file] = process.argv.slice(1);
		const { readFileSync } = await import("fs");
		const { load } = await import(folder + "/tensorsketch.js"), { loadDataset } = await import(folder + "/dataset.js");
		const [ts, dataset] = await Promise.all([load({ threads: 0 }), loadDataset()]);
		const made = ts.fromJSON(readFileSync(model, "utf8")), %s;
		const source = dataset.source(file), preprocessing = dataset.fromModel(map.preprocessing);
		for (const { X } of dataset.rows(source, dataset.sniff(source, {}, { preprocessing }), preprocessing)) {
			%s
		}
	`, itsMap, write), api, model, file).Output()
	if err != nil {
		if failed, ok := err.(*exec.ExitError); ok {
			v.Fatalf("Node: %s", failed.Stderr)
		}
		v.Fatal(err)
	}
	return written
}

// TestModelFile: a model file that is chosen makes the features of the file that is open or of
// the next one, with the bits that the API makes in Node; what does not fit is said.
func TestModelFile(t *testing.T) {
	t.Parallel()
	v := visitEmbed(t, "#/embed?nComponents=64&seed=tulip&degree=3")
	v.readyAfter(func() { v.choose(v.write("flowers.csv", smallCSV)) })
	v.readyAfter(func() { choose(v, `#columns [data-column="4"]`, "ignore") })
	_, saved := v.download("#save-model")
	model := v.write("flowers-model.json", string(saved))
	// Other flowers, whose own least and largest numbers are others; columns in another order, and one more.
	head, _, _ := strings.Cut(smallCSV, "\n")
	names := strings.Split(head, ",")
	line := func(cells ...string) string { return strings.Join(cells, ",") + "\n" }
	file := v.write("garden.csv", line("extra", names[5], names[3], names[2], names[1], names[4], names[0])+
		line("9", "red", "1.5", "3.1", "5.5", "0.3", "z1")+line("8", "blue", "2.5", "9.1", "2.5", "1.3", "z2")+
		line("7", "green", "0.5", "4.1", "7.5", "2.3", "z3"))

	// Alone, it waits for a file of rows.
	v.do(chromedp.Reload())
	v.ready()
	v.readyAfter(func() { v.choose(model) })
	v.says("#model-note", "flowers-model.json: choose or drop a file of rows…")
	if got := eval[string](v, "location.hash"); !strings.Contains(got, "nComponents=64") ||
		!strings.Contains(got, "seed=tulip") || !strings.Contains(got, "degree=3") {
		t.Errorf("its parameters are not in the link: %s", got)
	}
	check := func(what string) {
		t.Helper()
		if got := v.text("#model-note"); !strings.HasPrefix(got, "The features are made by flowers-model.json.") {
			t.Errorf("%s: %q; %q", what, got, v.text("#problem"))
		}
		_, npy := v.download("#save-npy")
		if want := featuresInNode(v, model, file); len(npy) < 128 || !bytes.Equal(npy[128:], want) || len(want) != 3*64*4 {
			t.Errorf("%s: the page and Node make other features, of %d and %d bytes", what, len(npy), len(want))
		}
	}
	v.readyAfter(func() { v.choose(file) })
	check("then a file")
	if got := eval[string](v, `[...document.querySelectorAll('#columns [data-setting="role"]')]
		.map((s) => s.value).join(" ")`); got != "ignore label number number number ignore keep" {
		t.Errorf("its roles are %q", got)
	}
	_, again := v.download("#save-model")
	if !bytes.Equal(again, saved) {
		t.Errorf("saved again, the model is %.500s\nwant %.500s", again, saved)
	}

	// A change leaves it, and it can be used again.
	v.readyAfter(func() { v.set("degree", "2") })
	v.says("#model-note", "…does not make these features any more…")
	v.readyAfter(func() { v.click("#use-model") })
	check("again")

	// With a file at once; on one that is open; and on one that lacks columns.
	v.do(chromedp.Reload())
	v.ready()
	v.readyAfter(func() { v.choose(model, file) })
	check("together")
	v.readyAfter(func() { v.click("#drop-model") }) // else its result is taken for the next one
	v.wait(`!document.querySelector("#model-note")`)
	v.readyAfter(func() { v.choose(file) })
	v.readyAfter(func() { v.choose(model) })
	check("on an open file")
	v.choose(v.write("other.csv", "a,"+names[1]+"\n1,2\n3,5\n4,4\n"))
	v.until("#problem", "other.csv: it lacks 2 columns that flowers-model.json uses: …"+names[2]+"…"+names[3]+"…")
	v.choose(v.write("broken-model.json", strings.Replace(string(saved), `"degree":3`, `"degree":-3`, 1)))
	v.until("#problem", "broken-model.json: degree must be…")
}
