package report

import "tensorsketch.example/ui/internal/splitmix"

// rowsKept bounds the rows a Reservoir keeps, and bytesKept their size.
const (
	rowsKept  = 400
	bytesKept = 64 << 20
)

// A Reservoir keeps an even sample of the rows of a stream, each with its
// features (Vitter's algorithm R). Which rows it keeps depends only on how many
// there are, so that two runs over the same rows sample the same.
type Reservoir struct {
	nFeatures int
	capacity  int
	seen      int
	random    splitmix.Source
	rows      []Row
}

// A Row is a vector as it was embedded, its features, and its number in the
// stream.
type Row struct {
	Index int
	X, Z  []float32
}

// NewReservoir returns an empty reservoir for rows of d numbers with D features.
func NewReservoir(nFeatures, nComponents int) *Reservoir {
	capacity := bytesKept / (4 * (nFeatures + nComponents))
	return &Reservoir{nFeatures: nFeatures, capacity: min(max(capacity, 2), rowsKept), random: 1}
}

// Add offers the next row of the stream with its features, which are copied if it is
// kept; vector writes its coordinates then.
func (r *Reservoir) Add(z []float32, vector func(x []float32)) {
	index := r.seen
	r.seen++
	if len(r.rows) < r.capacity {
		row := Row{index, make([]float32, r.nFeatures), append([]float32(nil), z...)}
		vector(row.X)
		r.rows = append(r.rows, row)
		return
	}
	if slot := r.random.Below(r.seen); slot < r.capacity {
		kept := &r.rows[slot]
		kept.Index = index
		vector(kept.X)
		copy(kept.Z, z)
	}
}

// Heaviest returns which of some groups of coordinates, of those widths one after the
// other, has the largest share of the squared length of the rows, on average, and that share.
func (r *Reservoir) Heaviest(widths []int) (group int, share float64) {
	shares := make([]float64, len(widths))
	for i := range r.rows {
		x := r.rows[i].X
		length := squares(x)
		if length == 0 {
			continue
		}
		at := 0
		for g, width := range widths {
			end := min(at+width, len(x))
			shares[g] += squares(x[at:end]) / length / float64(len(r.rows))
			at = end
		}
	}
	for g := range shares {
		if shares[g] > share {
			group, share = g, shares[g]
		}
	}
	return group, share
}

func squares(x []float32) (sum float64) {
	for _, v := range x {
		sum += float64(v) * float64(v)
	}
	return sum
}

// Pair returns two of the rows, and whether there are as many.
func (r *Reservoir) Pair() (x, y []float32, ok bool) {
	if len(r.rows) < 2 {
		return nil, nil, false
	}
	return r.rows[0].X, r.rows[1].X, true
}
