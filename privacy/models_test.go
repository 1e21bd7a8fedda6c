package privacy

import (
	"bufio"
	"compress/gzip"
	"flag"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/test/cases"
	"tensorsketch.example/test/need"
	"tensorsketch.example/test/slow"
)

var long = flag.Bool("long", false, "run TestPrivateMNIST, which takes a minute")

// images are rows of length 1 with their digits.
type images struct {
	X      sketch.Dense
	labels []learn.Label
}

// addImage adds an image and makes its length 1.
func (s *images) addImage(pixels []float32, digit int) {
	length := norm(pixels)
	for _, v := range pixels {
		s.X = append(s.X, float32(float64(v)/length))
	}
	s.labels = append(s.labels, learn.NumberLabel(float64(digit)))
}

func openData(t *testing.T, name string) io.Reader {
	t.Helper()
	file := need.Value(os.Open(cases.Data(t, name)))(t)
	t.Cleanup(func() { file.Close() })
	if strings.HasSuffix(name, ".gz") {
		return bufio.NewReader(need.Value(gzip.NewReader(bufio.NewReader(file)))(t))
	}
	return bufio.NewReader(file)
}

// opticalDigits returns the training and test rows of digits.csv, in the order of the file.
func opticalDigits(t *testing.T) (train, test images) {
	lines := bufio.NewScanner(openData(t, "digits.csv"))
	lines.Scan()
	for n := 0; lines.Scan(); n++ {
		fields := strings.Split(lines.Text(), ",")
		pixels := make([]float32, 64)
		for i := range pixels {
			pixels[i] = float32(parse(t, fields[i]))
		}
		to := &test
		if n < 3823 {
			to = &train
		}
		to.addImage(pixels, need.Value(strconv.Atoi(fields[64]))(t))
	}
	need.OK(t, lines.Err())
	return train, test
}

// mnist returns n images of a part of MNIST, "train" or "t10k".
func mnist(t *testing.T, part string, n int) (s images) {
	from, digits := openData(t, "mnist-"+part+"-images-idx3-ubyte.gz"), openData(t, "mnist-"+part+"-labels-idx1-ubyte.gz")
	need.Value(io.CopyN(io.Discard, from, 16))(t)
	need.Value(io.CopyN(io.Discard, digits, 8))(t)
	row, pixels, digit := make([]byte, 784), make([]float32, 784), make([]byte, 1)
	for range n {
		need.Value(io.ReadFull(from, row))(t)
		need.Value(io.ReadFull(digits, digit))(t)
		for i, v := range row {
			pixels[i] = float32(v)
		}
		s.addImage(pixels, int(digit[0]))
	}
	return s
}

// privateAccuracies returns the accuracies on test of models of five releases at each ε, in ascending
// order, δ 1e-5. Rows have length 1, and kernel-normalised features a bound of 2^(degree/2).
func privateAccuracies(t *testing.T, train, test images, D, degree int, epsilons ...float64) [][]float64 {
	t.Helper()
	f := need.Value(sketch.New(sketch.Params{NFeatures: len(train.X) / len(train.labels), NComponents: D, Degree: degree,
		Coef0: 1, Normalize: sketch.NormalizeKernel, Seed: sketch.IntSeed(5)}))(t)
	l := need.Value(learn.NewLearner(learn.Spec{Map: f, Task: learn.TaskClassify, Private: true, Radius: 1,
		Classes: learn.Labels([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9})}))(t)
	l.SetGoroutines(runtime.GOMAXPROCS(0))
	need.OK(t, l.Add(train.X, train.labels, nil))
	if m := l.Moments(); m.Clipped() != 0 {
		t.Errorf("%d features were scaled down", m.Clipped())
	}
	var all [][]float64
	for _, epsilon := range epsilons {
		var accuracies []float64
		for seed := range uint64(5) {
			head := need.Value(released(t, epsilon, l.Moments(), 10*seed+1).Fit())(t)
			spec := l.Spec()
			metrics := need.Value(spec.Model(head).Evaluate(test.X, test.labels))(t)
			accuracies = append(accuracies, metrics.Accuracy.Value)
		}
		slices.Sort(accuracies)
		all = append(all, accuracies)
	}
	return all
}

// Few rows need a large ε. The floors are two points below what five releases had.
func TestPrivateDigits(t *testing.T) {
	slow.Elsewhere(t)
	train, test := opticalDigits(t)
	got := privateAccuracies(t, train, test, 256, 2, 4, 16)
	t.Logf("ε 4: %.4f; ε 16: %.4f", got[0], got[1])
	for i, floor := range []float64{0.8, 0.9} {
		if got[i][0] < floor {
			t.Errorf("accuracies %.4f, want at least %g", got[i], floor)
		}
	}
}

// On the official split of MNIST, at degree 3 and D 1,024, the median accuracy is at least 87 % at ε 1 and 90.5 % at
// ε 4.
func TestPrivateMNIST(t *testing.T) {
	if !*long {
		t.Skip(slow.LeftOut + "run it with -long")
	}
	got := privateAccuracies(t, mnist(t, "train", 60000), mnist(t, "t10k", 10000), 1024, 3, 1, 4)
	t.Logf("ε 1: %.4f; ε 4: %.4f", got[0], got[1])
	for i, floor := range []float64{0.87, 0.905} {
		if median := got[i][2]; median < floor {
			t.Errorf("median accuracy %.4f, want at least %g", median, floor)
		}
	}
}
