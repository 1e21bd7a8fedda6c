//go:build !js && !race

package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"tensorsketch.example/dataset/plan"
	"tensorsketch.example/sketch"
)

// What the rooms of this repository promise each other (DESIGN.md, section 2).

const module = "tensorsketch.example"

// Both builds of a package: its imports differ with its build tags.
var platforms = [][]string{nil, {"GOOS=js", "GOARCH=wasm"}}

// goTool runs a verb of the go command for a platform and returns what it prints.
func goTool(t *testing.T, platform []string, args ...string) string {
	t.Helper()
	command := exec.Command("go", args...)
	command.Env = append(os.Environ(), platform...)
	var stderr strings.Builder
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%v go %v: %v\n%s", platform, args, err, &stderr)
	}
	return strings.TrimSpace(string(out))
}

// The core stays small and portable: it reaches none of these packages, by
// whatever way, and nothing outside the standard library and its own room.
func TestCoreImportsLittle(t *testing.T) {
	forbidden := map[string]bool{"syscall/js": true, "fmt": true, "reflect": true, "encoding/json": true, "os": true,
		"math/rand": true, "math/rand/v2": true, "testing": true}
	for _, platform := range platforms {
		rooms := map[string]string{"./sketch": module + "/sketch", "./privacy": module + "/privacy"}
		if platform != nil {
			rooms["./wasm"] = module + "/wasm" // exists for js/wasm only
		}
		for room, path := range rooms {
			deps := strings.Fields(goTool(t, platform, "list", "-deps", "-f", "{{.ImportPath}}|{{.Standard}}", room))
			if deps[len(deps)-1] != path+"|false" {
				t.Fatalf("%v go list -deps %s ends with %s, want the package itself", platform, room, deps[len(deps)-1])
			}
			for _, dep := range deps {
				name, standard, _ := strings.Cut(dep, "|")
				if forbidden[name] {
					t.Errorf("%v %s reaches %s", platform, room, name)
				}
				if standard == "false" && !open(path, name) {
					t.Errorf("%v %s reaches %s, outside the standard library and what is open to it", platform, room, name)
				}
			}
		}
	}
}

// Package dataset knows no JavaScript, and needs one package of others: a reader of zstd.
func TestDatasetImportsLittle(t *testing.T) {
	for _, platform := range platforms {
		for dep := range strings.FieldsSeq(goTool(t, platform, "list", "-deps", "-f",
			"{{.ImportPath}}|{{.Standard}}", "./dataset")) {
			name, standard, _ := strings.Cut(dep, "|")
			if name == "net" || standard == "false" && !strings.HasPrefix(name, module) &&
				!strings.HasPrefix(name, "github.com/klauspost/compress") {
				t.Errorf("%v dataset reaches %s", platform, name)
			}
		}
	}
}

// Package columnar needs what unpacks Parquet and Arrow besides.
func TestColumnarImportsLittle(t *testing.T) {
	for _, platform := range platforms {
		for dep := range strings.FieldsSeq(goTool(t, platform, "list", "-deps", "-f", "{{.ImportPath}}|{{.Standard}}",
			"./dataset/columnar")) {
			name, standard, _ := strings.Cut(dep, "|")
			isOpen := false
			for _, prefix := range []string{module, "github.com/klauspost/compress", "github.com/dsnet/compress",
				"github.com/pierrec/lz4"} {
				isOpen = isOpen || strings.HasPrefix(name, prefix)
			}
			if name == "net" || standard == "false" && !isOpen {
				t.Errorf("%v dataset/columnar reaches %s", platform, name)
			}
		}
	}
}

// room returns the folder of the repository that a package is in.
func room(path string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(path, module), "/"), "/")
	return first
}

// open tells whether a package may import another: one of its own room, of sketch or of internal,
// and wasm, which is their border, of privacy and dataset too; ui and tools take the words for columns and files of
// dataset/plan; tests of the page compare what it saves with what dataset reads; any test may say where it is slow.
func open(from, to string) bool {
	words := to == module+"/dataset/plan" && slices.Contains([]string{"", "ui", "tools"}, room(from))
	if words || to == module+"/test/slow" || to == module+"/test/need" {
		return true
	}
	switch room(to) {
	case room(from), "sketch", "internal":
		return true
	case "privacy":
		return room(from) == "wasm"
	case "dataset":
		return room(from) == "wasm" || room(from) == "test"
	}
	return false
}

