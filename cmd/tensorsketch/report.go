package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"tensorsketch.example/dataset/labels"
	"tensorsketch.example/jobs"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/learn/metrics"
)

// printReport says how a model was fitted.
func printReport(f *flags, to io.Writer, reply *jobs.FitReply) {
	m := reply.Model.About()
	r, p := &m.Report, reply.Model.Map().Params()
	if f.json {
		printJSON(to, reply)
		return
	}
	if f.quiet {
		return
	}
	rows := jobs.Grouped(r.Rows)
	if m.Task == learn.TaskClassify {
		rows += " of " + jobs.Count(int64(len(m.Classes)), "class")
		if len(m.Classes) <= widestMatrix {
			var each []string
			for k, class := range m.Classes {
				each = append(each, labels.Text(class)+" "+jobs.Grouped(r.Counts[k]))
			}
			rows += ": " + strings.Join(each, ", ")
		}
	}
	fmt.Fprintf(to, "rows      %s\n", strings.Replace(rows, "classs", "classes", 1))
	fmt.Fprintf(to, "features  %s of %s, %s", jobs.Grouped(int64(reply.NComponents)),
		jobs.Count(int64(reply.NFeatures), "number"), p.Method)
	if p.Degree > 1 {
		fmt.Fprintf(to, " of degree %d", p.Degree)
	}
	fmt.Fprintf(to, "\nalpha     %.4g (%s)", m.Alpha, r.Rule)
	if r.DF > 0 {
		fmt.Fprintf(to, ", %.4g effective parameters", r.DF)
	}
	fmt.Fprintln(to)
	printSearch(to, reply.Candidates)
	printHeldOut(to, "held out", r.HeldOut, m.Task, m.Loss, commonestOf(r.Counts))
	printRare(to, m.Classes, r.Counts)
	printCrossFitted(to, reply.CrossFitted)
	if l := r.Linear; l != nil && l.Missing == "" {
		printHeldOut(to, "linear", l.HeldOut, m.Task, learn.LossSquared, "")
	} else if l != nil {
		fmt.Fprintf(to, "linear    none: %s\n", l.Missing)
	}
	if r.Cut > 0 && len(reply.Notes) == 0 { // the rows were added before
		fmt.Fprintf(to, "cut       %s outside the range of a column\n", jobs.Count(r.Cut, "number"))
	}
	if s := r.Solver; s != nil {
		fmt.Fprintf(to, "solver    %s, gradient %.2g of its start\n", jobs.Count(int64(s.Iterations), "step"), s.Gradient)
	}
	for _, warning := range r.Warnings {
		fmt.Fprintf(to, "warning   %s\n", warning)
	}
}

// commonestOf says which share of all rows the commonest class has: those held out are not counted apart.
func commonestOf(counts []int64) string {
	n := int64(0)
	for _, count := range counts {
		n += count
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; commonest %.2f %% of all", 100*float64(slices.Max(counts))/float64(n))
}

// printRare says how to find more of the rarer of two classes, where few rows have it.
func printRare(to io.Writer, classes []learn.Label, counts []int64) {
	const few = 20 // rows of the other class for one of it
	if len(classes) != 2 || len(counts) != 2 {
		return
	}
	rare := 0
	if counts[1] < counts[0] {
		rare = 1
	}
	if few*counts[rare] < counts[1-rare] {
		name := labels.Text(classes[rare])
		fmt.Fprintf(to, "rare      %s: predict --class-weight balanced or --threshold %s finds more of it\n", name,
			shellWord(name+"=P"))
	}
}

// shellWord returns a word as a shell takes it.
func shellWord(word string) string {
	if word == "" || strings.ContainsAny(word, " \t\n'\"$&|;<>()*?#!~\\`[]{}") {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}

// printCrossFitted says how far probabilities or numbers are right for kept rows, each predicted by a model of others.
func printCrossFitted(to io.Writer, c *jobs.CrossFitted) {
	switch {
	case c == nil:
	case c.ClassScores != nil:
		printSure(to, c.ClassScores, classNames(c.ClassScores))
	default:
		printResiduals(to, c.Residuals)
	}
}

// printSearch prints what a search has chosen, and which one came next.
func printSearch(to io.Writer, s *jobs.Candidates) {
	if s == nil {
		return
	}
	var chosen, second *jobs.Candidate
	for i := range s.All {
		switch c := &s.All[i]; {
		case c.Name == s.Chosen:
			chosen = c
		case c.Skipped == "" && (second == nil || c.Behind < second.Behind):
			second = c
		}
	}
	fmt.Fprintf(to, "search    %s, error %.4f of the variance", chosen.Name, *chosen.Error)
	if second != nil {
		fmt.Fprintf(to, "; %s has %.4f ± %.4f more", second.Name, second.Behind, second.BehindSE)
	}
	fmt.Fprintln(to)
}

// printHeldOut prints how well rows are predicted that were held out. R² says something of the squared loss only.
func printHeldOut(to io.Writer, name string, h *learn.HeldOutReport, task, loss, more string) {
	if h == nil {
		return
	}
	var figures []string
	if h.Accuracy == h.Accuracy {
		i := metrics.Wilson(int64(math.Round(h.Accuracy*float64(h.Rows))), h.Rows)
		figures = append(figures, fmt.Sprintf("accuracy %.2f %% (95 %%: %.2f to %.2f)", 100*h.Accuracy, 100*i.Low,
			100*i.High))
	}
	switch {
	case loss != learn.LossSquared || h.R2 != h.R2: // rows of one class have no R²
	case task == learn.TaskClassify:
		figures = append(figures, fmt.Sprintf("R² %.4f of codes ±1", h.R2))
	default:
		figures = append(figures, fmt.Sprintf("R² %.4f", h.R2))
	}
	fmt.Fprintf(to, "%-9s %s on %s%s\n", name, strings.Join(figures, ", "), jobs.Count(h.Rows, "row"), more)
}
