package learn

import (
	"slices"

	"tensorsketch.example/sketch"
)

// Restore replaces the rows of a learner by the rows of another one with the same Spec, given its Classes and the Words
// of its Moments and LinearMoments. Nil words of linear moments stand for none; missing then says why.
//
// The error is a *sketch.Error as of CheckClasses and Moments.SetWords, or it names classes that were not given. After
// an error the learner is unchanged.
func (l *Learner) Restore(classes []Label, words, linear []int64, missing string) error {
	if err := CheckClasses(classes); err != nil {
		return err
	}
	if l.fixed && !slices.Equal(classes, l.classes) || l.spec.Task == TaskRegress && classes != nil {
		return sketch.ErrParam.New("classes", "", "be those of the Spec")
	}
	restored := *l
	restored.classes = classes
	set := func(words []int64, nComponents int, step float64) (*Moments, error) {
		m, err := restored.newMoments(nComponents, step)
		if err == nil {
			err = m.SetWords(words)
		}
		return m, err
	}
	var err error
	if restored.moments, err = set(words, l.spec.Map.NComponents(), l.spec.Step); err != nil {
		return err
	}
	switch {
	case linear == nil:
		restored.linear, restored.missing = nil, missing
	case l.linear == nil:
		return sketch.ErrParam.New("linear", "", "be left out: "+l.missing)
	default:
		if restored.linear, err = set(linear, l.spec.Map.NFeatures(), l.linear.grid.Step); err != nil {
			return err
		}
		restored.missing = ""
	}
	*l = restored
	l.SetGoroutines(l.goroutines)
	return nil
}
