//go:build !js

package main

import (
	"fmt"
	"math"
	"strings"

	"tensorsketch.example/sketch"
)

// mapFigures are the figures of one feature map on one workload. Error is the root mean
// square over pairs of rows and seeds, the kernel of a row with itself being 1.
type mapFigures struct {
	USPerRow  float64 `json:"usPerRow,omitempty"`
	Error     float64 `json:"error,omitempty"`
	EqualTime struct {
		NComponents int     `json:"nComponents"`
		USPerRow    float64 `json:"usPerRow"`
		Error       float64 `json:"error"`
	} `json:"equalTime"`
}

// mapsMarkdown returns the table of all maps: at equal D, and the errors at equal time.
func (r *run) mapsMarkdown() string {
	var b strings.Builder
	var names []string
	for _, name := range []string{"A", "B", "C", "D"} {
		if r.Rounds[0].Node["simd"].Maps[name] != nil {
			names = append(names, name)
		}
	}
	figure := func(name, method string, of func(mapFigures) float64) float64 {
		return r.median(func(o *round) float64 { return of(o.Node["simd"].Maps[name][method]) })
	}
	fmt.Fprintf(&b, "WebAssembly SIMD in Node, one thread; medians of %d rounds of `%s`, %s. ",
		len(r.Rounds), r.Command, r.Date)
	b.WriteString("An error is the root mean square over the 780 pairs of 40 rows and 5 seeds; the kernel of a row " +
		"with itself is 1. The second has the D with which the map takes the tensor sketch's time.\n\n")
	fmt.Fprintf(&b, "| µs per row (error; at equal time) | %s |\n|---|%s\n", strings.Join(names, " | "),
		strings.Repeat("---|", len(names)))
	for _, m := range sketch.Methods() {
		if m.Name == sketch.MethodCountSketch || m.Name == sketch.MethodKSpace { // degree 1; it estimates no kernel
			continue
		}
		fmt.Fprintf(&b, "| `%s` |", m.Name)
		for _, name := range names {
			fmt.Fprintf(&b, " %s (%s; %s) |", number(figure(name, m.Name, func(f mapFigures) float64 { return f.USPerRow })),
				small(figure(name, m.Name, func(f mapFigures) float64 { return f.Error })),
				small(figure(name, m.Name, func(f mapFigures) float64 { return f.EqualTime.Error })))
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
	return b.String()
}

// small writes an error with two digits.
func small(x float64) string {
	if math.IsNaN(x) {
		return "–"
	}
	return fmt.Sprintf("%.2g", x)
}
