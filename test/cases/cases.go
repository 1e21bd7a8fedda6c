// Package cases finds the inputs on which the program failed when strangers tried it. They lie beside the project, in
// ../shared/cases, are read at run time and never copied.
package cases

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Folder returns a folder of the cases, such as "files" or "learn". It skips the test by name if the folder is not
// there. TENSORSKETCH_DATA, if set, names the folder beside the cases.
func Folder(t testing.TB, name string) string {
	t.Helper()
	data := os.Getenv("TENSORSKETCH_DATA")
	if data == "" {
		_, here, _, _ := runtime.Caller(0)
		data = filepath.Join(filepath.Dir(here), "../../../shared/data")
		if _, err := os.Stat(data); err != nil { // a program built with -trimpath does not know where it was
			data = "../../shared/data"
		}
	}
	folder := filepath.Join(filepath.Dir(filepath.Clean(data)), "cases", name)
	if _, err := os.Stat(folder); err != nil {
		t.Skip(folder, " is not there: ", err)
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
