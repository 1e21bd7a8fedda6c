// Package learn fits linear models to features: what is nearly a kernel machine on the rows costs no
// more than a linear model on their features.
//
// Most of it needs only Moments: exact sums of products of features and targets, which a program
// adds up in any order and number of parts, merges, and takes away again.
package learn
