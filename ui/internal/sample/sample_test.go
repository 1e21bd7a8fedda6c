package sample

import (
	"hash/fnv"
	"slices"
	"testing"
)

// TestDigest: every platform draws the same. The number changes only together
// with the generator, and with it the figures that the page opens with.
func TestDigest(t *testing.T) {
	rows, labels := Digits(1000)
	hash := fnv.New64a()
	for _, x := range rows {
		hash.Write([]byte{byte(x)})
	}
	hash.Write(labels)
	if got, want := hash.Sum64(), uint64(0xaa8246017fffff7e); got != want {
		t.Errorf("digest %#x, want %#x", got, want)
	}
}

// TestMixed: about a quarter of the digits have ink and paper swapped, of every digit some, and the ten that the page
// draws show it.
func TestMixed(t *testing.T) {
	const n = 1000
	plain, _ := Digits(n)
	rows, labels := Mixed(n)
	var swapped [10]int
	all, first := 0, 0
	for i := range n {
		if rows[i*Features] == plain[i*Features] && rows[i*Features+27] == plain[i*Features+27] {
			continue
		}
		for k := i * Features; k < (i+1)*Features; k++ {
			if rows[k] != Most-plain[k] {
				t.Fatalf("number %d of digit %d is %v, want %v", k-i*Features, i, rows[k], Most-plain[k])
			}
		}
		swapped[labels[i]]++
		if all++; i < 10 {
			first++
		}
	}
	if all < 200 || all > 300 || slices.Min(swapped[:]) < 10 || first < 2 || first > 4 {
		t.Errorf("%d are swapped, %d of the first ten; by digit %v", all, first, swapped)
	}
}

func TestDigits(t *testing.T) {
	const n = 1000
	rows, labels := Digits(n)
	if len(rows) != n*Features || len(labels) != n {
		t.Fatalf("%d numbers, %d labels", len(rows), len(labels))
	}
	for i := range n {
		ink := 0
		for j, x := range rows[i*Features : (i+1)*Features] {
			if x < 0 || x > Most || x != float32(int(x)) {
				t.Fatalf("digit %d, number %d is %v", i, j, x)
			}
			ink += int(x)
		}
		if ink < 60 || ink > 600 {
			t.Errorf("digit %d (a %d) has %d of 1024 dots inked", i, labels[i], ink)
		}
	}
}

// TestRecognisable: the nearest of the other digits, by cosine, mostly bears the
// same label. That is what makes a kernel over them worth looking at.
func TestRecognisable(t *testing.T) {
	const n = 500
	rows, labels := Digits(n)
	right := 0
	for i := range n {
		best, bestCosine := -1, -1.0
		for k := range n {
			if cosine := cosineSquared(rows[i*Features:(i+1)*Features], rows[k*Features:(k+1)*Features]); k != i &&
				cosine > bestCosine {
				best, bestCosine = k, cosine
			}
		}
		if labels[best] == labels[i] {
			right++
		}
	}
	if right < 95*n/100 {
		t.Errorf("%d of %d nearest neighbours bear the same label, want 95 %%", right, n)
	}
}

func cosineSquared(a, b []float32) float64 {
	var ab, aa, bb float64
	for i := range a {
		ab += float64(a[i] * b[i])
		aa += float64(a[i] * a[i])
		bb += float64(b[i] * b[i])
	}
	return ab * ab / (aa * bb)
}

func TestPicture(t *testing.T) {
	row := make([]float32, Features)
	row[0], row[9], row[63] = 16, 4, 16
	want := `<svg viewBox="0 0 8 8" role="img" aria-label="a drawn 7"><path fill="currentColor" ` +
		`fill-opacity="0.25" d="M1 1h1v1h-1z"/>` +
		`<path fill="currentColor" fill-opacity="1.00" d="M0 0h1v1h-1zM7 7h1v1h-1z"/></svg>`
	if got := Picture(row, 7); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
