package learn

import "tensorsketch.example/internal/solve"

// Losses that a Model was fitted with.
const (
	LossSquared      = solve.LossSquared      // ridge regression; for classes one versus all with targets ±1
	LossSquaredHinge = solve.LossSquaredHinge // linear SVM, one versus all
	LossLogistic     = solve.LossLogistic     // multinomial logistic regression
)

type (
	// Linear is a linear model of features: K scores of D features and an intercept each.
	Linear = solve.Linear
	// Moments are exact sums over rows of features, and of their classes or targets. They merge, and rows are taken
	// away from them exactly.
	Moments = solve.Moments
	// Shape says what Moments hold.
	Shape = solve.Shape
	// Grid says how features and targets become integers.
	Grid = solve.Grid
	// System is Moments in float64, as solvers take them.
	System = solve.System
	// RidgeOptions say how a ridge regression is fitted. The zero value chooses alpha by itself.
	RidgeOptions = solve.RidgeOptions
	// SolverOptions say how a fit in passes over the rows converges.
	SolverOptions = solve.SolverOptions
	// Comparison is the result of a test whether two sets of rows come from one distribution.
	Comparison = solve.Comparison
)

// NewMoments returns the Moments of no rows, in 1, 2 or 5 parts for 0, 1 or 5 folds. The error is a *sketch.Error with
// code ErrParam.
func NewMoments(shape Shape, grid Grid, folds int) (*Moments, error) {
	return solve.NewMoments(shape, grid, folds)
}
