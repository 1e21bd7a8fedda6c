package learn_test

import (
	"bufio"
	"io"
	"math"
	"math/rand"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/test/need"
	"tensorsketch.example/test/slow"
)

// A sample is a data set with its split: rows that are not prepared, and a class or a target of each.
type sample struct {
	d       int
	X       []float32
	classes []int32
	targets []float64
	K       int // classes, or 0 for regression
	train   int // the first rows are for training
}

func (s *sample) rows() int { return len(s.X) / s.d }

// take returns chosen rows. The first ones are for training.
func (s *sample) take(order []int, train int) *sample {
	part := &sample{d: s.d, K: s.K, train: train}
	for _, i := range order {
		part.X = append(part.X, s.X[i*s.d:][:s.d]...)
		if s.K > 0 {
			part.classes = append(part.classes, s.classes[i])
		} else {
			part.targets = append(part.targets, s.targets[i])
		}
	}
	return part
}

// prepared returns the rows as LEARN.md, section 4, has them: columns to [0, 1] by the training rows' minimum and
// maximum, unless fewer than a tenth of the numbers are not 0, and rows to length 1.
func (s *sample) prepared() []float32 {
	X, d, present := slices.Clone(s.X), s.d, 0
	for _, v := range X[:s.train*d] {
		if v != 0 {
			present++
		}
	}
	if 10*present >= s.train*d {
		for j := range d {
			low, high := X[j], X[j]
			for i := 0; i < s.train; i++ {
				low, high = min(low, X[i*d+j]), max(high, X[i*d+j])
			}
			for i := 0; i < s.rows(); i++ {
				if X[i*d+j] -= low; high > low {
					X[i*d+j] /= high - low
				}
			}
		}
	}
	for i := 0; i < len(X); i += d {
		unit(X[i : i+d])
	}
	return X
}

// moments returns the exact moments of the training rows under a map of a degree, and the features of the others. The
// rows have length 1, so κ(x, x) is 2^degree.
func (s *sample) moments(t *testing.T, X []float32, D, degree, folds int, seed uint64) (*learn.Moments, []float32) {
	t.Helper()
	m := polynomial(t, s.d, D, degree, seed)
	Z := need.Value(m.TransformBatch(nil, X))(t)
	shape, grid := learn.Shape{NComponents: D, Classes: s.K}, learn.Grid{}
	grid.Step = need.Value(solve.StepFor(math.Sqrt(float64(int(1) << degree))))(t)
	var targets []float64
	var classes []int32
	if s.K == 0 {
		shape.Targets, targets = 1, s.targets[:s.train]
		grid.Low, grid.High = slices.Min(targets), slices.Max(targets)
	} else {
		classes = s.classes[:s.train]
	}
	moments := need.Value(learn.NewMoments(shape, grid, folds))(t)
	need.OK(t, moments.AddFeatures(Z[:s.train*D], classes, targets, nil))
	return moments, Z[s.train*D:]
}

// score returns the percentage of test rows with the right class, or R² of the targets.
func (s *sample) score(l *learn.Linear, Z []float32) float64 {
	if s.K > 0 {
		return accuracy(l, Z, s.classes[s.train:])
	}
	scores, y := l.Scores(nil, Z), s.targets[s.train:]
	mean, rest, all := 0.0, 0.0, 0.0
	for _, v := range y {
		mean += v / float64(len(y))
	}
	for i, v := range y {
		rest += (v - scores[i]) * (v - scores[i])
		all += (v - mean) * (v - mean)
	}
	return 1 - rest/all
}

// fit returns the score on the test rows of a model with the defaults: degree 3, D 1,024, and the λ that ridge chooses.
func (s *sample) fit(t *testing.T, X []float32, seed uint64) (float64, solve.RidgeReport) {
	t.Helper()
	var o learn.RidgeOptions
	folds := 0
	if s.K == 0 {
		folds = 5
	}
	moments, Z := s.moments(t, X, 1024, 3, folds, seed)
	moments.HoldOut(&o)
	l, report, err := solve.FitRidge(moments.System(), o)
	need.OK(t, err)
	return s.score(l, Z), report
}

