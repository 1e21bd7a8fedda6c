package sketch

import (
	"math/bits"
	"strconv"
)

// Fit fits a map of method nystroem or k-space to rows. A second Fit replaces the first; after an
// error the map is unchanged.
//
// For nystroem it chooses nComponents of the rows as landmarks for each repeat, by the seed and
// without replacement. It keeps no other rows. For k-space it uses all rows and keeps none of them;
// a Fitter does the same with rows in parts.
//
// The error is an *Error with code ErrParam for a map of another method, ErrShape for fewer rows
// than nComponents or rows of another shape, ErrNonFinite, or ErrOverflow for a landmark whose
// kernel with itself exceeds float64, or a row whose sketch exceeds float32.
func (m *FeatureMap) Fit(X Rows) error {
	if _, ok := m.cores[0].(*kspaceCore); ok {
		return m.fitKSpace(X)
	}
	if err := m.checkFit(); err != nil {
		return err
	}
	n, err := X.count(m.params.NFeatures)
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
	if bad := m.fitTo(m.rowsAt(chosen)); bad >= 0 {
		return landmarkError(chosen[bad])
	}
	return nil
}

// LandmarkRows returns the rows, of n, that Fit would take as landmarks: repeats × nComponents
// numbers from 0 to n − 1. SetLandmarks with these rows does the same as Fit, without the other
// rows. It returns the errors of Fit that do not depend on the content of the rows.
func (m *FeatureMap) LandmarkRows(n int) ([]int, error) {
	if err := m.checkFit(); err != nil {
		return nil, err
	}
	if err := m.checkLandmarks(n); err != nil {
		return nil, err
	}
	var chosen []int
	for _, c := range m.cores {
		chosen = append(chosen, sample(c.(*nystroemCore).draw.stream(domainLandmark, 0), n, m.params.NComponents)...)
	}
	return chosen, nil
}

// checkLandmarks checks that n rows are enough to choose landmarks from.
func (m *FeatureMap) checkLandmarks(n int) error {
	if D := m.params.NComponents; n < D {
		return shapeError("X", strconv.Itoa(n)+" rows",
			"hold at least nComponents = "+strconv.Itoa(D)+" rows to choose landmarks from: give more, or lower nComponents")
	}
	return nil
}

// Landmarks returns the rows that a fitted map of method nystroem keeps, or nil: repeats ×
// nComponents rows of nFeatures numbers, row-major. Together with the parameters they are all that
// SetLandmarks needs to restore the map.
func (m *FeatureMap) Landmarks() []float32 {
	var landmarks []float32
	for _, c := range m.cores {
		if c, ok := c.(*nystroemCore); ok && c.fit != nil {
			landmarks = append(landmarks, c.fit.landmarks...)
		}
	}
	return landmarks
}

// SetLandmarks fits a map of method nystroem to given landmarks: the result of Landmarks of another
// map, or rows chosen elsewhere. It returns the same errors as Fit.
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
	if _, ok := m.cores[0].(*kspaceCore); ok {
		return paramError("method", quote(m.params.Method), "be "+quote(MethodNystroem)+" to have landmarks")
	}
	return paramError("method", quote(m.params.Method),
		"be "+quote(MethodNystroem)+" or "+quote(MethodKSpace)+" to be fitted: the others need no rows")
}

func landmarkError(row int) error {
	return rowError(ErrOverflow, row, -1, "", "have a kernel with itself within the range of float64: scale the rows "+
		"down, or lower gamma, coef0 or degree")
}

// sample returns count distinct numbers of 0 … n−1: the beginning of a shuffle. Place i is
// exchanged with place i + ⌊w·(n−i)/2^64⌋, where w is the next word of the stream.
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

// rowsAt returns copies of checked rows of the source, one after another.
func (m *FeatureMap) rowsAt(rows []int) []float32 {
	d := m.params.NFeatures
	copies := make([]float32, len(rows)*d)
	for i, row := range rows {
		m.copyRow(copies[i*d:(i+1)*d], row)
	}
	return copies
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

// fitTo fits the cores to the landmarks, which it keeps. If the kernel of a landmark with itself is
// not finite, it returns the index of that landmark and changes nothing. Otherwise it returns −1.
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
