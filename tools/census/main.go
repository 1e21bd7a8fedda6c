// Command census counts the house, so that its growth shows:
//
//	go run ./tools/census                  as it is
//	go run ./tools/census -since COMMIT    beside what it was
//	go run ./tools/census -where craft     the places that name a method or a format
//
// Product is every Go file that git knows, without tests, generated files, tools/, test/, bench/ and testdata/. A room
// is a folder of the root. Statements are go/ast's without blocks, and what is declared outside functions.
package main

import (
	"archive/tar"
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"

	"tensorsketch.example/dataset/columns"
)

func main() {
	since := flag.String("since", "", "also count this `commit`")
	where := flag.String("where", "", "list the places that name this method or format instead")
	flag.Parse()
	if err := run(os.Stdout, *since, *where); err != nil {
		fmt.Fprintln(os.Stderr, "census:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, since, where string) error {
	now, err := workingTree()
	if err != nil {
		return err
	}
	if where != "" {
		found := places(now, where)
		if columns.FormatOf(where) != nil {
			found = formatPlaces(now, where)
		}
		for _, place := range found {
			fmt.Fprintln(w, place)
		}
		return nil
	}
	counts, err := count(now)
	if err != nil {
		return err
	}
	columns, heads := []census{counts}, []string{"now"}
	if since != "" {
		old, err := commit(since)
		if err != nil {
			return err
		}
		before, err := count(old)
		if err != nil {
			return err
		}
		columns, heads = []census{before, counts}, []string{since, "now"}
	}
	print(w, heads, columns)
	return nil
}

// A tree is the files of the repository by their paths.
type tree map[string]string

func workingTree() (tree, error) {
	names, err := git("ls-files", "-z")
	if err != nil {
		return nil, err
	}
	files := tree{}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(names), "\x00"), "\x00") {
		if text, err := os.ReadFile(name); err == nil { // else it is deleted, and not yet committed
			files[name] = string(text)
		}
	}
	return files, nil
}

func commit(name string) (tree, error) {
	archive, err := git("archive", "--format=tar", name)
	if err != nil {
		return nil, err
	}
	files := tree{}
	for r := tar.NewReader(bytes.NewReader(archive)); ; {
		header, err := r.Next()
		if err == io.EOF {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		if header.Typeflag == tar.TypeReg {
			files[header.Name] = string(text)
		}
	}
}

func git(args ...string) ([]byte, error) {
	command := exec.Command("git", args...)
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w", args[0], err)
	}
	return out, nil
}

// A census is the numbers by section and row.
type census map[string]map[string]int

var sections = []string{
	"product Go, lines", "product Go, statements", "product Go", "product JavaScript, lines", "exported names",
	"tests, lines", "words",
	"places of a method", "places of a format",
}

func (c census) add(section, row string, n int) {
	if c[section] == nil {
		c[section] = map[string]int{}
	}
	c[section][row] += n
}

const total = "all"

func count(files tree) (census, error) {
	c := census{}
	var lengths []int
	exported := map[string]map[string]bool{}
	for name, text := range files {
		lines := strings.Count(text, "\n")
		switch {
		case isProduct(name) && path.Ext(name) == ".go":
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
			if err != nil {
				return nil, err
			}
			n := statements(file)
			for _, row := range []string{room(name), total} {
				c.add("product Go, lines", row, lines)
				c.add("product Go, statements", row, n)
			}
			c.add("product Go", "files", 1)
			for _, declaration := range file.Decls {
				if f, ok := declaration.(*ast.FuncDecl); ok {
					lengths = append(lengths, set.Position(f.End()).Line-set.Position(f.Pos()).Line+1)
				}
				for _, exports := range exportedNames(declaration) {
					if pkg := path.Dir(name); file.Name.Name != "main" {
						if exported[pkg] == nil {
							exported[pkg] = map[string]bool{}
						}
						exported[pkg][exports] = true
					}
				}
			}
		case isProduct(name) && path.Ext(name) == ".js":
			c.add("product JavaScript, lines", path.Dir(name), lines)
		case isTest(name):
			c.add("tests, lines", cmp.Or(strings.TrimPrefix(path.Ext(name), "."), "other"), lines)
		case path.Ext(name) == ".md":
			c.add("words", name, len(strings.Fields(text)))
			if strings.HasPrefix(name, "docs/") {
				c.add("words", "docs/, all", len(strings.Fields(text)))
			}
		}
	}
	slices.Sort(lengths)
	if len(lengths) > 0 {
		c.add("product Go", "median function, lines", lengths[len(lengths)/2])
		c.add("product Go", "longest function, lines", lengths[len(lengths)-1])
	}
	for pkg, names := range exported {
		c.add("exported names", pkg, len(names))
	}
	for _, name := range []string{"craft", "tensor-srht", "taylor-sketch", "nystroem"} { // the next one is about as far
		c.add("places of a method", name, len(places(files, name)))
	}
	for _, name := range []string{"parquet", "arrow", "xlsx", "libsvm", "npy"} {
		c.add("places of a format", name, len(formatPlaces(files, name)))
	}
	return c, nil
}

func room(name string) string {
	first, _, inFolder := strings.Cut(name, "/")
	if !inFolder {
		return "."
	}
	return first
}

var outside = regexp.MustCompile(`^(tools|test|bench|docs|packaging)/|(^|/)testdata/|(_test|_gen)\.\w+$|_gen_test\.go$`)

func isProduct(name string) bool { return !outside.MatchString(name) }

