//go:build !js && !race

package main

import (
	"encoding/json"
	"errors"
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

	"tensorsketch.example/dataset/columns"
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

// TestRoomsImportLittle: the core stays small and portable. It reaches none of these packages, by whatever way, and
// nothing outside the standard library and its own room. Package dataset knows no network, and needs one package of
// others: a reader of zstd. Package columnar needs what unpacks Parquet and Arrow besides.
func TestRoomsImportLittle(t *testing.T) {
	core := []string{"syscall/js", "fmt", "reflect", "encoding/json", "os", "math/rand", "math/rand/v2", "testing"}
	for _, platform := range platforms {
		for _, c := range []struct {
			room              string
			forbidden, others []string
		}{
			{"sketch", core, nil}, {"privacy", core, nil}, {"wasm", core, nil},
			{"dataset", []string{"net"}, []string{"github.com/klauspost/compress"}},
			{"dataset/columnar", []string{"net"}, []string{"github.com/klauspost/compress", "github.com/dsnet/compress",
				"github.com/pierrec/lz4"}},
			{"dataset/onnx", []string{"net"}, []string{"github.com/klauspost/compress", "google.golang.org/protobuf"}},
		} {
			if c.room == "wasm" && platform == nil {
				continue // it exists for js/wasm only
			}
			path := module + "/" + c.room
			deps := strings.Fields(goTool(t, platform, "list", "-deps", "-f", "{{.ImportPath}}|{{.Standard}}", "./"+c.room))
			if deps[len(deps)-1] != path+"|false" {
				t.Fatalf("%v go list -deps %s ends with %s, want the package itself", platform, c.room, deps[len(deps)-1])
			}
			for _, dep := range deps {
				name, standard, _ := strings.Cut(dep, "|")
				isOpen := slices.ContainsFunc(c.others, func(other string) bool { return strings.HasPrefix(name, other) })
				if slices.Contains(c.forbidden, name) || standard == "false" && !isOpen && !open(path, name) {
					t.Errorf("%v %s reaches %s", platform, c.room, name)
				}
			}
		}
	}
}

// room returns the folder of the repository that a package is in.
func room(path string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(path, module), "/"), "/")
	return first
}

// open reports whether a package may import another: one of its own room, of sketch or of internal, and wasm, which is
// their border, of privacy, dataset and jobs too; jobs takes privacy and dataset, cmd and python take jobs and dataset;
// ui and tools take the words for columns and files of dataset/columns, and tools/experiments takes privacy and
// dataset; tests of the page compare what it saves with what dataset reads; any test may say where it is slow.
func open(from, to string) bool {
	const experiments = module + "/tools/experiments"
	words := to == module+"/dataset/columns" && slices.Contains([]string{"", "ui", "tools"}, room(from))
	helpers := []string{"/test/slow", "/test/cases", "/test/golden", "/test/need", "/test/noise", "/test/plainsums"}
	if words || slices.Contains(helpers, strings.TrimPrefix(to, module)) {
		return true
	}
	switch room(to) {
	case room(from), "sketch", "internal":
		return true
	case "jobs":
		return slices.Contains([]string{"wasm", "python", "cmd", "tools", "test"}, room(from))
	case "privacy":
		return room(from) == "wasm" || room(from) == "jobs" || from == experiments
	case "dataset":
		if from == experiments {
			return true
		}
		return slices.Contains([]string{"wasm", "python", "jobs", "cmd", "test"}, room(from))
	}
	return false
}

// floors are the rooms of the page, from the ground up.
var floors = [][]string{
	{"dom", "draw", "family", "format", "pad", "splitmix"},
	{"control", "sample", "table"},
	{"chart", "lesson", "vector"},
	{"algorithm", "bars", "rowsmap"},
	{"buckets", "convergence", "convolution", "embed", "learn", "plane"},
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
}

