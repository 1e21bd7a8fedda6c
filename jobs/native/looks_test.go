package native_test

import (
	"fmt"
	"strings"
	"testing"

	"tensorsketch.example/jobs"
	"tensorsketch.example/jobs/native"
	"tensorsketch.example/test/noise"
)

// A job looks at its control so often in each phase that none works for long without it: once for so many rows, scores
// or columns. The figures are of work, so that no machine is too slow for them.
func TestLooksAtControl(t *testing.T) {
	const n, classes, wide, noisy = 1 << 14, 100, 60, 4096
	tall, many, broad := jobs.NewSession(native.Mapper{}), jobs.NewSession(native.Mapper{}), table(200, wide, false)
	var text strings.Builder
	text.WriteString("x,y,label\n")
	for i := range 1500 {
		fmt.Fprintf(&text, "%d,%d,c%d\n", i%classes, i%89, i%classes)
	}
	points, small := rowsOf(text.String()), jobs.MapParams{NComponents: 16}
	basis := jobs.MapParams{Method: "k-space", NComponents: 96}
	for _, test := range []struct {
		phase string
		least int
		work  func(c *jobs.Control) error
	}{
		{"measuring", 2 * n >> 12, func(c *jobs.Control) error {
			return second(tall.Curve(c, &jobs.CurveRequest{Rows: table(n, 2, false), Map: small, Sizes: []int{16}}))
		}},
		{"training", 1, func(c *jobs.Control) error {
			return second(many.Curve(c, &jobs.CurveRequest{Rows: points, Map: small, Sizes: []int{16}}))
		}},
		{"exact", classes / 2, func(c *jobs.Control) error { return second(many.Exact(c)) }},
		{"training", 5, func(c *jobs.Control) error {
			return second(tall.Curve(c, &jobs.CurveRequest{Rows: points, Map: basis, Sizes: []int{96}}))
		}},
		{"searching", wide, func(c *jobs.Control) error {
			return second(jobs.Fit(c, native.Mapper{}, &jobs.FitRequest{Rows: broad, Search: "linear"}))
		}},
		{"transforming", noisy * 64 >> 14, func(c *jobs.Control) error { // noise in each of 64 numbers of a row
			q, _ := releaseOf(noise.Table(noisy), "npy", "rows", newLedgers(), "one")
			return second(jobs.Release(c, native.Mapper{}, q))
		}},
	} {
		looks, phase := map[string]int{}, ""
		c := &jobs.Control{Every: 1, Hear: func(p jobs.Progress) { phase = p.Phase }, Yield: func() { looks[phase]++ }}
		if err := test.work(c); err != nil {
			t.Errorf("%s: %v", test.phase, err)
		}
		t.Log(test.phase, looks)
		if looks[test.phase] < test.least {
			t.Errorf("%s: %d looks at the control, want %d", test.phase, looks[test.phase], test.least)
		}
	}
}
