package solve

import (
	"math"
	"strconv"

	"tensorsketch.example/sketch"
)

// The binary form of Moments (sketch/model/spec.go): 8 bytes of magic, shape, folds and grid, then
// every word as a variable-length integer, since most words need four or five of their eight bytes.
// The same sums have the same bytes. Version 1 is of grids of 2^12, and version 2 of others: it has the limit after the
// bound, the length of Finer, and Finer.
const (
	momentsMagic    = "TSMOMENT"
	momentsFormat   = 1
	momentsFormat16 = 2
	headerBytes     = 8 + 5*4 + 4*8
	checkBytes      = 8
)

// AppendBinary appends the binary form of the moments to dst. The error is always nil.
func (m *Moments) AppendBinary(dst []byte) ([]byte, error) {
	m.flushAll()
	begin := len(dst)
	dst = append(dst, momentsMagic...)
	format := momentsFormat
	if m.grid.Limit != 0 {
		format = momentsFormat16
	}
	for _, v := range [...]int{format, m.shape.NComponents, m.shape.Classes, m.shape.Targets, m.folds} {
		dst = appendUint(dst, uint64(v), 4)
	}
	for _, v := range [...]float64{m.grid.Step, m.grid.Low, m.grid.High, m.grid.Bound} {
		dst = appendUint(dst, math.Float64bits(v), 8)
	}
	if format == momentsFormat16 {
		dst = appendUint(appendUint(dst, uint64(m.grid.Limit), 4), uint64(len(m.grid.Finer)), 4)
		dst = append(dst, m.grid.Finer...)
	}
	for _, w := range m.Words() {
		v := uint64(w)<<1 ^ uint64(w>>63) // small for small numbers of either sign
		for ; v >= 1<<7; v >>= 7 {
			dst = append(dst, byte(v)|1<<7)
		}
		dst = append(dst, byte(v))
	}
	return appendUint(dst, fnv(dst[begin:]), checkBytes), nil
}

func appendUint(dst []byte, v uint64, bytes int) []byte {
	for range bytes {
		dst = append(dst, byte(v))
		v >>= 8
	}
	return dst
}

// fnv is FNV-1a.
func fnv(data []byte) uint64 {
	h := uint64(0xcbf29ce484222325)
	for _, b := range data {
		h = (h ^ uint64(b)) * 0x100000001b3
	}
	return h
}

// ParseMoments returns the Moments of a binary form, which AppendBinary wrote. It takes no more memory
// than eight times the length of the data, and a block of rows.
//
// The error is a *sketch.Error with code ErrParam: for data that is none, of another version, cut
// short or damaged, and for sums that no rows have.
func ParseMoments(data []byte) (*Moments, error) {
	if len(data) < headerBytes+checkBytes || string(data[:8]) != momentsMagic {
		return nil, sketch.ErrParam.New("moments", "", `begin with "`+momentsMagic+`": is it another file?`)
	}
	body, check := data[:len(data)-checkBytes], data[len(data)-checkBytes:]
	var numbers [5]uint64
	for i := range numbers {
		numbers[i] = readUint(body[8+4*i:], 4)
	}
	if numbers[0] != momentsFormat && numbers[0] != momentsFormat16 {
		return nil, sketch.ErrParam.New("version", strconv.FormatUint(numbers[0], 10), "be 1 or 2: use a newer release")
	}
	if fnv(body) != readUint(check, 8) {
		return nil, sketch.ErrParam.New("moments", "", "be as they were written: the file is damaged or cut short")
	}
	for _, v := range numbers[1:] {
		if v > math.MaxInt32 {
			return nil, damaged(0)
		}
	}
	shape := Shape{NComponents: int(numbers[1]), Classes: int(numbers[2]), Targets: int(numbers[3])}
	folds := int(numbers[4])
	var grid [4]float64
	for i := range grid {
		grid[i] = math.Float64frombits(readUint(body[28+8*i:], 8))
	}
	if err := shape.Validate(); err != nil {
		return nil, err
	}
	body = body[headerBytes:]
	g := Grid{Step: grid[0], Low: grid[1], High: grid[2], Bound: grid[3]}
	if numbers[0] == momentsFormat16 {
		if body = g.readLimit(body); body == nil {
			return nil, damaged(0)
		}
	}
	if WordCount(shape, folds) > int64(len(body)) {
		return nil, damaged(len(body))
	}
	m, err := NewMoments(shape, g, folds)
	if err != nil {
		return nil, err
	}
	each := m.WordsPerPart()
	for i := range m.Parts() * each {
		v, n := readVarint(body)
		if n == 0 {
			return nil, damaged(i)
		}
		at := i % each
		if at >= wordTally {
			at += TallyWords
		}
		m.part(i / each)[at] = int64(v>>1) ^ -int64(v&1)
		body = body[n:]
	}
	if len(body) > 0 {
		return nil, damaged(m.Parts() * each)
	}
	return m, m.adopt(m.words)
}

// readLimit reads the limit and Finer of version 2. It returns what follows, or nil if the data has none.
func (g *Grid) readLimit(body []byte) []byte {
	if len(body) < 8 {
		return nil
	}
	limit, length := readUint(body, 4), readUint(body[4:], 4)
	body = body[8:]
	if limit != Limit16 || length > uint64(len(body)) {
		return nil
	}
	g.Limit, g.Finer = Limit16, string(body[:length])
	return body[length:]
}

func damaged(word int) error {
	return sketch.ErrParam.New("moments", "", "hold their words, each in the fewest bytes: see word "+strconv.Itoa(word))
}

func readUint(data []byte, bytes int) (v uint64) {
	for i, b := range data[:bytes] {
		v |= uint64(b) << (8 * i)
	}
	return v
}

// readVarint returns a variable-length integer and its length, which is 0 if it is cut short, too
// large, or not in the fewest bytes.
func readVarint(data []byte) (v uint64, n int) {
	for n < min(len(data), 10) {
		b := data[n]
		v |= uint64(b&0x7f) << (7 * n)
		n++
		if b < 1<<7 {
			if b == 0 && n > 1 || n == 10 && b > 1 {
				return 0, 0
			}
			return v, n
		}
	}
	return 0, 0
}
