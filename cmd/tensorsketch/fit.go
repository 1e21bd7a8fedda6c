package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/jobs"
	"tensorsketch.example/jobs/native"
	"tensorsketch.example/sketch/learn"
)

// fitUsage are the flags whose defaults are others where a model is fitted.
var fitUsage = map[string]string{
	"method":     "`NAME` chosen by --search; tensor-sketch if that is off",
	"components": "`D` features of a row; default 1024",
	"degree":     "`P` chosen by --search; else 3, and 2 up to 512 components of 30 columns or more",
	"gamma":      "`X` chosen by --search; else 1",
	"coef0":      "`X` chosen by --search; else 1",
	"scaling":    "`HOW` none, standard or min-max; chosen by --search, else guessed",
	"unit-norm":  "divide each row by its length; chosen by --search, else true",
	"missing":    "`HOW` drop, refuse, mean, zero or constant; default: it is learned from, and drop if --search is off",
}

var fitVerb = verb{
	name: "fit", does: "fit a model that predicts the label of a row", usage: "FILE … -o MODEL [flags]",
	example: "tensorsketch fit digits.csv --label digit -o model.json",
	prepare: func(f *flags) func([]string) error {
		var v fit
		f.heading("Output")
		f.output(&v.out, "o", "`FILE` the model")
		f.output(&v.moments, "moments", "`FILE` the sums of the rows, for merge and --from")
		f.output(&v.report, "report", "`FILE` the report of the fit as JSON, with all candidates of --search")
		f.heading("What is learned")
		labelsFlag(f, &v.labels)
		f.choice(&v.Task, "task", "`TASK` classify or regress; guessed from the labels",
			[]string{learn.TaskClassify, learn.TaskRegress})
		f.choice(&v.Loss, "loss", "`LOSS` squared (default), squared-hinge or logistic",
			[]string{learn.LossSquared, learn.LossSquaredHinge, learn.LossLogistic})
		f.words(&v.Search, "search", "`HOW` auto (default): held-out rows choose what is not given of scales, kernel and "+
			"column weights; off; or names of candidates, separated by commas (docs/learn.md)")
		f.value("alpha", "`X` the weight of the penalty for loss squared; default auto", func(text string) (err error) {
			if text != "auto" {
				if v.Alpha, err = parseNumber(text); err != nil || v.Alpha <= 0 {
					return fmt.Errorf("must be auto or a number > 0, got %q", text)
				}
			}
			return nil
		})
		f.value("alpha-range", "`LOW,HIGH` alpha is between these, times the squared lengths of all rows of features; "+
			"default 1e-11,100", func(text string) (err error) {
			v.AlphaRange[0], v.AlphaRange[1], err = twoNumbers(text)
			if err == nil && v.AlphaRange[0] <= 0 {
				err = fmt.Errorf("must be two numbers > 0, the lower first, got %q", text)
			}
			return err
		})
		f.positive(&v.C, "C", "`X` the weight of errors for the other losses; else chosen")
		f.value("folds", "`N` parts held out: 0, 1 or 5; default 5; to classify unsearched 1", func(text string) error {
			if !slices.Contains([]string{"0", "1", "5"}, text) {
				return fmt.Errorf("must be 0, 1 or 5, got %q", text)
			}
			n, _ := strconv.Atoi(text)
			v.Folds = &n
			return nil
		})
		f.heading("Parts that can be merged")
		f.boolean(&v.Mergeable, "mergeable",
			"no linear model of many columns that takes passes over the rows; so with --moments")
		f.inputs = append(f.inputs, inputFlag{"from", func() []string { return v.from }})
		f.list(&v.from, "from", "`FILE` sums of --moments or merge, instead of files of rows")
		f.boolean(&v.WithoutRows, "no-rows", "--moments has no rows yet, only what --like takes of it, as for Beam")
		f.input(&v.like, "like", "`FILE` sums of another part, whose map, columns and ranges are taken")
		f.classes(&v.Classes, "that may occur", "; default all that the rows have")
		f.positive(&v.Radius, "radius", "`X` the largest length of a row, with --unit-norm=false")
		f.value("target-range", "`LOW,HIGH` the lowest and highest target; else a first pass finds them", v.setRange)
		mapFlags(f, &v.Map)
		columnFlags(f, &v.Columns)
		for name, usage := range fitUsage {
			f.Lookup(name).Usage = usage
		}
		readingFlags(f, &v.Reading)
		f.common()
		return func(files []string) error { return v.run(f, files) }
	},
}

// A fit is the work of the verb.
type fit struct {
	jobs.FitRequest
	out, moments, labels, like, report string
	from                               []string
}

