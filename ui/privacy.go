package main

import (
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/tradeoff"
)

// Privacy tells what noise a release gets and what that leaves.
type Privacy struct {
	View  PrivacyView
	Press PressHandler
}

// PrivacyView is what a Privacy shows.
type PrivacyView struct {
	Hidden    bool
	IsPrivate bool
	Meter     []string // sentences
	Problem   string   // why there is no release with these settings
	Misfit    string   // what a release refuses of the settings; empty: nothing
	CanFit    bool     // other columns would do
	Ledger    string
	CanForget bool
}

// Meter is what the JavaScript API tells of a release before it is made.
type Meter struct {
	key      meterKey
	Release  tradeoff.Release
	Tradeoff *tradeoff.Tradeoff // nil where no two rows are shown
	Problem  string
}

// A meterKey tells whether a meter is of what is chosen now.
type meterKey struct {
	release ReleaseState
	result  int
}

// Ledger is what the releases of the file shown have cost.
type Ledger struct {
	Generation    int // of the data; 0: not looked for
	Exists        bool
	Budget, Delta float64
	Spent, Left   float64
	Releases      int
	Message       string // on forgetting it
}

// PrivacyView describes the release that is chosen.
func (a *App) PrivacyView() PrivacyView {
	r := &a.State.Release
	v := PrivacyView{Hidden: !a.State.Shows("save") || !a.State.Shows("privacy"), IsPrivate: r.IsPrivate()}
	if !r.IsPrivate() {
		return v
	}
	if m := a.Meter; m != nil {
		if v.Problem = m.Problem; v.Problem == "" {
			v.Meter = []string{m.Release.Meter(), m.Release.Promise(), m.Release.LeastNote()}
		}
	}
	v.Misfit, v.CanFit = a.misfit()
	v.Ledger, v.CanForget = a.ledgerText()
	return v
}

// misfit says what a release refuses of the settings, and whether FitColumns helps.
func (a *App) misfit() (why string, canFit bool) {
	l, method := a.Data.Layout, a.State.Embed.Method
	if why = l.Release(method).Misfit(); why == "" {
		return "", false
	}
	return "A private release cannot be made so: " + why + ".", l.ForRelease().Release(method).Misfit() != why
}

func (a *App) ledgerText() (text string, canForget bool) {
	l := &a.Ledger
	switch {
	case a.Data.IsSample():
		return "The rows of the sample are nobody’s; of a file of yours, what its releases cost is added up in this browser.", false
	case l.Message != "":
		return l.Message, false
	case l.Generation != a.Data.Generation:
		return "What earlier releases of these rows have cost is added up when one is made.", false
	case !l.Exists:
		return "Nothing of these rows was released from this browser before. The first release fixes the budget: ε " + format.Short(a.State.Release.Budget) + " for all of them together.", false
	}
	return "Of these rows " + format.Plural(l.Releases, "release") + " went out from this browser: ε " + format.Number(l.Spent, 3) + " of the budget of " + format.Short(l.Budget) +
		" is spent, at δ " + format.Short(l.Delta) + "; " + format.Number(l.Left, 3) + " is left. Releasing the same rows again adds up.", true
}

// IsMetered tells whether the meter is of what is chosen and shown now.
func (a *App) IsMetered() bool {
	return a.Meter != nil && a.Meter.key == a.meterKey()
}

func (a *App) meterKey() meterKey {
	key := meterKey{release: a.State.Release}
	if a.Result != nil {
		key.result = a.Result.Number
	}
	return key
}

// FitColumns makes columns of the data such that a release can be made of them.
func (a *App) FitColumns() { a.setLayout(a.Data.Layout.ForRelease()) }
