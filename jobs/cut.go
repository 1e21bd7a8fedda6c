package jobs

import (
	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
)

// cutCells counts, for each coordinate of rows, the numbers that a preparation cuts and the missing ones that it fills
// without having seen one.
type cutCells struct{ cut, filled []int64 }

// add counts rows.
func (c *cutCells) add(p *learn.Preparation, X sketch.Rows) {
	rows, isDense := X.(sketch.Dense)
	if p == nil || !isDense {
		return
	}
	if c.cut == nil {
		c.cut, c.filled = make([]int64, p.NFeatures()), make([]int64, p.NFeatures())
	}
	p.CountCut(c.cut, c.filled, rows)
}

// notes returns the notes for the columns of a preprocessing.
func (c *cutCells) notes(p *dataset.Preprocessing) []columns.Note {
	if c.cut == nil {
		return nil
	}
	var names []string
	var cut, filled []int64
	at := 0
	for i := range p.Columns {
		to := at + p.Columns[i].NFeatures()
		names = append(names, p.Columns[i].Name)
		cut, filled = append(cut, sum(c.cut[at:to])), append(filled, sum(c.filled[at:to]))
		at = to
	}
	return dataset.CutNotes(names, cut, filled)
}

func sum(all []int64) (total int64) {
	for _, n := range all {
		total += n
	}
	return total
}
