package convergence

import (
	"math"
	"strings"
	"testing"

	"tensorsketch.example/ui/internal/lesson"
)

// TestByDegree: at the p of the picture σ/|κ| is that column's σ; it grows with p; where κ is 0 the picture says so.
func TestByDegree(t *testing.T) {
	for _, angle := range []float64{0, 40, 90, 120} {
		p := opening()
		p.Below, p.Angle, p.Bounds = ByDegree, angle, "shown"
		picture := newPicture(t, p, begun(t, p))
		svg := picture.SVG(picture.Fit(1100, 900, 13), lesson.Item{}, false)
		if !strings.Contains(svg, ">degree p<") {
			t.Errorf("%v°: the axis has no name", angle)
		}
		at := picture.degrees[p.Degree-1]
		if angle == 90 {
			if at.sigma == at.sigma || !strings.Contains(svg, "κ is 0") {
				t.Errorf("κ is 0, and σ/|κ| is %v", at.sigma)
			}
			continue
		}
		c, kernel := picture.columns[picture.at], math.Abs(picture.kernel)
		for name, pair := range map[string][2]float64{"σ": {at.sigma, c.sigma}, "Theorem 9": {at.theorem9, c.theorem9},
			"Lemma 6": {at.lemma6, c.lemma6}} {
			if math.Abs(pair[0]*kernel-pair[1]) > 1e-9*pair[1] {
				t.Errorf("%v°: %s relative to κ is %v, and %v in the column", angle, name, pair[0]*kernel, pair[1])
			}
		}
		for k := 1; k < MostDegree; k++ {
			if picture.degrees[k].sigma <= picture.degrees[k-1].sigma {
				t.Errorf("%v°: σ/|κ| falls to %v at p = %d", angle, picture.degrees[k].sigma, k+1)
			}
		}
	}
}

// TestAxisOfDegrees: the axis of estimates is as long at every degree, so that the band is seen to widen with it.
func TestAxisOfDegrees(t *testing.T) {
	for _, coef0 := range []float64{0, 1} {
		share := 0.0 // of the axis that the band takes at D = 1,024
		for degree := 1; degree <= MostDegree; degree++ {
			p := opening()
			p.Degree, p.Coef0 = degree, coef0
			picture := newPicture(t, p, begun(t, p))
			before := share
			if share = 4 * picture.columns[7].sigma / (picture.high - picture.low); share <= before || share > 1 {
				t.Errorf("c %v, p %d: the band takes %.2f of the axis, and %.2f at the degree before", coef0, degree, share, before)
			}
		}
	}
}

// TestBoundsOnRequest: Theorem 9 and Lemma 6 are drawn on request only, which the third question makes.
func TestBoundsOnRequest(t *testing.T) {
	for bounds, want := range map[string]bool{"": false, "shown": true} {
		for _, below := range []string{ByComponents, ByDegree} {
			p := opening()
			p.Bounds, p.Below = bounds, below
			picture := newPicture(t, p, begun(t, p))
			svg := picture.SVG(picture.Fit(1100, 900, 13), lesson.Item{}, false)
			if strings.Contains(svg, "Lemma 6") != want || strings.Contains(svg, "Theorem 9") != want {
				t.Errorf("bounds %q, below %s: drawn although %v is wanted", bounds, below, want)
			}
			if changes := picture.questions()[2].Changes; changes[len(changes)-1].Name != "bounds" {
				t.Errorf("the question about bounds changes %v", changes)
			}
		}
	}
}
