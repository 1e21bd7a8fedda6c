// Command tensorsketch makes features of files and learns from them. It reads and writes what package dataset does, and
// its model files equal those that the page and package model write, bit for bit.
//
//	go run ./cmd/tensorsketch transform digits.csv -o features.parquet --components 1024 --coef0 1
//	go run ./cmd/tensorsketch help
//
// docs/cli.md has examples of every verb. The exit status is 0 if all is done, 1 if data or files do not allow it, and
// 2 for wrong usage.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"tensorsketch.example/dataset"
	_ "tensorsketch.example/dataset/columnar" // Parquet, Arrow and workbooks
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/jobs"
)

// The exit statuses.
const (
	done = iota
	failed
	wrongUsage
)

// A verb is one of the program's commands.
type verb struct {
	name, does string
	usage      string // what follows the name
	example    string
	// prepare defines the flags and returns what the verb does with the other arguments.
	prepare func(f *flags) func(files []string) error
}

// verbs are all verbs, in the order of the help. init sets them, since help needs them.
var verbs []verb

func init() {
	verbs = []verb{transformVerb, fitVerb, predictVerb, evaluateVerb, planVerb, mergeVerb, compareVerb, exportVerb,
		releaseVerb, fitPrivateVerb, ledgerVerb}
}

func main() { os.Exit(run(os.Args[1:])) }

// run executes the program and returns its exit status.
func run(args []string) int {
	removeWhenStopped()
	defer removePending()
	if len(args) == 0 {
		fmt.Fprint(stderr, programHelp())
		return wrongUsage
	}
	if name := strings.TrimLeft(args[0], "-"); name == "help" || name == "h" {
		if len(args) == 1 {
			fmt.Fprint(stdout, programHelp())
			if unsaid != nil {
				return report(unsaid, &flags{})
			}
			return done
		}
		args = []string{args[1], "--help"}
	}
	v := verbOf(args[0])
	if v == nil {
		return report(usage("%q is no verb%s; see tensorsketch --help", args[0],
			jobs.Suggest(args[0], verbNames())), &flags{json: asksForJSON(args)})
	}
	f := newFlags(v)
	act := v.prepare(f)
	files, err := f.parse(args[1:])
	switch {
	case err == nil && f.help:
		fmt.Fprint(stdout, f.text())
	case err == nil:
		if err = f.tryOutputs(files); err == nil {
			err = act(files)
		}
	}
	if err == nil {
		err = unsaid
	}
	if err != nil {
		return report(err, f)
	}
	return done
}

func verbOf(name string) *verb {
	for i := range verbs {
		if verbs[i].name == name {
			return &verbs[i]
		}
	}
	return nil
}

func verbNames() (names []string) {
	for _, v := range verbs {
		names = append(names, v.name)
	}
	return names
}

// programHelp returns the help for the program.
func programHelp() string {
	text := "tensorsketch makes random features of the rows of files, and learns from them.\n\n"
	for _, v := range verbs {
		text += fmt.Sprintf("  %-12s %s\n", v.name, v.does)
	}
	var formats []string
	for _, f := range columns.Formats {
		formats = append(formats, f.Label)
	}
	return text + "\nFiles: " + strings.Join(formats, ", ") + `;
also in gzip, zstd or ZIP. "-" is standard input or output.

Example: tensorsketch transform digits.csv --components 1024 -o features.parquet

tensorsketch VERB --help lists the flags of a verb, and docs/cli.md has more examples.
`
}

// A usageError is a mistake in the command line, not in a file.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usage(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// report prints an error in one line and returns the exit status for it. It waits for the end of a program that was
// stopped: the error may be of a file that was closed for that.
func report(err error, f *flags) int {
	if stopping.Load() {
		select {}
	}
	status := failed
	problem, _ := errors.AsType[*dataset.Problem](err)
	message := plainMessage(err)
	if p, ok := err.(*dataset.Problem); ok {
		message = p.In(f.flagOf)
	}
	if e, ok := errors.AsType[*jobs.Error](err); ok {
		message, problem = e.Message(f.flagOf), e.Problem(f.flagOf)
		if !e.OfData {
			status = wrongUsage
		}
	}
	if errors.As(err, new(usageError)) {
		status = wrongUsage
	}
	message = strings.ReplaceAll(message, "\n", " ")
	if !f.json {
		fmt.Fprintln(stderr, "tensorsketch: "+message)
		return status
	}
	var place struct {
		Message string `json:"message"`
		File    string `json:"file,omitempty"`
		Line    int64  `json:"line,omitempty"`
		Row     int64  `json:"row,omitempty"`
		Place   string `json:"place,omitempty"`
		What    string `json:"what,omitempty"`
		Remedy  string `json:"remedy,omitempty"`
	}
	if problem != nil {
		place.File, place.Line, place.Row, place.Place = problem.File, problem.Line, problem.Row, problem.Place
		place.What, place.Remedy = problem.What, columns.With(f.flagOf, problem.Remedy)
	}
	place.Message = message
	printJSON(stderr, map[string]any{"error": place})
	return status
}

// plainMessage returns the message of an error without the names of packages and system calls.
func plainMessage(err error) string {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Path + ": " + path.Err.Error()
	}
	return jobs.Plain(err)
}

// printJSON prints an object with its keys in order.
func printJSON(to io.Writer, value any) {
	var keys map[string]json.RawMessage
	var text bytes.Buffer
	err := encode(&text, value)
	if err == nil {
		err = json.Unmarshal(text.Bytes(), &keys)
	}
	if err != nil {
		panic(err) // a value of ours
	}
	encode(to, keys)
}

func encode(to io.Writer, value any) error {
	e := json.NewEncoder(to)
	e.SetEscapeHTML(false)
	return e.Encode(value)
}
