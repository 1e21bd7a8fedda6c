package dist

import (
	"bytes"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/evanw/esbuild/pkg/api"
)

// TestEntries: what a bundler makes of each entry of the package: the script of a page in bytes with Brotli 11, without
// the text of the worker, which it fetches when a file of the worker cannot start; and the cores that it copies, whose
// bytes with Brotli 5 are more than with 11. TestSizes has the whole core's.
func TestEntries(t *testing.T) {
	for _, e := range []struct {
		name                string
		script, cores, most int
		copied              []string
	}{
		{"map.js", 25_000, 2, 265_000, []string{"tensorsketch.map.wasm", "tensorsketch.map.scalar.wasm"}},
		{"mapsimd.js", 25_000, 1, 118_000, []string{"tensorsketch.map.wasm"}},
		{"tensorsketch.js", 56_000, 4, 0, []string{"tensorsketch.wasm", "tensorsketch.scalar.wasm", // and of searches
			"index.wasm", "index.scalar.wasm"}},
	} {
		result := api.Build(api.BuildOptions{EntryPoints: []string{filepath.Join(npm, e.name)}, Bundle: true,
			Splitting: true, Format: api.FormatESModule, Outdir: t.TempDir(), Target: api.ES2022,
			MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true})
		if len(result.Errors) > 0 {
			t.Fatalf("%s: %v", e.name, result.Errors)
		}
		all := ""
		for _, file := range result.OutputFiles {
			all += string(file.Contents)
			if path.Base(filepath.ToSlash(file.Path)) != e.name {
				continue
			}
			if size := packedBy(brotli.BestCompression, file.Contents); size > e.script {
				t.Errorf("%s is a script of %d bytes, want at most %d", e.name, size, e.script)
			}
		}
		found := regexp.MustCompile(`[\w.]+\.wasm"`).FindAllString(all, -1)
		total := 0
		for _, name := range e.copied {
			if !strings.Contains(strings.Join(found, " "), name+`"`) {
				t.Errorf("%s does not name %s, only %s", e.name, name, found)
			}
			if e.most > 0 {
				total += packedBy(5, read(t, filepath.Join(npm, name)))
			}
		}
		if addresses := regexp.MustCompile(`new URL\("\./[\w.]+\.wasm"`).FindAllString(all, -1); len(addresses) != e.cores {
			t.Errorf("%s names %s, want %d cores", e.name, addresses, e.cores)
		}
		if total > e.most {
			t.Errorf("the cores of %s have %d bytes, want at most %d", e.name, total, e.most)
		}
	}
}

// packedBy returns the bytes that data has with Brotli of some quality.
func packedBy(quality int, data []byte) int {
	var to bytes.Buffer
	w := brotli.NewWriterLevel(&to, quality)
	w.Write(data)
	w.Close()
	return to.Len()
}

// TestNoImportCycle: no module of these entries imports itself, directly or not, so none is used before it has run.
func TestNoImportCycle(t *testing.T) {
	imports := regexp.MustCompile(`(?m)^(?:import|export)\b[^;]*?from\s+"\./([^"]+)"`)
	done := map[string]bool{}
	var visit func(name string, above []string)
	visit = func(name string, above []string) {
		if i := slices.Index(above, name); i >= 0 {
			t.Errorf("modules import each other: %s", strings.Join(append(above[i:], name), " → "))
			return
		}
		if done[name] {
			return
		}
		for _, match := range imports.FindAllSubmatch(read(t, filepath.Join(npm, name)), -1) {
			visit(string(match[1]), append(above, name))
		}
		done[name] = true
	}
	for _, entry := range []string{"tensorsketch.js", "map.js", "mapsimd.js", "tanimoto.js"} {
		visit(entry, nil)
	}
}

// TestSyntax: the modules have no syntax that the least browsers which the package's README names lack.
func TestSyntax(t *testing.T) {
	least := regexp.MustCompile(`Chrome (\d+), Firefox\s+(\d+) or Safari ([\d.]+)`).FindSubmatch(read(t, npm+"/README.md"))
	if least == nil {
		t.Fatal("the README names no least browsers")
	}
	engines := []api.Engine{{Name: api.EngineChrome, Version: string(least[1])},
		{Name: api.EngineFirefox, Version: string(least[2])}, {Name: api.EngineSafari, Version: string(least[3])}}
	for _, name := range files(t, npm) {
		if path.Ext(name) != ".js" {
			continue
		}
		text := string(read(t, filepath.Join(npm, name)))
		newest := api.Transform(text, api.TransformOptions{Target: api.ESNext})
		old := api.Transform(text, api.TransformOptions{Engines: engines,
			Supported: map[string]bool{"regexp-unicode-property-escapes": true}}) // \p{Surrogate}, which all of them know
		if len(old.Errors)+len(old.Warnings) > 0 || !bytes.Equal(newest.Code, old.Code) {
			t.Errorf("%s has newer syntax than %v: %v %v", name, engines, old.Errors, old.Warnings)
		}
	}
}
