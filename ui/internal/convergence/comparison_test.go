package convergence

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/vector"
)

// compared are the opening parameters with a comparison.
func compared(list, axis string) Params {
	return with(func(p *Params) { p.Compare, p.Axis = list, axis })
}

// rowTime and relativeError are invented laws of a method: time rises as D, errors
// fall as 1/√D.
func rowTime(m, column int) float64 { return .01 * float64(1+m) * float64(Components(column)) }

func relativeError(m, column int) float64 {
	return float64(2+m%5) / math.Sqrt(float64(Components(column)))
}

// addLaws adds the laws of the methods compared up to a column, and addSquares their
// seeds.
func addLaws(s *Samples, p Params, end int) {
	for _, m := range p.compared() {
		for c := range end {
			s.AddLaw(methods[m].Name, c, []float64{relativeError(m, c), 0, rowTime(m, c), 1})
		}
	}
}

func addSquares(s *Samples, p Params) {
	random := rand.New(rand.NewPCG(15, 16))
	for _, task := range s.Tasks(p) {
		var squares []float64
		for range task.Count {
			z := random.NormFloat64() * relativeError(methodOf(task.Method), task.Column)
			squares = append(squares, z*z)
		}
		s.AddSquares(task.Method, task.Column, task.First, squares)
	}
}

