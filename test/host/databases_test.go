package host

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
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
