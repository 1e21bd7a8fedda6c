package main

import (
	"errors"
	"fmt"
	"runtime"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/model"
)

var compareVerb = verb{
	name: "compare", does: "test whether the rows of two files come from the same distribution",
	usage:   "A B [--model MODEL] [flags]",
	example: "tensorsketch compare january.csv february.csv --model map.json",
	prepare: func(f *flags) func([]string) error {
		var c compare
		f.heading("The map of the rows; without it, A and B are sums that fit --moments has written")
		modelFlags(f, &c.model)
		modelColumnFlags(f, &c.columns)
		readingFlags(f, &c.reading)
		f.common()
		return func(files []string) error { return c.run(f, files) }
	},
}

// A compare is the work of the verb.
type compare struct {
	model   modelFlag
	columns columnUse
	reading columns.Reading
	tables  [2]*table
}

func (v *compare) run(f *flags, files []string) error {
	if len(files) != 2 {
		return usage("name two files")
	}
	comparing := v.sums
	if v.model.name != "" {
		comparing = v.rows
	} else if v.model.keyFile != "" {
		return usage("--key-file is for a --model; leave it out")
	} else if err := f.refuse("sums, which have their own columns",
		append(flagsOf(func(f *flags) { modelColumnFlags(f, new(columnUse)) }),
			flagsOf(func(f *flags) { readingFlags(f, new(columns.Reading)) })...)); err != nil {
		return err
	}
	c, err := comparing(f, files)
	if err != nil {
		return err
	}
	if f.json {
		unused, notes := noted(v.tables[:]...)
		printJSON(stdout, map[string]any{"rows": c.Rows, "unused": unused, "notes": notes, "mmd2": c.MMD2,
			"stdError": c.StdError, "biased": c.Biased, "pValue": c.PValue})
		return nil
	}
	fmt.Fprintf(stdout, "rows      %s and %s\n", grouped(int64(c.Rows[0])), grouped(int64(c.Rows[1])))
	fmt.Fprintf(stdout, "MMD²      %.4g (standard error %.4g)\n", c.MMD2, c.StdError)
	fmt.Fprintf(stdout, "p-value   %.4g\n", c.PValue)
	return nil
}

// sums compares two files of sums.
func (v *compare) sums(_ *flags, files []string) (*learn.Comparison, error) {
	var both [2]*learn.Learner
	for i, name := range files {
		var err error
		if both[i], err = readMoments(name); err != nil {
			return nil, fmt.Errorf("%w; files of rows need --model", err)
		}
	}
	c, err := both[0].Compare(both[1])
	e, ok := errors.AsType[*sketch.Error](err)
	switch {
	case !ok:
		return c, err
	case e.Argument == "rows":
		return nil, fmt.Errorf("%s and %s: %w", files[0], files[1], err)
	}
	return nil, unlike(e, files[1], files[0])
}

// rows compares two files of rows under the map of the model.
func (v *compare) rows(f *flags, files []string) (*learn.Comparison, error) {
	m, p, err := readModel(&v.model, model.Unmarshal, model.UnmarshalKeyed)
	if err == nil && p != nil {
		err = f.refuse(v.model.name+", which has its own columns",
			flagsOf(func(f *flags) { modelColumnFlags(f, new(columnUse)) }))
	}
	if err != nil {
		return nil, err
	}
	v.columns.noLabel = !f.given("label")
	m.SetGoroutines(runtime.GOMAXPROCS(0))
	tables := &v.tables
	radius := 0.0
	for i, file := range files {
		if tables[i], err = openFor(m, p, files[i:i+1], v.reading, &v.columns); err != nil {
			return nil, err
		}
		defer tables[i].close()
		longest := 1.0
		if !tables[i].p.UnitNorm {
			if longest, err = tables[i].longestRow(m); err != nil {
				return nil, err
			}
		}
		if longest == 0 {
			return nil, fmt.Errorf("%s: it has no rows; give at least %d", file, learn.MinTestRows)
		}
		radius = max(radius, longest)
	}
	step, err := learn.GridStep(m, radius)
	if err != nil {
		return nil, err
	}
	var both [2]*learn.System
	for i, t := range tables {
		moments, err := learn.NewMoments(learn.Shape{NComponents: m.NComponents()}, learn.Grid{Step: step}, 0)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", v.model.name, err)
		}
		if err := addFeatures(moments, m, t); err != nil {
			return nil, err
		}
		t.say(f)
		both[i] = moments.System()
	}
	c, err := learn.CompareSums(both[0], both[1])
	if err != nil {
		return nil, fmt.Errorf("%s and %s: %w", files[0], files[1], err)
	}
	return c, nil
}

// addFeatures adds the features of all rows to moments without labels.
func addFeatures(moments *learn.Moments, m *sketch.FeatureMap, t *table) error {
	moments.SetGoroutines(runtime.GOMAXPROCS(0))
	for b, err := range t.blocks("Comparing", max(64, blockFeatures/(4*m.NComponents()))) {
		if err != nil {
			return err
		}
		Z, err := m.TransformRows(nil, b.rows(m.NFeatures()))
		if err == nil {
			err = moments.AddFeatures(Z, nil, nil, nil)
		}
		if err != nil {
			return b.rowError(err)
		}
	}
	return nil
}
