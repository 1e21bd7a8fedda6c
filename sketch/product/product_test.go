package product

import (
	stdsha256 "crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/test/need"
	"tensorsketch.example/test/slow"
)

func mustCompress(t testing.TB, params Params) *Compressed {
	t.Helper()
	c, err := New(params)
	if err != nil {
		t.Fatalf("New(%+v): %v", params, err)
	}
	return c
}

// redrawn empties the sketch and gives it the hash functions of another seed.
func redrawn(c *Compressed, seed uint64) {
	p := &c.params
	p.Seed = sketch.IntSeed(seed)
	c.outer = sketch.NewOuterSketches(p.M, p.N, p.NComponents, p.Repeats, p.Seed)
	clear(c.sums)
}

// mostTables is the number of hashes from which on package sketch keeps no tables.
const mostTables = 1 << 22

// product returns A·B in float64, and its squared Frobenius norm.
func product(A, B []float32, m, n int) (M []float64, norm float64) {
	M, k := make([]float64, m*n), len(A)/m
	for i := range m {
		for j := range n {
			for r := range k {
				M[i*n+j] += float64(A[i*k+r]) * float64(B[r*n+j])
			}
			norm += M[i*n+j] * M[i*n+j]
		}
	}
	return M, norm
}

// The sketch is the count sketch of the product under h₁ + h₂ mod D and s₁·s₂, for
// every kind of transform, in all repeats.
func TestCompressedIdentity(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	const m, k, n = 6, 9, 4
	A, B := randomRows(rng, m, k), randomRows(rng, k, n)
	M, norm := product(A, B, m, n)
	for _, D := range []int{1, 2, 3, 7, 8, 12, 53, 64, 106} {
		c := mustCompress(t, Params{M: m, N: n, NComponents: D, Repeats: 3, Seed: sketch.StringSeed("identity")})
		need.OK(t, c.Add(A, B))
		want := make([]float64, 3*D)
		for r := range 3 {
			for i := range m {
				for j := range n {
					a, b := c.outer.Hash(r, 0, i), c.outer.Hash(r, 1, j)
					want[r*D+(a.Bucket()+b.Bucket())%D] += float64(a.Sign()*b.Sign()) * M[i*n+j]
				}
			}
		}
		for b, v := range want {
			if math.Abs(c.sums[b]-v) > 1e-6*math.Sqrt(norm) {
				t.Errorf("D %d: repeat %d, bucket %d holds %g, want %g", D, b/D, b%D, c.sums[b], v)
			}
		}
	}
}

// Every entry's estimate is unbiased, with variance (‖AB‖² − (AB)_ij²)/D, and so is
// that of the squared norm.
func TestCompressedVariance(t *testing.T) {
	slow.Emulated(t)
	const m, k, n = 3, 2, 4
	A := []float32{0.9, -0.4, 0, 0.7, 0.5, 0.6}
	B := []float32{0.3, 0, 0.2, -0.8, 0.4, 1, 0, 0.1}
	M, norm := product(A, B, m, n)
	for _, D := range []int{4, 7, 32} {
		if D > 7 && testing.Short() {
			continue // rare collisions take many seeds
		}
		c := mustCompress(t, Params{M: m, N: n, NComponents: D, Repeats: 1})
		places := []int{0, n + 1, 2*n + 3}
		entries, squares := make([]moments, len(places)), moments{}
		for seed := uint64(0); ; seed++ {
			redrawn(c, seed)
			need.OK(t, c.Add(A, B))
			done := seed%batch == batch-1
			for e, at := range places {
				entries[e].add(c.Entry(at/n, at%n) - M[at])
				done = done && entries[e].spread() <= tolerance
			}
			squares.add(c.SquaredNorm() - norm)
			if done {
				break
			}
		}
		for e, at := range places {
			want := (norm - M[at]*M[at]) / float64(D)
			if ratio := entries[e].variance() / want; math.Abs(ratio-1) > entries[e].spread() {
				t.Errorf("D %d, entry %d: variance %g over %.0f seeds, want %g: ratio %.4f, tolerance %.4f", D, at,
					entries[e].variance(), entries[e].n, want, ratio, entries[e].spread())
			}
			if bias := entries[e].sum / entries[e].n; math.Abs(bias) > 4*math.Sqrt(want/entries[e].n) {
				t.Errorf("D %d, entry %d: bias %g, standard error %g", D, at, bias, math.Sqrt(want/entries[e].n))
			}
		}
		if bias := squares.sum / squares.n; math.Abs(bias) > 4*math.Sqrt(squares.variance()/squares.n) {
			t.Errorf("D %d: the squared norm is off by %g on average", D, bias)
		}
	}
}

