package privacy

import (
	"math"
	"strings"
	"testing"

	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/test/need"
)

// Releases of the same rows add up, by their ρ, and end at the budget.
func TestLedger(t *testing.T) {
	m := need.Value(NewMechanism(1, 1e-5, 1))(t)
	ledger := need.Value(NewLedger(3, 1e-5))(t)
	if epsilon, delta := ledger.Budget(); epsilon != 3 || delta != 1e-5 || ledger.Spent() != 0 {
		t.Errorf("a new ledger of %g, %g has spent %g", epsilon, delta, ledger.Spent())
	}
	// The conversion at ρ, 2ρ, … in another language; basic composition says 1, 2, …
	for i, want := range []float64{1, 1.4600, 1.8246, 2.1390} {
		need.OK(t, ledger.Charge(m))
		if got := ledger.Spent(); !near(got, want, 0.0002) || ledger.Releases() != i+1 {
			t.Errorf("after %d releases ε = %g, want %g", ledger.Releases(), got, want)
		}
	}
	for range 20 {
		_ = ledger.Charge(m)
	}
	if n := ledger.Releases(); n != 7 || ledger.Spent() > 3 {
		t.Errorf("%d releases, ε = %g, fit the budget of 3", n, ledger.Spent())
	}
	spent, err := ledger.Spent(), ledger.Charge(m)
	checkError(t, err, "epsilon")
	if ledger.Spent() != spent || ledger.Releases() != 7 {
		t.Error("a refused release was entered")
	}

	// The remedy that the refusal names is accepted, and then nothing is left.
	_, rest, _ := strings.Cut(err.Error(), "at most ")
	left := parse(t, rest[:strings.IndexByte(rest, ' ')])
	if err := ledger.Charge(need.Value(NewMechanism(left*0.999999, 1e-5, 1))(t)); err != nil {
		t.Error(err)
	}
	if got := ledger.Spent(); !near(got, 3, 1e-4) {
		t.Errorf("spent %g, want all of 3", got)
	}
}

// The most that a release costs is the whole of its own budget, and no mechanism costs more.
func TestChargeMost(t *testing.T) {
	shape := learn.Shape{NComponents: 3, Classes: 2}
	for _, g := range guarantees {
		rows := need.Value(NewMechanism(g[0], g[1], 1))(t)
		moments := need.Value(NewMomentsMechanism(g[0], g[1], shape, momentsGrid(shape), 1000))(t)
		ledger := need.Value(NewLedger(g[0], g[1]))(t)
		need.OK(t, ledger.ChargeMost(g[0], g[1]))
		if most := ledger.SpentRho(); rows.Rho() > most || moments.Rho() > most || moments.Rho() < 0.99*most {
			t.Errorf("ρ of rows %g, of moments %g, at most %g", rows.Rho(), moments.Rho(), most)
		}
		checkError(t, ledger.ChargeMost(g[0], g[1]), "epsilon")
		if ledger.Releases() != 1 {
			t.Errorf("%d releases, want 1", ledger.Releases())
		}
	}
	checkError(t, need.Value(NewLedger(1, 1e-5))(t).ChargeMost(-1, 1e-5), "epsilon")
}

// One release at the budget itself is within it.
func TestLedgerOfOneRelease(t *testing.T) {
	for _, g := range guarantees {
		m := need.Value(NewMechanism(g[0], g[1], 1))(t)
		ledger := need.Value(NewLedger(g[0], g[1]))(t)
		if err := ledger.Charge(m); err != nil {
			t.Error(err)
		}
		if got := ledger.Spent(); !near(got/g[0], 1, 1e-4) || got > g[0] {
			t.Errorf("ε %g, δ %g: spent %g", g[0], g[1], got)
		}
		checkError(t, ledger.Charge(m), "epsilon")
	}
}

// A ledger resumed from what was spent goes on as the other does, and what is left
// of it can be spent.
func TestResumeLedger(t *testing.T) {
	ledger := need.Value(NewLedger(2, 1e-5))(t)
	for _, epsilon := range []float64{1, 0.5, 0.1} {
		need.OK(t, ledger.Charge(need.Value(NewMechanism(epsilon, 1e-5, 3))(t)))
		resumed := need.Value(ResumeLedger(2, 1e-5, ledger.SpentRho(), ledger.Releases()))(t)
		if *resumed != *ledger {
			t.Errorf("resumed %+v, want %+v", *resumed, *ledger)
		}
	}
	left := need.Value(NewMechanism(ledger.Left(), 1e-5, 1))(t)
	if err := ledger.Charge(left); err != nil {
		t.Errorf("the ε left cannot be spent: %v", err)
	}
	if got := ledger.Spent(); !near(got, 2, 1e-4) {
		t.Errorf("all releases come to ε = %g, want 2", got)
	}
	for _, bad := range []float64{-1e-9, math.NaN(), 1} {
		_, err := ResumeLedger(2, 1e-5, bad, 0)
		checkError(t, err, "spent")
	}
}
