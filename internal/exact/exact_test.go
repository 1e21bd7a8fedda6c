package exact

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"tensorsketch.example/internal/exact/integer"
)

// The oracle is math/big: sums as integers in units of 2^Unit.

// units returns x in units, which must be one.
func units(t *testing.T, x float64) *big.Int {
	t.Helper()
	scaled := new(big.Float).SetMantExp(big.NewFloat(x), -Unit)
	n, accuracy := scaled.Int(nil)
	if accuracy != big.Exact {
		t.Fatalf("%v is no multiple of the unit", x)
	}
	return n
}

// kinds draw numbers of all sizes, and of the sizes that features have.
var kinds = map[string]func(r *rand.Rand) float32{
	"features": func(r *rand.Rand) float32 { return float32(r.NormFloat64()) },
	"noise among features": func(r *rand.Rand) float32 {
		return float32(r.NormFloat64() * math.Pow(2, -float64(r.IntN(40))))
	},
	"integers": func(r *rand.Rand) float32 { return float32(r.IntN(9) - 4) },
	"zeros":    func(r *rand.Rand) float32 { return float32(math.Copysign(0, float64(r.IntN(2))-1)) },
	"all sizes": func(r *rand.Rand) float32 {
		for {
			if x := math.Float32frombits(r.Uint32()); x-x == 0 {
				return x
			}
		}
	},
	"ends": func(r *rand.Rand) float32 {
		ends := []float32{0, math.MaxFloat32, -math.MaxFloat32, math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32, 1,
			-1, 0x1p-126}
		return ends[r.IntN(len(ends))]
	},
	"largest": func(r *rand.Rand) float32 { return math.MaxFloat32 },
}

func TestAddIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, draw := range kinds {
		for _, weighted := range []bool{false, true} {
			for _, n := range []int{0, 1, 3, 4, 5, blockRows - 1, blockRows, blockRows + 1, 2*blockRows + 6} {
				width := 1 + r.IntN(23)
				rows, weights := make([]float32, n*width), []float32(nil)
				for i := range rows {
					rows[i] = draw(r)
				}
				if weighted {
					weights = make([]float32, n)
					for i := range weights {
						weights[i] = draw(r)
					}
				}
				sums, want := make([]uint64, width*Words), make([]big.Int, width)
				NewBlock(width).Add(sums, rows, SpreadOf(rows), weights, SpreadOf(weights))
				for i, z := range rows {
					w := 1.0
					if weighted {
						w = float64(weights[i/width])
					}
					want[i%width].Add(&want[i%width], units(t, w*float64(z)))
				}
				for j := range want {
					if got := integer.Of(sums[j*Words : (j+1)*Words]); got.Cmp(&want[j]) != 0 {
						t.Fatalf("%s, weighted %v, %d rows, component %d: got %v, want %v", name, weighted, n, j, got, &want[j])
					}
				}
			}
		}
	}
}

// Both ways of adding a block occur in TestAddIsExact: features go the fast one,
// a spread of all sizes the slow one.
func TestFeaturesGoTheFastWay(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for name, want := range map[string]bool{"features": true, "noise among features": true, "all sizes": false} {
		rows := make([]float32, 64*100)
		for i := range rows {
			rows[i] = kinds[name](r)
		}
		bottom, top := SpreadOf(rows).exponents()
		if got := bottom >= top+3*blockBits-159; got != want {
			t.Errorf("%s: fast %v, want %v", name, got, want)
		}
	}
}

