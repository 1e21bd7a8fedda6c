package jobs

import (
	"slices"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/learn/metrics"
	"tensorsketch.example/sketch/learn/prepare"
)

// Probabilities are how far probabilities of classes are right (metrics.Probabilities). Numbers that are not known
// are null.
type Probabilities struct {
	Brier    *float64 `json:"brier"`       // from 0 to 2
	ECE      *float64 `json:"ece"`         // expected calibration error
	ByChance *float64 `json:"eceByChance"` // about what perfect probabilities have with so many rows
	// AUC has for each class how often one of its rows has more probability of the class than one of another class.
	AUC         []*float64       `json:"auc"`
	Calibration []CalibrationBin `json:"calibration"` // bins of the largest probability that have rows
	// Thresholds has for each class from which probability on it is best said, where F1 is the goal.
	Thresholds []F1Threshold `json:"thresholds"`
}

// An F1Threshold is the probability of a class from which on F1 is largest if the row is said to be of the class.
type F1Threshold struct {
	Probability float64  `json:"probability"`
	F1          *float64 `json:"f1"`
}

// A CalibrationBin has rows whose largest probability is about the same.
type CalibrationBin struct {
	Rows  int64   `json:"rows"`
	Sure  float64 `json:"sure"`  // mean of the largest probabilities
	Right float64 `json:"right"` // share of the rows whose class is the most probable one
	// Interval is the 95 % interval of Right.
	Interval Interval `json:"interval"`
}

func probabilitiesOf(e *metrics.ProbabilityEvaluation) *Probabilities {
	m := e.Metrics()
	p := &Probabilities{Brier: known(m.Brier), ECE: known(m.ECE), ByChance: known(m.ByChance)}
	for k, area := range m.AUC {
		from, f1 := e.BestF1(k)
		p.AUC, p.Thresholds = append(p.AUC, known(area)), append(p.Thresholds, F1Threshold{from, known(f1)})
	}
	for _, bin := range m.Bins {
		if n := float64(bin.Rows); n > 0 {
			p.Calibration = append(p.Calibration, CalibrationBin{bin.Rows, bin.Sure / n, float64(bin.Right) / n,
				intervalOf(metrics.Wilson(bin.Right, bin.Rows))})
		}
	}
	return p
}

// A Quantile of residuals: this share of them is at most the value.
type Quantile struct {
	Share float64 `json:"share"`
	Value float64 `json:"value"`
}

func quantilesOf(r *metrics.Residuals) (all []Quantile) {
	for _, q := range r.Quantiles() {
		all = append(all, Quantile(q))
	}
	return all
}

// CrossFitted is how well rows are predicted that a learner keeps, each by a model of other rows. The search for a map
// may have seen them.
type CrossFitted struct {
	Rows int64 `json:"rows"`
	*ClassScores
	*TargetScores
}

// crossFitted returns the metrics of the kept rows of a fit, or nil.
func crossFitted(about *learn.Model) *CrossFitted {
	rows := about.CrossFitted
	if rows == nil || about.NOutputs() > 1 && about.Task == learn.TaskRegress {
		return nil
	}
	e := newScoring(about, nil)
	e.addCrossFitted(rows)
	c := &CrossFitted{Rows: e.rows}
	c.ClassScores, c.TargetScores = e.scores()
	return c
}

// A ColumnReport says what becomes of a column of a table.
type ColumnReport struct {
	Name        string   `json:"name"`
	Role        string   `json:"role"`
	Coordinates int      `json:"coordinates"` // that it has in a row; 0: it is not used
	Weight      *float64 `json:"weight"`      // largest one that the search gave its coordinates, 0.02 to 1; else null
}

// columnReports returns what becomes of the columns of a preprocessing.
func columnReports(p *dataset.Preprocessing, prepared *prepare.Preparation) (all []ColumnReport) {
	if p == nil {
		return nil
	}
	at := 0
	for i := range p.Columns {
		c := &p.Columns[i]
		one := ColumnReport{Name: c.Name, Role: c.Role.String(), Coordinates: c.NFeatures()}
		if prepared != nil && !p.IsSparse() {
			one.Weight = prepared.LargestWeight(at, at+one.Coordinates)
		}
		at += one.Coordinates
		all = append(all, one)
	}
	return all
}

// staysOf says what of its rows a model keeps after they are taken away from its sums.
func staysOf(about *learn.Model, p *dataset.Preprocessing) (stays []string) {
	if p != nil && slices.ContainsFunc(p.Columns, func(c columns.Column) bool { return c.Learns() && c.Learned }) {
		stays = append(stays, "the values of categories, and the means and scales of columns that the first pass found")
	}
	if about.Preparation != nil {
		stays = append(stays, "the means, cuts and ranges of columns that were prepared from a sample of rows")
		if about.Preparation.Weights != nil {
			stays = append(stays, "the weights of columns that the search learned from a sample of rows")
		}
		stays = append(stays, "the choice of kernel, scales, seed and grid by the search")
	}
	return stays
}
