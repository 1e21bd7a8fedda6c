// Package learn is the half of the place Learn that learns from the rows of a file: the curve, the predictions, the
// report, and what one does with a trained model. The rows and the map are Embed's.
package learn

import (
	"tensorsketch.example/ui/internal/control"
)

// Settings are the settings of the half in addition to the settings of Embed.
type Settings struct {
	Task string // one of tasks
}

// The tasks. With TaskAuto, the labels say which of the others it is.
const (
	TaskAuto     = "auto"
	TaskClassify = "classify"
	TaskRegress  = "regress"
)

var tasks = control.Options(TaskAuto, "as the values suggest", TaskClassify, "classes", TaskRegress, "a number")

// Place describes the half for its rail. Its groups name parameters of Embed and of Settings.
var Place = control.Place{Name: "learn", Label: "Learn", Hideable: []string{"data", "cards", "save"},
	Groups: []control.Group{
		{ID: "sketch", Title: "Sketch", Names: []string{"nComponents", "seed", "output"}},
		{ID: "task", Title: "Label", Names: []string{"task"}},
		{ID: "formula", Title: "Kernel", Names: []string{"kernel", "degree", "gamma", "coef0", "a"}},
		{ID: "map", Title: "Method", Names: []string{"method"}},
		{ID: "scaling", Title: "Scaling", Names: []string{"rows", "normalize"}},
	}}

// DefaultSettings returns the settings that the half opens with.
func DefaultSettings() Settings { return Settings{Task: TaskAuto} }

// Parameters returns the parameters in the order of a link, after Embed's.
func (s *Settings) Parameters() []control.Parameter {
	return []control.Parameter{control.Choice("task", "Predict", tasks, &s.Task)}
}

// MostComponents is the maximum number of components that the sums of a learner take.
const MostComponents = 4096

// Sizes returns the numbers of components of the curve: powers of two up to the chosen number, and that number.
func Sizes(nComponents int) []int {
	most := min(nComponents, MostComponents)
	first := 32
	for first > 2 && first*4 > most {
		first /= 2
	}
	var sizes []int
	for size := first; size < most; size *= 2 {
		sizes = append(sizes, size)
	}
	return append(sizes, most)
}