// floors are the rooms of the page, from the ground up (CONTRIBUTING.md).
var floors = [][]string{
	{"dom", "draw", "family", "format", "splitmix"},
	{"control", "report", "sample", "table"},
	{"lesson", "preview", "vector"},
	{"algorithm", "bars", "scatter", "tradeoff"},
	{"buckets", "convergence", "convolution", "embed"},
}

// TestRoomsOfThePage: each room of ui/internal is on one floor and imports only rooms of lower floors. Only ui, which
// wires them, knows dom, and only dom of the rooms knows the browser.
func TestRoomsOfThePage(t *testing.T) {
	const rooms = module + "/ui/internal/"
	floor := map[string]int{}
	for k, names := range floors {
		for _, name := range names {
			floor[rooms+name] = k + 1
		}
	}
	seen := map[string]bool{}
	for _, platform := range platforms {
		for line := range strings.SplitSeq(goTool(t, platform, "list", "-f", `{{.ImportPath}}|{{join .Imports ","}}`,
			"./ui/internal/..."), "\n") {
			path, imports, _ := strings.Cut(line, "|")
			seen[path] = true
			for imported := range strings.SplitSeq(imports, ",") {
				knows := imported == "syscall/js" || strings.HasPrefix(imported, "github.com/")
				switch {
				case knows && path != rooms+"dom":
					t.Errorf("%v %s imports %s, which only dom and ui do", platform, path, imported)
				case strings.HasPrefix(imported, rooms) && floor[imported] >= floor[path], imported == rooms+"dom":
					t.Errorf("%v %s imports %s, which is not on a lower floor", platform, path, imported)
				}
			}
		}
	}
	if got, want := slices.Sorted(maps.Keys(seen)), slices.Sorted(maps.Keys(floor)); !slices.Equal(got, want) {
		t.Errorf("the rooms are %q, on floors are %q", got, want)
	}
	var said []string
	for _, names := range floors {
		said = append(said, "`"+strings.Join(names, "`, `")+"`")
	}
	guide, err := os.ReadFile("CONTRIBUTING.md")
	sentence := strings.Join(said, "; ") + "; and on top `ui`"
	if err != nil || !strings.Contains(string(guide), sentence) {
		t.Errorf("CONTRIBUTING.md does not say %q: %v", sentence, err)
	}
}

// Imports point one way: a package imports only what is open to it, and sketch
// imports no package that is above it.
func TestImportsPointOneWay(t *testing.T) {
	for _, platform := range platforms {
		seen := 0
		const imports = `{{.ImportPath}}|{{join .Imports ","}},{{join .TestImports ","}},{{join .XTestImports ","}}`
		for line := range strings.SplitSeq(goTool(t, platform, "list", "-f", imports, "./..."), "\n") {
			path, imports, _ := strings.Cut(line, "|")
			for imported := range strings.SplitSeq(imports, ",") {
				if !strings.HasPrefix(imported, module) {
					continue
				}
				seen++
				if !open(path, imported) {
					t.Errorf("%v %s imports %s, which is not open to it", platform, path, imported)
				}
			}
		}
		if seen == 0 {
			t.Errorf("%v: no import between packages of this module was found", platform)
		}
	}
}

// gofmt runs the toolchain's own; another version may format otherwise.
func gofmt(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command(filepath.Join(goTool(t, nil, "env", "GOROOT"), "bin", "gofmt"), args...).CombinedOutput()
	if err != nil {
		t.Errorf("gofmt %v: %v", args, err)
	}
	return string(out)
}

func TestFormatted(t *testing.T) {
	if out := gofmt(t, "-l", "."); out != "" {
		t.Errorf("not as gofmt writes them:\n%s", out)
	}
}

// maxColumns is the length in characters, a tab being one, that no line written by hand exceeds.
const maxColumns = 120