// TestOneWayToJavaScript: Go calls JavaScript through safejs, whose calls return errors, and only these packages know
// it. What is left of syscall/js is named here with its reason. TinyGo's core has numeric exports and needs neither.
func TestOneWayToJavaScript(t *testing.T) {
	for imported, want := range map[string]map[string]string{
		"github.com/hack-pad/safejs": {
			"ui/internal/dom": "what the page asks the browser",
			"wasm/work":       "what jobs ask the JavaScript API",
		},
		"syscall/js": {
			"ui/main_js.go":               "Vugu's renderer calls eval when it starts",
			"ui/internal/dom/error_js.go": "js.Error, in which safejs returns what was thrown",
			"wasm/work/border.go":         "the same",
		},
	} {
		found, line := map[string]bool{}, regexp.MustCompile(`(?m)^(import|\t)\s*(\w+ )?"`+imported+`"(\s*//.*)?$`)
		for name, text := range committed(t, "*.go") {
			if strings.HasSuffix(name, "_gen.go") || !line.MatchString(text) {
				continue
			}
			if folder := path.Dir(name); want[folder] != "" {
				name = folder
			}
			if found[name] = true; want[name] == "" {
				t.Errorf("%s imports %s: call package dom instead, or give a reason here", name, imported)
			}
		}
		for name := range want {
			if !found[name] {
				t.Errorf("%s does not import %s any more: take it out of the list", name, imported)
			}
		}
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

// TestFormatted: by the toolchain's own gofmt; another version may format otherwise.
func TestFormatted(t *testing.T) {
	gofmt := filepath.Join(goTool(t, nil, "env", "GOROOT"), "bin", "gofmt")
	if out, err := exec.Command(gofmt, "-l", ".").CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("not as gofmt writes them (%v):\n%s", err, out)
	}
}

// maxColumns is the length in characters, a tab being one, that no line written by hand exceeds.
const maxColumns = 120

// TestLinesFit: a line of Go, JavaScript or TypeScript has at most maxColumns characters.
func TestLinesFit(t *testing.T) {
	for name, text := range committed(t, "*.go", "*.js", "*.mjs", "*.ts") {
		if strings.HasSuffix(name, "_gen.go") || strings.Contains("/"+name, "/testdata/") {
			continue // not written here by hand
		}
		number := 0
		for line := range strings.Lines(text) {
			number++
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\r\n")); n > maxColumns {
				t.Errorf("%s:%d has %d characters: break it so that no line has more than %d", name, number, n, maxColumns)
			}
		}
	}
}

// TestLanesRest: each function that calls the lanes on amd64 clears the upper halves of the vector registers at its
// end. Otherwise scalar arithmetic is up to 200 times as slow afterwards, and no other test notices.
func TestLanesRest(t *testing.T) {
	wide := regexp.MustCompile(`\blanes\.[A-Z]|\barchsimd\.Load`)
	rests := regexp.MustCompile(`\b(Rest|ClearAVXUpperBits)\(\)`)
	seen := 0
	for name, text := range committed(t, "*_amd64.go") {
		if strings.Contains(name, "/lanes/") {
			continue
		}
		for function := range strings.SplitSeq(text, "\nfunc ") {
			head, _, _ := strings.Cut(function, "{")
			if !wide.MatchString(function) || !regexp.MustCompile(`\[\]|\*`).MatchString(head) ||
				strings.Contains(head, ") archsimd.") { // it takes no rows, or is a part of another function
				continue
			}
			if seen++; !rests.MatchString(function) {
				t.Errorf("%s: %s leaves the upper halves of the registers in use: call dispatch.Rest at its end", name, head)
			}
		}
	}
	if seen < 20 {
		t.Errorf("%d functions were found", seen)
	}
}

