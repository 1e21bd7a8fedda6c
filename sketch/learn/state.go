package learn

import (
	"slices"
	"strconv"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
)

// A State is what a Learner holds beside its Spec, for files.
type State struct {
	Classes []Label // in their order; nil for regression
	Moments []int64 // Moments.Words of the features, for one class where there is none
	Linear  []int64 // of the rows themselves, or nil
	Missing string  // why Linear is nil
	Cut     int64   // cells that the preparation cut
	Tally   []int64 // Moments.Tally of both, one after another; nil if nothing is known of how rows were rounded
	Kept    []byte  // Moments.KeptBytes of the features; nil if nothing is kept, or it is not known
}

// State returns a copy of what the learner holds.
func (l *Learner) State() *State {
	s := &State{Classes: l.Classes(), Moments: l.moments.Words(), Missing: l.missing, Cut: l.cut,
		Kept: l.moments.KeptBytes()}
	if l.linear != nil {
		s.Linear = l.linear.Words()
	}
	if !l.spec.Private {
		s.Tally = l.moments.Tally()
		if l.linear != nil {
			s.Tally = append(s.Tally, l.linear.Tally()...)
		}
	}
	return s
}

// SetState replaces all that the learner holds by what State of a learner with the same Spec returned.
//
// The error is a *sketch.Error: of Moments.SetWords, or it names the classes. After an error the
// learner is unchanged.
func (l *Learner) SetState(s *State) error {
	if l.spec.Task == TaskClassify {
		if err := checkClasses(s.Classes); err != nil {
			return err
		}
		if len(s.Classes) > solve.MaxClasses {
			return tooManyClasses(len(s.Classes))
		}
	}
	if l.fixed && !slices.Equal(s.Classes, l.classes) || l.spec.Task == TaskRegress && len(s.Classes) > 0 {
		return sketch.ErrParam.New("classes", "others", "be the classes of the spec")
	}
	if s.Cut < 0 || s.Cut > 0 && l.spec.Preparation == nil {
		return sketch.ErrParam.New("cut", strconv.FormatInt(s.Cut, 10), "be cells that a preparation cut")
	}
	next := *l
	next.classes = slices.Clone(s.Classes)
	next.linear, next.missing, next.cut = nil, s.Missing, s.Cut
	fill := func(like *Moments, words []int64) (*Moments, error) {
		filled := like.EmptyOf(len(next.classes))
		return filled, filled.SetWords(words)
	}
	var err error
	if next.moments, err = fill(l.moments, s.Moments); err != nil {
		return err
	}
	if s.Linear != nil {
		if l.linear == nil {
			return sketch.ErrParam.New("linear", "moments", "be left out: "+l.missing)
		}
		if next.linear, err = fill(l.linear, s.Linear); err != nil {
			return err
		}
		if next.linear.Rows() != next.moments.Rows() {
			return sketch.ErrParam.New("linear", strconv.FormatInt(next.linear.Rows(), 10)+" rows",
				"have as many rows as the moments of the features")
		}
	} else if s.Missing == "" {
		return sketch.ErrParam.New("missing", "", "say why there is no linear model")
	}
	if err := next.setTally(s.Tally); err != nil {
		return err
	}
	if err := next.moments.SetKept(s.Kept); err != nil {
		return err
	}
	if kept := withRows(next.moments, next.classes); !l.fixed && len(kept) < len(next.classes) {
		return sketch.ErrParam.New("classes", "one without rows", "have rows each, unless the classes were given")
	}
	*l = next
	return nil
}

// setTally takes the tallies of a State.
func (l *Learner) setTally(tally []int64) error {
	own := l.moments.Parts() * solve.TallyWords
	if tally == nil {
		return nil
	}
	if l.spec.Private || len(tally) < own {
		return sketch.ErrParam.New("tally", strconv.Itoa(len(tally))+" words", "be of these moments")
	}
	if l.linear == nil {
		return l.moments.SetTally(tally)
	}
	if err := l.moments.SetTally(tally[:own]); err != nil {
		return err
	}
	return l.linear.SetTally(tally[own:])
}

// StateWords returns the length of Moments of a State with so many classes, which counts 1 for
// regression.
func (l *Learner) StateWords(classes int) int {
	shape := l.moments.Shape()
	if shape.Classes > 0 {
		shape.Classes = classes
	}
	return int(solve.WordCount(shape, l.moments.Folds()))
}
