package sketch

import (
	"math/rand"
	"testing"

	"tensorsketch.example/test/need"
)

// BenchmarkFamily transforms rows with a fifth of numbers that are not 0 with every method, at the
// sizes of docs/performance.md.
func BenchmarkFamily(b *testing.B) {
	for _, size := range []struct {
		name    string
		d, p, D int
	}{{"B", 123, 2, 1024}, {"A", 780, 4, 4096}} {
		for _, method := range methodNames() {
			benchmarkMap(b, size.name+" "+method, Params{Method: method, NFeatures: size.d, Degree: size.p, NComponents: size.D})
		}
		benchmarkMap(b, size.name+" random-maclaurin exponential",
			Params{Method: MethodRandomMaclaurin, NFeatures: size.d, NComponents: size.D,
				MethodParams: MethodParams{Kernel: KernelExponential}})
		benchmarkMap(b, size.name+" random-fourier paired", Params{Method: MethodRandomFourier, NFeatures: size.d,
			NComponents:  size.D,
			MethodParams: MethodParams{Paired: true}})
		benchmarkMap(b, size.name+" tensorized gaussian", Params{Method: MethodTensorizedProjection, NFeatures: size.d,
			Degree: size.p, NComponents: size.D,
			MethodParams: MethodParams{Distribution: DistributionGaussian}})
		benchmarkMap(b, size.name+" tensor-sketch, normalised",
			Params{NFeatures: size.d, Degree: size.p, NComponents: size.D, Normalize: NormalizeKernel})
	}
	benchmarkMap(b, "C tensor-sketch", Params{NFeatures: 780, NComponents: 1000})
	benchmarkMap(b, "prime D tensor-sketch", Params{NFeatures: 123, NComponents: 1009})
}

// benchmarkMap runs a sub-benchmark each for dense rows and for the same in CSR form.
func benchmarkMap(b *testing.B, name string, params Params) {
	m := methodOf(params.Method)
	if m == nil {
		m = methodOf(MethodTensorSketch)
	}
	if !m.takes("degree") {
		params.Degree = 1
	}
	rng := rand.New(rand.NewSource(1))
	const rows = 16
	d := params.NFeatures
	X := make([]float32, rows*d)
	for i := range X {
		if rng.Intn(5) == 0 {
			X[i] = rng.Float32()
		}
	}
	for r := range rows {
		unitRow(X[r*d : (r+1)*d])
	}
	b.Run(name, func(b *testing.B) {
		f := mustMap(b, params)
		if NeedsFit(params.Method) {
			fitAnything(f)
		}
		z := make([]float32, rows*f.NComponents())
		for _, form := range []struct {
			name string
			rows Rows
		}{{"dense", Dense(X)}, {"CSR", csrOf(X, d)}} {
			b.Run(form.name, func(b *testing.B) {
				for b.Loop() {
					need.Value(f.TransformRows(z, form.rows))(b)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/1000/float64(b.N)/rows, "µs/row")
			})
		}
	})
}

// csrOf returns the CSR form of dense rows with ascending columns.
func csrOf(X []float32, d int) CSR {
	csr := CSR{Indptr: []int32{0}}
	for ; len(X) > 0; X = X[d:] {
		for i, v := range X[:d] {
			if v != 0 {
				csr.Indices, csr.Data = append(csr.Indices, int32(i)), append(csr.Data, v)
			}
		}
		csr.Indptr = append(csr.Indptr, int32(len(csr.Indices)))
	}
	return csr
}

// fitAnything gives a map landmarks, or a matrix, without the decomposition, which takes D³.
func fitAnything(m *FeatureMap) {
	rng := rand.New(rand.NewSource(2))
	D := m.params.NComponents
	if c, ok := m.cores[0].(*kspaceCore); ok {
		matrix := make([]float64, len(m.cores)*c.m*c.k)
		for i := range matrix {
			matrix[i] = rng.NormFloat64()
		}
		if err := m.SetProjection(matrix); err != nil {
			panic(err)
		}
		return
	}
	columns, squares, pivots := make([][]float64, D), make([]float64, D), make([]int, D)
	for k := range columns {
		pivots[k], columns[k] = k, make([]float64, D)
		for i := range columns[k] {
			columns[k][i] = rng.Float64() / 100
		}
		columns[k][k] = 1
	}
	fit := newNystroemFit(pivots, columns, squares, randomRows(rng, D, m.scaler.(*scaledRows).width),
		m.scaler.(*scaledRows).width)
	for _, c := range m.cores {
		c.(*nystroemCore).fit = fit
	}
}
