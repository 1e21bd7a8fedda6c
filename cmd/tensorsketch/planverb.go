package main

import (
	"fmt"
	"math"
	"strings"
	"text/tabwriter"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/sketch"
)

var planVerb = verb{
	name: "plan", does: "find the map and the number of components for an error", usage: "[FILE …] [flags]",
	example: "tensorsketch plan digits.csv --unit-norm --degree 2 --coef0 1 --error 0.1",
	prepare: func(f *flags) func([]string) error {
		q := planning{rows: 10_000}
		f.heading("The question")
		f.positive(&q.Epsilon, "error", "`X` the error wanted of estimates of the kernel; else maps of equal cost")
		f.positive(&q.Delta, "delta", "`P` how often a larger error is allowed; default 0.05")
		f.integer(&q.NComponents, "components", "`D` of the first method, without --error; default 1024")
		kernelFlags(f, &q.Degree, &q.Gamma, &q.Coef0)
		f.value("methods", "`NAMES` the methods to compare, separated by commas; default all that fit",
			func(text string) error { q.Methods = strings.Split(text, ","); return nil })
		f.integer(&q.rows, "rows", "`N` look at the first N rows of the files; default 10000")
		f.integer(&q.NFeatures, "features", "`D` without files: numbers of a row")
		f.number(&q.Cosine, "cosine", "`X` without files: of the angle between two rows; default 0")
		columnFlags(f, &q.columns)
		readingFlags(f, &q.reading)
		f.common()
		return func(files []string) error { return q.run(f, files) }
	},
}

// A planning is the work of the verb plan.
type planning struct {
	sketch.PlanQuestion
	rows    int
	columns columnUse
	reading columns.Reading
}

func (q *planning) run(f *flags, files []string) error {
	if f.given("error") && f.given("components") {
		return usage("--error and --components are two questions; leave one out")
	}
	used, t := int64(0), (*table)(nil)
	if len(files) > 0 {
		for _, name := range []string{"features", "cosine"} {
			if f.given(name) {
				return usage("--%s is for a plan without files; leave it out", name)
			}
		}
		var err error
		if t, err = openTable(files, q.reading, &q.columns, nil); err != nil {
			return err
		}
		defer t.close()
		t.say(f)
		if err := t.learn(int64(q.rows), nil); err != nil {
			return err
		}
		if q.Sample, err = t.head(q.rows); err != nil {
			return err
		}
		t.say(f)
		q.NFeatures, used = t.p.NFeatures(), t.rows
	} else if !f.given("features") {
		return usage("name a file, or give --features for rows without one")
	}
	answers, err := sketch.Plan(q.PlanQuestion)
	if err != nil {
		return paramError(err)
	}
	if f.json {
		_, notes := noted(t)
		printJSON(stdout, map[string]any{"rows": used, "notes": notes, "nFeatures": q.NFeatures,
			"answers": answersOf(answers)})
		return nil
	}
	w := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "method\tcomponents\tRMS error\t\tµs per row")
	for _, a := range answers {
		note := a.Kind.String()
		if q.Epsilon > 0 && !a.Reached {
			note += ", not reached"
		}
		sigma := "?"
		if !math.IsNaN(a.PredictedSigma) {
			sigma = fmt.Sprintf("%.3g", a.PredictedSigma)
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%.3g\n", a.Method, a.NComponents, sigma, note, a.MicrosecondsPerRow)
	}
	return w.Flush()
}

// An answer is a sketch.PlanAnswer as JSON, with the names of the JavaScript API.
type answer struct {
	Method             string   `json:"method"`
	NComponents        int      `json:"nComponents"`
	PredictedSigma     *float64 `json:"predictedSigma"` // null if it is not known
	Kind               string   `json:"kind"`
	MicrosecondsPerRow float64  `json:"microsecondsPerRow"`
	Reached            bool     `json:"reached"`
}

func answersOf(answers []sketch.PlanAnswer) (list []answer) {
	for _, a := range answers {
		item := answer{a.Method, a.NComponents, &a.PredictedSigma, a.Kind.String(), a.MicrosecondsPerRow, a.Reached}
		if math.IsNaN(a.PredictedSigma) {
			item.PredictedSigma = nil
		}
		list = append(list, item)
	}
	return list
}
