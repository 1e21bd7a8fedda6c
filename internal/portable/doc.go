// Package portable has functions of package math with the same bits on every platform, which
// package math does not guarantee. It also formats numbers in error messages as JavaScript does.
package portable