// TestTablesAreWrittenOnce: a file of the product that names many methods or formats is one of these. Others ask
// package sketch or dataset/columns, or import public/api/tables.js, which is made from them.
func TestTablesAreWrittenOnce(t *testing.T) {
	methods, formats := []string{}, []string{}
	for _, m := range sketch.Methods() {
		methods = append(methods, m.Name)
	}
	for _, f := range columns.Formats {
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
		{formats, `\b(NPY|JSONLines|LIBSVM|IDX|Parquet|Arrow|XLSX)\b`, 5, []string{"dataset/columns/format.go",
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
	for file, text := range committed(t, "*.go", "*.js", "*.ts", "*.vugu", "*.html") {
		room, _, _ := strings.Cut(file, "/")
		if !strings.HasSuffix(file, "_test.go") && !slices.Contains([]string{"test", "bench", "tools"}, room) {
			code[file] = comment.ReplaceAllString(text, "")
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
	tags := regexp.MustCompile(`"modulepreload" href="([^"]+)"`)
	for _, match := range tags.FindAllStringSubmatch(readFile(t, "public/index.html"), -1) {
		preloaded = append(preloaded, match[1])
	}
	if !slices.Equal(preloaded, reached) || len(reached) < 8 {
		t.Errorf("index.html preloads %q, want the modules that boot.js reaches, in order: %q", preloaded, reached)
	}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	return string(must(os.ReadFile(name)))
}

// texts returns the files of a folder by name.
func texts(t *testing.T, folder string) map[string]string {
	t.Helper()
	files := map[string]string{}
	entries := must(os.ReadDir(folder))
	for _, entry := range entries {
		if !entry.IsDir() {
			files[entry.Name()] = readFile(t, filepath.Join(folder, entry.Name()))
		}
	}
	return files
}

// The committed scalar engine is what tools/twin makes of internal/engine/lanes, and the _gen.go files of ui are what
// vugugen makes of the .vugu files beside them.
func TestGeneratedFilesAreFresh(t *testing.T) {
	for folder, command := range map[string][]string{
		"internal/engine/scalar": {"run", "./tools/twin", "internal/engine/lanes"}, "ui": {"run", "./tools/vugugen"},
	} {
		made, committed := t.TempDir(), texts(t, folder)
		for name, text := range committed {
			if folder != "ui" || strings.HasSuffix(name, "_gen.go") {
				continue
			}
			if err := os.WriteFile(filepath.Join(made, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		goTool(t, nil, append(command, made)...)
		fresh := texts(t, made)
		if len(fresh) < 5 {
			t.Fatalf("%q wrote %d files", command, len(fresh))
		}
		for name := range committed {
			if _, ok := fresh[name]; !ok {
				t.Errorf("%s/%s is made of nothing: delete it", folder, name)
			}
		}
		for name, text := range fresh {
			if committed[name] != text {
				t.Errorf("%s/%s is not what is generated: run ./build.sh and go generate ./internal/engine/..., and commit it",
					folder, name)
			}
		}
	}
}

// The policy stands in three places: server.go, the page's <meta> and _headers for
// static hosts.
func TestPolicyIsTheSameEverywhere(t *testing.T) {
	text := readFile(t, "packaging/_headers")
	for _, want := range []string{
		"/*\n", "  Content-Security-Policy: " + contentSecurityPolicy + "\n",
		"  X-Content-Type-Options: nosniff\n", "  Referrer-Policy: no-referrer\n",
		"  Cross-Origin-Opener-Policy: same-origin\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("packaging/_headers lacks %q", want)
		}
	}
	_, meta, _ := strings.Cut(readFile(t, "public/index.html"), `http-equiv="Content-Security-Policy"`)
	_, meta, _ = strings.Cut(meta, `content="`)
	meta, _, _ = strings.Cut(meta, `"`)
	policy := strings.Join(strings.Fields(meta), " ")
	if want := contentSecurityPolicy; strings.TrimSuffix(policy, ";") != want {
		t.Errorf("the policy of public/index.html is\n%s\nwant\n%s", policy, want)
	}
}

// committed returns the files of the repository whose names match a pattern, as git knows them, without those that are
// deleted and not yet committed.
func committed(t *testing.T, patterns ...string) map[string]string {
	t.Helper()
	list := []string{"ls-files", "-z", "--cached", "--others", "--exclude-standard"}
	out, err := exec.Command("git", append(list, patterns...)...).Output()
	if err != nil {
		t.Fatalf("git ls-files: %v", err)
	}
	files := map[string]string{}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
			files[name] = readFile(t, name)
		}
	}
	return files
}

// dependencies returns all that a package.json names, with their versions.
func dependencies(t *testing.T, name, text string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for key, value := range parse[map[string]json.RawMessage](t, name, text) {
		if strings.HasSuffix(key, "ependencies") {
			maps.Copy(all, parse[map[string]string](t, name, string(value)))
		}
	}
	return all
}

func parse[T any](t *testing.T, name, text string) (value T) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return value
}

// Every direct dependency stands in RATIONALE.md's table with the reason it is there, and no other. Versions are
// exact.
func TestDependenciesHaveReasons(t *testing.T) {
	_, table, _ := strings.Cut(readFile(t, "RATIONALE.md"), "## Dependencies")
	table, _, _ = strings.Cut(table, "\n## ")
	reasons := map[string]bool{} // whether there is such a dependency
	registry := regexp.MustCompile(` \((npm|PyPI|Maven)\)$`)
	for _, row := range regexp.MustCompile(`(?m)^\| (.+?) \| .+ \|$`).FindAllStringSubmatch(table, -1) {
		if row[1] == "module" {
			continue
		}
		for name := range strings.SplitSeq(registry.ReplaceAllString(row[1], ""), ", ") {
			reasons[name] = false
		}
	}
	check := func(file, name string) {
		t.Helper()
		if _, listed := reasons[name]; !listed {
			t.Errorf("%s needs %s, which RATIONALE.md gives no reason for", file, name)
		}
		reasons[name] = true
	}
	major := regexp.MustCompile(`/v\d+$`)
	for name := range committed(t, "*go.mod") {
		mod := parse[struct {
			Require []struct {
				Path     string
				Indirect bool
			}
			Tool []struct{ Path string }
		}](t, name, goTool(t, nil, "mod", "edit", "-json", name))
		for _, required := range mod.Require {
			isTool := slices.ContainsFunc(mod.Tool, func(tool struct{ Path string }) bool {
				return strings.HasPrefix(tool.Path, required.Path+"/")
			})
			if (!required.Indirect || isTool) && required.Path != module {
				check(name, major.ReplaceAllString(required.Path, ""))
			}
		}
	}
	for name, text := range committed(t, "*package.json") {
		for dependency, version := range dependencies(t, name, text) {
			if alias, found := strings.CutPrefix(version, "npm:"); found { // several versions of one package
				at := strings.LastIndex(alias, "@")
				dependency, version = alias[:at], alias[at+1:]
			}
			check(name, dependency)
			if !regexp.MustCompile(`^\d+\.\d+\.\d+(-r\.\d+)?$`).MatchString(version) {
				t.Errorf("%s takes %s %s, want an exact version", name, dependency, version)
			}
		}
	}
	for name, text := range committed(t, "*pyproject.toml") {
		for _, match := range regexp.MustCompile(`"([\w-]+)==\d+[.]\d+[.]\d+`).FindAllStringSubmatch(text, -1) {
			check(name, match[1])
		}
	}
	// The other lines are what these need in turn.
	engines := regexp.MustCompile(`(?m)^(pyspark|apache-flink)==\d+\.\d+\.\d+$`)
	for name, text := range committed(t, "*requirements-*.txt") {
		for _, match := range engines.FindAllStringSubmatch(text, -1) {
			check(name, match[1])
		}
	}
	needed := regexp.MustCompile(`<dependency>.*<artifactId>([\w.-]+)</artifactId><version>(.*)</version></dependency>`)
	for name, text := range committed(t, "*pom-*.xml") {
		for _, match := range needed.FindAllStringSubmatch(text, -1) {
			check(name, match[1])
			if !regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(match[2]) {
				t.Errorf("%s takes %s %s, want an exact version", name, match[1], match[2])
			}
		}
	}
	run := regexp.MustCompile(`(\S+)/cmd/\w+@v\d|require ([^(\s]+) %s`) // a program that a test or script has Go fetch
	for name, text := range committed(t, "*.go", "*.sh") {
		for _, match := range run.FindAllStringSubmatch(text, -1) {
			check(name, strings.Trim(match[1]+match[2], `"`))
		}
	}
	for name, needed := range reasons {
		if !needed {
			t.Errorf("RATIONALE.md lists %s, which nothing needs", name)
		}
	}
}

// A lock file tells what each package has to be by its hash, and not which registry it came from.
func TestLockFilesNameNoRegistry(t *testing.T) {
	locks := committed(t, "*package-lock.json")
	for name, text := range committed(t, "*package.json") {
		lock := filepath.Join(filepath.Dir(name), "package-lock.json")
		if len(dependencies(t, name, text)) > 0 && locks[lock] == "" {
			t.Errorf("%s has dependencies and no lock file", name)
		}
	}
	for name, text := range locks {
		settings := readFile(t, filepath.Join(filepath.Dir(name), ".npmrc"))
		if !strings.Contains(settings, "omit-lockfile-registry-resolved=true") {
			t.Errorf("%s: the .npmrc beside it does not omit the registry", name)
		}
		lock := parse[struct {
			Packages map[string]struct {
				Resolved, Integrity string
				InBundle            bool // the hash of the package around it counts
			}
		}](t, name, text)
		for path, p := range lock.Packages {
			if at := strings.LastIndex(path, "/node_modules/"); p.InBundle && p.Integrity == "" && at >= 0 {
				p.Integrity = lock.Packages[path[:at]].Integrity
			}
			if path != "" && (p.Resolved != "" || !strings.HasPrefix(p.Integrity, "sha512-")) {
				t.Errorf("%s: %s has the address %q and the hash %q", name, path, p.Resolved, p.Integrity)
			}
		}
	}
	host := regexp.MustCompile(`\bregistry\.[a-z]+\.(org|com)|\bproxy\.[a-z]+\.org|\b(deb|security)\.debian\.org`)
	for name, text := range committed(t) {
		switch filepath.Ext(name) {
		case ".json", ".npmrc", ".mod", ".sum", ".sh", ".yml", ".yaml", ".md", ".mjs", ".js", ".go", "":
			if found := host.FindString(text); found != "" {
				t.Errorf("%s names the registry %s", name, found)
			}
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
	for path, source := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		if path == theFile {
			if !callbacks.MatchString(source) {
				t.Errorf("%s makes no function for JavaScript", path)
			}
			continue
		}
		for k, line := range strings.Split(source, "\n") {
			if found := callbacks.FindString(line); found != "" {
				t.Errorf("%s:%d: %s belongs into %s", path, k+1, found, theFile)
			}
			if found := provokes.FindString(line); found != "" {
				t.Errorf("%s:%d: %s may bring about events at once: use Provoke", path, k+1, found)
			}
		}
	}
}
