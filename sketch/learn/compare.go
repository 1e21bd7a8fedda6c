package learn

import (
	"strconv"

	"tensorsketch.example/internal/portable"
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/internal/sums"
	"tensorsketch.example/sketch"
)

// Compare tests whether the rows of two learners come from the same distribution (TwoSample). Map,
// preprocessing, grid and, of private learners, the norm to which rows are clipped must be the same.
// Labels do not count: compare learners of one class each to see whether their classes differ.
//
// The error is a *sketch.Error with code ErrParam. It names what differs, or is one of NewTwoSample.
func (l *Learner) Compare(o *Learner) (*Comparison, error) {
	if err := sums.CheckSame(l.spec.Map, o.spec.Map); err != nil {
		e := *err.(*sketch.Error)
		e.Want += ": give both sets the same map"
		return nil, &e
	}
	number := portable.FormatNumber
	for _, c := range []struct{ name, mine, other string }{
		{"preprocessing", l.spec.Preprocessing, o.spec.Preprocessing},
		{"private", number(l.spec.bound()), number(o.spec.bound())},
		{"step", number(l.spec.Step), number(o.spec.Step)},
		{"limit", strconv.Itoa(l.spec.Limit), strconv.Itoa(o.spec.Limit)},
	} {
		if c.mine != c.other {
			return nil, sketch.ErrParam.New(c.name, c.other, "be the same for both sets, "+c.mine+
				": give both what prepare returns, or the same map, preprocessing and radius")
		}
	}
	return solve.CompareSums(l.moments.System(), o.moments.System())
}
