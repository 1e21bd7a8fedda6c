package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/jobs"
)

// flags are the flags of a verb. Unlike the flags of package flag they may follow the files, and a name that is unknown
// suggests the nearest.
type flags struct {
	*flag.FlagSet
	verb  *verb
	order []string // names and, beginning with a space, headings

	outputs []outputFlag
	inputs  []inputFlag

	help, json, quiet bool
}

func newFlags(v *verb) *flags {
	f := &flags{FlagSet: flag.NewFlagSet(v.name, flag.ContinueOnError), verb: v}
	f.SetOutput(io.Discard)
	return f
}

// heading begins a group of flags in the help.
func (f *flags) heading(text string) { f.order = append(f.order, " "+text) }

// common defines the flags that every verb has.
func (f *flags) common() {
	f.heading("Messages")
	f.boolean(&f.json, "json", "results and errors as JSON, for programs")
	f.boolean(&f.quiet, "quiet", "no notes and no progress bar")
	f.boolean(&f.help, "help", "this text")
}

func (f *flags) boolean(to *bool, name, usage string) {
	f.order = append(f.order, name)
	f.BoolVar(to, name, *to, usage)
}

func (f *flags) words(to *string, name, usage string) {
	f.value(name, usage, func(text string) error { *to = text; return nil })
}

// An outputFlag names a file to write.
type outputFlag struct {
	name string
	path *string
}

// output defines a flag for a file to write, which tryOutputs tries.
func (f *flags) output(to *string, name, usage string) {
	f.outputs = append(f.outputs, outputFlag{name, to})
	f.words(to, name, usage)
}

// An inputFlag names files that are read and hold no rows.
type inputFlag struct {
	name  string
	paths func() []string
}

// input defines a flag for a file to read, whose place no output may take.
func (f *flags) input(to *string, name, usage string) {
	f.inputs = append(f.inputs, inputFlag{name, func() []string { return []string{*to} }})
	f.words(to, name, usage)
}

// value defines a flag whose text is given to set.
func (f *flags) value(name, usage string, set func(string) error) {
	f.order = append(f.order, name)
	f.Func(name, usage, set)
}

// integer defines a flag that takes a whole number from 1.
func (f *flags) integer(to *int, name, usage string) {
	f.value(name, usage, func(text string) error { return positiveInteger(to, text) })
}

func positiveInteger(to *int, text string) (err error) {
	if *to, err = strconv.Atoi(text); err != nil || *to < 1 {
		return fmt.Errorf("must be a whole number from 1, got %q", text)
	}
	return nil
}

// positive defines a flag that takes a number above 0.
func (f *flags) positive(to *float64, name, usage string) {
	f.value(name, usage, func(text string) (err error) {
		if *to, err = parseNumber(text); err != nil || *to <= 0 {
			return fmt.Errorf("must be a number > 0, got %q", text)
		}
		return nil
	})
}

func (f *flags) number(to *float64, name, usage string) {
	f.value(name, usage, func(text string) (err error) {
		*to, err = parseNumber(text)
		return err
	})
}

func parseNumber(text string) (float64, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || x-x != 0 {
		return 0, fmt.Errorf("must be a number, got %q", text)
	}
	return x, nil
}

// choice defines a flag that takes one of some words.
func (f *flags) choice(to *string, name, usage string, words []string) {
	f.value(name, usage, func(text string) error {
		if !slices.Contains(words, text) {
			return fmt.Errorf("must be %s, got %q%s", either(words), text, jobs.Suggest(text, words))
		}
		*to = text
		return nil
	})
}

// list defines a flag that may be given several times.
func (f *flags) list(to *[]string, name, usage string) {
	f.value(name, usage, func(text string) error { *to = append(*to, text); return nil })
}

// classes adds the flag of all labels.
func (f *flags) classes(to *[]string, which, more string) {
	usage := "`LABELS` all labels " + which + ", separated by commas, in quotes if they have one" + more
	f.value("classes", usage, func(text string) (err error) {
		if *to, err = columns.List(text); err == nil && *to == nil {
			err = errors.New("must be labels, separated by commas")
		}
		return err
	})
}

// given reports whether a flag is in the command line.
func (f *flags) given(name string) bool {
	found := false
	f.Visit(func(g *flag.Flag) { found = found || g.Name == name })
	return found
}

// asksForJSON reports whether --json is among arguments that could not be parsed.
func asksForJSON(args []string) bool {
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	return slices.ContainsFunc(args, func(arg string) bool {
		return slices.Contains([]string{"--json", "-json", "--json=true", "-json=true"}, arg)
	})
}

