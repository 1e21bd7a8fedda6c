package solve

import "strconv"

// A System is what solvers take: sums over rows of features z and targets t, in float64 and in the
// units of the features and targets. The sums are integers until they are rounded here, once.
//
// For classification t is +1 for the rows of a class and −1 for all others. For regression t is y
// less Middle, so that a model's intercept gets Middle added.
type System struct {
	Rows   float64
	D, K   int       // features, and classes or targets
	G      []float64 // D × D, symmetric: Σ z zᵀ
	Z      []float64 // D: Σ z
	B      []float64 // K × D: Σ t z
	T      []float64 // K: Σ t
	TT     []float64 // K: Σ t²
	Counts []float64 // K: rows of each class; nil for regression
	Middle float64   // what was taken from targets; 0 for classes

	Step       float64 // grid of the features: the largest of their steps
	TargetStep float64 // grid of the targets; 0 for classes

	Noise SumNoise // in the sums that package privacy released; zeros for exact sums
}

// A SumNoise has the standard deviations of independent noise of mean 0 in released sums, in the units
// of the features or their squares. The noise is Gaussian, rounded to a fine grid.
type SumNoise struct {
	Square  float64 // in each sum of squares of a feature, on the diagonal of G
	Product float64 // in each sum of products of two features
	Sum     float64 // in each entry of Z
}

// System returns the sums of the given parts, or of all parts if none is given. It panics if there
// is no such part.
func (m *Moments) System(parts ...int) *System {
	m.flushAll()
	sum := m.sumOf(parts)
	return systemOfGram(m.shape, m.grid, sum[wordRows], sum[wordGram:])
}

// Counted returns the words of all parts with their tallies. They are the memory of m, which changes with its rows.
func (m *Moments) Counted() []int64 {
	m.flushAll()
	return m.words
}

// SystemOfCounted returns the System of the words of one part with its tally, on the grid of m.
func (m *Moments) SystemOfCounted(sum []int64) *System {
	return systemOfGram(m.shape, m.grid, sum[wordRows], sum[wordGram:])
}

// SystemOf returns the System of the words of one part (Moments.Sums), for numbers that are sums of rows
// or like them.
func SystemOf(shape Shape, grid Grid, sum []int64) *System {
	return systemOfGram(shape, grid, sum[wordRows], sum[wordTally:])
}

// systemOfGram returns the System of the words of a part from the products of features on.
func systemOfGram(shape Shape, grid Grid, rows int64, gram []int64) *System {
	D, K, steps := shape.NComponents, shape.targets(), grid.steps(shape.NComponents)
	s := &System{Rows: float64(rows), D: D, K: K, Step: grid.Step, G: make([]float64, D*D),
		Z: make([]float64, D), B: make([]float64, K*D), T: make([]float64, K), TT: make([]float64, K)}
	for i := range D {
		for j, g := range gram[:i+1] {
			v := float64(g) * (steps[i] * steps[j]) // exact: a power of two
			s.G[i*D+j], s.G[j*D+i] = v, v
		}
		gram = gram[i+1:]
	}
	tail := gram // what is after them
	if shape.Classes > 0 {
		s.classes(rows, tail, steps)
		return s
	}
	scaleBy(s.Z, tail[:D], steps, 1)
	if K > 0 {
		t := grid.TargetStep()
		s.Middle, s.TargetStep = grid.Middle(), t
		scale(s.T, tail[D:D+K], t)
		squares := tail[D+K:]
		for k := range K {
			s.TT[k] = float64(squares[triangle(k+1)-1]) * float64(t*t)
		}
		for k := range K {
			scaleBy(s.B[k*D:(k+1)*D], squares[triangle(K)+k*D:], steps, t)
		}
	}
	return s
}

// classes fills in the sums of one class against all others from counts and sums of each class:
// Σ t z = 2·Σ_class z − Σ z.
func (s *System) classes(rows int64, tail []int64, steps []float64) {
	sums, all := tail[s.K:], make([]int64, s.D)
	for k := range s.K {
		for j, v := range sums[k*s.D : (k+1)*s.D] {
			all[j] += v
		}
	}
	scaleBy(s.Z, all, steps, 1)
	s.Counts = make([]float64, s.K)
	for k, count := range tail[:s.K] {
		s.Counts[k], s.T[k], s.TT[k] = float64(count), float64(2*count-rows), float64(rows)
		for j, v := range sums[k*s.D : (k+1)*s.D] {
			s.B[k*s.D+j] = float64(2*v-all[j]) * steps[j]
		}
	}
}

// scaleBy writes sums by their steps and a unit to dst.
func scaleBy(dst []float64, sums []int64, steps []float64, unit float64) {
	for i := range dst {
		dst[i] = float64(sums[i]) * float64(steps[i]*unit)
	}
}

func scale(dst []float64, sums []int64, unit float64) {
	for i := range dst {
		dst[i] = float64(sums[i]) * unit
	}
}

// sumOf returns the sums of some parts, or of all if none is given.
func (m *Moments) sumOf(parts []int) []int64 {
	if len(parts) == 0 {
		for p := range m.Parts() {
			parts = append(parts, p)
		}
	}
	var sum []int64
	for _, p := range parts {
		if p < 0 || p >= m.Parts() {
			panic("learn: part " + strconv.Itoa(p) + " of " + strconv.Itoa(m.Parts()))
		}
		part := m.part(p)
		if len(parts) == 1 {
			return part
		}
		if sum == nil {
			sum = make([]int64, len(part))
		}
		for i, v := range part {
			sum[i] += v
		}
	}
	return sum
}
