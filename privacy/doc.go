// Package privacy releases sketches with differential privacy: one for each row, or one mean of all
// rows. It also says in advance how useful they remain despite the noise.
//
//	C, err := privacy.FeatureBound(1, 1, 0, 2)          // rows clipped to norm 1, degree 2
//	m, err := privacy.NewMechanism(1, 1e-5, C)          // ε, δ
//	ledger, err := privacy.NewLedger(4, 1e-5)           // one for each file, kept with it
//	err = ledger.Charge(m)
//	z, err = m.ReleaseRows(nil, z, 1024, privacy.NewNoise(random))
//
// Neighbouring inputs differ in one row, which may be replaced by any other. The number of rows is
// public. Features are clipped to norm C on a grid of integers, so the sensitivity is 2C with every
// rounding accounted for. They then get exact discrete Gaussian noise. docs/privacy.md says what
// that guarantees and what it does not.
//
// Parameters must not depend on the data. The same parameters give the same grid
// on every platform; noise is never reproducible.
package privacy
