package jobs

import (
	"math"
	"strconv"

	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/learn/metrics"
)

// A Report says how a model was fitted.
type Report struct {
	Task        string        `json:"task"`
	Loss        string        `json:"loss"`
	Alpha       float64       `json:"alpha"`
	Rule        string        `json:"rule"` // how alpha was chosen
	DF          float64       `json:"df"`   // effective parameters
	Clipped     int64         `json:"clipped"`
	Cut         int64         `json:"cut,omitempty"` // cells that the preparation cut
	Warnings    []string      `json:"warnings"`
	Method      string        `json:"method"`
	Degree      int           `json:"degree"`
	NFeatures   int           `json:"nFeatures"`
	NComponents int           `json:"nComponents"`
	Classes     []any         `json:"classes,omitempty"` // texts, numbers, true or false
	Counts      []int64       `json:"counts,omitempty"`  // rows of each class
	HeldOut     *HeldOut      `json:"heldOut,omitempty"`
	Linear      *LinearReport `json:"linear,omitempty"` // of the linear model on the rows themselves
	Solver      *SolverReport `json:"solver,omitempty"` // of a fit in passes

	CrossFitted *CrossFitted   `json:"crossFitted,omitempty"` // of kept rows; where the fit is the shell's
	Columns     []ColumnReport `json:"columns,omitempty"`     // of the table
	Stays       []string       `json:"stays,omitempty"`       // what a model keeps of rows that are taken away
}

// HeldOut is how well rows are predicted that were held out. Accuracy is missing where only sums of the rows are known,
// and so is R2 for a loss that does not fit scores to targets.
type HeldOut struct {
	Accuracy *float64  `json:"accuracy,omitempty"`
	Interval *Interval `json:"interval,omitempty"` // of the accuracy, 95 %
	R2       *float64  `json:"r2"`
	Rows     int64     `json:"rows"`
}

// A LinearReport is about the linear model beside.
type LinearReport struct {
	Alpha   float64  `json:"alpha"`
	DF      float64  `json:"df"`
	HeldOut *HeldOut `json:"heldOut,omitempty"`
}

// A SolverReport says how far a fit in passes converged.
type SolverReport struct {
	Converged  bool    `json:"converged"`
	Gradient   float64 `json:"gradient"`
	Iterations int     `json:"iterations"`
}

// ReportOf returns the report of a model.
func ReportOf(m Model) *Report {
	about, params := m.About(), m.Map().Params()
	r := &about.Report
	report := &Report{Task: about.Task, Loss: about.Loss, Alpha: about.Alpha, Rule: r.Rule, DF: r.DF, Clipped: r.Clipped,
		Cut: r.Cut, Warnings: append([]string{}, r.Warnings...), Method: params.Method, Degree: params.Degree,
		NFeatures: m.Map().NFeatures(), NComponents: m.Map().NComponents(), HeldOut: heldOut(r.HeldOut)}
	if about.Task == learn.TaskClassify {
		report.Classes, report.Counts = values(about.Classes), r.Counts
	}
	if l := r.Linear; l != nil && l.Missing == "" {
		report.Linear = &LinearReport{Alpha: l.Alpha, DF: l.DF, HeldOut: heldOut(l.HeldOut)}
	}
	p, err := preprocessingOf(Spec{Spec: learn.Spec{Preprocessing: about.Preprocessing}})
	if err == nil {
		report.Columns, report.Stays = columnReports(p, about.Preparation), staysOf(about, p)
	}
	report.CrossFitted = crossFitted(about)
	if s := r.Solver; s != nil {
		report.Solver = &SolverReport{Iterations: s.Iterations, Gradient: s.Gradient, Converged: s.Converged}
	}
	return report
}

func heldOut(h *learn.HeldOutReport) *HeldOut {
	if h == nil {
		return nil
	}
	r := &HeldOut{Rows: h.Rows, R2: known(h.R2), Accuracy: known(h.Accuracy)}
	if r.Accuracy != nil {
		i := intervalOf(metrics.Wilson(int64(math.Round(h.Accuracy*float64(h.Rows))), h.Rows))
		r.Interval = &i
	}
	return r
}

// values returns classes as JSON has them.
func values(classes []learn.Label) (list []any) {
	for _, class := range classes {
		list = append(list, class.Value())
	}
	return list
}

// An Interval is a metrics.Interval as JSON. Numbers that are not known are null.
type Interval struct {
	Value *float64 `json:"value"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
}

func intervalOf(i metrics.Interval) Interval {
	return Interval{known(i.Value), known(i.Low), known(i.High)}
}

// known returns a pointer to a number, or nil for NaN.
func known(x float64) *float64 {
	if math.IsNaN(x) {
		return nil
	}
	return &x
}

// Grouped returns a number with commas between groups of three digits.
func Grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Count returns a number of things: "1 row" or "2 rows".
func Count(n int64, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return Grouped(n) + " " + noun
}
