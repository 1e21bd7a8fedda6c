package main

import (
	"errors"
	"fmt"
	"runtime"

	"tensorsketch.example/dataset"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/model"
)

var mergeVerb = verb{
	name: "merge", does: "add up the sums of parts that fit --moments has written", usage: "FILE … -o OUT [flags]",
	example: "tensorsketch merge part1.tsm part2.tsm -o all.tsm",
	prepare: func(f *flags) func([]string) error {
		var out string
		var less []string
		f.heading("Output")
		f.words(&out, "o", "`FILE` the sums of all parts; a model of them is made by fit --from")
		f.list(&less, "subtract", "`FILE` take away the rows of this part, which is in the others")
		f.common()
		return func(files []string) error { return merge(f, files, less, out) }
	},
}

func merge(f *flags, files, less []string, out string) error {
	switch {
	case len(files) == 0:
		return usage("name files of sums")
	case out == "":
		return usage("give the file for the sums with -o")
	}
	l, err := readAll(files)
	if err != nil {
		return err
	}
	for _, name := range less {
		if err := combine(l, name, files[0], (*learn.Learner).Subtract); err != nil {
			return err
		}
	}
	if less != nil {
		f.note("the rows of --subtract are taken on trust: that sums allow it does not show that these rows were added")
	}
	if err := writeMoments(out, l); err != nil {
		return err
	}
	if f.json {
		printJSON((&rowOutput{path: out}).results(), map[string]any{"rows": l.Rows(), "output": out})
	} else {
		f.note("%s", count(l.Rows(), "row"))
	}
	return nil
}

// readAll reads files of sums and merges them.
func readAll(names []string) (*learn.Learner, error) {
	l, err := readMoments(names[0])
	if err != nil {
		return nil, err
	}
	for _, name := range names[1:] {
		if err := combine(l, name, names[0], (*learn.Learner).Merge); err != nil {
			return nil, err
		}
	}
	l.SetGoroutines(runtime.GOMAXPROCS(0))
	return l, nil
}

// combine adds or takes away a file of sums.
func combine(l *learn.Learner, name, first string, do func(l, o *learn.Learner) error) error {
	o, err := readMoments(name)
	if err != nil {
		return err
	}
	err = do(l, o)
	e, ok := errors.AsType[*sketch.Error](err)
	if !ok {
		return named(name, err)
	}
	switch e.Argument {
	case "rows", "words", "classes":
		return fmt.Errorf("%s: %w", name, err)
	}
	return unlike(e, name, first)
}

// unlike says in what a file of sums differs from the first one.
func unlike(e *sketch.Error, name, first string) error {
	difference := "has another " + e.Argument + " than"
	if e.Argument == "preprocessing" {
		difference = "prepares its columns differently than"
	}
	return fmt.Errorf("%s %s %s; make it with fit --like %s", name, difference, first, first)
}

// readMoments reads a file of sums.
func readMoments(name string) (*learn.Learner, error) {
	content, err := readWhole(name)
	if err != nil {
		return nil, err
	}
	l, err := model.UnmarshalLearner(content, nil)
	return l, named(name, err)
}

func writeMoments(name string, l *learn.Learner) error {
	content, err := model.MarshalLearnerBinary(l)
	if err != nil {
		return named(name, err)
	}
	return writeWhole(name, content)
}

// preprocessingOf returns the preprocessing of a spec, or nil if it has none.
func preprocessingOf(spec learn.Spec) (*dataset.Preprocessing, error) {
	if spec.Preprocessing == "" {
		return nil, nil
	}
	p := new(dataset.Preprocessing)
	return p, p.UnmarshalJSON([]byte(spec.Preprocessing))
}