// parse sets the flags and returns the other arguments, which may stand between them. It sets --json even if another
// flag is wrong.
func (f *flags) parse(args []string) (files []string, err error) {
	files, err = f.parseEach(args)
	f.json = f.json || err != nil && asksForJSON(args)
	return files, err
}

func (f *flags) parseEach(args []string) (files []string, err error) {
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			return append(files, args[i+1:]...), nil
		}
		if len(arg) < 2 || arg[0] != '-' {
			files = append(files, arg)
			continue
		}
		name, value, hasValue := strings.Cut(strings.TrimPrefix(arg[1:], "-"), "=")
		if name == "h" {
			name = "help"
		}
		found := f.Lookup(name)
		if found == nil {
			return nil, usage("there is no flag %s%s; see tensorsketch %s --help", dashed(name),
				jobs.Suggest(dashed(name), f.names()), f.verb.name)
		}
		if b, ok := found.Value.(interface{ IsBoolFlag() bool }); ok && b.IsBoolFlag() {
			if !hasValue {
				value = "true"
			} else if value != "true" && value != "false" {
				return nil, usage("%s must be true or false, got %q", dashed(name), value)
			}
		} else if !hasValue {
			if i++; i == len(args) {
				return nil, usage("%s needs a value; see tensorsketch %s --help", dashed(name), f.verb.name)
			}
			value = args[i]
		}
		if err := f.Set(name, value); err != nil {
			return nil, usage("%s %w", dashed(name), err)
		}
	}
	return files, nil
}

// names returns the names of all flags, with dashes.
func (f *flags) names() (names []string) {
	f.VisitAll(func(g *flag.Flag) { names = append(names, dashed(g.Name)) })
	return names
}

// dashed returns a flag's name as one types it.
func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// text returns the help for a verb.
func (f *flags) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "tensorsketch %s %s\n\n%s.\n\nExample: %s\n", f.verb.name, f.verb.usage, upper(f.verb.does),
		f.verb.example)
	for _, name := range f.order {
		if heading, ok := strings.CutPrefix(name, " "); ok {
			fmt.Fprintf(&b, "\n%s:\n", heading)
			continue
		}
		found := f.Lookup(name)
		word, says := flag.UnquoteUsage(found)
		if b, ok := found.Value.(interface{ IsBoolFlag() bool }); ok && b.IsBoolFlag() {
			word = ""
		}
		says = strings.TrimPrefix(says, word+" ")
		fmt.Fprintf(&b, "  %-22s %s\n", strings.TrimSpace(dashed(name)+" "+word), says)
	}
	return b.String()
}

func upper(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// either returns the words as "a, b or c".
func either(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// flagOf returns the flag for a field of a request, or for an argument that an error of package sketch names: the
// verb's own, or another verb's. Another name is returned as it is.
func (f *flags) flagOf(field string) string {
	if name := kebab(field); f.Lookup(name) != nil {
		return "--" + name
	}
	name := map[string]string{"nComponents": "components", "epsilon": "error", "nFeatures": "features",
		"wordNgrams": "word-ngrams", "charNgrams": "char-ngrams", "ranges": "range"}[field]
	if method, ok := strings.CutPrefix(field, "methodParams."); ok {
		return "--param " + method
	}
	if strings.HasPrefix(field, "methods[") {
		name = "methods"
	}
	if name == "" {
		name = kebab(field)
	}
	if !slices.ContainsFunc(verbs, func(v verb) bool { return v.has(name) }) {
		return field
	}
	return "--" + name
}

// has reports whether a verb has a flag.
func (v *verb) has(name string) bool {
	f := newFlags(v)
	v.prepare(f)
	return f.Lookup(name) != nil
}

// kebab returns a name with a dash and a small letter for each capital but the first.
func kebab(name string) string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) {
			b.WriteByte('-')
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
	}
	return b.String()
}

// refuse returns an error if one of these flags is given besides another.
func (f *flags) refuse(other string, names []string) error {
	for _, name := range names {
		if f.given(name) {
			return usage("%s contradicts %s; leave one out", dashed(name), other)
		}
	}
	return nil
}

// flagsOf returns the names of the flags that a function defines.
func flagsOf(define func(f *flags)) []string {
	f := newFlags(&verb{})
	define(f)
	return slices.DeleteFunc(f.order, func(name string) bool { return name[0] == ' ' })
}
