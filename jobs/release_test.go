package jobs

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"slices"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/test/need"
)

// Rows are scaled to the radius, dense and sparse alike.
func TestClip(t *testing.T) {
	dense := sketch.Dense{3, 4, 0.3, 0.4, 0, 0, -6, 8}
	if n := clip(dense, 2, 5); n != 1 || !slices.Equal(dense, sketch.Dense{3, 4, 0.3, 0.4, 0, 0, -3, 4}) {
		t.Errorf("%d are clipped: %v", n, dense)
	}
	sparse := sketch.CSR{Indptr: []int32{0, 2, 2, 3}, Indices: []int32{0, 7, 3}, Data: []float32{3e38, 4e37, -2}}
	n := clip(sparse, 9, 1)
	if norm := math.Hypot(float64(sparse.Data[0]), float64(sparse.Data[1])); n != 2 || math.Abs(norm-1) > 1e-7 ||
		sparse.Data[2] != -1 {
		t.Errorf("%d are clipped: %v", n, sparse.Data)
	}
	// Rows that exceed the radius by the rounding of float32 alone are scaled, and not counted.
	rows := make(sketch.Dense, 3*1000)
	for i := 0; i < len(rows); i += 3 {
		x := [3]float64{math.Sin(float64(i)), math.Cos(7 * float64(i)), math.Sin(3*float64(i) + 1)}
		for j, v := range x {
			rows[i+j] = float32(v / math.Sqrt(x[0]*x[0]+x[1]*x[1]+x[2]*x[2]))
		}
	}
	before := slices.Clone(rows)
	if n := clip(rows, 3, 1); n != 0 || slices.Equal(before, rows) {
		t.Errorf("%d are counted", n)
	}
	if n := clip(sketch.Dense{1.000002, 0, 0, 1.0000005, 0, 0}, 3, 1); n != 1 {
		t.Errorf("%d of two are counted", n)
	}
}

// A file is known by its content, in pieces of 4 MiB.
func TestContentOf(t *testing.T) {
	sha := func(piece []byte) ([]byte, error) {
		sum := sha256.Sum256(piece)
		return sum[:], nil
	}
	content := make([]byte, contentPiece+5)
	for i := range content {
		content[i] = byte(i * i >> 3)
	}
	of := func(content []byte) string {
		return need.Value(contentOf(nil, NewFile("a.csv", bytes.NewReader(content)), sha))(t)
	}
	first, second := sha256.Sum256(content[:contentPiece]), sha256.Sum256(content[contentPiece:])
	whole := sha256.Sum256(append(first[:], second[:]...))
	if got, want := of(content), hex.EncodeToString(whole[:]); got != want {
		t.Errorf("the hash is %s, want %s", got, want)
	}
	before := of(content)
	if content[len(content)-1] ^= 1; of(content) == before {
		t.Error("one byte makes no difference")
	}
	empty := sha256.Sum256(nil)
	if got := of(nil); got != hex.EncodeToString(empty[:]) {
		t.Errorf("the hash of nothing is %s", got)
	}
	c := new(Control)
	c.Stop()
	if _, err := contentOf(c, NewFile("a.csv", bytes.NewReader(content)), sha); err != ErrStopped {
		t.Errorf("after a stop: %v", err)
	}
}

// A receiver is told the noise and the map, and nothing else.
func TestReleaseFile(t *testing.T) {
	r := &Released{ReleaseOptions: ReleaseOptions{Kind: "mean", Guarantee: Guarantee{1, 1e-5}, Radius: new(2.0), Count: 10,
		Budget: &Guarantee{4, 1e-5}}, NComponents: 8, Bound: 4, Sigma: 3}
	got := need.Value(ReleaseFile(r, []byte(`{"format":"tensorsketch-model"}`)))(t)
	const want = `{"format":"tensorsketch-release","version":1,"kind":"mean","rows":10,"nComponents":8,"epsilon":1,` +
		`"delta":0.00001,"radius":2,"bound":4,"sigma":3,"model":{"format":"tensorsketch-model"}}`
	if string(got) != want {
		t.Errorf("the file is %s, want %s", got, want)
	}
}
