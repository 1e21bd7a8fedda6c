package sketch

import (
	"errors"
	"math"
	"testing"
)

// Whatever the parameters, New gives a map that works or an *Error.
func FuzzParams(f *testing.F) {
	f.Add("tensor-sketch", 3, 8, 2, 1.0, 0.0, "none", "real", uint64(0))
	f.Add("count-sketch", 5, 97, 1, 0.5, 1.0, "kernel", "spectrum", uint64(1))
	f.Add("", -1, 0, 65, math.NaN(), math.Inf(1), "l2", "", uint64(2))
	f.Fuzz(func(t *testing.T, method string, d, D, degree int, gamma, coef0 float64, normalize, output string,
		seed uint64) {
		p := Params{Method: method, NFeatures: d, NComponents: D, Degree: degree, Gamma: gamma, Coef0: coef0,
			Normalize: normalize, Output: output, Seed: IntSeed(seed)}
		filled := p.WithDefaults()
		if filled.Validate() == nil && filled.MemoryBytes() > 64<<20 || d > 1<<16 {
			return // valid, but not to be tried here
		}
		m, err := New(p)
		var e *Error
		if err != nil {
			if !errors.As(err, &e) || e.Code != ErrParam || e.Argument == "" {
				t.Errorf("%+v: %v is no parameter error", p, err)
			}
			return
		}
		x := digestInput(d)
		z, err := m.TransformBatch(nil, x)
		if err != nil && (!errors.As(err, &e) || e.Code != ErrOverflow) {
			t.Errorf("%+v: %v", p, err)
		}
		if err == nil && !sameBits(z, m.Transform(nil, x)) {
			t.Errorf("%+v: batch and row differ", p)
		}
	})
}

// Whatever arrays claim to be CSR, they are refused or give the dense bits.
func FuzzCSR(f *testing.F) {
	f.Add([]byte{0, 2, 3}, []byte{1, 0, 2}, []byte{9, 8, 7})
	f.Add([]byte{0, 200}, []byte{255}, []byte{})
	f.Fuzz(func(t *testing.T, indptr, indices, data []byte) {
		m := must(t, Params{NFeatures: 4, NComponents: 6})
		csr := CSR{}
		for _, v := range indptr {
			csr.Indptr = append(csr.Indptr, int32(int8(v)))
		}
		for _, v := range indices {
			csr.Indices = append(csr.Indices, int32(int8(v)))
		}
		for _, v := range data {
			csr.Data = append(csr.Data, float32(v)-100)
		}
		z, err := m.TransformCSR(nil, csr)
		var e *Error
		if err != nil {
			if !errors.As(err, &e) || e.Code != ErrShape {
				t.Errorf("%+v: %v is no shape error", csr, err)
			}
			return
		}
		X := make([]float32, 4*(len(csr.Indptr)-1))
		for r := range len(csr.Indptr) - 1 {
			for i := csr.Indptr[r]; i < csr.Indptr[r+1]; i++ {
				X[4*r+int(csr.Indices[i])] = csr.Data[i]
			}
		}
		if dense, err := m.TransformBatch(nil, X); err != nil || !sameBits(z, dense) {
			t.Errorf("%+v: CSR and dense differ (%v)", csr, err)
		}
	})
}
