package table

import "tensorsketch.example/ui/internal/format"

// A Ledger says what the releases of a file have cost.
type Ledger struct {
	Budget, Delta, Spent, Left float64
	Releases                   int
	Over                       string // says that the releases have cost more than the budget
}

// Spending says what is spent of the budget.
func (l *Ledger) Spending() string {
	return "This browser knows " + format.Plural(l.Releases, "release") + " of exactly this file: ε " +
		format.Number(l.Spent, 3) + " of the budget of " + format.Short(l.Budget) + " is spent, at δ " +
		format.Short(l.Delta) + "; " + format.Number(l.Left, 3) + " is left."
}

// Before says what is left of the budget before another release.
func (l *Ledger) Before() string {
	return "Of the budget of ε " + format.Short(l.Budget) + ", " + format.Number(l.Left, 3) + " is left before it."
}