// isTest reports whether a file is code of tests.
func isTest(name string) bool {
	switch path.Ext(name) {
	case ".go", ".mjs", ".js", ".ts", ".py":
	default:
		return false
	}
	return !strings.Contains(name, "testdata/") && !strings.HasSuffix(name, "_gen_test.go") &&
		(strings.HasPrefix(name, "test/") || strings.HasSuffix(name, "_test.go"))
}

func statements(file *ast.File) (n int) {
	ast.Inspect(file, func(node ast.Node) bool {
		switch node.(type) {
		case *ast.BlockStmt, *ast.EmptyStmt, *ast.DeclStmt: // a DeclStmt is counted by what it declares
		case ast.Stmt, *ast.ValueSpec, *ast.TypeSpec, *ast.FuncDecl:
			n++
		}
		return true
	})
	return n
}

// exportedNames returns the names that a declaration at top level exports, without methods.
func exportedNames(declaration ast.Decl) (names []string) {
	add := func(name *ast.Ident) {
		if name.IsExported() {
			names = append(names, name.Name)
		}
	}
	switch d := declaration.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			add(d.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				add(s.Name)
			case *ast.ValueSpec:
				for _, name := range s.Names {
					add(name)
				}
			}
		}
	}
	return names
}

// places returns where the product names a method, as FILE:LINE. A place is a line of code, in Go,
// JavaScript, TypeScript or markup, that has the name as a word of its own, with or without its hyphens, in any case,
// or as MethodName or NameMethod; lines of one file that are at most three apart are one place. Comments do not count.
// What goes by a method's number and not by its name is not seen.
func places(files tree, name string) (found []string) {
	word := strings.ReplaceAll(regexp.QuoteMeta(name), "-", "-?")
	names := regexp.MustCompile(`(?i)(^|[^a-z-]|method)` + word + `(method)?($|[^a-z-])`)
	for _, file := range slices.Sorted(maps.Keys(files)) {
		var code string
		switch {
		case !isProduct(file):
			continue
		case path.Ext(file) == ".go":
			code = goCode(files[file])
		case slices.Contains([]string{".js", ".ts", ".vugu", ".html"}, path.Ext(file)):
			code = comments.ReplaceAllStringFunc(files[file], newlines)
		}
		found = append(found, placesIn(file, code, names)...)
	}
	return found
}

// placesIn returns the places of one file: lines that match and are at most three apart are one.
func placesIn(file, code string, names *regexp.Regexp) (found []string) {
	last := -10
	for k, line := range strings.Split(code, "\n") {
		if names.MatchString(line) {
			if k > last+3 {
				found = append(found, fmt.Sprintf("%s:%d", file, k+1))
			}
			last = k
		}
	}
	return found
}

// formatPlaces returns where the product names a format of files, as FILE:LINE. A place is code with the name, or
// with the exported identifier that is spelled alike; a sentence that names the format is none. The files of a folder
// that are named after the format are one place together.
func formatPlaces(files tree, name string) (found []string) {
	names := regexp.MustCompile("[\"'`]\\.?" + name + "[\"'`]" + `|\b[A-Z](?i:` + name[1:] + `)\b`)
	own := map[string]bool{} // folders
	for _, file := range slices.Sorted(maps.Keys(files)) {
		code := ""
		switch {
		case !isProduct(file):
		case strings.HasPrefix(path.Base(file), name) && path.Ext(file) == ".go":
			if folder := path.Dir(file); !own[folder] {
				own[folder] = true
				found = append(found, folder+"/"+name+"*.go")
			}
		case path.Ext(file) == ".go":
			code = goCode(files[file])
		case slices.Contains([]string{".js", ".ts", ".vugu", ".html"}, path.Ext(file)):
			code = comments.ReplaceAllStringFunc(files[file], newlines)
		}
		code = sentences.ReplaceAllStringFunc(code, func(text string) string {
			if strings.Contains(text, " ") {
				return newlines(text)
			}
			return text
		})
		found = append(found, placesIn(file, code, names)...)
	}
	return found
}

// sentences finds what stands in quotes, or between the tags of markup.
var sentences = regexp.MustCompile("\"(?:[^\"\\\\\n]|\\\\.)*\"|`[^`]*`|>[^<>{}=;]*<")

var comments = regexp.MustCompile(`(?s)/\*.*?\*/|<!--.*?-->|(?m:(^|\s)//[^\n]*$)`)

func newlines(text string) string { return strings.Repeat("\n", strings.Count(text, "\n")) }

// goCode returns Go source without its comments, line by line.
func goCode(text string) string {
	var s scanner.Scanner
	set := token.NewFileSet()
	file := set.AddFile("", set.Base(), len(text))
	s.Init(file, []byte(text), nil, scanner.ScanComments)
	code := []byte(text)
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			return string(code)
		}
		if tok == token.COMMENT {
			at := file.Offset(pos)
			for i := at; i < at+len(literal); i++ {
				if code[i] != '\n' {
					code[i] = ' '
				}
			}
		}
	}
}

func print(w io.Writer, heads []string, columns []census) {
	for _, section := range sections {
		rows := map[string]bool{}
		fmt.Fprintf(w, "%-28s", section)
		for k, c := range columns {
			fmt.Fprintf(w, " %12s", heads[k])
			for row := range c[section] {
				rows[row] = true
			}
		}
		for _, row := range slices.Sorted(maps.Keys(rows)) {
			fmt.Fprintf(w, "\n  %-26s", row)
			for _, c := range columns {
				fmt.Fprintf(w, " %12d", c[section][row])
			}
		}
		fmt.Fprint(w, "\n\n")
	}
}
