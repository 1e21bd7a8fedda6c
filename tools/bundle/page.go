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

// scripts are what index.html and the page start, its workers among them.
var scripts = []string{"boot.js", "fileworker.js", "filejob.js", "poolworker.js", "seeds.js"}

// packPage puts each of the scripts in page/ into one file, and what they share into page/chunk-….js. It removes the
// modules of page/ that are in these now, and has index.html preload the rest. The modules of api/ stay: other sites
// may import them.
func packPage(site string) {
	page := filepath.Join(site, "page")
	var entries []string
	for _, name := range scripts {
		entries = append(entries, filepath.Join(page, name))
	}
	result := api.Build(api.BuildOptions{
		EntryPoints:       entries,
		Bundle:            true,
		Splitting:         true,
		Format:            api.FormatESModule,
		Target:            api.ES2022,
		Charset:           api.CharsetUTF8,
		Outdir:            page,
		ChunkNames:        "chunk-[hash]",
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
		LegalComments:     api.LegalCommentsNone,
		Metafile:          true,
		LogLevel:          api.LogLevelWarning,
		Plugins:           []api.Plugin{{Name: "addresses", Setup: keepAddresses}},
	})
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

	reached := map[string]bool{} // what the first two import, directly or not
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

// keepAddresses has the modules of api/ name the files beside them from page/, where their code is packed.
func keepAddresses(build api.PluginBuild) {
	beside := regexp.MustCompile(`new URL\("\./([^"]+)", import\.meta\.url\)`)
	build.OnLoad(api.OnLoadOptions{Filter: `/api/[^/]+\.js$`}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
		text, err := os.ReadFile(args.Path)
		moved := beside.ReplaceAllString(string(text), `new URL("../api/$1", import.meta.url)`)
		return api.OnLoadResult{Contents: &moved}, err
	})
}
