package plane

// moments are what a ridge classifier needs to know of the points that it learns from: sums over them, with the targets
// t = 1 for + and −1 for −.
type moments struct {
	basis    *basis
	n        int
	means    []float64 // of u
	target   float64   // mean of t
	products square    // Σ (u − ū)(u − ū)ᵀ
	targets  []float64 // Σ (u − ū)(t − t̄)
}

// target returns t of a point.
func (p Point) target() float64 {
	if p.Minus {
		return -1
	}
	return 1
}

func momentsOf(b *basis, points []Point) *moments {
	M := b.size()
	m := &moments{basis: b, means: make([]float64, M), products: newSquare(M), targets: make([]float64, M)}
	u := make([]float64, M)
	each := func(f func(t float64)) {
		for _, p := range points {
			if !p.HeldOut {
				b.at(u, p.X, p.Y)
				f(p.target())
			}
		}
	}
	each(func(t float64) {
		m.n++
		m.target += t
		for i, x := range u {
			m.means[i] += x
		}
	})
	if m.n == 0 {
		return m
	}
	m.target /= float64(m.n)
	for i := range m.means {
		m.means[i] /= float64(m.n)
	}
	each(func(t float64) {
		for i := range u {
			u[i] -= m.means[i]
			m.targets[i] += u[i] * (t - m.target)
			for j, row := 0, m.products.row(i); j <= i; j++ {
				row[j] += u[i] * u[j]
			}
		}
	})
	for i := range M {
		for j := range i {
			*m.products.at(j, i) = *m.products.at(i, j)
		}
	}
	return m
}

// A model divides the plane: + where its score is positive, − elsewhere. It is the ridge classifier of a kernel,
//
//	minimise Σ (t − w₀ − ⟨w, f(x)⟩)² + λ‖w‖²  over w₀ and w,  where ⟨f(x), f(x′)⟩ = u(x)ᵀ B u(x′)
//
// so λ means the same for each kernel, and a sketch whose B tends to the exact kernel's tends to its model.
type model struct {
	basis   *basis
	weights []float64 // the score is the constant + ⟨weights, u(x)⟩
	start   float64
	root    [][]float64 // L with B = L Lᵀ
	system  square      // lower triangle of the Cholesky decomposition of Σ (f − f̄)(f − f̄)ᵀ + λI, f = Lᵀu
	moments *moments
}

// fit returns the model of the kernel with the matrix B.
func (m *moments) fit(B square, lambda float64) *model {
	L := B.root()
	rank := len(L[0])
	half := make([][]float64, len(L)) // products · L
	for i := range half {
		half[i] = make([]float64, rank)
		for k, x := range m.products.row(i) {
			for j, l := range L[k] {
				half[i][j] += x * l
			}
		}
	}
	system, w := newSquare(rank), make([]float64, rank)
	for k, row := range L {
		for i, l := range row {
			if l == 0 {
				continue
			}
			for j, x := range half[k][:i+1] {
				*system.at(i, j) += l * x
			}
			w[i] += l * m.targets[k]
		}
	}
	for i := range rank {
		*system.at(i, i) += lambda
	}
	system.factor()
	system.forward(w)
	system.backward(w)
	fitted := &model{basis: m.basis, root: L, system: system, moments: m, start: m.target}
	for _, l := range L {
		fitted.weights = append(fitted.weights, dot(l, w))
	}
	fitted.start -= dot(fitted.weights, m.means)
	return fitted
}

// score returns the score of a place.
func (m *model) score(x, y float64) float64 {
	u := make([]float64, m.basis.size())
	m.basis.at(u, x, y)
	return m.start + dot(m.weights, u)
}

// without returns the score of a point that the model learned from, as a model without that point gives it: t − (t −
// score)/(1 − h), where h is the point's share in its own score.
func (m *model) without(p Point) float64 {
	u := make([]float64, m.basis.size())
	m.basis.at(u, p.X, p.Y)
	f := make([]float64, m.system.n)
	for i, l := range m.root {
		for j, x := range l {
			f[j] += x * (u[i] - m.moments.means[i])
		}
	}
	m.system.forward(f)
	share := 1/float64(m.moments.n) + dot(f, f)
	if share > 1-1e-9 {
		return 0 // without the only point there is no model
	}
	t := p.target()
	return t - (t-m.score(p.X, p.Y))/(1-share)
}

// A line is a model along a horizontal line, a polynomial of x.
type line struct {
	coefficients [MostDegree + 1]float64
	degree       int
}

// along returns the scores along the line of a height.
func (m *model) along(y float64) (l line) {
	var ys [MostDegree + 1]float64
	ys[0], l.degree = 1, m.basis.degree
	for k := range l.degree {
		ys[k+1] = ys[k] * y
	}
	l.coefficients[0] = m.start
	for k, power := range m.basis.powers {
		l.coefficients[power[0]] += m.weights[k] * m.basis.factors[k] * ys[power[1]]
	}
	return l
}

// at returns the score at x.
func (l *line) at(x float64) float64 {
	score := l.coefficients[l.degree]
	for k := l.degree - 1; k >= 0; k-- {
		score = score*x + l.coefficients[k]
	}
	return score
}

// fill writes the scores of pixels from the left edge, each as wide as a step, into dst. It calls nothing for a pixel:
// the page's compiler inlines nothing.
func (l *line) fill(dst []float64, step float64) {
	of := l.coefficients[:l.degree+1]
	for i := range dst {
		x, score := -edge+(float64(i)+.5)*step, 0.0
		for k := len(of) - 1; k >= 0; k-- {
			score = score*x + of[k]
		}
		dst[i] = score
	}
}

// fineness is the number of places to a side at which models are compared.
const fineness = 64

// disagreement returns the share of the plane where two models give different answers.
func disagreement(a, b *model) float64 {
	different := 0
	for i := range fineness {
		y := edge * (2*(float64(i)+.5)/fineness - 1)
		first, second := a.along(y), b.along(y)
		for j := range fineness {
			x := edge * (2*(float64(j)+.5)/fineness - 1)
			if (first.at(x) > 0) != (second.at(x) > 0) {
				different++
			}
		}
	}
	return float64(different) / (fineness * fineness)
}
