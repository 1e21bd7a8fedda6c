package convergence

import (
	"strconv"

	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
)

// Table implements lesson.Picture. It has one row per D. Cells that the seeds have not determined yet are empty.
func (p *Picture) Table() lesson.Table {
	t := lesson.Table{
		Name:    "convergence",
		Caption: "Estimates of the kernel " + p.kernelText() + " at each D: what the seeds tell, and what theory says",
		Head: []string{"D", "seeds", "mean", "spread", "low", "high", "exact sigma", "sqrt of Theorem 9", "sqrt of Lemma 6",
			"5 %", "25 %", "50 %", "75 %", "95 %"},
	}
	if p.contenders != nil {
		t.Head = append(t.Head, p.comparedHead()...)
		t.Caption += "; errors of the methods compared are relative to √(κ(x,x)κ(y,y)) of their kernel"
	}
	for k, c := range p.columns {
		row := []string{strconv.Itoa(c.NComponents), strconv.Itoa(c.Seeds)}
		row = append(row, format.Cells(c.Mean, c.Spread, c.Low, c.High, c.sigma, c.theorem9, c.lemma6)...)
		row = append(row, format.Cells(c.Quantiles[:]...)...)
		t.Rows = append(t.Rows, append(row, p.comparedCells(k)...))
	}
	return t
}
