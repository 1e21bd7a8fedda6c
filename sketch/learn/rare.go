package learn

import (
	"math"

	"tensorsketch.example/internal/engine/matrix"
	"tensorsketch.example/internal/solve"
)

// Weights of rare classes: from leastRare on, and at most mostRare.
const (
	leastRare = 3
	mostRare  = 16
)

// rareWeights returns how often more than once the rows of each class count in a fit: √(n_max/n_k) times in all,
// rounded, for n_k rows of class k, where that is leastRare or more. It returns nil where all rows count once: without
// rare classes, or without enough kept rows to say how rare classes spread.
//
// Squared errors of all rows alike say little of a class that is one row in a hundred, so its rows are told from others
// too coarsely, and λ is too small for it (TestBalanced). Probabilities are found from kept rows that count once.
func rareWeights(m *Moments, counts []float64) (extra []float64) {
	if m.Folds() != solve.FoldCount || m.KeptCount() < leastKept || m.Grid().Limit == 0 {
		return nil // files of before, on grids of 2^12, give what they gave
	}
	most := 0.0
	for _, n := range counts {
		most = max(most, n)
	}
	for k, n := range counts {
		times := math.Round(math.Sqrt(most / max(1, n)))
		if times < leastRare || n == 0 {
			continue
		}
		if extra == nil {
			extra = make([]float64, len(counts))
		}
		extra[k] = min(times, mostRare) - 1
	}
	return extra
}

// rareWarning says that rows of rare classes count more than once.
const rareWarning = "rows of rare classes count up to 16 times in this fit, so that few of them are not overlooked; " +
	"its probabilities are for rows as they come"

// system returns the sums of some parts, in which the rows of rare classes count more than once.
func (f *MomentsFit) system(parts ...int) *System {
	s := f.moments.System(parts...)
	if f.extra != nil {
		for _, p := range parts {
			f.addRare(s, p)
		}
	}
	return s
}

// addRare adds the rows of rare classes of a part to its sums again, v times for each class. Their sums of z and t
// are known. With n rows of mean m, Σ z zᵀ = n·m mᵀ + Σ (z − m)(z − m)ᵀ; the last term is n/c times what c kept rows
// say.
func (f *MomentsFit) addRare(s *System, p int) {
	D, K := s.D, s.K
	counts, all := f.moments.ClassSums(p)
	Z, classes, _, _ := f.moments.KeptOf(p)
	for k, v := range f.extra {
		n := counts[k]
		if v == 0 || n == 0 {
			continue
		}
		sums, mean := all[k*D:(k+1)*D], make([]float64, D)
		solve.Axpy(mean, math.Sqrt(v/n), sums) // so that mean meanᵀ is v·n·m mᵀ
		matrix.AddTransposedProduct(s.G, mean, mean, 1, D, D, 1)
		if rows := spreadOf(Z, classes, int32(k), D); len(rows) > 0 {
			c := len(rows) / D
			for i := range rows {
				rows[i] *= math.Sqrt(v * n / float64(c))
			}
			matrix.AddTransposedProduct(s.G, rows, rows, c, D, D, 1)
		}
		solve.Axpy(s.Z, v, sums)
		s.Rows += float64(v * n)
		s.Counts[k] += float64(v * n)
		for j := range K {
			sign := -v
			if j == k {
				sign = v
			}
			solve.Axpy(s.B[j*D:(j+1)*D], sign, sums)
			s.T[j] += float64(sign * n)
			s.TT[j] += float64(v * n)
		}
	}
}

// spreadOf returns the rows of features of a class less their mean.
func spreadOf(Z []float32, classes []int32, class int32, D int) (rows []float64) {
	mean := make([]float64, D)
	for i, c := range classes {
		if c != class {
			continue
		}
		for j, z := range Z[i*D : (i+1)*D] {
			rows = append(rows, float64(z))
			mean[j] += float64(z)
		}
	}
	for i := range rows {
		rows[i] -= mean[i%D] / float64(len(rows)/D)
	}
	return rows
}
