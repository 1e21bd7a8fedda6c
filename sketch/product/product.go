// Package product sketches a matrix product A·B without computing it, finds its largest entries, and estimates any
// entry with its error (Pagh, Compressed matrix multiplication, ACM Transactions on Computation Theory 5, 2013). The
// sketch of a product is a sum of tensor sketches of degree 2, one for each column of A and row of B, so a product can
// be added in parts. The same parameters and seed give the same bits everywhere.
//
// With the streams and hashes of docs/SPEC.md, side e is 0 for the m rows of A and 1 for the n columns of B. As in
// section 3, stream (28, e) gives h_e and stream (29, e) gives s_e, for repeat r. Sketch r sums over the k columns a of
// A and rows b of B, in order. Each term is the features of section 5 for the vectors a, b with p = 2, γ = 1, c = 0:
// float32 numbers, summed in float64. So
//
//	c_r[b] = Σ_{i,j: h₀(i)+h₁(j) ≡ b mod D} s₀(i) s₁(j) (A·B)_ij.
//
// Entry (i, j) is the median over r of s₀(i) s₁(j) c_r[(h₀(i) + h₁(j)) mod D]; for even t the mean of the middle two.
// Largest entries are by magnitude, ties in row-major order. The estimate of ‖A·B‖² is the mean over r of ‖c_r‖². A
// call with non-finite values, or with outer products whose sketch exceeds float32, is refused and adds nothing.
package product

import (
	"math"
	"slices"
	"strconv"

	"tensorsketch.example/internal/engine/order"
	"tensorsketch.example/internal/portable"
	"tensorsketch.example/sketch"
)

// Params are the parameters of a Compressed product. A zero Repeats stands for its default.
type Params struct {
	M, N        int // rows of A and columns of B, 1 … sketch.MaxFeatures
	NComponents int // D, numbers per sketch, 1 … sketch.MaxComponents: several times the number of entries to find
	// Repeats is t, the number of independent sketches whose median is taken, 1 … 1024. With the default, the least odd
	// number ≥ log₂(m·n), all entries lie within 4·‖A·B‖/√D at once with probability 7/8.
	Repeats int
	Seed    sketch.Seed
}

// maxRepeats is the limit of Params.Repeats.
const maxRepeats = 1 << 10

