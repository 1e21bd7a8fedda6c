//go:build !js

package main

import (
	"encoding/json"
	"fmt"
	"log"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// scripts are the modules that index.html and the page start. The first two are in index.html, the others are workers.
var scripts = []string{"boot.js", "fileworker.js", "filejob.js", "poolworker.js", "seeds.js"}

// packPage packs each of the scripts with the modules that it imports into one file, and shared modules into
// page/chunk-….js. It removes the packed modules of page/. The modules of api/ stay, because other sites may import
// them. index.html then preloads the chunks that its two scripts import, directly or not.
func packPage(site string) {
	page := filepath.Join(site, "page")
	var entries []string
	for _, name := range scripts {
		entries = append(entries, filepath.Join(page, name))
	}
	options := minified
	options.EntryPoints, options.Outdir, options.ChunkNames = entries, page, "chunk-[hash]"
	options.Format, options.Splitting, options.Metafile = api.FormatESModule, true, true
	options.Plugins = []api.Plugin{{Name: "addresses", Setup: keepAddresses}}
	result := api.Build(options)
	if len(result.Errors)+len(result.Warnings) > 0 {
		log.Fatalf("the scripts of %s cannot be packed", page)
	}
	var packed struct {
		Inputs  map[string]any
		Outputs map[string]struct {
			Imports []struct{ Path, Kind string }
		}
	}
	if err := json.Unmarshal([]byte(result.Metafile), &packed); err != nil {
		log.Fatal(err)
	}
	for name := range packed.Inputs {
		if filepath.Dir(name) == filepath.Clean(page) {
			if err := os.Remove(name); err != nil {
				log.Fatal(err)
			}
		}
	}
	for _, file := range result.OutputFiles {
		write(page, filepath.Base(file.Path), string(file.Contents))
	}

	reached := map[string]bool{}
	next := slices.Clone(entries[:2])
	for ; len(next) > 0; next = next[1:] {
		for _, to := range packed.Outputs[next[0]].Imports {
			if to.Kind == "import-statement" && !reached[to.Path] {
				reached[to.Path] = true
				next = append(next, to.Path)
			}
		}
	}
	var links strings.Builder
	for _, name := range slices.Sorted(maps.Keys(reached)) {
		fmt.Fprintf(&links, "<link rel=\"modulepreload\" href=\"page/%s\">\n", filepath.Base(name))
	}
	index := filepath.Join(site, "index.html")
	text, err := os.ReadFile(index)
	if err != nil {
		log.Fatal(err)
	}
	preloads := regexp.MustCompile(`(<link rel="modulepreload" href="[^"]+">\n)+`)
	if found := preloads.FindAllIndex(text, -1); len(found) != 1 {
		log.Fatalf("%s has %d blocks of preloads, want 1", index, len(found))
	}
	write(site, "index.html", preloads.ReplaceAllLiteralString(string(text), links.String()))
}

// keepAddresses changes addresses in the modules of api/: their code is packed into page/, and the files that it names
// stay in api/.
func keepAddresses(build api.PluginBuild) {
	beside := regexp.MustCompile(`new URL\("\./([^"]+)", import\.meta\.url\)`)
	build.OnLoad(api.OnLoadOptions{Filter: `/api/[^/]+\.js$`}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
		text, err := os.ReadFile(args.Path)
		moved := beside.ReplaceAllString(string(text), `new URL("../api/$1", import.meta.url)`)
		return api.OnLoadResult{Contents: &moved}, err
	})
}
