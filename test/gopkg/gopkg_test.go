// Package gopkg has a stranger use the Go module from a clone, by the commands of the README, in a fresh module, with
// the Go that go.mod asks for and with the one that build.sh takes; and gives the module another path.
package gopkg

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"maps"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// must is for what is not under test.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

const (
	root = "../.."
	path = "tensorsketch.example"
)

// cloneInto copies the files that git has or would take into a folder, as a clone has them.
func cloneInto(t *testing.T, folder string) {
	t.Helper()
	list, err := exec.Command("git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		t.Skip("the list of the module's files needs git, and the repository as a clone: ", err)
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		info, err := os.Stat(filepath.Join(root, name))
		if err != nil {
			continue // it was removed and git not told yet
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		to := filepath.Join(folder, name)
		err = errors.Join(err, os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, text, info.Mode().Perm()))
		if err != nil {
			t.Fatal(err)
		}
	}
}

// The repository is a module that a proxy can serve: no file name is one that not every system takes, for instance.
func TestModuleZip(t *testing.T) {
	folder := t.TempDir()
	cloneInto(t, folder)
	anyVersion := module.Version{Path: path, Version: "v1.2.3"} // nothing in the module knows its own
	if err := zip.CreateFromDir(io.Discard, anyVersion, folder); err != nil {
		t.Fatal(err)
	}
}

// A toolchain is a go command and the experiments it is given.
type toolchain struct{ goCommand, version, experiment string }

// toolchains returns the oldest that go.mod allows, without experiments, as a
// stranger has it; and the one that runs this test, with its experiments.
func toolchains(t *testing.T) []toolchain {
	t.Helper()
	text := must(os.ReadFile(filepath.Join(root, "go.mod")))
	mod := must(modfile.Parse("go.mod", text, nil))
	release := "go" + strings.TrimSuffix(mod.Go.Version, ".0")
	own := strings.Fields(run(t, ".", nil, "go", "env", "GOVERSION", "GOEXPERIMENT"))
	list := []toolchain{{"go", own[0], strings.Join(own[1:], "")}}
	for _, folder := range filepath.SplitList(os.Getenv("PATH")) {
		command := exec.Command(filepath.Join(folder, "go"), "env", "GOVERSION")
		command.Env = append(os.Environ(), "GOTOOLCHAIN=local", "GOROOT=", "GOEXPERIMENT=")
		if out, err := command.Output(); err == nil && strings.HasPrefix(string(out), release) {
			return append(list, toolchain{command.Path, strings.TrimSpace(string(out)), ""})
		}
	}
	command := exec.Command("go", "env", "GOROOT")
	command.Env = append(os.Environ(), "GOTOOLCHAIN=go"+mod.Go.Version, "GOROOT=", "GOEXPERIMENT=")
	out, err := command.Output()
	if err != nil {
		t.Skipf("the oldest Go of go.mod, %s, is not in PATH and could not be fetched: %v", release, err)
	}
	return append(list, toolchain{filepath.Join(strings.TrimSpace(string(out)), "bin", "go"), "go" + mod.Go.Version, ""})
}

// run returns what a command prints.
func run(t *testing.T, folder string, environment []string, args ...string) string {
	t.Helper()
	command := exec.Command(args[0], args[1:]...)
	command.Dir = folder
	command.Env = append(os.Environ(), environment...)
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, &stderr)
	}
	return string(out)
}

// program is what the stranger writes: it reads models and rows from vectors and
// prints the features.
const program = `package main

import (
	"encoding/json"
	"log"
	"os"

	"tensorsketch.example/privacy"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/model"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	var cases []struct {
		Model json.RawMessage
		Rows  [][]float32
	}
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		log.Fatal(err)
	}
	var all [][]float32
	for _, c := range cases {
		m := must(model.Unmarshal(c.Model))
		sums := must(learn.NewMoments(learn.Shape{NComponents: m.NComponents()}, learn.Grid{Step: 1}, 0))
		for _, row := range c.Rows {
			x := must(privacy.ClipRows(nil, row, len(row), 1e9))
			z := must(m.TransformRows(nil, sketch.Dense(x)))
			if err := sums.AddFeatures(z, nil, nil, nil); err != nil {
				log.Fatal(err)
			}
			all = append(all, z)
		}
		if sums.Rows() != int64(len(c.Rows)) {
			log.Fatalf("%d rows were added up, want %d", sums.Rows(), len(c.Rows))
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(all); err != nil {
		log.Fatal(err)
	}
}
`

