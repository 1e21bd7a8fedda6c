package index

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// clustered returns embeddings as encoders of texts give them: normal clusters whose coordinates fade, about a common
// mean, of length 1.
func clustered(r *rand.Rand, rows, d, clusters int) []float32 {
	centres := make([]float64, clusters*d)
	for i := range centres {
		centres[i] = r.NormFloat64()
	}
	X := make([]float32, rows*d)
	row := make([]float64, d)
	for i := range rows {
		c, norm := r.IntN(clusters), 0.0
		for j := range row {
			fade := 1 / math.Sqrt(1+float64(j)/16)
			row[j] = fade*(centres[c*d+j]+0.8*r.NormFloat64()) + 0.3
			norm += row[j] * row[j]
		}
		for j, v := range row {
			X[i*d+j] = float32(v / math.Sqrt(norm))
		}
	}
	return X
}

// pseudo returns rows of numbers in [−0.5, 0.5) that test/api/index.test.mjs makes, too.
func pseudo(rows, d int) []float32 {
	X, state := make([]float32, rows*d), uint32(1)
	for i := range X {
		state = state*1664525 + 1013904223
		X[i] = float32(state>>8)/(1<<24) - 0.5
	}
	return X
}

func made(t testing.TB, o Options) *Index {
	t.Helper()
	x, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func filled(t testing.TB, o Options, X []float32) *Index {
	t.Helper()
	x := made(t, o)
	if _, err := x.Add(X, nil); err != nil {
		t.Fatal(err)
	}
	return x
}

func search(t testing.TB, x *Index, q []float32, k int) []Hit {
	t.Helper()
	hits, err := x.Search(nil, q, k, 0)
	if err != nil {
		t.Fatal(err)
	}
	return hits
}

// recall returns the share of the k nearest rows of each query that an index finds.
func recall(t testing.TB, x, exact *Index, queries []float32, k int) float64 {
	t.Helper()
	n, found, total := x.Options().NFeatures, 0, 0
	for q := 0; q < len(queries); q += n {
		got := map[uint32]bool{}
		for _, hit := range search(t, x, queries[q:q+n], k) {
			got[hit.ID] = true
		}
		for _, hit := range search(t, exact, queries[q:q+n], k) {
			total++
			if got[hit.ID] {
				found++
			}
		}
	}
	return float64(found) / float64(total)
}

func TestRecall(t *testing.T) {
	const d, rows = 384, 2000
	X := clustered(rand.New(rand.NewPCG(1, 1)), rows+60, d, 20)
	X, queries := X[:rows*d], X[rows*d:]
	for _, metric := range []Metric{Cosine, Euclidean} {
		exact := filled(t, Options{NFeatures: d, Metric: metric, Bits: 32}, X)
		for _, c := range []struct {
			bits int
			keep bool
			want float64
		}{{8, false, 0.98}, {4, false, 0.9}, {4, true, 0.99}} {
			x := filled(t, Options{NFeatures: d, Metric: metric, Bits: c.bits, Keep: c.keep}, X)
			got := recall(t, x, exact, queries, 10)
			t.Logf("metric %d, %d bits, keep %v: recall@10 %.4f", metric, c.bits, c.keep, got)
			if got < c.want {
				t.Errorf("metric %d, %d bits, keep %v: recall@10 is %.3f, want at least %v", metric, c.bits, c.keep, got, c.want)
			}
		}
	}
}

// TestRelativeError compares the errors of estimates over rotations with the formula, for widths that are a power of
// two and others, and for rows of one number, which only the rotation spreads.
func TestRelativeError(t *testing.T) {
	for _, d := range []int{64, 96, 384} {
		for _, bits := range []int{8, 4} {
			sum, n := 0.0, 0
			for seed := range uint32(4) {
				errors := errorsOf(t, d, bits, seed)
				for _, e := range errors {
					sum += e * e
				}
				n += len(errors)
			}
			got, want := math.Sqrt(sum/float64(n)), RelativeError((d+31)/32*32, bits)
			t.Logf("d %d, %d bits: %.6f, formula %.6f", d, bits, got, want)
			if ratio := got / want; ratio < 0.93 || ratio > 1.07 {
				t.Errorf("d %d, %d bits: errors are %.6f ‖q‖·‖x‖, want %.6f", d, bits, got, want)
			}
		}
	}
}

// errorsOf returns errors of estimates between orthogonal unit vectors, in units of their lengths.
func errorsOf(t *testing.T, d, bits int, seed uint32) []float64 {
	x := made(t, Options{NFeatures: d, Metric: Inner, Bits: bits, Seed: seed})
	X := make([]float32, x.rowsOfCentre()*d)
	for i := 0; i < x.rowsOfCentre(); i += 2 { // x and −x: the mean is 0
		X[i*d+i/2%d], X[(i+1)*d+i/2%d] = 1, -1
	}
	if _, err := x.Add(X, nil); err != nil {
		t.Fatal(err)
	}
	q := make([]float32, d)
	q[d-1] = 1
	var errors []float64
	for _, hit := range search(t, x, q, x.Len()) {
		if at := int(hit.ID) / 2 % d; at != d-1 {
			errors = append(errors, hit.Score)
		}
	}
	return errors
}

// TestDigests: the file and the scores are the same on every platform. test/api/index.test.mjs has the same digest.
func TestDigests(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{NFeatures: 48, Metric: Cosine, Bits: 4}, "b4b7172ddc631c0f"},
		{Options{NFeatures: 48, Metric: Euclidean, Bits: 8, Keep: true, Seed: 7}, "11156d3bb2abffee"},
		{Options{NFeatures: 48, Metric: Inner, Bits: 32}, "44c3518e9471ccb0"},
	} {
		x := filled(t, c.o, pseudo(1500, 48))
		x.Remove([]uint32{3, 77, 1499})
		h := sha256.New()
		h.Write(x.Bytes())
		for _, hit := range search(t, x, pseudo(20, 48), 7) {
			h.Write([]byte(hexOf(hit)))
		}
		if got := hex.EncodeToString(h.Sum(nil)); got[:16] != c.want {
			t.Errorf("%+v: digest %s, want %s", c.o, got[:16], c.want)
		}
	}
}

