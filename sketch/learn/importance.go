package learn

import (
	"strconv"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn/metrics"
)

// Importances returns the importance of columns (Breiman, Random forests, Machine Learning 45, 2001) from rows of X
// that took no part in the fit, with their labels. Each of columns lists its coordinates in a row; nil stands for each
// coordinate by itself. Columns that say the same have little importance each, since the others stand in for one.
//
// The error is a *sketch.Error: of Predict, or it names labels or columns.
func (m *Model) Importances(X sketch.Dense, labels []Label, columns [][]int) ([]metrics.Importance, error) {
	if err := m.mustBe(TaskClassify); err != nil {
		return nil, err
	}
	return metrics.Importances(X, m.NFeatures(), columns, func(X sketch.Dense) ([]float64, error) {
		if len(X) != len(labels)*m.NFeatures() {
			return nil, solve.WrongRows(X, m.NFeatures())
		}
		classes, err := m.PredictClasses(X)
		losses := make([]float64, len(classes))
		for i, k := range classes {
			if m.Classes[k] != labels[i] {
				losses[i] = 1
			}
		}
		return losses, err
	})
}

// TargetImportances is Importances for a model of one number and its targets.
func (m *Model) TargetImportances(X sketch.Dense, y []float64, columns [][]int) ([]metrics.Importance, error) {
	if err := m.mustBe(TaskRegress); err != nil {
		return nil, err
	}
	if m.Linear.K != 1 {
		return nil, sketch.ErrParam.New("targets", strconv.Itoa(m.Linear.K), "be 1 for importance")
	}
	spread := metrics.Variance(y)
	return metrics.Importances(X, m.NFeatures(), columns, func(X sketch.Dense) ([]float64, error) {
		if len(X) != len(y)*m.NFeatures() {
			return nil, solve.WrongRows(X, m.NFeatures())
		}
		scores, err := m.Scores(X)
		for i, s := range scores {
			scores[i] = float64((y[i]-s)*(y[i]-s)) / spread
		}
		return scores, err
	})
}
