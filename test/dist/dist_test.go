// Package dist tests what `./build.sh dist` made.
package dist

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"flag"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

const (
	repo   = "../.."
	site   = repo + "/dist/site"
	public = repo + "/public"
	npm    = repo + "/dist/npm"
)

// files lists the files of a folder by their paths in it.
func files(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err = filepath.Rel(dir, name)
		names = append(names, filepath.ToSlash(name))
		return err
	})
	if err != nil {
		t.Fatalf("run ./build.sh dist first: %v", err)
	}
	return names
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

var quality = flag.Int("brotli", 11, "the quality that ./build.sh dist was given: 11 or 5")

// What a visitor loads. A page loads one of the cores; a bundler emits both. Learning is a third of each. An empty Go
// program has 420,000 bytes. ui.wasm is the application, all places and pictures; 45,000 of it read files as the
// visitor says, apply model files, and ask before a release is charged; some 15,000 report how far to trust a model;
// 36,000 draw a thousand seeds, x ⊗ x beside the cells of two sketches, features as maps, and errors against p.
// Models as ONNX are 80,000 of dataset.wasm. Another 90,000 tell the shapes of JSON, headers, what stands around a
// table, and labels; 172,000 are the jobs of package jobs, since fit, evaluate, embed and checks of a model are among
// them, and counts of cells that a model cuts; 3,000 say what columns hold, 8,000 ask for a search, and 50,000 are
// private releases and ledgers, which JavaScript made before. tools/shrink takes 200,000 off the first and 250,000 off
// the second. Of the core 14,000 prepare rows, keep some of them, and
// make logits; 100 of the scalar core are the rule by which few rows take column weights. A search is 900 of
// worker.js, and 28,000 of tensorsketch.min.js, which has the core in it; that onProgress holds a fit is 600 and
// 1,000; pools of rows are 3,000, first answers 1,500, and rows as objects 4,400. What lets tensorsketch/map do
// without learning is 800 of worker.js and 2,500 of tensorsketch.min.js. Of the scalar core 300 are gaps of the heap
// and later rules of weights. Of tensorsketch.min.js 1,500 are neighbours by cosine and by distance, and the way to
// searches, which it does not hold; 1,000 are that tensorsketch/learn can do without private releases, that results
// need not be copied, and the remedies of more hosts. Of dataset.wasm 4,000 are units and times of day in every
// format, and labels that are missing; 5,000 are structured, Cauchy and signed features. Signs are 100 of worker.js.
// Of ui.wasm 5,000 are classes and ranges as people type them, the questions of a private training, and what links say;
// a word more or less moves what quality 11 makes of it by 10,000 up or down. Of dataset.wasm 1,500 are new categories,
// and columns whose first cells are empty; 2,500 are checksums, checks of hostile models, what ONNX says of numbers,
// and the ends of uncut ones.
func TestSizes(t *testing.T) {
	at5 := map[string]int{ // thousandths of what Brotli makes with quality 11
		"api/tensorsketch.wasm.br": 1130, "api/tensorsketch.toscalar.wasm.br": 1250,
		"page/ui.wasm.br": 1202, "api/dataset.wasm.br": 1202,
	}
	for name, limit := range map[string]int{
		"api/worker.js": 38_100, "../npm/tensorsketch.min.js": 519_000,
		"api/tensorsketch.wasm.br": 180_000, "api/tensorsketch.toscalar.wasm.br": 76_500,
		"api/tensorsketch.wasm": 495_000, "../npm/tensorsketch.scalar.wasm": 495_000,
		"api/index.wasm.br": 13_500, "api/index.toscalar.wasm.br": 5_000, "api/rowindex.js": 24_000,
		"page/ui.wasm.br": 1_312_000, "api/dataset.wasm.br": 1_494_000,
	} {
		if *quality == 5 && at5[name] > 0 {
			limit = limit * at5[name] / 1000
		}
		if size := len(read(t, filepath.Join(site, name))); size > limit {
			t.Errorf("%s has %d bytes, want at most %d", name, size, limit)
		}
	}
}

func TestCompressedFilesHoldTheirSources(t *testing.T) {
	names := files(t, site)
	for _, name := range names {
		packed := read(t, filepath.Join(site, name))
		var r io.Reader
		var err error
		switch filepath.Ext(name) {
		case ".br":
			r = brotli.NewReader(bytes.NewReader(packed))
		case ".gz":
			r, err = gzip.NewReader(bytes.NewReader(packed))
		case ".wasm":
			if !slices.Contains(names, name+".br") || !slices.Contains(names, name+".gz") {
				t.Errorf("%s has no .br or no .gz beside it", name)
			}
			continue
		default:
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		source := strings.TrimSuffix(name, filepath.Ext(name))
		if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, read(t, filepath.Join(site, source))) {
			t.Errorf("%s does not hold the bytes of %s: %v", name, source, err)
		}
	}
}