func TestSpread(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for name, draw := range kinds {
		for range 1000 {
			values := make([]float32, 1+r.IntN(50))
			for i := range values {
				values[i] = draw(r)
			}
			spread := SpreadOf(values)
			bottom, top := spread.exponents()
			for _, v := range values {
				if size := math.Abs(float64(v)); size > math.Ldexp(1, top) {
					t.Fatalf("%s: |%v| > 2^%d", name, v, top)
				}
				if units := math.Ldexp(float64(v), -bottom); units != math.Trunc(units) {
					t.Fatalf("%s: %v is no multiple of 2^%d", name, v, bottom)
				}
			}
		}
	}
	for _, v := range []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))} {
		if SpreadOf([]float32{0, 1, 2, 3, 4, v})&MayBeInfinite == 0 {
			t.Errorf("%v is taken for finite", v)
		}
	}
	if SpreadOf([]float32{0, 1, -1e36, 1e-45})&MayBeInfinite != 0 {
		t.Error("ordinary numbers are taken for infinite")
	}
}

// random returns a sum of up to the given bits, of either sign.
func random(r *rand.Rand, most int) []uint64 {
	sum := make([]uint64, Words)
	n := r.IntN(most + 1)
	for i := range n {
		sum[i/64] |= uint64(r.IntN(2)) << (i % 64)
	}
	if r.IntN(3) == 0 { // few bits, for ties
		clear(sum)
		for range r.IntN(4) {
			i := r.IntN(n + 1)
			sum[i/64] |= 1 << (i % 64)
		}
	}
	if r.IntN(2) == 0 {
		negative := make([]uint64, Words)
		Merge(negative, sum, true)
		return negative
	}
	return sum
}

func TestMerge(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		a, b := random(r, 600), random(r, 600)
		sum, difference := slices.Clone(a), slices.Clone(a)
		Merge(sum, b, false)
		Merge(difference, b, true)
		if got, want := integer.Of(sum), new(big.Int).Add(integer.Of(a), integer.Of(b)); got.Cmp(want) != 0 {
			t.Fatalf("%v + %v: got %v", integer.Of(a), integer.Of(b), got)
		}
		if got, want := integer.Of(difference), new(big.Int).Sub(integer.Of(a), integer.Of(b)); got.Cmp(want) != 0 {
			t.Fatalf("%v − %v: got %v", integer.Of(a), integer.Of(b), got)
		}
	}
}

// TestWide: against math/big, at all sizes, in two orders.
func TestWide(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 50 {
		numbers := []float64{math.SmallestNonzeroFloat64, -math.MaxFloat64 / 1e10, 0, math.Copysign(0, -1),
			0x1p-1022, -0x1p31}
		for range 200 {
			numbers = append(numbers, math.Ldexp(random.NormFloat64(), random.IntN(1600)-800))
		}
		const precision = 5000
		sum, squares := new(big.Float).SetPrec(precision), new(big.Float).SetPrec(precision)
		var forward, backward, ofSquares Wide
		for i, x := range numbers {
			b := new(big.Float).SetPrec(precision).SetFloat64(x)
			sum.Add(sum, b)
			squares.Add(squares, b.Mul(b, b))
			forward.Add(x)
			backward.Add(numbers[len(numbers)-1-i])
			ofSquares.AddSquare(x)
		}
		for got, want := range map[*Wide]*big.Float{&forward: sum, &backward: sum, &ofSquares: squares} {
			units := new(big.Float).SetPrec(precision).SetInt(integer.Of(got[:]))
			if units.SetMantExp(units, WideUnit).Cmp(want) != 0 {
				t.Fatalf("got %v, want %v", units, want)
			}
		}
	}
}

func BenchmarkAdd(b *testing.B) {
	r := rand.New(rand.NewPCG(9, 10))
	const n, width = 256, 1024
	for _, c := range []struct{ name, kind string }{{"features", "features"}, {"slow", "all sizes"}} {
		rows := make([]float32, n*width)
		for i := range rows {
			rows[i] = kinds[c.kind](r)
		}
		b.Run(c.name, func(b *testing.B) {
			sums, block := make([]uint64, width*Words), NewBlock(width)
			for b.Loop() {
				block.Add(sums, rows, SpreadOf(rows), nil, 0)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
		})
	}
}
