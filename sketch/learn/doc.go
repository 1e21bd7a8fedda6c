// Package learn fits linear models to features: what is nearly a kernel machine on the rows costs no
// more than a linear model on their features.
//
// Prepare completes a Spec from rows, or Search chooses one. A Learner of the Spec adds up rows, and its Fit gives a
// Model, which predicts. FitModel makes a Model in passes over the rows instead, also for other losses.
//
// A Learner needs only Moments: exact sums of products of features and targets, which a program adds up in any order
// and number of parts, merges, and takes away again. Moments and the solvers are in package internal/solve; solve.go
// has the names of it that callers need. Package prepare scales, cuts and fills in the columns of rows, and package
// metrics counts errors.
package learn
