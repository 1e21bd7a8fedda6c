package native

import (
	"tensorsketch.example/jobs"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
)

// whole keeps the rows of a fit in memory, for a linear model of many columns (learn.FitModel).
type whole struct {
	jobs.Learner // nil: it is only added to and fitted
	spec         learn.Spec
	dense        sketch.Dense
	sparse       sketch.CSR
	labels       []learn.Label
	targets      []float64
}

func (w *whole) Spec() jobs.Spec { return specOf(w.spec, learn.LossSquared) }

func (w *whole) Rows() int64 {
	return int64(max(len(w.labels), len(w.targets)/max(1, w.spec.Targets)))
}

func (w *whole) Add(_ *jobs.Control, X sketch.Rows, labels []learn.Label, targets []float64) error {
	switch X := X.(type) {
	case sketch.Dense:
		w.dense = append(w.dense, X...)
	case sketch.CSR:
		w.sparse = jobs.JoinSparse(w.sparse, X)
	}
	w.labels, w.targets = append(w.labels, labels...), append(w.targets, targets...)
	return nil
}

func (w *whole) Fit(c *jobs.Control, o jobs.FitOptions) (jobs.Model, error) {
	options := learn.RowsOptions{Alpha: o.Alpha, Passes: true, Goroutines: goroutines(),
		Progress: func(done float64) bool { return c.At(0, done) == nil }}
	X, m, err := sketch.Rows(w.dense), (*learn.Model)(nil), error(nil)
	if w.dense == nil {
		X = w.sparse
	}
	if w.targets != nil {
		m, err = learn.FitTargetsModel(w.spec, X, w.targets, options)
	} else {
		m, err = learn.FitModel(w.spec, X, w.labels, options)
	}
	if m == nil && err == nil {
		err = jobs.ErrStopped
	}
	return modelOf(m, err)
}

func (w *whole) Close() {}
