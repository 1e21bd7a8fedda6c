//go:build !js

package main

import (
	"math"
	"math/rand"
	"os"
	"runtime"
	"time"

	"tensorsketch.example/sketch"

	"tensorsketch.example/tools/internal/lab"
)

var nativeWorkloads = map[string]sketch.Params{
	"A": {NFeatures: 780, Degree: 4, NComponents: 4096},
	"B": {NFeatures: 123, Degree: 2, NComponents: 1024},
	"C": {NFeatures: lab.MNISTFeatures, Degree: 2, NComponents: 1000},
	"D": {NFeatures: basehockFeatures, Degree: 2, NComponents: 4096},
	"E": {NFeatures: 512, Degree: 2, NComponents: 4096},
}

// nativeFigures are µs per row of package sketch in this process.
type nativeFigures struct {
	OneThread float64 `json:"oneThread"`
	All       float64 `json:"all"` // by runtime.GOMAXPROCS goroutines
	Lanes     int     `json:"lanes"`
}

func measureNative(folder string, quick bool) (map[string]nativeFigures, error) {
	results := map[string]nativeFigures{}
	for name, params := range nativeWorkloads {
		rows, err := nativeRows(folder, name, params.NFeatures, quick)
		if err != nil {
			if os.IsNotExist(err) {
				continue // the data set is not there, as bench has said
			}
			return nil, err
		}
		m, err := sketch.New(params)
		if err != nil {
			return nil, err
		}
		one, err := timeNative(m, rows)
		if err != nil {
			return nil, err
		}
		m.SetGoroutines(runtime.GOMAXPROCS(0))
		all, err := timeNative(m, rows)
		if err != nil {
			return nil, err
		}
		results[name] = nativeFigures{one, all, sketch.Lanes()}
	}
	return results, nil
}

func nativeRows(folder, name string, d int, quick bool) (sketch.Rows, error) {
	n := 2000
	if quick {
		n = 50
	}
	switch name {
	case "C":
		X, err := readNumbers[float32](folder, "mnist.f32")
		return sketch.Dense(X[:min(len(X), n*d)]), err
	case "D":
		var csr sketch.CSR
		var err error
		if csr.Indptr, err = readNumbers[int32](folder, "basehock.indptr.i32"); err != nil {
			return nil, err
		}
		if csr.Indices, err = readNumbers[int32](folder, "basehock.indices.i32"); err != nil {
			return nil, err
		}
		csr.Data, err = readNumbers[float32](folder, "basehock.data.f32")
		return csr, err
	}
	density := 0.2
	if name == "E" {
		density = 1
	}
	rng := rand.New(rand.NewSource(1))
	X := make(sketch.Dense, n*d)
	for row := X; len(row) > 0; row = row[d:] {
		square := 0.0
		for i := range row[:d] {
			if rng.Float64() < density {
				row[i] = rng.Float32()
			}
			square += float64(row[i]) * float64(row[i])
		}
		for i := range row[:d] {
			row[i] /= float32(math.Sqrt(square))
		}
	}
	return X, nil
}

// timeNative returns the best time of several calls, in µs per row.
func timeNative(m *sketch.FeatureMap, rows sketch.Rows) (float64, error) {
	z, err := m.TransformRows(nil, rows)
	if err != nil {
		return 0, err
	}
	n := float64(len(z) / m.NComponents())
	best := math.Inf(1)
	for end := time.Now().Add(500 * time.Millisecond); time.Now().Before(end); {
		start := time.Now()
		if _, err := m.TransformRows(z, rows); err != nil {
			return 0, err
		}
		best = min(best, float64(time.Since(start).Nanoseconds())/1000/n)
	}
	return best, nil
}
