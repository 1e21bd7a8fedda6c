//go:build !js

package tools

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tensorsketch.example/dataset/onnx"
	"tensorsketch.example/test/need"
)

// TestONNX: onnxruntime, in Node and in Chromium, says of ONNX files what the package says of the models: the same
// labels, and numbers within 1e-4 of their range (onnx/onnx.test.mjs). Package onnx writes the same bytes natively.
func TestONNX(t *testing.T) {
	folder := fresh(t, "onnx", "onnx/onnx.test.mjs", "onnx/page.js", "onnx/index.html")
	run(t, folder, "node", "--test", "onnx.test.mjs")
	read := func(name string) []byte {
		t.Helper()
		content, err := os.ReadFile(filepath.Join(folder, "cases", name))
		if err != nil {
			t.Fatal(err)
		}
		return content
	}
	worst := parse[map[string]float64](t, string(read("worst.json")))
	for _, name := range slices.Sorted(maps.Keys(worst)) {
		t.Logf("%-28s %.1e of the range", name, worst[name])
	}
	cases := 0
	for ; ; cases++ {
		name := strconv.Itoa(cases)
		if _, err := os.Stat(filepath.Join(folder, "cases", name+".onnx")); err != nil {
			break
		}
		native, err := onnx.Marshal(read(name + ".json"))
		if err != nil || !bytes.Equal(native, read(name+".onnx")) {
			t.Errorf("case %s: natively other bytes, %v", name, err)
		}
	}
	page := string(need.Value(os.ReadFile("../../docs/reliability.md"))(t))
	if cases < 60 || !strings.Contains(page, fmt.Sprintf("\n| %d ONNX files", cases)) {
		t.Errorf("there are %d cases, and docs/reliability.md has another number", cases)
	}
	told := shell.visit(t, map[string]fs.FS{"/": os.DirFS(folder)}, map[string]string{"onnx": "index.html"})
	got := parse[struct {
		Cases, Wrong int
		Largest      float64
		Error        string
	}](t, told["onnx"])
	if got.Error != "" || got.Cases != cases || got.Wrong > 0 || !(got.Largest <= 1e-4) {
		t.Errorf("in %s: %+v", shell.name, got)
	}
	t.Logf("%d cases; in %s off by %.1e of the range at most", cases, shell.name, got.Largest)
}
