package jobs

import (
	"errors"
	"fmt"

	"tensorsketch.example/sketch"
)

// A MergeRequest asks for the sums of several parts together.
type MergeRequest struct {
	Parts []Named `json:"parts"`
	Less  []Named `json:"less,omitempty"` // whose rows are in Parts, and are taken away
}

// Merge adds up the sums of parts.
func Merge(mapper Mapper, q *MergeRequest) (Learner, error) {
	if len(q.Parts) == 0 {
		return nil, fail("parts", "name files of sums")
	}
	l, err := readAll(mapper, q.Parts)
	for k := range q.Less {
		if err == nil {
			err = combine(mapper, l, &q.Less[k], q.Parts[0].Name, l.Subtract)
		}
	}
	return l, err
}

// readAll reads files of sums and merges them.
func readAll(mapper Mapper, files []Named) (Learner, error) {
	l, err := readLearner(mapper, &files[0])
	for k := range files[1:] {
		if err == nil {
			err = combine(mapper, l, &files[k+1], files[0].Name, l.Merge)
		}
	}
	return l, err
}

// combine adds or takes away a file of sums.
func combine(mapper Mapper, l Learner, file *Named, first string, do func(o Learner) error) error {
	o, err := readLearner(mapper, file)
	if err != nil {
		return err
	}
	defer o.Close()
	err = do(o)
	e, ok := errors.AsType[*sketch.Error](err)
	if !ok {
		return named(file.Name, err)
	}
	switch e.Argument {
	case "rows", "words", "classes":
		return fmt.Errorf("%s: %w", file.Name, err)
	}
	return unlike(e, file.Name, first)
}

// unlike says in what a file of sums differs from the first one.
func unlike(e *sketch.Error, name, first string) error {
	difference := "has another " + e.Argument + " than"
	if e.Argument == "preprocessing" {
		difference = "prepares its columns differently than"
	}
	return failure("%s %s %s; make it with fit {like} %s", name, difference, first, first)
}

// readLearner reads a file of sums.
func readLearner(mapper Mapper, file *Named) (Learner, error) {
	l, err := mapper.OpenLearner(file.Content)
	if err != nil && file.Name != "" {
		if format, isCut := file.format(); isCut || format != sumsFormat {
			return l, file.isNone("sums of rows", "some", isCut)
		}
	}
	return l, named(file.Name, err)
}
