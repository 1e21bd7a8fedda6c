//go:build !js

package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// learnerNames are how the tables name the learners; "" is the command line.
var learnerNames = map[string]string{"": "**`fit`**", "linear": "LogisticRegression, RidgeCV", "svm": "SVC, SVR",
	"boosting": "HistGradientBoosting", "forest": "RandomForest"}

// plainNames are how the README's sentence names the peers.
var plainNames = map[string]string{"linear": "linear models are", "svm": "SVM",
	"boosting": "boosting", "forest": "forests"}

func signed(x float64) string { return strings.Replace(fmt.Sprintf("%.2f", x), "-", "−", 1) }

// signed3 writes three decimals, and none of them as −0.
func signed3(x float64) string {
	return strings.Replace(fmt.Sprintf("%.3f", math.Round(1000*x)/1000+0), "-", "−", 1)
}

// over returns a figure of each set that has it.
func over(sets []tableSet, of func(s *tableSet) float64) (figures []float64) {
	for i := range sets {
		if x := of(&sets[i]); !math.IsNaN(x) {
			figures = append(figures, x)
		}
	}
	return figures
}

func inHalf(sets []tableSet, half string) []tableSet {
	return slices.DeleteFunc(slices.Clone(sets), func(s tableSet) bool { return s.Half != half })
}

// breadthMarkdown returns the tables of docs/learn.md.
func breadthMarkdown(sets []tableSet) string {
	var b strings.Builder
	classes := 0
	for _, s := range sets {
		if s.Classes > 0 {
			classes++
		}
	}
	fmt.Fprintf(&b, "%d tables, %d with classes, %s; `./build.sh bench -only tables`, %s. Points are "+
		"per cent of right answers or hundredths of R² (at least −1), behind the best of the four peers.\n\n",
		len(sets), classes, splitsText(sets), time.Now().Format("2006-01-02"))
	b.WriteString("| | points behind, mean | choosing half | checking half | worst | over 2 points | " +
		"log loss | calibration error | seconds |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, learner := range append([]string{""}, peerNames...) {
		b.WriteString(breadthLine(sets, learner))
	}
	b.WriteString("\nLog loss and calibration error (ECE over 15 bins, less what perfect probabilities would have) are " +
		"over the tables where all have them; tables of pure chance count for these alone.\n\n" +
		"Furthest behind, with the best peer: ")
	worst := slices.Clone(sets)
	slices.SortStableFunc(worst, func(x, y tableSet) int {
		return cmp.Compare(y.behind("", peerNames...), x.behind("", peerNames...))
	})
	for i, s := range worst[:min(5, len(worst))] {
		if i > 0 {
			b.WriteString(", ")
		}
		best, name := s.best(peerNames...)
		fmt.Fprintf(&b, "%s %.1f (%s %.1f)", s.Name, s.of("", score).mean, learnerNames[name], best)
	}
	return b.String() + ".\n\n"
}

// splitsText says how many splits tables have.
func splitsText(sets []tableSet) string {
	of := map[bool]int{} // of tables of more than 2,000 rows, or not
	for _, s := range sets {
		isLarge := s.Rows > largeRows
		if n := len(s.Ours); of[isLarge] == 0 || n < of[isLarge] {
			of[isLarge] = n
		}
	}
	text := strconv.Itoa(of[false]) + " splits each"
	if of[true] != of[false] && of[true] > 0 {
		text = fmt.Sprintf("%d splits each, %d of more than 2,000 rows", of[false], of[true])
	}
	return text + ", and more of few rows, until 200 are predicted"
}