// StdError is the standard deviation, with the norm and the entry estimated.
func TestCompressedStdError(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	A, B := randomRows(rng, 20, 30), randomRows(rng, 30, 20)
	M, norm := product(A, B, 20, 20)
	c := mustCompress(t, Params{M: 20, N: 20, NComponents: 256, Repeats: 31})
	need.OK(t, c.Add(A, B))
	for at, v := range M {
		want := math.Sqrt((norm - v*v) / 256)
		if got := c.StdError(at/20, at%20); math.Abs(got/want-1) > 0.1 {
			t.Errorf("entry %d: StdError %g, want about %g", at, got, want)
		}
	}
}

// A sketch of one number has no estimate of its deviation, for any t.
func TestCompressedStdErrorOfOneNumber(t *testing.T) {
	for _, repeats := range []int{1, 2, 5} {
		c := mustCompress(t, Params{M: 2, N: 2, NComponents: 1, Repeats: repeats})
		for _, what := range []string{"of the zero matrix", "of another"} {
			if got := c.StdError(1, 0); !math.IsNaN(got) {
				t.Errorf("%d repeats, %s: StdError %g, want NaN", repeats, what, got)
			}
			need.OK(t, c.Add([]float32{1, 2, 3, 4}, []float32{5, 6, 7, 8}))
		}
	}
}

// atLeastHalf returns the probability that at least half of t independent events happen, each of probability p.
func atLeastHalf(t int, p float64) (sum float64) {
	for s := (t + 1) / 2; s <= t; s++ {
		ways, _ := new(big.Float).SetInt(new(big.Int).Binomial(int64(t), int64(s))).Float64()
		sum += ways * math.Pow(p, float64(s)) * math.Pow(1-p, float64(t-s))
	}
	return sum
}

// The median of t estimates is off no more often than at least half of them can be, and
// under the default t all entries lie within 4·‖AB‖/√D with probability 7/8.
func TestMedianOfSketches(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	const m, k, n, D = 8, 3, 8, 16
	A, B := randomRows(rng, m, k), randomRows(rng, k, n)
	M, norm := product(A, B, m, n)
	seeds := 4000
	if testing.Short() {
		seeds = 500
	}
	for _, repeats := range []int{1, 2, 5, 0} {
		c := mustCompress(t, Params{M: m, N: n, NComponents: D, Repeats: repeats})
		factors := []float64{1.2, 2, 3} // of the standard deviation
		off, outside := make([]float64, len(factors)), 0.0
		for seed := range seeds {
			redrawn(c, uint64(seed))
			need.OK(t, c.Add(A, B))
			worst := 0.0
			for at, v := range M {
				worst = max(worst, math.Abs(c.Entry(at/n, at%n)-v))
			}
			if worst >= 4*math.Sqrt(norm/D) {
				outside++
			}
			for f, factor := range factors {
				if math.Abs(c.Entry(1, 2)-M[n+2]) >= factor*math.Sqrt((norm-M[n+2]*M[n+2])/D) {
					off[f]++
				}
			}
		}
		for f, factor := range factors {
			bound := atLeastHalf(c.Params().Repeats, 1/(factor*factor)) // by Chebyshev
			if got := off[f] / float64(seeds); got > bound+4*math.Sqrt(bound*(1-bound)/float64(seeds)) {
				t.Errorf("median of %d: off by %gσ in %.4f of the seeds, the bound is %.4f", c.Params().Repeats, factor, got, bound)
			}
		}
		if got := outside / float64(seeds); repeats == 0 && got > 1./8 {
			t.Errorf("median of %d: some entry is off by 4·‖AB‖/√D in %.4f of the seeds", c.Params().Repeats, got)
		}
	}
}