func hexOf(hit Hit) string {
	bits := math.Float64bits(hit.Score)
	var b [12]byte
	for i := range 8 {
		b[i] = byte(bits >> (8 * i))
	}
	for i := range 4 {
		b[8+i] = byte(hit.ID >> (8 * i))
	}
	return string(b[:])
}

func TestPortions(t *testing.T) {
	const d = 40
	X := pseudo(2100, d)
	want := filled(t, Options{NFeatures: d, Bits: 4}, X).Bytes()
	x := made(t, Options{NFeatures: d, Bits: 4})
	for from, step := 0, 1; from < 2100; from, step = from+step, step*2 {
		step = min(step, 2100-from)
		first, err := x.Add(X[from*d:(from+step)*d], nil)
		if err != nil || first != uint32(from) {
			t.Fatal(first, err)
		}
	}
	if !bytes.Equal(x.Bytes(), want) {
		t.Error("the file depends on the portions in which rows were added")
	}
	if int64(len(want)) != x.FileBytes() {
		t.Errorf("FileBytes is %d, want %d", x.FileBytes(), len(want))
	}
}

func TestRemoved(t *testing.T) {
	const d = 24
	r := rand.New(rand.NewPCG(2, 2))
	X := pseudo(3000, d)
	for _, bits := range []int{4, 32} {
		x, lives := filled(t, Options{NFeatures: d, Metric: Euclidean, Bits: bits}, X), map[uint32]bool{}
		for id := range uint32(3000) {
			lives[id] = true
		}
		for range 30 {
			var ids []uint32
			for range 60 {
				ids = append(ids, r.Uint32N(3000))
			}
			want := 0
			for _, id := range ids {
				if lives[id] {
					want++
					delete(lives, id)
				}
			}
			if got := x.Remove(ids); got != want || x.Len() != len(lives) {
				t.Fatalf("Remove is %d and Len %d, want %d and %d", got, x.Len(), want, len(lives))
			}
			back := ids[r.IntN(len(ids))]
			if _, err := x.Add(X[int(back)*d:int(back+1)*d], []uint32{back}); err != nil {
				t.Fatal(err)
			}
			lives[back] = true
			hits := search(t, x, X[:d], 5000)
			if len(hits) != len(lives) {
				t.Fatalf("%d hits, want %d", len(hits), len(lives))
			}
			for i, hit := range hits {
				if !lives[hit.ID] || i > 0 && hits[i-1].Score > hit.Score {
					t.Fatalf("hit %d is %+v, after %+v", i, hit, hits[max(i-1, 0)])
				}
			}
		}
	}
}

