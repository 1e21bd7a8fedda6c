// Package slow lets a test say where it is left out for being slow there. A run that wants such tests left out sets
// TENSORSKETCH_SLOW: to "elsewhere" on another platform or another build, to "emulated" on an emulated processor.
package slow

import (
	"os"
	"testing"
)

// LeftOut begins the reason of each such skip. tools/check neither prints nor counts them.
const LeftOut = "left out as slow: "

// Elsewhere marks a simulation or a drawing. Other platforms are tested for their bits, and equal bits have equal
// statistics and pictures.
func Elsewhere(t *testing.T) {
	t.Helper()
	switch where := os.Getenv("TENSORSKETCH_SLOW"); where {
	case "elsewhere", "emulated":
		t.Skip(LeftOut + where)
	}
}

// Emulated marks a test that takes long on an emulated processor, which is ten times slower. That processor is there
// for its vector instructions and its fused multiplication.
func Emulated(t *testing.T) {
	t.Helper()
	if where := os.Getenv("TENSORSKETCH_SLOW"); where == "emulated" {
		t.Skip(LeftOut + where)
	}
}