// The default t of Params keeps all entries in bounds.
func TestDefaultRepeats(t *testing.T) {
	for _, shape := range [][2]int{{1, 1}, {1, 2}, {3, 3}, {64, 64}, {1000, 1000},
		{sketch.MaxFeatures, sketch.MaxFeatures}} {
		p := Params{M: shape[0], N: shape[1]}.WithDefaults()
		entries := float64(shape[0]) * float64(shape[1])
		if all := entries * atLeastHalf(p.Repeats, 1./16); p.Repeats%2 == 0 || all > 1./8 {
			t.Errorf("%d × %d: %d repeats, some entry is off by 4·‖AB‖/√D with probability %g", shape[0], shape[1], p.Repeats,
				all)
		}
	}
}

// A product with few entries that are not zero is recovered: Largest finds all of
// them, with their values, and the next one is rounding.
func TestCompressedRecovery(t *testing.T) {
	slow.Emulated(t)
	const m, k, n, nonzero = 300, 40, 200, 40
	for seed := range uint64(10) {
		rng := rand.New(rand.NewSource(int64(seed)))
		A, B := make([]float32, m*k), make([]float32, k*n)
		rows, columns := rng.Perm(m), rng.Perm(n)
		for r := range k { // one entry of the product each
			A[rows[r]*k+r], B[r*n+columns[r]] = 1+rng.Float32(), -1-rng.Float32()
		}
		M, _ := product(A, B, m, n)
		c := mustCompress(t, Params{M: m, N: n, NComponents: 8 * nonzero, Seed: sketch.IntSeed(seed)})
		need.OK(t, c.Add(A, B))
		largest := c.Largest(nonzero + 1)
		for _, e := range largest[:nonzero] {
			if want := M[e.I*n+e.J]; want == 0 || math.Abs(e.Value-want) > 1e-5 {
				t.Errorf("seed %d: entry (%d, %d) is %g, want %g", seed, e.I, e.J, e.Value, want)
			}
		}
		if rest := math.Abs(largest[nonzero].Value); rest > 1e-5 {
			t.Errorf("seed %d: an entry that is 0 has the estimate %g", seed, rest)
		}
	}
}

