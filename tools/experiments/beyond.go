package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/privacy"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/tools/internal/lab"
)

var (
	mapSets = []string{"usps", "adult", "covtype"}
	mapDs   = []int{32, 64, 128, 256, 512, 1024}
	shownDs = []int{256} // in the table; the picture has all
)

// mapParams are the parameters of a method for rows of length 1: degree 2 with c = 1 where it takes them, a Gaussian
// with γ = 1 where it has no polynomial kernel.
func mapParams(m sketch.Method, D, seed int) sketch.Params {
	p := sketch.Params{Method: m.Name, NComponents: D, Seed: sketch.IntSeed(uint64(seed))}
	for _, name := range m.Takes {
		switch name {
		case "degree":
			p.Degree = 2
		case "coef0":
			p.Coef0 = 1
		}
	}
	return p
}

func mapsCells(b *book) (cells []cell) {
	for _, name := range mapSets {
		for _, m := range sketch.Methods() {
			for _, D := range mapDs {
				if m.Fitted && D > 512 || b.quick && D > 64 {
					continue // a fit takes D³, and k-Space sums of 32·D²
				}
				id := fmt.Sprintf("maps/%s/%s/%d", name, m.Name, D)
				cells = append(cells, b.seeds(id, name, 3, func(s *set, seed int) (values, error) {
					Z, T, seconds, err := s.mapped(mapParams(m, D, seed), 2000)
					if err != nil {
						return nil, err
					}
					v, err := s.ridge(Z, T, false)
					if err == nil {
						v["µs"] = seconds * 1e6 / float64(s.train.rows())
					}
					return v, err
				})...)
			}
		}
	}
	return cells
}

func mapsText(b *book) string {
	var t strings.Builder
	t.WriteString(b.mapsPicture() + "Ridge regression, λ by generalised cross-validation; mean of three seeds. Kernel " +
		"(1 + ⟨x,y⟩)², or the Gaussian, spherical or linear one of the method. Nyström and k-Space are fitted to 2,000 " +
		"rows ([too few](theory.md#k-space) for k-Space with D = 512). “In time” is the largest " +
		"D, in brackets, whose mapping takes no longer per row than Tensor Sketch with D = 512.\n\n")
	head, rule, last := "| D = |", "|---|", "| largest deviation |"
	largest := map[string]float64{}
	rows := map[string]string{}
	for _, name := range mapSets[:1] { // the picture has the others, too
		for _, D := range shownDs {
			head, rule = head+fmt.Sprintf(" %s %s |", b.title(name), lab.Grouped(float64(D))), rule+"---|"
		}
		head, rule = head+" in time |", rule+"---|"
		for _, m := range sketch.Methods() {
			rows[m.Name] += b.mapCells(name, m.Name, largest)
		}
		for _, D := range shownDs {
			last += fmt.Sprintf(" %.1f |", largest[fmt.Sprint(name, D)])
		}
		last += " |"
	}
	t.WriteString(head + "\n" + rule + "\n")
	for _, m := range sketch.Methods() {
		t.WriteString("| `" + m.Name + "` |" + rows[m.Name] + "\n")
	}
	return t.String() + last + "\n"
}

// mapCells are the cells of a method on a set: its accuracy at each D, and in the time of a Tensor Sketch. It keeps the
// largest deviation of all methods at each D.
func (b *book) mapCells(name, method string, largest map[string]float64) (cells string) {
	at := func(method string, D int) string { return fmt.Sprintf("maps/%s/%s/%d", name, method, D) }
	budget := b.over(at(sketch.MethodTensorSketch, 512), "µs").value
	inTime := " – |"
	for _, D := range mapDs {
		v := b.over(at(method, D), "accuracy")
		if slices.Contains(shownDs, D) {
			cells += fmt.Sprintf(" %s |", mean{value: v.value, n: min(v.n, 1)}.text(1))
			key := fmt.Sprint(name, D)
			largest[key] = max(largest[key], v.deviation)
		}
		if v.n > 0 && b.over(at(method, D), "µs").value <= budget {
			inTime = fmt.Sprintf(" %.1f (%s) |", v.value, lab.Grouped(float64(D)))
		}
	}
	return cells + inTime
}

var epsilons = []float64{0.5, 1, 2, 4, 8}

// A privateSet is a set with the map of its private models.
type privateSet struct {
	name      string
	D, degree int
}

var privateSets = []privateSet{{"mnist", 1024, 3}, {"adult", 256, 2}, {"covtype", 256, 2}}

func privateCells(b *book) (cells []cell) {
	for _, of := range privateSets {
		cells = append(cells, b.seeds("private/"+of.name, of.name, 5, func(s *set, seed int) (values, error) {
			return s.private(sketch.Params{NFeatures: s.d, NComponents: b.dimension(of.D), Degree: of.degree, Coef0: 1,
				Normalize: sketch.NormalizeKernel, Seed: sketch.IntSeed(uint64(seed))}, uint64(seed))
		})...)
	}
	return cells
}

