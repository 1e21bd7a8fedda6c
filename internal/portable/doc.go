// Package portable has functions of package math with the same bits on every
// platform, which those of package math do not have, and writes numbers in errors as
// JavaScript does.
package portable