// vectorsOf returns cases of every method and the features of all their rows, without
// the cases that need a key or several vectors for a row.
func vectorsOf(t *testing.T) (input []byte, want [][]float32) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(root, "sketch/testdata/vectors/*.json"))
	if err != nil || len(names) == 0 {
		t.Fatalf("there are no vectors: %v", err)
	}
	type vectors struct {
		Model          json.RawMessage `json:"model"`
		Rows, Features [][]float32
	}
	var all []vectors
	var features [][]float32
	for _, name := range names {
		text := must(os.ReadFile(name))
		var cases []vectors
		if err := json.Unmarshal(text, &cases); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, c := range cases {
			if bytes.Contains(c.Model, []byte(`"hash":"key"`)) || bytes.Contains(c.Model, []byte(`"nFeatures":[`)) {
				continue
			}
			all, features = append(all, c), append(features, c.Features...)
		}
	}
	if input, err = json.Marshal(all); err != nil {
		t.Fatal(err)
	}
	return input, features
}

// ways returns the commands of the README that make a clone beside it known to a module, by the first of each.
func ways(t *testing.T) map[string][]string {
	t.Helper()
	readme := must(os.ReadFile(filepath.Join(root, "README.md")))
	all := map[string][]string{}
	for block := range strings.SplitSeq(string(readme), "```sh\n") {
		block, _, _ = strings.Cut(block, "```")
		if strings.HasPrefix(block, "go mod edit -replace "+path) || strings.HasPrefix(block, "go work init") {
			lines := strings.Split(strings.TrimSpace(block), "\n")
			all[strings.Join(strings.Fields(lines[0])[:2], " ")] = lines
		}
	}
	if len(all) != 2 {
		t.Fatalf("the README tells the ways %v, want a replace directive and a workspace", all)
	}
	return all
}

var long = flag.Bool("long", false, "try each way with each toolchain")

// A stranger with a clone beside the own module builds a program with it, by either way of the README, with a proxy
// that has no module, and without another module, and has the bits of the vectors of every method, from both
// toolchains.
func TestClone(t *testing.T) {
	beside := t.TempDir()
	cloneInto(t, filepath.Join(beside, "tensorsketch"))
	input, want := vectorsOf(t)
	all := ways(t)
	for k, way := range slices.Sorted(maps.Keys(all)) {
		for i, chain := range toolchains(t) {
			if !*long && i != k { // each way with one, each of them with one way
				continue
			}
			t.Run(way+", "+chain.version+" "+chain.experiment, func(t *testing.T) {
				useClone(t, beside, all[way], chain, input, want)
			})
		}
	}
}

func useClone(t *testing.T, beside string, commands []string, chain toolchain, input []byte, want [][]float32) {
	folder := must(os.MkdirTemp(beside, "mine"))
	closed := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { // as some companies have
		http.Error(w, "not a path of this proxy", http.StatusBadRequest)
	}))
	t.Cleanup(closed.Close)
	environment := []string{
		"GOTOOLCHAIN=local", "GOROOT=", "GOEXPERIMENT=" + chain.experiment, "GOFLAGS=-modcacherw -trimpath",
		"GOMODCACHE=" + t.TempDir(), "GOPROXY=" + closed.URL,
	}
	goTool := func(args ...string) string {
		t.Helper()
		return run(t, folder, environment, append([]string{chain.goCommand}, args...)...)
	}
	if err := os.WriteFile(filepath.Join(folder, "main.go"), []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	goTool("mod", "init", "example.org/stranger")
	for _, command := range commands {
		goTool(strings.Fields(command)[1:]...)
	}
	goTool("build", "-o", "stranger")

	command := exec.Command(filepath.Join(folder, "stranger"))
	command.Stdin, command.Stderr = bytes.NewReader(input), os.Stderr
	got := must(command.Output())
	var features [][]float32
	if err := json.Unmarshal(got, &features); err != nil || len(features) != len(want) {
		t.Fatalf("the program printed %d rows, want %d (%v)", len(features), len(want), err)
	}
	for r, row := range features {
		for j, v := range row {
			if math.Float32bits(v) != math.Float32bits(want[r][j]) {
				t.Fatalf("row %d, feature %d is %v, want %v of the vectors", r, j, v, want[r][j])
			}
		}
	}
	for _, name := range []string{"sketch", "privacy"} {
		for dep := range strings.FieldsSeq(goTool("list", "-deps", "-f",
			"{{if not .Standard}}{{.ImportPath}}{{end}}", path+"/"+name)) {
			own := dep == path+"/"+name || dep == path+"/internal/portable" || // which has the standard library alone
				strings.HasPrefix(dep, path+"/internal/engine/") || // and so has the engine
				name == "privacy" && strings.HasPrefix(dep, path+"/internal/") // what it shares with sketch/learn
			if !own && !strings.HasPrefix(dep, path+"/sketch") {
				t.Errorf("package %s brings %s", name, dep)
			}
		}
	}
	modules := strings.Fields(goTool("list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", "."))
	slices.Sort(modules)
	if got := strings.Join(slices.Compact(modules), " "); got != "example.org/stranger "+path {
		t.Errorf("the program is made of the modules %s", got)
	}
}