// TestFarFromOrigin: distances are small beside the lengths of rows. The last digits of products decide nothing.
func TestFarFromOrigin(t *testing.T) {
	const d, rows, k = 9, 700, 5
	X := pseudo(rows, d)
	for i := range X {
		X[i] = 3e5 + 40*X[i]
	}
	for _, bits := range []int{32, 8} {
		x := filled(t, Options{NFeatures: d, Metric: Euclidean, Bits: bits}, X)
		for q := range 20 {
			query := X[q*d : (q+1)*d]
			far := make([]Hit, rows)
			for row := range far {
				sum := 0.0
				for j, v := range query {
					by := float64(v) - float64(X[row*d+j])
					sum += float64(by * by)
				}
				far[row] = Hit{ID: uint32(row), Score: math.Sqrt(sum)}
			}
			slices.SortFunc(far, func(a, b Hit) int {
				return cmp.Or(cmp.Compare(a.Score, b.Score), cmp.Compare(a.ID, b.ID))
			})
			for i, hit := range search(t, x, query, k) {
				if hit.ID != far[i].ID || hit.Score != far[i].Score {
					t.Fatalf("%d bits, row %d: hit %d is %d at %v, want %d at %v", bits, q, i, hit.ID, hit.Score,
						far[i].ID, far[i].Score)
				}
			}
		}
	}
}

// TestUndone: an Add that fails where it made the rows rounded leaves the index as it was, and so does Truncate after
// parts of an Add.
func TestUndone(t *testing.T) {
	const d = 6
	X := pseudo(2000, d)
	bad := append(slices.Clone(X[900*d:1999*d]), X[:d-1]...)
	bad = append(bad, float32(math.NaN()))
	for _, o := range []Options{{Bits: 4}, {Bits: 8, Metric: Euclidean}, {Bits: 8, Keep: true, Metric: Inner},
		{Bits: 8, Keep: true, Metric: Euclidean}} {
		o.NFeatures = d
		x := filled(t, o, X[:900*d])
		before := x.Bytes()
		if _, err := x.Add(bad, nil); err == nil {
			t.Fatal("NaN was added")
		}
		if !bytes.Equal(x.Bytes(), before) {
			t.Errorf("%+v: Add failed and changed the index", o)
		}
		next := x.NextID()
		for from := 900; from < 2000; from += 550 {
			if _, err := x.AddPart(X[from*d:(from+550)*d], nil); err != nil {
				t.Fatal(err)
			}
		}
		x.Truncate(900, next)
		if !bytes.Equal(x.Bytes(), before) {
			t.Errorf("%+v: Truncate does not give back what was before the parts", o)
		}
		if _, err := x.Add(X[900*d:], nil); err != nil {
			t.Fatal(err)
		}
		whole := filled(t, o, X)
		if !bytes.Equal(x.Bytes(), whole.Bytes()) {
			t.Errorf("%+v: rows that are added after a failure are not as if there had been none", o)
		}
		x.Remove([]uint32{5})
		whole.Remove([]uint32{5})
		if _, err := x.Add(bad, nil); err == nil || !bytes.Equal(x.Bytes(), whole.Bytes()) {
			t.Errorf("%+v: Add failed and changed a rounded index: %v", o, err)
		}
	}
}