// TestLinesFit: a line of Go, JavaScript or TypeScript has at most maxColumns characters.
func TestLinesFit(t *testing.T) {
	for _, pattern := range []string{"*.go", "*.js", "*.mjs", "*.ts"} {
		for _, name := range committed(t, pattern) {
			isOurs := !strings.HasSuffix(name, "_gen.go") && name != "public/page/vugu-helper.js" &&
				!strings.Contains("/"+name, "/testdata/")
			text, err := os.ReadFile(name)
			if errors.Is(err, fs.ErrNotExist) || !isOurs {
				continue // deleted and not yet committed, or not written here by hand
			}
			if err != nil {
				t.Fatal(err)
			}
			number := 0
			for line := range strings.Lines(string(text)) {
				number++
				if n := utf8.RuneCountInString(strings.TrimRight(line, "\r\n")); n > maxColumns {
					t.Errorf("%s:%d has %d characters: break it so that no line has more than %d", name, number, n, maxColumns)
				}
			}
		}
	}
}

// TestTablesAreWrittenOnce: a file of the product that names many methods or formats is one of these. Others ask
// package sketch or dataset/plan, or import public/api/tables.js, which is made from them.
func TestTablesAreWrittenOnce(t *testing.T) {
	methods, formats := []string{}, []string{}
	for _, m := range sketch.Methods() {
		methods = append(methods, m.Name)
	}
	for _, f := range plan.Formats {
		if f.Name != "text" && f.Name != "json" { // which are words for much else
			formats = append(formats, f.Name)
		}
	}
	for _, c := range []struct {
		names    []string
		constant string // of Go
		many     int
		lists    []string
	}{
		{methods, `\bMethod[A-OQ-Z]\w+`, 4, []string{"sketch/method.go", "sketch/cost.go", // facts, and operations
			"public/api/tensorsketch.d.ts", "ui/internal/family/family.go"}}, // words
		{formats, `\b(NPY|JSONLines|LIBSVM|IDX|Parquet|Arrow|XLSX)\b`, 5, []string{"dataset/plan/format.go",
			"dataset/formats.go", "public/api/dataset.d.ts"}},
	} {
		constant := regexp.MustCompile(c.constant)
		for file, text := range productCode(t) {
			literals, constants := 0, map[string]bool{}
			for _, name := range c.names {
				if strings.Contains(text, `"`+name+`"`) {
					literals++
				}
			}
			for _, name := range constant.FindAllString(text, -1) {
				constants[name] = strings.HasSuffix(file, ".go")
			}
			maps.DeleteFunc(constants, func(_ string, isGo bool) bool { return !isGo })
			if n := max(literals, len(constants)); (n >= c.many) != slices.Contains(c.lists, file) {
				t.Errorf("%s has %d names of %s …: it may have fewer than %d, unless it is one of %q", file, n, c.names[0],
					c.many, c.lists)
			}
		}
	}
}

// productCode returns the code of what users get, without comments of whole lines.
func productCode(t *testing.T) map[string]string {
	t.Helper()
	code, comment := map[string]string{}, regexp.MustCompile(`(?m)^\s*(//|\*|/\*).*$|[ \t]// .*$`)
	for _, pattern := range []string{"*.go", "*.js", "*.ts", "*.vugu", "*.html"} {
		for _, file := range committed(t, pattern) {
			room, _, _ := strings.Cut(file, "/")
			if strings.HasSuffix(file, "_test.go") || slices.Contains([]string{"test", "bench", "tools"}, room) {
				continue
			}
			text, err := os.ReadFile(file)
			if errors.Is(err, fs.ErrNotExist) {
				continue // deleted and not yet committed
			}
			if err != nil {
				t.Fatal(err)
			}
			code[file] = comment.ReplaceAllString(string(text), "")
		}
	}
	return code
}

