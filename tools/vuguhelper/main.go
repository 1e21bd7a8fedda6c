// Command vuguhelper writes the script that Vugu's renderer would pass to eval
// into a file, so that the page can load it with <script src> under a
// Content-Security-Policy without 'unsafe-eval':
//
//	go run ./tools/vuguhelper public/vugu-helper.js
//
// The script is the constant jsHelperScript of the version of Vugu in go.mod, but for
// two things. With each rendering Vugu writes all texts and attributes anew, and the
// browser lays the page out anew and keeps what was there until it collects garbage: here
// what is there already is not written. And Vugu cuts long texts into pieces that may end
// within a letter: here the next piece completes it.
package main

import (
	_ "embed"
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

//go:embed sethtml.js
var setHTML string

// edits are what is written in place of parts of the script.
var edits = []struct {
	part, by string
	times    int // it is there
}{
	{`x.el.innerHTML=(x.bufferedInnerHTML||"")+e`, `vuguSetHTML(x.el,(x.bufferedInnerHTML||"")+e)`, 1},
	{`else x.el.textContent=e;`, `else x.el.data!==e&&(x.el.data=e);`, 2}, // of texts and comments
	{`e.setAttribute(t,n),`, `e.getAttribute(t)!==n&&e.setAttribute(t,n),`, 1},
	{`t.setAttributeNS(e,n,s),`, `t.getAttributeNS(e,n)!==s&&t.setAttributeNS(e,n,s),`, 1},
	{`readString(){`, `readString(s){`, 1},
	{`this.dataView.byteOffset+this.offset+4,e));`, `this.dataView.byteOffset+this.offset+4,e),{stream:s});`, 1},
	{`case y:{let e=C.readString();`, `case y:{let e=C.readString(!0);`, 1}, // a piece of a text, which goes on in the next
}

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
	script, err = edited(script)
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(script+"\n"+setHTML), 0o644)
}

// edited returns the script with the edits made.
func edited(script string) (string, error) {
	for _, edit := range edits {
		if n := strings.Count(script, edit.part); n != edit.times {
			return "", fmt.Errorf("the script of Vugu has %q %d times, not %d: look what it does now", edit.part, n, edit.times)
		}
		script = strings.ReplaceAll(script, edit.part, edit.by)
	}
	return script, nil
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
