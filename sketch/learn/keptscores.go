package learn

import "tensorsketch.example/internal/solve"

// keptScores are the scores of kept rows, each by a model of rows among which it is not.
type keptScores struct {
	scores   []float64 // n × K
	classes  []int32
	targets  []float64 // n × K
	distinct int
}

// leastIntervals is how many kept rows intervals need.
const leastIntervals = 20

// leastKept is how many kept rows with scores say enough, where these are not all rows.
const leastKept = 200

// keepScores adds the scores of the kept rows of the part that is held out. moved is added to each; targets count from
// the middle of their range.
func (f *MomentsFit) keepScores(l *Linear, moved []float64) {
	Z, classes, targets, hashes := f.moments.KeptOf(f.parts[0])
	k := &f.kept
	scores := l.Scores(nil, Z)
	for i := 0; moved != nil && i < len(scores); i += l.K {
		solve.Axpy(scores[i:i+l.K], 1, moved)
	}
	for i := range targets {
		targets[i] += f.all.Middle
	}
	k.scores, k.classes = append(k.scores, scores...), append(k.classes, classes...)
	k.targets = append(k.targets, targets...)
	for i, hash := range hashes { // equal ones follow each other
		if i == 0 || hash != hashes[i-1] {
			k.distinct++
		}
	}
}

// isFew reports whether all rows that can be held out are kept, and are fewer than fewDistinct distinct ones.
func (f *MomentsFit) isFew() bool {
	return f.moments.KeepsAll() && f.kept.distinct < fewDistinct
}

// beginScores begins to find probabilities from the scores of kept rows. It returns false where they say too little.
func (f *MomentsFit) beginScores() bool {
	k, m := &f.kept, f.moments
	if m.Shape().Classes == 0 || f.trouble != "" || k.distinct < fewDistinct ||
		len(k.classes) < leastKept && !m.KeepsAll() {
		return false
	}
	f.scores = newScoreFit(k.scores, k.classes, f.counts, f.isFewEven)
	return true
}
