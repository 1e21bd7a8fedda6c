package embed

import (
	"slices"
	"strings"

	"tensorsketch.example/ui/internal/control"
)

// Release holds the settings of a private release of what Embed shows. Links contain them, because all of them are
// public. A key is never in a link.
type Release struct {
	Kind    string // ReleaseNone, ReleaseRows or ReleaseMean
	Epsilon float64
	Delta   float64
	Radius  float64 // rows are clipped to this length
	Rows    int     // of the mean: the number of rows, which is public
	Width   int     // of LIBSVM rows: the number of coordinates, which is public; 0: not given
	Budget  float64 // total ε of all releases of a file, fixed by the first one
}

// The values of Kind.
const (
	ReleaseNone = "none"
	ReleaseRows = "rows"
	ReleaseMean = "mean"
)

// DefaultRelease returns the settings that the place opens with: no release.
func DefaultRelease() Release {
	return Release{Kind: ReleaseNone, Epsilon: 1, Delta: 1e-5, Radius: 1, Rows: 1000, Budget: 2}
}

// SparseWidth returns the number of sparse coordinates, or 0 if the rows determine it.
func (r *Release) SparseWidth() int {
	if !r.IsPrivate() {
		return 0
	}
	return r.Width
}

// IsPrivate reports whether what is saved gets noise.
func (r *Release) IsPrivate() bool { return r.Kind != ReleaseNone }

// Parameters returns the parameters in the order of a link.
func (r *Release) Parameters() []control.Parameter {
	only := func(p control.Parameter, kinds ...string) control.Parameter {
		return p.Only(slices.Contains(kinds, r.Kind), func() string {
			return "unless release is " + strings.Join(kinds, " or ")
		})
	}
	number := func(name, label string, low, high float64, at *float64) control.Parameter {
		return only(control.Real(name, label, low, high, at), ReleaseRows, ReleaseMean)
	}
	count := func(name, label string, low, high int, at *int) control.Parameter {
		p := control.Whole(name, label, low, high, at)
		p.Slider = nil
		return p
	}
	kind := control.Choice("release", "What is saved", control.Options(ReleaseNone, "without noise",
		ReleaseRows, "each row", ReleaseMean, "one mean"), &r.Kind)
	kind.Unlinked = !r.IsPrivate()
	return []control.Parameter{kind,
		number("epsilon", "ε", .001, 100, &r.Epsilon),
		number("delta", "δ", 1e-15, .01, &r.Delta),
		number("radius", "Radius R", 1e-9, 1e9, &r.Radius),
		only(count("meanRows", "Rows n, public", 1, 1_000_000_000, &r.Rows), ReleaseMean),
		only(count("sparseWidth", "Coordinates of LIBSVM rows", 0, 1<<31-1, &r.Width), ReleaseRows, ReleaseMean),
		number("budget", "Budget ε of the file", .001, 1000, &r.Budget)}
}
