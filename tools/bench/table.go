//go:build !js

package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tensorsketch.example/tools/internal/lab"
)

// median returns the median of the figure over rounds, NaN where no round has it.
func (r *run) median(figure func(*round) float64) float64 {
	var values []float64
	for i := range r.Rounds {
		if v := figure(&r.Rounds[i]); v > 0 {
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		return math.NaN()
	}
	slices.Sort(values)
	if n := len(values); n%2 == 0 {
		return (values[n/2-1] + values[n/2]) / 2
	}
	return values[len(values)/2]
}

// A program is a line of the table: its µs per row of a workload in a round.
type program struct {
	name  string
	value func(o *round, workload string) float64
}

func programs() []program {
	peer := func(name string) program {
		return program{name, func(o *round, w string) float64 { return o.Peers[name][w] }}
	}
	library := func(name string, of func(*round) figures, workers bool) program {
		return program{name, func(o *round, w string) float64 {
			if workers {
				return of(o).Workloads[w].Workers
			}
			return of(o).Workloads[w].OneThread
		}}
	}
	node := func(build string) func(*round) figures { return func(o *round) figures { return o.Node[build] } }
	chromium := func(build string) func(*round) figures { return func(o *round) figures { return o.Chromium[build] } }
	return []program{
		peer("scikit-learn"), peer("fft.js"), peer(pffft),
		library("WebAssembly scalar, Node", node("scalar"), false),
		library("WebAssembly SIMD, Node", node("simd"), false),
		library("WebAssembly SIMD, Node, all workers", node("simd"), true),
		library("WebAssembly scalar, Chromium", chromium("scalar"), false),
		library("WebAssembly SIMD, Chromium", chromium("simd"), false),
		library("WebAssembly SIMD, Chromium, all workers", chromium("simd"), true),
		{"native Go", func(o *round, w string) float64 { return o.Native[w].OneThread }},
		{"native Go, all cores", func(o *round, w string) float64 { return o.Native[w].All }},
	}
}

// speedMarkdown returns the three figures of the README.
func (r *run) speedMarkdown() string {
	var b strings.Builder
	r.writeSpeed(&b)
	return b.String()
}

// markdown returns the main figures.
func (r *run) markdown() string {
	var b strings.Builder
	r.writeMeaning(&b)
	r.writeHead(&b)
	r.writeTimes(&b)
	return b.String()
}

func (r *run) writeHead(b *strings.Builder) {
	var versions []string
	for name, version := range r.Versions {
		if !strings.Contains(version, " ") {
			version = name + " " + version
		}
		versions = append(versions, version)
	}
	slices.Sort(versions)
	fmt.Fprintf(b, "%s; %s; medians of %d rounds of `%s`, %s.", r.Machine, strings.Join(versions, ", "),
		len(r.Rounds), r.Command, r.Date)
	if len(r.Missing) > 0 {
		fmt.Fprintf(b, " Not measured here: %s.", strings.Join(r.Missing, "; "))
	}
	b.WriteString("\n\n")
}

func (r *run) writeTimes(b *strings.Builder) {
	workloads := []string{"A", "B", "C", "D", "E"}
	b.WriteString("| | A | B | C | D | E |\n|---|---|---|---|---|---|\n")
	for _, p := range programs() {
		fmt.Fprintf(b, "| %s |", p.name)
		for _, w := range workloads {
			fmt.Fprintf(b, " %s |", number(r.median(func(o *round) float64 { return p.value(o, w) })))
		}
		b.WriteString("\n")
	}
	b.WriteString("\nA: d 780, p 4, D 4096. B: d 123, p 2, D 1024. C: MNIST, d 780, p 2, D 1000. D: " +
		"basehock, sparse, d 4862, p 2, D 4096. E: d 512, p 2, D 4096, dense rows. " +
		"Times are for one thread unless stated. scikit-learn, fft.js and pffft-wasm take random rows of the same " +
		"shape, 20 % dense.\n\n")
}

func (r *run) writeSpeed(b *strings.Builder) {
	// The ratio of the medians, which the table of times has too.
	if times := r.median(func(o *round) float64 { return o.Peers["scikit-learn"]["A"] }) /
		r.median(func(o *round) float64 { return o.Chromium["simd"].Workloads["A"].OneThread }); !math.IsNaN(times) {
		fmt.Fprintf(b,
			"- One thread of a tab does the work of %s threads of native scikit-learn (workload A).\n", number(times))
	}
	mnist := r.median(func(o *round) float64 {
		w := o.Chromium["simd"].Workloads["C"]
		return w.Workers * float64(w.Rows) / 1e6
	})
	rows := r.median(func(o *round) float64 { return float64(o.Chromium["simd"].Workloads["C"].Rows) })
	if !math.IsNaN(mnist) {
		fmt.Fprintf(b, "- %s MNIST images become 1,000 features each in %s s in a tab, with all workers.\n",
			lab.Grouped(rows), number(mnist))
	}
	fmt.Fprintf(b, "- A single row (d 128, D 256, p 2) takes %s µs through the API in Node, %s µs in Chromium.\n",
		number(r.median(func(o *round) float64 { return o.Node["simd"].OneRow })),
		number(r.median(func(o *round) float64 { return o.Chromium["simd"].OneRow })))
}

func (r *run) writeMeaning(b *strings.Builder) {
	noise := func(figuresOf func(o *round) map[string]figures) float64 {
		return r.median(func(o *round) float64 { return figuresOf(o)["simd"].Noise })
	}
	if node := noise(func(o *round) map[string]figures { return o.Node }); node > 0 { // runs of before have none
		fmt.Fprintf(b,
			"Private noise is put on %s million numbers a second in one thread of Node, %s million in Chromium.\n\n",
			number(node), number(noise(func(o *round) map[string]figures { return o.Chromium })))
	}
}

// number writes three digits, a dash for NaN.
func number(x float64) string {
	switch {
	case math.IsNaN(x):
		return "–"
	case x >= 100:
		return fmt.Sprintf("%.0f", x)
	case x >= 10:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.2f", x)
}
