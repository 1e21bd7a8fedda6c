package sketch

import (
	"flag"
	"math"
	"math/rand"
	"slices"
	"testing"
	"time"

	"tensorsketch.example/test/need"
)

var fitCost = flag.Bool("fitcost", false, "measure the cost model on the whole grid of cases, and fit its unit costs")

// costCase is a map and rows to measure the cost model on.
type costCase struct {
	params Params
	nnz    int
}

// costCases go over methods, dimensions, D and degrees, dense and sparse. Spherical is
// random-fourier on unit rows.
func costCases(all bool) []costCase {
	var cases []costCase
	for i, rows := range [][2]int{{64, 64}, {123, 123}, {780, 780}, {123, 14}, {780, 150}, {4862, 68}, {5_000_000, 50}} {
		for j, D := range []int{30, 256, 1000, 4096, 1021} {
			for _, degree := range []int{1, 2, 4} {
				for _, method := range methodNames() {
					p := Params{Method: method, NFeatures: rows[0], NComponents: D}
					takesDegree := methodOf(method).takes("degree")
					switch {
					case !all && (D > 1024 || (i+j+degree)%5 != 0), method == MethodSpherical,
						rows[0] > maxDenseWidth && (D < 256 || method != MethodTensorSketch && method != MethodTensorizedProjection),
						NeedsFit(method) && (D > 256 || rows[0] > 1000 || degree == 4), // fits take their time
						// a prime, for which the others are not different
						D == 1021 && method != MethodTensorSketch,
						!takesDegree && degree > 1, takesDegree && degree == 1:
						continue
					}
					if takesDegree {
						p.Degree, p.Coef0 = degree, 1
					}
					cases = append(cases, costCase{p, rows[1]})
				}
			}
		}
	}
	return cases
}

// measure returns the microseconds per row, the best of several batches.
func (c *costCase) measure(t *testing.T) float64 {
	const n = 16
	m := mustMap(t, c.params)
	rng, d := rand.New(rand.NewSource(1)), c.params.NFeatures
	if c.params.Method == MethodKSpace {
		fitAnything(m)
	}
	if c.params.Method == MethodNystroem {
		rows := make([]float32, c.params.NComponents*d)
		for i := range rows {
			rows[i] = float32(rng.NormFloat64()) / float32(math.Sqrt(float64(d)))
		}
		need.OK(t, m.Fit(Dense(rows)))
	}
	var X Dense
	csr := CSR{Indptr: []int32{0}}
	for range n {
		each := d / c.nnz
		for i := range c.nnz {
			v := rng.Float32() / float32(math.Sqrt(float64(c.nnz)))
			X, csr.Data = append(X, v), append(csr.Data, v)
			csr.Indices = append(csr.Indices, int32(i*each+rng.Intn(each)))
		}
		csr.Indptr = append(csr.Indptr, int32(len(csr.Data)))
	}
	rows := Rows(X)
	if c.nnz < d {
		rows = csr
	}
	z := make([]float32, n*m.NComponents())
	best := math.Inf(1)
	for begin := time.Now(); time.Since(begin) < 10*time.Millisecond; {
		start, calls := time.Now(), 0
		for calls == 0 || time.Since(start) < 2*time.Millisecond {
			need.Value(m.TransformRows(z, rows))(t)
			calls++
		}
		best = min(best, time.Since(start).Seconds()*1e6/float64(n*calls))
	}
	return best
}

// The model has costs for every map, which grow with D, with what is not zero, and with repeats. With -fitcost it is
// also measured on this machine. To fit the table again, take the unit costs at the end of the log of
//
//	GOOS=js GOARCH=wasm go test ./sketch -run TestCostModel -v -fitcost -exec "$(go env GOROOT)/lib/wasm/go_js_wasm_exec"
func TestCostModel(t *testing.T) {
	cases := costCases(*fitCost)
	for _, c := range cases {
		p := c.params
		cost := p.Cost(c.nnz)
		p.NComponents *= 2
		wider := p.Cost(c.nnz)
		p = c.params
		p.Repeats = 3
		repeated := p.Cost(c.nnz) / cost
		if !(cost > 0) || wider <= cost || math.Abs(repeated-3) > 1e-12 {
			t.Errorf("%s: %v µs, with twice the components %v, with three repeats %v times as much", p.Method, cost,
				wider, repeated)
		}
		if fewer := p.Cost(c.nnz/2) / 3; c.nnz < p.NFeatures && fewer >= cost {
			t.Errorf("%s: %v µs, with half the values %v", p.Method, cost, fewer)
		}
	}
	if *fitCost {
		fitCostModel(t, cases)
	}
}

// fitCostModel logs the model beside measurements, up to one factor for all, and the unit costs that fit them.
func fitCostModel(t *testing.T, cases []costCase) {
	measured := make([]float64, len(cases))
	for pass := range 4 { // far apart, since others may use the machine too
		for i, c := range cases {
			if microseconds := c.measure(t); pass == 0 || microseconds < measured[i] {
				measured[i] = microseconds
			}
		}
	}
	var counts []work
	var ratios []float64
	ratiosOf := map[string][]float64{}
	for i, c := range cases {
		params := c.params.WithDefaults()
		counts = append(counts, params.work(float64(c.nnz)))
		ratio := c.params.Cost(c.nnz) / measured[i]
		ratios = append(ratios, ratio)
		ratiosOf[c.params.Method] = append(ratiosOf[c.params.Method], ratio)
		t.Logf("%-36s d %4d, nnz %3d, D %4d, p %d: %9.2f µs, model/measured %.2f", c.params.Method, c.params.NFeatures, c.nnz,
			c.params.NComponents, params.Degree, measured[i], ratio)
	}
	factor := middle(ratios)
	t.Logf("this machine: 1/%.2f of the model's", factor)
	for _, method := range methodNames() {
		all := ratiosOf[method]
		if len(all) == 0 {
			continue
		}
		ratio := middle(all) / factor // sorts
		t.Logf("%-36s %.2f, from %.2f to %.2f", method, ratio, all[0]/factor, all[len(all)-1]/factor)
	}
	t.Logf("unit costs: %.3g", fitCosts(counts, measured))
}

// middle sorts the values and returns their median.
func middle(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// fitCosts returns the costs ≥ 0, in nanoseconds, with the least sum of squared
// relative errors.
func fitCosts(counts []work, measured []float64) (costs work) {
	left := make([]float64, len(counts)) // 1 − model/measured
	for i := range left {
		left[i] = 1
	}
	for range 20000 {
		for kind := range costs {
			product, square := 0.0, 0.0
			for i := range counts {
				v := counts[i][kind] / measured[i] / 1000
				product, square = product+v*left[i], square+v*v
			}
			if square == 0 {
				continue
			}
			step := max(product/square, -costs[kind])
			costs[kind] += step
			for i := range counts {
				left[i] -= step * counts[i][kind] / measured[i] / 1000
			}
		}
	}
	return costs
}