// TestPreloads: index.html preloads the modules that boot.js imports, directly or not, and no others. A module that is
// not preloaded is asked for only when the one that imports it has come.
func TestPreloads(t *testing.T) {
	imports := regexp.MustCompile(`(?m)^(?:(?:import|export|  )[^;\n]* from|import) "(\.[\w./-]+\.js)"`)
	built := []string{"api/goexec.js", "api/sizes.js", "api/tables.js"}
	reached, next := []string{}, []string{"page/boot.js"}
	for len(next) > 0 {
		from := next[0]
		text, err := os.ReadFile(filepath.Join("public", from))
		if err != nil && !slices.Contains(built, from) {
			t.Fatal(err)
		}
		next = next[1:]
		for _, match := range imports.FindAllStringSubmatch(string(text), -1) {
			if name := path.Join(path.Dir(from), match[1]); !slices.Contains(reached, name) {
				reached, next = append(reached, name), append(next, name)
			}
		}
	}
	slices.Sort(reached)
	var preloaded []string
	page, err := os.ReadFile("public/index.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, match := range regexp.MustCompile(`"modulepreload" href="([^"]+)"`).FindAllStringSubmatch(string(page), -1) {
		preloaded = append(preloaded, match[1])
	}
	if !slices.Equal(preloaded, reached) || len(reached) < 20 {
		t.Errorf("index.html preloads %q, want the modules that boot.js reaches, in order: %q", preloaded, reached)
	}
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// The committed scalar engine is what tools/twin makes of sketch/internal/lanes.
func TestScalarEngineIsFresh(t *testing.T) {
	fresh := t.TempDir()
	if out, err := exec.Command("go", "run", "./tools/twin", "sketch/internal/lanes", fresh).CombinedOutput(); err != nil {
		t.Fatalf("twin: %v\n%s", err, out)
	}
	want, got := texts(t, fresh), texts(t, "sketch/internal/scalar")
	if len(want) < 5 {
		t.Fatalf("twin wrote %d files", len(want))
	}
	for name, text := range want {
		if got[name] != text {
			t.Errorf("sketch/internal/scalar/%s is not what tools/twin makes: run go generate ./sketch/... and commit it", name)
		}
		delete(got, name)
	}
	for name := range got {
		t.Errorf("sketch/internal/scalar/%s comes from no file of lanes: delete it", name)
	}
}

// texts returns the files of a folder by name.
func texts(t *testing.T, folder string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, name := range glob(t, filepath.Join(folder, "*")) {
		if info, err := os.Stat(name); err != nil || info.IsDir() {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(name)] = string(text)
	}
	return files
}

// The committed _gen.go files are what vugugen makes of the .vugu files.
func TestGeneratedFilesAreFresh(t *testing.T) {
	fresh := t.TempDir()
	committed := map[string]string{}
	for name, text := range texts(t, "ui") {
		if strings.HasSuffix(name, "_gen.go") {
			committed[name] = text
		} else if err := os.WriteFile(filepath.Join(fresh, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("go", "run", "./tools/vugugen", fresh).CombinedOutput(); err != nil {
		t.Fatalf("vugugen: %v\n%s", err, out)
	}
	generated := 0
	for name, text := range texts(t, fresh) {
		if !strings.HasSuffix(name, "_gen.go") {
			continue
		}
		generated++
		if committed[name] != text {
			t.Errorf("ui/%s is not what vugugen makes: run ./build.sh and commit it", name)
		}
		delete(committed, name)
	}
	if generated == 0 {
		t.Fatal("vugugen wrote no file")
	}
	for name := range committed {
		t.Errorf("ui/%s comes from no .vugu file: delete it", name)
	}
}

// public/page/vugu-helper.js is made by hand from a script of Vugu, whose hash it states: another version of Vugu may
// have another, and the changes that its head lists have to be made to that.
func TestVuguHelperIsOfThisVugu(t *testing.T) {
	vendored, err := os.ReadFile("public/page/vugu-helper.js")
	if err != nil {
		t.Fatal(err)
	}
	stated := regexp.MustCompile(`(?m)^// SHA-256 ([0-9a-f]{64})$`).FindSubmatch(vendored)
	if stated == nil {
		t.Fatal("public/page/vugu-helper.js states no hash")
	}
	folder := goTool(t, nil, "list", "-f", "{{.Dir}}", "github.com/vugu/vugu/domrender")
	script, err := os.ReadFile(filepath.Join(folder, "renderer-js-script.js"))
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%x", sha256.Sum256(script)); got != string(stated[1]) {
		t.Errorf("the script of Vugu has the hash %s, and public/page/vugu-helper.js is from %s: look what has changed",
			got, stated[1])
	}
}

// The policy stands in three places: server.go, the page's <meta> (where
// frame-ancestors has no meaning and is left out) and _headers for static hosts.
func TestPolicyIsTheSameEverywhere(t *testing.T) {
	text, err := os.ReadFile("packaging/_headers")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"/*\n", "  Content-Security-Policy: " + contentSecurityPolicy + "\n",
		"  X-Content-Type-Options: nosniff\n", "  Referrer-Policy: no-referrer\n",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("packaging/_headers lacks %q", want)
		}
	}

	page, err := os.ReadFile("public/index.html")
	if err != nil {
		t.Fatal(err)
	}
	meta := regexp.MustCompile(`(?s)<meta\s+http-equiv="Content-Security-Policy"\s+content="([^"]*)"`).FindSubmatch(page)
	if meta == nil {
		t.Fatal("public/index.html has no policy")
	}
	policy := strings.Join(strings.Fields(string(meta[1])), " ")
	if want := strings.TrimSuffix(contentSecurityPolicy, "; frame-ancestors *"); strings.TrimSuffix(policy, ";") != want {
		t.Errorf("the policy of public/index.html is\n%s\nwant\n%s", policy, want)
	}
}

