package embed

import (
	"strings"

	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/table"
)

// PrivacyView is what a Privacy shows.
type PrivacyView struct {
	Hidden    bool
	IsPrivate bool
	Meter     []string // sentences
	Problem   string   // why no release is possible with these settings
	Misfit    string   // the settings that a release refuses, or ""
	CanFit    bool     // other columns would help
	Ledger    string
	CanForget bool
	CanLoad   bool
}

// Meter describes a release before it is made. The JavaScript API computes it.
type Meter struct {
	Key      MeterKey
	Release  ReleaseMeter
	Tradeoff *Tradeoff // nil if the map cannot compute it
	Problem  string
}

// A MeterKey identifies the settings and the result that a meter describes.
type MeterKey struct {
	release Release
	result  int
}

// Ledger holds the cost of the releases of the current file.
type Ledger struct {
	Generation int           // of the data; 0: not looked up yet
	Known      *table.Ledger // nil if there is none
	Message    string        // about an error or a forgotten ledger
}

// PrivacyView describes the chosen release.
func (e *Room) PrivacyView() PrivacyView {
	r := e.Release
	v := PrivacyView{Hidden: !e.Shows("save") || !e.Shows("privacy"), IsPrivate: r.IsPrivate()}
	if !r.IsPrivate() {
		return v
	}
	if m := e.Meter; m != nil {
		if v.Problem = m.Problem; v.Problem == "" {
			v.Meter = []string{m.Release.Meter(), m.Release.Promise(), m.Release.LeastNote()}
			if m.Tradeoff != nil {
				v.Meter = append(v.Meter, PairNote(e.Release.Radius))
			}
		}
	}
	v.Misfit, v.CanFit = e.misfit()
	v.Ledger, v.CanForget = e.ledgerText()
	v.CanLoad = !e.Data.IsSample()
	return v
}

// misfit names the settings that a release refuses, and reports whether other columns would help.
func (e *Room) misfit() (why string, canFit bool) {
	l, method, width := e.Data.Layout, e.Settings.Method, e.Release.Width
	if why = l.Release(method, width).Misfit(); why == "" {
		return "", false
	}
	return "A private release cannot be made so: " + why + ".", l.ForRelease().Release(method, width).Misfit() != why
}

func (e *Room) ledgerText() (text string, canForget bool) {
	l := &e.Ledger
	switch {
	case e.Data.IsSample():
		return "The sample contains no personal data. For your own files, this browser keeps a running total of " +
			"the privacy budget.", false
	case l.Message != "":
		return l.Message, false
	case l.Generation != e.Data.Generation:
		return "What earlier releases of these rows have cost is added up when one is made.", false
	case l.Known == nil:
		return "No release of exactly this file is known in this browser. A changed copy counts as another file, with a " +
			"budget of its own, also where its rows are the same. The first release fixes the budget: ε " +
			format.Short(e.Release.Budget) + " for all of them together.", false
	case l.Known.Over != "":
		return l.Known.Over + ".", true
	}
	return l.Known.Spending() + " Releasing the same rows again adds up.", true
}

// IsMetered reports whether the meter describes the current settings and result.
func (e *Room) IsMetered() bool {
	return e.Meter != nil && e.Meter.Key == e.MeterKey()
}

func (e *Room) MeterKey() MeterKey {
	key := MeterKey{release: *e.Release}
	if e.Result != nil {
		key.result = e.Result.Number
	}
	return key
}

// An askedRelease is the release that a visitor was asked to confirm. With other settings it is a different release.
type askedRelease struct {
	settings Settings
	release  Release
	layout   *table.Layout
}

// choice returns the release that the current settings describe.
func (e *Room) choice() askedRelease { return askedRelease{*e.Settings, *e.Release, e.Data.Layout} }

// IsAsked reports whether the current release awaits confirmation.
func (e *Room) IsAsked() bool { return e.asked == e.choice() }

// releaseText says what a release costs and what its privacy depends on.
func (e *Room) releaseText() []string {
	r, l := e.Release, &e.Ledger
	what := "Each row of " + e.Data.Layout.Name + " is released with noise of its own. The number of rows is public."
	if r.Kind == ReleaseMean {
		what = "One mean of the " + format.Plural(r.Rows, "row") + " of " + e.Data.Layout.Name +
			" is released. This number is public, and must be right."
	}
	cost := "This costs ε " + format.Short(r.Epsilon) + " at δ " + format.Short(r.Delta) + ". "
	switch {
	case e.Data.IsSample() || l.Known == nil:
		cost += "It is the first release of exactly this file that this browser knows of, and it fixes the budget: ε " +
			format.Short(r.Budget) + "."
	default:
		cost += l.Known.Before()
	}
	cost += " Afterwards the same noisy rows can be saved in any format, at no further cost."
	guessed := "The use of the columns was suggested by looking at the rows"
	if keys := e.Data.Layout.Guessed; len(keys) > 0 {
		guessed += ", and so was how the file is read (" + strings.Join(keys, ", ") + ")"
	}
	guessed += ". A release must not depend on that: confirm only what you know without looking at the rows, as from a " +
		"description of the file. ε, R and D too must be chosen without them."
	return []string{what, cost, guessed}
}
