package learn

import (
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn/prepare"
)

// A Fitting fits a Model to the moments of a Learner, and beside it a linear model to the rows
// themselves.
type Fitting struct {
	learner      *Learner
	main, beside *MomentsFit
	weight       [2]float64 // of both, together 1
	missing      string
	model        *Model
}

// Begin begins a fit. The learner must not change before it is finished. Folds and Fold of the options
// are not used: the Spec says the folds. The linear model beside chooses its own alpha.
//
// The error is a *sketch.Error with code ErrParam: no rows, rows of one class only, fewer rows than
// classes, or an option out of range.
func (l *Learner) Begin(o RidgeOptions) (*Fitting, error) {
	if l.Rows() > 0 && l.spec.Task == TaskClassify {
		if present := withRows(l.moments, l.classes); len(present) == 1 {
			return nil, sketch.ErrParam.New("classes", "rows of "+present[0].String()+" only",
				"have rows of at least two: there is nothing to tell apart")
		}
	}
	main, err := NewMomentsFit(l.moments, o)
	if err != nil {
		return nil, err
	}
	f := &Fitting{learner: l, main: main, missing: l.missing, weight: [2]float64{1, 0}}
	if l.linear != nil {
		o.Alpha = 0
		if f.beside, err = NewMomentsFit(l.linear, o); err != nil {
			f.missing = err.Error()
		} else {
			D, d := float64(l.moments.Shape().NComponents), float64(l.linear.Shape().NComponents)
			share := d * d * d / (d*d*d + D*D*D)
			f.weight = [2]float64{1 - share, share}
		}
	}
	return f, nil
}

// Step does some milliseconds of work. It returns how much of all is done, from 0 to 1, and true
// after the last step. The error is a *sketch.Error with code ErrParam, which names alpha.
func (f *Fitting) Step() (done float64, finished bool, err error) {
	if f.main.Head() == nil {
		done, _, err = f.main.Step()
		return done * f.weight[0], false, err
	}
	if f.beside != nil && f.beside.Head() == nil {
		if done, _, err = f.beside.Step(); err == nil {
			return f.weight[0] + done*f.weight[1], false, nil
		}
		f.beside, f.missing = nil, err.Error()
	}
	if f.model == nil {
		f.model = f.learner.model(f.learner.spec.Map.Clone(), f.learner.spec.Preparation, f.main.Head())
		f.model.Report.Linear = &LinearReport{Missing: f.missing}
		f.model.CrossFitted = f.main.CrossFitted()
		if f.beside != nil {
			h := f.beside.Head()
			f.model.Beside = f.learner.model(f.learner.identity.Clone(), f.learner.preparation, h)
			f.model.Report.Linear = &LinearReport{Alpha: h.Alpha, DF: h.Report.DF, HeldOut: h.Report.HeldOut}
		}
	}
	return 1, true, nil
}

// Model returns the model after the last step, and nil before.
func (f *Fitting) Model() *Model { return f.model }

// Fit does all steps of a Fitting.
func (l *Learner) Fit(o RidgeOptions) (*Model, error) {
	f, err := l.Begin(o)
	if err != nil {
		return nil, err
	}
	for {
		if _, finished, err := f.Step(); err != nil {
			return nil, err
		} else if finished {
			return f.model, nil
		}
	}
}

// model returns the model of a head under a map and its preparation.
func (l *Learner) model(m *sketch.FeatureMap, p *prepare.Preparation, h *Head) *Model {
	report := h.Report
	report.Cut = l.cut
	return &Model{Map: m, Preprocessing: l.spec.Preprocessing, Preparation: p, Task: l.spec.Task, Loss: LossSquared,
		Classes: l.Classes(), Alpha: h.Alpha, Linear: h.Linear, Calibration: h.Calibration,
		Conformal: h.Conformal, Report: report}
}
