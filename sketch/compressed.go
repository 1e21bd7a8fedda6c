package sketch

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// CompressedParams are the parameters of a CompressedProduct. A zero Repeats stands for its
// default.
type CompressedParams struct {
	M, N        int // rows of A and columns of B, 1 … MaxFeatures
	NComponents int // D, numbers per sketch, 1 … MaxComponents: several times the number of entries to find
	// Repeats is t, the number of independent sketches whose median is taken, 1 … 1024. The default
	// is the least odd number ≥ log₂(m·n): see medianProbability.
	Repeats int
	Seed    Seed
}

// maxProductRepeats is the limit of CompressedParams.Repeats.
const maxProductRepeats = 1 << 10

// WithDefaults returns the parameters with the default of Repeats filled in.
func (p CompressedParams) WithDefaults() CompressedParams {
	if p.Repeats == 0 {
		p.Repeats = 1
		for entries := float64(p.M) * float64(p.N); math.Ldexp(1, p.Repeats) < entries; {
			p.Repeats += 2
		}
	}
	return p
}

// Validate returns an error for the first field that is out of range. Zeros are not replaced by
// defaults.
func (p *CompressedParams) Validate() error {
	for _, field := range []struct {
		argument    string
		value, most int
	}{
		{"m", p.M, MaxFeatures}, {"n", p.N, MaxFeatures},
		{"nComponents", p.NComponents, MaxComponents}, {"repeats", p.Repeats, maxProductRepeats},
	} {
		if err := checkInt(field.argument, field.value, field.most); err != nil {
			return err
		}
	}
	return nil
}

// A CompressedProduct is a sketch of a matrix product A·B of m × n numbers, made without computing
// the product (Pagh, Compressed matrix multiplication, 2013). A·B is the sum of the outer products
// of A's columns and B's rows. The sketch of an outer product is the tensor sketch of degree 2 of
// unlike vectors. Its numbers are
//
//	c[b] = Σ_{i,j: h₁(i)+h₂(j) ≡ b mod D} s₁(i)·s₂(j)·(A·B)_ij,
//
// so s₁(i)·s₂(j)·c[h₁(i)+h₂(j) mod D] estimates entry (i, j) without bias, with the variance
// (‖A·B‖² − (A·B)_ij²)/D in the Frobenius norm. Entry returns the median of t such estimates. For k
// columns of A it takes O(t·(nnz(A) + nnz(B) + k·D log D)) time, and t·D numbers.
//
// It keeps scratch memory, so it is not safe for concurrent use.
type CompressedProduct struct {
	params     CompressedParams
	sketch     *FeatureMap
	tables     []*hashTables // per repeat; degree 0 hashes rows of A, degree 1 columns of B
	sums       []float64     // t sketches of D numbers each
	goroutines int
	values     []float64 // of an entry, one per repeat
}

// NewCompressedProduct returns the sketch of the zero matrix, ready for Add.
// The error is an *Error with code ErrParam.
func NewCompressedProduct(params CompressedParams) (*CompressedProduct, error) {
	params = params.WithDefaults()
	if err := params.Validate(); err != nil {
		return nil, err
	}
	tables := make([]*hashTables, params.Repeats)
	for r := range tables {
		tables[r] = params.tables(r)
	}
	sketch := new(FeatureMap)
	params.outer().copyTo(&sketch.params)
	sketch.useTensorCore(newTensorCore(&sketch.params))
	return &CompressedProduct{
		params: params, sketch: sketch, tables: tables, goroutines: 1,
		sums:   make([]float64, params.Repeats*params.NComponents),
		values: make([]float64, params.Repeats),
	}, nil
}

// outer returns the parameters of the sketch of outer products.
func (p *CompressedParams) outer() *Params {
	outer := &Params{NFeaturesEach: []int{p.M, p.N}, NComponents: p.NComponents}
	outer.setDefaults(tensorMethods)
	return outer
}

// cached reports whether the tables of all repeats are kept.
func (p *CompressedParams) cached() bool {
	return cachedEntries([]int{p.M, p.N}) > 0 && p.M+p.N <= maxCached/p.Repeats
}

