// Package dispatch is the way to the engine for packages other than sketch: it picks between the
// packages lanes and scalar.
package dispatch

import "tensorsketch.example/internal/engine/lanes"

// OuterRows is the maximum number of rows of a block.
const OuterRows = lanes.OuterRows

// DotScratch is the length of the scratch memory of Dots.
const DotScratch = lanes.DotScratch
