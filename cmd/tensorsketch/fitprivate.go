package main

import (
	"crypto/rand"
	"fmt"
	"io"
	"strings"

	"tensorsketch.example/jobs"
	"tensorsketch.example/jobs/native"
	"tensorsketch.example/sketch/learn"
)

var fitPrivateVerb = verb{
	name: "fit-private", does: "fit a model to sums with noise that hides each row", usage: "FILE -o MODEL [flags]",
	example: "tensorsketch fit-private people.jsonl --number age,height --range age=0,120 --range height=0,3 " +
		"--label ill --classes no,yes --epsilon 1 --delta 1e-5 --budget 4,1e-5 --components 64 --coef0 1 --format jsonl " +
		"--compression none --encoding utf-8 --keys age,height,ill -o model.json",
	prepare: func(f *flags) func([]string) error {
		v := &fitPrivate{}
		v.Task = learn.TaskClassify
		f.heading("Output")
		f.output(&v.out, "o", "`FILE` the model")
		f.heading("What is public. Rows are divided by their length. A quarter of the rows tests the model")
		f.choice(&v.Task, "task", "`TASK` classify (default) or regress", []string{learn.TaskClassify, learn.TaskRegress})
		f.classes(&v.Classes, "that count", "")
		f.value("target-range", "`LOW,HIGH` the lowest and highest target, for regress", func(text string) (err error) {
			v.Targets[0], v.Targets[1], err = twoNumbers(text)
			return err
		})
		f.value("range", "`NAME=LOW,HIGH` the lowest and highest number of a column, which become 0 and 1; may be repeated",
			v.addRange)
		guaranteeFlags(f, &v.Guarantee, &v.ledger)
		budgetFlag(f, &v.Budget)
		mapFlags(f, &v.Map)
		typedFlags(f, &v.Rows)
		f.Lookup("unit-norm").Usage = "refused: it is always so here"
		f.common()
		return func(files []string) error { return v.run(f, files) }
	},
}

const forOwner = "no noise hides these figures: hand on the model alone"

// A fitPrivate is the work of the verb.
type fitPrivate struct {
	jobs.PrivateFitRequest
	out, ledger string
}

func (v *fitPrivate) addRange(text string) (err error) {
	i := strings.LastIndex(text, "=")
	if i < 1 {
		return fmt.Errorf("must be NAME=LOW,HIGH, got %q", text)
	}
	r := jobs.NumberRange{Name: text[:i]}
	r.Low, r.High, err = twoNumbers(text[i+1:])
	v.Ranges = append(v.Ranges, r)
	return err
}

func (v *fitPrivate) run(f *flags, files []string) error {
	if v.out == "" {
		return usage("give the model's file with -o")
	}
	if err := f.refuse("a private fit, whose rows have length 1", []string{"unit-norm"}); err != nil {
		return err
	}
	store, closeAll, err := openPrivate(f, &v.Rows, files, v.ledger)
	if err != nil {
		return err
	}
	defer closeAll()
	v.Ledger, v.Digest, v.Random, v.Job = store, sha, random, rand.Text()
	reply, err := jobs.PrivateFit(f.control(), native.Mapper{}, &v.PrivateFitRequest)
	if err != nil {
		return err
	}
	defer reply.Model.Close()
	text, err := reply.Model.File()
	if err == nil {
		err = writeWhole(v.out, text)
	}
	if err != nil {
		return err
	}
	to := (&rowOutput{path: v.out}).results()
	if f.json {
		reply.Ledger.JSON = "" // it is in a file
		printJSON(to, struct {
			*jobs.PrivateFitReply
			Notes []string `json:"notes"`
		}{reply, []string{forOwner}})
		return nil
	}
	fmt.Fprintf(to, "rows      %s to learn from, %d held out\n", jobs.Grouped(reply.Rows), reply.Held)
	printTried(to, "private", v.Task, reply.Noisy)
	printTried(to, "plain", v.Task, reply.Plain)
	odd, cut := "a label that is not public", ""
	if v.Task == learn.TaskRegress {
		odd, cut = "no target", fmt.Sprintf("; targets cut to the range: %d", reply.Cut)
	}
	fmt.Fprintf(to, "for you   of all rows, %d have %s and %d do not fit: these count as zeros%s\n", reply.Odd, odd,
		reply.Unusable, cut)
	fmt.Fprintln(to, "for you   "+forOwner)
	printSpent(to, store.path, reply.Ledger)
	return nil
}

// printTried says how a model did on the rows held out.
func printTried(to io.Writer, name, task string, i *jobs.Interval) {
	switch {
	case i == nil || i.Value == nil:
	case task == learn.TaskRegress:
		fmt.Fprintf(to, "%-9s R² %.4f\n", name, *i.Value)
	default:
		fmt.Fprintf(to, "%-9s accuracy %.2f %% (95 %%: %.2f to %.2f)\n", name, 100**i.Value, 100*orNaN(i.Low),
			100*orNaN(i.High))
	}
}