// tables returns the hash functions of a repeat.
func (p *CompressedParams) tables(repeat int) *hashTables {
	h := &hashTables{nComponents: p.NComponents, poly: make([]polyHash, 2)}
	draw := p.Seed.randomness(repeat)
	for side := range h.poly {
		index := draw.stream(domainProductIndex, uint32(side))
		for i := range h.poly[side].index {
			h.poly[side].index[i] = index.residue()
		}
		h.poly[side].sign = newSignHash(draw, domainProductSign, uint32(side))
	}
	if p.cached() {
		tables := [][]entry{make([]entry, p.M), make([]entry, p.N)}
		for side := range tables {
			h.fill(tables[side], side, 0)
		}
		h.tables = tables
	}
	return h
}

// MemoryBytes estimates the maximum number of bytes that NewCompressedProduct, one call of Add and
// one call of Largest allocate. Largest needs 128 bytes more for each entry requested. The
// parameters must be valid, with defaults filled in.
func (p *CompressedParams) MemoryBytes() int64 {
	outer, D, repeats := p.outer(), int64(p.NComponents), int64(p.Repeats)
	total := outer.MemoryBytes() - 4*int64(cachedEntries([]int{p.M, p.N}))
	if p.cached() {
		total += 4 * repeats * (int64(p.M) + int64(p.N))
	}
	total += 2 * 8 * D * repeats                             // the sums, and a copy of them during Add
	total += 4 * int64(p.chunk(1)) * (D + int64(p.M))        // outer products and their columns
	total += 4*repeats*(2*D+int64(p.N)) + 8*D + 4*int64(p.N) // Largest
	return total + total/16 + 1024*repeats
}

// chunk returns the number of outer products sketched per call.
func (p *CompressedParams) chunk(goroutines int) int {
	most := 1 << 20 / max(p.NComponents, p.M)
	return max(Lanes(), min(64*goroutines, most))
}

// Params returns the parameters with every default filled in.
func (c *CompressedProduct) Params() CompressedParams { return c.params }

// SetGoroutines lets Add and AddOuter spread their work over n goroutines. With n below 2, the
// default, only the caller's goroutine works. The bits do not depend on n.
func (c *CompressedProduct) SetGoroutines(n int) {
	c.goroutines = max(1, n)
	c.sketch.SetGoroutines(n)
}

// Add adds the product of A, m × k, and B, k × n, both row-major, for any k. Successive products
// are summed. The sketch of A·B has the same bits if A comes in several calls, cut between columns,
// and B between rows.
//
// The error is an *Error with code ErrShape, ErrNonFinite, or ErrOverflow if an outer product
// exceeds float32. After an error the sketch is unchanged.
func (c *CompressedProduct) Add(A, B []float32) error {
	m, n := c.params.M, c.params.N
	if len(A)%m != 0 {
		return shapeError("A", strconv.Itoa(len(A)), "hold a multiple of m = "+strconv.Itoa(m)+" values")
	}
	k := len(A) / m
	if len(B) != k*n {
		return shapeError("B", strconv.Itoa(len(B)),
			"hold n = "+strconv.Itoa(n)+" values for each column of A, "+strconv.Itoa(k*n))
	}
	for _, matrix := range []struct {
		name    string
		values  []float32
		columns int
	}{{"A", A, k}, {"B", B, n}} {
		if at, value := firstNonFinite(matrix.values); at >= 0 {
			err := nonFiniteError(at/matrix.columns, at%matrix.columns, value)
			err.Argument, err.RowsDone = matrix.name, -1
			return err
		}
	}
	var columns []float32
	const want = "have an outer product with that column of A within the range of float32: scale A or B down"
	return c.addOuters(k, "B", want,
		func(from, count int) (u, v Rows) {
			if columns == nil {
				columns = make([]float32, count*m)
			}
			for i := range m {
				for r, v := range A[i*k+from : i*k+from+count] {
					columns[r*m+i] = v
				}
			}
			return Dense(columns[:count*m]), Dense(B[from*n : (from+count)*n])
		})
}