// The site works below any path, and loads nothing from elsewhere.
func TestSiteURLsAreRelative(t *testing.T) {
	absolute := map[string]*regexp.Regexp{
		".html": regexp.MustCompile(`(?i)(<link[^>]*\shref|\ssrc|\saction|\ssrcset)\s*=\s*["']?(/|https?:)[^"'\s>]*`),
		".css":  regexp.MustCompile(`(?i)(url\(\s*["']?(/|https?:)|@import)[^)]*`),
		".js":   regexp.MustCompile(`\b(import|from|import\(|fetch\(|new URL\()\s*["'](/|[a-z]+://)[^"']*`),
	}
	seen := map[string]int{}
	for _, name := range files(t, site) {
		pattern := absolute[filepath.Ext(name)]
		if pattern == nil {
			continue
		}
		seen[filepath.Ext(name)]++
		if found := pattern.Find(read(t, filepath.Join(site, name))); found != nil {
			t.Errorf("%s names an address that is not relative: %s", name, found)
		}
	}
	if seen[".html"] == 0 || seen[".css"] == 0 || seen[".js"] == 0 {
		t.Errorf("dist/site holds %v files by kind, want some of each", seen)
	}
}

// TestPagePacked: index.html preloads the scripts that its two modules import, directly or not, and no others. No
// module is left beside the scripts that hold it.
func TestPagePacked(t *testing.T) {
	imports := regexp.MustCompile(`\b(?:from|import)"\./([\w.-]+\.js)"`)
	var reached []string
	for next := []string{"boot.js", "fileworker.js"}; len(next) > 0; next = next[1:] {
		for _, match := range imports.FindAllSubmatch(read(t, filepath.Join(site, "page", next[0])), -1) {
			if name := string(match[1]); !slices.Contains(reached, name) {
				reached, next = append(reached, name), append(next, name)
			}
		}
	}
	slices.Sort(reached)
	var preloaded []string
	links := regexp.MustCompile(`"modulepreload" href="page/([^"]+)"`)
	for _, match := range links.FindAllSubmatch(read(t, filepath.Join(site, "index.html")), -1) {
		preloaded = append(preloaded, string(match[1]))
	}
	if !slices.Equal(preloaded, reached) || len(reached) == 0 {
		t.Errorf("index.html preloads %q, want %q", preloaded, reached)
	}
	apart := []string{"page/onepage.js", "page/vugu-helper.js"} // a text of predictpage.js, and a script
	for _, name := range files(t, site) {
		if path.Dir(name) == "page" && path.Ext(name) == ".js" && !packedInto.MatchString(name) &&
			!slices.Contains(apart, name) {
			t.Errorf("%s is not packed", name)
		}
	}
}

// Every module of the package is reached from an entry, and every file that a module names is in the package.
// tensorsketch.js needs nothing of the others.
func TestModulesOfThePackage(t *testing.T) {
	reference := regexp.MustCompile(`(?m)(?:\bfrom\s+|\bimport\s*\(?\s*|new URL\(\s*)["'](\.\.?/[^"']+)["']`)
	names := files(t, npm)
	reached := map[string]bool{}
	var reach func(name string)
	reach = func(name string) {
		if reached[name] {
			return
		}
		if reached[name] = true; !slices.Contains(names, name) {
			t.Errorf("%s is named, and not in the package", name)
		} else if strings.HasSuffix(name, ".js") {
			for _, match := range reference.FindAllSubmatch(read(t, filepath.Join(npm, name)), -1) {
				reach(path.Clean(string(match[1])))
			}
		}
	}
	reach("tensorsketch.js")
	if reached["dataset.js"] || reached["dataset.wasm"] {
		t.Errorf("tensorsketch.js needs what reads files")
	}
	if reached["map.js"] || reached["tensorsketch.map.wasm"] || reached["tensorsketch.learn.wasm"] {
		t.Errorf("tensorsketch.js needs what is for maps or models alone")
	}
	for _, entry := range entries(t) {
		reach(entry)
	}
	reached["tensorsketch.min.js"] = true // for pages without modules
	for _, name := range []string{"tensorsketch", "tensorsketch.learn", "tensorsketch.map", "index"} {
		reached[name+".scalar.wasm"] = true // for who names its folder or gives its content
	}
	if script := read(t, filepath.Join(npm, "tensorsketch.min.js")); bytes.Contains(script, []byte(`import("./`)) {
		t.Error("tensorsketch.min.js imports by a literal: Observable Framework refuses it where the file is not beside")
	}
	for _, name := range names {
		if ext := filepath.Ext(name); (ext == ".js" || ext == ".wasm") && !reached[name] {
			t.Errorf("%s is in the package, but nothing in it names it", name)
		}
	}
}

// Each document that the package cites is in it.
func TestCitedDocuments(t *testing.T) {
	for _, name := range files(t, npm) {
		if ext := filepath.Ext(name); ext != ".ts" && ext != ".js" && name != "README.md" {
			continue
		}
		for _, cited := range regexp.MustCompile(`\bdocs/\w+\.md`).FindAll(read(t, filepath.Join(npm, name)), -1) {
			if _, err := os.Stat(filepath.Join(npm, string(cited))); err != nil {
				t.Errorf("%s cites a document that is not in the package: %v", name, err)
			}
		}
	}
}