// private returns the accuracy of models at each ε, and of the one without noise.
func (s *set) private(p sketch.Params, seed uint64) (values, error) {
	m, err := sketch.New(p)
	if err != nil {
		return nil, err
	}
	var classes, labels []int
	for k := range s.classes {
		classes = append(classes, k)
	}
	for _, class := range s.train.classes {
		labels = append(labels, int(class))
	}
	l, err := learn.NewLearner(learn.Spec{Map: m, Task: learn.TaskClassify, Private: true, Radius: 1,
		Classes: learn.Labels(classes)})
	if err != nil {
		return nil, err
	}
	if err := l.Add(s.train.X, learn.Labels(labels), nil); err != nil {
		return nil, err
	}
	test, err := m.TransformBatch(nil, s.test.X)
	if err != nil {
		return nil, err
	}
	moments, v := l.Moments(), values{}
	for _, epsilon := range epsilons {
		mechanism, err := privacy.NewMomentsMechanism(epsilon, 1e-5, moments.Shape(), moments.Grid(), moments.Rows())
		if err != nil {
			return nil, err
		}
		// The noise is known, so that a run can be repeated: good for experiments, never for a release.
		key := [32]byte{0: byte(seed), 1: byte(10 * epsilon)}
		released, err := mechanism.Release(moments, privacy.NewNoise(rand.NewChaCha8(key)))
		if err != nil {
			return nil, err
		}
		head, err := released.Fit()
		if err != nil {
			return nil, err
		}
		v[fmt.Sprint(epsilon)] = 100 * s.accuracy(head.Linear, test)
	}
	exact, _, err := solve.FitRidge(moments.System(), learn.RidgeOptions{})
	if err != nil {
		return nil, err
	}
	v["none"] = 100 * s.accuracy(exact, test)
	return v, nil
}

func privateText(b *book) string {
	var t strings.Builder
	t.WriteString(b.privatePicture() + "Ridge classifiers from one release of moments, δ 1e-5; (1 + ⟨x,y⟩)^p, " +
		"kernel-normalised. Accuracy in %.\n\n" +
		"| | D, p | ε = 0.5 | 1 | 2 | 4 | 8 | without noise |\n|---|---|---|---|---|---|---|---|\n")
	for _, of := range privateSets {
		fmt.Fprintf(&t, "| %s | %s, %d |", b.title(of.name), lab.Grouped(float64(of.D)), of.degree)
		for _, epsilon := range epsilons {
			fmt.Fprintf(&t, " %s |", b.over("private/"+of.name, fmt.Sprint(epsilon)).text(1))
		}
		fmt.Fprintf(&t, " %s |\n", b.over("private/"+of.name, "none").text(1))
	}
	return t.String()
}

var exactRows = []int{1000, 3000, 10000, 30000, 60000}

func exactCells(b *book) (cells []cell) {
	for _, n := range exactRows {
		if b.quick && n > 1000 {
			break
		}
		part := func(s *set) *set {
			of := *s
			of.train = s.train.first(n)
			return &of
		}
		if n < 60000 {
			cells = append(cells, b.seeds(fmt.Sprintf("exact/%d/exact", n), "mnist", 1, func(s *set, _ int) (values, error) {
				return part(s).exactSVM(sketch.Params{Degree: 2, Coef0: 1}, 1)
			})...)
		}
		cells = append(cells, b.seeds(fmt.Sprintf("exact/%d/ts", n), "mnist", 1, func(s *set, seed int) (values, error) {
			s = part(s)
			start := time.Now()
			v, err := s.mappedSVM(b.params(polynomial{2, 1}, 1000, "ts", seed), 1)
			if err == nil {
				v["predict"] = time.Since(start).Seconds() - v["map"] - v["train"]
			}
			return v, err
		})...)
	}
	return cells
}

func exactText(b *book) string {
	var t strings.Builder
	t.WriteString(b.exactPicture() + "MNIST, (1 + ⟨x,y⟩)², SVM with C = 1, D = 1,000, one thread; seconds to train " +
		"(mapping included), and to predict " +
		"the 10,000 test rows.\n\n| rows | exact: train | predict | accuracy | sketch: train | predict | accuracy | " +
		"faster |\n" +
		"|---|---|---|---|---|---|---|---|\n")
	var xs, exact, sketched []float64
	for _, n := range exactRows {
		id := fmt.Sprintf("exact/%d/exact", n)
		if n == 60000 {
			id = "kdd-table1/mnist/p2c1/exact"
		}
		ts := fmt.Sprintf("exact/%d/ts", n)
		a, c := b.over(id, "train"), b.over(ts, "map")
		c.value += b.over(ts, "train").value
		fmt.Fprintf(&t, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", lab.Grouped(float64(n)), seconds(a),
			seconds(b.over(id, "predict")), b.over(id, "accuracy").text(1), seconds(c), seconds(b.over(ts, "predict")),
			b.over(ts, "accuracy").text(1), ratio(a, c))
		if a.n > 0 && c.n > 0 {
			xs, exact, sketched = append(xs, float64(n)), append(exact, a.value), append(sketched, c.value)
		}
	}
	if len(xs) > 2 {
		fmt.Fprintf(&t, "\nTraining grows as n^%.1f with the exact kernel, and as n^%.1f with the sketch.\n",
			lab.Exponent(xs, exact), lab.Exponent(xs, sketched))
	}
	return t.String()
}

// differ reports whether two means differ by more than both deviations, and by more than the papers' last digit.
func differ(a, b mean) bool {
	return a.n > 0 && b.n > 0 && math.Abs(a.value-b.value) > max(a.deviation, b.deviation, 0.1)
}
