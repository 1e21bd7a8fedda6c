package main

import (
	"math"
	"slices"
	"strconv"
	"time"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/splitmix"
)

// Speedtest shows the test of this browser's speed.
type Speedtest struct {
	View  SpeedView
	Press PressHandler
}

// Speed is the state of the speed test and what it has found.
type Speed struct {
	Running bool
	Doing   int     // index of the figure being measured
	Problem string  // why the test did not begin, or ended early
	Core    Core    // what was tested
	Figures figures // those measured so far
	stop    func()
}

// Core is what the API says about itself.
type Core struct {
	Build          string // "" before the first test
	Lanes, Threads int
}

// figures are times per row, by workload and measurement; 0 means not measured.
type figures [2][3]time.Duration

// The measurements of each workload, in their order.
const (
	oneCall   = iota // a call with one row
	oneThread        // batches in one thread
	inWorkers        // transformAsync
)

// A workload of the test has the shape of a known data set.
type workload struct {
	d, degree, components int
	like                  string
}

// The shapes of bench/results.json, workloads B and A.
var workloads = [...]workload{
	{d: 123, degree: 2, components: 1024, like: "a9a"},
	{d: 780, degree: 4, components: 4096, like: "MNIST"},
}

func (w workload) params() sketch.Params {
	return sketch.Params{Method: sketch.MethodTensorSketch, NFeatures: w.d, NComponents: w.components, Degree: w.degree,
		Gamma: 1,
		Seed:  sketch.IntSeed(42), Normalize: sketch.NormalizeNone, Output: sketch.OutputReal}
}

func (w workload) String() string {
	return "d\u00a0" + format.Count(w.d) + ", p\u00a0" + strconv.Itoa(w.degree) + ", D\u00a0" + format.Count(w.components)
}

// Times of the test. A figure is the mean over at least enough, after warmUp. Each turn is short, so that the page
// stays responsive.
const (
	warmUp = 150 * time.Millisecond
	enough = 300 * time.Millisecond
	turn   = 8 * time.Millisecond
)

// A meter sums the rows and times of calls after the warm-up.
type meter struct {
	warm, spent time.Duration
	rows        int
}

// add counts rows that took a time, and reports whether that is enough.
func (m *meter) add(rows int, took time.Duration) bool {
	if m.warm < warmUp {
		m.warm += took
		return false
	}
	m.spent += took
	m.rows += rows
	return m.spent >= enough
}

// perRow returns the mean time per row.
func (m *meter) perRow() time.Duration { return m.spent / time.Duration(max(m.rows, 1)) }

// callsIn returns how many calls to make in the next turn, after n calls took a time. The number at most doubles,
// because a browser's clock may stand still for a while.
func callsIn(n int, took time.Duration) int {
	most := min(2*n, 1<<16)
	if took <= 0 {
		return most
	}
	return int(min(max(int64(n)*int64(turn)/int64(took), 1), int64(most)))
}

// batchRows returns the number of rows for a call in one thread: 256, or fewer if a row takes so long that they
// would block the page.
func batchRows(perCall time.Duration) int {
	const step, most = 16, 256
	return min(max(int(5*turn/max(perCall, 1))/step*step, step), most)
}

// workerRows returns the number of rows for a call that uses all workers: about 100 ms of work, in whole batches,
// with at most 32 MiB of features.
func workerRows(perRow time.Duration, threads, components int) int {
	const step, bytes = 256, 32 << 20
	rows := int(100 * time.Millisecond * time.Duration(max(threads, 1)) / max(perRow, 1))
	return max(min(rows, bytes/(4*components))/step*step, step)
}

// unitRows makes n rows of d numbers and length 1, as the bench has them. About a fifth of the numbers are nonzero.
func unitRows(n, d int) []float32 {
	random := splitmix.Source(42)
	rows := make([]float32, n*d)
	for row := range slices.Chunk(rows, d) {
		row[random.Below(d)] = 1
		for i := range row {
			if random.Below(5) == 0 {
				row[i] = float32(random.Between(0, 1))
			}
		}
		toUnit(row)
	}
	return rows
}

// SpeedView is what Speedtest shows.
type SpeedView struct {
	Button      string
	Caption     string
	Head        []string
	Rows        []SpeedRow
	Orientation string
}

// A SpeedRow is one measurement for all workloads.
type SpeedRow struct {
	Name  string
	Cells []string
}

// View describes the test.
func (s Speed) View() SpeedView {
	v := SpeedView{Button: "Test this browser", Caption: "Not measured yet", Head: []string{"Figure"},
		Orientation: orientation}
	if s.Running {
		v.Button = "Stop"
	}
	workers := "All workers"
	if s.Core.Build != "" {
		v.Caption = "This browser: " + s.Core.Build + " build, " + format.Plural(s.Core.Lanes, "lane") + ", " +
			format.Plural(s.Core.Threads, "worker")
		workers = format.Plural(s.Core.Threads, "worker")
		if s.Core.Threads == 0 {
			workers = "TransformAsync, without workers"
		}
	}
	for _, w := range workloads {
		v.Head = append(v.Head, w.String()+" (as "+w.like+")")
	}
	perRow := func(x time.Duration) string { return format.Number(float64(x)/1e3, 3) }
	perSecond := func(x time.Duration) string { return format.Count(rounded(float64(time.Second) / float64(x))) }
	for _, row := range []struct {
		name        string
		measurement int
		write       func(time.Duration) string
	}{
		{"One row in a call, µs", oneCall, perRow},
		{"One thread, µs per row", oneThread, perRow},
		{"One thread, rows per second", oneThread, perSecond},
		{workers + ", µs per row", inWorkers, perRow},
		{workers + ", rows per second", inWorkers, perSecond},
	} {
		cells := make([]string, len(workloads))
		for i := range cells {
			cells[i] = "–"
			if x := s.Figures[i][row.measurement]; x > 0 {
				cells[i] = row.write(x)
			}
		}
		v.Rows = append(v.Rows, SpeedRow{row.name, cells})
	}
	return v
}

// rounded rounds x to three significant digits.
func rounded(x float64) int {
	unit := 1.0
	for x/unit >= 1000 {
		unit *= 10
	}
	return int(math.Round(x/unit) * unit)
}

// Status says in a sentence what the test is doing.
func (s Speed) Status() string {
	switch {
	case s.Running:
		what := [...]string{"one row in a call", "one thread", "all workers"}[s.Doing%3]
		return "Measuring " + strconv.Itoa(s.Doing+1) + " of 6: " + what + ", " + workloads[s.Doing/3].String() + " …"
	case s.Problem != "":
		return s.Problem
	case s.Core.Build != "":
		return "Done. Each figure is the mean over a third of a second."
	}
	return "It takes about four seconds."
}

// orientation quotes bench/results.json.
const orientation = "For orientation only, measured on another machine (Intel(R) Xeon(R) Processor, 2 cores, " +
	"linux; medians of 3 rounds of ./build.sh bench, 2026-11-29): natively in one thread, " +
	"scikit-learn 1.2.1 took 43.2 µs for a row of the first shape and 399 µs for one of the " +
	"second; this library took 2.48 µs and 21.3 µs in one thread of Chromium 156."
