package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/dataset/labels"
	"tensorsketch.example/sketch/learn"
)

var evaluateVerb = verb{
	name: "evaluate", does: "compare what a model predicts with the labels of files",
	usage:   "FILE … --model MODEL [flags]",
	example: "tensorsketch evaluate test.csv --model model.json",
	prepare: func(f *flags) func([]string) error {
		var m modelFlag
		var labels string
		var r columns.Reading
		var c columnUse
		f.heading("The model, as fit writes it")
		modelFlags(f, &m)
		f.heading("Labels")
		labelsFlag(f, &labels)
		modelColumnFlags(f, &c)
		readingFlags(f, &r)
		f.common()
		return func(files []string) error { return evaluate(f, &m, labels, r, &c, files) }
	},
}

func labelsFlag(f *flags, file *string) {
	f.words(file, "labels", "`FILE` the labels, one for each row, if the files do not hold them")
}

func evaluate(f *flags, from *modelFlag, labelFile string, r columns.Reading, c *columnUse, files []string) error {
	c.noLabel = labelFile != ""
	t, m, err := openLearned(f, from, files, r, c)
	if err != nil {
		return err
	}
	defer t.close()
	if m.NOutputs() != 1 && m.Task == learn.TaskRegress {
		return fmt.Errorf("%s: the model predicts %d numbers for a row, and a file has one label", from.name, m.NOutputs())
	}
	if err := t.needLabels(labelFile); err != nil {
		return err
	}
	classes, targets := learn.NewClassEvaluation(m.NOutputs()), learn.NewTargetEvaluation(m.NOutputs())
	read := t.labelReader(nil, m.Classes)
	isClassifier := m.Task == learn.TaskClassify
	var unknown []string
	for b, err := range t.labelled("Evaluating", max(1, blockFeatures/(4*m.Map.NComponents())), read, !isClassifier) {
		if err != nil {
			return err
		}
		X := b.rows(m.Map.NFeatures())
		for _, label := range b.labels {
			if len(unknown) < 3 && !read.Knows(label) && !slices.Contains(unknown, labels.Text(label)) {
				unknown = append(unknown, labels.Text(label))
			}
		}
		if isClassifier {
			err = m.EvaluateInto(classes, X, b.labels)
		} else {
			err = m.EvaluateTargetsInto(targets, X, b.targets)
		}
		if err != nil {
			return b.rowError(err)
		}
	}
	if n := classes.Metrics().Unknown; isClassifier && n > 0 {
		t.add(dataset.UnknownLabels(n, unknown))
	}
	t.say(f)
	if isClassifier {
		printClasses(f, m.Classes, classes.Metrics(), t)
	} else {
		printTargets(f, &targets.Metrics()[0], t)
	}
	return nil
}

func printTargets(f *flags, m *learn.TargetMetrics, t *table) {
	if f.json {
		unused, notes := noted(t)
		printJSON(stdout, map[string]any{"task": learn.TaskRegress, "rows": m.Rows, "unused": unused, "notes": notes,
			"r2": intervalOf(m.R2), "rmse": intervalOf(m.RMSE), "mae": intervalOf(m.MAE)})
		return
	}
	fmt.Fprintf(stdout, "rows      %s\n", grouped(m.Rows))
	for _, line := range []struct {
		name string
		i    learn.Interval
	}{{"R²  ", m.R2}, {"RMSE", m.RMSE}, {"MAE ", m.MAE}} {
		fmt.Fprintf(stdout, "%s      %.4g (95 %%: %.4g to %.4g)\n", line.name, line.i.Value, line.i.Low, line.i.High)
	}
}

func printClasses(f *flags, classes []learn.Label, m *learn.ClassMetrics, t *table) {
	K := len(classes)
	if f.json {
		var names []any
		var confusion [][]int64
		var recall, precision []*float64
		for k, class := range classes {
			names = append(names, class.Value())
			confusion = append(confusion, m.Confusion[k*K:(k+1)*K])
			recall, precision = append(recall, known(m.Recall[k])), append(precision, known(m.Precision[k]))
		}
		unused, notes := noted(t)
		printJSON(stdout, map[string]any{"task": learn.TaskClassify, "rows": m.Rows, "unused": unused,
			"notes":   notes,
			"unknown": m.Unknown, "accuracy": intervalOf(m.Accuracy), "logLoss": known(m.LogLoss), "classes": names,
			"confusion": confusion, "recall": recall, "precision": precision})
		return
	}
	fmt.Fprintf(stdout, "rows      %s\n", grouped(m.Rows))
	if m.Unknown > 0 {
		fmt.Fprintf(stdout, "unknown   %s with labels that the model does not know\n", grouped(m.Unknown))
	}
	fmt.Fprintf(stdout, "accuracy  %.2f %% (95 %%: %.2f to %.2f)\n", 100*m.Accuracy.Value,
		100*m.Accuracy.Low, 100*m.Accuracy.High)
	if m.LogLoss == m.LogLoss {
		fmt.Fprintf(stdout, "log loss  %.4g\n", m.LogLoss)
	}
	if K <= widestMatrix {
		printConfusion(classes, m.Confusion)
	} else {
		printMistakes(classes, m.Confusion)
	}
}

// widestMatrix is how many classes a confusion matrix has at most. Of more, the most frequent mistakes are listed.
const widestMatrix = 20

// printConfusion prints a row for each true class and a column for each predicted one.
func printConfusion(classes []learn.Label, confusion []int64) {
	names, width := make([]string, len(classes)), len("true")
	for k, class := range classes {
		names[k] = labels.Text(class)
		width = max(width, len([]rune(names[k])))
	}
	cell := 0
	for _, n := range confusion {
		cell = max(cell, len(strconv.FormatInt(n, 10)))
	}
	for _, name := range names {
		cell = max(cell, len([]rune(name)))
	}
	fmt.Fprintf(stdout, "\n%-*s  predicted\n%-*s", width, "", width, "true")
	for _, name := range names {
		fmt.Fprintf(stdout, "  %*s", cell, name)
	}
	fmt.Fprintln(stdout)
	for t, name := range names {
		fmt.Fprintf(stdout, "%-*s", width, name)
		for p := range names {
			fmt.Fprintf(stdout, "  %*d", cell, confusion[t*len(names)+p])
		}
		fmt.Fprintln(stdout)
	}
}

// printMistakes prints the most frequent mistakes.
func printMistakes(classes []learn.Label, confusion []int64) {
	K := len(classes)
	var mistakes []int
	for at, n := range confusion {
		if n > 0 && at/K != at%K {
			mistakes = append(mistakes, at)
		}
	}
	slices.SortStableFunc(mistakes, func(a, b int) int { return cmp.Compare(confusion[b], confusion[a]) })
	fmt.Fprintf(stdout, "\nmost frequent mistakes, of %d classes\n", K)
	for _, at := range mistakes[:min(len(mistakes), widestMatrix)] {
		fmt.Fprintf(stdout, "%6s  %s taken for %s\n", grouped(confusion[at]), labels.Text(classes[at/K]),
			labels.Text(classes[at%K]))
	}
}