// committed lists the files of the repository whose names match a pattern, as git knows them.
func committed(t *testing.T, pattern string) []string {
	t.Helper()
	out, err := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", pattern).Output()
	if err != nil {
		t.Fatalf("git ls-files: %v", err)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}

// manifest is what the tests here read of a package.json.
type manifest struct {
	Dependencies, DevDependencies, OptionalDependencies, PeerDependencies map[string]string
}

func (m manifest) all() map[string]string {
	all := map[string]string{}
	for _, some := range []map[string]string{m.Dependencies, m.DevDependencies, m.OptionalDependencies,
		m.PeerDependencies} {
		maps.Copy(all, some)
	}
	return all
}

func readJSON(t *testing.T, name string, value any) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, value); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// Every direct dependency stands in CONTRIBUTING.md's table with the reason it is there, and no other. Versions are
// exact.
func TestDependenciesHaveReasons(t *testing.T) {
	guide, err := os.ReadFile("CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(guide), "## Dependencies")
	table, _, _ = strings.Cut(table, "\n## ")
	reasons := map[string]bool{} // whether there is such a dependency
	for _, row := range regexp.MustCompile(`(?m)^\| (.+?) \| .+ \|$`).FindAllStringSubmatch(table, -1) {
		if row[1] == "module" {
			continue
		}
		for name := range strings.SplitSeq(strings.TrimSuffix(row[1], " (npm)"), ", ") {
			reasons[name] = false
		}
	}
	check := func(file, name string) {
		t.Helper()
		if _, listed := reasons[name]; !listed {
			t.Errorf("%s needs %s, which CONTRIBUTING.md gives no reason for", file, name)
		}
		reasons[name] = true
	}
	major := regexp.MustCompile(`/v\d+$`)
	for _, name := range committed(t, "*go.mod") {
		var mod struct {
			Require []struct {
				Path     string
				Indirect bool
			}
			Tool []struct{ Path string }
		}
		if err := json.Unmarshal([]byte(goTool(t, nil, "mod", "edit", "-json", name)), &mod); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, required := range mod.Require {
			isTool := slices.ContainsFunc(mod.Tool, func(tool struct{ Path string }) bool {
				return strings.HasPrefix(tool.Path, required.Path+"/")
			})
			if !required.Indirect || isTool {
				check(name, major.ReplaceAllString(required.Path, ""))
			}
		}
	}
	for _, name := range committed(t, "*package.json") {
		var m manifest
		readJSON(t, name, &m)
		for dependency, version := range m.all() {
			if alias, found := strings.CutPrefix(version, "npm:"); found { // several versions of one package
				at := strings.LastIndex(alias, "@")
				dependency, version = alias[:at], alias[at+1:]
			}
			check(name, dependency)
			if !regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(version) {
				t.Errorf("%s takes %s %s, want an exact version", name, dependency, version)
			}
		}
	}
	run := regexp.MustCompile(`(\S+)/cmd/\w+@v\d|require ([^(\s]+) %s`) // a program that a test or script has Go fetch
	for _, name := range append(committed(t, "*.go"), committed(t, "*.sh")...) {
		if text, err := os.ReadFile(name); err == nil {
			for _, match := range run.FindAllSubmatch(text, -1) {
				check(name, strings.Trim(string(match[1])+string(match[2]), `"`))
			}
		}
	}
	for name, needed := range reasons {
		if !needed {
			t.Errorf("CONTRIBUTING.md lists %s, which nothing needs", name)
		}
	}
}

// A lock file tells what each package has to be by its hash, and not which registry it came from.
func TestLockFilesNameNoRegistry(t *testing.T) {
	locks := committed(t, "*package-lock.json")
	for _, name := range committed(t, "*package.json") {
		var m manifest
		if readJSON(t, name, &m); len(m.all()) > 0 &&
			!slices.Contains(locks, filepath.Join(filepath.Dir(name), "package-lock.json")) {
			t.Errorf("%s has dependencies and no lock file", name)
		}
	}
	for _, name := range locks {
		settings, err := os.ReadFile(filepath.Join(filepath.Dir(name), ".npmrc"))
		if err != nil || !strings.Contains(string(settings), "omit-lockfile-registry-resolved=true") {
			t.Errorf("%s: the .npmrc beside it does not omit the registry (%v)", name, err)
		}
		var lock struct {
			Packages map[string]struct {
				Resolved, Integrity string
				Link                bool
			}
		}
		readJSON(t, name, &lock)
		for path, p := range lock.Packages {
			if path != "" && (p.Resolved != "" || !strings.HasPrefix(p.Integrity, "sha512-")) {
				t.Errorf("%s: %s has the address %q and the hash %q", name, path, p.Resolved, p.Integrity)
			}
		}
	}
	host := regexp.MustCompile(`\bregistry\.[a-z]+\.(org|com)|\bproxy\.[a-z]+\.org|\b(deb|security)\.debian\.org`)
	for _, name := range committed(t, "*") {
		switch filepath.Ext(name) {
		case ".json", ".npmrc", ".mod", ".sum", ".sh", ".yml", ".yaml", ".md", ".mjs", ".js", ".go", "":
		default:
			continue
		}
		text, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // deleted, and not yet committed
		}
		if err != nil {
			t.Fatal(err)
		}
		if found := host.Find(text); found != nil {
			t.Errorf("%s names the registry %s", name, found)
		}
	}
}

