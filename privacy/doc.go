// Package privacy releases sketches with differential privacy, one for each row
// or one mean of all rows, and says beforehand how much of them the noise leaves.
//
//	C, err := privacy.FeatureBound(1, 1, 0, 2)          // rows clipped to norm 1, degree 2
//	m, err := privacy.NewMechanism(1, 1e-5, C)          // ε, δ
//	ledger, err := privacy.NewLedger(4, 1e-5)           // one for each file, kept with it
//	err = ledger.Charge(m)
//	z, err = m.ReleaseRows(nil, z, 1024, privacy.NewNoise(random))
//
// Neighbouring inputs differ in one row, replaced by any other; the number of rows
// is public. Features are clipped to norm C on a grid of integers, so that the
// sensitivity is 2C with every rounding accounted, and take exact discrete Gaussian
// noise. What that promises, and what it does not, is in docs/privacy.md.
//
// Parameters must not depend on the data. The same parameters give the same grid
// on every platform; noise is never reproducible.
package privacy
