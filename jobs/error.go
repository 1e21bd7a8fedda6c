package jobs

import (
	"errors"
	"fmt"
	"strings"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/sketch"
)

// An Error is a mistake in a request, not in a file.
type Error struct {
	Argument string // the field of the request, by its name in JSON
	OfData   bool   // a file does not allow what the request asks for

	text    string // "{label}" stands for the field label
	values  []any
	err     error            // or one of another package
	problem *dataset.Problem // or one about a row, to which tail and text, its remedy, are added
	tail    string
}

// fail returns an Error. A name in braces stands for a field of the request.
func fail(argument, text string, values ...any) error {
	return &Error{Argument: argument, text: text, values: values}
}

// failure is fail for what a file does not allow.
func failure(text string, values ...any) error {
	return &Error{OfData: true, text: text, values: values}
}

// withRemedy returns a problem, the rest of what it says, and its remedy: both name fields of the request.
func withRemedy(p *dataset.Problem, tail, remedy string) error {
	return &Error{OfData: true, problem: p, tail: tail, text: remedy}
}

// mistake returns an error of another package as an Error, if it is about a parameter.
func mistake(err error) error {
	e, ok := errors.AsType[*sketch.Error](err)
	if !ok || e.Code != sketch.ErrParam || e.Row >= 0 {
		return err
	}
	return &Error{Argument: e.Argument, err: err}
}

// Message returns the error in the words of a program that has these names for the fields of a request.
func (e *Error) Message(name func(field string) string) string {
	if e.err != nil {
		if math, ok := errors.AsType[*sketch.Error](e.err); ok {
			renamed := *math
			renamed.Argument = name(math.Argument)
			return renamed.Error()
		}
		return e.err.Error()
	}
	if e.problem != nil {
		return e.Problem(name).Error()
	}
	return fmt.Sprintf(columns.With(name, e.text), e.values...)
}

// Problem returns the problem with a row that the error is about, or nil.
func (e *Error) Problem(name func(field string) string) *dataset.Problem {
	if e.problem == nil {
		return nil
	}
	p := *e.problem
	p.What += columns.With(name, e.tail)
	p.Remedy = columns.With(name, e.text)
	return &p
}

func (e *Error) Error() string { return e.Message(func(field string) string { return field }) }

// Unwrap returns the error of another package that this one is about, or nil.
func (e *Error) Unwrap() error { return e.err }

// Plain returns the message of an error without the names of packages.
func Plain(err error) string {
	message := err.Error()
	for _, prefix := range []string{"dataset: ", "model: ", "learn: ", "onnx: "} {
		message = strings.TrimPrefix(message, prefix)
	}
	return message
}

// Suggest returns " (did you mean word?)" with the word that is nearest to a mistyped one, or "" if none is near. The
// case of letters makes no distance.
func Suggest(mistyped string, words []string) string {
	nearest, least := "", 1+len(mistyped)/3
	for _, word := range words {
		shorter, longer := min(len(word), len(mistyped)), max(len(word), len(mistyped))
		if longer > longestWord || longer-shorter >= least { // nobody mistypes names that long; the distance is larger
			continue
		}
		if n := distance(strings.ToLower(mistyped), strings.ToLower(word)); n < least {
			nearest, least = word, n
		}
	}
	if nearest == "" {
		return ""
	}
	return " (did you mean " + nearest + "?)"
}

// longestWord is the length in bytes up to which words are compared: a file may have names of megabytes.
const longestWord = 64

// distance returns how many letters have to be changed, added or left out to make b of a (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			changed := before
			if a[i] != b[j] {
				changed++
			}
			before = row[j+1]
			row[j+1] = min(changed, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