// AddOuter adds the product Σ_r u_r·v_rᵀ of the rows of U, m numbers each, and of V, n numbers
// each, dense or sparse. It does for these rows what Add does for the columns of A and the rows of
// B, with the same bits and errors.
func (c *CompressedProduct) AddOuter(U, V Rows) error {
	k, err := U.count(c.params.M)
	if err != nil {
		return renamed(err.(*Error), "X", "U")
	}
	other, err := V.count(c.params.N)
	if err != nil {
		return renamed(err.(*Error), "X", "V")
	}
	if k != other {
		return shapeError("V", strconv.Itoa(other)+" rows", "have as many rows as U, "+strconv.Itoa(k))
	}
	const want = "have an outer product with that row of U within the range of float32: scale U or V down"
	return c.addOuters(k, "V", want,
		func(from, count int) (u, v Rows) {
			return rowsOf(U, c.params.M, from, count), rowsOf(V, c.params.N, from, count)
		})
}

// addOuters adds k outer products of rows, a chunk at a time; the first chunk is the longest. An
// overflow error names the given argument. After an error the sums are unchanged.
func (c *CompressedProduct) addOuters(k int, argument, want string, rows func(from, count int) (u, v Rows)) error {
	chunk, before := min(k, c.params.chunk(c.goroutines)), slices.Clone(c.sums)
	out := make([]float32, chunk*c.params.NComponents)
	for from := 0; from < k; from += chunk {
		count := min(chunk, k-from)
		u, v := rows(from, count)
		if err := c.add(u, v, count, out); err != nil {
			copy(c.sums, before)
			e := ofOuter(err, from)
			if e.Code == ErrOverflow {
				e.Argument, e.Want = argument, want
			}
			return e
		}
	}
	return nil
}

// add adds the sketches of count outer products, in order, using out as scratch memory.
func (c *CompressedProduct) add(columns, rows Rows, count int, out []float32) error {
	D := c.params.NComponents
	for r, tables := range c.tables {
		c.sketch.tensorCore().hash = tables
		for _, helper := range c.sketch.helpers {
			helper.tensorCore().hash = tables
		}
		z, err := c.sketch.TransformProduct(out[:count*D], columns, rows)
		if err != nil {
			return err
		}
		sum := c.sums[r*D : (r+1)*D]
		for ; len(z) > 0; z = z[D:] {
			for b, v := range z[:D] {
				sum[b] += float64(v)
			}
		}
	}
	return nil
}

// ofOuter converts an error of TransformProduct for a chunk that begins at row from into an error
// of AddOuter.
func ofOuter(err error, from int) *Error {
	e := err.(*Error)
	if e.Row >= 0 {
		e.Row += from
	}
	e.RowsDone = -1
	return renamed(renamed(e, "Xs[0]", "U"), "Xs[1]", "V")
}

// renamed replaces the beginning of an error's argument.
func renamed(e *Error, from, to string) *Error {
	if rest, found := strings.CutPrefix(e.Argument, from); found {
		e.Argument = to + rest
	}
	return e
}

// rowsOf returns rows from … from+count−1 of X, which has d columns.
func rowsOf(X Rows, d, from, count int) Rows {
	if csr, ok := X.(CSR); ok {
		return csr.Slice(from, from+count)
	}
	return X.(Dense)[from*d : (from+count)*d]
}

// Entry returns the estimate of entry (i, j) of the product, counted from 0: the median of the
// estimates of the t sketches, or for even t the mean of the middle two. It panics if there is no
// such entry, and allocates nothing.
func (c *CompressedProduct) Entry(i, j int) float64 {
	if i < 0 || i >= c.params.M || j < 0 || j >= c.params.N {
		panic("sketch: entry (" + strconv.Itoa(i) + ", " + strconv.Itoa(j) + ") of a product of " +
			strconv.Itoa(c.params.M) + " × " + strconv.Itoa(c.params.N))
	}
	D := c.params.NComponents
	for r, tables := range c.tables {
		c.values[r] = estimateEntry(c.sums[r*D:(r+1)*D], tables.at(0, i), tables.at(1, j))
	}
	return median(c.values)
}

