package jobs

import (
	"slices"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn/prepare"
)

// Cuts counts, for each coordinate of rows, the numbers that a preparation cuts, the missing ones that it fills without
// having seen one, and the numbers that are none of a column's codes.
type Cuts struct{ cut, filled, uncoded []int64 }

// Add counts rows if they are dense.
func (c *Cuts) Add(p *prepare.Preparation, X sketch.Rows) {
	rows, isDense := X.(sketch.Dense)
	if p == nil || !isDense {
		return
	}
	if c.cut == nil {
		n := p.NFeatures()
		c.cut, c.filled, c.uncoded = make([]int64, n), make([]int64, n), make([]int64, n)
	}
	p.CountCut(c.cut, c.filled, c.uncoded, rows)
}

// RowNotes returns dataset.RowNotes, and those of numbers that were cut. A missing cell is in one of them.
func (c *Cuts) RowNotes(file string, p *dataset.Preprocessing, counts dataset.Counts,
	u *dataset.Unused) (notes []columns.Note) {
	counts.Missing = slices.Clone(counts.Missing)
	cut := c.notes(p, counts.Missing)
	if counts.Missing != nil {
		notes = dataset.RowNotes(file, p, &counts, u)
	}
	return append(notes, cut...)
}

// notes returns the notes for the columns of a preprocessing, and subtracts what they say from the missing cells.
func (c *Cuts) notes(p *dataset.Preprocessing, missing []int64) []columns.Note {
	if c.cut == nil {
		return nil
	}
	var names []string
	var of Cuts
	at := 0
	for i := range p.Columns {
		to := at + p.Columns[i].NFeatures()
		filled := sum(c.filled[at:to])
		names = append(names, p.Columns[i].Name)
		of.cut, of.filled = append(of.cut, sum(c.cut[at:to])), append(of.filled, filled)
		of.uncoded = append(of.uncoded, sum(c.uncoded[at:to]))
		if missing != nil {
			missing[i] -= min(filled, missing[i])
		}
		at = to
	}
	return dataset.CutNotes(names, of.cut, of.filled, of.uncoded)
}

func sum(all []int64) (total int64) {
	for _, n := range all {
		total += n
	}
	return total
}