// TestOneWayToTheBrowser: one file of the page makes functions that JavaScript calls, and one
// function calls methods that answer with an event before they return. Else a handler could wait
// for what has called it. It begins the goroutines too, whose panics would end the application.
func TestOneWayToTheBrowser(t *testing.T) {
	const theFile = "ui/internal/dom/loop_js.go"
	callbacks := regexp.MustCompile(
		`^\s*go (func|\w+\.)|\bFuncOf\(|\bEventEnv\(\)\.|\.UnlockRender\(|\.UnlockOnly\(`)
	provokes := regexp.MustCompile(
		`\.(?:Call|Ask)\((?:.*, )?"(blur|click|close|dispatchEvent|focus|goOffline|print|requestFullscreen|` +
			`requestSubmit|reset|scrollIntoView|show|showModal|showPicker|showPopover|submit)"`)
	files := committed(t, "ui/*.go")
	if len(files) < 50 {
		t.Fatalf("%d files", len(files))
	}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if path == theFile {
			if n := len(callbacks.FindAll(source, -1)); n == 0 {
				t.Errorf("%s makes no function for JavaScript", path)
			}
			continue
		}
		for k, line := range strings.Split(string(source), "\n") {
			if found := callbacks.FindString(line); found != "" {
				t.Errorf("%s:%d: %s belongs into %s", path, k+1, found, theFile)
			}
			if found := provokes.FindString(line); found != "" {
				t.Errorf("%s:%d: %s may bring about events at once: use Provoke", path, k+1, found)
			}
		}
	}
}
