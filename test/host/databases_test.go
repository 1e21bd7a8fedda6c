package host

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tensorsketch.example/test/need"
)

var long = flag.Bool("long", false, "also run in ClickHouse and DuckDB, from npm")

// TestClickHouse: ClickHouse, as the package chdb has it, runs the module as functions of SQL. 546 MB are installed.
func TestClickHouse(t *testing.T) {
	if !*long {
		return
	}
	// Registries may lack chdb's packages for other platforms, which the lock file then lacks: npm ci would refuse it.
	folder := installed(t, "install", "clickhouse", "clickhouse.mjs", "identity.wat")
	module := need.Value(filepath.Abs(repo + "/dist/host/tensorsketch.host.wasm"))(t)
	node(t, folder, "clickhouse.mjs", "node_modules/tensorsketch", module, t.TempDir())
}

// TestDuckDB: the example of functions in DuckDB for Node says what it should.
func TestDuckDB(t *testing.T) {
	if !*long {
		return
	}
	folder := installed(t, "ci", repo+"/examples/duckdb-udf", "example.js", "udf.js")
	node(t, folder, "example.js")
}

// TestSQL: DuckDB in Node and in Python and ClickHouse run every statement of docs/sql.md, with one model file, and
// with the shell's where its Spec is the shell's.
func TestSQL(t *testing.T) {
	if !*long {
		return
	}
	folder := t.TempDir()
	shell := filepath.Join(folder, "tensorsketch")
	run(t, ".", "go", "build", "-o", shell, repo+"/cmd/tensorsketch")
	csv := new(strings.Builder)
	csv.WriteString("i,a,b,c,y\n")
	X := randomRows(4000, 3)
	for i := range 4000 {
		x := X[3*i : 3*i+3]
		fmt.Fprintf(csv, "%d,%v,%v,%v,%s\n", i, x[0], x[1], x[2], byRadius(x))
	}
	need.OK(t, os.WriteFile(filepath.Join(folder, "t.csv"), []byte(csv.String()), 0o644))
	run(t, folder, shell, strings.Fields("fit t.csv --label y --use a,b,c --components 64 --no-rows "+
		"--moments start.tsm")...)
	run(t, folder, shell, strings.Fields("fit t.csv --like start.tsm -o model.json")...)
	sum := sha256.Sum256(bytes.TrimSpace(need.Value(os.ReadFile(filepath.Join(folder, "model.json")))(t)))
	page, module, examples := absolute(t, "docs/sql.md"), absolute(t, "dist/host/tensorsketch.host.wasm"),
		absolute(t, "examples/duckdb-udf")
	duckdb := installed(t, "ci", examples, "core.js")
	clickhouse := installed(t, "install", "clickhouse", "clickhouse.mjs")
	for _, name := range []string{"statements.mjs", "duckdb.mjs"} {
		copyFile(t, "sql/"+name, filepath.Join(duckdb, name))
	}
	for _, name := range []string{"statements.mjs", "clickhouse.mjs"} {
		copyFile(t, "sql/"+name, filepath.Join(clickhouse, name))
	}
	python := filepath.Join(folder, "venv", "bin", "python")
	run(t, folder, "python3", "-m", "venv", "venv")
	run(t, folder, python, "-m", "pip", "install", "-q", "-r", absolute(t, "test/host/sql/requirements.txt"))
	t.Setenv("PYTHONPATH", absolute(t, "python"))
	said := map[string]string{
		"DuckDB in Node":   string(run(t, duckdb, "node", "duckdb.mjs", page, module, folder)),
		"DuckDB in Python": string(run(t, folder, python, absolute(t, "test/host/sql/duckdb.py"), page, folder, examples)),
		"ClickHouse":       string(run(t, clickhouse, "node", "clickhouse.mjs", page, module, folder)),
	}
	models := map[string]bool{}
	for name, text := range said {
		t.Logf("%s:\n%s", name, text)
		var accuracy float64
		var model, fromStart string
		if _, err := fmt.Sscanf(text, "accuracy %f\nmodel %s\nshell %s", &accuracy, &model, &fromStart); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if models[model] = true; accuracy < 0.9 {
			t.Errorf("%s: the accuracy is %v", name, accuracy)
		}
		if fromStart != fmt.Sprintf("%x", sum)[:16] {
			t.Errorf("%s: the model file differs from the shell's", name)
		}
	}
	if len(models) != 1 {
		t.Errorf("the databases have %d different model files", len(models))
	}
}

func absolute(t *testing.T, path string) string {
	return need.Value(filepath.Abs(filepath.Join(repo, path)))(t)
}

func copyFile(t *testing.T, from, to string) {
	need.OK(t, os.WriteFile(to, need.Value(os.ReadFile(from))(t), 0o644))
}

// installed returns a new folder with files of another, with what their package.json names and with our npm package.
func installed(t *testing.T, verb, from string, files ...string) string {
	t.Helper()
	folder := t.TempDir()
	for _, name := range append(files, "package.json", "package-lock.json", ".npmrc") {
		need.OK(t, os.WriteFile(filepath.Join(folder, name), need.Value(os.ReadFile(filepath.Join(from, name)))(t), 0o644))
	}
	run(t, folder, "npm", verb, "--no-audit", "--no-fund")
	npm := need.Value(filepath.Abs(repo + "/dist/npm"))(t)
	need.OK(t, os.Symlink(npm, filepath.Join(folder, "node_modules", "tensorsketch")))
	return folder
}

func node(t *testing.T, folder string, arguments ...string) {
	t.Helper()
	t.Logf("%s", run(t, folder, "node", arguments...))
}

func run(t *testing.T, folder, name string, arguments ...string) []byte {
	t.Helper()
	command := exec.CommandContext(t.Context(), name, arguments...)
	command.Dir = folder
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	return out
}
