package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/dataset/labels"
	"tensorsketch.example/jobs"
	"tensorsketch.example/jobs/native"
)

var evaluateVerb = verb{
	name: "evaluate", does: "compare what a model predicts with the labels of files",
	usage:   "FILE … --model MODEL [flags]",
	example: "tensorsketch evaluate test.csv --model model.json",
	prepare: func(f *flags) func([]string) error {
		var q jobs.EvaluateRequest
		var m modelFlag
		var labels string
		f.heading("The model, as fit writes it")
		modelFlags(f, &m)
		f.heading("Labels")
		labelsFlag(f, &labels)
		f.boolean(&q.Importance, "importance", "say what each column is worth: what is lost where its values change places")
		modelColumnFlags(f, &q.Columns)
		readingFlags(f, &q.Reading)
		f.common()
		return func(files []string) error { return evaluate(f, &q, &m, labels, files) }
	},
}

func labelsFlag(f *flags, file *string) {
	f.input(file, "labels", "`FILE` the labels, one for each row, if the files do not hold them")
}

func evaluate(f *flags, q *jobs.EvaluateRequest, m *modelFlag, labelFile string, files []string) error {
	closeAll, err := openLearned(&q.Rows, &q.Model, m, files, labelFile)
	if err != nil {
		return err
	}
	defer closeAll()
	reply, err := jobs.Evaluate(f.control(), native.Mapper{}, q)
	switch {
	case err != nil:
		return err
	case f.json:
		printJSON(stdout, reply)
	case reply.ClassScores != nil:
		printClasses(reply)
	default:
		printTargets(reply)
	}
	return nil
}

// classNames returns the classes as text.
func classNames(s *jobs.ClassScores) (names []string) {
	for _, class := range s.Classes {
		label, _ := labels.Of(class)
		names = append(names, labels.Text(label))
	}
	return names
}

// printSure says how far the probabilities are right.
func printSure(to io.Writer, s *jobs.ClassScores, names []string) {
	p := s.Probabilities
	if s.LogLoss == nil || p == nil {
		return
	}
	fmt.Fprintf(to, "log loss  %.4g, Brier %.4g, ECE %.4g", *s.LogLoss, orNaN(p.Brier), orNaN(p.ECE))
	if len(p.AUC) == 2 && p.AUC[0] != nil {
		fmt.Fprintf(to, ", AUC %.4f\n", *p.AUC[0])
		return
	}
	fmt.Fprintln(to)
	var areas []string
	for k, area := range p.AUC {
		if area != nil {
			areas = append(areas, fmt.Sprintf("%s %.4f", names[k], *area))
		}
	}
	if len(areas) > 0 && len(areas) <= widestMatrix {
		fmt.Fprintf(to, "AUC       %s\n", strings.Join(areas, ", "))
	}
}

// printImportance lists the columns, the most important first.
func printImportance(columns []jobs.ColumnImportance) {
	width := 0
	for _, c := range columns {
		width = max(width, len([]rune(c.Name)))
	}
	for i, c := range columns {
		if i == 0 {
			fmt.Fprintln(stdout, "\ncolumn, and what is lost where its values change places between rows")
		}
		fmt.Fprintf(stdout, "%-*s  %.4f ± %.4f\n", width, c.Name, c.Drop, c.StdError)
	}
}

func printTargets(r *jobs.EvaluateReply) {
	fmt.Fprintf(stdout, "rows      %s\n", jobs.Grouped(r.Rows))
	for _, line := range []struct {
		name string
		i    jobs.Interval
	}{{"R²  ", r.R2}, {"RMSE", r.RMSE}, {"MAE ", r.MAE}} {
		fmt.Fprintf(stdout, "%s      %.4g (95 %%: %.4g to %.4g)\n", line.name, orNaN(line.i.Value), orNaN(line.i.Low),
			orNaN(line.i.High))
	}
	printResiduals(stdout, r.Residuals)
	printImportance(r.Importance)
}

// printResiduals says by how much targets are above what was predicted.
func printResiduals(to io.Writer, quantiles []jobs.Quantile) {
	var each []string
	for _, q := range quantiles {
		each = append(each, fmt.Sprintf("%g %%: %.3g", 100*q.Share, q.Value))
	}
	if each != nil {
		fmt.Fprintf(to, "residual  %s\n", strings.Join(each, ", "))
	}
}

// orNaN returns a number that may not be known.
func orNaN(x *float64) float64 {
	if x == nil {
		return math.NaN()
	}
	return *x
}

func printClasses(r *jobs.EvaluateReply) {
	fmt.Fprintf(stdout, "rows      %s\n", jobs.Grouped(r.Rows))
	if r.Unknown > 0 {
		fmt.Fprintf(stdout, "unknown   %s with labels that the model does not know\n", jobs.Grouped(r.Unknown))
	}
	fmt.Fprintf(stdout, "accuracy  %.2f %% (95 %%: %.2f to %.2f); commonest %.2f %%\n",
		100*orNaN(r.Accuracy.Value), 100*orNaN(r.Accuracy.Low), 100*orNaN(r.Accuracy.High), 100*orNaN(r.Commonest))
	names := classNames(r.ClassScores)
	printSure(stdout, r.ClassScores, names)
	printImportance(r.Importance)
	if len(names) <= widestMatrix {
		printConfusion(names, r.Confusion)
	} else {
		printMistakes(names, r.Confusion)
	}
}

// widestMatrix is how many classes a confusion matrix has at most. Of more, the most frequent mistakes are listed.
const widestMatrix = 20

// printConfusion prints a row for each true class and a column for each predicted one.
func printConfusion(names []string, confusion [][]int64) {
	width, cell := len("true"), 0
	for t, name := range names {
		width, cell = max(width, len([]rune(name))), max(cell, len([]rune(name)))
		cell = max(cell, len(strconv.FormatInt(slices.Max(confusion[t]), 10)))
	}
	fmt.Fprintf(stdout, "\n%-*s  predicted\n%-*s", width, "", width, "true")
	for _, name := range names {
		fmt.Fprintf(stdout, "  %*s", cell, name)
	}
	fmt.Fprintln(stdout)
	for t, name := range names {
		fmt.Fprintf(stdout, "%-*s", width, name)
		for p := range names {
			fmt.Fprintf(stdout, "  %*d", cell, confusion[t][p])
		}
		fmt.Fprintln(stdout)
	}
}

// printMistakes prints the most frequent mistakes.
func printMistakes(names []string, confusion [][]int64) {
	var mistakes [][2]int
	for t := range names {
		for p := range names {
			if t != p && confusion[t][p] > 0 {
				mistakes = append(mistakes, [2]int{t, p})
			}
		}
	}
	slices.SortStableFunc(mistakes, func(a, b [2]int) int {
		return cmp.Compare(confusion[b[0]][b[1]], confusion[a[0]][a[1]])
	})
	fmt.Fprintf(stdout, "\nmost frequent mistakes, of %d classes\n", len(names))
	for _, at := range mistakes[:min(len(mistakes), widestMatrix)] {
		fmt.Fprintf(stdout, "%6s  %s taken for %s\n", jobs.Grouped(confusion[at[0]][at[1]]), names[at[0]], names[at[1]])
	}
}
