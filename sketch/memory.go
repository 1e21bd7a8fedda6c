package sketch

import (
	"strconv"

	"tensorsketch.example/internal/engine/block"
)

// repeatBytes is what TinyGo's build allocates for each further repeat beside its tables: the core that reads them,
// and the streams and coefficients that they are computed from.
const repeatBytes = 2 << 10

// MemoryBytes returns the bytes that New or NewFeatureMap allocates for valid parameters with
// defaults filled in, so that a caller can refuse in advance. It counts the tables, the plan with
// its temporary memory, and the memory of one block.
func (p *Params) MemoryBytes() int64 {
	var total int64
	if p.overflowsInt() {
		return 1 << 40
	}
	if p.isTensorSketch() {
		total = p.tensorSketchBytes()
	} else {
		total = p.mapBytes()
	}
	total += int64(p.Repeats-1) * repeatBytes
	return total + total/16 + 16384 // rounding by the allocator, and small objects
}

// overflowsInt reports whether a length could exceed an int of 32 bits, as TinyGo has in
// WebAssembly. Hardly any map with such wide rows fits into 4 GiB.
func (p *Params) overflowsInt() bool {
	most := 1 << 30 // some methods pad to a power of two
	if p.isTensorSketch() {
		most = MaxFeatures
		if p.Coef0 > 0 {
			most-- // the constant coordinate adds one
		}
	}
	widest := p.NFeatures
	for _, d := range p.NFeaturesEach {
		widest = max(widest, d)
	}
	return strconv.IntSize == 32 && widest > most
}

func (p *Params) tensorSketchBytes() int64 {
	total, widths := engineBytes(p.config())+4*block.Stretch, p.widths()
	if p.Hash() == HashSeed {
		total += 4 * int64(cachedEntries(widths)) * int64(p.Repeats)
	} else {
		for _, width := range widths {
			total += 4 * int64(width)
		}
	}
	if p.Repeats > 1 {
		total += 4 * int64(Lanes()) * int64(p.NComponents)
	}
	return total
}
