//go:build !js

// Command bundle writes the files of the npm package that are made of others: worker.js and mapworker.js, which import
// nothing, the same texts as modules, and the sizes of .wasm files. Beside the folder it writes page/onepage.js, the
// library of saved pages. With a second folder it writes tensorsketch.min.js and the sizes of its files there instead.
//
//	go run ./tools/bundle public/api [dist/npm]
//
// With -page it packs the scripts of the page in a copy of public/ (page.go).
//
//	go run ./tools/bundle -page dist/site
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

func main() {
	log.SetFlags(0)
	args := os.Args[1:]
	if len(args) == 2 && args[0] == "-page" {
		packPage(args[1])
		return
	}
	if len(args) < 1 || len(args) > 2 || args[0] == "-page" {
		log.Fatal("usage: bundle FOLDER [FOLDER], or bundle -page FOLDER")
	}
	folder := args[0]
	writeSizes(folder)
	for _, name := range []string{"worker", "mapworker"} {
		worker := bundle("packaging/"+name+".js", "")
		write(folder, name+".js", worker)
		write(folder, name+"text.js", "// Written by tools/bundle: "+name+".js as a text.\n\n"+
			"export default "+text(worker)+";\n")
	}
	if len(args) == 1 {
		write(filepath.Join(folder, "..", "page"), "onepage.js", bundle("packaging/onepage.js", "tensorsketch"))
	} else {
		write(args[1], "tensorsketch.min.js", bundle("packaging/onefile.js", "tensorsketch"))
		writeSizes(args[1])
	}
}

// minified is how every script is packed.
var minified = api.BuildOptions{
	Bundle:            true,
	Target:            api.ES2022,
	Charset:           api.CharsetUTF8,
	MinifyWhitespace:  true,
	MinifyIdentifiers: true,
	MinifySyntax:      true,
	LegalComments:     api.LegalCommentsNone,
	LogLevel:          api.LogLevelWarning,
}

// bundle returns a module and all that it imports as one script, which works as a module too. Its exports are the
// global of that name.
func bundle(entry, global string) string {
	options := minified
	options.EntryPoints, options.GlobalName, options.Format = []string{entry}, global, api.FormatIIFE
	options.Define = map[string]string{"import.meta.url": "undefined"}
	options.Plugins = []api.Plugin{{Name: "gzip", Setup: func(build api.PluginBuild) {
		build.OnLoad(api.OnLoadOptions{Filter: `\.wasm$`}, loadPacked)
		// What is made of two files needs their addresses, and these scripts know no address.
		build.OnLoad(api.OnLoadOptions{Filter: `/toscalar\.js$`}, func(api.OnLoadArgs) (api.OnLoadResult, error) {
			nothing := "export {}"
			return api.OnLoadResult{Contents: &nothing}, nil
		})
		build.OnLoad(api.OnLoadOptions{Filter: `/whole\.js$`}, leaveSearches)
	}}}
	result := api.Build(options)
	if len(result.Errors)+len(result.Warnings) > 0 {
		log.Fatalf("%s cannot be bundled", entry)
	}
	return string(result.OutputFiles[0].Contents)
}

// leaveSearches loads whole.js so that searches, which few want, stay beside the script. Observable Framework refuses a
// script that imports, by a literal, what is not beside it.
func leaveSearches(args api.OnLoadArgs) (api.OnLoadResult, error) {
	content, err := os.ReadFile(args.Path)
	text := strings.Replace(string(content), `import("./rowindex.js")`, `import(["./rowindex.js"][0])`, 1)
	return api.OnLoadResult{Contents: &text}, err
}

// loadPacked loads a file as its bytes with gzip, as few as it makes, in base64.
func loadPacked(args api.OnLoadArgs) (api.OnLoadResult, error) {
	content, err := os.ReadFile(args.Path)
	var packed bytes.Buffer
	if err == nil {
		w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // a level that there is
		_, err = w.Write(content)
		err = errors.Join(err, w.Close())
	}
	text := packed.String()
	return api.OnLoadResult{Contents: &text, Loader: api.LoaderBase64}, err
}

// kinds are the files of a core by the ends of their names, as public/api/corefiles.js calls them.
var kinds = map[string]string{".wasm": "simd", ".scalar.wasm": "scalar", ".toscalar.wasm": "toScalar"}

// writeSizes writes sizes.js of a folder: the bytes of its .wasm files by name. For the files of a core it is by kind.
func writeSizes(folder string) {
	sizes := map[string]map[string]int64{"WHOLE": {}, "LEARN": {}, "MAP": {}, "DATASET": {}} // a page needs one or two
	wasm, err := filepath.Glob(filepath.Join(folder, "*.wasm"))
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range wasm {
		if strings.HasPrefix(filepath.Base(name), "index.") {
			continue // only searches need it, and every page has sizes.js
		}
		info, err := os.Stat(name)
		if err != nil {
			log.Fatal(err)
		}
		of, is := "DATASET", filepath.Base(name)
		for core, start := range map[string]string{"WHOLE": "tensorsketch", "LEARN": "tensorsketch.learn",
			"MAP": "tensorsketch.map"} {
			if end, found := strings.CutPrefix(filepath.Base(name), start); found && kinds[end] != "" {
				of, is = core, kinds[end]
			}
		}
		sizes[of][is] = info.Size()
	}
	script := "// Written by tools/bundle: the bytes of the .wasm files.\n\n"
	for _, kind := range slices.Sorted(maps.Keys(sizes)) {
		script += "export const " + kind + " = " + text(sizes[kind]) + ";\n"
	}
	write(folder, "sizes.js", script)
}

// text returns a value as JSON, which is JavaScript as well.
func text(value any) string {
	bytes, err := json.Marshal(value)
	if err != nil {
		log.Fatal(err)
	}
	return string(bytes)
}

func write(folder, name, text string) {
	if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
		log.Fatal(fmt.Errorf("bundle: %w", err))
	}
}
