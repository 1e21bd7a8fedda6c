package jobs

import (
	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn/prepare"
)

// cutCells counts, for each coordinate of rows, the numbers that a preparation cuts, the missing ones that it fills
// without having seen one, and the numbers that are none of a column's codes.
type cutCells struct{ cut, filled, uncoded []int64 }

// add counts rows.
func (c *cutCells) add(p *prepare.Preparation, X sketch.Rows) {
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

// notes returns the notes for the columns of a preprocessing. The missing cells that they name are no longer in counts:
// they are said once.
func (c *cutCells) notes(p *dataset.Preprocessing, counts *dataset.Counts) []columns.Note {
	if c.cut == nil {
		return nil
	}
	var names []string
	var of cutCells
	at := 0
	for i := range p.Columns {
		to := at + p.Columns[i].NFeatures()
		filled := sum(c.filled[at:to])
		names = append(names, p.Columns[i].Name)
		of.cut, of.filled = append(of.cut, sum(c.cut[at:to])), append(of.filled, filled)
		of.uncoded = append(of.uncoded, sum(c.uncoded[at:to]))
		if counts.Missing != nil {
			counts.Missing[i] -= min(filled, counts.Missing[i])
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