// A benchmark is a data set with what LEARN.md, section 4, asks of it.
type benchmark struct {
	name  string
	want  float64
	read  func(t *testing.T) *sample
	split func(rng *rand.Rand, all *sample) *sample // nil if it is as read
}

var benchmarks = []benchmark{
	{"digits", 97.9, readDigits, nil},
	{"usps", 93.3, readUSPS, nil},
	{"mnist10k", 94.3, readMNIST, func(rng *rand.Rand, all *sample) *sample {
		order := rng.Perm(60000)[:10000]
		for i := range 10000 {
			order = append(order, 60000+i)
		}
		return all.take(order, 10000)
	}},
	{"a9a", 84.8, readA9A, nil},
	{"covtype20k", 80.0, readCovtype, atRandom(15000)},
	{"basehock", 92, readBasehock, atRandom(1495)},
	{"cpu_act", 0.965, readCPU, atRandom(6554)},
}

func atRandom(train int) func(rng *rand.Rand, all *sample) *sample {
	return func(rng *rand.Rand, all *sample) *sample { return all.take(rng.Perm(all.rows()), train) }
}

// leftOut skips a test of accuracy with -short, and where only bits are tested.
func leftOut(t *testing.T) {
	slow.Elsewhere(t)
	if testing.Short() && !*long {
		t.Skip(slow.LeftOut + "accuracy, under -short")
	}
}

// TestAccuracy: with the defaults, means over ten seeds, and over ten splits where they are random, reach what
// LEARN.md, section 4, promises. Without -long it fits one seed of digits.
func TestAccuracy(t *testing.T) {
	leftOut(t)
	seeds, sets := 10, benchmarks
	if !*long {
		seeds, sets = 1, sets[:1]
	}
	for _, b := range sets {
		t.Run(b.name, func(t *testing.T) {
			all := b.read(t)
			s, mean, low, high := all, 0.0, math.Inf(1), math.Inf(-1)
			X := s.prepared()
			for seed := range seeds {
				if b.split != nil {
					s = b.split(rand.New(rand.NewSource(int64(seed))), all)
					X = s.prepared()
				}
				score, report := s.fit(t, X, uint64(seed))
				if report.AtEnd != 0 {
					t.Logf("seed %d: alpha %g is at an end of the path", seed, report.Alpha)
				}
				mean += score / float64(seeds)
				low, high = min(low, score), max(high, score)
			}
			t.Logf("%s: %.4g (%.4g to %.4g)", b.name, mean, low, high)
			if mean < b.want {
				t.Errorf("%s: %.4g (%.4g to %.4g over %d seeds), want at least %g", b.name, mean, low, high, seeds, b.want)
			}
		})
	}
}

// TestCappedCrossValidation: on 500 rows of a9a with D 512, where the features are more than the rows, the chosen λ is
// within 2.5 points of the best of the path; without the cap it would be the smallest. Without -long it takes one seed.
func TestCappedCrossValidation(t *testing.T) {
	leftOut(t)
	const n, D = 500, 512
	all := readA9A(t)
	seeds := 10
	if !*long {
		seeds = 1
	}
	worst := 0.0
	for seed := range seeds {
		order := rand.New(rand.NewSource(int64(seed))).Perm(all.train)[:n]
		for i := all.train; i < all.rows(); i += 4 {
			order = append(order, i)
		}
		s := all.take(order, n)
		moments, Z := s.moments(t, s.prepared(), D, 2, 0, uint64(seed))
		l, report, err := solve.FitRidge(moments.System(), learn.RidgeOptions{})
		need.OK(t, err)
		if !report.FewRows {
			t.Errorf("%d features of %d rows: FewRows is false", D, n)
		}
		best, chosen := 0.0, s.score(l, Z)
		for i, point := range report.Path {
			if i%2 == 1 {
				continue // every other λ is enough to know the best
			}
			l, _, err := solve.FitRidge(moments.System(), learn.RidgeOptions{Alpha: point.Alpha})
			need.OK(t, err)
			best = max(best, s.score(l, Z))
		}
		worst = max(worst, best-chosen)
	}
	t.Logf("at most %.2f points below the best λ", worst)
	if worst > 2.5 {
		t.Errorf("the chosen λ loses up to %.2f points, want at most 2.5", worst)
	}
}

