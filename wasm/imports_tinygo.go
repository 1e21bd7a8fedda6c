//go:build tinycore && !host

package main

// exhausted throws: no memory is left. The instance cannot be used afterwards.
//
//go:wasmimport tensorsketch exhausted
func exhausted()
