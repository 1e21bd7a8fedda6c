package jobs

import (
	"cmp"
	"math"
	"slices"

	"tensorsketch.example/dataset"
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/learn/metrics"
)

// importanceRows is the maximum number of rows that importances come from.
const importanceRows = 2000

// A ColumnImportance says what a column is worth to a model (metrics.Importance).
type ColumnImportance struct {
	Name     string  `json:"name"`
	Drop     float64 `json:"drop"` // of the accuracy, or of R²
	StdError float64 `json:"stdError"`
}

// importances returns what the columns of a table are worth for a sample of rows, the most important first.
func importances(c *Control, m Model, p *dataset.Preprocessing, sample *sampled) ([]ColumnImportance, error) {
	if p.IsSparse() || p.Divides() {
		return nil, fail("importance", "{importance} is for tables of columns whose rows keep their length; leave it out")
	}
	if len(sample.each) < 2 {
		return nil, fail("importance", "{importance} needs at least two rows with labels")
	}
	var all []ColumnImportance
	var columns [][]int
	at := 0
	for i := range p.Columns {
		n := p.Columns[i].NFeatures()
		if n == 0 {
			continue
		}
		column := make([]int, n)
		for k := range column {
			column[k] = at + k
		}
		at += n
		all, columns = append(all, ColumnImportance{Name: p.Columns[i].Name}), append(columns, column)
	}
	c.Begin("changing columns")
	X, targets := sample.rows()
	done := 0
	found, err := metrics.Importances(X.(sketch.Dense), p.NFeatures(), columns,
		func(X sketch.Dense) ([]float64, error) {
			if err := c.At(0, float64(done)/float64(1+metrics.Repeats*len(columns))); err != nil {
				return nil, err
			}
			done++
			return losses(c, m, X, targets)
		})
	if err != nil {
		return nil, err
	}
	for i, one := range found {
		all[i].Drop, all[i].StdError = one.Drop, one.StdError
	}
	slices.SortStableFunc(all, func(a, b ColumnImportance) int { return cmp.Compare(b.Drop, a.Drop) })
	return all, nil
}

// losses returns 1 for each row of another class than predicted, or squared errors over the variance.
func losses(c *Control, m Model, X sketch.Dense, targets learn.Targets) ([]float64, error) {
	about := m.About()
	K := about.NOutputs()
	var scores []float64
	d, block := len(X)/max(len(targets.Labels), len(targets.Y)), rowsToScore(m)
	for part := range slices.Chunk(X, block*d) {
		own, err := m.Scores(c, part)
		if err != nil {
			return nil, err
		}
		scores = append(scores, own...)
	}
	lost := make([]float64, len(scores)/K)
	if about.Task == learn.TaskClassify {
		for i, label := range targets.Labels {
			if about.Classes[solve.Largest(scores[i*K:(i+1)*K])] != label {
				lost[i] = 1
			}
		}
		return lost, nil
	}
	spread := metrics.Variance(targets.Y)
	for i, y := range targets.Y {
		lost[i] = (y - scores[i]) * (y - scores[i]) / math.Max(spread, 0x1p-1000)
	}
	return lost, nil
}
