package learn

import (
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/internal/sums"
	"tensorsketch.example/sketch"
)

// PrepareGrid transforms all of at most gridRows rows, and of more so many, in groups of neighbours.
const (
	gridRows  = 4096
	gridGroup = 16
)

// PrepareGrid takes the grids of a Spec from rows, as they come to its preparation or map: from at most 4,096 of
// them, evenly spread, and for the linear model from all. Prepare and PrepareTargets call it where neither Radius
// nor Step is stated. A private Spec, whose grid follows from the Radius, stays as it is.
//
// The error is a *sketch.Error of the preparation or the map's TransformRows.
func (spec *Spec) PrepareGrid(X sketch.Rows) error {
	if spec.Private {
		return nil
	}
	n, part, ok := sums.Parts(X, spec.NFeatures())
	if !ok {
		return spec.malformed(X)
	}
	if err := spec.gridOfFeatures(n, func(from, to int) (sketch.Rows, error) {
		rows, _, err := spec.Preparation.Rows(part(from, to), nil)
		return rows, err
	}); err != nil || spec.WithoutLinear {
		return err
	}
	linear := spec.Preparation.Linear()
	d := spec.Map.NFeatures()
	if linear != nil {
		d = linear.NOutputs()
	}
	if d > solve.MaxComponents {
		return nil
	}
	scan := solve.NewGridScan(d)
	for from := 0; from < n; from += solve.BlockRows {
		rows, _, err := linear.Rows(part(from, min(from+solve.BlockRows, n)), nil)
		if err != nil {
			return sums.AtRow(err, from)
		}
		scan.AddRows(rows)
	}
	spec.LinearGrid = scan.Grid()
	return nil
}

// gridOfFeatures takes the grid of the features from n rows. part returns some of them, prepared.
func (spec *Spec) gridOfFeatures(n int, part func(from, to int) (sketch.Rows, error)) error {
	D := spec.Map.NComponents()
	scan, count, size := solve.NewGridScan(D), gridRows/gridGroup, gridGroup
	if n <= gridRows {
		size = max(1, min(n, solve.BlockBytes/4/D))
		count = (n + size - 1) / size
	}
	features := make([]float32, size*D)
	for i := range count {
		from := i * size
		if n > gridRows {
			from = int(int64(i) * int64(n) / int64(count))
		}
		to := min(n, from+size)
		rows, err := part(from, to)
		if err != nil {
			return sums.AtRow(err, from)
		}
		Z, err := spec.Map.TransformRows(features[:(to-from)*D], rows)
		if err != nil {
			return sums.AtRow(err, from)
		}
		scan.Add(Z)
	}
	g := scan.Grid()
	spec.Step, spec.Limit, spec.Finer = g.Step, g.Limit, g.Finer
	return nil
}
