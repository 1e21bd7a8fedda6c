// Command vuguhelper writes the script that Vugu's renderer would pass to eval
// into a file, so that the page can load it with <script src> under a
// Content-Security-Policy without 'unsafe-eval':
//
//	go run ./tools/vuguhelper public/vugu-helper.js
//
// The script is the constant jsHelperScript of the version of Vugu in go.mod.
package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: vuguhelper FILE.js")
		os.Exit(1)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "vuguhelper:", err)
		os.Exit(1)
	}
}

func write(path string) error {
	folder, err := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/vugu/vugu/domrender").Output()
	if err != nil {
		return fmt.Errorf("go list of Vugu's renderer: %w", err)
	}
	source, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(folder)), "renderer-js-script.go"))
	if err != nil {
		return err
	}
	script, err := constant(source, "jsHelperScript")
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(script+"\n"), 0o644)
}

// constant returns the value of a string constant declared in Go source.
func constant(source []byte, name string) (string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "", source, 0)
	if err != nil {
		return "", err
	}
	for _, declaration := range file.Decls {
		general, ok := declaration.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range general.Specs {
			value, ok := spec.(*ast.ValueSpec)
			if !ok || len(value.Names) != 1 || value.Names[0].Name != name || len(value.Values) != 1 {
				continue
			}
			if literal, ok := value.Values[0].(*ast.BasicLit); ok && literal.Kind == token.STRING {
				return strconv.Unquote(literal.Value)
			}
		}
	}
	return "", errors.New("no string constant " + name)
}