// sortedEntries returns all entries of a product, largest first.
func sortedEntries(c *Compressed) (all []Entry) {
	for i := range c.params.M {
		for j := range c.params.N {
			all = append(all, Entry{i, j, c.Entry(i, j)})
		}
	}
	slices.SortStableFunc(all, func(a, b Entry) int {
		switch x, y := math.Abs(a.Value), math.Abs(b.Value); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	return all
}

// Largest is a sort of all entries, whatever the count, t and ties.
func TestLargest(t *testing.T) {
	rng := rand.New(rand.NewSource(5))
	for _, shape := range [][2]int{{1, 1}, {5, 3}, {2, 3000}, {40, 50}} {
		m, n := shape[0], shape[1]
		A, B := randomRows(rng, m, 4), randomRows(rng, 4, n)
		for _, repeats := range []int{1, 2, 3, 6, 9} {
			c := mustCompress(t, Params{M: m, N: n, NComponents: 20, Repeats: repeats})
			for _, empty := range []bool{true, false} {
				if !empty {
					need.OK(t, c.Add(A, B))
				}
				want := sortedEntries(c)
				for _, count := range []int{-1, 0, 1, 2, 10, 333, m * n, math.MaxInt} {
					if got := c.Largest(count); !slices.Equal(got, want[:min(max(0, count), m*n)]) {
						t.Errorf("%d × %d, %d repeats: the largest %d differ from a sort of all", m, n, repeats, count)
					}
				}
			}
		}
	}
}

// addEntry adds a product's entry to its sketch without rounding.
func addEntry(c *Compressed, e Entry) {
	D := c.params.NComponents
	for r := range c.params.Repeats {
		row, column := c.outer.Hash(r, 0, e.I), c.outer.Hash(r, 1, e.J)
		c.sums[r*D+(row.Bucket()+column.Bucket())%D] += float64(row.Sign()*column.Sign()) * e.Value
	}
}

// It is so for products of small integers, with many ties and zeros, whether
// entries stand out or not.
func TestLargestOfIntegers(t *testing.T) {
	rng := rand.New(rand.NewSource(77))
	for seed := range uint64(400) {
		m, n := 1+rng.Intn(40), 1+rng.Intn(120)
		c := mustCompress(t, Params{M: m, N: n, NComponents: 1 + rng.Intn(1<<rng.Intn(9)),
			Repeats: 1 + rng.Intn(10), Seed: sketch.IntSeed(seed)})
		for range rng.Intn(1 << rng.Intn(10)) {
			addEntry(c, Entry{rng.Intn(m), rng.Intn(n), float64(rng.Intn(7) - 3)})
		}
		want := sortedEntries(c)
		for _, count := range []int{1, 3, m * n / 50, m * n / 17, m * n / 3, m * n} {
			if got := c.Largest(count); !slices.Equal(got, want[:min(count, m*n)]) {
				t.Errorf("%+v: the largest %d differ from a sort of all", c.params, count)
			}
		}
	}
}

// Largest finds few entries of a product too large to visit them all, and fills up
// with zeros in the order of rows and columns.
func TestLargestOfMany(t *testing.T) {
	const n = 1 << 16
	big, small := Entry{1 << 15, 12345, -2}, Entry{0, 1, 0.5}
	for _, c := range []struct {
		m, n, D int
		entries []Entry
		want    []Entry
	}{
		{n, n, 64, nil, []Entry{{0, 0, 0}, {0, 1, 0}, {0, 2, 0}, {0, 3, 0}, {0, 4, 0}}},
		{1 << 20, 1 << 20, 64, nil, []Entry{{0, 0, 0}, {0, 1, 0}, {0, 2, 0}}},
		{n, 2, 64, nil, []Entry{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}}},
		{1, n, 64, nil, []Entry{{0, 0, 0}, {0, 1, 0}, {0, 2, 0}}},
		{n, n, 1 << 12, []Entry{big}, []Entry{big}},
		{n, n, 1 << 12, []Entry{small, big}, []Entry{big, small, {0, 0, 0}, {0, 2, 0}}},
	} {
		product := mustCompress(t, Params{M: c.m, N: c.n, NComponents: c.D, Repeats: 5})
		for _, e := range c.entries {
			addEntry(product, e)
		}
		if got := product.Largest(len(c.want)); !slices.Equal(got, c.want) {
			t.Errorf("%d × %d, entries %v: largest %v, want %v", c.m, c.n, c.entries, got, c.want)
		}
	}
}

// The bits do not depend on how a product is handed over: at once or in parts, in
// chunks, sparse, over several goroutines.
func TestCompressedBits(t *testing.T) {
	rng := rand.New(rand.NewSource(6))
	const m, k, n = 13, 150, 7
	A, B := randomRows(rng, m, k), randomRows(rng, k, n)
	U := make([]float32, k*m) // the columns of A
	for i := range m {
		for r := range k {
			U[r*m+i] = A[i*k+r]
		}
	}
	for _, D := range []int{8, 45, 1000} {
		params := Params{M: m, N: n, NComponents: D, Repeats: 3, Seed: sketch.IntSeed(9)}
		want := mustCompress(t, params)
		need.OK(t, want.Add(A, B))
		sparse := sparseRows(rng, U, m)
		for name, add := range map[string]func(c *Compressed) error{
			"outer products": func(c *Compressed) error { return c.AddOuter(sketch.Dense(U), sketch.Dense(B)) },
			"sparse":         func(c *Compressed) error { return c.AddOuter(sparse, sparseRows(rng, B, n)) },
			"in parts": func(c *Compressed) error {
				if err := c.AddOuter(sketch.Dense(U[:17*m]), sketch.Dense(B[:17*n])); err != nil {
					return err
				}
				if err := c.AddOuter(sketch.Dense(nil), sketch.CSR{Indptr: []int32{0}}); err != nil {
					return err
				}
				return c.AddOuter(sketch.Dense(U[17*m:]), sketch.Dense(B[17*n:]))
			},
			"goroutines": func(c *Compressed) error { c.SetGoroutines(3); return c.Add(A, B) },
			"after an error": func(c *Compressed) error {
				bad := slices.Clone(U)
				bad[len(bad)-1] = float32(math.NaN())
				if err := c.AddOuter(sketch.Dense(bad), sketch.Dense(B)); err == nil {
					return errors.New("no error")
				}
				return c.Add(A, B)
			},
		} {
			c := mustCompress(t, params)
			if err := add(c); err != nil {
				t.Errorf("D %d, %s: %v", D, name, err)
			}
			if !slices.Equal(c.sums, want.sums) {
				t.Errorf("D %d, %s: the sketch has other bits", D, name)
			}
			if a, b := c.Largest(5), want.Largest(5); !slices.Equal(a, b) {
				t.Errorf("D %d, %s: largest entries %v, want %v", D, name, a, b)
			}
		}
	}
	c := mustCompress(t, Params{M: m, N: n, NComponents: 64})
	if allocated := testing.AllocsPerRun(10, func() { c.Entry(3, 4) }); allocated != 0 {
		t.Errorf("Entry allocates %v times", allocated)
	}
}

// The bits are the same on every platform: one digest, of sketches of dense and
// sparse matrices and of what they tell.
func TestCompressedDigest(t *testing.T) {
	const want = "c9668a441f6ebb0557aecf852462ab0a05386a1a2b435fd07858889e9c7f80d5"
	hash := stdsha256.New()
	for i, D := range []int{1, 9, 64, 97, 500, 1024} {
		m, k, n := 3+i, 10+7*i, 2+i*i
		c := mustCompress(t, Params{M: m, N: n, NComponents: D, Repeats: 1 + i, Seed: sketch.IntSeed(uint64(i))})
		X := digestInput(k * (m + n))
		need.OK(t, c.Add(X[:k*m], X[k*m:]))
		stdError := c.StdError(1, 1)
		if D == 1 {
			stdError = 0 // not a number, of whatever bits
		}
		for _, v := range append([]float64{c.SquaredNorm(), stdError}, c.sums...) {
			binary.Write(hash, binary.LittleEndian, math.Float64bits(v))
		}
		for _, e := range c.Largest(7) {
			fmt.Fprintln(hash, e.I, e.J, math.Float64bits(e.Value))
		}
	}
	if got := hex.EncodeToString(hash.Sum(nil)); got != want {
		t.Errorf("digest %s, want %s", got, want)
	}
}

func TestBadParams(t *testing.T) {
	for _, c := range []struct {
		params  Params
		message string
	}{
		{Params{N: 1, NComponents: 1}, "m must be an integer from 1 to 2147483647, got 0"},
		{Params{M: 1, N: -1, NComponents: 1}, "n must be an integer from 1"},
		{Params{M: 1, N: 1}, "nComponents must be an integer from 1 to 16777216, got 0"},
		{Params{M: 1, N: 1, NComponents: 1, Repeats: 1025}, "repeats must be an integer from 1 to 1024, got 1025"},
	} {
		_, err := New(c.params)
		var e *sketch.Error
		if !errors.As(err, &e) || e.Code != sketch.ErrParam || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%+v: error %v, want %q", c.params, err, c.message)
		}
	}
}

