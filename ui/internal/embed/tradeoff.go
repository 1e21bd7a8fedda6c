package embed

// This file shows the effect of a private release's noise before the release is made: the error of an estimate against
// D, caused by the sketch, by the noise, and by both. All numbers come from privacyMeter of the JavaScript API.

import (
	"math"

	"tensorsketch.example/ui/internal/format"
)

// A TradeoffPoint holds the standard deviations of the estimate of κ(x,y) at one D. They are NaN if not known.
type TradeoffPoint struct {
	NComponents         int
	Sketch, Noise, Both float64
}

// A Tradeoff holds the data of the picture.
type Tradeoff struct {
	Kernel  float64         // κ(x,y), for comparison with the errors
	Points  []TradeoffPoint // by increasing D, for the D that TradeoffSizes returns
	Current TradeoffPoint   // at the map's own D
	Best    TradeoffPoint   // at the D with the smallest error; NComponents is 0 if it is not known
}

// The ends of the axis of D, unless the map's D or the best D is beyond them.
const (
	leastComponents = 4
	mostComponents  = 1 << 16
	limit           = 1 << 24 // the largest D of a map
)

// TradeoffSizes returns the D at which the picture needs the errors: even numbers, two per octave, and also the map's
// own D and the best one. best is 0 if it is not known.
func TradeoffSizes(current, best int) []int {
	most := min(max(mostComponents, 4*current, 4*best), limit)
	var list []int
	add := func(n int) {
		i := 0
		for i < len(list) && list[i] < n {
			i++
		}
		if i == len(list) || list[i] != n {
			list = append(list, 0)
			copy(list[i+1:], list[i:])
			list[i] = n
		}
	}
	if add(current); best > 0 {
		add(best)
	}
	for x := float64(leastComponents); ; x *= math.Sqrt2 {
		n := int(math.Round(x/2)) * 2
		if n > most {
			break
		}
		add(n)
	}
	return list
}

// Summary describes the picture for visitors who cannot see it.
func (t *Tradeoff) Summary() string {
	if len(t.Points) == 0 {
		return "The errors at each D are being computed."
	}
	first, last := t.Points[0].NComponents, t.Points[len(t.Points)-1].NComponents
	text := "Standard deviation of an estimate of the kernel " + number(t.Kernel) +
		" against the number of components D from " +
		format.Count(first) + " to " + format.Count(last) + ", both axes logarithmic. At D = " +
		format.Count(t.Current.NComponents) + ": "
	if isKnown(t.Current.Sketch) {
		text += number(t.Current.Sketch) + " by the sketch, " + number(t.Current.Noise) + " by the noise, " +
			number(t.Current.Both) + " by both. "
	} else {
		text += number(t.Current.Noise) + " by the noise. The error of the sketch is not known. "
	}
	return text + t.Advice()
}

// Advice names the best D, and says whether it is good enough.
func (t *Tradeoff) Advice() string {
	best := t.Best
	if best.NComponents == 0 || !isKnown(best.Both) {
		return "Which D is best is not known, because the error of this sketch is not."
	}
	text := "The best D is " + format.Count(best.NComponents) + ", with error " + number(best.Both)
	if best.NComponents == limit {
		text = "The more components the better: the error is " + number(best.Both) + " at D = " +
			format.Count(best.NComponents)
	}
	if best.Both >= math.Abs(t.Kernel) {
		return text + " for a kernel of " + number(t.Kernel) + ": no D is good enough."
	}
	return text + "."
}

func number(x float64) string { return format.Number(x, 2) }

// isKnown reports whether an error is positive and finite, so that a logarithmic axis can show it.
func isKnown(x float64) bool { return x > 0 && x-x == 0 }
