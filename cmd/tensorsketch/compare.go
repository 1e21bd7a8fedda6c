package main

import (
	"fmt"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/jobs"
	"tensorsketch.example/jobs/native"
)

var compareVerb = verb{
	name: "compare", does: "test whether the rows of two files come from the same distribution",
	usage:   "A B [--model MODEL] [flags]",
	example: "tensorsketch compare january.csv february.csv --model map.json",
	prepare: func(f *flags) func([]string) error {
		var q jobs.CompareRequest
		var m modelFlag
		f.heading("The map of the rows; without it, A and B are sums that fit --moments has written")
		modelFlags(f, &m)
		modelColumnFlags(f, &q.Columns)
		readingFlags(f, &q.Reading)
		f.common()
		return func(files []string) error { return compare(f, &q, &m, files) }
	},
}

func compare(f *flags, q *jobs.CompareRequest, m *modelFlag, files []string) (err error) {
	if len(files) != 2 {
		return usage("name two files")
	}
	switch {
	case m.name != "":
		model, err := m.read()
		if err != nil {
			return err
		}
		q.Model = &model
		closeAll, err := openRows(&q.Rows, files, "")
		if err != nil {
			return err
		}
		defer closeAll()
	case m.keyFile != "":
		return usage("--key-file is for a --model; leave it out")
	default:
		if err := f.refuse("sums, which have their own columns",
			append(flagsOf(func(f *flags) { modelColumnFlags(f, new(jobs.Columns)) }),
				flagsOf(func(f *flags) { readingFlags(f, new(columns.Reading)) })...)); err != nil {
			return err
		}
		if q.Sums, err = readAll(files); err != nil {
			return err
		}
	}
	r, err := jobs.Compare(f.control(), native.Mapper{}, q)
	if err != nil {
		return err
	}
	if f.json {
		printJSON(stdout, r)
		return nil
	}
	fmt.Fprintf(stdout, "rows      %s and %s\n", jobs.Grouped(int64(r.Rows[0])), jobs.Grouped(int64(r.Rows[1])))
	fmt.Fprintf(stdout, "MMD²      %.4g (standard error %.4g)\n", r.MMD2, r.StdError)
	fmt.Fprintf(stdout, "p-value   %.4g\n", r.PValue)
	return nil
}