// Errors name the matrix and the place, and leave the sketch as it was.
func TestBadProductsOfMatrices(t *testing.T) {
	nan := float32(math.NaN())
	zeros := make([]float32, 200*2)
	large := slices.Clone(zeros)
	large[190*2] = 3e38
	c := mustCompress(t, Params{M: 2, N: 2, NComponents: 4})
	need.OK(t, c.Add([]float32{1, 2}, []float32{3, 4}))
	want := slices.Clone(c.sums)
	for _, bad := range []struct {
		err     error
		code    sketch.Code
		message string
	}{
		{c.Add([]float32{1}, nil), sketch.ErrShape, "A must hold a multiple of m = 2 values, got 1"},
		{c.Add([]float32{1, 2, 3, 4}, []float32{1, 2}),
			sketch.ErrShape, "B must hold n = 2 values for each column of A, 4, got 2"},
		{c.Add([]float32{1, 2, 3, nan}, make([]float32, 4)), sketch.ErrNonFinite, "A row 1, column 1 must be finite"},
		{c.Add(make([]float32, 6), []float32{1, 2, 3, 4, nan, 6}),
			sketch.ErrNonFinite, "B row 2, column 0 must be finite"},
		{c.Add(append([]float32{3e38}, zeros[1:]...), append([]float32{3e38}, zeros[1:]...)), sketch.ErrOverflow,
			"B row 0 must have an outer product with that column of A within the range of float32"},
		{c.AddOuter(sketch.Dense(zeros[:3]), sketch.Dense(zeros)), sketch.ErrShape, "U must hold a multiple"},
		{c.AddOuter(sketch.Dense(zeros), sketch.CSR{}), sketch.ErrShape, "V.indptr must begin with 0"},
		{c.AddOuter(sketch.Dense(zeros), sketch.Dense(zeros[:4])),
			sketch.ErrShape, "V must have as many rows as U, 200, got 2 rows"},
		{c.AddOuter(sketch.Dense(large), sketch.Dense(large)), sketch.ErrOverflow,
			"V row 190 must have an outer product with that row of U within"},
		{c.AddOuter(sketch.CSR{Indptr: []int32{0, 1}, Indices: []int32{2}, Data: []float32{1}}, sketch.Dense{1, 2}),
			sketch.ErrShape,
			"U row 0, column 2 must have columns from 0"},
		{c.AddOuter(sketch.CSR{Indptr: []int32{0, 1}, Indices: []int32{-7}, Data: []float32{1}}, sketch.Dense{1, 2}),
			sketch.ErrShape,
			"U row 0 must have columns from 0 to nFeatures − 1 = 1, got -7"},
		{c.AddOuter(sketch.Dense{1, 2, 3, 4},
			sketch.CSR{Indptr: []int32{0, 1, 3}, Indices: []int32{0, 1, 1}, Data: []float32{1, 2, 3}}),
			sketch.ErrShape,
			"V row 1, column 1 must hold each column once"},
		{c.AddOuter(sketch.Dense{1, 2, nan, 4}, sketch.Dense{1, 2, 3, 4}),
			sketch.ErrNonFinite, "U row 1, column 0 must be finite"},
	} {
		var e *sketch.Error
		if !errors.As(bad.err, &e) || e.Code != bad.code || !strings.Contains(e.Error(), bad.message) {
			t.Errorf("error %v, want %v with %q", bad.err, bad.code, bad.message)
		}
	}
	if !slices.Equal(c.sums, want) {
		t.Error("failed calls changed the sketch")
	}
	need.Panics(t, "wrong entry", "product: entry (0, 2)", func() { c.Entry(0, 2) })
}

