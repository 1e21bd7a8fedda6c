package solve

import (
	"cmp"
	"slices"
	"strconv"

	"tensorsketch.example/internal/engine/dispatch"
	"tensorsketch.example/internal/engine/order"
	"tensorsketch.example/internal/portable"
	"tensorsketch.example/sketch"
)

// KeptRows is about how many rows a Spec of Prepare keeps.
const KeptRows = 2000

// KeepOf returns the share of so many rows that Prepare keeps.
func KeepOf(rows float64) float64 { return min(1, KeptRows/rows) }

// MostKept is the maximum number of kept rows. Beyond it, the rows with the smaller half of the hashes stay.
const MostKept = 4 * KeptRows

// A keeper keeps the rows of Moments whose hash is below a threshold: a multiset of rows that does not depend on the
// order of rows or on which moments added them, and from which rows can be taken away. What needs rows and not only
// sums is found from them: probabilities, intervals.
type keeper struct {
	share   float64 // of all rows
	level   uint    // the threshold is halved so many times
	unknown bool    // rows of the sums are missing here
	width   int     // features of a row
	each    int     // numbers that say its class or its targets
	rows    []keptRow
}

// A keptRow is a row on the grid. y is its class, or its targets on their grid.
type keptRow struct {
	hash uint64
	q    []int16
	y    []int32
}

// compare orders rows, so that the same multiset has one order.
func (r keptRow) compare(o keptRow) int {
	if c := cmp.Compare(r.hash, o.hash); c != 0 {
		return c
	}
	if c := slices.Compare(r.q, o.q); c != 0 {
		return c
	}
	return slices.Compare(r.y, o.y)
}

// Keep makes the moments keep about this share of their rows, 0 … 1, from which a fit finds the probabilities of
// classes. The moments must be without rows. All parts must share the share.
//
// The error is a *sketch.Error with code ErrParam.
func (m *Moments) Keep(share float64) error {
	if !(share >= 0 && share <= 1) {
		return sketch.ErrParam.New("keep", portable.FormatNumber(share), "be a share of the rows, 0 to 1")
	}
	if m.grid.Bound > 0 && share > 0 {
		return sketch.ErrParam.New("keep", portable.FormatNumber(share),
			"be 0 for private moments: kept rows are not private")
	}
	m.kept = keeper{share: share, width: m.shape.NComponents, each: max(1, m.shape.Targets)}
	return nil
}

// limit returns the threshold of hashes.
func (k *keeper) limit() uint64 {
	if k.share >= 1 {
		return ^uint64(0) >> k.level
	}
	return uint64(k.share*0x1p64) >> k.level
}

// takes reports whether a row with this hash is kept.
func (k *keeper) takes(hash uint64) bool { return !k.unknown && Mixed(hash) < k.limit() }

// add keeps a row.
func (k *keeper) add(q []int32, hash uint64, y []int32) {
	row := keptRow{Mixed(hash), make([]int16, len(q)), y}
	for j, v := range q {
		row.q[j] = int16(v)
	}
	k.append(row)
}

// append keeps more rows, and halves the threshold where they are too many.
func (k *keeper) append(rows ...keptRow) {
	k.rows = append(k.rows, rows...)
	for len(k.rows) > MostKept {
		k.raise(k.level + 1)
	}
}

// raise takes the threshold of a level.
func (k *keeper) raise(level uint) {
	if level <= k.level {
		return
	}
	k.level = level
	limit, left := k.limit(), make([]keptRow, 0, len(k.rows)) // others may share the rows that were there
	for _, row := range k.rows {
		if row.hash < limit {
			left = append(left, row)
		}
	}
	k.rows = left
}

// merge adds the rows of another keeper of the same share.
func (k *keeper) merge(o *keeper) {
	if k.unknown = k.unknown || o.unknown; k.unknown {
		k.rows = nil
		return
	}
	other := *o
	k.raise(other.level)
	other.raise(k.level)
	k.rows = slices.Clip(k.rows)
	k.append(other.rows...)
}

// subtract takes rows away. It returns false, and changes nothing, if one of them is not there.
func (k *keeper) subtract(o *keeper) bool {
	if k.unknown || o.unknown {
		k.unknown, k.rows = true, nil
		return true
	}
	mine, other := *k, *o
	mine.raise(other.level)
	other.raise(mine.level)
	mine.sort()
	other.sort()
	left := make([]keptRow, 0, len(mine.rows))
	gone := other.rows
	for _, row := range mine.rows {
		if len(gone) > 0 && gone[0].compare(row) == 0 {
			gone = gone[1:]
			continue
		}
		left = append(left, row)
	}
	if len(gone) > 0 {
		return false
	}
	mine.rows = left
	*k = mine
	return true
}

// sort brings the rows into their order, in memory of their own.
func (k *keeper) sort() {
	k.rows = slices.Clone(k.rows)
	order.Func(k.rows, keptRow.compare)
}

// reset takes all rows away. They are unknown if the sums have some.
func (k *keeper) reset(rows int64) { k.rows, k.level, k.unknown = nil, 0, rows > 0 && k.share > 0 }

// withClasses gives the rows the classes that others have: class c becomes to[c].
func (k *keeper) withClasses(to []int32) {
	rows := slices.Clone(k.rows)
	for i, row := range rows {
		rows[i].y = []int32{to[row.y[0]]}
	}
	k.rows = rows
}