// TestVerdict: which is better at equal D, and at equal time, with the D of then.
func TestVerdict(t *testing.T) {
	p := compared("complex-tensor-sketch,craft", ByTime)
	s := begun(t, p)
	if v := newPicture(t, p, s); !strings.HasSuffix(v.verdict(), "The rows are being timed.") ||
		v.View(lesson.Item{}).Cards[3].Note != "rows are being timed" {
		t.Errorf("before: %q", v.verdict())
	}
	for c := range Columns { // at one D craft has half the error, and 16 times the time
		sigma, micros := s.laws[c].sigma, .01*float64(Components(c))
		s.AddLaw("tensor-sketch", c, []float64{sigma, 0, micros, 1})
		s.AddLaw("complex-tensor-sketch", c, []float64{sigma, 0, 1e6, 1})
		s.AddLaw("craft", c, []float64{sigma / 2, 0, 16 * micros, 1})
	}
	picture := newPicture(t, p, s)
	view := picture.View(lesson.Item{})
	at := columnOf(128)
	sigma := number(s.laws[at].sigma)
	for got, want := range map[string]string{
		view.Cards[2].Value + " " + view.Cards[2].Unit: number(s.laws[at].sigma/2) + " CRAFT",
		view.Cards[2].Note: "at D = 128; Tensor Sketch " + sigma,
		view.Cards[3].Value + " " + view.Cards[3].Unit: sigma + " Tensor Sketch",
		view.Sum: "At 1.28\u00a0µs a row (D ≈ is interpolated), relative σ: Tensor Sketch " + sigma + " (D = 128), CRAFT " +
			number(s.laws[0].sigma/2) + " (D ≈ 8.0), Complex Tensor Sketch takes longer at any D",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if !strings.Contains(view.Summary, "At D = 128 the relative σ is: CRAFT") ||
		!strings.Contains(view.Summary, "In the 1.28\u00a0µs that Tensor Sketch takes") {
		t.Errorf("the summary is %q", view.Summary)
	}
}

// TestAtTime: between the columns a contender follows its law.
func TestAtTime(t *testing.T) {
	c := contender{}
	for k := range c.marks {
		c.marks[k].methodLaw = methodLaw{known: true, error: relativeError(0, k), micros: rowTime(0, k)}
	}
	for _, D := range []float64{8, 11, 128, 3000, 16384} {
		if error, got := c.at(.01 * D * (1 + 1e-12)); !near(math.Round(1e6*got), 1e6*D) ||
			math.Abs(error*math.Sqrt(D)-2) > 1e-6 {
			t.Errorf("D = %v: got %v with the error %v", D, got, error)
		}
	}
	if error, _ := c.at(.07); !math.IsInf(error, 1) {
		t.Errorf("before the first: %v", error)
	}
	if error, D := c.at(1e9); D != 16384 || error != relativeError(0, Columns-1) {
		t.Errorf("after the last: %v, D = %v", error, D)
	}
}

// TestNoisyTimes: a time that is more than the time of a larger D is not believed, a
// single one does not count, and no verdict is made of 10 %.
func TestNoisyTimes(t *testing.T) {
	p := compared("craft", ByTime)
	s := begun(t, p)
	add := func(timed float64) {
		for c := range Columns {
			sigma, micros := s.laws[c].sigma, .01*float64(Components(c))
			if c%3 == 2 {
				micros *= 5 // another took the core
			}
			s.AddLaw("tensor-sketch", c, []float64{sigma, 0, micros, timed})
			s.AddLaw("craft", c, []float64{sigma / 1.09, 0, micros, timed})
		}
	}
	add(0)
	if got := s.Unmeasured(p); len(got) != 2 || newPicture(t, p, s).View(lesson.Item{}).Cards[3].Value != "–" {
		t.Errorf("timed once: not measured are %v", got)
	}
	add(1)
	picture := newPicture(t, p, s)
	for _, c := range picture.contenders {
		for k := range Columns - 1 {
			if c.marks[k].micros > c.marks[k+1].micros {
				t.Errorf("%s: D = %d takes %v µs, the next %v", c.Name, Components(k), c.marks[k].micros, c.marks[k+1].micros)
			}
		}
	}
	view := picture.View(lesson.Item{})
	if card := view.Cards[3]; card.Unit != "about equal" || !strings.Contains(card.Note, "CRAFT") ||
		!strings.Contains(card.Note, "Tensor Sketch") {
		t.Errorf("the card is %+v", card)
	}
	if !strings.HasSuffix(picture.verdict(), "The best two are about equal, for times are known to 10\u00a0%.") {
		t.Errorf("got %q", picture.verdict())
	}
	for c := range Columns { // and later, shorter times count
		s.AddLaw("craft", c, []float64{s.laws[c].sigma, 0, 1e-3, 0})
	}
	if picture = newPicture(t, p, s); picture.View(lesson.Item{}).Cards[3].Unit != "CRAFT" || len(s.Unmeasured(p)) != 0 {
		t.Errorf("got %+v", picture.View(lesson.Item{}).Cards[3])
	}
}

// TestSteep: where a little time changes the error much, it makes no verdict either.
func TestSteep(t *testing.T) {
	for factor, want := range map[float64]string{.93: "too near to tell", 1.05: "too near to tell", .8: "CRAFT",
		1.2: "Tensor Sketch"} {
		p := compared("craft", ByTime)
		s := begun(t, p)
		for c := range Columns { // a row takes hardly longer at four times the components
			micros := math.Pow(float64(Components(c))/128, .1)
			s.AddLaw("tensor-sketch", c, []float64{s.laws[c].sigma, 0, micros, 1})
			s.AddLaw("craft", c, []float64{s.laws[c].sigma, 0, micros * factor, 1})
		}
		if card := newPicture(t, p, s).View(lesson.Item{}).Cards[3]; card.Unit != want {
			t.Errorf("%v times the time: got %+v, want %s", factor, card, want)
		}
	}
}

// TestNothingToCompare: there is nothing to compare only where no method has an
// error.
func TestNothingToCompare(t *testing.T) {
	p := compared("craft,spherical", ByComponents)
	p.Vector, p.Angle = vector.OneHot, 0
	s := begun(t, p)
	for c := range Columns {
		for name, error := range map[string]float64{"tensor-sketch": 0, "craft": 1e-9, "spherical": 1e-9} {
			s.AddLaw(name, c, []float64{error, 0, rowTime(0, c), 1})
		}
	}
	if picture := newPicture(t, p, s); picture.verdict() != "These vectors have no error to compare." ||
		picture.View(lesson.Item{}).Cards[0].ID != "kernel" {
		t.Errorf("without: %q", picture.verdict())
	}
	for c := range Columns {
		s.AddLaw("craft", c, []float64{relativeError(1, c), 0, rowTime(0, c), 1})
	}
	picture := newPicture(t, p, s)
	view := picture.View(lesson.Item{})
	if got := picture.verdict(); !strings.Contains(got, "Tensor Sketch 0, CRAFT 0.265, Spherical 0 (another kernel).") {
		t.Errorf("with: %q", got)
	}
	if card := view.Cards[2]; card.Value != "0" || card.Unit != "Tensor Sketch" {
		t.Errorf("the card is %+v", card)
	}
	if want := "D = 128, relative: Tensor Sketch – (expected 0), CRAFT – (expected 0.265), Spherical – " +
		"(expected 0)"; view.Sum != want {
		t.Errorf("got %q, want %q", view.Sum, want)
	}
}

// TestOtherKernels: their errors are told and not ranked, and where there is a bias
// no σ is claimed.
func TestOtherKernels(t *testing.T) {
	for list, want := range map[string]struct{ title, note string }{
		"random-fourier":       {"Relative σ at equal D", "at D = 128; Random Fourier 0.000100 (another kernel)"},
		"taylor-sketch":        {"Relative expected error at equal D", "at D = 128; Taylor 0.000100 (another kernel)"},
		"craft,random-fourier": {"Least relative σ at equal D", "at D = 128; CRAFT 3.00"},
	} {
		p := compared(list, ByComponents)
		s := begun(t, p)
		for _, m := range p.compared()[1:] {
			error := 1e-4
			if methods[m].Kernel == "" {
				error = 3
			}
			s.AddLaw(methods[m].Name, columnOf(128), []float64{error, 0, 1, 0})
		}
		view := newPicture(t, p, s).View(lesson.Item{})
		if card := view.Cards[2]; card.Title != want.title || card.Note != want.note || card.Unit != "Tensor Sketch" {
			t.Errorf("%s: the card is %+v", list, card)
		}
		if biased := list == "taylor-sketch"; strings.Contains(view.Lede+view.Sum+view.Cards[3].Title, "σ") == biased {
			t.Errorf("%s: %q, %q, %q", list, view.Lede, view.Sum, view.Cards[3].Title)
		}
	}
}

// TestSameMap: two methods that are one at c = 0 are said to be.
func TestSameMap(t *testing.T) {
	for list, want := range map[string]bool{"random-maclaurin": false,
		"random-maclaurin,tensorized-random-projection": true} {
		for _, coef0 := range []float64{0, .5} {
			p := compared(list, ByComponents)
			p.Coef0 = coef0
			if lede := newPicture(t, p, nil).View(lesson.Item{}).Lede; strings.Contains(lede, "the same map") !=
				(want && coef0 == 0) {
				t.Errorf("%s, c = %v: %q", list, coef0, lede)
			}
		}
	}
}

// TestMarks: there are none of a few seeds, and no leader where a law is missing.
func TestMarks(t *testing.T) {
	p := compared("craft", ByComponents)
	s := begun(t, p)
	svg := func() string {
		picture := newPicture(t, p, s)
		return picture.SVG(sizes(picture)[0], lesson.Item{}, false)
	}
	before := strings.Count(svg(), `class="rival`)
	leaders := strings.Count(svg(), `<path class="axis" d="M`) + strings.Count(svg(), "<line")
	for _, step := range []struct{ seeds, marks, faint int }{{9, 0, 0}, {29, 1, 1}, {50, 1, 0}} {
		s.AddSquares("craft", 3, 0, make([]float64, step.seeds))
		for k := range step.seeds {
			s.rival(methodOf("craft")).series[3].square[k] = .01
		}
		if got := svg(); strings.Count(got, `class="rival`) != before+step.marks ||
			strings.Count(got, " faint") != step.faint {
			t.Errorf("%d seeds: %d marks and %d faint", step.seeds, strings.Count(got, `class="rival`)-before,
				strings.Count(got, " faint"))
		}
	}
	s.AddLaw("craft", Columns-1, []float64{.01, 0, 1, 0})
	if got := strings.Count(svg(), `<path class="axis" d="M`) + strings.Count(svg(), "<line"); got != leaders+1 {
		t.Errorf("a law makes %d leaders", got-leaders)
	}
}

// TestTasks: each seed of a column is one task's, first seeds first, and those that
// have come in are nobody's; other parameters keep what has come in, other vectors
// do not.
func TestTasks(t *testing.T) {
	for _, pairs := range []int{1, ManyPairs} {
		p := compared("craft,random-fourier", ByComponents)
		p.Pairs = pairs
		s := begun(t, p)
		if got := len(s.Unmeasured(p)); got != 3 {
			t.Errorf("%d methods are not measured", got)
		}
		addLaws(s, p, Columns)
		count := map[string]int{}
		seen := map[string]bool{}
		for _, task := range s.Tasks(p) {
			count[fmt.Sprint(task.Method, task.Column)] += task.Count
			for k := range task.Count {
				key := fmt.Sprint(task.Method, task.Column, task.First+k)
				if seen[key] {
					t.Fatalf("%s is done twice", key)
				}
				seen[key] = true
			}
		}
		for key, want := range map[string]int{"craft0": 100, "craft11": 50, "random-fourier5": 100, "random-fourier7": 25,
			"random-fourier9": 0} {
			if count[key] != want {
				t.Errorf("%s has %d seeds, want %d", key, count[key], want)
			}
		}
		addSquares(s, p)
		p.Compare, p.NComponents = "craft", 64
		if err := s.Begin(p); err != nil || len(s.Tasks(p))+len(s.Unmeasured(p)) != 0 {
			t.Errorf("%v; with one less there are %d tasks", err, len(s.Tasks(p)))
		}
		if p.Compare = "craft,spherical"; len(s.Unmeasured(p)) != 1 || len(s.Tasks(p)) == 0 ||
			s.Tasks(p)[0].Method != "spherical" {
			t.Errorf("with another: %v, %v", s.Unmeasured(p), s.Tasks(p))
		}
		p.Coef0 = .5
		if err := s.Begin(p); err != nil || len(s.Unmeasured(p)) != 3 {
			t.Errorf("%v; with another kernel %v are not measured", err, s.Unmeasured(p))
		}
		if p.Compare = ""; s.Tasks(p) != nil || s.Unmeasured(p) != nil {
			t.Error("alone, there are tasks")
		}
	}
}

// TestConstant: with c > 0 the kernel, its σ and its words have c.
func TestConstant(t *testing.T) {
	p := with(func(p *Params) { p.Coef0, p.Degree, p.Angle = .5, 3, 60 })
	picture := newPicture(t, p, begun(t, p))
	kernel := picture.View(lesson.Item{}).Cards[0]
	if math.Abs(picture.kernel-1) > 1e-6 || kernel.Value != "1.00" || kernel.Note != "(cos 60° + 0.5)³" ||
		p.scale() != 3.375 {
		t.Errorf("the kernel is %v, %+v, of at most %v", picture.kernel, kernel, p.scale())
	}
	if p.Question = 2; !strings.Contains(newPicture(t, p, nil).View(lesson.Item{}).Questions[1].Answer,
		"σ is held against √(κ(x,x)κ(y,y)) = 3.375") {
		t.Errorf("got %q", newPicture(t, p, nil).View(lesson.Item{}).Questions[1].Answer)
	}
}
