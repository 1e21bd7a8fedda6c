//go:build !linux && !js

package main

const reaping = "-reap"

// reaped is the command itself: children of processes that were killed are counted on Linux alone.
func reaped(command ...string) []string { return command }

func reap([]string) int { return 2 }
