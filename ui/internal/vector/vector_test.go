package vector

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

var presets = []string{Random, Sparse, Zipf, Smooth, OneHot, Digit}

// TestPresets: every preset of every length has numbers of two decimals from −1
// to 1, some of them not 0, and is the same each time.
func TestPresets(t *testing.T) {
	for _, name := range presets {
		for _, d := range []int{1, 2, 3, 5, 12, 16, 63, 64, 256} {
			for draw := range 20 {
				x := Preset(name, d, draw)
				if len(x) != d || !slices.Equal(x, Preset(name, d, draw)) {
					t.Fatalf("%s of %d, draw %d: %v", name, d, draw, x)
				}
				filled := 0
				for _, value := range x {
					if !(math.Abs(value) <= 1) || math.Abs(100*value-math.Round(100*value)) > 1e-9 {
						t.Errorf("%s of %d, draw %d: %v is no number of two decimals from −1 to 1", name, d, draw, value)
					}
					if value != 0 {
						filled++
					}
				}
				if filled == 0 && (name != Digit || d >= 8) {
					t.Errorf("%s of %d, draw %d is 0", name, d, draw)
				}
				if name == OneHot && filled != 1 || name == Sparse && d >= 10 && filled > d/5 {
					t.Errorf("%s of %d, draw %d has %d numbers that are not 0", name, d, draw, filled)
				}
			}
		}
	}
}

func TestDrawsDiffer(t *testing.T) {
	for _, name := range presets {
		if slices.Equal(Preset(name, 64, 0), Preset(name, 64, 1)) {
			t.Errorf("%s: two draws are the same", name)
		}
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"0.8,-0.35,0,1": "0.8,-0.35,0,1", "1": "1", "-0": "0", "-0.001": "0", " .5 , 0.123 ": "0.5,0.12",
		strings.Repeat("0,", 63) + "0": strings.Repeat("0,", 63) + "0",
		"":                             "", "a": "", "1,": "", "2": "", "-1.01": "", "NaN": "",
		strings.Repeat("0,", 64) + "0": "",
	} {
		x, ok := Parse(text)
		if got := Format(x); ok != (want != "") || ok && got != want {
			t.Errorf("%q: got %q, %v; want %q", text, got, ok, want)
		}
	}
}

// TestAt: the second vector is as long as the first and at the angle asked for.
func TestAt(t *testing.T) {
	for _, name := range presets {
		for _, d := range []int{2, 3, 16, 64, 256} {
			for _, degrees := range []float64{0, 1, 35, 90, 120, 179, 180} {
				for draw := range 20 {
					x := Preset(name, d, draw)
					norm := Dot(x, x)
					if norm == 0 {
						continue
					}
					y := At(x, degrees, draw)
					if got := Dot(y, y) / norm; math.Abs(got-1) > 1e-9 {
						t.Errorf("%s of %d at %v°, draw %d: ‖y‖²/‖x‖² is %v", name, d, degrees, draw, got)
					}
					if got, want := Dot(x, y)/norm, math.Cos(degrees*math.Pi/180); math.Abs(got-want) > 1e-9 {
						t.Errorf("%s of %d at %v°, draw %d: the cosine is %v, want %v", name, d, degrees, draw, got, want)
					}
				}
			}
		}
	}
	for _, x := range [][]float64{{0, 0, 0}, {0}} {
		if y := At(x, 35, 0); Dot(y, y) != 0 {
			t.Errorf("of %v: %v", x, y)
		}
	}
	if got := fmt.Sprint(At([]float64{.5}, 180, 0)); got != "[-0.5]" {
		t.Errorf("a single number at 180°: %s", got)
	}
}

func TestResize(t *testing.T) {
	if got := fmt.Sprint(Resize([]float64{1, 2, 3}, 2), Resize([]float64{1}, 3)); got != "[1 2] [1 0 0]" {
		t.Error(got)
	}
}
