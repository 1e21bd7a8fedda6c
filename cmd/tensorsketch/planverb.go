package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"tensorsketch.example/jobs"
)

var planVerb = verb{
	name: "plan", does: "find the map and the number of components for an error", usage: "[FILE …] [flags]",
	example: "tensorsketch plan digits.csv --unit-norm --degree 2 --coef0 1 --error 0.1",
	prepare: func(f *flags) func([]string) error {
		q := jobs.PlanRequest{First: 10_000}
		f.heading("The question")
		f.positive(&q.Epsilon, "error", "`X` the error wanted of estimates of the kernel; else maps of equal cost")
		f.positive(&q.Delta, "delta", "`P` how often a larger error is allowed; default 0.05")
		f.integer(&q.NComponents, "components", "`D` of the first method, without --error; default 1024")
		kernelFlags(f, &q.Degree, &q.Gamma, func(x float64) { q.Coef0 = x })
		f.value("methods", "`NAMES` the methods to compare, separated by commas; default all that fit",
			func(text string) error { q.Methods = strings.Split(text, ","); return nil })
		f.integer(&q.First, "rows", "`N` look at the first N rows of the files; default 10000")
		f.integer(&q.NFeatures, "features", "`D` without files: numbers of a row")
		f.number(&q.Cosine, "cosine", "`X` without files: of the angle between two rows; default 0")
		columnFlags(f, &q.Columns)
		readingFlags(f, &q.Reading)
		f.common()
		return func(files []string) error { return plan(f, &q, files) }
	},
}

func plan(f *flags, q *jobs.PlanRequest, files []string) error {
	if f.given("error") && f.given("components") {
		return usage("--error and --components are two questions; leave one out")
	}
	if len(files) > 0 {
		for _, name := range []string{"features", "cosine"} {
			if f.given(name) {
				return usage("--%s is for a plan without files; leave it out", name)
			}
		}
	}
	closeAll, err := openRows(&q.Rows, files, "")
	if err != nil {
		return err
	}
	defer closeAll()
	reply, err := jobs.Plan(f.control(), q)
	if err != nil {
		return err
	}
	if f.json {
		printJSON(stdout, reply)
		return nil
	}
	w := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "method\tcomponents\tRMS error\t\tµs per row")
	for _, a := range reply.Answers {
		note := a.Kind
		if q.Epsilon > 0 && !a.Reached {
			note += ", not reached"
		}
		sigma := "?"
		if a.PredictedSigma != nil {
			sigma = fmt.Sprintf("%.3g", *a.PredictedSigma)
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%.3g\n", a.Method, a.NComponents, sigma, note, a.MicrosecondsPerRow)
	}
	return w.Flush()
}
