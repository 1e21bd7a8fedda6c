// Package noise has the rows and the noise of test releases, whose bytes are in jobs/native/testdata/releases.json:
// the shell, package jobs and the page's program write the same ones.
package noise

import (
	"fmt"
	"math"
	"strings"
)

// Fixed is a source of randomness that gives each reader the same bytes, as test/api/release.test.mjs does.
type Fixed struct{}

// Read fills p.
func (Fixed) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte((i*i + 7*i) >> 3)
	}
	return len(p), nil
}

// Table is a CSV of rows within radius 1, except three longer ones, with two that cannot be used.
func Table(rows int) string {
	var b strings.Builder
	b.WriteString("a,b,c,d,name\n")
	for r := range rows {
		x := [4]float64{float64(r%7) / 20, float64(r%11) / 40, -float64(r%13) / 50, 0.25}
		if r < 3 {
			x = [4]float64{0, 8, 0, 0}
		}
		fmt.Fprintf(&b, "%g,%g,%g,%g,x\n", x[0], x[1], x[2], x[3])
		if r == 5 {
			b.WriteString("1,2,what,4,x\n1,2,3,4,5,6\n")
		}
	}
	return b.String()
}

// Points is a CSV of points on both sides of a line, with two labels that are not public.
func Points(rows int) string {
	var b strings.Builder
	b.WriteString("x,y,kind\n")
	for i := range rows {
		x, y := math.Sin(float64(i)*1.7), math.Cos(float64(i)*2.3)
		kind := "inside"
		if x > y {
			kind = "outside"
		}
		if i == 4 || i == 9 {
			kind = "secret"
		}
		fmt.Fprintf(&b, "%.3f,%.3f,%s\n", x, y, kind)
	}
	return b.String()
}
