//go:build !js

package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tensorsketch.example/internal/engine/dispatch"
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

// mapVariants are other ways to use methods, as bench/family.js names them.
var mapVariants = []struct {
	name, method string
	params       sketch.MethodParams
}{
	{"random-fourier, structured", sketch.MethodRandomFourier,
		sketch.MethodParams{Projection: sketch.ProjectionStructured}},
	{"random-fourier, cauchy", sketch.MethodRandomFourier, sketch.MethodParams{Kernel: sketch.KernelCauchy}},
	{"taylor-sketch, arc-cosine", sketch.MethodTaylorSketch, sketch.MethodParams{Kernel: sketch.KernelArcCosine}},
}

// mapsMarkdown returns the table of all maps: at equal D, the errors at equal time, and the memory of a map for A.
func (r *run) mapsMarkdown() string {
	var b strings.Builder
	var names []string
	for _, name := range []string{"A", "B", "D"} {
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
		"with itself is 1. The second has the D with which the map takes the tensor sketch's time. MB are the tables of a " +
		"map for A with its temporary memory.\n\n")
	fmt.Fprintf(&b, "| µs per row (error; at equal time) | %s | MB, A |\n|---|%s---|\n", strings.Join(names, " | "),
		strings.Repeat("---|", len(names)))
	row := func(title, key string, m sketch.Method, of sketch.MethodParams) {
		fmt.Fprintf(&b, "| %s |", title)
		for _, name := range names {
			fmt.Fprintf(&b, " %s (%s; %s) |", number(figure(name, key, func(f mapFigures) float64 { return f.USPerRow })),
				small(figure(name, key, func(f mapFigures) float64 { return f.Error })),
				small(figure(name, key, func(f mapFigures) float64 { return f.EqualTime.Error })))
		}
		fmt.Fprintf(&b, " %s |\n", number(megabytes(m, of)))
	}
	for _, m := range sketch.Methods() {
		if m.Name == sketch.MethodCountSketch || m.Name == sketch.MethodKSpace { // degree 1; it estimates no kernel
			continue
		}
		row("`"+m.Name+"`", m.Name, m, sketch.MethodParams{})
		for _, v := range mapVariants {
			if v.method == m.Name {
				name, what, _ := strings.Cut(v.name, ", ")
				row("`"+name+"`, "+what, v.name, m, v.params)
			}
		}
	}
	b.WriteString("\n")
	return b.String()
}

// megabytes returns the memory of a map for A with its temporary memory in WebAssembly, in 10⁶ bytes.
func megabytes(m sketch.Method, of sketch.MethodParams) float64 {
	has := dispatch.HasAVX2
	defer func() { dispatch.HasAVX2 = has }()
	dispatch.HasAVX2 = false // WebAssembly has the lanes of the scalar engine: four
	p := sketch.Params{Method: m.Name, NFeatures: 780, NComponents: 4096, MethodParams: of}
	if slices.Contains(m.Takes, "degree") {
		p.Degree = 4
	}
	p = p.WithDefaults()
	return float64(p.MemoryBytes()) / 1e6
}

// small writes an error with two digits.
func small(x float64) string {
	if math.IsNaN(x) {
		return "–"
	}
	return fmt.Sprintf("%.2g", x)
}
