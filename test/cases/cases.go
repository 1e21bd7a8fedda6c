// Package cases finds what lies beside the project, in ../shared, for tests: real data, and the inputs on which the
// program failed when strangers tried it. It is read at run time and never copied. TENSORSKETCH_DATA, if set, names the
// folder of data.
package cases

import (
	"os"
	"path/filepath"
	"testing"
)

// Absent begins the reason of each skip where nothing lies beside the project. tools/check prints and allows them.
const Absent = "nothing lies beside the project: "

// Folder returns a folder of the cases, such as "files" or "learn". It skips the test if there is none.
func Folder(t testing.TB, name string) string {
	t.Helper()
	return there(t, filepath.Join(filepath.Dir(data(t)), "cases"), name)
}

// Data returns the path of a file of real data. It skips the test if there is none.
func Data(t testing.TB, name string) string {
	t.Helper()
	return there(t, data(t), name)
}

// Tables returns the paths of the real tables, by name. There are none where nothing lies beside the project.
func Tables(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(data(t), "tables", "*.csv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// NeedTables returns what Tables does. It skips the test if there are none.
func NeedTables(t testing.TB) []string {
	t.Helper()
	there(t, data(t), "tables")
	return Tables(t)
}

// data returns the absolute path of the folder of data.
func data(t testing.TB) string {
	t.Helper()
	folder := os.Getenv("TENSORSKETCH_DATA")
	if folder == "" {
		folder = filepath.Join(root(t), "../shared/data")
	}
	folder, err := filepath.Abs(folder)
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// there returns the path of a file or folder in a folder, or skips the test. A file that alone is missing is a reason
// that tools/check does not allow.
func there(t testing.TB, folder, name string) string {
	t.Helper()
	if _, err := os.Stat(folder); err != nil {
		t.Skip(Absent, err)
	}
	path := filepath.Join(folder, name)
	if _, err := os.Stat(path); err != nil {
		t.Skip(name, " is not there: ", err)
	}
	return path
}

// root returns the folder of the project, in or below whose folders each test runs.
func root(t testing.TB) string {
	t.Helper()
	folder, err := os.Getwd()
	for ; err == nil && filepath.Dir(folder) != folder; folder = filepath.Dir(folder) {
		if _, err := os.Stat(filepath.Join(folder, "build.sh")); err == nil {
			break
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// Files returns the paths of the files of a folder of the cases, by name.
func Files(t testing.TB, name string) map[string]string {
	t.Helper()
	folder := Folder(t, name)
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	paths := map[string]string{}
	for _, entry := range entries {
		if !entry.IsDir() {
			paths[entry.Name()] = filepath.Join(folder, entry.Name())
		}
	}
	return paths
}
