package control

import "testing"

// TestParseReal: numbers are read with a decimal point or comma, and what may be thousands is refused.
func TestParseReal(t *testing.T) {
	for text, want := range map[string]float64{"0.3": .3, "0,3": .3, "-0,74": -.74, "−0.74": -.74, "−1,5": -1.5, "12": 12,
		"1e-3": .001, "1,5e-3": .0015, "0,125": .125, ",5": .5, "12,25": 12.25} {
		if got, err := ParseReal(text); err != nil || got != want {
			t.Errorf("%q: %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"1,000", "-1,000", "12,000", "1,2,3", "1.000,5", "1,000.5", "", ",", "much"} {
		if got, err := ParseReal(text); err == nil {
			t.Errorf("%q is taken for %v", text, got)
		}
	}
	DecimalComma = true
	defer func() { DecimalComma = false }()
	for text, want := range map[string]float64{"1,125": 1.125, "-12,000": -12, "0,5": .5, "1.125": 1.125} {
		if got, err := ParseReal(text); err != nil || got != want {
			t.Errorf("with decimal commas, %q: %v, %v, want %v", text, got, err, want)
		}
	}
	epsilon := .1
	p := Real("epsilon", "Error ε below", .001, 1, &epsilon)
	if err := p.Take("0,3"); err != nil || epsilon != .3 || p.Get() != "0.3" {
		t.Errorf("0,3 sets %v: %v", epsilon, err)
	}
}
