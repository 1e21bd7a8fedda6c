package convergence

import (
	"math"
	"slices"
	"testing"

	"tensorsketch.example/ui/internal/bars"
	"tensorsketch.example/ui/internal/vector"
)

func with(change func(*Params)) Params {
	p := opening()
	change(&p)
	return p
}

// TestRows: vectors of length 1 at the angle wanted, of the preset's draws, with no
// more coordinates than wanted.
func TestRows(t *testing.T) {
	for _, preset := range bars.Presets {
		name := preset.Value
		for _, d := range []int{2, 3, 17, 64, 256} {
			for _, nonZero := range []int{1, 30, 100} {
				for _, angle := range []float64{0, 40, 90, 137.5, 180} {
					p := Params{Vector: name, NFeatures: d, NonZero: nonZero, Angle: angle, Pairs: ManyPairs}
					rows := p.Rows()
					if len(rows) != 2*ManyPairs*d {
						t.Fatalf("%+v: got %d numbers", p, len(rows))
					}
					for pair := range ManyPairs {
						x, y := rows[2*pair*d:][:d], rows[(2*pair+1)*d:][:d]
						dot, xx, yy, support := 0.0, 0.0, 0.0, 0
						for i := range x {
							dot += float64(x[i]) * float64(y[i])
							xx += float64(x[i]) * float64(x[i])
							yy += float64(y[i]) * float64(y[i])
							if x[i] != 0 {
								support++
							}
						}
						if want := math.Cos(angle * math.Pi / 180); math.Abs(dot-want) > 1e-6 || math.Abs(xx-1) > 1e-6 ||
							math.Abs(yy-1) > 1e-6 {
							t.Errorf("%+v, pair %d: ⟨x,y⟩ = %v, want %v; ‖x‖² = %v, ‖y‖² = %v", p, pair, dot, want, xx, yy)
						}
						if most := max(1, int(math.Round(float64(d*nonZero)/100))); support < 1 || support > most {
							t.Errorf("%+v, pair %d: %d coordinates are not zero", p, pair, support)
						}
					}
				}
			}
		}
	}
}

// TestThin: a smaller share is part of a larger one.
func TestThin(t *testing.T) {
	some, more := slices.Repeat([]float64{1}, 40), slices.Repeat([]float64{1}, 40)
	thin(some, 20, 3)
	thin(more, 50, 3)
	for i := range some {
		if some[i] > more[i] {
			t.Errorf("coordinate %d is kept at 20 %% but not at 50 %%", i)
		}
	}
	if got, want := vector.Dot(some, some), 8.0; got != want {
		t.Errorf("20 %% of 40: %v are kept", got)
	}
}
