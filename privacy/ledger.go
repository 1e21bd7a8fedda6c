package privacy

import (
	"strconv"

	"tensorsketch.example/sketch"
)

// A Ledger adds up what the releases of one file's rows cost, and refuses what is
// beyond its budget. Every release that touches any of the rows belongs in it.
//
// It composes by zero-concentrated privacy: each release is a discrete Gaussian
// mechanism, their ρ add up (Bun & Steinke 2016), and the sum becomes one ε at the
// budget's δ by the conversion of Sigma. Adding up the ε and δ themselves (basic
// composition) would be true as well, but claims more loss: two releases at ε = 1
// cost 1.46 together, not 2. The sum also holds where a later release's parameters
// depend on earlier outcomes, as the budget is fixed beforehand (Feldman & Zrnic
// 2021). It must not be used concurrently.
type Ledger struct {
	epsilon, delta float64
	limit, spent   float64 // ρ
	releases       int
}

// NewLedger returns a ledger with the budget (ε, δ) and nothing spent. The errors
// are those of Sigma.
func NewLedger(epsilon, delta float64) (*Ledger, error) {
	sigma, err := Sigma(epsilon, delta)
	if err != nil {
		return nil, err
	}
	return &Ledger{epsilon: epsilon, delta: delta, limit: 1 / (2 * sigma * sigma)}, nil
}

// ResumeLedger returns the ledger of a budget of which releases spent that much, as
// SpentRho tells. The errors are those of NewLedger and a spent that is no number
// from 0 up to the budget.
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

// Budget returns the (ε, δ) that all releases together keep.
func (l *Ledger) Budget() (epsilon, delta float64) { return l.epsilon, l.delta }

// Releases returns how many were charged.
func (l *Ledger) Releases() int { return l.releases }

// Spent returns the ε at the budget's δ of all releases charged so far.
func (l *Ledger) Spent() float64 { return epsilonOf(l.spent, l.delta) }

// SpentRho returns the sum of the ρ of all releases charged so far.
func (l *Ledger) SpentRho() float64 { return l.spent }

// Left returns the ε at the budget's δ that one more release may have.
func (l *Ledger) Left() float64 { return epsilonOf(l.limit-l.spent, l.delta) }

// Charge enters one release of the rows by m: of all rows one by one, in however
// many blocks, or of one mean. Call it before the release, and make none after an
// error, which says what ε the budget still allows; nothing is entered then.
func (l *Ledger) Charge(m *Mechanism) error {
	if l.spent+m.Rho() > l.limit {
		return sketch.ErrParam.New("epsilon", format(m.epsilon), "be at most "+
			format(epsilonOf(l.limit-l.spent, m.delta))+" at delta "+format(m.delta)+", which is what "+strconv.Itoa(l.releases)+
			" releases of these rows leave of their budget of epsilon "+format(l.epsilon)+" at delta "+format(l.delta))
	}
	l.spent += m.Rho()
	l.releases++
	return nil
}
