package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"tensorsketch.example/jobs"
)

// protocol are the requests and replies of package jobs, which the page and its worker exchange.
var protocol = []any{
	jobs.FitRequest{}, jobs.FitReply{}, jobs.PredictRequest{}, jobs.PredictReply{}, jobs.EvaluateRequest{},
	jobs.EvaluateReply{}, jobs.EmbedRequest{}, jobs.EmbedReply{}, jobs.CompareRequest{}, jobs.CompareReply{},
	jobs.PlanRequest{}, jobs.PlanReply{}, jobs.MergeRequest{}, jobs.ExportRequest{}, jobs.CurveRequest{}, jobs.CurveHead{},
	jobs.Point{}, jobs.CurveReply{}, jobs.BandRequest{}, jobs.ExactReply{}, jobs.DetailReply{}, jobs.BehindRequest{},
	jobs.BehindReply{}, jobs.MapReply{}, jobs.CheckReply{}, jobs.ReleaseRequest{}, jobs.ReleaseReply{}, jobs.Beginning{},
	jobs.PrivateFitRequest{}, jobs.PrivateFitReply{},
	jobs.LedgerRequest{}, jobs.LedgerReply{}, jobs.Progress{},
}

// reports are what fit and evaluate of tensorsketch/dataset report. dataset.d.ts says which belong to which task.
var reports = []any{jobs.Report{}, jobs.ClassScores{}, jobs.TargetScores{}}

// declarations writes TypeScript's declarations of types and of all structs that they hold. isReadonly is for what
// callers of the API get.
func declarations(w io.Writer, says string, values []any, isReadonly bool, comments map[string]string) {
	fmt.Fprintf(w, "// Written by tools/tables from the structs of package jobs: %s.\n", says)
	d := &declarer{w: w, comments: comments, isReadonly: isReadonly, done: map[reflect.Type]bool{}}
	for _, value := range values {
		d.left = append(d.left, reflect.TypeOf(value))
	}
	for len(d.left) > 0 {
		next := d.left[0]
		if d.left = d.left[1:]; !d.done[next] {
			d.done[next] = true
			d.declare(next)
		}
	}
}

type declarer struct {
	w          io.Writer
	comments   map[string]string // by "Type" and "Type.Field"
	isReadonly bool
	left       []reflect.Type
	done       map[reflect.Type]bool
}

func (d *declarer) declare(t reflect.Type) {
	fmt.Fprintf(d.w, "\n%sexport interface %s {\n", d.comment("", t.Name()), t.Name())
	d.fields(t, nil)
	fmt.Fprintln(d.w, "}")
}

// fields writes the fields of a struct and of embedded structs, without names that an outer struct has.
func (d *declarer) fields(t reflect.Type, outer []string) {
	own := slices.Clone(outer)
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		own = append(own, name)
	}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || !f.IsExported() && !f.Anonymous || name != "" && slices.Contains(outer, name):
		case f.Anonymous && name == "":
			if f.Type.Kind() == reflect.Pointer {
				d.optional(f.Type.Elem(), own)
			} else {
				d.fields(f.Type, own)
			}
		default:
			mark := ""
			if options != "" {
				mark = "?"
			}
			fmt.Fprintf(d.w, "%s  %s%s%s: %s;\n", d.comment("  ", t.Name()+"."+f.Name), d.readonly("readonly "), name, mark,
				d.typeOf(f.Type, options))
		}
	}
}

// optional writes the fields of an embedded pointer, which may be missing.
func (d *declarer) optional(t reflect.Type, outer []string) {
	var own strings.Builder
	inner := *d
	inner.w = &own
	inner.fields(t, outer)
	d.left = inner.left
	for line := range strings.Lines(own.String()) {
		if name, rest, ok := strings.Cut(line, ": "); ok && !strings.HasSuffix(name, "?") && !strings.Contains(name, "/") {
			line = name + "?: " + rest
		}
		fmt.Fprint(d.w, line)
	}
}

// typeOf returns a type in TypeScript's words. What JSON omits where it is empty is never null.
func (d *declarer) typeOf(t reflect.Type, options string) string {
	switch t.Kind() {
	case reflect.Bool:
		return "boolean"
	case reflect.String:
		return "string"
	case reflect.Interface:
		return "string | number | boolean"
	case reflect.Pointer:
		if options != "" {
			return d.typeOf(t.Elem(), "")
		}
		return d.typeOf(t.Elem(), "") + " | null"
	case reflect.Slice:
		return d.readonly("Readonly") + "Array<" + d.typeOf(t.Elem(), "") + ">"
	case reflect.Array:
		return "[" + strings.TrimSuffix(strings.Repeat(d.typeOf(t.Elem(), "")+", ", t.Len()), ", ") + "]"
	case reflect.Map:
		return "Record<" + d.typeOf(t.Key(), "") + ", " + d.typeOf(t.Elem(), "") + ">"
	case reflect.Struct:
		if t == reflect.TypeFor[jobs.Seed]() {
			return "number | bigint | string"
		}
		d.left = append(d.left, t)
		return t.Name()
	}
	return "number"
}

// readonly returns a word for types that are only read, and else "".
func (d *declarer) readonly(word string) string {
	if d.isReadonly {
		return word
	}
	return ""
}

// comment returns the comment of a type or a field.
func (d *declarer) comment(indent, name string) string {
	text := strings.ReplaceAll(strings.Join(strings.Fields(d.comments[name]), " "), "*/", "* /")
	if text == "" {
		return ""
	}
	var lines []string
	line := indent + "/**"
	for _, word := range strings.Fields(text + " */") {
		if len([]rune(line+" "+word)) > 120 {
			lines = append(lines, line)
			line = indent + " *"
		}
		line += " " + word
	}
	return strings.Join(append(lines, line), "\n") + "\n"
}

// commentsOf returns the comments of the types of a folder, and of their fields.
func commentsOf(folder string) (map[string]string, error) {
	comments := map[string]string{}
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			group, ok := n.(*ast.GenDecl)
			if !ok {
				return true
			}
			for _, spec := range group.Specs {
				if named, ok := spec.(*ast.TypeSpec); ok {
					comments[named.Name.Name] = group.Doc.Text()
					fieldComments(comments, named)
				}
			}
			return false
		})
	}
	return comments, nil
}

func fieldComments(comments map[string]string, named *ast.TypeSpec) {
	made, ok := named.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, f := range made.Fields.List {
		for _, name := range f.Names {
			text := slices.MaxFunc([]string{f.Doc.Text(), f.Comment.Text()}, func(a, b string) int { return len(a) - len(b) })
			comments[named.Name.Name+"."+name.Name] = text
		}
	}
}
