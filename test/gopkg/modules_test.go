package gopkg

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// proxyOf returns a module proxy of a clone as version v1.2.3, before one of what is downloaded here already and the
// machine's own, from which a fresh machine takes the rest.
func proxyOf(t *testing.T) string {
	t.Helper()
	clone, proxy := t.TempDir(), t.TempDir()
	cloneInto(t, clone)
	const version = "v1.2.3"
	folder := filepath.Join(proxy, path, "@v")
	need := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	need(os.MkdirAll(folder, 0o755))
	archive, err := os.Create(filepath.Join(folder, version+".zip"))
	need(err)
	need(errors.Join(zip.CreateFromDir(archive, module.Version{Path: path, Version: version}, clone), archive.Close()))
	for name, text := range map[string]string{version + ".mod": string(must(os.ReadFile(filepath.Join(clone, "go.mod")))),
		version + ".info": `{"Version":"` + version + `"}`, "list": version + "\n"} {
		need(os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644))
	}
	of := strings.Fields(run(t, ".", nil, "go", "env", "GOMODCACHE", "GOPROXY"))
	return "file://" + proxy + ",file://" + of[0] + "/cache/download," + of[1]
}

// A stranger with a proxy gets, beside this module, no other for the mathematics, a reader of zstd for package dataset,
// and two more to unpack Parquet. The command line installs by its address. RATIONALE.md says why columnar is no module
// of its own.
func TestModulesOfAStranger(t *testing.T) {
	environment := []string{"GOPROXY=" + proxyOf(t), "GONOSUMDB=*", "GOFLAGS=-mod=mod -modcacherw -trimpath",
		"GOMODCACHE=" + t.TempDir(), "GOTOOLCHAIN=local", "GOWORK=off"}
	const compress, brotli, lz4 = "github.com/klauspost/compress", "github.com/dsnet/compress", "github.com/pierrec/lz4/v4"
	for _, c := range []struct {
		imported string
		others   []string
	}{
		{"sketch", nil}, {"sketch/learn", nil}, {"sketch/subspace", nil}, {"sketch/product", nil}, {"privacy", nil},
		{"dataset", []string{compress}}, {"dataset/columnar", []string{brotli, compress, lz4}},
	} {
		folder := t.TempDir()
		text := fmt.Sprintf("package main\n\nimport _ %q\n\nfunc main() {}\n", path+"/"+c.imported)
		if err := os.WriteFile(filepath.Join(folder, "main.go"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		run(t, folder, environment, "go", "mod", "init", "example.org/stranger")
		run(t, folder, environment, "go", "get", path+"/"+c.imported+"@v1.2.3")
		used := strings.Fields(run(t, folder, environment, "go", "list", "-deps", "-f",
			"{{with .Module}}{{.Path}}{{end}}", "."))
		slices.Sort(used)
		want := append(slices.Clone(c.others), "example.org/stranger", path)
		slices.Sort(want)
		if used = slices.Compact(used); !slices.Equal(used, want) {
			t.Errorf("package %s is made of the modules %v, want %v", c.imported, used, want)
		}
		mod := string(must(os.ReadFile(filepath.Join(folder, "go.mod"))))
		if got := strings.Count(mod, " v"); got != 1+len(c.others) {
			t.Errorf("package %s: go.mod requires %d modules, want %d:\n%s", c.imported, got, 1+len(c.others), mod)
		}
	}
	const version = "@v1.2.3"
	run(t, t.TempDir(), environment, "go", "install", "-n", path+"/cmd/tensorsketch"+version)
}
