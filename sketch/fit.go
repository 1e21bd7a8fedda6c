package sketch

import (
	"math/bits"
	"strconv"
)

// Fit readies a map of method nystroem: it chooses nComponents of the rows as
// landmarks, without replacement and by the seed, for each repeat anew. The rows are
// not kept beyond these. A second Fit replaces what the first left; after an error
// the map is as it was.
//
// The error is an *Error: with code ErrParam for a map of another method, ErrShape
// for fewer rows than nComponents or rows of another shape, ErrNonFinite, or
// ErrOverflow for a landmark whose kernel with itself is beyond float64.
func (m *FeatureMap) Fit(X Rows) error {
	if err := m.checkFit(); err != nil {
		return err
	}
	d := m.params.NFeatures
	n, err := X.count(d)
	if err != nil {
		return err
	}
	chosen, err := m.LandmarkRows(n)
	if err != nil {
		return err
	}
	X.fill(&m.work.sources[0])
	for row := range n {
		if err := m.checkRow(row, 0); err != nil {
			return err
		}
	}
	landmarks := make([]float32, len(chosen)*d)
	for i, row := range chosen {
		m.copyRow(landmarks[i*d:(i+1)*d], row)
	}
	if bad := m.fitTo(landmarks); bad >= 0 {
		return landmarkError(chosen[bad])
	}
	return nil
}

// LandmarkRows returns which of n rows Fit takes for landmarks, repeats × nComponents
// numbers from 0 to n − 1: with these rows SetLandmarks does what Fit does, and the
// others need not be at hand. The errors are those of Fit that do not depend on the
// rows themselves.
func (m *FeatureMap) LandmarkRows(n int) ([]int, error) {
	if err := m.checkFit(); err != nil {
		return nil, err
	}
	D := m.params.NComponents
	if n < D {
		return nil, shapeError("X", strconv.Itoa(n)+" rows",
			"hold at least nComponents = "+strconv.Itoa(D)+" rows to choose landmarks from: give more, or lower nComponents")
	}
	var chosen []int
	for _, c := range m.cores {
		chosen = append(chosen, sample(c.(*nystroemCore).draw.stream(domainLandmark, 0), n, D)...)
	}
	return chosen, nil
}

// Landmarks returns the rows that a fitted map of method nystroem keeps, repeats ×
// nComponents rows of nFeatures numbers, row-major, or nil: with the parameters they
// are all that SetLandmarks needs to make the same map again.
func (m *FeatureMap) Landmarks() []float32 {
	var landmarks []float32
	for _, c := range m.cores {
		if c, ok := c.(*nystroemCore); ok && c.fit != nil {
			landmarks = append(landmarks, c.fit.landmarks...)
		}
	}
	return landmarks
}

// SetLandmarks readies a map of method nystroem with what Landmarks returned of
// another, or with landmarks chosen elsewhere. Errors are those of Fit.
func (m *FeatureMap) SetLandmarks(landmarks []float32) error {
	if err := m.checkFit(); err != nil {
		return err
	}
	d, rows := m.params.NFeatures, m.params.Repeats*m.params.NComponents
	if len(landmarks) != rows*d {
		return shapeError("landmarks", strconv.Itoa(len(landmarks)),
			"hold repeats × nComponents = "+strconv.Itoa(rows)+" rows of nFeatures = "+strconv.Itoa(d)+" values")
	}
	for row := range rows {
		if column, value := firstNonFinite(landmarks[row*d : (row+1)*d]); column >= 0 {
			return nonFiniteError(row, column, value)
		}
	}
	if bad := m.fitTo(append([]float32(nil), landmarks...)); bad >= 0 {
		return landmarkError(bad)
	}
	return nil
}

func (m *FeatureMap) checkFit() error {
	if _, ok := m.cores[0].(*nystroemCore); ok {
		return nil
	}
	return paramError("method", quote(m.params.Method),
		"be "+quote(MethodNystroem)+" to be fitted: the others need no rows")
}

func landmarkError(row int) error {
	return rowError(ErrOverflow, row, -1, "", "have a kernel with itself within the range of float64: scale the rows "+
		"down, or lower gamma, coef0 or degree")
}

// sample returns count of the numbers 0 … n−1, each at most once: the first of a
// shuffle in which place i takes the number at place i + ⌊w·(n−i)/2^64⌋, w being the
// next word of the stream, and leaves its own there.
func sample(s *stream, n, count int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	for i := range count {
		skip, _ := bits.Mul64(s.uint64(), uint64(n-i))
		j := i + int(skip)
		order[i], order[j] = order[j], order[i]
	}
	return order[:count]
}

// copyRow writes a checked row of the source to dst.
func (m *FeatureMap) copyRow(dst []float32, row int) {
	s := &m.work.sources[0]
	if !s.sparse {
		copy(dst, s.dense[row*len(dst):])
		return
	}
	for at := s.csr.Indptr[row]; at < s.csr.Indptr[row+1]; at++ {
		dst[s.csr.Indices[at]] = s.csr.Data[at]
	}
}

// fitTo fits the cores to landmarks, which it keeps. If one has no finite kernel with
// itself, it returns which and changes nothing.
func (m *FeatureMap) fitTo(landmarks []float32) (bad int) {
	d, D := m.params.NFeatures, m.params.NComponents
	fits := make([]*nystroemFit, len(m.cores))
	rows := m.scaler.(*scaledRows)
	scaled := make([]float32, rows.width*D)
	for repeat := range m.cores {
		own := landmarks[repeat*D*d : (repeat+1)*D*d]
		for j := range D {
			for i, v := range own[j*d : (j+1)*d] {
				scaled[i*D+j] = rows.factor * v
			}
			if rows.width > d {
				scaled[d*D+j] = rows.constant
			}
		}
		fit, bad := fitNystroem(&m.params, scaled, rows.width, D)
		if bad >= 0 {
			return repeat*D + bad
		}
		fit.landmarks = own
		fits[repeat] = fit
	}
	for _, each := range append([]*FeatureMap{m}, m.helpers...) {
		for repeat, c := range each.cores {
			c.(*nystroemCore).fit = fits[repeat]
		}
	}
	return -1
}