// WithDefaults returns the parameters with the default of Repeats filled in.
func (p Params) WithDefaults() Params {
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
func (p *Params) Validate() error {
	for _, field := range []struct {
		argument    string
		value, most int
	}{
		{"m", p.M, sketch.MaxFeatures}, {"n", p.N, sketch.MaxFeatures},
		{"nComponents", p.NComponents, sketch.MaxComponents}, {"repeats", p.Repeats, maxRepeats},
	} {
		if field.value < 1 || field.value > field.most {
			return sketch.ErrParam.New(field.argument, strconv.Itoa(field.value),
				"be an integer from 1 to "+strconv.Itoa(field.most))
		}
	}
	return nil
}

// A Compressed product is a sketch of a matrix product A·B of m × n numbers, made without computing
// the product. A·B is the sum of the outer products of A's columns and B's rows. The sketch of an
// outer product is the tensor sketch of degree 2 of unlike vectors. Its numbers are
//
//	c[b] = Σ_{i,j: h₁(i)+h₂(j) ≡ b mod D} s₁(i)·s₂(j)·(A·B)_ij,
//
// so s₁(i)·s₂(j)·c[h₁(i)+h₂(j) mod D] estimates entry (i, j) without bias, with the variance
// (‖A·B‖² − (A·B)_ij²)/D in the Frobenius norm. Entry returns the median of t such estimates. For k
// columns of A it takes O(t·(nnz(A) + nnz(B) + k·D log D)) time, and t·D numbers.
//
// It keeps scratch memory, so it is not safe for concurrent use.
type Compressed struct {
	params     Params
	outer      *sketch.OuterSketches // side 0 hashes rows of A, side 1 columns of B
	sums       []float64             // t sketches of D numbers each
	goroutines int
	values     []float64 // of an entry, one per repeat
}

// New returns the sketch of the zero matrix, ready for Add.
// The error is a *sketch.Error with code ErrParam.
func New(params Params) (*Compressed, error) {
	params = params.WithDefaults()
	if err := params.Validate(); err != nil {
		return nil, err
	}
	return &Compressed{
		params: params, goroutines: 1,
		outer:  sketch.NewOuterSketches(params.M, params.N, params.NComponents, params.Repeats, params.Seed),
		sums:   make([]float64, params.Repeats*params.NComponents),
		values: make([]float64, params.Repeats),
	}, nil
}

// MemoryBytes estimates the maximum number of bytes that New, one call of Add and
// one call of Largest allocate. Largest needs 128 bytes more for each entry requested. The
// parameters must be valid, with defaults filled in.
func (p *Params) MemoryBytes() int64 {
	D, repeats := int64(p.NComponents), int64(p.Repeats)
	total := sketch.OuterSketchesBytes(p.M, p.N, p.NComponents, p.Repeats)
	total += 2 * 8 * D * repeats                             // the sums, and a copy of them during Add
	total += 4 * int64(p.chunk(1)) * (D + int64(p.M))        // outer products and their columns
	total += 4*repeats*(2*D+int64(p.N)) + 8*D + 4*int64(p.N) // Largest
	return total + total/16 + 1024*repeats
}

// chunk returns the number of outer products sketched per call.
func (p *Params) chunk(goroutines int) int {
	most := 1 << 20 / max(p.NComponents, p.M)
	return max(sketch.Lanes(), min(64*goroutines, most))
}

// Params returns the parameters with every default filled in.
func (c *Compressed) Params() Params { return c.params }

// SetGoroutines lets Add and AddOuter spread their work over n goroutines. With n below 2, the
// default, only the caller's goroutine works. The bits do not depend on n.
func (c *Compressed) SetGoroutines(n int) {
	c.goroutines = max(1, n)
	c.outer.SetGoroutines(n)
}

// Add adds the product of A, m × k, and B, k × n, both row-major, for any k. Successive products
// are summed. The sketch of A·B has the same bits if A comes in several calls, cut between columns,
// and B between rows.
//
// The error is a *sketch.Error with code ErrShape, ErrNonFinite, or ErrOverflow if an outer product
// exceeds float32. After an error the sketch is unchanged.
func (c *Compressed) Add(A, B []float32) error {
	m, n := c.params.M, c.params.N
	if len(A)%m != 0 {
		return sketch.ErrShape.New("A", strconv.Itoa(len(A)), "hold a multiple of m = "+strconv.Itoa(m)+" values")
	}
	k := len(A) / m
	if len(B) != k*n {
		return sketch.ErrShape.New("B", strconv.Itoa(len(B)),
			"hold n = "+strconv.Itoa(n)+" values for each column of A, "+strconv.Itoa(k*n))
	}
	for _, matrix := range []struct {
		name    string
		values  []float32
		columns int
	}{{"A", A, k}, {"B", B, n}} {
		for at, v := range matrix.values {
			if v-v != 0 {
				err := sketch.ErrNonFinite.New(matrix.name, portable.FormatNumber(float64(v)),
					"be finite: remove or replace NaN and infinite values")
				err.Row, err.Column = at/matrix.columns, at%matrix.columns
				return err
			}
		}
	}
	var columns []float32
	const want = "have an outer product with that column of A within the range of float32: scale A or B down"
	return c.addOuters(k, "B", want,
		func(from, count int) (u, v sketch.Rows) {
			if columns == nil {
				columns = make([]float32, count*m)
			}
			for i := range m {
				for r, v := range A[i*k+from : i*k+from+count] {
					columns[r*m+i] = v
				}
			}
			return sketch.Dense(columns[:count*m]), sketch.Dense(B[from*n : (from+count)*n])
		})
}

// AddOuter adds the product Σ_r u_r·v_rᵀ of the rows of U, m numbers each, and of V, n numbers
// each, dense or sparse. It does for these rows what Add does for the columns of A and the rows of
// B, with the same bits and errors.
func (c *Compressed) AddOuter(U, V sketch.Rows) error {
	k, err := c.outer.Count(U, 0)
	if err != nil {
		return err
	}
	other, err := c.outer.Count(V, 1)
	if err != nil {
		return err
	}
	if k != other {
		return sketch.ErrShape.New("V", strconv.Itoa(other)+" rows", "have as many rows as U, "+strconv.Itoa(k))
	}
	const want = "have an outer product with that row of U within the range of float32: scale U or V down"
	return c.addOuters(k, "V", want,
		func(from, count int) (u, v sketch.Rows) {
			return rowsOf(U, c.params.M, from, count), rowsOf(V, c.params.N, from, count)
		})
}

// addOuters adds k outer products of rows, a chunk at a time; the first chunk is the longest. An
// overflow error names the given argument. After an error the sums are unchanged.
func (c *Compressed) addOuters(k int, argument, want string, rows func(from, count int) (u, v sketch.Rows)) error {
	chunk, before := min(k, c.params.chunk(c.goroutines)), slices.Clone(c.sums)
	out := make([]float32, chunk*c.params.NComponents)
	for from := 0; from < k; from += chunk {
		count := min(chunk, k-from)
		u, v := rows(from, count)
		if err := c.add(u, v, count, out); err != nil {
			copy(c.sums, before)
			e := err.(*sketch.Error)
			if e.RowsDone = -1; e.Row >= 0 {
				e.Row += from
			}
			if e.Code == sketch.ErrOverflow {
				e.Argument, e.Want = argument, want
			}
			return e
		}
	}
	return nil
}

// add adds the sketches of count outer products, in order, using out as scratch memory.
func (c *Compressed) add(columns, rows sketch.Rows, count int, out []float32) error {
	D := c.params.NComponents
	for r := range c.params.Repeats {
		z, err := c.outer.Transform(out[:count*D], r, columns, rows)
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

// rowsOf returns rows from … from+count−1 of X, which has d columns.
func rowsOf(X sketch.Rows, d, from, count int) sketch.Rows {
	if csr, ok := X.(sketch.CSR); ok {
		return csr.Slice(from, from+count)
	}
	return X.(sketch.Dense)[from*d : (from+count)*d]
}

// Entry returns the estimate of entry (i, j) of the product, counted from 0: the median of the
// estimates of the t sketches, or for even t the mean of the middle two. It panics if there is no
// such entry, and allocates nothing.
func (c *Compressed) Entry(i, j int) float64 {
	if i < 0 || i >= c.params.M || j < 0 || j >= c.params.N {
		panic("product: entry (" + strconv.Itoa(i) + ", " + strconv.Itoa(j) + ") of a product of " +
			strconv.Itoa(c.params.M) + " × " + strconv.Itoa(c.params.N))
	}
	D := c.params.NComponents
	for r := range c.values {
		c.values[r] = estimateEntry(c.sums[r*D:(r+1)*D], c.outer.Hash(r, 0, i), c.outer.Hash(r, 1, j))
	}
	return order.Median(c.values)
}

// estimateEntry returns s₁(i)·s₂(j)·c[h₁(i)+h₂(j) mod D].
func estimateEntry(sum []float64, row, column hash) float64 {
	bucket := row.Bucket() + column.Bucket()
	if bucket >= len(sum) {
		bucket -= len(sum)
	}
	if (row^column)>>31 != 0 {
		return -sum[bucket]
	}
	return sum[bucket]
}

// SquaredNorm returns an unbiased estimate of ‖A·B‖², the sum of the squares of the product's
// entries. It is the mean of the squared norms of the sketches.
func (c *Compressed) SquaredNorm() float64 {
	sum := 0.0
	for _, v := range c.sums {
		sum += float64(v * v)
	}
	return sum / float64(c.params.Repeats)
}

// StdError returns the standard deviation over seeds of a single sketch's estimate of entry (i, j),
// √((‖A·B‖² − (A·B)_ij²)/D), from the sketch's own estimates of the norm and the entry.
//
// It is NaN for D = 1: the square of a sketch's only number estimates both the squared norm and the
// square of every entry, and says nothing about their difference.
func (c *Compressed) StdError(i, j int) float64 {
	value := c.Entry(i, j)
	if c.params.NComponents == 1 {
		return math.NaN()
	}
	return math.Sqrt(max(0, c.SquaredNorm()-float64(value*value)) / float64(c.params.NComponents))
}