// MemoryBytes covers what a sketch, one Add and one Largest allocate, and not much
// more.
func TestCompressedMemory(t *testing.T) {
	slow.Elsewhere(t)
	for _, params := range []Params{
		{M: 300, N: 200, NComponents: 1 << 14},
		{M: 500, N: 100000, NComponents: 1024, Repeats: 5},
		{M: 10, N: mostTables + 1, NComponents: 40501, Repeats: 1},
		{M: 100, N: 100, NComponents: 1 << 18, Repeats: 1},
	} {
		params = params.WithDefaults()
		predicted, k := params.MemoryBytes(), params.chunk(1)
		if params.N > mostTables {
			if k = 1; testing.Short() {
				continue
			}
		}
		A, B := make([]float32, params.M*k), make([]float32, params.N*k)
		A[0], B[0] = 1, 1
		got := need.Allocated(func() {
			c := mustCompress(t, params)
			need.OK(t, c.Add(A, B))
			c.Largest(1)
		})
		if got > predicted || 2*got < predicted {
			t.Errorf("%+v: %d bytes were allocated, predicted %d", params, got, predicted)
		}
	}
}

func BenchmarkCompressedAdd(b *testing.B) {
	for _, D := range []int{1024, 4096} {
		b.Run(fmt.Sprintf("m=n=1000 k=64 t=1 D=%d", D), func(b *testing.B) {
			rng := rand.New(rand.NewSource(1))
			A, B := randomRows(rng, 1000, 64), randomRows(rng, 64, 1000)
			c := mustCompress(b, Params{M: 1000, N: 1000, NComponents: D, Repeats: 1})
			for b.Loop() {
				need.OK(b, c.Add(A, B))
			}
		})
	}
}

func BenchmarkLargest(b *testing.B) {
	rng := rand.New(rand.NewSource(1))
	A, B := randomRows(rng, 1000, 64), randomRows(rng, 64, 1000)
	c := mustCompress(b, Params{M: 1000, N: 1000, NComponents: 4096})
	need.OK(b, c.Add(A, B))
	for b.Loop() {
		c.Largest(100)
	}
}