// breadthLine returns the line of a learner.
func breadthLine(sets []tableSet, learner string) string {
	points := func(s *tableSet) float64 { return s.behind(learner, peerNames...) }
	all := over(sets, points)
	if len(all) == 0 {
		return ""
	}
	slices.Sort(all)
	m, e := meanOf(all)
	chosen, _ := meanOf(over(inHalf(sets, choosing), points))
	checked, _ := meanOf(over(inHalf(sets, checking), points))
	many := 0
	for _, x := range all {
		if x > 2 {
			many++
		}
	}
	of := func(f figure) string {
		x, _ := meanOf(over(sets, func(s *tableSet) float64 {
			if !s.hasAll(f) {
				return math.NaN()
			}
			return s.of(learner, f).mean
		}))
		if math.IsNaN(x) {
			return ""
		}
		return signed3(x)
	}
	time, _ := meanOf(over(sets, func(s *tableSet) float64 { return s.of(learner, seconds).mean }))
	return fmt.Sprintf("| %s | %s ± %.2f | %s | %s | %s | %d | %s | %s | %.1f |\n", learnerNames[learner],
		signed(m), e, signed(chosen), signed(checked), signed(all[len(all)-1]),
		many, of(logLoss), of(ece), time)
}

// hasAll reports whether all learners but the SVM, which has no probabilities, have a figure.
func (s *tableSet) hasAll(f figure) bool {
	for _, learner := range []string{"", "linear", "boosting", "forest"} {
		if math.IsNaN(s.of(learner, f).mean) {
			return false
		}
	}
	return true
}

// breadthSentence returns the sentence of the README.
func breadthSentence(sets []tableSet) string {
	ours, _ := meanOf(over(sets, func(s *tableSet) float64 { return s.behind("", peerNames...) }))
	var others []string
	for _, p := range peerNames {
		m, _ := meanOf(over(sets, func(s *tableSet) float64 { return s.behind(p, peerNames...) }))
		others = append(others, fmt.Sprintf("%s %.1f", plainNames[p], m))
	}
	return fmt.Sprintf("- **Right on strange tables.** On %d tables, `fit` without settings is %.1f points behind the "+
		"best of four learners of scikit-learn; %s ([docs/learn.md](docs/learn.md#beside-scikit-learn)).\n",
		len(sets), ours, strings.Join(others, ", "))
}

// A claim is what must hold over all tables.
type claim struct {
	what  string
	holds bool
}

// claims returns what fit must reach, with the figures.
func claims(sets []tableSet) (list []claim) {
	add := func(holds bool, format string, arguments ...any) {
		list = append(list, claim{fmt.Sprintf(format, arguments...), holds})
	}
	for _, p := range peerNames {
		m, e := meanOf(over(sets, func(s *tableSet) float64 { return s.behind("", p) }))
		add(!(m > e), "%.2f ± %.2f points behind %s, at most the standard error", m, e, p)
	}
	three := []string{"linear", "svm", "boosting"}
	m, _ := meanOf(over(sets, func(s *tableSet) float64 { return s.behind("", three...) }))
	add(m <= 1.3, "%.2f points behind the best of linear, SVM and boosting, at most 1.3", m)
	for i := range sets {
		s := &sets[i]
		if points := s.behind("", three...); points > 9 {
			add(false, "%s: %.2f points behind the best of linear, SVM and boosting, at most 9", s.Name, points)
		}
		ours, linear := s.of("", score), s.of("linear", score)
		off := make([]float64, len(ours.split))
		for k := range off {
			off[k] = linear.split[k] - ours.split[k]
		}
		if points, e := meanOf(off); points-e > 1 && !s.isCoin() {
			add(false, "%s: %.2f ± %.2f points behind linear, at most 1 beyond the standard error", s.Name, points, e)
		}
		if more := s.of("", logLoss).mean - s.of("linear", logLoss).mean; more > 0.06 {
			add(false, "%s: log loss %.3f above logistic regression, at most 0.06", s.Name, more)
		}
	}
	for _, p := range []string{"linear", "boosting"} {
		more, _ := meanOf(over(sets, func(s *tableSet) float64 { return s.of("", logLoss).mean - s.of(p, logLoss).mean }))
		add(!(more > 0), "log loss %.3f above %s on average, at most 0", more, p)
	}
	off, _ := meanOf(over(sets, func(s *tableSet) float64 { return s.of("", ece).mean }))
	add(!(off > 0.02), "calibration error %.3f beyond its expectation on average, at most 0.02", off)
	return list
}
