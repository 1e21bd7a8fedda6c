package learn_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/learn/metrics"
	"tensorsketch.example/test/need"
)

// auroc returns the chance that a row of the second kind has a larger number than one of the first.
func auroc(known, other []float64) float64 {
	known = slices.Clone(known)
	slices.Sort(known)
	sum := 0.0
	for _, v := range other {
		below, _ := slices.BinarySearch(known, v)
		above, _ := slices.BinarySearchFunc(known, v, func(a, b float64) int {
			if a <= b {
				return -1
			}
			return 1
		})
		sum += float64(below+above) / 2 / float64(len(known))
	}
	return sum / float64(len(other))
}

// fifth returns the squared distance of each row to its fifth nearest row of training.
func fifth(train, test table) []float64 {
	far := make([]float64, test.rows())
	for i := range far {
		nearest := []float64{}
		row := test.X[i*test.d : (i+1)*test.d]
		for j := range train.rows() {
			square := 0.0
			for k, v := range train.X[j*train.d : (j+1)*train.d] {
				square += float64((v - row[k]) * (v - row[k]))
			}
			at, _ := slices.BinarySearch(nearest, square)
			if at < 5 {
				nearest = slices.Insert(nearest, at, square)
				nearest = nearest[:min(5, len(nearest))]
			}
		}
		far[i] = nearest[4]
	}
	return far
}

// Each class left out in turn is as new to the moments of the others as to their fifth neighbour, within 0.02 of the
// area under the curve. Without -long it takes digits and two classes.
func TestNoveltyOfClasses(t *testing.T) {
	leftOut(t)
	sets := map[string]func(*testing.T) *sample{"digits": readDigits}
	if *long {
		sets["covtype20k"], sets["mnist"] = readCovtype, readMNIST
	}
	for name, read := range sets {
		all := read(t)
		X := all.measured(name)
		order := rand.New(rand.NewPCG(1, 1)).Perm(all.rows())
		mine, peer, classes := 0.0, 0.0, all.K
		if !*long {
			classes = 2
		}
		for class := range classes {
			var train, in, out table
			train.d, in.d, out.d = all.d, all.d, all.d
			for _, i := range order {
				to := &train
				switch isOut := int(all.classes[i]) == class; {
				case isOut:
					to = &out
				case in.rows() < 1000:
					to = &in
				}
				if to.rows() >= 1000 && to == &out || to.rows() >= 4000 {
					continue
				}
				to.X = append(to.X, X[i*all.d:(i+1)*all.d]...)
				to.labels = append(to.labels, learn.NumberLabel(float64(all.classes[i])))
			}
			spec := need.Value(learn.Prepare(learn.Spec{Map: gaussian(t, train, 1024), WithoutLinear: true, Folds: 5},
				train.X, train.labels))(t)
			l := need.Value(learn.NewLearner(spec))(t)
			need.OK(t, l.Add(train.X, train.labels, nil))
			v := need.Value(l.Novelty())(t)
			known, share, err := v.Of(in.X)
			need.OK(t, err)
			other, _, err := v.Of(out.X)
			need.OK(t, err)
			mine += auroc(known, other) / float64(classes)
			peer += auroc(fifth(train, in), fifth(train, out)) / float64(classes)
			mean := 0.0
			for _, s := range share {
				mean += s / float64(len(share))
			}
			if math.Abs(mean-0.5) > 0.06 { // rows like those that were kept
				t.Errorf("%s, class %d: the mean share of known rows is %.3f", name, class, mean)
			}
		}
		t.Logf("%s: %.3f, fifth neighbour %.3f", name, mine, peer)
		if mine < peer-0.02 {
			t.Errorf("%s: area %.3f, fifth neighbour %.3f", name, mine, peer)
		}
	}
}

// Without kept rows, as from sums with noise, the moments say what is new, if not as well.
func TestNoveltyOfSums(t *testing.T) {
	all := readDigits(t)
	var train, in, out table
	train.d, in.d, out.d = all.d, all.d, all.d
	for i := range all.rows() {
		to := &train
		if all.classes[i] == 3 {
			to = &out
		} else if i%5 == 0 {
			to = &in
		}
		to.X = append(to.X, all.X[i*all.d:(i+1)*all.d]...)
		to.labels = append(to.labels, learn.NumberLabel(float64(all.classes[i])))
	}
	p := gaussian(t, train, 256).Params()
	p.Gamma *= 4
	m := need.Value(sketch.NewFeatureMap(p))(t)
	spec := need.Value(learn.Prepare(learn.Spec{Map: m, WithoutLinear: true, Folds: 1}, train.X, train.labels))(t)
	spec.Keep = 0
	l := need.Value(learn.NewLearner(spec))(t)
	need.OK(t, l.Add(train.X, train.labels, nil))
	v := need.Value(l.Novelty())(t)
	known, share, err := v.Of(in.X)
	need.OK(t, err)
	other, _, err := v.Of(out.X)
	need.OK(t, err)
	if area := auroc(known, other); area < 0.9 || share != nil {
		t.Errorf("area %.3f, %d shares", area, len(share))
	}
}

// measured returns the rows of a sample: pixels as they are, other columns with mean 0 and deviation 1, or 0
// throughout.
func (s *sample) measured(name string) []float32 {
	X, n := slices.Clone(s.X), float64(s.rows())
	for j := 0; name == "covtype20k" && j < s.d; j++ {
		mean, square := 0.0, 0.0
		for i := j; i < len(X); i += s.d {
			mean += float64(X[i]) / n
			square += float64(X[i]) * float64(X[i]) / n
		}
		unit := math.Sqrt(max(0, square-mean*mean))
		for i := j; i < len(X); i += s.d {
			if X[i] = float32((float64(X[i]) - mean) / max(unit, 1e-6)); unit < 1e-6 {
				X[i] = 0
			}
		}
	}
	return X
}

// The column that decides is important, its copy shares its importance, and the others are worth nothing.
func TestImportances(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	draw := func(n int) (s table) {
		s.d = 4
		for range n {
			x := []float32{float32(r.NormFloat64()), float32(r.NormFloat64()), float32(r.NormFloat64()), 0}
			x[3] = float32(r.NormFloat64())
			s.X = append(s.X, x...)
			s.labels = append(s.labels, learn.BoolLabel(x[1] > 0))
			s.y = append(s.y, float64(x[1]))
		}
		return s
	}
	train, test := draw(600), draw(400)
	numbers := table{d: train.d, X: train.X, y: train.y}
	train.y = nil
	for name, of := range map[string]func() ([]metrics.Importance, error){
		"classes": func() ([]metrics.Importance, error) {
			return conformal(t, train).Importances(test.X, test.labels, [][]int{{0}, {1}, {2, 3}})
		},
		"numbers": func() ([]metrics.Importance, error) {
			return conformal(t, numbers).TargetImportances(test.X, test.y, [][]int{{0}, {1}, {2, 3}})
		},
	} {
		got := need.Value(of())(t)
		t.Log(name, got)
		if got[1].Drop < 0.3 || got[1].StdError > 0.1*got[1].Drop+0.05 {
			t.Errorf("%s: the column that decides has %+v", name, got[1])
		}
		for _, i := range []int{0, 2} {
			if math.Abs(got[i].Drop) > 0.05 {
				t.Errorf("%s: column %d has %+v", name, i, got[i])
			}
		}
	}
}
