// Package solve has the machinery of package learn: exact sums of rows on a grid (Moments), ridge regression of such
// sums (Ridge), and Newton's method in passes over the rows (Solver). Package learn shows the names of it that a caller
// needs; privacy, jobs and the core of the JavaScript API call it directly. Like package sketch it stands on the
// standard library alone, and TinyGo compiles it.
package solve
