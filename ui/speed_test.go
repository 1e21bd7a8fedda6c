package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"tensorsketch.example/ui/internal/format"
)

func TestCallsIn(t *testing.T) {
	for _, test := range []struct {
		n    int
		took time.Duration
		want int
	}{
		{1, 0, 2},                      // the clock stands still
		{1 << 16, 0, 1 << 16},          // and still
		{1, time.Second, 1},            // a call takes longer than a turn
		{1000, turn, 1000},             // just right
		{1000, turn / 10, 2000},        // at most double
		{1000, 4 * turn, 250},          //
		{1, time.Microsecond, 2},       //
		{3, 2 * turn, 1},               //
		{1 << 16, turn / 100, 1 << 16}, // at most so many
	} {
		if got := callsIn(test.n, test.took); got != test.want {
			t.Errorf("%d calls took %v: got %d, want %d", test.n, test.took, got, test.want)
		}
	}
}

// TestRowsOfCalls: calls are of whole blocks, and none holds up the page or takes
// much memory.
func TestRowsOfCalls(t *testing.T) {
	for _, perRow := range []time.Duration{0, 1, 500, 3 * time.Microsecond, 100 * time.Microsecond, time.Millisecond,
		time.Second} {
		rows := batchRows(perRow)
		if rows < 16 || rows > 256 || rows%16 != 0 || rows > 16 && time.Duration(rows)*perRow > 50*time.Millisecond {
			t.Errorf("%v for a row: batches of %d", perRow, rows)
		}
		for _, w := range workloads {
			for threads := range 17 {
				rows := workerRows(perRow, threads, w.components)
				if rows < 256 || rows%256 != 0 || 4*rows*w.components > 32<<20 {
					t.Errorf("%v for a row, %d workers: calls of %d rows", perRow, threads, rows)
				}
			}
		}
	}
	if got := batchRows(30 * time.Microsecond); got != 256 {
		t.Errorf("batches of %d rows", got)
	}
}

func TestMeter(t *testing.T) {
	var m meter
	for k := range 1000 {
		rows := 1 + k%3
		took := time.Duration(rows) * 10 * time.Millisecond
		if k < 3 {
			took *= 4 // not yet warm
		}
		if m.add(rows, took) {
			if got := m.perRow(); got != 10*time.Millisecond {
				t.Errorf("got %v for a row", got)
			}
			if m.spent < enough || m.spent > enough+30*time.Millisecond {
				t.Errorf("took %v", m.spent)
			}
			return
		}
	}
	t.Error("it is never enough")
}

func TestUnitRows(t *testing.T) {
	const n, d = 64, 123
	rows := unitRows(n, d)
	set := 0
	for r := range n {
		square := 0.0
		for _, value := range rows[r*d : (r+1)*d] {
			square += float64(value) * float64(value)
			if value != 0 {
				set++
			}
		}
		if math.Abs(square-1) > 1e-6 {
			t.Errorf("row %d has the length %v", r, math.Sqrt(square))
		}
	}
	if share := float64(set) / (n * d); share < .18 || share > .24 {
		t.Errorf("%.3f of the values are not zero", share)
	}
	if !slices.Equal(rows, unitRows(n, d)) {
		t.Error("the rows differ from call to call")
	}
}

// TestSpeedView: the table keeps its shape whatever is measured.
func TestSpeedView(t *testing.T) {
	measured := Speed{Core: Core{"simd", 4, 2}, Figures: figures{{14 * time.Microsecond, 3370, 1916}, {0, 25_300, 0}}}
	for name, s := range map[string]Speed{"before": {}, "running": {Running: true}, "measured": measured,
		"alone": {Core: Core{"scalar", 4, 0}}} {
		v := s.View()
		if len(v.Head) != 1+len(workloads) || len(v.Rows) != 5 {
			t.Errorf("%s: head %v, %d rows", name, v.Head, len(v.Rows))
		}
		for _, row := range v.Rows {
			if len(row.Cells) != len(workloads) || row.Name == "" {
				t.Errorf("%s: %v", name, row)
			}
			for _, cell := range row.Cells {
				if cell == "" || strings.Contains(cell, "Inf") || strings.Contains(cell, "NaN") {
					t.Errorf("%s: cell %q", name, cell)
				}
			}
		}
	}
	var cells []string
	for _, row := range measured.View().Rows {
		cells = append(cells, row.Cells...)
	}
	if got, want := strings.Join(cells, " "), "14.0 – 3.37 25.3 297,000 39,500 1.92 – 522,000 –"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := strings.ReplaceAll(measured.View().Caption, "\u00a0", " "),
		"This browser: simd build, 4 lanes, 2 workers"; got != want {
		t.Errorf("caption %q", got)
	}
}

func TestSpeedStatus(t *testing.T) {
	seen := map[string]bool{}
	for doing := range 6 {
		seen[Speed{Running: true, Doing: doing}.Status()] = true
	}
	for _, s := range []Speed{{}, {Problem: "Stopped."}, {Core: Core{Build: "simd"}}} {
		seen[s.Status()] = true
	}
	if len(seen) != 9 || seen[""] {
		t.Errorf("sentences: %v", seen)
	}
}

func TestRounded(t *testing.T) {
	for x, want := range map[float64]int{0: 0, 7.4: 7, 999.4: 999, 1234: 1230, 296_736: 297_000, 999_600: 1_000_000} {
		if got := rounded(x); got != want {
			t.Errorf("%v: got %d, want %d", x, got, want)
		}
	}
}

// TestOrientation: the figures quoted come from bench/results.json.
func TestOrientation(t *testing.T) {
	content, err := os.ReadFile("../bench/results.json")
	if err != nil {
		t.Fatal(err)
	}
	var results struct {
		Date, Machine, Command string
		Versions               map[string]string
		Rounds                 []struct {
			Peers    map[string]map[string]float64
			Chromium struct {
				SIMD struct {
					Workloads map[string]struct{ OneThread float64 }
				}
			}
		}
	}
	if err := json.Unmarshal(content, &results); err != nil {
		t.Fatal(err)
	}
	figure := func(of func(round int) float64) string {
		var all []float64
		for round := range results.Rounds {
			all = append(all, of(round))
		}
		slices.Sort(all)
		return format.Number(all[len(all)/2], 3)
	}
	peer := func(name string) string {
		return figure(func(round int) float64 { return results.Rounds[round].Peers["scikit-learn"][name] })
	}
	own := func(name string) string {
		return figure(func(round int) float64 { return results.Rounds[round].Chromium.SIMD.Workloads[name].OneThread })
	}
	chromium := regexp.MustCompile(`^Chromium \d+`).FindString(results.Versions["Chromium"])
	want := fmt.Sprintf("For orientation only, measured on another machine (%s; medians of %d rounds of %s, %s): "+
		"natively in one thread, %s took %s µs for a row of the first shape and %s µs for one of the second; "+
		"this library took %s µs and %s µs in one thread of %s.",
		results.Machine, len(results.Rounds), results.Command, results.Date,
		results.Versions["scikit-learn"], peer("B"), peer("A"), own("B"), own("A"), chromium)
	if orientation != want {
		t.Errorf("speed.go has not the figures of bench/results.json:\n%s\nwant:\n%s", orientation, want)
	}
}
