package sketch

// MemoryBytes returns the bytes that New allocates for valid parameters with
// defaults filled in, so that a caller can refuse before trying: the tables, the
// plan with what making it needs for a moment, and the memory of one block.
func (p *Params) MemoryBytes() int64 {
	total := engineBytes(p.config())
	if widths := p.widths(); p.Hash() == HashSeed {
		total += 4 * int64(cachedEntries(widths))
	} else {
		for _, width := range widths {
			total += 4 * int64(width)
		}
	}
	return total + total/16 + 16384 // what the allocator rounds up, and small things
}
