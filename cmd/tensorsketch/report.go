package main

import (
	"fmt"
	"io"
	"strings"

	"tensorsketch.example/dataset/labels"
	"tensorsketch.example/sketch/learn"
)

// printReport says how a model was fitted.
func printReport(f *flags, to io.Writer, m *learn.Model, t *table) {
	r := &m.Report
	p := m.Map.Params()
	if f.json {
		unused, notes := noted(t)
		report := map[string]any{"task": m.Task, "loss": m.Loss, "rows": r.Rows, "unused": unused, "notes": notes,
			"alpha": m.Alpha, "rule": r.Rule, "df": r.DF, "clipped": r.Clipped, "warnings": append([]string{}, r.Warnings...),
			"method": p.Method, "degree": p.Degree, "nFeatures": m.Map.NFeatures(), "nComponents": m.Map.NComponents()}
		if m.Task == learn.TaskClassify {
			var names []any
			for _, class := range m.Classes {
				names = append(names, class.Value())
			}
			report["classes"], report["counts"] = names, r.Counts
		}
		if r.HeldOut != nil {
			report["heldOut"] = heldOutOf(r.HeldOut)
		}
		if l := r.Linear; l != nil && l.Missing == "" {
			linear := map[string]any{"alpha": l.Alpha, "df": l.DF}
			if l.HeldOut != nil {
				linear["heldOut"] = heldOutOf(l.HeldOut)
			}
			report["linear"] = linear
		}
		if s := r.Solver; s != nil {
			report["solver"] = map[string]any{"iterations": s.Iterations, "gradient": s.Gradient, "converged": s.Converged}
		}
		printJSON(to, report)
		return
	}
	if f.quiet {
		return
	}
	rows := grouped(r.Rows)
	if m.Task == learn.TaskClassify {
		rows += " of " + count(int64(len(m.Classes)), "class")
		if len(m.Classes) <= widestMatrix {
			var each []string
			for k, class := range m.Classes {
				each = append(each, labels.Text(class)+" "+grouped(r.Counts[k]))
			}
			rows += ": " + strings.Join(each, ", ")
		}
	}
	fmt.Fprintf(to, "rows      %s\n", strings.Replace(rows, "classs", "classes", 1))
	fmt.Fprintf(to, "features  %s of %s, %s", grouped(int64(m.Map.NComponents())),
		count(int64(m.Map.NFeatures()), "number"), p.Method)
	if p.Degree > 1 {
		fmt.Fprintf(to, " of degree %d", p.Degree)
	}
	fmt.Fprintf(to, "\nalpha     %.4g (%s)", m.Alpha, r.Rule)
	if r.DF > 0 {
		fmt.Fprintf(to, ", %.4g effective parameters", r.DF)
	}
	fmt.Fprintln(to)
	printHeldOut(to, "held out", r.HeldOut, m.Task, m.Loss)
	if l := r.Linear; l != nil && l.Missing == "" {
		printHeldOut(to, "linear", l.HeldOut, m.Task, learn.LossSquared)
	} else if l != nil {
		fmt.Fprintf(to, "linear    none: %s\n", l.Missing)
	}
	if s := r.Solver; s != nil {
		fmt.Fprintf(to, "solver    %s, gradient %.2g of its start\n", count(int64(s.Iterations), "step"), s.Gradient)
	}
	for _, warning := range r.Warnings {
		fmt.Fprintf(to, "warning   %s\n", warning)
	}
}

// heldOutOf returns the numbers of a report as JSON.
func heldOutOf(h *learn.HeldOutReport) map[string]any {
	report := map[string]any{"rows": h.Rows, "r2": h.R2}
	if h.Accuracy == h.Accuracy {
		report["accuracy"] = h.Accuracy
	}
	return report
}

// printHeldOut prints how well rows are predicted that were held out. R² says something of the squared loss only.
func printHeldOut(to io.Writer, name string, h *learn.HeldOutReport, task, loss string) {
	if h == nil {
		return
	}
	var figures []string
	if h.Accuracy == h.Accuracy {
		figures = append(figures, fmt.Sprintf("accuracy %.2f %%", 100*h.Accuracy))
	}
	switch {
	case loss != learn.LossSquared:
	case task == learn.TaskClassify:
		figures = append(figures, fmt.Sprintf("R² %.4f of codes ±1", h.R2))
	default:
		figures = append(figures, fmt.Sprintf("R² %.4f", h.R2))
	}
	fmt.Fprintf(to, "%-9s %s on %s\n", name, strings.Join(figures, ", "), count(h.Rows, "row"))
}
