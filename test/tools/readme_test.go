//go:build !js

package tools

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tensorsketch.example/test/need"
)

// tested has the rows of the tables of hosts in the package's README, by the beginning of their first cells, and what
// tests each: a pattern of the names in hosts.mjs and frameworks.mjs, or a test of Go.
var tested = map[string]string{
	"Node.js 20, 22, 24, 26":                      "^node ",
	"Deno 2.9, Bun 1.4":                           "TestEngines",
	"Vite 5 to 8, `vite build`":                   "^vite . build",
	"Vite 5 to 8, development server":             "^vite . dev",
	"webpack 5, Rspack 2, Parcel 2":               "^(webpack|rspack|parcel$)",
	"Rollup 4; esbuild 0.28, `--format=esm`":      "^(rollup|esbuild esm|esbuild for Node)",
	"esbuild, `--format=iife` or `cjs`":           "^esbuild (iife|cjs)",
	"Jest 30, Vitest 5":                           "^(jest|vitest)",
	"Angular 22, `ng build` and `ng serve`":       "^angular ",
	"Observable Framework 1.13":                   "^observable,",
	"MV3 extensions in Chromium":                  "^extension",
	"AudioWorklet":                                "^AudioWorklet",
	"Trusted Types":                               "^Trusted Types",
	"`<script type=\"module\">`":                  "^(strict policy|policy without|a page with)",
	"a CDN or any other origin":                   "another origin",
	"one HTML file, or a page without modules":    "^one file",
	"TypeScript 5 to 7":                           "TestTools",
	"Next.js 16, Turbopack and webpack":           "^next ",
	"Nuxt 4.5":                                    "^nuxt,",
	"SvelteKit 3, adapter-node":                   "^sveltekit,",
	"Astro 7, @astrojs/node":                      "^astro,",
	"React Router 8, react-router-serve":          "^react router,",
	"Vite 5 to 8, `build.ssr`":                    "^vite . server",
	"a function in one file, esbuild 0.28":        "^a function in one file",
	"Parcel 2, a library":                         "^parcel, library",
	"files that a tracer finds (@vercel/nft 1.11": "TestTools",
	"Cloudflare Workers":                          "^(wrangler|workerd)",
}

// packages are those that the README names with a version.
var packages = map[string]string{"Rspack": "@rspack/core", "Parcel": "parcel", "Rollup": "rollup", "esbuild": "esbuild",
	"Jest": "jest", "Vitest": "vitest", "Angular": "@angular/core", "Observable Framework": "@observablehq/framework",
	"Next.js": "next", "Nuxt": "nuxt", "SvelteKit": "@sveltejs/kit", "Astro": "astro", "React Router": "react-router",
	"@vercel/nft": "@vercel/nft", "wrangler": "wrangler", "webpack": "webpack", "Miniflare": "miniflare"}

// TestHostsOfReadme: the tables of hosts in the package's README list what is tested, in the versions installed here.
func TestHostsOfReadme(t *testing.T) {
	_, text, _ := strings.Cut(string(need.Value(os.ReadFile("../../packaging/README.md"))(t)), "## Where it runs")
	text, _, _ = strings.Cut(text, "**Small.**")
	names := strings.Split(run(t, ".", "node", "hosts.mjs", "all", "names")+
		run(t, ".", "node", "frameworks.mjs", "names"), "\n")
	rows := regexp.MustCompile(`(?m)^\| ([^|]+) \|`).FindAllStringSubmatch(text, -1)
	wanted, untested := map[string]bool{}, map[string]bool{}
	for row := range tested {
		wanted[row] = true
	}
	for _, name := range names {
		untested[name] = name != ""
	}
	for _, cells := range rows {
		if cells[1] == "host" {
			continue
		}
		found := ""
		for row := range tested {
			if strings.HasPrefix(cells[1], row) {
				found = row
			}
		}
		if found == "" {
			t.Errorf("nothing tests the README's row %s", cells[1])
		}
		delete(wanted, found)
		checkHasTest(t, cells[1], tested[found], names, untested)
	}
	for row := range wanted {
		t.Errorf("the README has no row %s", row)
	}
	for name, is := range untested {
		if is {
			t.Errorf("the README has no row for the tested host %q", name)
		}
	}
	checkVersions(t, text)
}

// checkHasTest: a row has a test. The hosts that its pattern matches are taken out of `untested`.
func checkHasTest(t *testing.T, row, pattern string, names []string, untested map[string]bool) {
	if strings.HasPrefix(pattern, "Test") {
		for _, file := range need.Value(filepath.Glob("*_test.go"))(t) {
			if strings.Contains(string(need.Value(os.ReadFile(file))(t)), "func "+pattern+"(") {
				return
			}
		}
	}
	some := false
	for _, name := range names {
		if pattern != "" && regexp.MustCompile(pattern).MatchString(name) {
			some = true
			delete(untested, name)
		}
	}
	if !some {
		t.Errorf("no host is named %s: the README's row %s", pattern, row)
	}
}

// checkVersions: a version that the README names is the beginning of one that a package.json here has.
func checkVersions(t *testing.T, text string) {
	installed := map[string][]string{}
	for _, folder := range []string{".", "hosts", "frameworks"} {
		var file struct{ DevDependencies map[string]string }
		need.OK(t, json.Unmarshal(need.Value(os.ReadFile(filepath.Join(folder, "package.json")))(t), &file))
		for name, version := range file.DevDependencies {
			installed[name] = append(installed[name], version)
		}
	}
	for name, pack := range packages {
		named := regexp.MustCompile(regexp.QuoteMeta(name)+` (\d+(?:\.\d+)?)\b`).FindAllStringSubmatch(text, -1)
		if len(named) == 0 {
			t.Errorf("the README names no version of %s", name)
		}
		for _, match := range named {
			for _, version := range installed[pack] {
				if !strings.HasPrefix(version+".", match[1]+".") {
					t.Errorf("the README names %s, and %s %s is tested", match[0], pack, version)
				}
			}
			if len(installed[pack]) == 0 {
				t.Errorf("the README names %s, which no package.json has", match[0])
			}
		}
	}
}
