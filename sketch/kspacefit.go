package sketch

import (
	"math"
	"strconv"

	"tensorsketch.example/internal/engine/block"
	"tensorsketch.example/internal/portable"
)

// A Fitter fits a map of method k-space to rows that come in parts. It keeps no rows, only exact
// sums of products of integers. So neither the order of the rows nor the parts that they come in
// change a bit of the fit. It is not safe for concurrent use.
//
//	fitter, err := m.NewFitter(1)  // rows of norm at most 1
//	err = fitter.Add(rows)         // any number of times
//	err = fitter.Finish()          // m transforms rows from here on
type Fitter struct {
	m       *FeatureMap
	square  float64 // largest ‖x‖² of a row, or −1 until it is known
	given   bool    // the radius was given to NewFitter
	repeats []*kspaceSums
	failed  error           // an error that left sums incomplete
	current *kspaceSolution // of the fit in progress
	fits    []*kspaceFit    // of the repeats before that one
}

// NewFitter returns a Fitter of a map of method k-space. The radius is the largest norm that rows
// may have. It determines the grid of the integers, so fitters that are to be merged need the same.
// With radius 0 the norms are measured: call Measure with all rows before Add. The error is an
// *Error with code ErrParam.
func (m *FeatureMap) NewFitter(radius float64) (*Fitter, error) {
	if _, ok := m.cores[0].(*kspaceCore); !ok {
		return nil, paramError("method", quote(m.params.Method), "be "+quote(MethodKSpace)+" to be fitted in parts")
	}
	if !(radius >= 0) || !finite(radius) {
		return nil, paramError("radius", portable.FormatNumber(radius),
			"be the largest norm of a row, a finite number > 0, or 0 to measure it")
	}
	f := &Fitter{m: m, square: -1, given: radius > 0}
	for _, c := range m.cores {
		f.repeats = append(f.repeats, newKSpaceSums(&m.params, c.(*kspaceCore)))
	}
	if f.given {
		if err := f.setRadius(float64(radius * radius)); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// setRadius sets the largest ‖x‖², and the grid that follows from it.
func (f *Fitter) setRadius(square float64) error {
	kernel := f.m.law.normKernel(square)
	if !(kernel <= math.MaxFloat32) {
		return ErrOverflow.New("radius", portable.FormatNumber(math.Sqrt(square)), "give features within the range of "+
			"float32: scale the rows down, or lower gamma, coef0 or degree")
	}
	f.square = square
	for _, s := range f.repeats {
		s.step = kspaceStep(math.Sqrt(kernel))
	}
	return nil
}

// FitBytes returns the bytes that a Fitter of valid parameters with defaults filled in allocates,
// while rows are added and while Finish computes. For methods without a Fitter it is 0.
func (p *Params) FitBytes() int64 {
	if p.Method != MethodKSpace {
		return 0
	}
	m, r := p.kspaceComponents()
	M, R := int64(m), int64(r)
	width := p.mapWidth()
	sums := 8 * int64(kspaceTiles(m, r)) * block.Sums * block.Rows
	rows := 4*panelLength*(M+R) + 16*panelLength*(M+R+32) + 4*maxLanes*(M+R+int64(min(width, maxDenseWidth)))
	sketches := tensorPartBytes(p.kspaceSketch(m), width) + tensorPartBytes(p.kspaceSketch(r), width) + 1<<14
	solve := 8*(4*M*M+M*(5*int64(p.NComponents)+4*solveColumns)) + 1<<16
	total := int64(p.Repeats)*(sums+rows+sketches) + solve + 8*M*int64(p.NComponents*p.Repeats)
	return total + total/16 + 16384
}

// Measure raises the radius to the largest norm of these rows. It needs the rows before the first
// Add, and in any order; a Fitter with a given radius refuses it. The error is an *Error as of
// TransformRows, and the Fitter is then unchanged.
func (f *Fitter) Measure(X Rows) error {
	if f.given || f.Rows() > 0 {
		return paramError("radius", portable.FormatNumber(f.radius()), "be 0, and no row added yet, to be measured")
	}
	largest, err := f.largestNorm(X, math.Inf(1))
	if err == nil && largest > f.square {
		err = f.setRadius(largest)
	}
	return err
}

// radius returns the largest norm that rows may have, or 0 until it is known.
func (f *Fitter) radius() float64 { return math.Sqrt(max(0, f.square)) }

// largestNorm checks all rows, and returns the largest ‖x‖², or −1 for no rows. A row with a
// larger one than limit is an error.
func (f *Fitter) largestNorm(X Rows, limit float64) (float64, error) {
	m, largest := f.m, -1.0
	n, err := X.count(m.params.NFeatures)
	if err != nil {
		return 0, err
	}
	m.work.sources = m.work.sources[:1]
	source := &m.work.sources[0]
	X.fill(source)
	for row := range n {
		err := m.checkRow(row, 0)
		square := 0.0
		if err == nil {
			if square = source.squaredNorm(row, 0, m.params.NFeatures); square > limit {
				err = rowError(ErrShape, row, -1, portable.FormatNumber(math.Sqrt(square)),
					"have a norm of at most radius = "+portable.FormatNumber(f.radius()))
			}
		}
		if err != nil {
			err.(*Error).RowsDone = -1 // all or nothing
			return 0, err
		}
		largest = max(largest, square)
	}
	return largest, nil
}

// Add adds rows. The error is an *Error with code ErrParam if the radius is not known yet, ErrShape
// for rows of another shape or beyond the radius, or ErrNonFinite: the Fitter is then unchanged. It
// is ErrOverflow for a row whose features exceed float32, and ErrShape where the sums would exceed
// their range: the Fitter is then of no further use, and returns the error again.
func (f *Fitter) Add(X Rows) error {
	if err := f.Check(X); err != nil {
		return err
	}
	f.begin()
	for _, s := range f.repeats {
		if err := s.add(X); err != nil {
			f.failed = err
			return err
		}
	}
	return nil
}

// Check adds nothing, and returns the error for which Add would add nothing.
func (f *Fitter) Check(X Rows) error {
	if f.failed != nil {
		return f.failed
	}
	if f.square < 0 {
		return paramError("radius", "0", "be given, or measured from all rows before any is added")
	}
	// Rows that were scaled to length 1 in float32 are a little longer or shorter.
	_, err := f.largestNorm(X, f.square+float64(f.square*0x1p-20))
	return err
}

// Merge adds the rows of another Fitter of a map with the same parameters and of the same radius.
// The error is an *Error with code ErrParam, and the Fitter is then unchanged.
func (f *Fitter) Merge(o *Fitter) error {
	a, b := f.repeats[0], o.repeats[0]
	switch {
	case f.failed != nil:
		return f.failed
	case o.failed != nil:
		return o.failed
	case !sameFit(&f.m.params, &o.m.params):
		return paramError("map", "", "have the same parameters and the same seed in both fitters")
	case f.square < 0 || a.step != b.step:
		return paramError("radius", portable.FormatNumber(o.radius()), "be the same in both fitters: give it to NewFitter")
	}
	for r, s := range f.repeats {
		if !s.mayAdd(o.repeats[r].traces) {
			return errFullSums()
		}
	}
	f.begin()
	for r, s := range f.repeats {
		s.merge(o.repeats[r])
	}
	return nil
}

// sameFit reports whether both parameters give the same Y and Z.
func sameFit(a, b *Params) bool {
	ma, ra := a.kspaceComponents()
	mb, rb := b.kspaceComponents()
	return ma == mb && ra == rb && a.NFeatures == b.NFeatures && a.Degree == b.Degree && a.Gamma == b.Gamma &&
		a.Coef0 == b.Coef0 && a.Repeats == b.Repeats && a.Seed == b.Seed
}

// NFeatures returns d, the length of a row.
func (f *Fitter) NFeatures() int { return f.m.NFeatures() }

// Rows returns the number of rows added.
func (f *Fitter) Rows() int64 { return f.repeats[0].rows }

// Clipped returns how many components, of all rows and repeats, were beyond the grid and were cut.
// The grid covers 16 times the norm κ(x,x)^½ of the largest row.
func (f *Fitter) Clipped() (n int64) {
	for _, s := range f.repeats {
		n += s.clipped
	}
	return n
}

// Finish fits the map to the rows added so far. More rows may follow, and another Finish. The error
// is an *Error with code ErrShape for fewer rows than nComponents; the map is then unchanged.
//
// If the features of the kernel have a lower rank than k on these rows, the features beyond that
// rank are 0.
func (f *Fitter) Finish() error {
	for {
		if _, finished, err := f.Step(); finished || err != nil {
			return err
		}
	}
}

// Step does some milliseconds of the work of Finish. It returns about which part is done, from 0 to
// 1, and whether that was the last step, which fits the map. To add rows in between begins anew. It
// returns the errors of Finish.
func (f *Fitter) Step() (done float64, finished bool, err error) {
	if f.failed != nil {
		return 0, false, f.failed
	}
	if err := f.m.checkRowsToFit(f.Rows()); err != nil {
		return 0, false, err
	}
	if f.current == nil {
		f.current = newKSpaceSolution(f.repeats[len(f.fits)])
		return f.share(0), false, nil
	}
	if done, finished = f.current.step(); !finished {
		return f.share(done), false, nil
	}
	s := f.current.s
	f.fits = append(f.fits, newKSpaceFit(f.current.matrix, s.m, s.k))
	f.current = nil
	if len(f.fits) < len(f.repeats) {
		return f.share(0), false, nil
	}
	f.m.useProjections(f.fits)
	f.fits = nil
	return 1, true, nil
}

// share returns the part of a fit that is done, given the part of the current repeat.
func (f *Fitter) share(done float64) float64 {
	return (float64(len(f.fits)) + done) / float64(len(f.repeats))
}

// begin drops a fit that is in progress, since rows change.
func (f *Fitter) begin() { f.current, f.fits = nil, nil }

func (m *FeatureMap) checkRowsToFit(n int64) error {
	if k := m.params.NComponents; n < int64(k) {
		return shapeError("X", strconv.FormatInt(n, 10)+" rows",
			"hold at least nComponents = "+strconv.Itoa(k)+" rows to fit to: give more, or lower nComponents")
	}
	return nil
}

// useProjections makes the map, with its helpers, a fitted one.
func (m *FeatureMap) useProjections(fits []*kspaceFit) {
	for _, each := range append([]*FeatureMap{m}, m.helpers...) {
		for repeat, c := range each.cores {
			c.(*kspaceCore).fit = fits[repeat]
		}
	}
}

// fitKSpace fits the map to n ≥ k rows at once, in float64. y and z are the sketches of docs/SPEC.md, section 8. The
// last digits of M are no promise.
//
//  1. C is κ(x,x)^½ at the largest ‖x‖ of the rows, or at a radius that is given. The step is the least power of two
//     that is at least C/2^18, and at least 2^−118; it is 2^0 if C is 0.
//  2. y and z become integers: y/step and z/step rounded to nearest, ties to even, cut at ±2^22. G = Σ y·yᵀ and
//     H = Σ y·zᵀ over the rows are exact.
//  3. G = RᵀR by pivoted Cholesky decomposition, as for Nyström's method. It also stops where the remaining diagonal is
//     at most n. Its rank is ρ.
//  4. B = R⁻ᵀH, of the rows that are pivots. W, ρ × min(k, ρ), has the eigenvectors of BBᵀ with the largest
//     eigenvalues, those first. The largest entry in magnitude of each, the first of equals, is positive.
//  5. X = R⁻¹W, then X·L⁻ᵀ with LLᵀ = XᵀGX. M has the rows of X/step at the pivots; all other numbers of M are 0.
func (m *FeatureMap) fitKSpace(X Rows) error {
	n, err := X.count(m.params.NFeatures)
	if err == nil {
		err = m.checkRowsToFit(int64(n))
	}
	if err != nil {
		return err
	}
	f, err := m.NewFitter(0)
	if err == nil {
		err = f.Measure(X)
	}
	if err == nil {
		err = f.Add(X)
	}
	if err == nil {
		err = f.Finish()
	}
	return err
}

// Projection returns the matrices M of a fitted map of method k-space, or nil: repeats × m rows of
// nComponents numbers, row-major. The features of a row are its sketch of m components times M.
// Together with the parameters this is all that SetProjection needs to restore the map.
func (m *FeatureMap) Projection() []float64 {
	var matrix []float64
	for _, c := range m.cores {
		if c, ok := c.(*kspaceCore); ok && c.fit != nil {
			matrix = c.matrix(matrix)
		}
	}
	return matrix
}

// SetProjection fits a map of method k-space to given matrices: the result of Projection of another
// map. The error is an *Error with code ErrParam for a map of another method, ErrShape for another
// length, or ErrNonFinite.
func (m *FeatureMap) SetProjection(matrix []float64) error {
	first, ok := m.cores[0].(*kspaceCore)
	if !ok {
		return paramError("method", quote(m.params.Method), "be "+quote(MethodKSpace)+" to have a projection")
	}
	size := first.m * first.k
	if len(matrix) != len(m.cores)*size {
		return shapeError("projection", strconv.Itoa(len(matrix)), "hold repeats × m = "+
			strconv.Itoa(len(m.cores)*first.m)+" rows of nComponents = "+strconv.Itoa(first.k)+" numbers")
	}
	for i, v := range matrix {
		if !finite(v) {
			return ErrNonFinite.New("projection["+strconv.Itoa(i)+"]", portable.FormatNumber(v), "be finite")
		}
	}
	var fits []*kspaceFit
	for range m.cores {
		fits = append(fits, newKSpaceFit(matrix[:size], first.m, first.k))
		matrix = matrix[size:]
	}
	m.useProjections(fits)
	return nil
}