func readDigits(t *testing.T) *sample {
	X, last, d := csv(t, "digits.csv")
	return &sample{d: d, X: X, classes: toClasses(last, 0), K: 10, train: 3823}
}

func toClasses(labels []float64, first int) []int32 {
	classes := make([]int32, len(labels))
	for i, label := range labels {
		classes[i] = int32(label) - int32(first)
	}
	return classes
}

func readCPU(t *testing.T) *sample {
	X, last, d := csv(t, "cpu_act.csv")
	return &sample{d: d, X: X, targets: last}
}

func readMNIST(t *testing.T) *sample {
	s := &sample{d: 784, K: 10}
	for _, part := range []struct {
		name string
		n    int
	}{{"mnist-train", 60000}, {"mnist-t10k", 10000}} {
		images, labels := openData(t, part.name+"-images-idx3-ubyte.gz"), openData(t, part.name+"-labels-idx1-ubyte.gz")
		need.Value(io.CopyN(io.Discard, images, 16))(t)
		need.Value(io.CopyN(io.Discard, labels, 8))(t)
		pixels, classes := make([]byte, part.n*s.d), make([]byte, part.n)
		need.Value(io.ReadFull(images, pixels))(t)
		need.Value(io.ReadFull(labels, classes))(t)
		for _, v := range pixels {
			s.X = append(s.X, float32(v))
		}
		for _, class := range classes {
			s.classes = append(s.classes, int32(class))
		}
	}
	return s
}

// numbers calls each with the numbers of every line of a file, which are separated by one of some characters.
func numbers(t *testing.T, name, separators string, each func(values []float64)) {
	t.Helper()
	lines := bufio.NewScanner(openData(t, name))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var values []float64
		separates := func(r rune) bool { return strings.ContainsRune(separators, r) }
		for _, field := range strings.FieldsFunc(lines.Text(), separates) {
			values = append(values, need.Value(strconv.ParseFloat(field, 64))(t))
		}
		each(values)
	}
	need.OK(t, lines.Err())
}

func readUSPS(t *testing.T) *sample {
	s := &sample{d: 256, K: 10, train: 7291}
	for _, name := range []string{"usps-zip.train.gz", "usps-zip.test.gz"} {
		numbers(t, name, " ", func(values []float64) {
			s.classes = append(s.classes, int32(values[0]))
			for _, v := range values[1:] {
				s.X = append(s.X, float32(v))
			}
		})
	}
	return s
}

func readCovtype(t *testing.T) *sample {
	s := &sample{d: 54, K: 7}
	numbers(t, "covtype20k.csv.gz", ",", func(values []float64) {
		for _, v := range values[:54] {
			s.X = append(s.X, float32(v))
		}
		s.classes = append(s.classes, int32(values[54])-1)
	})
	return s
}

// sparse reads files of LIBSVM's format with labels below and above 0 or 1.5.
func sparse(t *testing.T, d int, names ...string) *sample {
	s := &sample{d: d, K: 2}
	for _, name := range names {
		s.train = s.rows()
		var labels []float64
		numbers(t, name, " :", func(values []float64) {
			labels = append(labels, values[0])
			row := make([]float32, d)
			for i := 1; i < len(values); i += 2 {
				row[int(values[i])-1] = float32(values[i+1])
			}
			s.X = append(s.X, row...)
		})
		low := slices.Min(labels)
		for _, label := range labels {
			class := int32(0)
			if label > low {
				class = 1
			}
			s.classes = append(s.classes, class)
		}
	}
	return s
}

func readA9A(t *testing.T) *sample { return sparse(t, 123, "a9a.libsvm.gz", "a9a.t.libsvm.gz") }

func readBasehock(t *testing.T) *sample { return sparse(t, 4862, "basehock.libsvm.gz") }