func TestErrors(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{NFeatures: 0, Bits: 8}, "nFeatures must be an integer from 1 to 1048576, got 0"},
		{Options{NFeatures: 3, Bits: 5}, "bits must be 32, 8 or 4, got 5"},
		{Options{NFeatures: 3, Bits: 8, Metric: 3}, "metric must be cosine, inner or euclidean, got 3"},
	} {
		if _, err := New(c.o); err == nil || err.Error() != c.want {
			t.Errorf("New(%+v): %v, want %s", c.o, err, c.want)
		}
	}
	const beFinite = "must be finite: remove or replace NaN and infinite values, got "
	x := filled(t, Options{NFeatures: 2, Bits: 8}, []float32{1, 2})
	before := x.Bytes()
	for _, c := range []struct {
		X    []float32
		ids  []uint32
		want string
	}{
		{[]float32{1, 2, 3}, nil, "X must have rows of nFeatures = 2 numbers, got 3 numbers"},
		{[]float32{1, 2, 3, nan}, nil, "X row 1, column 1 " + beFinite + "NaN"},
		{[]float32{inf, 2}, nil, "X row 0, column 0 " + beFinite + "Infinity"},
		{[]float32{1, 2, 0, 0}, nil, "X row 1 must have a number that is not 0: a row of zeros has no cosine"},
		{[]float32{3e38, 2}, nil, "X row 0 must have a length of at most 1e18: scale it"},
		{[]float32{1e-30, 0}, nil, "X row 0 must have a length of at least 1e-18: scale it"},
		{[]float32{0, -1e-30}, nil, "X row 0 must have a length of at least 1e-18: scale it"},
		{[]float32{1, 2}, []uint32{1, 2}, "ids must have one id for each of 1 rows, got 2"},
		{[]float32{1, 2, 3, 4}, []uint32{5, 0}, "ids row 1 must be new: remove the row that has this id first, got 0"},
		{[]float32{1, 2}, []uint32{1<<32 - 1}, "ids row 0 must be at most 4294967294, got 4294967295"},
	} {
		if _, err := x.Add(c.X, c.ids); err == nil || err.Error() != c.want {
			t.Errorf("Add(%v, %v): %v, want %s", c.X, c.ids, err, c.want)
		}
		if !bytes.Equal(x.Bytes(), before) {
			t.Fatalf("Add(%v, %v) failed and changed the index", c.X, c.ids)
		}
	}
	for _, c := range []struct {
		q    []float32
		k    int
		want string
	}{
		{[]float32{1}, 1, "q must have rows of nFeatures = 2 numbers, got 1 numbers"},
		{[]float32{1, 2}, 0, "k must be a number of rows, an integer ≥ 1, got 0"},
		{[]float32{0, 0}, 1, "q row 0 must have a number that is not 0: a row of zeros has no cosine"},
	} {
		if _, err := x.Search(nil, c.q, c.k, 0); err == nil || err.Error() != c.want {
			t.Errorf("Search(%v, %d): %v, want %s", c.q, c.k, err, c.want)
		}
	}
	for _, metric := range []Metric{Inner, Euclidean} {
		x := filled(t, Options{NFeatures: 2, Bits: 8, Metric: metric}, []float32{0, 0})
		want := "q row 0 must have a length of at least 1e-18, or no number but 0: scale it"
		if _, err := x.Search(nil, []float32{1e-25, 0}, 1, 0); err == nil || err.Error() != want {
			t.Errorf("metric %d takes a query whose products are no float32: %v", metric, err)
		}
	}
	if hits := search(t, made(t, Options{NFeatures: 2, Bits: 4}), []float32{1, 0}, 3); len(hits) != 0 {
		t.Errorf("an empty index has the hits %v", hits)
	}
}

// TestDamaged flips each byte of files: all are refused. It cuts them anywhere, too.
func TestDamaged(t *testing.T) {
	for _, o := range []Options{{NFeatures: 3, Bits: 4}, {NFeatures: 3, Bits: 8, Keep: true, Metric: Euclidean}} {
		x := filled(t, o, pseudo(1030, 3))
		x.SetNote([]byte("the map"))
		file := x.Bytes()
		again, err := FromBytes(file)
		if err != nil || !bytes.Equal(again.Bytes(), file) || string(again.Note()) != "the map" {
			t.Fatal("the file is not read as it was written: ", err)
		}
		for i := 0; i < len(file); i += 1 + i/60 {
			for _, flip := range []byte{1, 0x80} {
				file[i] ^= flip
				if _, err := FromBytes(file); err == nil || strings.Contains(err.Error(), "got its ") {
					t.Fatalf("byte %d of %d, flipped by %#x, is taken, or no noun: %v", i, len(file), flip, err)
				}
				file[i] ^= flip
			}
			if _, err := FromBytes(file[:i]); err == nil {
				t.Fatalf("the first %d of %d bytes are taken", i, len(file))
			}
		}
	}
}

func FuzzFromBytes(f *testing.F) {
	for _, rows := range []int{0, 2, 1030} {
		f.Add(filled(f, Options{NFeatures: 3, Bits: 4}, pseudo(rows, 3)).Bytes())
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		if x, err := FromBytes(file); err == nil {
			_, err := x.Search(nil, make([]float32, x.Options().NFeatures), 3, 0)
			if x.Options().Metric != Cosine && err != nil {
				t.Error(err)
			}
		}
	})
}

func BenchmarkSearch(b *testing.B) {
	for _, bits := range []int{4, 8, 32} {
		x := filled(b, Options{NFeatures: 1024, Bits: bits}, pseudo(10_000, 1024))
		b.Run(map[int]string{4: "4bits", 8: "8bits", 32: "floats"}[bits], func(b *testing.B) {
			q := pseudo(1, 1024)
			for b.Loop() {
				search(b, x, q, 10)
			}
		})
	}
}