// estimateEntry returns s₁(i)·s₂(j)·c[h₁(i)+h₂(j) mod D].
func estimateEntry(sum []float64, row, column entry) float64 {
	bucket := row.Bucket() + column.Bucket()
	if bucket >= len(sum) {
		bucket -= len(sum)
	}
	if (row^column)>>31 != 0 {
		return -sum[bucket]
	}
	return sum[bucket]
}

// median sorts the values and returns their median, for an even number of values the mean of the
// middle two.
func median(values []float64) float64 {
	sortNumbers(values)
	middle := len(values) / 2
	if len(values)%2 == 1 {
		return values[middle]
	}
	return (values[middle-1] + values[middle]) / 2
}

// SquaredNorm returns an unbiased estimate of ‖A·B‖², the sum of the squares of the product's
// entries. It is the mean of the squared norms of the sketches.
func (c *CompressedProduct) SquaredNorm() float64 {
	sum := 0.0
	for _, v := range c.sums {
		sum += float64(v * v)
	}
	return sum / float64(c.params.Repeats)
}

// StdError returns the standard deviation over seeds of a single sketch's estimate of entry (i, j),
// √((‖A·B‖² − (A·B)_ij²)/D), from the sketch's own estimates of the norm and the entry.
// medianProbability bounds the probability that the median of t is off by more than a multiple of
// it.
//
// It is NaN for D = 1: the square of a sketch's only number estimates both the squared norm and the
// square of every entry, and says nothing about their difference.
func (c *CompressedProduct) StdError(i, j int) float64 {
	value := c.Entry(i, j)
	if c.params.NComponents == 1 {
		return math.NaN()
	}
	return math.Sqrt(max(0, c.SquaredNorm()-float64(value*value)) / float64(c.params.NComponents))
}

// medianProbability bounds the probability that the median of t independent estimates is off by ε
// or more. single bounds this probability for one estimate, for instance by chebyshevProbability.
// The median can only be off if at least half of the estimates are:
//
//	Σ_{s ≥ t/2} C(t, s)·single^s·(1 − single)^(t−s).
//
// For odd t it is at most 2^(t−1)·single^((t+1)/2). So all entries of a compressed product lie
// within 4·‖A·B‖/√D at once with probability 7/8 if t ≥ log₂(m·n), the default of t. It panics
// unless t ≥ 1 and 0 ≤ single ≤ 1.
func medianProbability(t int, single float64) float64 {
	if t < 1 || !(single >= 0 && single <= 1) {
		panic("sketch: medianProbability needs t ≥ 1 and a probability")
	}
	// Terms are summed from the largest s down, each computed from the previous one by a ratio. For
	// single > ½ the complement is as exact and cannot underflow.
	if single > 0.5 {
		return 1 - binomialTail(t, t/2+1, 1-single)
	}
	return min(1, binomialTail(t, (t+1)/2, single))
}

// binomialTail returns the probability of at least k ≥ 1 successes in t trials of probability
// p ≤ ½. It builds the term of k successes factor by factor, so that it neither overflows nor
// underflows early. It multiplies that by 1 plus the ratios of the further terms.
func binomialTail(t, k int, p float64) float64 {
	if k > t {
		return 0
	}
	term := 1.0 // C(t, k)·p^k·(1−p)^(t−k)
	for i := 1; i <= k; i++ {
		term *= float64(t-k+i) / float64(i) * p
		if i <= t-k {
			term *= 1 - p
		}
	}
	for range t - 2*k { // factors (1−p) not yet included by the loop
		term *= 1 - p
	}
	sum, next := 1.0, 1.0
	for s := k; s < t; s++ {
		next = float64(next * (float64(t-s) / float64(s+1) * (p / (1 - p))))
		sum += next
	}
	return term * sum
}
