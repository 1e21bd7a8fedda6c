// Package cases finds the inputs on which the program failed when strangers tried it. They lie beside the project, in
// ../shared/cases, are read at run time and never copied.
package cases

import (
	"os"
	"path/filepath"
	"testing"
)

// Folder returns a folder of the cases, such as "files" or "learn". It skips the test by name if the folder is not
// there. TENSORSKETCH_DATA, if set, names the folder beside the cases.
func Folder(t testing.TB, name string) string {
	t.Helper()
	data := os.Getenv("TENSORSKETCH_DATA")
	if data == "" {
		data = filepath.Join(root(t), "../shared/data")
	}
	folder := filepath.Join(filepath.Dir(filepath.Clean(data)), "cases", name)
	if _, err := os.Stat(folder); err != nil {
		t.Skip(folder, " is not there: ", err)
	}
	return folder
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
