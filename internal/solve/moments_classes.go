package solve

// Empty returns moments without rows of the same kind.
func (m *Moments) Empty() *Moments { return m.EmptyOf(m.shape.Classes) }

// EmptyOf returns moments without rows of the same kind. If m has classes, they have so many, but at least one.
func (m *Moments) EmptyOf(classes int) *Moments {
	shape := m.shape
	if shape.Classes > 0 {
		shape.Classes = max(1, classes)
	}
	e, err := NewMoments(shape, m.grid, m.folds)
	if err != nil {
		panic("learn: " + err.Error()) // they were made the same way
	}
	e.SetGoroutines(m.goroutines)
	e.kept.share, e.kept.width, e.kept.each = m.kept.share, m.kept.width, m.kept.each
	return e
}

// WithClasses returns the moments of the same rows for so many other classes: class k becomes to[k], or is left out if
// that is negative, as a class without rows may be. The result shares kept rows with m.
func (m *Moments) WithClasses(to []int32, classes int) *Moments {
	other := m.EmptyOf(classes)
	m.flushAll()
	result := make([]int64, 0, len(other.words))
	D, head := m.shape.NComponents, m.shape.tail()
	for p := range m.Parts() {
		part := m.part(p)
		result = append(result, part[:head]...)
		counts, classSums := part[head:head+m.shape.Classes], part[head+m.shape.Classes:]
		newCounts, newSums := make([]int64, other.shape.Classes), make([]int64, other.shape.Classes*D)
		for k, at := range to {
			if at >= 0 {
				newCounts[at] = counts[k]
				copy(newSums[int(at)*D:], classSums[k*D:(k+1)*D])
			}
		}
		result = append(append(result, newCounts...), newSums...)
	}
	if err := other.SetCounted(result); err != nil {
		panic("learn: " + err.Error()) // the sums of the same rows
	}
	other.kept = m.kept
	other.kept.withClasses(to)
	return other
}

// ClassCounts returns the number of rows of each class.
func (m *Moments) ClassCounts() []int64 {
	counts := make([]int64, m.shape.Classes)
	for p := range m.Parts() {
		for k, count := range m.part(p)[m.shape.tail():][:m.shape.Classes] {
			counts[k] += count
		}
	}
	return counts
}

// ClassSums returns the rows of each class of a part, and the sums of their features, K × D.
func (m *Moments) ClassSums(p int) (counts, sums []float64) {
	D, K := m.shape.NComponents, m.shape.Classes
	steps, tail := m.grid.steps(D), m.part(p)[m.shape.tail():]
	counts, sums = make([]float64, K), make([]float64, K*D)
	for k := range K {
		counts[k] = float64(tail[k])
		scaleBy(sums[k*D:(k+1)*D], tail[K+k*D:K+(k+1)*D], steps, 1)
	}
	return counts, sums
}

// PartRows returns the number of rows of a part.
func (m *Moments) PartRows(p int) int64 { return m.part(p)[wordRows] }