// What package.json promises. Its version is the newest of the changelog. It claims no home that it does not have, and
// so no provenance, which needs one. It installs nothing else and runs nothing. A bundler may drop each unused module,
// since none is imported for its side effects.
func TestPackageManifest(t *testing.T) {
	var manifest struct {
		SideEffects                                                   *bool
		Name, Version, License, Author, Homepage, Bugs                string
		Repository                                                    struct{ Type, URL string }
		PublishConfig                                                 struct{ Access, Provenance any }
		Dependencies, PeerDependencies, OptionalDependencies, Scripts map[string]string
		Exports                                                       map[string]any
	}
	if err := json.Unmarshal(read(t, npm+"/package.json"), &manifest); err != nil {
		t.Fatal(err)
	}
	newest := regexp.MustCompile(`(?m)^## \[?v?(\d+\.\d+\.\d+)`).FindSubmatch(read(t, repo+"/CHANGELOG.md"))
	if newest == nil || string(newest[1]) != manifest.Version {
		t.Errorf("the newest release in CHANGELOG.md is %q, package.json has %q", newest, manifest.Version)
	}
	if manifest.SideEffects == nil || *manifest.SideEffects {
		t.Error("package.json does not say that sideEffects is false")
	}
	if m := manifest; m.Name == "" || m.License != "MIT" || m.Author == "" || m.PublishConfig.Access != "public" {
		t.Errorf("package.json lacks something of what is to be published: %+v", m)
	}
	hasHome := manifest.Repository.URL != ""
	if m := manifest; hasHome != (m.Homepage != "") || hasHome != (m.Bugs != "") ||
		hasHome != (m.PublishConfig.Provenance == true) {
		t.Errorf("package.json has some of repository, homepage, bugs and provenance, want all or none: %+v", m)
	}
	if n := len(manifest.Dependencies) + len(manifest.PeerDependencies) + len(manifest.OptionalDependencies) +
		len(manifest.Scripts); n > 0 {
		t.Errorf("package.json has %d dependencies and scripts, want none", n)
	}
	bare := regexp.MustCompile(`(?m)^\s*import\s*["'].*`)
	loose := regexp.MustCompile(`[^.\w](fs|path|process)\.\w+\(`) // goexec hides these names of globalThis
	for _, name := range files(t, npm) {
		if filepath.Ext(name) != ".js" {
			continue
		}
		text := read(t, filepath.Join(npm, name))
		if found := bare.Find(text); found != nil {
			t.Errorf("%s imports for a side effect: %s", name, found)
		}
		if found := loose.Find(text); name == "goexec.js" && found != nil {
			t.Errorf("%s needs a global: %s", name, found)
		}
	}
	for name, target := range manifest.Exports {
		paths := []any{target}
		if conditions, ok := target.(map[string]any); ok {
			paths = []any{conditions["types"], conditions["default"]}
		}
		for _, path := range paths {
			if found, err := filepath.Glob(filepath.Join(npm, path.(string))); err != nil || len(found) == 0 {
				t.Errorf("%s is exported as %s, which is not in the package", name, path)
			}
		}
	}
}

// What is compiled names no folder of this machine. TestReproducible builds it again in another clone.
func TestNoFoldersOfThisMachine(t *testing.T) {
	clone, err := filepath.Abs(repo)
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "env", "GOROOT", "GOMODCACHE", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	folders := append(strings.Fields(string(out)), clone+"/")
	for _, name := range files(t, site) {
		if filepath.Ext(name) != ".wasm" {
			continue
		}
		module := read(t, filepath.Join(site, name))
		for _, folder := range folders {
			if bytes.Contains(module, []byte(folder)) {
				t.Errorf("%s contains the folder %s", name, folder)
			}
		}
	}
}

// release.js lists what the page loads, by the hashes of what is served.
func TestReleaseListsTheSite(t *testing.T) {
	text, _ := bytes.CutPrefix(read(t, filepath.Join(site, "release.js")), []byte("self.release = "))
	var release struct {
		Version string
		Bytes   int
		Files   map[string]string
	}
	if err := json.Unmarshal(bytes.TrimSuffix(text, []byte(";\n")), &release); err != nil ||
		!regexp.MustCompile(`^[0-9a-f]{16}$`).MatchString(release.Version) {
		t.Fatalf("release.js: %v, version %q", err, release.Version)
	}
	size := 0
	for _, name := range files(t, site) {
		switch filepath.Ext(name) {
		case ".css", ".html", ".js", ".wasm":
		default:
			continue
		}
		if name == "release.js" || name == "serviceworker.js" {
			continue
		}
		content := read(t, filepath.Join(site, name))
		size += len(content)
		hash := sha256.Sum256(content)
		if got, want := release.Files[name], "sha256-"+base64.StdEncoding.EncodeToString(hash[:]); got != want {
			t.Errorf("%s is listed with %q, want %q", name, got, want)
		}
		delete(release.Files, name)
	}
	if len(release.Files) > 0 || release.Bytes != size {
		t.Errorf("release.js lists %v too, and %d bytes, want %d", release.Files, release.Bytes, size)
	}
}
