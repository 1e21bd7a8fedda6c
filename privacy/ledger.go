package privacy

import (
	"strconv"

	"tensorsketch.example/sketch"
)

// A Ledger adds up the privacy cost of all releases of one file's rows, and refuses a release that
// would exceed its budget. Charge every release that uses any of the rows.
//
// It composes by zero-concentrated privacy. Each release is a discrete Gaussian mechanism, and
// their ρ add up (Bun & Steinke 2016). The conversion of Sigma turns the sum into one ε at the
// budget's δ. Adding up the ε and δ themselves (basic composition) would be valid too, but counts
// more loss: two releases at ε = 1 cost 1.46 together, not 2. The sum is also valid if the
// parameters of a later release depend on earlier outcomes, because the budget is fixed in advance
// (Feldman & Zrnic 2021).
//
// A Ledger must not be used concurrently.
type Ledger struct {
	epsilon, delta float64
	limit, spent   float64 // ρ
	releases       int
}

// NewLedger returns a ledger with the budget (ε, δ) and nothing spent. It returns the same errors
// as Sigma.
func NewLedger(epsilon, delta float64) (*Ledger, error) {
	sigma, err := Sigma(epsilon, delta)
	if err != nil {
		return nil, err
	}
	return &Ledger{epsilon: epsilon, delta: delta, limit: 1 / (2 * sigma * sigma)}, nil
}

// ResumeLedger returns the ledger of a budget after some releases. They spent this ρ, as SpentRho returns
// it. The errors are the errors of NewLedger, and an error if spent is not from 0 to the budget.
func ResumeLedger(epsilon, delta, spent float64, releases int) (*Ledger, error) {
	l, err := NewLedger(epsilon, delta)
	if err != nil {
		return nil, err
	}
	if err := checkRange("spent", spent, 0, l.limit); err != nil {
		return nil, err
	}
	l.spent, l.releases = spent, releases
	return l, nil
}

// Budget returns the (ε, δ) that all releases together must not exceed.
func (l *Ledger) Budget() (epsilon, delta float64) { return l.epsilon, l.delta }

// Releases returns the number of releases charged.
func (l *Ledger) Releases() int { return l.releases }

// Spent returns the ε at the budget's δ of all releases charged so far.
func (l *Ledger) Spent() float64 { return EpsilonOf(l.spent, l.delta) }

// SpentRho returns the sum of the ρ of all releases charged so far.
func (l *Ledger) SpentRho() float64 { return l.spent }

// Left returns the ε at the budget's δ that one more release may have.
func (l *Ledger) Left() float64 { return EpsilonOf(l.limit-l.spent, l.delta) }

// A Charge is what a Ledger counts: a Mechanism or a MomentsMechanism.
type Charge interface {
	Epsilon() float64 // of one release, at Delta
	Delta() float64
	Rho() float64 // of its zero-concentrated privacy
}

// Charge records one release of the rows by m: of all rows one by one, in any number of blocks, of
// one mean, or of moments. Call it before the release. After an error, which says what ε the budget
// still allows, make no release; nothing is recorded then.
func (l *Ledger) Charge(m Charge) error { return l.charge(m.Epsilon(), m.Delta(), m.Rho()) }

// ChargeMost records one release at (ε, δ) by whichever mechanism of this package: the most that any of
// them costs. The errors are the errors of Sigma and of Charge.
func (l *Ledger) ChargeMost(epsilon, delta float64) error {
	sigma, err := Sigma(epsilon, delta)
	if err != nil {
		return err
	}
	return l.charge(epsilon, delta, 1/(2*sigma*sigma))
}

func (l *Ledger) charge(epsilon, delta, rho float64) error {
	if l.spent+rho > l.limit {
		releases := " releases of these rows leave"
		if l.releases == 1 {
			releases = " release of these rows leaves"
		}
		return sketch.ErrParam.New("epsilon", format(epsilon), "be at most "+
			format(EpsilonOf(l.limit-l.spent, delta))+" at delta "+format(delta)+", which is what "+
			strconv.Itoa(l.releases)+releases+" of their budget of epsilon "+
			format(l.epsilon)+" at delta "+format(l.delta))
	}
	l.spent += rho
	l.releases++
	return nil
}
