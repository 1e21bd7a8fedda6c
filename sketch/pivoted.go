package sketch

// FitPivoted is Fit for a map of method nystroem whose landmarks are drawn by what those before them leave over. With
// z(x) the features by the landmarks so far, row x is drawn with a probability in proportion to
//
//	κ(x, x) − ‖z(x)‖²,
//
// the randomly pivoted Cholesky decomposition (Chen, Epperly, Tropp & Webber, Randomly pivoted Cholesky, 2023), here in
// blocks of a tenth of the landmarks. Rows that differ from the most others come in where uniform ones are alike. It
// looks at all rows nine times, which takes about five times as long as the features of all rows.
//
// It returns the errors of Fit. A map of method k-space has no landmarks to choose.
func (m *FeatureMap) FitPivoted(X Rows) error {
	chosen, err := m.PivotedRows(X)
	if err != nil {
		return err
	}
	return m.SetLandmarks(m.rowsAt(chosen))
}

// PivotedRows returns the rows of X that FitPivoted would take as landmarks: repeats × nComponents numbers from 0. It
// returns the errors of Fit.
func (m *FeatureMap) PivotedRows(X Rows) ([]int, error) {
	if err := m.checkFit(); err != nil {
		return nil, err
	}
	n, err := X.count(m.params.NFeatures)
	if err != nil {
		return nil, err
	}
	if err := m.checkLandmarks(n); err != nil {
		return nil, err
	}
	X.fill(&m.work.sources[0])
	kernels := make([]float64, n) // κ(x, x)
	for row := range n {
		if err := m.checkRow(row, 0); err != nil {
			return nil, err
		}
		if kernels[row] = m.kernelOfRow(row, 0); !finite(kernels[row]) {
			return nil, landmarkError(row)
		}
	}
	var chosen []int
	for _, c := range m.cores {
		own, err := m.pivoted(kernels, c.(*nystroemCore).draw.stream(domainLandmark, 1))
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, own...)
	}
	return chosen, nil
}

const (
	pivotRounds = 10      // between two of which all rows are looked at
	pivotFloor  = 0x1p-20 // of κ(x, x): less is rounding errors of features
	isLandmark  = -1      // left over of a landmark
)

// pivoted returns the landmarks of one repeat, which it draws from the rows of the source.
func (m *FeatureMap) pivoted(kernels []float64, s *stream) (chosen []int, err error) {
	left := append([]float64(nil), kernels...)
	for round := 1; round <= pivotRounds; round++ {
		if len(chosen) > 0 {
			if err := m.leaveOver(left, kernels, m.rowsAt(chosen), len(chosen)); err != nil {
				return nil, err
			}
		}
		for len(chosen) < m.params.NComponents*round/pivotRounds {
			chosen = append(chosen, drawPivot(left, s))
		}
	}
	return chosen, nil
}

// drawPivot draws a row in proportion to what is left over, and makes it a landmark. Where nothing is left over, all
// other rows are alike.
func drawPivot(left []float64, s *stream) (pivot int) {
	total := 0.0
	for _, v := range left {
		total += max(0, v)
	}
	if total == 0 {
		for i, v := range left {
			if v == 0 {
				left[i] = 1
				total++
			}
		}
	}
	rest := float64(s.unit() * total)
	for i, v := range left {
		if v > 0 {
			pivot = i
			if rest -= v; rest < 0 {
				break
			}
		}
	}
	left[pivot] = isLandmark
	return pivot
}

// leaveOver sets what count landmarks leave over of the rows of the source that are none.
func (m *FeatureMap) leaveOver(left, kernels []float64, landmarks []float32, count int) error {
	p := m.params
	p.NComponents, p.Repeats, p.Normalize = count, 1, NormalizeNone
	part, err := NewFeatureMap(p)
	if err != nil {
		return err
	}
	part.SetGoroutines(1 + len(m.helpers))
	if err := part.SetLandmarks(landmarks); err != nil {
		return err
	}
	var work []func(from, to int) error
	for _, each := range append([]*FeatureMap{part}, part.helpers...) {
		each.work.sources = append(each.work.sources[:0], m.work.sources[0])
		z := make([]float32, each.lanes*count)
		work = append(work, func(from, to int) error {
			for row := from; row < to; row += each.lanes {
				rows := min(each.lanes, to-row)
				for lane := range rows {
					if err := each.checkRow(row+lane, lane); err != nil {
						return err
					}
					each.scaler.loadRow(&each.work.sources[0], row+lane, lane)
				}
				if err := each.transformBlock(z[:rows*count], row, rows, true); err != nil {
					return err
				}
				for r := range rows {
					setLeft(&left[row+r], kernels[row+r], z[r*count:][:count])
				}
			}
			return nil
		})
	}
	return shareRows(len(left), shareBlocks*part.lanes, work)
}

// setLeft sets what features leave over of κ(x, x), unless x is a landmark.
func setLeft(left *float64, kernel float64, z []float32) {
	if *left == isLandmark {
		return
	}
	if *left = kernel - Dot(z, z); !(*left > kernel*pivotFloor) {
		*left = 0
	}
}