func (v *fit) setRange(text string) (err error) {
	v.TargetRange[0], v.TargetRange[1], err = twoNumbers(text)
	return err
}

// twoNumbers reads a range.
func twoNumbers(text string) (low, high float64, err error) {
	first, second, _ := strings.Cut(text, ",")
	if low, err = parseNumber(first); err == nil {
		high, err = parseNumber(second)
	}
	if err != nil || low >= high {
		err = fmt.Errorf("must be two numbers, the lower first, got %q", text)
	}
	return low, high, err
}

func (v *fit) run(f *flags, files []string) (err error) {
	switch {
	case v.out == "" && v.moments == "":
		return usage("give the model's file with -o, or --moments, or both")
	case v.Loss != "" && v.Loss != learn.LossSquared && v.moments+v.like+strings.Join(v.from, "") != "":
		return usage("--moments, --like and --from are for --loss squared; the others need the rows")
	case v.from != nil && len(files) > 0:
		return usage("--from takes the place of files of rows; leave one out")
	case v.WithoutRows && (v.moments == "" || v.out != "" || v.from != nil):
		return usage("--no-rows is for --moments and files of rows, without -o")
	case v.report != "" && v.out == "":
		return usage("--report is of a model; give its file with -o")
	case v.from == nil && len(files) == 0:
		return needFiles(files)
	}
	if err := v.begin(f); err != nil {
		return err
	}
	v.WithoutFit, v.Mergeable = v.out == "", v.Mergeable || v.moments != ""
	closeAll, err := openRows(&v.Rows, files, v.labels)
	if err != nil {
		return err
	}
	defer closeAll()
	reply, err := jobs.Fit(f.control(), native.Mapper{Scratch: newScratch}, &v.FitRequest)
	if err != nil {
		return err
	}
	return v.finish(f, reply)
}

// begin reads the sums of --from or --like, which contradict other flags.
func (v *fit) begin(f *flags) (err error) {
	fixed := append(flagsOf(func(f *flags) { mapFlags(f, new(jobs.MapParams)) }),
		append(flagsOf(func(f *flags) { columnFlags(f, new(jobs.Columns)) }), "task", "folds", "classes", "radius",
			"target-range")...)
	if v.from != nil && v.like != "" {
		return usage("--from and --like are two ways to begin; leave one out")
	}
	if v.from != nil {
		if err := f.refuse("--from, which has all of that", append(fixed, "labels")); err != nil {
			return err
		}
		v.From, err = readAll(v.from)
		noteRepeated(f, v.From)
		return err
	}
	if v.like == "" {
		return nil
	}
	own := flagsOf(func(f *flags) { modelColumnFlags(f, new(jobs.Columns)) }) // package jobs refuses them where it must
	fixed = slices.DeleteFunc(fixed, func(name string) bool { return slices.Contains(own, name) })
	if err := f.refuse("--like, which has all of that", fixed); err != nil {
		return err
	}
	like, err := readAll([]string{v.like})
	if err == nil {
		v.Like = &like[0]
	}
	return err
}

// finish writes the sums and the model, and says how it was fitted.
func (v *fit) finish(f *flags, reply *jobs.FitReply) error {
	if v.moments != "" {
		if err := writeMoments(v.moments, reply.Learner); err != nil {
			return err
		}
	}
	if v.out == "" {
		if f.json {
			printJSON(stdout, struct {
				jobs.Told
				Moments string `json:"moments"`
			}{reply.Told, v.moments})
		}
		return nil
	}
	text, err := reply.Model.File()
	if err == nil {
		err = writeWhole(v.out, text)
	}
	if err != nil {
		return err
	}
	to := stdout
	if v.out == "-" {
		to = stderr
	}
	printReport(f, to, reply)
	if v.report == "" {
		return nil
	}
	var b bytes.Buffer
	printJSON(&b, reply)
	return writeWhole(v.report, b.Bytes())
}

// A scratch is a file for the rows of a fit in passes. It is removed when the program ends.
type scratch struct{ *os.File }

func newScratch() (native.Scratch, error) {
	file, err := os.CreateTemp("", "tensorsketch-*")
	if err != nil {
		return nil, err
	}
	remove(file.Name(), file)
	return scratch{file}, nil
}

func (s scratch) Write(p []byte) (int, error) {
	n, err := s.File.Write(p)
	return n, s.about(err)
}

func (s scratch) ReadAt(p []byte, at int64) (int, error) {
	n, err := s.File.ReadAt(p, at)
	return n, s.about(err)
}

func (s scratch) about(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the copy of the rows in %s: %w", os.TempDir(), cause(err))
}
