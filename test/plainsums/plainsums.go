// Package plainsums has the sums of features in float64, to compare the grid of package learn with.
package plainsums

import "tensorsketch.example/internal/solve"

// System returns the System of features Z, n × D, as they are, not on a grid. All else is copied from the System like.
// The targets are the classes of the rows, or y where classes is nil.
func System(like *solve.System, Z []float32, classes []int32, y []float64) *solve.System {
	s, D := *like, like.D
	s.G, s.Z, s.B = make([]float64, D*D), make([]float64, D), make([]float64, s.K*D)
	row := make([]float64, D)
	for i := range len(Z) / D {
		for j := range row {
			row[j] = float64(Z[i*D+j])
			s.Z[j] += row[j]
		}
		for a, v := range row {
			to := s.G[a*D : a*D+a+1]
			for b := range to {
				to[b] += v * row[b]
			}
		}
		for k := range s.K {
			target := -1.0
			if classes == nil {
				target = y[i] - s.Middle
			} else if int(classes[i]) == k {
				target = 1
			}
			for j, v := range row {
				s.B[k*D+j] += target * v
			}
		}
	}
	for a := range D {
		for b := range a {
			s.G[b*D+a] = s.G[a*D+b]
		}
	}
	return &s
}
