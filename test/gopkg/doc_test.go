package gopkg

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"

	"path/filepath"
	"strings"
	"testing"
)

// packages are those that a stranger imports.
var packages = []string{
	"sketch", "sketch/model", "sketch/subspace", "sketch/product", "sketch/kernel", "sketch/pairs", "privacy", "dataset",
	"dataset/columnar",
}

// Every package, and every exported name of it but String and Error, is documented,
// and every package has examples with output: the first of the package itself.
func TestDocumentation(t *testing.T) {
	for _, name := range packages {
		p, files := documented(t, name)
		if len(p.Doc) < 200 {
			t.Errorf("%s: the package's own documentation is %q, too little to begin with", name, p.Doc)
		}
		missing := func(what, text string) {
			if strings.TrimSpace(text) == "" {
				t.Errorf("%s: %s has no documentation", name, what)
			}
		}
		values := func(of string, list []*doc.Value) {
			for _, v := range list {
				missing(of+strings.Join(v.Names, ", "), v.Doc)
			}
		}
		values("", append(p.Consts, p.Vars...))
		for _, f := range p.Funcs {
			missing(f.Name, f.Doc)
		}
		for _, typ := range p.Types {
			missing(typ.Name, typ.Doc)
			values(typ.Name+": ", append(typ.Consts, typ.Vars...))
			for _, f := range typ.Funcs {
				missing(f.Name, f.Doc)
			}
			for _, f := range typ.Methods {
				if f.Name != "String" && f.Name != "Error" {
					missing(typ.Name+"."+f.Name, f.Doc)
				}
			}
		}
		if len(p.Examples) == 0 {
			t.Errorf("%s has no example of the whole package", name)
		}
		for _, e := range doc.Examples(files...) {
			if e.Output == "" {
				t.Errorf("%s: Example%s has no output, so no test runs it", name, e.Name)
			}
		}
	}
}

// documented reads a package with its examples, as godoc does.
func documented(t *testing.T, name string) (p *doc.Package, parsed []*ast.File) {
	t.Helper()
	files := token.NewFileSet()
	paths := must(filepath.Glob(filepath.Join(root, name, "*.go")))
	for _, path := range paths {
		parsed = append(parsed, must(parser.ParseFile(files, path, nil, parser.ParseComments)))
	}
	return must(doc.NewFromFiles(files, parsed, path+"/"+name)), parsed
}
