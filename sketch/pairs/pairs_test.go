package pairs

import (
	"math"
	"runtime"
	"slices"
	"testing"

	"tensorsketch.example/sketch"
)

// exampleRows returns n rows of D numbers of very different sizes, some equal.
func exampleRows(n, D int, seed float64) []float32 {
	Z := make([]float32, n*D)
	for i := range Z {
		x := math.Mod(float64(i+1)*(0.6180339887498949+seed/1000), 1) - 0.5
		Z[i] = float32(x * math.Pow(2, math.Mod(float64(i*7), 40)-20))
	}
	for row := 5; row < n; row += 6 { // equal estimates
		copy(Z[row*D:(row+1)*D], Z[(row/2)*D:])
	}
	return Z
}

// TestGram: every product has the bits of sketch.Dot, for all shapes of tiles.
func TestGram(t *testing.T) {
	for _, shape := range [][3]int{{0, 3, 5}, {3, 0, 5}, {1, 1, 1}, {1, 40, 70}, {40, 1, 70}, {4, 4, 1}, {5, 17, 63},
		{16, 16, 64}, {17, 33, 65}, {128, 128, 3}, {129, 130, 129}, {260, 7, 200}, {6, 300, 64}} {
		m, n, D := shape[0], shape[1], shape[2]
		A, B := exampleRows(m, D, 1), exampleRows(n, D, 2)
		got, err := Gram(nil, A, B, D)
		if err != nil || len(got) != m*n {
			t.Fatalf("%v: %d products, %v", shape, len(got), err)
		}
		for i := range m {
			for j := range n {
				want := sketch.Dot(A[i*D:(i+1)*D], B[j*D:(j+1)*D])
				if math.Float64bits(got[i*n+j]) != math.Float64bits(want) {
					t.Fatalf("%v: product (%d, %d) is %v, Dot is %v", shape, i, j, got[i*n+j], want)
				}
			}
		}
	}
}

// TestGramMemory: GramBytes is what a call allocates.
func TestGramMemory(t *testing.T) {
	for _, shape := range [][2]int{{4, 4}, {100, 30}, {128, 128}, {129, 1000}, {5000, 4}} {
		m, n := shape[0], shape[1]
		A, B, dst := make([]float32, m*3), make([]float32, n*3), make([]float64, m*n)
		const calls = 20
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range calls {
			Gram(dst, A, B, 3)
		}
		runtime.ReadMemStats(&after)
		got, want := int64(after.TotalAlloc-before.TotalAlloc)/calls, GramBytes(m, n)
		if got < want || got > want+want/8+1024 { // size classes
			t.Errorf("%v: %d bytes were allocated, GramBytes says %d", shape, got, want)
		}
	}
}

func TestGramErrors(t *testing.T) {
	Z := exampleRows(6, 4, 1)
	bad := slices.Clone(Z)
	bad[4*4+2] = float32(math.Inf(-1))
	want := " row 4, column 2 must be finite: remove or replace NaN and infinite values, got -Infinity"
	if _, err := Gram(nil, bad, Z, 4); err == nil || err.Error() != "A"+want {
		t.Errorf("A: %v", err)
	}
	dst := []float64{1, 2, 3, 4, 5, 6}
	if _, err := Gram(dst, Z[:4], bad, 4); err == nil || err.Error() != "B"+want || dst[0] != 1 {
		t.Errorf("B: %v, %v", err, dst)
	}
	if _, _, err := Nearest(bad, Z, 4, 2); err == nil || err.Error() != "Z"+want {
		t.Errorf("Z: %v", err)
	}
	if _, _, err := Nearest(Z, bad, 4, 2); err == nil || err.Error() != "q"+want {
		t.Errorf("q: %v", err)
	}
	for name, call := range map[string]func(){
		"D 0":         func() { Gram(nil, Z, Z, 0) },
		"a part of A": func() { Gram(nil, Z[:5], Z, 4) },
		"dst":         func() { Gram(make([]float64, 35), Z, Z, 4) },
		"k 0":         func() { Nearest(Z, Z, 4, 0) },
		"a part of q": func() { Nearest(Z, Z[1:], 4, 1) },
		"estimates":   func() { NewRanking(2, 1).Add(0, make([]float64, 3)) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			call()
		})
	}
}

// TestNearest: the first k of all rows sorted by estimate, then by row, whatever the order of parts.
func TestNearest(t *testing.T) {
	const n, D = 2500, 12
	Z, q := exampleRows(n, D, 1), exampleRows(7, D, 2)
	copy(q[3*D:4*D], make([]float32, D)) // all estimates 0
	for _, k := range []int{1, 2, 10, 1000, n, n + 1} {
		rows, estimates, err := Nearest(Z, q, D, k)
		if err != nil {
			t.Fatal(err)
		}
		kept := min(k, n)
		parts := NewRanking(7, kept)
		for _, part := range [][2]int{{1000, 2500}, {0, 3}, {3, 1000}} {
			products, _ := Gram(nil, q, Z[part[0]*D:part[1]*D], D)
			parts.Add(part[0], products)
		}
		parts.Sort()
		if !slices.Equal(rows, parts.Rows) || !slices.Equal(estimates, parts.Estimates) {
			t.Errorf("k %d: parts in another order give other rows", k)
		}
		for i := range 7 {
			order := make([]int32, n)
			for row := range order {
				order[row] = int32(row)
			}
			all, _ := Gram(nil, q[i*D:(i+1)*D], Z, D)
			slices.SortStableFunc(order, func(a, b int32) int {
				if all[a] == all[b] {
					return int(a - b)
				}
				return map[bool]int{true: -1, false: 1}[all[a] > all[b]]
			})
			for at, row := range order[:kept] {
				if rows[i*kept+at] != row || estimates[i*kept+at] != all[row] {
					t.Fatalf("k %d, query %d, place %d: row %d with %v, want row %d with %v", k, i, at,
						rows[i*kept+at], estimates[i*kept+at], row, all[row])
				}
			}
		}
	}
	if rows, estimates, err := Nearest(nil, q, D, 3); len(rows)+len(estimates) != 0 || err != nil {
		t.Errorf("no rows: %v, %v, %v", rows, estimates, err)
	}
	if rows, _, err := Nearest(Z, nil, D, 3); len(rows) != 0 || err != nil {
		t.Errorf("no queries: %v, %v", rows, err)
	}
}

func BenchmarkGram(b *testing.B) {
	const m, n, D = 256, 256, 1024
	A, B, dst := make([]float32, m*D), make([]float32, n*D), make([]float64, m*n)
	for b.Loop() {
		Gram(dst, A, B, D)
	}
	b.ReportMetric(float64(b.N)*m*n*D/b.Elapsed().Seconds()/1e9, "GMAC/s")
}