// recordBytes is the length of a kept row in bytes.
func (k *keeper) recordBytes() int { return 4*k.each + 2*(k.width+k.width%2) }

// KeptBytes returns the kept rows in bytes, in an order that depends on them alone: uint32 how often the threshold was
// halved, then for each row its class or its targets as int32, and its integers as int16, padded to 4 bytes. It returns
// nil where nothing is kept, or where the rows of the sums are not known.
func (m *Moments) KeptBytes() []byte {
	if m.kept.share == 0 || m.kept.unknown {
		return nil
	}
	return m.kept.bytes()
}

func (k keeper) bytes() []byte {
	k.sort()
	b := make([]byte, 0, 4+len(k.rows)*k.recordBytes())
	b = appendUint(b, uint64(k.level), 4)
	for _, row := range k.rows {
		for _, y := range row.y {
			b = appendUint(b, uint64(y), 4)
		}
		for _, q := range row.q {
			b = appendUint(b, uint64(q), 2)
		}
		if k.width%2 != 0 {
			b = append(b, 0, 0)
		}
	}
	return b
}

// parse reads the rows of bytes. It returns false if they are cut short, or not rows that are kept.
func (k *keeper) parse(data []byte) bool {
	size := k.recordBytes()
	if len(data) < 4 || (len(data)-4)%size != 0 || (len(data)-4)/size > MostKept {
		return false
	}
	level := uint32(readUint(data, 4))
	if level > 63 {
		return false
	}
	k.level = uint(level)
	limit, q := k.limit(), make([]int32, k.width)
	for data = data[4:]; len(data) > 0; data = data[size:] {
		row := keptRow{0, make([]int16, k.width), make([]int32, k.each)}
		for i := range row.y {
			row.y[i] = int32(readUint(data[4*i:], 4))
		}
		for j := range q {
			row.q[j] = int16(readUint(data[4*k.each+2*j:], 2))
			q[j] = int32(row.q[j])
		}
		if row.hash = Mixed(dispatch.Hash(q)); row.hash >= limit {
			return false
		}
		k.rows = append(k.rows, row)
	}
	return true
}

// SetKept takes the kept rows from what KeptBytes of the same moments returned. SetWords takes them away.
//
// The error is a *sketch.Error with code ErrParam for rows that these moments cannot have.
func (m *Moments) SetKept(data []byte) error {
	k := keeper{share: m.kept.share, width: m.kept.width, each: m.kept.each}
	if data == nil || k.share == 0 {
		return nil
	}
	bad := func(what string) error {
		return sketch.ErrParam.New("kept", strconv.Itoa(len(data))+" bytes", "be rows that these sums keep: "+what)
	}
	if !k.parse(data) || int64(len(k.rows)) > m.rows {
		return bad("they are cut short, too many, or rows that would not be kept")
	}
	most := int32(m.shape.Classes - 1)
	if m.shape.Targets > 0 {
		most = maxT
	}
	for _, row := range k.rows {
		for _, y := range row.y {
			if y > max(0, most) || y < 0 && (m.shape.Targets == 0 || y < -most) {
				return bad("a class or a target is out of range")
			}
		}
		for _, q := range row.q {
			if v := int64(q); v > m.limit || v < -m.limit {
				return bad("a feature is beyond the grid")
			}
		}
	}
	m.kept = k
	return nil
}

// KeptOf returns the kept rows of a part in their order: their features, n × D, and their classes or targets, each of
// them n × K and counted from the middle of the range.
func (m *Moments) KeptOf(part int) (Z []float32, classes []int32, targets []float64, hashes []uint64) {
	k, steps := m.kept, m.grid.steps(m.shape.NComponents)
	k.sort()
	q := make([]int32, k.width)
	for _, row := range k.rows {
		for j, v := range row.q {
			q[j] = int32(v)
		}
		p := m.partOf(dispatch.Hash(q))
		if m.spread {
			p = int(row.hash % FoldCount)
		}
		if p != part {
			continue
		}
		for j, v := range q {
			Z = append(Z, float32(float32(v)*float32(steps[j])))
		}
		for _, y := range row.y {
			if m.shape.Targets > 0 {
				targets = append(targets, float64(float64(y)*m.grid.TargetStep()))
			} else {
				classes = append(classes, y)
			}
		}
		hashes = append(hashes, row.hash)
	}
	return Z, classes, targets, hashes
}

// MergeKept returns what KeptBytes gives for the rows of two others, of moments with so many features and numbers that
// say a class or targets, that keep this share. It returns nil if one of them is nil, or malformed.
func MergeKept(share float64, width, each int, a, b []byte) []byte {
	to := keeper{share: share, width: width, each: each}
	other := to
	if a == nil || b == nil || !to.parse(a) || !other.parse(b) {
		return nil
	}
	to.merge(&other)
	return to.bytes()
}

// isKnown reports whether all rows are kept.
func (k *keeper) isKnown() bool { return k.share >= 1 && k.level == 0 && !k.unknown }

// KeepShare returns the share of Keep.
func (m *Moments) KeepShare() float64 { return m.kept.share }

// KeepsAll reports whether all rows are kept.
func (m *Moments) KeepsAll() bool { return m.kept.isKnown() }

// KeptCount returns the number of kept rows, or 0 where they are not known.
func (m *Moments) KeptCount() int {
	if m.kept.unknown {
		return 0
	}
	return len(m.kept.rows)
}
