package jobs

import (
	"math"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/subspace"
)

// A MapReply places rows held out by the two principal components of their features (subspace.Place).
type MapReply struct {
	D         int       `json:"D"`
	XY        []float64 `json:"xy"`        // two coordinates of each row
	Share     []float64 `json:"share"`     // of the variance of these rows, for each coordinate
	Rows      []int     `json:"rows"`      // indices among the rows held out
	Of        int       `json:"of"`        // rows held out
	Truth     []float64 `json:"truth"`     // the index of the class, or the number
	Predicted []float64 `json:"predicted"` // by the model: as Truth
}

const (
	mappedRows     = 300
	mappedNumbers  = 8 << 20  // in their vectors or their features
	mappedProducts = 64 << 20 // for their inner products, so that a tab's worker answers within a fifth of a second
)

// MapRows places up to 300 of the rows held out, evenly taken, and fewer of many features, by the features of the model
// of D components. It returns nil without the model.
func (s *Session) MapRows(c *Control, D int) (*MapReply, error) {
	p := s.point(D)
	if p == nil || D == 0 {
		return nil, nil
	}
	held := s.curve.held
	n, K := len(held.rows), len(p.predicted)/max(1, len(held.rows))
	r := &MapReply{D: D, Of: n}
	some := &sample{width: held.width}
	most := max(3, min(mappedRows, mappedNumbers/max(D, held.width), int(math.Sqrt(float64(mappedProducts/D)))))
	isClasses := p.model.About().Task == learn.TaskClassify
	for k := range min(n, most) {
		i := k * n / min(n, most)
		some.rows, r.Rows = append(some.rows, held.rows[i]), append(r.Rows, i)
		truth, predicted := held.rows[i].target, p.predicted[i*K]
		if isClasses {
			truth = float64(p.scoring.index[held.rows[i].label])
			predicted = float64(solve.Largest(p.predicted[i*K : (i+1)*K]))
		}
		r.Truth, r.Predicted = append(r.Truth, truth), append(r.Predicted, predicted)
	}
	m := p.model.Map()
	Z, err := m.Features(c, some.all())
	if err != nil {
		return nil, err
	}
	r.XY, r.Share = subspace.Place(Z, m.NComponents(), 2)
	return r, c.Check()
}
