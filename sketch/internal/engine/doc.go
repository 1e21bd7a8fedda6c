// Package engine is the way to the engine for packages other than sketch: it picks between the
// packages lanes and scalar.
package engine

import "tensorsketch.example/sketch/internal/lanes"

// OuterRows is the maximum number of rows of a block.
const OuterRows = lanes.OuterRows
