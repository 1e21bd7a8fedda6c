package solve

// Equal rows are held out together, since copies of one row say nothing new of each other. But a clump, a row with very
// many copies, fills a fold. Then models that have never seen the commonest rows decide λ, the probabilities and the
// report. So the copies of a clump are dealt to all folds.
const (
	leastClump = 5    // a clump has more copies than that,
	clumpShare = 50   // and more than one row in so many,
	clumpRows  = 4000 // of all, or of so many at equal distances
)

// SpreadClumps replaces the hashes of the copies of clumps by others that follow each other, so that they are of all
// folds. It returns how many they are.
func SpreadClumps(hashes []uint64) (copies int) {
	sample, counts := min(len(hashes), clumpRows), make(map[uint64]uint64)
	for i := range sample {
		counts[hashes[uint64(i)*uint64(len(hashes))/uint64(sample)]]++
	}
	for i, hash := range hashes {
		if count := counts[hash]; count > uint64(max(leastClump, sample/clumpShare)) {
			hashes[i] += count
			counts[hash]++
			copies++
		}
	}
	return copies
}

// Spread returns the moments as a fit takes them: m, or where all rows are kept and clumps are among them, others in
// which the copies of these are in all five folds. Which row is in which fold depends on the rows alone, and not on how
// they were added: copies are dealt in the order of their classes or targets.
func (m *Moments) Spread() *Moments {
	k := m.kept
	if m.folds != FoldCount || !k.isKnown() {
		return m
	}
	k.sort()
	hashes := make([]uint64, len(k.rows))
	for i, row := range k.rows {
		hashes[i] = row.hash
	}
	if SpreadClumps(hashes) == 0 {
		return m
	}
	to := m.Empty()
	to.spread = true
	for i, row := range k.rows {
		k.rows[i].hash = hashes[i] // so that copies count as rows of their own
		for j, v := range row.q {
			to.q[j] = int32(v)
		}
		to.addCurrent(int(hashes[i]%FoldCount), row.y)
	}
	to.kept = k
	for p := range FoldCount { // what the grid cost is known of all rows
		part := to.part(p)
		copy(part[wordClipped:wordGram], m.part(p)[wordClipped:])
		part[wordTally+tallyRows] = part[wordRows]
	}
	return to
}

// ClumpShare returns about how many per cent of the rows are equal and held out together, or 0 if these are fewer than
// a tenth. It takes the rows in one bucket of a part for equal: a part has hundreds of buckets.
func (m *Moments) ClumpShare() int64 {
	most := int64(0)
	for p := range m.Parts() {
		for _, count := range m.tally(p)[tallyBuckets:] {
			most = max(most, count)
		}
	}
	if m.folds == 0 || m.spread || most <= leastClump || most < m.rows/10 {
		return 0
	}
	return 100 * most / m.rows
}
